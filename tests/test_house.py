"""The rules of the house that a machine can keep: rooms, pins, sizes, paths."""

import ast
import hashlib
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted(path for path in (ROOT / "workbench").rglob("*.py"))
FOUNDATION = {"damage", "one_at_a_time", "paths", "refusal"}  # what every room stands on
# room -> the rooms it may import beside it
ROOMS = {
    "prosody": {"prosody"},
    "corpora": {"prosody", "corpora"},
    "wording": set(),
    "options": set(),
    "networks": {"networks"},
    "understanding": {"prosody", "semantics", "wording"},
    "semantics": {"prosody", "networks", "semantics"},
    "ratings": {"ratings"},
    "training": {"prosody", "models", "networks", "semantics", "training", "corpora", "options"},
    "decoding": {"prosody", "decoding", "options"},
    "models": {"prosody", "decoding", "models", "networks"},
    "evaluation": {"prosody", "decoding", "semantics", "composer", "evaluation", "corpora"},
    "verification": {"prosody", "decoding", "models", "verification", "corpora"},  # what proves a room may open it
    "benchmarks": {"prosody", "decoding", "models", "composer", "benchmarks", "corpora"},
    "scanning": {"prosody"},
    "composition": {"prosody", "decoding", "semantics"},
    "composing": {"decoding", "models", "semantics", "composition", "corpora", "wording"},
    "desk": {"prosody", "decoding", "models", "semantics", "understanding", "wording"},
    "passages": {"composing", "composition", "decoding", "wording"},
    "composer": {
        "desk",
        "passages",
        "prosody",
        "decoding",
        "models",
        "semantics",
        "composition",
        "composing",
        "wording",
        "scanning",
        "understanding",
        "options",
    },
    "examples": {"composer"},
    "ui": {"composer", "examples", "ratings", "ui"},
    "commands": {
        "examples",
        "understanding",
        "composer",
        "commands",
        "evaluation",
        "verification",
        "benchmarks",
        "ratings",
        "semantics",
        "training",
        "corpora",
        "options",
    },
    "__main__": {"commands"},
    "__init__": {"composer", "decoding"},  # names of the library, looked up when they are asked for
    "paths": set(),
    "refusal": set(),
    "damage": set(),
    "one_at_a_time": set(),
}


def room(path: Path) -> str:
    return path.relative_to(ROOT / "workbench").parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "workbench":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("workbench."):
            found.add(node.module.split(".")[1])
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_keeps_to_its_room_and_says_what_it_is(path):
    assert imported_rooms(path) <= ROOMS[room(path)] | FOUNDATION
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= (300 if path.name == "composer.py" else 450)
    assert ast.get_docstring(ast.parse(text)), "a first paragraph says what the file knows"


# What others call private and give no other door to.
FOREIGN = {"_SubParsersAction", "_data", "_foreach_lerp_", "_mapping", "_name_or_path", "_replace"}


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in FOREIGN


def reached_from_outside(tree: ast.AST, own: frozenset[str] = frozenset()) -> list[str]:
    """Private fields of anything but oneself and one's own class, and private names of other modules."""
    found = []
    for node in ast.iter_child_nodes(tree):
        inner = own
        if isinstance(node, ast.ClassDef):
            methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
            fields = (each for each in ast.walk(node) if isinstance(each, ast.Attribute))
            inner = own | methods | {each.attr for each in fields if ast.unparse(each.value) in ("self", "cls")}
        elif isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in own:
            found += [ast.unparse(node)] if ast.unparse(node.value) not in ("self", "cls", "super()") else []
        elif isinstance(node, ast.ImportFrom):
            found += [alias.name for alias in node.names if is_private(alias.name)]
        found += reached_from_outside(node, inner)
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_private_field_is_reached_from_outside(path):
    assert reached_from_outside(ast.parse(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("class A:\n def b(self, other):\n  self._c = other._d", ["other._d"]),
        ("class A:\n def _b(self):\n  return A()._b()", []),
        ("a = A()\na._b = 1", ["a._b"]),
        ("from workbench.paths import _b", ["_b"]),
    ],
)
def test_a_private_field_that_is_reached_is_found_out(text, found):
    assert reached_from_outside(ast.parse(text)) == found


def requirements(name: str) -> list[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_dependency_is_pinned(name):
    assert all(re.fullmatch(r"[A-Za-z0-9_.\-]+==[0-9][0-9A-Za-z.]*", line) for line in requirements(name))


def test_torch_is_first_and_the_one_agreed_on():
    assert requirements("requirements.txt")[0] == "torch==2.13.0"


def test_readme_opens_with_the_front_matter_of_a_space():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    front = dict(line.split(": ", 1) for line in readme.split("---")[1].strip().splitlines())
    gradio = next(line for line in requirements("requirements.txt") if line.startswith("gradio=="))
    assert front["sdk"] == "gradio"
    assert front["sdk_version"] == gradio.removeprefix("gradio==")
    assert front["python_version"].strip("'\"") == "3.11"
    assert front["app_file"] == "app.py"
    assert front["license"] == "apache-2.0"
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", readme)
    assert len(pictures) >= 3 and all((ROOT / picture).is_file() for picture in pictures)
    assert "make app" in readme and "make test" in readme


def tracked_text() -> list[Path]:
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    suffixes = {".py", ".md", ".txt", ".toml", ".css", ".js", ".json", ".jsonl", ".tsv", ".yml", ".yaml", ".lock", ""}
    return [ROOT / name for name in names.split("\0") if name and Path(name).suffix in suffixes]


def test_no_machine_paths_and_no_registry_addresses():
    forbidden = re.compile(r"(?:^|[\s\"'=(])/(?:work|farm|root|home)/|--(?:extra-)?index-url|files\.pythonhosted")
    found = [
        path.name for path in tracked_text() if path != Path(__file__) and forbidden.search(path.read_text("utf-8"))
    ]
    assert found == []


def test_checkpoints_keep_within_bounds_and_tell_what_they_are():
    files = [path for path in (ROOT / "checkpoints").rglob("*") if path.is_file()]
    assert max(path.stat().st_size for path in files) <= 90e6
    assert sum(path.stat().st_size for path in files) < 220e6
    for folder in (ROOT / "checkpoints").iterdir():
        card = (folder / "README.md").read_text(encoding="utf-8")
        for weights in folder.rglob("*.safetensors"):
            assert hashlib.sha256(weights.read_bytes()).hexdigest() in card


def test_versions_agree():
    import workbench

    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == workbench.__version__

"""What README.md and docs/ say is so: links lead somewhere, commands and options are the parser's, the tree is the tree,
and the counts of "how do I add" are those of the files beside them."""

import argparse
import re
import shlex
import sys
from pathlib import Path

import pytest

from workbench import __main__, composer
from workbench.corpora.sources import sources
from workbench.prosody.script import SCRIPTS

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
DEVELOPING = ROOT / "docs" / "DEVELOPING.md"
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)

FENCED = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
CALLED = re.compile(r"(?:python -m workbench|pingala) +(.*)")
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------------------------- links


def anchor(heading: str) -> str:
    """As GitHub and the Hub make one of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@every_page
def test_every_relative_link_leads_to_a_file_and_to_a_heading_in_it(page):
    for link in LINK.findall(FENCED.sub("", text_of(page))):
        if link.startswith(("http://", "https://")):
            continue
        name, _, part = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists() and target.is_relative_to(ROOT), link
        if part:
            assert part in map(anchor, HEADING.findall(FENCED.sub("", text_of(target)))), link


def test_the_readme_leads_to_every_page():
    linked = {link.partition("#")[0] for link in LINK.findall(text_of(ROOT / "README.md"))}
    beside = {"metres-in-doubt.md", "readings-on-dev.md"}  # footnotes of FIGURES.md and MEANING.md
    assert {f"docs/{page.name}" for page in PAGES[1:] if page.name not in beside} <= linked


# ---------------------------------------------------------------------------------------------------------- commands


@pytest.fixture(scope="module")
def parser():
    """The command line's own parser, as `main` builds it."""
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(argparse.ArgumentParser, "parse_args", lambda self, *_: found.append(self) or sys.exit())
        with pytest.raises(SystemExit):
            __main__.main([])
    return found[0]


def children(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    return next((each.choices for each in parser._actions if isinstance(each, argparse._SubParsersAction)), {})


def leaves(parser: argparse.ArgumentParser, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    inner = children(parser)
    return [leaf for name, each in inner.items() for leaf in leaves(each, (*path, name))] if inner else [path]


def spans(page: Path) -> list[str]:
    """The code of a page: lines of its blocks, and what stands in backticks, wherever its line was broken."""
    text = text_of(page)
    lines = [line for block in FENCED.findall(text) for line in block.splitlines()]
    return lines + [" ".join(span.split()) for span in INLINE.findall(FENCED.sub("", text))]


def faults(words: list[str], parser: argparse.ArgumentParser) -> list[str]:
    """What of a command the parser does not know. Words in capitals and the like stand for anything."""
    while children(parser):
        if not words or words[0] == "COMMAND":
            return []
        if words[0] not in children(parser):
            return [words[0]]
        parser, words = children(parser)[words[0]], words[1:]
    options = [word.split("=")[0] for word in words if word.startswith("-")]
    chosen = [each.choices for each in parser._actions if not each.option_strings and each.choices]
    named = [words[0]] if chosen and words and not words[0].startswith("-") else []
    return [each for each in options if each not in parser._option_string_actions] + [
        each for each in named if each not in chosen[0]
    ]


def commands_in(page: Path, parser: argparse.ArgumentParser) -> list[list[str]]:
    """Commands that a page names in full, and those it names by their own words with an option (`scan --json`)."""
    found = []
    for span in spans(page):
        full = CALLED.search(span)
        short = span.split(" ")[0] in children(parser) and " --" in span
        if full or short:
            said = re.split(r" [#<>|] ?| \.\.\.", full[1] if full else span)[0]
            found.append(shlex.split(said))
    return found


@every_page
def test_every_command_is_one_with_options_that_it_has(page, parser):
    unknown = [(words, bad) for words in commands_in(page, parser) if (bad := faults(words, parser))]
    assert unknown == []


@pytest.mark.parametrize(
    ("said", "bad"),
    [
        ("scan --json", []),
        ("train reader --data PREPARED --hours H", []),
        ("train --data PREPARED", ["--data"]),
        ("compose --metres x", ["--metres"]),
        ("sing", ["sing"]),
        ("reproduce mean", ["mean"]),
        ("table main --format=latex", []),
    ],
)
def test_a_command_that_is_none_is_found_out(said, bad, parser):
    assert faults(said.split(), parser) == bad


def test_pages_name_commands(parser):
    named = {page.name: len(commands_in(page, parser)) for page in PAGES}
    assert named["COMMANDS.md"] > 20 and named["FIGURES.md"] > 12 and named["RATING.md"] > 7


def test_every_command_is_in_its_page(parser):
    said = text_of(ROOT / "docs" / "COMMANDS.md")
    assert [leaf for leaf in leaves(parser) if f"`{' '.join(leaf)}`" not in said] == []


# -------------------------------------------------------------------------------------------------------------- tree


def tree() -> dict[str, str]:
    """Path -> clause, from the first block of DEVELOPING.md; depth is two spaces."""
    above: list[str] = []
    found = {}
    for line in FENCED.findall(text_of(DEVELOPING))[0].splitlines():
        indent, name, clause = re.fullmatch(r"( *)(\S+) {2,}(\S.*)", line).groups()
        above[len(indent) // 2 :] = [name.rstrip("/")]
        found["/".join(above) + "/" * name.endswith("/")] = clause
    return found


def test_the_tree_has_every_module_and_nothing_else():
    files = [path for path in (ROOT / "workbench").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    packages = {f"{path.parent.relative_to(ROOT)}/" for path in files if path.name == "__init__.py"}
    modules = {str(path.relative_to(ROOT)) for path in files if path.name not in ("__init__.py", "py.typed")}
    named = {path for path in tree() if path.startswith("workbench") and not path.endswith("__init__.py")}
    assert sorted((packages | modules) - named) == [], "not in the tree of docs/DEVELOPING.md"
    assert sorted(named - packages - modules) == [], "in the tree of docs/DEVELOPING.md, but not there"


def test_every_path_in_developing_is_there():
    text = FENCED.sub("", text_of(DEVELOPING))
    named = re.findall(r"`((?:workbench|tests|assets|docs)/[^`\s]+)`", text)
    gone = [path for path in {*tree(), *named} if "NAME" not in path and not (ROOT / path).exists()]
    assert len(named) > 50 and gone == []


def test_files_to_touch_are_counted():
    rows = re.findall(r"^\| (an? [^|]+) \| (\d+) \| ([^|]+) \|", text_of(DEVELOPING), re.MULTILINE)
    assert len(rows) >= 12
    for what, number, which in rows:
        paths = re.findall(r"`((?:workbench|assets)/[^`]+)`", which)
        assert len(set(paths)) == int(number) <= 3, what


# ----------------------------------------------------------------------------------------------------------- figures


def test_what_the_pages_count_is_so():
    said = " ".join(text_of(ROOT / "docs" / "COMMANDS.md").split())
    assert len(list(composer.all_metres())) >= int(re.search(r"at the last count (\d+) metres", said)[1])
    assert all(script.label in said for script in SCRIPTS.values())
    assert len(SCRIPTS) == 12 and "twelve scripts" in text_of(ROOT / "README.md")


def test_every_source_is_in_the_table_of_corpora():
    said = text_of(ROOT / "docs" / "CORPORA.md")
    for source in sources().values():
        assert f"| {source.name} | `{source.file}` |" in said
        assert re.search(rf"^\| {re.escape(source.licence)} \|.*\b{source.name}\b", said, re.MULTILINE)
        assert all(work.removeprefix("dcs/") in said for work in source.kept_out)

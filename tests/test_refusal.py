"""One base error, and doors that show it: whatever refusal a room may yet make reaches people as its sentence."""

import ast
import builtins
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import gradio as gr
import pytest

from workbench import composer
from workbench.__main__ import main
from workbench.decoding.vocabulary import TokenizerError
from workbench.ratings import storage
from workbench.ratings.texts import RatingError
from workbench.refusal import Refusal
from workbench.ui import composing, quick_row, rating, scan_tab, studies_events
from workbench.ui.choices import Choices

HOUSE = Path(composer.__file__).parent
NO_SENTENCES = {
    "Unreadable": "the reason why a row of a corpus is left out, counted and never shown alone",
    "MustWrite": "a visit that began by reading finds that it has to write, and is made again",
}
# Sentences for whoever has no more to do with programs than a link they were sent.
IN_OTHER_WORDS = (
    "“{}” has no answer yet.",
    "This study takes raters by invitation only.",
    "This link opens no study here.",
    "This token opens no study here.",
    "Row {}: {}",  # of a file of items; what follows says what was expected
    "Too many wrong links from here;",
    "On a Space, studies are made with the administrator's token",
    "Stopped before it began.",  # nothing was wrong
)
VERSE = "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः । मामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥"
PAIR = {"en": "The king spoke.", "sa": VERSE}


class Novel(Refusal):
    """A refusal that no door has heard of."""


def error_classes() -> dict[str, list[str]]:
    """Every class of the house that is an exception, with its bases."""
    bases = {
        node.name: [ast.unparse(base).split(".")[-1] for base in node.bases]
        for file in HOUSE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }

    def is_error(name: str) -> bool:
        built_in = getattr(builtins, name, None)
        if isinstance(built_in, type):
            return issubclass(built_in, BaseException)
        if name not in bases or name in bases[name]:  # of another package, its name maybe ours too
            return name.endswith(("Error", "Exception"))
        return any(map(is_error, bases[name]))

    return {name: of for name, of in bases.items() if is_error(name)}


def test_every_error_is_a_refusal():
    classes = error_classes()
    assert {"Refusal", "TokenizerError", "TooMany", "RatingError"} <= set(classes)

    def refuses(name: str) -> bool:
        return name == "Refusal" or any(map(refuses, classes.get(name, [])))

    assert {name for name in classes if not refuses(name)} == set(NO_SENTENCES)


def written(sentence: ast.expr) -> str:
    """What of a sentence is in the code, with {} for what is not; nothing for one that came from elsewhere."""
    if isinstance(sentence, ast.JoinedStr):
        return "".join("{}" if isinstance(part, ast.FormattedValue) else written(part) for part in sentence.values)
    return sentence.value if isinstance(sentence, ast.Constant) and isinstance(sentence.value, str) else ""


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def meant(name: str, file: Path) -> tuple[Path, ast.AST | None]:
    """What a name of a module stands for, and in which file: an expression, a function, or nothing for a module."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("workbench"):
            for each in node.names:
                if (each.asname or each.name) == name:
                    inside = HOUSE.parent.joinpath(*node.module.split("."), f"{each.name}.py")
                    module = (
                        inside.parent / "__init__.py" if inside.parent.is_dir() else inside.parent.with_suffix(".py")
                    )
                    return (inside, None) if inside.is_file() else meant(each.name, module)
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return file, node
    return file, next(iter(bound(name, tree(file).body)), None)


def bound(name: str, nodes: Iterable[ast.AST]) -> list[ast.expr]:
    """What a name is given."""
    return [
        node.value
        for node in nodes
        if isinstance(node, ast.Assign | ast.NamedExpr)
        and name in map(ast.unparse, node.targets if isinstance(node, ast.Assign) else [node.target])
    ]


def sentences(said: ast.AST | None, file: Path, function: ast.AST | None = None) -> Iterator[str]:
    """The sentences that an expression can be: in the code, by a name of the function, of its module or of another
    module, or returned by a function."""
    match said:
        case ast.JoinedStr() | ast.Constant():
            yield written(said)
        case ast.BinOp(left=first, right=second):
            rest = next(sentences(second, file, function), "{}")
            yield from (one + rest for one in sentences(first, file, function))
        case ast.IfExp(body=one, orelse=other):
            yield from (each for part in (one, other) for each in sentences(part, file, function))
        case ast.Call(func=ast.Attribute(value=pattern, attr="format")):
            yield from sentences(pattern, file, function)
        case ast.Call(func=called):
            where, found = looked_up(called, file)
            for node in ast.walk(found) if isinstance(found, ast.FunctionDef) else ():
                yield from sentences(node.value, where, found) if isinstance(node, ast.Return) else ()
        case ast.Name(id=name) if function and (values := bound(name, ast.walk(function))):
            yield from (each for value in values for each in sentences(value, file))
        case ast.Name() | ast.Attribute():
            where, found = looked_up(said, file)
            yield from sentences(found, where) if isinstance(found, ast.expr) else ()


def looked_up(said: ast.expr, file: Path) -> tuple[Path, ast.AST | None]:
    match said:
        case ast.Name(id=name):
            return meant(name, file)
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            inside, found = meant(module, file)
            return meant(name, inside) if inside != file and found is None else (file, None)
    return file, None


def refused(folder: Path = HOUSE) -> Iterator[str]:
    """Every sentence of the house that a person or a program is refused with."""
    refusals = {*error_classes(), "complain", "gr.Error"} - set(NO_SENTENCES)
    for file in folder.rglob("*.py"):
        within = {
            call: each for each in ast.walk(tree(file)) if isinstance(each, ast.FunctionDef) for call in ast.walk(each)
        }
        for node in ast.walk(tree(file)):
            if isinstance(node, ast.Call) and node.args:
                name = ast.unparse(node.func)
                if {name, name.split(".")[-1]} & refusals:
                    yield from sentences(node.args[0], file, within.get(node))


def test_every_sentence_says_what_was_expected_and_what_was_got():
    said = [sentence for sentence in refused() if sentence and not sentence.startswith("{}")]
    assert len(said) > 290
    assert not (others := [one for one in said if not one.startswith(("Expected ", *IN_OTHER_WORDS))]), others
    expected = [one for one in said if one.startswith("Expected ")]
    assert not (halves := [one for one in expected if not re.search(r"; |: \{\}| none|got", one)]), halves


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("raise RatingError(MINE)\nMINE = 'Said ' + more", ["Said {}"]),
        ("from workbench.ui import rating_strings as strings\nraise RatingError(strings.SAVE_NOTHING)",
         ["Expected a verse to save; there is none yet."]),
        ("def why():\n  return 'So.' if a else f'{b}'\ndef act():\n  if no := why():\n    complain(no)", ["So.", "{}"]),
        ("gr.Error(NO.format(a=1))\nNO = 'No {a}.'", ["No {a}."]),
        ("Error('nothing')", []),
    ],
)  # fmt: skip
def test_a_sentence_is_found_wherever_it_is_written(tmp_path, code, found):
    (tmp_path / "one.py").write_text(code, encoding="utf-8")
    assert list(refused(tmp_path)) == found


@pytest.fixture(params=[Novel, TokenizerError], ids=lambda kind: kind.__name__)
def sentence(request, monkeypatch):
    """What everything behind the composer's door says now."""
    said = "Expected a tokenizer of a known family; got none."

    def refuse(*given, **named):
        raise request.param(said)

    for name in ("scan", "compose", "score", "read_document"):
        monkeypatch.setattr(composer, name, refuse)
    monkeypatch.setattr(rating, "engine", lambda: None)
    monkeypatch.setattr(rating.session, "visit", refuse)
    return said


@pytest.mark.parametrize("arguments", [["scan", VERSE], ["compose", "The king spoke."]], ids=lambda given: given[0])
def test_the_command_line_says_it_and_no_more(sentence, capsys, arguments):
    assert main(arguments) == 2
    assert capsys.readouterr() == ("", sentence + "\n")


PAGE = {
    "compose": lambda: [shown.error for shown in composing.compose(Choices("The king spoke."), "somebody")][-1],
    "scan": lambda: scan_tab.scan_for_page(VERSE, "auto", "auto", "iast")["error"],
    "studies": lambda: studies_events.attempt(composer.scan, VERSE)[1]["error"],
    "rate": lambda: rating.rate_show("1", "a token")["error"],
}


@pytest.mark.parametrize("tab", PAGE)
def test_the_page_says_it_and_the_log_is_silent(sentence, caplog, tab):
    assert PAGE[tab]() == sentence and caplog.text == ""


@pytest.mark.parametrize(
    "save", [lambda: quick_row.save_for_study(None, 0, None), lambda: quick_row.rate_quickly(None, 0, 1, "", None)[2]]
)
def test_the_row_under_a_verse_says_it(monkeypatch, caplog, save):
    def refuse(*given):
        raise Novel("Expected a verse; got none.")

    monkeypatch.setattr(quick_row, "save", refuse)
    monkeypatch.setattr(quick_row, "keep", refuse)
    monkeypatch.setattr(quick_row, "place", lambda request: "somewhere")
    assert "Expected a verse; got none." in save() and caplog.text == ""


API = {
    "compose": lambda: composing.compose_api("The king spoke."),
    "scan": lambda: scan_tab.scan_api(VERSE),
    "score": lambda: composing.score_api([PAIR]),
}


@pytest.mark.parametrize("endpoint", API)
def test_programs_get_it_as_an_error_of_theirs(sentence, endpoint):
    with pytest.raises(gr.Error) as refused:
        API[endpoint]()
    assert refused.value.message == sentence and not refused.value.print_exception


def test_a_package_of_an_extra_that_is_not_installed_is_a_sentence(monkeypatch, capsys, tmp_path):
    monkeypatch.delitem(sys.modules, "vidyut.chandas", raising=False)
    monkeypatch.setitem(sys.modules, "vidyut", None)
    corpus = tmp_path / "one.jsonl"
    corpus.write_text(json.dumps({"verse": VERSE}), encoding="utf-8")
    assert main(["bench", "scansion", str(corpus)]) == 2
    assert capsys.readouterr().err.startswith("Expected the package vidyut, which the extra dev brings; got none.")


def test_a_package_that_is_in_no_extra_is_a_fault_of_ours(monkeypatch):
    def fail(*given):
        raise ModuleNotFoundError("No module named 'workbench.nothing'", name="workbench.nothing")

    monkeypatch.setattr(composer, "scan", fail)
    with pytest.raises(ModuleNotFoundError):
        main(["scan", VERSE])


def test_postgresqls_driver_is_loaded_only_where_it_is_asked_for(monkeypatch, tmp_path):
    code = "import sys; from workbench.ratings import storage; storage.connect().dispose(); sys.exit('psycopg' in sys.modules)"
    environment = {"PINGALA_DATA": str(tmp_path), "PYTHONPATH": str(HOUSE.parent)}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(
        RatingError, match=r"Expected the driver psycopg for DATABASE_URL, which the extra postgres brings"
    ):
        storage.connect({"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"})


def test_the_library_is_lazy_and_whole():
    code = """
import sys
import workbench
assert not {"torch", "transformers", "gradio", "workbench.composer"} & set(sys.modules)
from workbench import scan, compose, read, find_metre
assert read.__module__ == "workbench.understanding"
door = sys.modules["workbench.composer"]
assert "torch" not in sys.modules and scan is door.scan and compose is door.compose
assert find_metre("anustubh").name == "anuṣṭubh"
from workbench import PingalaLogitsProcessor
assert "torch" in sys.modules and PingalaLogitsProcessor.__name__ in dir(workbench)
try:
    workbench.nothing
except AttributeError as error:
    assert "nothing" in str(error)
else:
    raise AssertionError("a name that is not there")
"""
    subprocess.run([sys.executable, "-c", code], check=True)

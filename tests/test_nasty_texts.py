"""What strangers send to freeze a server: every expression that meets it is linear, and what is not is kept short.

Work is counted (tests/counted.py): twice the text may cost about twice the steps, whatever the machine."""

import ast
import importlib
import re
import unicodedata
from pathlib import Path

import pytest

from tests import counted
from workbench import composer
from workbench.prosody import detection, metres, script, text_reading, wish_lines
from workbench.ratings import texts
from workbench.refusal import Refusal
from workbench.semantics import pieces
from workbench.wording import MOST_CHARACTERS, ProseError, read_prose

# Over and over, each is what some expression begins to read and never finishes.
NASTY = {
    "comments": "<!--", "ends": "-->", "tags": "<a ", "angles": "<", "entities": "&", "numbers": "&#1", "spaces": " ",
    "danda": "। ", "bars": "| ", "stops": ". ", "digits": "1", "dates": "1.", "lines": "\n", "virama": "क्",
    "letters": "a", "capitals": "A", "om": "AUM", "marks": "\u0345\u0300", "accents": "a\u0301", "signs": "ZV",
    "commas": ", ", "quotes": "'",
}  # fmt: skip
ONCE = 600  # characters; then twice as many
MODULES = [
    "workbench.wording",
    *(m.__name__ for m in (detection, metres, script, text_reading, wish_lines, texts, pieces)),
]


def expressions(name):
    """Every expression that a module applies, as far as it is not made of what it is applied to."""
    module = importlib.import_module(name)
    found = {value.pattern: value for value in vars(module).values() if isinstance(value, re.Pattern)}
    for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            called = node.func.value
            if isinstance(called, ast.Name) and called.id == "re" and node.func.attr in ("sub", "search", "split"):
                try:
                    text = eval(compile(ast.Expression(node.args[0]), name, "eval"), dict(vars(module)))  # noqa: S307
                except NameError:  # made of a script's own letters, in a class
                    continue
                found.setdefault(text, re.compile(text))
    return found.values()


@pytest.mark.parametrize("name", MODULES)
def test_every_expression_is_linear(name):
    patterns = list(expressions(name))
    for pattern in patterns:
        for kind, piece in NASTY.items():
            whole = piece * (2 * ONCE)
            once, twice = counted.steps(pattern, whole[:ONCE]), counted.steps(pattern, whole[: 2 * ONCE])
            assert twice <= 2.2 * once + 50, f"{pattern.pattern!r} over {kind}: {once} steps, then {twice}"


def test_steps_are_counted_as_the_engine_takes_them():
    assert counted.steps(re.compile("<!--.*?-->", re.DOTALL), "<!--" * 200) > 8 * 200 * 200 / 2
    assert counted.steps(re.compile("(a+)+b"), "a" * 12) > 2**11
    assert counted.steps(re.compile(r"\d+(?:[.:]\d+)*"), "1.1" * 50) < 1000


@pytest.fixture
def normalised(monkeypatch):
    """What normalising costs from now on."""
    work = []
    real = unicodedata.normalize

    def normalize(form, text):
        work.append(counted.normalising(text))
        return real(form, text)

    monkeypatch.setattr(unicodedata, "normalize", normalize)
    return work


DOORS = {
    "prose": lambda text: read_prose("A king spoke. " + text),
    "scan": composer.scan,
    "scan IAST": lambda text: composer.scan("dharmakṣetre " + text, "iast"),
    "metre": composer.find_metre,
    "wish": lambda text: composer.read_wish("given 4:" + text),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", NASTY)
@pytest.mark.parametrize("size", [2_000, 20_000, 100_000])
def test_any_door_reads_or_refuses_what_is_nasty_with_little_work(door, kind, size, normalised):
    text = (NASTY[kind] * size)[:size]
    try:
        DOORS[door](text)
    except Refusal as refusal:
        assert str(refusal).startswith("Expected ")
    assert sum(normalised) < 50 * 20_000


def test_a_number_too_long_to_be_one_is_prose_all_the_same():
    prose, _ = read_prose("A king &#" + "1" * 4500 + "; spoke")
    assert prose.startswith("A king ") and prose.endswith("spoke")


def test_prose_is_a_passage_at_most():
    assert MOST_CHARACTERS == 5_000
    assert read_prose("a " * 2_500)[0].startswith("a a")
    with pytest.raises(ProseError, match=r"Expected at most 5,000 characters of English prose, a passage; got 5,001"):
        read_prose("a" * 5_001)


def test_a_comment_that_never_ends_stays_and_one_that_does_goes():
    assert read_prose("A <!-- king <!-- spoke --> to <!-- her")[0] == "A to <!-- her"

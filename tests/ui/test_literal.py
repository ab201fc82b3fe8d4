"""Data for templates comes out of a template literal as it went in."""

import re

from hypothesis import given
from hypothesis import strategies as st

from workbench.ui.literal import literal


def evaluated(text: str) -> str:
    """What a JavaScript template literal makes of a text without back-ticks; substitutions stay visible."""
    return re.sub(r"\\(.)", r"\1", re.sub(r"(?<!\\)((?:\\\\)*)\$\{", r"\1RUN{", text), flags=re.DOTALL)


@given(st.text(alphabet="\\$ {}u003cab"))
def test_no_text_runs_or_changes(text):
    assert evaluated(literal(text)) == text


def test_all_texts_of_nested_data_and_nothing_else():
    given_ = {"a": ["$", ("\\", 1)], "b": None, "c": True, "d": {"e": "x"}}
    assert literal(given_) == {"a": ["\\$", ["\\\\", 1]], "b": None, "c": True, "d": {"e": "x"}}

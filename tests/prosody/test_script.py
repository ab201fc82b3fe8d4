"""Letters of every script to SLP1 and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verses import GITA, IN_EVERY_SCRIPT, half_verse
from workbench.prosody.script import SCRIPTS, to_slp1, write


@pytest.mark.parametrize("script", SCRIPTS)
def test_writing_gives_the_usual_spelling(script):
    assert write(" . ".join(GITA) + " ..", script) == IN_EVERY_SCRIPT[script]


@given(half_verse, st.sampled_from(list(SCRIPTS)))
def test_what_is_written_is_read_back(slp1, script):
    expected = slp1.replace("b", "v") if script == "bengali" else slp1  # Bengali has one letter for both
    assert to_slp1(write(slp1, script), script) == expected

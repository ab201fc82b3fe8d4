"""Which script it is, and whether it is Sanskrit."""

import pytest

from tests.verses import VERSES
from workbench.prosody.detection import detect, strangeness
from workbench.prosody.script import to_slp1, write


@pytest.mark.parametrize("script", ["iast", "slp1", "hk", "itrans", "velthuis"])
@pytest.mark.parametrize("name", VERSES)
def test_romanisations_are_told_apart(script, name):
    verse = VERSES[name][1]
    text = write(verse, script)
    found = detect(text)
    # A verse without a telling letter may be read in another romanisation if that reads it the same.
    assert found == script or to_slp1(text, found) == to_slp1(text, script), (found, text)


def test_verses_sound_less_strange_than_prose():
    verses = [strangeness(verse) for _, verse in VERSES.values()]
    prose = [
        strangeness(sentence)
        for sentence in (
            "the ascetic asked the foremost of sages",
            "he went to the forest with his brother and his wife",
            "what did they do when they had gathered for battle",
        )
    ]
    assert max(verses) + 1 < min(prose)

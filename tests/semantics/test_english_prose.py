"""Two hundred proses and two hundred texts that are none, written before the measure was tried on them: by the reader
that ships."""

from pathlib import Path

import pytest

from workbench import composer
from workbench.semantics import english_prose

TEXTS = Path(__file__).with_name("proses")


def lines(name):
    return (TEXTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def doubted():
    """Of both files, the lines that are doubted."""
    assert composer.reader_at_hand()
    return {name: [text for text in lines(name) if told(text)] for name in ("english", "not_english")}


def told(text):
    """What somebody who asks for a verse is told: a doubt, or that this is no prose at all."""
    try:
        composer.read_prose(text)
    except composer.ProseError as error:
        return str(error)
    return composer.doubt(text)


def test_there_are_two_hundred_of_each_all_different():
    good, bad = lines("english"), lines("not_english")
    assert len(good) == len(bad) == 200 == len(set(good)) == len(set(bad)) and not set(good) & set(bad)


def test_prose_is_hardly_ever_doubted(doubted):
    assert len(doubted["english"]) <= 2, doubted["english"]


def test_what_is_no_prose_mostly_is(doubted):
    missed = [text for text in lines("not_english") if text not in doubted["not_english"]]
    assert len(missed) <= 8, missed


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("SELECT * FROM users WHERE id = 7;", english_prose.NOT_ENGLISH),
        ("om om om om om om om", english_prose.ONE_WORD),
        ("Der Mond ist aufgegangen, die goldnen Sternlein prangen.", english_prose.NOT_ENGLISH),
        ("My phone died on the train, and I missed my stop.", ""),
        ("The king went to the forest.", ""),
    ],
)
def test_what_is_said_of_each(text, sentence):
    assert composer.doubt(text) == sentence


def test_without_a_reader_nothing_is_doubted(monkeypatch, tmp_path):
    monkeypatch.setenv("PINGALA_READER", str(tmp_path))
    assert composer.doubt("asdf qwer zxcv") == ""

"""Prose divided; and passages composed one by one, stopped in between, by a tiny generator."""

import pytest

from tests.training import small
from workbench import composer
from workbench.passages import MOST_PIECES, Passage, divide_prose
from workbench.wording import ProseError

FIVE = "The king rose. He went to Dr. Rama, i.e. his friend! “Why?” asked the sage. A. Keith wrote it. The end came…"


def test_sentences_end_where_they_end():
    assert divide_prose(FIVE) == [
        "The king rose.", "He went to Dr. Rama, i.e. his friend!", "“Why?” asked the sage.", "A. Keith wrote it.",
        "The end came…",
    ]  # fmt: skip


@pytest.mark.parametrize("division", composer.DIVISIONS)
def test_no_word_is_lost(division):
    text = f"{FIVE}\n\nAnother line without an end\nand (one) more"
    assert " ".join(divide_prose(text, division)).split() == text.split()


def test_a_line_each():
    assert divide_prose("one line. Two sentences.\n\n another ", "lines") == ["one line. Two sentences.", " another "]


@pytest.mark.parametrize(
    ("text", "division", "sentence"),
    [
        (
            "King. " * (MOST_PIECES + 1),
            "sentences",
            f"Expected at most {MOST_PIECES} verses at once; got prose for 61.",
        ),
        ("King.", "words", "Expected a division among whole, sentences, lines; got 'words'."),
    ],
)
def test_refused_with_a_sentence(text, division, sentence):
    with pytest.raises(ProseError, match=sentence):
        divide_prose(text, division)


class TestComposed:
    QUICK = composer.HOUSE.but(beams=3, returned=3)
    PIECES = tuple(small.VERSES)[:3]

    def test_each_verse_comes_when_it_is_ready(self):
        passage = Passage(self.PIECES, self.QUICK, watch=False)
        done = []
        for event in passage:
            assert event["pieces"] == 3
            if event["kind"] == "verse":
                done.append(event["piece"])
                assert len(passage.compositions) == len(done)
        assert done == [0, 1, 2]
        assert [made.prose for made in passage.compositions] == list(self.PIECES)
        assert all(made.chosen.full for made in passage.compositions)

    def test_stopped_after_two_it_keeps_two(self):
        passage = Passage(self.PIECES, self.QUICK, watch=False)
        for event in passage:
            if event["kind"] == "step" and event["piece"] == 2:
                passage.cancel()
        assert len(passage.compositions) == 2 and passage.cancelled
        assert all("stopped" not in note for made in passage.compositions for note in made.notes)

    def test_what_is_no_prose_is_refused_before_the_first(self):
        with pytest.raises(ProseError, match="Expected English prose"):
            Passage(["The king rose.", "123."], self.QUICK)

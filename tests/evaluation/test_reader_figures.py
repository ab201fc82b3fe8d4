"""The reader's figures, by a reader whose every number is written down; WordNet's format on a handful of synsets."""

import json

import pytest
import torch

from workbench.evaluation import reader_figures
from workbench.evaluation.reader_figures import Pair
from workbench.evaluation.wordnet import WordNet
from workbench.semantics.reader import Support, Thresholds

PAIRS = [Pair(str(at), f"word{at} the", f"verse{at}") for at in range(20)]


class Scripted:
    """Hears in verse n the prose n, and nothing of others."""

    thresholds = Thresholds(2.0, 1.0)

    def support(self, english, verses):
        own = f"verse{english.split()[0].removeprefix('word')}"
        return [
            (Support(english.split()[0], 3.0 if verse == own else 0.1, "", True), Support("the", 9.0, "", False))
            for verse in verses
        ]

    def log_probs(self, english, texts):
        return [
            torch.tensor([-1.0 if text and text[5:] == prose.split()[0][4:] else -4.0, -1.0])
            for prose, text in zip(english, texts, strict=True)
        ]

    def english(self, texts, style):
        return [[f"The reading of {text} is this.", "Another."] for text in texts]

    def lemmas(self, texts):
        return [["rAma", "gam", "gam"] for _ in texts]

    def meanings(self, words, most):
        return [("lion", "the great forest")[:most] for _ in words]


def quiet(sentence):
    pass


def test_support_counts_content_words_only():
    found = reader_figures.support(Scripted(), PAIRS, Thresholds(2.0, 1.0), quiet)
    assert found["own"] == {"heard": 100.0} and found["crossed"] == {"not heard": 100.0} and found["pairs"] == 20


def test_no_prose_is_crossed_with_its_own_verse():
    crossed = reader_figures.crossed(PAIRS)
    assert all(pair.slp1 != before.slp1 for pair, before in zip(crossed, PAIRS, strict=True))
    assert {pair.slp1 for pair in crossed} == {pair.slp1 for pair in PAIRS}


def test_thresholds_let_so_few_words_of_crossed_proses_through():
    other = [[("word", float(nats))] for nats in range(100)]
    chosen = reader_figures.choose_thresholds(other)
    heard = reader_figures.heard(other, chosen)
    assert heard["heard"] == pytest.approx(100 * reader_figures.CROSSED_HEARD, abs=1)
    assert chosen.faintly < chosen.heard


def test_the_true_prose_is_found_by_support():
    rivals = reader_figures.drawn_rivals(20, 16)
    assert all(len(set(row)) == 16 and row[0] == at for at, row in enumerate(rivals))
    assert reader_figures.found_among(Scripted(), PAIRS, rivals, quiet) == 1.0
    without = [[other for other in row if other != at] for at, row in enumerate(rivals)]
    assert reader_figures.found_among(Scripted(), PAIRS, without, quiet) == 0.0


def test_readings_come_back_in_the_order_of_the_rows():
    pairs = [Pair("a", "", "a long verse"), Pair("b", "", "x"), Pair("c", "", "middling")]
    found = reader_figures.readings(Scripted(), pairs, quiet)
    assert found == [f"The reading of {pair.slp1} is this." for pair in pairs]


def test_likeness_tells_own_from_others_with_signatures():
    english = [f"the king number {at} went into the deep forest of {at} trees" for at in range(5)]
    found = reader_figures.likeness(english, english)
    assert found["bleu"] == pytest.approx(100) and found["chrf"] == pytest.approx(100)
    assert found["bleu_of_others"] < found["bleu"]
    assert all("version:" in signature for signature in found["signatures"])


def test_lemmas_are_counted_as_often_as_they_occur(tmp_path):
    import gzip

    rows = [{"id": "1", "source": "dcs", "work": "w", "slp1": "x", "lemmas": ["rAma", "gam", "vana"]}]
    with gzip.open(tmp_path / "dcs.kept_out.jsonl.gz", "wt") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)
    found = reader_figures.lemma_scores(Scripted().lemmas, tmp_path, quiet)
    assert (found["precision"], found["recall"]) == pytest.approx((2 / 3, 2 / 3)) and found["verses"] == 1


SYNSETS = {
    "noun": "02129165 05 n 03 lion 0 king_of_beasts 0 Panthera_leo 0 001 @ 02127808 n 0000 | large cat\n",
    "verb": "01835496 38 v 02 travel 0 go 0 001 @ 0 n 0000 | change location\n",
    "adj": "00001740 00 a 01 able(p) 0 000 | having the means\n",
    "adv": "  1 This software and database\n00001740 02 r 02 a_cappella 0 alone 0 000 | without music\n",
}


@pytest.fixture
def wordnet(tmp_path):
    for name, text in SYNSETS.items():
        (tmp_path / f"data.{name}").write_text(text)
    (tmp_path / "verb.exc").write_text("went go\n")
    return WordNet(tmp_path)


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [("lion", "king of beasts", True), ("lions", "lion", True), ("went", "travel", True), ("lion", "go", False),
     ("able", "able", True), ("unheard", "unheardof", False)],
)  # fmt: skip
def test_words_share_a_synset_in_whatever_form(wordnet, one, other, share):
    assert wordnet.share(one, other) is share


def test_a_meaning_is_right_by_a_dictionary_or_by_wordnet(tmp_path, wordnet):
    (tmp_path / "kept_words.json").write_text(
        json.dumps({"siMha": ["king of beasts"], "vana": ["forest, the great"], "agni": ["fire"]})
    )
    found = reader_figures.gloss_scores(Scripted(), tmp_path, wordnet, quiet)
    assert found["words"] == 3
    assert found["first"] == pytest.approx(1 / 3) and found["first_exact"] == 0.0
    assert found["wordnet"].startswith("WordNet#")


def test_a_folder_without_wordnet_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"Expected WordNet's data\.noun"):
        WordNet(tmp_path)


def test_some_rows_are_taken_from_the_whole_file_and_all_where_there_are_no_more():
    assert reader_figures.spread(range(1000), 4) == [0, 250, 500, 750]
    assert reader_figures.spread(range(3), 4) == reader_figures.spread(range(3), None) == [0, 1, 2]

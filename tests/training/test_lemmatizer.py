"""The lemmatizer, trained on a handful of lines until it knows them: it finds their words, and is loaded as it was."""

import itertools
import json
import random

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.training.small import write_rows
from workbench.__main__ import main
from workbench.corpora.overlap import for_dev
from workbench.semantics import ReaderMissing
from workbench.semantics.lemmatizer import ALPHABET, LONGEST, UNKNOWN_COST, Lemmatizer, LetterTagger, as_numbers
from workbench.training.lemmatizer import LemmaMaterial, LemmatizerTraining, Tagged, material, tagged
from workbench.training.recipes import LemmatizerRecipe

# Bhagavadgītā 1.1, 2.47, 4.7, 2.13; lemmas by our own hand.
LINES = {
    "Darmakzetre kurukzetre": "Darma kzetra kuru kzetra",
    "mA Palezu kadAcana . mA karmaPalaheturBUH": "mA Pala kadAcana mA karman Pala hetu BU",
    "tadAtmAnaM sfjAmyaham": "tadA Atman sfj mad",
    "dehino'sminyaTA dehe": "dehin idam yaTA deha",
}
RECIPE = LemmatizerRecipe(
    width=32, heads=2, layers=2, least=1, batch_tokens=400, peak=0.02, warm_up=5, cooling=0.3, averaging=0.9, joined=0.0
)


def learnt(folder):
    made = tagged([(text, lemmas.split()) for text, lemmas in LINES.items()])
    known = frozenset(" ".join(LINES.values()).split())
    training = LemmatizerTraining(folder, RECIPE, LemmaMaterial(made * 4, made, known), lambda sentence: None)
    training.run(1.0, steps=150)
    return folder / "model"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return learnt(tmp_path_factory.mktemp("lemmatizer"))


@pytest.fixture(scope="module")
def lemmatizer(folder):
    return Lemmatizer.load(folder)


def test_it_finds_the_words_it_has_learnt(lemmatizer):
    assert lemmatizer.lemmas(list(LINES)) == [lemmas.split() for lemmas in LINES.values()]


def test_a_text_alone_is_the_same_as_among_others_and_in_any_order(lemmatizer):
    together = lemmatizer.lemmas([*LINES][::-1])
    assert [lemmatizer.lemmas([text])[0] for text in LINES] == together[::-1]


def test_a_text_longer_than_it_reads_at_once_is_read_in_parts_that_end_with_words(lemmatizer):
    line = "Darmakzetre kurukzetre"
    times = 2 * LONGEST // len(line)
    assert lemmatizer.lemmas([" ".join([line] * times)]) == [LINES[line].split() * times]
    assert lemmatizer.lemmas(["", "a" * (3 * LONGEST)])[0] == []


def test_letters_that_are_none_change_nothing(lemmatizer):
    assert lemmatizer.lemmas(["Darmakzetre 12, kurukzetre!"]) == lemmatizer.lemmas(["Darmakzetre kurukzetre"])


RULES = ["a", "b|", "b", "c|", "|"]


@pytest.mark.parametrize(
    ("known", "found"),
    [
        (set(), ["ab", "ab"]),  # nothing is known of words: the likeliest of each letter
        ({"ab"}, ["ab", "ab"]),
        ({"ab", "ac"}, ["ab", "ab"]),  # both are words, and the first is likelier
        ({"ac"}, ["ac", "ac"]),  # 1.5 nats less, twice, and no unknown word
        ({"abac"}, ["abac"]),  # one word instead of two
        ({"zz"}, ["abab"]),  # none of them is known: one such word costs less than two
    ],
)
def test_words_that_were_never_met_cost_something(known, found):
    """Of each second letter: b that ends a word, b that does not, c that ends one."""
    first, second = ([0.0], [0]), ([-0.3, -2.0, -1.8], [1, 2, 3])
    nats, rules = zip(first, second, first, second, strict=True)
    assert Lemmatizer(None, RULES, "", known)._likeliest(nats, rules) == found


@given(
    st.lists(st.lists(st.tuples(st.floats(-4.9, -0.1), st.sampled_from(range(len(RULES)))), min_size=1, max_size=2),
             min_size=1, max_size=3),
    st.sets(st.sampled_from(["a", "ab", "b", "aab", "c", "ac"])),
)  # fmt: skip
def test_the_likeliest_way_is_found(letters, known):
    """Against all of them: of so few letters none is dropped on the way."""

    def worth(way):
        lemmas = [lemma for lemma in "".join(RULES[number] for _, number in way).split("|")[:-1] if lemma]
        return sum(nat for nat, _ in way) - UNKNOWN_COST * sum(bool(known) and lemma not in known for lemma in lemmas)

    options = [sorted(letter, reverse=True) for letter in letters]
    found = Lemmatizer(None, RULES, "", known)._likeliest(
        *zip(*[tuple(zip(*letter, strict=True)) for letter in options], strict=True)
    )
    ways = list(itertools.product(*options))
    best = max(map(worth, ways))
    spelled = [[w for w in "".join(RULES[number] for _, number in way).split("|") if w] for way in ways
               if worth(way) > best - 1e-9]  # fmt: skip
    assert found in spelled


def test_what_fills_a_row_up_is_not_read():
    torch.manual_seed(1)
    model = LetterTagger(16, 2, 2, 5).eval()
    with torch.inference_mode():
        alone, among = model(as_numbers(["ca"])), model(as_numbers(["ca", "Darmakzetre"]))
    # Two letters before the end of a row, its neighbours are the nothing that stands outside.
    assert torch.allclose(alone[0], among[0, :2], atol=1e-5)


def test_spaces_are_taken_out_and_what_they_become_is_kept():
    each = tagged([("na ca vA", ["na", "ca", "vA"])])[0]
    found = each.joined(random.Random(1))
    assert "".join(found.rules) == "na|ca|vA|" and len(found.text) == len(found.rules) < len(each.text)
    assert found.text.replace(" ", "") == "nacavA"
    assert Tagged(" a", ("", "a|")).joined(random.Random(1)) == Tagged(" a", ("", "a|"))


def test_from_the_command_to_a_folder_with_its_card(tmp_path, capsys, monkeypatch):
    rows = [
        {"id": f"d.{at}", "source": "dcs", "work": "w", "slp1": text, "lemmas": lemmas.split()}
        for at, (text, lemmas) in enumerate(LINES.items())
    ]
    write_rows(tmp_path / "dcs.jsonl.gz", rows)
    assert len(material(tmp_path).train) == sum(not for_dev(text) for text in LINES)
    what = ["--data", str(tmp_path), "--out", str(tmp_path / "run"), "--hours", "1", "--steps", "3", "--width", "16"]
    assert main(["train", "lemmatizer", *what, "--heads", "2", "--layers", "1", "--least", "1"]) == 0
    card = (tmp_path / "run" / "model" / "README.md").read_text(encoding="utf-8")
    assert "mono_dcs.jsonl.gz: 4 texts (CC BY 4.0" in card and "3 steps" in card
    assert main(["train", "lemmatizer", *what]) != 0
    assert "--resume to go on" in capsys.readouterr().err
    (tmp_path / "none").mkdir()
    write_rows(tmp_path / "none" / "dcs.jsonl.gz", [{**rows[0], "lemmas": []}])
    none = ["--data", str(tmp_path / "none"), "--out", str(tmp_path / "other"), "--hours", "1"]
    assert main(["train", "lemmatizer", *none]) != 0
    assert "Expected texts with lemmas in" in capsys.readouterr().err


def test_what_cannot_be_loaded_says_what_to_do(folder, tmp_path):
    with pytest.raises(ReaderMissing, match="found no model.safetensors there. `python -m workbench train lemmatizer`"):
        Lemmatizer.load(tmp_path)
    for name in ("model.safetensors", "config.json", "lemmas.txt"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    told = json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))
    (tmp_path / "config.json").write_text(json.dumps({**told, "alphabet": ALPHABET[:-1]}), encoding="utf-8")
    with pytest.raises(ReaderMissing, match="Expected a lemmatizer of these letters"):
        Lemmatizer.load(tmp_path)

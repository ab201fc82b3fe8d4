"""A cross-encoder from the Hub: it learns which pairs belong together, and loads as it was; what it learns from."""

import json
import random
from itertools import groupby

import numpy as np
import pytest
import torch
from datasets import Dataset

from tests.semantics import small_cross
from tests.training import small
from workbench.__main__ import main
from workbench.prosody.verse import Verse
from workbench.semantics import crossencoder
from workbench.semantics import judges as judging
from workbench.semantics.verse_spelling import SLP1
from workbench.training.crossencoder import CrossRecipe, train_crossencoder
from workbench.training.grouping import GroupedBatches
from workbench.training.negatives import as_many, easy, enough, hard, nearest
from workbench.training.pairs import pairs


class Finder:
    """Stands in for a bi-encoder: vectors that make each text nearest to the next."""

    def prose(self, texts):
        return torch.eye(len(texts))

    def verses(self, texts):
        return torch.eye(len(texts)).roll(1, 0) + torch.eye(len(texts))


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    return small_cross.make(tmp_path_factory.mktemp("hub") / "infoxlm")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return list(pairs([small.corpus(tmp_path_factory.mktemp("data")) / "itihasa.train.jsonl.gz"]))[:6]


def train(out, data, start, steps, resume=False, script="devanagari"):
    out.mkdir(exist_ok=True)
    (out / "plan.json").write_text(json.dumps({"steps": steps}))
    recipe = CrossRecipe(batch=6, rate=5e-3, script=script)
    composed = {data[0].prose: [data[1].verse]}
    return train_crossencoder(
        out, recipe, data, data, str(start), Finder(), composed, 1.0, resume, lambda sentence: None
    )


@pytest.mark.parametrize("script", ["devanagari", "slp1"])
def test_it_learns_which_belong_together_and_loads_as_it_was(tmp_path, data, start, script, monkeypatch):
    figures = train(tmp_path, data, start, 120, script=script)
    logged = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert max(entry["gap"] for entry in logged) == figures["gap"] > 0.3  # changed prose is hard to hear on six pairs
    assert {entry["stage"] for entry in logged} == {"easy", "hard"}
    judge = crossencoder.load(tmp_path / "model")
    assert judge.spelling == script
    prose, verses = list(small.VERSES), [Verse.read(verse) for verse in small.VERSES.values()]
    true, crossed = judge.score(prose, verses), judge.score(prose, verses[1:] + verses[:1])
    assert all(0 <= score <= 1 for score in true + crossed)
    assert np.mean(true) - np.mean(crossed) > 0.2  # most of these crossings it has never seen
    assert judge.score(prose[:1], verses[:1]) == pytest.approx(true[:1], abs=1e-3)  # padding changes nothing
    other = crossencoder.CrossEncoder(judge.model, SLP1 if script == "devanagari" else "devanagari")
    assert other.score(prose, verses) != pytest.approx(true, abs=1e-3), "it has learnt the words of one script"
    card = (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    assert "base_model: infoxlm" in card and f"reads verses in {script}" in card and "license" not in card
    monkeypatch.setenv("PINGALA_CROSS_ENCODER", str(tmp_path / "model"))
    named = judging.Judges().score(prose, verses, ["cross"])
    assert [each["cross"] for each in named] == pytest.approx(true, abs=1e-6)


def test_it_is_no_generator_that_becomes_one(tmp_path, capsys):
    (tmp_path / "generator" / "prose").mkdir(parents=True)
    small.corpus(tmp_path / "data")
    asked = ["train", "cross-encoder", "--data", str(tmp_path / "data"), "--out", str(tmp_path / "run"), "--hours", "1"]
    assert main([*asked, "--start", str(tmp_path / "generator")]) == 2
    assert "Expected an encoder for --start, such as microsoft/infoxlm-large; " in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_finished_stage_is_not_trained_again(tmp_path, data, start):
    train(tmp_path, data, start, 10)
    before = (tmp_path / "easy.done").stat().st_mtime_ns
    (tmp_path / "hard.done").unlink()
    train(tmp_path, data, start, 10, resume=True)
    assert (tmp_path / "easy.done").stat().st_mtime_ns == before and (tmp_path / "hard.done").is_file()


def test_negatives_are_what_they_are_called(data):
    near = np.array([[1, 2], [2, 0], [3, 1], [4, 2], [5, 3], [0, 4]])
    half = data[0].verse.split(" . ")[0]
    composed = {data[0].prose: ["vfTA . SlokaH", data[0].verse, f"{half} . anyat"], data[1].prose: ["anyaH . SlokaH"]}
    true = {(pair.prose, pair.verse) for pair in data}
    for rows in (easy(data, random.Random(1)), hard(data, near, composed, random.Random(1))):
        plain = [row for row in rows if row.kind != "composed"]
        assert all(((row.prose, row.verse) in true) == bool(row.label) for row in plain)
        assert sum(row.label for row in plain) == 6
    assert {row.kind for row in rows} == {"true", "retrieved", "composed", "composed for another", "changed"}
    none, all_, some, other = (row.label for row in rows if row.kind == "composed")
    assert none == 0 == other and all_ == 1 and 0.3 < some < 1, "right by what they share with the true verse"
    crossed = [row for row in rows if row.kind == "composed for another"]
    assert {row.prose: row.verse for row in crossed}[data[0].prose] == "anyaH . SlokaH"
    assert all(row.verse in composed[data[0].prose] for row in crossed if row.prose == data[1].prose)


def test_enough_rows_are_taken_and_composed_ones_first(data):
    rows = hard(data, np.array([[1], [2], [3], [4], [5], [0]]), {}, random.Random(1), changed_share=0)
    found = enough(rows, 5, {data[4].prose}, random.Random(0))
    assert len(found) == 6 and {row.prose for row in found[:2]} == {data[4].prose}
    assert [row.label for row in found] == [1, 0] * 3
    assert sorted(enough(rows, 99, {}, random.Random(0)), key=str) == sorted(rows, key=str)


def test_no_more_pairs_are_taken_than_there_is_time_for(data):
    composed = {data[4].prose: ["ekaH", "dvO", "trayaH"]}
    found = as_many(data, 8, composed, random.Random(0))
    assert found[0] == data[4] and len(found) == 3, "five rows of the first, two of each other"
    assert sorted(as_many(data, 99, {}, random.Random(0)), key=str) == sorted(data, key=str)
    assert as_many(data, 8, composed, random.Random(0)) == found


def test_the_nearest_come_first_and_never_the_own():
    prose = np.eye(4, dtype=np.float32)
    verses = np.array([[1, 0.2, 0, 0], [0.9, 1, 0, 0.1], [0.5, 0.3, 1, 0], [0.1, 0, 0.7, 1]], np.float32)
    found = nearest(prose, verses, lambda sentence: None, block=3)
    assert found[:, 0].tolist() == [1, 2, 3, 1]
    assert all(row not in found[row] and sorted(found[row]) == sorted(set(range(4)) - {row}) for row in range(4))


def test_pairs_of_one_prose_stay_together_and_groups_move():
    prose = ["a", "a", "b", "b", "b", "c", "d", "d"]
    rows = Dataset.from_dict({"prose": prose})
    batches = GroupedBatches(rows, 3, False, seed=1)
    orders = []
    for epoch in range(3):
        batches.set_epoch(epoch)
        flat = [row for batch in batches for row in batch]
        assert sorted(flat) == list(range(8)) and len(list(batches)) == len(batches) == 3
        said = [prose[row] for row in flat]
        assert [text for text, _ in groupby(said)] == list(dict.fromkeys(said)), "no group is torn"
        orders.append(flat)
    assert len(set(map(tuple, orders))) > 1
    assert len(GroupedBatches(rows, 3, True, seed=1)) == 2 == len(list(GroupedBatches(rows, 3, True, seed=1)))


def test_what_is_almost_certain_is_still_told_apart():
    class Sure:
        def predict(self, pairs, activation_fn, **others):  # sentence-transformers' own would take the sigmoid
            return activation_fn(torch.tensor([17.0, 30.0, -30.0, 0.0])).numpy()

    found = crossencoder.CrossEncoder(Sure(), SLP1).score(["King"] * 4, [Verse(("rAjA",))] * 4)
    assert found[0] < found[1] < 1 and 0 < found[2] < 1e-12 and found[3] == 0.5

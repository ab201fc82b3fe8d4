"""Training the cross-encoder on a handful of verses: it tells true pairs from crossed ones, and grades in between."""

import json
import random

import pytest
import torch

from tests.semantics import small_reader
from tests.training import small
from workbench.corpora import CorpusError
from workbench.corpora.blind_readings import BlindReading
from workbench.prosody.verse import Verse
from workbench.semantics.joint_encoder import load
from workbench.training.joint_encoder import JointTraining
from workbench.training.joint_texts import material, read_verses
from workbench.training.recipes import JointRecipe

pytestmark = pytest.mark.training

RECIPE = JointRecipe(
    width=48,
    heads=4,
    layers=2,
    easy_hours=0.0,
    batch_tokens=1200,
    peak=5e-3,
    warm_up=5,
    averaging=0.9,
    piece_dropout=0.0,
)


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    return small_reader.make(tmp_path_factory.mktemp("reader"))


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return small.prepared(tmp_path_factory.mktemp("data"))


def test_what_it_learns_from(data, tmp_path):
    found = material(data)
    assert len(found.graded) == 4 and len(found.dev) == 2  # of 2.13 the first pāda ends inside a word
    assert {pair.source for pair in found.graded} == {"itihasa"} and all(
        pair.lengths == (8,) * 4 for pair in found.graded
    )
    near = {found.neighbour(found.graded[0], random.Random(seed), 2).at for seed in range(30)}
    assert near and near <= {1, 2}
    with pytest.raises(CorpusError, match="found no verses there"):
        material(tmp_path)


def test_it_learns_to_grade(data, reader, tmp_path):
    run = JointTraining(tmp_path, RECIPE, material(data), reader, lambda sentence: None)
    run.run(100, steps=2)
    run.run(100, steps=160)  # goes on
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    last = log[-1]
    assert last["gap"] > log[0]["gap"] + 0.2 and min(last["true"], last["2 pādas"]) > last["easy"] + 0.2
    assert json.loads((tmp_path / "best" / "figures.json").read_text())["gap"] >= last["gap"] - 1e-3
    judge = load(tmp_path / "model", reader)
    (prose, verse), (other, _) = list(small.VERSES.items())[:2]
    own, crossed = judge.score([prose, other], [Verse.from_slp1(verse)] * 2)
    assert own > crossed + 0.3


def test_a_generators_verses_are_graded_beside_the_poets(data, reader, tmp_path):
    """As `measure choice --described` keeps them: more like the poet's and better heard is a higher grade."""
    proses = list(small.VERSES)[:2]
    verses = list(small.VERSES.values())[2:]
    made = tmp_path / "described.jsonl"
    lines = [
        {"id": str(at), "prose": f" {prose} ", "candidates": [
            {"verse": verses[0], "chrf": 10.0 + at, "heard": 1.0}, {"verse": verses[1], "chrf": 30.0, "heard": 9.0}]}
        for at, prose in enumerate(proses)
    ]  # fmt: skip
    made.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    found = material(data, [made])
    assert {pair.prose for pair in found.with_composed} == set(proses)
    worse, better = found.composed[proses[0]]
    assert 0.05 <= worse.grade < 0.39 < better.grade <= 0.9
    run = JointTraining(tmp_path / "run", RECIPE, found, reader, lambda sentence: None)
    rows = run.graded_rows(found.with_composed * 4, True, random.Random(3)).rows
    graded = {kind: [row.grade for row in rows if row.kind == kind] for kind in ("composed", "composed for another")}
    assert sorted(set(graded["composed"])) == sorted({each.grade for one in found.composed.values() for each in one})
    assert set(graded["composed for another"]) == {0.0}
    number = sum(len(batch.pairs) for batch in run.epoch(1, False))
    assert number == len(found.graded) + round(0.2 * len(found.graded))
    made.write_text(json.dumps({"id": "1", "verse": "x"}) + "\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="Expected lines that `measure choice --described` wrote"):
        material(data, [made])


def test_what_careful_readers_gave_is_learnt_as_it_stands(data, reader, tmp_path):
    (prose, verse), (other, theirs), *_ = small.VERSES.items()
    read = [BlindReading("everyday", row, "first", prose, slp1, points, (3.0,))
            for row, slp1, points in (("a", verse, (5.0, 4.0)), ("a", theirs, (1.0,)), ("b", verse, (2.0,)))
            ] + [BlindReading("everyday", "b", "other", other, theirs, (3.0,), (3.0,))]  # fmt: skip
    found = material(data, read=read_verses(read))
    assert [[each.grade for each in rows] for rows in found.read] == [[0.875, 0.0, 0.25], [0.5]]
    run = JointTraining(tmp_path / "run", RECIPE, found, reader, lambda sentence: None)
    batches = [batch for batch in run.epoch(1, False) if batch.read]
    assert len(batches) == 3 and not any(batch.pairs for batch in batches)  # three times over in an epoch
    cost, number = run.loss(batches[0])
    assert number == 4 and torch.isfinite(cost)
    run.run(100, steps=2)
    again = JointTraining(tmp_path / "again", RECIPE, found, reader, lambda sentence: None, tmp_path / "run" / "model")
    kept = load(tmp_path / "run" / "model", reader).model.state_dict()
    assert all(torch.equal(kept[name], value) for name, value in again.model.state_dict().items())


def test_rows_of_a_hard_batch_have_their_grades(data, reader, tmp_path):
    run = JointTraining(tmp_path, RECIPE, material(data), reader, lambda sentence: None)
    pairs = run.material.graded[:2]
    easy, hard = (run.graded_rows(pairs, which, random.Random(3)) for which in (False, True))
    assert [row.kind for row in easy.rows] == ["true", "easy"] * 2 and easy.prose == [0, 0, 1, 1]
    kinds = {row.kind for row in hard.rows}
    assert {"true", "easy", "neighbour"} < kinds and kinds & {"1 pādas", "2 pādas", "3 pādas"}
    cost, number = run._grading_loss(hard)
    assert number == len(hard.rows) and torch.isfinite(cost)

"""The cross-encoder: starting from a generator it learns which pairs belong together, and loads as it was."""

import json
import random
import shutil
from itertools import groupby

import numpy as np
import pytest
import torch
from datasets import Dataset
from safetensors.torch import load_file, save_file

from tests.models import folders
from tests.training import small
from workbench.paths import HOME
from workbench.prosody.verse import Verse
from workbench.semantics import JudgeError, crossencoder
from workbench.semantics.embedded_crossencoder import (
    FIRST_BIAS,
    LOG_PROB_WEIGHT,
    UNCONDITIONAL_WEIGHT,
    EmbeddedCrossEncoder,
    Head,
)
from workbench.semantics.verse_spelling import SLP1
from workbench.training.crossencoder import CrossRecipe, temper, train_crossencoder
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
def generator(tmp_path_factory):
    return folders.embedded(tmp_path_factory.mktemp("generator"), steps=250)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return list(pairs([small.corpus(tmp_path_factory.mktemp("data")) / "itihasa.train.jsonl.gz"]))[:6]


def train(out, data, generator, steps, resume=False):
    out.mkdir(exist_ok=True)
    (out / "plan.json").write_text(json.dumps({"steps": steps}))
    recipe = CrossRecipe(batch=6, head_rate=1e-2)
    composed = {data[0].prose: [data[1].verse]}
    return train_crossencoder(
        out, recipe, data, data, str(generator), "", Finder(), composed, 1.0, resume, lambda sentence: None
    )


def test_it_learns_which_belong_together_and_loads_as_it_was(tmp_path, data, generator):
    figures = train(tmp_path, data, generator, 250)
    logged = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert max(entry["gap"] for entry in logged) > 0.3  # changed prose is hard to hear on six pairs
    assert {entry["stage"] for entry in logged} == {"easy", "hard"}
    judge = crossencoder.load(tmp_path / "model")
    prose, verses = list(small.VERSES), [Verse.read(verse) for verse in small.VERSES.values()]
    true, crossed = judge.score(prose, verses), judge.score(prose, verses[1:] + verses[:1])
    assert all(0 <= score <= 1 for score in true + crossed)
    assert figures["gap"] > 0.1  # tempered, it is less sure of itself
    assert np.mean(true) - np.mean(crossed) > 0.2  # most of these crossings it has never seen
    assert judge.score(prose[:1], verses[:1]) == pytest.approx(true[:1], abs=1e-3)  # padding changes nothing


class Told:
    """A judge with a head as it is, and logits by a table: 20 for what is true, -20 and now and then 20 for the rest."""

    def __init__(self, logits):
        self.head, self.logits = Head(4, False), logits

    def __getitem__(self, at):
        return self

    def predict(self, pairs, **others):
        return np.array([self.logits[verse] for _, verse in pairs])


def seen(judge):
    states, mask, likely = torch.arange(24.0).reshape(2, 3, 4) / 24, torch.ones(2, 3), torch.tensor([-1.0, -3.0])
    return judge.head(states, mask, likely, likely.flip(0), likely)


def test_tempered_logits_are_log_odds_and_the_order_stays():
    labels = [1.0] * 30 + [0.0] * 30
    rows = {"prose": ["p"] * 60, "verse": [str(at) for at in range(60)], "label": labels}
    # Of thirty at 20, three are wrong; of thirty at -20, three are right: log-odds of 9 to 1 at either end.
    wrong = {0, 1, 2, 57, 58, 59}
    judge = Told({str(at): (20.0 if label else -20.0) * (-1 if at in wrong else 1) for at, label in enumerate(labels)})
    torch.nn.init.normal_(judge.head.state_layer[2].weight)
    before = seen(judge)
    slope = temper(judge, rows, 1.0)
    assert slope == pytest.approx(np.log(9) / 20, rel=1e-3)
    assert torch.allclose(seen(judge), before * slope, atol=1e-3)  # and no shift: both ends are alike
    temper(judge, rows, 3.0)  # asked the same again: what is true counts three times, wherever it stands
    assert torch.allclose(seen(judge), before * slope**2 + np.log(3), atol=1e-3)


def test_a_judge_that_is_mostly_wrong_is_left_as_it_is():
    rows = {"prose": ["p"] * 4, "verse": ["0", "1", "2", "3"], "label": [1.0, 1.0, 0.0, 0.0]}
    judge = Told({"0": -2.0, "1": -1.0, "2": 1.0, "3": 2.0})
    before = seen(judge)
    assert temper(judge, rows, 3.0) == 1 and torch.equal(seen(judge), before)


def test_a_finished_stage_is_not_trained_again(tmp_path, data, generator):
    train(tmp_path, data, generator, 10)
    before = (tmp_path / "easy.done").stat().st_mtime_ns
    (tmp_path / "hard.done").unlink()
    train(tmp_path, data, generator, 10, resume=True)
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


def test_a_prose_with_several_verses_is_read_once(generator):
    judge = EmbeddedCrossEncoder.over_generator(str(generator))
    prose, verses = list(small.VERSES)[:2], [Verse.read(verse).plain for verse in small.VERSES.values()]
    pairs_ = [(prose[at % 2], verse) for at, verse in enumerate(verses)]
    features = judge.preprocess(pairs_)
    assert len(features["input_ids"]) == 2 and features["which"].tolist() == [0, 1] * 3
    judge.eval()
    with torch.inference_mode():
        together = judge(features)["scores"]
        alone = torch.cat([judge(judge.preprocess([pair]))["scores"] for pair in pairs_])
    assert torch.allclose(together, alone, atol=1e-4)


def test_untrained_it_goes_by_how_likely_a_verse_is_with_the_prose_and_without(generator):
    judge = EmbeddedCrossEncoder.over_generator(str(generator)).eval()
    texts, verse = [next(iter(small.VERSES)), ""], Verse.read(next(iter(small.VERSES.values()))).plain
    ids = torch.tensor([[judge.tokenizer.bos_token_id, *judge.tokenizer(verse, add_special_tokens=False)["input_ids"],
                         judge.tokenizer.eos_token_id]])  # fmt: skip
    likely = []
    with torch.inference_mode():
        for text in texts:
            said = judge.model(**judge.reader(text, return_tensors="pt"), decoder_input_ids=ids[:, :-1]).logits
            likely.append(float(said.log_softmax(dim=-1)[0].gather(1, ids[0, 1:, None]).mean()))
        found = float(judge(judge.preprocess([(texts[0], verse)]))["scores"])
    assert found == pytest.approx(LOG_PROB_WEIGHT * likely[0] + UNCONDITIONAL_WEIGHT * likely[1] + FIRST_BIAS, abs=1e-3)


def test_a_verse_is_remembered_only_as_long_as_the_judge_stays_the_same(generator):
    judge = EmbeddedCrossEncoder.over_generator(str(generator)).eval()
    pair = next(iter(small.VERSES)), Verse.read(next(iter(small.VERSES.values()))).plain

    def scored():
        with torch.inference_mode():
            return judge(judge.preprocess([pair, ("Something else.", pair[1])]))["scores"].flatten().tolist()

    first = scored()
    assert scored() == first and len(judge._remembered) == 1
    other = {name: value + 0.05 * torch.randn_like(value) for name, value in judge.state_dict().items()}
    judge.load_state_dict(other)
    changed = scored()
    fresh = EmbeddedCrossEncoder.over_generator(str(generator)).eval()
    fresh.load_state_dict(other)
    judge = fresh
    assert scored() == changed != first


def test_only_the_head_learns_and_is_kept(tmp_path, generator):
    judge = EmbeddedCrossEncoder.over_generator(str(generator)).train()
    assert {name.split(".")[0] for name, value in judge.named_parameters() if value.requires_grad} == {"head"}
    assert not judge.model.training and judge.head.training
    judge.save(str(tmp_path / "judge"))
    assert {file.name for file in (tmp_path / "judge").iterdir()} == {"head.safetensors", "together.json"}
    shipped = load_file(HOME / "checkpoints" / "cross-encoder" / "0_ReadTogether" / "head.safetensors")
    assert load_file(tmp_path / "judge" / "head.safetensors").keys() == shipped.keys(), "what is stored keeps its names"
    assert {"head.hears.weight", "head.sees.2.weight"} < judge.state_dict().keys()  # as in a run's best.pt
    pair = next(iter(small.VERSES)), Verse.read(next(iter(small.VERSES.values()))).plain
    assert EmbeddedCrossEncoder.load(str(tmp_path / "judge")).predict([pair]).tolist() == judge.predict([pair]).tolist()


def test_a_head_is_refused_over_another_generator(tmp_path, generator):
    copied = tmp_path / "generator"
    shutil.copytree(generator, copied)
    EmbeddedCrossEncoder.over_generator(str(copied)).save(str(tmp_path / "judge"))
    weights = load_file(copied / "model.safetensors")
    save_file({name: value * 1.01 for name, value in weights.items()}, copied / "model.safetensors", {"format": "pt"})
    with pytest.raises(JudgeError, match="Expected generator#.* over which this cross-encoder was trained; got gen"):
        EmbeddedCrossEncoder.load(str(tmp_path / "judge"))


def test_what_is_almost_certain_is_still_told_apart():
    class Sure:
        def predict(self, pairs, activation_fn, **others):  # sentence-transformers' own would take the sigmoid
            return activation_fn(torch.tensor([17.0, 30.0, -30.0, 0.0])).numpy()

    found = crossencoder.CrossEncoder(Sure(), SLP1).score(["King"] * 4, [Verse(("rAjA",))] * 4)
    assert found[0] < found[1] < 1 and 0 < found[2] < 1e-12 and found[3] == 0.5

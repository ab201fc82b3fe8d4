"""Training the embedded generator, on a corpus of six verses: it learns them, it resumes, it writes what loads."""

import json
import math

import pytest
import torch
from transformers import AutoTokenizer, EncoderDecoderModel, PreTrainedTokenizerFast

from tests.training import small
from workbench.training import prose_encoder
from workbench.training.batches import IGNORED, plan_batches, targets
from workbench.training.generator import GeneratorTraining
from workbench.training.pairs import Pair, pairs, verses
from workbench.training.recipes import Recipe, continue_from, note_run, recipe
from workbench.training.verse_tokenizer import learn_tokenizer

RECIPE = Recipe(pieces=120, layers=1, width=32, heads=2, inner=64, batch_tokens=120, peak=1e-2, warm_up=5,
                dropout=0.1, smoothing=0.0, averaging=0.5)  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return small.corpus(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return small.encoder(tmp_path_factory.mktemp("encoder"))


def training(out, data, encoder, recipe=RECIPE, start=None):
    train = list(pairs([data / "itihasa.train.jsonl.gz"]))
    lone = list(verses([data / "mono_anustubh.jsonl.gz"]))
    dev = [pair for pair in pairs([data / "itihasa.dev.jsonl.gz"]) if pair.whole]
    return GeneratorTraining(out, recipe, train, lone, dev, encoder, lambda sentence: None, start)


def weights(run):
    return {name: value.detach().clone() for name, value in run._trained.items()}


def same(one, other):
    assert one.keys() == other.keys()
    return all(torch.equal(one[name], other[name]) for name in one)


def test_a_stopped_run_goes_on_as_if_it_had_not_been(tmp_path, data, encoder):
    straight = training(tmp_path / "straight", data, encoder)
    straight.run(hours=100, steps=8)
    first = training(tmp_path / "stopped", data, encoder)
    first.run(hours=100, steps=5)
    second = training(tmp_path / "stopped", data, encoder)
    second.run(hours=100, steps=8)
    assert not same(weights(first), weights(second))
    assert same(weights(straight), weights(second))
    assert same(straight.average, second.average)


def test_it_learns_and_writes_what_from_pretrained_loads(tmp_path, data, encoder):
    run = training(tmp_path, data, encoder)
    run.run(hours=100, steps=1)
    before = run.figures()["dev_nats"]
    run.run(hours=100, steps=250)
    figures = run.figures()
    assert figures["dev_nats"] < before / 4
    assert figures["dev_nats"] < figures["dev_nats_without_prose"]
    folder = tmp_path / "model"
    model = EncoderDecoderModel.from_pretrained(folder, dtype=torch.float32)
    verse, reader = PreTrainedTokenizerFast.from_pretrained(folder), AutoTokenizer.from_pretrained(folder / "prose")
    stored = torch.load(tmp_path / "state.pt", weights_only=True)["average"]
    for name, value in stored.items():
        assert torch.equal(model.state_dict()[name], value.half().float()), name
    text, wanted = next(iter(small.VERSES.items()))
    written = model.generate(**reader(text, return_tensors="pt"), max_new_tokens=60, num_beams=2)
    assert verse.decode(written[0], skip_special_tokens=True) == wanted.removesuffix("..").replace(". ", " . ")
    assert str(encoder) not in (folder / "config.json").read_text(encoding="utf-8")
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "license: apache-2.0" in card and "6 whole anuṣṭubh verses" in card and prose_encoder.SHA256 in card
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert log[-1]["step"] == 250 and log[-1]["dev_nats"] == pytest.approx(figures["dev_nats"], abs=0.01)


def test_a_live_encoder_takes_part_and_may_come_to_life_later(tmp_path, data, encoder):
    frozen = training(tmp_path, data, encoder)
    frozen.run(hours=100, steps=3)
    untouched = {name: value.clone() for name, value in frozen.encoder.state_dict().items()}
    live = training(tmp_path, data, encoder, Recipe(**{**RECIPE.__dict__, "live_encoder": True}))
    live.run(hours=100, steps=5)
    changed = [name for name, value in live.encoder.state_dict().items() if not torch.equal(value, untouched[name])]
    assert changed
    again = training(tmp_path, data, encoder, live.recipe)
    again.run(hours=100, steps=5)  # nothing left to do: what was saved is what it has
    assert same(weights(live), weights(again))


def test_the_rate_falls_at_the_end_and_more_hours_go_on_from_before_that(tmp_path, data, encoder):
    run = training(tmp_path, data, encoder)
    run.run(hours=0.5 / 3600)
    assert run.progress.cooling_since is not None and run.progress.seconds >= 0.5
    assert "the rate fell from hour 0.00 on" in (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    trunk = torch.load(tmp_path / "trunk.pt", weights_only=True)
    more = training(tmp_path, data, encoder)
    more.run(hours=100, steps=trunk["progress"]["step"])
    assert more.progress.cooling_since is None and more.progress.step == trunk["progress"]["step"]
    assert same(weights(more), trunk["weights"])


def test_a_finished_model_can_be_gone_on_from(tmp_path, data, encoder):
    live = Recipe(**{**RECIPE.__dict__, "live_encoder": True})
    first, model = training(tmp_path / "first", data, encoder, live), tmp_path / "first" / "model"
    note_run(first.out, live, "train it", [data / "itihasa.train.jsonl.gz"])
    first.run(hours=100, steps=60)
    continue_from(model, tmp_path / "second")
    assert recipe(tmp_path / "second", {}, Recipe) == live
    second = training(tmp_path / "second", data, encoder, live, model)
    second.run(hours=100, steps=60)  # nothing left to do: it has the weights, in half precision, and the count
    assert second.progress.step == 60 and second.progress.tokens == first.progress.tokens
    for name, value in first.average.items():
        assert torch.equal(second.average[name], value.half().float()), name
    third = training(tmp_path / "second", data, encoder, live)
    third.run(hours=100, steps=70)
    assert third.progress.step == 70 and third._rate(math.inf) == live.peak  # risen anew, in the five steps of warm-up
    assert "train it" in (tmp_path / "second" / "model" / "README.md").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="Expected a model that tells how it was made"):
        continue_from(tmp_path, tmp_path / "third")


def test_kept_states_are_the_live_ones(tmp_path, encoder):
    model, tokenizer = prose_encoder.load(encoder)
    ids = prose_encoder.tokens(tokenizer, ["On the field of duty", "", "never to its fruits, O Bharata"])
    prose_encoder.keep(model, ids, tmp_path / "states.npy", lambda sentence: None)
    kept = prose_encoder.KeptStates(tmp_path / "states.npy", ids, 32)
    for numbers in ([0], [2, 1], [0, 1, 2]):
        hidden, mask = kept.batch(numbers)
        live, live_mask = prose_encoder.LiveStates(model.eval(), ids).batch(numbers)
        assert torch.equal(mask, live_mask)
        assert torch.allclose(hidden * mask[..., None], live * mask[..., None], atol=2e-3)


def test_an_encoder_with_other_weights_is_refused(encoder, tmp_path):
    with pytest.raises(prose_encoder.EncoderMissing, match=r"Expected all-MiniLM-L6-v2 with sha256 53aa51172d14…; got"):
        prose_encoder.check(encoder)
    with pytest.raises(prose_encoder.EncoderMissing, match="found none"):
        prose_encoder.find(tmp_path)


def test_rows_become_pairs(tmp_path):
    rows = [
        small.row(1, " Of   two ", "kft~aM. gatam.."),
        small.row(2, "Half of two verses.", "kftaM. gatam..", ("inverted_danda",)),
        small.row(3, "Three halves.", "kftaM. gatam.. iti."),
        small.row(4, "", "kftaM. gatam.."),
        small.row(5, "Not full.", "kftaM. gatam..", full=False),
    ]
    found = list(pairs([small.write_rows(tmp_path / "rows.jsonl.gz", rows)]))
    assert found == [
        Pair("Of two", "kftaM . gatam", True),
        Pair("Half of two verses.", "kftaM . gatam", False),
        Pair("Three halves.", "kftaM . gatam . iti", False),
        Pair("Not full.", "kftaM . gatam", False),
    ]


def test_batches_hold_every_row_once_within_their_size():
    import random

    lengths = [(length, 60 - length) for length in range(5, 45)] * 5
    batches = plan_batches(range(len(lengths)), lengths, 200, random.Random(1), 0.25)
    assert sorted(row for batch in batches for row in batch.rows) == list(range(len(lengths)))
    assert all(max(lengths[row][0] for row in batch.rows) * len(batch.rows) <= 200 for batch in batches)
    without = sum(not batch.with_source for batch in batches)
    assert 0 < without < len(batches) / 2
    assert plan_batches(range(len(lengths)), lengths, 200, random.Random(1), 0.25) == batches
    assert plan_batches(range(len(lengths)), lengths, 200, random.Random(2), 0.25) != batches


def test_targets_are_the_input_moved_by_one():
    given, wanted = targets([[1, 7, 8, 2], [1, 9, 2]], padding=0)
    assert given.tolist() == [[1, 7, 8], [1, 9, 0]]
    assert wanted.tolist() == [[7, 8, 2], [9, 2, IGNORED]]


def test_every_letter_is_a_piece():
    tokenizer = learn_tokenizer(["Darmakzetre kurukzetre"], 100)
    for letter in "aAiIuUfFxXeEoOkKgGNcCjJYwWqQRtTdDnpPbBmyrlvSzshLMH'.":
        assert tokenizer.convert_tokens_to_ids(letter) != tokenizer.unk_token_id, letter
    ids = tokenizer("xOz JF'M . Xq", add_special_tokens=False)["input_ids"]
    assert tokenizer.unk_token_id not in ids
    assert tokenizer.decode(ids) == "xOz JF'M . Xq"

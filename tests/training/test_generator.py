"""Training the embedded generator, on a corpus of six verses: it learns them, it resumes, it writes what loads."""

import json
import math
import random
from dataclasses import replace

import pytest
import torch
from transformers import AutoTokenizer, EncoderDecoderModel, PreTrainedTokenizerFast

from tests.training import small
from workbench.corpora import CorpusError
from workbench.models.forms import NAMED, TOKENS, start_token
from workbench.prosody.metres import find
from workbench.training import prose_encoder
from workbench.training.generator import GeneratorTraining, by_length
from workbench.training.generator_texts import Item, material
from workbench.training.pairs import Pair, pairs
from workbench.training.recipes import Recipe, continue_from, note_run, recipe
from workbench.training.verse_tokenizer import learn_tokenizer

RECIPE = Recipe(pieces=150, layers=1, width=32, heads=2, inner=64, batch_tokens=200, peak=1e-2, warm_up=5,
                dropout=0.0, piece_dropout=0.0, hidden_words=0.0, hidden_verse=0.0, averaging=0.5)  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return small.prepared(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return small.encoder(tmp_path_factory.mktemp("encoder"))


def training(out, data, encoder, recipe=RECIPE, start=None, grow_from=None):
    found = material(data, [data / "made.jsonl.gz"], least=-3.0)
    return GeneratorTraining(out, recipe, found, encoder, lambda sentence: None, start, grow_from)


def test_a_stopped_run_goes_on_as_if_it_had_not_been(tmp_path, data, encoder):
    """With words that are hidden and proses said otherwise; how pieces are cut, the tokenizer's own chance decides."""
    recipe = replace(RECIPE, hidden_words=0.2, hidden_verse=0.2)
    straight = training(tmp_path / "straight", data, encoder, recipe)
    straight.run(hours=100, steps=8)
    first = training(tmp_path / "stopped", data, encoder, recipe)
    first.run(hours=100, steps=5)
    second = training(tmp_path / "stopped", data, encoder, recipe)
    second.run(hours=100, steps=8)
    assert any(not torch.equal(first.parameters[name], value) for name, value in second.parameters.items())
    for name, value in straight.average.items():
        assert torch.allclose(second.average[name], value, atol=1e-5), name


def test_it_learns_and_writes_what_from_pretrained_loads(tmp_path, data, encoder):
    run = training(tmp_path, data, encoder)
    run.run(hours=100, steps=1)
    run.run(hours=100, steps=150)
    folder = tmp_path / "model"
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert log[-1]["step"] == 150
    assert log[-1]["epics"] < log[0]["epics"] / 4
    assert log[-1]["epics"] < log[-1]["epics without prose"]
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
    assert "itihasa.train.jsonl.gz: 6 texts (Apache-2.0 (Itihāsa))" in card and prose_encoder.SHA256 in card
    assert "1 verses that came without English" in card and "| hours | steps | epics |" in card


def test_a_part_of_the_verse_so_far_is_hidden_but_never_its_form(tmp_path, data, encoder):
    run = training(tmp_path, data, encoder, replace(RECIPE, hidden_verse=0.3))
    read = []
    decoder = run.model.decoder.model.decoder
    decoder.register_forward_pre_hook(lambda module, told, named: read.append(named["input_ids"]), with_kwargs=True)
    unknown = run.tokenizer.unk_token_id
    for cooling, shares in ((False, (0.1, 0.5)), (True, (0.0, 0.0))):
        read.clear()
        for batch in run.epoch(0, cooling):
            run.loss(batch)
        hidden = torch.cat([ids[:, 1:][ids[:, 1:] != run.tokenizer.pad_token_id] == unknown for ids in read])
        assert shares[0] <= float(hidden.float().mean()) <= shares[1]
        assert all(unknown not in ids[:, 0] for ids in read)


@pytest.mark.parametrize("rate", [0.0, 0.5])
def test_the_proses_encoder_is_trained_along_or_left_as_it_is(rate, tmp_path, data, encoder):
    run = training(tmp_path, data, encoder, replace(RECIPE, encoder_rate=rate))
    before = {name: value.clone() for name, value in run.model.encoder.state_dict().items()}
    run.run(hours=100, steps=3)
    changed = {name for name, value in run.model.encoder.state_dict().items() if not torch.equal(value, before[name])}
    assert bool(changed) == (rate > 0) and all(".layer." in name for name in changed)


def test_a_finished_model_can_be_gone_on_from(tmp_path, data, encoder):
    first, model = training(tmp_path / "first", data, encoder), tmp_path / "first" / "model"
    note_run(first.out, RECIPE, "train it", [data / "itihasa.jsonl.gz"])
    first.run(hours=100, steps=60)
    continue_from(model, tmp_path / "second")
    assert recipe(tmp_path / "second", {}, Recipe) == RECIPE
    second = training(tmp_path / "second", data, encoder, RECIPE, model)
    second.run(hours=100, steps=60)  # nothing left to do: it has the weights, in half precision, and the count
    assert second.progress.step == 60 and second.progress.tokens == first.progress.tokens
    for name, value in first.average.items():
        assert torch.equal(second.average[name], value.half().float()), name
    third = training(tmp_path / "second", data, encoder)
    third.run(hours=100, steps=70)
    assert third.progress.step == 70 and third._rate(math.inf) == RECIPE.peak  # risen anew, in five steps of warm-up
    assert "train it" in (tmp_path / "second" / "model" / "README.md").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="Expected a model that tells how it was made"):
        continue_from(tmp_path, tmp_path / "third")


def test_what_is_learnt_from(data, tmp_path):
    found = material(data, [data / "made.jsonl.gz"], least=-3.0)
    assert {source: len(items) for source, items in found.train.items()} == {
        "itihasa": 6, "saamayik": 1, "words_glossed": 1, "made": 1,
    }  # fmt: skip
    verse = found.train["itihasa"][0]
    assert verse.start == "<s>" and verse.verse.startswith("Darmakzetre kurukzetre") and not verse.made
    assert found.train["saamayik"] == [Item("I go.", "ahaM gacCAmi", "<o>")]
    assert found.train["words_glossed"] == [Item("in the forest", "vane", "<w>")]
    (made,) = found.train["made"]
    assert made.made and made.start == "<upajāti>" and made.verse.count(" . ") == 1
    assert len(material(data, [data / "made.jsonl.gz"]).train["made"]) == 2
    cooled = found.epoch_items(random.Random(0), cooling=True)
    assert not any(item.start == "<w>" for item in cooled) and len(cooled) == 6
    small_share = material(data, share=0.5).train["itihasa"]
    assert set(small_share) < set(found.train["itihasa"])
    with pytest.raises(CorpusError, match="found no dev verses"):
        material(tmp_path)
    with pytest.raises(CorpusError, match="Expected rows of `train back-translate` in itihasa.jsonl.gz; 'score'"):
        material(data, [data / "itihasa.jsonl.gz"])


def test_what_a_machine_wrote_and_what_leaves_something_out_is_marked(data, encoder, tmp_path):
    run = training(tmp_path, data, encoder)
    made, less = run.prose_tokenizer.convert_tokens_to_ids(["[unused1]", "[unused2]"])
    plain, marked = run._sources(["what did my sons do"] * 2, [[], [made]])
    assert marked == [plain[0], made, *plain[1:]]
    item = Item("O king, what did my sons do?", "rAjan", "<s>")
    assert run._vary(replace(item, made=True), random.Random(0)) == (item.prose, [made])
    varied = [run._vary(item, random.Random(seed)) for seed in range(50)]
    assert {(prose.lower().startswith("o king"), tuple(marks)) for prose, marks in varied} == {
        (True, ()),
        (False, (less,)),
    }


def test_words_are_hidden_between_the_ends(data, encoder, tmp_path):
    run = training(tmp_path, data, encoder, replace(RECIPE, hidden_words=0.5))
    (row,) = run._sources(["on the field of duty what did my sons do"])
    hidden = run._hide_words(row, random.Random(0))
    mask = run.prose_tokenizer.mask_token_id
    assert 0 < hidden.count(mask) < len(row) - 2 and (hidden[0], hidden[-1]) == (row[0], row[-1])
    assert all(one in (two, mask) for one, two in zip(hidden, row, strict=True))


def test_batches_hold_every_row_once_within_their_size():
    lengths = [(length, 50 - length) for length in range(5, 45)] * 5
    batches = by_length(lengths, 200, random.Random(1))
    assert sorted(row for rows in batches for row in rows) == list(range(200))
    padded = sum(len(rows) * max(lengths[row][0] for row in rows) for rows in batches)
    assert padded < 1.2 * sum(verse for verse, _ in lengths)
    for rows in batches:
        assert max(max(lengths[row]) for row in rows) * len(rows) <= 200
    assert by_length(lengths, 200, random.Random(2)) != batches


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


def test_every_letter_is_a_piece():
    tokenizer = learn_tokenizer(["Darmakzetre kurukzetre"], 100)
    for letter in "aAiIuUfFxXeEoOkKgGNcCjJYwWqQRtTdDnpPbBmyrlvSzshLMH'.":
        assert tokenizer.convert_tokens_to_ids(letter) != tokenizer.unk_token_id, letter
    ids = tokenizer("xOz JF'M . Xq", add_special_tokens=False)["input_ids"]
    assert tokenizer.unk_token_id not in ids
    assert tokenizer.decode(ids) == "xOz JF'M . Xq"


def test_every_form_is_a_token():
    tokenizer = learn_tokenizer(["Darmakzetre kurukzetre"], 150)
    ids = [tokenizer.convert_tokens_to_ids(token) for token in TOKENS]
    assert len(set(ids)) == len(TOKENS) and tokenizer.unk_token_id not in ids


@pytest.mark.parametrize(
    ("metre", "token"),
    [
        ("", "<o>"), ("anuṣṭubh", "<s>"), ("vasantatilakā", "<vasantatilakā>"), ("praharṣiṇī", "<13>"),
        ("upagīti", "<morae>"), ("udgatā", "<unequal>"), ("no such metre", "<o>"),
    ],
)  # fmt: skip
def test_a_metre_says_its_form(metre, token):
    assert start_token(metre) == token and token in TOKENS


def test_the_named_metres_are_metres():
    assert [find(name).name for name in NAMED] == list(NAMED)

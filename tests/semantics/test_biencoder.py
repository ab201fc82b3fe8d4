"""The bi-encoder: trained on six pairs it tells them apart; what it writes loads with two routes; a run resumes."""

import json
import random
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from datasets import Dataset
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Normalize, Transformer
from sentence_transformers.sentence_transformer.modules import Pooling

from tests.models import folders
from tests.training import small
from workbench.prosody.verse import Verse
from workbench.semantics import biencoder
from workbench.training import trainer_runs
from workbench.training.biencoder import BiRecipe, new_encoder, train_biencoder
from workbench.training.contrast import Contrast
from workbench.training.english import FLOOR, Levelling, modules, words
from workbench.training.grouping import LikeLengths
from workbench.training.pairs import pairs

RECIPE = BiRecipe(pieces=120, layers=1, width=32, heads=2, batch=6, rate=1e-2)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return list(pairs([small.corpus(tmp_path_factory.mktemp("data")) / "itihasa.train.jsonl.gz"]))[:6]


@pytest.fixture(scope="module", params=["MiniLM", "generator"])
def english(tmp_path_factory, request):
    """A stand-in for all-MiniLM as sentence-transformers saves it, or a generator."""
    folder = tmp_path_factory.mktemp("english")
    if request.param == "generator":
        return folders.embedded(folder / "generator", steps=20)
    made = [Transformer(str(small.encoder(folder / "bert"))), Pooling(32, "mean"), Normalize()]
    SentenceTransformer(modules=made, device="cpu").save_pretrained(str(folder / "model"), create_model_card=False)
    return folder / "model"


def train(out, data, english, resume=False):
    return train_biencoder(out, RECIPE, data, data, english, 0.001, resume, lambda sentence: None)


def test_it_tells_verses_apart_and_loads_with_two_routes(tmp_path, data, english):
    (tmp_path / "plan.json").write_text(json.dumps({"steps": 60}))
    figures = train(tmp_path, data, english)
    assert figures["among_all"] == 1.0
    loaded = biencoder.load(tmp_path / "model")
    prose = list(small.VERSES)
    verses = [Verse.read(verse) for verse in small.VERSES.values()]
    similarity = loaded.prose(prose) @ loaded.verses(verses).T
    assert similarity.argmax(dim=1).tolist() == list(range(6))
    theirs = SentenceTransformer(modules=modules(english, tmp_path), device="cpu").encode(prose)
    looks = torch.load(tmp_path / "english.pt", weights_only=True)["looks"]
    assert not torch.allclose(looks, torch.eye(len(looks)), atol=1e-3), "the matrix has learnt"
    seen = torch.nn.functional.normalize(Levelling.of(theirs, len(looks))(theirs) @ looks.T, dim=1)
    assert torch.allclose(loaded.prose(prose), seen, atol=2e-2)  # half precision on disk
    scores = loaded.score(prose, verses)
    assert all(0.5 < score <= 1 for score in scores)
    assert all(own > other for own, other in zip(scores, loaded.score(prose, verses[1:] + verses[:1]), strict=True))


def test_a_generator_brings_its_words_along(tmp_path, data):
    """The Sanskrit encoder reads a generator's pieces, and stands its words as the generator does."""
    generator = folders.embedded(tmp_path / "generator", steps=1)
    width = json.loads((generator / "config.json").read_text())["decoder"]["d_model"]
    known = words(generator, width)
    new_encoder(tmp_path / "encoder", BiRecipe(layers=1, width=width, heads=2), [], known)
    made = Transformer(str(tmp_path / "encoder"))
    theirs = known.vectors - known.vectors.mean(dim=0)
    ours = made.auto_model.embeddings.word_embeddings.weight
    assert torch.nn.functional.cosine_similarity(ours, theirs).min() > 0.999
    assert ours.std().item() == pytest.approx(0.05, abs=1e-3)
    verse = "rAmo vanaM yayO"
    assert made.tokenizer(verse)["input_ids"] == known.tokenizer(verse)["input_ids"]
    assert words(generator, width + 1) is None, "vectors of another width are of no use"


def test_levelled_vectors_share_nothing_and_vary_alike():
    chance = np.random.default_rng(0)
    raw = (5 + chance.normal(size=(4000, 6)) @ np.diag([9, 7, 5, 3, 2, 0.001])).astype(np.float32)
    level = Levelling.of(raw, 4)
    found = (torch.from_numpy(raw) - level.mean) @ level.weight.T
    assert torch.allclose(found.mean(dim=0), torch.zeros(4), atol=1e-3)
    ratios = torch.cov(found.T)
    assert torch.allclose(ratios - torch.diag(ratios.diag()), torch.zeros(4, 4), atol=1e-3)
    variances = np.array([81, 49, 25, 9])
    assert ratios.diag().numpy() == pytest.approx(variances / (variances + FLOOR * variances.mean()), abs=0.01)
    assert torch.allclose(level(raw), torch.nn.functional.normalize(found, dim=1), atol=1e-5)
    looks = torch.from_numpy(chance.normal(size=(4, 4)).astype(np.float32))
    features = {"sentence_embedding": torch.from_numpy(raw)}
    one = torch.nn.functional.normalize(level.dense(looks)(features)["sentence_embedding"], dim=1)
    assert torch.allclose(one, torch.nn.functional.normalize(level(raw) @ looks.T, dim=1), atol=1e-4)


def test_hours_become_steps_by_the_time_that_one_takes(tmp_path, monkeypatch):
    clock = iter([100.0, 106.0])  # three steps are tried
    monkeypatch.setattr(trainer_runs, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    weight = torch.nn.Linear(1, 1)
    told = []
    for _ in range(2):  # the second time from the plan
        steps = trainer_runs.steps_in(0.5, tmp_path, weight, lambda: weight(torch.ones(1)).sum(), RECIPE, told.append)
        assert steps == 900
    assert told == ["900 steps fit into 0.5 hours"] and weight.weight.grad is None, "trying leaves nothing behind"


def test_a_run_resumes_and_comes_to_the_planned_end(tmp_path, data, english):
    train(tmp_path, data, english)
    planned = json.loads((tmp_path / "plan.json").read_text())["steps"]
    (tmp_path / "plan.json").write_text(json.dumps({"steps": planned + 4}))
    train(tmp_path, data, english, resume=True)
    logged = [json.loads(line)["step"] for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert logged[-1] == planned + 4 and all(later > step for step, later in zip(logged, logged[1:], strict=False))


def test_verses_of_like_length_make_a_batch():
    chance = random.Random(0)
    verses = ["a" * chance.randrange(1, 400) for _ in range(1003)]
    batches = LikeLengths(Dataset.from_dict({"verse": verses}), 10, False, seed=1)
    seen = []
    for epoch in range(2):
        batches.set_epoch(epoch)
        made = list(batches)
        assert sorted(row for batch in made for row in batch) == list(range(1003)) and len(made) == len(batches) == 101
        padded = sum(len(batch) * max(len(verses[row]) for row in batch) for batch in made)
        assert padded < 1.1 * sum(map(len, verses)), "random batches would be twice as wide"
        seen.append(made)
    assert seen[0] != seen[1]
    whole = LikeLengths(Dataset.from_dict({"verse": verses}), 10, True, seed=1)
    assert {len(batch) for batch in whole} == {10} and len(list(whole)) == len(whole) == 100


class Given(torch.nn.Module):
    def forward(self, features):
        return {"sentence_embedding": features["vectors"]}


SAID = torch.tensor([[3.0, 0.0], [0.0, 5.0]])
MEANT = torch.tensor([[1.0, 0.0], [0.0, 1.0]])


def told(loss, meant):
    with torch.inference_mode():
        return float(loss([{"vectors": SAID}], meant))


def test_the_loss_by_hand():
    """Two pairs, at right angles, told apart from each other and from what the bank holds: here only opposites."""
    bank = torch.tensor([[-1.0, 0.0]])
    loss = Contrast(Given(), bank, others=1, scale=2.0)
    within = -torch.log_softmax(torch.tensor([2.0, 0.0]), 0)[0]
    first = -torch.log_softmax(torch.tensor([2.0, 0.0, -2.0]), 0)[0]
    second = -torch.log_softmax(torch.tensor([2.0, 0.0, 0.0]), 0)[0]
    wanted = ((first + second) / 2 + within) / 2
    assert told(loss, MEANT) == pytest.approx(float(wanted), rel=1e-5)


def test_a_text_that_says_the_same_is_no_wrong_answer():
    twice, bank = torch.tensor([[1.0, 0.0], [1.0, 0.01]]), torch.tensor([[1.0, 0.0]])
    assert told(Contrast(Given(), bank, others=1, scale=2.0), twice) == pytest.approx(0.0, abs=1e-6)


def test_what_the_loss_has_learnt_goes_on(tmp_path):
    one, other = Contrast(Given(), MEANT), Contrast(Given(), MEANT)
    with torch.no_grad():
        one.looks.weight.add_(0.5)
        one.sharpness.add_(1.0)
    other.take_up(one.learnt())
    assert told(one, MEANT) == pytest.approx(told(other, MEANT))

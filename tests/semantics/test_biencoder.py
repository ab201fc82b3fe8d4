"""The bi-encoder: trained on six pairs it tells them apart; what it writes loads with two routes; a run resumes."""

import json

import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Normalize, Transformer
from sentence_transformers.sentence_transformer.modules import Pooling

from tests.training import small
from workbench.semantics import biencoder
from workbench.semantics.spelling import canonical
from workbench.training.biencoder import BiRecipe, train_biencoder
from workbench.training.contrast import InBatchContrast
from workbench.training.pairs import pairs

RECIPE = BiRecipe(pieces=120, layers=1, width=32, heads=2, batch=6, rate=1e-2)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return list(pairs([small.corpus(tmp_path_factory.mktemp("data")) / "itihasa.train.jsonl.gz"]))[:6]


@pytest.fixture(scope="module")
def english(tmp_path_factory):
    """A stand-in for all-MiniLM as sentence-transformers saves it."""
    folder = tmp_path_factory.mktemp("english")
    modules = [Transformer(str(small.encoder(folder / "bert"))), Pooling(32, "mean"), Normalize()]
    SentenceTransformer(modules=modules, device="cpu").save_pretrained(str(folder / "model"), create_model_card=False)
    return folder / "model"


def train(out, data, english, resume=False):
    return train_biencoder(out, RECIPE, data, data, english, 0.001, resume, lambda sentence: None)


def test_it_tells_verses_apart_and_loads_with_two_routes(tmp_path, data, english):
    (tmp_path / "plan.json").write_text(json.dumps({"steps": 60}))
    figures = train(tmp_path, data, english)
    assert figures["among_all"] == 1.0
    loaded = biencoder.load(tmp_path / "model")
    prose = list(small.VERSES)
    verses = [canonical(verse) for verse in small.VERSES.values()]
    similarity = loaded.prose(prose) @ loaded.verses(verses).T
    assert similarity.argmax(dim=1).tolist() == list(range(6))
    theirs = SentenceTransformer(str(english), device="cpu").encode(prose, convert_to_tensor=True)
    assert torch.allclose(loaded.prose(prose), theirs, atol=2e-2)  # half precision on disk
    scores = loaded.score(prose, verses)
    assert all(0.5 < score <= 1 for score in scores)
    assert all(own > other for own, other in zip(scores, loaded.score(prose, verses[1:] + verses[:1]), strict=True))


def test_steps_are_planned_from_the_hours_and_a_run_resumes(tmp_path, data, english):
    train(tmp_path, data, english)
    planned = json.loads((tmp_path / "plan.json").read_text())["steps"]
    assert planned > 5
    (tmp_path / "plan.json").write_text(json.dumps({"steps": planned + 4}))
    train(tmp_path, data, english, resume=True)
    logged = [json.loads(line)["step"] for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert logged[-1] == planned + 4 and all(later > step for step, later in zip(logged, logged[1:], strict=False))


def test_the_loss_by_hand():
    class Given(torch.nn.Module):
        def forward(self, features):
            return {"sentence_embedding": features["vectors"]}

    loss = InBatchContrast(Given(), scale=2.0)
    said = torch.tensor([[3.0, 0.0], [0.0, 5.0]])
    meant = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    wanted = -torch.log_softmax(torch.tensor([2.0, 0.0]), 0)[0]
    assert float(loss([{"vectors": said}], meant)) == pytest.approx(float(wanted))

"""A larger generator that begins with a smaller one's weights writes, before its first step, what the smaller would."""

from dataclasses import replace

import pytest
import torch
from transformers import EncoderDecoderModel, PreTrainedTokenizerFast

from tests.training import small
from tests.training.test_generator import RECIPE, training
from workbench.refusal import Refusal
from workbench.training.growing import grow


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("grown")
    data, encoder = small.prepared(folder / "data"), small.encoder(folder / "encoder")
    older = training(folder / "older", data, encoder)
    older.run(hours=100, steps=40)
    return folder, data, encoder


def test_with_the_same_pieces_it_is_the_older_one(grown, tmp_path):
    folder, data, encoder = grown
    deeper = training(tmp_path / "deeper", data, encoder, replace(RECIPE, layers=3), grow_from=folder / "older" / "model")
    older = training(folder / "older", data, encoder, RECIPE)
    older.load()
    with older.averaged(), torch.inference_mode():
        wanted = older.figures()
    deeper.model.eval()
    with torch.inference_mode():
        found = deeper.figures()
    assert found == pytest.approx(wanted, rel=1e-2)  # what was written out is in half precision
    before = deeper.model.decoder.model.decoder.layers[2].fc2.weight.clone()
    deeper.run(hours=100, steps=2)
    assert not torch.equal(deeper.model.decoder.model.decoder.layers[2].fc2.weight, before)


def test_a_new_piece_is_the_mean_of_the_older_ones(grown, tmp_path):
    folder, data, encoder = grown
    model = folder / "older" / "model"
    larger = training(tmp_path / "larger", data, encoder, replace(RECIPE, pieces=190), grow_from=model)
    fast = PreTrainedTokenizerFast.from_pretrained(model)
    known = EncoderDecoderModel.from_pretrained(model, dtype=torch.float32).decoder.model.decoder.embed_tokens.weight
    vectors = larger.model.decoder.model.decoder.embed_tokens.weight
    new = [piece for piece in larger.tokenizer.get_vocab() if piece not in fast.get_vocab()]
    assert len(new) == 40 and all(piece.strip("▁") for piece in new)
    for piece in new:
        parts = [token.id for token in fast.backend_tokenizer.model.tokenize(piece)]
        assert len(parts) > 1
        assert torch.allclose(vectors[larger.tokenizer.get_vocab()[piece]], known[parts].mean(dim=0))


def test_what_cannot_be_grown_from_is_refused(grown, tmp_path):
    folder, data, encoder = grown
    model = folder / "older" / "model"
    with pytest.raises(Refusal, match=r"Expected a generator as wide as this one \(64, 64 inside\).*got 32, 64"):
        training(tmp_path / "wider", data, encoder, replace(RECIPE, width=64), grow_from=model)
    deep = training(tmp_path / "deep", data, encoder, replace(RECIPE, layers=2))
    shallow = training(tmp_path / "shallow", data, encoder)
    with pytest.raises(Refusal, match="Expected a generator of at most 1 layers to grow from; got 2"):
        grow(shallow.model, deep.model, shallow.tokenizer, deep.tokenizer)

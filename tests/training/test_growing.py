"""A larger generator that begins with a smaller one's weights writes, before its first step, what the smaller would."""

from dataclasses import replace

import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import BPE
from transformers import BertConfig, BertModel, EncoderDecoderModel, PreTrainedTokenizerFast

from tests.training import small
from tests.training.test_generator import RECIPE, training
from workbench.models.forms import NAMED, TOKENS
from workbench.refusal import Refusal
from workbench.training.generator import new_decoder
from workbench.training.growing import grow, grown_tokenizer

TINY = BertConfig(vocab_size=9, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32)


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("grown")
    data, encoder = small.prepared(folder / "data"), small.encoder(folder / "encoder")
    older = training(folder / "older", data, encoder)
    older.run(hours=100, steps=40)
    return folder, data, encoder


def test_before_its_first_step_it_is_the_older_one(grown, tmp_path):
    folder, data, encoder = grown
    deeper = training(
        tmp_path / "deeper", data, encoder, replace(RECIPE, layers=3), grow_from=folder / "older" / "model"
    )
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
    card = (deeper.out / "model" / "README.md").read_text(encoding="utf-8")
    assert "3 layers" in card and f"{len(deeper.tokenizer)} pieces" in card
    assert not torch.equal(deeper.model.decoder.model.decoder.layers[2].fc2.weight, before)


def test_what_an_older_one_was_not_told_begins_as_its_start():
    """The first generator had a token for verses and one for prose."""
    older = PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(BPE({"<pad>": 0, "<s>": 1, "</s>": 2, "<unk>": 3, "<o>": 4, "a": 5}, [])),
        bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>",
    )  # fmt: skip
    sizes = replace(RECIPE, layers=1)
    smaller = EncoderDecoderModel(encoder=BertModel(TINY), decoder=new_decoder(sizes, older))
    smaller.config.bos_token_id = older.bos_token_id
    grown = grown_tokenizer(older)
    assert len(grown) == 6 + len(TOKENS) - 2 and set(TOKENS) <= set(grown.get_vocab())
    larger = EncoderDecoderModel(encoder=BertModel(TINY), decoder=new_decoder(sizes, grown))
    grow(larger, smaller)
    first, vectors = (each.decoder.model.decoder.embed_tokens.weight for each in (smaller, larger))
    assert torch.equal(vectors[:6], first)
    assert all(torch.equal(vectors[grown.convert_tokens_to_ids(f"<{name}>")], first[1]) for name in NAMED)


def test_what_cannot_be_grown_from_is_refused(grown, tmp_path):
    folder, data, encoder = grown
    model = folder / "older" / "model"
    with pytest.raises(Refusal, match=r"Expected a generator as wide as this one \(64, 64 inside\).*got 32, 64"):
        training(tmp_path / "wider", data, encoder, replace(RECIPE, width=64), grow_from=model)
    deep = training(tmp_path / "deep", data, encoder, replace(RECIPE, layers=2))
    shallow = training(tmp_path / "shallow", data, encoder)
    with pytest.raises(Refusal, match="Expected a generator of at most 1 layers to grow from; got 2"):
        grow(shallow.model, deep.model)

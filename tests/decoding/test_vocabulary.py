"""What tokens write, for every family of tokenizer, held against the tokenizer's own decoding."""

import random

import pytest
from tokenizers import Tokenizer, decoders, models
from transformers import PreTrainedTokenizerFast

from tests.decoding.scripted import letter_tokenizer
from workbench.decoding.vocabulary import TokenizerError, vocabulary
from workbench.models.tiny import TOKENIZERS, sentencepiece, wordpiece


@pytest.mark.parametrize("family", TOKENIZERS)
def test_tokens_write_what_the_tokenizer_decodes(family):
    tokenizer = TOKENIZERS[family]()
    words = vocabulary(tokenizer)
    assert len(words.tokens) == len(tokenizer)
    chance = random.Random(0)
    usable = [token for token, written in enumerate(words.tokens) if written is not None]
    first = [token for token in usable if token not in words.not_first]
    compared = 0
    for _ in range(300):
        tokens = [chance.choice(first), *chance.choices(usable, k=5)]
        written = b"".join(words.tokens[token] for token in tokens).decode(errors="replace")
        if "\ufffd" in written:
            continue  # bytes that make no letter: how many replacement characters stand for them is nobody's rule
        compared += 1
        decoded = tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        assert written.strip() == decoded.strip(), tokenizer.convert_ids_to_tokens(tokens)
    assert compared > 30


def test_special_tokens_write_nothing_and_added_ones_themselves():
    tokenizer = sentencepiece()
    words = vocabulary(tokenizer)
    for name in ("<pad>", "<s>", "</s>", "<unk>", "san_Deva"):
        assert words.tokens[tokenizer.convert_tokens_to_ids(name)] is None
    assert words.tokens[tokenizer.convert_tokens_to_ids("rAmAya")] == b"rAmAya"
    assert words.tokens[tokenizer.convert_tokens_to_ids("<0xE0>")] == b"\xe0"
    assert words.text([tokenizer.convert_tokens_to_ids(f"<0x{byte:02X}>") for byte in "क".encode()[:2]]) == ""


def test_a_continuation_cannot_come_first():
    tokenizer = wordpiece()
    token = tokenizer.convert_tokens_to_ids("##ka")
    assert token in vocabulary(tokenizer).not_first
    assert tokenizer.decode([token]).startswith("##")


def test_the_same_vocabulary_has_the_same_digest():
    assert vocabulary(letter_tokenizer()).digest == vocabulary(letter_tokenizer()).digest
    assert vocabulary(letter_tokenizer()).digest != vocabulary(letter_tokenizer(more=["ka"])).digest


def test_an_unknown_family_is_refused():
    tokenizer = Tokenizer(models.WordLevel({"a": 0, "</s>": 1}, unk_token="a"))
    tokenizer.decoder = decoders.CTC()
    with pytest.raises(TokenizerError, match="Expected a tokenizer that decodes by ByteLevel.*got CTC"):
        vocabulary(PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="</s>"))

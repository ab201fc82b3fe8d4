"""Tokenizers and random-weight models of every family, made here: nothing is fetched and nothing is trained.

Their noise is the point: whatever they say, what comes out must be a verse.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers
from transformers import (
    BertConfig,
    BertLMHeadModel,
    BertModel,
    EncoderDecoderModel,
    M2M100Config,
    M2M100ForConditionalGeneration,
    Phi3Config,
    Phi3ForCausalLM,
    PreTrainedTokenizerFast,
)

from workbench.decoding.vocabulary import byte_of_character
from workbench.prosody.automaton import LETTERS
from workbench.prosody.script import write

SCRIPTS = ("slp1", "devanagari")
# What the vocabularies are cut from.
VERSES = (
    "Darmakzetre kurukzetre samavetA yuyutsavaH. mAmakAH pARqavAScEva kimakurvata saYjaya..",  # Bhagavadgītā 1.1
    "vAgarTAviva saMpfktO vAgarTapratipattaye. jagataH pitarO vande pArvatIparameSvarO..",  # Raghuvaṃśa 1.1
    "kaScit kAntAvirahaguruRA svADikArAt pramattaH SApenAstaMgamitamahimA varzaBogyeRa BartuH. "
    "yakzaScakre janakatanayAsnAnapuRyodakezu snigDacCAyAtaruzu vasatiM rAmagiryASramezu..",  # Meghadūta 1
    "siMhaH SiSurapi nipatati madamalinakapolaBittizu gajezu. "
    "prakftiriyaM sattvavatAM na Kalu vayastejaso hetuH..",  # Nītiśataka
)


@cache
def pieces(script: str) -> tuple[str, ...]:
    """Every letter of a script, and bits of real verses, with a space before some."""
    texts = [write(verse, script) for verse in VERSES]
    cut = {text[at : at + length] for text in texts for at in range(len(text)) for length in (2, 3, 4, 6)}
    whole = {word for text in texts for word in text.split()}
    return tuple(sorted({*LETTERS[script], *cut, *whole, *(f" {word}" for word in whole)} - {"\n"}))


SPECIAL = ["<pad>", "<s>", "</s>", "<unk>", "<mask>"]


def wrap(tokenizer: Tokenizer) -> PreTrainedTokenizerFast:
    fast: Any = PreTrainedTokenizerFast
    wrapped: PreTrainedTokenizerFast = fast(
        tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<s>", eos_token="</s>", unk_token="<unk>"
    )
    return wrapped


@cache
def sentencepiece() -> PreTrainedTokenizerFast:
    """Unigram pieces with Metaspace and byte fallback, as SentencePiece makes them for NLLB and Llama."""
    words = sorted({piece.replace(" ", "▁") for script in SCRIPTS for piece in pieces(script)} | {"▁the", "▁king", "!"})
    vocabulary = [(token, 0.0) for token in [*SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256))]]
    vocabulary += [(word, -float(len(word))) for word in words]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=3, byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in [*SPECIAL, "san_Deva"]])
    tokenizer.add_tokens(["rAmAya", "रामाय"])  # added as text, not special
    return wrap(tokenizer)


@cache
def byte_level(size: int = 100_000, scripts: tuple[str, ...] = SCRIPTS) -> PreTrainedTokenizerFast:
    """Byte-level BPE of about cl100k's size; like that one's, its tokens cut Devanagari letters in two."""
    chance = random.Random(0)
    texts = [piece.encode() for script in scripts for piece in pieces(script) if len(piece) > 1]
    tokens = {bytes([byte]) for byte in range(256)} | set(texts)
    while len(tokens) < size - len(SPECIAL):
        text = b"".join(chance.choice(texts) for _ in range(3))
        start = chance.randrange(len(text))
        tokens.add(text[start : start + chance.randint(2, 9)])
        tokens.add(bytes(chance.choice(b"abcdefghijklmnopqrstuvwxyz ETAOIN.,;") for _ in range(chance.randint(2, 7))))
    stand_in = {byte: character for character, byte in byte_of_character().items()}
    ordered = sorted(tokens)[: size - len(SPECIAL)]
    ordered = sorted({*ordered, *(bytes([byte]) for byte in range(256))})
    names = [*SPECIAL, *("".join(stand_in[byte] for byte in token) for token in ordered)]
    tokenizer = Tokenizer(models.BPE({name: at for at, name in enumerate(names)}, merges=[], unk_token=None))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in SPECIAL])
    return wrap(tokenizer)


@cache
def wordpiece() -> PreTrainedTokenizerFast:
    """WordPiece: `##` goes on with a word, everything else begins one."""
    words = {piece.strip() for script in SCRIPTS for piece in pieces(script) if " " not in piece.strip()} - {""}
    names = [*SPECIAL, *sorted(words), *(f"##{word}" for word in sorted(words))]
    tokenizer = Tokenizer(models.WordPiece({name: at for at, name in enumerate(names)}, unk_token="<unk>"))
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(prefix="##", cleanup=False)
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in SPECIAL])
    return wrap(tokenizer)


@cache
def metaspace() -> PreTrainedTokenizerFast:
    """Plain BPE with Metaspace, the embedded model's kind."""
    words = sorted({piece.replace(" ", "▁") for script in SCRIPTS for piece in pieces(script) if " " not in piece[1:]})
    names = [*SPECIAL, *words]
    tokenizer = Tokenizer(models.BPE({name: at for at, name in enumerate(names)}, merges=[], unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in SPECIAL])
    return wrap(tokenizer)


@cache
def end_of_word() -> PreTrainedTokenizerFast:
    """BPE that marks the ends of words."""
    words = {piece.strip() for script in SCRIPTS for piece in pieces(script) if " " not in piece.strip()} - {""}
    names = [*SPECIAL, *sorted(words), *(f"{word}</w>" for word in sorted(words))]
    vocabulary = {name: at for at, name in enumerate(names)}
    tokenizer = Tokenizer(models.BPE(vocabulary, merges=[], unk_token="<unk>", end_of_word_suffix="</w>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.decoder = decoders.BPEDecoder(suffix="</w>")
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in SPECIAL])
    return wrap(tokenizer)


TOKENIZERS = {
    "sentencepiece": sentencepiece,
    "byte_level": byte_level,
    "wordpiece": wordpiece,
    "metaspace": metaspace,
    "end_of_word": end_of_word,
}


def with_spread_logits(model: Any) -> Any:
    """Random weights with an opinion: logits spread enough that beams differ."""
    torch.manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.normal_(0, 0.35)
    return model.eval()


@cache
def m2m100() -> tuple[Any, PreTrainedTokenizerFast]:
    tokenizer = sentencepiece()
    config = M2M100Config(
        vocab_size=len(tokenizer) + 3,  # padded, as real ones are
        d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2,
        encoder_ffn_dim=32, decoder_ffn_dim=32, max_position_embeddings=512,
        pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=2,
    )  # fmt: skip
    return with_spread_logits(M2M100ForConditionalGeneration(config)), tokenizer


@cache
def phi3() -> tuple[Any, PreTrainedTokenizerFast]:
    tokenizer = byte_level()
    config = Phi3Config(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=2, max_position_embeddings=1024, pad_token_id=0, bos_token_id=1, eos_token_id=2,
        tie_word_embeddings=True,
    )  # fmt: skip
    model: Any = Phi3ForCausalLM
    return with_spread_logits(model(config)), tokenizer


@cache
def encoder_decoder() -> tuple[Any, PreTrainedTokenizerFast]:
    tokenizer = metaspace()
    shape: dict[str, Any] = {
        "hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32,
        "max_position_embeddings": 512, "vocab_size": len(tokenizer), "pad_token_id": 0,
    }  # fmt: skip
    encoder: Any = BertModel
    decoder: Any = BertLMHeadModel
    both: Any = EncoderDecoderModel
    model = both(
        encoder=encoder(BertConfig(**shape)),
        decoder=decoder(BertConfig(**shape, is_decoder=True, add_cross_attention=True)),
    )
    model.config.decoder_start_token_id = 1
    model.config.pad_token_id = 0
    model.config.eos_token_id = 2
    model.generation_config.decoder_start_token_id = 1
    model.generation_config.pad_token_id = 0
    model.generation_config.eos_token_id = 2
    model.generation_config.bos_token_id = 1
    return with_spread_logits(model), tokenizer


FAMILIES = {"m2m100": m2m100, "phi3": phi3, "encoder_decoder": encoder_decoder}


def prompt(number: int = 0) -> dict[str, torch.Tensor]:
    ids = torch.tensor([[5 + number, 7, 9 + number, 2]])
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}

"""What each token of a vocabulary writes, as bytes, for every family of tokenizer.

Byte-level BPE, SentencePiece with or without byte fallback, Metaspace BPE, WordPiece and BPE with an end-of-word mark
differ in how a token shows a space and a byte; after this module a token is just the bytes it adds to the text, or
None where it adds none (special tokens). Knows tokenizers, no metres.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from workbench.refusal import Refusal

METASPACE = "▁"
_BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2})>")


class TokenizerError(Refusal):
    """The tokenizer cannot write Sanskrit, or is of a family we do not know; the message says which."""


@dataclass(frozen=True)
class Vocabulary:
    tokens: tuple[bytes | None, ...]  # what each token id writes
    not_first: frozenset[int]  # tokens that a decoder writes otherwise at the beginning of a text

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(repr((self.tokens, sorted(self.not_first))).encode()).hexdigest()

    def text(self, tokens: Iterable[int]) -> str:
        """What a sequence of tokens writes, a letter cut at its end left out."""
        return b"".join(self.tokens[token] or b"" for token in tokens if token < len(self.tokens)).decode(
            errors="ignore"
        )


def vocabulary(tokenizer: Any) -> Vocabulary:
    """What every token id from 0 to len(tokenizer) - 1 writes."""
    size = len(tokenizer)
    tokens: list[str | None] = tokenizer.convert_ids_to_tokens(list(range(size)))
    added = {int(index): token for index, token in getattr(tokenizer, "added_tokens_decoder", {}).items()}
    special = set(tokenizer.all_special_ids)
    spell = _spelling(tokenizer)
    written: list[bytes | None] = []
    for index, token in enumerate(tokens):
        if token is None or index in special or (index in added and added[index].special):
            written.append(None)
        elif index in added:
            written.append(added[index].content.encode() or None)  # an added token stands for itself, marks and all
        else:
            written.append(spell(token) or None)
    return Vocabulary(tuple(written), frozenset(_not_first(tokenizer, tokens, written)))


def _not_first(tokenizer: Any, tokens: list[str | None], written: list[bytes | None]) -> Iterator[int]:
    """WordPiece writes its `##` out at the beginning of a text; Metaspace drops every space of the first token."""
    kinds = _decoder_kinds(tokenizer)
    for index, token in enumerate(tokens):
        if token is None or written[index] is None:
            continue
        goes_on = "WordPiece" in kinds and token.startswith(kinds["WordPiece"].get("prefix", "##"))
        if goes_on or ("Metaspace" in kinds and METASPACE in token[1:]):
            yield index


def _spelling(tokenizer: Any) -> Any:
    kinds = _decoder_kinds(tokenizer)
    if "ByteLevel" in kinds:
        return _byte_level
    if "WordPiece" in kinds:
        prefix = kinds["WordPiece"].get("prefix", "##")
        return lambda token: token.removeprefix(prefix).encode() if token.startswith(prefix) else f" {token}".encode()
    if "BPEDecoder" in kinds:
        suffix = kinds["BPEDecoder"].get("suffix", "</w>")
        return lambda token: f"{token.removesuffix(suffix)} ".encode() if token.endswith(suffix) else token.encode()
    if "Metaspace" in kinds or "Replace" in kinds or not kinds:
        return _metaspace
    raise TokenizerError(
        "Expected a tokenizer that decodes by ByteLevel, Metaspace, WordPiece or BPEDecoder; "
        f"got {', '.join(kinds)} ({type(tokenizer).__name__})."
    )


def _decoder_kinds(tokenizer: Any) -> dict[str, dict[str, Any]]:
    """The steps of a fast tokenizer's decoder by type; none for a tokenizer in Python, which is SentencePiece's."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None or not hasattr(backend, "to_str"):
        return {}
    decoder = json.loads(backend.to_str()).get("decoder") or {}
    steps = decoder.get("decoders", [decoder]) if decoder else []
    return {step["type"]: step for step in steps if step}


def _metaspace(token: str) -> bytes:
    if match := _BYTE_TOKEN.fullmatch(token):
        return bytes([int(match[1], 16)])
    return token.replace(METASPACE, " ").encode()


@cache
def byte_of_character() -> dict[str, int]:
    """GPT-2's printable stand-ins for the 256 bytes: printable Latin-1 for itself, the others from U+0100 on."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in plain]
    return {chr(byte): byte for byte in plain} | {chr(256 + at): byte for at, byte in enumerate(others)}


def _byte_level(token: str) -> bytes:
    table = byte_of_character()
    try:
        return bytes(table[character] for character in token)
    except KeyError:  # not spelled in stand-ins: a token that was put into the vocabulary as plain text
        return token.encode()

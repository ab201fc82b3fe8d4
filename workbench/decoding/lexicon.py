"""The token table: from each state of a metre's automaton, which tokens live and where each leads.

Tokens that do the same (same classes of bytes in the same order) share one entry, so a vocabulary of 100,000 shrinks
to some thousand entries, kept as a trie. A state's row is one pass over the trie, made when the state is first met and
kept for all beams, requests and threads. A metre's table is kept on disk too; that of a metre with wishes in memory
only, its trie telling all letters apart, so that it is the same for all wishes. Knows bytes and states, not models,
scores or β.
"""

from __future__ import annotations

import hashlib
import os
import threading
import weakref
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.decoding.vocabulary import TokenizerError, Vocabulary, vocabulary
from workbench.prosody.automaton import DEAD, LETTERS, Automaton, compile_metre
from workbench.prosody.metres import Metre

Ints = npt.NDArray[np.int32]

FORMAT = 2  # of the files on disk
NO_ENTRY = 0  # the entry of tokens that live in no state
KEPT = 8  # token tables of metres with wishes, at once
MOST_WISHED = 8  # tokens that write what wishes ask for, looked at in every step whatever the model thinks of them
AT_ONCE = 512  # states whose rows are made together, where all are looked at


class Lexicon:
    """What every token of one vocabulary does to every state of one automaton."""

    def __init__(
        self, words: Vocabulary, automaton: Automaton, cache: Path | None = None, trie: LetterTrie | None = None
    ) -> None:
        self.automaton = automaton
        self.vocabulary = words
        self.size = len(words.tokens)
        self._lock = threading.Lock()
        # Bytes that no state tells apart are one class; class 0 is dead from every state.
        columns, self._class_of_byte = (trie.columns, trie.class_of_byte) if trie else _byte_classes(automaton.delta)
        self._delta = np.ascontiguousarray(automaton.delta[:, columns]).astype(np.int32)
        self._trie = trie
        # Where there is one way to go on, which only a wish can bring about.
        self._no_choice = ((self._delta != DEAD).sum(axis=1) == 1) & ~automaton.accepting
        stored = _load(cache)
        if stored is None:
            stored = dict(trie.stored) if trie else _build_trie(words.tokens, self._class_of_byte)
            stored["alive"] = np.ones(len(automaton), bool)
            self._take(stored)
            if not self._has_single_letters(words.tokens):
                stored["alive"] = self._reach_ends()
            _store(cache, stored)
        self._take(stored)
        self._first_entries = self.entry_of_token.copy()
        self._first_entries[list(words.not_first)] = NO_ENTRY
        if not self._alive[automaton.start]:
            raise TokenizerError(
                f"Expected a vocabulary that can write {automaton.metre.name} in {automaton.script}; "
                f"of its {self.size:,} tokens {self.count_usable():,} have letters of it, too few for a verse."
            )

    def _take(self, stored: dict[str, npt.NDArray[Any]]) -> None:
        self.entry_of_token: Ints = stored["entry_of_token"]
        self._levels = [(stored[f"parent{n}"], stored[f"class{n}"]) for n in range(int(stored["depth"]))]
        self._ends: Ints = stored["ends"]
        self._alive: npt.NDArray[np.bool_] = stored["alive"]
        # All rows in one array, so that many are read at once; it grows as states are met. The first is the dead one's.
        states = len(self.automaton)
        self._table = np.zeros((min(states, 64), len(self._ends)), np.int16 if states < 2**15 else np.int32)
        self._slot = np.zeros(states, np.int32)  # where a state's row is; 0 where there is none yet
        self._used = 1
        self._wished: dict[int, tuple[npt.NDArray[np.int64], bool]] = {}
        self._rests: dict[int, tuple[bytes, float]] = {}

    def row(self, state: int) -> npt.NDArray[np.signedinteger[Any]]:
        """For each entry, the state it leads to from this one, DEAD where it breaks the metre."""
        table, (slot,) = self.rows(np.array([state]))
        row: npt.NDArray[np.signedinteger[Any]] = table[slot]
        return row

    def rows(self, states: npt.NDArray[Any]) -> tuple[npt.NDArray[np.signedinteger[Any]], Ints]:
        """The table, with the rows of these states made, and where in it they are. Rows are made once and never change
        after."""
        for state in {*states[self._slot[states] == 0].tolist()} - {DEAD}:
            with self._lock:
                if not self._slot[state]:
                    self._make_row(state)
        return self._table, self._slot[states]

    def _make_row(self, state: int) -> None:
        if self._used == len(self._table):
            self._table = np.concatenate([self._table, np.zeros_like(self._table)])
        row = self._compute(np.array([state], np.int32))[0]
        if self._trie and state != self.automaton.start:
            self._leave_one_way(row, self._trie)
        self._table[self._used] = row
        self._slot[state] = self._used
        self._used += 1

    def wished_tokens(self, state: int) -> tuple[npt.NDArray[np.int64], bool]:
        """The tokens that write the most of what wishes ask for, in a state, and whether there are no others."""
        if state not in self._wished:
            due = self.automaton.due
            found: npt.NDArray[np.int64] = np.zeros(0, np.int64)
            only = bool(self._no_choice[state])
            if due is not None and due[state]:
                targets = self.row(state)[self.entries(self.size, state)]
                gain = np.where(targets == DEAD, -1, due[state] - due[targets])
                found = np.flatnonzero(gain >= 0 if only else gain > 0)
                found = found[np.argsort(-gain[found], kind="stable")[: None if only else MOST_WISHED]]
            self._wished[state] = found, only and len(found) > 0
        return self._wished[state]

    def _leave_one_way(self, row: Ints, trie: LetterTrie) -> None:
        """A text that is given would be written in as many ways as tokens divide it, and beams be filled with one
        verse. Of tokens that go into it, one further than the other, that one lives from which the fewest more are
        needed; of equals the shortest, as tokenizers mostly have it."""
        ways: dict[bytes, list[tuple[float, int, int]]] = {}
        for entry in np.flatnonzero(self._no_choice[row]).tolist():
            rest, tokens = self._rest(int(row[entry]), trie)
            ways.setdefault(trie.texts[entry] + rest, []).append((tokens, len(trie.texts[entry]), entry))
        for whole, parts in ways.items():
            entry = trie.entry_of_text.get(whole, NO_ENTRY)
            every = [*parts, (0, len(whole), entry)] if row[entry] != DEAD else parts
            tokens, _, best = min(every)
            if tokens < np.inf:
                row[[entry for *_, entry in every if entry != best]] = DEAD

    def _rest(self, state: int, trie: LetterTrie) -> tuple[bytes, float]:
        """What follows a state without a choice, and the fewest tokens that write it."""
        if state not in self._rests:
            path, text = [state], b""
            while self._no_choice[path[-1]]:
                (letter,) = np.flatnonzero(self._delta[path[-1]])
                text += bytes([trie.columns[letter]])
                path.append(int(self._delta[path[-1], letter]))
            fewest = [0.0] * (len(text) + 1)
            for at in range(len(text) - 1, -1, -1):
                ends = range(at + 1, min(len(text), at + trie.longest) + 1)
                fewest[at] = 1 + min(
                    (fewest[end] for end in ends if text[at:end] in trie.entry_of_text), default=np.inf
                )
                self._rests[path[at]] = text[at:], fewest[at]
        return self._rests[state]

    def _compute(self, states: Ints) -> Ints:
        nodes = [states[:, None]]
        for parents, classes in self._levels:
            nodes.append(self._delta[nodes[-1][:, parents], classes])
        reached = np.concatenate([np.zeros((len(states), 1), np.int32), *nodes[1:]], axis=1)[:, self._ends]
        return np.where(self._alive[reached], reached, DEAD).astype(np.int32)

    def next_state(self, state: int, token: int) -> int:
        """Where one token leads; DEAD when it breaks the metre or is no token of the vocabulary."""
        if not 0 <= token < self.size or state == DEAD:
            return DEAD
        entries = self._first_entries if state == self.automaton.start else self.entry_of_token
        return int(self.row(state)[entries[token]])

    def entries(self, size: int, state: int) -> Ints:
        """The entry of each token in a state, for a model whose vocabulary is padded to `size`."""
        entries = self._first_entries if state == self.automaton.start else self.entry_of_token
        if size <= self.size:
            return entries[:size]
        return np.concatenate([entries, np.full(size - self.size, NO_ENTRY, np.int32)])

    def count_usable(self) -> int:
        return int((self.entry_of_token != NO_ENTRY).sum())

    @property
    def memory(self) -> int:
        """Bytes held: trie, entries and the rows made so far."""
        trie = sum(parents.nbytes + classes.nbytes for parents, classes in self._levels)
        rows = self._used * self._table.shape[1] * self._table.itemsize
        return int(trie + rows + self._ends.nbytes + self.entry_of_token.nbytes + self._delta.nbytes)

    def _has_single_letters(self, tokens: Sequence[bytes | None]) -> bool:
        """Whether tokens of one letter or one byte are enough to finish every prefix: then all tokens are, and the
        search over the whole table can be spared."""
        known = {token for token in tokens if token is not None}
        letters = [letter.encode() for letter in self.automaton.column]
        single = [letter for letter in letters if letter in known] + [token for token in known if len(token) == 1]
        everywhere = np.arange(len(self.automaton))
        targets = np.stack([self._run(letter, everywhere) for letter in single], axis=1) if single else None
        if targets is None:
            return False
        alive = self._ends_within(targets)
        if all(_is_whole(token) for token in known):
            # No token ends inside a letter, so the states there are never met.
            met = np.zeros(len(self.automaton), bool)
            met[self.automaton.start] = True
            following = np.stack([self._run(letter, everywhere) for letter in letters], axis=1)
            for state in range(len(self.automaton) - 1, 0, -1):
                if met[state]:
                    met[following[state]] = True
            met[DEAD] = False
        else:
            met = everywhere != DEAD
        return bool(alive[met].all())

    def _run(self, letter: bytes, states: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        reached = states.astype(np.int32)
        for byte in letter:
            reached = self._delta[reached, self._class_of_byte[byte]]
        return reached

    def _ends_within(self, targets: Ints) -> npt.NDArray[np.bool_]:
        """The states that reach an end by these edges. Every edge leads to a state of a lower number, so one pass
        upwards settles all."""
        alive = self.automaton.accepting.copy()
        for state in range(1, len(alive)):
            alive[state] |= bool(alive[targets[state]].any())
        alive[DEAD] = False
        return alive

    def _reach_ends(self) -> npt.NDArray[np.bool_]:
        """The states from which tokens, not only letters, can finish a verse: by search over the whole table."""
        states = len(self.automaton)
        alive = self.automaton.accepting.copy()
        for low in range(1, states, AT_ONCE):
            targets = self._compute(np.arange(low, min(low + AT_ONCE, states), dtype=np.int32))
            for state, row in enumerate(targets, start=low):
                alive[state] |= bool(alive[row].any())
            alive[DEAD] = False
        return alive


def _is_whole(token: bytes) -> bool:
    try:
        token.decode()
    except UnicodeDecodeError:
        return False
    return True


def _byte_classes(delta: npt.NDArray[np.int32]) -> tuple[list[int], npt.NDArray[np.uint8]]:
    """One byte for each class of bytes that act alike, the dead ones first, and the class of each byte."""
    _, first, inverse = np.unique(delta, axis=1, return_index=True, return_inverse=True)
    dead = next(at for at, column in enumerate(first) if not delta[:, column].any())
    order = [dead, *(at for at in range(len(first)) if at != dead)]
    rank = np.empty(len(order), np.uint8)
    rank[order] = np.arange(len(order))
    return [int(first[at]) for at in order], rank[inverse.reshape(-1)]


def _build_trie(tokens: Sequence[bytes | None], class_of_byte: npt.NDArray[np.uint8]) -> dict[str, npt.NDArray[Any]]:
    """Tokens as sequences of byte classes, sorted, so that equal ones and common beginnings stand together."""
    table = bytes(class_of_byte.tolist())
    spelled = [token.translate(table) if token else b"" for token in tokens]
    live = {sequence for sequence in spelled if sequence and 0 not in sequence}
    sequences = sorted(live)
    number = {sequence: at for at, sequence in enumerate(sequences, start=1)}
    stored: dict[str, npt.NDArray[Any]] = {
        "entry_of_token": np.array([number.get(sequence, NO_ENTRY) for sequence in spelled], np.int32)
    }
    lengths = np.array([len(sequence) for sequence in sequences], np.int32)
    depth = int(lengths.max(initial=0))
    padded = np.zeros((len(sequences), depth), np.uint8)
    for length in np.unique(lengths):
        chosen = np.nonzero(lengths == length)[0]
        joined = b"".join(sequences[at] for at in chosen)
        padded[chosen, :length] = np.frombuffer(joined, np.uint8).reshape(len(chosen), length)
    # A node is a beginning shared by neighbours: it is new where the sequence differs from the one above up to there.
    differs = np.ones((len(sequences), depth), bool)
    if len(sequences) > 1:
        differs[1:] = np.logical_or.accumulate(padded[1:] != padded[:-1], axis=1)
    ends = np.zeros(len(sequences) + 1, np.int32)  # entry 0 ends at the node that is always dead
    above = np.zeros(len(sequences), np.int32)
    offset = 1
    for level in range(depth):
        has = lengths > level
        new = has & differs[:, level]
        here = np.cumsum(new).astype(np.int32) - 1
        stored[f"parent{level}"] = above[new]
        stored[f"class{level}"] = padded[new, level].astype(np.int32)
        final = lengths == level + 1
        ends[1:][final] = here[final] + offset
        offset += int(new.sum())
        above = here
    return {**stored, "ends": ends, "depth": np.array(depth)}


@dataclass(frozen=True)
class LetterTrie:
    """The tokens of a vocabulary, each byte of a script's letters a class of its own: right for every automaton."""

    columns: list[int]
    class_of_byte: npt.NDArray[np.uint8]
    stored: dict[str, npt.NDArray[Any]]
    texts: list[bytes]  # of the entries
    entry_of_text: dict[bytes, int]
    longest: int


# ---------------------------------------------------------------- made once, shared


def lexicon(tokenizer: Any, metre: Metre, script: str, max_cluster: int = 3, yati: str = "none") -> Lexicon:
    """The token table of a tokenizer, a metre and a script; made once in a process, and kept on disk between them."""
    return _shared(_Key(_vocabulary(tokenizer)), metre, script, max_cluster, yati)


def automaton_lexicon(tokenizer: Any, automaton: Automaton) -> Lexicon:
    """The token table of a tokenizer and any automaton over bytes, such as a metre's with wishes: in memory only, and
    what was not asked for longest goes first."""
    return _for_automaton(_Key(_vocabulary(tokenizer)), automaton)


_VOCABULARIES: weakref.WeakKeyDictionary[Any, tuple[int, Vocabulary]] = weakref.WeakKeyDictionary()


def _vocabulary(tokenizer: Any) -> Vocabulary:
    """A tokenizer's vocabulary, read once for each, and again when tokens were added."""
    known = _VOCABULARIES.get(tokenizer)
    if known is None or known[0] != len(tokenizer):
        known = _VOCABULARIES[tokenizer] = (len(tokenizer), vocabulary(tokenizer))
    return known[1]


class _Key:
    """A vocabulary by its hash, so that equal ones share a table and the tokens themselves are not compared."""

    def __init__(self, words: Vocabulary) -> None:
        self.words = words

    def __hash__(self) -> int:
        return hash(self.words.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.words.digest == other.words.digest


@lru_cache(maxsize=16)
def _shared(key: _Key, metre: Metre, script: str, max_cluster: int, yati: str) -> Lexicon:
    automaton = compile_metre(metre, script, "bytes", max_cluster, yati)
    pattern = repr((FORMAT, key.words.digest, [pada.forms for pada in metre.padas], script, max_cluster, yati))
    name = hashlib.sha256(pattern.encode()).hexdigest()[:24]
    return Lexicon(key.words, automaton, cache_folder() / f"{name}.npz")


@lru_cache(maxsize=KEPT)
def _for_automaton(key: _Key, automaton: Automaton) -> Lexicon:
    return Lexicon(key.words, automaton, trie=_letter_trie(key, automaton.script))


@lru_cache(maxsize=4)
def _letter_trie(key: _Key, script: str) -> LetterTrie:
    used = sorted({byte for letter in LETTERS[script] for byte in letter.encode()})
    class_of_byte = np.zeros(256, np.uint8)
    class_of_byte[used] = np.arange(1, len(used) + 1)
    dead = next(byte for byte in range(256) if byte not in used)
    stored = _build_trie(key.words.tokens, class_of_byte)
    entries = dict(zip(key.words.tokens, stored["entry_of_token"].tolist(), strict=True))
    entry_of_text = {text: entry for text, entry in entries.items() if text and entry != NO_ENTRY}
    texts = [b"", *sorted(entry_of_text, key=lambda text: entry_of_text[text])]
    return LetterTrie([dead, *used], class_of_byte, stored, texts, entry_of_text, max(map(len, texts)))


def cache_folder() -> Path:
    """Where token tables are kept: PINGALA_CACHE, or the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("PINGALA_CACHE") or Path(home) / "pingala-workbench")


def _load(path: Path | None) -> dict[str, npt.NDArray[Any]] | None:
    if path is None or not path.is_file():
        return None
    try:
        with path.open("rb") as file, np.load(file) as stored:
            return dict(stored)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):  # cut short by a crash: made anew
        return None


def _store(path: Path | None, stored: dict[str, npt.NDArray[Any]]) -> None:
    """Written beside and moved into place, so that another process never reads half a file. No disk, no cache."""
    if path is None:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}.npz")
        np.savez(beside, **stored)  # type: ignore[arg-type]
        beside.replace(path)
    except OSError:
        return

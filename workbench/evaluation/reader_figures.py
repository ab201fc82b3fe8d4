"""What the reader is worth: readings against English, the true prose found by support, words heard, lemmas, glosses.

Everything is taken on rows that no model has learnt from. Support is also taken on a generator's own verses: what holds
for verses from books need not hold for them.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from workbench.corpora.overlap import for_dev
from workbench.corpora.prepare import KEPT_WORDS, texts
from workbench.evaluation.semantic_tables import FIRST
from workbench.evaluation.wordnet import WordNet
from workbench.prosody.script import write
from workbench.prosody.verse import Verse, canonical
from workbench.semantics.judges import judges
from workbench.semantics.pieces import OLD
from workbench.semantics.reader import HEARD, NOT_HEARD, Reader, Thresholds

Tell = Callable[[str], None]
FindWords = Callable[[Sequence[str]], list[list[str]]]  # the lemmas of each of several texts
CROSSED_HEARD = 0.10  # of the content words of another row's prose that may count as heard, on dev
CROSSED_FAINTLY = 0.25
BATCH = 16


@dataclass(frozen=True)
class Pair:
    id: str
    english: str
    slp1: str


def as_pairs(rows: Iterable[Mapping[str, Any]]) -> list[Pair]:
    return [Pair(row["id"], row["en"], canonical(row["slp1"], "slp1")) for row in rows]


def crossed(pairs: Sequence[Pair], seed: int = 0) -> list[Pair]:
    """Every prose with another row's verse."""
    order = list(range(len(pairs)))
    random.Random(seed).shuffle(order)
    following = dict(zip(order, order[1:] + order[:1], strict=True))
    return [Pair(pair.id, pair.english, pairs[following[at]].slp1) for at, pair in enumerate(pairs)]


def spread(rows: Sequence[Any], most: int | None) -> list[Any]:
    """So many rows, from the whole of a file: its first are a few chapters of one work."""
    if not most or most >= len(rows):
        return list(rows)
    return [rows[at * len(rows) // most] for at in range(most)]


def printed(reader: Reader, pairs: Sequence[Pair], find_words: FindWords) -> Iterator[str]:
    """Rows with what the reader makes of them, good or bad, as Markdown."""
    for pair in pairs:
        read = reader.read(pair.slp1, find_words([pair.slp1])[0])
        words = ", ".join(f"*{write(word.lemma, 'iast')}* {word.gloss}" for word in read.words)
        yield f"\n**{pair.id}** {write(pair.slp1, 'iast')}"
        yield f"- the book: {pair.english}\n- the reader: {read.english}\n- its words: {words}"


def readings(reader: Reader, pairs: Sequence[Pair], tell: Tell, style: str = OLD) -> list[str]:
    """The likeliest reading of every verse, those of like length together."""
    found: dict[int, str] = {}
    order = sorted(range(len(pairs)), key=lambda at: len(pairs[at].slp1))
    for start in range(0, len(order), BATCH):
        tell(f"reading {start:,} of {len(order):,} verses")
        these = order[start : start + BATCH]
        said = reader.english([pairs[at].slp1 for at in these], style=style)
        found |= {at: each[0] for at, each in zip(these, said, strict=True)}
    return [found[at] for at in range(len(pairs))]


def likeness(said: Sequence[str], english: Sequence[str]) -> dict[str, Any]:
    """sacreBLEU and chrF with their signatures, and both against other rows' English."""
    others = [*english[1:], english[0]]
    bleu, chrf = BLEU(), CHRF()
    return {
        "bleu": bleu.corpus_score(list(said), [list(english)]).score,
        "chrf": chrf.corpus_score(list(said), [list(english)]).score,
        "bleu_of_others": bleu.corpus_score(list(said), [others]).score,
        "chrf_of_others": chrf.corpus_score(list(said), [others]).score,
        "signatures": [str(bleu.get_signature()), str(chrf.get_signature())],
    }


# ------------------------------------------------------------------------------------------ support


def gains(reader: Reader, pairs: Sequence[Pair], tell: Tell) -> Iterator[list[tuple[str, float]]]:
    """The content words of every prose, with what the verse beside it adds to each."""
    for number, pair in enumerate(pairs):
        tell(f"support: {number:,} of {len(pairs):,}")
        yield [(each.word, each.nats) for each in reader.support(pair.english, [pair.slp1])[0] if each.content]


def choose_thresholds(other: Sequence[list[tuple[str, float]]]) -> Thresholds:
    """The nats from which only so few words of a crossed prose count as heard, or faintly."""
    crossed_nats = sorted(nats for words in other for _, nats in words)

    def above(share: float) -> float:
        return crossed_nats[min(len(crossed_nats) - 1, int(len(crossed_nats) * (1 - share)))]

    return Thresholds(round(above(CROSSED_HEARD), 3), round(above(CROSSED_FAINTLY), 3))


def modern_sentences(prepared: Path, source: str = "saamayik") -> list[str]:
    """The English of the modern sentences that were kept from the reader."""
    return [text.english for text in texts(prepared, source) if for_dev(text.slp1)]


def heard(found: Sequence[list[tuple[str, float]]], thresholds: Thresholds) -> dict[str, float]:
    """Shares of content words, in per cent."""
    names = Counter(thresholds.name(nats) for words in found for _, nats in words)
    return {name: 100 * number / max(1, names.total()) for name, number in sorted(names.items())}


def support(reader: Reader, pairs: Sequence[Pair], thresholds: Thresholds, tell: Tell) -> dict[str, Any]:
    """What is heard of the own prose and of a crossed one."""
    return {
        "own": heard(list(gains(reader, pairs, tell)), thresholds),
        "crossed": heard(list(gains(reader, crossed(pairs), tell)), thresholds),
        "pairs": len(pairs),
    }


def found_among(reader: Reader, pairs: Sequence[Pair], rivals: Sequence[Sequence[int]], tell: Tell) -> float:
    """How often, for a verse, its own prose has more support than each of the rivals' (numbers of rows)."""
    without_verse = [float(reader.log_probs([pair.english], [""])[0].sum()) for pair in pairs]
    hits = 0
    for row, others in enumerate(rivals):
        tell(f"the true prose: {row:,} of {len(pairs):,}")
        numbers = [row, *(other for other in others if other != row)]
        said = reader.log_probs([pairs[n].english for n in numbers], [pairs[row].slp1] * len(numbers))
        scores = [float(each.sum()) - without_verse[n] for n, each in zip(numbers, said, strict=True)]
        hits += row in others and scores[0] > max(scores[1:], default=-1e9)
    return hits / max(1, len(pairs))


def drawn_rivals(rows: int, among: int, seed: int = 0) -> list[list[int]]:
    chance = random.Random(seed)
    found = []
    for row in range(rows):
        others = chance.sample(range(rows - 1), among - 1)
        found.append([row, *(other + (other >= row) for other in others)])
    return found


def nearest_rivals(pairs: Sequence[Pair], most: int = FIRST) -> list[list[int]]:
    """For every verse the proses that the bi-encoder finds nearest to it."""
    finder: Any = judges().judge("bi")
    verses = [Verse.from_slp1(pair.slp1) for pair in pairs]
    similarity = finder.similarity([pair.english for pair in pairs], verses)
    return [row.tolist() for row in similarity.T.topk(min(most, len(pairs)), dim=1).indices]


# ------------------------------------------------------------------------------------------ words


def lemma_scores(find_words: FindWords, prepared: Path, tell: Tell, most: int | None = None) -> dict[str, Any]:
    """Precision, recall and F1 of lemmas, counted as often as they occur, on the works that are kept out."""
    kept = spread([text for text in texts(prepared, "dcs.kept_out") if text.lemmas], most)
    right = said = true = 0
    by_work: dict[str, list[int]] = {}
    for start in range(0, len(kept), BATCH):
        tell(f"lemmas of {start:,} of {len(kept):,} verses")
        these = kept[start : start + BATCH]
        for text, lemmas in zip(these, find_words([text.slp1 for text in these]), strict=True):
            both = (Counter(lemmas) & Counter(text.lemmas)).total()
            counted = by_work.setdefault(text.work, [0, 0, 0])
            for at, number in enumerate((both, len(lemmas), len(text.lemmas))):
                counted[at] += number
    right, said, true = (sum(counted[at] for counted in by_work.values()) for at in range(3))
    return {
        "verses": len(kept), "precision": right / max(1, said), "recall": right / max(1, true),
        "f1": 2 * right / max(1, said + true),
        "f1_by_work": {work: 2 * a / max(1, b + c) for work, (a, b, c) in sorted(by_work.items())},
    }  # fmt: skip


def gloss_scores(reader: Reader, prepared: Path, wordnet: WordNet | None, tell: Tell) -> dict[str, Any]:
    """How often the first meaning, or one of five, is right, for words that are kept out of training. Right is a word
    that a dictionary has for it, or one that shares a synset of WordNet with such a word."""
    kept: Mapping[str, list[str]] = json.loads((prepared / KEPT_WORDS).read_text(encoding="utf-8"))
    words = sorted(kept)
    first = five = exact_first = 0
    for start in range(0, len(words), BATCH):
        tell(f"glosses of {start:,} of {len(words):,} words")
        these = words[start : start + BATCH]
        for word, meanings in zip(these, reader.meanings(these, 5), strict=True):
            right = [_means(meaning, kept[word], wordnet) for meaning in meanings]
            exact_first += bool(meanings) and _means(meanings[0], kept[word], None)
            first += bool(right) and right[0]
            five += any(right)
    return {
        "words": len(words), "first": first / max(1, len(words)), "among_five": five / max(1, len(words)),
        "first_exact": exact_first / max(1, len(words)), "wordnet": wordnet.identity if wordnet else None,
    }  # fmt: skip


_LITTLE = frozenset(re.split(" ", "a an the to of be is in on at by with from for who which that one's ones his its"))


def _heads(meaning: str) -> set[str]:
    """A meaning as it stands, and without its little words."""
    words = [word.strip(".,;()'") for word in meaning.lower().replace("-", " ").split()]
    return {" ".join(words), " ".join(word for word in words if word not in _LITTLE)} - {""}


def _means(said: str, known: Sequence[str], wordnet: WordNet | None) -> bool:
    heads = _heads(said)
    right = {head for meaning in known for head in _heads(meaning)}
    if heads & right:
        return True
    return wordnet is not None and any(wordnet.share(one, other) for one in heads for other in right)


def as_json(thresholds: Thresholds) -> dict[str, float | None]:
    return asdict(thresholds)


__all__ = [
    "HEARD", "NOT_HEARD", "Pair", "as_json", "choose_thresholds", "crossed", "drawn_rivals", "found_among", "gains",
    "gloss_scores", "heard", "lemma_scores", "likeness", "modern_sentences", "nearest_rivals", "printed", "readings",
    "spread", "support",
]  # fmt: skip

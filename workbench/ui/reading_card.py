"""What a verse says, as the page shows it: the machine's reading, the words with their meaning, the prose with what is
heard of it. Makes data from what the composer gave, and has the template that places it. Never part of the Rate tab:
raters must not be led."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import lru_cache
from itertools import islice
from typing import Any

from workbench import composer
from workbench.ui import strings
from workbench.ui.refusing import for_programs, sentence_for

RECENT = 32  # texts whose readings are kept
_RECENT: dict[str, tuple[composer.VerseReading, ...]] = {}
NO_READING: dict[str, Any] = {"verses": [], "error": "", "waiting": "", "several": False}
WAITING: dict[str, Any] = {**NO_READING, "waiting": strings.READING_WAITS}
CLASSES = {"heard": "heard", "faintly": "faintly", "not heard": "unheard"}
MOST_MISSED = 6
# What is heard faintly is as likely with the verse as without it, or a little less; to call that less likely misleads.
LEAST_NATS = math.log(1.7)
MOST_NATS = math.log(1_000_000)  # how many times likelier than this tells nobody more


def _word(each: dict[str, Any]) -> dict[str, Any]:
    if not each["content"]:
        return {"word": each["word"], "class": "little", "said": "", "figure": ""}
    heard = each["heard"]
    figure = _likelier(each["nats"]).format(heard=heard)
    return {"word": each["word"], "class": CLASSES[heard], "said": strings.HEARD_WORDS[heard], "figure": figure}


def _likelier(nats: float) -> str:
    """How many times likelier, or less likely, so many nats are: two figures of it, more than a reader knows."""
    if abs(nats) > MOST_NATS:
        times = strings.MOST_TIMES
    elif abs(nats) < LEAST_NATS:
        return strings.NO_LIKELIER.replace("{times}", f"{math.exp(nats):.1f}")
    else:
        factor = math.exp(abs(nats))
        times = f"{factor:.1f}".removesuffix(".0") if factor < 10 else f"{float(f'{factor:.1e}'):,.0f}"
    return (strings.LIKELIER if nats > 0 else strings.LESS_LIKELY).replace("{times}", times)


def prose_data(support: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The prose word by word, and the words of it that the verse does not bear out, in a sentence."""
    content = [each for each in support if each["content"]]
    missed = sorted((each for each in content if each["heard"] == "not heard"), key=lambda each: float(each["nats"]))
    names = list(dict.fromkeys(each["word"].strip(".,;:!?\"'()") for each in missed))
    heard = sum(each["heard"] == "heard" for each in content)
    return {
        "words": [_word(each) for each in support],
        "missed": strings.NOT_HEARD.format(words=", ".join(names[:MOST_MISSED])) if names else "",
        "count": strings.HEARD_COUNT.format(heard=heard, of=len(content)) if content else "",
    }


def verse_data(read: dict[str, Any], support: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    """A reading, as the composer gives it for programs, and what of the prose is heard."""
    words = {word["slp1"]: {"lemma": word["lemma"], "gloss": ", ".join(word["meanings"][:2])} for word in read["words"]}
    return {
        "text": read["text"],
        "english": read["english"],
        "words": list(words.values()),
        "notes": read["notes"],
        "prose": prose_data(support) if support else None,
        "reader": read["reader"],
    }


def read_before(stored: dict[str, Any] | None, to: str) -> dict[str, Any]:
    """A reading that is stored with an example (workbench/examples.py), in this script; asks no model."""
    if not stored:
        return NO_READING
    words = [{**word, "lemma": composer.write(word["slp1"], to)} for word in stored["words"]]
    read = {**stored, "text": composer.write(stored["slp1"], to), "words": words}
    return _picture([verse_data(read, stored["support"])])


def readings(text: str, script: str, to: str, prose: str = "") -> Iterator[dict[str, Any]]:
    """The verses of a text, one more in every picture; the last picture has all, or a sentence."""
    if not text.strip():
        yield NO_READING
        return
    yield WAITING
    if not composer.reader_at_hand():
        yield {**NO_READING, "error": strings.NO_READER}
        return
    shown: list[dict[str, Any]] = []
    try:
        for reading in _read(text, script):
            shown.append(verse_data(reading.as_json(to), _support(prose, reading.slp1) if prose else ()))
            yield _picture(shown, waiting=strings.READ_SO_FAR.format(count=len(shown)))
    except Exception as error:  # a reading that fails never takes the verse away
        yield _picture(shown, error=sentence_for(error, "reading"))
        return
    yield _picture(shown)


def _picture(verses: list[dict[str, Any]], **said: str) -> dict[str, Any]:
    return {**NO_READING, "verses": list(verses), "several": len(verses) > 1, **said}


def _read(text: str, script: str) -> Iterator[composer.VerseReading]:
    """As composer.read; a verse that is only shown in another script is not read again."""
    if text not in _RECENT:
        found = []
        for reading in composer.read(text, script):
            found.append(reading)
            yield reading
        _RECENT[text] = tuple(found)
        while len(_RECENT) > RECENT:
            del _RECENT[next(iter(_RECENT))]
        return
    yield from _RECENT[text]


@lru_cache(maxsize=64)
def _support(prose: str, slp1: str) -> tuple[dict[str, Any], ...]:
    return tuple(map(asdict, composer.support(prose, [slp1])[0]))


MOST_AT_ONCE = 50  # verses that a program gets in one answer


@for_programs
def read_api(text: str, script: str = "auto", to: str = "devanagari", prose: str = "") -> list[dict[str, Any]]:
    """Say in English what Sanskrit verses say, with their words and the meaning of each. A machine's reading.

    Args:
        text: One or more verses in any Indian script or romanisation; a line break, । or / ends a half-verse.
        script: The script of the text, or auto.
        to: The script the words are written in.
        prose: English prose, to be told which of its words are heard in each verse; or nothing.

    Returns:
        One object a verse: english, alternatives, words with lemma and gloss, notes, and support where prose was given.
    """
    if to not in composer.SCRIPTS:
        raise composer.SettingsError(f"Expected to write in one of {', '.join(composer.SCRIPTS)}; got {to!r}.")
    answers = []
    for reading in islice(composer.read(text, script), MOST_AT_ONCE):
        support = composer.support(prose, [reading.slp1])[0] if prose.strip() else ()
        heard = [{"word": each.word, "nats": round(each.nats, 3), "heard": each.heard} for each in support]
        answers.append({**reading.as_json(to), **({"support": heard} if heard else {})})
    return answers

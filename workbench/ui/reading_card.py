"""What a verse says, as the page shows it: the machine's reading, the words with their meaning, the prose with what is
heard of it. Makes data from what the composer gave, and has the template that places it. Never part of the Rate tab:
raters must not be led."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def _word(each: composer.Support) -> dict[str, Any]:
    if not each.content:
        return {"word": each.word, "class": "little", "said": "", "figure": ""}
    figure = f"{each.nats:+.1f}".replace("-", "−")
    said = strings.HEARD_WORDS[each.heard]
    return {"word": each.word, "class": CLASSES[each.heard], "said": said, "figure": f"{said}: {figure} nats"}


def prose_data(support: Sequence[composer.Support]) -> dict[str, Any]:
    """The prose word by word, and the words of it that the verse does not bear out, in a sentence."""
    content = [each for each in support if each.content]
    missed = sorted((each for each in content if each.heard == "not heard"), key=lambda each: each.nats)
    names = list(dict.fromkeys(each.word.strip(".,;:!?\"'()") for each in missed))
    heard = sum(each.heard == "heard" for each in content)
    return {
        "words": [_word(each) for each in support],
        "missed": strings.NOT_HEARD.format(words=", ".join(names[:MOST_MISSED])) if names else "",
        "count": strings.HEARD_COUNT.format(heard=heard, of=len(content)) if content else "",
    }


def verse_data(reading: composer.VerseReading, to: str, support: Sequence[composer.Support] = ()) -> dict[str, Any]:
    read = reading.as_json(to)
    words = {word["slp1"]: {"lemma": word["lemma"], "gloss": ", ".join(word["meanings"][:2])} for word in read["words"]}
    return {
        "text": read["text"],
        "english": read["english"],
        "words": list(words.values()),
        "notes": read["notes"],
        "prose": prose_data(support) if support else None,
        "reader": read["reader"],
    }


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
            shown.append(verse_data(reading, to, _support(prose, reading.slp1) if prose else ()))
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
def _support(prose: str, slp1: str) -> tuple[composer.Support, ...]:
    return composer.support(prose, [slp1])[0]


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

"""A composition as the Compose tab shows it: the verse with its grid, its meaning, the table of candidates.

Makes data from what the composer gave, for any script, and has the templates that place it. Knows no models.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from workbench import composer
from workbench.composer import Verse
from workbench.ui import strings
from workbench.ui.grid import verse_data

# From which calibrated score on a verse is called so; the register says it of a judge's own.
CALIBRATED_FAITHFUL, CALIBRATED_PARTLY = 3.5, 2.5

NO_VERSE: dict[str, Any] = {"verse": None, "notes": [], "error": "", "empty": strings.COMPOSE_EMPTY}
NO_CANDIDATES: dict[str, Any] = {"rows": [], "title": "", "meaning": ""}
NO_SCORE: dict[str, Any] = {"word": "", "sentence": "", "share": 0, "figure": "", "odds": ""}
SUREST = 1 - 1e-12  # beyond it, double precision has no odds


def sentence(error: str) -> dict[str, Any]:
    return {**NO_VERSE, "error": error, "empty": ""}


def chosen_verse(composition: dict[str, Any], verses: Sequence[Verse], at: int, to: str) -> dict[str, Any]:
    """The card of one candidate."""
    if not composition["candidates"]:
        return {**NO_VERSE, "empty": "", "error": strings.NO_BEAM_ENDED, "notes": composition["notes"]}
    candidate, scan = composition["candidates"][at], composer.Scan.of(verses[at])
    lines = _lines(verses[at], to)
    seconds = sum(composition["timings"].get(name, 0.0) for name in ("composing", "weighing"))
    return {
        "verse": {
            "lines": lines,
            "copy": "\n".join(lines),
            "metre": composition["metre"],
            "full": candidate["full"],
            "state": strings.FULL_METRE if candidate["full"] else strings.NOT_FULL,
            "rank": "" if at == 0 else strings.RANK_SHOWN.format(rank=at + 1),
            "seconds": strings.SECONDS.format(seconds=seconds),
            "why": candidate["why"],
            "wishes": [wish["sentence"] for wish in composition.get("wishes", ())],
            "signature": composition["signature"],
            "grid": verse_data(scan, to) if scan else None,
        },
        "notes": [note for note in composition["notes"] if note != composer.NO_JUDGE],
        "error": "",
        "empty": "",
    }


def grid(slp1: str, metre: str, to: str) -> dict[str, Any] | None:
    """The akṣara grid of a verse, or None for what cannot be read as one."""
    try:
        scans = composer.scan(slp1, "slp1", metre)
    except composer.ReadingError:
        return None
    return verse_data(scans[0], to) if len(scans) == 1 else None


def _lines(verse: Verse, to: str) -> list[str]:
    return verse.lines(to, dandas=len(verse.halves) == 2)


def _held(line: str) -> str:
    """A line whose daṇḍa never stands alone on the next one."""
    words, space, mark = line.rpartition(" ")
    return f"{words}\N{NO-BREAK SPACE}{mark}" if space else line


def meaning(candidate: dict[str, Any]) -> dict[str, Any]:
    """The semantic score with its bar, its word, and what it means."""
    scores = candidate["meaning"]
    if scores is None:
        return {**NO_SCORE, "sentence": composer.NO_JUDGE}
    judge = composer.ranker()
    score, calibrated = scores[judge.name], scores["calibrated"]
    if calibrated is None:
        share, figure, sentence = score, f"{score:.2f}", judge.says
        word, odds = _word(score, judge.faithful, judge.partly), _odds(score)
    else:
        share, figure = (calibrated - 1) / 4, strings.OF_FIVE.format(score=calibrated)
        sentence = strings.CALIBRATED.format(judge=judge.title)
        word, odds = _word(calibrated, CALIBRATED_FAITHFUL, CALIBRATED_PARTLY), ""
    return {"word": word, "figure": figure, "share": round(100 * share), "sentence": sentence, "odds": odds}


def _odds(probability: float) -> str:
    """Log-odds: among verses that are all likely, they differ where two decimals do not."""
    held = min(SUREST, max(1 - SUREST, probability))
    return f"{math.log(held / (1 - held)):+.1f}".replace("-", "−")


def _word(score: float, faithful: float, partly: float) -> str:
    return strings.FAITHFUL if score >= faithful else strings.PARTLY if score >= partly else strings.NOT_FAITHFUL


def table(composition: dict[str, Any], verses: Sequence[Verse], at: int, to: str) -> dict[str, Any]:
    """Every candidate in a row, the chosen one marked."""
    rows = []
    for number, candidate in enumerate(composition["candidates"]):
        said = meaning(candidate)
        done = len(candidate["milestones"])
        lines = _lines(verses[number], to)
        rows.append(
            {
                "rank": number + 1,
                "text": " ".join(lines),
                "lines": [_held(line) for line in lines],
                "full": candidate["full"],
                "mark": "✓" if candidate["full"] else "✗",
                "verdict": strings.FULL_METRE if candidate["full"] else strings.NOT_FULL,
                "forms": " · ".join(pada["form"] for pada in candidate["padas"] if pada["form"]),
                "meaning": said["figure"] or "–",
                "odds": said["odds"],
                "share": said["share"],
                "word": said["word"],
                "log_p": f"{candidate['log_prob']:.1f}".replace("-", "−"),
                "dots": "●" * done + "○" * (4 - done),
                "milestones": strings.MILESTONES.format(
                    steps=", ".join(str(milestone["step"]) for milestone in candidate["milestones"]) or "–"
                ),
                "chosen": number == at,
            }
        )
    title = strings.CANDIDATES.format(count=len(rows)) if rows else ""
    return {"rows": rows, "title": title, "meaning": strings.MEANING_COLUMN}


# A click anywhere in a row, or Enter on its button, shows that candidate.
PICK = """
element.addEventListener('click', (event) => {
  const row = event.target.closest('tr[data-at]');
  if (row) trigger('select', {index: Number(row.dataset.at)});
});
"""

"""The akṣara grid: verses as data for the page, and the template that draws them.

The data is made here, tested without a browser; the template only places it. Handlebars escapes what it places.
"""

from __future__ import annotations

from typing import Any

from workbench import composer
from workbench.ui import strings

WIDE = 13  # from so many syllables a pāda on, tiles are small; from WIDEST on, smaller
WIDEST = 20
LONG, LONGEST = 4, 6  # letters and signs, from which on an akṣara is set smaller in scripts that do not stack them


def verse_data(scan: composer.Scan, to: str) -> dict[str, Any]:
    """One scanned verse as the grid shows it."""
    verse = scan.as_json(to)
    columns = max(len(pada["syllables"]) for pada in verse["padas"])
    faults = {(p["pada"], p["syllable"]): p["wanted"] for p in verse["problems"] if p["syllable"]}
    miscounted = {p["pada"] for p in verse["problems"] if p["pada"] and not p["syllable"]}
    breaks, lines = pauses(scan.verdict.metre), scan.verse.lines(to, dandas=True)
    unjudged = {} if verse["metre"] else {"mark": "", "fits": True}
    return {
        "lines": lines,
        "text": "\n".join(lines),
        "slp1": verse["slp1"],
        "judged": verse["metre"] or "auto",
        "metre": verse["metre"] or strings.NO_METRE,
        "kind": _kind(verse, scan.verdict.metre),
        "state": _state(scan, verse),
        "full": verse["full"],
        "columns": columns,
        "script": to,
        "size": "widest" if columns >= WIDEST else "wide" if columns >= WIDE else "",
        "rows": [
            _row(number, pada, faults, miscounted, columns, breaks) | _measured(pada, scan.verdict.metre) | unjudged
            for number, pada in enumerate(verse["padas"], start=1)
        ],
        "problems": [problem["sentence"] for problem in verse["problems"]],
        "mendable": bool(faults) and bool(verse["metre"]),
        "licences": [licence["sentence"] for licence in verse["licences"]],
        "near": ", ".join(verse["near"]),
        "part_of": "; ".join(verse.get("part_of", ())),
        "skrutable": strings.SKRUTABLE.format(**verse["skrutable"])
        if verse["skrutable"]["label"]
        else strings.SKRUTABLE_NOTHING,
    }


def _state(scan: composer.Scan, verse: dict[str, Any]) -> str:
    if verse["full"]:
        return strings.LICENSED if verse["licences"] else strings.FULL
    if not scan.verdict.complete:
        return strings.INCOMPLETE
    return strings.FAULTY if verse["metre"] else strings.UNKNOWN


def _measured(pada: dict[str, Any], metre: composer.Metre | None) -> dict[str, str]:
    """In a metre that counts morae: how many, and the gaṇas they make."""
    if metre is None or metre.unit != "morae":
        return {}
    morae, ganas = metre.mora_count(pada["weights"])
    drawn = " ".join(map(composer.glyphs, ganas))
    return {"count": strings.MORA_COUNT.format(count=morae), "form": " ".join(filter(None, (pada["form"], drawn)))}


def _kind(verse: dict[str, Any], metre: composer.Metre | None) -> str:
    """What one should know of the metre: its kind, its gaṇas or morae, where a word should end inside the pāda."""
    kind = verse["kind"] if verse["kind"] not in (None, verse["metre"]) else ""
    yati = strings.YATI.format(parts=" + ".join(map(str, verse["yati"]))) if verse["yati"] else ""
    morae = metre.summary if metre and metre.unit == "morae" else ""
    return " · ".join(filter(None, (kind, verse["ganas"], morae, yati)))


def long(akshara: str) -> str:
    """What an akṣara is called that fills more than its tile, in scripts that set letters side by side."""
    return "longest" if len(akshara) > LONGEST else "long" if len(akshara) > LONG else ""


def pauses(metre: composer.Metre | None) -> list[set[int]]:
    """After which syllables of each pāda a metre has a pause, so that all of them leave a gap there."""
    padas = metre.padas if metre else ()
    return [{sum(pada.yati[:at]) for at in range(1, len(pada.yati))} for pada in padas]


def _row(
    number: int,
    pada: dict[str, Any],
    faults: dict[tuple[int, int], str],
    miscounted: set[int],
    columns: int,
    breaks: list[set[int]],
) -> dict[str, Any]:
    tiles: list[dict[str, Any]] = []
    gaps: set[int] = set().union(*breaks)
    here = breaks[(number - 1) % len(breaks)] if breaks else gaps
    for at, (akshara, weight, why) in enumerate(
        zip(pada["syllables"], pada["weights"], pada["reasons"], strict=True), start=1
    ):
        wanted = faults.get((number, at), "")
        tiles.append(
            {
                "akshara": akshara,
                "weight": composer.weight_name(weight),
                "glyph": composer.glyphs(weight),
                "why": why,
                "fault": f"{strings.SHOULD_BE} {wanted}" if wanted else "",
                "long": long(akshara),
                "gap": at in gaps and at < len(pada["syllables"]),
                "pause": at in here,
            }
        )
    sound = number not in miscounted and not any(tile["fault"] for tile in tiles)
    count = strings.SYLLABLE_COUNT.format(count=len(tiles))
    return {
        "number": number,
        "tiles": tiles,
        "missing": columns + len(gaps) - len(tiles) - sum(tile["gap"] for tile in tiles),
        "form": pada["form"],
        "fits": sound,
        "mark": "✓" if sound else "✗",
        "count": count,
    }

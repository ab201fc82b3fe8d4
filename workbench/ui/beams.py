"""A search as the page shows it, from its trace alone: a card a beam, what was masked, what was dropped, the curves.

Makes data for one step in one script, and has the template that places it. Knows traces, no models.
"""

from __future__ import annotations

from typing import Any

from workbench import composer
from workbench.ui import strings
from workbench.ui.grid import long

LIVE_CARDS = 4  # that are drawn while the search runs
OPEN_CARDS = 9  # of a kept step; the others fold away
WIDE, WIDEST = 13, 20
ROUNDING = 0.01  # nats that sums of single precision may be off

NO_BEAMS: dict[str, Any] = {"title": strings.BEAMS_EMPTY, "step": 0, "summary": "", "cards": [], "ended": [],
                            "dropped": [], "dropped_title": "", "ended_title": "", "more": [],
                            "more_title": ""}  # fmt: skip


def searches(trace: dict[str, Any]) -> list[tuple[str, str]]:
    """The searches a trace has, as label and name."""
    found = [(strings.SEARCH_DRAWS if trace["settings"].get("samples") else strings.SEARCH_BEAMS, "beams")]
    return found + ([(strings.SEARCH_DRAWS, "draws")] if "draws" in trace else [])


def part(trace: dict[str, Any], search: str) -> dict[str, Any]:
    found: dict[str, Any] = trace["draws"] if search == "draws" and "draws" in trace else trace
    return found


def step_view(trace: dict[str, Any], number: int, to: str, most: int | None = None) -> dict[str, Any]:
    """One step: its beams, the verses that ended in it, the beams that were dropped after the step before."""
    steps = trace["steps"]
    if not steps:
        return NO_BEAMS
    at = min(max(1, int(number)), len(steps)) - 1
    step, before = steps[at], steps[at - 1] if at else None
    shown = step["beams"][: most or OPEN_CARDS]
    kind = strings.DRAW if trace["settings"].get("samples") else strings.BEAM
    earlier = {beam["id"]: beam for beam in before["beams"]} if before else {}
    dropped = [
        {"text": _write(earlier[one["id"]]["text"], trace, to), "reason": one["reason"],
         "score": _number(earlier[one["id"]]["score"])}
        for one in step["dropped"] if one["id"] in earlier
    ]  # fmt: skip
    return {
        "title": strings.STEP_OF.format(step=at + 1, steps=len(steps)),
        "step": at + 1,
        "summary": masked(step["looked"], trace, to),
        "cards": [card(f"{kind} {rank}", beam, trace, to) for rank, beam in enumerate(shown, start=1)],
        "more": [
            card(f"{kind} {rank}", beam, trace, to)
            for rank, beam in enumerate(step["beams"], start=1)
            if rank > OPEN_CARDS and most is None
        ],
        "more_title": strings.MORE_BEAMS.format(count=len(step["beams"]) - OPEN_CARDS),
        "ended": [{"text": _write(end["text"], trace, to), "score": _number(end["score"])} for end in step["finished"]],
        "ended_title": strings.ENDED.format(count=len(step["finished"])),
        "dropped": dropped,
        "dropped_title": strings.DROPPED.format(count=len(dropped)),
    }


def masked(looked: dict[str, Any], trace: dict[str, Any], to: str) -> str:
    """How many tokens were masked, why, and the best of them, in the script that is read."""
    if not looked["tokens"]:
        return ""
    share = looked["masked"] / looked["tokens"]
    reasons = ", ".join(
        f"{count / looked['tokens']:.0%} {reason}"
        for reason, count in sorted(looked["reasons"].items(), key=lambda each: -each[1])
    )
    sentence = strings.MASKED.format(share=share, reasons=f" ({reasons})" if reasons else "")
    refused = looked["best_refused"]
    if refused:
        written = _write(refused["text"], trace, to).strip()
        text = strings.REFUSED_TEXT.format(text=written) if written else strings.REFUSED_END
        sentence += strings.BEST_REFUSED.format(text=text, score=_number(refused["log_probability"]))
    return sentence


def repeated(beam: dict[str, Any]) -> float:
    """What words that came again have cost a beam: the rest of its score."""
    cost = float(beam["log_probability"] + beam["added"] - beam["score"])
    return cost if cost > ROUNDING else 0.0


def _score(beam: dict[str, Any]) -> str:
    sentence = strings.BEAM_SCORE.format(log_p=_number(beam["log_probability"]), added=_number(beam["added"]))
    cost = repeated(beam)
    return sentence + strings.BEAM_REPEATED.format(cost=_number(cost)) if cost else sentence


def card(name: str, beam: dict[str, Any], trace: dict[str, Any], to: str) -> dict[str, Any]:
    rows = composer.unfinished_padas(beam, trace["metre"], trace["script"], to)
    columns = max(len(row["syllables"]) + len(row["to_come"]) for row in rows)
    open_row = max((at for at, row in enumerate(rows) if row["syllables"]), default=-1) if beam["open"] else -1
    beta = trace["settings"]["beta"]
    reached = {milestone["pada"]: milestone for milestone in beam["milestones"]}
    return {
        "name": name,
        "score": _score(beam),
        "text": _write(beam["text"], trace, to),
        "columns": columns,
        "script": to,
        "size": "widest" if columns >= WIDEST else "wide" if columns >= WIDE else "",
        "rows": [
            {
                "number": at + 1,
                "tiles": _tiles(row, at == open_row, beam["wanted"]),
                "missing": columns - len(row["syllables"]) - len(row["to_come"]),
                "mark": strings.PADA_DONE.format(count=len(row["syllables"]), beta=f" +{beta:g}" if beta else "")
                if row["complete"] and at + 1 in reached
                else "…",
                "done": row["complete"] and at + 1 in reached,
                "form": row["form"],
            }
            for at, row in enumerate(rows)
        ],
        "strip": [
            {
                "pada": f"p{pada}",
                "done": pada in reached,
                "told": strings.REACHED.format(step=reached[pada]["step"], score=_number(reached[pada]["score"]))
                if pada in reached
                else "–",
            }
            for pada in (1, 2, 3, 4)
        ],
    }


def _tiles(row: dict[str, Any], is_open: bool, wanted: str) -> list[dict[str, str]]:
    tiles = []
    for at, (akshara, weight) in enumerate(zip(row["syllables"], row["weights"], strict=True), start=1):
        if is_open and at == len(row["syllables"]):
            glyph = composer.glyphs(wanted) if len(wanted) == 1 else "·"
            tiles.append({"akshara": akshara, "glyph": glyph, "kind": "open", "long": long(akshara)})
        else:
            kind = "guru" if weight == "g" else "laghu"
            tiles.append({"akshara": akshara, "glyph": composer.glyphs(weight), "kind": kind, "long": long(akshara)})
    for weight in row["to_come"]:
        glyph = composer.glyphs(weight) if len(weight) == 1 else "·"
        tiles.append({"akshara": "", "glyph": glyph, "kind": "ghost", "long": ""})
    return tiles


def _write(text: str, trace: dict[str, Any], to: str) -> str:
    return composer.rewrite(text, trace["script"], to)


def _number(value: float) -> str:
    return f"{value:.1f}".replace("-", "−")


NOT_LIVE: dict[str, Any] = {"sentence": "", "moving": True, "cards": [], "summary": ""}


def live_view(sentence: str, trace: dict[str, Any] | None, to: str) -> dict[str, Any]:
    """What is shown while a search runs: a line, and the best few beams of its last step."""
    if not trace or not trace["steps"]:
        return {**NOT_LIVE, "sentence": sentence}
    view = step_view(trace, len(trace["steps"]), to, LIVE_CARDS)
    return {**NOT_LIVE, "sentence": sentence, "cards": view["cards"], "summary": view["summary"]}


def still(sentence: str) -> dict[str, Any]:
    """A line that stays: nothing runs any more."""
    return {**NOT_LIVE, "sentence": sentence, "moving": False}

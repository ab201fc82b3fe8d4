"""The Write tab: a verse of one's own, scanned at every key, with help beside it as it is asked for.

Live scansion needs no queue and no model: assets/write.js asks the endpoint `write_scan` after a moment's rest and
shows what comes back. Next words, the rest of the verse, a word mended and the reading go the same way, one at a time,
since they need the generator. What is typed stays in the browser.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection
from typing import Any

import gradio as gr

from workbench import composer
from workbench.paths import ASSETS
from workbench.ui import gpu, reading_card, strings
from workbench.ui.grid import WIDE, WIDEST, long, pauses
from workbench.ui.metre_chooser import metre_chooser
from workbench.ui.refusing import sentence_for
from workbench.ui.templates import template

ONE_AT_A_TIME = threading.Lock()  # those that need a model
EMPTY: dict[str, Any] = {
    "rows": [], "state": strings.WRITE_EMPTY, "good": False, "faulty": False, "problems": [], "mends": [], "error": "",
    "offers": [], "sentence": "", "waiting": "", "metre": "", "columns": 0, "size": "", "reading": None,
    "slp1": "", "judged": "", "script": "", "whole": False,
}  # fmt: skip
HELPS = {"next": composer.next_words, "finish": composer.finish}


def _metre(text: str) -> str:
    """A metre by its name, or as the chooser shows it, which says more than the name."""
    return str(text).split(" · ")[0] or "anuṣṭubh"


def write_scan(text: str, metre: str) -> dict[str, Any]:
    """What the page shows of what is typed; a sentence where it cannot be read."""
    try:
        draft = composer.draft(str(text), _metre(metre))
    except Exception as error:
        return {**EMPTY, "error": sentence_for(error, f"scanning a draft of {len(str(text))} characters")}
    drafted = composer.draft_json(draft)
    breaks = pauses(draft.metre)
    gaps: set[int] = set().union(*breaks)
    padas = zip(drafted["padas"], breaks, strict=True)
    rows = [_row(number, pada, gaps, here) for number, (pada, here) in enumerate(padas, start=1)]
    columns = max(len(row["tiles"]) for row in rows)
    state = (
        strings.WRITE_FULL if drafted["full"]
        else strings.WRITE_FAULTY if drafted["problems"]
        else strings.WRITE_FITS if draft.halves
        else strings.WRITE_EMPTY
    )  # fmt: skip
    return {
        **EMPTY,
        "rows": [
            {**row, "missing": columns + len(gaps) - len(row["tiles"]) - sum(tile["gap"] for tile in row["tiles"])}
            for row in rows
        ],
        "columns": columns,
        "size": "widest" if columns >= WIDEST else "wide" if columns >= WIDE else "",
        "metre": drafted["metre"],
        "slp1": drafted["slp1"],
        "judged": drafted["metre"],
        "script": drafted["script"],
        "whole": draft.whole,
        "state": state,
        "good": drafted["full"],
        "faulty": bool(drafted["problems"]),
        "problems": drafted["problems"],
        "mends": [{**each, "label": strings.WRITE_MEND.format(word=each["text"])} for each in drafted["faulty_words"]],
    }


def _row(number: int, pada: dict[str, Any], gaps: Collection[int], here: Collection[int]) -> dict[str, Any]:
    """A pāda with a gap wherever one of the metre's has a pause, and the pause where it has one itself."""
    tiles: list[dict[str, Any]] = []
    for each in pada["syllables"]:
        fault = f"{strings.SHOULD_BE} {each['wanted']}" if each["wanted"] else ""
        fault = strings.WRITE_ONE_TOO_MANY if each["extra"] else fault
        kind = "open" if each["open"] else composer.weight_name(each["weight"])
        why = strings.WRITE_OPEN if each["open"] else each["why"]
        tiles.append(
            {
                "akshara": each["akshara"],
                "kind": f"{kind} fault" if fault else kind,
                "glyph": "·" if each["open"] else composer.glyphs(each["weight"]),
                "why": f"{why}. {fault[:1].upper()}{fault[1:]}" if fault else why,
                "fault": fault,
            }
        )
    for weight in pada["to_come"]:
        glyph = composer.glyphs(weight) if len(weight) == 1 else "·"
        tiles.append({"akshara": "", "kind": "ghost", "glyph": glyph, "why": "", "fault": ""})
    for at, tile in enumerate(tiles, start=1):
        tile |= {"long": long(tile["akshara"]), "gap": at in gaps and at < len(tiles), "pause": at in here}
    done = pada["complete"]
    mark = "✗" if pada["faulty"] else "✓" if done else "…"
    return {
        "number": number,
        "tiles": tiles,
        "mark": mark,
        "fits": not pada["faulty"],
        "done": done,
        "form": pada["form"],
    }


def write_help(what: str, text: str, metre: str, prose: str, half: int = 0, word: int = 0) -> dict[str, Any]:
    """Words that fit: `next`, `finish` or `mend`; each with the text as it would be then, in the same script."""
    try:
        with ONE_AT_A_TIME:
            draft = composer.draft(str(text), _metre(metre))
            settings = composer.HOUSE.but(metre=draft.metre.name)
            if what == "mend":
                found = composer.mend(draft, int(half), int(word), str(prose), settings)
            else:
                found = HELPS[what](draft, str(prose), settings)
            glosses = composer.meanings([offer.text for offer in found.offers]) if what != "finish" else []
    except Exception as error:
        return {"error": sentence_for(error, f"helping to write {len(str(text))} characters"), "offers": []}
    offers = [
        {
            "text": _shown(offer, draft.script),
            "typed": _typed(str(text), draft, offer, what, int(half), int(word)),
            "gloss": glosses[at] if glosses else "",
        }
        for at, offer in enumerate(found.offers)
    ]
    return {"error": "" if offers else strings.NO_OFFERS, "offers": offers, "sentence": found.sentence}


def _shown(offer: composer.Offer, script: str) -> str:
    """What comes new; the beginning, which is the same for all, is not said again."""
    return "\n".join(composer.write(half, script) for half in composer.Verse.from_slp1(offer.text).halves)


def _typed(text: str, draft: composer.Draft, offer: composer.Offer, what: str, half: int, word: int) -> str:
    """The text with what was chosen in it."""
    if offer.verse:
        return "\n".join(offer.verse.lines(draft.script, dandas=True))
    if what == "next":
        halves = list(draft.halves)
        goes_on = bool(halves) and not draft.ends_word and offer.text.startswith(halves[-1].split()[-1])
        kept = text.rstrip() if draft.ends_word or not goes_on else text.rstrip()[: -len(text.split()[-1])].rstrip()
        gap = "\n" if text.rstrip(" ").endswith("\n") else " "
        return f"{kept}{gap if kept else ''}{composer.write(offer.text, draft.script)} "
    lines = [line.split() for line in draft.halves]
    lines[half][word] = offer.text
    marks = ("।", "॥") if draft.script == "devanagari" else ("|", "||")
    whole = [composer.write(" ".join(line), draft.script) for line in lines]
    ended = [f"{line} {mark}" for line, mark in zip(whole, marks, strict=False)]
    return "\n".join([*ended[:-1], ended[-1] if draft.closed else whole[-1]])


def write_read(text: str) -> dict[str, Any]:
    """What the verse says, by the reader."""
    with ONE_AT_A_TIME:
        *_, last = reading_card.readings(str(text), "auto", "devanagari")
    english = last["verses"][0]["english"] if last["verses"] else ""
    return {"error": last["error"], "reading": english, "offers": []}


ENDPOINTS: tuple[Callable[..., Any], ...] = (write_scan, write_help, write_read)


def script() -> str:
    """What the tab's element runs: its words, then assets/write.js."""
    says = {"waits": strings.WRITE_WAITS, "noAnswer": strings.WRITE_NO_ANSWER}
    constants = f"const SAYS = {json.dumps(says)};\nconst EMPTY = {json.dumps(EMPTY)};\n"
    return constants + (ASSETS / "write.js").read_text(encoding="utf-8")


def add_write_tab() -> None:
    with gr.Tab(strings.WRITE_TAB, id="write"), gr.Row(elem_classes="desk"):
        with gr.Column(scale=3, min_width=300, elem_classes="card controls"):
            gr.Markdown(strings.WRITE_INTRO, elem_classes="intro")
            gr.Textbox(
                label=strings.WRITE_INPUT, placeholder=strings.WRITE_PLACEHOLDER, lines=5, max_lines=10,
                elem_id="write-text", elem_classes="sanskrit-input", interactive=True,
            )  # fmt: skip
            metre_chooser("anuṣṭubh", strings.WRITE_METRE, "write-metre")
            gr.Textbox(
                label=strings.WRITE_PROSE, placeholder=strings.WRITE_PROSE_PLACEHOLDER, lines=2, max_lines=6,
                elem_id="write-prose", interactive=True,
            )  # fmt: skip
        with gr.Column(scale=7, min_width=320):
            gr.HTML(
                write_scan("", "anuṣṭubh"),
                html_template=template("write", reader=composer.reader_at_hand()),
                js_on_load=script(),
                apply_default_css=False,
                elem_id="write-result",
            )


def endpoints() -> list[tuple[str, Callable[..., Any]]]:
    """Their names, and what is called; those that need a model are handed to a GPU where there is one to hand to."""
    return [(call.__name__, call if call is write_scan else gpu.on_gpu(call)) for call in ENDPOINTS]

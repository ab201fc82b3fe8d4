"""The Scan tab: verses in any script in; metre, grid, reasons and faults of each out, a summary, files to take away.

Of several verses each is one line until it is opened, numbered, with those that have faults named first. Knows what the
composer says of a verse, no metres.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from workbench import composer
from workbench.ui import reading_card, strings
from workbench.ui.grid import verse_data
from workbench.ui.literal import literal
from workbench.ui.metre_chooser import metre_chooser
from workbench.ui.private_events import private_event
from workbench.ui.refusing import for_programs, sentence_for
from workbench.ui.scripts import OFFERED_SCRIPTS, shown_script
from workbench.ui.templates import template
from workbench.ui.verse import set_lines

NOTHING_YET: dict[str, Any] = {"verses": [], "error": "", "empty": strings.SCAN_EMPTY}
AS_WRITTEN = "same"  # in place of a script to show verses in: the one they came in
LARGEST_FILE = 400_000  # bytes
# Files are made where they are saved: nothing a person scanned lies about on the server.
SAVE = """(files) => {{
  const made = JSON.parse(files || '{{}}'), link = document.createElement('a');
  if (!made['{kind}']) return;
  link.href = URL.createObjectURL(new Blob([made['{kind}']], {{ type: '{type};charset=utf-8' }}));
  link.download = 'scan.{kind}';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}}"""
KINDS = {"csv": "text/csv", "json": "application/json", "txt": "text/plain"}
SHARE = f"""(text) => {{
  const link = new URL(location.pathname, location.origin);
  link.searchParams.set('{strings.SCAN_LINK}', text);
  pingalaCopy(document.getElementById('scan-link'), link.href);
}}"""
PRINT = "() => { document.querySelectorAll('#scan-result details').forEach((one) => { one.open = true; }); print(); }"


def scan_for_page(text: str, script: str, metre: str, to: str) -> dict[str, Any]:
    """What the result shows: verses, or one sentence that says what was expected."""
    return _scanned(text, script, metre, to)[0]


def _scanned(text: str, script: str, metre: str, to: str) -> tuple[dict[str, Any], dict[str, str]]:
    """What the result shows, and the files that can be made of it."""
    if not text or not text.strip():
        return NOTHING_YET, {}
    try:
        scans = composer.scan(text, script, metre)
        return _shown(scans, to), files(scans, to)
    except Exception as error:
        return {"verses": [], "error": sentence_for(error, f"scanning {len(text)} characters"), "empty": ""}, {}


def shown_in(scan: composer.Scan, to: str) -> str:
    return shown_script(scan.script) if to == AS_WRITTEN and scan.script in composer.SCRIPTS else _known(to)


def _known(to: str) -> str:
    return to if to in composer.SCRIPTS else "devanagari"


def _shown(scans: Sequence[composer.Scan], to: str) -> dict[str, Any]:
    verses = [
        {**_set(scan, shown_in(scan, to)), "number": number, "id": f"scan-verse-{number}"}
        for number, scan in enumerate(scans, start=1)
    ]
    found: dict[str, Any] = {"verses": verses, "error": "", "empty": ""}
    return found | ({"many": True, "summary": summary(verses)} if len(verses) > 1 else {})


def _set(scan: composer.Scan, to: str) -> dict[str, Any]:
    """One verse as the grid shows it, and set as Compose sets it: in long metres a pāda a line."""
    verse = verse_data(scan, to)
    whole = len(scan.verse.halves) == 2 and scan.verdict.metre is not None
    return {**verse, "lines": set_lines(scan.verse, verse["judged"], to)} if whole else verse


def summary(verses: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Of many verses: how many in which metre, and which have faults or are in none."""
    metres = Counter(verse["metre"] for verse in verses if verse["metre"] != strings.NO_METRE)
    return {
        "told": strings.SCAN_SUMMARY.format(count=len(verses), full=sum(verse["full"] for verse in verses)),
        "metres": [{"name": name, "count": count} for name, count in metres.most_common()],
        "faulty": _named(verse for verse in verses if not verse["full"] and verse["metre"] != strings.NO_METRE),
        "none": _named(verse for verse in verses if verse["metre"] == strings.NO_METRE),
    }


def _named(verses: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"number": verse["number"], "id": verse["id"]} for verse in verses]


def files(scans: Sequence[composer.Scan], to: str) -> dict[str, str]:
    """What can be taken away: a table, JSON as `scan --json` has it, and plain text."""
    rows = [(number, scan, shown_in(scan, to)) for number, scan in enumerate(scans, start=1)]
    table = io.StringIO()
    lines = csv.writer(table)
    lines.writerow(strings.SCAN_COLUMNS)
    for number, scan, script in rows:
        verse = verse_data(scan, script)
        weights = " / ".join(composer.glyphs(pada.weights) for pada in scan.verdict.padas)
        lines.writerow(
            [number, "\n".join(verse["lines"]), verse["metre"], verse["state"], weights, " ".join(verse["problems"])]
        )
    return {
        "csv": "\ufeff" + table.getvalue(),  # by its first sign a spreadsheet knows the letters
        "json": json.dumps([scan.as_json(script) for _, scan, script in rows], ensure_ascii=False, indent=1) + "\n",
        "txt": "\n\n".join(_plain(number, verse_data(scan, script)) for number, scan, script in rows) + "\n",
    }


def _plain(number: int, verse: dict[str, Any]) -> str:
    heading = f"{number}. {verse['metre']}: {verse['state']}"
    return "\n".join([*verse["lines"], heading, *(f"   {problem}" for problem in verse["problems"])])


def scan_and_show(text: str, script: str, metre: str, to: str) -> tuple[Any, ...]:
    """The verses scanned; what they say is read when somebody asks for it, since that takes longer."""
    found, taken = _scanned(text, script, metre, to)
    there = bool(found["verses"])
    return (
        literal(found),
        gr.Button(visible=there and composer.reader_at_hand()),
        reading_card.NO_READING,
        json.dumps(taken, ensure_ascii=False) if there else "",
        gr.Row(visible=there),
    )


def open_file(path: str) -> str:
    """The text of a file somebody chose."""
    content = Path(path).read_bytes()
    if len(content) > LARGEST_FILE:
        raise gr.Error(strings.SCAN_FILE_LARGE.format(most=LARGEST_FILE // 1000, size=len(content) // 1000))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise gr.Error(strings.SCAN_FILE_BYTES) from None


def from_link(request: gr.Request) -> tuple[Any, ...]:
    """A verse that came in the address, and the verse scanned; its tab is opened by assets/workbench.js."""
    text = dict(request.query_params or {}).get(strings.SCAN_LINK, "")[:LARGEST_FILE]
    if not text:
        return (gr.skip(),) * 6
    return text, *scan_and_show(text, "auto", "auto", AS_WRITTEN)


def read_and_show(text: str, script: str, to: str) -> Iterator[Any]:
    for picture in reading_card.readings(text, script, _known(to)):
        yield literal(picture)


@for_programs
def scan_api(text: str, script: str = "auto", metre: str = "auto", to: str = "devanagari") -> list[dict[str, Any]]:
    """Scan Sanskrit verses: metre, syllables, weights with reasons, and faults.

    Args:
        text: One or more verses in any Indian script or romanisation; a line break, । or / ends a half-verse.
        script: The script of the text, or auto.
        metre: The metre to judge it as, or auto for the one it is in.
        to: The script the syllables are written in.

    Returns:
        One object a verse, as `python -m workbench scan --json` prints it.
    """
    return [scan.as_json(to if to in composer.SCRIPTS else "devanagari") for scan in composer.scan(text, script, metre)]


def add_scan_tab(page: gr.Blocks) -> gr.HTML:
    """Gives the control for the metre, which the Metres tab sets."""
    scripts = [(script.label, script.name) for script in composer.SCRIPTS.values()]
    with gr.Tab(strings.SCAN_TAB, id="scan"), gr.Row(elem_classes="desk"):
        with gr.Column(scale=3, min_width=300, elem_classes="card controls"):
            gr.Markdown(strings.SCAN_INTRO, elem_classes="intro")
            text = gr.Textbox(
                label=strings.SCAN_INPUT,
                placeholder=strings.SCAN_PLACEHOLDER,
                info=strings.SCAN_INPUT_HELP,
                lines=4,
                max_lines=12,
                elem_id="scan-input",
                elem_classes="sanskrit-input",
                render=False,
            )
            gr.Examples(
                [[verse] for verse, _ in strings.EXAMPLES],
                [text],
                example_labels=[name for _, name in strings.EXAMPLES],
                label=strings.SCAN_EXAMPLES,
                elem_id="scan-examples",
                api_visibility="private",
            )
            text.render()  # type: ignore[no-untyped-call]
            with gr.Row():
                script = gr.Dropdown(
                    [(strings.SCAN_SCRIPT_AUTO, "auto"), *scripts],
                    value="auto",
                    label=strings.SCAN_SCRIPT,
                    elem_id="scan-script",
                    min_width=120,
                )
                to = gr.Dropdown(
                    [(strings.SCAN_TO_SAME, AS_WRITTEN), *OFFERED_SCRIPTS],
                    value=AS_WRITTEN,
                    label=strings.SCAN_TO,
                    elem_id="scan-to",
                    min_width=120,
                )
            metre = metre_chooser("auto", strings.SCAN_METRE, "scan-metre", auto=strings.SCAN_METRE_AUTO)
            with gr.Row():
                run = gr.Button(
                    strings.SCAN_RUN, variant="primary", elem_id="scan-run", elem_classes="main-action", min_width=90
                )
                upload = gr.UploadButton(
                    strings.SCAN_FILE, variant="secondary", file_types=[".txt"], elem_id="scan-file", min_width=90
                )
                clear = gr.Button(strings.SCAN_CLEAR, variant="secondary", elem_id="scan-clear", min_width=90)
        with gr.Column(scale=7, min_width=320):
            result = gr.HTML(
                NOTHING_YET,
                html_template=template("scan_result"),
                js_on_load=None,
                apply_default_css=False,
                elem_id="scan-result",
            )
            taken = gr.Textbox(visible="hidden")
            with gr.Row(visible=False, elem_id="scan-take") as take:
                save = {
                    kind: gr.Button(label, variant="secondary", elem_id=f"scan-{kind}", min_width=80)
                    for kind, label in zip(KINDS, strings.SCAN_SAVE, strict=True)
                }
                link = gr.Button(strings.SCAN_SHARE, variant="secondary", elem_id="scan-link", min_width=80)
                paper = gr.Button(strings.SCAN_PRINT, variant="secondary", elem_id="scan-print", min_width=80)
            says = gr.Button(strings.SCAN_READ, variant="secondary", elem_id="scan-read", visible=False, min_width=160)
            reading = gr.HTML(
                reading_card.NO_READING,
                html_template=template("reading"),
                js_on_load=None,
                apply_default_css=False,
                elem_id="scan-reading",
            )
    asked, shown = [text, script, metre, to], [result, says, reading, taken, take]
    scanning = private_event(run, concurrency_id="scan", concurrency_limit=4)
    gr.on(
        [run.click, text.submit, script.input, metre.input, to.input],
        scan_and_show,
        asked,
        shown,
        **scanning,
    )
    clear.click(
        lambda: ("", "auto", "auto", *scan_and_show("", "auto", "auto", AS_WRITTEN)),
        None,
        [text, script, metre, *shown],
        **scanning,
    )
    upload.upload(open_file, upload, text, **scanning).success(scan_and_show, asked, shown, **scanning)
    page.load(from_link, None, [text, *shown], **private_event(run, queue=False))
    for kind, button in save.items():
        button.click(None, taken, None, js=SAVE.format(kind=kind, type=KINDS[kind]), api_visibility="private")
    link.click(None, text, None, js=SHARE, api_visibility="private")
    paper.click(None, None, None, js=PRINT, api_visibility="private")
    says.click(
        read_and_show, [text, script, to], reading, **private_event(says, concurrency_id="read", concurrency_limit=2)
    )
    return metre

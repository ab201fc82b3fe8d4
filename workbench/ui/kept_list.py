"""What was made before: the entries of the list that a browser keeps, and taking them away as text, Markdown, LaTeX or
JSON in any script. The list itself is assets/kept.js, in the browser's own storage; the server keeps none of it and
trusts nothing of what comes back. Knows no components."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl

from workbench import composer
from workbench.ui import desk, strings, verse
from workbench.ui.choices import Choices, differences, from_link
from workbench.ui.composing import FinishedComposition

MOST_ENTRIES = 500
LATEX = {"\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
         "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}  # fmt: skip


class EntryError(composer.Refusal):
    """An entry that cannot be read."""


def entry(kept: FinishedComposition | None, at: int) -> dict[str, Any] | None:
    """A composition's verse for the list; when it was made is the browser's to say."""
    if not kept or not kept.composition["candidates"]:
        return None
    candidate = kept.composition["candidates"][at]
    return {
        "prose": kept.composition["prose"],
        "slp1": candidate["slp1"],
        "text": kept.verses[at].lines("devanagari", dandas=True),
        "metre": kept.composition["metre"],
        "full": candidate["full"],
        "score": verse.meaning(candidate)["figure"],
        "link": kept.link,
        "wishes": [wish["line"] for wish in kept.composition.get("wishes", ())],
        "signature": kept.composition["signature"],
    }


def record(kept: Sequence[FinishedComposition | None], at: int = 0) -> str:
    """Entries as JSON, for the browser to keep."""
    return json.dumps([kept_entry for each in kept if (kept_entry := entry(each, at))], ensure_ascii=False)


def _text(given: Any, name: str, most: int = 100_000) -> str:
    value = given.get(name, "") if isinstance(given, dict) else None
    if not isinstance(value, str) or len(value) > most:
        raise EntryError(strings.KEPT_UNREADABLE)
    return value


def bring_back(given: Any) -> tuple[Choices, FinishedComposition]:
    """The choices of an entry, and its verse on the desk. A Refusal says what cannot be read."""
    prose, slp1, link = _text(given, "prose"), _text(given, "slp1", 2000), _text(given, "link", 20_000)
    choices, _ = from_link(dict(parse_qsl(link)))
    choices = choices.but({"prose": prose})
    wishes = [wish.line for wish in choices.wishes]
    made = desk.brought_back(prose, slp1, choices.script, choices.settings, choices.model, choices.link(), wishes)
    return choices, made


def sides(given: Any) -> list[dict[str, Any]]:
    """Entries side by side."""
    if not isinstance(given, list) or len(given) != 2:
        raise EntryError(strings.KEPT_UNREADABLE)
    shown = []
    both = [bring_back(each) for each in given]
    for number, (each, (choices, kept)) in enumerate(zip(given, both, strict=True)):
        card = kept.verse(0, choices.script)
        shown.append(
            {
                "name": _text(each, "name") or strings.COMPARED[number],
                "summary": f"{choices.prose} · {choices.summary()}",
                "differ": differences(choices, both[1 - number][0]),
                "error": card["error"],
                "verse": card["verse"],
                "meaning": kept.meaning(0),
                "log_p": kept.table(0, choices.script)["rows"][0]["log_p"],
                "others": [],
            }
        )
    return shown


# ------------------------------------------------------------------------------------------- taking away


def export(given: Any, form: str, script: str) -> tuple[str, str]:
    """The name of a file, and the entries as it has them, the Sanskrit in a script."""
    if not isinstance(given, list) or len(given) > MOST_ENTRIES or script not in composer.SCRIPTS:
        raise EntryError(strings.KEPT_UNREADABLE)
    entries = [_readable(each, script) for each in given]
    writers = {"text": _plain, "markdown": _markdown, "latex": _latex, "json": _json}
    if form not in writers:
        raise EntryError(strings.KEPT_UNREADABLE)
    ending = {"text": "txt", "markdown": "md", "latex": "tex", "json": "json"}[form]
    return f"pingala-verses.{ending}", writers[form](entries, script)


def _readable(given: Any, script: str) -> dict[str, Any]:
    texts = {name: _text(given, name) for name in ("prose", "metre", "score", "signature", "name", "made", "link")}
    this = composer.Verse.read(_text(given, "slp1", 2000), "slp1")
    wishes = given.get("wishes", [])
    return {
        **texts,
        "lines": this.lines(script, dandas=True),
        "slp1": this.slp1,
        "wishes": [line for line in wishes if isinstance(line, str)] if isinstance(wishes, list) else [],
    }


def _plain(entries: Sequence[dict[str, Any]], script: str) -> str:
    return "\n\n".join("\n".join([*each["lines"], each["prose"], each["metre"]]) for each in entries) + "\n"


def _markdown(entries: Sequence[dict[str, Any]], script: str) -> str:
    parts = []
    for each in entries:
        head = [f"## {each['name']}", ""] if each["name"] else []
        verse_ = "  \n".join(f"> {line}" for line in each["lines"])
        parts.append("\n".join([*head, verse_, "", each["prose"], "", f"*{each['metre']}*, `{each['signature']}`"]))
    return "\n\n".join(parts) + "\n"


def _latex(entries: Sequence[dict[str, Any]], script: str) -> str:
    def plain(text: str) -> str:
        return "".join(LATEX.get(letter, letter) for letter in text)

    parts = [
        "\n".join(
            [f"% {' '.join(each['signature'].split())}", r"\begin{verse}", " \\\\\n".join(map(plain, each["lines"])),
             r"\end{verse}", f"{plain(each['prose'])} ({plain(each['metre'])})"]
        )
        for each in entries
    ]  # fmt: skip
    return "% For XeLaTeX or LuaLaTeX, with a font that has the script.\n" + "\n\n".join(parts) + "\n"


def _json(entries: Sequence[dict[str, Any]], script: str) -> str:
    return json.dumps([{**each, "script": script} for each in entries], ensure_ascii=False, indent=1) + "\n"

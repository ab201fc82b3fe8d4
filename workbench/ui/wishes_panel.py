"""The panel Wishes: the four arts of an avadhāna as fields, each in plain words; what is typed there is checked as it
is typed. Fields become lines, as every door takes them, and lines fields again; what has no field of its own stands in
the last one. Knows no search."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import gradio as gr

from workbench import composer
from workbench.ui import strings
from workbench.ui.literal import literal
from workbench.ui.private_events import private_event
from workbench.ui.refusing import sentence_for
from workbench.ui.templates import template

PADAS = (1, 2, 3, 4)
PLACES = [value for _, value in strings.WISH_PLACES]
# The fields, in the order in which the page hands them over.
FIELDS = ("place", "given", *(f"word{pada}" for pada in PADAS), "akshara_place", "akshara", "without", "rhyme", "more")
EMPTY = {**dict.fromkeys(FIELDS, ""), "place": "4", "akshara_place": "1.1"}
NOTHING_TOLD: dict[str, Any] = {"told": [], "refused": ""}


def to_lines(values: Sequence[Any]) -> list[str]:
    """The wishes that fields ask for, a line each."""
    fields = {name: str(value or "").strip() for name, value in zip(FIELDS, values, strict=True)}
    lines = [f"given {fields['place']}:{fields['given']}"] if fields["given"] else []
    lines += [f"word {pada}:{fields[f'word{pada}']}" for pada in PADAS if fields[f"word{pada}"]]
    lines += [f"akshara {fields['akshara_place']}:{fields['akshara']}"] if fields["akshara"] else []
    lines += [f"without {fields['without']}"] if fields["without"] else []
    lines += [f"rhyme {fields['rhyme']}"] if fields["rhyme"] else []
    return [*lines, *(line.strip() for line in fields["more"].splitlines() if line.strip())]


def to_fields(lines: Sequence[str]) -> list[str]:
    """The values of the fields that ask for these wishes."""
    fields, rest = dict(EMPTY), []
    for line in lines:
        kind, _, value = line.partition(" ")
        place, _, text = value.partition(":")
        if kind == "given" and not fields["given"] and place in PLACES:
            fields["place"], fields["given"] = place, text
        elif kind == "word" and re.fullmatch("[1-4]", place) and not fields[f"word{place}"]:
            fields[f"word{place}"] = text
        elif kind == "akshara" and not fields["akshara"]:
            fields["akshara_place"], fields["akshara"] = place, text
        elif kind == "without" and not fields["without"]:
            fields["without"] = value
        elif kind == "rhyme" and not fields["rhyme"] and value in ("1", "2"):
            fields["rhyme"] = value
        else:
            rest.append(line)
    fields["more"] = "\n".join(rest)
    return [fields[name] for name in FIELDS]


def check(lines: Sequence[str], metre: str) -> dict[str, Any]:
    """Each wish in plain words; and a sentence, where one cannot be read or no verse can keep them all."""
    sentences, wishes, refused = [], [], ""
    try:
        if len(lines) > composer.MOST_WISHES:
            composer.read_wishes(lines)
        for line in lines:
            try:
                wishes.append(composer.read_wish(line))
                sentences.append({"sentence": wishes[-1].sentence, "bad": False})
            except composer.Refusal as error:
                sentences.append({"sentence": str(error), "bad": True})
        if wishes and len(wishes) == len(lines):
            composer.check_wishes(metre, wishes)
            refused = ""
    except Exception as error:
        refused = sentence_for(error, f"checking wishes {lines!r:.200}")
    possible = bool(wishes) and len(wishes) == len(lines) and not refused
    return {
        "told": sentences,
        "refused": refused,
        "possible": strings.WISHES_POSSIBLE.format(metre=metre) if possible else "",
    }


class WishesPanel:
    """The fold with its fields."""

    def __init__(self) -> None:
        with gr.Accordion(strings.WISHES, open=False, elem_id="wishes") as self.fold:
            gr.Markdown(strings.WISHES_INTRO, elem_classes="intro")
            self.notes = gr.HTML(
                NOTHING_TOLD, html_template=template("wishes"), js_on_load=None, apply_default_css=False,
                elem_id="wishes-told",
            )  # fmt: skip
            made: dict[str, Any] = {}
            sanskrit: dict[str, Any] = {"elem_classes": "sanskrit-input", "max_lines": 2}
            with gr.Row(elem_classes="wish-row"):
                made["given"] = gr.Textbox(
                    label=strings.WISH_GIVEN, elem_id="wish-given", scale=3, min_width=160, **sanskrit
                )
                made["place"] = gr.Dropdown(
                    list(strings.WISH_PLACES), value="4", label=strings.WISH_PLACE, elem_id="wish-place", scale=1,
                    min_width=110, filterable=False,
                )  # fmt: skip
            gr.Markdown(strings.WISH_WORDS, elem_classes="wish-title")
            with gr.Row(elem_classes="wish-row"):
                for pada in PADAS:
                    made[f"word{pada}"] = gr.Textbox(
                        label=strings.WISH_WORD.format(number=pada),
                        elem_id=f"wish-word-{pada}",
                        min_width=70,
                        **sanskrit,
                    )
            gr.Markdown(strings.WISH_AKSHARA, elem_classes="wish-title")
            with gr.Row(elem_classes="wish-row"):
                made["akshara_place"] = gr.Textbox(
                    "1.1", label=strings.WISH_AKSHARA_PLACE, elem_id="wish-akshara-place", min_width=80, max_lines=1
                )
                made["akshara"] = gr.Textbox(
                    label=strings.WISH_AKSHARA_TEXT, elem_id="wish-akshara", min_width=80, **sanskrit
                )
            made["without"] = gr.Textbox(
                label=strings.WISH_WITHOUT, info=strings.WISH_WITHOUT_HELP, elem_id="wish-without", **sanskrit
            )
            made["rhyme"] = gr.Dropdown(
                list(strings.WISH_RHYMES), value="", label=strings.WISH_RHYME, elem_id="wish-rhyme", filterable=False
            )
            made["more"] = gr.Textbox(
                label=strings.WISH_MORE, info=strings.WISH_MORE_HELP, lines=2, max_lines=6, elem_id="wish-more",
                elem_classes="sanskrit-input",
            )  # fmt: skip
        self.fields = [made[name] for name in FIELDS]

    def wire(self, metre: Any) -> None:
        """Check at every key, and when the metre changes. Gradio's `input` misses what is pasted, `change` does not."""
        # One after the other, so that no answer overtakes another; and not queued: when the stream of a queue's answers
        # ends as the next event joins, Gradio now and then drops that event, and it may be Compose.
        in_order = private_event(self.fields[1], trigger_mode="always_last", queue=False)
        events = [field.change for field in (*self.fields, metre)]
        gr.on(events, checked, [metre, *self.fields], [self.notes, self.fold], **in_order)


def checked(metre: str, *values: Any) -> tuple[Any, Any]:
    """What is told of the fields, and the fold's line."""
    lines = to_lines(values)
    label = strings.WISHES_COUNT.format(count=len(lines)) if lines else strings.WISHES
    return literal(check(lines, metre)), gr.Accordion(label=label)


def shown_wishes(lines: Sequence[str], metre: str) -> list[Any]:
    """What the fields, what is told of them and the fold show for some wishes."""
    values = to_fields(lines)
    return [*values, *checked(metre, *values)]


def wishes_of_link(lines: Sequence[str], metre: str) -> list[Any]:
    """The same for a link that has wishes. Without any, the fields stay as they are: somebody may have begun to type
    before this arrives."""
    return shown_wishes(lines, metre) if lines else [gr.skip()] * (len(FIELDS) + 2)

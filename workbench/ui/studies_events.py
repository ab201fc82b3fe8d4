"""What the Studies tab's controls do: between its components and `owner` and `results`. A token comes with every call
from the browser that holds it, and is kept nowhere here; what is refused is a sentence, and nothing is lost by it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import gradio as gr

from workbench.ratings.items import Preview
from workbench.ratings.overview import Overview
from workbench.ratings.studies import Study
from workbench.ratings.texts import RatingError, shown
from workbench.ui import findings, owner, rating_plots, results
from workbench.ui import rating_strings as strings
from workbench.ui.database import place
from workbench.ui.literal import literal
from workbench.ui.owner import Owner
from workbench.ui.private_events import sent
from workbench.ui.refusing import sentence_for

NOTHING = {"error": "", "sentence": "", "secret": "", "copy": strings.COPY}
Status = dict[str, str]


@dataclass(frozen=True)
class Added:
    """Items that were just added, and what was said of it, until they are scored."""

    sentence: str
    keys: tuple[str, ...]


def attempt(call: Callable[..., Any], *given: Any) -> tuple[Any, Status]:
    """What a call gives, and what is to be said: nothing, or the sentence in which it was refused."""
    try:
        return call(*given), NOTHING
    except Exception as error:  # in the log stands the call's name, and no token
        return None, literal({**NOTHING, "error": sentence_for(error, call.__name__, strings.RATE_UNEXPECTED)})


def say(sentence: str, **more: str) -> Status:
    status: Status = literal({**NOTHING, "sentence": sentence, **more})
    return status


# ------------------------------------------------------------------------------------------------- making, opening


OPENED = 12  # what opening a study sets: who, record, head, sentence, step, raters, links, preview, calibration


def open_study(study: str, token: str, request: gr.Request) -> tuple[Any, ...]:
    """A study by its number and its owner's token. One that cannot be opened leaves the one before as it is."""
    asked = Owner((study or "").strip(), (token or "").strip(), place(request))
    found, status = attempt(owner.look, asked)
    if found is None:
        return *[gr.skip()] * 4, status, *[gr.skip()] * (OPENED - 5)
    return _opened(asked, found[0], found[1], say(strings.OPENED.format(study=found[0].name)))


def open_kept(request: gr.Request, event: gr.EventData) -> tuple[Any, ...]:
    """A study of the list that the browser keeps."""
    asked = sent(event)
    return open_study(str(asked.get("study", "")), str(asked.get("token", "")), request)


def create_study(request: gr.Request, admin: str, *plan: Any) -> tuple[Any, ...]:
    created, status = attempt(owner.create, admin, place(request), *plan)
    if created is None:
        return *[gr.skip()] * 4, status, *[gr.skip()] * (OPENED - 5)
    made, asked = created.study, Owner(created.study.id, created.token, place(request))
    far = attempt(owner.look, asked)[0]
    sentence = strings.CREATED.format(study=made.name, number=made.id)
    return _opened(asked, made, far[1] if far else Overview(0, 0, 0, (), 0, False), say(sentence, secret=created.token))


def _opened(asked: Owner, study: Study, far: Overview, status: Status) -> tuple[Any, ...]:
    record = json.dumps({"study": study.id, "token": asked.token, "name": study.name}, ensure_ascii=False)
    return (
        study.id, asked.token, record, literal(owner.head(study, far)), status,
        gr.Tabs(selected=f"step-{owner.next_step(study, far)}"), literal(owner.rater_list(study, far, {})), "",
        None, findings.NOTHING, findings.NOTHING, gr.Column(visible=False),
    )  # fmt: skip


def look_again(study: str, token: str, links: str, request: gr.Request) -> tuple[Any, Any]:
    """How far a study is, and its raters, after something was done to it."""
    found, _ = attempt(owner.look, Owner(study, token, place(request)))
    if found is None:  # what was done has been told, and stays told
        return gr.skip(), gr.skip()
    opened, far = found
    return literal(owner.head(opened, far)), literal(owner.rater_list(opened, far, read_links(links, study)))


# ------------------------------------------------------------------------------------------------------------ items


def look_through(
    study: str, token: str, file: str | None, system: str, script: str, request: gr.Request
) -> tuple[Any, Any, Status]:
    return _looked_at(*attempt(owner.looked_through, Owner(study, token, place(request)), file, system, script))


def look_again_through(
    study: str, token: str, file: str | None, system: str, script: str, request: gr.Request
) -> tuple[Any, Any, Any]:
    """The same file with another script or system, if there is a file."""
    if not file:
        return gr.skip(), gr.skip(), gr.skip()
    return look_through(study, token, file, system, script, request)


def bring_saved(study: str, token: str, admin: str, request: gr.Request) -> tuple[Any, Any, Status]:
    return _looked_at(*attempt(owner.brought, Owner(study, token, place(request), admin)))


def _looked_at(found: Preview | None, status: Status) -> tuple[Any, Any, Status]:
    if found is None:
        return None, findings.NOTHING, status
    return found, literal(owner.previewed(found)), status


def add_items(
    study: str, token: str, found: Preview | None, score: bool, request: gr.Request
) -> tuple[Any, Preview | None, Any, Added | None, Status]:
    """Items are in before the judges are asked, which may take minutes. What could not be added stays looked through,
    to be added again."""
    sentence, status = attempt(owner.add, Owner(study, token, place(request)), found)
    if sentence is None or not found:
        return gr.skip(), found, gr.skip(), None, status
    added = Added(sentence, tuple(item.key for item in found.items)) if score else None
    return None, None, findings.NOTHING, added, say(f"{sentence} {strings.ITEMS_SCORING}" if score else sentence)


def score_items(study: str, token: str, added: Added | None, request: gr.Request) -> tuple[None, Any]:
    if added is None:
        return None, gr.skip()
    sentence, status = attempt(owner.score, Owner(study, token, place(request)), added.keys)
    return None, {**status, **literal({"sentence": f"{added.sentence} {sentence or ''}".strip()})}


# ----------------------------------------------------------------------------------------------------------- raters


def read_links(kept: str, study: str) -> dict[str, str]:
    """The links that were made on this page for this study, as the browser holds them; the server keeps none."""
    try:
        found = json.loads(kept or "{}")
        links = found.get("links", {}) if found.get("study") == study else {}
        return {str(name): str(link) for name, link in links.items()}
    except (ValueError, AttributeError):
        return {}


def _keep_links(study: str, links: Mapping[str, str]) -> str:
    return json.dumps({"study": study, "links": dict(links)}, ensure_ascii=False)


def invite_raters(study: str, token: str, names: str, links: str, request: gr.Request) -> tuple[Any, str, Status]:
    """What stays in the box (names that got no link), the links, and what is said."""
    invited, status = attempt(owner.invite, Owner(study, token, place(request)), names, _address(request))
    if invited is None:
        return gr.skip(), links, status
    sentence, refused = owner.invitation_sentences(invited)
    kept = _keep_links(study, {**read_links(links, study), **invited.links})
    return "\n".join(invited.refused), kept, say(sentence, error=refused)


def change_rater(study: str, token: str, links: str, request: gr.Request, event: gr.EventData) -> tuple[str, Status]:
    """A rater's link made anew, or closed."""
    asked = sent(event)
    return change_link(study, token, links, str(asked.get("name", "")), str(asked.get("what", "")), request)


def change_link(
    study: str, token: str, links: str, name: str, what: str, request: gr.Request | None
) -> tuple[str, Status]:
    asked, made = Owner(study, token, place(request)), read_links(links, study)
    if what == "renew":
        link, status = attempt(owner.renew, asked, name, _address(request))
        if link is None:
            return links, status
        return _keep_links(study, {**made, name: link}), say(strings.RENEWED.format(name=name))
    if what == "revoke":
        sentence, status = attempt(owner.revoke, asked, name)
        if sentence is None:
            return links, status
        return _keep_links(study, {each: link for each, link in made.items() if each != name}), say(sentence)
    return links, attempt(_unknown, what)[1]


def _unknown(what: str) -> None:
    raise RatingError(strings.RATER_UNKNOWN.format(what=shown(what)))


def _address(request: gr.Request | None) -> str:
    return (request.headers.get("origin", "") if request else "") + "/"


# ---------------------------------------------------------------------------------------------------------- results


def show_results(study: str, token: str, question: str, request: gr.Request) -> tuple[Any, ...]:
    """The findings, what is said, the questions there are, and the figures with their tables."""
    pictures = len(rating_plots.FIGURES)
    untouched = [gr.skip()] * (2 * pictures)
    hidden = gr.Column(visible=False)
    if not study:  # nothing is open, and nobody is to be told so for looking
        return findings.NO_FINDINGS, gr.skip(), gr.skip(), hidden, *untouched
    found, status = attempt(results.summarise, Owner(study, token, place(request)), question)
    if found is None:
        return findings.NO_FINDINGS, status, gr.skip(), hidden, *untouched
    opened, summary = found
    shown_findings = literal(results.findings(opened, summary))
    questions = gr.Dropdown(opened.scales, value=summary.question)
    if not shown_findings["tables"]:
        return shown_findings, gr.skip(), questions, hidden, *untouched
    drawn = [draw(summary) for draw in rating_plots.FIGURES]
    return (
        shown_findings,
        gr.skip(),
        questions,
        gr.Column(visible=True),
        *(figure for figure, _ in drawn),
        *(twin for _, twin in drawn),
    )


def take_away(study: str, token: str, kind: str, request: gr.Request) -> tuple[str, Status]:
    file, status = attempt(results.exported, Owner(study, token, place(request)), kind)
    return json.dumps(file) if file else "", status


# ------------------------------------------------------------------------------------------------------ calibration


def look_at_calibration(
    study: str, token: str, admin: str, request: gr.Request
) -> tuple[dict[str, Any], Any, str, Status]:
    """What it would change, the question, and the mark of the ratings that it is asked about."""
    found, status = attempt(results.calibration, Owner(study, token, place(request), admin))
    if found is None:
        return findings.NOTHING, gr.Column(visible=False), "", status
    would, mark = found
    return literal(would), gr.Column(visible=True), mark, status


def store_calibration(study: str, token: str, admin: str, mark: str, request: gr.Request) -> tuple[Any, ...]:
    sentence, status = attempt(results.calibrate, Owner(study, token, place(request), admin), mark)
    return findings.NOTHING, gr.Column(visible=False), "", say(sentence) if sentence else status


def forget_calibration(study: str, token: str, admin: str, request: gr.Request) -> tuple[Any, ...]:
    sentence, status = attempt(results.forget, Owner(study, token, place(request), admin))
    return findings.NOTHING, gr.Column(visible=False), "", say(sentence) if sentence else status


def leave_calibration() -> tuple[Any, ...]:
    return findings.NOTHING, gr.Column(visible=False), "", say(strings.CALIBRATE_LEFT)

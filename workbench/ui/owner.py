"""A study in its owner's hands, as data: made, opened, how far it is, its items and its raters.

Everything but a new study is for whoever holds the study's token, which every call brings along. What the ratings say
is `results`. Knows no page.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from workbench import composer
from workbench.ratings import items, raters, saved, scoring, studies
from workbench.ratings.overview import Overview, RaterState, overview
from workbench.ratings.studies import NewStudy, Study
from workbench.ratings.texts import RatingError, shown, text
from workbench.refusal import Refusal
from workbench.ui import admin
from workbench.ui import rating_strings as strings
from workbench.ui.database import LIMITER, engine
from workbench.ui.findings import NO_FINDINGS, table

LONGEST = 200  # characters of a study's number or a token
MOST_NAMES = 100  # invited at once
PREVIEWED = 20  # rows, and as many errors
NO_HEAD: dict[str, Any] = {"empty": strings.NO_STUDY_YET, "name": "", "number": "", "lines": []}
NO_RATERS: dict[str, Any] = {"none": strings.RATERS_NONE, "line": "", "rows": [], "links": ""}


@dataclass(frozen=True, repr=False)  # a repr would bring the token into logs
class Owner:
    """Who asks: a study's number, its owner's token, and the place they come from."""

    study: str
    token: str
    where: str
    admin: str = ""  # the administrator's token, for what is more than one study's

    def open(self) -> Study:
        """The study, if the token is its owner's; otherwise NoEntry."""
        number = text(self.study or "", "a study's number", LONGEST)
        if not number:  # nobody guesses with it, so nothing is counted
            raise RatingError(strings.NO_STUDY)
        return studies.own(engine(), number, text(self.token or "", "a token", LONGEST), LIMITER, self.where)


def create(
    token: str,
    where: str,
    name: str,
    ask: Sequence[str],
    overlap: object,
    repeats: object,
    distance: object,
    seed: object,
    logins: bool,
) -> NewStudy:
    """A new study: by anyone at their own machine; elsewhere by the administrator."""
    admin.check(token, where, LIMITER)
    if not isinstance(repeats, int | float):
        raise RatingError(f"Expected a number as share of repeats; got {shown(repeats)}.")
    whole = [_whole(value, what) for value, what in (
        (overlap, strings.NEW_OVERLAP), (distance, strings.NEW_DISTANCE), (seed, strings.NEW_SEED))]  # fmt: skip
    return studies.create(engine(), name, ask, whole[0], float(repeats), whole[1], whole[2], bool(logins))


def _whole(value: object, what: str) -> int:
    if not isinstance(value, int | float) or value != int(value) or not 0 <= value < 2**31:
        raise RatingError(f"Expected a whole number as “{what}”; got {shown(value)}.")
    return int(value)


def look(owner: Owner) -> tuple[Study, Overview]:
    study = owner.open()
    return study, overview(engine(), study)


def head(study: Study, far: Overview) -> dict[str, Any]:
    """What stands above the steps: which study is open, its plan, and how far it is."""
    people = strings.PLAN_RATERS[int(study.overlap == 1)].format(overlap=study.overlap)
    again = strings.PLAN_REPEATS.format(share=study.repeats, distance=study.distance)
    plan = f"{people}; {again}" if far.repeats else f"{people}. {strings.PLAN_NO_REPEATS}"
    if not far.items + far.gold_items:
        now = strings.STUDY_EMPTY
    elif not far.raters:
        now = strings.STUDY_UNRATED.format(items=far.items)
    else:
        now = strings.STUDY_FAR.format(items=far.items, ratings=far.ratings, wanted=far.wanted)
    return {"empty": "", "name": study.name, "number": study.id, "lines": [now, plan]}


def next_step(study: Study, far: Overview) -> str:
    """The step that an owner who comes back wants: the first that is still to be done."""
    if not far.items + far.gold_items:
        return "items"
    return "results" if far.ratings or study.logins else "raters"


# ------------------------------------------------------------------------------------------------------------ items


def looked_through(owner: Owner, file: str | None, system: str | None, script: str) -> items.Preview:
    """What an upload would bring. Its name means nothing here; its size is looked at before its content. A fold that
    nobody opened gives no system."""
    study = owner.open()
    if not file:
        raise RatingError(strings.ITEMS_NONE)
    items.allow(Path(file).stat().st_size)
    return items.preview(
        study, Path(file).read_bytes(), system=text(system or "", "a system's name", items.SYSTEM),
        read_verse=lambda verse: composer.read_verse(verse, script),
    )  # fmt: skip


def brought(owner: Owner) -> items.Preview:
    """The saved compositions that a study has not got yet. They are visitors' prose, and not every owner's to read."""
    study = owner.open()
    admin.check(owner.admin, owner.where, LIMITER)
    found = saved.preview(engine(), study)
    if not found.items:
        raise RatingError(strings.ITEMS_SAVED_NONE)
    return found


def previewed(found: items.Preview) -> dict[str, Any]:
    rows = [(item.id, item.system, item.prose, readable(item.verse)) for item in found.items[:PREVIEWED]]
    faults = [strings.ITEMS_ROW.format(row=each.row, sentence=each.sentence) for each in found.errors[:PREVIEWED]]
    more = len(found.errors) - PREVIEWED
    count = strings.ITEMS_PREVIEW.format(items=len(found.items), errors=len(found.errors))
    return {
        **NO_FINDINGS,
        "empty": "",
        "lines": [count, *faults, *([strings.ITEMS_MORE.format(count=more)] if more > 0 else [])],
        "tables": [table("", strings.ITEMS_HEAD, rows)] if rows else [],
    }


def readable(slp1: str) -> str:
    """A stored verse for people to read."""
    return composer.Verse.from_slp1(slp1).text("devanagari")


def add(owner: Owner, found: items.Preview | None) -> str:
    study = owner.open()
    if found is None or not found.items:
        raise RatingError(strings.ITEMS_NONE)
    new = items.add(engine(), study, found.items)
    return strings.ITEMS_ADDED.format(new=new, known=len(found.items) - new)


def score(owner: Owner, keys: Collection[str]) -> str:
    """Have items scored that lack scores; a sentence about it. That there is no judge is no fault of the items'."""
    study = owner.open()
    try:
        judges = list(composer.judge_entries())
        found = scoring.score(engine(), study, keys, lambda pairs: composer.score(pairs, "slp1"), judges)
    except composer.JudgeError as error:
        return strings.ITEMS_UNSCORED.format(reason=error)
    said = [strings.ITEMS_SCORED.format(count=found.items)]
    if found.unread:
        key, sentence = found.unread[0]
        said.append(strings.ITEMS_UNREAD.format(count=len(found.unread), key=key, sentence=sentence))
    return " ".join(said)


# ----------------------------------------------------------------------------------------------------------- raters


@dataclass(frozen=True, repr=False)  # links are secrets
class Invited:
    """Links by name, which are told this once; and who got none, with the sentence why."""

    links: Mapping[str, str]
    refused: Mapping[str, str]


def invite(owner: Owner, names: str, address: str) -> Invited:
    """A link for each line. One name that cannot be leaves the others their links."""
    study = owner.open()
    asked = list(dict.fromkeys(filter(None, (line.strip() for line in str(names).splitlines()))))
    if not asked:
        raise RatingError(strings.INVITE_NOBODY)
    if len(asked) > MOST_NAMES:
        raise RatingError(f"Expected at most {MOST_NAMES} names at once; got {len(asked)}.")
    links, refused = {}, {}
    for name in asked:
        try:
            links[name] = _link(study, raters.invite(engine(), study, name).token, address)
        except Refusal as refusal:
            refused[name] = str(refusal)
    return Invited(links, refused)


def renew(owner: Owner, name: str, address: str) -> str:
    """Another link for a rater; the one before opens nothing any more."""
    study = owner.open()
    return _link(study, raters.renew(engine(), study, name).token, address)


def revoke(owner: Owner, name: str) -> str:
    raters.revoke(engine(), owner.open(), name)
    return strings.REVOKED.format(name=name.strip())


def _link(study: Study, token: str, address: str) -> str:
    # What stands after # is never sent to a server, nor to any proxy's log.
    return f"{address}?{urlencode({'study': study.id})}#{urlencode({'invite': token})}"


def rater_list(study: Study, far: Overview, links: Mapping[str, str]) -> dict[str, Any]:
    """The raters of a study, with those links that were made on this page."""
    rows = [_row(rater, links.get(rater.name, "")) for rater in far.raters]
    more = study.overlap - far.at_work
    enough = strings.RATERS_FEW if more > 0 else strings.RATERS_ENOUGH
    written = [f"{row['name']}: {row['link']}" for row in rows if row["link"]]
    return {
        "none": "" if rows or study.logins else strings.RATERS_NONE,
        "line": "" if study.logins or not rows else enough.format(wanted=study.overlap, count=far.at_work, more=more),
        "rows": rows,
        "links": "\n".join(written) if len(written) > 1 else "",
    }


def _row(rater: RaterState, link: str) -> dict[str, Any]:
    if not rater.open_link:
        state = "closed"
    elif rater.by_login:
        state = "login"
    else:
        state = "began" if rater.consented else "new"
    done = [strings.RATER_RATED.format(rated=rater.rated)] if rater.consented else []
    if rater.skipped:
        done.append(strings.RATER_SKIPPED.format(skipped=rater.skipped))
    if rater.last:
        done.append(strings.RATER_LAST.format(day=f"{rater.last:%Y-%m-%d}"))
    said = [strings.RATER_STATES[state], *done]
    return {"name": rater.name, "said": " · ".join(said), "open": rater.open_link, "link": link}


def invitation_sentences(invited: Invited) -> tuple[str, str]:
    """What is said of an invitation: the sentence, and the reasons of those who got no link."""
    names = ", ".join(invited.links)
    sentence = strings.INVITED if len(invited.links) == 1 else strings.INVITED_MANY
    return sentence.format(names=names) if names else "", _sentences(invited.refused.values())


def _sentences(reasons: Iterable[str]) -> str:
    return " ".join(dict.fromkeys(reasons))

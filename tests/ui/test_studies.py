"""A study for its owner, as data: figures with reasons, exports, items, raters, calibration. Without a browser."""

import base64
import csv
import io
import json
import os
import zipfile

import pytest

from tests.ratings import made
from workbench import composer
from workbench.ratings import items, raters, saved, storage, studies, tokens
from workbench.ratings.texts import RatingError
from workbench.refusal import Refusal
from workbench.semantics import calibration
from workbench.semantics import judges as judging
from workbench.ui import admin, database, findings, rating_plots, results, studies_events
from workbench.ui import owner as owning
from workbench.ui import rating_strings as strings
from workbench.ui.owner import Owner

UPLOAD = "id,en,verse,system\n1,A king spoke.,{verse},=cmd()\n2,,{verse},s\n"
DEVANAGARI = "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः । मामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥"


@pytest.fixture
def engine(monkeypatch, tmp_path):
    for name in ("DATABASE_URL", "SPACE_ID", admin.VARIABLE, judging.CALIBRATION):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PINGALA_DATA", str(tmp_path))
    limiter = tokens.Limiter()
    for module in (owning, results):
        monkeypatch.setattr(module, "LIMITER", limiter)
    yield database.engine()
    database._open.popitem()[1].dispose()


@pytest.fixture
def owner(engine):
    founded = owning.create("", "here", "A study", ["comment", "marks"], 2, 0.0, 10.0, 0, False)
    return Owner(founded.study.id, founded.token, "here")


@pytest.fixture
def rated(engine, owner):
    """Twelve items of two systems, rated by two people."""
    rows = [
        {"id": str(at), "en": f"Prose {at}.", "verse": DEVANAGARI, "system": f"system-{at % 2}", "score_cross": at / 12}
        for at in range(12)
    ]
    upload = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    study = owner.open()
    found = items.preview(study, upload, read_verse=composer.read_verse)
    assert owning.add(owner, found) == "12 items added; 0 were there already."
    for shift, name in enumerate(("Gārgī", "<b>Maitreyī</b> ${alert(1)}")):
        who = made.rater(engine, study, name)
        while showing := made.proceed(engine, who):
            value = min(5, 1 + int(showing.prose.split()[1].strip(".")) // 3 + shift)
            answers = {"coherence": value, "comment": "=2+3", "marks": [{"word": 0, "mark": "wrong word"}]}
            made.submit(engine, who, showing.position, answers, made.key(showing.position))
    return owner


def test_only_the_owner_comes_in(engine, owner):
    other = studies.create(engine, "Other")
    rater = raters.invite(engine, owner.open(), "rater").token
    for number, token in enumerate(("", "guess", other.token, rater)):
        for call, given in (
            (results.summarise, ("coherence",)), (results.exported, ("csv",)), (results.calibration, ()),
            (results.calibrate, ("",)), (owning.look, ()), (owning.renew, ("rater", "")),
            (owning.add, (None,)), (owning.invite, ("x", "")), (owning.revoke, ("rater",)),
            (owning.looked_through, ("nowhere", "", "auto")), (owning.brought, ()), (owning.score, (["s/1"],)),
        ):  # fmt: skip
            wrong = Owner(owner.study, token, f"place {number} {call.__name__}")
            with pytest.raises(tokens.NoEntry, match="This token opens no study here."):
                call(wrong, *given)
    assert owner.token not in repr(owner)


def test_a_study_without_ratings_says_so_once(owner):
    study, found = results.summarise(owner, "no such question")
    assert found.question == "coherence"
    shown = results.findings(study, found)
    assert shown["lines"] == [strings.RESULTS_NONE] and shown["tables"] == []


def test_too_little_to_correlate_is_one_sentence(engine, owner):
    rows = [{"id": str(at), "en": f"Prose {at}.", "verse": DEVANAGARI, "system": "s", "score_cross": at / 9,
             "score_bi": at / 9} for at in range(3)]  # fmt: skip
    study = owner.open()
    owning.add(owner, items.preview(study, "\n".join(map(json.dumps, rows)), read_verse=composer.read_verse))
    for name in ("Gārgī", "Maitreyī"):
        made.rate_all(engine, made.rater(engine, study, name), 3)
    shown = results.findings(*results.summarise(owner, "coherence"))
    assert json.dumps(shown).count("Correlation needs") == 1
    *_, kappas, metrics = shown["tables"]
    assert metrics["rows"] == []
    assert metrics["notes"] == ["Correlation needs 10 rated items with a score; there are 3."]
    assert kappas["rows"] == [] and kappas["notes"] == ["Gārgī · Maitreyī: All ratings are the same."]


@pytest.mark.parametrize(("share", "said"), [(0.0, strings.PLAN_NO_REPEATS), (0.5, strings.ON_REPEATS)])
def test_that_no_item_comes_twice_is_said_when_none_will(engine, share, said):
    founded = owning.create("", "here", "A study", [], 1, share, 1, 0, False)
    owner = Owner(founded.study.id, founded.token, "here")
    rows = [{"id": str(at), "en": f"Prose {at}.", "verse": DEVANAGARI, "system": "s"} for at in range(4)]
    owning.add(owner, items.preview(founded.study, "\n".join(map(json.dumps, rows)), read_verse=composer.read_verse))
    made.rate_all(engine, made.rater(engine, founded.study), 3, limit=1)
    shown = results.findings(*results.summarise(owner, "coherence"))
    assert said in shown["lines"] and "yet" not in " ".join(shown["lines"])
    assert shown["tables"][0]["rows"][0]["cells"][5] == ("–" if share == 0 else "No item has come twice yet.")
    assert (strings.PLAN_NO_REPEATS in " ".join(owning.head(*owning.look(owner))["lines"])) == (share == 0)


def test_an_owner_who_comes_back_finds_the_step_that_is_next(engine, owner, unscored):
    def now():
        study, far = owning.look(owner)
        return owning.next_step(study, far), owning.head(study, far)["lines"][0]

    assert now() == ("items", strings.STUDY_EMPTY)
    owning.add(owner, unscored)
    assert now() == ("raters", "12 items and no raters yet: invite some in step 3.")
    who = made.rater(engine, owner.open())
    assert now() == ("raters", "12 items; 0 of 24 ratings are in.")
    made.rate_all(engine, who, 3, limit=5)
    assert now() == ("results", "12 items; 5 of 24 ratings are in.")


def test_nothing_is_counted_against_who_has_opened_no_study(engine):
    for _ in range(tokens.TRIES + 1):
        with pytest.raises(RatingError, match="Expected an open study; got none. Make one in step 1"):
            owning.look(Owner("", "", "here"))


def test_what_a_study_has_found(rated):
    study, found = results.summarise(rated, "coherence")
    shown = results.findings(study, found)
    assert shown["title"] == "A study: coherence"
    assert shown["lines"][0] == "24 ratings of 12 items, 12 of them by all 2 raters they need; 0 gold items."
    assert shown["lines"][1] == f"Krippendorff's α (ordinal): {found.alpha.value:.3f}"
    people, systems, kappas, metrics = shown["tables"]
    assert people["rows"][0]["name"] == "Gārgī"
    assert people["rows"][0]["cells"][:4] == ["open", "12", "12", "0"]
    assert "training: kāvya" in people["rows"][0]["cells"][-1]
    assert [row["name"] for row in systems["rows"]] == ["system-0", "system-1"]
    assert people["kinds"] == ["", *["number"] * 6, ""]
    assert metrics["kinds"] == ["number", "", "number", "number"]
    assert len(kappas["rows"]) == 1 and kappas["rows"][0]["cells"][0].startswith("0.")
    assert [row["cells"][1] for row in metrics["rows"]] == [said for _, said in strings.METRIC_ROWS]


def test_figures_have_twins_in_which_names_are_only_text(rated):
    _, found = results.summarise(rated, "coherence")
    for draw in rating_plots.FIGURES:
        figure, twin = draw(found)
        assert figure.data and "<table>" in twin and "<b>" not in twin
    figure, twin = rating_plots.by_rater(found)
    assert sum(map(sum, (bar.y for bar in figure.data))) == 24
    assert "&lt;b&gt;Maitreyī" in twin


def test_every_export_can_be_read_and_has_a_harmless_name(rated):
    def content(kind):
        file = results.exported(rated, kind)
        assert file["name"] == f"pingala-study-{rated.study}.{results.ENDINGS[kind]}"
        return base64.b64decode(file["data"])

    rows = list(csv.DictReader(io.StringIO(content("csv").decode(), newline="")))
    assert (
        len(rows) == 24
        and rows[0]["comment"] == "'=2+3"
        and {row["system"] for row in rows} == {"system-0", "system-1"}
    )
    assert len(content("jsonl").splitlines()) == 24
    assert content("mqm").decode().startswith("system\tdoc\t")
    with zipfile.ZipFile(io.BytesIO(content("dataset"))) as archive:
        assert sorted(archive.namelist()) == ["README.md", "data/ratings.jsonl"]
    with pytest.raises(RatingError, match="Expected a format among csv"):
        results.exported(rated, "../../etc")


class NumberJudge:
    """Says of "Prose 7." seven hundred; nobody's made-up score is that high."""

    spelling = "slp1"

    def score(self, proses, verses):
        assert {verse.halves[0] for verse in verses} == {"Darmakzetre kurukzetre samavetA yuyutsavaH"}
        return [100.0 * int(prose.split()[1].strip(".")) for prose in proses]


@pytest.fixture
def judged(monkeypatch, tmp_path):
    """A judge whose folder has no scale of its own."""
    monkeypatch.setenv(composer.ranker().variable, str(tmp_path))
    monkeypatch.setattr(judging, "_judges", judging.Judges())
    judging.judges()._loaded[composer.ranker().name] = NumberJudge()


def test_a_calibration_says_what_it_changes_and_is_stored_when_asked_to(rated, judged):
    before = judging.judges().ranked_by
    would, mark = results.calibration(rated)
    assert would["lines"][0] == strings.CALIBRATE_NOW_NONE
    assert would["lines"][1].startswith("Then: a calibration by the 12 rated items of this study, from 1.5 to")
    rows = would["tables"][0]["rows"]
    assert rows[0] == {"name": "0.000", "cells": ["0.00", "1.5 of 5"]} and len(rows) == 5
    assert composer.calibrated_now() is None and not judging.calibration_file().exists()  # looking changes nothing
    with pytest.raises(RatingError, match="Expected the ratings that you looked at; got others"):
        results.calibrate(rated, "another mark")
    assert composer.calibrated_now() is None
    assert results.calibrate(rated, mark).startswith("Stored: 12 items, from 1.5 to")
    curve = judging.judges().calibration
    # By what the judge itself says: the scores that came with the items go from 0 to 1, and may be anybody's.
    assert curve.raw[-1] == 1100.0 and curve.apply(0.0) == 1.5
    assert judging.Judges().calibration == curve  # as the next process finds it
    assert judging.judges().ranked_by == f"{before} | {curve.identity}" == judging.Judges().ranked_by
    assert results.calibration(rated)[0]["lines"][0].startswith("Now: a calibration by 12 items, from 1.5 to")


def test_a_scale_by_graded_verses_is_called_that(rated, judged, tmp_path):
    identity = judging.judge_identity(composer.ranker())
    calibration.Calibration((0.0, 1.0), (1.0, 4.5), identity, 500, "d", calibration.GRADED).save(
        tmp_path / "scale.json"
    )
    assert results.calibration(rated)[0]["lines"][0].startswith(
        "Now: no people's ratings. The scale stands on 500 verses"
    )


def test_too_few_ratings_make_no_calibration(owner):
    would, _, mark, told = studies_events.look_at_calibration(owner.study, owner.token, "", None)
    assert told["error"].startswith("Expected at least 10 rated verses; got 0") and not told["sentence"]
    assert would == findings.NOTHING and mark == ""


def test_an_upload_is_looked_through_before_it_is_added(owner, tmp_path):
    file = tmp_path / "..%2f..%2fitems.csv"
    file.write_text(UPLOAD.format(verse=DEVANAGARI), encoding="utf-8")
    assert owning.looked_through(owner, str(file), None, "auto").items  # as a fold that nobody opened gives it
    found = owning.looked_through(owner, str(file), "", "auto")
    shown = owning.previewed(found)
    assert shown["lines"][0] == "1 items can be added; 1 rows cannot."
    assert shown["lines"][1].startswith("Row 3: Expected an English prose (en)")
    assert shown["tables"][0]["rows"][0]["cells"][:2] == ["=cmd()", "A king spoke."]
    assert found.items[0].verse == made.VERSE
    assert owning.add(owner, found) == "1 items added; 0 were there already."
    assert owning.add(owner, found) == "0 items added; 1 were there already."
    with pytest.raises(RatingError, match="there is none yet"):
        owning.add(owner, None)


def test_uploads_that_are_none_are_refused(owner, tmp_path):
    file = tmp_path / "items.csv"
    with file.open("wb") as large:
        large.truncate(50_000_000)
    with pytest.raises(RatingError, match="at most 5 MB; got 50.0 MB"):
        owning.looked_through(owner, str(file), "", "auto")
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(RatingError, match="in UTF-8"):
        owning.looked_through(owner, str(file), "", "auto")
    file.write_text("id,en,verse,system\n" + "1,E,not sanskrit ☃,s\n" * 30, encoding="utf-8")
    shown = owning.previewed(owning.looked_through(owner, str(file), "", "auto"))
    assert shown["lines"][-1] == "… and 10 more." and shown["tables"] == []
    with pytest.raises(RatingError, match="there is none yet"):
        owning.looked_through(owner, None, "", "auto")


def test_saved_compositions_are_looked_at_and_added(engine, owner):
    with pytest.raises(
        RatingError, match="Expected saved compositions that this study has not got yet; there are none."
    ):
        owning.brought(owner)
    for number in (1, 2):
        saved.keep(engine, f"Prose {number}.", made.VERSE, "embedded", {"beta": 5}, "sig", {"cross": 0.5})
    found, shown, told = studies_events.bring_saved(owner.study, owner.token, "", None)
    assert told == studies_events.NOTHING and shown["lines"] == ["2 items can be added; 0 rows cannot."]
    assert [row["cells"][:2] for row in shown["tables"][0]["rows"]] == [
        ["embedded", "Prose 2."],
        ["embedded", "Prose 1."],
    ]
    _, kept, _, added, told = studies_events.add_items(owner.study, owner.token, found, False, None)
    assert kept is None and added is None and told["sentence"] == "2 items added; 0 were there already."
    assert owning.add(owner, found) == "0 items added; 2 were there already."
    assert studies_events.bring_saved(owner.study, owner.token, "", None)[2]["error"] == strings.ITEMS_SAVED_NONE
    assert studies_events.score_items(owner.study, owner.token, None, None)[0] is None


@pytest.fixture
def unscored(owner):
    """Twelve items as an upload without scores, looked through."""
    rows = [{"id": str(at), "en": f"Prose {at}.", "verse": made.VERSE, "system": "s"} for at in range(12)]
    return items.preview(owner.open(), "\n".join(map(json.dumps, rows)))


def test_items_without_scores_are_scored_once_they_are_in(engine, owner, unscored, monkeypatch):
    def judge(pairs, script):
        assert script == "slp1" and {verse for _, verse in pairs} == {made.VERSE}
        return [{"bi": 0.5, "cross": int(prose[6:-1]) / 12, "calibrated": None} for prose, _ in pairs[:-1]] + [
            "${Not} read."
        ]

    monkeypatch.setattr(composer, "score", judge)
    *_, added, told = studies_events.add_items(owner.study, owner.token, unscored, True, None)
    assert told["sentence"] == f"12 items added; 0 were there already. {strings.ITEMS_SCORING}"
    assert studies_events.score_items(owner.study, owner.token, added, None) == (None, {
        **studies_events.NOTHING,
        "sentence": "12 items added; 0 were there already. 11 of them were scored. 1 could not be read by the judges; "
        "s/11: \\${Not} read.",
    })  # fmt: skip
    made.rate_all(engine, made.rater(engine, owner.open()), lambda showing: 1 + int(showing.prose[6:-1]) // 3)
    _, found = results.summarise(owner, "coherence")
    bi, cross = found.metrics
    assert (
        (cross.name, cross.items) == ("cross", 11) and cross.raw.pearson.value > 0.9 and cross.raw.spearman.value > 0.9
    )
    assert bi.name == "bi" and bi.raw.pearson.reason.startswith("All scores are the same")


def test_without_a_judge_items_come_in_and_a_sentence_says_so(owner, unscored, monkeypatch, tmp_path):
    assert composer.judges_at_hand()
    monkeypatch.setenv("PINGALA_BI_ENCODER", "none")
    assert not composer.judges_at_hand()
    monkeypatch.setattr(judging, "_judges", judging.Judges())
    *_, added, _ = studies_events.add_items(owner.study, owner.token, unscored, True, None)
    _, told = studies_events.score_items(owner.study, owner.token, added, None)
    assert told["sentence"].startswith(
        "12 items added; 0 were there already. None was scored: PINGALA_BI_ENCODER is none"
    )
    monkeypatch.setattr(composer, "score", lambda *given: 1 / 0)
    _, told = studies_events.score_items(owner.study, owner.token, added, None)
    assert told["error"] == strings.RATE_UNEXPECTED and told["sentence"] == "12 items added; 0 were there already."


def test_links_are_told_once_made_anew_and_closed(engine, owner):
    def enters(link):
        assert link.startswith(f"http://here/?study={owner.study}#invite=")
        return made.enter(engine, owner.study, link.rpartition("=")[2], tokens.Limiter(), "x").name

    first = owning.invite(owner, " Gārgī \n\nMaitreyī\nGārgī", "http://here/")
    assert [enters(link) for link in first.links.values()] == ["Gārgī", "Maitreyī"] and first.refused == {}
    second = owning.invite(owner, "Gārgī\nŚākalya", "http://here/")
    assert list(second.links) == ["Śākalya"] and "no other rater" in second.refused["Gārgī"]
    link = owning.renew(owner, "Gārgī", "http://here/")
    assert enters(link) == "Gārgī"
    with pytest.raises(tokens.NoEntry):
        enters(first.links["Gārgī"])
    assert owning.revoke(owner, " Gārgī ") == "Gārgī's link is closed; their ratings stay."
    with pytest.raises(tokens.NoEntry):
        enters(link)
    assert first.links["Gārgī"] not in repr(first)
    with pytest.raises(RatingError, match="Expected at least one name"):
        owning.invite(owner, " \n", "")
    with pytest.raises(RatingError, match="at most 100 names at once; got 101"):
        owning.invite(owner, "\n".join(map(str, range(101))), "")


def test_the_list_of_raters_has_states_and_the_links_of_this_page(engine, owner, unscored):
    owning.add(owner, unscored)
    called = owner.study, owner.token
    box, links, told = studies_events.invite_raters(*called, "Gārgī\nMaitreyī", "", None)
    assert box == "" and told["sentence"].startswith("Gārgī, Maitreyī: the links are below.")
    box, links, told = studies_events.invite_raters(*called, "Gārgī\nŚākalya", links, None)
    assert box == "Gārgī" and "no other rater" in told["error"] and told["sentence"].startswith("Śākalya: the link")
    who = made.consent(engine, made.enter(engine, owner.study, _token(links, "Gārgī"), tokens.Limiter(), "x"), {})
    made.rate_all(engine, who, 3, limit=2)
    old = links
    links, told = studies_events.change_link(*called, links, "Maitreyī", "renew", None)
    assert told["sentence"].startswith("Maitreyī: the new link is below")
    assert _token(links, "Maitreyī") != _token(old, "Maitreyī") and _token(links, "Gārgī") == _token(old, "Gārgī")
    links, told = studies_events.change_link(*called, links, "Śākalya", "revoke", None)
    people = studies_events.look_again(*called, links, None)[1]
    assert [(row["name"], row["open"], bool(row["link"])) for row in people["rows"]] == [
        ("Gārgī", True, True), ("Maitreyī", True, True), ("Śākalya", False, False),
    ]  # fmt: skip
    assert people["rows"][0]["said"].startswith("has come · 2 rated · last seen 20")
    assert people["rows"][1]["said"] == "has not come yet" and people["rows"][2]["said"] == "link closed"
    assert people["line"] == "2 people are to rate each verse, and 2 can."
    assert people["links"].count("#invite=") == 2
    anew = studies_events.look_again(*called, "", None)[1]  # a page loaded anew: the list stays, the links are gone
    assert [row["name"] for row in anew["rows"]] == ["Gārgī", "Maitreyī", "Śākalya"]
    assert not any(row["link"] for row in anew["rows"])
    same, told = studies_events.change_link(*called, links, "nobody", "renew", None)
    assert same == links and told["error"].startswith("Expected the name of a rater of the study; got 'nobody'")
    assert studies_events.change_link(*called, links, "Gārgī", "praise", None)[1]["error"].startswith("Expected some")
    for broken in ("x", "[]", '{"study": 1}', json.dumps({"study": owner.study, "links": []})):
        assert studies_events.read_links(broken, owner.study) == {}


def _token(links, name):
    return json.loads(links)["links"][name].rpartition("=")[2]


def test_what_could_not_be_added_can_be_added_again(owner, unscored, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(items, "add", lambda *given: 1 / 0)
        _, kept, _, added, told = studies_events.add_items(owner.study, owner.token, unscored, True, None)
    assert kept is unscored and added is None and told["error"] == strings.RATE_UNEXPECTED
    _, kept, preview, added, told = studies_events.add_items(owner.study, owner.token, kept, False, None)
    assert kept is None and preview == findings.NOTHING and told["sentence"].startswith("12 items added")


def test_opening_hands_the_browser_what_it_keeps_and_refusing_leaves_all_as_it_is(owner):
    opened = studies_events.open_study(f" {owner.study} ", owner.token, None)
    assert len(opened) == studies_events.OPENED
    assert json.loads(opened[2]) == {"study": owner.study, "token": owner.token, "name": "A study"}
    refused = studies_events.open_study(owner.study, "guess", None)
    assert len(refused) == studies_events.OPENED and refused[4]["error"] == "This token opens no study here."
    plan = ("Another", [], 1, 0.0, 10, 0, False)
    another = studies_events.create_study(None, "", *plan)
    assert len(another) == studies_events.OPENED and another[4]["secret"] == another[1]
    nameless = studies_events.create_study(None, "", "", *plan[1:])
    assert len(nameless) == studies_events.OPENED and nameless[4]["error"].startswith("Expected a study's name")


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        ((None, 0.1, 10, 0), "Expected a whole number as “How many people rate each verse”; got None"),
        ((2.5, 0.1, 10, 0), "Expected a whole number as “How many people rate each verse”; got 2.5"),
        ((5, "x", 10, 0), "Expected a number as share of repeats"),
        ((5, 0.1, 0, 0), "Expected a repeat at least one showing later"),
        ((5, 0.1, 10, -1), "Expected a whole number as “Seed"),
    ],
)
def test_a_study_that_cannot_be_says_why(engine, plan, sentence):
    with pytest.raises(RatingError, match=sentence):
        owning.create("", "here", "A study", [], *plan, False)


def test_strangers_make_no_studies_on_a_space(engine, monkeypatch):
    plan = ("A study", [], 5, 0.1, 10, 0, False)
    monkeypatch.setenv("SPACE_ID", "somebody/pingala")
    with pytest.raises(tokens.NoEntry, match="PINGALA_ADMIN"):
        owning.create("", "here", *plan)
    monkeypatch.setenv(admin.VARIABLE, "the right one")
    for _ in range(tokens.TRIES):
        with pytest.raises(tokens.NoEntry, match="not the administrator's token"):
            owning.create("the wrong one", "here", *plan)
    with pytest.raises(tokens.TooMany):
        owning.create("the wrong one", "here", *plan)
    assert owning.create("the right one", "here", *plan).token


@pytest.fixture
def public(monkeypatch, capsys):
    """The token of the administrator of a server that others reach, made and printed at its first start."""
    monkeypatch.setattr(admin, "_public", [])
    monkeypatch.setenv(admin.BELIEVED, "")
    told = admin.serve_at("0.0.0.0")  # noqa: S104  nothing listens there
    assert admin.serve_at("0.0.0.0") == ""  # noqa: S104  a second start makes no other
    return told.split("this once: ")[1].split()[0]


def test_off_loopback_studies_saved_prose_and_calibration_are_the_administrators(rated, engine, public, judged):
    plan = ("A study", [], 5, 0.1, 10, 0, False)
    saved.keep(engine, "A visitor's prose.", made.VERSE, "embedded", {}, "signed", {})
    with pytest.raises(tokens.NoEntry, match="not the administrator's token"):
        owning.create("", "here", *plan)
    for call in (owning.brought, results.calibration, lambda who: results.calibrate(who, "")):
        with pytest.raises(tokens.NoEntry, match="not the administrator's token"):
            call(rated)  # with its owner's token alone
    assert owning.create(public, "here", *plan).token
    both = Owner(rated.study, rated.token, "here", public)
    assert [item.prose for item in owning.brought(both).items] == ["A visitor's prose."]
    assert results.calibrate(both, results.calibration(both)[1]).startswith("Stored: ")
    kept = b"".join(file.read_bytes() for file in storage.folder().iterdir() if file.is_file())
    assert public.encode() not in kept


@pytest.mark.parametrize(
    ("host", "others"),
    [("127.0.0.1", False), ("localhost", False), ("::1", False), ("0.0.0.0", True), ("192.168.1.2", True),
     ("pingala.example", True)],
)  # fmt: skip
def test_whoever_is_at_their_own_machine_is_asked_for_nothing(engine, monkeypatch, host, others):
    monkeypatch.setattr(admin, "_public", [])
    monkeypatch.setenv(admin.BELIEVED, "")
    assert bool(admin.serve_at(host)) == others == admin.required()


def test_a_proxy_brings_others_here_and_must_be_named_by_its_address(engine, monkeypatch):
    monkeypatch.setattr(admin, "_public", [])
    monkeypatch.setenv(admin.BELIEVED, "")
    monkeypatch.setenv(admin.PROXIES, "127.0.0.1, 10.0.0.0/8")
    assert admin.serve_at("127.0.0.1") and admin.required()
    assert os.environ[admin.BELIEVED] == "127.0.0.1, 10.0.0.0/8"
    monkeypatch.setenv(admin.PROXIES, "*")
    with pytest.raises(Refusal, match="Expected addresses of proxies in PINGALA_PROXIES, divided by commas; got '"):
        admin.trust_proxies()


def test_refusals_and_surprises_are_sentences(caplog):
    def refused():
        raise RatingError("Expected ${x}; got <b>.")

    def broken():
        raise RuntimeError("no disk")

    assert studies_events.attempt(refused)[1]["error"] == "Expected \\${x}; got <b>."
    assert caplog.text == ""
    assert studies_events.attempt(broken)[1]["error"] == strings.RATE_UNEXPECTED
    assert "no disk" in caplog.text

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
from workbench.ratings import raters, saved, storage, studies, tokens
from workbench.ratings.texts import RatingError
from workbench.refusal import Refusal
from workbench.semantics import judges as judging
from workbench.ui import admin, database, rating_plots, results, results_tab
from workbench.ui import rating_strings as strings
from workbench.ui.results import Owner

UPLOAD = "id,en,verse,system\n1,A king spoke.,{verse},=cmd()\n2,,{verse},s\n"
DEVANAGARI = "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः । मामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥"


@pytest.fixture
def engine(monkeypatch, tmp_path):
    for name in ("DATABASE_URL", "SPACE_ID", admin.VARIABLE, judging.CALIBRATION):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PINGALA_DATA", str(tmp_path))
    monkeypatch.setattr(results, "LIMITER", tokens.Limiter())
    yield database.engine()
    database._open.popitem()[1].dispose()


@pytest.fixture
def owner(engine):
    founded = results.create("", "here", "A study", ["comment", "marks"], 2, 0.0, 10.0, 0, False)
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
    found = results.items.preview(study, upload, read_verse=composer.read_verse)
    assert results.add(owner, found) == "12 items added; 0 were there already."
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
        wrong = Owner(owner.study, token, f"place {number}")
        for call, given in (
            (results.summarise, ("coherence",)), (results.exported, ("csv",)), (results.calibrate, ()),
            (results.add, (None,)), (results.invite, ("x", "")), (results.revoke, ("rater",)),
            (results.looked_through, ("nowhere", "", "auto")), (results.brought, ()), (results.score, (["s/1"],)),
        ):  # fmt: skip
            with pytest.raises(tokens.NoEntry, match="This token opens no study here."):
                call(wrong, *given)
    assert owner.token not in repr(owner)


def test_an_empty_study_gives_reasons(owner):
    study, found = results.summarise(owner, "no such question")
    shown = results.findings(study, found)
    assert found.question == "coherence"
    assert shown["lines"][1].endswith("Agreement needs two raters; there are none.")
    assert [table["none"] for table in shown["tables"]] == [strings.NONE_YET] * 4


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
    assert people["kinds"] == ["", *["number"] * 4, "", "number", ""]  # none repeated: reasons instead of numbers
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
def judged(monkeypatch):
    monkeypatch.setattr(judging, "_judges", judging.Judges())
    judging.judges()._loaded[composer.ranker().name] = NumberJudge()


def test_a_calibration_is_stored_for_the_app(rated, judged):
    before = judging.judges().ranked_by
    assert results.calibrate(rated).startswith("Stored: 12 items, from 1.5 to")
    curve = judging.judges().calibration
    # By what the judge itself says: the scores that came with the items go from 0 to 1, and may be anybody's.
    assert curve.raw[-1] == 1100.0 and curve.apply(0.0) == 1.5
    assert judging.Judges().calibration == curve  # as the next process finds it
    assert judging.judges().ranked_by == f"{before} | {curve.identity}" == judging.Judges().ranked_by


def test_too_few_ratings_make_no_calibration(owner):
    told = results_tab._say(results.calibrate, owner)
    assert told["error"].startswith("Expected at least 10 rated verses; got 0") and not told["sentence"]


def test_an_upload_is_looked_through_before_it_is_added(owner, tmp_path):
    file = tmp_path / "..%2f..%2fitems.csv"
    file.write_text(UPLOAD.format(verse=DEVANAGARI), encoding="utf-8")
    found = results.looked_through(owner, str(file), "", "auto")
    shown = results.previewed(found)
    assert shown["lines"][0] == "1 items can be added; 1 rows cannot."
    assert shown["lines"][1].startswith("Row 3: Expected an English prose (en)")
    assert shown["tables"][0]["rows"][0]["cells"][:2] == ["=cmd()", "A king spoke."]
    assert found.items[0].verse == made.VERSE
    assert results.add(owner, found) == "1 items added; 0 were there already."
    assert results.add(owner, found) == "0 items added; 1 were there already."
    with pytest.raises(RatingError, match="there is none yet"):
        results.add(owner, None)


def test_uploads_that_are_none_are_refused(owner, tmp_path):
    file = tmp_path / "items.csv"
    with file.open("wb") as large:
        large.truncate(50_000_000)
    with pytest.raises(RatingError, match="at most 5 MB; got 50.0 MB"):
        results.looked_through(owner, str(file), "", "auto")
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(RatingError, match="in UTF-8"):
        results.looked_through(owner, str(file), "", "auto")
    file.write_text("id,en,verse,system\n" + "1,E,not sanskrit ☃,s\n" * 30, encoding="utf-8")
    shown = results.previewed(results.looked_through(owner, str(file), "", "auto"))
    assert shown["lines"][-1] == "… and 10 more." and shown["tables"] == []
    with pytest.raises(RatingError, match="there is none yet"):
        results.looked_through(owner, None, "", "auto")


def test_saved_compositions_are_looked_at_and_added(engine, owner):
    with pytest.raises(
        RatingError, match="Expected saved compositions that this study has not got yet; there are none."
    ):
        results.brought(owner)
    for number in (1, 2):
        saved.keep(engine, f"Prose {number}.", made.VERSE, "embedded", {"beta": 5}, "sig", {"cross": 0.5})
    found, shown, told = results_tab.bring_saved(owner.study, owner.token, "", None)
    assert told == results_tab.NOTHING and shown["lines"] == ["2 items can be added; 0 rows cannot."]
    assert [row["cells"][:2] for row in shown["tables"][0]["rows"]] == [
        ["embedded", "Prose 2."],
        ["embedded", "Prose 1."],
    ]
    kept, added, told = results_tab.add_items(owner.study, owner.token, found, False, None)
    assert kept is None and added is None and told["sentence"] == "2 items added; 0 were there already."
    assert results.add(owner, found) == "0 items added; 2 were there already."
    assert results_tab.bring_saved(owner.study, owner.token, "", None)[2]["error"] == strings.ITEMS_SAVED_NONE
    assert results_tab.score_items(owner.study, owner.token, None, None)[0] is None


@pytest.fixture
def unscored(owner):
    """Twelve items as an upload without scores, looked through."""
    rows = [{"id": str(at), "en": f"Prose {at}.", "verse": made.VERSE, "system": "s"} for at in range(12)]
    return results.items.preview(owner.open(), "\n".join(map(json.dumps, rows)))


def test_items_without_scores_are_scored_once_they_are_in(engine, owner, unscored, monkeypatch):
    def judge(pairs, script):
        assert script == "slp1" and {verse for _, verse in pairs} == {made.VERSE}
        return [{"bi": 0.5, "cross": int(prose[6:-1]) / 12, "calibrated": None} for prose, _ in pairs[:-1]] + [
            "${Not} read."
        ]

    monkeypatch.setattr(composer, "score", judge)
    _, added, told = results_tab.add_items(owner.study, owner.token, unscored, True, None)
    assert told["sentence"] == f"12 items added; 0 were there already. {strings.ITEMS_SCORING}"
    assert results_tab.score_items(owner.study, owner.token, added, None) == (None, {
        **results_tab.NOTHING,
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
    _, added, _ = results_tab.add_items(owner.study, owner.token, unscored, True, None)
    _, told = results_tab.score_items(owner.study, owner.token, added, None)
    assert told["sentence"].startswith(
        "12 items added; 0 were there already. None was scored: PINGALA_BI_ENCODER is none"
    )
    monkeypatch.setattr(composer, "score", lambda *given: 1 / 0)
    _, told = results_tab.score_items(owner.study, owner.token, added, None)
    assert told["error"] == strings.RATE_UNEXPECTED and told["sentence"] == "12 items added; 0 were there already."


def test_a_link_is_told_once_and_can_be_closed(engine, owner):
    link = results.invite(owner, "Gārgī", "http://here/")
    assert link.startswith(f"http://here/?study={owner.study}#invite=")
    token = link.rpartition("=")[2]
    assert made.enter(engine, owner.study, token, tokens.Limiter(), "x").name == "Gārgī"
    assert results.revoke(owner, " Gārgī ") == "Gārgī's link is closed; their ratings stay."
    with pytest.raises(tokens.NoEntry):
        made.enter(engine, owner.study, token, tokens.Limiter(), "x")
    with pytest.raises(RatingError, match="no other rater"):
        results.invite(owner, "Gārgī", "")


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
        results.create("", "here", "A study", [], *plan, False)


def test_strangers_make_no_studies_on_a_space(engine, monkeypatch):
    plan = ("A study", [], 5, 0.1, 10, 0, False)
    monkeypatch.setenv("SPACE_ID", "somebody/pingala")
    with pytest.raises(tokens.NoEntry, match="PINGALA_ADMIN"):
        results.create("", "here", *plan)
    monkeypatch.setenv(admin.VARIABLE, "the right one")
    for _ in range(tokens.TRIES):
        with pytest.raises(tokens.NoEntry, match="not the administrator's token"):
            results.create("the wrong one", "here", *plan)
    with pytest.raises(tokens.TooMany):
        results.create("the wrong one", "here", *plan)
    assert results.create("the right one", "here", *plan).token


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
        results.create("", "here", *plan)
    for call in (results.brought, results.calibrate):
        with pytest.raises(tokens.NoEntry, match="not the administrator's token"):
            call(rated)  # with its owner's token alone
    assert results.create(public, "here", *plan).token
    both = Owner(rated.study, rated.token, "here", public)
    assert [item.prose for item in results.brought(both).items] == ["A visitor's prose."]
    assert results.calibrate(both).startswith("Stored: ")
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

    assert results_tab.attempt(refused)[1]["error"] == "Expected \\${x}; got <b>."
    assert caplog.text == ""
    assert results_tab.attempt(broken)[1]["error"] == strings.RATE_UNEXPECTED
    assert "no disk" in caplog.text

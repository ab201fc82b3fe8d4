"""A study in its owner's hands, as data: made, opened, gone on with, its items, its raters and their links. Without a
browser."""

import json

import pytest

from tests.ratings import made
from tests.verses import IN_EVERY_SCRIPT
from workbench import composer
from workbench.ratings import items, saved, tokens
from workbench.ratings.texts import RatingError
from workbench.semantics import judges as judging
from workbench.ui import findings, results, studies_events
from workbench.ui import owner as owning
from workbench.ui import rating_strings as strings

UPLOAD = "id,en,verse,system\n1,A king spoke.,{verse},=cmd()\n2,,{verse},s\n"
DEVANAGARI = IN_EVERY_SCRIPT["devanagari"]


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
        return [{"bi": 0.5, "judge": int(prose[6:-1]) / 12, "calibrated": None} for prose, _ in pairs[:-1]] + [
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
    bi, judged = found.metrics
    assert (
        (judged.name, judged.items) == ("judge", 11)
        and judged.raw.pearson.value > 0.9
        and judged.raw.spearman.value > 0.9
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
        "12 items added; 0 were there already. None was scored: Expected a bi-encoder; PINGALA_BI_ENCODER is none"
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


def test_refusals_and_surprises_are_sentences(caplog):
    def refused():
        raise RatingError("Expected ${x}; got <b>.")

    def broken():
        raise RuntimeError("no disk")

    assert studies_events.attempt(refused)[1]["error"] == "Expected \\${x}; got <b>."
    assert caplog.text == ""
    assert studies_events.attempt(broken)[1]["error"] == strings.RATE_UNEXPECTED
    assert "no disk" in caplog.text

"""A press of Compose as the page shows it, by a tiny generator: pictures, result, other scripts, what is refused,
stopped or compared; and the same through the API. What the Beams tab makes of its trace is in test_beams."""

import gc
import math
import os
import re
from pathlib import Path

import gradio as gr
import pytest

from tests.counted import counted
from tests.ui.pressed import CHOICES, PROSE, every_one
from tests.waiting import run_async
from workbench import composer
from workbench.models import loading
from workbench.prosody import text_reading, verdict
from workbench.prosody.script import write
from workbench.semantics import judges as judging
from workbench.ui import beams, compose_events, composing, desk, desk_events, strings, verse
from workbench.ui.choices import COMPARED, Choices

pytestmark = pytest.mark.usefixtures("registered")


def all_of(pictures):
    async def every():
        return [each async for each in pictures]

    return run_async(every())


def test_pictures_while_it_works_and_a_verse_in_the_end(pictures):
    *during, last = pictures
    assert during[0].live["sentence"].startswith("Loading the generator embedded")
    steps = [one.live for one in during if one.live["cards"]]
    assert len(steps) > 10 and all(len(one["cards"]) <= beams.LIVE_CARDS for one in steps)
    assert steps[0]["sentence"] == "Beams, step 1" and steps[-1]["sentence"].startswith("Draws, step ")
    assert last.live == beams.NOT_LIVE and last.kept
    shown = last.kept.verse(0, "devanagari")
    assert shown["verse"]["full"] and len(shown["verse"]["lines"]) == 2 and shown["verse"]["lines"][1].endswith("॥")
    assert [len(row["tiles"]) for row in shown["verse"]["grid"]["rows"]] == [8, 8, 8, 8]
    assert composing.TICKETS.find("somebody") is None
    assert last.kept.model == "embedded" and (last.kept.settings["beta"], last.kept.settings["draws"]) == (5.0, 2)


def test_what_does_not_read_as_english_is_composed_when_it_is_asked_for_again(monkeypatch):
    monkeypatch.setattr(composing, "DOUBTS", composing.Doubts())
    asked = []
    monkeypatch.setattr(composer, "doubt", lambda prose: (asked.append(prose), "This does not read as English.")[1])
    choices = CHOICES.but({"prose": "SELECT king FROM kings"})
    (first,) = composing.compose(choices, "somebody")
    assert first.stopped.startswith("This does not read as English. Nothing was composed yet") and not first.kept
    assert composing.TICKETS.find("somebody") is None
    (other,) = composing.compose(choices, "somebody else")  # who was not asked yet
    assert other.stopped
    *_, last = composing.compose(choices, "somebody")
    assert last.kept and len(asked) == 2
    (again,) = composing.compose(choices, "somebody")  # a third time it is a new question
    assert again.stopped
    for number in range(composing.MOST_DOUBTS + 5):
        list(composing.compose(choices, str(number)))
    assert len(composing.DOUBTS._asked) == composing.MOST_DOUBTS


def test_another_script_and_another_candidate_are_only_shown_differently(pictures):
    kept = pictures[-1].kept
    devanagari, iast = kept.table(0, "devanagari"), kept.table(2, "iast")
    assert [row["chosen"] for row in iast["rows"]][:4] == [False, False, True, False]
    assert composer.scan(iast["rows"][2]["text"], "iast")[0].verse.slp1 == (
        composer.scan(devanagari["rows"][2]["text"], "devanagari")[0].verse.slp1
    )
    assert len(devanagari["rows"][2]["lines"]) == 2
    assert [line[-2:] for line in devanagari["rows"][2]["lines"]] == ["\u00a0।", "\u00a0॥"]
    assert kept.verse(2, "iast")["verse"]["rank"] == "candidate 3"
    assert desk_events.show(None, 0, "iast") == (gr.skip(),) * 3


class Judge:
    """Finds every verse alike."""

    ranked_by, calibration_fault = "judge#1", ""

    def weigh(self, prose, verses):
        return [{composer.ranker().name: 0.5} for verse in verses if verse.plain]


@pytest.mark.parametrize("script", ["devanagari", "iast"])
def test_nothing_is_read_scanned_or_written_twice_on_its_way_to_the_page(monkeypatch, script):
    """One reading and one verdict a verse that the search returned, one writing a candidate and script shown; the akṣaras
    of the verse on the card are one more. Ten candidates took 20 readings and 95 writings before there was `Verse`."""
    monkeypatch.setattr(judging, "_judges", Judge())
    readings, verdicts = counted(monkeypatch, text_reading.read_text), counted(monkeypatch, verdict.metre_verdict)
    # Why a syllable weighs what it does names a sound or two in IAST: no verse is written there.
    writings = counted(monkeypatch, write, but=("workbench.prosody.scansion",))
    made = composer.compose(PROSE, composer.HOUSE.but(beams=10, returned=10), watch=False)
    list(made)
    done = made.composition
    kept = composing.FinishedComposition(done.as_json(script), {}, verses=tuple(each.verse for each in done.candidates))
    for _ in range(2):
        card, table = kept.verse(0, script), kept.table(0, script)
    assert card["verse"]["grid"] and done.ranked[0].scores and len(table["rows"]) == len(done.ranked) > 3
    returned = sum(each.copies for each in done.candidates)
    assert len(readings) == len(verdicts) == returned == 10
    # JSON has Devanagari beside the script asked for.
    assert len(writings) == len(done.ranked) * len({script, "devanagari"}) + 1


def test_no_judge_is_said_and_scores_have_words():
    assert verse.meaning({"meaning": None})["sentence"] == composer.NO_JUDGE
    said = verse.meaning({"meaning": {"judge": 0.994, "calibrated": None}})
    assert (said["figure"], said["word"], said["share"]) == ("0.99", "faithful", 99)
    said = verse.meaning({"meaning": {"judge": 0.05, "calibrated": None}})
    assert (said["figure"], said["word"], said["share"]) == ("0.05", "not", 5)
    said = verse.meaning({"meaning": {"judge": 0.3, "calibrated": 3.0}})
    assert (said["figure"], said["word"], said["share"]) == ("3.0 of 5", "partly", 50)
    assert said["sentence"].startswith("The main statement is there; a whole clause is missing")
    # What a browser kept when another judge ranked has its number still, but it is not this judge's.
    old = verse.meaning({"meaning": {"heard": 0.4, "bi": 0.6, "cross": 1.0, "calibrated": None}})
    assert (old["figure"], old["sentence"]) == ("", strings.OTHER_JUDGE)


@pytest.mark.parametrize("by", ["people", "graded verses", "blind readings"])
def test_whose_scale_it_is_is_said(by, monkeypatch):
    monkeypatch.setattr(composer, "scale_by", lambda: by)
    said = verse.meaning({"meaning": {"judge": 0.3, "calibrated": 1.2}})["sentence"]
    assert said.startswith("Nothing of the English is in the verse")
    assert ("no people have rated" in said.lower()) == (by != "people")


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        (Choices("  "), "Expected a sentence or two of English prose; got nothing to read."),
        (Choices(PROSE, model="gpt"), "Expected one of the generators"),
    ],
)
def test_what_cannot_be_composed_gets_a_sentence(choices, sentence):
    (only,) = composing.compose(choices, "somebody")
    assert sentence in only.error and only.kept is None


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"beams": 0}, "Expected beams to be a whole number from 1 to 50; got 0."),
        ({"metre": "sonnet"}, "sonnet"),
        ({"seed": None}, "Expected seed to be a whole number from 0 to 2147483647; got None."),
    ],
)
def test_controls_that_cannot_be_get_a_sentence_and_nobody_waits_for_them(values, sentence):
    class Request:
        session_hash = "somebody"

    asked = list((CHOICES.controls() | values).values())
    for press, given in (
        (compose_events.compose_for_page, asked),
        (compose_events.compare_for_page, [*asked, *COMPARED]),
    ):
        compose_events.draw_ticket(Request)
        (only,) = all_of(press(Request, *given))
        assert sentence in only[1][1]["error"] and composing.TICKETS.find("somebody") is None


def test_an_unexpected_fault_is_a_sentence_in_the_page_and_a_traceback_in_the_log(monkeypatch, caplog):
    def fail(*given, **named):
        raise RuntimeError("secret")

    monkeypatch.setattr(composer, "compose", fail)
    (only,) = composing.compose(CHOICES, "somebody")
    assert only.error == strings.UNEXPECTED and "secret" in caplog.text


def test_stopping_leaves_what_was_whole(monkeypatch):
    monkeypatch.setattr(composing, "newest", every_one)
    pictures = []
    for picture in composing.compose(CHOICES, "somebody"):
        pictures.append(picture)
        if picture.live["sentence"] == "Draws, step 1":
            assert composing.TICKETS.stop("somebody")
    assert pictures[-1].kept.composition["candidates"]
    assert "The search was stopped before its end." in pictures[-1].kept.composition["notes"]


def test_what_is_at_hand_is_loaded_before_it_is_asked_for_and_nothing_else(monkeypatch, caplog):
    asked = []
    monkeypatch.setattr(loading, "loaded_generator", asked.append)
    composing.prepare("embedded")
    composing.prepare("nllb")
    assert asked == ["embedded"]
    composing.prepare("no such model")
    assert asked == ["embedded"] and "no such model could not be prepared" in caplog.text


def test_stopped_before_anything_is_whole_the_verse_that_was_there_stays():
    ticket = composing.TICKETS.draw("somebody")
    ticket.stop()
    last = list(composing.compose(CHOICES, "somebody"))[-1]
    assert last.kept is None and last.error == ""
    step, about = map(int, re.fullmatch(r"Stopped at step (\d+) of about (\d+)\.", last.stopped).groups())
    assert 1 <= step < about <= 40
    streamed = compose_events._streamed(last, "devanagari")
    assert streamed[1] == last.stopped and streamed[2] == gr.skip(), "what is kept stays"
    placed = desk_events.place(streamed[1], None, "devanagari", desk.EMPTY, ())
    assert [each for each in placed if each != gr.skip()] == [""], "only nothing is kept anew"
    line = desk_events.last_line(streamed[1])
    assert (line["sentence"], line["moving"]) == (last.stopped, False)
    assert desk_events.last_line(([], {})) == beams.NOT_LIVE


def test_a_comparison_stopped_in_its_second_half_says_so_there(monkeypatch):
    monkeypatch.setattr(composing, "newest", every_one)
    for first, second in composing.compare(CHOICES, CHOICES.but({"draws": 0}), "somebody"):  # noqa: B007
        if second and second.live["cards"]:
            composing.TICKETS.stop("somebody")
    assert first.kept and second.kept is None
    assert compose_events._side(second, CHOICES, 1, CHOICES)["error"] == second.stopped != ""


def test_two_settings_side_by_side():
    other = Choices(PROSE).but({"mode": "free", "beams": 2})
    pictures = list(composing.compare(CHOICES, other, "somebody"))
    first, second = pictures[-1]
    assert first.kept and second.kept
    sides = [compose_events._side(first, CHOICES, 0, other), compose_events._side(second, other, 1, CHOICES)]
    assert [each["rank"] for each in sides[0]["others"]] == [2, 3, 4, 5][: len(sides[0]["others"])]
    assert sides[0]["differ"] and len(sides[0]["differ"]) == len(sides[1]["differ"])
    assert [side["name"] for side in sides] == ["First", "Second"]
    assert sides[0]["verse"]["full"] and sides[0]["log_p"]


# ------------------------------------------------------------------------------------------------------- the API


def test_the_api_composes_and_refuses_in_sentences():
    made = composing.compose_api(PROSE, beams=3, script="iast")
    assert made["candidates"][0]["full"] and made["verse"] == made["candidates"][0]["text"]
    refused = {
        "prose": ["", 5, None], "script": ["runes", 1], "model": ["gpt", 5], "metre": ["sonnet", "", 5, None, ["a"]],
        "beams": [0, 4000, 1e308, True, "x", None, [3], 2.5], "seed": ["x", -1, 10**30], "rank": ["beauty", None],
        "beta": [math.nan, math.inf, "5", False, {}], "synchronous": [1, "true", None], "top_k": [-1, "all"],
    }  # fmt: skip
    for name, values in refused.items():
        for value in values:
            with pytest.raises(gr.Error, match="Expected .*; got "):
                composing.compose_api(**{"prose": PROSE, name: value})
    with pytest.raises(gr.Error, match="Expected a reader"):
        composing.score_api([{"en": "a", "sa": "धर्मक्षेत्रे कुरुक्षेत्रे"}])
    with pytest.raises(gr.Error, match="Expected a list of objects"):
        composing.score_api([{"en": "a"}])


def test_a_search_that_takes_too_long_is_stopped_and_says_so(monkeypatch):
    monkeypatch.setenv("PINGALA_SECONDS", "0")
    made = composing.compose_api(PROSE, beams=3)
    assert made["timings"]["steps"] == 1 and made["candidates"] == []
    assert made["notes"] == ["The search took longer than 0 seconds, which is as long as it may, and was stopped."]


@pytest.mark.slow
def test_memory_does_not_grow_with_compositions():
    """After 200 within 50 MB of after 20."""

    def megabytes():
        gc.collect()
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def compose(numbers):
        for number in numbers:
            choices = Choices(f"{PROSE} {number}").but({"beams": 2, "top_k": 20})
            *_, last = composing.compose(choices, f"session {number}")
            assert last.kept

    compose(range(20))
    after_20 = megabytes()
    compose(range(20, 200))
    assert megabytes() - after_20 < 50 and len(composing.TICKETS._tickets) == 0

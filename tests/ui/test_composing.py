"""A press of Compose as the page shows it, by a tiny generator: pictures, result, other scripts, beams, curves."""

import gc
import json
import math
import os
import re
import sys
from pathlib import Path

import gradio as gr
import pytest

from tests.waiting import run_async
from workbench import composer
from workbench.models import loading
from workbench.prosody import text_reading, verdict
from workbench.prosody.script import write
from workbench.semantics import judges as judging
from workbench.ui import beams, beams_tab, compose_events, composing, desk, desk_events, plots, strings, verse
from workbench.ui.choices import COMPARED, Choices

PROSE = "You have a right to your work alone"
CHOICES = Choices(PROSE).but({"beams": 5, "beta": 5.0, "draws": 2})

pytestmark = pytest.mark.usefixtures("registered")


def all_of(pictures):
    async def every():
        return [each async for each in pictures]

    return run_async(every())


def every_one(making, cancel, every):
    """Instead of the newest, which depends on who is faster (test_running has that)."""
    yield from making


@pytest.fixture
def pictures(monkeypatch):
    monkeypatch.setattr(composing, "newest", every_one)
    return list(composing.compose(CHOICES, "somebody"))


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
        return [{"heard": 0.5} for verse in verses if verse.plain]


def counted(monkeypatch, function, but=()):
    """The calls of a function from now on, whatever module of the house has it by whatever name."""
    calls = []

    def counting(*given, **named):
        calls.append(given)
        return function(*given, **named)

    for name, module in list(sys.modules.items()):
        if name.startswith("workbench") and name not in but:
            for attribute in [key for key, value in vars(module).items() if value is function]:
                monkeypatch.setattr(module, attribute, counting)
    return calls


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
    said = verse.meaning({"meaning": {"heard": 0.994, "calibrated": None}})
    assert (said["figure"], said["word"], said["share"]) == ("0.99", "much of it is heard", 99)
    said = verse.meaning({"meaning": {"heard": 0.05, "calibrated": None}})
    assert (said["figure"], said["word"], said["share"]) == ("0.05", "little of it is heard", 5)
    said = verse.meaning({"meaning": {"heard": 0.3, "calibrated": 3.0}})
    assert (said["figure"], said["word"], said["share"]) == ("3.0 of 5", "partly", 50)
    assert said["sentence"].startswith("The main statement is there; a whole clause is missing")
    # What a browser kept when another judge ranked has its number still, but it is not this judge's.
    old = verse.meaning({"meaning": {"bi": 0.6, "cross": 1.0, "calibrated": None}})
    assert (old["figure"], old["sentence"]) == ("", strings.OTHER_JUDGE)


@pytest.mark.parametrize("by", ["people", "graded verses"])
def test_whose_scale_it_is_is_said(by, monkeypatch):
    monkeypatch.setattr(composer, "scale_by", lambda: by)
    said = verse.meaning({"meaning": {"heard": 0.3, "calibrated": 1.2}})["sentence"]
    assert said.startswith("Nothing of the English is in the verse") and ("no people have rated" in said) == (
        by != "people"
    )


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


# ---------------------------------------------------------------------------------------------- the Beams tab


@pytest.fixture
def trace(pictures):
    return pictures[-1].kept.trace


def test_a_step_has_a_card_a_beam_with_ghosts_for_what_must_come(trace):
    view = beams.step_view(trace, 6, "devanagari")
    assert view["title"] == f"Step 6 of {len(trace['steps'])}" and len(view["cards"]) == 5
    card = view["cards"][0]
    assert all(len(row["tiles"]) == 8 for row in card["rows"])
    kinds = [tile["kind"] for tile in card["rows"][3]["tiles"]]
    assert kinds == ["ghost"] * 8
    assert [tile["glyph"] for tile in card["rows"][3]["tiles"]][4:7] == ["⏑", "–", "⏑"]
    assert "masked" in view["summary"]


def test_milestones_are_told_with_step_score_and_beta(trace):
    last = beams.step_view(trace, len(trace["steps"]) - 1, "iast")["cards"][0]
    done = [mark for mark in last["strip"] if mark["done"]]
    assert done and done[0]["pada"] == "p1" and done[0]["told"].startswith("step ")
    assert last["rows"][0]["mark"] == "✓ 8 +5" and last["rows"][0]["done"]


def test_dropped_beams_fold_away_with_their_reason(trace):
    views = [beams.step_view(trace, number, "slp1") for number in range(1, len(trace["steps"]) + 1)]
    dropped = [one for view in views for one in view["dropped"]]
    assert any(one["text"] for one in dropped) and all(one["reason"] for one in dropped)
    assert any(view["ended"] for view in views)
    assert beams.step_view({**trace, "steps": []}, 1, "slp1") == beams.NO_BEAMS


def test_what_a_repeated_word_cost_is_told_beside_the_score(trace):
    beam = {**trace["steps"][5]["beams"][0], "log_probability": -12.5, "added": 5.0, "score": -10.5}
    assert beams.card("Beam 1", beam, trace, "slp1")["score"] == "log P −12.5 + β 5.0 − repeated 3.0"
    beam["score"] = -7.5 + 1e-5
    assert beams.card("Beam 1", beam, trace, "slp1")["score"] == "log P −12.5 + β 5.0"


def test_draws_have_their_own_search(trace):
    assert beams.searches(trace) == [("Beams", "beams"), ("Draws", "draws")]
    drawn = beams.part(trace, "draws")
    assert beams.step_view(drawn, 3, "slp1")["cards"][0]["name"] == "Draw 1"


def test_curves_say_what_the_trace_says_and_have_table_twins(trace):
    figure, twin = plots.scores(trace)
    best = [max(beam["score"] for beam in step["beams"]) for step in trace["steps"] if step["beams"]]
    assert list(figure.data[1].y) == best
    assert f"{best[3]:.2f}" in twin
    figure, twin = plots.masked(trace)
    assert sum(bar.y[2] for bar in figure.data) == pytest.approx(
        trace["steps"][2]["looked"]["masked"] / trace["steps"][2]["looked"]["tokens"]
    )
    figure, twin = plots.beta(trace)
    assert list(figure.data[1].y)[-1] == plots.last_beams(trace)[1][0]["added"] > 0
    number, last = plots.last_beams(trace)
    cost = last[0]["score"] - last[0]["log_probability"] - last[0]["added"]
    assert list(figure.data[2].y)[-1] == pytest.approx(cost, abs=beams.ROUNDING)
    line = plots.lineage(trace, last[0], number)
    assert [step for step, _ in line] == list(range(1, number + 1))
    assert all(
        after["text"].startswith(before["text"]) for (_, before), (_, after) in zip(line, line[1:], strict=False)
    )


def test_a_trace_is_kept_and_opened_again(trace):
    file = beams_tab.keep(trace)
    opened, told = beams_tab.open_trace(file)
    assert opened == json.loads(json.dumps(trace)) and "anuṣṭubh" in told
    assert opened["prose"] == PROSE and opened["signature"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "this is no JSON"),
        ("[" * 100_000, "this is no JSON"),
        ("[]", "the document is not as it should be"),
        (
            '{"version": 1, "settings": {"beta": 5}, "metre": "anuṣṭubh", "script": "slp1", "steps": [{}]}',
            "steps/0 is not",
        ),
        ('{"version": 1, "settings": {"beta": 5}, "metre": "sonnet", "script": "slp1", "steps": []}', "sonnet"),
    ],
)
def test_what_is_no_trace_gets_a_sentence(tmp_path, text, sentence):
    (tmp_path / "trace.json").write_text(text, encoding="utf-8")
    opened, told = beams_tab.open_trace(str(tmp_path / "trace.json"))
    assert sentence in told and 'role="alert"' in told and opened == gr.skip()


def damaged(trace, change):
    """A trace in JSON, changed."""
    made = json.loads(json.dumps(trace))
    change(made)
    return json.dumps(made)


def set_beam(name, value):
    def change(trace):
        trace["steps"][-1]["beams"][0][name] = value

    return change


def set_looked(name, value):
    def change(trace):
        trace["steps"][-1]["looked"][name] = value

    return change


NASTY_CHANGES = {
    "no settings": lambda trace: trace.update(settings={}),
    "a text for beta": lambda trace: trace["settings"].update(beta="5"),
    "a text for samples": lambda trace: trace["settings"].update(samples={"many": 1}),
    "10^300": set_beam("score", 10**300),
    "an integer of 10^300 as step": lambda trace: trace["steps"][0].update(number=10**300),
    "milestones far away": set_beam("milestones", [{"pada": 1, "step": 10**300, "score": 0.0}]),
    "infinity": set_beam("score", float("inf")),
    "no number": set_beam("log_probability", float("nan")),
    "a lone surrogate": set_beam("text", "rAma\ud800"),
    "a lone surrogate for a name": set_looked("reasons", {"\udfff": 1}),
    "a megabyte of text": set_beam("text", "rAma" * 250_000),
    "a megabyte of weights": set_beam("weights", "lg" * 500_000),
    "a text where a number was": set_looked("best_refused", {"text": 5, "log_probability": "x", "reason": []}),
    "a thousand padas": set_beam("padas", 1000),
    "a million reasons": set_looked("reasons", {str(at): 1 for at in range(10_000)}),
    "too many tokens": set_looked("tokens", 10**300),
    "draws without settings": lambda trace: trace["draws"].update(settings={}),
}


@pytest.mark.parametrize("name", NASTY_CHANGES)
def test_a_trace_that_would_crash_the_page_is_refused_in_a_sentence(pictures, tmp_path, name, caplog):
    file = tmp_path / "trace.json"
    file.write_text(damaged(pictures[-1].kept.trace, NASTY_CHANGES[name]), encoding="utf-8")
    opened, told = beams_tab.open_trace(str(file))
    assert opened == gr.skip() and "Expected a trace, as the workbench writes it" in told and caplog.text == ""


def test_a_trace_that_contradicts_itself_is_refused_too(pictures, monkeypatch):
    """Whatever else a form cannot say: drawing it is tried before it is shown."""

    def contradict(trace):
        raise KeyError("parent")

    monkeypatch.setattr(beams_tab, "FIGURES", (contradict,))
    opened, told = beams_tab.open_trace(beams_tab.keep(pictures[-1].kept.trace))
    assert opened == gr.skip() and "contradicts itself" in told


def test_a_trace_as_it_was_kept_can_still_be_opened(pictures):
    opened, told = beams_tab.open_trace(beams_tab.keep(pictures[-1].kept.trace))
    assert opened == json.loads(json.dumps(pictures[-1].kept.trace)) and 'role="status"' in told


def test_traces_taken_away_are_removed_after_a_day(pictures, monkeypatch, tmp_path):
    monkeypatch.setattr(beams_tab.tempfile, "tempdir", str(tmp_path))
    old, new = (Path(beams_tab.keep(pictures[-1].kept.trace)) for _ in range(2))
    assert old.is_file() and new.is_file() and old.name == new.name == "pingala-trace.json"
    os.utime(old, (0, 0))
    last = Path(beams_tab.keep(pictures[-1].kept.trace))
    assert not old.parent.exists() and new.is_file() and last.is_file()


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

"""A search as the Beams tab shows it, by a tiny generator: steps, cards, curves; traces kept, opened again, refused."""

import json
import os
from pathlib import Path

import gradio as gr
import pytest

from tests.ui.pressed import PROSE
from workbench.ui import beams, beams_tab, grid, plots

pytestmark = pytest.mark.usefixtures("registered")


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


def test_a_card_knows_its_script_and_which_akṣaras_are_long_as_every_grid_does(trace):
    beam = {**trace["steps"][5]["beams"][0], "text": "strIstryaNGryagnyo'BikANkzati", "open": False}
    card = beams.card("Beam 1", beam, trace, "iast")
    assert card["script"] == "iast"
    tiles = [tile for row in card["rows"] for tile in row["tiles"]]
    assert [tile["long"] for tile in tiles] == [grid.long(tile["akshara"]) for tile in tiles]
    assert "long" in {tile["long"] for tile in tiles}


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
        with_beams = [step for step in trace["steps"] if step["beams"]]  # in the last, all may have ended
        with_beams[-1]["beams"][0][name] = value

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

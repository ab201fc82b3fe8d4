"""The β curve on the About tab: both curves, and a table that says the same."""

from workbench.ui import plots

CURVE = {
    "paper": [{"beta": 0, "full": 92.61, "sim": 64.96}, {"beta": 5, "full": 100.0, "sim": 78.89}],
    "ours": [
        {"beta": 0, "full": 100.0, "sim": None, "chrf": 24.0, "times_others": 1.55, "signature": "s"},
        {"beta": 5, "full": 100.0, "sim": None, "chrf": 21.0, "times_others": 1.34, "signature": "s"},
    ],
}


def test_both_curves_are_drawn_and_what_was_not_measured_is_not():
    figure, twin = plots.beta_curve(CURVE)
    drawn = {trace.name: list(trace.y) for trace in figure.data}
    assert drawn == {"Full %, paper": [92.61, 100.0], "Sim, paper": [64.96, 78.89], "Full %, ours": [100.0, 100.0]}
    assert "<td>1.550</td>" in twin and "<td>–</td>" in twin and "<td>92.61</td>" in twin


def test_with_a_judge_ours_has_both():
    ours = [{**point, "sim": 50.0, "bi": 67.5} for point in CURVE["ours"]]
    figure, twin = plots.beta_curve({**CURVE, "ours": ours})
    drawn = {trace.name: list(trace.y) for trace in figure.data}
    assert drawn["Sim, ours"] == [50.0, 50.0] and drawn["Sim (bi), ours"] == [67.5, 67.5]
    assert "Sim (bi), paper" not in drawn and "<td>67.50</td>" in twin

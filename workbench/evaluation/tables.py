"""The paper's tables, its figures beside ours. Ours come from finished runs in a folder of results, never from memory:
the same folder gives the same table, byte by byte.

Knows results and the paper's figures; knows no models, no corpora and no ratings.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from workbench.corpora import CorpusError
from workbench.damage import read_json
from workbench.evaluation import certainty
from workbench.evaluation.certainty import Interval
from workbench.evaluation.layout import Row, Table, Value
from workbench.evaluation.measures import Outcome
from workbench.evaluation.reproduction import EXPERIMENTS, PlannedRun
from workbench.evaluation.runs import Measure, Run, finished
from workbench.prosody.metres import find
from workbench.semantics.registry import by_sim, compared, sim_judge

JUDGES = "judges"  # the folder of what was measured of judges
INTERVALS = "In brackets: 95 % intervals, by bootstrap over rows."
PAIRED = (
    "p: paired permutation test over the rows that both have, against Pingala with our settings; of Sim, "
    "or of chrF where either has no Sim."
)
OURS = (
    "Our settings: guidance, beams compared at equal pādas, a cost for repeated words; in the last row a judge "
    "chooses among the beams (the signature says which), in the others of ours the model's first beam stands."
)


@cache
def paper(name: str) -> dict[str, Any]:
    printed: dict[str, Any] = tomllib.loads(Path(__file__).with_name("paper.toml").read_text(encoding="utf-8"))
    found: dict[str, Any] = printed[name]
    return found


def planned_runs(experiment: str, results: Path) -> list[tuple[str, PlannedRun, Run]]:
    """The finished runs of an experiment, by model, in the order of its settings."""
    found = []
    for run in finished(results / experiment):
        model, folder = run.folder.parent.name, run.folder.name
        plan = next((plan for plan in EXPERIMENTS[experiment] if plan.folder == folder), None)
        if plan:
            found.append((model, plan, run))
    order = [plan.folder for plan in EXPERIMENTS[experiment]]
    return sorted(found, key=lambda each: (each[0], order.index(each[1].folder)))


class Rows:
    """A finished run's figures, row by row."""

    def __init__(self, run: Run) -> None:
        self.made: list[Outcome] = list(run.outcomes().values())
        self.measures: list[Measure] = run.measures()
        self.off = [outcome.off(find(run.description["settings"]["metre"])) for outcome in self.made]

    def full(self) -> list[float]:
        return [100.0 * outcome.full for outcome in self.made]

    def partial(self) -> list[float]:
        return [100.0 * (off == 0) for off in self.off]

    def measure(self, name: str) -> list[float] | None:
        """One measure of every verse, or nothing where it was not taken."""
        values = [getattr(each, name) for each in self.measures]
        return None if any(value is None for value in values) else values

    def scores(self, judge: str) -> list[float] | None:
        """A judge's, or nothing where it was not asked."""
        values = [each.scores[judge] for each in self.measures if judge in each.scores]
        return values if len(values) == len(self.measures) else None

    def sims(self) -> list[Interval | None]:
        """The mean score of each judge in points of a hundred, the paper's first."""
        found = (self.scores(judge.name) for judge in by_sim())
        return [_mean([100.0 * score for score in scores] if scores else None) for scores in found]


def _mean(values: list[float] | None) -> Interval | None:
    return certainty.mean(values) if values else None


def _ratio(rows: Rows) -> Interval | None:
    own, other = rows.measure("chrf"), rows.measure("chrf_other")
    return certainty.ratio(own, other) if own and other else None


def main_table(results: Path) -> Table:
    printed = paper("main")
    rows = [
        Row((row["model"], row["ft"], row["setting"], float(row["full"]), float(row["partial"]),
             *_of_paper(row["sim"]), None, None, None))
        for row in printed["rows"]
    ]  # fmt: skip
    runs = planned_runs("main", results)
    best = {model: Rows(run) for model, plan, run in runs if plan.folder == "pingala"}
    for model, plan, run in runs:
        ours = Rows(run)
        rows.append(
            Row(
                (model, True, plan.says, _mean(ours.full()), _mean(ours.partial()), *ours.sims(),
                 _mean(ours.measure("chrf")), _ratio(ours), _against(ours, best.get(model))),
                run.signature,
            )
        )  # fmt: skip
    columns = ("model", "FT", "setting", "Full %", "Partial %", *_sim_columns(), "chrF", "× others", "p")
    remarks = (INTERVALS, PAIRED, OURS)
    return Table("main", printed["title"], columns, tuple(rows), remarks)


def _sim_columns() -> list[str]:
    return [judge.label for judge in by_sim()]


def _of_paper(sim: float | None) -> list[float | None]:
    """The paper's Sim is its cross-encoder's; for other judges it has no figure."""
    return [sim, *[None] * (len(by_sim()) - 1)]


def _against(ours: Rows, best: Rows | None) -> float | None:
    """Whether a setting's Sim, or chrF where there is no judge, differs from Pingala's on the rows both have."""
    if best is None or ours.made == best.made:
        return None
    judge = sim_judge().name
    judged = bool(ours.scores(judge) and best.scores(judge))
    one, other = (
        {each.id: value for each in rows.measures
         if (value := each.scores.get(judge) if judged else each.chrf) is not None}
        for rows in (ours, best)
    )  # fmt: skip
    shared = [id_ for id_ in one if id_ in other]
    return certainty.paired([one[id_] for id_ in shared], [other[id_] for id_ in shared]) if shared else None


def ood_table(results: Path) -> Table:
    printed = paper("ood")
    rows = [
        Row((row["model"], float(row["full"]), float(row["partial"]), *_of_paper(row["sim"])))
        for row in printed["rows"]
    ]
    for model, _, run in planned_runs("ood", results):
        ours = Rows(run)
        rows.append(Row((model, _mean(ours.full()), _mean(ours.partial()), *ours.sims()), run.signature))
    columns = ("model", "Full %", "Partial %", *_sim_columns())
    return Table("ood", printed["title"], columns, tuple(rows), (INTERVALS,))


def beta_table(results: Path) -> Table:
    printed = paper("beta")
    rows = [
        Row(("NLLB-dist-1.3B", row["beta"], float(row["full"]), *_of_paper(row["sim"]), None, None))
        for row in printed["rows"]
    ]
    for model, plan, run in planned_runs("beta", results):
        ours = Rows(run)
        cells = (model, int(plan.says), _mean(ours.full()), *ours.sims())
        rows.append(Row((*cells, _mean(ours.measure("chrf")), _ratio(ours)), run.signature))
    columns = ("model", "β", "Full %", *_sim_columns(), "chrF", "× others")
    return Table("beta", printed["title"], columns, tuple(rows), (INTERVALS,))


def _bins(
    name: str, results: Path, count: Callable[[Rows, dict[str, Any], dict[str, Any] | None], int | None]
) -> Table:
    """Counts by bin: the paper's models and ours, a row for each of ours so that it can carry its signature."""
    printed = paper(name)
    bins = printed["rows"]
    rows = [Row((model, None, *(each["counts"][at] for each in bins))) for at, model in enumerate(printed["models"])]
    for model, plan, run in planned_runs("main", results):
        ours = Rows(run)
        counts = [count(ours, each, before) for each, before in zip(bins, [None, *bins[:-1]], strict=True)]
        if None not in counts:
            rows.append(Row((model, plan.says, *counts), run.signature))
    return Table(name, printed["title"], ("model", "setting", *(each["bin"] for each in bins)), tuple(rows))


def semantic_bins_table(results: Path) -> Table:
    def count(rows: Rows, this: dict[str, Any], before: dict[str, Any] | None) -> int | None:
        scores = rows.scores(sim_judge().name)
        if scores is None:
            return None
        return sum(bool(this["least"] <= score < (before["least"] if before else 2.0)) for score in scores)

    return _bins("semantic-bins", results, count)


def syllable_bins_table(results: Path) -> Table:
    def count(rows: Rows, this: dict[str, Any], before: dict[str, Any] | None) -> int | None:
        return sum(bool((before["within"] if before else -1) < off <= this["within"]) for off in rows.off)

    return _bins("syllable-bins", results, count)


# ------------------------------------------------------------------------------------------------------- judges


def judged(results: Path) -> list[dict[str, Any]]:
    """What was measured of judges: a file for each pair of them."""
    anew = "`python -m workbench results` says which command makes it."
    return [read_json(file, CorpusError, anew) for file in sorted((results / JUDGES).glob("*.json"))]


def spread_table(measured: list[dict[str, Any]]) -> Table:
    printed = paper("spread")
    keys = ("positive", "negative", "spread")
    rows = [Row((row["judge"], *(float(row[key]) for key in keys))) for row in printed["rows"]]
    rows += [
        Row((f"{judge}, {each['script']}", *(found[key] for key in keys)), each["signature"])
        for each in measured
        for judge, found in each["spread"].items()
    ]
    return Table("spread", printed["title"], ("judge", *keys), tuple(rows))


def accuracy_table(measured: list[dict[str, Any]]) -> Table:
    printed = paper("accuracy")
    rows = [Row((row["judge"], row["all"], row["sixteen"], row["four"])) for row in printed["rows"]]
    for each in measured:
        for judge, found in each["accuracy"].items():
            cells = (f"{judge}, {each['script']}", *(100 * found[key] for key in ("all", "16", "4")))
            rows.append(Row(cells, each["signature"]))
    remark = "Ours: all but the bi-encoder, among all, order its first 50."
    return Table("accuracy", printed["title"], ("judge", "all", "16", "4"), tuple(rows), (remark,))


def changes_table(measured: list[dict[str, Any]]) -> Table:
    """Not the paper's: whether a judge hears one change of meaning, by kind."""
    rows = []
    for each in measured:
        heard = each["changes"]
        kinds = {**heard["kinds"], "all": {"pairs": heard["pairs"], "heard": heard["heard"]}}
        rows += [Row((kind, found["pairs"], 100 * found["heard"]), each["signature"]) for kind, found in kinds.items()]
    return Table(
        "changes", "Of pairs with one change to the English, how many score lower than the true one, in percent",
        ("change", "pairs", "heard %"), tuple(rows),
    )  # fmt: skip


CORRELATIONS = ("pearson", "spearman", "calibrated_pearson", "calibrated_spearman")


def slp1_table(measured: list[dict[str, Any]]) -> Table:
    printed = paper("slp1")
    keys = ("positive", "negative", "spread", "all", "sixteen", "four", "pearson", "calibrated_pearson")
    rows = [Row((row["script"], *(row[key] for key in keys))) for row in printed["rows"]]
    for each in measured:
        title = next(judge.title for judge in compared() if judge.title in each["spread"])
        apart, found = each["spread"][title], each["accuracy"][title]
        cells = (apart["positive"], apart["negative"], apart["spread"], 100 * found["all"], 100 * found["16"],
                 100 * found["4"], None, None)  # fmt: skip
        rows.append(Row((each["script"], *cells), each["signature"]))
    columns = ("script", "positive", "negative", "spread", "all", "16", "4", "Pearson", "calibrated")
    return Table("slp1", printed["title"], columns, tuple(rows))


# ------------------------------------------------------------------------------------------------------ ratings


def correlation_table(summary: dict[str, Any] | None, signature: str = "") -> Table:
    """`summary` is a study's, as `ratings summary --json` prints it."""
    printed = paper("correlation")
    rows = [Row((row["judge"], row["items"], *(row[key] for key in CORRELATIONS), None)) for row in printed["rows"]]
    for metric in (summary or {}).get("metrics", ()):
        raw, calibrated = metric["raw"], metric["calibrated"]
        cells: list[Value] = [metric["name"], metric["items"]]
        cells += [raw["pearson"]["value"], raw["spearman"]["value"]]
        cells += [
            calibrated["pearson"]["value"],
            calibrated["spearman"]["value"],
            metric["crossed"]["pearson"]["value"],
        ]
        rows.append(Row(tuple(cells), signature))
    columns = ("judge", "items", "Pearson", "Spearman", "calibrated Pearson", "calibrated Spearman", "held out Pearson")
    remark = "Held out: each item by a curve fitted on the others; the paper calibrates on the items it judges."
    return Table("correlation", printed["title"], columns, tuple(rows), (remark, *_no_study(summary)), digits=4)


def annotators_table(summary: dict[str, Any] | None, signature: str = "") -> Table:
    printed = paper("annotators")
    rows = [Row((row["annotator"], None, float(row["mean"]))) for row in printed["rows"]]
    rows.append(Row(("Krippendorff's α", None, printed["alpha"])))
    for line in (summary or {}).get("raters", ()):
        mean = Interval(*(line["mean"][key] for key in ("value", "low", "high"))) if line["mean"] else None
        rows.append(Row((line["name"], line["rated"], mean), signature))
    if summary:
        rows.append(Row(("Krippendorff's α", summary["ratings"], summary["alpha"]["value"]), signature))
    columns = ("annotator", "ratings", "semantic coherence")
    return Table("annotators", printed["title"], columns, tuple(rows), _no_study(summary), digits=3)


def _no_study(summary: dict[str, Any] | None) -> tuple[str, ...]:
    return () if summary else ("No study was named: --study shows one beside the paper's figures.",)


FROM_RUNS: dict[str, Callable[[Path], Table]] = {
    "main": main_table, "ood": ood_table, "beta": beta_table, "semantic-bins": semantic_bins_table,
    "syllable-bins": syllable_bins_table,
}  # fmt: skip
FROM_JUDGES: dict[str, Callable[[list[dict[str, Any]]], Table]] = {
    "spread": spread_table, "accuracy": accuracy_table, "changes": changes_table, "slp1": slp1_table,
}  # fmt: skip
FROM_RATINGS: dict[str, Callable[[dict[str, Any] | None, str], Table]] = {
    "correlation": correlation_table, "annotators": annotators_table,
}  # fmt: skip
NAMES = (*FROM_RUNS, *FROM_JUDGES, *FROM_RATINGS)


def from_results(name: str, results: Path) -> Table:
    """A table that needs nothing but results."""
    if not results.is_dir():
        raise CorpusError(f"Expected a folder of results, as `reproduce` makes one; found none at {results}.")
    if name in FROM_RUNS:
        return FROM_RUNS[name](results)
    return FROM_JUDGES[name](judged(results))

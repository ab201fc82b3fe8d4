"""What a study has found, for its owner, as data: figures with reasons, exports, calibration. Without a browser."""

import base64
import csv
import io
import json
import zipfile

import pytest

from tests.ratings import made
from tests.verses import IN_EVERY_SCRIPT
from workbench import composer
from workbench.ratings import items
from workbench.ratings.texts import RatingError
from workbench.semantics import calibration
from workbench.semantics import judges as judging
from workbench.ui import findings, rating_plots, results, studies_events
from workbench.ui import owner as owning
from workbench.ui import rating_strings as strings
from workbench.ui.owner import Owner

DEVANAGARI = IN_EVERY_SCRIPT["devanagari"]


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


def test_a_calibration_is_taken_away_and_its_file_kept(rated, judged):
    before = judging.judges().ranked_by
    assert results.forget(rated) == strings.NO_CALIBRATION
    results.calibrate(rated, results.calibration(rated)[1])
    file = judging.calibration_file()
    curve = file.read_bytes()
    assert results.forget(rated) == strings.CALIBRATION_FORGOTTEN
    assert composer.calibrated_now() is None and judging.judges().ranked_by == before
    assert not file.exists() and file.with_name("calibration.removed.json").read_bytes() == curve
    file.write_text("{", encoding="utf-8")  # a damaged one can be got rid of in the same way
    kept = judging.judges()
    kept.__dict__.pop("calibration", None)
    assert kept.curve() is None and kept.calibration_fault
    assert results.forget(rated) == strings.CALIBRATION_FORGOTTEN and not kept.calibration_fault
    told = studies_events.forget_calibration(rated.study, "not its token", "", None)[-1]
    assert told["error"]


@pytest.mark.parametrize(
    ("by", "said"),
    [
        (calibration.PEOPLE, "Now: a calibration by 500 items, from 1.0 to 4.5 of 5."),
        (calibration.GRADED, "Now: no people's ratings. The scale stands on 500 verses from books"),
        (calibration.READERS, "Now: no people's ratings. The scale stands on careful readings of 500 verses"),
    ],
)
def test_a_scale_is_called_by_what_it_stands_on(rated, judged, tmp_path, by, said):
    identity = judging.judge_identity(composer.ranker())
    calibration.Calibration((0.0, 1.0), (1.0, 4.5), identity, 500, "d", by).save(tmp_path / "scale.json")
    assert results.calibration(rated)[0]["lines"][0].startswith(said)


def test_too_few_ratings_make_no_calibration(owner):
    would, _, mark, told = studies_events.look_at_calibration(owner.study, owner.token, "", None)
    assert told["error"].startswith("Expected at least 10 rated verses; got 0") and not told["sentence"]
    assert would == findings.NOTHING and mark == ""

"""Studies in a real browser: a study from its making to its export, its raters and their links, what is there again
after a reload, its calibration, and the verses that visitors saved for it."""

import json
import re
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import expect

from tests.browser.looking import choose
from tests.browser.rating import MARKUP, enter, open_study, progress, step, unfold
from tests.browser.test_compose_tab import OTHER, compose
from tests.ratings import made
from tests.verses import IN_EVERY_SCRIPT
from workbench.ratings import items, raters, saved, schema, session, studies

DEVANAGARI = IN_EVERY_SCRIPT["devanagari"]


def make(page, name):
    """A study by its form, of which one rater an item and no repeats are asked; its owner's token."""
    page.get_by_role("tab", name="Studies").click()
    page.locator("#new-name input, #new-name textarea").fill(name)
    page.locator("#new-overlap input").fill("1")
    unfold(page, "#new-more")
    page.locator("#new-repeats input[type=number]").fill("0")
    page.locator("#new-repeats input[type=number]").press("Tab")
    page.locator("#new-create").click()
    expect(page.locator("#studies-told")).to_contain_text("which nobody can look up")
    return page.locator("#studies-told code").inner_text()


def test_a_study_from_its_making_to_its_export(app, engine, devices, tmp_path):
    owner = devices().new_page()
    owner.goto(app)
    assert len(make(owner, "Ten verses")) > 30
    expect(owner.locator("#study-head")).to_contain_text("One person rates each verse. No item comes twice.")
    rows = [{"id": str(at), "en": f"Prose {at}.", "verse": DEVANAGARI, "system": "hidden-system"} for at in range(10)]
    file = tmp_path / "items.jsonl"
    file.write_text("\n".join(map(json.dumps, [*rows, {"id": "11", "en": MARKUP}])), encoding="utf-8")
    with owner.expect_file_chooser() as chooser:  # the second step is open by itself
        owner.locator("#items-upload").click()
    chooser.value.set_files(file)
    expect(owner.locator("#items-preview")).to_contain_text("10 items can be added; 1 rows cannot.")
    expect(owner.locator("#items-preview")).to_contain_text("Row 11: Expected a verse; got nothing.")
    expect(owner.locator("#items-preview tbody tr").first).to_contain_text(DEVANAGARI.split()[0])  # kept in SLP1
    owner.locator("#items-score input").uncheck()
    owner.locator("#items-add").click()
    expect(owner.locator("#studies-told")).to_contain_text("10 items added")
    expect(owner.locator("#study-head")).to_contain_text("10 items and no raters yet: invite some in step 3.")
    step(owner, "3 Raters")
    owner.locator("#raters-names textarea").fill("Gārgī\nMaitreyī")
    owner.locator("#raters-invite").click()
    expect(owner.locator("#raters-list code")).to_have_count(2)
    link = owner.locator("#raters-list code").first.inner_text()
    assert link.startswith(app) and "#invite=" in link
    assert owner.locator("#raters-list button[data-copy]").first.get_attribute("data-copy") == link

    here = devices()
    page = here.new_page()
    enter(page, link)
    assert "invite" not in page.url
    for number in range(1, 7):
        page.keyboard.press(str(1 + number % 5))
        page.keyboard.press("Enter")
        progress(page, f"{number} of 10 rated")
    page.close()

    page = here.new_page()  # the same browser, without the link
    page.goto(app)
    page.get_by_role("tab", name="Rate").click()
    expect(page.locator("#rate-verse h2")).to_have_text("Verse 7 · not rated yet")
    page.close()
    page = devices(390, 844).new_page()  # elsewhere, by the link
    page.goto(link)
    expect(page.locator("#rate-verse h2")).to_have_text("Verse 7 · not rated yet")
    for number in range(7, 11):
        page.keyboard.press("2")
        page.keyboard.press("Enter")
        progress(page, f"{number} of 10 rated")
    expect(page.locator("#rate-done")).to_contain_text("nothing more for you to rate")
    page.locator("#rate-jump").select_option("3")
    expect(page.locator("#rate-verse h2")).to_have_text("Verse 3 · rated")
    expect(page.locator("input[name=rate-coherence]:checked")).to_have_value("4")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.locator("#rate-done")).to_be_visible()
    html = page.content() + "".join(answer.text() for where, answer in devices.answers if where == page)
    assert "hidden-system" not in html and link.rpartition("=")[2] not in page.url

    step(owner, "4 Results")
    expect(owner.locator("#results-summary h2")).to_have_text("Ten verses: coherence", timeout=30_000)
    expect(owner.locator("#results-summary")).to_contain_text("10 ratings of 10 items")
    expect(owner.locator("#results-summary")).to_contain_text("hidden-system")
    expect(owner.locator("#results-summary")).to_contain_text("No item comes twice.")
    expect(owner.locator("#results-by-system .js-plotly-plot")).to_be_visible()
    expect(owner.locator("#results-twin-by-system table")).to_have_count(1)
    for label, ending in (("CSV", "csv"), ("TSV for mqm_viewer", "tsv"), ("Hugging Face dataset (zip)", "zip")):
        choose(owner, "#results-format", label)
        with owner.expect_download() as download:
            owner.locator("#results-export").click()
        assert download.value.suggested_filename.endswith(f".{ending}")
        if ending == "csv":
            download.value.save_as(tmp_path / "ratings.csv")
    lines = (tmp_path / "ratings.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 11 and all(DEVANAGARI.split()[0] in line for line in lines[1:])
    study = parse_qs(urlparse(link).query)["study"][0]
    with schema.reading(engine) as connection:
        rated = session.standing(connection, study)
    assert [each.answers["coherence"] for each in rated] == [2, 3, 1, 5, 1, 2, 2, 2, 2, 2]
    step(owner, "3 Raters")
    owner.locator("#raters-list summary", has_text="close the link").first.click()
    owner.locator("#raters-list button[data-what=revoke]").first.click()
    expect(owner.locator("#studies-told")).to_contain_text("Gārgī's link is closed")
    page.locator("#rate-next").click()
    expect(page.locator("#rate-screen [role=alert]").first).to_contain_text("This link opens no study here.")


def test_studies_and_raters_are_there_again_after_a_reload_and_links_are_made_anew(app, engine, devices):
    context = devices()
    page = context.new_page()
    page.goto(app)
    token = make(page, "A lasting study")
    step(page, "3 Raters")
    page.locator("#raters-names textarea").fill("Gārgī")
    page.locator("#raters-invite").click()
    first = page.locator("#raters-list code").inner_text()
    page.locator("#raters-names textarea").fill("Gārgī")
    page.locator("#raters-invite").click()
    expect(page.locator("#studies-told [role=alert]")).to_contain_text("Expected a name that no other rater")
    expect(page.locator("#raters-names textarea")).to_have_value("Gārgī")  # what was typed stays
    page.reload()
    page.get_by_role("tab", name="Studies").click()
    expect(page.locator("#study-head h2")).to_have_text("A lasting study")  # opened again by itself
    expect(page.locator("#studies-list .study-name")).to_have_text("A lasting study")
    step(page, "3 Raters")
    expect(page.locator("#raters-list .rater-name")).to_have_text("Gārgī")
    expect(page.locator("#raters-list code")).to_have_count(0)  # links are told once
    page.locator("#raters-list summary", has_text="make the link anew").press("Enter")
    page.locator("#raters-list button[data-what=renew]").press("Enter")
    expect(page.locator("#studies-told [role=status]")).to_be_focused()
    second = page.locator("#raters-list code").inner_text()
    assert second != first
    rater = devices().new_page()
    rater.goto(first)
    expect(rater.locator("#rate-screen [role=alert]").first).to_have_text(raters.CLOSED)
    rater.goto("about:blank")
    rater.goto(second)
    expect(rater.locator("#rate-consent")).to_be_visible()

    other = context.new_page()  # the same browser: one press opens it, and nothing is typed
    other.goto(app)
    other.get_by_role("tab", name="Studies").click()
    other.locator("#studies-list .study-name").press("Enter")
    expect(other.locator("#study-head h2")).to_have_text("A lasting study")
    other.locator("#studies-list summary").press("Enter")
    other.locator("#studies-list [data-do=forget]").press("Enter")
    expect(other.locator("#studies-list [data-do=surely]")).to_be_focused()
    expect(other.locator("#studies-list [role=alert]")).to_contain_text("Forget “A lasting study” on this device?")
    other.locator("#studies-list [data-do=surely]").press("Enter")
    expect(other.locator("#studies-list .study-name")).to_have_count(0)
    assert token not in other.evaluate("JSON.stringify(localStorage)")


def test_too_little_to_correlate_is_one_sentence(app, engine, devices):
    founded = studies.create(engine, "Three verses", (), overlap=2, repeats=0)
    items.add(engine, founded.study, [
        items.Item(str(at), f"Prose {at}.", made.VERSE, "s", scores={"cross": at / 9, "bi": at / 9}) for at in range(3)
    ])  # fmt: skip
    for name in ("Gārgī", "Maitreyī"):
        made.rate_all(engine, made.rater(engine, founded.study, name))
    page = devices().new_page()
    page.goto(app)
    open_study(page, founded.study.id, founded.token)
    summary = page.locator("#results-summary")
    expect(summary.locator("h2")).to_have_text("Three verses: coherence")
    expect(summary).to_contain_text("Correlation needs 10 rated items with a score; there are 3.")
    assert len(re.findall("Correlation needs|there are 3", summary.inner_text())) == 2, "said once, not of each score"


def test_a_calibration_is_looked_at_and_asked_about_before_it_is_stored(app, engine, data, devices):
    founded = studies.create(engine, "Calibrating", (), overlap=1, repeats=0)
    items.add(engine, founded.study, [
        items.Item(str(at), f"Prose {at}.", made.VERSE, "s", scores={"cross": at / 12}) for at in range(12)
    ])  # fmt: skip
    made.rate_all(engine, made.rater(engine, founded.study), lambda shown: 1 + int(shown.prose[6:-1]) // 3)
    page = devices().new_page()
    page.goto(app)
    open_study(page, founded.study.id, founded.token)
    expect(page.locator("#results-summary h2")).to_have_text("Calibrating: coherence", timeout=30_000)
    step(page, "Calibration")
    expect(page.locator("#calibration-yes")).to_have_count(0)
    page.locator("#calibration-look").click()
    expect(page.locator("#calibration-would")).to_contain_text("Then: a calibration by the 12 rated items")
    expect(page.locator("#calibration-would tbody tr")).to_have_count(5)
    page.locator("#calibration-no").click()
    expect(page.locator("#studies-told")).to_contain_text("Nothing was changed.")
    assert not (data / "calibration.json").exists()
    page.locator("#calibration-look").click()
    page.locator("#calibration-yes").click()
    expect(page.locator("#studies-told")).to_contain_text("Stored: 12 items")
    assert (data / "calibration.json").exists()
    page.locator("#calibration-forget").click()
    expect(page.locator("#studies-told")).to_contain_text("Taken away.")
    assert not (data / "calibration.json").exists()


@pytest.mark.parametrize("width", [1440, 390])
def test_a_verse_saved_by_a_visitor_comes_into_a_study(open_page, engine, width):
    founded = studies.create(engine, "Saved verses", (), overlap=1, repeats=0)
    page = open_page(width)
    prose = f"{OTHER} The forest was {width} miles away."
    compose(page, prose)
    page.locator("#save-verse").click()
    expect(page.locator("#quick-told")).to_contain_text("Saved, with its prose and settings")
    page.locator("#save-verse").click()
    expect(page.locator("#quick-told")).to_contain_text("This verse is saved already")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.get_by_role("button", name=re.compile("^show all")).click()
    page.locator("#candidates tr[data-at='1'] button").click()
    expect(page.locator("#quick-told")).to_have_text("")
    page.locator("#save-verse").click()
    expect(page.locator("#quick-told")).to_contain_text("Saved, with its prose and settings")
    newest, first, *_ = saved.listed(engine)
    assert newest.prose == first.prose == prose and newest.verse != first.verse
    assert (first.system, first.settings["rank"], newest.settings["rank"]) == ("embedded", 1, 2)
    assert first.settings["metre"] == "anuṣṭubh" and first.settings["beams"] > 1 and 0 <= first.scores["judge"] <= 1

    open_study(page, founded.study.id, founded.token)
    expect(page.locator("#items-score input")).to_be_checked()
    page.locator("#items-saved").click()
    expect(page.locator("#items-preview tbody tr").nth(1)).to_contain_text(prose)
    expect(page.locator("#items-preview tbody th").first).to_have_text(newest.id)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("#items-add").click()
    expect(page.locator("#studies-told")).to_contain_text("of them were scored", timeout=60_000)
    with schema.reading(engine) as connection:
        kept = {item.id: item for _, item in items.stored(connection, founded.study)}
    assert kept[first.id].scores["judge"] == first.scores["judge"] and "bi" in kept[first.id].scores
    page.locator("#items-saved").click()
    expect(page.locator("#studies-told [role=alert]")).to_contain_text("Expected saved compositions")

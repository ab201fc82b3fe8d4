"""A verse taken away as a picture, from Compose, Scan, Write and Metres."""

from PIL import Image
from playwright.sync_api import expect

from tests.browser.test_compose_tab import GITA, verse
from workbench.ui import strings
from workbench.ui.picture import FAULT, GURU, LAGHU


def taken(page, place, kind, folder):
    with page.expect_download() as download:
        page.locator(f"{place} button[data-picture={kind}]").first.click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    expect(page.locator(f"{place} .take-picture [role=status]").first).to_have_text(f"verse.{kind} is saved.")
    return file


def test_the_verse_on_the_desk_is_a_drawing_or_dots(open_page, tmp_path):
    page = open_page()
    drawing = taken(page, "#verse", "svg", tmp_path)
    assert drawing.name == "verse.svg"
    assert all(line in drawing.read_text(encoding="utf-8") for line in verse(page).split("\n"))
    dots = taken(page, "#verse", "png", tmp_path)
    assert dots.name == "verse.png"
    with Image.open(dots) as image:
        assert image.format == "PNG" and image.width > 900
        seen = {colour for _, colour in image.convert("RGB").getcolors(1 << 24)}
    for fill in (GURU, LAGHU):
        assert tuple(bytes.fromhex(fill[1:])) in seen


def test_a_verse_of_ones_own_is_one_when_it_is_whole_with_its_faults_in_its_script(open_page, tmp_path):
    page = open_page(tab="Write", width=390, height=844)
    lines = GITA.split("\n")
    page.locator("#write-text textarea").fill(lines[0])
    expect(page.locator("#write-result .tile.ghost")).to_have_count(16)
    expect(page.locator("#write-result [data-picture]")).to_have_count(0)
    page.locator("#write-text textarea").fill(GITA)
    drawing = taken(page, "#write-result", "svg", tmp_path).read_text(encoding="utf-8")
    assert all(line in drawing for line in lines) and f"anuṣṭubh · {strings.FULL}" in drawing
    page.locator("#write-text textarea").fill("dharmakṣetre kurukṣetre samavetā yuddhārthinaḥ\n"
                                              "māmakāḥ pāṇḍavāścaiva kimakurvata sañjaya")  # fmt: skip
    expect(page.locator("#write-result .tile.fault")).to_have_count(1)
    drawing = taken(page, "#write-result", "svg", tmp_path).read_text(encoding="utf-8")
    assert "dharmakṣetre" in drawing and FAULT in drawing
    assert taken(page, "#write-result", "png", tmp_path).stat().st_size > 10_000


def test_a_metres_verse_is_one(open_page, tmp_path):
    page = open_page(tab="Metres")
    page.locator("#metres-search input, #metres-search textarea").fill("arya")
    page.get_by_role("radio", name="āryā ·").click()
    expect(page.locator("#metre-page h2")).to_have_text("āryā")
    drawing = taken(page, "#metre-page", "svg", tmp_path).read_text(encoding="utf-8")
    assert f"āryā · {strings.FULL}" in drawing
    assert page.locator("#metre-page .sanskrit span").first.inner_text().split()[0] in drawing
    assert taken(page, "#metre-page", "png", tmp_path).stat().st_size > 10_000


def test_a_scanned_verse_is_one_too(open_page, tmp_path):
    page = open_page(tab="Scan", width=390, height=844)
    page.locator("#scan-input textarea").fill(GITA)
    page.locator("#scan-run").click()
    drawing = taken(page, "#scan-result", "svg", tmp_path)
    assert GITA.split("\n")[0] in drawing.read_text(encoding="utf-8")
    assert taken(page, "#scan-result", "png", tmp_path).stat().st_size > 10_000
    assert page.evaluate("document.documentElement.scrollWidth") == 390

"""A verse taken away as a picture, from Compose and from Scan."""

from PIL import Image
from playwright.sync_api import expect

from tests.browser.test_compose_tab import GITA, verse
from workbench.ui.picture import GURU, LAGHU


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


def test_a_scanned_verse_is_one_too(open_page, tmp_path):
    page = open_page(tab="Scan", width=390, height=844)
    page.locator("#scan-input textarea").fill(GITA)
    page.locator("#scan-run").click()
    drawing = taken(page, "#scan-result", "svg", tmp_path)
    assert GITA.split("\n")[0] in drawing.read_text(encoding="utf-8")
    assert taken(page, "#scan-result", "png", tmp_path).stat().st_size > 10_000
    assert page.evaluate("document.documentElement.scrollWidth") == 390

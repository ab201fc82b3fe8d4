"""Pictures of every tab, and of a first visit: those of the README into assets/, or all of them, at three widths, light
and dark, into a folder for eyes to judge. `make pictures` takes the README's, `make pictures TO=FOLDER` all.

Knows the page as a person does. The study that it shows is made up here, by a seeded dice, and says so in its name.
"""

import argparse
import random
import tempfile
from pathlib import Path
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.looking import browsing
from tests.browser.test_compose_tab import PROSE, set_number
from tests.ratings import made
from workbench.benchmarks.page import serving
from workbench.paths import ASSETS
from workbench.ratings import items, raters, schema, studies

SIZES = {1440: 1000, 1024: 1000, 390: 844}
THEMES = ("light", "dark")
README = ("compose", "beams", "scan", "studies", "about", "rate")
WIDTH, COLOURS = 1280, 256  # of the README's pictures
HEIGHTS = {"compose": 1330, "about": 1300}  # of the page in them, where a window's is too little
# Bhagavadgītā 1.1 with one akṣara too heavy, so that Scan has a fault to show; its first half with another, for Write.
BEGUN = "dharmakṣetre kurukṣetre samavetā yuddhārthinaḥ"
FAULTY = "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः ।\nमामकाः पाण्डवाश्चैव किमकुर्वतां सञ्जय ॥"
VERSES = (
    ("Blind Dhritarashtra asked what his sons and the sons of Pandu did on the field of Kuru.", made.VERSE),
    (
        "You have a right to the work alone, never to its fruits.",  # Bhagavadgītā 2.47
        "karmaRyevADikAraste mA Palezu kadAcana . mA karmaPalaheturBUrmA te saNgo 'stvakarmaRi ..",
    ),
    (
        "Hunter, may you find no rest for endless years, since you have killed one of a loving pair of cranes.",
        "mA nizAda pratizWAM tvamagamaH SASvatIH samAH . yat krOYcamiTunAdekamavaDIH kAmamohitam ..",  # Rāmāyaṇa 1.2.15
    ),
)
NAMES = ("Gārgī", "Maitreyī", "Śākalya", "Bhāskara")


def study(data: Path) -> tuple[studies.NewStudy, str]:
    """A study that four people have rated, and the link of a fifth who is about to."""
    engine = schema.connect(f"sqlite:///{data / 'ratings.db'}")
    dice = random.Random(0)
    founded = studies.create(engine, "A made-up study", made.ALL, overlap=5, repeats=0.1)
    worth = {prose: 2 + at for at, (prose, _) in enumerate(VERSES)}
    rows = [
        items.Item(
            f"v{at}", prose, verse, ("embedded, β 5", "embedded, β 0")[at % 2], {"beta": 5}, "made up",
            {"cross": round(worth[prose] / 6 + dice.random() / 4, 3), "bi": round(0.4 + dice.random() / 2, 3)},
        )
        for at, (prose, verse) in enumerate(VERSES * 8)
    ]  # fmt: skip
    items.add(engine, founded.study, rows)
    for name in NAMES:
        who = made.rater(engine, founded.study, name)
        made.rate_all(engine, who, lambda showing: worth[showing.prose] + dice.choice((-1, 0, 0, 0, 1)))
    token = raters.invite(engine, founded.study, "Lopāmudrā").token
    engine.dispose()
    return founded, f"/?study={founded.study.id}#invite={token}"


def look(browser: Browser, address: str, width: int, theme: str) -> Page:
    page = browser.new_page(viewport={"width": width, "height": SIZES[width]})
    page.set_default_timeout(60_000)
    page.goto(f"{address}/?__theme={theme}&prose={quote(PROSE)}")
    expect(page.locator("#score .figure")).to_be_visible(timeout=120_000)
    expect(page.locator("#reading .said")).to_be_visible(timeout=120_000)
    return page


def tabs(page: Page, address: str, founded: studies.NewStudy, link: str, theme: str):
    """Each tab's name, once the page shows what it has to show there."""
    yield "compose"
    page.get_by_role("tab", name="Beams").click()
    expect(page.locator("#figure-scores .js-plotly-plot")).to_be_visible()
    set_number(page, "#step", 9)
    expect(page.locator("#beams-view .step-title")).to_contain_text("Step 9 of")
    yield "beams"
    page.get_by_role("tab", name="Compose").click()
    page.locator("#compare-with button").first.click()
    page.locator("#compare").click()
    expect(page.locator("#comparison section")).to_have_count(2, timeout=90_000)
    yield "compare"
    page.get_by_role("tab", name="Write").click()
    page.locator("#write-text textarea").fill(BEGUN)
    expect(page.locator("#write-result .tile.fault")).to_have_count(1)
    yield "write"
    page.get_by_role("tab", name="Scan").click()
    page.locator("#scan-input textarea").fill(FAULTY)
    page.locator("#scan-run").click()
    expect(page.locator("#scan-result .fault").first).to_be_visible()
    yield "scan"
    page.get_by_role("tab", name="Metres").click()
    page.locator("#metres-search input, #metres-search textarea").fill("mandakranta")
    page.get_by_role("radio", name="mandākrāntā").click()
    expect(page.locator("#metre-page h2")).to_have_text("mandākrāntā")
    yield "metres"
    page.get_by_role("tab", name="Studies").click()
    page.locator("#study-other button").first.click()
    page.locator("#study-number input, #study-number textarea").fill(founded.study.id)
    page.locator("#study-token input").fill(founded.token)
    page.locator("#study-open").click()
    expect(page.locator("#results-by-system .js-plotly-plot")).to_be_visible()
    yield "studies"
    page.get_by_role("tab", name="About").click()
    expect(page.locator("#beta-curve .js-plotly-plot")).to_be_visible()
    yield "about"
    page.goto(f"{address}{link.replace('#', f'&__theme={theme}#')}")
    if page.locator("#rate-consent").or_(page.locator("#rate-verse h2")).first.get_attribute("id") == "rate-consent":
        page.locator("#rate-consent").check()
        page.locator("#rate-begin").click()
    expect(page.locator("#rate-verse h2")).to_be_visible()
    yield "rate"
    page.evaluate("localStorage.clear()")
    page.goto(f"{address}/?__theme={theme}")
    expect(page.get_by_role("dialog")).to_be_visible()
    yield "arriving"


def taken(page: Page, path: Path, height: int | None = None) -> None:
    """The page from its top, so many pixels of it or all."""
    page.evaluate("document.activeElement.blur(), window.scrollTo(0, 0)")
    page.mouse.move(0, 0)
    page.wait_for_timeout(700)  # figures and folds come to rest
    clip = None if height is None else {"x": 0, "y": 0, "width": 1440, "height": height}
    page.screenshot(path=path, full_page=True, clip=clip)


def small(path: Path) -> None:
    with Image.open(path) as image:
        height = round(image.height * WIDTH / image.width)
        image.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS).quantize(COLOURS).save(
            path, optimize=True
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="where all of them go; without it, the README's are taken")
    folder = parser.parse_args().folder
    with tempfile.TemporaryDirectory() as kept, browsing() as browser:
        data = Path(kept)
        with serving(data, data / "app.log") as address:
            founded, link = study(data)
            for width in SIZES if folder else (1440,):
                for theme in THEMES if folder else ("light",):
                    page = look(browser, address, width, theme)
                    for name in tabs(page, address, founded, link, theme):
                        if folder:
                            folder.mkdir(parents=True, exist_ok=True)
                            taken(page, folder / f"{name}-{width}-{theme}.png")
                        elif name in README:
                            taken(page, ASSETS / f"{name}.png", HEIGHTS.get(name, SIZES[1440]))
                            small(ASSETS / f"{name}.png")
                    page.close()


if __name__ == "__main__":
    main()

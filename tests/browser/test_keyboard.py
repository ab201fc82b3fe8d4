"""Everything by the keyboard, and for whoever listens: no list stays open, no stop is on nothing, no trap; and what
axe-core, a machine that knows the rules of accessibility, finds on every tab."""

import re

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from tests.browser.rating import open_study, step
from tests.browser.test_compose_tab import GITA, OTHER, compose, unfold
from tests.ratings import made
from workbench.ratings import items, raters, studies

FAULTY = GITA.replace("किमकुर्वत", "किमकुर्वतां")
TABS = ("Compose", "Write", "Beams", "Scan", "Metres", "Rate", "Studies", "About")
# Where the keyboard stands: a key of the element, and what is wrong with stopping there.
STOP = """() => {
  const here = document.activeElement;
  if (here === document.body) return null;
  const {width, height} = here.getBoundingClientRect();
  const name = here.getAttribute('aria-label') || here.innerText || here.title || here.placeholder
    || [...(here.labels ?? [])].map(one => one.innerText).join(' ')
    || document.getElementById(here.getAttribute('aria-labelledby'))?.innerText || here.closest('label')?.innerText;
  const faults = [];
  if (width < 4 || height < 4 || !here.checkVisibility({visibilityProperty: true})) faults.push('nothing to see');
  if (here.closest('[aria-hidden=true]')) faults.push('hidden from whoever listens');
  if (!name?.trim()) faults.push('no name');
  const scrolls = here.scrollWidth > here.clientWidth || here.scrollHeight > here.clientHeight; // by the arrow keys
  if (!here.matches('a, button, input, textarea, select, summary, [role], .tile') && !scrolls) faults.push('nothing to do');
  if (here.matches('[role=group], [role=region]') && here.scrollWidth <= here.clientWidth) faults.push('nothing to scroll');
  here.dataset.stop ??= String(window.stops = (window.stops ?? 0) + 1);
  return [here.dataset.stop, faults.join(', '), here.outerHTML.slice(0, 200)];
}"""
AXE = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
  .filter(one => ['serious', 'critical'].includes(one.impact))
  .flatMap(one => one.nodes.map(node => `${one.id}: ${node.html.slice(0, 160)} ${node.failureSummary}`))"""
LEVELS = """() => [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  .filter(one => one.checkVisibility() && !one.closest('[aria-hidden=true]')).map(one => Number(one.tagName[1]))"""
# What scrolls has a stop of the keyboard, and figures that are still empty are pictures: both a moment after they come.
NAMED = """() => !document.querySelector('.empty[aria-label]:not([role])')
  && ![...document.querySelectorAll(':is(.table-scroll, .grid-scroll):not([aria-hidden], [tabindex])')].some(box =>
    box.checkVisibility() && box.scrollWidth > box.clientWidth && !box.querySelector('button, [tabindex]'))"""
FOLDS = ("#wishes", "#search", "#more", "#compare-with", "#examples")
MOST = 400  # stops of a tab; with more, it goes round in circles


def test_a_list_that_is_left_by_tab_closes(open_page):
    page = open_page()
    page.locator("#metre-box").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#script input")).to_be_focused()
    expect(page.locator("ul[role=listbox]")).to_have_count(1)
    expect(page.get_by_role("option", name="IAST", exact=True)).to_be_visible()
    expect(page.get_by_role("option", name=re.compile("Tamil"))).to_have_count(0)  # see workbench/ui/scripts.py
    page.keyboard.press("Tab")
    expect(page.locator("#model input")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#division input").first).to_be_focused()
    expect(page.locator("ul[role=listbox]")).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#script input")).not_to_have_value("Devanagari")  # chosen by keys all the same
    expect(page.locator("#model input")).to_have_value("embedded (86 MB, needs no more than a laptop)")


@pytest.mark.parametrize("width", [1440, 390])
def test_every_stop_of_the_keyboard_is_on_something_and_none_is_a_trap(open_page, width):
    page = open_page(width=width)
    for tab in TABS:
        walk(page, tab, "Tab")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_tab(open_page, theme):
    page = open_page(theme=theme)
    page.evaluate(AXE_SCRIPT)
    for fold in FOLDS:
        unfold(page, fold)
    for tab in TABS:
        page.get_by_role("tab", name=tab).click()
        if tab == "Scan":
            page.locator("#scan-input textarea").fill(FAULTY)
            page.locator("#scan-run").click()
            expect(page.locator("#scan-result .fault").first).to_be_visible()
        if tab == "About":
            expect(page.locator("#beta-curve .js-plotly-plot")).to_be_visible()
        at_ease(page, tab)


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (390, "dark")])
def test_axe_finds_nothing_serious_in_what_people_made(open_page, engine, width, theme):
    """Tabs full of work: a verse with what else a pāda could be, a search, a verse being written, many scanned, a metre of
    morae, a study with its raters and ratings, and what a rater sees. The keyboard walks through the first five as well:
    from the beginning on the wide page, from the end on the phone."""
    page = open_page(width=width, theme=theme)
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(AXE_SCRIPT)
    compose(page, OTHER)
    expect(page.locator("#reading .said")).to_be_visible(timeout=90_000)
    page.locator("#verse button[data-do=others]").first.click()
    expect(page.locator("#verse .offers .offer").first).to_be_visible(timeout=90_000)
    at_ease(page, "Compose")
    page.get_by_role("tab", name="Beams").click()
    expect(page.locator("#figure-beta .js-plotly-plot")).to_be_visible()
    at_ease(page, "Beams")
    page.get_by_role("tab", name="Write").click()
    page.locator("#write-text textarea").fill(FAULTY.split("\n")[0])
    expect(page.locator("#write-result .tile.ghost")).to_have_count(16)
    at_ease(page, "Write")
    page.get_by_role("tab", name="Scan").click()
    page.locator("#scan-input textarea").fill(f"{GITA}\n\n{FAULTY}")
    page.locator("#scan-run").click()
    page.locator("#scan-result button.jump").click()
    expect(page.locator("#scan-result .tile.fault")).to_be_visible()
    at_ease(page, "Scan")
    page.get_by_role("tab", name="Metres").click()
    page.locator("#metres-search input, #metres-search textarea").fill("arya")
    page.get_by_role("radio", name="āryā ·").click()
    expect(page.locator("#metre-page h2")).to_have_text("āryā")
    at_ease(page, "Metres")
    page.get_by_role("tab", name="Compose").click()
    for fold in FOLDS:
        unfold(page, fold)
    for tab in TABS[:5]:
        walk(page, tab, "Tab" if width == 1440 else "Shift+Tab", least=20)

    founded = studies.create(engine, "A study", made.ALL, overlap=2, repeats=0)
    items.add(engine, founded.study, [items.Item(str(at), f"Prose {at}.", made.VERSE, "s") for at in range(3)])
    made.rate_all(engine, made.rater(engine, founded.study), 3)
    link = raters.invite(engine, founded.study, "Maitreyī").token
    open_study(page, founded.study.id, founded.token)
    expect(page.locator("#results-by-system .js-plotly-plot")).to_be_visible()
    for name in ("1 New study", "2 Items", "3 Raters", "4 Results", "Calibration"):
        step(page, name)
        at_ease(page, f"Studies, {name}")
    page.goto(f"{page.url.split('?')[0]}?__theme={theme}&study={founded.study.id}#invite={link}")
    page.evaluate(AXE_SCRIPT)
    page.locator("#rate-consent").check()
    at_ease(page, "consent")
    page.locator("#rate-begin").click()
    expect(page.locator("#rate-verse h2")).to_be_visible()
    offered = page.locator("#rate-script option").all_inner_texts()
    assert "IAST" in offered and not [label for label in offered if "Tamil" in label]
    at_ease(page, "Rate")


def walk(page, tab, key, least=1):
    """Through a tab by Tab, or by Shift+Tab from the page's end: where it stops there is something, and it comes out."""
    page.get_by_role("tab", name=tab).click()
    expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
    if key == "Shift+Tab":  # out at the beginning, so that the next comes in at the end
        stops_of(page, tab, key)
    stops = stops_of(page, tab, key)
    assert [stop for stop in stops if stop[1]] == [], tab
    assert len(stops) >= least, (tab, len(stops))


def stops_of(page, tab, key):
    """Every stop from here until the keyboard leaves the page."""
    stops = {}
    for _ in range(MOST):
        page.keyboard.press(key)
        stop = page.evaluate(STOP)
        if stop is None:
            break
        assert stop[0] not in stops, f"{tab}: twice at {stop[2]}"
        stops[stop[0]] = stop
    else:
        raise AssertionError(f"{tab} has no end")
    page.evaluate("document.querySelectorAll('[data-stop]').forEach(one => delete one.dataset.stop)")
    return list(stops.values())


def at_ease(page, where):
    """What stands here has its headings in order, one of them the page's, and axe finds nothing serious."""
    page.wait_for_function(NAMED)
    assert page.evaluate(AXE) == [], where
    levels = page.evaluate(LEVELS)
    assert levels[0] == 1 and levels.count(1) == 1 and len(levels) > 1, (where, levels)
    assert all(after - before <= 1 for before, after in zip(levels, levels[1:], strict=False)), (where, levels)

"""The tour of a first visit: it points at what it speaks of, is left at once, takes nothing from the page, and comes to
nobody else."""

import re
from urllib.parse import quote

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from tests.browser.test_compose_tab import GITA, OTHER, arrived
from tests.browser.test_keyboard import AXE
from tests.ratings import made
from workbench import examples
from workbench.ratings import raters, schema
from workbench.ui import strings

STEPS = strings.TOUR_SAYS["steps"]
# What each step points at; an example that is stored without what it says has its meaning stand for it.
READ = examples.stored()["examples"][0]["candidates"][0].get("reading")
THINGS = {
    "prose": ["prose"], "compose": ["metre", "compose"], "verse": ["verse"], "reading": ["reading" if READ else "score"], "tabs": ["tabs"],
}  # fmt: skip
# The ids of what has the tour's ring: of the element itself, or of the nearest above it that we have named.
RINGED = """() => [...document.querySelectorAll('.contain *')]
  .filter(one => getComputedStyle(one).outlineStyle === 'solid' && getComputedStyle(one).outlineOffset === '4px')
  .map(one => one.closest('[id]:not([id^=html-])').id)"""
# Whether somebody who presses in the middle of it presses that, and not what lies over it.
FREE = """selector => {
  const thing = document.querySelector(selector), {left, top, width, height} = thing.getBoundingClientRect();
  return thing.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
WHOLE = """() => {
  const {left, top, right, bottom} = document.querySelector('#tour').getBoundingClientRect();
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
}"""
REMEMBERED = "localStorage.getItem('pingala-tour')"
STILL = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def tour(page):
    return page.get_by_role("dialog")


def on(page, name):
    """The step of that name is shown, and points at its things."""
    expect(tour(page)).to_have_accessible_name(STEPS[name]["title"])
    expect(tour(page)).to_have_accessible_description(STEPS[name]["text"])
    page.wait_for_function(f"wanted => JSON.stringify(({RINGED})()) === JSON.stringify(wanted)", arg=ringed(name))


def ringed(name):
    """In the order of the page, where Compose stands above the metre."""
    return sorted(THINGS[name])


def test_it_points_at_each_thing_in_turn_and_is_not_seen_twice(open_page):
    page = open_page(newcomer=True)
    for number, name in enumerate(STEPS, start=1):
        on(page, name)
        expect(tour(page)).to_contain_text(f"{number} of {len(STEPS)}")
        if number < len(STEPS):
            page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Back").click()
    on(page, "reading")
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Done").click()
    expect(tour(page)).to_have_count(0)
    assert page.evaluate(RINGED) == []
    page.reload()
    page.locator("#prose textarea").wait_for()
    not_there(page)


@pytest.mark.parametrize(("width", "height"), [(1440, 700), (390, 700)])
def test_it_stands_still_when_it_is_there(open_page, width, height):
    """Who presses Next twice presses it twice: what it points at is brought into view at once, and it stays there."""
    page = open_page(width=width, height=height, newcomer=True)
    moved = page.evaluate("""async () => {
      const frame = () => new Promise(requestAnimationFrame), moved = [];
      const press = (name) => document.querySelector(`.tour-${name}`).click();
      const where = () => { const { left, top } = document.querySelector("#tour").getBoundingClientRect(); return [left, top]; };
      await Promise.all(document.querySelector("#tour").getAnimations().map((each) => each.finished)); // how it came
      for (const name of ["next", "next", "next", "next", "back"]) {
        press(name);
        await frame(); await frame(); await frame();
        const there = where();
        for (let at = 0; at < 30; at++) {
          await frame();
          const now = where();
          if (Math.hypot(now[0] - there[0], now[1] - there[1]) > 2) moved.push([name, at, there, now]);
        }
      }
      return moved;
    }""")
    assert moved == []


def test_its_words_need_no_sanskrit_and_no_machines():
    for step in STEPS.values():
        said = f"{step['title']} {step['text']}"
        assert said.isascii() or set(re.findall(r"[^\x00-\x7f]", said)) <= set("–⏑")
        assert not re.search(r"token|beam|model|prosody|slp1|automat|search", said, re.IGNORECASE)


@pytest.mark.parametrize("way", ["button", "Escape"])
def test_it_is_left_at_once_and_called_again_by_its_name(open_page, way):
    page = open_page(newcomer=True)
    expect(tour(page)).to_be_focused()  # nobody else had the keyboard
    if way == "button":
        page.get_by_role("button", name="Leave the tour").click()
    else:
        page.keyboard.press("Escape")
    expect(tour(page)).to_have_count(0)
    assert page.evaluate(REMEMBERED) == "seen"
    page.get_by_role("tab", name="Metres").click()
    page.get_by_role("button", name="Tour", exact=True).click()
    expect(tour(page)).to_be_focused()
    on(page, "prose")  # its tab came too
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    page.keyboard.press("Enter")
    on(page, "compose")
    page.get_by_role("button", name="Back").press("Enter")
    on(page, "prose")
    expect(page.get_by_role("button", name="Next")).to_be_focused()  # Back went away under the keyboard
    page.keyboard.press("Escape")
    expect(tour(page)).to_have_count(0)
    expect(page.get_by_role("button", name="Tour", exact=True)).to_be_focused()


def test_who_is_writing_already_keeps_the_keyboard_and_a_list_its_escape(open_page):
    focus = "new MutationObserver(() => document.activeElement === document.body && document.querySelector('#prose textarea')?.focus())"
    page = open_page(newcomer=True, before=f"{focus}.observe(document, {{childList: true, subtree: true}});")
    expect(tour(page)).to_be_visible()
    expect(page.locator("#prose textarea")).to_be_focused()
    page.keyboard.type("A king")
    expect(page.locator("#prose textarea")).to_have_value("A king")
    page.locator("#metre-box").click()
    expect(page.locator("#metre-box")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Escape")
    expect(page.locator("#metre-box")).to_have_attribute("aria-expanded", "false")
    expect(tour(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(tour(page)).to_have_count(0)
    expect(page.locator("#metre-box")).to_be_focused()


@pytest.mark.parametrize(("width", "height"), [(1440, 1000), (1024, 768), (390, 844)])
def test_it_is_whole_and_lies_over_nothing_that_one_writes_in_or_presses(open_page, width, height):
    page = open_page(width=width, height=height, newcomer=True)
    page.emulate_media(reduced_motion="reduce")
    for name in STEPS:
        on(page, name)
        assert page.evaluate(WHOLE), name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        thing = page.locator(f"#{THINGS[name][0]}")
        expect(thing).to_be_in_viewport()
        if name in ("prose", "compose", "tabs"):
            for selector in ("#prose textarea", "#compose", "#metre-box"):
                assert page.evaluate(FREE, selector), (name, selector)
        page.get_by_role("button", name=re.compile("^(Next|Done)$")).click()


def test_a_verse_is_composed_while_it_is_open_and_its_reading_is_pointed_at_when_it_comes(open_page):
    page = open_page(newcomer=True)
    page.emulate_media(reduced_motion="reduce")
    for _ in range(3):
        page.get_by_role("button", name="Next").click()
    on(page, "reading")
    page.locator("#prose textarea").fill(OTHER)
    page.locator("#compose").click()
    arrived(page)
    expect(page.locator("#verse h2")).to_be_focused()
    page.locator("#reading .said").wait_for(timeout=90_000)
    expect(tour(page)).to_have_accessible_name(STEPS["reading"]["title"])
    page.wait_for_function(f"JSON.stringify(({RINGED})()) === '[\"reading\"]'")


def not_there(page):
    """The page stands, with all that the tour waits for, and it has not come."""
    page.locator("#tabs [data-tab-id=about]").wait_for(state="attached")
    page.locator("#prose textarea").wait_for(state="attached")
    page.evaluate(STILL)
    expect(tour(page)).to_have_count(0)


@pytest.mark.parametrize("query", [f"prose={quote(OTHER)}", f"scan={quote(GITA)}", "metre=upajāti"])
def test_it_never_comes_over_what_a_link_brings(app, chromium, query):
    page = chromium.new_page()
    try:
        page.goto(f"{app}/?{query}")
        if query.startswith("prose"):
            arrived(page)  # until then nothing is there that it could point at
        not_there(page)
        assert page.evaluate(REMEMBERED) is None  # so that the plain page still shows it, another day
        page.goto(f"{app}/?__theme=light")  # which is the host's, and brings nothing
        expect(tour(page)).to_be_visible()
    finally:
        page.close()


def test_it_never_comes_where_nothing_can_be_remembered(open_page):
    refuse = "Storage.prototype.getItem = () => { throw new DOMException('no storage', 'SecurityError'); };"
    not_there(open_page(newcomer=True, before=refuse))


def test_a_rater_never_meets_it(app, chromium, data):
    engine = schema.connect(f"sqlite:///{data / 'ratings.db'}")
    study = made.study(engine, 3, overlap=1)
    link = f"{app}/?study={study.id}#invite={raters.invite(engine, study, 'Gārgī').token}"
    engine.dispose()
    context = chromium.new_context()
    try:
        page = context.new_page()
        page.goto(link)
        page.locator("#rate-consent").wait_for()
        not_there(page)
        expect(page.get_by_role("button", name="Tour", exact=True)).to_have_count(0)  # hidden, and so nobody's
        page.goto(app)  # and the whole page, another day, in the same browser
        page.locator("#prose textarea").wait_for()
        not_there(page)
        expect(page.get_by_role("button", name="Tour", exact=True)).to_be_visible()
    finally:
        context.close()


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (390, "dark")])
def test_axe_finds_nothing_serious_in_it(open_page, width, theme):
    page = open_page(width=width, theme=theme, newcomer=True)
    page.emulate_media(reduced_motion="reduce")
    expect(tour(page)).to_be_visible()
    page.wait_for_function("!document.querySelector('.empty[aria-label]:not([role])')")
    page.evaluate(AXE_SCRIPT)
    assert page.evaluate(AXE) == []


@pytest.mark.parametrize(("motion", "animation"), [("reduce", "none"), ("no-preference", "tour-comes")])
def test_it_moves_only_for_who_likes_that(open_page, motion, animation):
    page = open_page(newcomer=True)
    page.emulate_media(reduced_motion=motion)
    expect(tour(page)).to_have_css("animation-name", animation)

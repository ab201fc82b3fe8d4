"""How a verse comes to a page, and goes: the example of an empty one, Back, a phone, the keyboard and the ear."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from tests.browser.test_compose_tab import OTHER, PROSE, compose, unfold, verse
from tests.ui.test_preview import content
from workbench import composer, examples

PHONE = {"width": 390, "height": 844}
IN_VIEW = """selector => {
  const {top, bottom} = document.querySelector(selector).getBoundingClientRect();
  return top >= 0 && top < innerHeight / 2;
}"""


def shows(page, text):
    expect(page.locator("#verse [data-copy]")).to_have_attribute("data-copy", text, timeout=60_000)


def test_an_empty_page_shows_an_example_that_goes_when_something_is_composed(open_page):
    page = open_page()
    expect(page.locator("#verse .example-of")).to_contain_text(f"An example: “{examples.PROSES[0]}”")
    expect(page.locator("#verse .tile")).to_have_count(32)
    expect(page.locator("#score")).to_contain_text(re.compile(r"[1-5]\.[0-9] of 5 “(faithful|partly|not)”"))
    expect(page.locator("#kept .kept-verse")).to_have_count(0)
    expect(page.locator("#quick")).to_be_hidden()  # it is not for rating
    expect(page.locator("#prose textarea")).to_have_value("")
    compose(page, OTHER)
    expect(page.locator("#verse .example-of")).to_have_count(0)
    expect(page.locator("#kept .kept-verse")).to_have_count(1)


def test_an_example_of_the_fold_shows_its_verse_at_once_and_one_press_composes_it_anew(open_page):
    page = open_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/queue/join" in request.url else None)
    unfold(page, "#examples")
    page.locator("#prose-examples").get_by_text(examples.PROSES[6]).click()
    expect(page.locator("#verse .example-of")).to_contain_text(examples.PROSES[6])
    expect(page.locator("#prose textarea")).to_have_value(examples.PROSES[6])
    expect(page.locator("#kept .kept-verse")).to_have_count(0)
    stored = verse(page)
    assert asked == [], "neither its search nor its reading waits for a turn"
    page.locator("#compose").click()
    expect(page.locator("#verse .verse:not(.example)")).to_be_visible(timeout=90_000)
    # Made as the page makes it, and ranked here by the small reader of these tests: it stands among the candidates.
    page.get_by_role("button", name=re.compile("^show all")).click()
    expect(page.locator("#candidates tr[data-at]").filter(has_text=stored.split("।")[0].strip())).not_to_have_count(0)
    expect(page.locator("#kept .kept-verse")).to_have_count(1)


def test_whoever_comes_by_a_link_sees_no_example(open_page):
    page = open_page(query="&prose=The+king+went+to+the+forest.")
    seen = page.evaluate("document.querySelector('#verse .example')?.checkVisibility() ?? false")
    assert not seen
    expect(page.locator("#verse .verse:not(.example)")).to_be_visible(timeout=90_000)


def test_back_returns_to_the_verse_before_and_forward_to_the_one_after(open_page):
    page = open_page()
    compose(page, PROSE)
    first = verse(page)
    page.locator("#prose textarea").fill(OTHER)
    page.locator("#compose").click()
    expect(page.locator("#verse [data-copy]")).not_to_have_attribute("data-copy", first, timeout=60_000)
    second = verse(page)
    expect(page).to_have_url(re.compile("prose=Rama"))
    page.go_back()
    shows(page, first)
    expect(page.locator("#prose textarea")).to_have_value(PROSE)
    expect(page).to_have_url(re.compile("prose=The"))
    page.go_forward()
    shows(page, second)
    expect(page.locator("#prose textarea")).to_have_value(OTHER)  # which comes a moment after its verse
    page.locator("#prose textarea").fill("What nobody has composed yet.")
    page.go_back()
    shows(page, first)
    expect(page.locator("#prose textarea")).to_have_value("What nobody has composed yet.")
    page.go_back()
    expect(page.locator("#verse .example-of")).to_contain_text(examples.PROSES[0])
    expect(page.locator("#kept .kept-verse")).to_have_count(2)


def test_the_link_of_a_verse_carries_it_to_whoever_shows_a_preview(open_page):
    page = open_page()
    compose(page, OTHER)
    expect(page).to_have_url(re.compile("[?&]verse="))
    (scan,) = composer.scan(verse(page))
    asked = parse_qs(urlsplit(page.url).query)
    assert (asked["prose"], asked["verse"]) == ([OTHER], [scan.verse.slp1])
    html = page.request.get(page.url).text()  # as those who show previews fetch it: no script is run
    assert content(html, "og:title") == f"“{OTHER}” as Sanskrit verse"
    assert content(html, "og:description") == f"In anuṣṭubh: {scan.verse.text('iast')}"
    picture = urlsplit(content(html, "og:image"))
    assert picture.path == "/preview.png"
    assert parse_qs(picture.query)["verse"] == [scan.verse.slp1]


def test_on_a_phone_a_verse_and_a_candidate_come_into_view(open_page):
    page = open_page(**PHONE)
    page.emulate_media(reduced_motion="reduce")
    page.locator("#prose textarea").fill(OTHER)
    page.evaluate("scrollTo(0, 0)")
    page.locator("#compose").click()
    expect(page.locator("#verse .verse:not(.example)")).to_be_visible(timeout=90_000)
    page.wait_for_function(IN_VIEW, arg="#verse .verse h2")
    page.locator("#candidates tr[data-at] button.pick:visible").nth(1).click()
    expect(page.locator("#verse")).to_contain_text(re.compile(r"candidate \d+"))
    page.wait_for_function(IN_VIEW, arg="#verse .verse h2")


def test_the_keyboard_goes_to_the_verse_and_its_coming_is_said(open_page):
    page = open_page()
    expect(page.locator("#announcer")).to_have_attribute("aria-live", "polite")
    expect(page.locator("#announcer")).to_be_empty()
    compose(page, OTHER)
    expect(page.locator("#announcer")).to_have_text(f"A verse in anuṣṭubh: {' '.join(verse(page).split())}")
    expect(page.locator("#verse h2")).to_be_focused()
    levels = page.evaluate(
        """() => [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(e => e.checkVisibility())
          .map(e => Number(e.tagName[1]))"""
    )
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after - before <= 1 for before, after in zip(levels, levels[1:], strict=False)), levels


def test_whoever_types_on_keeps_the_keyboard(open_page):
    page = open_page()
    page.locator("#prose textarea").fill(OTHER)
    page.locator("#compose").click()
    page.locator("#prose textarea").press_sequentially(" And then")
    expect(page.locator("#verse .verse:not(.example)")).to_be_visible(timeout=90_000)
    expect(page.locator("#announcer")).to_contain_text("A verse in anuṣṭubh")
    expect(page.locator("#prose textarea")).to_be_focused()
    expect(page.locator("#prose textarea")).to_have_value(f"{OTHER} And then")


def test_a_candidate_far_below_brings_its_verse_into_view_on_a_wide_page_too(open_page):
    page = open_page()
    page.emulate_media(reduced_motion="reduce")
    compose(page, OTHER)
    page.get_by_role("button", name=re.compile("^show all")).click()
    picks = page.locator("#candidates tr[data-at] button.pick")
    picks.last.scroll_into_view_if_needed()
    assert not page.evaluate(IN_VIEW, "#verse .verse h2")
    picks.last.click()
    expect(page.locator("#verse")).to_contain_text(re.compile(r"candidate \d+"))
    page.wait_for_function(IN_VIEW, arg="#verse .verse h2")

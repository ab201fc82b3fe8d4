"""What it says, in a real browser: under a verse of one's own, under another candidate, under any verse in Scan; never in
Rate."""

import re

import pytest

from tests.browser.test_compose_tab import arrived

PROSE = "Work is yours to choose, but never its fruit."
VERSE = "karmaṇyevādhikāraste mā phaleṣu kadācana / mā karmaphalaheturbhūrmā te saṅgo'stvakarmaṇi"


@pytest.fixture
def composed(open_page):
    def compose(**size):
        page = open_page(**size)
        page.locator("#prose textarea").fill(PROSE)
        page.locator("#compose").click()
        arrived(page)  # until then the example and what it says stand there
        page.locator("#reading .said").wait_for(timeout=90_000)  # the first verse loads generator, judge and reader
        return page

    return compose


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (390, "dark")])
def test_a_verse_is_read_under_it_with_its_words_and_the_prose(composed, width, theme):
    page = composed(width=width, theme=theme)
    assert page.locator("#reading .said").inner_text().strip()
    assert page.locator("#reading header").inner_text().startswith("What it says")
    assert "machine" in page.locator("#reading header").inner_text()
    shown = page.locator("#reading .prose-heard > span")
    assert [text.split("\n")[0].split(" (")[0].strip() for text in shown.all_inner_texts()] == PROSE.split()
    kinds = set(page.locator("#reading .prose-heard > span").evaluate_all("spans => spans.map(span => span.className)"))
    assert kinds <= {"heard", "faintly", "unheard", "little"} and "little" in kinds
    told = page.locator("#reading .prose-heard > span:not(.little)").first.get_attribute("title")
    assert re.fullmatch(r"(heard|faintly|not heard): the verse .+ this word .+", told), told
    titles = page.locator("[title]").evaluate_all("all => all.map(one => one.title)")
    assert titles and not [title for title in titles if re.search(r"\b(nats?|odds|log)\b", title, re.IGNORECASE)]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_another_candidate_is_read_anew(composed):
    page = composed()
    page.get_by_role("button", name=re.compile("^show all")).click()
    page.locator("#candidates tr[data-at='3'] .pick").click()
    page.locator("#candidates tr[data-at='3'].chosen").wait_for()
    # It is waited for, then it is there: one card, and no line that says something is coming.
    page.wait_for_function(
        "document.querySelectorAll('#reading section').length === 1 && !document.querySelector('#reading [role=status]')"
    )
    assert page.locator("#reading .said").inner_text().strip()


def test_scan_reads_on_request(open_page):
    page = open_page(tab="Scan")
    assert not page.locator("#scan-read").is_visible()
    page.locator("#scan-input textarea").fill(VERSE)
    page.locator("#scan-run").click()
    page.locator("#scan-read").wait_for()
    page.locator("#scan-read").click()
    page.locator("#scan-reading .said").wait_for()
    assert page.locator("#scan-reading .glosses dt").count() > 0
    assert page.locator("#scan-reading .prose-heard").count() == 0
    page.locator("#scan-clear").click()
    page.locator("#scan-reading .said").wait_for(state="detached")


def test_raters_are_not_led(open_page):
    page = open_page(tab="Rate")
    assert page.get_by_role("tabpanel").filter(visible=True).locator(".reading").count() == 0

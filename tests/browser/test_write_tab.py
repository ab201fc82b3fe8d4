"""Write in a real browser: scanned at every key, mended, gone on with, finished; nothing lost on reload."""

import pytest
from playwright.sync_api import expect

from tests.browser.looking import CONTRAST, choose
from tests.browser.test_hear import MEGHADUTA

FAULTY = "dharmakṣetre kurukṣetre samavetā yuddhārthinaḥ"  # after Bhagavadgītā 1.1
BOX = "#write-text textarea"
by_mouse_and_by_keyboard = pytest.mark.parametrize(
    ("width", "press"), [(1440, lambda button: button.click()), (390, lambda button: button.press("Enter"))],
    ids=["mouse", "keyboard"],
)  # fmt: skip


@by_mouse_and_by_keyboard
def test_a_verse_with_a_fault_is_mended_by_the_offered_word_and_finished(open_page, width, press):
    page = open_page(width=width, height=844, tab="Write")
    result = page.locator("#write-result")
    expect(result.locator(".tile.ghost")).to_have_count(32)
    page.locator(BOX).focus()
    page.keyboard.type(FAULTY, delay=5)
    expect(result.locator(".tile.fault")).to_have_count(1)
    expect(result.locator(".tile.fault .wanted")).to_have_text("should be laghu")
    expect(result.locator(".badge")).to_have_text("does not fit yet")
    press(result.locator("button[data-do=mend]"))
    offers = result.locator("button.offer")
    expect(offers.first).to_be_visible(timeout=90_000)
    press(offers.first)
    expect(result.locator(".tile.fault")).to_have_count(0)
    expect(result.locator(".tile.ghost")).to_have_count(16)
    expect(page.locator(BOX)).to_be_focused()
    press(result.locator("button[data-do=next]"))
    expect(offers.first).to_be_visible()
    press(offers.first)
    expect(result.locator(".tile.ghost")).not_to_have_count(16)
    expect(result.locator(".badge")).to_have_text("fits so far")
    press(result.locator("button[data-do=finish]"))
    expect(offers.first).to_be_visible()
    press(offers.first)
    expect(result.locator(".badge.good")).to_have_text("every syllable fits")
    typed = page.locator(BOX).input_value()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.reload()
    page.get_by_role("tab", name="Write").click()
    expect(page.locator(BOX)).to_have_value(typed)
    expect(result.locator(".badge.good")).to_have_text("every syllable fits")


def test_live_scansion_asks_the_server_once_after_a_rest_and_never_the_queue(open_page):
    page = open_page(tab="Write")
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "धर्म" in (request.post_data or "") else None)
    page.locator(BOX).focus()
    page.keyboard.type("धर्मक्षेत्रे", delay=5)
    expect(page.locator("#write-result .tile:not(.ghost)")).to_have_count(4)
    assert asked and all(url.endswith("/run/write_scan") for url in asked) and len(asked) < 12


def test_another_metre_and_bad_input(open_page):
    page = open_page(tab="Write")
    choose(page, "#write-metre", "vasantatilakā · 4 × 14")
    expect(page.locator("#write-result .tile.ghost")).to_have_count(56)
    for text, sentence in (
        ("The king spoke to his ministers about war", "does not sound like it"),
        ("धर्म kuru", "Expected one script in one text"),
        ("<img src=x onerror=alert(1)> ${alert(2)} {{value}}", "Expected Sanskrit"),
        ("क" * 20_001, "Expected at most 20,000 characters"),
    ):
        page.locator(BOX).fill(text)
        expect(page.locator("#write-result [role=alert]").first).to_contain_text(sentence)
        expect(page.locator(BOX)).to_have_value(text)


def test_no_letters_hang_out_of_their_tile_on_a_phone(open_page):
    page = open_page(width=390, height=844, tab="Write")
    choose(page, "#write-metre", "mandākrāntā · 4 × 17")
    page.locator(BOX).fill(MEGHADUTA)
    expect(page.locator("#write-result .badge.good")).to_be_visible()
    out = page.locator("#write-result .tile").evaluate_all(
        """tiles => tiles.filter(tile => tile.querySelector(".akshara").getBoundingClientRect().width > tile.getBoundingClientRect().width + 2)
          .map(tile => tile.textContent.trim())"""
    )
    assert out == [] and page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out_enough(open_page, theme):
    page = open_page(theme=theme, tab="Write")
    page.locator(BOX).fill(FAULTY)
    expect(page.locator("#write-result .tile.fault")).to_have_count(1)
    looked = ["#write-result .tile.ghost .glyph", "#write-result .badge", "#write-result .wanted", "#write-result .problems li",
              "#write-result button.action.first", "#write-result button.action:not(.first)"]  # fmt: skip
    assert {name: ratio for name, ratio in page.evaluate(CONTRAST, looked).items() if ratio < 4.5} == {}

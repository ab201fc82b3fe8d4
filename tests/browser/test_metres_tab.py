"""The Metres tab in a real browser, as a person who cannot type diacritics uses it."""

from playwright.sync_api import expect

from tests.browser.looking import scrolls_sideways


def test_a_metre_is_found_shown_and_taken_to_the_other_tabs(open_page):
    page = open_page(tab="Metres")
    shown = page.locator("#metre-page")
    expect(shown.locator("h2")).to_have_text("anuṣṭubh")
    expect(shown).to_contain_text("Also called: śloka, anuṣṭup")
    page.locator("#metres-search input, #metres-search textarea").fill("shardula")
    expect(page.locator("#metres-list input[type=radio]")).to_have_count(2)  # and śārdūlalalita
    page.get_by_role("radio", name="śārdūlavikrīḍita").click()
    expect(page.locator("#metre-page h2")).to_have_text("śārdūlavikrīḍita")
    expect(page.locator("#metre-page .metre-tiles .tile")).to_have_count(19)
    expect(page.locator("#metre-page .after-pause")).to_have_count(1)
    expect(page.locator("#metre-page .grid .tile")).to_have_count(4 * 19)
    expect(page.locator("#metre-page .grid td.pause")).to_have_count(4)
    expect(page.locator("#metre-page .sanskrit")).to_contain_text("या कुन्देन्दुतुषारहारधवला")
    for told in (
        "samavṛtta: four pādas alike", "of a pāda: ma sa ja sa ta ta ga", "after so many syllables: 12 + 7",
        "Sarasvatīstotra", "Pattern after: VR 3.101",
    ):  # fmt: skip
        expect(shown).to_contain_text(told)
    expect(shown).not_to_contain_text("Not of the tradition")
    expect(shown).not_to_contain_text("Also called")  # it has no other name
    page.locator("#metre-scan").click()
    expect(page.locator("#scan-metre input")).to_have_value("śārdūlavikrīḍita · 4 × 19")
    page.get_by_role("tab", name="Metres").click()
    page.locator("#metre-compose").click()
    expect(page.locator("#prose textarea")).to_be_visible()
    expect(page.locator("#metre input")).to_have_value("śārdūlavikrīḍita · 4 × 19")


def test_the_longest_metre_scrolls_nothing_sideways(open_page):
    page = open_page(tab="Metres")
    page.locator("#metres-search input, #metres-search textarea").fill("uddama")
    page.get_by_role("radio").first.click()
    expect(page.locator("#metre-page h2")).to_have_text("uddāma")
    expect(page.locator("#metre-page .tile").first).to_be_visible()
    # None is quoted here: whose the verse is stands under it.
    expect(page.locator("#metre-page")).to_contain_text("Not of the tradition: composed by this workbench for “")
    for width in (1440, 390):
        assert scrolls_sideways(page, (width,)) == []
        card = page.locator("#metre-page section").bounding_box()
        for line in page.locator("#metre-page :is(.sanskrit, .romanised) span").all():
            assert line.evaluate("line => line.scrollWidth <= line.clientWidth"), line.inner_text()
        assert card["x"] + card["width"] <= width


def test_a_long_pattern_stands_in_one_line_where_it_can(open_page):
    page = open_page(width=1024, tab="Metres")
    for typed, name, count in (("mandakranta", "mandākrāntā", 17), ("sragdhara", "sragdharā", 21)):
        page.locator("#metres-search input, #metres-search textarea").fill(typed)
        page.get_by_role("radio", name=name, exact=False).first.click()
        expect(page.locator("#metre-page h2")).to_have_text(name)
        tiles = page.locator("#metre-page .metre-tiles .tile")
        expect(tiles).to_have_count(count)
        tops = tiles.evaluate_all("tiles => tiles.map(tile => tile.getBoundingClientRect().top)")
        assert len(set(tops)) == 1, name

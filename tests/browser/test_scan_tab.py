"""The Scan tab in a real browser, as a person uses it."""

import re
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from gradio_client import Client
from playwright.sync_api import expect

from tests.browser.looking import CONTRAST, choose, scrolls_sideways
from workbench import composer

GITA = "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः ।\nमामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥"
FAULTY = GITA.replace("युयुत्सवः", "युद्धार्थिनः")
IN_NONE = "नम ।\nनमो ॥"
LONG = (
    "yā kundendutuṣārahāradhavalā yā śubhravastrāvṛtā\nyā vīṇāvaradaṇḍamaṇḍitakarā yā śvetapadmāsanā |\n"
    "yā brahmācyutaśaṃkaraprabhṛtibhir devaiḥ sadā vanditā\nsā māṃ pātu sarasvatī bhagavatī niḥśeṣajāḍyāpahā ||"
)

# What would go to the clipboard, and which verses are open when it is printed, is written down.
TAKE = """
navigator.clipboard.writeText = async (text) => { window.copied = text; };
window.print = () => { window.printed = [...document.querySelectorAll('#scan-result details')].map(one => one.open); };
"""


def scan(page, text):
    page.locator("#scan-input textarea").fill(text)
    page.locator("#scan-run").click()


def test_scans_and_shows_the_grid(open_page):
    page = open_page(tab="Scan")
    expect(page.locator("#scan-result")).to_contain_text("The scanned verse appears here.")
    scan(page, GITA)
    result = page.locator("#scan-result")
    expect(result.locator("h2")).to_have_text("anuṣṭubh")
    expect(result.locator(".badge")).to_have_text("every syllable fits")
    expect(result.locator(".grid tr")).to_have_count(4)
    expect(result.locator(".tile")).to_have_count(32)
    first = result.locator(".tile").first
    expect(first.locator(".akshara")).to_have_text("ध")
    expect(first.locator(".glyph")).to_have_text("–")
    expect(first).to_have_attribute("aria-label", "ध: guru: the conjunct rm follows")
    expect(result.locator(".row-note").first).to_contain_text("pathyā")


def test_tiles_stand_on_one_column_grid(open_page):
    page = open_page(tab="Scan")
    scan(page, LONG)
    expect(page.locator("#scan-result h2")).to_have_text("śārdūlavikrīḍita")
    lefts = page.locator("#scan-result .tile").evaluate_all(
        "tiles => tiles.map(t => Math.round(t.getBoundingClientRect().x))"
    )
    assert len(lefts) == 76
    assert lefts[:19] == lefts[19:38] == lefts[38:57] == lefts[57:]


def test_a_fault_is_marked_and_told(open_page):
    page = open_page(tab="Scan")
    scan(page, FAULTY)
    result = page.locator("#scan-result")
    expect(result.locator(".tile.fault")).to_have_count(1)
    expect(result.locator(".tile.fault .wanted")).to_have_text("should be laghu")
    expect(result.locator(".problems li")).to_have_text("Pāda 2, syllable 5 (yu) is guru; it should be laghu.")
    expect(result.locator(".tile.fault")).to_have_attribute("aria-label", re.compile("it should be laghu"))


def test_the_reason_appears_on_hover_and_on_focus(open_page):
    page = open_page(tab="Scan")
    scan(page, GITA)
    tiles = page.locator("#scan-result .tile")
    tiles.nth(8).hover()
    expect(page.locator("#reason")).to_have_text("laghu: the vowel a is short and at most one consonant follows")
    tiles.nth(0).focus()
    expect(page.locator("#reason")).to_have_text("guru: the conjunct rm follows")
    page.keyboard.press("Escape")
    expect(page.locator("#reason")).to_have_count(0)


def test_ctrl_enter_scans_what_was_typed(open_page):
    page = open_page(tab="Scan")
    box = page.locator("#scan-input textarea")
    box.click()
    page.keyboard.type("rAmo vanaM jagAmeti ")
    box.fill(GITA)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#scan-result h2")).to_have_text("anuṣṭubh")


def test_the_script_changes_what_is_shown_only(open_page):
    page = open_page(tab="Scan")
    scan(page, GITA)
    expect(page.locator("#scan-result .akshara").first).to_have_text("ध")
    choose(page, "#scan-to", "IAST")
    expect(page.locator("#scan-result .akshara").first).to_have_text("dha")
    expect(page.locator("#scan-input textarea")).to_have_value(GITA)


def test_bad_input_gets_a_sentence_and_is_not_lost(open_page):
    page = open_page(tab="Scan")
    for text, sentence in [
        ("😀", "Expected letters; character 1 is “😀”"),
        ("The king spoke to his ministers about the war.", "does not sound like it"),
        ("धर्म kuru", "Expected one script in one text"),
        ("क" * 20_001, "Expected at most 20,000 characters"),
        ("<img src=x onerror=alert(1)> ${alert(2)} {{value}}", "Expected Sanskrit"),
        ("${alert(3)}", "Expected a verse of two half-verses"),  # read as two syllables, a-lert
        ("\\u003cimg src=x onerror=alert(4)\\u003e", "Expected Sanskrit"),
    ]:
        scan(page, text)
        expect(page.locator("#scan-result")).to_contain_text(sentence)
        expect(page.locator("#scan-input textarea")).to_have_value(text)
    scan(page, GITA)
    expect(page.locator("#scan-result [role=alert]")).to_have_count(0)
    expect(page.locator("#scan-result .tile")).to_have_count(32)


def test_examples_and_clear(open_page):
    page = open_page(tab="Scan")
    page.get_by_role("button", name="mandākrāntā: Meghadūta 1").click()
    expect(page.locator("#scan-input textarea")).to_have_value(re.compile("^kaścit"))
    page.locator("#scan-run").click()
    expect(page.locator("#scan-result h2")).to_have_text("mandākrāntā")
    page.locator("#scan-clear").click()
    expect(page.locator("#scan-input textarea")).to_have_value("")
    expect(page.locator("#scan-result .tile")).to_have_count(0)


def test_the_page_never_scrolls_sideways(open_page):
    page = open_page(tab="Scan")
    scan(page, LONG)
    expect(page.locator("#scan-result .tile")).to_have_count(76)
    assert scrolls_sideways(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out_enough(open_page, theme):
    """WCAG AA: 4.5 to 1, measured on what the browser paints."""
    page = open_page(theme=theme, tab="Scan")
    scan(page, FAULTY)
    expect(page.locator("#scan-result .tile.fault")).to_have_count(1)
    ratios = page.evaluate(
        CONTRAST,
        [
            ".tile.guru .akshara",
            ".tile.laghu .akshara",
            ".badge",
            ".problems li",
            ".wanted",
            "#scan-run",
            "#scan-clear",
            ".intro p",
            ".row-note",
            ".masthead .quiet",
        ],
    )
    assert {name: ratio for name, ratio in ratios.items() if ratio < 4.5} == {}


def test_sanskrit_is_set_in_the_font_that_comes_along(open_page):
    page = open_page(tab="Scan")
    scan(page, GITA)
    expect(page.locator("#scan-result .tile")).to_have_count(32)
    page.wait_for_function("document.fonts.check('20px \"Tiro Devanagari Sanskrit\"', 'ध')")


def test_two_people_at_once(open_page):
    one, other = open_page(tab="Scan"), open_page(width=390, height=844, tab="Scan")
    scan(one, GITA)
    scan(other, LONG)
    expect(one.locator("#scan-result h2")).to_have_text("anuṣṭubh")
    expect(other.locator("#scan-result h2")).to_have_text("śārdūlavikrīḍita")


def test_programs_can_call_scan(app):
    client = Client(app, verbose=False)
    verses = client.predict(text=GITA, script="auto", metre="auto", to="iast", api_name="/scan")
    assert verses[0]["metre"] == "anuṣṭubh"
    assert verses[0]["padas"][0]["syllables"][0] == "dha"


def test_fifty_verses_are_fifty_lines_with_a_summary_that_leads_to_the_faults(open_page):
    page = open_page(tab="Scan")
    scan(page, "\n\n".join([*[GITA] * 30, FAULTY, *[GITA] * 9, IN_NONE, *[GITA] * 9]))
    result, summary = page.locator("#scan-result"), page.locator("#scan-result .scan-summary")
    expect(summary.locator("h2")).to_have_text("50 verses, 48 of them without fault")
    expect(summary.locator(".count")).to_have_text(["49 anuṣṭubh"])
    expect(summary.locator("p", has=page.locator(".jump"))).to_have_text(["With faults: 31", "In no known metre: 41"])
    expect(result.locator("details")).to_have_count(50)
    expect(result.locator("summary .number")).to_have_text([str(number) for number in range(1, 51)])
    assert result.bounding_box()["height"] < 5000  # 26,374 px when all were open
    none = result.locator("#scan-verse-41")
    expect(none.locator("summary")).to_contain_text("No known metre")
    summary.get_by_role("button", name="41", exact=True).click()
    expect(none).to_have_attribute("open", "")
    expect(none.locator("summary")).to_be_focused()
    fault = result.locator("#scan-verse-31")
    expect(fault.locator(".grid")).not_to_be_visible()
    summary.get_by_role("button", name="31", exact=True).click()
    expect(fault.locator(".tile.fault")).to_be_visible()
    expect(fault.locator("summary")).to_be_focused()
    with page.expect_download() as saved:
        page.locator("#scan-csv").click()
    assert saved.value.suggested_filename == "scan.csv"
    assert "it should be laghu" in saved.value.path().read_text(encoding="utf-8")


def test_what_was_scanned_is_saved_in_three_ways_sent_as_a_link_and_printed(open_page):
    page = open_page(tab="Scan", before=TAKE)
    scan(page, f"{GITA}\n\n{FAULTY}")
    expect(page.locator("#scan-result details")).to_have_count(2)
    for kind, holds in (
        ("csv", "it should be laghu"),
        ("json", '"full": false'),
        ("txt", "2. anuṣṭubh: does not fit yet"),
    ):
        with page.expect_download() as saved:
            page.locator(f"#scan-{kind}").click()
        assert saved.value.suggested_filename == f"scan.{kind}"
        assert holds in saved.value.path().read_text(encoding="utf-8")
    page.locator("#scan-link").click()
    expect(page.locator("#scan-link")).to_have_text("copied")
    link = urlsplit(page.evaluate("window.copied"))
    assert parse_qs(link.query) == {"scan": [f"{GITA}\n\n{FAULTY}"]} and link.path == "/"
    page.locator("#scan-print").click()
    assert page.evaluate("window.printed") == [True, True], "every verse is open on paper"
    page.emulate_media(media="print")
    for hidden in (".masthead", "#tabs [role=tablist]", "#scan-input", "#scan-take", ".mend", ".take-picture"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(page.locator("#scan-result .tile.fault")).to_be_visible()


def test_a_metre_of_morae_is_counted_in_morae_and_a_part_of_a_verse_is_told_what_it_can_be(open_page):
    page = open_page(tab="Scan")
    page.get_by_role("button", name="āryā").click()
    expect(page.locator("#scan-input textarea")).to_have_value(re.compile("^siMhaH"))
    page.locator("#scan-run").click()
    result = page.locator("#scan-result")
    expect(result.locator("h2")).to_have_text("āryā")
    expect(result.locator("header")).to_contain_text("12 + 18 + 12 + 15 morae")
    expect(result.locator(".row-note").nth(1)).to_contain_text("18 morae")
    expect(result.locator(".row-note").nth(1)).to_contain_text(re.compile("(– –|⏑ ⏑|– ⏑|⏑ –|––|⏑⏑)"))
    expect(result).not_to_contain_text("syllables")
    quoted = composer.quoted_verse(composer.find_metre("aupacchandasika"))
    scan(page, quoted.text("iast"))
    expect(result.locator("h2")).to_have_text("aupacchandasika")  # no gīti with faults
    expect(result.locator(".badge")).to_have_text("every syllable fits")
    scan(page, LONG.split("\n")[0])
    expect(result).to_contain_text(re.compile("By itself it can be: .*śārdūlavikrīḍita"))
    expect(result.locator(".tile")).to_have_count(19)


def test_a_link_opens_the_tab_with_its_verse_scanned(open_page, app):
    page = open_page(tab="Scan")
    page.goto(f"{app}/?scan={quote(GITA)}")
    expect(page.locator("#scan-result h2")).to_have_text("anuṣṭubh")
    expect(page.locator("#scan-input textarea")).to_have_value(GITA)
    expect(page.locator("#scan-to input")).to_have_value("As written")


def test_a_file_is_read_and_scanned(open_page, tmp_path):
    file = tmp_path / "verse.txt"
    file.write_text(GITA, encoding="utf-8")
    page = open_page(tab="Scan")
    with page.expect_file_chooser() as chooser:
        page.locator("#scan-file").click()
    chooser.value.set_files(str(file))
    expect(page.locator("#scan-result h2")).to_have_text("anuṣṭubh")


def test_a_fault_is_mended_by_a_word_that_fits(open_page):
    page = open_page(tab="Scan")
    scan(page, FAULTY)
    result = page.locator("#scan-result")
    result.get_by_role("button", name="words that fit").click()
    offer = result.locator(".mend .offer").first
    expect(offer).to_be_focused(timeout=60_000)
    word = offer.locator(".sanskrit-cell").inner_text()
    page.keyboard.press("Enter")
    expect(result.locator(".badge")).to_have_text("every syllable fits")
    expect(page.locator("#scan-input textarea")).to_have_value(FAULTY.replace("युद्धार्थिनः", word))
    expect(result.locator(".mend")).to_have_count(0)


def test_among_many_verses_only_the_faulty_one_is_changed(open_page):
    page = open_page(tab="Scan")
    scan(page, f"{GITA}\n\n{FAULTY}\n\n{GITA}")
    result = page.locator("#scan-result")
    result.locator("details.verse").nth(1).locator("summary").click()
    result.get_by_role("button", name="words that fit").click()
    result.locator(".mend .offer").first.click(timeout=60_000)
    expect(result.locator(".badge.bad")).to_have_count(0)
    assert page.locator("#scan-input textarea").input_value().count(GITA) == 2

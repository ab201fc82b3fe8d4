"""A verse as people read it on the page: candidates that differ, long metres, every script, words without a glossary."""

import re
from urllib.parse import quote

from playwright.sync_api import expect

from tests.browser.looking import SPILLING
from tests.browser.test_compose_tab import OTHER, arrived, choose, compose, unfold, verse
from tests.browser.test_scan_tab import LONG
from workbench.ui import scripts

# Raghuvaṃśa 1.1; and clusters that spill where anything does.
CLUSTERS = """vāgarthāviva saṃpṛktau vāgarthapratipattaye |
jagataḥ pitarau vande pārvatīparameśvarau ||
kṣatriyo rāṣṭravarjñeyaḥ kḷptārtsnyā jñānacakṣuṣoḥ |
uṣṭrakṛcchreṣu lakṣmyordhvaṃ strīstryaṅghryagnyo'bhikāṅkṣati ||"""
# What the page said once; a decoder's term now has a plain label, with its symbol and the paper's name in the help.
GONE = (
    "in the search's own order", "log-odds", "kind to the generator", "Tokens in a row", "77 MB", "a CPU", "Raters an item",
    "got none yet",
)  # fmt: skip


def test_five_candidates_that_differ_come_first_and_what_differs_is_marked(open_page):
    page = open_page()
    compose(page, OTHER)
    rows, shown = page.locator("#candidates tr[data-at]"), page.locator("#candidates tr[data-at]:visible")
    expect(page.locator("#candidates h2")).to_have_text(re.compile(r"^5 that differ, of \d+ candidates$"))
    expect(shown).to_have_count(5)
    page.get_by_role("button", name=re.compile("^show all")).click()
    expect(shown).to_have_count(rows.count())
    here = set(verse(page).split())
    expect(page.locator("#candidates tr.chosen mark")).to_have_count(0)
    marked = page.locator("#candidates mark").all_inner_texts()
    assert marked and not here & {word.strip(" ।॥\u00a0") for word in marked}
    line, ground = page.locator("#candidates mark").first.evaluate(
        "m => [getComputedStyle(m).borderBottomStyle, getComputedStyle(m).backgroundColor]"
    )
    assert line == "solid" and ground != "rgba(0, 0, 0, 0)", "a line and a shade"
    rows.nth(rows.count() - 1).locator("button.pick").click()
    expect(rows.nth(rows.count() - 1)).to_have_class("chosen")
    expect(page.locator("#candidates tr.chosen mark")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^show only")).click()
    expect(page.locator("#candidates tr.chosen")).to_be_visible()


def test_a_long_metre_has_a_pāda_a_line_and_its_pauses_are_gaps(open_page):
    page = open_page(query=f"&metre={quote('mandākrāntā')}&yati=require&prose={quote(OTHER)}")
    arrived(page)
    expect(page.locator("#verse .badge").first).to_contain_text("mandākrāntā")
    assert len(verse(page).split("\n")) == page.locator("#verse .place").count() > 2
    grid = page.locator("#verse .grid tr")
    for row in grid.all():
        expect(row.locator("td.pause")).to_have_count(2)
    lefts = grid.first.locator(".tile").evaluate_all("tiles => tiles.map(tile => tile.getBoundingClientRect().x)")
    steps = [after - before for before, after in zip(lefts, lefts[1:], strict=False)]
    assert min(steps[3], steps[9]) > max(step for at, step in enumerate(steps) if at not in (3, 9)) + 8
    assert page.evaluate("document.documentElement.scrollWidth") == 1440


def test_a_metre_of_morae_is_composed_and_told_in_morae_and_gaṇas(open_page):
    page = open_page(query=f"&metre={quote('āryā')}&prose={quote(OTHER)}")
    arrived(page)
    expect(page.locator("#verse .badge").first).to_have_text("Full āryā")
    notes = page.locator("#verse .row-note").all_inner_texts()
    assert [re.search(r"\d+ morae", note)[0] for note in notes] == ["12 morae", "18 morae", "12 morae", "15 morae"]
    assert all(len(re.findall("[–⏑]+", note)) >= 3 for note in notes), "the gaṇas of each pāda"
    assert "syllables" not in page.locator("#verse").inner_text()


def test_no_script_spills_over_its_tiles(open_page):
    page = open_page(tab="Scan")
    page.locator("#scan-input textarea").fill(f"{CLUSTERS}\n\n{LONG}")  # whose tiles are smaller
    page.locator("#scan-run").click()
    expect(page.locator("#scan-result details")).to_have_count(3)
    spilling = {}
    for script in scripts.SHOWN.values():
        page.locator("#scan-input textarea").click()
        choose(page, "#scan-to", script.label)
        expect(page.locator(f"#scan-result .grid.in-{script.name}")).to_have_count(3)
        page.locator("#scan-result").evaluate(
            "box => box.querySelectorAll('details').forEach(each => each.open = true)"
        )
        for width in (390, 1440):
            page.set_viewport_size({"width": width, "height": 844})
            page.wait_for_function("width => innerWidth === width", arg=width)
            if found := page.evaluate(SPILLING, "#scan-result .tile"):
                spilling[script.name, width] = found
    assert spilling == {}
    page.locator("#scan-input textarea").click()
    page.locator("#scan-to input").click()
    expect(page.get_by_role("option", name="IAST", exact=True)).to_be_visible()
    expect(page.get_by_role("option", name=re.compile("Tamil"))).to_have_count(0)


def test_words_that_need_no_glossary(open_page):
    page = open_page()
    said = page.content()  # of all tabs, what is folded too
    assert "How many people rate each verse" in said
    for phrase in GONE:
        assert phrase not in said
    expect(page.locator("#model input")).to_have_value("embedded (86 MB, needs no more than a laptop)")
    expect(page.locator("#score")).to_contain_text(re.compile(r"[1-5]\.[0-9] of 5 “(faithful|partly|not)”"))
    text = page.locator(".results").inner_text()
    for word in ("odds", "search's own order", "kind to the generator"):
        assert word not in text
    unfold(page, "#search")
    unfold(page, "#more")
    resets = page.locator("#search button[aria-label^='Reset to default value']:visible")
    expect(resets.first).to_have_attribute("aria-label", re.compile("^Reset to default value: .+"))
    page.wait_for_function("!document.querySelector('button[aria-label=\"Reset to default value\"]')")
    names = [reset.get_attribute("aria-label") for reset in resets.all()]
    assert len(names) == len(set(names)) > 5

"""The chooser of metres in a real browser: as somebody types who has no diacritics, and with keys alone."""

import pytest
from playwright.sync_api import expect

from workbench import composer

CHOOSERS = {"Compose": "#metre", "Scan": "#scan-metre", "Write": "#write-metre"}
# Names as people type them, none of which a list of labels would find; and some by which many are found.
TYPED = (
    "sardula", "shardula", "sloka", "indravajra", "arya", "giti", "upajati", "Vasanta", "zikhariNI", "wamsastha", "totakam",
    "chandralekha", "bhujangaprayat", "aupacchandasika", "19", "dandaka", "jati", "मालिनी", "vrtta", "qqq",
)  # fmt: skip


def box(page, chooser="#metre"):
    return page.locator(f"{chooser} input")


def offered(page, chooser="#metre"):
    return page.locator(f"{chooser} [role=option]").evaluate_all("all => all.map(one => one.dataset.name)")


def test_every_metre_is_reached_in_its_family_the_common_ones_first(open_page):
    page = open_page()
    box(page).click()
    names = offered(page)
    assert sorted(names) == sorted(metre.name for metre in composer.all_metres())
    assert names[: len(composer.common_metres())] == [metre.name for metre in composer.common_metres()]
    expect(page.get_by_role("group", name="samavṛtta, 4 × 19").get_by_role("option")).to_have_count(3)
    last = page.locator("#metre [role=option]").last
    last.scroll_into_view_if_needed()
    last.click()
    expect(box(page)).to_have_value(f"{names[-1]} · {composer.find_metre(names[-1]).summary}")


def test_every_metre_shows_its_pattern_and_none_hangs_out_of_the_list(open_page):
    """In signs; in words where it counts morae or mixes lengths."""
    page = open_page(width=390, height=844)
    box(page).click()
    shown = page.locator("#metre [role=option]").evaluate_all(
        "all => all.map(one => [one.dataset.name, one.querySelector('.chooser-pattern')?.textContent ?? ''])"
    )
    assert [name for name, pattern in shown if not pattern] == []
    patterns = dict(shown)
    assert patterns["mandākrāntā"] == "–––– ⏑⏑⏑⏑⏑– –⏑––⏑–·"
    assert patterns["āryā"] == "12 + 18 | 12 + 15 morae, in gaṇas of four"
    assert patterns["upajāti (triṣṭubh-jagatī)"] == "·–⏑––⏑⏑–⏑–· or ·–⏑––⏑⏑–⏑–⏑·"
    cut = page.locator("#metre .chooser-pattern.in-words").evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"
    )
    assert cut == []  # words are read to their end; signs of the longest metres may run out


@pytest.mark.parametrize("tab", CHOOSERS)
def test_what_is_typed_after_a_click_takes_the_place_of_the_old_value(open_page, tab):
    page = open_page(tab=tab)
    field = box(page, CHOOSERS[tab])
    field.click(position={"x": 25, "y": 15})  # in the middle of what stands there
    page.keyboard.type("malini", delay=20)
    expect(field).to_have_value("malini")
    expect(page.locator(f"{CHOOSERS[tab]} [role=option]").first).to_have_attribute("data-name", "mālinī")
    page.keyboard.press("Enter")
    expect(field).to_have_value("mālinī · 4 × 15")
    field.click(position={"x": 40, "y": 15})
    page.keyboard.type("arya", delay=20)
    expect(field).to_have_value("arya")


def test_what_people_type_finds_what_prosody_finds(open_page):
    page = open_page()
    for typed in TYPED:
        box(page).fill(typed)
        found = [metre.name for metre in composer.search_metres(typed)]
        assert offered(page)[:4] == found[:4] and set(offered(page)) == set(found), typed
    expect(page.locator("#metre-list")).to_contain_text("No metre of the table is called so.")


@pytest.mark.parametrize("tab", CHOOSERS)
def test_keys_alone_choose_and_escape_and_tab_close(open_page, tab):
    page = open_page(tab=tab)
    field, listed = box(page, CHOOSERS[tab]), page.locator(f"{CHOOSERS[tab]} [role=listbox]")
    field.focus()
    expect(listed).to_be_hidden()  # who only passes through opens nothing
    page.keyboard.type("shardula")  # over what stood there, which is marked
    expect(field).to_have_attribute("aria-expanded", "true")
    marked = page.locator(f"#{field.get_attribute('aria-activedescendant')}")
    expect(marked).to_have_attribute("aria-label", "śārdūlavikrīḍita · 4 × 19")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(field).to_have_value("śārdūlalalita · 4 × 18")
    expect(listed).to_be_hidden()
    page.keyboard.press("ArrowDown")
    expect(listed).to_be_visible()
    page.keyboard.press("Escape")
    expect(listed).to_be_hidden()
    expect(field).to_have_value("śārdūlalalita · 4 × 18")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    expect(listed).to_be_hidden()
    expect(field).to_have_value("śārdūlalalita · 4 × 18")  # looking is not choosing
    expect(field).not_to_be_focused()


def test_who_types_and_leaves_has_chosen_what_was_marked(open_page):
    page = open_page()
    box(page).focus()
    page.keyboard.type("sloka")
    page.keyboard.press("Tab")
    expect(page.locator("#metre-list")).to_be_hidden()
    expect(box(page)).to_have_value("anuṣṭubh · 4 × 8, pathyā and vipulās")
    box(page).fill("qqq")
    page.keyboard.press("Tab")
    expect(box(page)).to_have_value("anuṣṭubh · 4 × 8, pathyā and vipulās")


def test_what_is_chosen_is_composed_in_and_judged_by_and_a_link_brings_it_back(open_page):
    page = open_page(query="&metre=shikharini")
    expect(box(page)).to_have_value("śikhariṇī · 4 × 17")
    page.get_by_role("tab", name="Scan").click()
    page.locator("#scan-input textarea").fill("lokābhirāmaṃ raṇaraṅgadhīraṃ rājīvanetraṃ raghuvaṃśanātham |\n"
                                              "kāruṇyarūpaṃ karuṇākaraṃ taṃ śrīrāmacandraṃ śaraṇaṃ prapadye ||")  # fmt: skip
    page.locator("#scan-run").click()
    expect(page.locator("#scan-result h2")).to_have_text("indravajrā")
    box(page, "#scan-metre").fill("upendravajra")
    page.keyboard.press("Enter")  # judged again at once
    expect(page.locator("#scan-result h2")).to_have_text("upendravajrā")
    expect(page.locator("#scan-result .tile.fault")).to_have_count(4)
    page.locator("#scan-clear").click()
    expect(box(page, "#scan-metre")).to_have_value("The metre it is in")


def test_the_list_stays_inside_the_window(open_page):
    page = open_page()
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 844})
        box(page).click()
        expect(page.locator("#metre-list")).to_be_visible()
        listed = page.locator("#metre-list").bounding_box()
        assert listed["x"] >= 0 and listed["x"] + listed["width"] <= width
        assert listed["y"] >= 0 and listed["y"] + listed["height"] <= 844
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.keyboard.press("Escape")

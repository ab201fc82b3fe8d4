"""The poet's desk in a real browser, with the generator that ships: by mouse on a wide page, by keyboard on a phone."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_compose_tab import (
    OTHER,
    PROSE,
    arrived,
    compose,
    set_number,
    set_number_under_more,
    unfold,
    verse,
)
from workbench import composer

ANUSTUBH = composer.find_metre("anuṣṭubh")
WIDE, SMALL, PHONE = ({"width": w, "height": h} for w, h in ((1440, 900), (1024, 768), (390, 844)))
by_mouse_and_by_keyboard = pytest.mark.parametrize(
    ("size", "press"), [(WIDE, lambda button: button.click()), (PHONE, lambda button: button.press("Enter"))],
    ids=["mouse", "keyboard"],
)  # fmt: skip
FIVE = "The king rose at dawn. He bathed in the river. The sage blessed him. His sons wept. They went to the forest."


def places(page):
    """The lines of the verse that is shown, without their daṇḍas."""
    return [text.strip(" ।॥") for text in page.locator("#verse .place > .sanskrit").all_inner_texts()]


def made(page, before):
    expect(page.locator("#verse [data-copy]")).not_to_have_attribute("data-copy", before, timeout=90_000)
    expect(page.locator("#live .live-line")).to_have_count(0)


def is_full(page):
    (scan,) = composer.scan(verse(page), metre="anuṣṭubh")
    return scan.verdict.full and not scan.verdict.licences


def requests_of(page):
    """The requests of a page that are not answered yet, but for the one that never is."""
    under_way = set()
    page.on("request", lambda request: None if "heartbeat" in request.url else under_way.add(request))
    for end in ("requestfinished", "requestfailed"):
        page.on(end, lambda request: under_way.discard(request))
    return under_way


def at_rest(page, under_way):
    """Whoever leaves a page in the middle of an answer gets an error on its console."""
    expect(page.locator("#reading .said")).to_be_visible()
    for _ in range(400):  # a stream that the page has left alone may never tell that it ended
        if under_way:
            page.wait_for_timeout(50)


def edges(page, part):
    """Where something begins and ends, from the top of the window."""
    box = page.locator(part).bounding_box()
    return box["y"], box["y"] + box["height"]


def write_in(page, field, text):
    unfold(page, "#wishes")
    page.locator(f"#wish-{field} textarea").fill(text)


@pytest.mark.parametrize("size", [WIDE, SMALL, PHONE], ids=["wide", "small", "phone"])
def test_compose_is_seen_without_scrolling(open_page, size):
    page = open_page(**size)
    expect(page.locator("#verse .example-of")).to_be_visible()
    top, bottom = edges(page, "#compose")
    assert edges(page, "#prose")[1] <= top and bottom < size["height"]
    tops = [edges(page, f"#{chip}")[0] for chip in ("metre", "script", "model")]
    assert max(tops) - min(tops) < 2, "one row"
    assert bottom <= min(tops), "right under the prose"
    if size == PHONE:  # the verse straight after what is asked, the long table last
        parts = [edges(page, part) for part in (".asked", "#verse", ".folds", "#kept", "#candidates")]
        assert all(above[1] <= below[0] for above, below in zip(parts, parts[1:], strict=False)), parts
    else:  # what is asked stays in view however far the results go
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        assert page.evaluate("scrollY") > 200
        top, bottom = edges(page, "#compose")
        assert top >= 0 and bottom <= size["height"]
    expect(page.locator("#search .label-wrap").first).to_contain_text("Search · β 5 · top-k 100 · 25 beams")
    set_number(page, "#beams", 8)
    expect(page.locator("#beams input[type=number]")).to_have_value("8")
    expect(page.locator("#search .label-wrap").first).to_contain_text("Search · β 5 · top-k 100 · 8 beams")


@by_mouse_and_by_keyboard
def test_two_pādas_are_locked_the_rest_is_composed_and_another_third_is_taken(open_page, size, press):
    page = open_page(**size)
    compose(page, PROSE)
    before, lines = verse(page), places(page)
    assert len(lines) == 4
    for pada in (1, 4):
        press(page.locator(f"#verse button.lock[data-pada='{pada}']"))
        expect(page.locator(f"#verse button.lock[data-pada='{pada}']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#compose")).to_have_text("Compose the rest")
    page.locator("#prose textarea").fill("The queen saw the moon over the river.")
    press(page.locator("#compose"))
    made(page, before)
    after = places(page)
    assert (after[0], after[-1]) == (lines[0], lines[-1]) and after[1:-1] != lines[1:-1] and is_full(page)
    expect(page.locator("#verse .badge.good")).to_have_count(2)  # the metre, and what was to be kept
    third = page.locator("#verse .place").nth(len(after) - 2)
    press(third.locator("button[data-do=others]"))
    offers = page.locator("#verse .offers button.offer")
    expect(offers).to_have_count(10)
    wanted = offers.nth(2).locator(".sanskrit-cell").inner_text()
    before = verse(page)
    press(offers.nth(2))
    made(page, before)
    assert wanted in places(page) and is_full(page) and places(page)[0] == lines[0] and places(page)[-1] == lines[-1]
    expect(page.locator("#kept .kept-verse")).to_have_count(3)
    press(page.locator("#anew"))
    made(page, verse(page))
    expect(page.locator("#compose")).to_have_text("Compose")
    expect(page.locator("#verse .place.locked")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]


def test_who_folds_the_grid_finds_it_folded_under_the_next_verse_and_the_next_day(open_page):
    page = open_page(**WIDE)
    compose(page, OTHER)
    expect(page.locator("#verse .tile").first).to_be_visible()
    page.locator("#verse .grid-fold > summary").click()
    before = verse(page)
    page.locator("#prose textarea").fill(PROSE)
    page.locator("#compose").click()
    made(page, before)
    expect(page.locator("#verse .tile").first).to_be_hidden()
    page.reload()
    arrived(page)
    expect(page.locator("#verse .grid-fold > summary")).to_be_visible()
    expect(page.locator("#verse .tile").first).to_be_hidden()
    page.locator("#verse .grid-fold > summary").click()
    expect(page.locator("#verse .tile").first).to_be_visible()


@by_mouse_and_by_keyboard
def test_words_instead_of_one_and_escape_closes_them(open_page, size, press):
    page = open_page(**size)
    compose(page, PROSE)
    before = places(page)
    word = page.locator("#verse button.word").first
    press(word)
    offers = page.locator("#verse .offers button.offer")
    expect(offers.first).to_be_visible()
    offers.first.press("Escape")
    expect(page.locator("#verse .offers")).to_have_count(0)
    press(word)
    expect(offers.first).to_be_visible()
    wanted, text = offers.first.locator(".sanskrit-cell").inner_text(), verse(page)
    press(offers.first)
    made(page, text)
    assert places(page)[1:] == before[1:] and wanted in places(page)[0].split() and is_full(page)


@by_mouse_and_by_keyboard
def test_a_dattapadī_whose_word_cannot_stand_says_why_and_is_changed(open_page, size, press):
    page = open_page(**size)
    page.locator("#prose textarea").fill(OTHER)
    for pada, word in ((1, "rāmo"), (2, "vanaṃ"), (3, "sītā"), (4, "praṇayavatī")):
        write_in(page, f"word-{pada}", word)
    told = page.locator("#wishes-told")
    expect(told.locator("[role=alert]")).to_contain_text("praṇayavatī")
    press(page.locator("#compose"))
    expect(page.locator("#verse [role=alert]")).to_contain_text("praṇayavatī", timeout=90_000)
    write_in(page, "word-4", "gatāḥ")
    expect(told).to_contain_text("Every verse in anuṣṭubh will keep this.")
    expect(page.locator("#wishes .label-wrap").first).to_contain_text("Wishes · 4 asked")
    press(page.locator("#compose"))
    arrived(page)
    padas = composer.placed_padas(composer.scan(verse(page))[0].verse.halves, ANUSTUBH)
    for pada, word in zip(padas, ("rAmo", "vanaM", "sItA", "gatAH"), strict=True):
        assert word in pada.text.replace("m ", "M ").split()
    expect(page.locator("#verse")).to_contain_text("4 wishes kept")


def test_a_samasyā_is_completed_and_its_link_has_it(open_page):
    page = open_page()
    page.locator("#prose textarea").fill(OTHER)
    write_in(page, "given", "पार्वतीपरमेश्वरौ")  # Raghuvaṃśa 1.1
    expect(page.locator("#wishes-told")).to_contain_text("Pāda 4 is pārvatīparameśvarau.")
    page.locator("#compose").click()
    arrived(page)
    assert places(page)[-1].endswith("पार्वतीपरमेश्वरौ") and is_full(page)
    expect(page).to_have_url(re.compile("wishes="))
    query = page.url.split("?", 1)[1]
    again = open_page(query="&" + "&".join(part for part in query.split("&") if "__theme" not in part))
    arrived(again)
    unfold(again, "#wishes")
    expect(again.locator("#wish-given textarea")).to_have_value("पार्वतीपरमेश्वरौ")
    assert verse(again) == verse(page)


@pytest.mark.parametrize(
    ("field", "text", "sentence"),
    [
        ("given", "rāma" * 2500, "Expected at most 400 characters in a wish; got 10,002."),
        ("word-1", "rāma राम", "Expected one script in one text"),
        ("more", "word 2:", "got no text"),
        ("word-2", "<img src=x onerror=alert(1)>${alert(2)}", "Expected Sanskrit in a wish; got “<”"),
        ("more", "word rāmaḥ\n" * 40, "Expected at most 12 wishes at once; got 40."),
    ],
    ids=["long", "mixed", "empty", "markup", "forty"],
)
def test_a_bad_wish_gets_a_sentence_before_and_after_compose(open_page, field, text, sentence):
    page = open_page(**PHONE)
    page.locator("#prose textarea").fill(OTHER)
    write_in(page, field, text)
    expect(page.locator("#wishes-told")).to_contain_text(sentence)
    page.locator("#compose").click()
    expect(page.locator("#verse [role=alert]")).to_contain_text(sentence, timeout=60_000)
    expect(page.locator(f"#wish-{field} textarea")).to_have_value(text)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@by_mouse_and_by_keyboard
def test_a_passage_of_five_sentences_stopped_after_two(open_page, size, press):
    page = open_page(**size)
    set_number(page, "#beams", 50)
    set_number_under_more(page, "#draws", 100)  # a verse takes seconds then, so that there is time to press Stop
    page.locator("#prose textarea").fill(FIVE)
    page.locator("#division").get_by_text("One a sentence").click()
    press(page.locator("#compose"))
    expect(page.locator("#passage li").nth(1)).to_be_visible(timeout=90_000)
    press(page.locator("#stop"))
    expect(page.locator("#passage header")).to_contain_text(
        re.compile("Stopped: [234] of 5 verses are made."), timeout=60_000
    )
    count = page.locator("#passage li").count()
    assert 2 <= count < 5
    expect(page.locator("#kept .kept-verse")).to_have_count(count)
    press(page.locator("#passage button").first)
    expect(page.locator("#passage li").first).to_have_class("chosen")
    expect(page.locator("#verse .place").first).to_be_visible()
    assert is_full(page)
    press(page.locator("#verse button[data-do=others]").first)
    expect(page.locator("#verse .offers button.offer").first).to_be_visible()
    expect(page.locator("#prose textarea")).to_have_value(FIVE)


@by_mouse_and_by_keyboard
def test_the_list_after_a_reload(open_page, size, press, tmp_path):
    page = open_page(**size)
    under_way = requests_of(page)
    compose(page, PROSE)
    first = verse(page)
    compose(page, OTHER)
    made(page, first)
    second = verse(page)
    entries = page.locator("#kept .kept-verse")
    expect(entries).to_have_count(2)
    at_rest(page, under_way)
    page.goto(page.url.split("?")[0])
    expect(entries).to_have_count(2)
    press(entries.nth(1))
    expect(page.locator("#verse [data-copy]")).to_have_attribute("data-copy", first, timeout=60_000)
    expect(page.locator("#prose textarea")).to_have_value(PROSE)
    expect(page.locator("#quick")).to_be_visible()  # to be rated
    press(page.locator("#verse button[data-do=others]").first)
    expect(page.locator("#verse .offers button.offer").first).to_be_visible()

    more = page.locator("#kept details").nth(1)
    press(more.locator("summary"))
    press(more.locator("button[data-do=name]"))
    more.locator("input").fill("The grieving king")
    more.locator("input").press("Enter")
    expect(entries.nth(1)).to_contain_text("The grieving king")
    press(more.locator("button[data-do=pin]"))
    expect(entries.first).to_contain_text("The grieving king")  # pinned ones come first

    page.locator("#kept details").first.evaluate("fold => fold.open = true")
    page.locator("#kept details").nth(1).evaluate("fold => fold.open = true")
    for which in (0, 1):
        press(page.locator("#kept button[data-do=compare]").nth(which))
    expect(page.locator("#comparison .verse")).to_have_count(2, timeout=60_000)
    with page.expect_download() as download:
        press(page.locator("#kept button[data-form=json]"))
    file = tmp_path / "verses.json"
    download.value.save_as(file)
    told = json.loads(file.read_text(encoding="utf-8"))
    assert {"\n".join(each["lines"]) for each in told} == {first, second} and told[0]["link"]
    with page.expect_download() as download:
        press(page.locator("#kept button[data-form=latex]"))
    assert download.value.suggested_filename == "pingala-verses.tex"

    page.locator("#kept details").nth(1).evaluate("fold => fold.open = true")
    press(page.locator("#kept button[data-do=delete]").nth(1))
    press(page.locator("#kept button[data-do=surely]"))
    expect(entries).to_have_count(1)
    at_rest(page, under_way)
    page.reload()
    expect(entries).to_have_count(1)
    expect(entries.first).to_contain_text("The grieving king")
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]

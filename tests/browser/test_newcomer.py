"""The walks of newcomers, who have never heard of pādas and follow only what the page says. Everything is found as they
would find it, by words that can be read and by what a thing is (a box, a button, a tab): never by an id. One of them is
timed: what the page and the models take by the clock, what she takes by how much she has to read, type and press."""

import re
import time

import pytest
from playwright.sync_api import expect

PROSE = "The moon rose over the river, and the children laughed."
LONG = 240_000  # ms: the first verse loads generator, judge and reader, maybe beside other work
# An unhurried person: words read in a second, letters typed in a second, seconds for a press or for moving the page.
READS, TYPES, PRESSES = 4, 4, 1
MINUTE = 60


def said(page):
    """What the machine reads in the verse: the card's own words."""
    card = page.get_by_role("region", name="What it says")
    expect(card).to_be_visible(timeout=LONG)
    expect(card.get_by_role("heading", name="What it says")).to_be_visible()
    expect(card).to_contain_text("read by a machine, which may be wrong")
    expect(card.get_by_role("paragraph").first).to_have_text(re.compile(r"[A-Za-z]{2}.*[A-Za-z]{2}", re.DOTALL))
    return card


@pytest.mark.parametrize(("width", "height"), [(1440, 1000), (390, 844)])
def test_who_follows_the_tour_gets_a_verse_and_reads_what_it_says(open_page, width, height):
    """1. She opens the page. A small panel says "Say something in English", and that she should write here what the verse
          should say. She finds the box called Prose and writes a sentence. The panel stays where it is.
    2. She presses Next. "Press Compose", it says, and that the metre may stay as it is. She presses Compose.
    3. A verse comes in place of the example, and the page says that its metre is full.
    4. She presses Next. "The verse, syllable by syllable": every tile is a syllable. She counts them: 32, and each says
       whether it is heavy or light.
    5. She presses Next. "What it says": she finds the card of that name under the verse and reads English in it, which
       she is told a machine wrote, and her own sentence with what is heard of it.
    6. She presses Next. The panel names the other tabs, which are there. She presses Done, and it is gone.
    """
    page = open_page(width=width, height=height, newcomer=True)
    panel = page.get_by_role("dialog")
    expect(panel).to_contain_text("Say something in English")
    page.get_by_label("Prose").fill(PROSE)

    panel.get_by_role("button", name="Next").click()
    expect(panel).to_contain_text("Press Compose")
    expect(page.get_by_label("Metre").first).to_be_visible()
    page.get_by_role("button", name="Compose", exact=True).click()

    verse = page.get_by_role("region", name="Verse")
    expect(verse.get_by_text(re.compile("^An example"))).to_have_count(0, timeout=LONG)
    expect(verse.get_by_text(re.compile("^Full"))).to_be_visible()

    panel.get_by_role("button", name="Next").click()
    expect(panel).to_contain_text("Every tile is a syllable")
    tiles = verse.get_by_role("img", name=re.compile("heavy|light|guru|laghu"))
    expect(tiles).to_have_count(32)

    panel.get_by_role("button", name="Next").click()
    expect(panel).to_contain_text("Under your verse you will read in English what it says")
    card = said(page)
    expect(card.get_by_role("heading", name="Your prose in it")).to_be_visible()
    for word in ("moon", "river", "children"):
        expect(card).to_contain_text(word)

    panel.get_by_role("button", name="Next").click()
    for tab in ("Write", "Scan", "Metres", "About"):
        expect(panel).to_contain_text(tab)
        expect(page.get_by_role("tab", name=tab, exact=True)).to_be_visible()
    panel.get_by_role("button", name="Done").click()
    expect(panel).to_have_count(0)


@pytest.mark.parametrize(("width", "height"), [(1440, 1000), (390, 844)])
def test_who_leaves_the_tour_takes_an_example_and_makes_it_anew(open_page, width, height):
    """1. He opens the page, sees the panel and presses "Leave the tour". It is gone.
    2. Nothing comes to his mind. He presses Examples and then one of the sentences that come.
    3. It stands in the box called Prose; its verse is shown at once, with the note that it is an example.
    4. Under the verse he reads what it says.
    5. He presses Compose. A verse of his own comes in its place, and he reads what that one says.
    6. He wants to be shown round after all, and presses Tour: the panel is there again.
    """
    page = open_page(width=width, height=height, newcomer=True)
    page.get_by_role("button", name="Leave the tour").click()
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.get_by_role("button", name="Examples").click()
    sentence = "Anger destroys wisdom, as fire destroys dry wood."
    page.get_by_text(sentence, exact=True).first.click()
    expect(page.get_by_label("Prose")).to_have_value(sentence)
    verse = page.get_by_role("region", name="Verse")
    expect(verse).to_contain_text(f"An example: “{sentence}”")
    said(page)

    page.get_by_role("button", name="Compose", exact=True).click()
    expect(verse.get_by_text(re.compile("^An example"))).to_have_count(0, timeout=LONG)
    expect(verse.get_by_text(re.compile("^Full"))).to_be_visible()
    said(page)

    page.get_by_role("button", name="Tour", exact=True).click()
    expect(page.get_by_role("dialog")).to_contain_text("Say something in English")


@pytest.mark.parametrize(("width", "height"), [(1440, 1000), (390, 844)])
def test_from_opening_the_page_to_a_verse_whose_meaning_is_read_is_less_than_a_minute(open_page, width, height):
    """1. She opens the page, reads what the panel says, and writes her sentence into the box called Prose.
    2. She presses Next, reads what the panel says, and presses Compose.
    3. She waits for her verse and for what the machine reads in it, moves the page there and reads that.
    """
    began, hers = time.monotonic(), 0.0
    page = open_page(width=width, height=height, newcomer=True)
    panel = page.get_by_role("dialog")
    expect(panel).to_contain_text("Say something in English")
    hers += len(panel.inner_text().split()) / READS
    page.get_by_label("Prose").fill(PROSE)
    hers += len(PROSE) / TYPES

    panel.get_by_role("button", name="Next").click()
    expect(panel).to_contain_text("Press Compose")
    hers += PRESSES + len(panel.inner_text().split()) / READS
    page.get_by_role("button", name="Compose", exact=True).click()

    verse = page.get_by_role("region", name="Verse")
    expect(verse.get_by_text(re.compile("^An example"))).to_have_count(0, timeout=LONG)
    card = said(page)
    expect(card.get_by_role("heading", name="Your prose in it")).to_be_visible()
    hers += 2 * PRESSES + len(card.get_by_role("paragraph").first.inner_text().split()) / READS
    page_and_models = time.monotonic() - began
    assert hers + page_and_models < MINUTE, f"hers {hers:.0f} s, the page's and the models' {page_and_models:.0f} s"

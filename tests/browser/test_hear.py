"""Hear it: the rhythm of a grid and the device's own voice, in a real Chromium whose oscillators tell when they begin."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_scan_tab import GITA, scan

# What is played, and what is spoken, is written down; the voices are ours to say.
LISTEN = """
window.heard = []; window.spoken = [];
const start = OscillatorNode.prototype.start, stop = OscillatorNode.prototype.stop;
OscillatorNode.prototype.start = function (at) { this.began = at; heard.push([at, this.frequency.value]); start.call(this, at); };
OscillatorNode.prototype.stop = function (at) { if (at) heard.find(([when]) => when === this.began)[2] = at; stop.call(this, at); };
window.SpeechSynthesisUtterance = function (text) { this.text = text; };
Object.defineProperty(window, "speechSynthesis", { value: Object.assign(new EventTarget(),
  { getVoices: () => VOICES, speak: (said) => spoken.push([said.text, said.lang]), cancel() {}, speaking: false }) });
"""


def scanned(open_page, voices="[]"):
    page = open_page(tab="Scan", before=LISTEN.replace("VOICES", voices))
    scan(page, GITA)
    expect(page.locator("#scan-result .grid")).to_be_visible()
    return page


def test_a_laghu_is_a_matra_a_guru_two_and_pādas_end_in_a_rest(open_page):
    page = scanned(open_page)
    hear = page.locator("#scan-result").get_by_role("button", name="rhythm")
    hear.click()
    expect(page.locator("#scan-result .tile.sounding")).to_have_count(1)
    weights = page.locator("#scan-result .tile").evaluate_all(
        "tiles => tiles.map(tile => tile.classList.contains('guru') ? 2 : 1)"
    )
    assert len(weights) == 32 and {1, 2} == set(weights)
    notes, matra = page.evaluate("heard"), 60 / 210
    assert [round((end - begin) / matra) for begin, _, end in notes] == weights
    assert [pitch for _, pitch, _ in notes] == [{1: 330, 2: 220}[weight] for weight in weights]
    rests = [round((later[0] - earlier[2]) / matra) for earlier, later in zip(notes, notes[1:], strict=False)]
    assert {at + 1: rest for at, rest in enumerate(rests) if rest} == {8: 1, 16: 2, 24: 1}
    stopping = page.locator("#scan-result").get_by_role("button", name="stop")
    expect(stopping).to_have_attribute("aria-pressed", "true")
    stopping.click()
    expect(page.locator(".tile.sounding")).to_have_count(0)
    expect(hear).to_have_attribute("aria-pressed", "false")


def test_the_tempo_is_kept_and_a_faster_one_goes_on_from_where_it_is(open_page):
    page = scanned(open_page)
    page.locator("#scan-result").get_by_role("button", name="rhythm").click()
    expect(page.locator("#scan-result .tile").nth(1)).to_have_class("tile guru sounding", timeout=10_000)
    slider = page.locator("#scan-result .hear input")
    slider.evaluate("each => { each.value = 420; each.dispatchEvent(new Event('input', { bubbles: true })); }")
    notes = page.evaluate("heard.slice(32)")
    assert 20 < len(notes) < 32 and min(end - begin for begin, _, end in notes) == pytest.approx(60 / 420)
    page.keyboard.press("Escape")
    expect(page.locator(".tile.sounding")).to_have_count(0)
    page.get_by_role("tab", name="Metres").click()
    page.locator("#metre-page .hear, .metre .hear").first.get_by_role("button", name="rhythm").click()
    expect(page.locator(".metre .tile.sounding")).to_have_count(1)
    assert page.evaluate("heard.at(-1)[2] - heard.at(-1)[0]") == pytest.approx(2 * 60 / 420)


def test_the_verse_on_the_desk_is_heard_too(open_page):
    page = open_page(before=LISTEN.replace("VOICES", "[]"))
    page.locator("#verse").get_by_role("button", name="rhythm").click()
    expect(page.locator("#verse .tile.sounding")).to_have_count(1)
    assert len(page.evaluate("heard")) == 32
    page.keyboard.press("Escape")
    expect(page.locator(".tile.sounding")).to_have_count(0)


@pytest.mark.parametrize(
    ("voices", "spoken", "told"),
    [
        ("[{lang: 'en-GB', name: 'Ada'}]", [], "This device has no voice for Sanskrit or Hindi."),
        ("[{lang: 'hi-IN', name: 'Lekha'}, {lang: 'sa-IN', name: 'Gargi'}]", "sa-IN", "Read by Gargi."),
    ],
)
def test_the_devices_own_voice_reads_the_verse_where_it_has_one(open_page, voices, spoken, told):
    page = scanned(open_page, voices)
    page.locator("#scan-result").get_by_role("button", name="read aloud").click()
    expect(page.locator("#scan-result .hear [role=status]")).to_have_text(told)
    wanted = [[GITA.replace("\n", " ").removesuffix(" ॥"), spoken]] if spoken else []
    assert page.evaluate("spoken") == wanted

"""Hear it: the rhythm of a grid and the device's own voice, in a real Chromium whose oscillators tell when they begin."""

from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.browser.looking import choose
from tests.browser.test_scan_tab import GITA, scan

MEGHADUTA = (  # 1.1, in mandākrāntā
    "kaścit kāntāvirahaguruṇā svādhikārapramattaḥ\nśāpenāstaṅgamitamahimā varṣabhogyeṇa bhartuḥ /\n"
    "yakṣaścakre janakatanayāsnānapuṇyodakeṣu\nsnigdhacchāyātaruṣu vasatiṃ rāmagiryāśrameṣu //"
)
# Of a whole verse in it: a mātrā at each yati, after 4 and 10 syllables, and at a pāda's end; two after a half.
YATIS = {17 * pada + at: 1 for pada in range(4) for at in (4, 10)} | {17: 1, 34: 2, 51: 1}

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


def scanned(open_page, voices="[]", text=GITA):
    page = open_page(tab="Scan", before=LISTEN.replace("VOICES", voices))
    scan(page, text)
    expect(page.locator("#scan-result .grid")).to_be_visible()
    return page


@contextmanager
def asking_nobody(page):
    """Nothing is fetched meanwhile, from our own host neither."""
    page.evaluate("document.fonts.ready.then(() => true)")  # what the verse itself asked for has come
    asked = []

    def note(request):
        asked.append(request.url)

    page.on("request", note)
    yield
    page.remove_listener("request", note)
    assert asked == []


def rests(notes):
    """After which notes there is silence, and for how many mātrās."""
    between = [round((later[0] - earlier[2]) * 210 / 60) for earlier, later in zip(notes, notes[1:], strict=False)]
    return {at: rest for at, rest in enumerate(between, start=1) if rest}


def heard(page, place):
    """What is played when a verse's rhythm is asked for there."""
    before = page.evaluate("heard.length")
    page.locator(place).get_by_role("button", name="rhythm").click()
    expect(page.locator(f"{place} .tile.sounding")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".tile.sounding")).to_have_count(0)
    return page.evaluate("heard")[before:]


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
    assert rests(notes) == {8: 1, 16: 2, 24: 1}
    stopping = page.locator("#scan-result").get_by_role("button", name="stop")
    expect(stopping).to_have_attribute("aria-pressed", "true")
    stopping.click()
    expect(page.locator(".tile.sounding")).to_have_count(0)
    expect(hear).to_have_attribute("aria-pressed", "false")


def test_a_yati_is_a_rest(open_page):
    page = scanned(open_page, text=MEGHADUTA)
    expect(page.locator("#scan-result h2")).to_have_text("mandākrāntā")
    with asking_nobody(page):
        notes = heard(page, "#scan-result")
    assert len(notes) == 68 and rests(notes) == YATIS


def test_a_verse_in_the_making_rests_where_it_has_come_to_a_yati(open_page):
    page = open_page(tab="Write", before=LISTEN.replace("VOICES", "[{lang: 'sa-IN', name: 'Gargi'}]"))
    choose(page, "#write-metre", "mandākrāntā · 4 × 17")
    result = page.locator("#write-result")
    expect(result.locator(".tile.ghost")).to_have_count(68)
    expect(result.locator("td.pause")).to_have_count(8)
    expect(result.locator(".hear")).to_have_count(0)  # nothing is typed
    page.locator("#write-text textarea").fill(MEGHADUTA.split("\n")[0] + " śāpenā")
    expect(result.locator(".tile:not(.ghost)")).to_have_count(20)
    notes = heard(page, "#write-result")
    assert len(notes) == 20 and rests(notes) == {4: 1, 10: 1, 17: 1}
    page.locator("#write-text textarea").fill(MEGHADUTA.split("\n")[0] + " śāpenā |\nyakṣaścakre")
    expect(result.locator(".tile:not(.ghost)")).to_have_count(24)
    notes = heard(page, "#write-result")
    # None for what is left out of the second pāda.
    assert len(notes) == 24 and rests(notes) == {4: 1, 10: 1, 17: 1, 20: 2}
    page.locator("#write-text textarea").fill(MEGHADUTA)
    expect(result.locator(".badge.good")).to_be_visible()
    notes = heard(page, "#write-result")
    assert len(notes) == 68 and rests(notes) == YATIS
    result.get_by_role("button", name="read aloud").click()
    expect(result.locator(".hear [role=status]")).to_have_text("Read by Gargi.")
    (said,) = page.evaluate("spoken")
    assert said[0].startswith("कश्चित् कान्ताविरहगुरुणा स्वाधिकारप्रमत्तः शापेनास्त") and said[1] == "sa-IN"


@pytest.mark.parametrize(("metre", "syllables"), [("mandākrāntā", 68), ("āryā", None), ("anuṣṭubh", 32)])
def test_every_metres_verse_is_heard_on_its_page_also_where_its_pattern_is_in_signs(open_page, metre, syllables):
    page = open_page(tab="Metres", before=LISTEN.replace("VOICES", "[{lang: 'hi-IN', name: 'Lekha'}]"))
    page.locator("#metres-search input, #metres-search textarea").fill(metre)
    page.get_by_role("radio", name=f"{metre} ·").click()
    expect(page.locator("#metre-page h2")).to_have_text(metre)
    tiles = page.locator("#metre-page .grid .tile")
    assert tiles.count() == syllables or syllables is None and tiles.count() > 30
    notes = heard(page, "#metre-page .metre-verse")
    assert len(notes) == tiles.count()
    assert metre != "mandākrāntā" or rests(notes) == YATIS
    page.locator("#metre-page .metre-verse").get_by_role("button", name="read aloud").click()
    expect(page.locator("#metre-page .metre-verse .hear [role=status]")).to_have_text("Read by Lekha.")
    (said,) = page.evaluate("spoken")
    wanted = " ".join(page.locator("#metre-page .sanskrit span").all_inner_texts())
    assert "".join(said[0].split()) == "".join(wanted.replace("॥", "").split())


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
    with asking_nobody(page):
        page.locator("#scan-result").get_by_role("button", name="read aloud").click()
        expect(page.locator("#scan-result .hear [role=status]")).to_have_text(told)
    wanted = [[GITA.replace("\n", " ").removesuffix(" ॥"), spoken]] if spoken else []
    assert page.evaluate("spoken") == wanted

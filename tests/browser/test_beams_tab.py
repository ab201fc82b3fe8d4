"""Beams on its own: a replay that pauses, figures and cards that are whole on a phone, what was refused in the script
that is read."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.looking import SPILLING, choose
from workbench import composer
from workbench.ui import scripts

# A search for a short sentence, three of its beams; its second and its last step refuse what is looked for below.
TRACE = Path(__file__).with_name("kept_trace.json")
# Nobody's verse: clusters that spill where anything does.
CLUSTERS = (
    "kzatriyo rAzwravarjYeyaH kxptArtsnyA jYAnacakzuzoH . uzwrakfcCrezu lakzmyorDvaM strIstryaNGryagnyo'BikANkzati"
)
CUT = """() => [...document.querySelectorAll('#beams-view .beam, .figure-card')].flatMap(card => {
  const {left, right, top} = card.getBoundingClientRect();
  return [...card.querySelectorAll('.gtitle, .textpoint text, .xtitle, .ytitle, .legendtext, .badge, h3, .number')]
    .filter(one => { const box = one.getBoundingClientRect();
      return box.width && (box.left < left - 1 || box.right > right + 1 || box.top < top - 1); })
    .map(one => one.textContent);
})"""


@pytest.fixture
def opened(open_page):
    def at(trace=TRACE, **size):
        page = open_page(tab="Beams", **size)
        with page.expect_file_chooser() as chooser:
            page.locator("#open-trace").click()
        chooser.value.set_files(trace)
        expect(page.locator("#figure-beta .js-plotly-plot")).to_be_visible()
        return page

    return at


def test_a_replay_pauses_and_goes_on_and_slider_and_cards_show_the_same_step(opened):
    page = opened()
    title, box, replay = page.locator(".step-title"), page.locator("#step input[type=number]"), page.locator("#replay")
    replay.click()
    expect(replay).to_have_text("Pause")
    reached = """step => {
        const shown = Number(document.querySelector('.step-title').dataset.step);
        return step <= shown && shown < Number(document.querySelector('#step input[type=number]').max);
    }"""  # the last step is shown until the replay begins with the first
    page.wait_for_function(reached, arg=3)
    replay.click()
    expect(replay).to_have_text("Replay")
    page.wait_for_timeout(1000)  # longer than a step stays
    stopped = int(title.get_attribute("data-step"))
    assert 3 <= stopped < int(box.get_attribute("max"))
    expect(box).to_have_value(str(stopped))
    replay.click()
    page.wait_for_function(reached, arg=stopped + 1)
    box.click()
    box.press("ArrowDown")  # who takes the slider, pauses it
    expect(replay).to_have_text("Replay")
    expect(title).to_have_attribute("data-step", box.input_value())
    page.get_by_role("tab", name="Scan").click()


def test_what_was_refused_is_written_in_the_script_that_is_read(opened):
    page = opened()
    expect(page.locator(".step-title")).to_contain_text("best refused: the end of the verse −1.0")
    page.locator("#step input[type=number]").fill("2")
    page.locator("#step input[type=number]").press("Tab")
    expect(page.locator(".step-title")).to_contain_text("best refused: “वनं” −1.0")
    page.get_by_role("tab", name="Compose").click()
    choose(page, "#script", "IAST")
    page.get_by_role("tab", name="Beams").click()
    expect(page.locator(".step-title")).to_contain_text("best refused: “vanaṃ” −1.0")


def test_titles_and_labels_are_whole_on_a_phone(opened):
    page = opened(width=390, height=844)
    expect(page.locator(".figure-card .gtitle")).to_have_count(3)
    for title in page.locator(".figure-card .gtitle").all_text_contents():
        assert re.search(r"[a-z]$", title)
    assert page.evaluate(CUT) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_no_script_spills_over_the_tiles_of_a_beam(opened, tmp_path):
    trace = json.loads(TRACE.read_text(encoding="utf-8"))
    for beam in trace["steps"][-1]["beams"]:
        beam["text"] = CLUSTERS
    with_clusters = tmp_path / "trace.json"
    with_clusters.write_text(json.dumps(trace), encoding="utf-8")
    page = opened(with_clusters)
    spilled = {}
    for script in scripts.SHOWN.values():
        page.get_by_role("tab", name="Compose").click()
        choose(page, "#script", script.label)
        page.get_by_role("tab", name="Beams").click()
        said = re.compile(f"{re.escape(composer.rewrite(CLUSTERS, 'slp1', script.name))}")
        expect(page.locator("#beams-view .beam").first).to_have_attribute("aria-label", said)
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 844})
            spilled[script.name, width] = page.evaluate(SPILLING, "#beams-view .tile")
    assert {at: tiles for at, tiles in spilled.items() if tiles} == {}

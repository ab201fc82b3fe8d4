"""Compose, Beams and About in a real browser, with the generator that ships, as a person uses them."""

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from playwright.sync_api import expect

from tests.browser.looking import CONTRAST, choose, scrolls_sideways
from workbench import composer

PROSE = "The king, hearing these words of the sage, was filled with grief and fell to the ground."
GITA = "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः ।\nमामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥"
OTHER = "Rama entered the dense forest together with Sita."


def arrived(page):
    """A verse that was composed, not the example that a page begins with."""
    expect(page.locator("#verse .verse:not(.example)")).to_be_visible(timeout=90_000)


def compose(page, prose=PROSE):
    page.locator("#prose textarea").fill(prose)
    page.locator("#compose").click()
    arrived(page)


def verse(page):
    return page.locator("#verse [data-copy]").get_attribute("data-copy")


def set_number(page, control, value):
    """A slider's own number box; the search's stand in a fold."""
    if control in ("#beams", "#beta", "#top-k"):
        unfold(page, "#search")
    box = page.locator(f"{control} input[type=number]")
    box.wait_for()
    # A fold that opens for the first time is filled in the next frame with what its controls were declared to hold
    # (Gradio's render_previously_invisible_children): a number that came before that would be taken back.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    box.fill(str(value))
    box.press("Tab")


def unfold(page, fold):
    head = page.locator(f"{fold} > button, {fold} .label-wrap").first
    if "open" not in (head.get_attribute("class") or "").split():
        head.click()


@pytest.fixture
def composed(open_page):
    page = open_page()
    compose(page)
    return page


def test_own_prose_becomes_a_verse_with_its_grid_and_its_candidates(composed):
    page = composed
    expect(page.locator("#verse .badge").first).to_have_text("Full anuṣṭubh")
    expect(page.locator("#verse .tile")).to_have_count(32)
    assert page.locator("#verse .place").count() in (2, 3, 4)  # pādas that share a word share a line
    assert " ".join(page.locator("#verse .place > .sanskrit").all_inner_texts()).split() == verse(page).split()
    assert page.locator("#candidates tr[data-at]").count() > 5
    expect(page.locator("#live .beam")).to_have_count(0)
    expect(page.locator("#score")).to_contain_text("Meaning")
    expect(page.locator("#score")).to_contain_text("A machine's opinion: how much of the prose the verse says")
    scores = [float(text) for text in page.locator("#candidates tr[data-at] .meaning-figure").all_inner_texts()]
    assert len(scores) > 5 and all(0 <= score <= 1 for score in scores)


def test_the_search_is_watched_while_it_runs(open_page):
    page = open_page()
    compose(page, OTHER)  # the generator is loaded then
    page.evaluate(
        """() => {
          window.seen = new Set();
          new MutationObserver(() => {
            const line = document.querySelector('#live .live-line')?.innerText.trim();
            if (line?.includes('step') && document.querySelector('#live .beam .tile')) window.seen.add(line);
          }).observe(document.querySelector('#live'), {childList: true, subtree: true, characterData: true});
        }"""
    )
    set_number(page, "#beams", 50)  # fewer are done before there is much to see
    page.locator("#prose textarea").fill(PROSE)
    page.keyboard.press("Control+Enter")
    page.wait_for_function("window.seen.size >= 3", timeout=60_000)


def test_the_script_changes_at_once_and_only_what_is_shown(composed):
    page = composed
    before = verse(page)
    choose(page, "#script", "IAST")
    expect(page.locator("#verse [data-copy]")).not_to_have_attribute("data-copy", before)
    assert re.match("^[a-zāīūṛṝḷṅñṭḍṇśṣṃḥ' |\n]+$", verse(page))
    choose(page, "#script", "Devanagari")
    expect(page.locator("#verse [data-copy]")).to_have_attribute("data-copy", before)


def test_the_third_candidate_can_be_chosen(composed):
    page = composed
    page.get_by_role("button", name=re.compile("^show all")).click()
    third = page.locator("#candidates tr[data-at='2'] .sanskrit-cell").inner_text()
    page.locator("#candidates tr[data-at='2'] button.pick").press("Enter")
    expect(page.locator("#verse")).to_contain_text("candidate 3")
    assert " ".join(verse(page).split()) == " ".join(third.split())
    expect(page.locator("#candidates tr[data-at='2']")).to_have_class("chosen")


def test_the_step_slider_replays_the_search(composed):
    page = composed
    page.get_by_role("tab", name="Beams").click()
    view = page.locator("#beams-view")
    expect(view.locator(".step-title")).to_contain_text(re.compile(r"Step (\d+) of \1"))
    set_number(page, "#step", 3)
    expect(view.locator(".step-title")).to_contain_text("Step 3 of")
    expect(view.locator(".beam").first.locator(".tile.ghost").first).to_be_visible()
    expect(view.locator(".beam").first.locator("tr")).to_have_count(4)
    for name in ("scores", "masked", "beta"):
        expect(page.locator(f"#figure-{name} .js-plotly-plot")).to_be_visible()
        expect(page.locator(f"#twin-{name} table")).to_have_count(1)
    columns = (
        view.locator(".beam")
        .first.locator("tr")
        .evaluate_all(
            "rows => rows.map(row => [...row.querySelectorAll('.tile')].map(t => Math.round(t.getBoundingClientRect().x)))"
        )
    )
    assert columns[0] == columns[1] == columns[2] == columns[3] and len(columns[0]) == 8


def test_a_search_that_ends_while_its_beams_are_looked_at_is_drawn_there(composed):
    page = composed
    page.get_by_role("tab", name="Beams").click()
    view = page.locator("#beams-view")
    expect(view).to_contain_text("Verses that ended in this step")
    before = view.inner_text()
    page.get_by_role("tab", name="Compose").click()
    page.locator("#prose textarea").fill(OTHER)
    page.locator("#compose").click()
    page.get_by_role("tab", name="Beams").click()
    expect(view).not_to_have_text(before, use_inner_text=True, timeout=60_000)
    expect(view.locator(".step-title")).to_contain_text(re.compile(r"Step (\d+) of \1"))


def test_a_trace_is_taken_away_and_opened_on_another_page(composed, open_page, tmp_path):
    composed.get_by_role("tab", name="Beams").click()
    expect(composed.locator("#beams-view")).to_contain_text("Verses that ended in this step")
    with composed.expect_download() as download:
        composed.locator("#download-trace").click()
    file = tmp_path / "trace.json"
    download.value.save_as(file)
    assert json.loads(file.read_text(encoding="utf-8"))["prose"] == PROSE
    other = open_page(tab="Beams")
    with other.expect_file_chooser() as chooser:
        other.locator("#open-trace").click()
    chooser.value.set_files(file)
    expect(other.locator("#beams-view")).to_contain_text("Verses that ended in this step")
    expect(other.locator("#trace-told")).to_contain_text("A kept trace is shown: anuṣṭubh")
    file.write_text("{}", encoding="utf-8")
    with other.expect_file_chooser() as chooser:
        other.locator("#open-trace").click()
    chooser.value.set_files(file)
    expect(other.locator("#trace-told [role=alert]")).to_contain_text("Expected a trace")


def test_a_link_opens_the_same_page_again(open_page):
    page = open_page()
    set_number(page, "#beams", 8)
    choose(page, "#script", "IAST")
    compose(page, OTHER)
    expect(page).to_have_url(re.compile("beams=8"))
    query = page.url.split("?", 1)[1]
    again = open_page(query="&" + "&".join(part for part in query.split("&") if "__theme" not in part))
    expect(again.locator("#prose textarea")).to_have_value(OTHER)
    unfold(again, "#search")
    expect(again.locator("#beams input[type=number]")).to_have_value("8")
    arrived(again)
    assert verse(again) == verse(page)


def test_a_link_runs_nothing(open_page):
    said = {
        "beta": "${alert(1)}", "beams": "\\u003cimg src=x onerror=alert(1)\\u003e", "top_k": "{{value}}`${alert(1)}`"
    }  # fmt: skip
    page = open_page(query="".join(f"&{name}={quote(value)}" for name, value in said.items()))
    for value in said.values():
        expect(page.locator("#live")).to_contain_text(value[:8])
    assert page.locator("#live img").count() == 0


def test_a_link_cut_or_edited_by_hand_is_told_about(open_page):
    page = open_page(query="&beta=eleven&beams=9")
    expect(page.locator("#live")).to_contain_text(
        "Expected beta in the link to be a number from 0 to 10; got 'eleven'."
    )
    unfold(page, "#search")
    expect(page.locator("#beams input[type=number]")).to_have_value("9")


def test_two_settings_are_compared_side_by_side(open_page):
    page = open_page()
    page.locator("#prose textarea").fill(OTHER)
    unfold(page, "#compare-with")
    page.locator("#compare").click()
    sides = page.locator("#comparison .verse")
    expect(sides).to_have_count(2, timeout=90_000)
    expect(sides.first).to_contain_text("25 beams")
    expect(sides.nth(1).locator(".badge")).to_contain_text("anuṣṭubh")
    for side, values in ((sides.first, ("6", "on", "0.5")), (sides.nth(1), ("0", "off", "0"))):
        told = [label.strip() for label in side.locator(".differ span").all_inner_texts()]
        labels = ("Verses that may begin alike", "Compare only what has come equally far", "Pull towards the prose")
        assert told == [f"{label}: {value}" for label, value in zip(labels, values, strict=True)]
        numbers = side.locator("ol li").evaluate_all("all => all.map(one => one.value)")
        assert numbers == list(range(2, 2 + len(numbers))) and numbers, "the first of them stands above"
    tops = sides.evaluate_all("sides => sides.map(side => Math.round(side.getBoundingClientRect().y))")
    assert tops[0] == tops[1]
    expect(page).to_have_url(re.compile("compare=1"))


def test_stop_keeps_the_verse_that_was_there_and_says_how_far_it_came(open_page):
    page = open_page(
        query="&metre=ca%E1%B9%87%E1%B8%8Dav%E1%B9%9B%E1%B9%A3%E1%B9%ADiprap%C4%81ta"
    )  # 108 syllables: with 50 beams, time enough to press Stop
    compose(page, OTHER)
    before = verse(page)
    set_number(page, "#beams", 50)
    page.locator("#prose textarea").fill(PROSE)
    page.locator("#compose").click()
    expect(page.locator("#live .beam").first).to_be_visible(timeout=60_000)
    page.locator("#stop").click(force=True)  # at once: nobody waits until nothing moves
    expect(page.locator("#live .live-line")).to_have_text(
        re.compile(r"^\s*Stopped at step \d+ of about \d+\.\s*$"), timeout=20_000
    )
    expect(page.locator("#live .beam")).to_have_count(0)
    assert verse(page) == before and page.locator("#verse [role=alert]").count() == 0
    expect(page.locator("#kept .kept-verse")).to_have_count(1)
    expect(page.locator("#prose textarea")).to_have_value(PROSE)


def set_number_under_more(page, control, value):
    unfold(page, "#search")
    unfold(page, "#more")
    set_number(page, control, value)


def test_empty_and_endless_prose(open_page):
    page = open_page()
    page.locator("#compose").click()
    expect(page.locator("#verse [role=alert]")).to_have_text(
        "Expected a sentence or two of English prose; got nothing to read."
    )
    endless = "The king gave a thousand cows to the priests. " * 435
    page.locator("#prose textarea").fill(endless)
    page.locator("#compose").click()
    expect(page.locator("#verse [role=alert]")).to_contain_text("Expected at most 5,000 characters of English prose")
    endless = endless[:5000]
    compose(page, endless)
    expect(page.locator("#verse .badge").first).to_have_text("Full anuṣṭubh")
    expect(page.locator("#verse .note").first).to_be_visible()  # it says how much of it was read
    expect(page.locator("#prose textarea")).to_have_value(endless)


def test_markup_in_the_prose_is_only_text(open_page):
    page = open_page()
    compose(page, "<img src=x onerror=alert(1)> The king {{value}} ${alert(2)} spoke to his son.")
    expect(page.locator("#verse .badge").first).to_have_text("Full anuṣṭubh")


def test_two_people_compose_at_once_and_a_third_scans_meanwhile(open_page):
    one, other, third = open_page(), open_page(width=390, height=844), open_page(tab="Scan")
    for page, prose in ((one, PROSE), (other, OTHER)):
        page.locator("#prose textarea").fill(prose)
        page.locator("#compose").click()
    third.locator("#scan-input textarea").fill(GITA)
    third.locator("#scan-run").click()
    expect(third.locator("#scan-result .tile")).to_have_count(32)
    for page in (one, other):
        arrived(page)
        expect(page.locator("#verse .tile")).to_have_count(32)
    assert verse(one) != verse(other)


def test_another_metre(open_page):
    page = open_page()
    page.locator("#metre input").fill("vasantatilakā")
    page.get_by_role("option", name=re.compile("^vasantatilakā")).click()
    compose(page)
    expect(page.locator("#verse .badge").first).to_have_text("Full vasantatilakā")
    expect(page.locator("#verse .tile")).to_have_count(56)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_tab_scrolls_sideways_and_text_stands_out(open_page, theme):
    page = open_page(theme=theme)
    compose(page, OTHER)
    assert scrolls_sideways(page) == []
    looked = ["#verse .tile.guru .akshara", "#verse .tile.laghu .akshara", "#verse .badge", "#verse .why, #verse footer p",
              "#candidates td.number", "#candidates tr.chosen .sanskrit-cell", "#compose", "#stop", "button.plain",
              "#score p"]  # fmt: skip
    ratios = page.evaluate(CONTRAST, looked)
    page.get_by_role("tab", name="Beams").click()
    expect(page.locator("#beams-view .step-title")).to_contain_text(re.compile(r"Step (\d+) of \1"))
    set_number(page, "#step", 4)
    expect(page.locator("#beams-view .step-title")).to_contain_text("Step 4 of")
    assert scrolls_sideways(page) == []
    ratios |= page.evaluate(
        CONTRAST, [".tile.ghost .glyph", ".badge.waits", ".beam .number", ".strip li", ".step-title .quiet"]
    )
    page.get_by_role("tab", name="About").click()
    expect(page.locator("#about")).to_contain_text("What it does not do")
    for card in ("embedded", "reader", "bi-encoder", "judge"):
        expect(page.get_by_role("button", name=f"Model card: {card}")).to_be_visible()
    page.locator("#figures button").first.click()
    expect(page.locator("#figures")).to_contain_text("Evaluation on the test set")
    assert scrolls_sideways(page) == []
    assert {name: ratio for name, ratio in ratios.items() if ratio < 4.5} == {}


def test_everything_is_reached_by_tab_and_has_a_name(composed):
    page = composed
    for fold in ("#wishes", "#search", "#compare-with"):
        unfold(page, fold)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, input, textarea, select, [tabindex="0"]')]
          .filter(e => e.checkVisibility() && !e.disabled)
          .filter(e => !(e.ariaLabel || e.innerText?.trim() || e.labels?.length || e.title || e.placeholder
            || e.getAttribute('aria-labelledby')))
          .map(e => e.outerHTML.slice(0, 200))"""
    )
    assert nameless == []
    unreachable = page.evaluate(
        """() => ['#prose textarea', '#compose', '#stop', '#compare', '#model input', '#metre input', '#script input',
          '#beta input', '#candidates button.pick'].filter(s => document.querySelector(s).tabIndex < 0)"""
    )
    assert unreachable == []


def test_programs_compose_too(app):
    client = Client(app, verbose=False)
    made = client.predict(prose=OTHER, beams=5, script="iast", api_name="/compose")
    assert made["candidates"][0]["full"] and "embedded#" in made["signature"] and "judge judge" in made["signature"]
    meaning = [candidate["meaning"]["judge"] for candidate in made["candidates"]]
    assert len(meaning) > 1 and meaning == sorted(meaning, reverse=True), "the best by meaning comes first"
    by_model = client.predict(prose=OTHER, beams=5, rank="model", length_penalty=1.0, api_name="/compose")
    assert by_model["candidates"][0]["meaning"] is None and "length_penalty=1.0" in by_model["signature"]
    with pytest.raises(AppError, match="Expected beams to be a whole number from 1 to 50; got 4000."):
        client.predict(prose=OTHER, beams=4000, api_name="/compose")


def test_assistants_find_the_tools_and_scan_with_them(app):
    async def ask():
        async with (
            streamable_http_client(f"{app}/gradio_api/mcp/") as (read, write, _),
            ClientSession(read, write) as session,
        ):
            await session.initialize()
            tools = {tool.name: tool for tool in (await session.list_tools()).tools}
            said = await session.call_tool("scan", {"text": GITA})
            return tools, said.content[0].text

    with ThreadPoolExecutor(1) as elsewhere:  # playwright has this thread's event loop
        tools, said = elsewhere.submit(lambda: asyncio.run(ask())).result()
    assert set(tools) == {"compose", "read", "scan", "score"}
    assert "English" in tools["compose"].description
    asked = tools["compose"].inputSchema["properties"]
    assert {name: asked[name]["description"] for name in ("beta", "rank")} == {
        option.name: option.about for option in composer.OFFERED if option.name in ("beta", "rank")
    }
    assert set(asked) == {"prose", "model", "script", "wishes", *(option.name for option in composer.OFFERED)}
    (verse,) = json.loads(said)
    assert verse["metre"] == "anuṣṭubh" and verse["full"] is True

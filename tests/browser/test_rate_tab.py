"""Rating sessions in a real browser: a study from its making to its export, and everything a rater may do or suffer."""

import json
import re
import sqlite3
from urllib.parse import parse_qs, urlparse

import pytest
from gradio_client import Client
from playwright.sync_api import expect

from tests.browser.conftest import CUT_OFF
from tests.browser.looking import CONTRAST, choose
from tests.browser.test_compose_tab import OTHER, compose
from tests.ratings import made
from workbench.ratings import items, raters, saved, schema, session, studies

DEVANAGARI = "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः । मामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥"
MARKUP = "<img src=x onerror=pwned=1> ${window.pwned=2} {{value}} `${pwned=3}` \\u003cimg src=x onerror=pwned=4\\u003e"

HEADINGS = """() => [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(e => e.checkVisibility())
  .map(e => Number(e.tagName[1]))"""


@pytest.fixture(scope="module")
def engine(app, data):
    connected = schema.connect(f"sqlite:///{data / 'ratings.db'}")
    yield connected
    connected.dispose()


@pytest.fixture
def devices(app, chromium, been_here):
    """Opens browsers of their own; at the end no page may have asked another host, logged an error, or sent a token in
    an address, but for the link itself; and nothing that came back to a rater may name a system."""
    contexts, elsewhere, errors, addresses, answers = [], [], [], [], []

    def device(width=1440, height=1000):
        size = {"width": width, "height": height}
        context = chromium.new_context(viewport=size, accept_downloads=True, storage_state=been_here)
        context.set_default_timeout(20_000)

        def watch(page):
            page.on("request", lambda request: addresses.append((request.resource_type, request.url)))
            page.on("response", lambda got: answers.append((page, got)) if "/rate_" in got.url else None)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)

        context.on("page", watch)
        contexts.append(context)
        return context

    device.errors, device.answers = errors, answers
    yield device
    for context in contexts:
        context.close()
    elsewhere += [url for _, url in addresses if not url.startswith((app, "data:", "blob:"))]
    assert elsewhere == [] and [error for error in errors if not any(sign in error for sign in CUT_OFF)] == []
    assert [url for kind, url in addresses if "invite=" in url and kind != "document"] == []


def invited(engine, number=10, name="Gārgī", **plan):
    study = made.study(engine, number, **{"overlap": 1, **plan})
    return study, f"/?study={study.id}#invite={raters.invite(engine, study, name).token}"


def enter(page, address):
    """Follow a link for the first time."""
    page.goto(address)
    page.locator("#rate-consent").check()
    page.locator("#rate-begin").click()
    expect(page.locator("#rate-verse h2")).to_have_text("Verse 1 · not rated yet")


def progress(page, sentence):
    expect(page.locator(".rate-progress")).to_have_text(re.compile(f"^\\s*{re.escape(sentence)}\\s*$"))


def unfold(page, accordion):
    page.locator(f"{accordion} button").first.click()


def open_study(page, study, token):
    page.get_by_role("tab", name="Studies").click()
    unfold(page, "#study-other")
    page.locator("#study-number input, #study-number textarea").fill(study)
    page.locator("#study-token input").fill(token)
    page.locator("#study-open").click()


def step(page, name):
    page.locator("#steps").get_by_role("tab", name=name).click()


def make(page, name):
    """A study by its form, of which one rater an item and no repeats are asked; its owner's token."""
    page.get_by_role("tab", name="Studies").click()
    page.locator("#new-name input, #new-name textarea").fill(name)
    page.locator("#new-overlap input").fill("1")
    unfold(page, "#new-more")
    page.locator("#new-repeats input[type=number]").fill("0")
    page.locator("#new-repeats input[type=number]").press("Tab")
    page.locator("#new-create").click()
    expect(page.locator("#studies-told")).to_contain_text("which nobody can look up")
    return page.locator("#studies-told code").inner_text()


def test_a_study_from_its_making_to_its_export(app, engine, devices, tmp_path):
    owner = devices().new_page()
    owner.goto(app)
    assert len(make(owner, "Ten verses")) > 30
    expect(owner.locator("#study-head")).to_contain_text("One person rates each verse. No item comes twice.")
    rows = [{"id": str(at), "en": f"Prose {at}.", "verse": DEVANAGARI, "system": "hidden-system"} for at in range(10)]
    file = tmp_path / "items.jsonl"
    file.write_text("\n".join(map(json.dumps, [*rows, {"id": "11", "en": MARKUP}])), encoding="utf-8")
    with owner.expect_file_chooser() as chooser:  # the second step is open by itself
        owner.locator("#items-upload").click()
    chooser.value.set_files(file)
    expect(owner.locator("#items-preview")).to_contain_text("10 items can be added; 1 rows cannot.")
    expect(owner.locator("#items-preview")).to_contain_text("Row 11: Expected a verse; got nothing.")
    owner.locator("#items-score input").uncheck()
    owner.locator("#items-add").click()
    expect(owner.locator("#studies-told")).to_contain_text("10 items added")
    expect(owner.locator("#study-head")).to_contain_text("10 items and no raters yet: invite some in step 3.")
    step(owner, "3 Raters")
    owner.locator("#raters-names textarea").fill("Gārgī\nMaitreyī")
    owner.locator("#raters-invite").click()
    expect(owner.locator("#raters-list code")).to_have_count(2)
    link = owner.locator("#raters-list code").first.inner_text()
    assert link.startswith(app) and "#invite=" in link
    assert owner.locator("#raters-list button[data-copy]").first.get_attribute("data-copy") == link

    here = devices()
    page = here.new_page()
    enter(page, link)
    assert "invite" not in page.url
    for number in range(1, 7):
        page.keyboard.press(str(1 + number % 5))
        page.keyboard.press("Enter")
        progress(page, f"{number} of 10 rated")
    page.close()

    page = here.new_page()  # the same browser, without the link
    page.goto(app)
    page.get_by_role("tab", name="Rate").click()
    expect(page.locator("#rate-verse h2")).to_have_text("Verse 7 · not rated yet")
    page.close()
    page = devices(390, 844).new_page()  # elsewhere, by the link
    page.goto(link)
    expect(page.locator("#rate-verse h2")).to_have_text("Verse 7 · not rated yet")
    for number in range(7, 11):
        page.keyboard.press("2")
        page.keyboard.press("Enter")
        progress(page, f"{number} of 10 rated")
    expect(page.locator("#rate-done")).to_contain_text("nothing more for you to rate")
    page.locator("#rate-jump").select_option("3")
    expect(page.locator("#rate-verse h2")).to_have_text("Verse 3 · rated")
    expect(page.locator("input[name=rate-coherence]:checked")).to_have_value("4")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.locator("#rate-done")).to_be_visible()
    html = page.content() + "".join(answer.text() for where, answer in devices.answers if where == page)
    assert "hidden-system" not in html and link.rpartition("=")[2] not in page.url

    step(owner, "4 Results")
    expect(owner.locator("#results-summary h2")).to_have_text("Ten verses: coherence", timeout=30_000)
    expect(owner.locator("#results-summary")).to_contain_text("10 ratings of 10 items")
    expect(owner.locator("#results-summary")).to_contain_text("hidden-system")
    expect(owner.locator("#results-summary")).to_contain_text("No item comes twice.")
    expect(owner.locator("#results-by-system .js-plotly-plot")).to_be_visible()
    expect(owner.locator("#results-twin-by-system table")).to_have_count(1)
    for label, ending in (("CSV", "csv"), ("TSV for mqm_viewer", "tsv"), ("Hugging Face dataset (zip)", "zip")):
        choose(owner, "#results-format", label)
        with owner.expect_download() as download:
            owner.locator("#results-export").click()
        assert download.value.suggested_filename.endswith(f".{ending}")
        if ending == "csv":
            download.value.save_as(tmp_path / "ratings.csv")
    lines = (tmp_path / "ratings.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 11
    study = parse_qs(urlparse(link).query)["study"][0]
    with schema.reading(engine) as connection:
        rated = session.standing(connection, study)
    assert [each.answers["coherence"] for each in rated] == [2, 3, 1, 5, 1, 2, 2, 2, 2, 2]
    step(owner, "3 Raters")
    owner.locator("#raters-list summary", has_text="close the link").first.click()
    owner.locator("#raters-list button[data-what=revoke]").first.click()
    expect(owner.locator("#studies-told")).to_contain_text("Gārgī's link is closed")
    page.locator("#rate-next").click()
    expect(page.locator("#rate-screen [role=alert]").first).to_contain_text("This link opens no study here.")


def test_studies_and_raters_are_there_again_after_a_reload_and_links_are_made_anew(app, engine, devices):
    context = devices()
    page = context.new_page()
    page.goto(app)
    token = make(page, "A lasting study")
    step(page, "3 Raters")
    page.locator("#raters-names textarea").fill("Gārgī")
    page.locator("#raters-invite").click()
    first = page.locator("#raters-list code").inner_text()
    page.locator("#raters-names textarea").fill("Gārgī")
    page.locator("#raters-invite").click()
    expect(page.locator("#studies-told [role=alert]")).to_contain_text("Expected a name that no other rater")
    expect(page.locator("#raters-names textarea")).to_have_value("Gārgī")  # what was typed stays
    page.reload()
    page.get_by_role("tab", name="Studies").click()
    expect(page.locator("#study-head h2")).to_have_text("A lasting study")  # opened again by itself
    expect(page.locator("#studies-list .study-name")).to_have_text("A lasting study")
    step(page, "3 Raters")
    expect(page.locator("#raters-list .rater-name")).to_have_text("Gārgī")
    expect(page.locator("#raters-list code")).to_have_count(0)  # links are told once
    page.locator("#raters-list summary", has_text="make the link anew").press("Enter")
    page.locator("#raters-list button[data-what=renew]").press("Enter")
    expect(page.locator("#studies-told [role=status]")).to_be_focused()
    second = page.locator("#raters-list code").inner_text()
    assert second != first
    rater = devices().new_page()
    rater.goto(first)
    expect(rater.locator("#rate-screen [role=alert]").first).to_have_text(raters.CLOSED)
    rater.goto("about:blank")
    rater.goto(second)
    expect(rater.locator("#rate-consent")).to_be_visible()

    other = context.new_page()  # the same browser: one press opens it, and nothing is typed
    other.goto(app)
    other.get_by_role("tab", name="Studies").click()
    other.locator("#studies-list .study-name").press("Enter")
    expect(other.locator("#study-head h2")).to_have_text("A lasting study")
    other.locator("#studies-list summary").press("Enter")
    other.locator("#studies-list [data-do=forget]").press("Enter")
    expect(other.locator("#studies-list [data-do=surely]")).to_be_focused()
    expect(other.locator("#studies-list [role=alert]")).to_contain_text("Forget “A lasting study” on this device?")
    other.locator("#studies-list [data-do=surely]").press("Enter")
    expect(other.locator("#studies-list .study-name")).to_have_count(0)
    assert token not in other.evaluate("JSON.stringify(localStorage)")


def test_an_invited_rater_sees_only_their_task(app, engine, devices):
    _, address = invited(engine, 2)
    context = devices()
    page = context.new_page()
    seen = (
        "() => [...document.querySelectorAll('[role=tab], #prose, #studies')].filter(e => e.checkVisibility()).length"
    )
    page.goto(app + address)
    page.locator("#rate-consent").check()
    assert page.evaluate(seen) == 0
    page.locator("#rate-begin").click()
    expect(page.locator("#rate-verse h2")).to_be_visible()
    page.reload()  # without the token in the address
    expect(page.locator("#rate-verse h2")).to_be_visible()
    assert page.evaluate(seen) == 0
    page.locator("#rate-leave").click()
    page.get_by_role("link", name="To the whole workbench").click()
    expect(page.get_by_role("tab", name="Compose")).to_be_visible()


def test_a_calibration_is_looked_at_and_asked_about_before_it_is_stored(app, engine, data, devices):
    founded = studies.create(engine, "Calibrating", (), overlap=1, repeats=0)
    items.add(engine, founded.study, [
        items.Item(str(at), f"Prose {at}.", made.VERSE, "s", scores={"cross": at / 12}) for at in range(12)
    ])  # fmt: skip
    made.rate_all(engine, made.rater(engine, founded.study), lambda shown: 1 + int(shown.prose[6:-1]) // 3)
    page = devices().new_page()
    page.goto(app)
    open_study(page, founded.study.id, founded.token)
    expect(page.locator("#results-summary h2")).to_have_text("Calibrating: coherence", timeout=30_000)
    step(page, "Calibration")
    expect(page.locator("#calibration-yes")).to_have_count(0)
    page.locator("#calibration-look").click()
    expect(page.locator("#calibration-would")).to_contain_text("Then: a calibration by the 12 rated items")
    expect(page.locator("#calibration-would tbody tr")).to_have_count(5)
    page.locator("#calibration-no").click()
    expect(page.locator("#studies-told")).to_contain_text("Nothing was changed.")
    assert not (data / "calibration.json").exists()
    page.locator("#calibration-look").click()
    page.locator("#calibration-yes").click()
    expect(page.locator("#studies-told")).to_contain_text("Stored: 12 items")
    (data / "calibration.json").unlink()  # other tests meet none, once the app is started again


def test_wrong_tokens_open_nothing(app, engine, devices):
    study, _ = invited(engine)
    page = devices().new_page()
    page.goto(f"{app}/?study={study.id}#invite=guess")
    expect(page.locator("#rate-screen [role=alert]").first).to_have_text(raters.CLOSED)
    assert page.url == f"{app}/?study={study.id}"
    expect(page.locator("#rate-study")).to_have_value(study.id)
    token = raters.invite(engine, study, "Maitreyī").token
    page.locator("#rate-token").fill(token)
    page.keyboard.press("Enter")
    expect(page.locator("#rate-consent")).to_be_visible()
    page.locator("#rate-begin").click()
    expect(page.locator("#rate-consent-told")).to_have_text("Tick the consent to begin.")
    page.goto(app)
    open_study(page, study.id, token)
    expect(page.locator("#studies-told [role=alert]")).to_have_text("This token opens no study here.")
    expect(page.locator("#study-head h2")).to_have_count(0)
    expect(page.locator("#studies-list .study-name")).to_have_count(0)


def test_markup_in_prose_comments_and_names_is_only_text(app, engine, devices):
    founded = studies.create(engine, MARKUP, ("comment",), overlap=1, repeats=0)
    verses = [items.Item(str(at), MARKUP, made.VERSE, "hidden-system") for at in range(2)]
    items.add(engine, founded.study, verses)
    token = raters.invite(engine, founded.study, MARKUP).token
    context = devices()
    page = context.new_page()
    enter(page, f"{app}/?study={founded.study.id}#invite={token}")
    expect(page.locator(".rate-prose")).to_have_text(MARKUP)
    page.locator("textarea[data-comment]").fill(MARKUP)
    page.locator("input[name=rate-coherence][value='3']").check()
    page.keyboard.press("Control+Enter")
    progress(page, "1 of 2 rated")
    page.locator("#rate-previous").click()
    expect(page.locator("textarea[data-comment]")).to_have_value(MARKUP)
    page.goto(app)
    open_study(page, founded.study.id, founded.token)
    expect(page.locator("#study-head h2")).to_have_text(MARKUP)
    expect(page.locator("#studies-list .study-name")).to_have_text(MARKUP)
    expect(page.locator("#results-summary h2")).to_have_text(f"{MARKUP}: coherence", timeout=30_000)
    expect(page.locator("#results-summary tbody th").first).to_have_text(MARKUP)
    expect(page.locator("#results-by-rater .js-plotly-plot")).to_be_visible()
    assert page.evaluate("window.pwned") is None


def test_what_was_typed_survives_a_lost_answer_and_counts_once(app, engine, devices):
    study, address = invited(engine, 2)
    page = devices().new_page()
    enter(page, app + address)
    lost = []

    def lose(route):
        """The server gets it, and its answer gets lost."""
        lost.append(route.fetch().json()["data"][0]["saved"])
        route.abort()

    page.route("**/rate_submit", lose, times=1)
    page.keyboard.press("4")
    page.locator("textarea[data-comment]").fill("kept")
    page.locator("#rate-submit").click()
    expect(page.locator("#rate-told")).to_contain_text("Not saved: the server did not answer.")
    expect(page.locator("textarea[data-comment]")).to_have_value("kept")
    expect(page.locator("input[name=rate-coherence]:checked")).to_have_value("4")
    page.locator("#rate-submit").click()
    progress(page, "1 of 2 rated")
    assert lost == [1]
    with schema.reading(engine) as connection:
        [rated] = session.standing(connection, study.id)
        written = connection.execute(schema.entries.select().where(schema.entries.c.rater == rated.place.rater)).all()
    assert rated.answers == {"coherence": 4, "comment": "kept"} and len(written) == 1
    devices.errors.clear()  # the browser's own note about the lost answer
    page.locator("textarea[data-comment]").fill("not sent yet")
    page.reload()
    expect(page.locator("#rate-verse h2")).to_have_text("Verse 2 · not rated yet")
    expect(page.locator("textarea[data-comment]")).to_have_value("not sent yet")


def test_what_a_busy_database_refused_is_sent_again_by_itself(app, engine, data, devices):
    study, address = invited(engine, 2)
    page = devices().new_page()
    enter(page, app + address)
    page.keyboard.press("4")
    page.locator("textarea[data-comment]").fill("kept")
    lock = sqlite3.connect(data / "ratings.db", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    try:
        page.locator("#rate-submit").click()
        expect(page.locator("#rate-told")).to_contain_text("The server is busy; this is kept here and sent again")
        expect(page.locator("textarea[data-comment]")).to_have_value("kept")
    finally:
        lock.execute("ROLLBACK")
        lock.close()
    progress(page, "1 of 2 rated")  # and nobody pressed anything
    with schema.reading(engine) as connection:
        [rated] = session.standing(connection, study.id)
    assert rated.answers == {"coherence": 4, "comment": "kept"}


def test_marks_skip_undo_script_and_all_by_keyboard(app, engine, devices):
    _, address = invited(engine, 4)
    page = devices().new_page()
    enter(page, app + address)
    expect(page.locator("#rate-verse .tile")).to_have_count(32)
    expect(page.locator("#rate-told")).to_contain_text("Answer “Semantic coherence")
    page.locator("#rate-submit").press("Enter")
    progress(page, "0 of 4 rated")
    word = page.locator("#rate-verse [data-word='1']")
    for mark in ("wrong word", "missing"):
        word.press("Enter")
        expect(word).to_have_attribute("data-mark", mark)
    page.locator("#rate-script").select_option("iast")
    expect(word).to_have_text("kurukṣetre")
    expect(word).to_have_attribute("aria-label", "kurukṣetre: missing")
    page.locator("#rate-verse").focus()
    for key in "4325":  # coherence, grammar, poetry, recitability
        page.keyboard.press(key)
    expect(page.locator("input[name=rate-recitability]:checked")).to_have_value("5")
    expect(page.locator("#rate-told")).to_have_text("Enter submits.")
    page.keyboard.press("Enter")
    progress(page, "1 of 4 rated")
    page.locator("#rate-skip").click()
    progress(page, "1 of 4 rated, 1 skipped")
    expect(page.locator("#rate-verse h2")).to_have_text("Verse 3 · not rated yet")
    page.locator("#rate-undo").click()
    expect(page.locator("#rate-verse h2")).to_have_text("Verse 2 · not rated yet")
    page.locator("#rate-undo").click()
    expect(page.locator("#rate-verse h2")).to_have_text("Verse 1 · not rated yet")
    progress(page, "0 of 4 rated")
    page.locator("#rate-undo").click()
    expect(page.locator("#rate-told")).to_have_text("Expected a rating to undo; there is none.")
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('#rate button, #rate input, #rate textarea, #rate select')]
          .filter(e => e.offsetParent && !(e.ariaLabel || e.innerText?.trim() || e.labels?.length))
          .map(e => e.outerHTML.slice(0, 200))"""
    )
    assert nameless == []


def test_a_rater_whose_repeats_disagree_is_told_so(app, engine, devices):
    _, address = invited(engine, 4, repeats=0.5, distance=1, ask=())
    page = devices().new_page()
    enter(page, app + address)
    seen = []
    for number in range(1, 7):
        seen.append(page.locator(".rate-prose").inner_text())
        page.keyboard.press("5" if seen.count(seen[-1]) > 1 else "1")
        page.keyboard.press("Enter")
        progress(page, f"{number} of 6 rated")
    expect(page.locator(".rate-nudge")).to_contain_text("Would you look at the rubric once more?")


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (1024, "dark"), (390, "light"), (390, "dark")])
def test_nothing_scrolls_sideways_and_text_stands_out(app, engine, devices, width, theme):
    _, address = invited(engine, 2)
    page = devices(width, 844).new_page()
    page.goto(f"{app}{address}&__theme={theme}")
    page.locator("#rate-consent").check()
    ratios = page.evaluate(CONTRAST, [".field", ".tick", "#rate-begin", ".rate-card .quiet"])
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("#rate-begin").click()
    expect(page.locator("#rate-verse h2")).to_be_visible()
    page.keyboard.press("4")
    page.locator("#rate-verse [data-word='7']").click()
    page.locator(".examples summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    looked = [".rate-prose", ".word[data-mark='wrong word']", ".point", ".point:has(:checked)", ".question legend",
              "#rate-told", "#rate-submit", "#rate-skip", ".rate-moves label", "#rate-next", "#rate-leave", ".keys",
              ".examples .quiet", "#rate-previous"]  # fmt: skip
    ratios |= page.evaluate(CONTRAST, looked)
    founded = studies.create(engine, "A study of many verses, whose name is long", (), overlap=2, repeats=0)
    raters.invite(engine, founded.study, "Lopāmudrā, who has a rather long name as well")
    page.goto(f"{app}/?__theme={theme}")
    open_study(page, founded.study.id, founded.token)
    looked = [".study-open p", ".study-open .quiet", ".study-name", ".kept-figure", "#studies-told .told-once",
              "#studies .intro p", "#steps button[aria-selected=true]", "#steps button[aria-selected=false]"]  # fmt: skip
    expect(page.locator("#study-head h2")).to_be_visible()
    ratios |= page.evaluate(CONTRAST, looked)
    for name in ("1 New study", "2 Items", "3 Raters", "4 Results", "Calibration"):
        step(page, name)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        levels = page.evaluate(HEADINGS)
        assert levels[0] == 1 and all(after - before <= 1 for before, after in zip(levels, levels[1:], strict=False))
    step(page, "3 Raters")
    ratios |= page.evaluate(CONTRAST, [".rater-name", ".rater-line .quiet", ".rater-actions summary"])
    assert {name: ratio for name, ratio in ratios.items() if ratio < 4.5} == {}


def test_programs_can_call_what_the_page_calls(app, engine):
    study, address = invited(engine, 2)
    who = (study.id, address.rpartition("=")[2])
    client = Client(app, verbose=False)
    assert client.predict(*who, 0, "iast", api_name="/rate_show")["consent"]
    assert client.predict(*who, {}, "iast", api_name="/rate_consent")["showing"]["position"] == 1
    answered = client.predict(*who, 1, {"coherence": 4}, "program-0001", "iast", api_name="/rate_submit")
    assert answered["saved"] == 1 and answered["progress"]["rated"] == 1
    assert client.predict(study.id, "guess", 0, "iast", api_name="/rate_show")["error"] == raters.CLOSED


def test_any_visitor_can_rate_the_verse_just_made(open_page, engine):
    page = open_page()
    expect(page.locator("#quick")).not_to_be_visible()
    compose(page, OTHER)
    page.locator("#quick-send").click()
    expect(page.locator("#quick-told")).to_contain_text("has no answer yet")
    page.locator("#quick-points").get_by_label("4", exact=True).check()
    page.locator("#quick-comment input, #quick-comment textarea").fill(MARKUP)
    page.locator("#quick-send").click()
    expect(page.locator("#quick-told")).to_have_text("Thank you; your rating is kept.")
    with schema.reading(engine) as connection:
        row = connection.execute(schema.quick.select().order_by(schema.quick.c.id.desc())).first()
    assert row.answers == {"coherence": 4, "comment": MARKUP} and row.prose == OTHER
    assert "embedded" in row.origin["signature"]


@pytest.mark.parametrize("width", [1440, 390])
def test_a_verse_saved_by_a_visitor_comes_into_a_study(open_page, engine, width):
    founded = studies.create(engine, "Saved verses", (), overlap=1, repeats=0)
    page = open_page(width)
    prose = f"{OTHER} The forest was {width} miles away."
    compose(page, prose)
    page.locator("#save-verse").click()
    expect(page.locator("#quick-told")).to_contain_text("Saved, with its prose and settings")
    page.locator("#save-verse").click()
    expect(page.locator("#quick-told")).to_contain_text("This verse is saved already")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.get_by_role("button", name=re.compile("^show all")).click()
    page.locator("#candidates tr[data-at='1'] button").click()
    expect(page.locator("#quick-told")).to_have_text("")
    page.locator("#save-verse").click()
    expect(page.locator("#quick-told")).to_contain_text("Saved, with its prose and settings")
    newest, first, *_ = saved.listed(engine)
    assert newest.prose == first.prose == prose and newest.verse != first.verse
    assert (first.system, first.settings["rank"], newest.settings["rank"]) == ("embedded", 1, 2)
    assert first.settings["metre"] == "anuṣṭubh" and first.settings["beams"] > 1 and first.scores["heard"] >= 0

    open_study(page, founded.study.id, founded.token)
    expect(page.locator("#items-score input")).to_be_checked()
    page.locator("#items-saved").click()
    expect(page.locator("#items-preview tbody tr").nth(1)).to_contain_text(prose)
    expect(page.locator("#items-preview tbody th").first).to_have_text(newest.id)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("#items-add").click()
    expect(page.locator("#studies-told")).to_contain_text("of them were scored", timeout=60_000)
    with schema.reading(engine) as connection:
        kept = {item.id: item for _, item in items.stored(connection, founded.study)}
    assert kept[first.id].scores["heard"] == first.scores["heard"] and "bi" in kept[first.id].scores
    page.locator("#items-saved").click()
    expect(page.locator("#studies-told [role=alert]")).to_contain_text("Expected saved compositions")

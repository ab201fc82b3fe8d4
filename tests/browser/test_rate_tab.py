"""Rating sessions in a real browser: a study from its making to its export, and everything a rater may do or suffer."""

import json
import re
import sqlite3
from urllib.parse import parse_qs, urlparse

import pytest
from gradio_client import Client
from playwright.sync_api import expect

from tests.browser.looking import CONTRAST, choose
from tests.browser.test_compose_tab import OTHER, compose
from tests.ratings import made
from workbench.ratings import items, raters, saved, schema, session, studies

DEVANAGARI = "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः । मामकाः पाण्डवाश्चैव किमकुर्वत सञ्जय ॥"
MARKUP = "<img src=x onerror=pwned=1> ${window.pwned=2} {{value}} `${pwned=3}` \\u003cimg src=x onerror=pwned=4\\u003e"


@pytest.fixture(scope="module")
def engine(app, data):
    connected = schema.connect(f"sqlite:///{data / 'ratings.db'}")
    yield connected
    connected.dispose()


@pytest.fixture
def devices(app, chromium):
    """Opens browsers of their own; at the end no page may have asked another host, logged an error, or sent a token in
    an address, but for the link itself; and nothing that came back to a rater may name a system."""
    contexts, elsewhere, errors, addresses, answers = [], [], [], [], []

    def device(width=1440, height=1000):
        context = chromium.new_context(viewport={"width": width, "height": height}, accept_downloads=True)
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
    assert elsewhere == [] and errors == []
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


def test_a_study_from_its_making_to_its_export(app, engine, devices, tmp_path):
    owner = devices().new_page()
    owner.goto(app)
    owner.get_by_role("tab", name="Results").click()
    unfold(owner, "#results-new")
    owner.locator("#new-name input, #new-name textarea").fill("Ten verses")
    owner.locator("#new-overlap input").fill("1")
    owner.locator("#new-repeats input[type=number]").fill("0")
    owner.locator("#new-repeats input[type=number]").press("Tab")
    owner.locator("#new-create").click()
    expect(owner.locator("#results-told")).to_contain_text("Its owner's token is shown this once")
    token = owner.locator("#results-told code").inner_text()
    assert owner.locator("#results-token input").input_value() == token
    unfold(owner, "#results-new")
    rows = [{"id": str(at), "en": f"Prose {at}.", "verse": DEVANAGARI, "system": "hidden-system"} for at in range(10)]
    file = tmp_path / "items.jsonl"
    file.write_text("\n".join(map(json.dumps, [*rows, {"id": "11", "en": MARKUP}])), encoding="utf-8")
    unfold(owner, "#results-items")
    with owner.expect_file_chooser() as chooser:
        owner.locator("#results-upload").click()
    chooser.value.set_files(file)
    expect(owner.locator("#results-preview")).to_contain_text("10 items can be added; 1 rows cannot.")
    expect(owner.locator("#results-preview")).to_contain_text("Row 11: Expected a verse; got nothing.")
    owner.locator("#results-add").click()
    expect(owner.locator("#results-told")).to_contain_text("10 items added")
    unfold(owner, "#results-items")
    unfold(owner, "#results-raters")
    owner.locator("#results-name input, #results-name textarea").fill("Gārgī")
    owner.locator("#results-invite").click()
    expect(owner.locator("#results-told code")).to_contain_text("invite=")
    link = owner.locator("#results-told code").inner_text()
    assert link.startswith(app) and owner.locator("#results-told button[data-copy]").get_attribute("data-copy") == link

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

    owner.locator("#results-open").click()
    expect(owner.locator("#results-summary h2")).to_have_text("Ten verses: coherence", timeout=30_000)
    expect(owner.locator("#results-summary")).to_contain_text("10 ratings of 10 items")
    expect(owner.locator("#results-summary")).to_contain_text("hidden-system")
    expect(owner.locator("#results-by-system .js-plotly-plot")).to_be_visible()
    expect(owner.locator("#results-twin-by-system table")).to_have_count(1)
    unfold(owner, "#results-exports")
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
    owner.locator("#results-revoke").click()
    expect(owner.locator("#results-told")).to_contain_text("link is closed")
    page.locator("#rate-next").click()
    expect(page.locator("#rate-screen [role=alert]").first).to_contain_text("This link opens no study here.")


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
    page.get_by_role("tab", name="Results").click()
    page.locator("#results-study input, #results-study textarea").fill(study.id)
    page.locator("#results-token input").fill(token)
    page.locator("#results-open").click()
    expect(page.locator("#results-told [role=alert]")).to_have_text("This token opens no study here.")
    expect(page.locator("#results-summary table")).to_have_count(0)


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
    page.get_by_role("tab", name="Results").click()
    page.locator("#results-study input, #results-study textarea").fill(founded.study.id)
    page.locator("#results-token input").fill(founded.token)
    page.locator("#results-open").click()
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
    page.get_by_role("tab", name="Results").click()
    expect(page.locator("#results-open")).to_be_visible()
    ratios |= page.evaluate(CONTRAST, ["#results-open", "#results .intro p", "#results-summary p"])
    assert page.evaluate("document.documentElement.scrollWidth") == width
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

    page.get_by_role("tab", name="Results").click()
    page.locator("#results-study input, #results-study textarea").fill(founded.study.id)
    page.locator("#results-token input").fill(founded.token)
    unfold(page, "#results-items")
    expect(page.locator("#results-score input")).to_be_checked()
    page.locator("#results-saved").click()
    expect(page.locator("#results-preview tbody tr").nth(1)).to_contain_text(prose)
    expect(page.locator("#results-preview tbody th").first).to_have_text(newest.id)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("#results-add").click()
    expect(page.locator("#results-told")).to_contain_text("of them were scored", timeout=60_000)
    with schema.reading(engine) as connection:
        kept = {item.id: item for _, item in items.stored(connection, founded.study)}
    assert kept[first.id].scores["heard"] == first.scores["heard"] and "bi" in kept[first.id].scores
    page.locator("#results-saved").click()
    expect(page.locator("#results-told [role=alert]")).to_contain_text("Expected saved compositions")

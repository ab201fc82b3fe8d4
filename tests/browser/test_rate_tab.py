"""Rating in a real browser: everything a rater may do or suffer, from their link to their last verse, and any visitor's
word on the verse just made. What holds for Rate and Studies alike (tokens, markup, how it looks) is here for both."""

import sqlite3

import pytest
from gradio_client import Client
from playwright.sync_api import expect

from tests.browser.looking import CONTRAST, scrolls_sideways
from tests.browser.rating import MARKUP, enter, open_study, progress, step
from tests.browser.test_compose_tab import OTHER, compose
from tests.ratings import made
from workbench.ratings import items, raters, schema, session, studies

HEADINGS = """() => [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].filter(e => e.checkVisibility())
  .map(e => Number(e.tagName[1]))"""


def invited(engine, number=10, name="Gārgī", **plan):
    study = made.study(engine, number, **{"overlap": 1, **plan})
    return study, f"/?study={study.id}#invite={raters.invite(engine, study, name).token}"


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


def test_a_script_of_before_that_is_no_longer_offered_gives_way_to_the_usual_one(app, engine, devices):
    _, address = invited(engine, 2)
    context = devices()
    context.add_init_script(
        "try { localStorage.setItem('pingala-rating-script', '\"tamil\"'); } catch { /* an empty page has none */ }"
    )
    page = context.new_page()
    enter(page, app + address)
    expect(page.locator("#rate-script")).to_have_value("devanagari")
    expect(page.locator("#rate-verse .sanskrit")).to_contain_text("धर्मक्षेत्रे")


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


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (390, "dark")])
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
        assert scrolls_sideways(page, (width, 1024, 390)) == []
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

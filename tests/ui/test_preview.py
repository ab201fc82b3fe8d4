"""What a link shows where it is pasted: title, sentence and picture, for every kind of link, and within bounds."""

import asyncio
import io
import re
import threading
from html import unescape

import pytest
from gradio.routes import templates
from PIL import Image

from tests.verses import VERSES
from tests.waiting import run_async
from workbench import composer, examples
from workbench.ui import lettering, preview, strings
from workbench.ui.picture import FAULT, GURU, Words

PROSE = "The king, hearing these words of the sage, fell to the ground."
GITA = composer.scan(VERSES["anuṣṭubh"][1])[0].verse.slp1


def content(tags, name):
    found = re.search(f'<meta (?:property|name)="{name}" content="([^"]*)">', tags)
    return unescape(found[1])


def words(link):
    return [mark.text for mark in preview.sheet(link).marks if isinstance(mark, Words)]


def test_a_link_with_prose_and_verse_says_and_shows_both():
    link = preview.read({"prose": PROSE, "verse": GITA, "metre": "anuṣṭubh", "beams": "8"})
    assert preview.title(link) == f"“{PROSE}” as Sanskrit verse"
    assert preview.sentence(link).startswith("In anuṣṭubh: dharmakṣetre kurukṣetre")
    drawn = words(link)
    assert PROSE in " ".join(drawn) and any(text.startswith("धर्मक्षेत्रे") for text in drawn)
    assert not any("example" in text for text in drawn)


def test_a_link_with_prose_alone_shows_an_example_that_says_so():
    drawn = words(preview.read({"prose": PROSE}))
    assert PROSE in " ".join(drawn)
    assert any(text.startswith(f"An example: “{examples.PROSES[0][:20]}") for text in drawn)


def test_a_verse_to_scan_shows_its_metre_and_its_fault():
    link = preview.read({"scan": strings.EXAMPLES[3][0]})
    assert preview.title(link) == "A Sanskrit verse, scanned: anuṣṭubh"
    assert preview.sentence(link).startswith("dharmakṣetre")
    assert any(getattr(mark, "edge", "") == FAULT for mark in preview.sheet(link).marks)


@pytest.mark.parametrize(
    "query", [{}, {"study": "abc"}, {"scan": "123, 456"}, {"verse": "\x00"}, {"verse": "q" * 9000}]
)
def test_every_other_link_shows_the_page_itself(query):
    link = preview.read(query)
    assert link == preview.Link() and preview.title(link) == strings.TITLE
    assert preview.sentence(link) == strings.PREVIEW_USUAL


def test_what_is_long_is_cut_and_what_the_font_has_not_is_left_out():
    link = preview.read({"prose": "word " * 900 + "end", "verse": GITA})
    assert len(link.prose) <= preview.PROSE and link.prose.endswith("…")
    assert preview.read({"prose": "a 漢字 b 🙂\u202e\x07"}).prose == "a b"
    for mark in preview.sheet(link).marks:
        if isinstance(mark, Words) and mark.anchor == "start":
            assert mark.x + lettering.width(mark.text, mark.size) <= preview.WIDTH
            assert mark.y <= preview.HEIGHT


def test_the_picture_is_a_png_of_the_size_that_is_told():
    with Image.open(io.BytesIO(preview.image(preview.read({"prose": PROSE, "verse": GITA})))) as image:
        assert (image.format, image.size) == ("PNG", (preview.WIDTH, preview.HEIGHT))
        assert tuple(bytes.fromhex(GURU[1:])) in {colour for _, colour in image.getcolors(1 << 20)}


def test_without_joined_letters_the_verse_is_in_latin_ones(monkeypatch):
    monkeypatch.setattr(lettering, "shapes_devanagari", lambda: False)
    drawn = words(preview.read({"prose": PROSE, "verse": GITA}))
    assert any(text.startswith("dharmakṣetre") for text in drawn)
    assert not any("\u0900" <= letter <= "\u0950" for text in drawn for letter in text)


def test_tags_are_text_whatever_a_link_holds():
    nasty = {"prose": '"><script>alert(1)</script>', "verse": GITA, "x": '"><b>'}
    tags = preview.tags(nasty, "https://example.org/")
    assert "<script" not in tags and "<b>" not in tags
    assert content(tags, "og:title") == f"“{nasty['prose']}” as Sanskrit verse"
    assert content(tags, "og:image").startswith("https://example.org/preview.png?prose=%22")
    assert content(preview.tags({}, "https://example.org"), "og:image") == "https://example.org/preview.png"


def test_gradio_s_own_tags_are_gone_from_the_page():
    found = preview.PageLoader(templates.env.loader).get_source(templates.env, "frontend/index.html")[0]
    assert "og:image" not in found and "twitter:" not in found and "githubusercontent" not in found
    assert "preview_tags" in found.partition("<style")[0]


def test_one_is_painted_at_a_time_and_a_crowd_gets_the_usual_one():
    begun, go, at_once, most = threading.Event(), threading.Event(), [0], [0]

    def paint(link):
        if link == preview.Link():
            return b"usual"
        at_once[0] += 1
        most[0] = max(most[0], at_once[0])
        begun.set()
        go.wait(30)
        at_once[0] -= 1
        return b"own"

    async def crowd():
        painter = preview.Painter(paint)
        waiting = [asyncio.create_task(painter.picture({"prose": f"Word {at}."})) for at in range(preview.WAITING)]
        await asyncio.to_thread(begun.wait, 30)
        late = await painter.picture({"prose": "Too late."})
        go.set()
        return late, await asyncio.gather(*waiting)

    late, made = run_async(crowd())
    assert late == b"usual" and made == [b"own"] * preview.WAITING and most[0] == 1

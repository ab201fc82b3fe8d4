"""What a link shows where it is pasted: a title, a sentence, and a picture of the verse it holds.

The page's own HTML says the first two and where the third is (`add_to_page`); the picture is painted when somebody
fetches it (`Painter`), small, bounded and kept for the next who does. Nothing is composed here, and no prose is
logged: a link that holds a verse shows it, one that holds prose alone shows that beside an example.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from jinja2 import BaseLoader, Environment
from markupsafe import Markup

from workbench import composer
from workbench.refusal import Refusal
from workbench.ui import example_verses, lettering, painting, picture, strings
from workbench.ui.templates import drawn

PATH = "/preview.png"
WIDTH, HEIGHT, MARGIN = 1200, 630, 60.0  # what those who show previews ask for
PROSE, LETTERS = 200, 600  # characters of prose and of a verse that are shown
KEPT, WAITING = 64, 8  # pictures in memory; who may wait for one that is not, before all get the usual one
BRAND_SIZE, PROSE_SIZE, EXAMPLE_SIZE = 30.0, 40.0, 26.0
OLD_META = re.compile(r'<meta\s+(?:property="og:|name="twitter:)[^>]*>\s*')
DRAWN_IN = ("devanagari", "iast")  # what the font that ships can write


@dataclass(frozen=True)
class Link:
    """What of a link is shown; the same for all links that show the same."""

    prose: str = ""
    verse: str = ""  # in SLP1
    metre: str = "auto"
    script: str = "devanagari"
    scanned: bool = False  # a verse to scan, whose prose nobody knows

    def query(self) -> str:
        values = {"prose": self.prose, "verse": self.verse, "metre": self.metre, "script": self.script}
        usual = Link()
        return urlencode({name: value for name, value in values.items() if value != getattr(usual, name)})


def read(query: Mapping[str, str]) -> Link:
    """The part of a link that a preview shows, cut to what it has room for; what is no verse is left out."""
    prose = lettering.held(query.get("prose", "")[: 2 * PROSE])
    prose = prose if len(prose) <= PROSE else f"{prose[: PROSE - 2].rstrip()} …"
    script = query.get("script", "")
    script = script if script in DRAWN_IN else "devanagari"
    scanned = not prose and bool(query.get(strings.SCAN_LINK))
    text = query.get(strings.SCAN_LINK if scanned else "verse", "")[:LETTERS]
    scan = _scan(text, "auto" if scanned else "slp1", query.get("metre", "")[:PROSE]) if text else None
    if not scan:
        return Link(prose, script=script)
    metre = scan.verdict.metre.name if scan.verdict.metre else "auto"
    return Link(prose, scan.verse.slp1, metre, script, scanned)


def _scan(text: str, script: str, metre: str = "") -> composer.Scan | None:
    """The first verse of a text, or None for what is none."""
    try:
        return composer.scan(text, script, metre)[0]
    except (Refusal, IndexError):
        return None


def title(link: Link) -> str:
    if link.prose:
        return strings.PREVIEW_PROSE.format(prose=link.prose)
    if link.verse:
        return strings.PREVIEW_SCAN.format(metre=link.metre if link.metre != "auto" else strings.NO_METRE)
    return strings.TITLE


def sentence(link: Link) -> str:
    if not link.verse:
        return strings.PREVIEW_TO_COME if link.prose else strings.PREVIEW_USUAL
    verse = composer.Verse.from_slp1(link.verse).text("iast")
    if link.scanned:
        return verse
    metre = link.metre if link.metre != "auto" else strings.NO_METRE
    return strings.PREVIEW_VERSE.format(metre=metre, verse=verse)


def sheet(link: Link) -> picture.Sheet:
    """The picture, laid out: the prose, and under it the verse with its grid; or an example, which says that it is."""
    script = link.script if lettering.shapes_devanagari() else "iast"
    scan = _scan(link.verse, "slp1", link.metre) if link.verse else None
    marks: list[picture.Mark] = [picture.Words(MARGIN, 66, strings.TITLE, BRAND_SIZE, picture.BRAND)]
    prose, size, y = link.prose, PROSE_SIZE, 96.0
    lines = lettering.wrapped(prose, size, WIDTH - 2 * MARGIN, 2) if prose else []
    example = example_verses.example()
    if not scan and example:
        scan = composer.Scan.of(example.verses[0])
        heading = strings.AN_EXAMPLE.format(prose=example.composition["prose"])
        y = _written(marks, lines, size, y) + 12 * bool(lines)
        size, lines = EXAMPLE_SIZE, lettering.wrapped(heading, EXAMPLE_SIZE, WIDTH - 2 * MARGIN, 1)
    y = _written(marks, lines, size, y) + 12
    if scan:
        verse = picture.verse_sheet(scan, script, bare=True)
        scale = min((WIDTH - 2 * MARGIN) / verse.width, (HEIGHT - y - MARGIN / 2) / verse.height)
        marks += [picture.moved(mark, MARGIN, y, scale) for mark in verse.marks]
    return picture.Sheet(WIDTH, HEIGHT, tuple(marks), title(link), sentence(link))


def _written(marks: list[picture.Mark], lines: list[str], size: float, y: float) -> float:
    """Lines of words added to the marks; where the last one ends."""
    for line in lines:
        y += 1.25 * size
        marks.append(picture.Words(MARGIN, y - 0.25 * size, line, size, picture.INK))
    return y


@lru_cache(KEPT)
def image(link: Link) -> bytes:
    return painting.png(sheet(link))


class Painter:
    """Paints one picture at a time; when too many wait, everybody gets the usual one, which is there already."""

    def __init__(self, paint: Callable[[Link], bytes] = image) -> None:
        self.paint = paint
        self.waiting = 0
        self.turn = asyncio.Lock()

    async def picture(self, query: Mapping[str, str]) -> bytes:
        if self.waiting >= WAITING:
            return await asyncio.to_thread(self.paint, Link())
        self.waiting += 1
        try:
            async with self.turn:
                return await asyncio.to_thread(lambda: self.paint(read(query)))
        finally:
            self.waiting -= 1


def tags(query: Mapping[str, str], root: str) -> Markup:
    """What the page's HTML says of a link, for those who show previews; addresses there must be whole."""
    link = read(query)
    asked = link.query()
    root = root.rstrip("/")
    shown = {"title": title(link), "sentence": sentence(link), "width": WIDTH, "height": HEIGHT}
    return Markup(drawn("preview.html", picture=f"{root}{PATH}" + (f"?{asked}" if asked else ""), **shown))  # noqa: S704


class PageLoader(BaseLoader):
    """Gradio's own page, with our tags where its own would tell of Gradio: there is no setting for that."""

    def __init__(self, loader: BaseLoader) -> None:
        self.loader = loader

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool] | None]:
        source, file, fresh = self.loader.get_source(environment, template)
        bare = OLD_META.sub("", source)
        return bare.replace("<head>", "<head>{{ preview_tags(request.query_params, config.root) }}", 1), file, fresh


def add_to_page(environment: Any) -> None:
    """Have a server's pages, made by this environment of Jinja's, say what their links show."""
    environment.globals["preview_tags"] = tags
    if not isinstance(environment.loader, PageLoader):
        environment.loader = PageLoader(environment.loader)

"""A verse with its grid as a picture to take away: laid out once as marks on a sheet, and written as SVG.

Takes what the grid shows (`grid.verse_data`) and makes boxes, strokes and words of it; a painter may make dots of the
same marks (`painting`). Everything in it is text or a number: the font comes with it, and nothing is fetched.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from workbench import composer
from workbench.ui import lettering, strings
from workbench.ui.grid import verse_data
from workbench.ui.page_style import FONT_FAMILY, FONT_FILES
from workbench.ui.refusing import sentence_for
from workbench.ui.templates import drawn
from workbench.ui.verse import set_lines

LONGEST = 2_000  # characters of a verse that is drawn; a daṇḍaka has some hundreds
MARGIN, GAP, PAUSE = 40.0, 6.0, 14.0
TILE, SMALL_TILE = 60.0, 48.0  # of pādas that are short, or long
VERSE, SMALL, LETTER = 34.0, 17.0, 24.0  # sizes of letters
# As the page has them in its light theme (assets/workbench.css): a picture goes where no theme is.
PAPER, INK, QUIET, BRAND = "#faf7f2", "#24201a", "#635a4d", "#8a2b0e"
GURU, ON_GURU, LAGHU, ON_LAGHU, LAGHU_EDGE, FAULT = "#8a2b0e", "#ffffff", "#fbece0", "#24201a", "#dcbfa8", "#b3261e"


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float
    fill: str
    edge: str
    thick: float = 1.0
    kind: Literal["box"] = "box"


@dataclass(frozen=True)
class Stroke:
    points: tuple[tuple[float, float], ...]
    colour: str
    thick: float
    kind: Literal["stroke"] = "stroke"

    @property
    def path(self) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.points)


@dataclass(frozen=True)
class Words:
    x: float
    y: float  # of the line they stand on
    text: str
    size: float
    colour: str
    anchor: Literal["start", "middle", "end"] = "start"
    kind: Literal["words"] = "words"


Mark = Box | Stroke | Words


@dataclass(frozen=True)
class Sheet:
    width: float
    height: float
    marks: tuple[Mark, ...]
    title: str
    description: str


def moved(mark: Mark, x: float, y: float, scale: float) -> Mark:
    """A mark of one sheet, laid on another."""
    if isinstance(mark, Stroke):
        points = tuple((x + scale * a, y + scale * b) for a, b in mark.points)
        return replace(mark, points=points, thick=scale * mark.thick)
    left, top = x + scale * mark.x, y + scale * mark.y
    if isinstance(mark, Words):
        return replace(mark, x=left, y=top, size=scale * mark.size)
    wide, high, thick = scale * mark.width, scale * mark.height, scale * mark.thick
    return replace(mark, x=left, y=top, width=wide, height=high, thick=thick)


def verse_sheet(scan: composer.Scan, to: str, bare: bool = False) -> Sheet:
    """A verse with its metre's name and its grid; bare, without margins and without who drew it."""
    grid = verse_data(scan, to)
    lines = set_lines(scan.verse, grid["judged"], to)
    tile = SMALL_TILE if grid["size"] else TILE
    margin = 0.0 if bare else MARGIN
    marks: list[Mark] = []
    y = margin
    for line in lines:
        y += 1.5 * VERSE
        marks.append(Words(margin, y - 0.4 * VERSE, line, VERSE, INK))
    y += 0.5 * VERSE
    rows, right = _rows(grid["rows"], margin, y, tile)
    marks += rows
    y += len(grid["rows"]) * (tile + GAP)
    state = " · ".join(filter(None, (grid["metre"], grid["state"])))
    for sentence in (state, *grid["problems"]):
        y += 1.6 * SMALL
        marks.append(Words(margin, y, sentence, SMALL, QUIET if sentence == state else FAULT))
    if not bare:
        y += 1.6 * SMALL
        marks.append(Words(margin, y, strings.TITLE, SMALL, BRAND))
    written = (each for each in marks if isinstance(each, Words) and each.anchor == "start")
    right = max(right, *(each.x + lettering.width(each.text, each.size) for each in written))
    return Sheet(right + margin, y + 0.4 * SMALL + margin, tuple(marks), state, " ".join(lines))


def _rows(rows: Sequence[dict[str, Any]], left: float, top: float, tile: float) -> tuple[list[Mark], float]:
    """The tiles of all pādas on one column grid, and where the longest ends."""
    marks: list[Mark] = []
    right = left
    for at, row in enumerate(rows):
        x, y = left + 1.6 * SMALL, top + at * (tile + GAP)
        marks.append(Words(left, y + 0.6 * tile, str(row["number"]), SMALL, QUIET))
        for each in row["tiles"]:
            marks += _tile(each, x, y, tile)
            x += tile + GAP + (PAUSE if each["gap"] else 0)
        right = max(right, x - GAP)
    return marks, right


def _tile(tile: dict[str, Any], x: float, y: float, side: float) -> Iterable[Mark]:
    heavy, fault = tile["weight"] == "guru", bool(tile["fault"])
    colour = ON_GURU if heavy else ON_LAGHU
    if fault:  # a ring around it, apart from its fill, which may be almost as red
        yield Box(x - 4, y - 4, side + 8, side + 8, PAPER, FAULT, 3.0)
    yield Box(x, y, side, side, GURU if heavy else LAGHU, GURU if heavy else LAGHU_EDGE)
    room, size = side - 6, LETTER
    size *= min(1.0, room / max(1.0, lettering.width(tile["akshara"], size)))
    yield Words(x + side / 2, y + 0.55 * side, tile["akshara"], size, colour, "middle")
    yield _sign(tile["weight"], x + side / 2, y + 0.82 * side, colour)


def _sign(weight: str, x: float, y: float, colour: str) -> Stroke:
    """The mark of a weight, drawn, since few fonts have it: a line for heavy, a bow for light."""
    if weight == "guru":
        return Stroke(((x - 7, y), (x + 7, y)), colour, 2.0)
    bow = tuple((x + 7 * at / 6, y + 3 - 6 * (at / 6) ** 2) for at in range(-6, 7))
    return Stroke(bow, colour, 2.0)


def svg(sheet: Sheet) -> str:
    """A sheet as a document of its own, with what it needs of the font inside."""
    written = "".join(each.text for each in sheet.marks if isinstance(each, Words))
    needed = sorted({name for name, _ in lettering.runs(written) if name})
    faces = [
        {
            "span": FONT_FILES[name],
            "data": base64.b64encode(lettering.file(name).read_bytes()).decode("ascii"),
        }
        for name in needed
    ]
    return drawn("picture.svg", sheet=sheet, faces=faces, paper=PAPER, family=lettering.FAMILY, face=FONT_FAMILY)


def picture(text: str, metre: str, to: str) -> dict[str, str]:
    """The buttons' endpoint: a verse in SLP1, judged as a metre or as its own, in a script, as SVG; or a sentence."""
    try:
        if len(str(text)) > LONGEST:
            raise composer.ReadingError(f"Expected a verse of at most {LONGEST:,} characters; got {len(str(text)):,}.")
        scans = composer.scan(str(text), "slp1", str(metre))
        if len(scans) != 1:
            raise composer.ReadingError(f"Expected one verse; got {len(scans)}.")
        script = str(to) if to in composer.SCRIPTS else "devanagari"
        return {"svg": svg(verse_sheet(scans[0], script)), "name": strings.PICTURE_FILE, "error": ""}
    except Exception as error:
        return {"svg": "", "name": "", "error": sentence_for(error, f"drawing {len(str(text))} characters")}

"""A sheet of a picture as PNG, painted on the server with Pillow, for those who fetch a link's picture and draw none.

Knows marks and letters, no verses. Where Pillow cannot join Devanagari's letters, the sheet must come in Latin ones
(`lettering.shapes_devanagari`).
"""

from __future__ import annotations

import io

from PIL import Image, ImageDraw

from workbench.ui import lettering
from workbench.ui.picture import PAPER, Box, Sheet, Stroke, Words

FINE = 2  # times as large as it is asked for it is painted, since Pillow's edges are rough
ROUND = 8  # of a box's corners


def png(sheet: Sheet) -> bytes:
    size = round(sheet.width), round(sheet.height)
    image = Image.new("RGB", (FINE * size[0], FINE * size[1]), PAPER)
    brush = ImageDraw.Draw(image)
    for mark in sheet.marks:
        if isinstance(mark, Box):
            _box(brush, mark)
        elif isinstance(mark, Stroke):
            points = [(FINE * x, FINE * y) for x, y in mark.points]
            brush.line(points, fill=mark.colour, width=max(1, round(FINE * mark.thick)), joint="curve")
        else:
            _words(brush, mark)
    made = io.BytesIO()
    image.resize(size, Image.Resampling.BOX).save(made, "PNG")
    return made.getvalue()


def _box(brush: ImageDraw.ImageDraw, box: Box) -> None:
    corners = [FINE * box.x, FINE * box.y, FINE * (box.x + box.width), FINE * (box.y + box.height)]
    thick = max(1, round(FINE * box.thick))
    brush.rounded_rectangle(corners, FINE * ROUND, fill=box.fill, outline=box.edge, width=thick)


def _words(brush: ImageDraw.ImageDraw, words: Words) -> None:
    size = max(1, round(FINE * words.size))
    parts = [(lettering.font(name, size), part) for name, part in lettering.runs(words.text) if name]
    whole = sum(font.getlength(part) for font, part in parts)
    x = FINE * words.x - {"start": 0.0, "middle": whole / 2, "end": whole}[words.anchor]
    for font, part in parts:
        brush.text((x, FINE * words.y), part, fill=words.colour, font=font, anchor="ls")
        x += font.getlength(part)

"""Labels and legend onto a finished picture, for pictures without a window; a window draws the same with its own text.

White (or their own colour) with a dark rim, never hidden by what is in front, never on each other (scene/label_layout.py).
"""
from typing import NamedTuple

import numpy as np

from assets.locate import font
from render.scene.camera import View
from render.scene.label_layout import LabelLayout

RIM, LEADER = (16, 20, 28), (200, 206, 214)
SHADE, SHADED, INK = (10, 14, 20), 0.6, (255, 255, 255)   # behind the legend, how much of it, its text
SMALLEST = 12        # pixels of a line of text
GROWTH = 0.9, 0.45   # factor and power of the picture's height: 17 pixels at 720, 21 at 1080, 28 at 2160
TINIEST, LEGEND_PART = 8, 0.5   # pixels of a legend's text; how much of a picture's width and height it may take


def font_height(height: int) -> int:
    """Size of the text in a picture of this height [pixels]."""
    factor, power = GROWTH
    return max(SMALLEST, round(factor * height ** power))


def annotate(rgb: np.ndarray, scene, view: View, layout: LabelLayout | None = None) -> np.ndarray:
    """A copy of the picture (height, width, 3 or 4) uint8 with the scene's legend at the bottom right and its labels beside it."""
    if not scene.legend:
        return draw_labels(rgb, scene.labels, view, layout=layout)
    box = legend_box(scene.legend, rgb.shape[1::-1])
    return draw_legend(draw_labels(rgb, scene.labels, view, layout=layout, blocked=(box.area,)), scene.legend, box)


def draw_labels(rgb: np.ndarray, labels, view: View, font_size: int | None = None, layout: LabelLayout | None = None, blocked=()) -> np.ndarray:
    """A copy of the picture (height, width, 3 or 4) uint8 with the labels written on it.

    layout: keeps them steady from picture to picture; blocked: areas that stay free of them, as in LabelLayout.arrange.
    """
    from PIL import Image, ImageDraw, ImageFont  # late: most pictures carry no text

    height, width = rgb.shape[:2]
    if not labels.pos:
        return rgb.copy()
    font_size = font_size or font_height(height)
    face = ImageFont.truetype(str(font()), font_size)
    line = 1.2 * font_size
    places = (layout or LabelLayout()).arrange(labels, view, (width, height), lambda text: (face.getlength(text), line), blocked)
    image = Image.fromarray(np.ascontiguousarray(rgb))
    pen, rim = ImageDraw.Draw(image), max(1, round(font_size / 8))
    thin = max(1, rim // 2)
    for place in places:
        if place.leader is not None:
            pen.line(place.leader, fill=RIM, width=thin + 2)
            pen.line(place.leader, fill=LEADER, width=thin)
    for place in places:
        colour = tuple(round(255 * min(1.0, max(0.0, c))) for c in place.rgba[:3])
        pen.text((place.x, place.y), place.text, font=face, fill=colour, anchor='mm', stroke_width=rim, stroke_fill=RIM)
    return np.array(image)


class LegendBox(NamedTuple):
    """Where a legend stands: x, y, width, height of its area; size of its text, distance of its lines, where the scales begin (all pixels)."""

    area: tuple[float, float, float, float]
    font_size: int
    line: float
    second: float


def legend_box(rows, size) -> LegendBox:
    """Room of a legend in a picture of this width and height: as large as its labels' text, smaller where it would fill more."""
    from PIL import ImageFont

    width, height = size
    font_size = font_height(height)
    while True:
        face = ImageFont.truetype(str(font()), font_size)
        line = 1.35 * font_size
        second = 2.4 * line + max(face.getlength(row.what) for row in rows)
        wide, high = second + font_size + max(face.getlength(row.scale) for row in rows), line * (len(rows) + 0.6)
        if font_size <= TINIEST or wide < LEGEND_PART * width and high < LEGEND_PART * height:
            return LegendBox((width - wide - 6, height - high - 6, wide, high), font_size, line, second)
        font_size -= 1


def draw_legend(rgb: np.ndarray, rows, box: LegendBox) -> np.ndarray:
    """A copy of the picture with the rows of a legend: a patch of the colour, what it is, its scale."""
    from PIL import Image, ImageDraw, ImageFont

    face = ImageFont.truetype(str(font()), box.font_size)
    x, y, wide, high = box.area
    out = rgb.copy()
    area = out[max(0, round(y)):round(y + high), max(0, round(x)):round(x + wide)]
    area[..., :3] = (1 - SHADED) * area[..., :3] + SHADED * np.array(SHADE)
    area[..., 3:] = np.maximum(area[..., 3:], round(255 * SHADED))
    image = Image.fromarray(out)
    pen = ImageDraw.Draw(image)
    for i, row in enumerate(rows):
        middle = y + (i + 0.8) * box.line
        colour = tuple(round(255 * min(1.0, max(0.0, c))) for c in row.rgba[:3])
        pen.rectangle((x + 0.4 * box.line, middle - 0.3 * box.line, x + 1.2 * box.line, middle + 0.3 * box.line), fill=colour)
        pen.text((x + 1.6 * box.line, middle), row.what, font=face, fill=INK, anchor="lm")
        pen.text((x + box.second, middle), row.scale, font=face, fill=INK, anchor="lm")
    return np.array(image)

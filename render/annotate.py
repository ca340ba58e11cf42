"""Labels onto a finished picture, for pictures without a window; a window draws the same places with its own text.

White (or their own colour) with a dark rim, never hidden by what is in front, never on each other (scene/label_layout.py).
"""
import numpy as np

from assets.locate import font

from .scene.camera import View
from .scene.label_layout import LabelLayout

RIM, LEADER = (16, 20, 28), (200, 206, 214)
SMALLEST = 12        # pixels of a line of text
GROWTH = 0.9, 0.45   # factor and power of the picture's height: 17 pixels at 720, 21 at 1080, 28 at 2160


def font_height(height: int) -> int:
    """Size of the text in a picture of this height [pixels]."""
    factor, power = GROWTH
    return max(SMALLEST, round(factor * height ** power))


def draw_labels(rgb: np.ndarray, labels, view: View, font_size: int | None = None, layout: LabelLayout | None = None) -> np.ndarray:
    """A copy of the picture (height, width, 3 or 4) uint8 with the labels written on it. layout: keeps them steady from picture to picture."""
    from PIL import Image, ImageDraw, ImageFont  # late: most pictures carry no text

    height, width = rgb.shape[:2]
    if not labels.pos:
        return rgb.copy()
    font_size = font_size or font_height(height)
    face = ImageFont.truetype(str(font()), font_size)
    line = 1.2 * font_size
    places = (layout or LabelLayout()).arrange(labels, view, (width, height), lambda text: (face.getlength(text), line))
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

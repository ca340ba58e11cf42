"""Labels onto a finished picture, for pictures without a window; a window draws the same data with its own text.

Every label is centred at its pixel: white (or its own colour) on a dark shadow, never hidden by what is in front.
"""
import numpy as np

from assets.locate import font

from .scene.camera import View, project

SHADOW = (0, 0, 0)


def places(labels, view: View, size):
    """[(x, y, text, rgba)] of the labels in front of the eye and inside the picture, far ones first; pixels from the top left."""
    if not labels.pos:
        return []
    pixels, depth = project(view, np.array(labels.pos, float), size)
    seen = (depth > 0) & (pixels >= 0).all(1) & (pixels[:, 0] < size[0]) & (pixels[:, 1] < size[1])
    order = [k for k in np.argsort(-depth, kind='stable') if seen[k]]
    return [(float(pixels[k, 0]), float(pixels[k, 1]), labels.text[k], labels.rgba[k]) for k in order]


def draw_labels(rgb: np.ndarray, labels, view: View, font_size: int = 13) -> np.ndarray:
    """A copy of the picture (height, width, 3) uint8 with the labels written on it."""
    from PIL import Image, ImageDraw, ImageFont  # late: most pictures carry no text

    items = places(labels, view, (rgb.shape[1], rgb.shape[0]))
    if not items:
        return rgb.copy()
    image = Image.fromarray(np.ascontiguousarray(rgb))
    pen, face = ImageDraw.Draw(image), ImageFont.truetype(str(font()), font_size)
    for x, y, text, rgba in items:
        color = tuple(round(255 * c) for c in rgba[:3])
        pen.text((x, y), text, font=face, fill=color, anchor='mm', stroke_width=1, stroke_fill=SHADOW)
    return np.array(image)

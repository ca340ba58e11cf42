"""Texts, boxes and charts on finished pixels, by Pillow."""
from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from assets.locate import font

PIXELS, BIG = 13, 22            # height of a line of text at scale 100
MARGIN, SHADE = 5, 0.5          # of an overlay: pixels about its text, how much of what is below is left
TOP, BOTTOM, LEFT, RIGHT = (0, 1, 4), (2, 3, 5), (0, 2, 6), (1, 3, 7)      # mjtGridPos at these edges


@lru_cache(maxsize=16)
def _face(pixels: int):
    return ImageFont.truetype(str(font()), max(6, pixels))


def face_of(kind: int, scale: int):
    """Font of an mjtFont (2: big) at an mjtFontScale [percent]."""
    return _face(round((BIG if kind == 2 else PIXELS) * scale / 100))


def _colour(*rgb) -> tuple[int, ...]:
    return tuple(round(255 * min(1.0, max(0.0, float(c)))) for c in rgb)


class Pen:
    """Draws into an area of pixels (height, width, 3), the bottom row first; its own coordinates have the origin at the top left."""

    def __init__(self, pixels: np.ndarray):
        self._pixels = pixels
        self.image = Image.fromarray(np.ascontiguousarray(np.flipud(pixels)))
        self.draw = ImageDraw.Draw(self.image)
        self.width, self.height = self.image.size

    def __enter__(self) -> Pen:
        return self

    def __exit__(self, *_) -> None:
        self._pixels[:] = np.flipud(np.asarray(self.image))

    def box(self, x: float, y: float, right: float, bottom: float, rgba) -> None:
        """A filled rectangle, seen through where alpha is less than 1."""
        x, y, right, bottom = (int(round(v)) for v in (max(x, 0), max(y, 0), min(right, self.width), min(bottom, self.height)))
        alpha = min(1.0, max(0.0, float(rgba[3])))
        if right <= x or bottom <= y or not alpha:
            return
        fill = Image.new("RGB", (right - x, bottom - y), _colour(*rgba[:3]))
        self.image.paste(fill if alpha >= 1 else Image.blend(self.image.crop((x, y, right, bottom)), fill, alpha), (x, y))

    def text(self, x: float, y: float, text: str, face, rgb=(1, 1, 1), anchor: str = "la") -> None:
        """One line of text, with a dark rim."""
        self.draw.text((x, y), text, font=face, fill=_colour(*rgb), anchor=anchor, stroke_width=1 if sum(rgb) > 1 else 0, stroke_fill=(0, 0, 0))


def overlay(pixels: np.ndarray, grid: int, one: str, two: str, face) -> None:
    """Two columns of lines in a dark box at a place of the view (mjtGridPos)."""
    if not pixels.size or not (one or two):
        return
    columns = [text.split("\n") for text in (one, two) if text]
    line = round(1.3 * face.size)
    widths = [max(face.getlength(row) for row in rows) for rows in columns]
    width = sum(widths) + MARGIN * (len(widths) + 1) + (len(widths) - 1) * face.size
    height = line * max(map(len, columns)) + 2 * MARGIN
    with Pen(pixels) as pen:
        x = 0 if grid in LEFT else pen.width - width if grid in RIGHT else (pen.width - width) / 2
        y = 0 if grid in TOP else pen.height - height if grid in BOTTOM else (pen.height - height) / 2
        pen.box(x, y, x + width, y + height, (0, 0, 0, SHADE))
        at = x + MARGIN
        for rows, wide in zip(columns, widths):
            for i, row in enumerate(rows):
                pen.text(at, y + MARGIN + i * line, row, face)
            at += wide + MARGIN + face.size


def write(pixels: np.ndarray, text: str, x: float, y: float, rgb, face) -> None:
    """A text that begins at (x, y), both from 0 to 1, the origin at the lower left."""
    if pixels.size:
        with Pen(pixels) as pen:
            pen.text(x * pen.width, (1 - y) * pen.height, text, face, rgb, "ls")


def label(pixels: np.ndarray, text: str, rgba, rgb, face) -> None:
    """A box with a text in its middle."""
    if pixels.size:
        with Pen(pixels) as pen:
            pen.box(0, 0, pen.width, pen.height, rgba)
            pen.text(pen.width / 2, pen.height / 2, text, face, rgb, "mm")


def rectangle(pixels: np.ndarray, rgba) -> None:
    """Fill an area."""
    alpha = min(1.0, max(0.0, float(rgba[3])))
    pixels[:] = np.rint((1 - alpha) * pixels + alpha * 255 * np.clip(rgba[:3], 0, 1)).astype(np.uint8)

"""Texts that a script writes at the edges of the view, two columns each, as the official viewer's set_texts has them."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

PLACES = ("top left", "top right", "bottom left", "bottom right", "top", "bottom", "left", "right")   # by the official numbers (mjtGridPos)
GAP = 6.0   # between two boxes in one place [logical pixels]


class CornerText(NamedTuple):
    """place: one of PLACES; left, right: lines of the two columns, divided by line ends."""

    place: str
    left: str
    right: str = ""

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Line by line."""
        left, right = self.left.split("\n"), self.right.split("\n")
        count = max(len(left), len(right))
        return list(zip(left + [""] * (count - len(left)), right + [""] * (count - len(right)), strict=True))


def placed(texts: Sequence[CornerText], size_of, width: float, height: float, margin: float, taken: dict[str, float]) -> list[tuple]:
    """(x, y, rows) of a box for each text, those of one place one below the other. size_of(rows): width and height of a box; taken: what is full already at the top or
    bottom of a place."""
    found, used = [], dict(taken)
    for text in texts:
        wide, high = size_of(text.rows)
        place, full = text.place, used.get(text.place, 0.0)
        x = margin if place.endswith("left") else width - margin - wide if place.endswith("right") else (width - wide) / 2
        y = margin + full if place.startswith("top") else height - margin - full - high if place.startswith("bottom") else (height - high) / 2 + full
        used[place] = full + high + GAP
        found.append((x, y, text.rows))
    return found

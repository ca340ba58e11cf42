"""Where the pictures in the picture stand: in a corner of the view, stacked away from it, no larger than the view."""
from __future__ import annotations

from dataclasses import dataclass

from physics.runtime.companions.companion import Companion

TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT = range(4)
SMALLEST, LARGEST, USUAL, SMALL = 0.1, 0.7, 0.28, 0.22   # share of the view's width
GAP = 10.0
BELOW_STATE, ABOVE_INFO = 76.0, 140.0   # logical pixels that the boxes of text at the left need
GRIP = 16.0


@dataclass(slots=True)
class Inset:
    """One of them. camera: number in the model, -1: the view's own; share: width over the view's; show: one of SHOWN; at: where it is while it is dragged;
    rect: (x, y, width, height) in the view [logical pixels]; slot: of its framebuffers; companion: the run that is seen, None: the primary."""
    camera: int
    name: str
    slot: str
    corner: int = TOP_RIGHT
    share: float = USUAL
    show: str = "colour"
    at: tuple | None = None
    rect: tuple = (0.0, 0.0, 1.0, 1.0)
    companion: Companion | None = None

    def holds(self, x: float, y: float) -> bool:
        """Whether a point of the view is in it."""
        left, top, width, height = self.rect
        return left <= x < left + width and top <= y < top + height

    def grip(self) -> tuple[float, float]:
        """The corner that faces the middle of the view: pulling it changes the size."""
        left, top, width, height = self.rect
        return left + width * (self.corner in (TOP_LEFT, BOTTOM_LEFT)), top + height * (self.corner in (TOP_LEFT, TOP_RIGHT))

    def at_grip(self, x: float, y: float) -> bool:
        """Whether a point is on the grip."""
        grip = self.grip()
        return abs(x - grip[0]) <= GRIP and abs(y - grip[1]) <= GRIP

    def resized(self, x: float, width: float) -> None:
        """Pull the grip to x of a view that wide."""
        left, _, wide, _ = self.rect
        new = x - left if self.corner in (TOP_LEFT, BOTTOM_LEFT) else left + wide - x
        self.share = min(LARGEST, max(SMALLEST, new / width))


@dataclass(slots=True)
class PlacedInset:
    """One of them in a picture: slot, camera, show, rect, title, companion and the tint of its frame as when the picture was asked for, in a view `of` so many logical
    pixels wide; once drawn its view, the seconds that it and those before it took, and whether it shows an older moment than the picture."""
    slot: str
    camera: int
    show: str
    rect: tuple
    grip: tuple[float, float]
    title: str
    of: float
    companion: Companion | None = None
    tint: tuple[float, float, float] | None = None
    view: object = None
    seconds: float = 0.0
    deferred: bool = False

    holds = Inset.holds


def arrange(insets: list[Inset], aspects: list[float], width: float, height: float) -> None:
    """Set the rectangles; aspects: width over height of each picture."""
    used = {TOP_LEFT: BELOW_STATE, TOP_RIGHT: GAP, BOTTOM_LEFT: ABOVE_INFO, BOTTOM_RIGHT: GAP}
    for inset, aspect in zip(insets, aspects, strict=True):
        wide = max(8.0, min(inset.share * width, LARGEST * height * aspect))
        high = max(8.0, wide / aspect)
        x = GAP if inset.corner in (TOP_LEFT, BOTTOM_LEFT) else width - GAP - wide
        off = used[inset.corner]
        y = off if inset.corner in (TOP_LEFT, TOP_RIGHT) else height - off - high
        used[inset.corner] = off + high + GAP
        inset.rect = (round(x), round(y), round(wide), round(high)) if inset.at is None else (round(inset.at[0]), round(inset.at[1]), round(wide), round(high))


def nearest_corner(x: float, y: float, width: float, height: float) -> int:
    """The corner of the view next to a point."""
    return (TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT)[(x > width / 2) + 2 * (y > height / 2)]

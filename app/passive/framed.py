"""What a script puts over parts of its view: pictures and charts, each in a rectangle of the view's pixels. No Qt; these values go through the pipe."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

COLOURS = ((1.0, 0.35, 0.3), (0.35, 0.75, 1.0), (0.45, 0.9, 0.4), (1.0, 0.8, 0.25), (0.85, 0.5, 1.0), (0.4, 0.95, 0.9))    # of lines that are given none
Range = tuple[float, float]


class Rect(NamedTuple):
    """A part of the view [pixel of the screen], from its lower left corner."""

    left: int
    bottom: int
    width: int
    height: int


class Line(NamedTuple):
    """A curve of a Figure. points: (n, 2); rgb: 0 to 1."""

    name: str
    points: np.ndarray
    rgb: tuple[float, float, float]


@dataclass(slots=True)
class Figure:
    """A chart over the view. lines: its curves, `line` adds one; x_range, y_range: what its axes show, None: all that there is; extend: ranges grow where a curve leaves them;
    bars: bars from zero in place of curves; legend: the curves' names; grid: how many fields along x and y; x_format, y_format: of the numbers at the axes, as for %;
    colours of 0 to 1: background behind all, pane behind the curves, ink of texts, grid_rgb."""

    title: str = ""
    xlabel: str = ""
    x_range: Range | None = None
    y_range: Range | None = None
    extend: bool = True
    bars: bool = False
    legend: bool = True
    grid: tuple[int, int] = (4, 4)
    x_format: str = "%.3g"
    y_format: str = "%.3g"
    line_width: float = 2.0
    background: tuple[float, ...] = (0.05, 0.06, 0.08, 0.75)
    pane: tuple[float, ...] = (0.0, 0.0, 0.0, 0.3)
    ink: tuple[float, ...] = (1.0, 1.0, 1.0)
    grid_rgb: tuple[float, ...] = (0.4, 0.4, 0.4)
    lines: list[Line] = field(default_factory=list)

    def line(self, name: str, x, y, rgb: Iterable[float] | None = None) -> None:
        """Draw a curve through x, y (n,), in place of the one of the same name, '' beside the others. rgb: 0 to 1, None: a colour of its own. Raises ValueError for other shapes."""
        points = np.column_stack([np.asarray(x, float).reshape(-1), np.asarray(y, float).reshape(-1)])
        at = next((i for i, one in enumerate(self.lines) if name and one.name == name), len(self.lines))
        colour = COLOURS[at % len(COLOURS)] if rgb is None else tuple(float(part) for part in rgb)
        if len(colour) != 3:
            raise ValueError(f"line '{name}': rgb must be 3 numbers, not {len(colour)}")
        self.lines[at:at + 1] = [Line(name, points, colour)]

    def clear(self) -> None:
        """No curves any more."""
        self.lines.clear()

    def kept(self) -> Figure:
        """As it is now: what is added afterwards does not count."""
        return replace(self, lines=[line._replace(points=line.points.copy()) for line in self.lines])

    def ranges(self) -> tuple[Range, Range]:
        """What its axes show."""
        points = np.concatenate([line.points for line in self.lines]) if self.lines else np.zeros((0, 2))
        points = points[np.isfinite(points).all(axis=1)]
        if self.bars and len(points):
            points = np.concatenate([points, points * (1.0, 0.0)])     # bars stand on zero
        return tuple(_range(given, points[:, i], self.extend) for i, given in enumerate((self.x_range, self.y_range)))


def _range(given: Range | None, values: np.ndarray, extend: bool) -> Range:
    low, high = given if given is not None else (np.inf, -np.inf)
    if len(values) and (given is None or extend):
        low, high = min(low, float(values.min())), max(high, float(values.max()))
    if not low <= high:
        return 0.0, 1.0
    return (low, high) if high > low else (low - 0.5, high + 0.5)


FramedImage = tuple[Rect, np.ndarray]       # (height, width, 3) uint8, the top row first
FramedFigure = tuple[Rect, Figure]


def checked_image(rect, image) -> FramedImage:
    """A picture that fits its rectangle. Raises ValueError for another size or other pixels."""
    where, pixels = rect_of(rect), np.asarray(image)
    if pixels.shape[:2] != (where.height, where.width):
        raise ValueError(f"Image shape {pixels.shape[:2]} does not match target shape {(where.height, where.width)}")
    if pixels.shape[2:] != (3,) or pixels.dtype != np.uint8:
        raise ValueError(f"an image is (height, width, 3) of uint8, not {pixels.shape} of {pixels.dtype}")
    return where, np.array(pixels, order="C")


def rect_of(rect) -> Rect:
    """From four numbers, or what has left, bottom, width and height. Raises ValueError for an empty one."""
    found = Rect(*(int(n) for n in (rect if isinstance(rect, tuple | list) else (rect.left, rect.bottom, rect.width, rect.height))))
    if found.width < 1 or found.height < 1:
        raise ValueError(f"a rectangle of {found.width} x {found.height} pixels has nothing in it")
    return found

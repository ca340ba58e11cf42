"""Where labels stand in a picture: beside what they name, never on each other.

A label stands beside its point, so that what it names is seen, else above, below or further off with a leader line; where
nothing is free it is left out. Who stood somewhere in the picture before keeps that place while it is free, and comes first, so that
labels neither jump nor take turns while camera or model move. A label that was left out returns only with room to spare.

    layout = LabelLayout()                     # one per view; a single picture may use a fresh one
    for place in layout.arrange(labels, view, size, measure): draw place.text around (place.x, place.y)
"""
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from render.scene.camera import View, project

CELL = 2.0          # pixels of the grid that remembers what is taken
PAD = 3.0           # pixels kept free beside a text
SPARE = 5.0         # further pixels that a label needs which was not in the picture before
MOST = 600          # nearest labels that are looked at
GIVE_UP = 60        # labels in a row without a place after which the rest is left out
CROWDED = 12        # labels without a place after which none is put on a leader line
# offsets of the text's middle from the point: in halves of its width, and in line heights on top of that (x, y)
BESIDE = ((1, 0.4, -0.6), (-1, -0.4, -0.6), (1, 0.4, 0.6), (-1, -0.4, 0.6))
ABOVE_AND_BELOW = ((0, 0, -1.8), (0, 0, 1.8))
FURTHER = tuple((side, out * side, up * down) for out, up in ((0.9, 1.8), (1.6, 3.0), (2.3, 4.2)) for down in (-1, 1) for side in (1, -1))
PLACES = BESIDE + ABOVE_AND_BELOW + FURTHER


class LabelPlace(NamedTuple):
    """One label to draw: middle of its text, the text, its colour, and from where to where a leader line goes, None without; pixels from the top left.
    key: of the label; box: middle and half sizes of what it covers."""

    x: float
    y: float
    text: str
    rgba: tuple
    leader: tuple | None
    key: object = None
    box: tuple = (0.0, 0.0, 0.0, 0.0)

    def holds(self, x: float, y: float) -> bool:
        """Whether a point of the picture is on it."""
        middle_x, middle_y, half_width, half_height = self.box
        return abs(x - middle_x) <= half_width and abs(y - middle_y) <= half_height


class _Taken:
    """Which cells of the picture are covered."""

    def __init__(self, size):
        self.cells = np.zeros((int(size[1] / CELL) + 2, int(size[0] / CELL) + 2), bool)

    def _part(self, x: float, y: float, half_width: float, half_height: float) -> np.ndarray:
        top, left = max(0, int((y - half_height) / CELL)), max(0, int((x - half_width) / CELL))
        return self.cells[top:max(0, int((y + half_height) / CELL) + 1), left:max(0, int((x + half_width) / CELL) + 1)]

    def free(self, *box: float) -> bool:
        """Whether nothing covers the box (middle, half sizes)."""
        return not self._part(*box).any()

    def take(self, *box: float) -> None:
        """Cover it."""
        self._part(*box)[...] = True


def _visible(labels, view: View, size) -> tuple[np.ndarray, np.ndarray]:
    """Pixels (n, 2) of all labels, and the numbers of those in front of the eye and inside the picture, near ones first."""
    pixels, depth = project(view, np.asarray(labels.pos, float), size)
    seen = (depth > (-np.inf if view.orthographic else view.near)) & (pixels >= 0).all(axis=1) & (pixels < size).all(axis=1)
    near = np.argsort(depth, kind="stable")
    return pixels, near[seen[near]][:MOST]


class LabelLayout:
    """Remembers from picture to picture where each label stood. left_out: how many of the last picture's had no room."""

    def __init__(self):
        self._standing: dict = {}   # key: number of its place; those that came first, first
        self.left_out = 0

    def arrange(self, labels, view: View, size, measure: Callable[[str], tuple[float, float]], blocked: Iterable[tuple] = ()) -> list[LabelPlace]:
        """Places of the labels that are shown, far ones first.

        size: width and height of the picture [pixels]; measure: width and height of a text; blocked: (x, y, width, height) of
        areas where no label may stand.
        """
        self.left_out = 0
        if not labels.pos:
            self._standing = {}
            return []
        pixels, seen = _visible(labels, view, size)
        taken = _Taken(size)
        for x, y, width, height in blocked:
            taken.take(x + width / 2, y + height / 2, width / 2, height / 2)
        rank = {key: k for k, key in enumerate(self._standing)}
        order = sorted(seen.tolist(), key=lambda i: rank.get(labels.key[i], len(rank)))
        found: dict[int, LabelPlace] = {}
        spare = SPARE if self._standing else 0.0
        standing, texts, failed = {}, set(), 0
        for i in order:
            key, text = labels.key[i], labels.text[i]
            before = self._standing.get(key)
            if key in standing or (before is None and failed >= GIVE_UP):
                self.left_out += 1
                continue
            # a text that stands elsewhere already is not worth a leader line
            tries = len(BESIDE) if text in texts or self.left_out > CROWDED else len(PLACES)
            width, height = measure(text)
            where = _stand(taken, pixels[i], (width, height), size, before, spare, tries)
            if where is None:
                self.left_out += 1
                failed += before is None
                continue
            failed = 0
            number, x, y, leader = where
            standing[key] = number
            texts.add(text)
            found[i] = LabelPlace(x, y, text, labels.rgba[i], leader, key, (x, y, width / 2 + PAD, height / 2))
        self._standing = standing
        return [found[i] for i in seen[::-1].tolist() if i in found]


def _stand(taken: _Taken, point, extent, size, before: int | None, spare: float, tries: int):
    """(number of the place, x, y, leader) that a label of this extent takes at this point, or None where all are covered."""
    width, height = extent
    half_width, half_height = width / 2 + PAD, height / 2
    spare = 0.0 if before is not None else spare
    numbers = range(tries) if before is None else (before, *range(tries))
    for number in numbers:
        half, right, down = PLACES[number]
        x, y = point[0] + half * width / 2 + right * height, point[1] + down * height
        inside_x, inside_y = _inside(x, half_width, size[0]), _inside(y, half_height, size[1])
        if inside_y != y or (half and inside_x != x):
            continue   # pushed back from the edge it would stand on its point
        x, y = inside_x, inside_y
        if taken.free(x, y, half_width + spare, half_height + spare / 2):
            taken.take(x, y, half_width, half_height)
            return number, x, y, _leader(point, x, y, half_width, half_height) if number >= len(BESIDE) else None
    return None


def _inside(middle: float, half: float, size: float) -> float:
    """The middle moved so that both halves fit between 0 and size."""
    return float(min(max(middle, half), max(size - half, half)))


def _leader(point, x: float, y: float, half_width: float, half_height: float) -> tuple:
    """(x, y, x, y) from the point to the nearest spot of the text's rim."""
    edge_x = min(max(point[0], x - half_width), x + half_width)
    edge_y = min(max(point[1], y - half_height), y + half_height)
    return float(point[0]), float(point[1]), float(edge_x), float(edge_y)

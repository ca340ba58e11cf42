"""What is drawn around one pixel, without waiting for the GPU: asked in one call, answered in a later one.

    probe.ask(scene, view, size, x, y)  ->  a few pixels of the id picture, on their way into a buffer
    probe.answer()                      ->  Found, or None

Only what falls into these pixels is drawn, as everything else is outside of their own narrow view.
"""
from dataclasses import dataclass

import numpy as np

from render.scene import identity
from render.scene.camera import cropped, pixel_ray
from render.scene.legend import LegendRow

REACH = 3           # pixels around the pointer that are looked at
LINE_REACH = 2.3    # a line so near goes before the surface under the pointer: it is hard to hit


@dataclass(frozen=True, slots=True)
class Found:
    """objtype, objid, bodyid as the scene's row says; depth along the view's axis [m]; point in world coordinates; row of the legend it belongs to, or None;
    what it stands for, as Instances has it."""
    objtype: int
    objid: int
    bodyid: int
    depth: float
    point: tuple
    legend: LegendRow | None = None
    amount: float = 0.0
    quantity: int = -1


class Probe:
    """Of one Renderer; its context must be current in every call."""

    def __init__(self, renderer):
        self.renderer = renderer
        self._side = 2 * REACH + 1
        self._buffer = renderer.ctx.buffer(reserve=8 * self._side ** 2)
        self._asked = None

    @property
    def waiting(self) -> bool:
        """Whether an answer is on its way."""
        return self._asked is not None

    def ask(self, scene, view, size, x: float, y: float):
        """Look at pixel (x, y) of a picture of that size (origin at the top left); an answer not fetched yet is forgotten."""
        x, y = np.floor(x) - REACH, np.floor(y) - REACH
        close = cropped(view, size, x, y, self._side, self._side)
        texture = self.renderer.draw_ids(scene, close, (self._side, self._side), 'probe', through=True)
        self._asked = None
        if texture is not None:
            self.renderer.calls.finish()
            texture.read_into(self._buffer)
            marks = (identity.legend_rows(scene), tuple(scene.legend), *identity.amounts(scene)) if scene.origins else None
            self._asked = close, identity.table(scene), identity.first_line(scene), marks

    def answer(self) -> Found | None:
        """What the pixel asked for last shows; None for nothing, or where nothing was asked."""
        if self._asked is None:
            return None
        (view, told, first_line, marks), self._asked = self._asked, None
        pixels = np.frombuffer(self._buffer.read(), np.float32).reshape(self._side, self._side, 2)[::-1]
        number = np.rint(pixels[..., 0]).astype(int) - 1
        at = chosen(number, first_line)
        if at is None or number[at] >= len(told):
            return None
        row, column = at
        depth = float(pixels[row, column, 1])
        origin, ray = pixel_ray(view, column + 0.5, row + 0.5, (self._side, self._side))
        forward = np.asarray(view.forward, float) / np.linalg.norm(view.forward)
        point = origin + ray * depth / (ray @ forward)
        found = (*map(int, told[number[at]]), depth, tuple(map(float, point)))
        if marks is None:
            return Found(*found)
        rows, legend, amount, quantity = marks
        k = number[at]
        return Found(*found, legend[rows[k]] if rows[k] >= 0 else None, float(amount[k]), int(quantity[k]))

    def forget(self):
        """Nothing is asked any more."""
        self._asked = None

    def release(self):
        """Free the buffer."""
        self._asked = None
        self._buffer.release()


def chosen(number: np.ndarray, first_line: int) -> tuple[int, int] | None:
    """(row, column) of the pixel that counts: a line close to the middle, else the middle, else the nearest thing."""
    middle = number.shape[0] // 2
    rows, columns = np.indices(number.shape)
    far = np.hypot(rows - middle, columns - middle)
    for there in ((number >= first_line) & (far <= LINE_REACH), (number >= 0) & (far < 0.5), number >= 0):
        if there.any():
            return tuple(int(k) for k in np.unravel_index(np.argmin(np.where(there, far, np.inf)), far.shape))
    return None

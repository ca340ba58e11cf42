"""Textures that are made, not read: flat, checker and gradient patterns, and the marks on top of them.

Patterns and marks follow the MJCF reference, chapter asset/texture; bytes agree with the official ones, random dots included
(they come from a 64-bit Mersenne twister seeded with 42, whose draws NumPy does not offer).
"""
from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from physics.compiler import native
from physics.compiler.native import pixels
from physics.compiler.texture.mersenne_twister import below, seeded
from physics.model.kernel_buffers import KernelBuffers

KEPT = 8 << 20   # bytes, the largest gradient that is kept
SEED = 42   # of the random dots
_TANGENTS = 1024   # in the table that compiled gradients start from
_ROOT = float(1.0 / np.sqrt(2))


class Pattern(NamedTuple):
    """A texture to be made, once there is room for it in the model: painted there it need not be copied.

    word: flat, checker or gradient; faces: 1 or 6, of width x height pixels; first, second: its colours, 0 to 1; marked: flat, edge, cross or random
    with the marks' colour and the chance of a random dot.
    """

    word: str
    faces: int
    width: int
    height: int
    first: tuple
    second: tuple
    marked: tuple[str, tuple, float]

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return 3 * self.faces * self.width * self.height

    def paint(self, area: np.ndarray) -> None:
        """Fill an area of `size` bytes. A sky's gradient is kept: the next text of a model that is being edited has it again."""
        if self.word == "gradient" and self.faces > 1 and self.size <= KEPT:
            area.reshape(-1)[:] = _kept_gradient(self)
        else:
            self._paint(area)

    def _paint(self, area: np.ndarray) -> None:
        faces = area.reshape(self.faces, self.height, self.width, 3)
        if self.size > native.LARGE and self.marked[0] == "random":   # a gradient alone costs less than loading the kernels
            native.prepare()
        one, two = as_bytes(self.first), as_bytes(self.second)
        if self.word == "flat":
            for k, face in enumerate(faces):
                fill(face, two if k == 3 else one)
        elif self.word == "checker":
            for k, face in enumerate(faces):
                _checker(face, *((one, two) if k < 4 else (two, one)))
        elif self.faces > 1:
            _gradient_cube(faces, self.first, self.second)
        else:
            x, y = _grid(self.width, self.height)
            faces[0] = _blend(self.second, self.first, 2 * np.sqrt(x * x + y * y) - 1)
        mark(self.marked[0], faces, *self.marked[1:])


@lru_cache(maxsize=2)
def _kept_gradient(pattern: Pattern) -> np.ndarray:
    made = np.empty(pattern.size, np.uint8)
    pattern._paint(made)
    made.flags.writeable = False
    return made


def fill(area: np.ndarray, colour: np.ndarray) -> None:
    """Give an area (height, width, 3) one colour: row by row, which is quicker than pixel by pixel."""
    area[:1] = colour
    area[1:] = area[:1]


def _checker(face: np.ndarray, one, two) -> None:
    """Two squares of one colour, from the upper left to the lower right, and two of another."""
    row, column = face.shape[0] // 2, face.shape[1] // 2
    for rows, left, right in ((face[:row], one, two), (face[row:], two, one)):
        rows[:1, :column], rows[:1, column:] = left, right
        rows[1:] = rows[:1]


def mark(word: str, faces: np.ndarray, rgb, chance: float) -> None:
    """Put marks on faces: edge, cross or random dots. rgb: their colour; chance: of a random dot."""
    colour = as_bytes(rgb)
    height, width = faces.shape[1:3]
    if word == "edge":
        faces[:, :, [0, width - 1]] = colour
        faces[:, [0, height - 1]] = colour
    elif word == "cross":
        faces[:, :, width // 2] = colour
        faces[:, height // 2] = colour
    elif word == "random" and chance > 0:
        flat = faces.reshape(-1, 3)
        if pixels.paint_dots.addr:
            pixels.paint_dots(KernelBuffers(tex_rgb=flat, draw_state=seeded(SEED)), len(flat), float(chance), *colour.tolist())
        else:
            flat[below(SEED, len(flat), float(chance))] = colour


def as_bytes(rgb) -> np.ndarray:
    """Colours in 0..1 as bytes, cut off as a C cast does."""
    with np.errstate(invalid="ignore"):   # a gradient of one pixel has no place to be at
        return (255 * np.asarray(rgb)).astype(np.int64).astype(np.uint8)


def _grid(width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates of pixels from -1 to 1, x to the right and y up."""
    with np.errstate(divide="ignore", invalid="ignore"):
        x = 2 * np.arange(width) / np.float64(width - 1) - 1
        y = 1 - 2 * np.arange(height) / np.float64(height - 1)
    return x[None, :], y[:, None]


def _gradient_by_kernel(faces: np.ndarray, ends: np.ndarray) -> None:
    """Paint the faces right, up and down."""
    side = faces.shape[1]
    place = _grid(side, side)[0].ravel()
    scale = (_TANGENTS - 4) / np.sqrt(2)
    turn = np.arctan((np.arange(_TANGENTS) - 1) / scale) / (0.5 * np.pi)
    heights = np.stack([h / np.sqrt(1 + h * h) / _ROOT for h in (turn, 1 - turn)], axis=1)
    piece = KernelBuffers(tex_rgb=faces.reshape(-1, 3), tex_ends=ends, tex_place=place, tex_slope=1 / np.sqrt(1 + place * place), tex_height=heights)
    pixels.paint_gradient_cube(piece, side, float(scale))


def _gradient_cube(faces: np.ndarray, first, second) -> None:
    if pixels.paint_gradient_cube.addr and faces.shape[1] > 1:
        _gradient_by_kernel(faces, np.array([first, second], np.float64))
        faces[[1, 4, 5]] = faces[0]
        return
    x, y = _grid(faces.shape[2], faces.shape[1])
    # many pixels are equally far from an axis: each distance once
    across, column = np.unique(x * x, return_inverse=True)
    down, row = np.unique(y * y, return_inverse=True)
    column, row = column.ravel(), row.ravel()
    far = np.sqrt(1 + across[None, :] + y * y)
    side = _blend(first, second, np.arcsin(y / far) / (0.5 * np.pi)).take(column, 1)
    far = np.sqrt(1 + across[None, :] + down[:, None])
    up = 1 - np.arccos(1.0 / far) / (0.5 * np.pi)
    faces[[0, 1, 4, 5]] = side
    faces[2], faces[3] = (_blend(first, second, place).take(column, 1).take(row, 0) for place in (up, -up))


def _blend(one, two, place: np.ndarray) -> np.ndarray:
    """From colour two at -1 to colour one at 1 along a soft step."""
    alpha = np.clip(0.5 * (1 + place / np.sqrt(1 + place * place) / _ROOT), 0, 1)
    rest, mixed = 1 - alpha, np.empty((*place.shape, 3), np.uint8)
    for k in range(3):   # a channel at a time: loops over three are slow
        mixed[..., k] = as_bytes(alpha * one[k] + rest * two[k])
    return mixed

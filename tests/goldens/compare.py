"""When a picture is still its golden: limits that rounding and a neighbouring pixel's edge keep, and a defect does not."""
from typing import NamedTuple

import numpy as np
from PIL import Image

MEAN, HIGH = 0.4, 20.0      # [1/255]
ROUNDING = 2                # levels that do not count towards the mean: textures on processors with narrower vectors
PERCENT = 99.9              # of the pixels are at most HIGH off, each seen with its neighbours


class Off(NamedTuple):
    """How far two pictures are apart: mean of the largest channel's difference beyond ROUNDING, and its PERCENT percentile after a pixel is averaged with its neighbours."""

    mean: float
    high: float

    def passes(self, limits=None) -> bool:
        """Whether one may stand for the other."""
        mean, high = limits or (MEAN, HIGH)
        return self.mean <= mean and self.high <= high


def off(one: np.ndarray, two: np.ndarray) -> Off:
    """How far two pictures of one size are apart; infinitely where the sizes differ."""
    if one.shape != two.shape:
        return Off(np.inf, np.inf)
    difference = np.abs(one.astype(np.int16) - two).max(axis=2).astype(np.float32)
    wide = np.pad(difference, 1, mode='edge')
    rows = wide[:-2] + wide[1:-1] + wide[2:]
    around = (rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]) / 9
    return Off(float(np.maximum(difference - ROUNDING, 0).mean()), float(np.percentile(around, PERCENT)))


def stored(path) -> np.ndarray:
    """A picture from its file (height, width, 3) uint8."""
    with Image.open(path) as image:
        return np.asarray(image.convert('RGB'))


def store(path, picture: np.ndarray) -> None:
    """Write it small."""
    Image.fromarray(picture).save(path, optimize=True, compress_level=9)

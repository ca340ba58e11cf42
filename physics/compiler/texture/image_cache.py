"""Decoded pictures on disk, found again by their file's content; see asset_cache.py."""
from __future__ import annotations

import hashlib

import numpy as np

from physics.compiler.assets.asset_cache import AssetCache
from physics.compiler.texture.image_files import TOO_LARGE, Picture, read_png

LEAST = 1 << 14   # bytes from which on a picture is worth a file
MOST = 1 << 27    # and up to which
_HEAD = 4         # numbers before the rows: height, width, channels, whether its colours are sRGB
_MADE_BY = ("physics.compiler.texture.image_cache",)   # and all that it imports


class ImageCache:
    """Where the images of one model are found or decoded; `finish` makes room where any were saved."""

    def __init__(self):
        self._disk: AssetCache | None = None

    def read_png(self, data: bytes, channels: int, most: int) -> Picture:
        """As image_files.read_png; pixels may be read-only."""
        from PIL import __version__ as decoder

        self._disk = self._disk or AssetCache(*_MADE_BY)
        digest = hashlib.sha256(f"png {channels} pillow {decoder} {self._disk.key}".encode())
        digest.update(data)
        name = digest.hexdigest()[:40]
        found = _unpacked(self._disk.load(name))
        if found is not None:
            if found.pixels.size > most:
                raise ValueError(TOO_LARGE)
            return found
        picture = read_png(data, channels, most)
        if LEAST <= picture.pixels.size <= MOST:
            self._disk.save(name, *_packed(picture))
        return picture

    def finish(self) -> None:
        """Make room for what was saved."""
        if self._disk is not None:
            self._disk.finish()


def _packed(picture: Picture) -> tuple[np.ndarray, ...]:
    """A picture as arrays: four numbers, for each row which of those kept it is, the rows. A row like the one above it is not kept again: drawn pictures have many."""
    rows = picture.pixels.reshape(len(picture.pixels), -1)
    new = np.ones(len(rows), bool)
    np.any(rows[1:] != rows[:-1], axis=1, out=new[1:])
    return np.array([*picture.pixels.shape, picture.srgb], np.int64), np.cumsum(new) - 1, rows if new.all() else rows[new]


def _unpacked(raw: np.ndarray | None) -> Picture | None:
    if raw is None or raw.size < 8 * _HEAD:
        return None
    height, width, channels, srgb = raw[:8 * _HEAD].view(np.int64).tolist()
    start = 8 * (_HEAD + height)
    kept, rows = raw[8 * _HEAD:start].view(np.int64), raw[start:].reshape(-1, width * channels)
    return Picture((rows if len(rows) == height else rows.take(kept, axis=0)).reshape(height, width, channels), bool(srgb))

"""Pictures of any size, and with a transparent background.

Larger ones than a driver draws at once (or than its memory is asked for) are drawn in tiles, each with its part of the frustum.
What is transparent follows from drawing twice, on black and on white: what differs is what shines through.
"""
from math import ceil

import numpy as np

from render.scene.camera import cropped

TILE = 4096     # largest side drawn at once [pixel]


def tiles(view, size, limit):
    """[(x, y, View)] and the tiles' common size (w, h): parts at most `limit` on a side that cover a picture of `size`; y from the top.

    The last ones may reach beyond the picture.
    """
    columns, rows = (ceil(side / limit) for side in size)
    width, height = ceil(size[0] / columns), ceil(size[1] / rows)
    corners = [(x, y) for y in range(0, size[1], height) for x in range(0, size[0], width)]
    return [(x, y, cropped(view, size, x, y, width, height)) for x, y in corners], (width, height)


def draw(offscreen, scene, view, size, transparent=False, limit=None) -> np.ndarray:
    """The picture (height, width, 3) uint8, or with colour and straight alpha (height, width, 4), of any `size` (width, height).

    offscreen: an Offscreen, which is resized. Transparent pictures show no sky; it goes on shining. Raises moderngl.Error or MemoryError where it is too large.
    """
    if not transparent:
        return _drawn(offscreen, scene, view, size, None, limit)
    return see_through(*(_drawn(offscreen, scene, view, size, (shade, shade, shade), limit) for shade in (0.0, 1.0)))


def see_through(black: np.ndarray, white: np.ndarray) -> np.ndarray:
    """Colour and straight alpha (height, width, 4) uint8 of what was drawn on black and on white (height, width, 3)."""
    shining = np.clip(white.astype(np.int16) - black, 0, 255).astype(np.float32).mean(axis=2)
    cover = 255 - shining
    out = np.empty((*black.shape[:2], 4), np.uint8)
    out[..., 3] = np.rint(cover)
    seen = out[..., 3] > 0
    out[..., :3] = np.where(seen[..., None], np.minimum(np.rint(255.0 * black / np.maximum(cover, 1)[..., None]), 255), 0)
    return out


def _drawn(offscreen, scene, view, size, background, limit):
    limit = min(limit or TILE, offscreen.largest)
    if max(size) <= limit:
        offscreen.resize(*size)
        return offscreen.rgb(scene, view, background=background)
    parts, tile = tiles(view, size, limit)
    offscreen.resize(*tile)
    out = np.empty((size[1], size[0], 3), np.uint8)
    for x, y, part in parts:
        piece = offscreen.rgb(scene, part, background=background)
        out[y:y + tile[1], x:x + tile[0]] = piece[:size[1] - y, :size[0] - x]
    return out

"""A picture cut into square tiles: masks of them, and rectangles of pixels that cover a mask. No GL."""
import numpy as np

TILE = 32               # [pixel]
EDGE = 2.0              # pixels around an edge


class Tiles:
    """The tiles of a picture: masks (rows, columns) from the bottom."""

    def __init__(self, size):
        self.size = size
        self.columns, self.rows = (-(-side // TILE) for side in size)

    def corners(self, cells=1):
        """x (1, cells columns + 1) and y (cells rows + 1, 1) of the corners of tiles, or of as many cells along their sides, in the clip space's square."""
        width, height = self.size
        return 2 * TILE / cells * np.arange(cells * self.columns + 1)[None] / width - 1, 2 * TILE / cells * np.arange(cells * self.rows + 1)[:, None] / height - 1

    def touched(self, low, high):
        """Mask of the tiles that rectangles touch; low, high (n, 2) in the clip space's square."""
        size = np.array(self.size)
        count = np.array((self.columns, self.rows))
        low, high = np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)
        there = (low <= 1).all(1) & (high >= -1).all(1)
        a = np.clip(np.floor(((low[there] + 1) / 2 * size - EDGE) / TILE), 0, count - 1).astype(int)
        b = np.clip(np.floor(((high[there] + 1) / 2 * size + EDGE) / TILE), 0, count - 1).astype(int) + 1
        steps = np.zeros((self.rows + 1, self.columns + 1), int)
        for y, x, step in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            np.add.at(steps, (y[:, 1], x[:, 0]), step)
        return steps.cumsum(0).cumsum(1)[:-1, :-1] > 0

    def rectangle(self, left, bottom, right, top):
        """Pixels of the tiles from (left, bottom) up to (right, top)."""
        x, y = int(left) * TILE, int(bottom) * TILE
        return x, y, min(int(right) * TILE, self.size[0]) - x, min(int(top) * TILE, self.size[1]) - y

    def rectangles(self, mask):
        """Few rectangles that cover the tiles of a mask and no others."""
        if not mask.any():
            return []
        out, begun, runs = [], {}, [set() for _ in range(self.rows)]
        padded = np.zeros((self.rows, self.columns + 2), np.int8)
        padded[:, 1:-1] = mask
        rows, ends = np.nonzero(padded[:, 1:] != padded[:, :-1])
        for row, first, last in zip(rows[::2].tolist(), ends[::2].tolist(), ends[1::2].tolist(), strict=True):
            runs[row].add((first, last))
        for row, here in enumerate(runs):
            for run in begun.keys() - here:
                out.append(self.rectangle(run[0], begun.pop(run), run[1], row))
            for run in here - begun.keys():
                begun[run] = row
        return out + [self.rectangle(a, bottom, b, self.rows) for (a, b), bottom in begun.items()]

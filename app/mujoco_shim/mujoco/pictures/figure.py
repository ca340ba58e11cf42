"""Charts: an MjvFigure drawn into pixels."""
from __future__ import annotations

import numpy as np

from .text import Pen, _colour

BORDER = 6      # pixels
MAXPOINT = 1001


def curves(fig) -> list[tuple[int, np.ndarray]]:
    """(number of a line, its points (n, 2)) of all that have some."""
    found = []
    for i, count in enumerate(fig.linepnt.tolist()):
        if count > 0:
            count = min(count, MAXPOINT)
            found.append((i, fig.linedata[i, :2 * count].reshape(-1, 2).astype(float)))
    return found


def ranges(fig, lines) -> np.ndarray:
    """(2, 2): smallest and largest x, and y. Where a range is empty, or is to be extended, the points decide."""
    out = fig.range.astype(float).copy()
    points = np.concatenate([points for _i, points in lines]) if lines else np.zeros((0, 2))
    points = points[np.isfinite(points).all(axis=1)]
    for axis in range(2):
        empty = out[axis, 0] >= out[axis, 1]
        if len(points) and (empty or fig.flg_extend):
            low, high = points[:, axis].min(), points[:, axis].max()
            out[axis] = (low, high) if empty else (min(low, out[axis, 0]), max(high, out[axis, 1]))
        if out[axis, 0] >= out[axis, 1]:
            out[axis] = out[axis, 0] - 0.5, out[axis, 0] + 0.5
    if fig.flg_symmetric:
        out[1] = np.array([-1, 1]) * np.abs(out[1]).max()
    return out


def _tick(form: str, value: float) -> str:
    try:
        return form % value
    except (TypeError, ValueError):
        return f"{value:.3g}"


def draw(pixels: np.ndarray, fig, face, area: tuple[int, int]) -> None:
    """Draw a chart over an area; says in the figure where its axes are (pixels from `area`, left and bottom of it)."""
    if min(pixels.shape[:2]) < 4 * BORDER:
        return
    lines = curves(fig)
    span = ranges(fig, lines)
    line = round(1.3 * face.size)
    with Pen(pixels) as pen:
        pen.box(0, 0, pen.width, pen.height, fig.figurergba)
        wide = face.getlength(fig.minwidth) if fig.flg_ticklabel[1] else 0
        left, right = BORDER + wide, pen.width - BORDER
        top = BORDER + (line if fig.title else 0)
        bottom = pen.height - BORDER - (line if fig.flg_ticklabel[0] else 0) - (line if fig.xlabel else 0)
        if right - left < 2 or bottom - top < 2:
            return
        pen.box(left, top, right, bottom, fig.panergba)
        across = lambda x: left + (x - span[0, 0]) / (span[0, 1] - span[0, 0]) * (right - left)     # noqa: E731
        down = lambda y: bottom - (y - span[1, 0]) / (span[1, 1] - span[1, 0]) * (bottom - top)     # noqa: E731
        _grid(pen, fig, span, (left, right, top, bottom), across, down, face)
        for i, points in lines:
            _curve(pen, fig, i, points, across, down)
        if fig.flg_selection:
            x = across(fig.selection)
            pen.draw.line((x, top, x, bottom), fill=_colour(*fig.textrgb), width=max(1, round(fig.gridwidth)))
        if fig.title:
            names = [name for name in fig.title.split("  ") if name.strip()]
            for k, name in enumerate(names):
                pen.text(left + (k + 0.5) * (right - left) / len(names), BORDER, name.strip(), face, fig.textrgb.tolist(), "ma")
        if fig.xlabel:
            pen.text((left + right) / 2, pen.height - BORDER, fig.xlabel, face, fig.textrgb.tolist(), "md")
        if fig.flg_legend:
            _legend(pen, fig, lines, (right, top), face, line)
        height = pen.height
    fig.xaxispixel[:], fig.yaxispixel[:] = np.rint((area[0] + left, area[0] + right)), np.rint((area[1] + height - bottom, area[1] + height - top))
    fig.xaxisdata[:], fig.yaxisdata[:] = span


def _grid(pen: Pen, fig, span, pane, across, down, face) -> None:
    left, right, top, bottom = pane
    colour, width = _colour(*fig.gridrgb), max(1, round(fig.gridwidth))
    for x in np.linspace(*span[0], max(2, int(fig.gridsize[0]))):
        pen.draw.line((across(x), top, across(x), bottom), fill=colour, width=width)
        if fig.flg_ticklabel[0]:
            pen.text(across(x), bottom + 2, _tick(fig.xformat, x), face, fig.textrgb.tolist(), "ma")
    for y in np.linspace(*span[1], max(2, int(fig.gridsize[1]))):
        pen.draw.line((left, down(y), right, down(y)), fill=colour, width=width)
        if fig.flg_ticklabel[1]:
            pen.text(left - 3, down(y), _tick(fig.yformat, y), face, fig.textrgb.tolist(), "rm")


def _curve(pen: Pen, fig, i: int, points: np.ndarray, across, down) -> None:
    at = np.column_stack([across(points[:, 0]), down(points[:, 1])])
    at = np.clip(at, -1e5, 1e5)
    good = np.isfinite(at).all(axis=1)
    colour, width = _colour(*fig.linergb[i]), max(1, round(fig.linewidth))
    if fig.flg_barplot:
        for k in range(0, len(at) - 1, 2):
            if good[k] and good[k + 1]:
                pen.draw.line((*at[k], *at[k + 1]), fill=colour, width=width)
    elif good.sum() > 1:
        pen.draw.line([tuple(p) for p in at[good].tolist()], fill=colour, width=width)


def _legend(pen: Pen, fig, lines, corner, face, line) -> None:
    names = [(i, fig.linename[i].decode(errors="replace")) for i, _points in lines]
    names = [(i, name) for i, name in names if name][max(0, fig.legendoffset):]
    if not names:
        return
    wide = max(face.getlength(name) for _i, name in names) + 2 * BORDER
    right, top = corner
    pen.box(right - wide, top, right, top + line * len(names) + BORDER, fig.legendrgba)
    for k, (i, name) in enumerate(names):
        pen.text(right - wide + BORDER, top + BORDER / 2 + k * line, name, face, fig.linergb[i].tolist())

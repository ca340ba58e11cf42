"""The curves of a chart as files: CSV, NumPy, SVG, and the lines of Python that make the same arrays."""
from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PyQt6.QtCore import QBuffer
from PyQt6.QtGui import QPainter
from PyQt6.QtWidgets import QGraphicsView

from physics.files.atomic_write import replacing
from physics.recording.series import Series


def table(curves: Sequence[tuple[str, Series, np.ndarray]]) -> tuple[list[str], np.ndarray]:
    """(column names, rows) of (name, series, values): time, entry and a column for each curve, at all entries that any of them has; NaN where one has none."""
    entries = np.unique(np.concatenate([series.entries for _, series, _ in curves] or [np.zeros(0, np.int64)]))
    found = np.full((len(entries), 2 + len(curves)), np.nan)
    found[:, 1] = entries
    for k, (_, series, values) in enumerate(curves):
        good = np.isfinite(values)
        rows = np.searchsorted(entries, series.entries[good])
        found[rows, 2 + k] = values[good]
        found[np.searchsorted(entries, series.entries), 0] = series.time
    return ["time", "entry", *(name for name, _, _ in curves)], found


def write_csv(path: Path, names: list[str], rows: np.ndarray) -> None:
    """A line of names and a line for each entry, with all digits. Raises OSError; then the file is as it was."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    for row in rows.tolist():
        writer.writerow([repr(row[0]), int(row[1]), *("" if value != value else repr(value) for value in row[2:])])
    with replacing(path) as file:
        file.write(text.getvalue().encode())


def write_npz(path: Path, names: list[str], rows: np.ndarray) -> None:
    """time, entry, names and values (entries, curves). Raises OSError; then the file is as it was."""
    content = io.BytesIO()
    np.savez_compressed(content, time=rows[:, 0], entry=rows[:, 1].astype(np.int64), names=np.array(names[2:]), values=rows[:, 2:])
    with replacing(path) as file:
        file.write(content.getvalue())


def write_svg(path: Path, view: QGraphicsView) -> None:
    """What a view shows, as it is on the screen. Raises OSError; then the file is as it was."""
    from PyQt6.QtSvg import QSvgGenerator

    content = QBuffer()
    drawing = QSvgGenerator()
    drawing.setOutputDevice(content)
    drawing.setSize(view.size())
    drawing.setViewBox(view.rect())
    painter = QPainter(drawing)
    view.render(painter)
    painter.end()
    with replacing(path) as file:
        file.write(bytes(content.data()))


def python_lines(model: str, texts: Sequence[str], steps: int) -> str:
    """Python that makes the same arrays, as far as nobody has touched the run: from the start of the model, so many steps."""
    return "\n".join(("import physics", "physics.ensure_kernels()", f"m = physics.load({model!r})", "d = physics.Data(m)", f"time, values = physics.trace(m, d, {list(texts)!r}, {steps})", ""))

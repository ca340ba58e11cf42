"""A sparse matrix as a picture: a square per entry, orange above zero and blue below, the stronger the larger; a click chooses row and column."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PyQt6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QHelpEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PyQt6.QtWidgets import QSizePolicy, QToolTip, QWidget

from physics.model.model import Model
from physics.pipeline.sparse_rows import SparseRows
from physics.pipeline.walk import Moment

MOST = 1200             # rows or columns of the picture; of larger matrices several entries share a square, which shows the largest
DECADES = 4.0           # from the palest entry to the strongest
PALEST = 0.18
ABOVE, BELOW = (232, 121, 30), (47, 124, 214)
CELL = 22               # logical pixels that a square is wide at most


@dataclass(frozen=True, eq=False)
class SparseMatrix:
    """rows, columns, values: of the stored entries; shape; name: of the whole; blocks: rows (and, where it is square, columns) at which a kinematic tree begins."""

    name: str
    shape: tuple[int, int]
    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray
    blocks: np.ndarray

    def at(self, row: int, column: int) -> float | None:
        """An entry; None where none is stored."""
        found = np.flatnonzero((self.rows == row) & (self.columns == column))
        return float(self.values[found[0]]) if len(found) else None

    @property
    def filled(self) -> float:
        """The share of all entries that is stored."""
        return len(self.values) / max(1, self.shape[0] * self.shape[1])


def mass_matrix(m: Model, v: Moment) -> SparseMatrix:
    """M, both halves."""
    rows = np.repeat(np.arange(m.nv), m.M_rownnz)
    off = rows != m.M_colind
    return SparseMatrix("M", (m.nv, m.nv), np.concatenate([rows, m.M_colind[off]]), np.concatenate([m.M_colind, rows[off]]), np.concatenate([v.M, v.M[off]]), np.array(m.tree_dofadr))


def mass_factor(m: Model, v: Moment) -> SparseMatrix:
    """L below the diagonal and D on it."""
    rows = np.repeat(np.arange(m.nv), m.M_rownnz)
    values = np.where(rows == m.M_colind, 1.0 / np.where(v.qLDiagInv == 0, np.inf, v.qLDiagInv)[rows], v.qLD)
    return SparseMatrix("L, D", (m.nv, m.nv), rows, np.array(m.M_colind), values, np.array(m.tree_dofadr))


def constraint_jacobian(m: Model, v: Moment) -> SparseMatrix:
    """efc_J, a row per constraint row."""
    J = SparseRows.of(v.efc_J, v.efc_J_colind, v.efc_J_rownnz, v.efc_J_rowadr, m.nv)
    return SparseMatrix("J", J.shape, J.row, J.cols, J.values, np.array(m.tree_dofadr))


MATRICES = (("M", mass_matrix), ("L", mass_factor), ("J", constraint_jacobian))


class MatrixView(QWidget):
    """Signal: cell_clicked(row, column)."""

    cell_clicked = pyqtSignal(int, int)

    def __init__(self):
        super().__init__()
        self.matrix: SparseMatrix | None = None
        self._image: QImage | None = None
        self._drawn: SparseMatrix | None = None     # the one that the image is of
        self._chosen = (-1, -1)
        self._names = (str, str)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(60)

    def sizeHint(self) -> QSize:
        return QSize(240, 240)

    def show_matrix(self, matrix: SparseMatrix, row_name, column_name, chosen: tuple[int, int]) -> None:
        """Show a matrix; row_name, column_name: what says what a row or column is; chosen: those to be marked, -1 for none. Its picture is made when it is seen."""
        self.matrix, self._names, self._chosen = matrix, (row_name, column_name), chosen
        self.update()

    def forget(self) -> None:
        """Show none."""
        self.matrix = self._drawn = self._image = None
        self._names = (str, str)
        self.update()

    # ------------------------------------------------------------------ geometry

    def _frame(self) -> QRectF:
        """Where the picture is: squares where there is room."""
        rows, columns = self.matrix.shape
        side = min(CELL, (self.width() - 2) / max(1, columns), (self.height() - 2) / max(1, rows))
        wide, high = (side * columns, side * rows) if side >= 1.5 or rows == columns else (min(CELL * columns, self.width() - 2), min(CELL * rows, self.height() - 2))
        return QRectF(1, 1, max(1.0, wide), max(1.0, high))

    def cell_at(self, at: QPoint) -> tuple[int, int] | None:
        """Row and column under a point of the widget."""
        if self.matrix is None or 0 in self.matrix.shape:
            return None
        frame = self._frame()
        if not frame.contains(at.toPointF()):
            return None
        rows, columns = self.matrix.shape
        return min(rows - 1, int((at.y() - frame.top()) / frame.height() * rows)), min(columns - 1, int((at.x() - frame.left()) / frame.width() * columns))

    def centre_of(self, row: int, column: int) -> QPoint:
        """The middle of an entry's square."""
        frame, (rows, columns) = self._frame(), self.matrix.shape
        return QPoint(int(frame.left() + (column + 0.5) / columns * frame.width()), int(frame.top() + (row + 0.5) / rows * frame.height()))

    # ------------------------------------------------------------------ events

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.palette().base())
        if self._drawn is not self.matrix:
            self._drawn, self._image = self.matrix, picture(self.matrix)
        if self.matrix is None or 0 in self.matrix.shape or self._image is None:
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "no entries")
            return
        frame, (rows, columns) = self._frame(), self.matrix.shape
        painter.drawImage(frame, self._image, QRectF(self._image.rect()))
        faint = self.palette().mid().color()
        painter.setPen(QPen(faint, 1.0))
        painter.drawRect(frame)
        for k in self.matrix.blocks:
            x = frame.left() + frame.width() * k / columns
            painter.drawLine(QPoint(round(x), round(frame.top())), QPoint(round(x), round(frame.bottom())))
            if rows == columns:
                y = frame.top() + frame.height() * k / rows
                painter.drawLine(QPoint(round(frame.left()), round(y)), QPoint(round(frame.right()), round(y)))
        painter.setPen(QPen(self.palette().text().color(), 1.5))
        row, column = self._chosen
        if 0 <= row < rows:
            painter.drawRect(QRectF(frame.left(), frame.top() + frame.height() * row / rows, frame.width(), max(2.0, frame.height() / rows)))
        if 0 <= column < columns:
            painter.drawRect(QRectF(frame.left() + frame.width() * column / columns, frame.top(), max(2.0, frame.width() / columns), frame.height()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position().toPoint())
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self.cell_clicked.emit(*cell)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.text_at(event.pos()), self)
            return True
        return super().event(event)

    def text_at(self, at: QPoint) -> str:
        """What is said of the entry under a point."""
        cell = self.cell_at(at)
        if cell is None:
            return ""
        value = self.matrix.at(*cell)
        said = "0, not stored" if value is None else f"{value:.6g}"
        return f"{self.matrix.name}[{self._names[0](cell[0])}, {self._names[1](cell[1])}] = {said}"


def picture(matrix: SparseMatrix) -> QImage | None:
    """The entries as an image with a transparent ground; None where there are none. By the logarithm of their size, over DECADES below the largest."""
    rows, columns = (min(MOST, k) for k in matrix.shape)
    if not rows or not columns:
        return None
    size = np.zeros((rows, columns))
    i, j = matrix.rows * rows // matrix.shape[0], matrix.columns * columns // matrix.shape[1]
    absolute = np.abs(matrix.values)
    np.maximum.at(size, (i, j), absolute)
    sign = np.zeros((rows, columns))
    order = np.argsort(absolute)
    sign[i[order], j[order]] = np.sign(matrix.values[order])
    stored = np.zeros((rows, columns), bool)
    stored[i, j] = True
    largest = float(size.max(initial=0.0))
    strength = np.zeros_like(size)
    if largest > 0:
        with np.errstate(divide="ignore"):
            strength = np.clip(1 + np.log10(size / largest) / DECADES, 0, 1)
    pixels = np.zeros((rows, columns, 4), np.uint8)
    colours = np.where((sign < 0)[..., None], BELOW, ABOVE)
    alpha = np.where(stored, 255 * (PALEST + (1 - PALEST) * strength), 0)
    alpha[stored & (size == 0)] = 255 * 0.06
    pixels[..., 0], pixels[..., 1], pixels[..., 2], pixels[..., 3] = colours[..., 0], colours[..., 1], colours[..., 2], alpha
    image = QImage(np.ascontiguousarray(pixels).tobytes(), columns, rows, 4 * columns, QImage.Format.Format_RGBA8888)
    return image.copy()     # of its own: the bytes go

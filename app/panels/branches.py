"""The branches of the history, drawn as a version graph: what is shown, and every other way that the run has gone."""
from __future__ import annotations

from functools import partial

from PyQt6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QFontMetricsF, QPainter, QPalette, QPen
from PyQt6.QtWidgets import QInputDialog, QLabel, QMenu, QScrollArea, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from app.timeline.branch_graph import BranchRow, rows
from app.context import AppContext
from app.controllers.companions import CompanionsController
from app.panels.live_panel import LivePanel
from app.windows.axis_painter import faint
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot

EMPTY = "A reset, a keyframe, an edit, and running on from an earlier state or from one that was changed by hand keep what was there: it is listed here, and can be shown again."
NAME_SHARE = 0.3        # of the width, at most
ROW = 1.7               # height of a row, in lines of text
BESIDE = 8.0            # logical pixels


class BranchesPanel(LivePanel):
    """Double-click shows a branch; the right button offers to show it, to call it otherwise, to forget it, or to draw it as a ghost beside the run, its curves dashed."""

    scrolls = False

    def __init__(self, context: AppContext, companions: CompanionsController):
        super().__init__(context)
        self._companions = companions
        self.graph = BranchGraph()
        self.graph.chosen.connect(self.show_branch)
        self.graph.menu_wanted.connect(self._open_menu)
        self.note = QLabel(EMPTY)
        self.note.setWordWrap(True)
        area = QScrollArea()
        area.setWidget(self.graph)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.addWidget(self.note)
        column.addWidget(area, 1)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Follow the history."""
        found = rows(snapshot.history_branches, snapshot.history_gone, snapshot.history_length, snapshot.history_marks, snapshot.history_time)
        self.graph.show_rows(found, snapshot.history_gone + snapshot.history_index)
        self.note.setVisible(len(found) < 2)

    def show_branch(self, row: BranchRow) -> None:
        """Pause at the newest entry of a branch, or of a part of what is shown."""
        self._context.runner.send(commands.ScrubTo(row.last) if row.part or row.hangs is None else commands.SwitchBranch(row.id))

    def rename(self, branch: int, text: str) -> None:
        """Call a branch otherwise."""
        if text.strip():
            self._context.runner.send(commands.RenameBranch(branch, text.strip()))

    def forget(self, branch: int) -> None:
        """Forget a branch and those that part from it."""
        self._context.runner.send(commands.ForgetBranch(branch))

    def compare(self, row: BranchRow) -> None:
        """Draw a branch, or a part of what is shown, as a ghost beside the run."""
        info = next((info for info in self._context.snapshot.history_branches if info.id == row.id), None)
        if row.part:
            self._companions.start_part(row.first, row.last, f"{row.name}, to {row.end:.4g} s")
        elif info is not None:
            self._companions.start_branch(info)

    def menu(self, row: BranchRow) -> QMenu:
        """What can be done with a branch."""
        menu = QMenu(self)
        show = menu.addAction("Show the end of this part" if row.part else "Show this branch", partial(self.show_branch, row))
        show.setEnabled(row.hangs is not None)
        rename = menu.addAction("Rename...", partial(self._ask_name, row))
        rename.setEnabled(row.own)
        forget = menu.addAction("Forget this branch", partial(self.forget, row.id))
        forget.setEnabled(row.hangs is not None and not row.part)
        ghost = menu.addAction("Draw as a ghost", partial(self.compare, row))
        ghost.setEnabled(row.hangs is not None)
        return menu

    def _ask_name(self, row: BranchRow) -> None:
        text, good = QInputDialog.getText(self, "Rename branch", "Name:", text=row.name)
        if good:
            self.rename(row.id, text)

    def _open_menu(self, row: BranchRow, place) -> None:
        menu = self.menu(row)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)


class BranchGraph(QWidget):
    """Signals: chosen(row) by double-click or Enter; menu_wanted(row, global place) by the right button."""

    chosen = pyqtSignal(object)
    menu_wanted = pyqtSignal(object, object)

    def __init__(self):
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.rows: list[BranchRow] = []
        self.current = 0
        self._present, self._first, self._last = 0, 0, 1
        self._widest = 0.0      # of the names, 0: to be measured

    def show_rows(self, found: list[BranchRow], present: int) -> None:
        """Draw these; present: number of the entry that is shown."""
        if len(found) != len(self.rows):
            self.updateGeometry()
        if [row.name for row in found] != [row.name for row in self.rows]:
            self._widest = 0.0
        self.rows, self._present = found, present
        self.current = min(self.current, max(0, len(found) - 1))
        self._first = min((row.first for row in found), default=0)
        self._last = max((row.last for row in found), default=1)
        self.update()

    # ------------------------------------------------------------------ places

    @property
    def _height(self) -> float:
        return ROW * QFontMetricsF(self.font()).height()

    def sizeHint(self) -> QSize:
        return QSize(320, round(self._height * max(1, len(self.rows)) + 6))

    minimumSizeHint = sizeHint

    @property
    def _left(self) -> float:
        if not self._widest:
            metrics = QFontMetricsF(self.font())
            self._widest = max((metrics.horizontalAdvance(row.name) for row in self.rows), default=1.0)
        return min(self._widest, NAME_SHARE * self.width()) + 3 * BESIDE

    def x_of(self, number: float) -> float:
        """Where an entry lies [logical pixels]."""
        return self._left + (self.width() - self._left - BESIDE) * (number - self._first) / max(1, self._last - self._first)

    def y_of(self, k: int) -> float:
        """The middle of a row."""
        return (k + 0.5) * self._height + 2

    def row_at(self, y: float) -> int | None:
        """The row at a height."""
        k = int((y - 2) / self._height)
        return k if 0 <= k < len(self.rows) else None

    # ------------------------------------------------------------------ hands

    def mousePressEvent(self, event) -> None:
        k = self.row_at(event.position().y())
        if k is None:
            return
        self.current = k
        self.update()
        if event.button() == Qt.MouseButton.RightButton:
            self.menu_wanted.emit(self.rows[k], event.globalPosition().toPoint())

    def mouseDoubleClickEvent(self, event) -> None:
        k = self.row_at(event.position().y())
        if k is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(self.rows[k])

    def keyPressEvent(self, event) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self.rows:
            self.current = min(max(0, self.current + (1 if key == Qt.Key.Key_Down else -1)), len(self.rows) - 1)
            self.update()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.rows:
            self.chosen.emit(self.rows[self.current])
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._widest = 0.0
            self.updateGeometry()
        super().changeEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            k = self.row_at(event.pos().y())
            QToolTip.showText(event.globalPos(), self.told(k) if k is not None else "", self)
            return True
        return super().event(event)

    def told(self, k: int) -> str:
        """What a row is."""
        row = self.rows[k]
        head = f"{row.name}: {row.start:.4g} to {row.end:.4g} s, {row.steps + (row.part or row.hangs is None)} steps"
        if row.hangs is None:
            return f"{head}\nThis branch is shown"
        other = self.rows[row.hangs].name
        return f"{head}\nBefore '{other}'\nDouble-click to show its end" if row.part else f"{head}\nParts from '{other}'\nDouble-click to show it"

    # ------------------------------------------------------------------ painting

    def paintEvent(self, event) -> None:
        painter, palette = QPainter(self), self.palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink, accent = palette.color(QPalette.ColorRole.WindowText), palette.color(QPalette.ColorRole.Highlight)
        metrics, left = QFontMetricsF(self.font()), self._left
        top, bottom = event.rect().top(), event.rect().bottom()
        for k, row in enumerate(self.rows):
            y, shown = self.y_of(k), row.hangs is None
            other = y if shown else self.y_of(row.hangs)
            if min(y, other) - self._height > bottom or max(y, other) + self._height < top:
                continue
            if k == self.current and self.hasFocus():
                painter.fillRect(QRectF(0, y - self._height / 2, self.width(), self._height), faint(accent, 40))
            painter.setPen(accent if shown else ink)
            name = metrics.elidedText(row.name, Qt.TextElideMode.ElideRight, left - 3 * BESIDE)
            painter.drawText(QPointF(BESIDE, y + metrics.ascent() / 2 - 1), name)
            painter.setPen(QPen(accent if shown else faint(ink, 150), 3.0 if shown else 2.0, cap=Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(self.x_of(row.first), y), QPointF(self.x_of(row.last), y))
            if row.hangs is not None:
                painter.setPen(QPen(faint(ink, 110), 1.2))
                painter.drawLine(QPointF(self.x_of(row.joint), other), QPointF(self.x_of(row.joint), y))
        if self.rows:
            k = next((k for k, row in enumerate(self.rows) if (row.part or row.hangs is None) and row.first <= self._present), 0)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(accent)
            painter.drawEllipse(QPointF(self.x_of(self._present), self.y_of(k)), 4.5, 4.5)
        painter.end()

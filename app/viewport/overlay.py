"""Text over the picture: labels, problems, and figures when they are asked for. Drawn with QPainter in logical pixels."""
import numpy as np
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from app.bridge.layers.perturb import pull_text
from app.speeds import reached_text
from app.viewport.corner_texts import CornerText, placed
from app.viewport.label_painter import LabelPainter
from app.viewport.legend_area import LegendArea
from app.viewport.recording_mark import paint_mark
from physics.runtime.snapshot import Snapshot
from render.scene.camera import View

INK, SHADE = QColor(255, 255, 255), QColor(10, 14, 20, 150)
PROBLEM_SHADE, NOTICE_SHADE = QColor(120, 20, 20, 225), QColor(122, 74, 18, 225)
VEIL = QColor(20, 24, 30, 120)   # over a model that will be another in a moment
WIDE = 700   # logical pixels: narrower views show notices below the speed, not beside it
EMPTY = "Loading..."
MARGIN = 10.0
TOP = 100.0  # logical pixels from the upper edge in which notices lie
AROUND = 18.0   # above and below boxes labels leave room for a further row, or the row about labels would come and go
LABEL_SECONDS = 0.01     # that new labels may take in one picture: the window answers between them


class Overlay:
    """What is shown; `problem` is the text of the last model error, `notice` why a model is only shown; empty when all is well."""

    def __init__(self):
        self.show_info = False
        self.problem = ""
        self.notice = ""
        self.loading = ""       # what is being loaded while an older model is still seen
        self.clicked: tuple[str, ...] = ()   # what was clicked last, in lines
        self.corner_texts: tuple[CornerText, ...] = ()   # of a script
        self.recording = ""     # beside the red dot, empty when no film is recorded
        self.frames_per_second = 0.0
        self.scale = 1.0        # of all texts
        self.legend: list = []   # render.scene.legend.LegendRow of what is drawn
        self.covered: list = []   # further areas that labels keep free of: (x, y, width, height)
        self.labels = LabelPainter(LABEL_SECONDS)
        self.legend_area: LegendArea | None = None   # as it was painted last

    def paint(self, painter: QPainter, width: float, height: float, snapshot: Snapshot | None, labels, view: View | None) -> None:
        """Draw everything that is on."""
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        font = QFont(painter.font())
        font.setPointSizeF(9.5 * self.scale)
        painter.setFont(font)
        boxes = self._boxes(painter, height, snapshot, width) if snapshot is not None else []
        texts = [(x, y, box_width(painter, rows), box_height(painter, rows)) for x, y, rows in boxes]
        legend = LegendArea(painter, width, height, self.legend, texts + self.covered) if snapshot is not None and self.legend else None
        if view is not None and labels is not None:
            covered = [(x, y - AROUND, wide, high + 2 * AROUND) for x, y, wide, high in texts]
            covered += [legend.box] if legend else []
            covered += self.covered
            self.labels.paint(painter, width, height, labels, view, covered)
        self.legend_area = legend
        for x, y, rows in boxes:
            paint_box(painter, x, y, rows)
        if legend:
            legend.paint(painter)
        if self.loading and snapshot is not None:
            painter.fillRect(QRectF(0, 0, width, height), VEIL)
            paint_notice(painter, width, height / 2 - 20, self.loading, SHADE)
        self._paint_notices(painter, width, snapshot)
        if self.recording:
            paint_mark(painter, width, self.recording)

    def _boxes(self, painter: QPainter, height: float, snapshot: Snapshot, width: float = 0.0) -> list[tuple]:
        """(x, y, rows) of the boxes that stand over the picture: state at the top left, what was clicked below it, figures at the bottom left, texts of a script."""
        boxes, y = [], MARGIN
        if self.show_info:
            boxes.append((MARGIN, y, self.state_rows(snapshot)))
            y += MARGIN + box_height(painter, boxes[0][2])
        if self.clicked:
            boxes.append((MARGIN, y, [(line, "") for line in self.clicked]))
            y += MARGIN + box_height(painter, boxes[-1][2])
        cube = max((top + high for x, top, _, high in self.covered if x > width / 2 and top < TOP), default=0.0)
        taken = {"top left": y - MARGIN, "top right": cube}
        if self.show_info:
            rows = self.info_rows(snapshot)
            boxes.append((MARGIN, height - MARGIN - box_height(painter, rows), rows))
            taken["bottom left"] = MARGIN + box_height(painter, rows)
        if self.corner_texts:
            boxes += placed(self.corner_texts, lambda rows: (box_width(painter, rows), box_height(painter, rows)), width, height, MARGIN, taken)
        return boxes

    def _paint_notices(self, painter: QPainter, width: float, snapshot: Snapshot | None) -> None:
        diverged = f"{snapshot.message}\nPaused at the last good state." if snapshot is not None and snapshot.message else ""
        y = MARGIN if width > WIDE else MARGIN + 40
        room = min((x for x, top, *_ in self.covered if x > width / 2 and top < TOP), default=width)   # left of the cube
        for text, shade in ((self.problem, PROBLEM_SHADE), (diverged, PROBLEM_SHADE), (self.notice, NOTICE_SHADE)):
            if text:
                y += paint_notice(painter, room, y, text, shade) + 6
        if snapshot is None and not self.problem:
            painter.setPen(INK)
            painter.drawText(QRectF(0, 0, width, 2 * y + 160), Qt.AlignmentFlag.AlignCenter.value, self.loading or EMPTY)

    def state_rows(self, snapshot: Snapshot) -> list[tuple[str, str]]:
        """Speed, pause and where in the history."""
        rows = [("Speed", reached_text(snapshot))]
        if not snapshot.running:
            back = snapshot.history_length - 1 - snapshot.history_index
            rows.append(("PAUSE", f"{-back}" if back > 0 else ""))
        pull = pull_text(snapshot, snapshot.model.body_mocapid)
        if pull:
            rows.append(("Pull", pull))
        return rows

    def info_rows(self, snapshot: Snapshot) -> list[tuple[str, str]]:
        """The figures of the official info overlay."""
        iterations = int(snapshot.solver_niter_max)
        rows = [("Time", f"{snapshot.time:.3f} s"), ("Size", f"{snapshot.nefc} rows ({snapshot.ncon} contacts)"),
                ("Peak", f"{snapshot.maxuse_efc} rows ({snapshot.maxuse_con} contacts)"), ("CPU", f"{snapshot.step_us:.1f} us per step"),
                ("Solver", f"{iterations} iteration{'' if iterations == 1 else 's'}{residual(snapshot, iterations)}"), ("FPS", f"{self.frames_per_second:.0f}")]
        energy = np.ravel(snapshot.energy)
        if energy.any():
            rows.append(("Energy", f"{energy.sum():.5g} J (potential {energy[0]:.4g}, kinetic {energy[1]:.4g})"))
        if self.labels.layout.left_out:
            rows.append(("Labels", f"{self.labels.layout.left_out} have no room"))
        return rows


def residual(snapshot: Snapshot, iterations: int) -> str:
    """The solver's last gradient as a power of ten; '' where it did nothing."""
    gradient = snapshot.solver_gradient[int(np.argmax(snapshot.solver_niter))]   # of the island that took longest
    last = float(gradient[min(iterations, len(gradient)) - 1]) if iterations > 0 and len(gradient) else 0.0
    return f" (residual 1e{np.log10(last):.1f})" if last > 0 else ""


def box_height(painter: QPainter, rows) -> float:
    """Height of a box of rows [logical pixels]."""
    return len(rows) * (QFontMetricsF(painter.font()).height() + 1) + 10


def box_width(painter: QPainter, rows) -> float:
    """Width of a box of rows [logical pixels]."""
    metrics = QFontMetricsF(painter.font())
    return max(metrics.horizontalAdvance(a) for a, _ in rows) + max(metrics.horizontalAdvance(b) for _, b in rows) + 30


def paint_box(painter: QPainter, x: float, y: float, rows) -> None:
    """Two columns of text on a shade."""
    metrics = QFontMetricsF(painter.font())
    left = max(metrics.horizontalAdvance(a) for a, _ in rows)
    line = metrics.height() + 1
    painter.fillRect(QRectF(x, y, box_width(painter, rows), len(rows) * line + 8), SHADE)
    painter.setPen(INK)
    for i, (a, b) in enumerate(rows):
        base = y + 4 + metrics.ascent() + i * line
        painter.drawText(QPointF(x + 8, base), a)
        painter.drawText(QPointF(x + 20 + left, base), b)


def paint_notice(painter: QPainter, width: float, y: float, text: str, shade: QColor) -> float:
    """A box of text, centred, from height `y`; its height."""
    metrics = QFontMetricsF(painter.font())
    flags = Qt.TextFlag.TextWordWrap.value
    area = QRectF(0, 0, min(width - 2 * MARGIN, 900) - 24, 10000)
    needed = metrics.boundingRect(area, flags, text)
    box = QRectF((width - needed.width()) / 2 - 12, y, needed.width() + 24, needed.height() + 12)
    painter.fillRect(box, shade)
    painter.setPen(INK)
    painter.drawText(box.adjusted(12, 6, -12, -6), flags, text)
    return box.height()

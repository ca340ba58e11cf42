"""The cube at the top right of the view: shows how the camera looks at the world, and turns it by a click on a face, an edge or a corner.

Front is along x, left along y, top along z, as robots are built. A drag on it orbits; outside of it nothing is taken.
"""
from __future__ import annotations

from types import MappingProxyType

import numpy as np
from PyQt6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF, QTransform
from PyQt6.QtWidgets import QApplication

from app.context import AppContext
from app.controllers.view import ViewController
from app.viewport import camera_control
from app.viewport.input import Button, Pointer
from render.scene.camera import View

SIDE, MARGIN = 84.0, 10.0       # logical pixels: of the square that it turns in
HALF = 24.0                     # of an edge of the cube
EDGE = 0.62                     # of a face's half side: beyond it a click means the edge
LEAST = 300                     # logical pixels: narrower views have none
STILL = 4.0                     # pixels between press and release of a click
NOTE_HEIGHT = 20.0
# normal, to the right and up as the face is read, name
FACES = (((1, 0, 0), (0, 1, 0), (0, 0, 1), "Front"), ((-1, 0, 0), (0, -1, 0), (0, 0, 1), "Back"), ((0, 1, 0), (-1, 0, 0), (0, 0, 1), "Left"),
         ((0, -1, 0), (1, 0, 0), (0, 0, 1), "Right"), ((0, 0, 1), (1, 0, 0), (0, 1, 0), "Top"), ((0, 0, -1), (1, 0, 0), (0, -1, 0), "Bottom"))
AXES = MappingProxyType({"x": ((1, 0, 0), "#e0533f"), "y": ((0, 1, 0), "#57a845"), "z": ((0, 0, 1), "#4a8be0")})
FACE, LINE, INK = QColor(58, 64, 73, 215), QColor(225, 230, 236, 150), QColor(240, 243, 246)
LIT, SHADE = QColor(84, 92, 103, 225), QColor(10, 14, 20, 150)


class ViewCube(QObject):
    """Signals: changed() when it must be painted anew. on: whether it is shown; note: a line below it, which a click on tells by note_clicked()."""

    changed, note_clicked = pyqtSignal(), pyqtSignal()

    def __init__(self, context: AppContext, control: ViewController, parent: QObject):
        super().__init__(parent)
        self._context, self._control = context, control
        self.on = context.settings.get("view/cube")
        self.note = ""
        self._axes = np.eye(3)              # rows: the view's right, up, towards the eye
        self._middle: QPointF | None = None   # None: not painted
        self._note_area = QRectF()
        self._under: tuple | None = None    # direction under the pointer
        self._pressed: QPointF | None = None
        self._meant: tuple | None = None    # direction that was pressed, as the cube stood then; None: the note
        self._last: QPointF | None = None
        self._dragged = False
        context.settings.changed.connect(self._setting_changed)

    def _setting_changed(self, name: str) -> None:
        if name == "view/cube":
            self.on = self._context.settings.get(name)
            self.changed.emit()

    # ------------------------------------------------------------------ where things are

    @property
    def area(self) -> tuple[float, float, float, float] | None:
        """(x, y, width, height) that it takes up; None where it is not shown."""
        if self._middle is None:
            return None
        return self._middle.x() - SIDE / 2, self._middle.y() - SIDE / 2, SIDE, SIDE + (NOTE_HEIGHT if self.note else 0)

    def at(self, direction) -> QPointF:
        """Where a point of the cube is drawn, given in half edges: (1, 1, 1) is a corner."""
        x, y, _ = HALF * (self._axes @ np.asarray(direction, float))
        return QPointF(self._middle.x() + x, self._middle.y() - y)

    def direction_at(self, x: float, y: float) -> tuple[int, int, int] | None:
        """What lies at a point of the view: the normal of a face, the sum of two at an edge, of three at a corner; None beside the cube."""
        if self._middle is None:
            return None
        across, up = (x - self._middle.x()) / HALF, (self._middle.y() - y) / HALF
        for normal, right, high, _name in FACES:
            n, r, h = (self._axes @ np.asarray(v, float) for v in (normal, right, high))
            if n[2] <= 1e-6:
                continue
            u, v = np.linalg.lstsq(np.stack([r[:2], h[:2]], axis=1), np.array([across, up]) - n[:2], rcond=None)[0]
            if max(abs(u), abs(v)) <= 1:
                out = np.asarray(normal) + sum(int(np.sign(k)) * np.asarray(axis) for k, axis in ((u, right), (v, high)) if abs(k) > EDGE)
                return tuple(int(k) for k in out)
        return None

    def turn_to(self, direction) -> None:
        """Look at the cube from a direction; from above and below the nearest quarter turn stays."""
        x, y, z = np.asarray(direction, float) / np.linalg.norm(direction)
        straight = abs(x) + abs(y) < 1e-9
        azimuth = 90 * round(self._control.camera.azimuth / 90) if straight else np.degrees(np.arctan2(-y, -x))
        self._control.turn_to(float(azimuth), float(np.degrees(np.arcsin(-z))))

    # ------------------------------------------------------------------ mouse

    def event(self, event: QEvent) -> bool:
        """See a mouse event of the view; True where it was meant for the cube."""
        handler = {QEvent.Type.MouseButtonPress: self._press, QEvent.Type.MouseButtonDblClick: self._press, QEvent.Type.MouseMove: self._move,
                   QEvent.Type.MouseButtonRelease: self._release}.get(event.type())
        return handler is not None and (self._middle is not None or self._pressed is not None) and handler(event)

    def _press(self, event) -> bool:
        at = event.position()
        meant = self.direction_at(at.x(), at.y())
        inside = meant is not None or self.note != "" and self._note_area.contains(at)
        if event.button() != Qt.MouseButton.LeftButton or not inside:
            return False
        self._pressed = self._last = at
        self._meant = meant
        self._dragged = False
        return True

    def _move(self, event) -> bool:
        at = event.position()
        if self._pressed is None:
            under = self.direction_at(at.x(), at.y()) if event.buttons() == Qt.MouseButton.NoButton else None
            if under != self._under:
                self._under = under
                self.changed.emit()
            return under is not None
        self._dragged |= (at - self._pressed).manhattanLength() > STILL
        if self._dragged:
            off, self._last = at - self._last, at
            pointer = Pointer(at.x(), at.y(), SIDE, SIDE, Button.LEFT, off.x() / SIDE / 2, off.y() / SIDE / 2)
            self._control.move(camera_control.drag(self._control.camera, pointer, self._control.lens(), self._control.extent))
            self.changed.emit()
        return True

    def _release(self, event) -> bool:
        if self._pressed is None:
            return False
        self._pressed = None
        if not self._dragged:
            self.turn_to(self._meant) if self._meant is not None else self.note_clicked.emit()
        return True

    # ------------------------------------------------------------------ painting

    def paint(self, painter: QPainter, width: float, height: float, view: View | None, top: float = MARGIN) -> None:
        """Draw it at the right of a view of this size [logical pixels], from `top` down."""
        if view is None or not self.on or width < LEAST or height < 2 * SIDE:
            self._middle = None
            return
        right, forward = view.right(), np.asarray(view.forward, float)
        forward = forward / np.linalg.norm(forward)
        self._axes = np.stack([right, np.cross(right, forward), -forward])
        self._middle = QPointF(width - MARGIN - SIDE / 2, top + SIDE / 2)
        self._paint_note(painter)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_axes(painter, behind=True)
        for face in FACES:
            self._paint_face(painter, *face)
        self._paint_axes(painter, behind=False)
        painter.restore()

    def _paint_face(self, painter: QPainter, normal, right, high, name: str) -> None:
        n, r, h = (np.asarray(v, float) for v in (normal, right, high))
        towards = (self._axes @ n)[2]
        if towards <= 1e-3:
            return
        corners = QPolygonF([self.at(n - r + h), self.at(n + r + h), self.at(n + r - h), self.at(n - r - h)])
        painter.setPen(QPen(LINE, 1))
        painter.setBrush(blend(FACE, LIT, towards))
        painter.drawPolygon(corners)
        self._paint_under(painter, n, r, h)
        ground = QTransform()
        square = QPolygonF([QPointF(-40, -40), QPointF(40, -40), QPointF(40, 40), QPointF(-40, 40)])
        if towards < 0.25 or not QTransform.quadToQuad(square, corners, ground):
            return
        painter.save()
        painter.setTransform(ground, True)
        font = QFont(painter.font())
        font.setPixelSize(21)
        painter.setFont(font)
        painter.setPen(INK)
        painter.drawText(QRectF(-40, -40, 80, 80), Qt.AlignmentFlag.AlignCenter.value, name)
        painter.restore()

    def _paint_under(self, painter: QPainter, n, r, h) -> None:
        """The part of a face that the pointer is on, in the accent colour."""
        if self._under is None or n @ self._under < 0.5:
            return
        spans = [(EDGE, 1.0) if k > 0.5 else (-1.0, -EDGE) if k < -0.5 else (-EDGE, EDGE) for k in (r @ self._under, h @ self._under)]
        (left, end), (low, top) = spans
        colour = QApplication.palette().highlight().color()
        colour.setAlpha(190)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(QPolygonF([self.at(n + u * r + v * h) for u, v in ((left, low), (end, low), (end, top), (left, top))]))

    def _paint_axes(self, painter: QPainter, behind: bool) -> None:
        """x, y and z along the edges from the corner that all three start at."""
        start = np.array([-1.0, -1.0, -1.0])
        for name, (axis, colour) in AXES.items():
            axis = np.asarray(axis, float)
            hidden = all((self._axes @ np.asarray(other, float))[2] > 0 for other, _colour in AXES.values() if other != tuple(axis))
            if hidden != behind:
                continue
            painter.setPen(QPen(QColor(colour), 2.2))
            end = self.at(start + 2.15 * axis)
            painter.drawLine(self.at(start), end)
            font = QFont(painter.font())
            font.setPixelSize(11)
            font.setBold(True)
            painter.setFont(font)
            place = self.at(start + 2.45 * axis)
            painter.drawText(QRectF(place.x() - 8, place.y() - 8, 16, 16), Qt.AlignmentFlag.AlignCenter.value, name)

    def _paint_note(self, painter: QPainter) -> None:
        self._note_area = QRectF()
        if not self.note:
            return
        wide = QFontMetricsF(painter.font()).horizontalAdvance(self.note) + 14
        x, y, side, _ = self.area
        self._note_area = QRectF(x + side - wide, y + side, wide, NOTE_HEIGHT - 2)
        painter.fillRect(self._note_area, SHADE)
        painter.setPen(INK)
        painter.drawText(self._note_area, Qt.AlignmentFlag.AlignCenter.value, self.note)


def blend(a: QColor, b: QColor, share: float) -> QColor:
    """A colour between two."""
    return QColor(*(round(x + min(max(share, 0.0), 1.0) * (y - x)) for x, y in zip(a.getRgb(), b.getRgb(), strict=True)))

"""A window to take pictures of: the program's own, driven as the tests drive it, and what stands over it."""
from __future__ import annotations

import io
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image
from PyQt6.QtCore import QBuffer, QIODevice, QPoint, QPointF, QRect, Qt
from PyQt6.QtGui import QColor, QFont, QImage, QPainter, QPen, QSurfaceFormat
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QDialog, QWidget

from app.appearance import Appearance
from editor.tools.handles import pixels
from editor.tools.subject import Moment
from render.scene.camera import CameraState, project
from tests.app.workbench import Workbench
from tests.patience import PATIENCE_MS

REST = 0.4              # s without events after which what is seen has come to rest
LARGEST = 150_000       # bytes of a picture's file
COLOURS = (256, 200, 160, 128, 96, 64)
TITLE = 26              # logical pixels of a dialog's title, which a desktop would draw


class Turns:
    """What a Workbench waits with, outside of tests."""

    def waitUntil(self, condition: Callable[[], bool], timeout: int = PATIENCE_MS) -> None:
        """Process events until the condition holds. Raises TimeoutError."""
        end = time.monotonic() + timeout / 1000
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError("the window did not get there")
            QTest.qWait(3)      # what is to be deleted is, too


def started() -> QApplication:
    """The application as the program sets it up."""
    from app.program import prepare_process
    from app.viewport.hosts import surface_format

    prepare_process()
    QSurfaceFormat.setDefaultFormat(surface_format())
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    return QApplication([])


class Desk(Workbench):
    """A window on a model in the workspace Edit. folder: for settings and what is left of a crash; size, theme: of the window."""

    def __init__(self, folder: Path, model: Path, size: tuple[int, int], theme: str = "dark", workspace: str = "edit"):
        os.environ["LINKWORK_STATE"] = str(folder / "state")
        super().__init__(Turns(), folder, model, size=size, quality="auto")
        self._appearance = Appearance(self.settings)
        self._appearance.apply()
        self.actions[f"theme_{theme}"].trigger()
        self.actions[f"workspace_{workspace}"].trigger()
        self.rest()

    def rest(self, seconds: float = REST) -> None:
        """Let everything come to its place, and a few more pictures be drawn."""
        end = time.monotonic() + seconds
        self.wait(lambda: time.monotonic() > end)
        self.settled()
        self.pictures(3)

    def element(self, tag: str, name: str = "", k: int = 0):
        """An element of the text, by tag and by name or class."""
        found = [one for one in self.session.document.version().root.walk() if one.tag == tag and (not name or name in (one.name, one.attrs.get("class")))]
        return found[k]

    def select(self, *elements) -> None:
        """Select elements of the text."""
        self.application.document_selection.select([one.id for one in elements])
        self.rest()

    def tool(self, name: str):
        """Choose a tool of the view."""
        if not self.actions[name].isChecked():
            self.host.setFocus()
            self.actions[name].trigger()
        self.rest()
        return self.viewport.tools.active

    def look(self, at, distance: float, azimuth: float, elevation: float) -> None:
        """A free camera: what it looks at [m], from how far [m] and from where [degrees]."""
        self.application.view_control.camera = CameraState(lookat=tuple(map(float, at)), distance=distance, azimuth=azimuth, elevation=elevation)
        self.rest()

    def pixel(self, point) -> QPointF:
        """Where a point of the world [m] is in the picture that is seen."""
        where, _ = project(self.viewport.picture.view, np.array([point], float), (self.host.width(), self.host.height()))
        return QPointF(*where[0])

    def handle(self, what: tuple) -> QPointF:
        """Where a handle of the active gizmo is in the view."""
        tool, picture = self.viewport.tools.active, self.viewport.picture
        gizmo = tool._gizmo(tool._subjects(picture.snapshot))
        found = next(one for one in gizmo.handles(Moment(picture.snapshot.model, picture.snapshot), picture.view, tool._size()) if one.what == what)
        where = pixels(found, picture.view, tool._size())
        return QPointF(*(where.mean(0) if found.shape == "square" else where[len(where) // 3 if found.shape == "line" else -1]))

    # ------------------------------------------------------------------ pictures

    def over(self) -> list[QWidget]:
        """Dialogs, menus, lists and tips over the window, as they lie upon each other."""
        there = [one for one in QApplication.topLevelWidgets() if one.isVisible() and one is not self.window and one.width() > 1]
        return sorted(there, key=lambda one: (not isinstance(one, QDialog), one.windowType() == Qt.WindowType.ToolTip))

    def picture(self, *parts: QWidget) -> QImage:
        """The window with what lies over it, also beyond its edges; of it the smallest piece that holds the parts, where any are given."""
        origin = self.window.mapToGlobal(QPoint())
        boxes = [(one, QRect(one.mapToGlobal(QPoint()) - origin, one.size())) for one in self.over()]
        whole = self.window.rect()
        for _, box in boxes:
            whole = whole.united(QRect(QPoint(0, 0), box.bottomRight()))
        ratio = self.window.devicePixelRatioF()
        image = QImage(round(ratio * whole.width()), round(ratio * whole.height()), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        image.fill(self.window.palette().color(self.window.palette().ColorRole.Mid))
        painter = QPainter(image)
        painter.drawPixmap(QPoint(), self.window.grab())
        for one, box in boxes:
            painter.drawPixmap(box.topLeft(), one.grab())
            _frame(painter, box, one)
        painter.end()
        if not parts:
            return image
        wanted = QRect()
        for part in parts:
            wanted = wanted.united(QRect(part.mapToGlobal(QPoint()) - origin, part.size()))
        return cut(image, wanted)


def _frame(painter: QPainter, box: QRect, one: QWidget) -> None:
    """What a desktop draws around a window."""
    dialog = isinstance(one, QDialog)
    if dialog:
        head = QRect(box.left(), box.top() - TITLE, box.width(), TITLE)
        painter.fillRect(head, one.palette().color(one.palette().ColorRole.Mid))
        painter.setPen(one.palette().color(one.palette().ColorRole.WindowText))
        painter.setFont(one.font())
        painter.drawText(head, Qt.AlignmentFlag.AlignCenter, one.windowTitle())
        box = box.united(head)
    painter.setPen(QPen(QColor(0, 0, 0, 160), 1))
    painter.drawRect(box.adjusted(0, 0, -1, -1))


def cut(image: QImage, box: QRect) -> QImage:
    """A piece of a picture, in logical pixels."""
    ratio = image.devicePixelRatio()
    device = QRect(round(ratio * box.x()), round(ratio * box.y()), round(ratio * box.width()), round(ratio * box.height()))
    found = image.copy(device.intersected(image.rect()))
    found.setDevicePixelRatio(ratio)
    return found


def sheet(images: list[tuple[QImage, str]], columns: int, gap: int = 8) -> QImage:
    """Pictures of one size beside and below each other, each with a line of text on it."""
    width, height = max(one.width() for one, _ in images), max(one.height() for one, _ in images)
    rows = -(-len(images) // columns)
    out = QImage(columns * width + (columns - 1) * gap, rows * height + (rows - 1) * gap, QImage.Format.Format_RGB32)
    out.fill(QColor(255, 255, 255))
    painter = QPainter(out)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    font = QFont(QApplication.font())
    font.setBold(True)
    painter.setFont(font)
    for k, (one, words) in enumerate(images):
        x, y = k % columns * (width + gap), k // columns * (height + gap)
        painter.drawImage(QPoint(x, y), one)
        if words:
            room = painter.fontMetrics().horizontalAdvance(words) + 16
            painter.fillRect(QRect(x, y, room, painter.fontMetrics().height() + 8), QColor(10, 14, 20, 190))
            painter.setPen(QColor(255, 255, 255))
            painter.drawText(QPoint(x + 8, y + 4 + painter.fontMetrics().ascent()), words)
    painter.end()
    return out


def _palette(whole: Image.Image, colours: int) -> Image.Image:
    """So many colours for a picture, in which a colour counts by the root of its pixels: thin arrows and small lamps keep theirs beside a wide floor."""
    found, count = np.unique(np.asarray(whole).reshape(-1, 3) >> 2, axis=0, return_counts=True)
    row = np.repeat(found << 2 | 2, np.ceil(np.sqrt(count)).astype(int), axis=0).astype(np.uint8)
    return Image.fromarray(row[None]).quantize(colours, method=Image.Quantize.MEDIANCUT)


def save(image: QImage, path: Path) -> int:
    """Write a PNG with as many colours as LARGEST allows; its size in bytes. Raises ValueError where none is small enough."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.convertToFormat(QImage.Format.Format_RGB888).save(buffer, "PNG")
    whole = Image.open(io.BytesIO(bytes(buffer.data()))).convert("RGB")
    for colours in COLOURS:
        out = io.BytesIO()
        whole.quantize(palette=_palette(whole, colours), dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        if out.tell() <= LARGEST:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(out.getvalue())
            return out.tell()
    raise ValueError(f"{path.name}: {out.tell()} bytes with {COLOURS[-1]} colours")



"""What the model's cameras see, and companion runs as the view's camera sees them, as small pictures in the view.

Cameras are chosen in the View menu, companions in their panel. Dragged to another corner, pulled larger at the corner that faces the middle, looked through by a double-click,
with a menu of its own on the right button. A model that is opened again has them again; a workspace may have its own, and some at first. A hidden one costs nothing; on software GL a
picture is drawn anew at most 15 times a second, and one beside a picture of the view.
"""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PyQt6.QtCore import QEvent, QObject, QPoint, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PyQt6.QtWidgets import QMenu, QWidget

from app.context import AppContext
from app.controllers.companions import CompanionRow
from app.controllers.view import ViewController
from app.pictures import resolution_of
from app.viewport.inset_layout import BOTTOM_RIGHT, SMALL, TOP_LEFT, TOP_RIGHT, Inset, PlacedInset, arrange, nearest_corner
from app.viewport.inset_memory import key_of, remember, remembered
from physics.runtime.companions.companion import Companion
from render.scene.camera import FIXED, CameraState
from render.scene.snapshot import SHOWN

LEAST_WIDE = 4 / 3
BELOW_EACH_OTHER = 2    # pictures of companions on the left, further ones on the right
FRAME, SHADE, INK = QColor(235, 240, 245, 190), QColor(10, 14, 20, 170), QColor(255, 255, 255)


class Insets(QObject):
    """The wanted insets in `items`, those in the picture that is seen in `placed` (inset_pictures.py draws them). Signals: changed() when the view must be drawn anew; clicked(x, y) at a point of the view
    that lies in one; put_away(companion) its picture is to be hidden. seconds: what drawing them took in the last picture."""

    changed = pyqtSignal()
    clicked = pyqtSignal(float, float)
    put_away = pyqtSignal(object)

    def __init__(self, context: AppContext, view: QWidget, view_control: ViewController):
        super().__init__(view)
        self._context, self._view, self._view_control = context, view, view_control
        self.items: list[Inset] = []
        self._rows: dict[Companion, CompanionRow] = {}     # companions that are shown beside
        self.placed: list[PlacedInset] = []     # in the picture that is seen
        self._held: tuple | None = None   # (inset, 'move' or 'size', dx, dy)
        self._made = 0
        self._path = ""                 # of the model
        self._arrangement, self._first = "", 0      # of the workspace: its name, where it keeps its own, and how many cameras it shows at first
        self._left: dict[str, list[Inset]] = {}     # of this model, in other arrangements
        self.deferred = False           # one of them is older than the view
        self.seconds = 0.0
        self.menu = QMenu("Camera pictures", view)
        self.menu.aboutToShow.connect(self._fill_menu)
        context.model_changed.connect(self._model_changed)

    # ------------------------------------------------------------------ which

    @property
    def cameras(self) -> tuple[int, ...]:
        """Numbers of the cameras that are shown."""
        return tuple(inset.camera for inset in self._of_cameras)

    def use(self, arrangement: str = "", first: int = 0) -> None:
        """Show the cameras of a workspace that keeps its own, '' those of all others. first: how many are shown of a model that was not seen in it yet."""
        if arrangement == self._arrangement:
            return
        self._left[self._arrangement] = self._of_cameras
        self._arrangement, self._first = arrangement, first
        model = self._context.model
        if model is not None:
            self._replace(self._known(model) or [])
            self.changed.emit()

    def _known(self, model) -> list[Inset] | None:
        """What the present arrangement has of a model: as it is remembered, as it was left, else the first cameras; None where nothing says anything."""
        known = remembered(self._context.settings, key_of(self._path, self._arrangement), model)
        if known is None and self._arrangement in self._left:
            known = self._found_again(self._left[self._arrangement], model)
        if known is None and self._first:
            known = [Inset(camera, model.name("camera", camera), "", BOTTOM_RIGHT, SMALL) for camera in range(min(self._first, model.ncam))]
        return known

    def _replace(self, items: list[Inset]) -> None:
        for inset in self._of_cameras:
            self._remove(inset)
        for inset in items:
            inset.slot = self._slot()
        self.items += items

    def show_camera(self, camera: int, on: bool = True) -> None:
        """Show or hide the picture of a camera of the model."""
        there = next((inset for inset in self.items if inset.camera == camera and inset.companion is None), None)
        model = self._context.model
        if on and there is None and model is not None and 0 <= camera < model.ncam:
            self.items.append(Inset(camera, model.name("camera", camera), self._slot()))
        elif not on and there is not None:
            self._remove(there)
        self._remember()
        self.changed.emit()

    def choose(self, cameras: Sequence[int]) -> None:
        """Show the pictures of these cameras alone; numbers that there are not are left out."""
        for camera in self.cameras:
            if camera not in cameras:
                self.show_camera(camera, False)
        for camera in cameras:
            self.show_camera(camera)

    def show_companions(self, rows: Sequence[CompanionRow]) -> None:
        """Show those that are to be seen beside the view, in pictures of their own."""
        self._rows = {row.companion: row for row in rows if row.beside}
        there = [inset.companion for inset in self.items if inset.companion is not None]
        for inset in [inset for inset in self.items if inset.companion is not None and inset.companion not in self._rows]:
            self._remove(inset)
        for companion in self._rows:
            if companion not in there:      # a grid: two fit below each other
                left = sum(inset.companion is not None and inset.corner == TOP_LEFT for inset in self.items)
                self.items.append(Inset(-1, "", self._slot(), TOP_LEFT if left < BELOW_EACH_OTHER else TOP_RIGHT, companion=companion))
        self.changed.emit()

    def _slot(self) -> str:
        self._made += 1
        return f"inset {self._made}"

    def _remember(self) -> None:
        remember(self._context.settings, key_of(self._path, self._arrangement), self._of_cameras, also_none=self._first > 0)

    @property
    def _of_cameras(self) -> list[Inset]:
        return [inset for inset in self.items if inset.companion is None]

    def _remove(self, inset: Inset) -> None:
        self.items.remove(inset)
        self._held = None

    def _model_changed(self, model) -> None:
        """Find the cameras again: by name, unnamed ones by number. A model that was shown before has the insets it had then."""
        path = str(Path(model.source[0]).resolve()) if len(model.source) else ""
        if path != self._path or self._first and self._context.newly_opened:
            self._path = path
            self._left.clear()
            known = self._known(model)
            if known is not None:
                self._replace(known)
                self.changed.emit()
                return
        before = self._of_cameras
        found = self._found_again(before, model)
        for inset in before:
            if inset not in found:
                self._remove(inset)
        if before:
            self._remember()
        self.changed.emit()

    @staticmethod
    def _found_again(insets: list[Inset], model) -> list[Inset]:
        """Those whose cameras a model has: by name, unnamed ones by number."""
        for inset in insets:
            inset.camera = model.id("camera", inset.name) if inset.name else inset.camera
        return [inset for inset in insets if 0 <= inset.camera < model.ncam]

    def _fill_menu(self) -> None:
        self.menu.clear()
        model = self._context.model
        shown = {inset.camera for inset in self._of_cameras}
        for camera in range(model.ncam if model is not None else 0):
            entry = self.menu.addAction(title_of(model, camera))
            entry.setCheckable(True)
            entry.setChecked(camera in shown)
            entry.toggled.connect(lambda on, camera=camera: self.show_camera(camera, on))
        if self.menu.isEmpty():
            self.menu.addAction("The model has no cameras").setEnabled(False)

    # ------------------------------------------------------------------ pictures

    def captured(self, model) -> list[PlacedInset]:
        """Where they are now, for a picture of this Model."""
        width, height = max(1, self._view.width()), max(1, self._view.height())
        arrange(self.items, [aspect_of(model, inset.camera, width / height) if inset.companion is None else width / height for inset in self.items], width, height)
        return [self._placed(inset, model, width) for inset in self.items]

    def _placed(self, inset: Inset, model, width: float) -> PlacedInset:
        row = self._rows.get(inset.companion)
        title, tint = (row.title, row.tint) if row is not None else (title_of(model, inset.camera), None)
        return PlacedInset(inset.slot, inset.camera, inset.show, inset.rect, inset.grip(), title, width, inset.companion, tint)

    def seen_at(self, x: float, y: float) -> PlacedInset | None:
        """The one of the picture at a point of the view [logical pixels], the one on top."""
        return next((inset for inset in reversed(self.placed) if inset.holds(x, y)), None)

    def shown(self, placed: list[PlacedInset]) -> None:
        """What is in the picture that is seen from now on."""
        self.placed = placed
        self.deferred = any(inset.deferred for inset in placed)
        self.seconds = placed[-1].seconds if placed else 0.0

    def paint(self, painter: QPainter) -> None:
        """Frames and names of those in the picture [logical pixels]."""
        for inset in self.placed:
            x, y, wide, high = inset.rect
            painter.setPen(QPen(FRAME, 1.5) if inset.tint is None else QPen(QColor.fromRgbF(*inset.tint), 2.5))
            painter.drawRect(QRectF(x, y, wide, high))
            gx, gy = inset.grip
            dx, dy = (-1 if gx > x else 1), (-1 if gy > y else 1)
            for k in (5, 9):
                painter.drawLine(round(gx + dx * k), round(gy), round(gx), round(gy + dy * k))
            metrics = QFontMetricsF(painter.font())
            text = metrics.elidedText(inset.title + (f": {inset.show}" if inset.show != "colour" else ""), Qt.TextElideMode.ElideRight, wide - 12)
            box = QRectF(x + 1, y + 1, metrics.horizontalAdvance(text) + 10, metrics.height() + 2)
            painter.fillRect(box, SHADE)
            painter.setPen(INK)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter.value, text)

    # ------------------------------------------------------------------ mouse

    def at(self, x: float, y: float) -> Inset | None:
        """The inset at a point of the view [logical pixels], the one on top."""
        return next((inset for inset in reversed(self.items) if inset.holds(x, y)), None)

    def event(self, event: QEvent) -> bool:
        """See a mouse event of the view; True where it was meant for an inset."""
        handler = {QEvent.Type.MouseButtonPress: self._pressed, QEvent.Type.MouseMove: self._moved, QEvent.Type.MouseButtonRelease: self._released,
                   QEvent.Type.MouseButtonDblClick: self._double_clicked}.get(event.type())
        if handler is None or not (self.items or self._held):
            return False
        taken = handler(event, event.position().x(), event.position().y())
        if taken:
            self.changed.emit()
        return taken

    def _pressed(self, event, x: float, y: float) -> bool:
        inset = self.at(x, y)
        if inset is None:
            return False
        if event.button() == Qt.MouseButton.RightButton:
            self.menu_of(inset).popup(event.globalPosition().toPoint() + QPoint(1, 1))
        elif event.button() == Qt.MouseButton.LeftButton:
            self._held = (inset, "size" if inset.at_grip(x, y) else "move", x - inset.rect[0], y - inset.rect[1])
        return True

    def _moved(self, _event, x: float, y: float) -> bool:
        if self._held is None:
            return False
        inset, what, dx, dy = self._held
        if what == "size":
            inset.resized(x, self._view.width())
        else:
            inset.at = (x - dx, y - dy)
        return True

    def _released(self, _event, x: float, y: float) -> bool:
        if self._held is None:
            return False        # it was pressed elsewhere: a pull or a drag of the view ends
        inset, what, dx, dy = self._held
        self._held = None
        if what == "move" and inset.at is None:
            self.clicked.emit(x, y)
        elif what == "move":
            inset.at = (x - dx, y - dy)     # where it is let go of counts, whatever motion came last
            inset.corner = nearest_corner(inset.at[0] + inset.rect[2] / 2, inset.at[1] + inset.rect[3] / 2, self._view.width(), self._view.height())
            inset.at = None
        self._remember()
        return True

    def _double_clicked(self, _event, x: float, y: float) -> bool:
        inset = self.at(x, y)
        if inset is not None:
            self._held = None
            if inset.companion is None:
                self._view_control.set_camera(inset.camera)
        return inset is not None

    def menu_of(self, inset: Inset) -> QMenu:
        """The menu on an inset."""
        menu = QMenu(self._view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if inset.companion is None:
            menu.addAction("Look through it", lambda: self._view_control.set_camera(inset.camera))
        for show in SHOWN:
            entry = menu.addAction(show.capitalize(), lambda show=show: self._set_show(inset, show))
            entry.setCheckable(True)
            entry.setChecked(inset.show == show)
        menu.addAction("Hide", lambda: self.show_camera(inset.camera, False) if inset.companion is None else self.put_away.emit(inset.companion))
        return menu

    def _set_show(self, inset: Inset, show: str) -> None:
        inset.show = show
        self._remember()
        self.changed.emit()


def title_of(model, camera: int) -> str:
    """Name of a camera, or its number."""
    return model.name("camera", camera) or f"camera {camera}"


def aspect_of(model, camera: int, usual: float) -> float:
    """Width over height of a camera's picture: of its resolution or sensor, or else the view's, but no narrower than LEAST_WIDE: a high view has no room for high pictures."""
    resolution = resolution_of(model, CameraState(FIXED, fixedcamid=camera))
    wide, high = resolution or model.cam_sensorsize[camera]
    return float(wide) / float(high) if wide > 0 and high > 0 else max(usual, LEAST_WIDE)

"""Create: a geom by drawing its base on what is under the pointer and then its height; with Shift a new body with a free joint.

    press, drag, release   the base on the surface, or on the ground       move, click   the height       Ctrl snaps to the grid       Esc takes it back
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PyQt6.QtCore import QEvent, QPointF, Qt
from PyQt6.QtGui import QPainter
from PyQt6.QtWidgets import QApplication, QComboBox, QWidget

from app.context import AppContext
from app.settings import Settings
from app.viewport.tools.gizmo_painter import paint_outline, paint_texts
from app.viewport.tools.gizmo_strip import SNAP
from app.viewport.tools.tool_strip import ToolStrip
from editor.tools.create import SHAPES, Creation, creation_edit, parent_of
from editor.tools.element_trees import ElementTrees, Refused
from editor.tools.rays import Pointer, on_plane
from editor.tools.shape_lines import shape_lines
from editor.tools.subject import Moment
from editor.tools.surface import surface_under
from physics.model.elements import element
from render.scene.camera import View

PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
KEYS = (QEvent.Type.KeyPress, QEvent.Type.KeyRelease)
LEAVES = (QEvent.Type.FocusOut, QEvent.Type.WindowDeactivate, QEvent.Type.Hide)
SHIFT, CTRL, NONE = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier
HINTS = ("Drag the base on a surface; Shift: a new body with a free joint; Ctrl snaps to the grid", "Release for the base", "Move for the height, click to end")
CLICK = 3           # logical pixels: what is drawn over less is nothing
WORLD, SELECTED = "world", "selected"


class CreateStrip(ToolStrip):
    """Which shape, and where it goes."""

    def __init__(self, view: QWidget, settings: Settings):
        super().__init__(view, settings)
        self.shape = QComboBox()
        for word in SHAPES:
            self.shape.addItem(word.capitalize(), word)
        self.add(self.shape, "The shape that is drawn next")
        self.into = QComboBox()
        for word, text in ((WORLD, "Into the world"), (SELECTED, "Into the selected body")):
            self.into.addItem(text, word)
        self.add(self.into, "What the new geom belongs to")
        self.snap = self.button("Snap", "Snap to the grid; Ctrl: the other way", checkable=True)
        self.snap.setChecked(settings.get(SNAP))
        self.snap.clicked.connect(lambda on: settings.set(SNAP, on))
        self.arrange()


class CreateTool:
    """The tool while it is chosen. viewport: the view; session: app.session.Session; status(text): the line in the status bar."""

    cursor = Qt.CursorShape.CrossCursor
    done = False

    def __init__(self, context: AppContext, viewport, session, status: Callable[[str], None]):
        self._context, self._viewport, self._session, self._status = context, viewport, session, status
        self.strip = CreateStrip(viewport, context.settings)
        self.creation: Creation | None = None
        self._based = False         # the base is complete
        self._as_body = self._swallows = False
        self._at = self._pressed = QPointF()
        self._made = ("", "")       # kind and name of what is to be selected once the model has it
        context.model_changed.connect(self._model_changed)
        session.document_opened.connect(self._other_document)

    # ------------------------------------------------------------------ the tool

    def event(self, event: QEvent) -> bool:
        """Draw with the left button; the others are the camera's."""
        kind = event.type()
        if kind in PRESSES:
            return self._press(event)
        if kind == QEvent.Type.MouseMove and self.creation is not None:
            self._draw(event.position(), event.modifiers())
            return True
        if kind == QEvent.Type.MouseButtonRelease and (self._swallows or self.creation is not None):
            if not self._swallows and event.button() == Qt.MouseButton.LeftButton and not self._based:
                if (event.position() - self._pressed).manhattanLength() < CLICK:
                    self.escape()
                    self._status("Hold the button and draw the base of the shape")
                    return True
                self._draw(event.position(), event.modifiers())
                self._based = True
                if self.creation.is_flat:
                    self._write()
            self._swallows = False
            return True
        if kind in KEYS and event.key() == Qt.Key.Key_Control and self.creation is not None:     # snaps at once, wherever the pointer rests
            self._draw(self._at, CTRL if kind == QEvent.Type.KeyPress else NONE)
        if kind in LEAVES:
            self.escape()
        return False

    def escape(self) -> bool:
        """Take back what is drawn; False where nothing is."""
        if self.creation is None:
            return False
        self.creation = None
        self._over()
        return True

    def end(self) -> None:
        """It is no longer the active one."""
        self.escape()
        self._context.model_changed.disconnect(self._model_changed)
        self._session.document_opened.disconnect(self._other_document)
        self.strip.end()

    def paint(self, painter: QPainter, snapshot, view: View) -> None:
        """The outline of what is drawn, its sizes, and what comes next."""
        size = self._size()
        if self.creation is not None:
            lines = shape_lines(self.creation.shape, self.creation.size, self.creation.pose)
            paint_outline(painter, lines, view, size, QApplication.palette().color(QApplication.palette().ColorRole.Highlight))
            paint_texts(painter, self._at, size, [self.creation.text], self.strip.area)
        if not self.strip.note.text() or self.strip.note.text() in HINTS:
            self.strip.say(HINTS[0 if self.creation is None else 2 if self._based else 1])

    # ------------------------------------------------------------------ drawing

    def _press(self, event) -> bool:
        at = event.position()
        if self.creation is not None:
            self._swallows = True
            if event.button() == Qt.MouseButton.LeftButton:
                self._write()
            else:
                self.escape()
            return True
        if event.button() != Qt.MouseButton.LeftButton or self._viewport.covered(at.x(), at.y()):
            return False
        pointer, picture = self._pointer(at), self._viewport.picture
        if pointer is None:
            return False
        self._pressed = at
        self._viewport.host.setFocus(Qt.FocusReason.MouseFocusReason)
        surface = surface_under(pointer, picture.scene)
        point, normal = (surface.point, surface.normal) if surface is not None else (on_plane(pointer, np.zeros(3), (0.0, 0.0, 1.0)), np.array([0.0, 0.0, 1.0]))
        if point is None:
            return False
        self.strip.say(HINTS[1])
        self.creation = Creation.at(self.strip.shape.currentData(), point, normal, pointer, self._snaps(event.modifiers() & ~SHIFT))
        self._based, self._as_body, self._at = False, bool(event.modifiers() & SHIFT), at
        self._viewport.host.update()
        return True

    def _draw(self, at: QPointF, keys) -> None:
        pointer = self._pointer(at)
        self._at = at
        if pointer is None:
            return
        (self.creation.rise if self._based else self.creation.base)(pointer, self._snaps(keys))
        self._status(self.creation.text)
        self._viewport.host.update()

    def _write(self) -> None:
        """One edit."""
        creation, self.creation = self.creation, None
        picture = self._viewport.picture
        try:
            m, d = picture.snapshot.model, picture.snapshot
            body = self._context.selection.bodyid if self.strip.into.currentData() == SELECTED and not self._as_body else 0
            if creation.shape == "plane" and (self._as_body or (body and m.body_weldid[body])):
                raise Refused("A plane cannot be on a body that moves: use a thin box")
            parent = parent_of(ElementTrees(self._session.document), Moment(m, d), body)
            edit, self._made = creation_edit(creation, parent, self._as_body)
            self._session.edit(edit)
            if not self._session.document.last_good.current:
                self.strip.say("It is in the text, and in the view once all of that is XML again")
        except ValueError as why:
            self.strip.say(str(why))
        self._over()

    def _over(self) -> None:
        self._based = False
        self._status("")
        self._viewport.host.update()

    def _other_document(self) -> None:
        """What is drawn, and what was made last, was for the one before."""
        self.escape()
        self._made = ("", "")

    def _model_changed(self, model) -> None:
        """Select what was made."""
        kind, name = self._made
        number = model.id(kind, name) if kind and name in model.names[kind] else -1
        if number >= 0:
            self._made = ("", "")
            self._context.select_elements((element(model, kind, number),))

    def _snaps(self, keys) -> bool:
        return self._context.settings.get(SNAP) != bool(keys & CTRL)

    def _size(self) -> tuple[int, int]:
        return max(1, self._viewport.host.width()), max(1, self._viewport.host.height())

    def _pointer(self, at: QPointF) -> Pointer | None:
        picture = self._viewport.picture
        return Pointer(picture.view, self._size(), at.x(), at.y()) if picture is not None and picture.snapshot is not None and picture.view is not None else None

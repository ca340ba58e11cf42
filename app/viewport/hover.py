"""The note at the mouse pointer that says what is drawn there, and what a click tells.

    pointer moves or picture changes -> the legend or a label is there
                                     or a few pixels of the id picture are asked for, in the drawing thread or until the next tick -> note, or click

All of it is about the picture that is seen: its scene, its camera and its moment. At most ASKS_PER_SECOND questions, and less where a question takes long; none
while a button is held. The note is a window of its own, as every tooltip is: nothing of the picture is drawn anew when it moves.
"""
from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from PyQt6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, pyqtSignal
from PyQt6.QtWidgets import QLabel, QWidget

from app.bridge.describe import described, explained, kind_of, labelled, name_of, quantity_text
from app.bridge.kinds import element_of
from app.context import AppContext
from app.controllers.click import Click
from app.viewport.insets import Insets
from app.viewport.overlay import Overlay
from app.viewport.picture import Picture
from physics.model.elements import Element
from physics.runtime.snapshot import Snapshot
from render.passes.probe import Found, Probe
from render.scene import shapes
from render.scene.picking import to_body

ASKS_PER_SECOND = 15
SHARE = 0.1          # of all time that questions may take
REST = 0.25          # seconds that the pointer rests before the note appears; once there it follows
CLICK_REACH = 4.0    # logical pixels between press and release of a click
BESIDE = QPoint(16, 18)


@dataclass(frozen=True, slots=True)
class Thing:
    """Something drawn: type as mjtObj (or shapes.OBJ_*) and in words, id, name ('' without), body, the point [m] (() of what is not in the world),
    all there is to say; element: which one of the model it is, by the moment that is seen: contacts have other numbers in others; local: the point in the frame
    of its body at that moment, of what has none in the world's."""
    objtype: int
    objid: int
    bodyid: int
    kind: str
    name: str
    point: tuple
    lines: tuple
    element: Element | None = None
    local: tuple = ()


class Hover(QObject):
    """Watches the pointer over the view. `enabled` False: clicks only. view: its `host` is the widget with the picture; overlay: its labels and legend
    answer too; insets: in them the pointer looks through another camera. questions: how many were asked; cost: seconds of the last.

    taker(Thing or None, Click): True where an answered click is meant for it (an active tool) and is told nobody else.

    Signal: clicked(Thing or None, Click) when a click of either button is answered; with the left one context.thing_clicked too."""

    clicked = pyqtSignal(object, object)

    def __init__(self, context: AppContext, view: QWidget, overlay: Overlay, insets: Insets):
        super().__init__(view)
        self._context, self._view = context, view
        self._overlay, self._insets = overlay, insets
        self._probe: Probe | None = None
        self._shown: Picture | None = None      # what is seen
        self._asked: Picture | None = None      # what an answer on its way is about
        self._at: QPointF | None = None         # where the pointer is
        self._moved_at = 0.0
        self._pressed: Click | None = None      # where a click may have begun
        self._held = False                      # a button is
        self._click: Click | None = None        # not asked yet
        self._asked_click: Click | None = None  # not answered yet
        self._due = False
        self._next = 0.0
        self.enabled = context.settings.get("view/hover")
        self.questions, self.cost = 0, 0.0
        self.taker: Callable[[Thing | None, Click], bool] = lambda thing, click: False
        self.thing: Thing | None = None         # under the pointer
        self.note = QLabel(view, Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint)
        self.note.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.note.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setMargin(4)

    # ------------------------------------------------------------------ what happens in the view

    def start(self, renderer) -> None:
        """A renderer was made (anew)."""
        self._probe, self._shown, self._asked = Probe(renderer), None, None

    def stop(self) -> None:
        """The renderer's context is about to go."""
        if self._probe is not None:
            self._probe.release()
        self._probe = self._shown = self._asked = None

    def shown(self, picture: Picture) -> None:
        """Another picture is seen."""
        self._shown, self._due = picture, True

    def event(self, event: QEvent) -> bool:
        """See a mouse event of the view; it goes on to the others."""
        kind = event.type()
        if kind == QEvent.Type.MouseMove:
            self._held = event.buttons() != Qt.MouseButton.NoButton
            if not self._held:
                self._at, self._due, self._moved_at = event.position(), True, time.perf_counter()
            else:
                self.hide()
        elif kind == QEvent.Type.MouseButtonPress:
            self._held, self._pressed = True, pressed(event)
            self.hide()
        elif kind == QEvent.Type.MouseButtonRelease:
            self._held = event.buttons() != Qt.MouseButton.NoButton
            off = event.position() - self._pressed.at if self._pressed is not None else None
            if off is not None and abs(off.x()) + abs(off.y()) <= CLICK_REACH:
                self._click = self._pressed
            self._pressed = None
        elif kind == QEvent.Type.MouseButtonDblClick:
            self._pressed = self._click = self._asked_click = None     # means something else than the click that it began with
        elif kind in (QEvent.Type.Leave, QEvent.Type.Hide, QEvent.Type.WindowDeactivate, QEvent.Type.Wheel):
            if kind != QEvent.Type.Wheel:
                self._at = None
            self.hide()
        return False

    def click(self, x: float, y: float) -> None:
        """Tell what is drawn at a point of the view [logical pixels]."""
        self._click = Click(QPointF(x, y))

    def find(self, x: float, y: float, then: Callable[[Thing | None], None]) -> None:
        """Call then(thing) with what is drawn at a point of the view [logical pixels], None: nothing; never, where another model runs by then."""
        self._click = Click(QPointF(x, y), then=then)

    def hide(self) -> None:
        """Take the note away."""
        self.thing = None
        if self.note.isVisible():
            self.note.hide()

    # ------------------------------------------------------------------ questions and answers

    def tick(self) -> None:
        """Called at the pace of the pictures: fetch an answer, ask the next question where there is one."""
        present = self._context.snapshot
        if self._probe is None or self._shown is None or present is None or self._shown.generation != present.generation:
            return      # what is seen may be of another Model than what would be said of it
        if self._asked is not None:
            if not self._view.host.aside:
                self._view.host.run(lambda _ctx: self._answer(), self._told)
            return
        now = time.perf_counter()
        asked = self._click.at if self._click else self._at if self.enabled and self._due and not self._held and now >= self._next else None
        if asked is not None:
            self._ask(asked, now)

    def _ask(self, at: QPointF, now: float) -> None:
        self._asked_click, self._click, self._due = self._click, None, False
        written = self._written(at.x(), at.y())
        if written is not None:
            self._next = now + 1 / ASKS_PER_SECOND
            self._answered(written)
            return
        inset = self._insets.seen_at(at.x(), at.y())
        if inset is not None and inset.companion is not None:     # what is seen there belongs to another run
            self._next = now + 1 / ASKS_PER_SECOND
            self._answered(None)
            return
        picture = self._asked = self._shown
        size, view, x, y = picture.size, picture.view, at.x(), at.y()
        ratio = size[0] / max(1, self._view.host.width())
        if inset is not None:
            x, y, size, view = x - inset.rect[0], y - inset.rect[1], tuple(round(ratio * n) for n in inset.rect[2:]), inset.view
        aside = self._view.host.aside
        self.questions += 1

        def ask(_ctx):
            begun = time.perf_counter()
            self._probe.ask(picture.scene, view, size, x * ratio, y * ratio)
            thing = self._answer() if aside else None
            self.cost = time.perf_counter() - begun
            return thing

        self._next = now + max(1 / ASKS_PER_SECOND, self.cost / SHARE)
        self._view.host.run(ask, self._told if aside else None)

    def _answer(self) -> Thing | None:
        """The context is current."""
        return self._thing(self._probe.answer(), self._asked)

    def _told(self, thing: Thing | None) -> None:
        picture, self._asked = self._asked, None
        present = self._context.snapshot
        self._answered(thing if picture is not None and present is not None and present.generation == picture.generation else None)

    def _written(self, x: float, y: float) -> Thing | None:
        """The row of the legend or the label at a point of the view."""
        snapshot = self._shown.snapshot
        legend = self._overlay.legend_area
        row = legend.at(x, y) if legend is not None else None
        if row is not None:
            what = legend.rows[row]
            return Thing(shapes.OBJ_LEGEND, row, -1, kind_of(shapes.OBJ_LEGEND), what.what, (), tuple(explained(what, row)))
        place = self._overlay.labels.at(x, y)
        if place is None:
            return None
        m, (objtype, objid, bodyid) = snapshot.model, labelled(snapshot.model, place.key)
        lines, labels = described(m, snapshot, objtype, objid, bodyid), self._shown.scene.labels
        point = labels.pos[labels.key.index(place.key)] if place.key in labels.key else ()
        return Thing(objtype, objid, bodyid, kind_of(objtype), name_of(m, objtype, objid), tuple(map(float, point)), tuple(lines),
                     element_of(m, snapshot, objtype, objid), _in_body(snapshot, bodyid, point)) if lines else None

    @staticmethod
    def _thing(found: Found | None, picture: Picture | None) -> Thing | None:
        if found is None or picture is None:
            return None
        snapshot = picture.snapshot
        m = snapshot.model
        lines = described(m, snapshot, found.objtype, found.objid, found.bodyid)
        if not lines:
            return None
        mark = quantity_text(m, found.legend, found.amount, found.quantity)
        lines += [mark] if mark else []
        return Thing(found.objtype, found.objid, found.bodyid, kind_of(found.objtype), name_of(m, found.objtype, found.objid), found.point, tuple(lines),
                     element_of(m, snapshot, found.objtype, found.objid), _in_body(snapshot, found.bodyid, found.point))

    def _answered(self, thing: Thing | None) -> None:
        if self._asked_click:
            click, self._asked_click = self._asked_click, None
            if click.then is not None:
                click.then(thing)
                return
            if self.taker(thing, click):
                return
            if not click.menu:
                self._context.thing_clicked.emit(thing)
            self.clicked.emit(thing, click)
            return
        self.thing = thing if self._at is not None and not self._held else None
        if self.thing is None:
            self.note.hide()
        elif self.note.isVisible() or time.perf_counter() - self._moved_at >= REST:
            self._show("\n".join(self.thing.lines))
        else:
            self._due = True    # ask again when the pointer has rested

    def _show(self, text: str) -> None:
        if self.note.text() != text:
            self.note.setText(text)
            self.note.adjustSize()
        to = self._view.host.mapToGlobal(self._at.toPoint()) + BESIDE
        screen = self._view.host.screen().availableGeometry()
        to.setX(min(to.x(), screen.right() - self.note.width()))
        if to.y() + self.note.height() > screen.bottom():
            to.setY(to.y() - self.note.height() - 2 * BESIDE.y())
        if self.note.pos() != to:
            self.note.move(to)
        if not self.note.isVisible():
            self.note.show()


def _in_body(snapshot: Snapshot, bodyid: int, point) -> tuple:
    return tuple(map(float, to_body(point, snapshot.xpos[max(0, bodyid)], snapshot.xmat[max(0, bodyid)]))) if len(point) else ()


def pressed(event) -> Click | None:
    """What a press of a mouse button is going to be a click of, if the pointer stays where it is; None where it means something else."""
    keys, button = event.modifiers(), event.button()
    if keys & Qt.KeyboardModifier.AltModifier or button not in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
        return None
    shift, ctrl = bool(keys & Qt.KeyboardModifier.ShiftModifier), bool(keys & Qt.KeyboardModifier.ControlModifier)
    if button == Qt.MouseButton.RightButton:
        return None if shift or ctrl else Click(event.position(), menu=True)
    return Click(event.position(), add=shift and not ctrl, toggle=ctrl)

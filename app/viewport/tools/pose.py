"""Pose: drag a body or site; inverse kinematics moves the joints while the run is paused, the mouse's spring pulls while it goes on.

    left drag         in the plane of the picture; Shift: the horizontal plane; Ctrl: turn; wheel: nearer or farther; Esc: as before
    right click or P  set a pin on the body under the pointer, or take it away; with Shift it keeps the orientation too
    elsewhere         the camera, as without the tool
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PyQt6.QtCore import QEvent, QPointF, Qt

from app.context import AppContext
from app.controllers.view import ViewController
from app.posing.options import options_of
from app.posing.session import PosingSession
from app.viewport import perturb_control
from app.viewport.hover import CLICK_REACH, Hover, Thing
from app.viewport.input import WHEEL_UNITS_PER_CLICK, Pointer, pointer_of
from app.viewport.tools.pose_options import PoseOptions
from app.viewport.tools.pose_painter import Marks, paint_marks
from physics.enums import ObjType
from physics.inverse_kinematics.problem import IKTarget
from physics.runtime import commands
from render.scene import picking, rotation

FARTHER = 1.1       # by one click of the wheel
PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
KEYS = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)


class PoseTool:
    """The tool while it is chosen. host: the widget with the picture, view: what it lies in; hover answers what is under the pointer; covered(x, y): whether something
    lies over the picture there that has the mouse; changed(): to be called when it is to be drawn anew."""

    cursor = Qt.CursorShape.PointingHandCursor
    done = False

    def __init__(self, context: AppContext, control: ViewController, host, view, hover: Hover, covered: Callable[[float, float], bool], changed: Callable[[], None]):
        self._context, self._control, self._host, self._hover = context, control, host, hover
        self._covered, self._changed = covered, changed
        self._at: tuple[float, float] | None = None         # where the pointer is
        self._last: tuple[float, float] | None = None       # where it was when it moved the target last
        self._waiting: Pointer | None = None                # how it moved before it was known what is grabbed
        self._pressed: QPointF | None = None                # where a button went down
        self._asking = False                                # what the left button went down on
        self._grabbed: IKTarget | None = None               # with the wanted position
        self._bodyid = 0
        self._moved = self._pulls = False
        self.session: PosingSession | None = None
        self.options = PoseOptions(view, context.settings)
        self.options.pins_cleared.connect(self._clear_pins)
        context.settings.changed.connect(self._setting_changed)
        context.model_changed.connect(self._model_changed)
        self._model_changed(context.model)

    # ------------------------------------------------------------------ the tool

    def event(self, event: QEvent) -> bool:
        """Grab, drag, turn, pin; what is not for the tool goes to the camera."""
        kind = event.type()
        if kind in KEYS:
            return self._key(event)
        if kind == QEvent.Type.Wheel:
            return self._wheeled(event)
        if kind in PRESSES:
            return self._press(event)
        if kind == QEvent.Type.MouseMove:
            return self._move(event)
        return self._release(event) if kind == QEvent.Type.MouseButtonRelease else False

    def escape(self) -> bool:
        """Take the drag back; False where there is none."""
        if self._grabbed is None and not self._asking:
            return False
        self._asking = False
        if self._pulls:
            self._context.runner.send(commands.PerturbStop())
        elif self.session is not None:
            self.session.cancel()
        self._grabbed, self._pulls = None, False
        self._changed()
        return True

    def end(self) -> None:
        """The tool is no longer chosen."""
        self._drop()
        for signal, slot in ((self._context.settings.changed, self._setting_changed), (self._context.model_changed, self._model_changed)):
            signal.disconnect(slot)
        if self.session is not None:
            self.session.close()
        self.options.hide()
        self.options.deleteLater()

    def paint(self, painter, snapshot, view) -> None:
        """Pins, the way from the grabbed point to the target, what is left of it, joints at the end of their range: in the picture that is seen."""
        session = self.session
        if session is None or snapshot.model is not session.model:
            return
        answer = session.answer if self._grabbed is not None and not self._pulls else None
        grabbed = (self._point(snapshot), np.array(self._grabbed.pos)) if self._grabbed is not None else None
        result = answer.result if answer is not None else None
        paint_marks(painter, view, (self._host.width(), self._host.height()), snapshot,
                    Marks(grabbed, result, answer.problem if answer is not None else "", session.pins, self._pulls))

    # ------------------------------------------------------------------ events

    def _press(self, event) -> bool:
        at = event.position()
        if self._covered(at.x(), at.y()):
            return False
        self._host.setFocus(Qt.FocusReason.MouseFocusReason)
        self._pressed, self._last, self._waiting, self._moved = at, (at.x(), at.y()), None, False
        if event.button() == Qt.MouseButton.LeftButton and self._grabbed is None:
            turns = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self._asking = True
            self._hover.find(at.x(), at.y(), lambda thing: self._found(thing, turns))
        return True

    def _move(self, event) -> bool:
        at = event.position()
        self._at = (at.x(), at.y())
        if self._pressed is not None and (at - self._pressed).manhattanLength() > CLICK_REACH:
            self._moved = True
        if self._grabbed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self._drag(self._pointer(event))
            return True
        if self._asking:
            self._waiting = self._pointer(event)
        return self._asking

    def _pointer(self, event) -> Pointer:
        """How the pointer has moved since it moved the target last."""
        return pointer_of(event, self._host.width(), self._host.height(), self._last)

    def _release(self, event) -> bool:
        pressed, self._pressed = self._pressed, None
        if event.button() == Qt.MouseButton.LeftButton and (self._asking or self._grabbed is not None):
            self._asking = False
            self._drop()
            if not self._moved and pressed is not None:
                self._hover.click(pressed.x(), pressed.y())     # selects, as without the tool
            return True
        if event.button() == Qt.MouseButton.RightButton and pressed is not None and not self._moved:
            keeps = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._hover.find(pressed.x(), pressed.y(), lambda thing: self._toggle_pin(thing, keeps))
            return True
        return False

    def _wheeled(self, event) -> bool:
        snapshot = self._context.snapshot
        if self._grabbed is None or snapshot is None:
            return False
        view, target = self._control.view(snapshot), np.array(self._grabbed.pos)
        way = np.asarray(view.forward) * self._control.extent if self._control.lens().orthographic else target - np.asarray(view.pos)
        self._want(pos=target + way * (FARTHER ** (event.angleDelta().y() / WHEEL_UNITS_PER_CLICK) - 1))
        return True

    def _key(self, event) -> bool:
        if event.key() != Qt.Key.Key_P or event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier:
            return False
        event.accept()      # before P means something else
        if event.type() == QEvent.Type.KeyPress and self._at is not None and not event.isAutoRepeat():
            keeps = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._hover.find(*self._at, lambda thing: self._toggle_pin(thing, keeps))
        return True

    # ------------------------------------------------------------------ dragging

    def _found(self, thing: Thing | None, turns: bool) -> None:
        """What the left button went down on is known."""
        snapshot = self._context.snapshot
        if not self._asking:
            return
        self._asking = False
        if thing is None or self.session is None or snapshot is None or snapshot.model is not self.session.model or not self._moves(thing.bodyid):
            return      # the camera's
        target, self._bodyid = self._target(thing, snapshot), thing.bodyid
        self._grabbed = replace(target, pos=tuple(self._point_of(target, snapshot).tolist()))
        self._pulls = snapshot.running
        if self._pulls:
            xpos, xmat = snapshot.xpos[thing.bodyid], snapshot.xmat[thing.bodyid]
            self._context.runner.send(commands.PerturbStart(thing.bodyid, tuple(picking.to_body(np.array(self._grabbed.pos), xpos, xmat)), commands.ROTATE if turns else commands.TRANSLATE))
        else:
            self.session.pins = tuple(self._where_it_is(pin, snapshot) for pin in self.session.pins)
            self.session.begin(snapshot)
        if self._waiting is not None:
            self._drag(self._waiting)
        self._changed()

    def _drag(self, pointer: Pointer) -> None:
        snapshot, self._last = self._context.snapshot, (pointer.x, pointer.y)
        if snapshot.running != self._pulls:     # it was paused, or goes on, meanwhile
            self._drop()
            return
        view = self._control.view(snapshot)
        if pointer.ctrl:
            present = np.array(self._grabbed.quat) if self._grabbed.quat is not None else self._quat(snapshot)
            turned = rotation.multiply(perturb_control.drag_rotation(pointer, view), present)
            self._want(quat=perturb_control.clamp_turn(turned, rotation.from_matrix(snapshot.ximat[self._bodyid])) if self._pulls else turned)
            return
        lens = self._control.lens()
        scale = lens.frustum_height() * (1.0 if lens.orthographic else float((np.array(self._grabbed.pos) - np.asarray(view.pos)) @ np.asarray(view.forward)))
        way = perturb_control.translation(pointer, view) if pointer.shift else pointer.dx * np.asarray(view.right()) - pointer.dy * np.asarray(view.up)
        self._want(pos=np.array(self._grabbed.pos) + scale * way)

    def _want(self, pos=None, quat=None) -> None:
        if pos is not None:
            self._grabbed = replace(self._grabbed, pos=tuple(np.asarray(pos).tolist()))
        if quat is not None:
            self._grabbed = replace(self._grabbed, quat=tuple(np.asarray(quat).tolist()))
        if self._pulls:
            self._context.runner.latest("perturb", commands.PerturbMove(self._grabbed.pos, self._grabbed.quat))
        else:
            self.session.want(self._grabbed)
        self._changed()

    def _drop(self) -> None:
        """Let go."""
        if self._grabbed is None:
            return
        if self._pulls:
            self._context.runner.send(commands.PerturbStop())
        elif self.session is not None:
            self.session.end()
        self._grabbed, self._pulls = None, False
        self._changed()

    # ------------------------------------------------------------------ what is under the pointer

    def _moves(self, bodyid: int) -> bool:
        """Whether any joint moves a body."""
        return bodyid > 0 and bool(self.session.model.body_treeid[bodyid] >= 0)

    def _target(self, thing: Thing, snapshot) -> IKTarget:
        """A site's origin, or the point of a body that is seen."""
        if thing.objtype == ObjType.SITE:
            return IKTarget("site", thing.objid)
        return IKTarget("body", thing.bodyid, point=tuple(picking.to_body(np.array(thing.point), snapshot.xpos[thing.bodyid], snapshot.xmat[thing.bodyid]).tolist()))

    def _frame(self, target: IKTarget, snapshot) -> tuple[np.ndarray, np.ndarray]:
        kind = "site_" if target.kind == "site" else ""
        return getattr(snapshot, kind + "xpos")[target.element], np.reshape(getattr(snapshot, kind + "xmat")[target.element], (3, 3))

    def _point_of(self, target: IKTarget, snapshot) -> np.ndarray:
        pos, mat = self._frame(target, snapshot)
        return pos + mat @ np.asarray(target.point)

    def _point(self, snapshot) -> np.ndarray:
        return self._point_of(self._grabbed, snapshot)

    def _quat(self, snapshot) -> np.ndarray:
        return rotation.from_matrix(snapshot.ximat[self._bodyid] if self._pulls else self._frame(self._grabbed, snapshot)[1])

    # ------------------------------------------------------------------ pins

    def _toggle_pin(self, thing: Thing | None, keeps_orientation: bool) -> None:
        snapshot, session = self._context.snapshot, self.session
        if thing is None or session is None or snapshot is None or snapshot.model is not session.model or thing.bodyid <= 0:
            return
        left = tuple(pin for pin in session.pins if pin.element != thing.bodyid)
        if len(left) == len(session.pins):
            local = picking.to_body(np.array(thing.point), snapshot.xpos[thing.bodyid], snapshot.xmat[thing.bodyid])
            pin = IKTarget("body", thing.bodyid, thing.point, (1.0, 0.0, 0.0, 0.0) if keeps_orientation else None, tuple(local.tolist()))
            left += (self._where_it_is(pin, snapshot),)
        session.pins = left
        self._again()

    def _where_it_is(self, pin: IKTarget, snapshot) -> IKTarget:
        """A pin that keeps what is so now: the run may have gone on since it was set."""
        quat = tuple(rotation.from_matrix(self._frame(pin, snapshot)[1]).tolist()) if pin.quat is not None else None
        return replace(pin, pos=tuple(self._point_of(pin, snapshot).tolist()), quat=quat)

    def _clear_pins(self) -> None:
        if self.session is not None:
            self.session.pins = ()
            self._again()

    def _again(self) -> None:
        """Solve once more, as something else holds now."""
        if self._grabbed is not None and not self._pulls:
            self.session.want(self._grabbed)
        self._changed()

    # ------------------------------------------------------------------ changes from outside

    def _setting_changed(self, name: str) -> None:
        if name.startswith("pose/") and self.session is not None:
            self.session.options = options_of(self._context.settings)
            self._again()

    def _model_changed(self, model) -> None:
        """Pins are of the Model that ran: another has other bodies."""
        self._drop()
        self._asking = False
        if self.session is not None:
            self.session.close()
        self.session = PosingSession(model, self._context.runner.latest, options_of(self._context.settings)) if model is not None else None

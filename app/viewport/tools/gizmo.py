"""Move, Rotate, Scale: what is selected is dragged by handles over the picture, and the text follows.

    handle        drag it; X, Y, Z keep to an axis, digits set the value, Tab the next axis, Return ends, Esc or the right button takes it back, Ctrl snaps
    G, R, S       the same from where the pointer is, without a button; a click ends it
    Alt           of a copy that a replicate makes: the spacing of the copies is dragged by it
    elsewhere     the camera, clicks and the mouse's spring, as without the tool
"""
from __future__ import annotations

import time
from collections.abc import Callable
from types import MappingProxyType

import numpy as np
from PyQt6.QtCore import QEvent, QPointF, Qt, QTimer
from PyQt6.QtGui import QPainter

from app.context import AppContext
from app.controllers.view import ViewController
from app.viewport.input import WHEEL_UNITS_PER_CLICK
from app.viewport.tools.gizmo_painter import paint_handles
from app.viewport.tools.gizmo_strip import ORIENTATION, SNAP, SNAP_TO, GizmoStrip
from app.viewport.tools.moved_states import FloatingPoses, MovedStates
from app.viewport.tools.own_camera import own_forward, own_handle
from app.viewport.tools.running_drag import Running, paint_drag
from app.viewport.tools.selected_subjects import SelectedSubjects, Subjects
from editor.copies import banner
from editor.edits.patch import Edit
from editor.tools import rigid
from editor.tools.chosen import ITSELF, SPACING_AIM
from editor.tools.drag import Drag, Motion, Snap
from editor.tools.edits import edit_of
from editor.tools.element_trees import ElementTrees
from editor.tools.gizmo import LOCAL, MOVE, ROTATE, SCALE, Gizmo
from editor.tools.handles import Handle, nearest, point_handle
from editor.tools.rays import Pointer, pixel_length
from editor.tools.subject import Moment, Subject
from editor.tools.surface import rows_of, surface_under
from render.scene.camera import FIXED, View, project

PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
KEYS = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
LEAVES = (QEvent.Type.FocusOut, QEvent.Type.WindowDeactivate, QEvent.Type.Hide)
SOON_MS = 12        # between two motions that are shown
COUNTS = ("nbody", "njnt", "ngeom", "nsite", "ncam", "nlight", "ntendon")
LEAST = 3.0         # logical pixels: less is a click
MODIFIERS = MappingProxyType({Qt.Key.Key_Control: Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_Shift: Qt.KeyboardModifier.ShiftModifier})
MODE_KEYS = MappingProxyType({Qt.Key.Key_G: MOVE, Qt.Key.Key_R: ROTATE, Qt.Key.Key_S: SCALE})
AXIS_KEYS = MappingProxyType({Qt.Key.Key_X: 0, Qt.Key.Key_Y: 1, Qt.Key.Key_Z: 2})
OUTSIDE = "It lies outside of the picture: Frame selected (.) brings it into sight"
LABELS = MappingProxyType({"rigid": "Move", "point": "Move", "sizes": "Resize", "factor": "Resize", "ends": "Move end of", "range": "Range of"})


class GizmoTool:
    """The tool while it is chosen, in a mode. viewport: the view; session: app.session.Session; status(text): the line in the status bar; chosen(mode): another mode is."""

    cursor = Qt.CursorShape.ArrowCursor
    done = False

    def __init__(self, mode: str, context: AppContext, control: ViewController, viewport, session, document_selection,
                 status: Callable[[str], None], chosen: Callable[[str], None], moved_states: MovedStates):
        self._context, self._control, self._viewport, self._session = context, control, viewport, session
        self._status, self._chosen, self._document_selection, self.mode, self._moved_states = status, chosen, document_selection, mode, moved_states
        self.selected = SelectedSubjects(context, session, document_selection)
        self.running: Running | None = None
        self.hovered: Handle | None = None
        self._at: QPointF | None = None     # where the pointer is
        self._swallows = False              # the rest of a press that was taken back
        self._wants_face = False
        self._aim = ITSELF      # what of the selection is dragged, where there is that of it
        self._by_copy = False   # Alt is held
        self._last, self._took_ms = 0.0, 0.0        # when the last motion was shown [s], and for how long
        self._later = QTimer(viewport)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._move_on)
        self.strip = GizmoStrip(viewport, context.settings)
        self.strip.mode_chosen.connect(self.choose)
        self.strip.face_wanted.connect(self._want_face)
        self.strip.aim_chosen.connect(self._choose_aim)
        self.strip.show_mode(mode)
        viewport.painted.connect(self._painted)
        context.settings.changed.connect(self._setting_changed)
        session.document_opened.connect(self._other_document)

    # ------------------------------------------------------------------ the tool

    def choose(self, mode: str) -> None:
        """Another of the three modes."""
        if self.running is None and mode != self.mode:
            self.mode, self.hovered = mode, None
            self.strip.show_mode(mode)
            self._chosen(mode)
        self._viewport.host.update()

    def event(self, event: QEvent) -> bool:
        """Grab, drag, type; what is not for the tool goes to the camera, the selection and the mouse's spring."""
        kind = event.type()
        if kind in KEYS:
            return self._key(event)
        if kind == QEvent.Type.KeyRelease:
            self._let_go_of(event.key())
            return False
        if kind in PRESSES:
            return self._press(event)
        if kind == QEvent.Type.MouseMove:
            return self._move(event)
        if kind == QEvent.Type.MouseButtonRelease:
            return self._release(event)
        if kind == QEvent.Type.Wheel:
            return self._wheeled(event)
        if kind in LEAVES:      # Alt is let go of elsewhere
            self._cancel()
            self._let_go_of(Qt.Key.Key_Alt)
        if kind == QEvent.Type.Leave and self.running is None:
            self._hover(None)
        return False

    def escape(self) -> bool:
        """Take the drag back; False where there is none."""
        if self._wants_face:
            self._want_face(False)
            return True
        if self.running is None:
            return False
        self._cancel()
        return True

    def end(self) -> None:
        """The tool is no longer chosen."""
        self._cancel()
        self._later.stop()
        self.selected.end()
        self._viewport.painted.disconnect(self._painted)
        self._context.settings.changed.disconnect(self._setting_changed)
        self._session.document_opened.disconnect(self._other_document)
        self._status("")
        self.strip.end()
        self._later.deleteLater()

    def paint(self, painter: QPainter, snapshot, view: View) -> None:
        """Handles where things are in the picture that is seen, and the numbers of the drag."""
        size, running = self._size(), self.running
        if running is not None:
            gizmo = self._gizmo(Subjects(running.shown or running.subjects, running.drag.gizmo.points))
            gizmo.moved = running.carried
            paint_drag(painter, running, gizmo, running.moment if running.paused and gizmo.moved is not None else Moment(snapshot.model, snapshot), view, size, self.strip.area)
            return
        found = self._subjects(snapshot)
        gizmo = self._gizmo(found)
        handles = gizmo.handles(Moment(snapshot.model, snapshot), view, size) if gizmo is not None else []
        paint_handles(painter, [] if self._own_view(gizmo) else handles, view, size, self.hovered.what if self.hovered is not None else None)
        self._tell(found, gizmo, bool(handles) and not self._own_view(gizmo) and not _seen(gizmo.frame(Moment(snapshot.model, snapshot))[:3, 3], view, size))

    def _tell(self, found: Subjects, gizmo: Gizmo | None, outside: bool) -> None:
        """Why nothing, or not all, can be grabbed; that copies and other files change too. outside: the handles lie beside what is seen."""
        lines = [found.refusal] if found.refusal else []
        if outside:
            lines.append(OUTSIDE)
        self.strip.show_aims(found.aims, self._aim_of(found))
        if gizmo is not None and gizmo.refusal:
            lines.append(gizmo.refusal)
        if self._wants_face:
            lines = ["Click a face: its normal becomes the axis (Esc: not)"]
        elif gizmo is not None:
            lines += filter(None, self._also_changed(gizmo.active))
        elif not lines:
            lines = ["Select what is to be moved"]
        self.strip.say(". ".join(lines))
        self.strip.show_only(self.strip.face, gizmo is not None and len(gizmo.subjects) == 1 and gizmo.active.kind == "joint" and gizmo.mode != SCALE)

    def _also_changed(self, subject: Subject) -> tuple[str, ...]:
        """What a drag changes beyond what is seen: of a part that of the element in which it is written."""
        if subject.part is None and subject.element.id in self._document_selection.ids:
            return (self._document_selection.banner(),)
        note = subject.part.note(subject) if subject.part is not None else ""
        good = self._session.document.last_good.good    # while a text is no XML as it was before
        return note, banner(good, subject.element.id, self._context.model.links) if good is not None else ""

    # ------------------------------------------------------------------ what there is

    def _size(self) -> tuple[int, int]:
        return max(1, self._viewport.host.width()), max(1, self._viewport.host.height())

    def _subjects(self, snapshot) -> Subjects:
        """Those of the selection, for a picture of a snapshot: also of the Model before the present one, where that has as much of everything."""
        found, m = self.selected.now(self.mode), self._context.model
        if (aim := self._aim_of(found)) != ITSELF:
            found = self.selected.now(self.mode, aim)
        return found if m is not None and snapshot is not None and _alike(snapshot.model, m) else Subjects()

    def _aim_of(self, found: Subjects) -> str:
        """What of the selection is dragged."""
        wanted = SPACING_AIM if self._by_copy else self._aim
        return wanted if wanted in found.aims else ITSELF

    def _choose_aim(self, aim: str) -> None:
        if self.running is None:
            self._aim, self.hovered = aim, None
        self._viewport.host.update()

    def _hold_by_copy(self, on: bool) -> None:
        if self.running is None and on != self._by_copy:
            self._by_copy = on
            self._viewport.host.update()

    def _gizmo(self, found: Subjects) -> Gizmo | None:
        return Gizmo(self.mode, found.subjects, self._context.settings.get(ORIENTATION), found.points) if found.subjects else None

    def _picture(self):
        picture = self._viewport.picture
        return picture if picture is not None and picture.snapshot is not None and picture.view is not None else None

    def _pointer(self, at: QPointF) -> Pointer | None:
        picture = self._picture()
        return Pointer(picture.view, self._size(), at.x(), at.y()) if picture is not None else None

    def _under(self, at: QPointF) -> tuple[Gizmo | None, Handle | None, Moment | None]:
        """The gizmo and its handle at a point of the view, at the moment that is seen."""
        picture = self._picture()
        gizmo = self._gizmo(self._subjects(picture.snapshot)) if picture is not None else None
        if gizmo is None:
            return None, None, None
        moment = Moment(picture.snapshot.model, picture.snapshot)
        if self._own_view(gizmo):
            return gizmo, own_handle(gizmo, moment, picture.view, self._size()), moment
        return gizmo, nearest(gizmo.handles(moment, picture.view, self._size()), picture.view, self._size(), at.x(), at.y()), moment

    def _own_view(self, gizmo: Gizmo | None) -> bool:
        """Whether the picture is that of the camera which is selected."""
        camera = self._control.camera
        return gizmo is not None and len(gizmo.subjects) == 1 and gizmo.active.kind == "camera" and camera.kind == FIXED and camera.fixedcamid == gizmo.active.number

    # ------------------------------------------------------------------ events

    def _press(self, event) -> bool:
        at, left = event.position(), event.button() == Qt.MouseButton.LeftButton
        if self.running is not None:
            if left:
                self._finish()
            else:
                self._cancel()
            self._swallows = True
            return True
        if not left or self._viewport.covered(at.x(), at.y()):
            return False
        self._hold_by_copy(bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))
        if self._wants_face:
            self._take_face(at)
            self._swallows = True
            return True
        gizmo, handle, moment = self._under(at)
        if handle is None:
            return False
        self._viewport.host.setFocus(Qt.FocusReason.MouseFocusReason)
        return self._begin(gizmo, handle, moment, at, event.modifiers(), button=True)

    def _move(self, event) -> bool:
        self._at = event.position()
        if self.running is not None:
            self.running.moved |= (event.position() - self.running.at).manhattanLength() >= LEAST
            if self.running.moved:
                self.running.at, self.running.keys = event.position(), event.modifiers()
                self._soon()
            return True
        if self._swallows:
            return True
        if event.buttons() == Qt.MouseButton.NoButton:
            self._hold_by_copy(bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))
            handle = None if self._viewport.covered(self._at.x(), self._at.y()) else self._under(self._at)[1]
            self._hover(handle if handle is not None and handle.what[0] not in ("look", "slide") else None)
        return False

    def _release(self, event) -> bool:
        if self.running is not None and self.running.button and event.button() == Qt.MouseButton.LeftButton:
            if self.running.moved and not self.running.drag.typed.any:
                self.running.at, self.running.keys = event.position(), event.modifiers()
            self._finish()
            return True
        if self._swallows:
            self._swallows = event.buttons() != Qt.MouseButton.NoButton
            return True
        return self.running is not None

    def _wheeled(self, event) -> bool:
        if self.running is not None:
            return True
        picture = self._picture()
        gizmo = self._gizmo(self._subjects(picture.snapshot)) if picture is not None else None
        if not self._own_view(gizmo):
            return False
        clicks = event.angleDelta().y() / WHEEL_UNITS_PER_CLICK
        self._write(lambda: own_forward(gizmo, Moment(picture.snapshot.model, picture.snapshot), clicks))
        return True

    def _write(self, make: Callable[[], Edit]) -> None:
        """What is done at once; where it cannot be written, the view says why."""
        try:
            edit = make()
            if edit.patches:
                self._session.edit(edit)
        except ValueError as problem:
            self._status(str(problem))

    def _key(self, event) -> bool:
        key, keys, pressed = event.key(), event.modifiers(), event.type() == QEvent.Type.KeyPress
        if self.running is None:
            mode = MODE_KEYS.get(key)
            if key == Qt.Key.Key_Alt and pressed:
                self._hold_by_copy(True)
            if mode is None or keys != Qt.KeyboardModifier.NoModifier:
                return False
            event.accept()      # before G, R and S mean something else
            if pressed and not event.isAutoRepeat():
                self._begin_free(mode)
            return True
        if key in MODIFIERS:
            if pressed:
                self._hold(keys | MODIFIERS[key])
            return False
        event.accept()
        if pressed:
            self._typed(key, event.text(), bool(keys & Qt.KeyboardModifier.ShiftModifier))
        return True

    def _let_go_of(self, key: int) -> None:
        """Of a key that turns snapping round, or has the spacing dragged."""
        if key == Qt.Key.Key_Alt and self._by_copy:
            self._by_copy = False       # a drag that is under way goes on
            self._viewport.host.update()
        elif key in MODIFIERS and self.running is not None:
            self._hold(self.running.keys & ~MODIFIERS[key])

    def _hold(self, keys: Qt.KeyboardModifier) -> None:
        """These keys are held from now on, wherever the pointer rests."""
        running = self.running
        if keys != running.keys:
            running.keys = keys
            if running.moved:
                self._move_on()

    def _typed(self, key: int, text: str, shift: bool) -> None:
        drag = self.running.drag
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._swallows = self.running.button
            self._finish()
            return
        if (axis := AXIS_KEYS.get(key)) is not None:
            drag.constrain(axis, shift)
        elif key == Qt.Key.Key_Backspace:
            drag.typed.backspace()
        elif key == Qt.Key.Key_Tab:
            drag.typed.next()
        elif not drag.typed.letter("." if text == "," else text):
            return
        self.running.moved = True
        self._move_on()

    # ------------------------------------------------------------------ a drag

    def _begin_free(self, mode: str) -> None:
        """A drag without a button, from where the pointer is."""
        self.choose(mode)
        picture = self._picture()
        if self._at is None or picture is None:
            return
        gizmo = self._gizmo(self._subjects(picture.snapshot))
        moment = Moment(picture.snapshot.model, picture.snapshot)
        if gizmo is None or not any(one.what for one in gizmo.handles(moment, picture.view, self._size())):
            return
        if self._own_view(gizmo):
            handle = own_handle(gizmo, moment, picture.view, self._size())
        elif mode == ROTATE:
            handle = Handle(("turn view",), "line", np.zeros((1, 3)), "view")
        else:
            handle = point_handle(("view",) if mode == MOVE else ("all sizes",), gizmo.frame(moment)[:3, 3], "")
        if handle is not None:
            self._begin(gizmo, handle, moment, self._at, Qt.KeyboardModifier.NoModifier, button=False)

    def _begin(self, gizmo: Gizmo, handle: Handle, moment: Moment, at: QPointF, keys: Qt.KeyboardModifier, button: bool) -> bool:
        paused = not moment.d.running
        for one in gizmo.subjects:
            moment.base(one)        # as long as nothing moves the beginning is what counts: the picture follows the drag
        drag, subjects = Drag(gizmo, handle, self._pointer(at), moment), tuple(gizmo.subjects)
        start = FloatingPoses.of(subjects, subjects, Motion("rigid"), moment)
        self.running = Running(drag, self._session.gesture(), subjects, moment, at, button, keys, start, paused=paused, aim=self._aim_of(self.selected.now(gizmo.mode)))
        self._hover(None)
        self._viewport.host.update()
        return True

    def _soon(self) -> None:
        """Show the newest motion, at the pace of pictures at most; one that takes long, as of very many elements, leaves as much time to all else."""
        wait = max(SOON_MS, 2 * self._took_ms) - 1000 * (time.perf_counter() - self._last)
        if wait <= 0:
            self._move_on()
        elif not self._later.isActive():
            self._later.start(max(1, round(wait)))

    def _painted(self, _picture) -> None:
        """While the model runs what is grabbed stays under the pointer."""
        if self.running is not None and self.running.moved and not self.running.paused:
            self._soon()

    def _moment(self, running: Running) -> Moment:
        """While a drag moves all that is seen of what it drags that is the one of its beginning."""
        picture, m = self._picture(), running.moment.m
        held = running.paused or all(one.kind == "body" and m.body_mocapid[one.number] >= 0 for one in running.subjects)
        return running.moment if held or picture is None else Moment(picture.snapshot.model, picture.snapshot)

    def _move_on(self) -> None:
        running = self.running
        if running is None:
            return
        self._last = time.perf_counter()
        if running.gesture.ended:       # something else has changed the texts meanwhile
            self._cancel()
            return
        picture, moment = self._picture(), self._moment(running)
        if picture is None or not _alike(picture.snapshot.model, running.moment.m):
            self._cancel()
            return
        motion = running.drag.motion(self._pointer(running.at), moment, self._snap(running, picture))
        running.motion = motion
        try:
            edit = edit_of(self._label(running, motion), running.subjects, motion, moment)
            if edit.patches or running.gesture.shown is not None:
                if running.gesture.shown is None or running.gesture.shown.patches != edit.patches:
                    self._session.show(running.gesture, edit if edit.patches else None)
            running.problem = ""
        except ValueError as problem:
            running.problem = str(problem)
        running.follow(ElementTrees(self._session.document))
        self._place(running, motion)
        self._status("  ".join(motion.texts))
        self._viewport.host.update()
        self._took_ms = 1000 * (time.perf_counter() - self._last)

    def _label(self, running: Running, motion: Motion) -> str:
        one, count = running.subjects[motion.values[0]] if motion.kind == "point" else running.drag.gizmo.active, len(running.subjects)
        verb = "Turn" if running.drag.turns or running.drag.what[0] in ("aim", "look") else LABELS[motion.kind]
        return f"{verb} {one.label}" if count == 1 or motion.kind == "point" else f"{verb} {count} elements"

    def _place(self, running: Running, motion: Motion) -> None:
        """Of bodies that float the state follows too, so that it is seen."""
        if motion.kind in ("rigid", "point"):
            running.states = FloatingPoses.of(running.subjects, running.shown, motion, running.moment)
            running.states.send(self._context, running.paused)

    def _snap(self, running: Running, picture) -> Snap:
        settings, keys = self._context.settings, running.keys
        on = settings.get(SNAP) != bool(keys & Qt.KeyboardModifier.ControlModifier)
        if not on:
            return Snap()
        bodies, geoms, sites = self._carried(picture.snapshot.model, running.subjects)
        rows = rows_of(picture.scene, bodies, geoms, sites)
        drawn = running.pivot(running.moment if running.carried is not None and running.paused else Moment(picture.snapshot.model, picture.snapshot))
        return Snap(True, settings.get(SNAP_TO), bool(keys & Qt.KeyboardModifier.ShiftModifier), picture.scene, rows, drawn)

    @staticmethod
    def _carried(m, subjects) -> tuple[set[int], list[int], list[int]]:
        """Bodies, geoms and sites that are dragged: of a body all below it."""
        things = [(one.kind, one.number) for one in subjects] + [thing for one in subjects if one.part is not None for thing in one.part.things(one, m)]
        bodies = {number for kind, number in things if kind == "body"}
        for body in range(1, m.nbody):
            if int(m.body_parentid[body]) in bodies:
                bodies.add(body)
        return bodies, [number for kind, number in things if kind == "geom"], [number for kind, number in things if kind == "site"]

    def _finish(self) -> None:
        """Keep what is shown: one entry of the history."""
        if self.running is None:
            return
        self._later.stop()
        if self.running.moved:
            self._move_on()
        running, self.running = self.running, None
        if running is None:
            return
        if not running.gesture.ended:
            self._session.end(running.gesture)
            if running.gesture.shown is not None and running.states is not None:
                self._moved_states.note(running.gesture.shown, running.start, running.states)
        kept = list(running.shown or running.subjects)
        if running.drag.handle.what[0] == "point":      # it has the arrows from now on
            kept.append(kept.pop(running.drag.handle.what[1]))
        self.selected.keep(kept, running.drag.gizmo.mode, running.aim)
        self._over()

    def _cancel(self) -> None:
        """As it was before the drag."""
        if self.running is None:
            return
        self._later.stop()
        running, self.running = self.running, None
        if not running.gesture.ended:
            self._session.cancel(running.gesture)
        self.selected.keep(running.subjects, running.drag.gizmo.mode, running.aim)
        if running.states is not None:
            running.start.send(self._context, running.paused)
        self._swallows = running.button
        self._over()

    def _over(self) -> None:
        self._status("")
        self._viewport.refresh()
        self._viewport.host.update()

    # ------------------------------------------------------------------ the rest

    def _hover(self, handle: Handle | None) -> None:
        before = self.hovered.what if self.hovered is not None else None
        self.hovered = handle
        if before != (handle.what if handle is not None else None):
            self._status(handle.text if handle is not None else "")
            self._viewport.host.update()

    def _want_face(self, on: bool = True) -> None:
        self._wants_face = bool(on) if isinstance(on, bool) else True
        self._viewport.host.update()

    def _take_face(self, at: QPointF) -> None:
        """The axis of the selected joint is the normal of what is clicked."""
        self._wants_face = False
        picture, pointer = self._picture(), self._pointer(at)
        gizmo = self._gizmo(self._subjects(picture.snapshot)) if picture is not None else None
        surface = surface_under(pointer, picture.scene) if gizmo is not None else None
        if surface is None or gizmo.active.kind != "joint":
            return
        moment = Moment(picture.snapshot.model, picture.snapshot)
        frame = Gizmo(ROTATE, gizmo.subjects, LOCAL).frame(moment)
        turn = rigid.about(frame[:3, 3], rigid.smallest_turn(frame[:3, 2], surface.normal))
        motion = Motion("rigid", turn, exact=True, step=pixel_length(pointer.view, pointer.size, frame[:3, 3]))
        self._write(lambda: edit_of(f"Axis of {gizmo.active.label} from a face", gizmo.subjects, motion, moment))

    def _setting_changed(self, name: str) -> None:
        if name.startswith("gizmo/"):
            self._viewport.host.update()

    def _other_document(self) -> None:
        if self.running is not None:    # its texts are gone
            self.running = None
            self._over()


def _seen(point: np.ndarray, view: View, size: tuple[float, float]) -> bool:
    """Whether a point (3,) of the world lies within the picture."""
    where, depth = project(view, point[None], size)
    return bool(depth[0] > view.near and (where[0] >= 0).all() and (where[0] <= size).all())


def _alike(a, b) -> bool:
    """Whether two Models have as many elements of each kind: what an edit of numbers leaves."""
    return a is b or all(getattr(a, name) == getattr(b, name) for name in COUNTS)

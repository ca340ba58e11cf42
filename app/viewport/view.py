"""The 3D view: has the newest snapshot drawn through the chosen camera and hands the mouse to the camera, the selection or the held body.

A picture is asked for, at most at the pace of the graphics driver, when something changed and the last one is there (picture.py says what it is made of).
"""
import time
from collections.abc import Callable, Generator

import moderngl
import numpy as np
from PyQt6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QImage, QMouseEvent, QNativeGestureEvent, QPainter, QWheelEvent
from PyQt6.QtWidgets import QVBoxLayout, QWidget

from app.bridge.kinds import seen_elements
from app.bridge.options import VisOptions, hidden_note
from app.context import AppContext
from app.controllers.view import ViewController
from app.viewport import camera_control
from app.viewport.hosts import make_host
from app.viewport.hover import Hover
from app.viewport.input import WHEEL_UNITS_PER_CLICK, Button, Pointer, buttons_of, pointer_of
from app.viewport.inset_pictures import ALL, OLD, TURN
from app.viewport.insets import Insets
from app.viewport.overlay import Overlay
from app.viewport.perturb_control import PerturbControl
from app.viewport.picture import Picture, PictureDrawer
from app.viewport.tools import Tools
from app.viewport.tools.box_select import BoxSelect
from app.viewport.view_cube import ViewCube
from physics.runtime.snapshot import Snapshot
from render.pace import Pace
from render.quality import QUALITIES, Quality, choose
from render.renderer import Renderer
from render.scene import identity, picking, shapes
from render.scene.camera import CameraState, cropped, pixel_ray, project

FPS_WINDOW = 0.5
FPS_SPARING = 15   # pictures a second of software GL while kernels are compiled beside it
EARLY = 0.75       # share of a picture that is drawn: until then it is given up for one with what the user has just set, from then on that comes next
BEHIND = 0.1       # s after the last picture was asked for from which on insets that are older than it have one of their own
MOST_PROGRAMS = 20   # with which software GL draws another model: a program takes 3 MB and more, for code is made for each state that something is drawn in


class Viewport(QWidget):
    """The central widget. `frame` is called at the pace of the pictures, `interval` ms apart. picture: the one that is seen, None before the first.

    Signals: pace_changed(interval) when the driver allows another pace; frame_due(): a picture that took longer than the interval, or that what the user has set waited for, is
    here, `frame` may be called at once; painted(picture): it was painted for the first time; context_begins(): there is a new GL context, what lived in an older one is gone;
    context_ends(): it is current for the last time.
    """

    pace_changed = pyqtSignal(int)
    frame_due = pyqtSignal()
    painted = pyqtSignal(object)
    context_begins, context_ends = pyqtSignal(), pyqtSignal()

    def __init__(self, context: AppContext, view_control: ViewController, overlay: Overlay):
        super().__init__()
        self._context = context
        self._control = view_control
        self._overlay = overlay
        self._perturb = PerturbControl(context.runner.send, context.runner.latest)
        self._drawer = PictureDrawer(context.runner)
        self.picture: Picture | None = None
        self._quality: Quality | None = None
        self._spares = False
        self._last_position: tuple[float, float] | None = None
        self._frames, self._frames_since = 0, time.perf_counter()
        self._shown_first = False
        self._dirty = True
        self._fresh = False          # a picture is seen that was not painted yet
        self._began = 0.0            # when the last one was asked for
        self._pace = Pace()
        self._resting = False        # the picture under way is a finer one of what is seen already
        self._catching_up = False    # or one for insets that are older than it
        self._hurried = False        # the last one was given up for what the user has set
        self._due = False            # the next one is to be begun as soon as that is painted
        self._next = QTimer(self)    # then: in a turn of its own, and not when the view goes in that one
        self._next.setSingleShot(True)
        self._next.setInterval(0)
        self._next.timeout.connect(self.frame_due)
        self._awaited = False        # the one under way is too far for that: the next one begins at once
        self.contexts = 0            # GL contexts so far: what was made for an older one is gone
        self._plain = False          # without the overlay
        self._opened: list[str] = []   # the file of the Model that is shown
        self._added: tuple = (context.markers.now(), context.ghosts)    # what the last picture was asked for with
        self.frame_times: list[float] | None = None   # a benchmark puts a list here
        self.interval = 16   # ms between pictures, until the renderer's quality says otherwise
        self.insets = Insets(context, self, view_control)
        self.hover = Hover(context, self, overlay, self.insets)
        self.tools, self.cube = Tools(self), ViewCube(context, view_control, self)
        self.hover.taker = self.tools.clicked
        self.painters: list[Callable] = []      # of further drawings over the picture: (painter, width, height, Snapshot that is seen, View)
        self.cube.changed.connect(self.refresh)
        self.dragged: Callable[[], bool] = lambda: False       # whether what changes follows a hand: a value or a gizmo is dragged
        self.tools.make["box select"] = lambda: BoxSelect(self.select_in)
        self.tools.make["pose"] = self._pose_tool
        self.tools.changed.connect(self._tool_changed)
        self.insets.changed.connect(self.refresh)
        self.insets.clicked.connect(self.hover.click)
        self.host = make_host(self, self)
        self.host.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.tools.begun.connect(self.host.setFocus)
        self.host.setMouseTracking(True)
        self.host.installEventFilter(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.host)
        self.setMinimumSize(160, 120)
        context.options_changed.connect(self.refresh)
        context.selection_changed.connect(lambda _selection: self.refresh())
        context.camera_moved.connect(self.refresh)
        context.model_changed.connect(self._model_changed)
        context.settings.changed.connect(self._setting_changed)

    # ------------------------------------------------------------------ drawing (called by the host)

    def start(self, ctx: moderngl.Context) -> None:
        """A GL context is there: make the renderer for it."""
        self.contexts += 1
        wanted = self._context.settings.get("view/quality")
        self._quality = QUALITIES.get(wanted) or choose(ctx.info["GL_RENDERER"])
        self._choose_pace()
        renderer = self._drawer.start(ctx, self._quality)
        self.hover.start(renderer)
        self.context_begins.emit()
        self.refresh()

    def stop(self) -> None:
        """The GL context is about to go: free what is in it."""
        if self._drawer.renderer is not None:
            self.hover.stop()
            self.context_ends.emit()
            self._drawer.stop()

    def capture(self) -> Picture:
        """What a picture that is asked for now is to show."""
        context, snapshot = self._context, self._context.snapshot
        self._began, self._awaited = time.perf_counter(), False
        sheet = self._drawer.sheet(self.picture)
        if snapshot is not None:
            self._control.view(snapshot)    # a tracking camera follows
        insets = self.insets.captured(snapshot.model) if snapshot is not None else []
        state = context.with_added(context.view_state)
        self._added = state.markers, state.ghosts
        return Picture(sheet, None if snapshot is None else snapshot.generation, context.options.copy(), state, self._control.camera, insets,
                       self._size()[0], self._level(), context.prepared, ALL if self._resting else OLD if self._catching_up else TURN)

    def draw(self, picture: Picture, framebuffer: moderngl.Framebuffer, width: int, height: int) -> Generator[None, None, bool]:
        """Draw into the framebuffer, in steps; not in the GUI thread, where the host has another."""
        return self._drawer.draw(picture, framebuffer, width, height)

    def shown(self, picture: Picture | None) -> None:
        """This picture is seen from now on; None: it was left away."""
        if picture is None:
            self._pace.given_up(time.perf_counter())
            self.refresh()
        else:
            self.picture, self._fresh, self._hurried = picture, True, False
            self._pace.done(picture.level, picture.seconds, time.perf_counter())
            prepared = picture.prepared
            if prepared is not None and prepared is self._context.prepared and picture.snapshot is not None and prepared.model is picture.snapshot.model:
                self._context.prepared = None   # the Model that it was made for is drawn by now
            self.insets.shown(picture.insets)
            self.hover.shown(picture)
        if self.host.aside and (self._hurried or self._awaited or time.perf_counter() - self._began >= 0.001 * self.interval):
            if picture is None or not self.host.isVisible():
                self.frame_due.emit()
            else:
                self._due = True    # when this one is painted: beside the next one that would take three times as long

    def overlay(self, painter: QPainter) -> None:
        """Draw the texts on top."""
        if self._plain:
            return
        picture, snapshot = self.picture, self._context.snapshot
        there = picture is not None and picture.snapshot is not None and snapshot is not None
        self._overlay.legend = picture.scene.legend if there else []
        self._overlay.covered = [inset.rect for inset in picture.insets] if there else []
        if self.cube.area is not None:
            self._overlay.covered.append(self.cube.area)
        self._overlay.paint(painter, *self._size(), snapshot, picture.scene.labels if there else None, picture.view if there else None)
        if there:
            for paint in self.painters:
                paint(painter, *self._size(), picture.snapshot, picture.view)
            self.insets.paint(painter)
            self.cube.note = hidden_note(self._context.options)
            self.cube.paint(painter, *self._size(), picture.view, 48.0 if self._overlay.recording else 10.0)
            self.tools.paint(painter, picture.snapshot, picture.view)
            if self._overlay.labels.unfinished and not snapshot.running:    # there is no other picture soon
                self.host.update()
        self._count_frame(snapshot)

    def small_picture(self, snapshot: Snapshot, options: VisOptions, camera: CameraState, size: tuple[int, int]) -> np.ndarray | None:
        """Pixels of another state of the model, for a job of the host (`host.run`)."""
        return self._drawer.small(snapshot, options, camera, size)

    def _pose_tool(self):
        from app.viewport.tools.pose import PoseTool    # at the start every import counts

        return PoseTool(self._context, self._control, self.host, self, self.hover, self.covered, self.tools.changed.emit)

    @property
    def renderer(self) -> Renderer | None:
        """What draws, None without a context."""
        return self._drawer.renderer

    @property
    def pictures_per_second(self) -> float:
        """How many pictures of the last half second were drawn."""
        return self._overlay.frames_per_second

    def _count_frame(self, snapshot) -> None:
        if not self._fresh:       # the last picture once more
            return
        self._fresh = False
        if self._due:
            self._due = False
            self._next.start()
        now = time.perf_counter()
        self._frames += 1
        if self.frame_times is not None:
            self.frame_times.append(now)
        if now - self._frames_since >= FPS_WINDOW:
            self._overlay.frames_per_second = self._frames / (now - self._frames_since)
            self._frames, self._frames_since = 0, now
        self.painted.emit(self.picture)
        if (snapshot is not None or self._overlay.problem) and not self._shown_first:
            self._shown_first = True
            QTimer.singleShot(0, self._context.first_frame)

    def _model_changed(self, model) -> None:
        opened = list(model.source[:1])
        if opened != self._opened:      # another file, not an edit of it
            self._opened = opened
            self._pace.forget()
            if self.renderer is not None and self._quality.software and len(self.renderer.programs) > MOST_PROGRAMS:
                self.host.restart(at_once=False)
        self._perturb.follow(self._context.selection.bodyid)
        self.refresh()

    # ------------------------------------------------------------------ pace

    def spare(self, on: bool) -> None:
        """Leave the processor to others while this is on: where it draws the pictures itself, fewer of them, evenly."""
        self._spares = on
        self._choose_pace()

    def _setting_changed(self, name: str) -> None:
        """What the user has chosen in the settings holds at once."""
        if name == "view/quality":
            self.host.restart()
        elif name == "view/frame_cap":
            self._choose_pace()
        elif name == "view/adaptive":
            self._pace.forget()
            self.refresh()

    def _choose_pace(self) -> None:
        if self._quality is None:
            return
        cap = self._context.settings.get("view/frame_cap") or self._quality.fps
        if self._spares and self._quality.software:
            cap = min(cap, FPS_SPARING)
        interval = max(1, round(1000 / cap))
        self._pace.interval = 0.001 * interval
        if interval != self.interval:
            self.interval = interval
            self.pace_changed.emit(interval)

    def refresh(self) -> None:
        """Something that is drawn has changed."""
        self._dirty = True

    def model_fields_changed(self, names: tuple[str, ...]) -> None:
        """Fields of the Model that are too large to be compared before each picture were written."""
        self._drawer.written.append(names)
        self.refresh()

    def frame(self, newer: bool, prompt: bool = False) -> None:
        """The time for a picture has come. newer: there is another snapshot than at the last frame; prompt: it is the first with what the user has just set."""
        snapshot = self._context.snapshot
        if snapshot is not None:
            self._dirty |= newer or self._added_changed()
            if not self.host.drawing:
                self.hover.tick()
                self._resting = not self._dirty and self._pace.due(time.perf_counter())
                self._dirty |= self._resting
            elif self._dirty and self._resting:
                self.host.give_up()     # motion goes on: nobody waits for a fine picture of what was
            elif prompt and not self._hurried and self.host.progress < EARLY:
                self._hurried = True    # never twice in a row, or pictures would not come while a slider is dragged
                self.host.give_up()
            elif prompt:
                self._awaited = True
        self._show()

    def _added_changed(self) -> bool:
        """Whether there are other markers or ghosts than were asked for last."""
        markers, ghosts = self._added
        return self._context.markers.now() is not markers or self._context.ghosts is not ghosts

    def _adapts(self) -> bool:
        """Whether pictures may be drawn more coarsely while they change."""
        return self.renderer.calls.unlocked and self._context.settings.get("view/adaptive")

    def _level(self) -> int:
        """How finely the picture that is asked for now is drawn (render/pace.py)."""
        if self._catching_up and self.picture is not None:
            return self.picture.level
        return self._pace.ask(self._began, self.dragged()) if self._adapts() and not self._resting else 0

    def _show(self) -> None:
        """Draw what has changed, unless nobody can see it: then when the window is back."""
        behind = self.insets.deferred and time.perf_counter() - self._began >= BEHIND
        if (self._dirty or behind) and not self.host.drawing and self.host.isVisible() and not self.window().isMinimized():
            self._catching_up, self._dirty = not self._dirty, False
            self.host.ask()

    # ------------------------------------------------------------------ mouse

    def eventFilter(self, watched, event: QEvent) -> bool:
        handler = {
            QEvent.Type.MouseButtonPress: self._pressed, QEvent.Type.MouseMove: self._moved, QEvent.Type.MouseButtonRelease: self._released,
            QEvent.Type.MouseButtonDblClick: self._double_clicked, QEvent.Type.Wheel: self._wheeled, QEvent.Type.NativeGesture: self._gestured,
        }.get(event.type())
        if watched is self.host and (self.tools.event(event) or self.cube.event(event)):
            self.hover.hide()
            return True
        if watched is self.host and not self.insets.event(event):
            self.hover.event(event)
        elif watched is self.host:
            self.hover.hide()
            return True
        if watched is not self.host or handler is None:
            return False
        if event.type() == QEvent.Type.MouseMove and event.buttons() == Qt.MouseButton.NoButton:
            return True     # nothing but the note at the pointer follows
        if self._context.snapshot is not None:
            handler(event)
            self.refresh()
        return True

    def _pointer(self, event: QMouseEvent, last=None, buttons: Button | None = None) -> Pointer:
        return pointer_of(event, *self._size(), last, buttons)

    def _remember(self, event: QMouseEvent) -> None:
        self._last_position = (event.position().x(), event.position().y())

    def _pressed(self, event: QMouseEvent) -> None:
        self.host.setFocus(Qt.FocusReason.MouseFocusReason)
        self._remember(event)
        selection = self._context.selection
        self._perturb.press(self._pointer(event), selection.bodyid, selection.localpos, self._context.snapshot)

    def _moved(self, event: QMouseEvent) -> None:
        pointer = self._pointer(event, self._last_position)
        self._remember(event)
        snapshot = self._context.snapshot
        if self._perturb.perturbation is not None:
            self._perturb.move(pointer, self._control.view(snapshot), self._control.lens(), snapshot)
        elif not pointer.ctrl:
            self._control.move(camera_control.drag(self._control.camera, pointer, self._control.lens(), self._control.extent))

    def _released(self, event: QMouseEvent) -> None:
        self._last_position = None
        self._perturb.release()

    def _wheeled(self, event: QWheelEvent) -> None:
        clicks = event.angleDelta().y() / WHEEL_UNITS_PER_CLICK
        self._control.move(camera_control.wheel(self._control.camera, clicks, self._control.extent))

    def _gestured(self, event: QNativeGestureEvent) -> None:
        """Two fingers on a touchpad (scrolling comes as the wheel)."""
        kind = event.gestureType()
        pinch = event.value() if kind == Qt.NativeGestureType.ZoomNativeGesture else 0.0
        turn = event.value() if kind == Qt.NativeGestureType.RotateNativeGesture else 0.0
        if pinch or turn:
            self._control.move(camera_control.two_fingers(self._control.camera, pinch, turn, self._control.extent))

    def _double_clicked(self, event: QMouseEvent) -> None:
        self._remember(event)
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        pointer = self._pointer(event, buttons=buttons_of(event.button(), alt))
        hit = self.pick(pointer.x, pointer.y)
        if pointer.buttons & Button.LEFT:
            skin = hit.objid if hit and hit.objtype == shapes.OBJ_SKIN else -1
            self._context.select_body(hit.bodyid if hit else 0, self._local(hit), skin)
        elif pointer.buttons & Button.RIGHT and hit:
            if pointer.ctrl and hit.bodyid > 0:
                self._control.track_body(hit.bodyid)
            elif not pointer.ctrl:
                self._control.look_at(hit.point)

    def _size(self) -> tuple[int, int]:
        """Width and height of the view [logical pixels]; 1 where a side has vanished."""
        return max(1, self.host.width()), max(1, self.host.height())

    def pick(self, x: float, y: float):
        """What is seen at a pixel of the view (logical, origin top left): a picking.PickedPoint, or None."""
        picture = self.picture
        if not self._answers(picture):
            return None
        return picking.pick(picture.scene, *pixel_ray(picture.view, x, y, self._size()))

    def _tool_changed(self) -> None:
        tool = self.tools.active
        self.host.setCursor(tool.cursor) if tool is not None else self.host.unsetCursor()
        self.refresh()

    def covered(self, x: float, y: float) -> bool:
        """Whether something lies over the picture there that has the mouse: the cube, another camera's picture."""
        area = self.cube.area
        return area is not None and QRectF(*area).contains(x, y) or self.insets.seen_at(x, y) is not None

    def select_in(self, box: QRectF, add: bool = False, toggle: bool = False) -> None:
        """Select whatever is seen in a rectangle of the view [logical pixels]."""
        picture = self.picture
        if not self._answers(picture):
            return
        box = box.intersected(QRectF(0, 0, *self._size()))
        size = max(1, round(box.width())), max(1, round(box.height()))
        close = cropped(picture.view, self._size(), box.x(), box.y(), box.width(), box.height())

        def seen(_ctx):
            texture = self.renderer.draw_ids(picture.scene, close, size, "box", through=True)
            self.renderer.calls.finish()
            pixels = np.frombuffer(texture.read(), np.float32) if texture is not None else np.zeros(0, np.float32)
            numbers = np.unique(np.rint(pixels[::2]).astype(int)) - 1
            return seen_elements(identity.table(picture.scene), numbers, picture.snapshot)

        def select(elements) -> None:
            if self._answers(picture):
                self._context.select_elements(elements, add=add, toggle=toggle)

        self.host.run(seen, select)

    def _answers(self, picture: Picture | None) -> bool:
        """Whether what is seen in a picture is of the Model that runs."""
        present = self._context.snapshot
        return picture is not None and picture.snapshot is not None and present is not None and picture.generation == present.generation

    def _local(self, hit) -> tuple:
        if not hit:
            return (0.0, 0.0, 0.0)
        snapshot = self.picture.snapshot
        return tuple(picking.to_body(hit.point, snapshot.xpos[hit.bodyid], snapshot.xmat[hit.bodyid]))

    def body_pixel(self, bodyid: int) -> QPointF | None:
        """Where the centre of mass of a body is drawn [logical pixels], or None behind the camera."""
        snapshot = self._context.snapshot
        view = self._control.view(snapshot)
        pixels, depths = project(view, snapshot.xipos[bodyid][None], self._size())
        return QPointF(*pixels[0]) if depths[0] > view.near else None

    def image(self) -> QImage:
        """The view without panels, at its present size in device pixels."""
        self._plain = True   # Qt's OpenGL widget draws anew for this
        try:
            return self.host.grabFramebuffer()
        finally:
            self._plain = False

"""Two ways to get the picture into the window, behind one interface.

`GLHost` draws with Qt's own OpenGL widget: right on a real GPU. `ImageHost` draws into an off-screen EGL framebuffer and shows the pixels
as an image: never slower on software GL, and the only way without a display server's GL. `make_host` asks the
driver for its name and chooses.

A host calls its painter:  `start(ctx)` once per context and `stop()` before that context goes; for each picture

    request = capture()                      what it is to show, settled when it is asked for
    draw(request, framebuffer, w, h)         a generator that pauses after every few milliseconds of work; returns False to leave the last picture (device pixels)
    shown(request)                           it is what is seen from now on; None: it was left away
    overlay(QPainter)                        on top of it, as often as Qt likes (logical pixels)

`GLHost` does all of it in the GUI thread. `ImageHost` draws in a thread of its own, and waits for the driver without the interpreter's lock
(render/gpu/unlocked.py), so that the window answers meanwhile; everything else happens in the GUI thread. Nothing else may use the context while a picture is drawn:
`run(job, then)` has a job done in that thread, `current()` waits for the picture and takes the context into the GUI thread.

A context may go at any time: Qt makes another when the view moves to another window, a driver may lose it. The painter starts anew then;
what it had in a context that is lost without a `stop` must be left alone, for the same numbers may mean other objects by now.
"""
import os
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Protocol

import moderngl
import numpy as np
from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import QColor, QImage, QOpenGLContext, QPainter, QSurfaceFormat
from PyQt6.QtOpenGLWidgets import QOpenGLWidget
from PyQt6.QtWidgets import QWidget

from app.viewport.drawing_thread import DrawingThread
from app.viewport.window_turns import WindowTurns
from render.gpu import context as gl_context
from render.gpu.bins import empty_bins
from render.gpu.unlocked import calls_of, let_driver_give_way
from render.passes.steps import finish
from render.quality import is_software

MOST_PIXELS = 7680 * 4320     # of a picture: with its samples and depths a gigabyte
LONGEST_WAY = 0.03            # s that a picture waits, once, while somebody does what the next one waits for
LOOK = 0.001                  # s between two looks whether he is done
QUIET_MS = 500                # without a picture, after which the driver is to free what it keeps of the last ones
EMPTY = QColor.fromRgbF(0.21, 0.24, 0.29)     # before the first picture


class Painter(Protocol):
    """What a host needs from whoever draws."""

    def start(self, ctx: moderngl.Context) -> None: ...

    def stop(self) -> None: ...

    def capture(self) -> object: ...

    def draw(self, request: object, framebuffer: moderngl.Framebuffer, width: int, height: int) -> Generator[None, None, bool | None]: ...

    def shown(self, request: object) -> None: ...

    def overlay(self, painter: QPainter) -> None: ...


def surface_format(vertical_sync: bool = True) -> QSurfaceFormat:
    """OpenGL 3.3 core; no samples, because the renderer owns its multisampled framebuffer. vertical_sync: show a picture when the screen begins anew."""
    wanted = QSurfaceFormat()
    wanted.setVersion(3, 3)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setDepthBufferSize(24)
    wanted.setSwapInterval(int(vertical_sync))
    return wanted


def picture_size(widget: QWidget, limit: int) -> tuple[int, int]:
    """Device pixels to draw for a widget: at least one, at most `limit` a side and MOST_PIXELS in all; a larger view is drawn smaller and scaled."""
    ratio = widget.devicePixelRatioF()
    width, height = max(1, int(widget.width() * ratio + 0.5)), max(1, int(widget.height() * ratio + 0.5))    # as Qt rounds
    shrink = min(1.0, limit / max(width, height), (MOST_PIXELS / (width * height)) ** 0.5)
    return (width, height) if shrink == 1 else (max(1, int(width * shrink)), max(1, int(height * shrink)))


def side_limit(ctx: moderngl.Context) -> int:
    """Longest side of a picture that a driver draws [pixel]."""
    return min(ctx.info["GL_MAX_TEXTURE_SIZE"], ctx.info["GL_MAX_RENDERBUFFER_SIZE"], *ctx.info["GL_MAX_VIEWPORT_DIMS"])


class GLHost(QOpenGLWidget):
    """The view on Qt's OpenGL widget."""

    aside = False       # drawn in the GUI thread
    drawing = False     # a picture is complete when its paint event ends
    progress = 1.0
    gives_way: Callable[[], bool] = staticmethod(lambda: False)     # who draws in the GUI thread keeps nobody waiting there

    def ask(self) -> None:
        """Draw at the next paint event."""
        self.update()

    def run(self, job: Callable[[moderngl.Context], object], then: Callable[[object], None] | None = None) -> None:
        """job(ctx) with the context current, and then(what it returned): at once, in this thread."""
        if self._ctx is None:
            return
        with self.current() as ctx:
            result = job(ctx)
        if then is not None:
            then(result)

    def give_up(self) -> None:
        """A picture is never under way here."""

    def restart(self, at_once: bool = True) -> None:
        """Let the painter begin anew, as when it is to draw otherwise."""
        if self._ctx is not None:
            self.makeCurrent()
            self._painter.stop()
            self._painter.start(self._ctx)
            self.doneCurrent()
            self.update()

    def __init__(self, painter: Painter, parent: QWidget | None = None):
        super().__init__(parent)
        self.setFormat(surface_format(QSurfaceFormat.defaultFormat().swapInterval() != 0))
        self._painter = painter
        self._ctx: moderngl.Context | None = None
        self._target = (None, None)     # what Qt shows, and which of its framebuffers that is: moderngl keeps every object it makes

    def initializeGL(self) -> None:
        """Once per context: Qt calls it again after the view has moved to another window."""
        context = QOpenGLContext.currentContext()
        context.aboutToBeDestroyed.connect(self.leave)
        self._ctx, self._target = gl_context.from_host(context.getProcAddress), (None, None)
        self._painter.start(self._ctx)

    def leave(self) -> None:
        """Free what lives in the context, which goes."""
        if self._ctx is None:
            return
        self._ctx = None
        with suppress(RuntimeError):    # the widget goes too
            self.makeCurrent()
            self._painter.stop()
            self.doneCurrent()

    @contextmanager
    def current(self):
        """The context, current for a with block, to draw beside the view."""
        self.makeCurrent()
        try:
            yield self._ctx
        finally:
            self._ctx.enable_only(moderngl.NOTHING)
            self.doneCurrent()

    def paintGL(self) -> None:
        if self._ctx is None:
            return
        width, height = picture_size(self, side_limit(self._ctx))
        key = (self.defaultFramebufferObject(), width, height)
        if self._target[1] != key:
            self._target = self._ctx.detect_framebuffer(key[0]), key
        target = self._target[0]
        target.viewport = (0, 0, width, height)
        request = self._painter.capture()
        complete = finish(self._painter.draw(request, target, width, height))
        self._painter.shown(None if complete is False else request)
        target.use()
        self._ctx.enable_only(moderngl.NOTHING)
        self._ctx.blend_func = moderngl.DEFAULT_BLENDING
        painter = QPainter(self)
        self._painter.overlay(painter)
        painter.end()


class ImageHost(QWidget):
    """The view as an image that is drawn in a thread of its own, by a stand-alone EGL context."""

    aside = True        # drawn in another thread

    def __init__(self, ctx: moderngl.Context, painter: Painter, parent: QWidget | None = None):
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._painter = painter
        self._image, self._pixels = QImage(), None  # the last picture, and the memory that it lies in
        self._asked = None                          # what the picture under way was asked for with
        self._again = False                         # the context was lost, and no picture came out of the new one yet
        self._given_up = False                      # nobody wants the picture under way any more
        self._start = 0                             # number of the painter's present start: what was asked for before it is left undone
        self._anew = False                          # the painter begins anew before the next picture
        self._gl = threading.RLock()                # who holds it may use the context
        self._thread = DrawingThread(self)
        self._turns = WindowTurns(self)
        self._wanted = False                        # the window waits for the context
        self._steps = self._all_steps = 0           # of the picture under way so far, and of the last one that was completed
        self._began = self._took = 0.0              # when the one under way was begun, and how long the last one took [s]
        self.gives_way: Callable[[], bool] = lambda: False      # whether somebody does what the next picture waits for: he has the interpreter and the cores then
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.timeout.connect(self._empty_bins)      # a method, which Qt forgets with the widget: a function may have been taken apart by then
        self._begin(ctx)

    def _begin(self, ctx: moderngl.Context) -> None:
        self._ctx: moderngl.Context | None = ctx
        self._target: moderngl.Framebuffer | None = None
        with gl_context.use(ctx):
            self._limit = side_limit(ctx)
            self._calls = calls_of(ctx)
            let_driver_give_way()
            self._start_painter()

    def _start_painter(self) -> None:
        self._start += 1
        self._anew = False
        self._turns.watch(False)
        self._asked, self._given_up, self._sized = None, False, (0, 0)     # the last: what the last picture's size is or will be
        self._painter.start(self._ctx)

    @property
    def drawing(self) -> bool:
        """Whether a picture has been asked for that is not here yet."""
        return self._asked is not None

    @property
    def progress(self) -> float:
        """How much of the picture under way is drawn, as a share of the time that the last one took; 1 where nothing tells, and when it does not pause any more."""
        if self._steps >= self._all_steps or self._took == 0.0:
            return 1.0
        return min(1.0, (time.perf_counter() - self._began) / self._took)

    # ------------------------------------------------------------------ the context

    def leave(self) -> None:
        """Free the context and all in it; the last picture stays, one that is under way is given up."""
        self._quiet.stop()
        if self._ctx is None:
            return
        self._given_up = True
        with self._gl:
            with gl_context.use(self._ctx):
                self._painter.stop()
            self._ctx.release()
            self._ctx = self._asked = None
        self._turns.watch(False)
        self._thread.end()

    def renew(self) -> None:
        """The context is lost: take another. The old one's objects go with it."""
        self._given_up = True
        with self._gl:
            self._ctx.release()
            self._begin(gl_context.standalone())
        self.update()

    def restart(self, at_once: bool = True) -> None:
        """Let the painter begin anew, as when it is to draw otherwise. A picture that is under way is given up; at_once False: nobody waits until it has ended,
        the painter begins anew before the next one."""
        self._anew, self._given_up = True, True
        if self._ctx is not None and (at_once or self._asked is None):
            with self.current():
                self._painter.stop()
                self._start_painter()

    @contextmanager
    def current(self):
        """The context, current for a with block, to draw beside the view; a picture that is under way is completed before."""
        self._wanted = True
        with self._gl:
            self._wanted = False
            with gl_context.use(self._ctx):
                yield self._ctx

    def run(self, job: Callable[[moderngl.Context], object], then: Callable[[object], None] | None = None) -> None:
        """Have job(ctx) done in the drawing thread, the context current, after what it was asked for before, and then(what it returned) in this one.
        Neither if the context goes before."""
        start = self._start
        if self._ctx is None:
            return

        def done(result, error) -> None:
            if start != self._start or self._ctx is None:
                return
            if error is not None:
                self._failed(error)
            elif then is not None:
                then(result)

        self._thread.post(lambda: self._with(start, job), done)

    def _empty_bins(self) -> None:
        """No picture has come for a while."""
        self.run(lambda _ctx: empty_bins(self._calls))

    def _with(self, start: int, job):
        """In the drawing thread: job(ctx), nothing if the painter has stopped since it was asked for."""
        with self._gl:
            if start != self._start or self._ctx is None:
                return None
            with gl_context.use(self._ctx):
                return job(self._ctx)

    def _failed(self, error: BaseException) -> None:
        """What GL says when its context is gone is a moderngl.Error; a second one is a fault of ours."""
        if not isinstance(error, moderngl.Error) or self._again:
            raise error
        self._again = True
        self.renew()

    # ------------------------------------------------------------------ pictures

    def ask(self) -> None:
        """Begin a picture, unless one is under way."""
        if self._ctx is None or self._asked is not None:
            return
        if self._anew:
            self.restart()
        request = self._asked = self._painter.capture()
        start, size = self._start, picture_size(self, self._limit)
        self._sized, self._given_up, self._steps, self._began = size, False, 0, time.perf_counter()

        def arrived(result, error) -> None:
            if self._asked is request:
                self._arrived(result, error)

        self._turns.watch(True)
        self._thread.post(lambda: self._with(start, lambda _ctx: self._draw(request, size)), arrived)

    def give_up(self) -> None:
        """End the picture that is under way at its next pause; the last one stays."""
        self._given_up = True

    def _draw(self, request, size) -> np.ndarray | None:
        """In the drawing thread: pixels (height, width, 4), top row first; None where it was given up. A long turn of the window has the interpreter and the cores
        for itself."""
        target, gave_way = self._framebuffer(*size), False
        steps = self._painter.draw(request, target, *size)
        while not self._given_up:
            try:
                next(steps)
                self._steps += 1
                self._turns.wait(lambda: self._wanted or self._given_up)
                if not gave_way and self.gives_way():
                    gave_way = True
                    self._give_way()
            except StopIteration as end:
                self._all_steps = self._steps
                if end.value is False:
                    return None
                pixels = np.ascontiguousarray(self._calls.read(target)[::-1])
                self._took = time.perf_counter() - self._began
                return pixels
        steps.close()
        return None

    def _give_way(self) -> None:
        """In the drawing thread: wait while somebody has the way, once in a picture and not for long."""
        end = time.perf_counter() + LONGEST_WAY
        while self.gives_way() and not (self._wanted or self._given_up) and time.perf_counter() < end:
            time.sleep(LOOK)

    def _framebuffer(self, width: int, height: int) -> moderngl.Framebuffer:
        if self._target is None or self._target.size != (width, height):
            old = self._target
            self._target = self._ctx.framebuffer([self._ctx.renderbuffer((width, height), 4)])    # the renderer has depths of its own
            self._target.use()   # before the old one goes: a released framebuffer must not stay bound
            if old is not None:
                for part in (*old.color_attachments, old):
                    part.release()
        return self._target

    def _arrived(self, pixels: np.ndarray | None, error: BaseException | None) -> None:
        """The picture is here."""
        request, self._asked = self._asked, None
        self._turns.watch(False)
        self._quiet.start(QUIET_MS)
        if error is not None:
            self._failed(error)
        elif pixels is not None:
            self._again = False
            height, width = pixels.shape[:2]
            self._image, self._pixels = QImage(pixels.ctypes.data, width, height, 4 * width, QImage.Format.Format_RGB32), pixels
            self._painter.shown(request)
            self.update()
        else:
            self._painter.shown(None)
        if self.isVisible():
            self._fit()

    def _fit(self) -> None:
        """Ask for a picture of the present size; the last one is stretched until it is here."""
        if self._ctx is not None and picture_size(self, self._limit) != self._sized:
            self.ask()

    def paintEvent(self, _event) -> None:
        self._fit()
        painter = QPainter(self)
        if self._image.isNull():
            painter.fillRect(self.rect(), EMPTY)
        painter.drawImage(self.rect(), self._image)
        self._painter.overlay(painter)
        painter.end()

    def grabFramebuffer(self) -> QImage:
        """The last picture, without the overlay [device pixels]; the same name as Qt's OpenGL widget has for it."""
        return self._image.copy()


def make_host(painter: Painter, parent: QWidget | None = None) -> QWidget:
    """The host for this machine: an image on software GL, Qt's widget otherwise. LINKWORK_HOST=gl or image decides by hand."""
    wanted = os.environ.get("LINKWORK_HOST", "")
    if wanted == "gl" or not sys.platform.startswith("linux"):
        return GLHost(painter, parent)
    try:
        ctx = gl_context.standalone()
    except RuntimeError:   # no EGL here: the OpenGL widget is the other way
        return GLHost(painter, parent)
    with gl_context.use(ctx):
        software = is_software(ctx.info["GL_RENDERER"])
    if wanted == "image" or software:
        return ImageHost(ctx, painter, parent)
    ctx.release()
    return GLHost(painter, parent)

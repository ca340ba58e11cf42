"""Two ways to get the picture into the window, behind one interface.

`GLHost` draws with Qt's own OpenGL widget: right on a real GPU. `ImageHost` draws into an off-screen EGL framebuffer and shows the pixels
as an image: never slower on software GL, and the only way without a display server's GL. `make_host` asks the
driver for its name and chooses.

A host calls its painter:  `start(ctx)` once per context, `stop()` before that context goes, `draw(framebuffer, width, height)` per picture (device pixels), `overlay(QPainter)`
on top of it (logical pixels). All of it happens on the GUI thread. `draw` is a generator that pauses after every few milliseconds of work: without
a graphics card a picture of very many things takes several turns of the event loop (`ImageHost`), and the last one is shown meanwhile.

A context may go at any time: Qt makes another when the view moves to another window, a driver may lose it. The painter starts anew then;
what it had in a context that is lost without a `stop` must be left alone, for the same numbers may mean other objects by now.
"""
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

import moderngl
import numpy as np
from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import QImage, QOpenGLContext, QPainter, QSurfaceFormat
from PyQt6.QtOpenGLWidgets import QOpenGLWidget
from PyQt6.QtWidgets import QWidget

from app.freed_memory import give_back, resident_bytes
from render.gpu import context as gl_context
from render.passes.steps import finish
from render.quality import is_software

MOST_PIXELS = 7680 * 4320     # of a picture: with its samples and depths a gigabyte
MOST_GROWTH = 64 << 20        # bytes that the process may grow by before another model gets a new context
TURN = 0.06     # seconds that a picture is drawn on before the event loop has a turn


class Painter(Protocol):
    """What a host needs from whoever draws."""

    def start(self, ctx: moderngl.Context) -> None: ...

    def stop(self) -> None: ...

    def draw(self, framebuffer: moderngl.Framebuffer, width: int, height: int) -> Iterator[None]: ...

    def overlay(self, painter: QPainter) -> None: ...


def surface_format() -> QSurfaceFormat:
    """OpenGL 3.3 core; no samples, because the renderer owns its multisampled framebuffer."""
    wanted = QSurfaceFormat()
    wanted.setVersion(3, 3)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setDepthBufferSize(24)
    wanted.setSwapInterval(1)
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

    drawing = False     # a picture is complete when its paint event ends

    def renew_if_grown(self) -> None:
        """A graphics card's driver keeps nothing that matters here."""

    def __init__(self, painter: Painter, parent: QWidget | None = None):
        super().__init__(parent)
        self.setFormat(surface_format())
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
        finish(self._painter.draw(target, width, height))
        target.use()
        self._ctx.enable_only(moderngl.NOTHING)
        self._ctx.blend_func = moderngl.DEFAULT_BLENDING
        painter = QPainter(self)
        self._painter.overlay(painter)
        painter.end()


class ImageHost(QWidget):
    """The view as an image drawn by a stand-alone EGL context."""

    def __init__(self, ctx: moderngl.Context, painter: Painter, parent: QWidget | None = None, clock=time.perf_counter):
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._painter, self._clock = painter, clock
        self._image = QImage()
        self._steps: Iterator[None] | None = None   # of the picture that is being drawn
        self._complete = False                      # a picture was completed between two paint events: it is shown before another is begun
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        self._next.timeout.connect(self._go_on)
        self._begin(ctx)

    def _begin(self, ctx: moderngl.Context) -> None:
        self._ctx: moderngl.Context | None = ctx
        self._target: moderngl.Framebuffer | None = None
        self._steps = None
        with gl_context.use(ctx):
            self._limit = side_limit(ctx)
            self._painter.start(ctx)
        self._resident = resident_bytes()

    @property
    def drawing(self) -> bool:
        """Whether a picture has been begun that takes more turns of the event loop."""
        return self._steps is not None

    def leave(self) -> None:
        """Free the context and all in it; the last picture stays."""
        if self._ctx is None:
            return
        self._steps = None
        self._next.stop()
        with gl_context.use(self._ctx):
            self._painter.stop()
        self._ctx.release()
        self._ctx = None

    def renew(self) -> None:
        """The context is lost: take another. The old one's objects go with it."""
        self._steps = None
        self._ctx.release()
        self._begin(gl_context.standalone())
        self.update()

    def renew_if_grown(self) -> None:
        """Take another context if the process has grown much since this one was begun; for when another model is opened, and all is drawn anew anyway.

        A software driver compiles code for each combination of state that something is drawn in, a megabyte or more, and keeps it as long as the context.
        """
        if self._ctx is not None and resident_bytes() - self._resident > MOST_GROWTH:
            self.leave()
            give_back()
            self._begin(gl_context.standalone())

    @contextmanager
    def current(self):
        """The context, current for a with block, to draw beside the view; a picture that has been begun is completed before."""
        if self._steps is not None and self._draw(np.inf):
            self._shown_later()
        with gl_context.use(self._ctx):
            yield self._ctx

    def _framebuffer(self, width: int, height: int) -> moderngl.Framebuffer:
        if self._target is None or self._target.size != (width, height):
            old = self._target
            self._target = self._ctx.framebuffer([self._ctx.renderbuffer((width, height), 4)])    # the renderer has depths of its own
            self._target.use()   # before the old one goes: a released framebuffer must not stay bound
            if old is not None:
                for part in (*old.color_attachments, old):
                    part.release()
        return self._target

    def paintEvent(self, _event) -> None:
        if self._ctx is not None and not self._complete:
            self._draw_on()
        self._complete = False
        painter = QPainter(self)
        painter.drawImage(self.rect(), self._image)
        self._painter.overlay(painter)
        painter.end()

    def _draw_on(self) -> bool:
        try:
            return self._draw(TURN)
        except moderngl.Error:      # what GL says when its context is gone; a second one is a fault of ours
            self.renew()
            return self._draw(TURN)

    def _go_on(self) -> None:
        """The event loop has had its turn."""
        if self._steps is not None and self._draw_on():
            self._shown_later()

    def _shown_later(self) -> None:
        self._complete = True
        self.update()

    def _draw(self, seconds: float) -> bool:
        """Go on with the picture that has been begun, or begin one; whether it is complete after so much time. One that is not is gone on with in
        the event loop's next turn, at the size it was begun with."""
        end = self._clock() + seconds
        with gl_context.use(self._ctx):
            if self._steps is None:
                width, height = picture_size(self, self._limit)
                self._steps = self._painter.draw(self._framebuffer(width, height), width, height)
            steps, self._steps = self._steps, None      # gone when one of them fails
            for _ in steps:
                if self._clock() >= end:
                    self._steps = steps
                    self._next.start(0)
                    return False
            pixels = self._target.read(components=4, alignment=1)
        width, height = self._target.size
        self._image = QImage(pixels, width, height, width * 4, QImage.Format.Format_RGBX8888).mirrored()   # rows come bottom first
        return True

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

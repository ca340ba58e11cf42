"""Two ways to get the picture into the window, behind one interface.

`GLHost` draws with Qt's own OpenGL widget: right on a real GPU. `ImageHost` draws into an off-screen EGL framebuffer and shows the pixels
as an image: never slower on software GL, and the only way without a display server's GL (graphics.md, section 2). `make_host` asks the
driver for its name and chooses.

A host calls its painter:  `start(ctx)` once per context, `draw(framebuffer, width, height)` per picture (device pixels), `overlay(QPainter)`
on top of it (logical pixels). All of it happens on the GUI thread.
"""
import os
import sys
from contextlib import contextmanager
from typing import Protocol

import moderngl
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QImage, QOpenGLContext, QPainter, QSurfaceFormat
from PyQt6.QtOpenGLWidgets import QOpenGLWidget
from PyQt6.QtWidgets import QWidget

from render.gpu import context as gl_context
from render.quality import is_software


class Painter(Protocol):
    """What a host needs from whoever draws."""

    def start(self, ctx: moderngl.Context) -> None: ...

    def draw(self, framebuffer: moderngl.Framebuffer, width: int, height: int) -> None: ...

    def overlay(self, painter: QPainter) -> None: ...


def surface_format() -> QSurfaceFormat:
    """OpenGL 3.3 core; no samples, because the renderer owns its multisampled framebuffer."""
    wanted = QSurfaceFormat()
    wanted.setVersion(3, 3)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setDepthBufferSize(24)
    wanted.setSwapInterval(1)
    return wanted


class GLHost(QOpenGLWidget):
    """The view on Qt's OpenGL widget."""


    def __init__(self, painter: Painter, parent: QWidget | None = None):
        super().__init__(parent)
        self.setFormat(surface_format())
        self._painter = painter
        self._ctx: moderngl.Context | None = None

    def initializeGL(self) -> None:
        self._ctx = gl_context.from_host(QOpenGLContext.currentContext().getProcAddress)
        self._painter.start(self._ctx)

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
        ratio = self.devicePixelRatioF()
        width, height = max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio))
        target = self._ctx.detect_framebuffer(self.defaultFramebufferObject())
        target.viewport = (0, 0, width, height)
        self._painter.draw(target, width, height)
        target.use()
        self._ctx.enable_only(moderngl.NOTHING)
        self._ctx.blend_func = moderngl.DEFAULT_BLENDING
        painter = QPainter(self)
        self._painter.overlay(painter)
        painter.end()


class ImageHost(QWidget):
    """The view as an image drawn by a stand-alone EGL context."""


    def __init__(self, ctx: moderngl.Context, painter: Painter, parent: QWidget | None = None):
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._ctx = ctx
        self._painter = painter
        self._target: moderngl.Framebuffer | None = None
        self._image = QImage()
        with gl_context.use(self._ctx):
            painter.start(self._ctx)

    def current(self):
        """The context, current for a with block, to draw beside the view."""
        return gl_context.use(self._ctx)

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
        ratio = self.devicePixelRatioF()
        width, height = max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio))
        with gl_context.use(self._ctx):
            target = self._framebuffer(width, height)
            self._painter.draw(target, width, height)
            pixels = target.read(components=4, alignment=1)
        self._image = QImage(pixels, width, height, width * 4, QImage.Format.Format_RGBX8888).mirrored()   # rows come bottom first
        painter = QPainter(self)
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

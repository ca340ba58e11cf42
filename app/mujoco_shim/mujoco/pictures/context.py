"""MjrContext: what the mjr_* functions draw into and with."""
from __future__ import annotations

import threading
from types import MappingProxyType

import numpy as np

from ..hooks import HOOKS
from . import drawing

WINDOW, OFFSCREEN, AUXILIARY = 0, 1, 2      # mjtFramebuffer; buffers from AUXILIARY on are those of mjr_addAux
NAUX, FONT = 10, 150
_HANDLES = ("auxColor", "auxColor_r", "auxFBO", "auxFBO_r")
_NUMBERS = MappingProxyType({
    **dict.fromkeys(("offFBO", "offFBO_r", "offColor", "offColor_r", "offDepthStencil", "offDepthStencil_r", "shadowFBO", "shadowTex", "basePlane", "baseMesh", "baseHField",
                     "baseBuiltin", "baseFontNormal", "baseFontShadow", "baseFontBig", "rangePlane", "rangeMesh", "rangeHField", "rangeBuiltin"), 0),
    "rangeFont": 127, "glInitialized": 1, "windowAvailable": 0, "windowSamples": 0, "windowStereo": 0, "windowDoublebuffer": 0, "readPixelFormat": 0x1907, "readDepthMap": 0,
})
_current = threading.local()


class MjrContext:
    """Pixels of a model's pictures: a window's, an offscreen buffer of visual/global/offwidth and offheight, auxiliary ones. OpenGL begins with the first picture."""

    def __init__(self, model=None, fontscale=FONT):
        self.fontScale = font_scale(fontscale)
        self.auxWidth, self.auxHeight, self.auxSamples = (np.zeros(NAUX, np.int32) for _ in range(3))
        for name in _HANDLES:
            setattr(self, name, np.zeros(NAUX, np.uint32))
        for name, value in _NUMBERS.items():
            setattr(self, name, value)
        self.charWidth, self.charWidthBig = np.zeros(127, np.int32), np.zeros(127, np.int32)
        self.charHeight, self.charHeightBig = round(0.13 * self.fontScale), round(0.22 * self.fontScale)
        self.lineWidth, self.shadowClip, self.shadowScale, self.fogStart, self.fogEnd = 1.0, 1.0, 0.6, 0.0, 0.0
        self.fogRGBA, self.shadowSize, self.offWidth, self.offHeight, self.offSamples = np.zeros(4, np.float32), 0, 0, 0, 0
        self.ntexture, self.textureType, self.texture, self.nskin = 0, np.zeros(0, np.int32), np.zeros(0, np.uint32), 0
        self.skinvertVBO = self.skinnormalVBO = self.skintexcoordVBO = self.skinfaceVBO = np.zeros(0, np.uint32)
        self.mat_texid, self.mat_texuniform, self.mat_texrepeat = np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.float32)
        self.currentBuffer = OFFSCREEN
        self._visuals = self._canvas = self._window = None
        self._buffers: dict = {}
        if model is not None:
            self._take(model)
        _current.context = self

    def _take(self, model) -> None:
        work, m = drawing(), model._inner
        self._visuals, self._canvas = work.visuals_for(model), work.Canvas()
        settings, extent = m.vis, m.stat_extent
        self.lineWidth, self.shadowClip, self.shadowScale = settings.global_.linewidth, settings.map.shadowclip * extent, settings.map.shadowscale
        self.fogStart, self.fogEnd = extent * settings.map.fogstart, extent * settings.map.fogend
        self.fogRGBA[:] = settings.rgba.fog
        self.shadowSize, self.offSamples = settings.quality.shadowsize, settings.quality.offsamples
        self.offWidth, self.offHeight = settings.global_.offwidth, settings.global_.offheight
        self.ntexture, self.textureType, self.texture = m.ntex, np.array(m.tex_type), np.arange(1, m.ntex + 1, dtype=np.uint32)
        self.nskin = m.nskin
        self.mat_texid, self.mat_texuniform, self.mat_texrepeat = np.array(m.mat_texid).ravel(), np.array(m.mat_texuniform, np.int32), np.array(m.mat_texrepeat, np.float32).ravel()
        for number, why in work.unread_textures(m).items():
            HOOKS.warn(f"texture {number}: not uploaded, {why}")
        try:
            self._window = work.ScriptWindow()
        except RuntimeError:
            return
        self.windowAvailable, self.windowDoublebuffer, self.currentBuffer = 1, 1, WINDOW

    # ------------------------------------------------ what mjr_* use

    def _buffer(self, number: int | None = None):
        """A framebuffer, the current one by default."""
        number = self.currentBuffer if number is None else number
        if number not in self._buffers:
            self._buffers[number] = drawing().Buffer(*(self._window.size if number == WINDOW and self._window else (self.offWidth, self.offHeight)))
        return self._buffers[number]

    def _pixels(self, area=None) -> np.ndarray:
        """The colours of an area of the current buffer as they are now, to be drawn over."""
        buffer = self._buffer()
        if self._canvas is not None:
            self._canvas.settle(buffer, "colour")
        return buffer.colour if area is None else buffer.part(buffer.colour, area)

    def _made_current(self) -> None:
        _current.context = self

    def _shown(self) -> None:
        """Something was drawn: where that is the window it is to be seen there."""
        if self.currentBuffer == WINDOW and self._window is not None:
            self._window.show(self._pixels())

    def free(self) -> None:
        """Give back the camera and the pixels; calling it again does nothing."""
        if self._canvas is not None:
            self._canvas.close()
        if self._window is not None:
            self._window.free()
        self._buffers.clear()
        self._visuals = self._canvas = self._window = None
        self.glInitialized = 0
        if current(None) is self:
            _current.context = None

    def __del__(self):
        canvas = self.__dict__.get("_canvas")
        if canvas is not None:
            canvas.close()


def font_scale(fontscale) -> int:
    """An mjtFontScale [percent]. Raises ValueError for another number."""
    scale = int(fontscale)
    if scale not in (50, 100, 150, 200, 250, 300):
        raise ValueError(f"{scale} is no mjtFontScale")
    return scale


def current(default=...):
    """The context that this thread used last, as mjr_rectangle takes it. Raises RuntimeError where there is none."""
    found = getattr(_current, "context", None)
    if found is None and default is ...:
        raise RuntimeError("no MjrContext is current in this thread")
    return found if found is not None else default

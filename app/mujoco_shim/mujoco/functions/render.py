"""mjr_*: pictures, texts and charts into framebuffers, and pixels out of them."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from ..errors import FatalError
from ..picture_structs import MjrRect
from ..pictures import drawing
from ..pictures.context import AUXILIARY, NAUX, OFFSCREEN, WINDOW, current, font_scale

MESH = ("mesh_vert", "mesh_face", "mesh_normal", "mesh_facenormal", "mesh_texcoord", "mesh_facetexcoord", "mesh_graph")
OVER, ANYWHERE = ("colour",), ("colour", "depth")


def _area(viewport) -> tuple[int, int, int, int]:
    return viewport.left, viewport.bottom, viewport.width, viewport.height


def _text(text) -> str:
    return text.decode(errors="replace") if isinstance(text, bytes) else str(text)


def _alive(con):
    if con._canvas is None:
        raise FatalError("OpenGL context was freed, or made without a model")
    con._made_current()
    return con._canvas


def render(viewport, scn, con) -> None:
    """Draw a scene into the current buffer."""
    canvas = _alive(con)
    if viewport.width <= 0 or viewport.height <= 0:
        return
    buffer = con._buffer()
    if con.currentBuffer == WINDOW:
        wide, high = max(buffer.size[0], viewport.left + viewport.width), max(buffer.size[1], viewport.bottom + viewport.height)
        if (wide, high) != buffer.size:
            buffer.resize(wide, high)
    canvas.ask(buffer, con._visuals, scn, _area(viewport))
    con._shown()


def _checked(array, dtype, need: int, name: str):
    """An array of pixels that is handed over. Raises TypeError, ValueError."""
    if array is None:
        return None
    if not isinstance(array, np.ndarray) or array.dtype != dtype:
        raise TypeError(f"{name} is an array of {np.dtype(dtype).name}")
    if not array.flags.c_contiguous:
        raise ValueError(f"{name} buffer must be C-contiguous")
    if array.size < need:
        raise ValueError(f"{name} buffer is too small")
    return array


def _buffers(rgb, depth, viewport):
    if viewport.width < 0 or viewport.height < 0:
        raise ValueError("viewport width and height must be non-negative")
    count = viewport.width * viewport.height
    return _checked(rgb, np.uint8, 3 * count, "rgb"), _checked(depth, np.float32, count, "depth")


def read_pixels(rgb, depth, viewport, con) -> None:
    """Pixels of the current buffer, the bottom row first. Depths: 0 near and 1 far, or the other way where con.readDepthMap says so."""
    rgb, depth = _buffers(rgb, depth, viewport)
    canvas, buffer, area = _alive(con), con._buffer(), _area(viewport)
    for array, what in ((rgb, "colour"), (depth, "depth")):
        if array is None:
            continue
        canvas.settle(buffer, what)
        plane = getattr(buffer, what)
        size = viewport.height * viewport.width * (plane.shape[2] if plane.ndim == 3 else 1)
        out = array.reshape(-1)[:size].reshape(viewport.height, viewport.width, *plane.shape[2:])
        seen = buffer.part(plane, area)
        if seen.shape != out.shape:
            out[:] = 0
        drawing().put_picture(out, (max(-area[0], 0), max(-area[1], 0), seen.shape[1], seen.shape[0]), 1 - seen if what == "depth" and con.readDepthMap else seen)


def draw_pixels(rgb, depth, viewport, con) -> None:
    """Write pixels into the current buffer, the bottom row first."""
    rgb, depth = _buffers(rgb, depth, viewport)
    canvas, buffer = _alive(con), con._buffer()
    for array, what in ((rgb, "colour"), (depth, "depth")):
        if array is not None:
            canvas.settle(buffer, what)
            shape = (viewport.height, viewport.width, 3)[:3 if what == "colour" else 2]
            drawing().put_picture(getattr(buffer, what), _area(viewport), array.reshape(-1)[:int(np.prod(shape))].reshape(shape))
    con._shown()


def set_buffer(framebuffer, con) -> None:
    """Choose the window or the offscreen buffer; where there is no window, the latter."""
    if framebuffer not in (WINDOW, OFFSCREEN):
        raise FatalError("mjr_setBuffer: invalid framebuffer")
    con._made_current()
    con.currentBuffer = framebuffer if framebuffer == OFFSCREEN or con.windowAvailable else OFFSCREEN


def restore_buffer(con) -> None:
    """Draw into the context's current buffer again."""
    con._made_current()


def resize_offscreen(width, height, con) -> None:
    """Another size of the offscreen buffer, which loses what was drawn."""
    if width < 1 or height < 1:
        raise FatalError("mjr_resizeOffscreen: width and height must be positive")
    con.offWidth, con.offHeight = width, height
    con._buffers.pop(OFFSCREEN, None)


def max_viewport(con) -> MjrRect:
    """All of the current buffer."""
    return MjrRect(0, 0, *con._buffer().size)


def add_aux(index, width, height, samples, con) -> None:
    """A buffer to draw into and to copy from."""
    _check_aux(index)
    con.auxWidth[index], con.auxHeight[index], con.auxSamples[index] = width, height, samples
    con._buffers[AUXILIARY + index] = drawing().Buffer(width, height)


def _check_aux(index: int, con=None) -> None:
    if not 0 <= index < NAUX or con is not None and AUXILIARY + index not in con._buffers:
        raise FatalError("invalid index of an auxiliary buffer")


def set_aux(index, con) -> None:
    """Draw into an auxiliary buffer."""
    _check_aux(index, con)
    con._made_current()
    con.currentBuffer = AUXILIARY + index


def blit_aux(index, src, left, bottom, con) -> None:
    """Copy a part of an auxiliary buffer to a place in the current one."""
    _check_aux(index, con)
    _copy(con, con._buffers[AUXILIARY + index], con._buffer(), src, MjrRect(left, bottom, src.width, src.height), OVER)


def blit_buffer(src, dst, flg_color, flg_depth, con) -> None:
    """Copy a part of the current buffer into the other one (window or offscreen), stretched where the sizes differ."""
    other = con._buffer(OFFSCREEN if con.currentBuffer == WINDOW else WINDOW)
    _copy(con, con._buffer(), other, src, dst, [what for what, on in zip(ANYWHERE, (flg_color, flg_depth)) if on])


def _copy(con, source, target, src, dst, planes) -> None:
    canvas = _alive(con)
    rows, columns = ((np.arange(n) * have // max(n, 1)) for n, have in ((dst.height, src.height), (dst.width, src.width)))
    for what in planes:
        canvas.settle(source, what)
        canvas.settle(target, what)
        part = source.part(getattr(source, what), _area(src))
        if part.shape[:2] == (src.height, src.width):
            drawing().put_picture(getattr(target, what), _area(dst), part[np.ix_(rows, columns)])


def _drawn_over(con, area, draw, *arguments) -> None:
    _alive(con)
    draw(con._pixels(area), *arguments)
    con._shown()


def text(font, txt, con, x, y, r, g, b) -> None:
    """A text that begins at (x, y), from 0 to 1 of the buffer."""
    work = drawing()
    _drawn_over(con, None, work.write, _text(txt), x, y, (r, g, b), work.face_of(font, con.fontScale))


def overlay(font, gridpos, viewport, overlay, overlay2, con) -> None:
    """Texts in a box at a place of the view; lines are parted by line ends."""
    work = drawing()
    _drawn_over(con, _area(viewport), work.overlay, gridpos, _text(overlay or ""), _text(overlay2 or ""), work.face_of(font, con.fontScale))


def label(viewport, font, txt, r, g, b, a, rt, gt, bt, con) -> None:
    """A rectangle with a text in its middle."""
    work = drawing()
    _drawn_over(con, _area(viewport), work.label, _text(txt), (r, g, b, a), (rt, gt, bt), work.face_of(font, con.fontScale))


def rectangle(viewport, r, g, b, a) -> None:
    """A rectangle of one colour in the buffer that this thread drew into last."""
    _drawn_over(current(), _area(viewport), drawing().rectangle, (r, g, b, a))


def figure(viewport, fig, con) -> None:
    """A chart."""
    work = drawing()
    _drawn_over(con, _area(viewport), work.draw_figure, fig, work.face_of(0, con.fontScale), (viewport.left, viewport.bottom))


def change_font(fontscale, con) -> None:
    """Another size of texts."""
    con.fontScale = font_scale(fontscale)


def upload_mesh(m, con, meshid) -> None:
    """The vertices of a mesh were written."""
    _uploaded(m.nmesh, con, meshid, "mesh", MESH)


def upload_texture(m, con, texid) -> None:
    """The pixels of a texture were written."""
    _uploaded(m.ntex, con, texid, "texture", ("tex_data",))


def upload_hfield(m, con, hfieldid) -> None:
    """The heights of a height field were written."""
    _uploaded(m.nhfield, con, hfieldid, "hfield", ("hfield_data",))


def _uploaded(count: int, con, index: int, what: str, names) -> None:
    if not 0 <= index < count:
        raise FatalError(f"invalid {what} id {index}, the model has {count}")
    _alive(con)
    con._visuals.changed(*names)


def find_rect(x, y, nrect, rect) -> int:
    """Number of the first rectangle in which a point lies, -1: none."""
    rects = rect if isinstance(rect, list | tuple) else [rect]
    return next((i for i, r in enumerate(rects[:nrect]) if r.left <= x < r.left + r.width and r.bottom <= y < r.bottom + r.height), -1)


def finish() -> None:
    """All is drawn where it is asked for."""


def get_error() -> int:
    """OpenGL's errors are raised as exceptions: 0."""
    return 0


def renderer_info(info) -> None:
    """What draws: the classic look, by OpenGL."""
    info.renderer, info.backend = "classic", "opengl"


TABLE = MappingProxyType({
    "mjr_render": render, "mjr_readPixels": read_pixels, "mjr_drawPixels": draw_pixels, "mjr_setBuffer": set_buffer, "mjr_restoreBuffer": restore_buffer,
    "mjr_resizeOffscreen": resize_offscreen, "mjr_maxViewport": max_viewport, "mjr_addAux": add_aux, "mjr_setAux": set_aux, "mjr_blitAux": blit_aux, "mjr_blitBuffer": blit_buffer,
    "mjr_text": text, "mjr_overlay": overlay, "mjr_label": label, "mjr_rectangle": rectangle, "mjr_figure": figure, "mjr_changeFont": change_font, "mjr_uploadMesh": upload_mesh,
    "mjr_uploadTexture": upload_texture, "mjr_uploadHField": upload_hfield, "mjr_findRect": find_rect, "mjr_finish": finish, "mjr_getError": get_error,
    "mjr_getRendererInfo": renderer_info,
})

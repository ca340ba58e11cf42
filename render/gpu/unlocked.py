"""GL calls that may take long, made so that Python's other threads run meanwhile.

moderngl keeps the interpreter lock in every call. Software GL works inside its calls: on vertices in a draw, and whenever a framebuffer is changed, cleared,
copied or read it may wait for what was drawn before. `calls_of(ctx)` gives the same few calls through ctypes where that matters, which lets
the lock go for as long as they take, and moderngl's own where a graphics card answers at once. They also keep away from a race in the driver (fences.py).
"""
import ctypes
import os
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import moderngl
import numpy as np

from render.gpu.fences import Fences
from render.gpu.mipmaps import Mipmaps
from render.quality import is_software

COLOR_BIT, DEPTH_BIT, LINEAR, NEAREST = 0x4000, 0x100, 0x2601, 0x2600
READ_FRAMEBUFFER, PACK_ALIGNMENT, BGRA, UNSIGNED_BYTE, UNSIGNED_INT, COLOR_ATTACHMENT0 = 0x8CA8, 0x0D05, 0x80E1, 0x1401, 0x1405, 0x8CE0
_int, _uint, _float, _double, _pointer = ctypes.c_int, ctypes.c_uint, ctypes.c_float, ctypes.c_double, ctypes.c_void_p
# what returns at once: letting the lock go would only lose it to others
_SHORT = (('glUseProgram', _uint), ('glBindVertexArray', _uint), ('glBindFramebuffer', _uint, _uint), ('glReadBuffer', _uint), ('glPixelStorei', _uint, _int),
          ('glClearColor', _float, _float, _float, _float), ('glClearDepth', _double))
_LONG = (('glFinish',), ('glClear', _uint), ('glDrawElementsInstanced', _uint, _int, _uint, _pointer, _int), ('glDrawArraysInstanced', _uint, _int, _int, _int),
         ('glBlitFramebuffer', *8 * (_int,), _uint, _uint), ('glReadPixels', *4 * (_int,), _uint, _uint, _pointer))

DRIVER_THREADS, NICE = 'llvmpipe-', 5
BASED = 'glDrawElementsInstancedBaseInstance', _uint, _int, _uint, _pointer, _int, _uint


class Calls:
    """moderngl's calls, of one context, which must be current in every one. unlocked: whether they let the lock go, and `scale` is there."""

    unlocked = False
    based = False       # whether `draw` takes a first row for what advances by instances, which GL 3.3 does not have

    def __init__(self, ctx: moderngl.Context):
        self.ctx = ctx

    def draw(self, array, mode=None, vertices: int = -1, first: int = 0, instances: int = -1, base: int = 0):
        """array.render; base: the first row of what advances by instances."""
        array.render(mode, vertices, first, instances)

    def clear(self, framebuffer, red=0.0, green=0.0, blue=0.0, alpha=0.0, depth=1.0):
        """Use a framebuffer and clear it, or its scissor."""
        framebuffer.use()
        framebuffer.clear(red, green, blue, alpha, depth=depth)

    def copy(self, target, source):
        """Use a framebuffer and copy colours into it, or its scissor, which resolves samples."""
        target.use()        # a blit obeys the scissor of what is bound
        self.ctx.copy_framebuffer(target, source)

    def finish(self):
        """Wait until everything is drawn, where waiting for it in another call would hold Python up."""

    def build_mipmaps(self, texture):
        """texture.build_mipmaps()"""
        texture.build_mipmaps()

    def read(self, framebuffer) -> np.ndarray:
        """(height, width, 4) uint8, bottom row first: blue, green, red and what is not to be looked at."""
        width, height = framebuffer.size
        return np.frombuffer(framebuffer.read(components=4, alignment=1), np.uint8).reshape(height, width, 4)[..., [2, 1, 0, 3]]


class UnlockedCalls(Calls):
    """The same through ctypes. address: GL function's address by name, 0 where there is none; LookupError where one is missing."""

    unlocked = True

    def __init__(self, ctx: moderngl.Context, address):
        super().__init__(ctx)
        for rows, kind in ((_SHORT, ctypes.PYFUNCTYPE), (_LONG, ctypes.CFUNCTYPE)):
            for name, *arguments in rows:
                at = address(name)
                if not at:
                    raise LookupError(name)
                setattr(self, '_' + name[2:], kind(None, *arguments)(at))
        self._fences, self._mipmaps, self._drawn = Fences(address), Mipmaps(address), None
        at = address(BASED[0])
        self.based = bool(at)
        self._based = ctypes.CFUNCTYPE(None, *BASED[1:])(at) if at else None

    def draw(self, array, mode=None, vertices=-1, first=0, instances=-1, base=0):
        """array.render; base: the first row of what advances by instances."""
        mode = array.mode if mode is None else mode
        vertices = array.vertices if vertices < 0 else vertices
        instances = array.instances if instances < 0 else instances
        if self.ctx.fbo is not self._drawn:
            self._turn()
        self._UseProgram(array.program.glo)
        self._BindVertexArray(array.glo)
        if base:
            self._based(mode, vertices, UNSIGNED_INT, 4 * first, instances, base)
        elif array.index_buffer is None:
            self._DrawArraysInstanced(mode, first, vertices, instances)
        else:
            self._DrawElementsInstanced(mode, vertices, UNSIGNED_INT, 4 * first, instances)

    def clear(self, framebuffer, red=0.0, green=0.0, blue=0.0, alpha=0.0, depth=1.0):
        """Use a framebuffer and clear it, or its scissor."""
        framebuffer.use()
        self._turn()
        self._ClearColor(red, green, blue, alpha)
        self._ClearDepth(depth)
        self._Clear(COLOR_BIT | DEPTH_BIT)

    def copy(self, target, source):
        """Use a framebuffer and copy colours into it, or its scissor, which resolves samples."""
        size = tuple(map(min, target.size, source.size))
        self._blit(target, source, size, size, NEAREST)

    def scale(self, target, source):
        """Use a framebuffer and fill it with the colours of another one of another size."""
        self._blit(target, source, target.size, source.size, LINEAR)

    def _turn(self):
        """Another framebuffer is about to be drawn into: the driver ends what it draws into the last one."""
        self._drawn = self.ctx.fbo
        self._fences.hold()

    def _blit(self, target, source, to, of, how):
        target.use()
        self._turn()
        self._BindFramebuffer(READ_FRAMEBUFFER, source.glo)
        self._BlitFramebuffer(0, 0, *of, 0, 0, *to, COLOR_BIT, how)
        self._BindFramebuffer(READ_FRAMEBUFFER, target.glo)

    def finish(self):
        """Wait until everything is drawn."""
        self._fences.hold()
        self._Finish()
        self._fences.let_go()

    def build_mipmaps(self, texture):
        """texture.build_mipmaps()"""
        texture.use(self.ctx.default_texture_unit)
        self._mipmaps.build(texture, self._turn)
        self._turn()
        if self.ctx.fbo is not None:
            self.ctx.fbo.use()
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)

    def read(self, framebuffer) -> np.ndarray:
        """(height, width, 4) uint8, bottom row first: blue, green, red and what is not to be looked at."""
        width, height = framebuffer.size
        pixels = np.empty((height, width, 4), np.uint8)
        self.finish()
        framebuffer.use()
        self._BindFramebuffer(READ_FRAMEBUFFER, framebuffer.glo)
        self._ReadBuffer(COLOR_ATTACHMENT0)
        self._PixelStorei(PACK_ALIGNMENT, 1)
        self._ReadPixels(0, 0, width, height, BGRA, UNSIGNED_BYTE, pixels.ctypes.data)
        return pixels


def calls_of(ctx: moderngl.Context) -> Calls:
    """Unlocked where GL is software in a context of our own (context.standalone), moderngl's otherwise."""
    address = egl_address() if getattr(ctx, 'extra', None) == 'egl' else None
    if address is None or not is_software(ctx.info['GL_RENDERER']):
        return Calls(ctx)
    try:
        return UnlockedCalls(ctx, address)
    except LookupError:
        return Calls(ctx)


def let_driver_give_way() -> None:
    """Lower the priority of the threads in which a software driver works below that of all others of this process: they take both cores of a small machine, and the
    window waits for its share. For Linux and llvmpipe; elsewhere nothing happens."""
    for task in Path('/proc/self/task').glob('[0-9]*'):
        with suppress(OSError):     # the thread has ended meanwhile
            if (task / 'comm').read_text().startswith(DRIVER_THREADS):
                os.setpriority(os.PRIO_PROCESS, int(task.name), NICE)


@lru_cache(maxsize=1)
def egl_address():
    """Function that gives the address of a GL function by its name in EGL contexts; None where there is no EGL."""
    if not sys.platform.startswith('linux'):
        return None
    try:
        find = ctypes.CDLL('libEGL.so.1').eglGetProcAddress
    except (OSError, AttributeError):
        return None
    find.restype, find.argtypes = _pointer, (ctypes.c_char_p,)
    return lambda name: find(name.encode())

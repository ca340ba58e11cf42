"""GL contexts: a standalone one without a window (EGL on Linux), or the host's own through its loader.

Qt and a standalone context in one process do not mix unless the standalone one is current only while it draws:
always use it as `with standalone.use(ctx): ...`, which un-currents it afterwards.
"""
import ctypes
import sys
from contextlib import contextmanager
from functools import lru_cache
from types import MappingProxyType

import moderngl

REQUIRED = 330      # the newest that macOS and older Mesa share
EGL = MappingProxyType({'backend': 'egl', 'libgl': 'libGL.so.1', 'libegl': 'libEGL.so.1'})     # by name: to look for them takes two other processes


class HostLoader:
    """GL entry points from a host, e.g. the current QOpenGLContext; get_address maps a name (bytes) to an address or None."""

    def __init__(self, get_address):
        self._get_address = get_address

    def load_opengl_function(self, name):
        """Address of a GL function, 0 if the driver lacks it."""
        address = self._get_address(name.encode())
        return int(address) if address is not None else 0

    def release(self):
        """The host owns the context."""


def from_host(get_address) -> moderngl.Context:
    """A new moderngl context over the context that the host has made current (call with its getProcAddress)."""
    moderngl.init_context(loader=HostLoader(get_address))
    return moderngl.get_context()


def standalone() -> moderngl.Context:
    """A context without a window, left NOT current. Raises RuntimeError with a hint where GL is missing."""
    try:
        options = EGL if sys.platform.startswith('linux') else {}
        ctx = moderngl.create_context(standalone=True, require=REQUIRED, **options)
    except Exception as error:
        raise RuntimeError(f'no OpenGL {REQUIRED / 100:.1f} without a window: {error}. '
                           'On Debian or Ubuntu install libegl1 and libgl1 (software GL comes with them)') from error
    ctx.extra = options.get('backend')      # unlocked.py asks for it
    ctx.__exit__(None, None, None)
    return ctx


@contextmanager
def use(ctx: moderngl.Context):
    """Make a standalone context current for the block, and afterwards whatever was current before.

    A thread cannot have a GLX and an EGL context at once, and asking for it fails without a word: a host's GLX context
    (Qt leaves its own current) is set aside meanwhile.
    """
    back = _set_glx_aside()
    ctx.__enter__()
    try:
        yield ctx
    finally:
        ctx.__exit__(None, None, None)
        back()


@lru_cache(maxsize=1)
def _glx():
    """GLX entry points, None where there is no GLX."""
    if not sys.platform.startswith('linux'):
        return None
    try:
        gl = ctypes.CDLL('libGL.so.1')
        for name in ('glXGetCurrentContext', 'glXGetCurrentDisplay', 'glXGetCurrentDrawable'):
            getattr(gl, name).restype = ctypes.c_void_p
        gl.glXMakeCurrent.argtypes = (ctypes.c_void_p,) * 3
        return gl
    except (OSError, AttributeError):
        return None


def _set_glx_aside():
    """Un-current a GLX context of this thread; returns what makes it current again."""
    gl = _glx()
    context = gl.glXGetCurrentContext() if gl else None
    if not context:
        return lambda: None
    display, drawable = gl.glXGetCurrentDisplay(), gl.glXGetCurrentDrawable()
    gl.glXMakeCurrent(display, None, None)
    return lambda: gl.glXMakeCurrent(display, drawable, context)

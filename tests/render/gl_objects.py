"""Which GL objects live in the current context: the driver is asked, so that nothing a program forgot is missed."""
import ctypes

import moderngl

KINDS = ('Buffer', 'Texture', 'Framebuffer', 'Renderbuffer', 'VertexArray', 'Program', 'Shader', 'Sampler')
HIGHEST = 4096      # Mesa gives names from 1 up and uses freed ones again


def _ask(ctx: moderngl.Context, kind: str):
    gl = ctypes.CDLL('libGL.so.1')      # passes calls on to the context that is current, a GLX or EGL one
    ask = getattr(gl, f'glIs{kind}')
    ask.argtypes, ask.restype = (ctypes.c_uint,), ctypes.c_ubyte
    return ask


def living(ctx: moderngl.Context) -> dict[str, int]:
    """Number of objects of each kind; the context must be current."""
    return {kind: sum(map(_ask(ctx, kind), range(1, HIGHEST))) for kind in KINDS}

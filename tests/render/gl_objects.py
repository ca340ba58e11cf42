"""Which GL objects live in the current context: the driver is asked, so that nothing a program forgot is missed."""
import ctypes

import moderngl

KINDS = ('Buffer', 'Texture', 'Framebuffer', 'Renderbuffer', 'VertexArray', 'Program', 'Shader', 'Sampler')
HIGHEST = 4096      # Mesa gives names from 1 up and uses freed ones again late: long runs need more


def _ask(ctx: moderngl.Context, kind: str):
    gl = ctypes.CDLL('libGL.so.1')      # passes calls on to the context that is current, a GLX or EGL one
    ask = getattr(gl, f'glIs{kind}')
    ask.argtypes, ask.restype = (ctypes.c_uint,), ctypes.c_ubyte
    return ask


def living(ctx: moderngl.Context, highest: int = HIGHEST) -> dict[str, int]:
    """Number of objects of each kind with names below `highest`; the context must be current. Raises ValueError where names have got beyond."""
    newest = ctx.texture((1, 1), 4), ctx.buffer(reserve=4)
    name = max(item.glo for item in newest)
    for item in newest:
        item.release()
    if name >= highest:
        raise ValueError(f'objects have names up to {name}, counted are those below {highest}')
    return {kind: sum(map(_ask(ctx, kind), range(1, highest))) for kind in KINDS}

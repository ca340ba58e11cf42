"""Mipmaps made level by level are those that the driver makes in one call."""
import ctypes

import moderngl
import numpy as np
import pytest

from render.gpu import context
from render.gpu.mipmaps import CUBE_FACE, TEXTURE_2D
from render.gpu.unlocked import UnlockedCalls, calls_of, egl_address

RGBA, FLOAT, SRGB8, SRGB8_ALPHA8 = 0x1908, 0x1406, 0x8C41, 0x8C43


@pytest.fixture
def ctx():
    made = context.standalone()
    with context.use(made):
        target = made.framebuffer([made.renderbuffer((8, 8), 4)])
        target.scissor = 0, 0, 2, 2
        target.use()
        yield made
    made.release()


def level(texture, k: int, face: int = TEXTURE_2D) -> np.ndarray:
    """What a level of a texture holds: (height, width, 4)."""
    read = ctypes.CFUNCTYPE(None, ctypes.c_uint, ctypes.c_int, ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p)(egl_address()("glGetTexImage"))
    out = np.full((*(max(1, side >> k) for side in reversed(texture.size)), 4), np.nan, np.float32)
    texture.use(0)
    read(face, k, RGBA, FLOAT, out.ctypes.data)
    return out


@pytest.mark.parametrize("size", [(64, 64), (300, 200), (37, 91), (256, 3), (1, 1)])
@pytest.mark.parametrize("components, dtype, own", [(4, "f1", None), (3, "f1", None), (2, "f1", None), (4, "f2", None), (4, "f1", SRGB8_ALPHA8), (3, "f1", SRGB8)])
def test_every_level_is_the_drivers(ctx, size, components, dtype, own):
    values = np.random.default_rng(1).random(size[0] * size[1] * components)
    data = (255 * values).astype(np.uint8).tobytes() if dtype == "f1" else values.astype(np.float16).tobytes()
    form = {} if own is None else {"internal_format": own}
    expected, made = (ctx.texture(size, components, data, alignment=1, dtype=dtype, **form) for _ in range(2))
    calls = calls_of(ctx)
    assert type(calls) is UnlockedCalls
    expected.build_mipmaps()
    calls.build_mipmaps(made)
    for k in range(max(size).bit_length()):
        np.testing.assert_array_equal(level(made, k), level(expected, k))
    assert ctx.error == "GL_NO_ERROR" and made.filter == (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    calls.build_mipmaps(made)       # the levels are there already
    np.testing.assert_array_equal(level(made, 1 if max(size) > 1 else 0), level(expected, 1 if max(size) > 1 else 0))
    assert ctx.fbo.scissor == (0, 0, 2, 2)
    ctx.fbo.clear(1, 1, 1, 1)       # the framebuffer is bound again, with its scissor
    assert np.frombuffer(ctx.fbo.read(components=1), np.uint8).sum() == 255 * 4


def test_every_face_of_a_cube_is_the_drivers(ctx):
    data = np.random.default_rng(2).integers(0, 256, 6 * 32 * 32 * 3, dtype=np.uint8).tobytes()
    expected, made = (ctx.texture_cube((32, 32), 3, data, alignment=1) for _ in range(2))
    expected.build_mipmaps()
    calls_of(ctx).build_mipmaps(made)
    for face in range(CUBE_FACE, CUBE_FACE + 6):
        for k in range(6):
            np.testing.assert_array_equal(level(made, k, face), level(expected, k, face))
    assert ctx.error == "GL_NO_ERROR"

"""Each framebuffer's turn has its fence held until its threads have gone on, and none for longer."""
import ctypes

import moderngl
import pytest

from render.gpu import context
from render.gpu.bins import SLOTS, empty_bins
from render.gpu.fences import Fences
from render.gpu.unlocked import UnlockedCalls, calls_of, egl_address

CORNERS = "#version 330\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }"
WHITE = "#version 330\nout vec4 colour; void main() { colour = vec4(1); }"


@pytest.fixture
def ctx():
    made = context.standalone()
    with context.use(made):
        made.framebuffer([made.renderbuffer((8, 8), 4)]).use()
        yield made
    made.release()


def is_sync(sync: int) -> bool:
    """Whether the driver knows a sync object."""
    return bool(ctypes.CFUNCTYPE(ctypes.c_ubyte, ctypes.c_void_p)(egl_address()("glIsSync"))(sync))


def test_a_fence_is_freed_after_the_second_end_of_all_drawing(ctx):
    fences = Fences(egl_address())
    fences.hold()
    fences.hold()
    held = list(fences._held)
    assert len(set(held)) == 2 and all(map(is_sync, held))
    ctx.finish()
    fences.let_go()
    assert all(map(is_sync, held)) and not fences._held
    ctx.finish()
    fences.let_go()
    assert not any(map(is_sync, held)) and not fences._before


def test_every_turn_of_a_framebuffer_is_held(ctx):
    calls = calls_of(ctx)
    assert type(calls) is UnlockedCalls
    array = ctx.vertex_array(ctx.program(vertex_shader=CORNERS, fragment_shader=WHITE), [])
    targets = [ctx.framebuffer([ctx.renderbuffer((16, 16), 4)]) for _ in range(3)]
    count = lambda: len(calls._fences._held)  # noqa: E731
    calls.clear(targets[0])
    assert count() == 1
    calls.draw(array, moderngl.TRIANGLES, 3)
    calls.draw(array, moderngl.TRIANGLES, 3)
    assert count() == 1                     # the same one goes on
    targets[1].use()
    calls.draw(array, moderngl.TRIANGLES, 3)
    assert count() == 2
    calls.copy(targets[2], targets[1])
    assert count() == 3
    calls.build_mipmaps(ctx.texture((16, 16), 4))
    assert count() == 3 + 5                 # before each of four levels, and after the last
    calls.finish()
    assert count() == 0
    assert len(calls._fences._before) == 9 and ctx.error == "GL_NO_ERROR"


def test_what_empties_the_drivers_bins_is_held_too(ctx):
    calls = calls_of(ctx)
    empty_bins(calls)
    assert len(calls._fences._before) == 2 + 1         # of the last part; those of all before the first glFinish have been let go of
    assert SLOTS > 64


def test_a_driver_without_fences_is_not_called_by_these(ctx):
    with pytest.raises(LookupError):
        Fences(lambda name: 0)

"""Calls that let the interpreter's lock go: the same pictures as moderngl's, and other threads run meanwhile."""
import os
import threading
import time
from pathlib import Path

import moderngl
import numpy as np
import pytest

from render.gpu import context
from render.gpu.unlocked import NICE, Calls, UnlockedCalls, calls_of, egl_address, let_driver_give_way

SLOW = '''#version 330 core
out vec4 colour;
void main() { float x = gl_FragCoord.x; for (int i = 0; i < 4000; i++) x = fract(x * 1.37 + 0.1); colour = vec4(x, 0, 0, 1); }'''
CORNERS = '''#version 330 core
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }'''
RAMP = '''#version 330 core
out vec4 colour;
void main() { colour = vec4(gl_FragCoord.x / 64, gl_FragCoord.y / 48, 0.25, 1); }'''


@pytest.fixture
def ctx():
    made = context.standalone()
    with context.use(made):
        yield made
    made.release()


def framebuffer(ctx, size, samples=0):
    return ctx.framebuffer([ctx.renderbuffer(size, 4, samples=samples)])


def ramp(ctx, calls):
    """A picture by these calls: cleared, drawn over with few indices, resolved, read."""
    array = ctx.vertex_array(ctx.program(vertex_shader=CORNERS, fragment_shader=RAMP), [])
    indexed = ctx.vertex_array(array.program, [], index_buffer=ctx.buffer(np.array([9, 0, 1, 2], np.int32)), index_element_size=4)
    drawn, target = framebuffer(ctx, (64, 48), 4), framebuffer(ctx, (64, 48))
    calls.clear(drawn, 1, 0.5, 0, 1)
    drawn.scissor = 0, 0, 32, 48
    drawn.use()
    calls.draw(array, moderngl.TRIANGLES, 3)
    drawn.scissor = 40, 0, 10, 48
    drawn.use()
    calls.draw(indexed, moderngl.TRIANGLES, 3, 1, 2)
    drawn.scissor = None
    target.use()
    calls.copy(target, drawn)
    return calls.read(target).copy()


def test_they_draw_what_moderngl_draws(ctx):
    own = calls_of(ctx)
    assert type(own) is UnlockedCalls, 'tests are expected to run on software GL'
    picture = ramp(ctx, own)
    np.testing.assert_array_equal(picture[..., :3], ramp(ctx, Calls(ctx))[..., :3])
    assert ctx.error == 'GL_NO_ERROR'
    assert picture[0, 35, :3].tolist() == [0, 128, 255] and picture[0, 0, 0] == 64      # blue first, bottom row first
    assert picture[0, 45, 2] > 150 and picture[47, 45, 1] > 240


def test_a_picture_is_scaled_to_another_size(ctx):
    calls, small, large = calls_of(ctx), framebuffer(ctx, (2, 1)), framebuffer(ctx, (40, 30))
    small.scissor = 1, 0, 1, 1
    calls.clear(small, 1, 1, 1)
    calls.scale(large, small)
    row = calls.read(large)[17, :, 0].astype(int)
    assert row[0] == 0 and row[-1] == 255 and (np.diff(row) >= 0).all() and 0 < row[20] < 255


def test_other_threads_run_while_it_waits(ctx):
    calls, target = calls_of(ctx), framebuffer(ctx, (600, 400))
    array = ctx.vertex_array(ctx.program(vertex_shader=CORNERS, fragment_shader=SLOW), [])
    stop, gaps = threading.Event(), []

    def count():
        last = time.perf_counter()
        while not stop.is_set():
            time.sleep(0.001)
            now = time.perf_counter()
            gaps.append(now - last)
            last = now

    counter, took = threading.Thread(target=count), 0.0
    counter.start()
    for _ in range(3):
        begun = time.perf_counter()
        calls.clear(target)
        calls.draw(array, moderngl.TRIANGLES, 3)
        calls.read(target)
        took = max(took, time.perf_counter() - begun)
    stop.set()
    counter.join()
    assert took > 0.05 and np.percentile(gaps, 90) < took / 4


def test_without_the_functions_moderngl_draws(ctx, monkeypatch):
    with pytest.raises(LookupError, match='glUseProgram'):
        UnlockedCalls(ctx, lambda _name: 0)
    assert egl_address()('glFinish')
    ctx.extra = None        # a host's context
    assert type(calls_of(ctx)) is Calls


@pytest.mark.parametrize("cube", [False, True])
def test_mipmaps_are_moderngls(ctx, cube):
    pixels = np.random.default_rng(1).integers(0, 256, (6 if cube else 1, 32, 32, 3), np.uint8)
    sampler = "samplerCube" if cube else "sampler2D"
    place = "vec3(1, gl_FragCoord.xy / 4 - 1)" if cube else "gl_FragCoord.xy / 8"
    source = f'''#version 330 core
uniform {sampler} image;
out vec4 colour;
void main() {{ colour = textureLod(image, {place}, 2.5); }}'''
    array = ctx.vertex_array(ctx.program(vertex_shader=CORNERS, fragment_shader=source), [])
    seen = []
    for calls in (Calls(ctx), UnlockedCalls(ctx, egl_address())):
        texture = ctx.texture_cube((32, 32), 3, pixels) if cube else ctx.texture((32, 32), 3, pixels)
        calls.build_mipmaps(texture)
        assert texture.filter == (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        target = framebuffer(ctx, (8, 8))
        texture.use(0)
        calls.clear(target)
        calls.draw(array, moderngl.TRIANGLES, 3)
        seen.append(calls.read(target).copy())
    np.testing.assert_array_equal(*seen)
    assert np.ptp(seen[0][..., :3]) > 10


def test_threads_of_a_software_driver_give_way_to_all_others():
    ready, done = threading.Barrier(3), threading.Event()

    def work(name):
        Path(f"/proc/self/task/{threading.get_native_id()}/comm").write_text(name)
        ready.wait()
        done.wait()

    threads = [threading.Thread(target=work, args=(name,)) for name in ("llvmpipe-0", "other")]
    for thread in threads:
        thread.start()
    ready.wait()
    try:
        let_driver_give_way()
        usual = os.getpriority(os.PRIO_PROCESS, os.getpid())
        assert [os.getpriority(os.PRIO_PROCESS, thread.native_id) - usual for thread in threads] == [NICE, 0]
    finally:
        done.set()
        for thread in threads:
            thread.join()

"""What the driver keeps of heavy pictures is freed."""
import numpy as np
import pytest

from render.gpu import context
from render.gpu.bins import empty_bins
from render.gpu.unlocked import calls_of
from tests.app.heap import in_use, is_told

TRIANGLES, TURNS, TRIES = 200_000, 4, 5
VERTEX = "#version 330\nin vec3 place; void main() { gl_Position = vec4(place, 1); }"
FRAGMENT = "#version 330\nout vec4 colour; void main() { colour = vec4(1); }"


@pytest.mark.skipif(not is_told(), reason="this C library does not tell what it has given out")
def test_what_heavy_pictures_leave_is_freed(offscreen):
    with context.use(offscreen.ctx) as ctx:
        random = np.random.default_rng(1)
        places = random.uniform(-1, 1, (TRIANGLES, 1, 3)) + random.uniform(-0.01, 0.01, (TRIANGLES, 3, 3))
        program = ctx.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
        buffer = ctx.buffer(places.astype("f4").tobytes())
        triangles = ctx.vertex_array(program, [(buffer, "3f", "place")])
        parts = [ctx.renderbuffer((640, 480), 4) for _ in range(TURNS)]
        targets = [ctx.framebuffer([part]) for part in parts]
        before, calls = ctx.fbo, calls_of(ctx)
        empty_bins(calls)
        least = in_use()
        for target in targets:
            target.use()
            triangles.render()
        before.use()
        ctx.finish()
        kept = in_use() - least
        for _ in range(TRIES):      # on a busy machine a slot may still be taken at the first
            empty_bins(calls)
            if in_use() - least < 0.1 * kept:
                break
        assert kept > 20 << 20 and in_use() - least < 0.1 * kept
        assert ctx.fbo is before
        for part in (triangles, buffer, program, *targets, *parts):
            part.release()


def test_every_slot_of_the_driver_is_taken(offscreen):
    """Behind a large picture, so that none is free again before the last has been asked for: more tiny ones than there are slots."""
    with context.use(offscreen.ctx) as ctx:
        calls = calls_of(ctx)

        class Noted:
            def __init__(self):
                self.ctx, self.sides = ctx, []

            def clear(self, target):
                self.sides.append(target.size[0])
                calls.clear(target)

            def finish(self):
                self.sides.append("finish")
                calls.finish()

        noted = Noted()
        empty_bins(noted)
        assert noted.sides == [2048] + 66 * [8] + ["finish", 8, 8, "finish"]


def test_a_framebuffer_that_was_released_while_it_was_bound_is_not_bound_again(offscreen):
    with context.use(offscreen.ctx) as ctx:
        part = ctx.renderbuffer((8, 8), 4)
        target = ctx.framebuffer([part])
        target.use()
        target.release()
        part.release()
        empty_bins(calls_of(ctx))
        other = ctx.renderbuffer((8, 8), 4)
        next_one = ctx.framebuffer([other])
        next_one.use()
        next_one.clear(1.0, 0.0, 0.0, 1.0)
        assert next_one.read(components=4)[:4] == b"\xff\x00\x00\xff"
        next_one.release()
        other.release()

"""Marks inside bodies are seen through them, fainter; everything else stays hidden."""
import numpy as np
import pytest

from render.gpu import context
from render.offscreen import Offscreen
from render.passes.arrange import THROUGH_ALPHA
from render.passes.probe import Probe
from render.quality import QUALITIES
from render.scene import shapes
from tests.render.stage import FRONT, flat_scene

RED, BLUE = (1, 0, 0, 1), (0, 0, 1, 1)


def scene(flags, physical=False):
    """A red box, within it a blue ball with these flags that sticks out at the top."""
    out = flat_scene()
    out.flags.physical = physical
    out.geoms.put(shapes.BOX, (0, 0, 0), (0.5, 0.5, 0.5), RED)
    out.geoms.put(shapes.SPHERE, (0, 0, 0.4), (0.3,) * 3, BLUE, flags=flags)
    return out


@pytest.fixture(scope='module', params=['low', 'medium'])
def off(request):
    with Offscreen(160, 160, QUALITIES[request.param]) as made:
        yield made


def at(picture, z):
    """Colour at the middle of the picture, this high above the box's middle in front [m]."""
    height = 2 * 3.5 * np.tan(np.radians(45 / 2))
    return picture[round(80 - 160 * z / height), 80].astype(int)


def test_what_is_marked_is_seen_faintly_where_it_is_hidden(off):
    plain, marked = (off.rgb(scene(flags), FRONT) for flags in (shapes.DECOR, shapes.DECOR | shapes.THROUGH))
    np.testing.assert_allclose(at(plain, 0.3), (255, 0, 0), atol=2)
    np.testing.assert_allclose(at(marked, 0.3), (255 * (1 - THROUGH_ALPHA), 0, 255 * THROUGH_ALPHA), atol=4)
    for z in (0.0, 0.58):     # the box beside it, and the part that is seen anyway
        np.testing.assert_array_equal(at(marked, z), at(plain, z))


def test_it_changes_nothing_else(off):
    """The same numbers are hit, and a picture without marks is the same to the last bit."""
    plain, marked = (scene(flags) for flags in (shapes.DECOR, shapes.DECOR | shapes.THROUGH))
    np.testing.assert_array_equal(off.segments(plain, FRONT), off.segments(marked, FRONT))
    before = off.rgb(plain, FRONT)
    off.rgb(marked, FRONT)
    np.testing.assert_array_equal(off.rgb(plain, FRONT), before)


def test_in_the_physical_look_too(off):
    plain, marked = (off.rgb(scene(flags, True), FRONT) for flags in (shapes.DECOR, shapes.DECOR | shapes.THROUGH))
    assert at(marked, 0.3)[2] > at(plain, 0.3)[2] + 40 and (at(marked, 0.0) == at(plain, 0.0)).all()


def test_the_pointer_reaches_what_is_seen_through(off):
    with context.use(off.ctx):
        probe = Probe(off.renderer)
        for flags, inside in ((shapes.DECOR, 0), (shapes.DECOR | shapes.THROUGH, 1)):
            marked = scene(flags)
            marked.geoms.objtype[:2], marked.geoms.objid[:2] = shapes.OBJ_GEOM, (0, 1)
            for z, wanted in ((0.3, inside), (0.58, 1), (-0.2, 0)):
                probe.ask(marked, FRONT, (160, 160), 80, 80 - 160 * z / (2 * 3.5 * np.tan(np.radians(45 / 2))))
                assert probe.answer().objid == wanted
        probe.release()

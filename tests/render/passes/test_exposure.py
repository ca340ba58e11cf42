"""Light and film of the physically based look."""
import numpy as np
import pytest

from render.gpu.lights import gather
from render.gpu.uniforms import Optics
from render.passes.exposure import BRIGHTER, balance, display_of, light_of, tone
from tests.render.stage import FRONT, flat_scene


def settled(scene):
    return balance(gather(scene, Optics.of(FRONT, 1.0), physical=True), scene)


def lamp(scene, **columns):
    k = scene.lights.add(1).start
    for name, value in columns.items():
        getattr(scene.lights, name)[k] = value


def test_the_tone_curve_rises_stays_below_one_and_is_smooth():
    x = np.linspace(0, 40, 40001)
    y = tone(x)
    assert (np.diff(y[:4000]) > 0).all() and (np.diff(y) >= 0).all() and y.max() <= 1 and tone(0.0) < 1e-4
    assert np.abs(np.diff(y[100:], 2)).max() < 1e-5       # no kink, also where the bend begins


def test_display_colours_and_light_are_inverse():
    c = np.linspace(0, 1, 256)
    assert display_of(light_of(c)) == pytest.approx(c, abs=1e-9) and light_of(0.5) == pytest.approx(0.2140, abs=1e-4)


@pytest.mark.parametrize('level', [0.2, 0.5, 0.9])
def test_even_light_is_as_bright_as_in_the_classic_look(level):
    scene = flat_scene(level)
    b = settled(scene)
    assert display_of(tone(b.exposure * b.environment * light_of(0.5))) == pytest.approx(BRIGHTER * 0.5 * level, rel=0.01)
    assert not b.lights[0].rows[3:5].any()      # a lamp has no ambient part left


def test_lamps_in_candela_are_exposed_however_strong_and_put_out_the_others():
    levels = []
    for candela in (10.0, 1e5):
        scene = flat_scene(0.5)
        scene.headlight.auto = True
        lamp(scene, type=scene.lights.POINT, pos=(0, 0, 3), intensity=candela)
        lamp(scene, type=scene.lights.POINT, pos=(0, 0, 3))
        b = settled(scene)
        assert len(b.lights) == 1 and b.lights[0].rows[2, :3] == pytest.approx((0, 0, 1))
        levels.append(b.exposure * b.lights[0].rows[4, 0])
    assert levels[0] == pytest.approx(levels[1], rel=0.01)


def test_darkness_has_an_exposure():
    scene = flat_scene(0)
    scene.headlight.active = False
    lamp(scene, diffuse=0, ambient=0)
    b = settled(scene)
    assert np.isfinite([b.exposure, b.environment]).all() and b.exposure > 0

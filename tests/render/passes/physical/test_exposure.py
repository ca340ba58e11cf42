"""Light and film of the physically based look."""
import numpy as np
import pytest

from render.gpu.lights import gather
from render.gpu.uniforms import Optics
from render.passes.physical.exposure import BRIGHTER, balance, display_of, light_of, tone
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


def test_lamps_that_move_do_not_change_the_exposure():
    def at(pos, direction, home=True, kind=0):
        scene = flat_scene(0.2)
        lamp(scene, type=kind, pos=pos, dir=direction, diffuse=0.8, attenuation=(0, 0, 1), **({'home': (0, 0, 2), 'home_dir': (0, 0, -2)} if home else {}))
        b = settled(scene)
        return b.exposure, b.environment

    assert at((0, 0, 2), (0, 0, -1), False) == pytest.approx(at((5, 0, 9), (1, 0, 0)))
    assert at((0, 0, 2), (0, 0, -1), False)[0] != pytest.approx(at((5, 0, 9), (1, 0, 0), False)[0], rel=0.01)


def test_a_lamp_that_shines_past_the_model_is_reckoned_where_it_shines():
    def exposure(direction):
        scene = flat_scene(0.05)
        lamp(scene, type=scene.lights.SPOT, pos=(0, 0, 1), dir=direction, diffuse=1.0, cutoff=30)
        return settled(scene).exposure

    assert exposure((1, 0, 0)) < 4 * exposure((0, 0, -1))      # eight times if it were computed as dark


def test_what_a_lamp_says_of_highlights_is_heeded():
    scene = flat_scene(0.2)
    for k, specular in enumerate((0.0, 0.3, 2.0)):
        lamp(scene, type=scene.lights.POINT, pos=(0, k, 3), diffuse=0.6, specular=specular)
    lights = settled(scene).lights[1:]
    shares = [light.rows[5, 0] / light.rows[4, 0] for light in lights]
    assert shares == pytest.approx([0, 0.5, 1])

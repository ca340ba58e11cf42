"""Textures on every shape beside the official picture, in even light, so that only their place counts."""
import numpy as np
import pytest
from PIL import Image

from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import shapes
from tests.render import beside
from tests.render.stage import FRONT, textured

SIZE = (260, 180)
MESHES = '''<mesh name="wedge" vertex="-.3 -.3 -.2 .3 -.3 -.2 -.3 .3 -.2 .3 .3 -.2 -.3 0 .3 .3 0 .3"/><mesh name="ball" builtin="sphere" params="3" scale=".3 .2 .3"/>
<mesh name="own" vertex="-.3 -.2 -.2 .3 -.2 -.2 -.3 .2 -.2 .3 .2 -.2 -.3 -.2 .3 .3 -.2 .3 -.3 .2 .3 .3 .2 .3"
 texcoord="0 0 1 0 0 1 1 1 .2 .2 .8 .2 .2 .8 .8 .8" face="2 3 0 3 1 0 1 5 0 5 4 0 3 5 1 5 3 7 6 2 0 4 6 0 6 3 2 3 6 7 5 6 4 6 5 7"/>
<hfield name="h" nrow="4" ncol="5" size=".3 .25 .2 .1" elevation="0 .1 .2 .1 0 0 .3 .6 .3 0 .2 .5 1 .6 .1 0 .2 .5 .3 .1"/>'''
SHAPES = ('type="sphere" size=".3"', 'type="ellipsoid" size=".2 .3 .4"', 'type="capsule" size=".2 .25"', 'type="cylinder" size=".25 .35"',
          'type="box" size=".2 .3 .4"', 'type="plane" size=".3 .4 .1"', 'type="mesh" mesh="wedge"', 'type="hfield" hfield="h"',
          'type="mesh" mesh="ball"', 'type="mesh" mesh="own"')
VIEW = {'lookat': (.3, 1.2, -.3), 'distance': 4.6, 'azimuth': 80, 'elevation': -40}
CONVEX_HULL = 0
CASES = {'flat': ('2d', ''), 'repeated': ('2d', 'texrepeat="2 3"'), 'uniform': ('2d', 'texrepeat="3 4" texuniform="true"'),
         'cube': ('cube', ''), 'uniform cube': ('cube', 'texuniform="true"')}


@pytest.fixture(scope='module')
def off():
    with Offscreen(*SIZE, QUALITIES['classic']) as off:
        yield off


@pytest.fixture(scope='module')
def pictures(tmp_path_factory):
    """A folder with a picture that looks another way from each side, and six squares."""
    folder = tmp_path_factory.mktemp('pictures')
    y, x = np.mgrid[0:48, 0:64]
    spot = (np.hypot(x - 40, y - 14) < 7)[..., None]
    Image.fromarray(np.where(spot, 255, np.dstack([4 * x, 5 * y, 0 * x + 120])).astype(np.uint8)).save(folder / 'flat.png')
    for k in range(6):
        square = np.where(spot[:48, :48], 255, np.dstack([5 * x, 5 * y, 0 * x + 50 * k])[:, :48]).astype(np.uint8)
        Image.fromarray(np.rot90(square, k)).save(folder / f'{k}.png')
    return folder


def test_a_picture_larger_than_the_driver_takes_is_thinned_out(off):
    colours = np.zeros((2, 20000, 3), np.uint8)
    colours[:, 10000:] = (0, 255, 0)
    rgb = off.rgb(textured(shapes.BOX, (1, 1, 1), colours), FRONT)
    height, width = rgb.shape[:2]
    assert tuple(rgb[height // 2, width // 2 + 12]) == (0, 255, 0) and tuple(rgb[height // 2, width // 2 - 12]) == (0, 0, 0)


def texture(kind, folder):
    """The texture element 't' of a kind."""
    files = ('right', 'left', 'up', 'down', 'front', 'back')
    inner = f'file="{folder}/flat.png"' if kind == '2d' else ' '.join(f'file{name}="{folder}/{k}.png"' for k, name in enumerate(files))
    return f'<texture name="t" type="{kind}" {inner}/>'


def model(made_of, material, shapes):
    """Shapes in rows with a material, each once as it is and once turned over."""
    places = [(-1.5 + .75 * (k % 5), 1.2 * (k // 5)) for k in range(10)]
    geoms = ''.join(f'<geom {shape} pos="{x} {y} 0" material="m"/><geom {shape} pos="{x} {y + .5} -.9" euler="170 15 150" material="m"/>'
                    for (x, y), shape in zip(places, shapes))
    return f'''<mujoco>{beside.EVEN_LIGHT}<asset>{made_of}{MESHES}<material name="m" texture="t" {material}/></asset>
      <worldbody>{geoms}<site type="box" size=".2 .3 .1" pos="2.2 0 0" material="m"/></worldbody></mujoco>'''


@pytest.mark.parametrize('case', CASES)
def test_a_texture_lies_as_officially(off, pictures, case):
    """The official picture of a mesh with coordinates of its own and a cube texture has no texture; ours shows it, so that is left out."""
    kind, material = CASES[case]
    text = model(texture(kind, pictures), material, SHAPES if kind == '2d' else SHAPES[:-1])
    theirs = beside.theirs(text, SIZE, VIEW)
    mean, seen = beside.difference(beside.ours(off, text, VIEW), theirs)
    assert theirs.std() > 40 and seen > .25
    assert mean < 0.6, mean


def test_a_texture_lies_on_hulls_as_officially(off, pictures):
    text = model(texture('2d', pictures), CASES['repeated'][1], [shape for shape in SHAPES if 'mesh' in shape])
    theirs = beside.theirs(text, SIZE, VIEW, (CONVEX_HULL,))
    mean, seen = beside.difference(beside.ours(off, text, VIEW, (CONVEX_HULL,)), theirs)
    assert theirs.std() > 20 and seen > .1
    assert mean < 0.6, mean


COLOURS = {'sRGB and alpha': ('2d', 'colorspace="sRGB" nchannel="4"'), 'sRGB cube': ('cube', 'colorspace="sRGB"'), 'linear': ('2d', 'colorspace="linear"')}


@pytest.mark.parametrize('case', COLOURS)
def test_colours_and_sorts_of_planes_are_the_official_ones(off, pictures, case):
    """Endless planes along one axis and along both, repeated by metre; geom and material colours by the rule of precedence."""
    kind, more = COLOURS[case]
    geoms = ('<geom type="plane" size="0 .5 .1" material="m"/><geom type="plane" size=".7 0 .1" pos="2 0 -.4" euler="0 15 0" material="m" rgba=".4 .9 .6 1"/>'
             '<geom type="plane" size="0 0 .1" pos="0 0 -1" material="r" rgba=".5 .5 .5 1"/>' if kind == '2d' else '')
    text = f'''<mujoco>{beside.EVEN_LIGHT}<statistic extent="2" center="0 0 0"/><asset>{texture(kind, pictures).replace('/>', f' {more}/>')}
      <material name="m" texture="t" texrepeat="3 2" texuniform="true" rgba=".9 .7 .7 1"/>
      <material name="r" texture="t" texrepeat="2 .5" rgba=".6 .6 .9 1"/></asset><worldbody>{geoms}
      <geom type="box" size=".3 .2 .3" pos="0 0 .4" material="r"/>
      <geom type="box" size=".3 .2 .3" pos="-1 0 .4" material="r" rgba=".5 .5 .5 .999"/></worldbody></mujoco>'''
    camera = {'lookat': (0, 0, 0), 'distance': 3, 'azimuth': 60, 'elevation': -25}
    theirs = beside.theirs(text, SIZE, camera)
    mean, seen = beside.difference(beside.ours(off, text, camera), theirs)
    assert theirs.std() > 15 and seen > .05
    assert mean < 0.6, mean


@pytest.mark.parametrize('camera', ({'azimuth': 30, 'elevation': 30}, {'azimuth': 210, 'elevation': -30}))
def test_a_sky_of_six_pictures_hangs_as_officially(off, pictures, camera):
    text = f'''<mujoco>{beside.EVEN_LIGHT}<statistic extent="2" center="0 0 0"/><asset>{texture('skybox', pictures)}</asset>
      <worldbody><geom size=".2"/></worldbody></mujoco>'''
    camera = {'lookat': (0, 0, 0), 'distance': 3, **camera}
    theirs = beside.theirs(text, SIZE, camera)
    mean, seen = beside.difference(beside.ours(off, text, camera), theirs)
    assert theirs.std() > 40 and seen > .9
    assert mean < 1, mean

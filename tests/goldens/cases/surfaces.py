"""What surfaces may look like: materials, textures of every type and layout on every shape, skies."""
from tests.goldens.case import Case

PLACES = [(-1.2 + 0.6 * (k % 5), 0.4 - 0.8 * (k // 5)) for k in range(10)]
SHAPES = ('size=".2"', 'type="ellipsoid" size=".15 .2 .25"', 'type="capsule" size=".13 .15"', 'type="cylinder" size=".17 .22"', 'type="box" size=".15 .2 .22"',
          'type="plane" size=".24 .3 .1"', 'type="mesh" mesh="stone"', 'type="mesh" mesh="own"', 'type="hfield" hfield="hills"', 'type="mesh" mesh="stone"')
MESHES = '''<mesh name="stone" builtin="sphere" params="2" scale=".22 .16 .2"/><hfield name="hills" nrow="3" ncol="4" size=".26 .22 .15 .05" elevation="0 1 1 0 1 3 2 1 0 1 2 0"/>
  <mesh name="own" scale=".2 .2 .2" vertex="-1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 0 0 1.2" face="0 2 1 0 3 2 0 1 4 1 2 4 2 3 4 3 0 4" texcoord="0 0 1 0 1 1 0 1 .5 .5"/>'''
WHITE = '<visual><headlight ambient=".6 .6 .6" diffuse=".4 .4 .4" specular="0 0 0"/><global azimuth="80" elevation="-38"/></visual><statistic center="0 -.15 0" extent="2"/>'


def _things(made, material='', shapes=SHAPES):
    geoms = ''.join(f'<geom {shape} pos="{x} {y} 0" euler="{20 * (k % 3)} 10 {30 * k}" material="m"/>' for k, (shape, (x, y)) in enumerate(zip(shapes, PLACES, strict=False)))
    return f'<mujoco>{WHITE}<asset>{made}{MESHES}<material name="m" texture="t" {material}/></asset><worldbody>{geoms}</worldbody></mujoco>'


def _six(kind):
    return f'<texture name="t" type="{kind}" ' + ' '.join(f'file{side}="tex/{side}.png"' for side in ('right', 'left', 'up', 'down', 'front', 'back')) + '/>'


LETTER = '<texture name="t" type="2d" file="tex/letter.png"/>'
CROSS = '<texture name="t" type="cube" file="tex/cross.png" gridsize="3 4" gridlayout=".U..LFRB.D.."/>'
SQUARE = '<texture name="t" type="cube" file="tex/square.png" gridsize="1 1"/>'


def _tiles():
    """Every builtin with every mark, side by side."""
    made, geoms = '', ''
    for j, builtin in enumerate(('flat', 'gradient', 'checker')):
        for i, mark in enumerate(('none', 'edge', 'cross', 'random')):
            name = f'{builtin}{mark}'
            made += (f'<texture name="{name}" type="2d" builtin="{builtin}" mark="{mark}" markrgb="1 1 .3" random=".05" rgb1=".8 .3 .2" rgb2=".2 .3 .6" width="48" height="48"/>'
                     f'<material name="{name}" texture="{name}"/>')
            geoms += f'<geom type="plane" size=".2 .2 .1" pos="{0.45 * i - 0.67} {0.45 - 0.45 * j} 0" material="{name}"/>'
    return f'<mujoco>{WHITE}<asset>{made}</asset><worldbody>{geoms}</worldbody></mujoco>'


def _cube_of(builtin, mark):
    return f'<texture name="t" type="cube" builtin="{builtin}" mark="{mark}" markrgb="1 1 .3" random=".05" rgb1=".8 .3 .2" rgb2=".2 .3 .6" width="32" height="192"/>'


def _sky(texture, pitch=0):
    return f'''<mujoco><visual><global azimuth="60" elevation="{pitch}" fovy="80"/></visual><statistic center="0 0 .5" extent="1"/><asset>{texture}</asset>
      <worldbody><geom size=".2" pos="0 0 .5" rgba=".8 .5 .2 1"/></worldbody></mujoco>'''


SMALL, TINY = (240, 180), (200, 150)
FLAT_VIEW = {'lookat': (0, 0, 0), 'distance': 1.7, 'azimuth': 90, 'elevation': -89.9}
NOT_ON_MESHES = 'the official cube texture is missing on the mesh with coordinates of its own'
HOUSE = f'''<mujoco>{WHITE.replace('extent="2"', 'extent="1"')}<asset>{LETTER}<mesh name="house" file="tex/house.obj" scale=".25 .25 .25"/><material name="m" texture="t"/></asset>
  <worldbody><light pos="0 0 3" dir=".5 .3 -1" type="directional" castshadow="false"/><geom type="mesh" mesh="house" material="m" pos="-.3 -.3 0" euler="0 0 -40"/>
  <geom type="mesh" mesh="house" rgba=".8 .5 .3 1" pos=".35 -.3 0" euler="0 0 30"/></worldbody></mujoco>'''
CASES = (
    Case('mesh_file', HOUSE, 'a house with F on walls and roof, its ridge rounded by its own normals', size=(240, 180)),
    Case('materials', 'materials.xml', 'back: plain, shining, hard and soft gloss, dull, metallic (no effect here); middle: geom colours over those of materials, glass, '
         'letters tinted; front: the same of sites'),
    Case('texture_2d', _things(LETTER), 'the letter F on every shape', size=SMALL),
    Case('texture_repeated', _things(LETTER, 'texrepeat="2 3"'), 'F repeated twice and three times', size=SMALL),
    Case('texture_uniform', _things(LETTER, 'texrepeat="4 4" texuniform="true"'), 'F as large on all', size=SMALL),
    Case('texture_builtins', _tiles(), 'flat, gradient, checker; without mark, with edge, cross, spots', camera=FLAT_VIEW),
    Case('cube_files', _things(_six('cube')), 'six colours with F around every shape', size=TINY, why=NOT_ON_MESHES),
    Case('cube_grid', _things(CROSS), 'the same from one file', size=TINY, why=NOT_ON_MESHES),
    Case('cube_square', _things(SQUARE), 'one picture on all six sides', size=TINY, why=NOT_ON_MESHES),
    Case('cube_uniform', _things(SQUARE, 'texuniform="true"'), 'the same, as large on all', size=TINY, why=NOT_ON_MESHES),
    Case('cube_gradient', _things(_cube_of('gradient', 'none')), 'a gradient around every shape', size=TINY, why=NOT_ON_MESHES),
    Case('cube_checker', _things(_cube_of('checker', 'cross')), 'checker and crosses around every shape', size=TINY, why=NOT_ON_MESHES),
    Case('cube_flat', _things(_cube_of('flat', 'random')), 'flat sides with spots around every shape', size=TINY, why=NOT_ON_MESHES),
    Case('sky_gradient', _sky('<texture type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2=".9 .6 .3" width="64" height="64"/>'), 'a gradient sky', size=SMALL),
    Case('sky_stars', _sky('<texture type="skybox" builtin="flat" mark="random" markrgb="1 1 1" rgb1="0 0 .1" rgb2=".1 .05 0" random=".02" width="64" height="64"/>', 20),
         'stars on a dark sky', size=SMALL),
    Case('sky_files', _sky(_six('skybox').replace('name="t"', '')), 'a sky of six files', size=SMALL),
    Case('sky_files_up', _sky(_six('skybox').replace('name="t"', ''), 60), 'the same, looked up at', size=SMALL),
    Case('sky_grid', _sky('<texture type="skybox" file="tex/sky.png" gridsize="3 4" gridlayout=".U..LFRB.D.."/>', -30), 'a sky from one file, looked down at', size=SMALL),
    Case('sky_none', _sky(''), 'black without a sky', size=SMALL),
)

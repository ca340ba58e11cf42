"""What makes a picture: mirrors, fog, haze, transparency, every render flag, every kind of camera."""
from tests.app.test_views import FREE_ANGLES, XML
from tests.goldens.case import Case

VIEWS = XML.replace('<visual>', '<visual><headlight ambient=".4 .4 .4" diffuse=".6 .6 .6"/>').replace('type="plane"', 'type="plane" rgba=".4 .45 .5 1"')
SMALL, TINY, ENDLESS = (240, 180), (200, 150), 'hidden.xml'
SPECKLED = 'the official floor is speckled by its shadow map'
SHINING = '<visual><headlight ambient=".3 .3 .3" diffuse=".6 .6 .6"/><global azimuth="110" elevation="-28"/></visual><statistic center="0 0 .3" extent="1.7"/>'
THINGS = '''<geom size=".2" pos="-.7 .3 .35" rgba=".8 .4 .3 1"/><geom type="box" size=".1 .1 .3" pos="0 .6 .4" euler="0 0 30" rgba=".4 .7 .4 1"/>
  <geom type="cylinder" size=".12 .2" pos=".75 .1 .4" euler="20 0 0" rgba=".4 .5 .8 1"/>'''
SKY = '<texture type="skybox" builtin="gradient" rgb1=".4 .6 .9" rgb2=".1 .1 .1" width="32" height="32"/>'


def _mirrors(assets, geoms):
    return f'<mujoco>{SHINING}<asset>{SKY}{assets}</asset><worldbody>{THINGS}{geoms}</worldbody></mujoco>'


def _mirror(name, see, assets, geoms, **more):
    return Case(f'mirror_{name}', _mirrors(assets, geoms), see, **{'size': SMALL} | more)


HALF = '<material name="half" rgba=".5 .5 .5 1" reflectance=".5"/>'
FLOOR = '<geom type="plane" size="1.5 1.2 .1" material="half"/>'
WALL = '<geom type="plane" size="1 .6 .1" pos="0 1.2 .6" euler="90 0 0" material="half"/>'
TABLE = '<geom type="box" size=".9 .6 .1" pos="0 .2 .05" material="half"/>'
BLOCK = TABLE.replace('.9 .6 .1', '.3 .3 .1').replace('0 .2 .05', '.2 -.4 .12')
FIRST_ALONE = 'the official picture has one mirror alone'
MIRRORS = (
    _mirror('floor', 'things and sky in the floor, the floor grey between', HALF, FLOOR),
    _mirror('strong', 'reflectance 1: the floor adds all of the mirror', HALF.replace('".5"/', '"1"/'), FLOOR),
    _mirror('off', 'no mirror', HALF, FLOOR, toggle=('reflection',)),
    _mirror('texture', 'a textured mirror', '<texture name="t" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".5 .4 .3" width="64" height="64"/>'
            '<material name="half" texture="t" texrepeat="4 4" reflectance=".4"/>', FLOOR),
    _mirror('box', 'the top of a box is a mirror, its sides are not', HALF, TABLE + '<geom type="plane" size="1.5 1.2 .1" rgba=".3 .3 .3 1" pos="0 0 -.06"/>'),
    _mirror('first', 'of two mirrors the first alone, as officially', HALF, FLOOR + WALL),
    _mirror('several', 'floor, wall and table are mirrors, each seen in the others once', HALF, FLOOR + WALL + BLOCK, quality='high', why=FIRST_ALONE),
    _mirror('glass', 'glass in a mirror', HALF, FLOOR + '<geom size=".2" pos="-.1 -.3 .3" rgba=".3 .9 .9 .4"/>'),
    _mirror('below', 'from below there is no mirror', HALF, FLOOR, camera={'lookat': (0, 0, 0.3), 'distance': 2.5, 'azimuth': 110, 'elevation': 20}),
)
GLASS = ''.join(f'<geom type="{kind}" size=".18 .18 .18" pos="{-0.6 + 0.3 * k} {-0.3 + 0.2 * k} .25" rgba="{colour} .4"/>'
                for k, (kind, colour) in enumerate(zip(('sphere', 'box', 'cylinder', 'ellipsoid', 'capsule'), ('1 .2 .2', '.2 1 .2', '.3 .3 1', '1 1 .2', '1 .3 1'), strict=True)))
PANES = ''.join(f'<geom type="plane" size=".3 .3 .1" pos="{0.15 * k} {-0.2 + 0.25 * k} .4" euler="90 {10 * k} 0" rgba="{".9 .3 .3" if k % 2 else ".3 .5 .9"} .5"/>'
                for k in range(4))
TRANSPARENT = f'<mujoco>{SHINING}<worldbody><geom type="plane" size="1.5 1.2 .1" rgba=".5 .5 .5 1"/>{THINGS}{{}}</worldbody></mujoco>'
LOW = {'lookat': (0, 0, 0.4), 'distance': 5, 'azimuth': 100, 'elevation': -6}
SEEN_THROUGH = (
    Case('glass', TRANSPARENT.format(GLASS), 'five coloured glasses behind each other, before solid things', size=SMALL),
    Case('glass_additive', TRANSPARENT.format(GLASS), 'the same, light added to light', toggle=('additive',), size=SMALL),
    Case('panes', TRANSPARENT.format(PANES), 'panes behind each other, the near ones before the far ones', size=SMALL),
    Case('fog', ENDLESS, 'fog: the floor goes black with distance', toggle=('fog',), size=SMALL, why=SPECKLED),
    Case('fog_coloured', ENDLESS, 'a white fog from near', toggle=('fog',), visual={'rgba.fog': (0.9, 0.9, 0.9, 1), 'map.fogstart': 0.8, 'map.fogend': 3.0},
         size=SMALL, why=SPECKLED),
    Case('haze_wide', ENDLESS, 'an orange haze, high', visual={'rgba.haze': (1, 0.6, 0.3, 1), 'map.haze': 0.8}, camera=LOW,
         size=SMALL, why=SPECKLED),
)
DIM = (0.05, 3.0)     # its colours are numbers: nearly black
# the other flags are seen above: Fog, Reflection, Additive
FLAGS = tuple(Case(f'flag_{name.lower().replace(" ", "_")}', ENDLESS, see, toggle=toggle, size=TINY, why=why, limits=DIM if name == 'Id Color' else None)
              for name, toggle, see, why in (
    ('Shadow', ('shadow',), 'no shadows', ''),
    ('Wireframe', ('wireframe',), 'edges alone', 'official edges shade themselves, and its mirrors lose transparent things to the sky'),
    ('Reflection', ('reflection',), 'no mirror', SPECKLED),
    ('Skybox', ('skybox',), 'black for a sky, no haze', SPECKLED),
    ('Haze', ('haze',), 'a sharp horizon', SPECKLED),
    ('Depth', ('depth',), 'near is bright, far is dark', 'the official picture here is its font\'s bitmap'),
    ('Segment', ('segment',), 'every thing in a colour of its own', ''),
    ('Id Color', ('segment', 'idcolor'), 'every thing in the colour of its number', ''),
    ('Cull Face', ('cull_face',), 'back faces too, seen in the tin', SPECKLED),
))
FACES = Case('cull_face_inside', f'<mujoco>{SHINING}<worldbody><geom type="box" size="1.2 1 .6" pos="0 0 .5" rgba=".6 .5 .4 1"/>{THINGS}</worldbody></mujoco>',
             'from inside a box: its back faces are drawn', toggle=('cull_face',), camera={'lookat': (0, 0.2, 0.4), 'distance': 0.9, 'azimuth': 110, 'elevation': -10}, size=SMALL)


def _looking(name, see, **more):
    return Case(f'camera_{name}', VIEWS, see, **{'given': {'qpos': dict(enumerate((.5, .9, .5, .4, .5, .9, .2, .1, .1)))}, 'size': SMALL} | more)


CAMERAS = tuple(_looking(name, see, camera=name) for name, see in (
    ('plain', 'a camera of the world'), ('flat', 'an orthographic one: parallel edges stay parallel'), ('pinhole', 'one with focal length and principal point in metres'),
    ('pixels', 'one with focal length and principal point in pixels'), ('fixed', 'one that turns with the bar'), ('track', 'one that goes with the bar'),
    ('trackcom', 'one that goes with the bar\'s centre of mass'), ('target', 'one that looks at the ball'), ('targetcom', 'one that looks at the arm\'s centre of mass'))) + (
    _looking('free', 'the free camera', camera=FREE_ANGLES), _looking('tracking', 'the free camera on the arm', camera='track arm'),
    _looking('free_orthographic', 'the free camera without perspective', camera=FREE_ANGLES, visual={'global_.orthographic': 1, 'global_.fovy': 2.0}),
    _looking('free_wide', 'the free camera with a wide lens', camera=FREE_ANGLES | {'distance': 1.2}, visual={'global_.fovy': 90.0}))
# what the window draws on a slow or a fast machine, and whole models
CHEAPER = 'fewer samples, coarser shadows and mirrors'
QUALITIES = tuple(Case(f'quality_{name}', ENDLESS, see, quality=name, size=TINY, why=why) for name, see, why in (
    ('lowest', 'rough edges, no shadows, no mirror', CHEAPER), ('low', 'hard shadows, a coarse mirror', CHEAPER),
    ('medium', 'smooth edges, soft shadows, a coarse mirror', CHEAPER), ('high', 'soft shadows, a sharp mirror', SPECKLED)))
MODELS = tuple(Case(f'model_{name}', f'../../../models/{name}.xml', see, size=SMALL) for name, see in (
    ('humanoid', 'the humanoid'), ('arm', 'the arm'), ('quadruped', 'the quadruped'), ('bouncing_balls', 'the balls')))
CASES = QUALITIES + MODELS + MIRRORS + SEEN_THROUGH + FLAGS + (FACES,) + CAMERAS

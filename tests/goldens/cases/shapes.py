"""What bodies may look like: every geom type, hulls, sites, groups, skins, tendons, slider-cranks."""
import numpy as np

from tests.goldens.case import Case
from tests.render.skin_models import BONES, skin_xml

SPECKLED = 'the official floor is speckled by its shadow map'
SMALL = (240, 180)
MODEL, ENDLESS, TENDONS = 'shapes.xml', 'hidden.xml', 'tendons.xml'


def _bent() -> dict:
    """qpos of the skin model: a spiral of the tube, a sheet that is no rectangle."""
    rows = {}
    for k in range(BONES):
        angle = 0.35 * (k > 0)
        axis = np.array([0.3, -0.8, 0.5]) / np.linalg.norm([0.3, -0.8, 0.5])
        rows |= {4 * k + i: value for i, value in enumerate(np.r_[np.cos(angle / 2), np.sin(angle / 2) * axis])}
    return {'qpos': rows | {4 * BONES + k: s for k, s in enumerate((0.06, -0.05, 0.1, 0.0))}}


SKIN_VIEW = {'lookat': (0.35, 0.25, 0.5), 'distance': 1.9, 'azimuth': 60, 'elevation': -22}
LIMIT_VIEW = {'lookat': (0.2, 0, 0.5), 'distance': 1.2, 'azimuth': 90, 'elevation': -5}
FAR = {'lookat': (0, 0, 0), 'distance': 12, 'azimuth': 40, 'elevation': -12}
ROPE_VIEW = {'lookat': (0.7, 0, 0.5), 'distance': 1.2, 'azimuth': 90, 'elevation': -5}
STATE = {'qpos': {0: 0.0, 1: 0.02, 2: 0.05, 3: -0.05}}
CASES = (
    Case('shapes', MODEL, 'sphere, capsule, ellipsoid, cylinder, box; round, notched and smooth mesh, height field; finite planes; sites of every type'),
    Case('shapes_hull', MODEL, 'hulls: the rock shows facets, the notch is filled, the torus is a disc', toggle=('convex_hull',)),
    Case('shapes_coarse', MODEL, 'round things with six sides and four rings', visual={'quality.numslices': 6, 'quality.numstacks': 4, 'quality.numquads': 1},
         size=SMALL),
    Case('shapes_below', MODEL, 'from below the floor: planes shine through', camera={'lookat': (0, 0, 0.2), 'distance': 3, 'azimuth': 60, 'elevation': 25}),
    Case('shapes_near', MODEL, 'height field with its sides and its facets, from near', camera={'lookat': (1, -0.3, 0.1), 'distance': 1, 'azimuth': 150, 'elevation': -20}),
    Case('geom_groups', MODEL, 'group 3 shown (tall orange box), groups 0 to 2 hidden, sites as ever', groups={'geom': '000100'}),
    Case('site_groups', MODEL, 'only the pink site of group 4', groups={'site': '000010'}),
    Case('endless', ENDLESS, 'an endless floor to the horizon, its squares one metre; nothing of the geom of alpha 0; the blue tin is glass', size=SMALL,
         why=SPECKLED),
    Case('endless_far', ENDLESS, 'the same from far: the texture fades without noise', why=SPECKLED, size=SMALL, camera=FAR),
    Case('endless_plain', ENDLESS, 'the same without textures', why=SPECKLED, size=SMALL, toggle=('texture',)),
    Case('skin', skin_xml(), 'a checkered tube bent along five bones, a green sheet with thickness', given=_bent(), camera=SKIN_VIEW, why=SPECKLED),
    Case('skin_off', skin_xml(), 'no skins', given=_bent(), camera=SKIN_VIEW, why=SPECKLED, toggle=('skin',)),
    Case('skin_inflated', skin_xml(inflate=0.12), 'the tube thick', given=_bent(), camera=SKIN_VIEW, why=SPECKLED),
    Case('skin_groups', skin_xml(), 'the sheet (group 1) alone', given=_bent(), camera=SKIN_VIEW, why=SPECKLED, groups={'skin': '010000'}),
    Case('skin_material', skin_xml().replace('material="chk" inflate', 'material="red" inflate'), 'the tube in plain red', given=_bent(), camera=SKIN_VIEW, why=SPECKLED),
    Case('skin_composite', 'composite.xml', 'a cloth over nothing, bent by its weight, and a soft egg', steps=60, compat='2.3', why=SPECKLED),
    Case('skin_label', skin_xml(), 'names of the skins', given=_bent(), camera=SKIN_VIEW, label='Skin', why='the font'),
    Case('tendons', TENDONS, 'round a ball and a striped one round a pole, through a pipe, over a pulley, slack ones hanging as ropes', given=STATE),
    Case('tendons_off', TENDONS, 'no tendons', given=STATE, toggle=('tendon',)),
    Case('tendons_group', TENDONS, 'the white one of group 3 alone', given=STATE, groups={'tendon': '000100'}),
    Case('tendons_limit', TENDONS, 'the straight one is drawn red: it is longer than it may be', given={}, camera=LIMIT_VIEW),
    Case('tendons_ropes', TENDONS, 'a rope between two balls, deep', given={'qpos': {5: 0.2, 6: -0.2}}, camera=ROPE_VIEW),
    Case('tendons_actuated', TENDONS, 'the pulled tendon thick in the actuator\'s colour', given=STATE | {'ctrl': {0: 1.0}}, toggle=('actuator',)),
)

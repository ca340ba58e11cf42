"""What is ours alone beside forces and motion: pictures of what is not colour, with legends; labels that keep apart; insets; what is written on films."""
from tests.goldens.case import Case
from tests.render.skin_models import skin_xml

SHAPES, CROWD = 'shapes.xml', 'crowd.xml'


def _ours(name, model, see, **more):
    return Case(name, model, see, official=False, **more)


CASES = (
    _ours('show_depth', SHAPES, 'near things brighter, the sky black; greys of some distances in the legend', show='depth', explained=True),
    _ours('show_things', SHAPES, 'each geom and site in a flat colour of its own', show='segment'),
    _ours('show_types', SHAPES, 'geoms in one colour, sites in another, camera, lights and joints too; all in the legend', show='type', explained=True,
          toggle=('light', 'joint', 'camera')),
    _ours('show_normals', SHAPES, 'sides that face up bluish, the legend tells the six ways', show='normal', explained=True),
    Case('skin_selected', skin_xml(), 'the tube glows, the sheet does not', selected='b2', skin=0, why='the official floor is speckled by its shadow map'),
    _ours('labels_crowd', CROWD, 'no label on another, dark rims, leader lines where there is no room beside', label='Body'),
    _ours('labels_more', CROWD, 'only some of the labels have room, the rest is left out', label='Geom', size=(240, 160)),
    _ours('labels_legend', CROWD, 'no label on the legend', label='Joint', toggle=('joint', 'joint_torque', 'momentum', 'margin_shell')),
    _ours('insets', CROWD, 'what two cameras see at the right: one in colours, one in normals', insets=(('above', 'colour'), ('low', 'normal'))),
    _ours('film_frame', 'moving.xml', 'a transparent frame: the pattern is seen where there is no thing, texts and legend stand on it', film=True, caption='0.25 s', label='Body',
          given={'qvel': {0: 1.2, 12: -1.5, 36: 1.2, 38: .8, 42: 4.0}}, toggle=('linear_velocity',)),
    _ours('caption', CROWD, 'a caption at the bottom left, labels and the legend', label='Site', caption='1.250 s   x 0.5', toggle=('gravity_compensation',)),
)

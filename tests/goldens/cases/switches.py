"""Every visualization flag, label, frame and group, on a mechanism and on a bench of sensors."""
from tests.goldens.case import Case, Held

BENCH, MODEL, SMALL = 'sensors.xml', 'mechanism.xml', (240, 180)
BALLS = {'lookat': (1.0, 0.1, 0.2), 'distance': 1.2, 'azimuth': 70, 'elevation': -30}
RAYS = {'lookat': (1.05, -0.3, 0.4), 'distance': 1.3, 'azimuth': 60, 'elevation': -30}
CAMERAS = '''<mujoco><statistic center="0 0 .3" extent="1.2" meansize=".2"/><visual><global azimuth="130" elevation="-25"/><scale frustum="6"/></visual>
  <worldbody><light pos="0 0 3"/>
  <geom type="plane" size="1.2 1.2 .1" rgba=".5 .5 .55 1"/><camera pos="-.6 .2 .5" xyaxes="1 0 0 0 .5 1" resolution="4 3" projection="orthographic" fovy=".3"/>
  <camera pos="0 .2 .5" xyaxes="1 0 0 0 .5 1" resolution="4 6" focal=".05 .04" principal=".01 .015" sensorsize=".04 .06"/>
  <camera pos=".6 .2 .5" xyaxes="1 0 0 0 .5 1"/></worldbody></mujoco>'''
GAP = '''<mujoco><statistic center="0 0 .2" extent=".9" meansize=".15"/><visual><global azimuth="110"/></visual><worldbody><light pos="0 0 2" castshadow="false"/>
  <geom type="plane" size="1 1 .1" rgba=".5 .5 .55 1"/><body pos="-.25 0 .18"><freejoint/><geom type="box" size=".15 .15 .15" gap=".05"/></body>
  <body pos=".3 0 .0998"><freejoint/><geom type="box" size=".15 .12 .1" gap=".05" rgba=".4 .6 .8 1"/></body></worldbody></mujoco>'''
LINE = 'lines are cut a pixel otherwise'
PERTURBED = {'xfrc_applied': {'cart': (0, 0, 90, 0, 0, 0), 'crate': (-40, 0, 40, 0, 0, 0)}}
UNLIT = 'lines have their plain colour, officially they are lit too'
FONT = 'the font; ours are outlined and parted'
SPECKLED = 'the official floor is speckled by its shadow map'


def _mechanism(name, see, *toggle, **more):
    return Case(name, MODEL, see, **{'key': 'pose', 'size': SMALL, 'toggle': toggle, 'why': SPECKLED} | more)


def _bench(name, see, *toggle, **more):
    return Case(name, BENCH, see, **{'steps': 3, 'size': SMALL, 'toggle': toggle, 'why': UNLIT} | more)


FLAGS = (
    _mechanism('mechanism', 'the mechanism as it is'),
    _mechanism('vis_joint', 'joints: a box and balls at free and ball joints, arrows along axes, red at limits', 'joint'),
    _mechanism('vis_camera', 'cameras with their frusta', 'camera'),
    _mechanism('vis_actuator', 'actuators by their control: arrows, the body pad and the site nose swollen, the tendon thick', 'actuator'),
    _mechanism('vis_activation', 'the same by activation: the wrist blue', 'actuator', 'activation'),
    _mechanism('vis_light', 'the two lights', 'light'),
    _mechanism('vis_tendon', 'the cord gone', 'tendon'),
    _mechanism('vis_equality', 'anchors of connect and weld', 'equality'),
    _mechanism('vis_inertia', 'boxes of inertia', 'inertia'),
    _mechanism('vis_inertia_ellipsoids', 'ellipsoids of inertia', 'inertia', visual={'global_.ellipsoidinertia': 1}),
    _mechanism('vis_scale_inertia', 'boxes of inertia as large as water would be', 'inertia', 'scale_inertia'),
    _mechanism('vis_perturb_force', 'arrows of applied forces at the cart and the crate', 'perturb_force', given=PERTURBED),
    _mechanism('vis_contact_point', 'discs at contacts', 'contact_point'),
    _mechanism('vis_island', 'a colour for each island', 'island'),
    _mechanism('vis_contact_force', 'arrows of contact forces', 'contact_force'),
    _mechanism('vis_contact_split', 'normal and friction forces apart', 'contact_force', 'contact_split'),
    _mechanism('vis_transparent', 'moving geoms seen through', 'transparent'),
    _mechanism('vis_connect', 'the skeleton', 'auto_connect'),
    _mechanism('vis_com', 'centres of mass of mechanisms', 'center_of_mass'),
    _mechanism('vis_select_point', 'a yellow ball on the upper box, which glows', 'select_point', selected='upper', selectpoint=(0, -0.12, 0.05)),
    _mechanism('vis_static', 'floor and ramp gone', 'static_body'),
    _mechanism('vis_body_tree', 'a box around each body', 'body_tree', camera=BALLS, depth=0, why=LINE),
    _mechanism('vis_body_tree_3', 'boxes around the two balls of one body', 'body_tree', camera=BALLS, depth=3, why=LINE),
    _mechanism('vis_body_tree_active', 'red boxes around what touches', 'body_tree', camera=BALLS, visual={'global_.bvactive': 1},
               why='officially red is what the search for contacts went through'),
    Case('vis_contact_gap', GAP, 'orange discs where the blue box rests, blue ones below the box that is near the floor', toggle=('contact_point',), size=SMALL),
    _mechanism('lines_wide', 'the same, drawn with wide lines', 'body_tree', camera=BALLS, visual={'global_.linewidth': 4.0}, why=LINE),
    Case('vis_camera_kinds', CAMERAS, 'frusta of an orthographic camera and of one with a lens off its axis; a camera without resolution', toggle=('camera',), size=SMALL),
    _bench('bench_rays', 'rays of a camera that measures distances, one for each pixel that sees a body', camera=RAYS),
    _mechanism('vis_perturb_pull', 'the spring to a point above the cart', held=Held('cart', (0.1, 0, 0.05), (0.1, -0.3, 0.95))),
    _mechanism('vis_perturb_turn', 'the box that the upper one is being turned to', held=Held('upper', turn=(0.89, 0.2, 0.2, 0.36))),
    _mechanism('vis_perturb_off', 'no spring, but the body held glows', 'perturb_object', held=Held('cart', (0.1, 0, 0.05), (0.1, -0.3, 0.95))),
    _bench('bench', 'a bench: rays of rangefinders down and in a grid with balls and arrows, the line of the shortest distance'),
    _bench('vis_rangefinder', 'no rays', 'range_finder'),
    _bench('vis_slider_crank', 'a slider-crank, and a broken one in red', 'actuator', camera={'lookat': (0.2, 1.6, 0.5), 'distance': 1.8, 'azimuth': 80, 'elevation': -25}),
    _bench('vis_tactile', 'discs at contacts, the moving belt\'s arrows, what the pad feels', 'contact_point'),
    _bench('vis_asleep', 'the sleeping box dull, the others coloured', 'island', 'contact_point'),
    _bench('vis_mesh_tree', 'boxes around the parts of meshes', 'mesh_tree', depth=3, why=LINE),
)
LABELS = tuple(_mechanism(f'label_{label.lower()}', see, *toggle, label=label, why=FONT, **more) for label, see, toggle, more in (
    ('Body', 'names of bodies', (), {}), ('Joint', 'names of joints at their arrows', ('joint',), {}), ('Geom', 'names of geoms', (), {}),
    ('Site', 'names of sites', (), {}), ('Camera', 'names of cameras', ('camera',), {}), ('Light', 'names of lights', ('light',), {}),
    ('Tendon', 'the cord\'s name', (), {}), ('Actuator', 'names of actuators', ('actuator',), {}), ('Constraint', 'names of equalities', ('equality',), {}),
    ('Selection', 'the selected body\'s name', (), {'selected': 'cart'}),
    ('SelPoint', 'where the selected point is', ('select_point',), {'size': (320, 240), 'selected': 'cart', 'selectpoint': (0, -0.1, 0.05)}),
    ('Contact', 'the two geoms at each contact', ('contact_point',), {}), ('ContactForce', 'the force at each contact', ('contact_force',), {}),
    ('Island', 'numbers of islands', ('island',), {})))
FRAMES = tuple(_mechanism(f'frame_{frame.lower()}', see, *toggle, frame=frame) for frame, see, toggle in (
    ('Body', 'axes of bodies', ()), ('Geom', 'axes of geoms', ()), ('Site', 'axes of sites', ()), ('Camera', 'axes of cameras', ('camera',)),
    ('Light', 'axes of lights', ('light',)), ('Contact', 'axes of contacts', ('contact_point',)), ('World', 'the world\'s axes', ()))) + (
    _mechanism('frame_inertia', 'principal axes of inertia', 'inertia', frame='Body'),)
GROUPS = (
    _mechanism('joint_groups', 'the knee alone, whose group is on', 'joint', groups={'joint': '010000'}),
    _mechanism('actuator_groups', 'the actuator of the knee alone', 'actuator', groups={'actuator': '010000'}),
)
FINE = (
    _mechanism('fine_labels', 'labels of the window on a screen of finer pixels: large, sharp, outlined', label='Body', ratio=2, size=(400, 300), official=False),
    _mechanism('fine_legend', 'the same with a legend, on which no label stands', 'linear_velocity', label='Site', ratio=2, size=(440, 330), official=False),
    _mechanism('fine_inset', 'two insets of finer pixels', ratio=2, size=(320, 240), insets=(('plain', 'colour'), ('plain', 'normal')), official=False),
)
CASES = FINE + FLAGS + LABELS + FRAMES + GROUPS

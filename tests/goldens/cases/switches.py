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
    _mechanism('vis_joint', 'joints: a box and balls at free and ball joints, arrows along axes, red at limits', 'Joint'),
    _mechanism('vis_camera', 'cameras with their frusta', 'Camera'),
    _mechanism('vis_actuator', 'actuators by their control: arrows, the body pad and the site nose swollen, the tendon thick', 'Actuator'),
    _mechanism('vis_activation', 'the same by activation: the wrist blue', 'Actuator', 'Activation'),
    _mechanism('vis_light', 'the two lights', 'Light'),
    _mechanism('vis_tendon', 'the cord gone', 'Tendon'),
    _mechanism('vis_equality', 'anchors of connect and weld', 'Equality'),
    _mechanism('vis_inertia', 'boxes of inertia', 'Inertia'),
    _mechanism('vis_inertia_ellipsoids', 'ellipsoids of inertia', 'Inertia', visual={'global_.ellipsoidinertia': 1}),
    _mechanism('vis_scale_inertia', 'boxes of inertia as large as water would be', 'Inertia', 'Scale Inertia'),
    _mechanism('vis_perturb_force', 'arrows of applied forces at the cart and the crate', 'Perturb Force', given=PERTURBED),
    _mechanism('vis_contact_point', 'discs at contacts', 'Contact Point'),
    _mechanism('vis_island', 'a colour for each island', 'Island'),
    _mechanism('vis_contact_force', 'arrows of contact forces', 'Contact Force'),
    _mechanism('vis_contact_split', 'normal and friction forces apart', 'Contact Force', 'Contact Split'),
    _mechanism('vis_transparent', 'moving geoms seen through', 'Transparent'),
    _mechanism('vis_connect', 'the skeleton', 'Auto Connect'),
    _mechanism('vis_com', 'centres of mass of mechanisms', 'Center of Mass'),
    _mechanism('vis_select_point', 'a yellow ball on the upper box, which glows', 'Select Point', selected='upper', selectpoint=(0, -0.12, 0.05)),
    _mechanism('vis_static', 'floor and ramp gone', 'Static Body'),
    _mechanism('vis_body_tree', 'a box around each body', 'Body Tree', camera=BALLS, depth=0, why=LINE),
    _mechanism('vis_body_tree_3', 'boxes around the two balls of one body', 'Body Tree', camera=BALLS, depth=3, why=LINE),
    _mechanism('vis_body_tree_active', 'red boxes around what touches', 'Body Tree', camera=BALLS, visual={'global_.bvactive': 1},
               why='officially red is what the search for contacts went through'),
    Case('vis_contact_gap', GAP, 'orange discs where the blue box rests, blue ones below the box that is near the floor', toggle=('Contact Point',), size=SMALL),
    _mechanism('lines_wide', 'the same, drawn with wide lines', 'Body Tree', camera=BALLS, visual={'global_.linewidth': 4.0}, why=LINE),
    Case('vis_camera_kinds', CAMERAS, 'frusta of an orthographic camera and of one with a lens off its axis; a camera without resolution', toggle=('Camera',), size=SMALL),
    _bench('bench_rays', 'rays of a camera that measures distances, one for each pixel that sees a body', camera=RAYS),
    _mechanism('vis_perturb_pull', 'the spring to a point above the cart', held=Held('cart', (0.1, 0, 0.05), (0.1, -0.3, 0.95))),
    _mechanism('vis_perturb_turn', 'the box that the upper one is being turned to', held=Held('upper', turn=(0.89, 0.2, 0.2, 0.36))),
    _mechanism('vis_perturb_off', 'no spring, but the body held glows', 'Perturb Object', held=Held('cart', (0.1, 0, 0.05), (0.1, -0.3, 0.95))),
    _bench('bench', 'a bench: rays of rangefinders down and in a grid with balls and arrows, the line of the shortest distance'),
    _bench('vis_rangefinder', 'no rays', 'Range Finder'),
    _bench('vis_slider_crank', 'a slider-crank, and a broken one in red', 'Actuator', camera={'lookat': (0.2, 1.6, 0.5), 'distance': 1.8, 'azimuth': 80, 'elevation': -25}),
    _bench('vis_tactile', 'discs at contacts, the moving belt\'s arrows, what the pad feels', 'Contact Point'),
    _bench('vis_asleep', 'the sleeping box dull, the others coloured', 'Island', 'Contact Point'),
    _bench('vis_mesh_tree', 'boxes around the parts of meshes', 'Mesh Tree', depth=3, why=LINE),
)
LABELS = tuple(_mechanism(f'label_{label.lower()}', see, *toggle, label=label, why=FONT, **more) for label, see, toggle, more in (
    ('Body', 'names of bodies', (), {}), ('Joint', 'names of joints at their arrows', ('Joint',), {}), ('Geom', 'names of geoms', (), {}),
    ('Site', 'names of sites', (), {}), ('Camera', 'names of cameras', ('Camera',), {}), ('Light', 'names of lights', ('Light',), {}),
    ('Tendon', 'the cord\'s name', (), {}), ('Actuator', 'names of actuators', ('Actuator',), {}), ('Constraint', 'names of equalities', ('Equality',), {}),
    ('Selection', 'the selected body\'s name', (), {'selected': 'cart'}),
    ('SelPoint', 'where the selected point is', ('Select Point',), {'size': (320, 240), 'selected': 'cart', 'selectpoint': (0, -0.1, 0.05)}),
    ('Contact', 'the two geoms at each contact', ('Contact Point',), {}), ('ContactForce', 'the force at each contact', ('Contact Force',), {}),
    ('Island', 'numbers of islands', ('Island',), {})))
FRAMES = tuple(_mechanism(f'frame_{frame.lower()}', see, *toggle, frame=frame) for frame, see, toggle in (
    ('Body', 'axes of bodies', ()), ('Geom', 'axes of geoms', ()), ('Site', 'axes of sites', ()), ('Camera', 'axes of cameras', ('Camera',)),
    ('Light', 'axes of lights', ('Light',)), ('Contact', 'axes of contacts', ('Contact Point',)), ('World', 'the world\'s axes', ()))) + (
    _mechanism('frame_inertia', 'principal axes of inertia', 'Inertia', frame='Body'),)
GROUPS = (
    _mechanism('joint_groups', 'the knee alone, whose group is on', 'Joint', groups={'joint': '010000'}),
    _mechanism('actuator_groups', 'the actuator of the knee alone', 'Actuator', groups={'actuator': '010000'}),
)
FINE = (
    _mechanism('fine_labels', 'labels of the window on a screen of finer pixels: large, sharp, outlined', label='Body', ratio=2, size=(400, 300), official=False),
    _mechanism('fine_legend', 'the same with a legend, on which no label stands', 'Linear Velocity', label='Site', ratio=2, size=(440, 330), official=False),
    _mechanism('fine_inset', 'two insets of finer pixels', ratio=2, size=(320, 240), insets=(('plain', 'colour'), ('plain', 'normal')), official=False),
)
CASES = FINE + FLAGS + LABELS + FRAMES + GROUPS

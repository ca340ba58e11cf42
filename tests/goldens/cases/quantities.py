"""What physics computes, beyond the official viewers: each switch of forces and motion with its legend (docs/forces.md)."""
from tests.goldens.case import Case, Held

MOVING, DRIVEN, WIDE = 'moving.xml', 'driven.xml', (360, 240)
THIN = (0.15, 20.0)     # arrows cover few pixels
SHELLS = '''<mujoco><statistic center="0 0 .2" extent="1.1"/><visual><global azimuth="95" elevation="-22"/></visual>
<asset><hfield name="hills" nrow="3" ncol="4" size=".18 .18 .1 .02" elevation="0 2 1 0  2 5 3 1  0 1 2 0"/>
<mesh name="wedge" scale=".12 .12 .1" vertex="-1 -1 -1  1 -1 -1  1 1 -1  -1 1 -1  -1 -1 1  -1 1 1"/></asset>
<default><geom margin=".03" rgba=".6 .4 .3 1"/></default><worldbody><light pos="0 -1 3" dir=".1 .3 -1" directional="true"/>
<geom type="plane" size=".9 .6 .1" rgba=".3 .3 .35 1"/><geom size=".09" pos="-.65 -.2 .2"/><geom type="capsule" size=".06 .08" pos="-.35 -.2 .22" euler="0 30 0"/>
<geom type="ellipsoid" size=".12 .06 .08" pos="0 -.2 .2"/><geom type="cylinder" size=".08 .09" pos=".35 -.2 .22" euler="25 0 0"/>
<geom type="box" size=".1 .06 .08" pos=".68 -.2 .2" euler="0 0 20"/><geom type="mesh" mesh="wedge" pos="-.3 .3 .3"/><geom type="hfield" hfield="hills" pos=".3 .3 .1"/>
<geom size=".07" pos="0 .3 .4" margin="0" rgba=".4 .4 .6 1"/></worldbody></mujoco>'''
BALLS = """<mujoco><option cone="{}"/><statistic center="0 0 .12" extent=".8"/><visual><global azimuth="100" elevation="-25"/>
<headlight ambient=".7 .7 .7" diffuse=".3 .3 .3" specular="0 0 0"/></visual>
<default><geom rgba=".6 .62 .65 .35"/></default><worldbody>
<geom name="floor" type="plane" size=".9 .6 .1" rgba=".2 .2 .23 1" friction=".7 .03 .02"/>
<body name="pushed" pos="-.45 0 .0799"><freejoint/><geom size=".08"/></body><body name="slides" pos="-.15 0 .0799"><freejoint/><geom size=".08"/></body>
<body name="spins" pos=".15 0 .0799"><freejoint/><geom size=".08" condim="6" friction=".7 .03 .02"/></body>
<body name="sledge" pos=".45 0 .0799"><freejoint/><geom name="sledge" size=".08"/></body></worldbody>
<contact><pair geom1="floor" geom2="sledge" friction="1 .3 .005 .0001 .0001"/></contact></mujoco>"""
ROLLING = {'xfrc_applied': {'pushed': (6, 0, 0, 0, 0, 0)}, 'qvel': {6: .4, 7: .1, 17: 2.0, 16: .3, 18: .02, 19: .05}}
START = {'qvel': {0: 1.2, 1: .4, 5: 3.0, 12: -1.5, 16: -9.0, 23: 20.0, 24: .4, 26: 1.5, 27: 3.0, 28: 5.0, 29: 2.0, 36: 1.2, 38: .8, 40: 6.0, 42: 4.0, 43: -6.0}}
PUSHED = START | {'xfrc_applied': {'floats': (-40, 0, 50, 0, 0, 0), 'thrown': (60, 0, 0, 0, 8, 0)}, 'qfrc_applied': {42: 5.0}}
DRIVE = {'ctrl': {0: 4.0, 1: 2.0}, 'qvel': {1: 2.0}}


FALL = {'qvel': {0: 4.0, 1: -3.0, 2: 3.0, 5: 1.0, 6: 1.0}}


def _alone(name, model, see, switch, **more):
    return Case(name, model, see, toggle=(switch,), size=WIDE, limits=THIN, official=False, **more)


def _moving(name, see, switch, given=START, **more):
    return _alone(name, MOVING, see, switch, given=given, **more)


def _driven(name, see, switch, given=DRIVE, steps=150, **more):
    return _alone(name, DRIVEN, see, switch, given=given, steps=steps, **more)


def _balls(name, cone, see):
    return _alone(name, BALLS.format(cone), see, 'friction_cone', given=ROLLING, factors={'force': .7})


CASES = (
    _moving('contact_torque', 'arcs: spin under the cylinder and the box, rolling under the ball', 'contact_torque', factors={'contact torque': 4.0}),
    _moving('friction_cone', 'forces red on the cones where things slide, green inside where the box rests', 'friction_cone', factors={'force': .2}),
    _balls('friction_cone_elliptic', 'elliptic', 'round cones, an inner ring under the spinning ball, an oval one at the right'),
    _balls('friction_cone_pyramidal', 'pyramidal', 'square cones, one squeezed at the right'),
    _moving('linear_velocity', 'arrows at centres of mass along the motion', 'linear_velocity'),
    _moving('angular_velocity', 'arcs about the axes of turning, right-handed; none on the box at rest', 'angular_velocity'),
    _moving('momentum', 'arrows and arcs at bodies; thick ones for the arm of two bodies', 'momentum'),
    _moving('gravity_compensation', 'one arrow upwards, at the ellipsoid', 'gravity_compensation', camera={'lookat': (-.15, .1, .8), 'distance': .9}),
    _moving('external_force', 'yellow arrows and arc at two bodies, an orange arc at the shoulder', 'external_force', given=PUSHED),
    _moving('external_force_mouse', 'a pink arrow towards the point that the mouse pulls to', 'external_force', held=Held('tumbles', (.16, 0, 0), (-.4, 0, 1.1), felt=True)),
    _alone('margin_shell', SHELLS, 'shells as thick as the margin around every type, above plane and hills', 'margin_shell'),
    _driven('joint_torque', 'blue: motors; green: springs and dampers, yellow: dry friction, in rings side by side; an arrow on the slide', 'joint_torque'),
    _driven('joint_torque_double', 'the same with arcs of twice the angle', 'joint_torque', factors={'torque': 2.0, 'force': 2.0}),
    _driven('joint_limit', 'fans with needles at hinges, a cone at the ball, a ruler beside the slide', 'joint_limit'),
    _driven('tendon_tension', 'the rope red, the strut blue, the slack one grey', 'tendon_tension'),
    _driven('constraint_force', 'forces and torques at the pin, the weld and the belt; red ones at limits', 'constraint_force'),
    _driven('fluid_force', 'forces and torques of a thick medium on bodies', 'fluid_force', factors={'medium force': 4.0, 'medium torque': 4.0}, given=FALL, steps=0),
    _moving('body_trail', 'fading ways of all last bodies', 'body_trail', steps=12, way=12),
    _moving('body_trail_selected', 'the way of the selected body alone', 'body_trail', steps=12, way=12, selected='tumbles'),
    _moving('site_trail', 'the ways of the two white sites', 'site_trail', steps=12, way=12),
)

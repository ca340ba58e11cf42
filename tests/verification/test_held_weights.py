"""What is held, and by what: force and torque sensors of a bracket that carries a load through a connect or a weld."""
import numpy as np
import pytest

import physics

BRACKET, LOAD = 1.5, 2.5
SCENE = """<mujoco><option gravity="{gravity}" timestep=".002" tolerance="0" integrator="implicitfast"/><default><geom contype="0" conaffinity="0"/></default><worldbody>
<body name="bracket" pos=".3 .1 2" euler="{turn}"><geom size=".05" mass="1.5"/><site name="gauge" euler="{own}"/></body>
<body name="load" pos="{place}"><joint type="{joint}" {axis} damping=".5"/><geom type="box" size=".1 .08 .06" mass="2.5"/></body>{more}</worldbody>
<equality>{first}{tie}</equality><sensor><force site="gauge"/><torque site="gauge"/></sensor></mujoco>"""
TIES = {"connect": '<connect body1="bracket" body2="load" anchor="{anchor}" {soft}/>', "weld": '<weld body1="bracket" body2="load" {soft}/>',
        "weld that hardly turns": '<weld body1="bracket" body2="load" torquescale=".2" {soft}/>'}
SOFT = 'solref=".01 1" solimp=".999 .999 .001"'


def settled(tie: str, gravity="0 0 -4", turn="0 0 0", own="0 0 0", place=".3 .1 1.5", joint="free", axis="", anchor="0 0 -.5", more="", first=""):
    text = SCENE.format(gravity=gravity, turn=turn, own=own, place=place, joint=joint, axis=axis, more=more, first=first, tie=TIES[tie].format(anchor=anchor, soft=SOFT))
    m = physics.load_string(text)
    d = physics.Data(m)
    assert physics.step(m, d, 3000) == 3000
    physics.forward(m, d)
    assert np.abs(d.qvel[:m.jnt_dofadr[1] if m.njnt > 1 else m.nv]).max() < 1e-7   # the load's
    return m, d


def expected(m, d, extra=0.0):
    """(force, torque) in the gauge's axes that bear the weights of bracket and load."""
    turn = d.site_xmat[m.id("site", "gauge")].reshape(3, 3)
    weight = -m.opt_gravity
    arm = d.xipos[m.id("body", "load")] - d.site("gauge").xpos
    return turn.T @ ((BRACKET + LOAD + extra) * weight), turn.T @ np.cross(arm, LOAD * weight)


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("turn, own", [("0 0 0", "0 0 0"), ("0 40 0", "0 0 90"), ("25 -30 70", "10 20 30")])
def test_a_load_under_its_bracket(tie, turn, own):
    """A connect lets the load turn about a point above its middle; it hangs still all the same."""
    m, d = settled(tie, turn=turn, own=own, anchor=" ".join(map(str, point(turn, (0, 0, -0.3)))))
    force, torque = expected(m, d)
    assert d.sensordata[:3] == pytest.approx(force, abs=1e-6) and d.sensordata[3:] == pytest.approx(torque, abs=1e-5)


def point(turn: str, place) -> np.ndarray:
    """A point given in world axes from the bracket, in the bracket's own."""
    m = physics.load_string(f'<mujoco><worldbody><body euler="{turn}"/></worldbody></mujoco>')
    d = physics.Data(m)
    physics.forward(m, d)
    return d.xmat[1].reshape(3, 3).T @ place


@pytest.mark.parametrize("tie", TIES)
def test_gravity_from_anywhere_and_a_load_far_out(tie):
    m, d = settled(tie, gravity="1 2 3", place="1.3 1.6 1.8", anchor="1 1.5 -.2")   # a connect at the load's own middle
    force, torque = expected(m, d)
    assert np.abs(torque).max() > 5
    assert d.sensordata[:3] == pytest.approx(force, abs=1e-6) and d.sensordata[3:] == pytest.approx(torque, abs=1e-4)


@pytest.mark.parametrize("tie", ["connect", "weld"])
def test_a_load_on_a_slide(tie):
    """Along the slide the bracket bears the load, across it the slide does."""
    m, d = settled(tie, gravity="3 0 -4", joint="slide", axis='axis="0 0 1"')
    assert d.sensordata[2] == pytest.approx(4 * (BRACKET + LOAD), abs=1e-6)
    assert d.sensordata[0] == pytest.approx(-3 * BRACKET, abs=1e-6)


def test_other_constraints_beside_it_are_not_mixed_up():
    more = """<body name="mass" pos="-3 0 0"><joint name="mass" type="slide" axis="0 0 1" frictionloss="90"/><geom size=".1" mass="1"/></body>
    <body name="other" pos="3 0 1"><geom size=".1"/></body><body name="free" pos="3 0 .5"><freejoint/><geom size=".1"/></body>
    <body pos="-2 0 0"><joint name="stuck" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body>"""
    first = f'<joint joint1="stuck"/><weld body1="other" body2="free" {SOFT}/><connect body1="other" body2="free" anchor="0 0 -.5" {SOFT}/>'
    m, d = settled("connect", gravity="1 2 3", anchor="0 0 -.5", more=more, first=first)
    force, torque = expected(m, d)
    assert d.sensordata[:3] == pytest.approx(force, abs=1e-5) and d.sensordata[3:] == pytest.approx(torque, abs=1e-4)


def test_a_load_that_hangs_on_a_load():
    more = '<body name="second" pos=".3 .1 1"><freejoint/><geom size=".1" mass="2"/></body>'
    m, d = settled("connect", more=more, first=f'<connect body1="load" body2="second" anchor="0 0 -.5" {SOFT}/>')
    force, _ = expected(m, d, extra=2.0)
    assert d.sensordata[:3] == pytest.approx(force, abs=1e-5)

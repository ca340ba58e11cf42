"""Each rule tells its advice of a model that needs it, and is silent about one that does not."""
from dataclasses import replace

import numpy as np
import pytest

from tests.physics.diagnostics.advice.runs import ball_mesh, looked_at

FLOOR = '<geom name="floor" type="plane" size="5 5 .1"/>'


def names(advice):
    return [what.name for what in advice.elements]


def test_a_healthy_model_gets_no_advice():
    xml = f"""<mujoco><worldbody>{FLOOR}<body name="box" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0" damping="1" range="-90 90" limited="true"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body>
      </worldbody><actuator><position name="servo" joint="hinge" kp="50" kv="5" ctrlrange="-1 1" forcerange="-40 40"/></actuator></mujoco>"""
    assert looked_at(xml, measure=True) == {}


# ------------------------------------------------------------------ contacts

PLATE = """<mujoco><worldbody>{}<body pos="0 0 .006"><freejoint/><geom name="plate" type="box" size=".1 .1 .005" mass="1" {}/></body></worldbody></mujoco>"""


def test_contacts_deeper_than_their_geoms_are_named():
    soft = looked_at(PLATE.format(FLOOR, 'priority="1" solref=".1 1" solimp=".1 .2 .1"'))
    assert set(soft) == {"deep_contact"} and sorted(names(soft["deep_contact"])) == ["floor", "plate"]
    assert "10 mm thick" in soft["deep_contact"].text and soft["deep_contact"].share > 0.8
    assert looked_at(PLATE.format(FLOOR, "")) == {}


def test_links_that_overlap_by_design_are_to_be_excluded():
    xml = """<mujoco><worldbody><body name="a"><joint axis="0 1 0"/><geom name="one" type="box" size=".2 .1 .1" contype="1" conaffinity="1"/>
      <body name="b" pos=".1 0 0"><geom size=".01" contype="0" conaffinity="0"/><joint axis="0 1 0"/>
      <body name="c"><joint axis="0 0 1"/><geom name="two" type="box" size=".1 .1 .1"/></body>
      </body></body></worldbody></mujoco>"""
    assert "<exclude>" in looked_at(xml)["deep_contact"].remedy
    assert "<exclude>" not in looked_at(PLATE.format(FLOOR, 'priority="1" solref=".1 1" solimp=".1 .2 .1"'))["deep_contact"].remedy


@pytest.mark.parametrize(("speed", "told"), [(50.0, True), (2.0, False)])
def test_a_body_that_moves_farther_than_it_is_thick_may_miss_contacts(speed, told):
    xml = '<mujoco><option gravity="0 0 0"/><worldbody><body name="bullet"><freejoint/><geom name="point" size=".005"/></body></worldbody></mujoco>'
    found = looked_at(xml, before=lambda m, d: d.qvel.__setitem__(0, speed))
    assert ("missed_contact" in found) == told
    if told:
        assert names(found["missed_contact"]) == ["bullet"] and "moves 0.1 m in a step" in found["missed_contact"].text and "200 us" in found["missed_contact"].remedy


def test_speed_of_a_turning_body_is_that_of_its_centre_of_mass():
    xml = """<mujoco><option gravity="0 0 0"/><worldbody><body name="arm"><joint axis="0 0 1"/><geom name="tip" size=".001" pos="1 0 0"/><body name="hand"><joint/>
      <geom type="box" size=".2 .2 .2" pos=".1 0 0"/></body></body></worldbody></mujoco>"""
    found = looked_at(xml, before=lambda m, d: d.qvel.__setitem__(0, 10.0))
    assert names(found["missed_contact"]) == ["arm"] and "(10 m/s)" in found["missed_contact"].text


def test_time_constants_that_refsafe_raises():
    xml = PLATE.replace("<worldbody>", '<option timestep="{}"/><worldbody>')
    found = looked_at(xml.format(0.002, FLOOR, 'priority="1" solref=".001 1"'))
    assert set(found) == {"clamped_timeconst"} and "1 ms" in found["clamped_timeconst"].text and "refsafe makes it 4 ms" in found["clamped_timeconst"].text
    assert looked_at(xml.format(0.0005, FLOOR, 'priority="1" solref=".001 1"')) == {}
    assert looked_at(xml.format('0.002"><flag refsafe="disable"/></option><option timestep="0.002', FLOOR, 'priority="1" solref=".003 1"')) == {}


# ------------------------------------------------------------------ actuators

ARM = """<mujoco><worldbody><body><joint name="hinge" axis="0 1 0" damping=".2" {}/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".03" mass="1"/></body></worldbody>
  <actuator>{}</actuator></mujoco>"""


def set_ctrl(value):
    return lambda m, d, k: d.ctrl.__setitem__(0, value if np.isscalar(value) else value[k % len(value)])


def test_controls_beyond_their_range_and_bang_bang_are_told_a_control_set_to_its_end_is_not():
    xml = ARM.format("", '<motor name="turn" joint="hinge" ctrlrange="-1 1" ctrllimited="true" gear=".1"/>')
    beyond = looked_at(xml, drive=set_ctrl(2.0))["ctrl_limit"]
    assert names(beyond) == ["turn"] and "is 2, beyond its ctrlrange -1 to 1" in beyond.text and beyond.severity == "warning"
    assert looked_at(xml, drive=set_ctrl((-1.0, 1.0)))["ctrl_limit"].severity == "info"
    assert looked_at(xml, drive=set_ctrl(1.0)) == {}
    assert looked_at(xml.replace('"-1 1"', '".5 1"')) == {}     # nobody has set it
    assert looked_at(xml, drive=set_ctrl((-0.5, 0.5))) == {}


@pytest.mark.parametrize(("limit", "told"), [(1, True), (20, False)])
def test_forces_at_their_limit(limit, told):
    servo = looked_at(ARM.format("", f'<position name="servo" joint="hinge" kp="100" kv="10" forcerange="-{limit} {limit}"/>'), seconds=3)
    assert ("force_limit" in servo) == told
    assert not told or (names(servo["force_limit"]) == ["servo"] and "the end -1 of its forcerange" in servo["force_limit"].text)
    joint = looked_at(ARM.format(f'actuatorfrcrange="-{limit} {limit}"', '<position joint="hinge" kp="100" kv="10"/>'), seconds=3)
    assert ("force_limit" in joint) == told
    assert not told or (names(joint["force_limit"]) == ["hinge"] and "actuatorfrcrange" in joint["force_limit"].text)


@pytest.mark.parametrize(("ctrl", "told"), [(1.0, True), (0.0, False)])
def test_activations_driven_against_their_limit(ctrl, told):
    found = looked_at(ARM.format("", '<general name="slow" joint="hinge" dyntype="integrator" actlimited="true" actrange="-.1 .1" gainprm=".1"/>'), drive=set_ctrl(ctrl))
    assert ("act_limit" in found) == told and (not told or names(found["act_limit"]) == ["slow"])


def test_a_joint_pressed_against_its_limit_by_its_motor_is_told_one_that_leans_on_it_is_not():
    limits = 'range="-30 30" limited="true"'
    pressed = looked_at(ARM.format(limits, '<motor joint="hinge" gear="10"/>'), drive=set_ctrl(-1.0), seconds=3)
    assert set(pressed) == {"pressed_limit"} and names(pressed["pressed_limit"]) == ["hinge"] and "lower limit (-0.524)" in pressed["pressed_limit"].text
    assert looked_at(ARM.format(limits, '<motor joint="hinge" gear="10"/>'), seconds=3) == {}
    weak = looked_at(ARM.format(limits, '<motor joint="hinge" gear="10" forcerange="-20 20"/>'), drive=set_ctrl(-1.0), seconds=3)
    assert weak == {}      # with a twentieth of what the motor can do


# ------------------------------------------------------------------ constraints

@pytest.mark.parametrize(("relpose", "told"), [("0 0 .3", True), ("-.3 0 0", False)])
def test_an_equality_constraint_that_cannot_be_reached(relpose, told):
    xml = f"""<mujoco><option gravity="0 0 0"/><worldbody><body name="cart"><joint type="slide" axis="1 0 0"/><geom size=".1"/></body></worldbody>
      <equality><weld name="grip" body1="cart" relpose="{relpose} 1 0 0 0"/></equality></mujoco>"""
    found = looked_at(xml, seconds=4)
    assert ("violated_equality" in found) == told and (not told or (names(found["violated_equality"]) == ["grip"] and "0.3 m" in found["violated_equality"].text))


STACK = """<mujoco><option cone="elliptic" impratio="10" iterations="{}" solver="{}"/><worldbody>""" + FLOOR + "".join(
    f'<body name="b{k}" pos="{0.02 * (k % 2)} 0 {0.1 + 0.2 * k}"><freejoint/><geom type="box" size=".1 .1 .1" mass="{5 ** k}"/></body>' for k in range(5)) + "</worldbody></mujoco>"


@pytest.mark.parametrize("solver", ["CG", "PGS"])
def test_a_solver_that_is_stopped_too_early(solver):
    found = looked_at(STACK.format(2, solver), seconds=0.4, measure=True)["unconverged"]
    assert f"The solver {solver} takes all of its 2 iterations" in found.text and "Newton solver" in found.remedy and "more iterations" in found.remedy.lower()
    assert found.elements or solver == "PGS"


def test_a_solver_that_converges():
    assert "unconverged" not in looked_at(STACK.format(100, "Newton"), seconds=0.4, measure=True)


# ------------------------------------------------------------------ the run

SPIN = '<mujoco><option gravity="0 0 0" timestep="{}" integrator="{}"/><worldbody><body><freejoint/><geom type="box" size=".3 .1 .02"/></body></worldbody></mujoco>'


def spin(m, d):
    d.qvel[3:6] = 8.0, 9.0, 10.0


def test_energy_that_integration_adds():
    found = looked_at(SPIN.format(0.01, "Euler"), seconds=2, before=spin)
    assert set(found) == {"energy"} and "no actuator" in found["energy"].text
    assert looked_at(SPIN.format(0.001, "RK4"), seconds=2, before=spin) == {}


def test_energy_that_a_force_adds_is_no_advice():
    assert "energy" not in looked_at(SPIN.format(0.002, "RK4"), before=lambda m, d: d.xfrc_applied.__setitem__((1, 0), 5.0))


def test_warnings_that_are_counted():
    xml = ARM.format("", '<motor name="turn" joint="hinge"/>')
    found = looked_at(xml, drive=set_ctrl(float("nan")))
    assert set(found) == {"warning"} and "Bad control at actuator 'turn'" in found["warning"].text
    assert looked_at(xml, drive=set_ctrl(0.1)) == {}


def test_trees_that_fall_asleep_and_wake_in_turn():
    xml = f'''<mujoco><option><flag sleep="enable"/></option><worldbody>{FLOOR}<body name="box" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody>
      </mujoco>'''
    assert looked_at(xml) == {}
    found = looked_at(xml, change=lambda sample, k: replace(sample, tree_asleep=np.array([0 if k % 3 else -1])))
    assert set(found) == {"sleep"} and names(found["sleep"]) == ["box"]


# ------------------------------------------------------------------ time

def test_steps_that_take_longer_than_their_timestep():
    found = looked_at(PLATE.format(FLOOR, ""), change=lambda sample, _k: replace(sample, step_cost=0.0041))
    assert found["real_time"].severity == "slow"       # nothing is wrong with what comes out
    assert "takes 4.1 ms and its timestep is 2 ms" in found["real_time"].text and "49 % of real time" in found["real_time"].text and "4.6 ms" in found["real_time"].remedy
    assert "real_time" not in looked_at(PLATE.format(FLOOR, ""), change=lambda sample, _k: replace(sample, step_cost=0.0001))


MESH = """<mujoco><option timestep="{}"/><asset><mesh name="ball" vertex="{}"/></asset><worldbody><geom name="ground" type="mesh" mesh="ball"/>
  <body pos="0 0 .299"><joint type="slide" axis="0 0 1"/><geom name="can" type="cylinder" size=".1 .1"/></body></worldbody></mujoco>"""


def test_a_cylinder_on_a_mesh_is_named_as_what_costs_time():
    found = looked_at(MESH.format(1e-5, ball_mesh(2000)), seconds=0.01, measure=True)["slow_stage"]
    assert "Stage 'collision' takes" in found.text and "1 candidate pair cylinder on mesh" in found.text.replace("mesh on cylinder", "cylinder on mesh")
    assert "2,000 vertices in its hull" in found.text and sorted(names(found)) == ["can", "ground"] and "fewer vertices" in found.remedy
    assert "slow_stage" not in looked_at(MESH.format(0.002, ball_mesh(2000)), seconds=0.5, measure=True)


def test_candidate_faces_at_the_tip_of_a_cone_are_counted():
    rim = "".join(f"{0.2 * np.cos(a):.5f} {0.2 * np.sin(a):.5f} 0 " for a in np.linspace(0, 2 * np.pi, 40, endpoint=False))
    found = looked_at(MESH.format(1e-5, rim + "0 0 .1").replace(".299", ".174"), seconds=0.01, measure=True)["slow_stage"]
    assert "40 candidate faces at the contact" in found.text, found.text


def test_many_candidate_pairs_that_never_touch_are_told():
    fingers = "".join(f'<geom type="capsule" size=".05" fromto="{0.001 * k} 0 0 {0.001 * k} 0 .5"/>' for k in range(12))
    hands = "".join(f'<body name="{name}" pos="{x} 0 0"><joint type="slide"/>{fingers}</body>' for name, x in (("a", 0), ("b", 0.3)))
    xml = f'<mujoco><option timestep="1e-5" gravity="0 0 0"/><worldbody>{hands}</worldbody></mujoco>'
    found = looked_at(xml, seconds=0.01, measure=True)["slow_stage"]
    assert "144 candidate pairs of geoms are looked at, of which 0 touch" in found.text and "144 of them are between body 'a' and body 'b'" in found.text
    assert "<exclude>" in found.remedy


def test_sensors_that_cost_time():
    sites = "".join(f'<site name="s{k}" pos="0 0 .{k + 1}" euler="{3 * k} 0 0"/>' for k in range(60))
    rays = "".join(f'<rangefinder site="s{k}"/>' for k in range(60))
    balls = "".join(f'<geom size=".05" pos="{k % 10} {k // 10} -1" contype="0" conaffinity="0"/>' for k in range(100))
    xml = f'<mujoco><option timestep="1e-5"/><worldbody>{balls}<body><joint/><geom size=".01"/>{sites}</body></worldbody><sensor>{rays}</sensor></mujoco>'
    found = looked_at(xml, seconds=0.01, measure=True)["slow_stage"]
    assert "Stage 'sensors'" in found.text and "60 rangefinder" in found.text


def test_rows_that_cost_time():
    balls = "".join(f'<body pos="{0.3 * (k % 6)} {0.3 * (k // 6)} .1"><freejoint/><geom type="box" size=".1 .1 .1" condim="6"/></body>' for k in range(24))
    xml = f'<mujoco><option timestep="1e-4"/><worldbody>{FLOOR}{balls}</worldbody></mujoco>'
    found = looked_at(xml, seconds=0.02, measure=True)["slow_stage"]
    assert "contacts of condim 6 have 10 rows each" in found.text and "condim 3" in found.remedy


def test_the_four_evaluations_of_rk4():
    xml = '<mujoco><option timestep="1e-7" integrator="{}"/><worldbody><body><joint/><geom size=".1" pos=".3 0 0"/></body></worldbody></mujoco>'
    assert "rk4" in looked_at(xml.format("RK4"), seconds=1e-5, measure=True)
    assert "rk4" not in looked_at(xml.format("Euler"), seconds=1e-5, measure=True)

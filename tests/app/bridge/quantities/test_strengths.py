"""Usual magnitudes follow what actuators can do and what the medium lets happen."""
import numpy as np
import pytest

import physics
from app.bridge.quantities import scales, strengths

ARM = """<mujoco><option {medium}/><worldbody><body><joint name="h" {joint}/><geom type="capsule" size=".02" fromto="0 0 0 .3 0 0" mass="1"/></body>
  <body pos="1 0 0"><joint name="s" type="slide"/><geom size=".1"/></body></worldbody>
  <tendon><fixed name="t"><joint joint="h" coef="-.2"/><joint joint="s" coef="1"/></fixed></tendon><actuator>{actuators}</actuator></mujoco>"""
CASES = (
    ('<motor joint="h" gear="20" ctrlrange="-.5 2"/>', "", 40.0),
    ('<motor joint="h" gear="20" ctrlrange="-.5 2" forcerange="-1 1"/>', "", 20.0),
    ('<motor joint="h" gear="20" ctrlrange="-.5 2"/>', 'actuatorfrcrange="-3 3" actuatorfrclimited="true"', 3.0),
    ('<position joint="h" kp="50" ctrlrange="-1 1"/>', "", strengths.CORRECTED * 50),
    ('<motor joint="h" gear="20"/>', "", 0.0),
    ('<motor joint="s" ctrlrange="-1 1"/>', "", 0.0),
    ("", "", 0.0),
    ('<motor tendon="t" gear="3" ctrlrange="-5 5"/>', "", 3.0),
    ('<motor joint="h" ctrlrange="-1 1"/><motor joint="h" ctrlrange="-5 5"/><motor joint="h"/>', "", 3.0),
)


@pytest.mark.parametrize(("actuators", "joint", "torque"), CASES)
def test_the_usual_torque_is_half_of_what_actuators_can_do(actuators, joint, torque):
    m = physics.load_string(ARM.format(medium="", joint=joint, actuators=actuators))
    assert strengths.joint_torque(m) == pytest.approx(torque)
    if torque:
        assert scales.usual(m, "torque")[0] == pytest.approx(torque / 2)


@pytest.mark.parametrize("medium", ['density="1000"', 'viscosity="3"', 'density="1000" viscosity="3"'])
def test_a_drifting_body_is_held_by_the_medium(medium):
    m = physics.load_string(ARM.format(medium=medium, joint="", actuators=""))
    speed = strengths.drifting_speed(m, .1, 7.0)
    assert strengths.drag(m, .1, speed) == pytest.approx(7.0)
    assert np.isinf(strengths.drifting_speed(physics.load_string(ARM.format(medium="", joint="", actuators="")), .1, 7.0))


def test_what_swims_slowly_has_scales_for_slow_motion():
    slow = physics.load_string(ARM.format(medium='density="1000"', joint="", actuators='<motor joint="h" gear=".001" ctrlrange="-1 1"/>'))
    free = physics.load_string(ARM.format(medium="", joint="", actuators=""))
    for kind, share in (("speed", .1), ("turning speed", .1), ("momentum", .1), ("torque", .01)):
        assert scales.usual(slow, kind)[0] < share * scales.usual(free, kind)[0]
    force = scales.usual(slow, "force")[0]
    assert scales.LEAST_DRAG * force <= scales.usual(slow, "medium force")[0] <= force


def test_arcs_are_wider_than_what_would_hide_them():
    thick = physics.load_string("""<mujoco><worldbody><body><joint/><geom type="capsule" size=".1 .2"/>
      <body><joint/><geom size=".01"/><body><joint/><geom type="box" size=".9 .9 .9"/></body></body></body></worldbody></mujoco>""")
    usual, radii = scales.arc_radius(thick), scales.arc_radii(thick)
    assert radii[1] == pytest.approx(max(usual, scales.CLEAR * .1)) and radii[2] == usual and radii[3] == pytest.approx(min(scales.CLEAR * .9, scales.LARGEST_ARC * usual))

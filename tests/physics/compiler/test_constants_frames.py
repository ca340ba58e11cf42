"""Constants of models whose frames practically coincide."""
import mujoco
import pytest

import physics
from tests.oracle.compiled import compare_compiled

NEARLY = """<mujoco><worldbody><body pos="1 2 3"><freejoint/><geom size=".1" pos="3e-8 -1e-9 0"/><site pos="1e-9 2e-9 0"/></body>
<geom type="box" size="1 1 1" pos="-3e-8 0 0"/></worldbody></mujoco>"""


def test_a_geom_at_the_frame_of_its_body_is_there_exactly():
    model, official = physics.load_string(NEARLY), mujoco.MjModel.from_xml_string(NEARLY)
    assert model.geom_sameframe[0] == 1 and model.geom_pos[0, 0] == pytest.approx(-3e-8)
    assert compare_compiled(model, official)[1] == {}

"""What a script finds in Data after a call is what the official engine leaves there."""
import mujoco
import numpy as np
import pytest

import physics
from tests.oracle.corpus import REPOSITORY
from tests.oracle.data_fields import INTEGRATORS, SEQUENCES, begin, differences, perform, tighten

MODELS = ("models/quadruped.xml", "models/arm.xml", "tests/models/hand.xml", "tests/models/muscle_arm.xml", "tests/models/cable.xml")
TIED = """<mujoco><option integrator="discrete"/><worldbody><geom type="plane" size="3 3 .1"/><body pos="0 0 1"><joint axis="0 1 0"/><geom size=".1"/>
<body pos=".2 .1 0"><joint name="a" axis="0 1 0"/><geom size=".05" pos=".2 0 0"/></body><body pos=".2 -.1 0"><joint name="b" axis="0 1 0"/><geom size=".05" pos=".2 0 0"/></body></body>
<body pos="4 0 .09"><freejoint/><geom size=".1"/></body></worldbody>
<tendon><fixed stiffness="10" damping="1"><joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed></tendon></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture(scope="module", params=MODELS)
def pair(request):
    path = REPOSITORY / request.param
    return mujoco.MjModel.from_xml_path(str(path)), physics.load(path)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_every_field_after_every_call(pair, integrator):
    """Among what was other: flg_rnepost after Runge-Kutta's step and after step1, nisland after step1, sensors that were not read yet."""
    official, model = pair
    tighten(official, model, integrator)
    found = {}
    for sequence in SEQUENCES:
        data, ours = begin(official, model)
        perform(official, data, model, ours, sequence)
        off = differences(official, data, model, ours, sequence[-1])
        if off:
            found["+".join(sequence)] = off
    assert found == {}


@pytest.mark.parametrize("flag", [name for name in dir(mujoco.mjtDisableBit) if name.startswith("mjDSBL_")])
def test_every_field_after_a_step_with_a_stage_off(flag):
    """With islands off nisland was 1, with sensors off their values no numbers."""
    path = REPOSITORY / "tests/models/hand.xml"
    official, model = mujoco.MjModel.from_xml_path(str(path)), physics.load(path)
    tighten(official, model, "Euler")
    for each in (official, model):
        each.opt.disableflags = int(each.opt.disableflags) | int(getattr(mujoco.mjtDisableBit, flag))
    data, ours = begin(official, model)
    perform(official, data, model, ours, ("step",))
    found = differences(official, data, model, ours)
    if flag == "mjDSBL_ISLAND":   # officially the order of the only island, which nobody belongs to
        assert {name for name in found} <= {"efc_island", "map_efc2iefc", "map_iefc2efc"}
        return
    assert found == {}


def test_a_tendon_within_one_tree_makes_no_island():
    official, model = mujoco.MjModel.from_xml_string(TIED), physics.load_string(TIED)
    data, ours = mujoco.MjData(official), physics.Data(model)
    perform(official, data, model, ours, ("step",))
    assert ours.M_eff_coupled == 1 and ours.nisland == data.nisland == 1
    assert np.array_equal(ours.tree_island, data.tree_island) and np.array_equal(ours.map_idof2dof, data.map_idof2dof)

"""The Python face: step, forward, reset, refusal, growth."""
import tracemalloc

import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.enums import ENBL_SPECULATIVE, DisableBit, EnableBit, Integrator, Solver
from physics.errors import Issue, Place, ViewOnlyError
from physics.kernels import load
from physics.model.data import Data
from physics.simulate import soft_engine, step
from tests.physics.engine.oracle_model import model_from

SWING = """<mujoco><worldbody><body name="target" mocap="true"/><body><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
<actuator><general joint="" dyntype="integrator"/></actuator>
<keyframe><key name="up" time="2" qpos="1.5" qvel="-1" ctrl=".3" act=".2" mpos="1 2 3" mquat="0 1 0 0"/></keyframe></mujoco>""".replace(
    '<joint axis', '<joint name="j" axis').replace('joint=""', 'joint="j"')


@pytest.fixture(scope="module", autouse=True)
def kernels():
    load.ensure(["physics.engine.forward"])


@pytest.fixture
def swing():
    mj = mujoco.MjModel.from_xml_string(SWING)
    m = model_from(mj)
    m.names = {**m.names, "key": ("up",)}
    return m, Data(m)


def test_steps_are_counted(swing):
    m, d = swing
    assert step.step(m, d) == 1
    assert step.step(m, d, 9) == 9
    assert d.time == pytest.approx(10 * m.opt_timestep)


def test_a_diverged_step_is_not_counted(swing):
    m, d = swing
    d.qvel[0] = np.nan
    assert step.step(m, d, 5, autoreset=False) == 0
    assert d.diverged and d.time == 0


def test_view_only_models_are_refused_with_their_place(swing):
    m, d = swing
    m.view_only = (Issue("view", Place("arm.xml", 7, 3), "mujoco/option", "density is not there yet"),)
    for call in (step.step, step.forward):
        with pytest.raises(ViewOnlyError, match="arm.xml:7:3.*density"):
            call(m, d)


@pytest.mark.parametrize("integrator", [-1, 5, 17])
def test_integrators_that_are_not_there_are_refused_by_name(swing, integrator):
    m, d = swing
    m.opt_integrator = integrator
    with pytest.raises(ViewOnlyError, match="integrator"):
        step.step(m, d)


@pytest.mark.parametrize("option, value, named", [
    ("opt_solver", 3, "solver 3"), ("opt_enableflags", ENBL_SPECULATIVE, "speculative"),
])
def test_options_that_are_not_there_are_refused_while_they_last(swing, option, value, named):
    m, d = swing
    usual = getattr(m, option)
    setattr(m, option, value)
    with pytest.raises(ViewOnlyError, match=named):
        step.step(m, d)
    assert d.time == 0
    setattr(m, option, usual)
    assert step.step(m, d) == 1


@pytest.mark.parametrize(("option", "values"), [
    ("opt_integrator", (*map(int, Integrator), 17)), ("opt_solver", (-1, *map(int, Solver), 3)), ("opt_enableflags", (0, *map(int, EnableBit))),
    ("opt_disableflags", (0, *map(int, DisableBit))), ("opt_noslip_iterations", (0, 1)),
])
def test_the_kernel_refuses_exactly_what_is_named(swing, option, values):
    """step_n has its own quick check; were it stricter than option_issues, a step would end without a reason."""
    m, d = swing
    for value in values:
        setattr(m, option, value)
        named = soft_engine.option_issues(m) != []
        assert (stages.step_n(m, d, 0) == -1) == named, (option, value)


def test_reset_to_keyframes(swing):
    m, d = swing
    for key in ("up", 0):
        step.step(m, d, 3)
        step.reset(m, d, key)
        assert (d.time, d.qpos[0], d.qvel[0], d.ctrl[0], d.act[0]) == (2.0, 1.5, -1.0, 0.3, 0.2)
        assert list(d.mocap_pos[0]) == [1, 2, 3] and list(d.mocap_quat[0]) == [0, 1, 0, 0]
    step.reset(m, d)
    assert d.time == 0 and d.qpos[0] == m.qpos0[0] and d.mocap_quat[0, 0] == 1
    with pytest.raises(KeyError, match="up"):
        step.reset(m, d, "down")
    with pytest.raises(IndexError):
        step.reset(m, d, 1)


def test_room_is_made_for_what_was_asked(swing):
    _m, d = swing
    assert not step.grow(d)
    d.need_ncon, d.need_nefc, d.need_nJ = d.maxcon + 10, d.maxefc + 20, d.maxJ + 30
    wanted = d.need_ncon, d.need_nefc, d.need_nJ
    assert step.grow(d)
    assert (d.maxcon, d.maxefc, d.maxJ) >= wanted and d.maxJ >= wanted[2] and d.maxefc >= wanted[1]
    assert not step.grow(d)


PILE = """<mujoco><worldbody><geom type="plane" size="5 5 1"/>{}</worldbody></mujoco>""".format(
    "".join(f'<body pos="{0.3 * (k % 4)} {0.3 * (k // 4)} .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>' for k in range(16))
)


def test_a_step_that_lacked_room_gives_the_same_result():
    m = model_from(mujoco.MjModel.from_xml_string(PILE))
    small, large = Data(m, maxcon=1, maxefc=1, maxJ=1), Data(m, maxcon=500, maxefc=5000, maxJ=50000)
    assert stages.step(m, small) == 0 and small.time == 0 and small.need_ncon > 0
    assert step.step(m, small, 10) == step.step(m, large, 10) == 10
    assert small.ncon == large.ncon == 64
    assert np.array_equal(small.qpos, large.qpos) and np.array_equal(small.qvel, large.qvel)
    assert small.maxuse_con == large.maxuse_con == 64 and small.maxuse_efc == large.maxuse_efc == 256


def test_peaks_stay_until_the_reset():
    m = model_from(mujoco.MjModel.from_xml_string(PILE))
    d = Data(m)
    step.forward(m, d)
    d.qpos[2::7] += 1
    step.forward(m, d)
    assert (d.ncon, d.nefc) == (0, 0) and (d.maxuse_con, d.maxuse_efc) == (64, 256)
    step.reset(m, d)
    assert (d.maxuse_con, d.maxuse_efc) == (0, 0)


def test_steps_allocate_nothing():
    """Neither in Python nor a new home for any field, once there is room."""
    m = model_from(mujoco.MjModel.from_xml_string(PILE))
    d = Data(m)
    step.step(m, d, 5)
    homes = {name: getattr(d, name).ctypes.data for name in Data.layout.arrays if name not in ("qLD", "qLDiagInv")}
    tracemalloc.start()
    try:
        step.step(m, d, 2)
        before = tracemalloc.get_traced_memory()[0]
        step.step(m, d, 50)
        now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert d.ncon and now - before < 500 and most - before < 5000
    assert {name: getattr(d, name).ctypes.data for name in homes} == homes

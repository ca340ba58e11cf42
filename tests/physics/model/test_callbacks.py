"""User code inside a step: every hook, Python or compiled, and what happens when it raises."""
import ctypes

import mujoco
import numpy as np
import pytest

from physics.enums import DSBL_ACTUATION, DSBL_DAMPER, DSBL_SPRING, INT_RK4
from physics.kernels import decorators, load
from physics.model.data import Data
from physics.simulate import step
from physics.warm_up import MODULES
from tests.physics import callback_kernels
from tests.physics.engine.oracle_model import model_from, pair_from

SCENE = """<mujoco><option timestep=".002"/><worldbody><geom name="floor" type="plane" size="3 3 .1"/>
<body name="ball" pos="0 0 .095"><freejoint/><geom name="ball" size=".1"/></body>
<body name="other" pos="1 0 .095"><freejoint/><geom name="other" size=".1"/></body>
<body pos="0 1 1"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size=".03 .2"/></body></worldbody>
<actuator><motor joint="hinge"/></actuator></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    load.ensure([*MODULES, "tests.physics.callback_kernels"])


@pytest.fixture
def scene():
    m = model_from(mujoco.MjModel.from_xml_string(SCENE))
    return m, Data(m)


def test_control(scene):
    m, d = scene
    seen = []

    def control(model, data):
        assert model is m and data is d
        seen.append(data.time)
        data.ctrl[0] = 2 - data.qvel[12]

    d.set_callback("cb_control", control)
    assert step.step(m, d, 5) == 5
    assert seen == pytest.approx([0, 0.002, 0.004, 0.006, 0.008]) and d.qfrc_actuator[12] == d.ctrl[0] > 1
    step.forward(m, d)
    step.step1(m, d)
    assert len(seen) == 7
    m.opt_disableflags |= DSBL_ACTUATION
    step.forward(m, d)
    d.set_callback("cb_control", None)
    step.step(m, d)
    assert len(seen) == 7


def test_the_control_callback_is_called_once_where_storage_grows():
    pile = "".join(f'<body pos="{0.15 * k} 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>' for k in range(9))
    m = model_from(mujoco.MjModel.from_xml_string(f'<mujoco><worldbody><geom type="plane" size="3 3 .1"/>{pile}</worldbody></mujoco>'))
    d, seen = Data(m, maxcon=1, maxefc=1, maxJ=1, maxH=1), []
    d.set_callback("cb_control", lambda _m, data: seen.append(data.time))
    assert step.step(m, d) == 1 and len(seen) == 1 and d.maxH > 1


def test_control_in_all_stages_of_runge_kutta(scene):
    m, d = scene
    m.opt_integrator, seen = INT_RK4, []
    d.set_callback("cb_control", lambda _m, data: seen.append(data.time))
    step.step(m, d)
    assert seen == pytest.approx([0, 0.001, 0.001, 0.002])


def test_passive(scene):
    m, d = scene

    def passive(_m, data):
        data.qfrc_passive[12] += 7 - 3 * data.qvel[12]

    d.set_callback("cb_passive", passive)
    d.qvel[12] = 2
    step.forward(m, d)
    assert d.qfrc_passive[12] == 1 and d.qfrc_smooth[12] == pytest.approx(1 - d.qfrc_bias[12])
    m.opt_disableflags |= DSBL_SPRING
    step.forward(m, d)
    assert d.qfrc_passive[12] == 1
    m.opt_disableflags |= DSBL_DAMPER  # with both disabled there are no passive forces at all
    step.forward(m, d)
    assert d.qfrc_passive[12] == 0


def test_contact_filter(scene):
    m, d = scene
    asked = []

    def unwanted(_m, _d, g1, g2):
        asked.append((g1, g2))
        return g2 == 1

    step.forward(m, d)
    assert d.ncon == 2
    d.set_callback("cb_contactfilter", unwanted)
    step.forward(m, d)
    assert set(asked) == {(0, 1), (0, 2)} and d.ncon == 1 and d.contact[0].geom2 == 2


HEAP = """<mujoco><option><flag {flag}/></option><worldbody><geom type="plane" size="1 1 .1"/><geom size=".2" contype="0" conaffinity="0"/>
<body pos="0 0 .1"><freejoint/><geom size=".15"/><geom size=".1" contype="0" conaffinity="0"/><geom type="capsule" size=".1 .1" contype="2" conaffinity="4" pos=".1 0 0"/></body>
<body pos="0 .1 .1"><freejoint/><geom size=".15" contype="8" conaffinity="8"/></body>
<body pos="0 .1 .1"><freejoint/><geom size=".15" contype="0" conaffinity="0"/></body>
<body pos="0 .1 .15"><freejoint/><geom size=".15" contype="9" conaffinity="9"/><geom size=".12" contype="0" conaffinity="0"/></body>
<body pos="0 .2 .15"><freejoint/><geom type="box" size=".15 .1 .1"/><geom type="cylinder" size=".05 .1" contype="16" conaffinity="16" pos="0 0 3"/>
<body pos="0 0 .1"><joint/><geom size=".1"/></body></body></worldbody><contact><exclude body1="b1" body2="b2"/></contact></mujoco>"""
HEAP = HEAP.replace("<body pos", '<body name="b1" pos', 1).replace("<body pos", '<body name="b2" pos', 1)


@pytest.mark.parametrize("verdict", [lambda a, b: 0, lambda a, b: (a + b) % 2, lambda a, b: 1, lambda a, b: a == 0])
@pytest.mark.parametrize("flag", ['energy="disable"', 'midphase="disable"', 'filterparent="disable"'])
def test_contact_filter_stands_for_the_masks_as_officially(flag, verdict):
    mj, mjd, m, d = pair_from(HEAP.format(flag=flag))
    mujoco.mj_forward(mj, mjd)
    plain = [tuple(g) for g in mjd.contact.geom]
    mujoco.set_mjcb_contactfilter(lambda _m, _d, a, b: int(verdict(a, b)))
    try:
        mujoco.mj_forward(mj, mjd)
    finally:
        mujoco.set_mjcb_contactfilter(None)
    step.forward(m, d)
    assert [tuple(c.geom) for c in d.contact] == plain
    d.set_callback("cb_contactfilter", lambda _m, _d, a, b: verdict(a, b))
    step.forward(m, d)
    assert [tuple(c.geom) for c in d.contact] == [tuple(g) for g in mjd.contact.geom] != plain
    assert np.allclose([c.dist for c in d.contact], mjd.contact.dist, atol=1e-12)
    d.set_callback("cb_contactfilter", None)
    step.forward(m, d)
    assert [tuple(c.geom) for c in d.contact] == plain


def test_parameters_of_contacts(scene):
    m, d = scene

    def soften(_m, data, i):
        if data.contact[i].geom2 == 2:
            data.contact[i].solref[:] = [0.1, 0.5]
            data.contact[i].solimp[0] = 0.3
            data.contact[i].friction[:] = 0.25

    step.forward(m, d)
    before = d.efc_KBIP[:d.nefc].copy(), d.efc_aref[:d.nefc].copy()
    d.set_callback("cb_contactparam", soften)
    step.forward(m, d)
    first, second = (c.efc_address for c in d.contact)
    assert (d.efc_KBIP[first] == before[0][first]).all() and (d.efc_KBIP[second:d.nefc] != before[0][second:])[:, :2].all()
    assert d.contact[1].friction[0] == 0.25


def test_clock(scene):
    """The profiler's clock is the user's."""
    from physics.runtime.profile import Profile

    m, d = scene
    ticks = iter(range(10000))
    d.set_callback("cb_time", lambda: float(next(ticks)))
    profile = Profile()
    assert profile.step(m, d) == 1
    assert profile.seconds["kinematics"] == 1.0 and profile.seconds["integrate"] == 1.0


@pytest.mark.parametrize("slot", ["cb_control", "cb_passive", "cb_contactfilter", "cb_contactparam"])
def test_an_exception_comes_out_and_the_state_stays(scene, slot):
    m, d = scene
    calls = []

    def fail(*_about):
        calls.append(1)
        raise ZeroDivisionError(slot)

    d.set_callback(slot, fail)
    state = d.qpos.copy(), d.qvel.copy()
    with pytest.raises(ZeroDivisionError, match=slot):
        step.step(m, d, 10)
    assert d.time == 0 and (d.qpos == state[0]).all() and (d.qvel == state[1]).all() and len(calls) == 1
    for call in (step.forward, step.step1) + ((step.inverse,) if slot != "cb_control" else ()):
        with pytest.raises(ZeroDivisionError):
            call(m, d)
    d.set_callback(slot, None)
    assert step.step(m, d) == 1


def test_an_exception_between_the_stages_of_runge_kutta(scene):
    m, d = scene
    m.opt_integrator = INT_RK4
    start = d.qpos.copy()

    def late(_m, data):
        if data.time > 0:
            raise RuntimeError("late")

    d.set_callback("cb_control", late)
    with pytest.raises(RuntimeError, match="late"):
        step.step(m, d)
    assert d.time == 0 and (d.qpos == start).all()


def test_answers_that_are_no_numbers_are_errors(scene):
    m, d = scene
    d.set_callback("cb_contactfilter", lambda *_a: "no")
    with pytest.raises(ValueError, match="no"):
        step.forward(m, d)


@pytest.mark.skipif(decorators.NOJIT, reason="needs machine code")
def test_compiled_callbacks(scene):
    """A kernel, its bare address and a ctypes function do what a Python function does."""
    m, d = scene
    twist = callback_kernels.twist
    foreign = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(twist.addr)
    for fn in (twist, twist.addr, foreign):
        d.reset()
        d.qvel[12] = 2
        d.set_callback("cb_passive", fn)
        step.forward(m, d)
        assert d.qfrc_passive[12] == 7 - 3 * 2
    d.set_callback("cb_contactfilter", callback_kernels.not_the_first)
    step.forward(m, d)
    assert d.ncon == 1 and d.contact[0].geom2 == 2


@pytest.mark.nojit
def test_kernels_as_callbacks(scene):
    m, d = scene
    d.qvel[12] = 2
    d.set_callback("cb_passive", callback_kernels.twist)
    step.forward(m, d)
    assert d.qfrc_passive[12] == 7 - 3 * 2


def test_what_is_no_callback_is_refused(scene):
    _, d = scene
    for fn, error in ((3.5, TypeError), (0, ValueError), (-8, ValueError), (True, TypeError), ("x", TypeError), (callback_kernels.wrong, TypeError)):
        with pytest.raises(error, match="cb_passive"):
            d.set_callback("cb_passive", fn)
    with pytest.raises(KeyError, match="cb_control"):
        d.set_callback("cb_nothing", print)


def test_callbacks_stay_over_a_reset_and_are_not_copied(scene):
    m, d = scene
    seen = []
    d.set_callback("cb_control", lambda *_a: seen.append(1))
    d.reset()
    step.step(m, d)
    other = d.copy()
    step.step(m, other)
    assert len(seen) == 1 and other.cb_control == 0


def test_a_models_data_belongs_to_it(scene):
    m, d = scene
    other = model_from(mujoco.MjModel.from_xml_string("<mujoco/>"))
    for call in (step.step, step.step1, step.step2, step.forward, step.inverse, step.compare_fwd_inv):
        with pytest.raises(ValueError, match="another Model"):
            call(other, d)
        for bad in ((None, d), (m, None), (d, m), (m, np.zeros(3))):
            with pytest.raises(TypeError, match="Model"):
                call(*bad)
    with pytest.raises(ValueError):
        step.step(m, d, -1)


def test_nan_from_a_callback_is_refused(scene):
    m, d = scene
    d.set_callback("cb_passive", lambda _m, data: data.qfrc_passive.__setitem__(12, np.nan))
    assert step.step(m, d, 3, autoreset=False) == 0 and d.diverged and d.diverged_id == 12 and d.warning_number[d.diverged] == 1

"""Callbacks of the whole process, given the MjModel and MjData of the script."""
import ctypes
import gc
import sys

import mujoco
import numpy as np
import pytest

from app.mujoco_shim import mujoco as ours
from tests.app.mujoco_shim.models import ARM

USER = '<mujoco><worldbody><geom name="g" size="1"/></worldbody><sensor><user objtype="geom" objname="g" datatype="real" needstage="vel" dim="1"/></sensor></mujoco>'


@pytest.fixture(autouse=True)
def no_callbacks():
    yield
    ours.mj_resetCallbacks()
    mujoco.set_mjcb_control(None)       # not all of them: its own clock is one


def test_controls_by_a_callback_are_the_official_ones():
    ends = []
    for mj in (mujoco, ours):
        m = mj.MjModel.from_xml_string(ARM)
        d = mj.MjData(m)

        def control(model, data, m=m, d=d):
            assert model is m and data is d
            data.ctrl[0] = 0.5 - data.qpos[4]

        mj.set_mjcb_control(control)
        assert mj.get_mjcb_control() is control
        mj.mj_step(m, d, 20)
        ends.append(d.qpos.copy())
        mj.set_mjcb_control(None)
        assert mj.get_mjcb_control() is None
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-10)


def test_sensors_passive_forces_and_contact_filters():
    m = ours.MjModel.from_xml_string(USER)
    d = ours.MjData(m)
    seen = []
    ours.set_mjcb_sensor(lambda model, data, stage: (seen.append(stage), data.sensordata.fill(17)))
    ours.mj_forward(m, d)
    assert seen == [ours.mjtStage.mjSTAGE_VEL] and d.sensordata[0] == 17
    arm = ours.MjModel.from_xml_string(ARM)
    e = ours.MjData(arm)
    ours.set_mjcb_passive(lambda model, data: data.qfrc_passive.__setitem__(3, 9.0))
    ours.mj_forward(arm, e)
    assert e.qfrc_passive[3] == 9.0


def test_what_a_callback_raises_comes_out_and_is_forgotten():
    m = ours.MjModel.from_xml_string(ARM)
    d = ours.MjData(m)

    def broken(model, data):
        raise ValueError("nested callback failure")

    ours.set_mjcb_control(broken)
    with pytest.raises(ValueError, match="nested callback failure"):
        ours.mj_step(m, d)
    ours.set_mjcb_control(None)
    ours.mj_step(m, d)
    with pytest.raises(TypeError, match="callback is not"):
        ours.set_mjcb_control("text")


def test_the_clock_of_timers():
    m = ours.MjModel.from_xml_string(ARM)
    d = ours.MjData(m)
    ours.set_mjcb_time(lambda: 0.0)
    ours.mj_step(m, d)
    assert d.timer[0].duration == 0.0
    ours.set_mjcb_time(lambda: "text")
    with pytest.raises(TypeError, match="did not return a number"):
        ours.mj_forward(m, d)
    ours.set_mjcb_time(None)
    ours.mj_step(m, d)
    assert d.timer[0].duration > 0


def test_callbacks_keep_no_data_alive():
    m = ours.MjModel.from_xml_string(ARM)
    d = ours.MjData(m)
    ours.set_mjcb_control(lambda model, data: None)
    ours.mj_step(m, d)
    gc.collect()
    assert sys.getrefcount(d) == 2


def test_warnings_go_to_functions_of_c_too(capsys):
    m = ours.MjModel.from_xml_string(ARM)
    d = ours.MjData(m)
    seen = []
    told = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(seen.append)
    ours.set_mju_user_warning(told)
    assert ours.get_mju_user_warning() is told
    d.qpos[4] = np.nan
    ours.mj_checkPos(m, d)
    ours.set_mju_user_warning(None)
    assert b"QPOS at DOF 4" in seen[0] and d.qpos[4] == 0
    d.qvel[0] = np.inf
    ours.mj_checkVel(m, d)
    assert "WARNING: Nan, Inf or huge value in QVEL" in capsys.readouterr().err

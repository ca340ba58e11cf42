"""MjModel and MjData: reading, copies, pickles, named access, files."""
import copy
import pickle

import mujoco
import numpy as np
import pytest

from app.mujoco_shim import mujoco as ours
from tests.app.mujoco_shim.models import ARM, CONTACTS

INCLUDING = '<mujoco><compiler meshdir="shapes"/><include file="part.xml"/><asset><mesh file="tetra.obj"/></asset><worldbody><geom type="mesh" mesh="tetra"/></worldbody></mujoco>'
PART = b'<mujoco><worldbody><geom name="ball" size="1"/></worldbody></mujoco>'
TETRA = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.fixture
def made():
    m = ours.MjModel.from_xml_string(ARM)
    d = ours.MjData(m)
    d.qvel[:] = 0.5
    for _ in range(3):
        ours.mj_step(m, d)
    return m, d


def test_models_are_read_from_files_texts_and_assets(tmp_path):
    m = ours.MjModel.from_xml_string(INCLUDING, {"part.xml": PART, "tetra.obj": TETRA})
    assert m.ngeom == 2 and m.geom("ball").size[0] == 1 and m.nmesh == 1
    (tmp_path / "arm.xml").write_text(ARM)
    assert ours.MjModel.from_xml_path(tmp_path / "arm.xml").names == mujoco.MjModel.from_xml_path(str(tmp_path / "arm.xml")).names
    assert ours.MjModel.from_xml_path("in/memory.xml", {"in/memory.xml": ARM.encode()}).nq == 5
    with pytest.raises(ValueError, match="XML Error"):
        ours.MjModel.from_xml_string("<mujoco><nothing/></mujoco>")
    with pytest.raises(ValueError, match="No such file"):
        ours.MjModel.from_xml_path("nowhere.xml")
    with pytest.raises(ValueError, match="Repeated"):
        ours.MjModel.from_xml_string("<mujoco/>", {"a.xml": b"1", "b/a.xml": b"2"})
    with pytest.raises(TypeError, match="No constructor"):
        ours.MjModel()


def test_compiled_files_and_buffers(tmp_path, made):
    m, _d = made
    ours.mj_saveModel(m, str(tmp_path / "a.mjb"), None)
    buffer = np.zeros(ours.mj_sizeModel(m), np.uint8)
    ours.mj_saveModel(m, None, buffer)
    for again in (ours.MjModel.from_binary_path(str(tmp_path / "a.mjb")), ours.MjModel.from_binary_path("x.mjb", {"x.mjb": buffer.tobytes()})):
        assert again.names == m.names
        np.testing.assert_array_equal(again.body_pos, m.body_pos)


def test_copies_are_apart(made):
    m, d = made
    same, other = copy.copy(d), copy.deepcopy(d)
    assert same.model is m and other.model is not m and other.model.names == m.names
    for one in (same, other):
        np.testing.assert_array_equal(one.qpos, d.qpos)
        ours.mj_step(one.model, one)
    ours.mj_step(m, d)
    np.testing.assert_array_equal(same.qpos, d.qpos)
    np.testing.assert_array_equal(other.qpos, d.qpos)
    m.body_mass[1] = 5
    assert other.model.body_mass[1] != 5
    ours.mj_copyData(other, other.model, d)
    assert other.time == d.time


def test_pickles_run_on(made):
    m, d = made
    e = pickle.loads(pickle.dumps(d))
    n, f = pickle.loads(pickle.dumps((m, d)))
    assert f.model is n and pickle.loads(pickle.dumps(m)).names == m.names
    for one in (e, f, d):
        ours.mj_step(one.model, one, nstep=5)
    np.testing.assert_array_equal(e.qpos, d.qpos)
    np.testing.assert_array_equal(f.qpos, d.qpos)


def test_arrays_are_copied_into_and_outlive_their_owner(made):
    m, d = made
    view = d.qpos
    d.qpos = 0.25
    assert view.tolist() == [0.25] * 5 and d.qpos is view
    with pytest.raises(ValueError):
        d.qpos = np.zeros(3)
    with pytest.raises(AttributeError):
        d.nothing = 1
    with pytest.raises(AttributeError):
        m.nothing
    del m, d, made
    assert view.sum() == 1.25


def test_elements_by_name(made):
    m, d = made
    assert m.geom("upper") is m.geom(1) and m.geom("upper").size is m.geom(1).size and d.joint("elbow") is d.jnt(1)
    m.geom("upper").size = [1, 2, 3]
    assert m.geom_size[1].tolist() == [1, 2, 3] and m.geom(1).id == 1 and m.geom(1).name == "upper"
    d.joint("shoulder").qpos = [1, 0, 0, 0]
    assert d.qpos[:4].tolist() == [1, 0, 0, 0] and d.joint("elbow").qpos.shape == (1,) and d.joint("shoulder").cdof.shape == (3, 6)
    d.actuator("bend").ctrl = 0.7
    assert d.ctrl[0] == 0.7 and m.actuator("bend").gear.shape == (6,) and d.sensor("felt").data.shape == (3,)
    official = mujoco.MjModel.from_xml_string(ARM)
    with pytest.raises(KeyError) as theirs:
        official.geom("nothing")
    with pytest.raises(KeyError) as mine:
        m.geom("nothing")
    assert mine.value.args == theirs.value.args
    with pytest.raises(IndexError, match="Invalid index 3. Valid indices from 0 to 2"):
        m.geom(3)
    assert repr(m.geom(1)).startswith("<_MjModelGeomViews") and "xpos:" in repr(d.geom(1))


def test_a_state_that_diverges_starts_over_and_is_told():
    m = ours.MjModel.from_xml_string(CONTACTS)
    d = ours.MjData(m)
    told = []
    ours.set_mju_user_warning(told.append)
    try:
        ours.mj_step(m, d, 3)
        d.qvel[0] = np.nan
        ours.mj_step(m, d, 2)
        assert np.isfinite(d.qpos).all() and d.warning[ours.mjtWarning.mjWARN_BADQVEL].number == 1 and "QVEL at DOF 0" in told[0]
        assert d.time == pytest.approx(2 * m.opt.timestep)
        m.opt.disableflags |= ours.mjtDisableBit.mjDSBL_AUTORESET
        d.qpos[0] = np.inf
        ours.mj_step(m, d)
        assert np.isinf(d.qpos[0]) and d.warning.number[ours.mjtWarning.mjWARN_BADQPOS] == 1 and len(told) == 2
    finally:
        ours.set_mju_user_warning(None)


def test_a_state_starts_over_as_officially():
    ends = []
    for mj in (mujoco, ours):
        m = mj.MjModel.from_xml_string(CONTACTS)
        d = mj.MjData(m)
        mj.set_mju_user_warning(lambda text: None)
        mj.mj_step(m, d, 30)
        d.qvel[2] = 1e11
        mj.mj_step(m, d, 4)
        d.qpos[0] = np.nan
        mj.mj_step(m, d)
        mj.set_mju_user_warning(None)
        ends.append((d.time, d.qpos.copy(), d.warning.number.tolist()))
    assert ends[0][0] == pytest.approx(ends[1][0]) and ends[0][2] == ends[1][2]
    np.testing.assert_allclose(ends[1][1], ends[0][1], atol=1e-9)


def test_steps_are_counted_and_timed(made):
    m, d = made
    assert d.timer[ours.mjtTimer.mjTIMER_STEP].number == 3 and d.timer[0].duration > 0 and len(d.timer) == ours.mjtTimer.mjNTIMER
    assert len(d.warning) == ours.mjtWarning.mjNWARNING


def test_versions_and_marks():
    assert ours.__version__ == ours.mj_versionString() == mujoco.__version__ and ours.mj_version() == mujoco.mj_version() == ours.mjVERSION_HEADER
    assert ours.__linkwork__ is True and not hasattr(mujoco, "__linkwork__")


def test_names_of_before(made):
    m, d = made
    full, old = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv))
    ours.mj_fullM(m, d, full)
    ours.mj_fullM(m, old, d.qM)
    np.testing.assert_array_equal(full, old)
    assert d.qM.shape == (m.nM,) and m.flex_vertedge.shape == (0, 2) and d.flexvert_length.size == m.nJfv == 0
    with pytest.raises(TypeError, match="size"):
        ours.mj_fullM(m, old, np.zeros(2))

import pickle

import numpy as np
import pytest

from physics.compiler.compile import load_string
from physics.model import struct
from physics.model.data import Data
from physics.model.kernel_buffers import KernelBuffers
from physics.model.model import Model


@pytest.fixture
def model():
    m = Model.allocate(dict(nq=7, nv=6, nbody=3, njnt=1, nmocap=1, neq=2, nu=2, nactuator=2, nout=2, nsensor=1, nsensordata=2))
    m.qpos0[:] = [1, 2, 3, 1, 0, 0, 0]
    m.body_mocapid[:] = [-1, -1, 0]
    m.body_pos[2] = [4, 5, 6]
    m.body_quat[:, 0] = 1.0
    m.eq_active0[:] = [True, False]
    m.names["body"] = ("world", "ball", "hand")
    m.names["joint"] = ("free",)
    m.names["sensor"] = ("pair",)
    m.sensor_dim[:] = 2
    return m


def assert_initial(d):
    np.testing.assert_array_equal(d.qpos, d.model.qpos0)
    np.testing.assert_array_equal(d.mocap_pos, [[4, 5, 6]])
    np.testing.assert_array_equal(d.mocap_quat, [[1, 0, 0, 0]])
    np.testing.assert_array_equal(d.eq_active, [True, False])
    assert d.time == 0 and d.ncon == 0 and not d.qvel.any() and not d.xpos.any() and not d.contact_pos.any()


def test_new_data_is_at_the_initial_pose(model):
    assert_initial(Data(model))


def test_reset_clears_everything_but_storage_and_callbacks(model):
    d = Data(model)
    d.grow_efc(2000, 9000)
    d.set_callback("cb_passive", lambda m, d: None)
    address = d.cb_passive
    for name in d.layout.arrays:
        getattr(d, name).reshape(-1).view(np.uint8)[:] = 1
    d.time, d.ncon, d.cb_error = 3.0, 7, 1
    d.reset()
    assert_initial(d)
    assert d.cb_passive == address != 0 and d.cb_error == 0 and d.maxefc == 2000 and d.maxJ == 9000


def test_storage_grows_and_keeps_what_is_stored(model):
    d = Data(model, maxcon=4, maxefc=8, maxJ=16)
    d.contact_dist[:] = np.arange(4)
    d.efc_J[:] = np.arange(16)
    d.qvel[:] = 3.0
    where = d.qvel.ctypes.data
    d.grow_contacts(5)
    d.grow_efc(9, 17)
    assert d.maxcon >= 5 and d.contact_frame.shape == (d.maxcon, 9)
    assert d.maxefc >= 9 and d.efc_KBIP.shape == (d.maxefc, 4) and d.efc_J.shape == (d.maxJ,) and d.maxJ >= 17
    np.testing.assert_array_equal(d.contact_dist[:4], np.arange(4))
    np.testing.assert_array_equal(d.efc_J[:16], np.arange(16))
    assert d.qvel.ctypes.data == where and d.qvel[0] == 3.0
    before = d.efc_J
    d.grow_efc(3, 3)
    assert d.efc_J is before


def test_the_block_follows_growth(model):
    d = Data(model)
    d.grow_contacts(1000)
    spot = d.layout.arrays["contact_pos"]
    assert d._block[spot.offset // 8] == d.contact_pos.ctypes.data
    assert d._block[spot.offset // 8 + 1] == d.maxcon


def test_addresses_are_those_that_numpy_tells():
    fixed = np.arange(6.0).reshape(2, 3)
    fixed.setflags(write=False)
    for array in (np.arange(5), np.ones((2, 2, 2), bool)[1:], fixed, np.zeros((0, 3)), np.zeros(0, np.int32)):
        assert struct.address(array) == array.ctypes.data


def test_copy_has_the_same_values_and_its_own_memory(model):
    d = Data(model, maxcon=4, maxefc=8, maxJ=16)
    rng = np.random.default_rng(0)
    for name in d.layout.arrays:
        raw = getattr(d, name)
        raw[...] = rng.integers(0, 2, raw.shape)
    d.grow_contacts(50)
    d.time, d.nefc, d.perturb_bodyid = 1.5, 3, 2
    d.set_callback("cb_passive", lambda m, d: None)
    e = d.copy()
    for name in d.layout.arrays:
        np.testing.assert_array_equal(getattr(e, name)[: len(getattr(d, name))], getattr(d, name), err_msg=name)
        assert not np.shares_memory(getattr(e, name), getattr(d, name)) or not getattr(d, name).size
    assert (e.time, e.nefc, e.perturb_bodyid, e.maxcon) == (1.5, 3, 2, d.maxcon)
    assert e.cb_passive == 0
    d.qpos[0] = 99.0
    assert e.qpos[0] != 99.0


def test_copy_from_another_models_data_is_refused(model):
    with pytest.raises(ValueError, match="another Model"):
        Data(model).copy_from(Data(Model.allocate(dict(nq=1))))


def test_contacts_are_a_sequence_of_objects(model):
    d = Data(model)
    d.ncon = 2
    d.contact_dist[:2] = [0.1, -0.2]
    d.contact_geom[1] = [3, 4]
    assert len(d.contact) == 2 and [c.dist for c in d.contact] == [0.1, -0.2]
    assert d.contact[-1].geom.tolist() == [3, 4] and d.contact[1].frame.shape == (9,)
    assert (d.contact[1].geom1, d.contact[1].geom2) == (3, 4) and {"dist", "geom2", "efc_address"} <= set(dir(d.contact[0]))
    d.contact[0].pos[:] = 7.0
    assert d.contact_pos[0, 2] == 7.0
    with pytest.raises(IndexError):
        d.contact[2]
    with pytest.raises(AttributeError):
        d.contact[0].weight  # noqa: B018


def test_element_views(model):
    d = Data(model)
    d.xpos[1] = [1, 2, 3]
    assert d.body("ball").xpos.tolist() == [1, 2, 3] and d.body("ball").xfrc_applied.shape == (6,)
    assert d.joint("free").qpos.shape == (7,) and d.joint("free").qvel.shape == (6,) and d.joint("free").cdof.shape == (6, 6)
    d.joint("free").qvel = 2.0
    assert (d.qvel == 2.0).all()
    assert d.sensor("pair").data.shape == (2,)


def test_unknown_callback_slots_are_refused(model):
    for slot in ("cb_error", "time", "cb_nothing"):
        with pytest.raises(KeyError, match=slot):
            Data(model).set_callback(slot, print)


def test_kernel_buffers_are_not_pickled():
    """Models and Data are: test_script.py."""
    with pytest.raises(TypeError, match="holds addresses"):
        pickle.dumps(KernelBuffers(ray_dist=np.zeros(1)))


def test_sensor_values_begin_at_zero():
    """As officially: what reads them before the first step, or with sensors off, finds numbers."""
    m = load_string("<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><sensor><jointpos joint='j'/></sensor></mujoco>")
    d = Data(m)
    assert m.nsensordata == 1 and d.sensordata.tolist() == [0.0]
    d.sensordata[:] = 1.0
    d.reset()
    assert d.sensordata.tolist() == [0.0]

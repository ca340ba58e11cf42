import numpy as np
import pytest

from physics.model.model import KINDS, Model


@pytest.fixture
def model():
    m = Model.allocate(dict(nq=8, nv=7, nbody=3, njnt=2, ngeom=2, nu=2, nactuator=2, nout=2, na=1, nsensor=2, nsensordata=5, nkey=2, nmocap=1,
                            nnumeric=2, nnumericdata=3))
    m.names["body"] = ("world", "torso", "")
    m.names["joint"] = ("root", "knee")
    m.names["sensor"] = ("gyro", "touch")
    m.names["actuator"] = ("first", "second")
    m.names["numeric"] = ("one", "two")
    m.jnt_type[:] = [0, 3]
    m.jnt_qposadr[:] = [0, 7]
    m.jnt_dofadr[:] = [0, 6]
    m.sensor_adr[:] = [0, 3]
    m.sensor_dim[:] = [3, 2]
    m.actuator_ctrladr[:] = m.actuator_outadr[:] = [0, 1]
    m.actuator_ctrlnum[:] = m.actuator_outnum[:] = 1
    m.actuator_actadr[:] = [-1, 0]
    m.actuator_actnum[:] = [0, 1]
    m.numeric_adr[:], m.numeric_size[:] = [0, 1], [1, 2]
    return m


def test_allocated_model_is_zero_and_has_its_sizes(model):
    assert model.nbody == 3 and model.body_pos.shape == (3, 3) and model.key_mpos.shape == (2, 3)
    assert all(not getattr(model, n).any() for n in ("body_pos", "geom_size", "opt_gravity", "body_mass"))


def test_unknown_sizes_and_fields_are_refused(model):
    with pytest.raises(ValueError, match="nbodies"):
        Model.allocate(dict(nbodies=3))
    with pytest.raises(AttributeError, match="body_poss"):
        model.body_poss = 1.0
    with pytest.raises(AttributeError, match="body_poss"):
        model.body_poss  # noqa: B018


def test_assigning_to_an_array_copies_into_it(model):
    before = model.body_pos
    model.body_pos = [[1, 2, 3]] * 3
    assert model.body_pos is before and before[2, 1] == 2.0
    with pytest.raises(ValueError):
        model.body_pos = np.zeros((4, 3))


def test_options_and_statistics_share_the_models_memory(model):
    model.opt.timestep = 0.25
    model.opt.gravity = [0, 0, -1]
    model.stat.extent = 3.0
    assert model.opt_timestep == 0.25 and model.opt_gravity[2] == -1.0 and model.stat_extent == 3.0
    model.opt.gravity[1] = 5.0
    assert model.opt_gravity[1] == 5.0
    assert {"timestep", "gravity", "solver", "o_solref"} <= set(dir(model.opt))
    with pytest.raises(AttributeError):
        model.opt.timestop = 1.0


def test_names_and_ids(model):
    assert model.id("body", "torso") == 1 and model.id("body", "nobody") == -1 and model.id("body", "") == -1
    assert model.id("jnt", "knee") == model.id("joint", "knee") == 1
    assert model.name("body", 0) == "world" and model.name("body", 2) == ""
    with pytest.raises(KeyError):
        model.id("limb", "x")
    assert set(model.names) == set(model.places) == set(KINDS)


def test_element_views_read_and_write_the_arrays(model):
    model.body("torso").mass = 2.0
    model.body(1).pos[2] = 4.0
    assert model.body_mass[1] == 2.0 and model.body_pos[1, 2] == 4.0
    assert model.body("torso").name == "torso" and model.body("torso").id == 1
    knee, root = model.joint("knee"), model.joint("root")
    assert knee.type == 3 and knee.qpos0.shape == (1,) and root.qpos0.shape == (7,) and root.damping.shape == (6,)
    root.damping = 0.5
    np.testing.assert_array_equal(model.dof_damping, [0.5] * 6 + [0.0])
    assert model.numeric("two").data.shape == (2,)
    assert model.actuator("second").ctrlrange.shape == (1, 2)
    assert "mass" in dir(model.body(0)) and "armature" in dir(knee)


def test_element_views_say_what_there_is(model):
    with pytest.raises(KeyError, match="no body 'leg'.*torso"):
        model.body("leg")
    with pytest.raises(KeyError):
        model.body(3)
    with pytest.raises(AttributeError, match="body has no attribute weight"):
        model.body(0).weight  # noqa: B018
    with pytest.raises(AttributeError):
        model.body(0).weight = 1.0


def test_arrays_can_be_replaced_by_fitting_ones_only(model):
    with pytest.raises(ValueError, match="body_mass"):
        model.bind("body_mass", np.zeros(3, np.float32))
    with pytest.raises(ValueError, match="body_pos"):
        model.bind("body_pos", np.zeros((3, 4)))
    new = np.ones(3)
    model.bind("body_mass", new)
    assert model.body_mass is new


def test_arrays_start_on_cache_lines(model):
    starts = [getattr(model, n).ctypes.data for n in model.layout.arrays]
    assert all(a % 64 == 0 for a in starts)
    assert len({a % 4096 for a in starts}) > 32


def test_picture_settings_have_the_official_names(model):
    mujoco = pytest.importorskip("mujoco")
    vis = mujoco.MjModel.from_xml_string("<mujoco><worldbody/></mujoco>").vis
    for group in ("global_", "quality", "headlight", "map", "scale", "rgba"):
        theirs, ours = getattr(vis, group), getattr(model.vis, group)
        names = [n for n in dir(theirs) if not n.startswith("_")]
        assert names == sorted(ours.__slots__)
        for n in names:
            value = np.asarray(getattr(theirs, n), float)
            if value.size:
                np.testing.assert_allclose(getattr(ours, n), value, rtol=1e-6, err_msg=n)

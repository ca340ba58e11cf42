"""What is written into a Model, found by comparing and written into a copy."""
import copy
import pickle

import numpy as np
import pytest

import physics
from physics.errors import FieldError
from physics.model.model_changes import ModelChanges, apply_changes

MODEL = """<mujoco><option timestep=".004"/><visual><map force=".01"/></visual>
<asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/><material name="m" texture="t" rgba=".2 .4 .6 1"/></asset>
<worldbody><geom name="floor" type="plane" size="5 5 .1" material="m"/>
  <body name="a" pos="0 0 1"><joint name="j" type="slide" axis="0 0 1"/><geom name="ball" size=".1"/></body></worldbody>
<actuator><motor name="motor" joint="j"/></actuator><keyframe><key name="up" qpos=".5"/></keyframe></mujoco>"""


@pytest.fixture
def m():
    return physics.load_string(MODEL)


def test_nothing_has_changed_in_a_new_model(m):
    changes = ModelChanges(m)
    assert changes.take() == ({}, None) == changes.take()


def test_what_is_written_is_told_once(m):
    changes = ModelChanges(m)
    m.geom_rgba[1] = (1, 0, 0, 1)
    m.opt.gravity[2] = -1
    m.opt.timestep = 0.001
    m.body_mass[1] = 3
    m.stat.extent = 7
    m.key_qpos[0, 0] = 0.25
    fields, visual = changes.take()
    assert set(fields) == {"geom_rgba", "opt_gravity", "opt_timestep", "body_mass", "stat_extent", "key_qpos"} and visual is None
    assert changes.take() == ({}, None)


def test_a_copy_follows(m):
    other, changes = pickle.loads(pickle.dumps(m)), ModelChanges(m)
    m.geom_rgba[1], m.opt.timestep, m.opt.disableflags, m.vis.map.force, m.vis.rgba.haze = (0, 1, 0, 1), 0.002, 16, 0.5, (0.1, 0.2, 0.3, 1.0)
    m.geom_size[1] = 0.3
    apply_changes(other, *changes.take())
    assert other.opt.timestep == 0.002 and other.opt.disableflags == 16 and other.vis.map.force == 0.5 and other.vis.rgba.haze == (0.1, 0.2, 0.3, 1.0)
    np.testing.assert_array_equal(other.geom_rgba, m.geom_rgba)
    np.testing.assert_array_equal(other.geom_size, m.geom_size)
    m.vis.map.force = 0.25
    assert other.vis.map.force == 0.5
    apply_changes(other, *changes.take())
    assert other.vis.map.force == 0.25


def test_whole_numbers_are_checked_in_the_copy_too(m):
    other, changes = copy.deepcopy(m), ModelChanges(m)
    m.geom_condim[1] = 1
    apply_changes(other, *changes.take())
    other.check_written()
    assert other.geom_condim[1] == 1
    m.geom_type[1] = 77
    apply_changes(other, *changes.take())
    with pytest.raises(FieldError, match="geom_type"):
        other.check_written()


def test_pixels_are_not_looked_at(m):
    changes = ModelChanges(m)
    m.tex_data[:] = 0
    assert changes.take() == ({}, None)

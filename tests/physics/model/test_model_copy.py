"""A Model beside another: equal in every field, and independent."""
import numpy as np
import pytest

import physics
from assets.locate import bundled_model
from physics.model.model_copy import live_values, model_beside, put_live_values


@pytest.mark.parametrize("name", ["humanoid.xml", "arm.xml", "heap.xml"])
def test_all_fields_are_equal_and_none_is_shared(name):
    m = physics.load(bundled_model(name))
    other = model_beside(m)
    for field in m.layout.scalars:
        assert getattr(other, field) == getattr(m, field), field
    for field in m.layout.arrays:
        mine, theirs = np.asarray(getattr(m, field)), np.asarray(getattr(other, field))
        assert np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f") and not (mine.size and np.shares_memory(mine, theirs)), field
    assert other.names == m.names and other.source == m.source and other.vis == m.vis and other.vis is not m.vis
    other.opt.gravity[2] = -1.0
    other.vis.map.stiffness = 7.0
    assert m.opt.gravity[2] != -1.0 and m.vis.map.stiffness != 7.0


def test_a_copy_is_checked_as_the_first(tmp_path):
    physics.ensure_kernels()
    m = physics.load(bundled_model("pendulum.xml"))
    m.jnt_type[0] = 77
    other = model_beside(m)
    with pytest.raises(physics.FieldError):
        physics.Data(other)


def test_live_values_are_put_into_a_copy():
    m = physics.load(bundled_model("humanoid.xml"))
    other = model_beside(m)
    kept = live_values(m)
    m.opt.timestep, m.geom_friction[2, 0], m.vis.map.stiffness, m.opt.cone = 0.002, 0.3, 44.0, 1
    put_live_values(other, live_values(m))
    assert other.opt.timestep == 0.002 and other.geom_friction[2, 0] == 0.3 and other.vis.map.stiffness == 44.0 and other.opt.cone == 1
    put_live_values(other, kept)
    assert other.opt.timestep != 0.002 and other.geom_friction[2, 0] != 0.3

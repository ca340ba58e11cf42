"""What the state is stands in one table; whatever reads it by another list is held against it."""
from dataclasses import fields

import numpy as np
import pytest

import physics
from physics.enums import StateBit
from physics.fields.layout import LAYOUTS
from physics.model.state_fields import ARRAYS, RECORDED, STATE, State, count
from tests.physics.runtime.models import simulation

# every kind of state: a delay, an activation, a mocap body, a constraint, user data, two trees of which one may sleep
ALL = """<mujoco><option timestep=".01"><flag sleep="enable"/></option><size nuserdata="2"/>
<worldbody><body name="hand" mocap="true"><geom size=".1" contype="0" conaffinity="0"/></body>
<body pos="0 0 1"><freejoint/><geom size=".1"/></body><body pos="1 0 1"><joint name="j"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
<equality><joint joint1="j"/></equality><actuator><general joint="j" dyntype="integrator" ctrllimited="true" ctrlrange="-1 1" delay=".05" nsample="5"/></actuator></mujoco>"""


def test_the_parts_of_a_state_vector_are_all_bits_in_their_order():
    single = [bit for bit in StateBit if bin(bit).count("1") == 1 and bit not in (StateBit.PLUGIN, StateBit.PLASTIC)]
    assert [f.bit for f in STATE if f.bit] == single


def test_a_saved_state_has_these_fields_and_no_others():
    assert [f.name for f in fields(State)] == ["time", *ARRAYS]
    assert {f.name for f in STATE} - {"time"} <= set(LAYOUTS["d"].arrays)


def test_a_history_entry_holds_the_recorded_fields_in_the_order_of_the_table():
    """The kernel writes entries field by field: each number must come back where it was."""
    physics.ensure_kernels()
    sim = simulation()
    sim.install(physics.load_string(ALL))
    m, d = sim.model, sim.data
    for k, name in enumerate(RECORDED):
        values = np.arange(count(m, name)) + 100 * k
        getattr(d, name).reshape(-1)[:] = values
    sim.history.rewrite()
    written = {name: getattr(d, name).copy() for name in RECORDED}
    for name in RECORDED:
        getattr(d, name)[...] = 0
    sim.history.load(-1)
    for name in RECORDED:
        assert np.array_equal(getattr(d, name), written[name]) and written[name].size, name


@pytest.mark.parametrize("name", ARRAYS)
def test_a_vector_a_saved_state_and_a_reload_agree(name):
    m = physics.load_string(ALL)
    d, other = physics.Data(m), physics.Data(m)
    field = getattr(d, name)
    field[...] = np.random.default_rng(1).normal(size=field.shape) > 0 if field.dtype == bool else np.random.default_rng(1).normal(size=field.shape)
    State.of(d).write(other)
    assert field.size and np.array_equal(getattr(other, name), field)
    other.reset()
    physics.copy_state(m, d, other, StateBit.INTEGRATION)
    assert np.array_equal(getattr(other, name), field)

"""What is written of Data between steps is found, field by field."""
import numpy as np
import pytest

from physics.engine.user_writes import FIRST, LONGEST, advance_noting
from physics.runtime import commands as c
from physics.runtime.history.held_inputs import ARRAYS
from physics.runtime.history.written import FIELDS
from tests.physics.runtime.models import ARM, do, model, simulation

WITH_DATA = ARM.replace("<mujoco>", '<mujoco><size nuserdata="3"/>', 1)


@pytest.fixture
def sim():
    made = simulation(model(WITH_DATA))
    do(made, c.Step(5))
    return made


def names(writes, bits):
    return list(writes.copies(bits))


@pytest.mark.parametrize("name, k", [("qpos", 3), ("qvel", 1), ("act", 0), ("ctrl", 1), ("mocap_pos", 2), ("mocap_quat", 1), ("qacc_warmstart", 0)])
def test_a_field_of_the_entry(sim, name, k):
    writes = sim.history.writes()
    assert writes.look(0) == 0 and writes.holds
    getattr(sim.data, name).reshape(-1)[k] += 0.25
    found = writes.copies(writes.look(0))
    assert list(found) == [name] and (found[name] == getattr(sim.data, name)).all() and found[name] is not getattr(sim.data, name) and writes.holds


@pytest.mark.parametrize("name, value", [("xfrc_applied", 3.0), ("qfrc_applied", 2.0), ("userdata", 1.0)])
def test_what_is_held_is_told_once(sim, name, value):
    writes = sim.history.writes()
    getattr(sim.data, name).reshape(-1)[0] = value
    assert names(writes, writes.look(0)) == [name] and not writes.holds
    assert writes.look(0) == 0
    again = sim.history.writes()    # nobody has noted that it holds
    assert names(again, again.look(0)) == [name]


def test_the_time_and_the_entries_of_the_steps_that_follow(sim):
    writes = sim.history.writes()
    sim.data.time += 1.0
    assert names(writes, writes.look(0)) == ["time"]
    sim.plain_steps(3)
    assert writes.look(3) == 0 and set(names(writes, writes.look(2))) >= {"qpos", "qvel", "time"}


def test_of_another_model_everything_is_written(sim):
    do(sim, c.SwapModel(model(WITH_DATA.replace('name="elbow" axis', 'name="elbow" damping="1" axis')), document=None, carry=lambda old, state, new: (state, None)))
    sim.history._pieces = sim.history._pieces[-1:]
    sim.data.record_end = 0
    writes = sim.history.writes()
    found = writes.copies(writes.look(0))
    assert {"qpos", "qvel", "ctrl", "time"} <= set(found) and np.isfinite(found["time"]).all()


def test_bits_are_compared_not_values(sim):
    writes = sim.history.writes()
    sim.data.ctrl[0] = -0.0
    assert names(writes, writes.look(0)) == ["ctrl"]
    sim.data.ctrl[0] = np.nan
    do(sim, c.SetCtrl(1, 0.5))      # the entry has both
    assert sim.history.writes().look(0) == 0


def test_stretches_are_of_steps_in_a_row_with_the_same_fields(sim):
    do(sim, c.Reset())
    writes, d, ctrl = sim.history.writes(), sim.data, []
    for k in range(60):
        if k != 40:
            d.ctrl[0] = 0.01 * k
        if k == 20:
            d.qpos[0] += 0.5
        ctrl.append(d.ctrl.copy())
        writes.look(k, 1)
        sim.plain_steps(1)
        if k == 49:
            writes.part()
    told = writes.stretches()
    assert [(step, n, list(fields)) for step, n, fields in told] == [
        (1, 19, ["ctrl"]), (20, 1, ["qpos", "ctrl"]), (21, 19, ["ctrl"]), (41, 9, ["ctrl"]), (50, 10, ["ctrl"])]
    assert all((fields["ctrl"] == ctrl[step:step + n]).all() for step, n, fields in told)


def test_notes_have_no_end(sim):
    writes = sim.history.writes()
    newest, at = int(writes.buffers.write_at[FIRST]), writes.buffers.write_at
    for k in range(2800):
        at[FIRST] = newest - k      # as if the entries before these steps were all as this one is
        sim.data.ctrl[0] = sim.data.xfrc_applied[1, 1] = k + 1
        sim.data.qvel[0] += k % 2 if k >= 2500 else 0
        assert writes.look(k, 1) > 0
        if k >= 2500:
            writes.part()
    told = writes.stretches()
    assert [(step, n) for step, n, _ in told[:4]] == [(0, LONGEST), (LONGEST, LONGEST), (2 * LONGEST, 501), (2501, 1)] and len(told) == 3 + 299
    assert (np.concatenate([fields["xfrc_applied"] for *_, fields in told])[:, 7] == np.arange(1, 2801)).all()


@pytest.mark.nojit
def test_compiled_and_interpreted_find_the_same():
    """Against NumPy's own bytes."""
    sim, r = simulation(model(WITH_DATA)), np.random.default_rng(5)
    writes, d = sim.history.writes(), sim.data
    fields = (*FIELDS, *ARRAYS)
    before = {name: getattr(d, name).tobytes() for name in fields}
    for turn in range(12):
        for name in r.choice(fields, 3):
            if (flat := getattr(d, name).reshape(-1)).size:
                flat[r.integers(flat.size)] = turn + 1
        expected = [name for name in fields if getattr(d, name).tobytes() != before[name]]
        assert set(names(writes, writes.look(0))) == set(expected)
        before.update({name: getattr(d, name).tobytes() for name in ARRAYS})
    sim = simulation(model(WITH_DATA))
    writes, d = sim.history.writes(), sim.data
    d.ctrl[0] = 0.75
    assert advance_noting(sim.model, d, writes.buffers, 0) == 1 and d.time > 0
    (step, n, found), = writes.stretches()
    assert (step, n, list(found)) == (0, 1, ["ctrl"]) and (found["ctrl"] == [[0.75, 0.0]]).all()

"""Going back and running on gives the same numbers again, bit for bit; the ring forgets the oldest."""
import numpy as np
import pytest

from physics import load_string
from physics.model.state_fields import ARRAYS, State
from physics.runtime import commands as c
from physics.runtime.state_text import key_element
from tests.physics.runtime.models import do, model, simulation

STATE = ("qpos", "qvel", "act", "qacc_warmstart", "ctrl_noise")


def state_of(sim):
    return np.concatenate([[sim.data.time], *(getattr(sim.data, n) for n in STATE)])


def test_a_step_that_is_taken_again_gives_the_same_bits_even_with_noise():
    sim = simulation()
    do(sim, c.SetCtrl(0, 0.3), c.SetNoise(0.5, 0.1, seed=3), c.Step(50))
    middle = state_of(sim)
    do(sim, c.Step(70))
    end = state_of(sim)
    do(sim, c.StepBack(70))
    assert (state_of(sim) == middle).all() and not (middle == end).all()
    sim.history.cut()  # really step, not replay
    do(sim, c.Step(70))
    assert (state_of(sim) == end).all()


def test_step_replays_later_entries_until_something_is_changed():
    sim = simulation()
    do(sim, c.Step(10))
    do(sim, c.StepBack(4))
    assert (sim.history.index, len(sim.history)) == (6, 11)
    do(sim, c.Step(1))
    assert (sim.history.index, len(sim.history)) == (7, 11)
    do(sim, c.SetCtrl(0, 1.0))
    assert (sim.history.index, len(sim.history)) == (7, 8)
    do(sim, c.Step(2))
    assert (sim.history.index, len(sim.history)) == (9, 10)
    do(sim, c.StepBack(2))
    assert sim.data.ctrl[0] == 1.0  # the edited entry was rewritten
    do(sim, c.StepBack(1))
    assert sim.data.ctrl[0] == 0.0


def test_the_ring_forgets_the_oldest_and_knows_the_times():
    sim = simulation(history_bytes=40 * 8 * 20)
    cap = sim.data.record_cap
    assert 10 < cap < 40
    do(sim, c.Step(100))
    assert len(sim.history) == cap and sim.history.index == cap - 1
    times = [sim.history.time(i) for i in range(cap)]
    assert times == pytest.approx([0.002 * (100 - cap + 1 + i) for i in range(cap)])
    do(sim, c.Scrub(0))
    assert sim.data.time == times[0]
    events = do(sim, c.Scrub(cap))
    assert [e.kind for e in events] == ["refused"]
    do(sim, c.Scrub(-1))
    assert sim.data.time == times[-1]
    do(sim, c.Scrub(3), c.Step(1))
    assert sim.data.time == times[4]


def test_positions_follow_when_scrubbing():
    sim = simulation()
    start = sim.data.xpos.copy()
    do(sim, c.Step(200))
    assert not np.allclose(sim.data.xpos, start)
    do(sim, c.Scrub(0))
    assert (sim.data.xpos == start).all()


def test_state_is_copied_and_refuses_other_shapes():
    sim = simulation()
    do(sim, c.Step(5))
    state = State.of(sim.data)
    do(sim, c.Reset())
    do(sim, c.SetState(state))
    assert sim.data.time == state.time and all((getattr(sim.data, n) == getattr(state, n)).all() for n in ARRAYS)
    other = State(**{**{n: getattr(state, n) for n in ("time", *ARRAYS)}, "qvel": np.zeros(3)})
    with pytest.raises(ValueError, match="qvel"):
        other.write(sim.data)
    assert state.finite()


DELAYED = """<mujoco><worldbody><body><joint name="j"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
<actuator><motor name="a" joint="j" delay=".01" nsample="6"/></actuator><sensor><jointpos name="p" joint="j" delay=".006" nsample="4"/></sensor></mujoco>"""


def test_saved_states_keep_what_delays_have_kept():
    sim = simulation(load_string(DELAYED))
    do(sim, c.SetCtrl(0, 0.7), c.Step(4), c.SetCtrl(0, -0.4), c.Step(4))
    state = State.of(sim.data)
    assert state.history.any()
    do(sim, c.Step(10))
    wanted = sim.data.qpos.copy(), sim.data.sensordata.copy()
    do(sim, c.Reset(), c.Step(3), c.SetState(state), c.Step(10))
    assert (sim.data.qpos == wanted[0]).all() and (sim.data.sensordata == wanted[1]).all()


def test_key_text_reads_back():
    import xml.etree.ElementTree as ET

    sim = simulation()
    do(sim, c.SetCtrl(0, 0.1), c.Step(7))
    key = ET.fromstring(key_element(sim.data, 17, name="here"))
    assert key.get("name") == "here" and float(key.get("time")) == sim.data.time
    for attribute, field in (("qpos", sim.data.qpos), ("qvel", sim.data.qvel), ("act", sim.data.act), ("ctrl", sim.data.ctrl), ("mpos", sim.data.mocap_pos)):
        assert (np.array(key.get(attribute).split(), float) == field.ravel()).all()
    assert ET.fromstring(key_element(sim.data)).get("time") == "0.014"


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_contacts_too_are_the_same_when_taken_again(cone):
    """A tumbling pile: whatever the solver keeps between steps must not leak into the numbers."""
    boxes = "".join(f'<body pos="{0.15 * (i % 2)} {0.1 * (i % 3)} {0.12 + 0.22 * i}" euler="{10 * i} 5 0"><freejoint/>'
                    '<geom type="box" size=".1 .08 .1"/></body>' for i in range(6))
    xml = f'<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="5 5 .1"/>{boxes}</worldbody></mujoco>'
    sim = simulation(model(xml))
    do(sim, c.Step(120))
    assert sim.data.ncon > 3
    middle = state_of(sim)
    do(sim, c.Step(150))
    end = state_of(sim)
    for _ in range(2):
        do(sim, c.StepBack(150))
        assert (state_of(sim) == middle).all()
        sim.history.cut()
        do(sim, c.Step(150))
        assert (state_of(sim) == end).all()


def test_late_controls_come_back_with_the_step():
    sim = simulation(load_string("""<mujoco><worldbody><body><joint name="j"/><geom size=".1" pos=".1 0 0"/></body></worldbody>
<actuator><motor joint="j" nsample="4" delay=".006"/></actuator></mujoco>"""))
    do(sim, c.SetCtrl(0, 1.0), c.Step(6))
    once = sim.data.qvel[0]
    do(sim, c.StepBack(5))
    sim.history.cut()
    do(sim, c.Step(5))
    assert sim.data.qvel[0] == once and sim.data.actuator_force[0] == 1.0


def test_another_data_gives_back_what_the_last_one_has_filled():
    """A run of minutes fills a hundred megabytes; the next model begins with none of them."""
    sim = simulation()
    do(sim, c.Step(50))
    first, kept = sim.data.record, sim.history._storage
    do(sim, c.Reset())
    assert sim.history._storage is kept   # a reset keeps the room: it may come every second
    do(sim, c.SwapModel(model()))
    assert not np.shares_memory(sim.data.record, first) and len(sim.history) == 1

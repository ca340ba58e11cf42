"""Going back and running on gives the same numbers again, bit for bit; the ring forgets the oldest."""
import numpy as np
import pytest

from physics import load_string
from physics.model.state_fields import ARRAYS, State
from physics.runtime import commands as c
from physics.runtime.carry_over import carry_over
from physics.runtime.state_text import key_element
from tests.physics.runtime.models import ARM, do, model, simulation

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
    assert (sim.history.index, len(sim.history)) == (7, 11)
    assert [(e.kind, e.details["steps"]) for e in do(sim, c.Step(2))] == [("cut", 3)]
    assert (sim.history.index, len(sim.history)) == (9, 10)
    do(sim, c.StepBack(2))
    assert sim.data.ctrl[0] == 1.0  # the edited entry was rewritten
    do(sim, c.StepBack(1))
    assert sim.data.ctrl[0] == 0.0


def test_the_oldest_is_forgotten_and_the_times_are_known():
    sim = simulation(history_bytes=40 * 8 * 200)
    do(sim, c.Step(1000))
    n = len(sim.history)
    assert 120 < n < 400 and sim.history.index == n - 1 and sim.history.nbytes() <= 40 * 8 * 200
    times = [sim.history.time(i) for i in range(n)]
    assert times == pytest.approx([0.002 * (1000 - n + 1 + i) for i in range(n)])
    do(sim, c.Scrub(0))
    assert sim.data.time == times[0]
    events = do(sim, c.Scrub(n))
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


def marks(sim) -> list[tuple]:
    return [(mark.index, mark.kind, mark.text) for mark in sim.history.marks()]


def test_another_document_gives_back_what_the_last_one_has_filled():
    """A run of minutes fills a hundred megabytes; the next model begins with none of them."""
    sim = simulation()
    do(sim, c.Step(50))
    first = sim.data.record
    do(sim, c.SwapModel(model()))
    assert not np.shares_memory(sim.data.record, first) and len(sim.history) == 1 and marks(sim) == [(0, "start", "start")]


def test_reset_keyframe_and_a_set_state_add_to_the_history_with_marks():
    sim = simulation()
    do(sim, c.Step(10))
    state, before = State.of(sim.data), state_of(sim)
    do(sim, c.Reset(), c.Reset(), c.Step(5), c.LoadKey(0), c.Step(3), c.SetState(state))
    assert marks(sim) == [(0, "start", "start"), (11, "reset", "reset"), (17, "keyframe", "keyframe 0"), (21, "load", "state set")]
    assert len(sim.history) == 22 and sim.history.index == 21
    do(sim, c.Scrub(10))
    assert (state_of(sim) == before).all()
    do(sim, c.Step(1))
    assert sim.data.time == 0 and sim.history.index == 11
    do(sim, c.Step(6))
    assert sim.data.time == 3 and sim.data.qpos[0] == 1
    do(sim, c.StepBack(7), c.Run())
    sim.take(2)   # running on drops what came later, borders too
    assert len(sim.history) == 13 and marks(sim) == [(0, "start", "start")] and sim.data.time == pytest.approx(before[0] + 2 * 0.002)


CHANGED = ARM.replace('size=".05 .2"', 'size=".06 .2"')
OTHER = ARM.replace('<body name="upper"', '<body name="new" pos="9 9 9"><joint name="new"/><geom size=".1"/></body><body name="upper"').replace('qpos="', 'qpos="0 ')


def edit(sim, text: str):
    return do(sim, c.SwapModel(model(text), carry=carry_over, label="edit of arm.xml"))


def test_an_edit_keeps_the_older_entries_and_shows_them_with_the_model_of_now():
    sim = simulation()
    do(sim, c.Step(10))
    shoulder = [sim.history._pieces[0].row(k)[2] for k in range(11)]
    edit(sim, CHANGED)   # other numbers, the same elements
    do(sim, c.Step(5))
    edit(sim, OTHER)   # another joint before the others
    do(sim, c.Step(5))
    assert marks(sim) == [(0, "start", "start"), (11, "edit", "edit of arm.xml"), (17, "edit", "edit of arm.xml")] and len(sim.history) == 23
    for k in (4, 10):
        do(sim, c.Scrub(k))
        assert sim.data.qpos[1] == shoulder[k] and sim.data.time == pytest.approx(0.002 * k) and sim.data.qpos[0] == 0
    do(sim, c.Scrub(16), c.Step(1))
    assert sim.history.index == 17 and sim.data.time == pytest.approx(0.030)
    do(sim, c.Scrub(22), c.StepBack(6))
    assert sim.history.index == 16 and sim.data.time == pytest.approx(0.030)


def test_running_on_from_an_entry_of_an_earlier_model_drops_the_later_ones():
    sim = simulation()
    do(sim, c.Step(10))
    edit(sim, OTHER)
    do(sim, c.Step(5), c.Scrub(6))
    sim.take(4)
    assert len(sim.history) == 11 and sim.history.index == 10 and sim.data.time == pytest.approx(0.020)
    assert marks(sim) == [(0, "start", "start"), (7, "edit", "the text of now")]
    do(sim, c.Scrub(6))
    assert sim.data.time == pytest.approx(0.012)
    do(sim, c.Scrub(7))
    assert sim.data.time == pytest.approx(0.014)


def test_a_state_set_by_hand_replaces_an_entry_of_an_earlier_model():
    sim = simulation()
    do(sim, c.Step(10))
    edit(sim, OTHER)
    do(sim, c.Scrub(6), c.SetQpos(0, 0.5))
    assert len(sim.history) == 12 and marks(sim)[1:] == [(11, "edit", "edit of arm.xml")]
    do(sim, c.Step(3))
    assert len(sim.history) == 10 and marks(sim) == [(0, "start", "start"), (6, "edit", "the text of now")]
    do(sim, c.Scrub(5), c.Scrub(6))
    assert sim.data.qpos[0] == 0.5 and sim.data.time == pytest.approx(0.012)


def test_an_edit_taken_back_reads_the_first_entries_as_they_are():
    sim = simulation()
    do(sim, c.SetNoise(0.5, 0.1, seed=3), c.Step(10))
    wanted = state_of(sim)
    edit(sim, OTHER)
    edit(sim, ARM)
    do(sim, c.Scrub(10))
    assert (state_of(sim) == wanted).all()   # ctrl_noise too


def test_edits_without_a_step_between_leave_one_entry():
    sim = simulation()
    do(sim, c.Step(3))
    for text in (CHANGED, OTHER, ARM):
        edit(sim, text)
    assert len(sim.history) == 5 and marks(sim)[1:] == [(4, "edit", "edit of arm.xml")]


def test_a_reload_of_the_same_document_keeps_the_history():
    sim = simulation()
    do(sim, c.SwapModel(model(), document=1), c.Step(10), c.SwapModel(model(OTHER), document=1))
    assert sim.data.time == 0 and marks(sim)[1:] == [(11, "load", "reload")] and len(sim.history) == 12
    do(sim, c.SwapModel(model(), document=2, carry=carry_over))   # the first good text of another
    assert len(sim.history) == 1


def test_many_edits_and_resets_stay_within_the_budget():
    sim = simulation(history_bytes=1 << 18)
    for k in range(60):
        edit(sim, (CHANGED, OTHER, ARM)[k % 3])
        do(sim, c.Step(30), c.Reset(), c.Step(1))
        assert sim.history.nbytes() <= 1 << 18
        found = sim.history.marks()
        assert [mark.index for mark in found] == sorted({mark.index for mark in found}) and all(0 <= mark.index < len(sim.history) for mark in found)
        assert all(sim.history.time(mark.index) == mark.time for mark in found)
    do(sim, c.Scrub(0))
    assert np.isfinite(sim.data.qpos).all() and len(sim.history) > 500


def test_a_run_that_diverges_after_a_reset_goes_back_to_the_last_good_entry():
    sim = simulation()
    do(sim, c.Step(5), c.Reset(), c.Step(2))
    n = len(sim.history)
    sim.data.qvel[:] = np.nan
    sim.take(3)
    assert sim.message and len(sim.history) <= n + 1 and np.isfinite(sim.data.qpos).all() and not sim.running


def test_an_edit_between_few_steps_keeps_no_room_that_is_not_used():
    sim = simulation(history_bytes=1 << 20)
    for k in range(20):
        edit(sim, (OTHER, ARM)[k % 2])
        do(sim, c.Step(3))
    assert sum(piece.numbers.nbytes for piece in sim.history._pieces) < 1 << 17
    do(sim, c.Scrub(len(sim.history) - 6))   # of the text before, after which its memory is full
    edit(sim, OTHER)
    sim.take(10)
    assert sim.history.at_end() and np.isfinite(sim.data.qpos).all()


def test_marks_know_the_time_before_them():
    sim = simulation()
    do(sim, c.Step(10))
    edit(sim, ARM.replace('timestep="0.002"', 'timestep="0.005"'))
    do(sim, c.Step(4), c.Reset(), c.Step(2))
    found = [(mark.index, mark.kind, mark.time, mark.before) for mark in sim.history.marks()]
    assert found == [(0, "start", 0, 0), (11, "edit", pytest.approx(0.02), pytest.approx(0.02)), (16, "reset", 0, pytest.approx(0.04))]


def test_another_time_step_leaves_a_mark_where_times_lie_otherwise():
    sim = simulation()
    do(sim, c.Step(10), c.SetOption("timestep", 0.004), c.SetOption("timestep", 0.005), c.Step(5), c.SetOption("timestep", 0.002), c.Step(3))
    assert marks(sim) == [(0, "start", "start"), (10, "timestep", ""), (15, "timestep", "")]
    assert [mark.before for mark in sim.history.marks()] == pytest.approx([0, 0.018, 0.040])
    do(sim, c.Scrub(5), c.Run())
    sim.take(3)
    assert marks(sim) == [(0, "start", "start")], "the same time step as there: as if nothing had been"
    do(sim, c.SetOption("timestep", 0.001))
    sim.take(3)
    do(sim, c.Pause(), c.Scrub(4), c.Run())
    sim.take(3)
    assert marks(sim) == [(0, "start", "start"), (4, "timestep", "")] and sim.history.time(7) == pytest.approx(0.011)


@pytest.mark.parametrize("pieces", [1, 20])
def test_a_value_set_in_the_middle_keeps_what_came_later(pieces):
    sim = simulation(history_bytes=(1 << 20) // pieces)
    do(sim, c.Step(300))
    n = len(sim.history)
    do(sim, c.Scrub(40))
    before = state_of(sim)
    do(sim, c.Scrub(42))
    after = state_of(sim)
    do(sim, c.Scrub(41), c.SetQpos(0, 0.5), c.SetCtrl(0, 0.25))
    edited = state_of(sim)
    assert (len(sim.history), sim.history.index) == (n, 41) and edited[1] == 0.5
    for index, wanted in ((40, before), (42, after), (41, edited), (-1, None), (41, edited)):
        do(sim, c.Scrub(index))
        assert wanted is None or (state_of(sim) == wanted).all(), index
    do(sim, c.SetQpos(0, 0.75))
    assert [(e.kind, e.details["steps"]) for e in do(sim, c.Step(1))] == [("cut", n - 42)]
    assert len(sim.history) == 43 and sim.data.qpos[0] == pytest.approx(0.75, abs=0.05), "stepped from what was set"
    do(sim, c.StepBack(1))
    assert sim.data.qpos[0] == 0.75


def test_a_reset_after_a_value_set_in_the_middle_drops_nothing():
    sim = simulation()
    do(sim, c.Step(10), c.Scrub(4), c.SetQpos(0, 0.5), c.Reset())
    assert not [e for e in do(sim, c.Step(2)) if e.kind == "cut"] and len(sim.history) == 14
    do(sim, c.Scrub(4))
    assert sim.data.qpos[0] == 0.5

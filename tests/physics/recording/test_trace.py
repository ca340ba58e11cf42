"""Numbers of every step: the same bits as read from Data, over growing arrays, changed models and steps that are taken again."""
import numpy as np
import pytest

import physics
from assets.locate import bundled_model
from physics.quantities.quantity import compile_quantity
from physics.runtime import commands
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation
from physics.runtime.snapshot import Snapshot
from physics.recording.trace import PIECES, Trace

TEXTS = ("qpos", "qvel[3]", 'body("chest").xpos', "ncon", "contact_dist[0]", "min(qfrc_constraint)", 'contact("floor").force', 'contact("floor").normal', 'contact("floor").friction',
         'contact("floor").dist', 'contact("floor").pos', 'contact("floor", body("foot_left")).count', "opt.timestep", "body_mass[1]", "geom_rgba[0]", "energy", "efc_force[2]", "jnt_limited[1]", "eq_active0",
         "sensordata", "tree_asleep", "time")


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def simulation(model="humanoid.xml", **options):
    sim = Simulation(**options)
    m = physics.load(bundled_model(model)) if isinstance(model, str) else model
    perform(sim, commands.SwapModel(m))
    return sim


def values(sim, text):
    """(entries, values) of an expression over all that is traced."""
    quantity, view = compile_quantity(sim.model, text), sim.trace.view()
    return (np.concatenate([piece.entries() for piece in view.pieces]),
            np.concatenate([quantity.values(piece.source()) for piece in view.pieces]))


def test_every_step_has_the_bits_of_its_state():
    sim = simulation()
    perform(sim, commands.SetTrace(TEXTS))
    other = physics.Data(sim.model)
    wanted = {text: [] for text in TEXTS}
    quantities = {text: compile_quantity(sim.model, text) for text in TEXTS}
    for _ in range(150):
        sim.take(2)
    contacts = 0
    for _ in range(300):
        physics.forward(sim.model, other)
        contacts += other.ncon > 0
        for text, quantity in quantities.items():
            wanted[text].append(quantity.now(sim.model, other))
        physics.step(sim.model, other)
    assert contacts > 30
    for text in TEXTS:
        entries, found = values(sim, text)
        assert np.array_equal(entries, np.arange(300)), text
        assert np.array_equal(found, np.array(wanted[text]), equal_nan=True), text


RESTING = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
<body pos="0 0 .0999"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""
CONTACTS = tuple(f'contact("box", "floor").{value}' for value in ("force", "normal", "friction", "dist", "pos", "count"))


@pytest.mark.nojit
def test_steps_are_traced_under_the_interpreter():
    sim = simulation(physics.load_string(RESTING))
    texts = ("qpos", "ncon", "jnt_limited", "geom_rgba[0]", "contact_dist[1]", "contact_dist[9]", "opt.timestep", *CONTACTS)
    perform(sim, commands.SetTrace(texts))
    other = physics.Data(sim.model)
    assert sim.take(3) == 3
    for k in range(3):
        physics.forward(sim.model, other)
        for text in texts:
            assert np.array_equal(values(sim, text)[1][k], compile_quantity(sim.model, text).now(sim.model, other), equal_nan=True), text
        physics.step(sim.model, other)
    assert values(sim, CONTACTS[5])[1][2] == 4


def test_contacts_are_counted_while_arrays_grow():
    sim = simulation("heap.xml")
    perform(sim, commands.SetTrace(("ncon", "sum(qfrc_constraint)", "contact_pos[40, 2]")))
    sim.take(400)
    entries, found = values(sim, "ncon")
    assert np.array_equal(entries, np.arange(400)) and found.max() > 40
    _, position = values(sim, "contact_pos[40, 2]")
    assert np.array_equal(np.isnan(position), found <= 40)


def test_running_on_from_an_earlier_entry_takes_its_rows_again():
    sim = simulation("pendulum.xml")
    perform(sim, commands.SetTrace(("qpos[0]",)))
    sim.take(100)
    first = values(sim, "qpos[0]")[1]
    dropped = sim.trace.view().dropped
    sim.show_entry(40)
    assert len(values(sim, "qpos[0]")[1]) == 100      # until it runs on
    perform(sim, commands.SetQpos(0, 0.3))
    sim.take(10)
    entries, found = values(sim, "qpos[0]")
    assert np.array_equal(entries, np.arange(50)) and sim.trace.view().dropped > dropped
    assert np.array_equal(found[:40], first[:40]) and found[40] == 0.3 and not np.array_equal(found[41:], first[41:50])


def test_a_reset_goes_on_with_the_next_entry():
    sim = simulation("pendulum.xml")
    perform(sim, commands.SetTrace(("time", "qpos[0]")))
    sim.take(20)
    perform(sim, commands.Reset())
    sim.take(20)
    entries, time = values(sim, "time")
    assert np.array_equal(entries, [*range(20), *range(21, 41)]) and time[20] == 0.0     # entry 20 is the state that the reset left


def test_another_model_of_the_document_is_traced_by_the_same_text():
    sim = simulation(physics.load_string(TEXT))
    perform(sim, commands.SetTrace(('qpos["b"]', "nothing[0]")))
    sim.take(10)
    changed = physics.load_string(TEXT.replace('<body name="a">', '<body><joint name="z"/><geom size=".1"/></body><body name="a">'))
    perform(sim, commands.SwapModel(changed, carry=lambda old, state, new: (physics.model.state_fields.State.of(physics.Data(new)), None)))
    sim.take(10)
    view = sim.trace.view()
    assert [(piece.generation, len(piece.rows)) for piece in view.pieces] == [(1, 10), (2, 10)]
    assert [piece.leaves[0].places for piece in view.pieces] == [(1,), (2,)]


TEXT = """<mujoco><worldbody><body name="a"><joint name="a"/><geom size=".1"/></body><body name="b"><joint name="b"/><geom size=".1"/></body></worldbody></mujoco>"""


def test_another_document_begins_anew():
    sim = simulation("pendulum.xml")
    perform(sim, commands.SetTrace(("qpos[0]",)))
    sim.take(10)
    perform(sim, commands.SwapModel(physics.load(bundled_model("arm.xml"))))
    assert sim.trace.view().pieces == ()
    sim.take(3)
    assert len(values(sim, "qpos[0]")[1]) == 3


def test_nothing_is_traced_while_nobody_asks():
    sim = simulation("pendulum.xml")
    sim.take(10)
    assert sim.trace.view().pieces == () and sim.data.trace_end == 0
    perform(sim, commands.SetTrace(("qpos[0]",)))
    sim.take(10)
    perform(sim, commands.SetTrace(()))
    sim.take(10)
    assert np.array_equal(values(sim, "qpos[0]")[0], np.arange(10, 20))


def test_the_oldest_rows_go_when_the_budget_is_full():
    sim = simulation("pendulum.xml")
    sim.trace = Trace(PIECES * 8 * 2 * 100)      # a hundred rows to a piece
    sim.trace.follow(sim.model, sim.data, sim.generation)
    perform(sim, commands.SetTrace(("qpos[0]",)))
    sim.take(100 * (PIECES + 10))
    entries, _ = values(sim, "qpos[0]")
    assert entries[-1] == 100 * (PIECES + 10) - 1 and 100 * (PIECES - 2) <= len(entries) <= 100 * PIECES
    assert np.array_equal(np.diff(entries), np.ones(len(entries) - 1))


def test_what_a_reader_holds_is_not_written_to():
    sim = simulation("pendulum.xml")
    perform(sim, commands.SetTrace(("qpos[0]",)))
    sim.take(50)
    piece = sim.trace.view().pieces[0]
    before = piece.rows.copy()
    sim.show_entry(10)
    perform(sim, commands.SetQpos(0, 1.0))
    sim.take(60)
    assert np.array_equal(piece.rows, before)
    with pytest.raises(ValueError, match="read-only"):
        piece.rows[0, 0] = 1.0


def test_a_snapshot_carries_the_trace():
    sim = simulation("pendulum.xml")
    perform(sim, commands.SetTrace(("qpos[0]",)))
    sim.take(7)
    snapshot = Snapshot(sim.model, sim.data, sim.generation)
    sim.show(snapshot)
    assert len(snapshot.trace.pieces[0].rows) == 7 and snapshot.history_gone == 0

"""Values over recorded states: bit for bit what the trace of the same steps has."""
import numpy as np
import pytest

import physics
from assets.locate import bundled_model
from physics.quantities.quantity import compile_quantity
from physics.recording import journal
from physics.recording.replayed import CHUNK, values_of
from physics.recording.track import TrackPiece
from physics.runtime import commands
from physics.runtime.history import held_inputs
from physics.runtime.hooks.hook import Hook, Hooks
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation

TEXTS = ("qpos", "qvel[3]", 'body("chest").xpos', "ncon", "contact_dist[0]", "min(qfrc_constraint)", 'contact("floor").force', 'contact("floor").pos',
         'contact("floor", body("foot_left")).count', "opt.timestep", "body_mass[1]", "energy", "efc_force[2]", "eq_active0", "sensordata", "qacc", "actuator_force", "ctrl[2]",
         "ctrl_noise[1]", "qacc_warmstart", "tree_asleep", "time", "1 + 1", "deriv(qpos[2])", "lowpass(actuator_force[3], 20)", "time * qvel[0]",
         *(f"limit(joint({j})).{value}" for j in range(1, 13) for value in ("force", "pos")), "frictionloss(joint(0)).force")


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def simulation(model="humanoid.xml", **options):
    sim = Simulation(**options)
    perform(sim, commands.SwapModel(physics.load(bundled_model(model)) if isinstance(model, str) else model))
    return sim


def traced(sim, text):
    """Values of an expression over all that is traced."""
    quantity, memory = compile_quantity(sim.model, text), {}
    return np.concatenate([quantity.values(piece.source(), memory) for piece in sim.trace.view().pieces])


def replayed(sim, text, held=()):
    """Values over all pieces of the history, without the newest entry, from which no step was taken."""
    memory, times, parts = {}, [], []
    for piece in sim.history.track().pieces:
        time, values = values_of(sim.model, piece, text, held=held, memory=memory)
        times.append(time)
        parts.append(values)
    return np.concatenate(times)[:-1], np.concatenate(parts)[:-1]


def same(one, other):
    return one.shape == other.shape and np.array_equal(one.astype(float).view(np.int64), other.astype(float).view(np.int64)) or np.array_equal(one, other, equal_nan=True)


def test_values_are_the_bits_of_the_trace():
    sim = simulation()
    perform(sim, commands.SetTrace(TEXTS))
    perform(sim, commands.SetNoise(0.2, 0.1, seed=3))
    for k in range(12):
        perform(sim, commands.SetCtrl(k, 0.1 * k))
        sim.take(4 * CHUNK // 10 + 1)
    assert sim.data.ncon and sim.data.ctrl_noise.any() and any(replayed(sim, f"limit(joint({j})).force")[1].any() for j in range(1, 13))
    for text in TEXTS:
        time, values = replayed(sim, text)
        assert same(values, traced(sim, text)), text
        assert np.array_equal(time, traced(sim, "time"))


def test_a_slice_is_that_part():
    sim = simulation()
    sim.take(130)
    piece = sim.history.track().pieces[0]
    for text in ("qfrc_constraint", "qpos[1]", "ctrl_noise[0]"):
        time, whole = values_of(sim.model, piece, text)
        for rows in (slice(0, 1), slice(20, 97), slice(120, None), slice(50, 50)):
            part_time, part = values_of(sim.model, piece, text, rows)
            assert np.array_equal(part_time, time[rows]) and np.array_equal(part, whole[rows])
    with pytest.raises(ValueError, match="without a step"):
        values_of(sim.model, piece, "qpos", slice(0, 10, 2))


def test_inputs_that_rows_do_not_have_are_given():
    sim = simulation()
    perform(sim, commands.SetTrace(("qfrc_smooth", "qacc")))
    sim.take(20)
    perform(sim, commands.SetForce(3, (0.0, 0.0, 300.0, 0.0, 0.0, 0.0)))
    sim.take(30)
    perform(sim, commands.SetForce(3, (0.0,) * 6))
    sim.take(10)
    held = [(note.number, held_inputs.values(note, sim.data)) for note in sim.history.line().held]
    assert len(held) >= 3
    for text in ("qfrc_smooth", "qacc"):
        assert same(replayed(sim, text, held)[1], traced(sim, text))
        assert not same(replayed(sim, text)[1], traced(sim, text))


def test_what_a_script_wrote_for_each_step_is_given():
    sim = simulation()

    def control(m, d):
        d.ctrl[3], d.xfrc_applied[2, 0] = np.sin(9 * d.time), 20 * np.cos(d.time)

    perform(sim, commands.SetHooks(Hooks((Hook("test.py", "control", control, [__file__]),))))
    perform(sim, commands.SetTrace(("ctrl", "qacc", "actuator_force")))
    sim.take(60)
    held = [(one.number, one.value) for op in sim.journal.ops if op.kind == journal.DRIVEN_STEPS for one in journal.one_by_one(op) if one.kind == journal.DRIVEN]
    assert len(held) >= 59
    for text in ("ctrl", "qacc", "actuator_force"):
        assert same(replayed(sim, text, held)[1], traced(sim, text)), text
        assert not same(replayed(sim, text)[1], traced(sim, text))


def test_sleepers_are_recorded_ones():
    sim = simulation(physics.load_string("""<mujoco><option><flag sleep="enable"/></option><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
      <body pos="0 0 .1"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body>
      <body pos="1 0 2"><freejoint/><geom name="ball" size=".1"/></body></worldbody></mujoco>"""))
    perform(sim, commands.SetTrace(("xpos", "tree_asleep", "qvel")))
    sim.take(300)
    assert (traced(sim, "tree_asleep") >= 0).any()
    for text in ("xpos", "tree_asleep", "qvel"):
        assert same(replayed(sim, text)[1], traced(sim, text)), text


def test_what_cannot_be_computed():
    sim = simulation()
    sim.take(5)
    piece = sim.history.track().pieces[0]
    with pytest.raises(ValueError, match="changes from step to step"):
        values_of(sim.model, piece, "contact_dist")
    with pytest.raises(physics.ExpressionError, match="did you mean 'qpos'"):
        values_of(sim.model, piece, "qpoz")
    with pytest.raises(ValueError, match="another model"):
        values_of(physics.load(bundled_model("pendulum.xml")), piece, "qpos")
    assert np.isnan(values_of(sim.model, piece, "warning_number[0]")[1]).all()


def test_room_grows_where_there_are_more_contacts():
    sim = simulation("heap.xml")
    perform(sim, commands.SetTrace(("ncon", "sum(efc_force)")))
    sim.take(400)
    assert traced(sim, "ncon").max() > 64
    for text in ("ncon", "sum(qfrc_constraint)"):
        found = replayed(sim, text)[1]
        assert np.isfinite(found).all()
    assert same(replayed(sim, "ncon")[1], traced(sim, "ncon"))


RESTING = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
<body pos="0 0 .0999"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""


@pytest.mark.nojit
def test_states_are_replayed_under_the_interpreter():
    sim = simulation(physics.load_string(RESTING))
    texts = ("qpos", "ncon", 'contact("box", "floor").force', "qfrc_constraint")
    perform(sim, commands.SetTrace(texts))
    assert sim.take(3) == 3
    for text in texts:
        assert same(replayed(sim, text)[1], traced(sim, text)), text


def test_a_piece_of_rows_that_are_no_copy_stays_as_it_is():
    sim = simulation()
    sim.take(40)
    piece = sim.history.track().pieces[0]
    before = piece.rows.copy()
    values_of(sim.model, TrackPiece(piece.layout, piece.rows[:30], piece.number, piece.model), "qacc")
    assert np.array_equal(piece.rows, before)


def test_values_of_hard_steps_are_those_of_their_trace():
    """Forces of a state are those of the engine that takes the step from it."""
    physics.ensure_hard()
    m = physics.load(bundled_model("quadruped.xml"))
    m.opt.engine = physics.enums.Engine.HARD
    sim = simulation(m)
    texts = ("qpos[2]", "ncon", "qacc[2]", 'contact("floor").force', "sensordata") if m.id("geom", "floor") >= 0 else ("qpos[2]", "ncon", "qacc[2]", "sensordata")
    perform(sim, commands.SetTrace(texts))
    sim.take(120)
    assert sim.data.ncon
    for text in texts:
        assert np.allclose(replayed(sim, text)[1].astype(float), traced(sim, text).astype(float), rtol=1e-6, atol=1e-9, equal_nan=True), text

"""The user's functions around steps: their order, what they write, and the history under them."""
import math

import numpy as np
import pytest

from physics import load_string
from physics.recording import journal
from physics.recording.models import ModelStore
from physics.runtime import commands as c
from physics.runtime import events
from physics.runtime.hooks.hook import Hook, Hooks
from physics.runtime.recorded.command_text import line_of, ops_of
from physics.runtime.redo import Redo, first_difference, tracks
from physics.simulate import step
from physics.simulate.engines import Engine
from physics.simulate.soft_engine import SoftEngine
from tests.physics.runtime.models import ARM, do, model, simulation

WITH_DATA = ARM.replace("<mujoco>", '<mujoco><size nuserdata="3"/>', 1)
STATE = ("qpos", "qvel", "act", "ctrl", "qacc_warmstart", "xfrc_applied", "qfrc_applied", "userdata", "mocap_pos")


def state_of(sim):
    return np.concatenate([[sim.data.time], *(getattr(sim.data, name).ravel() for name in STATE)])


def install(sim, **functions):
    """Have these functions called; the hooks."""
    hooks = tuple(Hook("test.py", kind, function, [__file__]) for kind, function in functions.items())
    do(sim, c.SetHooks(Hooks(hooks), tuple(hook for hook in hooks if hook.kind == "on_load")))
    return hooks


def pushes(m, d):
    """A controller that writes whatever may be written."""
    d.ctrl[:] = (math.sin(7 * d.time), -0.3 * d.qvel[1])
    d.xfrc_applied[1, 2] = 3 * math.cos(5 * d.time)
    d.qfrc_applied[0] = 0.1 * d.userdata[0]
    d.userdata[0] += d.qpos[0]
    d.mocap_pos[0, 2] = 1 + d.time


def test_they_are_called_around_each_step_in_their_order():
    sim, seen = simulation(), []
    install(sim, **{kind: lambda m, d, kind=kind: seen.append((kind, round(d.time, 6))) for kind in ("after_step", "control", "before_step")})
    sim.take(2)
    assert seen == [("before_step", 0), ("control", 0), ("after_step", 0.002), ("before_step", 0.002), ("control", 0.002), ("after_step", 0.004)]
    do(sim, c.Step(3))
    assert len(seen) == 15


def test_what_they_write_acts_in_the_very_next_step():
    sim, alone = simulation(model(WITH_DATA)), simulation(model(WITH_DATA))
    install(sim, control=pushes)
    sim.take(40)
    for _ in range(40):
        pushes(alone.model, alone.data)
        step.step(alone.model, alone.data)
    assert (sim.data.qpos == alone.data.qpos).all() and (sim.data.qvel == alone.data.qvel).all() and sim.data.ctrl.any()


def test_running_on_from_an_old_moment_gives_the_same_bits():
    sim = simulation(model(WITH_DATA))
    install(sim, control=pushes)
    do(sim, c.Step(60))
    middle = state_of(sim)
    do(sim, c.Step(90))
    end = state_of(sim)
    do(sim, c.StepBack(90))
    assert (state_of(sim) == middle).all()
    sim.history.cut()
    do(sim, c.Step(90))
    assert (state_of(sim) == end).all() and (middle != end).any()


def test_what_after_step_writes_belongs_to_the_entry():
    sim = simulation()

    def bounces(m, d):
        if d.qpos[0] > 0.01:
            d.qvel[0] = -1.0

    do(sim, c.SetCtrl(0, 1.0))
    install(sim, after_step=bounces)
    do(sim, c.Step(200))
    end, seen = state_of(sim), sim.data.qvel[0]
    do(sim, c.StepBack(150))
    sim.history.cut()
    do(sim, c.Step(150))
    assert (state_of(sim) == end).all() and seen < 1


def test_forces_set_by_hand_come_back_with_their_moment():
    sim = simulation()
    do(sim, c.Step(5), c.SetForce(1, (0, 0, 9, 0, 0, 0)), c.Step(5), c.SetForce(1, (0, 0, 0, 0, 0, 0)), c.Step(5))
    end = state_of(sim)
    do(sim, c.StepBack(8))
    assert sim.data.xfrc_applied[1, 2] == 9
    do(sim, c.StepBack(3))
    assert sim.data.xfrc_applied[1, 2] == 0
    do(sim, c.Scrub(-1))
    assert (state_of(sim) == end).all()


def test_a_force_set_in_the_past_is_one_of_that_moment():
    sim = simulation()
    do(sim, c.Step(10), c.StepBack(5), c.SetForce(1, (1, 0, 0, 0, 0, 0)))
    do(sim, c.Step(1))       # there are later entries no more that could be shown
    assert len(sim.history) == 7 and sim.data.xfrc_applied[1, 0] == 1
    do(sim, c.StepBack(1))
    assert sim.data.xfrc_applied[1, 0] == 1
    do(sim, c.StepBack(1))
    assert sim.data.xfrc_applied[1, 0] == 0


def test_one_that_fails_is_off_and_the_others_and_the_time_go_on():
    sim, calls = simulation(), []

    def control(m, d):
        calls.append(1)
        if d.time > 0.005:
            raise ValueError("no such thing")

    hooks = install(sim, control=control, after_step=lambda m, d: calls.append(2))
    sim.take(10)
    assert calls.count(1) == 4 and calls.count(2) == 10 and sim.data.time == pytest.approx(0.02)
    told = [event for event in sim.events if event.kind == events.HOOK_FAILED]
    assert len(told) == 1 and told[0].details["hook"] is hooks[0]
    failure = hooks[0].failure
    assert failure.file == __file__ and failure.text == "ValueError: no such thing" and f"line {failure.line}" in told[0].text and failure.line
    assert 'raise ValueError("no such thing")' in failure.trace and "hooks/hook.py" not in failure.trace
    assert hooks[1].failure is None and hooks[1].calls == 10


def test_an_exit_in_a_function_does_not_end_the_thread():
    sim = simulation()
    hooks = install(sim, control=lambda m, d: exit())
    assert sim.take(3) == 3 and hooks[0].failure.text.startswith("SystemExit")


def test_a_slow_one_is_told_once():
    times = iter(np.cumsum([0.0, 0.2] * 20))
    sim = simulation()
    hook = Hook("slow.py", "control", lambda m, d: None)
    hooks = Hooks((hook,))
    hooks.guard.clock = lambda: next(times)
    do(sim, c.SetHooks(hooks))
    sim.take(5)
    told = [event for event in sim.events if event.kind == events.HOOK_SLOW]
    assert len(told) == 1 and "200 ms" in told[0].text and "slow.py" in told[0].text


def test_on_load_comes_with_each_model_and_with_each_new_text():
    sim, seen = simulation(), []
    load = Hook("a.py", "on_load", lambda m, d: seen.append(m))
    do(sim, c.SetHooks(Hooks((load,)), (load,)))
    other = model()
    do(sim, c.SwapModel(other))
    assert [id(m) for m in seen] == [id(seen[0]), id(other)]
    do(sim, c.SetHooks(Hooks((load,))))
    assert len(seen) == 2


def test_what_on_load_writes_is_the_start_of_the_history():
    sim = simulation()
    install(sim, on_load=lambda m, d: d.qpos.__setitem__(0, 0.4))
    do(sim, c.Step(5), c.Scrub(0))
    assert sim.data.qpos[0] == 0.4 and sim.data.time == 0


def test_on_reset_comes_with_resets_and_keyframes():
    sim, seen = simulation(), []
    install(sim, on_reset=lambda m, d: seen.append(d.time))
    do(sim, c.Step(2), c.Reset(), c.LoadKey(0))
    assert seen == [0.0, 3.0]


def test_a_function_that_resets_the_data_leaves_the_records_in_order():
    sim = simulation()

    def control(m, d):
        if d.time > 0.0079:
            d.reset()

    install(sim, control=control)
    sim.take(10)
    times = [round(sim.history.time(i), 6) for i in range(len(sim.history))]
    assert times == [0, 0.002, 0.004, 0.006, 0.008, 0.002, 0.004, 0.006, 0.008, 0.002, 0.004]
    assert [(mark.index, mark.text) for mark in sim.history.marks()] == [(0, "start"), (5, "reset by a script"), (9, "reset by a script")]


def test_a_call_between_two_steps_counts_as_set_by_hand():
    sim = simulation()
    kick = Hook("a.py", "button kick", lambda m, d: d.qvel.__setitem__(0, 2.0))
    look = Hook("a.py", "on_key", lambda key: None, takes=1)
    do(sim, c.SetHooks(Hooks((kick, look))), c.Step(5), c.StepBack(2))
    do(sim, c.RunHook(look, ("K",), False))
    assert not sim.history.edited       # who only looks changes nothing of the past
    do(sim, c.RunHook(kick))
    assert sim.history.edited and sim.data.qvel[0] == 2.0
    do(sim, c.SetHooks(Hooks(())), c.RunHook(kick))
    assert kick.calls == 1      # not installed any more


def test_a_breakpoint_between_them_takes_no_call_back():
    sim, seen = simulation(), []
    install(sim, after_step=lambda m, d: seen.append(round(d.time, 6)))
    do(sim, c.SetBreakpoints(("time > 0.009",)), c.Run())
    while sim.running:
        sim.take(50)
    assert seen[-1] == pytest.approx(sim.data.time, abs=0.0021) and len(seen) <= 6


def test_a_wrong_whole_number_of_the_model_is_told_and_pauses():
    sim = simulation(load_string(ARM))

    def control(m, d):
        if d.time > 0.003:
            m.jnt_bodyid[0] = 99

    install(sim, control=control)
    do(sim, c.Run())
    sim.take(10)
    assert not sim.running and any(event.kind == events.REFUSED and "jnt_bodyid" in event.text for event in sim.events)
    assert len(sim.history) == 3 and sim.history.at_end()


def test_divergence_under_them_goes_back_to_a_sound_state():
    sim = simulation()

    def control(m, d):
        if d.time > 0.003:
            d.qvel[0] = np.nan

    install(sim, control=control)
    sim.take(10)
    assert any(event.kind == events.DIVERGED for event in sim.events) and np.isfinite(sim.data.qvel).all()


def test_without_functions_the_steps_are_those_of_the_compiled_loop():
    plain, hooked = simulation(), simulation()
    do(hooked, c.SetNoise(0.3, 0.1, seed=4), c.SetCtrl(0, 0.5))
    do(plain, c.SetNoise(0.3, 0.1, seed=4), c.SetCtrl(0, 0.5))
    install(hooked, after_step=lambda m, d: None)
    plain.take(80)
    hooked.take(80)
    assert (state_of(plain) == state_of(hooked)).all() and len(plain.history) == len(hooked.history)


def test_what_functions_write_is_done_again_from_the_journal_without_them(tmp_path):
    sim = simulation(load_string(WITH_DATA), models=ModelStore(tmp_path))
    install(sim, control=pushes, after_step=lambda m, d: d.qvel.__setitem__(0, 0.99 * d.qvel[0]))
    do(sim, c.Step(30), c.StepBack(10), c.Step(3))
    sim.take(15)
    redo = Redo(sim.models.load)
    redo.do(sim.journal.ops)
    mine, theirs = tracks(sim), tracks(redo.simulation)
    assert sum(map(len, theirs.values())) >= 30 and mine.keys() == theirs.keys() and first_difference(mine, theirs) is None


def drives(m, d):
    """Controls at every step, positions at some, a force at one."""
    k = round(d.time / m.opt_timestep)
    d.ctrl[:] = (math.sin(0.3 * k), -0.3 * d.qvel[1])
    if k % 7 == 3:
        d.qpos[1] += 0.01
    if k == 25:
        d.xfrc_applied[1, 2] = 3.0


def done_again(sim, ops):
    redo = Redo(sim.models.load)
    redo.do(ops)
    return tracks(redo.simulation)


def test_steps_before_which_the_same_is_written_are_one_input(tmp_path):
    sim = simulation(load_string(WITH_DATA), models=ModelStore(tmp_path))
    install(sim, control=drives)
    sim.take(40)
    sim.take(20)
    driven = [(op.number, journal.steps_of(op), set(op.value)) for op in sim.journal.ops if op.kind == journal.DRIVEN_STEPS]
    assert driven[:4] == [(0, 3, {"ctrl"}), (3, 1, {"ctrl", "qpos"}), (4, 6, {"ctrl"}), (10, 1, {"ctrl", "qpos"})] and (25, 1, {"ctrl", "xfrc_applied"}) in driven
    assert sum(n for _, n, _ in driven) == 60 and not any(op.kind in (journal.STEPS, journal.DRIVEN) for op in sim.journal.ops)
    mine, theirs = tracks(sim), done_again(sim, sim.journal.ops)
    assert mine.keys() == theirs.keys() and first_difference(mine, theirs) is None and sum(map(len, theirs.values())) == 61


def test_the_older_form_is_done_again_too(tmp_path):
    """A file written before there were inputs of several steps: one for each, and the step."""
    sim = simulation(load_string(WITH_DATA), models=ModelStore(tmp_path))
    install(sim, control=drives)
    sim.take(50)
    older = [one for op in sim.journal.ops for one in (journal.one_by_one(op) if op.kind == journal.DRIVEN_STEPS else (op,))]
    shaped = [op._replace(value={name: rows.reshape(getattr(sim.data, name).shape) for name, rows in op.value.items()}) if op.kind == journal.DRIVEN else op for op in older]
    assert [op.kind for op in older if op.kind in (journal.STEPS, journal.DRIVEN, journal.DRIVEN_STEPS)] == [journal.DRIVEN, journal.STEPS] * 50
    again = ops_of(map(line_of, shaped))
    assert first_difference(tracks(sim), done_again(sim, again)) is None
    assert first_difference(tracks(sim), done_again(sim, ops_of(map(line_of, sim.journal.ops)))) is None


def test_what_is_written_for_a_step_that_diverges_is_noted(tmp_path):
    sim = simulation(load_string(WITH_DATA), models=ModelStore(tmp_path))

    def control(m, d):
        d.ctrl[0] = 0.1 + d.time
        if d.time > 0.009:
            d.qvel[0] = np.nan

    install(sim, control=control)
    sim.take(20)
    kinds = [op.kind for op in sim.journal.ops]
    at = kinds.index(journal.DRIVEN_STEPS)
    assert kinds[at:at + 3] == [journal.DRIVEN_STEPS, journal.DRIVEN, journal.DIVERGED] and journal.steps_of(sim.journal.ops[at]) == 5
    assert set(sim.journal.ops[at + 1].value) == {"ctrl", "qvel"}
    assert first_difference(tracks(sim), done_again(sim, sim.journal.ops)) is None


def test_an_engine_without_a_compiled_loop_notes_the_same(tmp_path):
    class Plain(SoftEngine):
        """Step by step from Python."""

        advance, advancing = Engine.advance, Engine.advancing

    both = []
    for engine in (SoftEngine(), Plain()):
        sim = simulation(load_string(WITH_DATA), models=ModelStore(tmp_path / type(engine).__name__))
        sim.model.engine_found = engine
        install(sim, control=drives)
        sim.take(30)
        both.append([(op.number, {name: rows.tolist() for name, rows in op.value.items()}) for op in sim.journal.ops if op.kind == journal.DRIVEN_STEPS])
    assert both[0] == both[1] and len(both[0]) > 5

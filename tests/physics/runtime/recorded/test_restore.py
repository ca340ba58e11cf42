"""A run that was recorded runs on as if it had never stopped, is done again bit for bit, and what a file says is checked before it is believed."""
import random
from dataclasses import replace

import numpy as np
import pytest

import physics
from physics.recording import file, journal
from physics.recording.errors import RecordingError
from physics.recording.journal import JournalReader, Op
from physics.recording.models import ModelStore
from physics.recording.recording import RecordedHeld, whole_way
from physics.recording.recover import recover
from physics.recording.spool import Spool
from physics.recording.track import Track, TrackPiece
from physics.runtime import commands as c
from physics.runtime.carry_over import carry_over
from physics.runtime.hooks.hook import Hook, Hooks
from physics.runtime.perform import perform
from physics.runtime.recorded.capture import capture
from physics.runtime.recorded.command_text import CODEC, line_of
from physics.runtime.recorded.restore import prepare, run_on
from physics.runtime.redo import Redo, first_difference, tracks
from physics.runtime.simulation import Simulation
from physics.runtime.targets import Target
from tests.physics.recording.made import cells, differences
from tests.physics.runtime.models import ARM, Clock


def begin(folder, **settings):
    sim = Simulation(clock=Clock(), models=ModelStore(folder), **settings)
    perform(sim, c.SwapModel(physics.load_string(ARM), document=1))
    return sim


def edit(sim, text):
    perform(sim, c.SwapModel(physics.load_string(text), carry=carry_over, document=sim.document, label="edit of arm.xml"))


def lively(sim, seed=0, turns=40):
    """What people do, by chance."""
    r = random.Random(seed)
    for _ in range(turns):
        kind = r.randrange(13)
        n = len(sim.history)
        if kind < 4:
            sim.take(r.randrange(1, 30))
        elif kind == 4:
            perform(sim, c.Scrub(r.randrange(n)))
        elif kind == 5:
            perform(sim, c.SetCtrl(r.randrange(2), r.uniform(-1, 1)))
        elif kind == 6:
            perform(sim, c.PerturbStart(r.choice([1, 2, 3]), (0.0, 0.1, 0.0)))
            perform(sim, c.PerturbMove((r.uniform(-1, 1), 0.0, 1.0)))
            sim.set_running(True)
            sim.take(5)
            sim.set_running(False)
            perform(sim, c.PerturbStop())
        elif kind == 7:
            perform(sim, r.choice([c.Reset(), c.LoadKey(0), c.SetQpos(1, r.uniform(-1, 1)), c.MoveMocap(0, (r.random(), 0.0, 1.0))]))
        elif kind == 8:
            perform(sim, c.SetForce(1, tuple(r.uniform(-5, 5) for _ in range(6))))
        elif kind == 9:
            perform(sim, r.choice([c.SetOption("gravity", r.uniform(-10, 0), 2), c.SetNoise(r.choice([0.0, 0.3]), 0.1, r.randrange(9)), c.RevertAll(), c.SetOption("timestep", 0.003)]))
        elif kind == 10:
            edit(sim, ARM.replace('damping="0.1"', f'damping="{r.uniform(0.05, 1):.2f}"'))
        elif kind == 11 and len(sim.history.branches):
            perform(sim, c.SwitchBranch(r.choice(list(sim.history.branches))))
        sim.idle()


def redone(prepared):
    redo = Redo(prepared.store.load)
    redo.do(prepared.ops)
    return redo.simulation


def same_again(recording, prepared):
    again = tracks(redone(prepared))
    assert set(again) == set(recording.tracks())
    assert {k: len(t) for k, t in again.items()} == {k: len(t) for k, t in recording.tracks().items()}
    assert first_difference(recording.tracks(), again) is None


@pytest.mark.parametrize("seed", range(6))
def test_what_was_done_by_chance_is_done_again_bit_for_bit_through_file_and_loading(tmp_path, seed):
    sim = begin(tmp_path / "a")
    lively(sim, seed)
    recording = capture(sim).whole()
    file.save(recording, tmp_path / "a.h5")
    back = file.load(tmp_path / "a.h5")
    assert differences(back, recording) == []
    prepared = prepare(back, tmp_path / "b")
    same_again(back, prepared)

    other = Simulation(clock=Clock())
    perform(other, c.LoadRecording(prepared, 7, "note"))
    assert [e.kind for e in other.events if e.kind == "error"] == [] and other.document == 7
    taken = capture(other).whole()
    left = differences(taken, replace(recording, inputs=taken.inputs))
    assert left == [], left
    lively(sim, 100 + seed, 15)
    lively(other, 100 + seed, 15)
    longer = capture(other).whole()
    same_again(longer, prepare(longer, tmp_path / "c"))


def test_a_loaded_run_goes_on_with_the_bits_of_the_one_that_never_stopped(tmp_path):
    sim = begin(tmp_path / "a")
    perform(sim, c.SetNoise(0.2, 0.05, 3))
    perform(sim, c.SetForce(1, (1.0, 0.0, 0.0, 0.0, 0.2, 0.0)))
    sim.take(100)
    other = Simulation(clock=Clock())
    run_on(other, prepare(capture(sim).whole(), tmp_path / "b"))
    sim.take(200)
    other.take(200)
    mine, theirs = capture(sim).recording.line, capture(other).recording.line
    assert cells(mine) == cells(theirs)
    perform(other, c.Scrub(40))
    other.take(50)
    theirs = capture(other).recording.line
    assert cells(mine)[:91] == cells(theirs)[:91]


def test_every_second_of_it_reaches_the_spool(tmp_path):
    sim = begin(tmp_path / "a")
    reader, spool, lines = JournalReader(sim.journal, 0), Spool(tmp_path / "run"), []
    for seed in range(25):
        lively(sim, seed, 6)
        taken = capture(sim, reader)
        lines += taken.lines
        spool.append(replace(taken.recording, inputs=taken.lines, models=taken.models(taken.numbers())), taken.changed)
        now = capture(sim).whole()
        found = recover(tmp_path / "run")
        assert [name for name in differences(found, now) if name not in ("about", "inputs", "models")] == []
    same_again(found, prepare(found, tmp_path / "b"))


def test_what_scripts_write_is_an_input_too(tmp_path):
    text = ARM.replace("<mujoco>", '<mujoco><size nuserdata="3"/>', 1)
    sim = Simulation(clock=Clock(), models=ModelStore(tmp_path / "a"))
    perform(sim, c.SwapModel(physics.load_string(text), document=1))

    def control(m, d):
        d.ctrl[:] = (np.sin(7 * d.time), -0.3 * d.qvel[1])
        d.xfrc_applied[1, 2] = 3 * np.cos(5 * d.time)
        d.userdata[0] += d.qpos[0]
        d.mocap_pos[0, 2] = 1 + d.time

    reader, spool = JournalReader(sim.journal, 0), Spool(tmp_path / "run")
    for k in range(6):
        perform(sim, c.SetHooks(Hooks((Hook("a.py", "control", control, ()),)) if k != 3 else Hooks()))
        sim.take(15)
        if k == 4:
            perform(sim, c.Scrub(40))
        taken = capture(sim, reader)
        spool.append(replace(taken.recording, inputs=taken.lines, models=taken.models(taken.numbers())), taken.changed)
        now = capture(sim).whole()
        found = recover(tmp_path / "run")
        assert [name for name in differences(found, now) if name != "about"] == []
    file.save(found, tmp_path / "a.h5")
    assert file.summary(found)["inputs"]["driven steps"] < 10 and sum(map(journal.steps_of, sim.journal.ops)) == 90
    same_again(file.load(tmp_path / "a.h5"), prepare(file.load(tmp_path / "a.h5"), tmp_path / "b"))


def test_the_spool_keeps_what_the_memory_forgets(tmp_path):
    sim = begin(tmp_path / "a", history_bytes=60_000)
    whole = begin(tmp_path / "b")
    reader, spool = JournalReader(sim.journal, 0), Spool(tmp_path / "run")
    for k in range(60):
        for one in (sim, whole):
            perform(one, c.SetCtrl(0, 0.01 * k))
            one.take(10)
            if k % 13 == 5:
                edit(one, ARM.replace('damping="0.1"', f'damping="0.{k}"'))
        taken = capture(sim, reader)
        spool.append(replace(taken.recording, inputs=taken.lines, models=taken.models(taken.numbers())), taken.changed)
    assert sim.history.gone > 100
    found, mine = recover(tmp_path / "run"), capture(whole).recording
    assert found.line.track.first == 0 and [(n, bits) for n, _m, _p, bits in cells(found.line)] == [(n, bits) for n, _m, _p, bits in cells(mine.line)]
    assert [mark[:4] for mark in found.line.marks] == [mark[:4] for mark in mine.line.marks] and found.line.held == mine.line.held


def test_another_document_begins_another_recording(tmp_path):
    sim = begin(tmp_path / "a")
    sim.take(10)
    reader = JournalReader(sim.journal, 0)
    assert capture(sim, reader).fresh
    sim.take(5)
    taken = capture(sim, reader)
    assert not taken.fresh and [(op.kind, op.value, op.number) for op in taken.ops] == [("steps", 5, 10)]
    perform(sim, c.SwapModel(physics.load_string(ARM), document=2))
    sim.take(3)
    taken = capture(sim, reader)
    assert taken.fresh and taken.document == 2 and [op.kind for op in taken.ops] == ["install", "steps"]
    assert taken.numbers() == {1} and len(capture(sim).whole().models) == 1
    assert capture(Simulation(clock=Clock())) is None


def test_values_set_in_the_window_are_there_again(tmp_path):
    sim = begin(tmp_path / "a")
    perform(sim, c.SetOption("gravity", -3.0, 2))
    perform(sim, c.SetStartKey("up"))
    sim.take(5)
    perform(sim, c.SaveKey(0))
    other = Simulation(clock=Clock())
    run_on(other, prepare(capture(sim).whole(), tmp_path / "b"))
    assert other.model.opt_gravity[2] == -3.0 and other.start_key == 0
    assert other.values.shown(other.model) == sim.values.shown(sim.model) and len(other.values) == 2
    perform(other, c.RevertAll())
    assert other.model.opt_gravity[2] == -9.81


def test_a_model_of_another_version_is_made_from_its_text(tmp_path):
    text = "<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    sim = Simulation(clock=Clock(), models=ModelStore(tmp_path / "a"))
    perform(sim, c.SwapModel(physics.load_string(text)))
    sim.take(10)
    whole = capture(sim).whole({0: {"/x/a.xml": text}})
    old = replace(whole, models=(replace(whole.models[0], data=b"old"),))
    with pytest.raises(RecordingError, match="models/0: cannot be loaded"):
        prepare(old, tmp_path / "b")
    prepared = prepare(old, tmp_path / "c", lambda texts: physics.load_string(texts["/x/a.xml"]))
    assert prepared.model.nq == 7
    with pytest.raises(RecordingError, match="models/0: is of another version.*unknown element"):
        prepare(old, tmp_path / "d", lambda texts: physics.load_string("<mujoco><nonsense/></mujoco>"))


# ---------------------------------------------------------------- what a file may not say

@pytest.fixture
def recording(tmp_path):
    sim = begin(tmp_path / "a")
    sim.take(20)
    perform(sim, c.Scrub(10))
    sim.take(5)
    return capture(sim).whole()


def with_rows(recording, change):
    line = recording.line
    piece = line.track.pieces[0]
    rows = piece.rows.copy()
    change(rows)
    other = replace(line, track=Track((TrackPiece(piece.layout, rows, piece.number, piece.model), *line.track.pieces[1:])))
    return with_branch(recording, other)


def with_branch(recording, branch):
    return replace(recording, branches=tuple(branch if one.id == branch.id else one for one in recording.branches))


def column(name, value):
    def change(rows):
        layout = {"time": 0, "noise_step": 1, "tree_asleep": rows.shape[1] - 1}
        rows[3, layout[name]] = value
    return change


@pytest.mark.parametrize("change, words", [
    (lambda r: with_rows(r, column("time", np.nan)), "branches/2/pieces/0/time: not a number"), (lambda r: with_rows(r, column("noise_step", 1e300)), "noise_step"),
    (lambda r: with_rows(r, column("noise_step", 0.5)), "noise_step"), (lambda r: with_rows(r, column("tree_asleep", 99.0)), "tree_asleep: not numbers of trees"),
    (lambda r: with_rows(r, column("tree_asleep", np.nan)), "tree_asleep"), (lambda r: replace(r, models=()), "models/0: is missing"), (lambda r: replace(r, running=5), "models/5: is missing"),
    (lambda r: replace(r, start_key=4), "start_key: the model has no keyframe 4"), (lambda r: replace(r, values='[[{"#":"Target","kind":"field","name":"nq","row":-1},1,1]]'), "values/0: there is no value"),
    (lambda r: replace(r, values=CODEC.text(((Target("opt", "opt_timestep"), 0.002, "x"),))), "values/0: cannot be set"),
    (lambda r: replace(r, values=CODEC.text(((Target("vis", "__class__.x"), 0.002, 1.0),))), "values/0: there is no value"),
    (lambda r: replace(r, values=CODEC.text(((Target("flag", "opt_disableflags", 1 << 40), True, False),))), "values/0"), (lambda r: replace(r, values="{"), "not JSON"),
    (lambda r: replace(r, inputs=('["fly",0,0.0,1]',)), "inputs: line 1: there is no input of kind 'fly'"),
    (lambda r: replace(r, inputs=(*r.inputs, line_of(Op(journal.INPUT, {"tree_asleep": np.array([77.0])}, 0, 0.0)))), "tree_asleep"),
    (lambda r: replace(r, branches=(r.line, replace(r.line))), "numbers of its branches"), (lambda r: with_branch(r, replace(r.branch(1), parent=8)), "branches/1: hangs on branch 8"),
    (lambda r: with_branch(r, replace(r.branch(1), parent=1)), "branches/1: hangs on branch 1"), (lambda r: with_branch(r, replace(r.branch(1), fork=-9)), "absurd"),
    (lambda r: with_branch(r, replace(r.branch(1), track=Track())), "branches/1: has no states"),
    (lambda r: with_branch(r, replace(r.line, track=Track((r.line.track.pieces[0], r.line.track.pieces[0])))), "follows entry"),
    (lambda r: with_branch(r, replace(r.line, marks=tuple(m._replace(number=99) for m in r.line.marks))), "branches/2/marks: their numbers"),
    (lambda r: with_branch(r, replace(r.line, held=(RecordedHeld(0, (b"", b"", b"\7", b""), (0.0, 0.0, 0)),))), "eq_active"),
    (lambda r: with_branch(r, replace(r.line, held=(RecordedHeld(0, (b"", b"", b"", b""), (0.0, 0.0, 1 << 70)),))), "noise"),
])
def test_a_hostile_recording_is_refused_with_the_field(recording, tmp_path, change, words):
    with pytest.raises(RecordingError, match=words.replace("[", r"\[")):
        prepare(change(recording), tmp_path / "b")


def test_states_of_another_model_are_refused(recording, tmp_path):
    other = Simulation(clock=Clock(), models=ModelStore(tmp_path / "c"))
    perform(other, c.SwapModel(physics.load_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")))
    data = capture(other).whole().models[0]
    with pytest.raises(RecordingError, match="its states have the sizes"):
        prepare(replace(recording, models=(data,)), tmp_path / "b")


def test_absurd_commands_in_a_file_become_events_when_it_is_done_again(recording, tmp_path):
    absurd = [c.SetCtrl(10**9, 0.1), c.SetOption("timestep", -1.0), c.SetField("geom_size", 1.0), c.SetOption("nothing", 1), c.LoadKey(99), c.SetState(None), c.PerturbStart(1.5),
              c.SetFlag("x", 3, True), c.SetVisual("a.b", 1), c.SetField("geom_rgba", "red", (1 << 60,)), c.SetNoise(float("nan"), 1.0), c.MoveMocap(0, ("x",)), c.ForgetBranch(9)]
    lines = tuple(line_of(Op(journal.COMMAND, command, 0, 0.0)) for command in absurd)
    prepared = prepare(replace(recording, inputs=(*recording.inputs, *lines)), tmp_path / "b")
    redo = Redo(prepared.store.load)
    redo.do(prepared.ops)
    redo.simulation.take(3)
    assert redo.simulation.model.opt_timestep == 0.002


def test_the_whole_way_of_a_branch(recording):
    way = whole_way(recording, 1)
    assert [p.number for p in way.pieces][0] == 0 and len(way) == 21 and way.at(10)[0].rows[10, 0] == recording.line.track.pieces[0].rows[10, 0]
    assert whole_way(recording, 2) is recording.line.track
    with pytest.raises(KeyError):
        whole_way(recording, 9)

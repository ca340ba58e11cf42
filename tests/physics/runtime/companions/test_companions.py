"""Companions as threads beside a running primary."""
import time

import numpy as np
import pytest

import physics
from assets.locate import bundled_model
from physics.recording.file import save
from physics.recording.models import ModelStore
from physics.recording.track import Track
from physics.runtime import commands as c
from physics.runtime.companions.companion import DIVERGED, ENDED, FAILED, LAGGING, PAUSED, RUNNING
from physics.runtime.companions.companions import MOST
from physics.runtime.companions.follower import primary_numbers
from physics.runtime.companions.live import LATE
from physics.runtime.perform import perform
from physics.runtime.recorded.capture import capture
from physics.runtime.redo import Redo
from physics.runtime.simulation import Simulation
from tests.physics.runtime.companions.running import Run, same_poses, until

STIFF = """<mujoco><option timestep="0.002"/><worldbody><body><joint name="a" type="slide" axis="0 0 1" stiffness="100"/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture
def run():
    made = []

    def make(model="humanoid.xml"):
        made.append(Run(physics.load(bundled_model(model)) if model.endswith(".xml") else physics.load_string(model)))
        return made[0]

    yield make
    for one in made:
        one.close()


def test_nothing_changed_gives_the_same_bits_and_the_primary_knows_nothing_of_it(run):
    run = run()
    run.run_for(0.1)
    companion = run.companions.start_live()
    until(lambda: companion.state.status == PAUSED)
    for k in range(8):
        run.send(c.SetCtrl(k, 0.4))
        run.run_for(0.05)
    until(lambda: run.caught_up(companion) and same_poses(companion.acquire(), run.runner.acquire()))     # what follows from a paused state comes a moment later
    mine, theirs = companion.acquire(), run.runner.acquire()
    for name in ("qpos", "qvel", "ctrl", "qacc_warmstart", "geom_xpos", "xmat"):
        assert np.array_equal(getattr(mine, name), getattr(theirs, name)), name
    assert companion.drawn is theirs.model and mine.model is not theirs.model
    again = Simulation()        # the primary's steps by themselves
    Redo(lambda _number: physics.load(bundled_model("humanoid.xml")), again).do(run.simulation.journal.ops)
    assert np.array_equal(again.data.qpos, theirs.qpos) and again.data.time == theirs.time


def test_another_value_makes_another_way_at_the_same_time(run):
    run = run()
    companion = run.companions.start_live((c.SetOption("gravity", (0.0, 0.0, 4.0)), c.SetOption("timestep", 0.001)))
    until(lambda: companion.state.status == PAUSED)
    run.run_for(0.3)
    until(lambda: run.caught_up(companion) or abs(companion.state.time - run.runner.published.time) < 1e-9)
    mine, theirs = companion.acquire(), run.runner.acquire()
    assert mine.time == pytest.approx(theirs.time, abs=1e-9) and mine.qpos[2] > theirs.qpos[2] + 0.05
    assert mine.model.opt.timestep == 0.001 and theirs.model.opt.timestep != 0.001 and len(companion.changes) == 2
    companion.change(c.SetOption("gravity", (0.0, 0.0, 1.0)))
    companion.change(c.SetOption("solver", 99))
    companion.change(c.SetOption("no such", 1))
    until(lambda: companion.refused and companion.acquire().model.opt.gravity[2] == 1.0)
    assert any("no such" in why for why in companion.refused) and len(companion.changes) == 2


def test_one_that_diverges_stops_alone(run):
    run = run(STIFF)
    run.send(c.SetQpos(0, 0.1))
    run.settle()
    wild, tame = run.companions.start_live((c.SetField("jnt_stiffness", -1e9, 0),)), run.companions.start_live()
    until(lambda: {wild.state.status, tame.state.status} == {PAUSED})
    run.run_for(0.2)
    until(lambda: run.caught_up(tame))
    until(lambda: wild.state.status == DIVERGED)
    assert "a" in wild.state.text and wild.alive and run.runner.acquire().status == "paused"
    assert np.isfinite(wild.acquire().qpos).all() and wild.state.lag == 0.0
    run.send(c.Reset())
    run.settle()
    until(lambda: wild.state.status == PAUSED)


def test_one_that_is_too_slow_leaves_out_pictures_then_lags_and_the_primary_goes_on(run):
    run = run()
    slow = run.companions.start_live((c.SetOption("timestep", 2e-6),))      # some 2000 steps for one of the primary's
    until(lambda: slow.state.status == PAUSED)
    run.send(c.Run())
    until(lambda: slow.state.status == LAGGING and slow.state.lag > 0.2)
    first, begun, at, lag = slow.acquire().number, time.monotonic(), run.runner.published.time, slow.state.lag
    time.sleep(1.0)
    seconds = time.monotonic() - begun
    assert slow.acquire().number - first <= 2 + seconds / LATE and slow.state.lag > lag      # in place of 120 a second
    assert run.runner.published.time - at > 0.2 and run.runner.published.running
    assert slow.state.time > 0


def test_four_at_most_and_they_stop(run):
    run = run("pendulum.xml")
    started = [run.companions.start_live() for _ in range(MOST)]
    with pytest.raises(ValueError, match="as many as one run"):
        run.companions.start_live()
    until(lambda: all(one.state.status == PAUSED for one in started))
    run.companions.remove(started[0])
    started[0].join()
    assert not started[0].alive and len(run.companions.all) == MOST - 1 and len(run.runner.bells) == MOST - 1
    run.companions.stop(wait=True)
    assert not any(one.alive for one in started) and run.runner.bells == ()


def test_what_is_traced_of_the_primary_is_traced_of_companions(run):
    run = run()
    timestep = run.simulation.model.opt_timestep
    companion = run.companions.start_live((c.SetOption("timestep", timestep / 2),))
    run.companions.trace(("qpos[2]", "ncon"))
    until(lambda: companion.state.status == PAUSED)
    run.run_for(0.2)
    until(lambda: abs(companion.state.time - run.runner.published.time) < 2e-9)
    piece = companion.acquire().trace.pieces[-1]
    assert len(piece.rows) == 2 * run.simulation.history.number and piece.leaves
    numbers = primary_numbers(companion.anchors, piece.entries())
    assert np.allclose(numbers * timestep, piece.rows[:, 0], atol=1e-6)


def test_a_branch_is_shown_at_the_time_of_the_primary(run):
    run = run()
    run.run_for(0.3)
    then = run.simulation.history.track()
    run.send(c.Scrub(20), c.SetCtrl(0, 1.0))
    run.run_for(0.3)
    info = next(info for info in run.simulation.history.told_branches() if not info.shown)
    companion = run.companions.start_branch(info.id)
    run.companions.trace(("qpos[2]", "qacc[3]", "qpoz"))
    for index in (5, 40, 25):
        run.send(c.Scrub(index))
        run.settle()
        until(lambda: companion.acquire() is not None and companion.acquire().time == run.runner.published.time)
        piece, row = then.at(index)
        assert np.array_equal(companion.acquire().qpos, piece.columns("qpos")[row])
        assert np.isfinite(companion.acquire().geom_xpos).all() and companion.acquire().geom_xpos.any()
    assert companion.drawn is run.simulation.model and companion.numbered
    until(lambda: set(companion.curves) == {"qpos[2]", "qacc[3]"} and all(len(curve.time) == len(then) for curve in companion.curves.values()))
    assert np.array_equal(companion.curves["qpos[2]"].values[:, 0], then.pieces[0].columns("qpos")[:, 2])
    run.send(c.SwapModel(physics.load_string(STIFF), document=2))
    until(lambda: companion.state.status == ENDED)


def test_recorded_states_of_elsewhere(run):
    run = run("pendulum.xml")
    other = Simulation()
    perform(other, c.SwapModel(physics.load(bundled_model("double_pendula.xml"))))
    other.take(50)
    track = other.history.track()
    companion = run.companions.start_track(track, lambda _number: physics.load(bundled_model("double_pendula.xml")))
    run.run_for(0.02)
    until(lambda: companion.acquire() is not None and companion.acquire().time > 0)
    assert companion.drawn is None and companion.acquire().model.nq == other.model.nq
    nothing = run.companions.start_track(Track(), lambda _number: None)
    until(lambda: nothing.state.status == FAILED)
    assert "nothing recorded" in nothing.state.text


def test_a_recordings_file_is_shown(run, tmp_path):
    pytest.importorskip("h5py")
    run = run()
    store = ModelStore(tmp_path / "models")
    other = Simulation(models=store)
    perform(other, c.SwapModel(physics.load(bundled_model("humanoid.xml"))))
    perform(other, c.SetCtrl(3, 0.9))
    other.take(60)
    save(capture(other).whole(), tmp_path / "run.h5")
    companion = run.companions.start_file(tmp_path / "run.h5")
    run.companions.trace(("qpos[2]", "qacc[3]"))
    until(lambda: companion.acquire() is not None)
    run.run_for(0.1)
    until(lambda: companion.acquire().time == run.runner.published.time)
    index = round(run.runner.published.time / run.simulation.model.opt_timestep)
    piece, row = other.history.track().at(index)
    assert np.array_equal(companion.acquire().qpos, piece.columns("qpos")[row]) and not companion.numbered
    until(lambda: set(companion.curves) == {"qpos[2]", "qacc[3]"} and all(len(curve.time) == 61 for curve in companion.curves.values()))
    for name, said in (("none.h5", "No such file"), ("bad.h5", "recording")):
        (tmp_path / "bad.h5").write_bytes(b"nothing")
        failed = run.companions.start_file(tmp_path / name)
        until(lambda failed=failed: failed.state.status == FAILED)
        assert said in failed.state.text, failed.state.text


def test_it_ends_with_another_document_and_says_why_it_cannot_begin(run):
    run = run("pendulum.xml")
    companion, gone = run.companions.start_live(), run.companions.start_branch(77)
    until(lambda: companion.state.status == PAUSED and gone.state.status == FAILED)
    assert "no branch 77" in gone.state.text
    run.send(c.SwapModel(physics.load_string(STIFF), document=2), c.Run())
    until(lambda: companion.state.status == ENDED)
    until(lambda: not companion.alive)
    assert companion.acquire() is not None


def test_the_primary_runs_while_companions_hold_many_pictures(run):
    run = run()
    companions = [run.companions.start_live() for _ in range(MOST)]
    run.send(c.Run())
    until(lambda: all(one.state.status == RUNNING and one.state.time > 0.1 for one in companions))
    assert run.runner.published.running


def test_several_begin_at_the_same_moment_of_a_run_that_goes_on(run):
    run = run()
    run.send(c.Run())
    until(lambda: run.runner.published is not None and run.runner.published.time > 0.05)
    same, light, soft = run.companions.start_together([(), (c.SetOption("gravity", (0.0, 0.0, -1.0)),), (c.SetFields((("opt_o_solref", np.arange(2), np.array([0.2, 1.0])),)),)])
    until(lambda: all(one.anchors for one in (same, light, soft)))
    run.send(c.Pause())
    until(lambda: not run.runner.published.running)
    run.settle()
    assert len({one.anchors[0].number for one in (same, light, soft)}) == 1 and same.anchors[0].number > 0
    until(lambda: all(run.caught_up(one) for one in (same, light, soft)) and same_poses(same.acquire(), run.runner.acquire()))
    mine, theirs = same.acquire(), run.runner.acquire()
    assert np.array_equal(mine.qpos, theirs.qpos) and np.array_equal(mine.qvel, theirs.qvel) and same.drawn is light.drawn is theirs.model
    light = light.acquire()     # which of both is higher depends on when the pause comes: it may have bounced already
    assert light.model.opt.gravity[2] == -1.0 and light.qpos[2] != theirs.qpos[2] and soft.acquire().model.opt.o_solref[0] == 0.2
    with pytest.raises(ValueError, match="3 companion runs and 2 more are wanted; 4 are as many as one run can have"):
        run.companions.start_together([(), ()])
    assert len(run.companions.all) == 3


def test_whoever_else_hears_the_run_goes_on_to_hear_it(run):
    run, heard = run(STIFF), []

    def bell() -> None:
        heard.append(True)

    run.runner.bells = (bell,)
    one, two = run.companions.start_live(), run.companions.start_live()
    assert run.runner.bells[0] is bell and len(run.runner.bells) == 3
    run.companions.remove(one)
    assert len(run.runner.bells) == 2
    run.companions.stop(wait=True)
    assert run.runner.bells == (bell,) and two not in run.companions.all
    heard.clear()
    run.run_for(0.05)
    assert heard

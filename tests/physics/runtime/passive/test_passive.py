"""Both ends of a simulation that steps in a script and is shown elsewhere, without a pipe and without a window."""
import pickle
import time

import numpy as np
import pytest

import physics
from physics.model.data_image import DataImage
from physics.model.model_changes import ModelChanges
from physics.model.state_fields import State
from physics.runtime import commands as c
from physics.runtime import events
from physics.runtime.mailbox import Mailbox
from physics.runtime.passive import runner
from physics.runtime.passive.runner import PassiveRunner
from physics.runtime.passive.script import ScriptSimulation
from physics.runtime.passive.shown import News
from physics.runtime.perform import TABLE

MODEL = """<mujoco><option timestep=".002"/><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
  <body name="ball" pos="0 0 1"><freejoint name="free"/><geom name="ball" size=".1"/></body>
  <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0" damping=".1"/><geom name="arm" size=".05" pos=".3 0 0"/></body>
  <body name="hand" mocap="true" pos="-1 0 1"><geom name="hand" size=".1" contype="0" conaffinity="0"/></body></worldbody>
  <equality><weld name="hold" body1="ball" body2="hand" active="false"/></equality>
  <actuator><motor name="motor" joint="hinge" ctrlrange="-1 1" ctrllimited="true"/></actuator>
  <keyframe><key name="up" time="3" qpos="0 0 2 1 0 0 0 .5" ctrl=".25"/></keyframe></mujoco>"""


class Both:
    """A script's loop and the runner that shows it; what goes from one to the other is pickled."""

    def __init__(self):
        self.m = physics.load_string(MODEL)
        self.d = physics.Data(self.m)
        self.mailbox, self.taken, self.run, self.steps, self.heard = Mailbox(), 0, True, 0, 0
        self.runner = PassiveRunner(self.ask, self.shown)
        self.script, self.changes, self.before = ScriptSimulation(self.m, self.d), ModelChanges(self.m), None
        self.runner.start()
        self.runner.send(c.SwapModel(pickle.loads(pickle.dumps(self.m)), document=1))
        self.sync()

    def ask(self, key, command):
        command = pickle.loads(pickle.dumps(command))
        self.heard += isinstance(command, c.Run | c.Pause | c.Step)
        if isinstance(command, c.Run | c.Pause):
            self.run = isinstance(command, c.Run)
        elif isinstance(command, c.Step):
            self.steps += command.n
        else:
            self.mailbox.latest(key, command) if key is not None else self.mailbox.send(command)

    def shown(self):
        self.taken += 1

    def sync(self, state_only=False):
        """As Handle.sync; waits until it is shown."""
        self.script.perform_all(self.mailbox.drain(), self.run)
        fields, visual = self.changes.take()
        told = self.script.told(self.heard)
        news = News(fields=fields, visual=visual, told=None if told == self.before else told, events=self.script.happened())
        self.before = told
        if state_only:
            news.state = State.of(self.d)
        else:
            news.image = DataImage(self.d)
            news.image.take(self.d)
        wanted = self.taken + 1
        self.runner.arrive(pickle.loads(pickle.dumps(news)))
        self.wait(lambda: self.taken >= wanted)

    def wait(self, condition, seconds=10.0):
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.001)

    def seen(self, condition):
        """Wait for a snapshot of which this is true."""
        self.wait(lambda: self.runner.acquire() is not None and condition(self.runner.acquire()))
        return self.runner.acquire()

    def told(self):
        return [event.text for event in self.runner.events()]


@pytest.fixture
def both():
    made = Both()
    yield made
    made.runner.stop()


def test_what_the_script_computed_is_shown(both):
    physics.step(both.m, both.d, 300)
    assert both.d.ncon
    both.sync()
    snapshot = both.seen(lambda s: s.time == both.d.time)
    for name in ("qpos", "xpos", "geom_xmat", "sensordata", "qfrc_constraint", "actuator_force"):
        np.testing.assert_array_equal(getattr(snapshot, name), getattr(both.d, name), err_msg=name)
    assert snapshot.ncon == both.d.ncon and snapshot.contact_force[:, 0].max() > 0 and snapshot.status == "running"


def test_of_a_state_alone_the_rest_is_computed(both):
    both.runner.kernels_ready()
    physics.step(both.m, both.d, 300)
    both.sync(state_only=True)
    snapshot, fresh = both.seen(lambda s: s.time == both.d.time), both.d.copy()
    physics.forward(both.m, fresh)
    np.testing.assert_allclose(snapshot.xpos, fresh.xpos, atol=1e-12)
    assert snapshot.ncon == fresh.ncon


def test_a_data_of_which_nothing_was_computed_is_shown_in_its_pose(both):
    both.d.reset()
    both.d.qpos[2] = 3
    both.sync()
    assert both.seen(lambda s: s.xpos[1, 2] == 3).xpos[1, 2] == 3
    assert both.d.xpos[1, 2] == 0


def test_controls_options_and_switches_reach_the_script(both):
    for command in (c.SetCtrl(0, 0.5), c.SetOption("gravity", -3.0, 2), c.SetFlag("disable", 16, True), c.SetEqActive(0, True), c.SetField("geom_rgba", (1, 0, 0, 1), 1),
                    c.SetVisual("map.force", 0.5), c.SetForce(1, (1, 2, 3, 0, 0, 0)), c.MoveMocap(0, (0, 1, 2), None), c.SetNoise(0.1, 0.01, 7)):
        both.runner.send(command)
    m, d = both.m, both.d
    assert d.ctrl[0] == 0 and m.opt_gravity[2] == -9.81
    both.sync()
    assert d.ctrl[0] == 0.5 and m.opt_gravity[2] == -3 and m.opt_disableflags & 16 and d.eq_active[0] and m.vis.map.force == 0.5
    assert tuple(m.geom_rgba[1]) == (1, 0, 0, 1) and d.xfrc_applied[1, 2] == 3 and tuple(d.mocap_pos[0]) == (0, 1, 2) and d.noise_scale == 0.1
    assert d.ctrl_noise.any()
    snapshot = both.seen(lambda s: s.changed_values)
    copied = snapshot.model
    assert copied.opt_gravity[2] == -3 and tuple(copied.geom_rgba[1]) == (1, 0, 0, 1) and copied.vis.map.force == 0.5 and copied is not m
    assert {"opt.gravity", "geom_rgba[1]", "vis.map.force"} <= {value.target for value in snapshot.changed_values}
    both.runner.send(c.RevertValue("opt.gravity"))
    both.sync()
    assert m.opt_gravity[2] == -9.81


def test_what_the_script_writes_into_its_model_is_shown(both):
    both.m.geom_rgba[0] = (0, 1, 0, 1)
    both.m.opt.timestep = 0.001
    both.sync()
    both.seen(lambda s: s.model.opt_timestep == 0.001 and s.model.geom_rgba[0, 1] == 1)


def test_the_mouse_pulls_while_time_passes(both):
    m, d, runner = both.m, both.d, both.runner
    m.opt.gravity[2] = 0
    physics.forward(m, d)
    runner.send(c.PerturbStart(1, (0.0, 0.0, 0.0), c.TRANSLATE))
    runner.latest("perturb", c.PerturbMove(refselpos=(0.0, 0.0, 1.1)))
    runner.latest("perturb", c.PerturbMove(refselpos=(0.0, 0.0, 1.5)))
    for _ in range(100):
        both.sync()
        physics.step(m, d)
    assert d.perturb_active == 1 and d.perturb_refselpos[2] == 1.5 and not d.xfrc_applied.any() and d.xfrc_perturb[2] != 0 and d.qpos[2] > 1.05
    assert both.seen(lambda s: s.perturb.bodyid == 1).perturb.newton > 0
    runner.send(c.PerturbStop())
    both.sync()
    assert d.perturb_active == 0 and not d.xfrc_perturb.any()


def test_reset_keyframe_and_poses(both):
    m, d, runner = both.m, both.d, both.runner
    physics.step(m, d, 100)
    both.sync()
    runner.send(c.LoadKey(0))
    both.sync()
    assert d.time == 3 and d.qpos[2] == 2 and d.xpos[1, 2] == 2
    snapshot = both.seen(lambda s: s.time == 3)
    assert [mark.kind for mark in snapshot.history_marks][-1] == "reset" and snapshot.starts > 0
    runner.send(c.Reset())
    both.sync()
    assert d.time == 0 and d.qpos[2] == 1
    runner.send(c.SetQpos(2, 4.0))
    both.sync()
    assert d.qpos[2] == 1 and "coordinates can be set while paused" in " ".join(both.told())
    runner.send(c.Pause())
    runner.send(c.SetQpos(2, 4.0))
    both.wait(lambda: not both.run)
    both.sync()
    assert d.qpos[2] == 4 and d.xpos[1, 2] == 4     # brought up to date, as no step does it
    assert both.seen(lambda s: s.xpos[1, 2] == 4).status == "paused"


def test_pause_and_steps_are_asked_of_the_script(both):
    both.runner.send(c.Pause())
    both.seen(lambda s: not s.running)
    assert not both.run
    both.runner.send(c.Step(3))
    assert both.steps == 3
    both.runner.send(c.Run())
    both.seen(lambda s: s.running)
    assert both.run


def test_there_is_no_history_to_go_back_in(both):
    both.runner.send(c.StepBack())
    both.runner.latest("scrub", c.Scrub(0))
    both.runner.send(c.SetSpeed(2.0))
    assert [text for text in both.told() if "no history" in text].__len__() == 2
    assert not both.mailbox.drain()


def test_plots_take_the_states_that_arrive(both):
    both.runner.send(c.SetTrace(("qpos[2]",)))
    both.seen(lambda s: True)
    time.sleep(0.05)
    for _ in range(20):
        physics.step(both.m, both.d, 2)
        both.sync()
    both.sync()     # the same time: no further row
    trace = both.seen(lambda s: s.time == both.d.time and s.trace.pieces and len(s.trace.pieces[-1].rows) == 20).trace
    rows = trace.pieces[-1].rows
    np.testing.assert_allclose(np.diff(rows[:, 0]), 0.004)
    assert rows[-1, 1] == both.d.qpos[2] and trace.pieces[-1].entries()[-1] == both.runner.acquire().history_index


def test_a_breakpoint_asks_for_a_pause(both):
    both.runner.send(c.SetBreakpoints(("qpos[2] < 0.9",)))
    time.sleep(0.05)
    while both.d.qpos[2] > 0.85 and both.run:
        physics.step(both.m, both.d)
        both.sync()
    assert not both.run and 0.85 < both.d.qpos[2] < 0.9
    assert any(event.kind == events.BREAKPOINT for event in both.runner.events())


def test_wrong_numbers_stop_the_picture_and_not_the_thread(both):
    both.sync()
    both.m.geom_type[0] = 77
    both.sync()
    assert both.runner.alive and both.runner.acquire().model.wrong_numbers()
    both.m.geom_type[0] = 0
    physics.step(both.m, both.d, 3)
    both.sync()
    both.seen(lambda s: s.time == both.d.time and not s.model.wrong_numbers())


def test_visits_look_at_the_copy(both):
    found = []
    both.runner.send(c.Visit(lambda m, d: found.append((m, d.time))))
    both.wait(lambda: found)
    assert found[0][0] is not both.m


def test_every_command_is_one_of_this_side_or_of_the_scripts_or_refused():
    """What goes through the pipe is chosen: functions, threads and files of this process cannot."""
    kinds = [set(part) for part in (runner.HERE, runner.BOTH, runner.SCRIPTS, runner.UNSAID, runner.REFUSED)]
    assert sum(map(len, kinds)) == len(set().union(*kinds)) and set().union(*kinds) == set(TABLE)


def test_what_a_window_asks_of_a_history_is_refused_and_not_sent(both):
    asked = []
    both.runner._ask = lambda key, command: asked.append(command)
    both.runner.send(c.TakeRecording(lambda taken: None))
    both.runner.send(c.SetHooks(None))
    assert [text.partition(":")[0] for text in both.told()][-2:] == ["TakeRecording", "SetHooks"] and not asked


def test_what_the_script_says_of_before_a_wish_does_not_undo_it(both):
    both.run = False
    both.sync()
    both.seen(lambda s: not s.running)
    both.runner._ask = lambda key, command: None    # on its way
    both.runner.send(c.Run())
    both.seen(lambda s: s.running)
    both.d.time += 1
    both.before = None
    both.sync()
    assert both.seen(lambda s: s.time == both.d.time).running
    both.heard += 1     # heard, and the script wants to stand still
    both.sync()
    both.seen(lambda s: not s.running)


def test_a_script_that_does_not_come_round_is_told_of(both, monkeypatch):
    monkeypatch.setattr("physics.runtime.passive.runner.PATIENCE", 0.1)
    both.runner.send(c.SetCtrl(0, 0.5))
    both.sync()
    both.runner.send(c.SetCtrl(0, 0.25))
    found = []
    both.wait(lambda: found.extend(both.told()) or any("has not called sync()" in text for text in found))
    both.sync()
    assert both.d.ctrl[0] == 0.25

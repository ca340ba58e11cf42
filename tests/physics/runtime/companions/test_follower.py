"""A companion's side, driven by hand: the same inputs at the same times, op by op."""
import numpy as np
import pytest

import physics
from assets.locate import bundled_model
from physics.model.model_copy import model_beside
from physics.model.state_fields import ARRAYS, State
from physics.runtime import commands as c
from physics.runtime import redo
from physics.runtime.carry_over import carry_over
from physics.runtime.companions import follower as follower_module
from physics.runtime.companions.beginning import Beginning, begin_beside
from physics.runtime.companions.follower import follow_copy, follow_with, primary_numbers
from physics.runtime.companions.matching import Matching
from physics.runtime.hooks.hook import Hook, Hooks
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation

TEXT = """<mujoco><option timestep="0.004"/>
<worldbody><geom name="floor" type="plane" size="5 5 .1"/>
  <body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping="0.1"/><geom name="upper" type="capsule" size=".05 .2" pos="0 0 -.2"/>
    <body name="lower" pos="0 0 -.4"><joint name="elbow" axis="0 1 0"/><geom name="lower" type="capsule" size=".04 .2" pos="0 0 -.2"/></body></body>
  <body name="ball" pos="1 0 .4"><freejoint name="free"/><geom name="ball" size=".1"/></body>
  <body name="paddle" mocap="true" pos="1 0 1"><geom type="box" size=".2 .2 .02"/></body>
</worldbody>
<equality><connect name="pin" body1="ball" anchor="0 0 0" active="false"/></equality>
<actuator><motor name="m" joint="shoulder" ctrllimited="true" ctrlrange="-2 2"/><general name="g" joint="elbow" dyntype="filter" dynprm="0.1"/></actuator>
<keyframe><key name="up" time="3" qpos="1 2 0 0 2 1 0 0 0" ctrl="0.5 0.25"/></keyframe></mujoco>"""
EDITED = TEXT.replace('<body name="upper"', '<body name="new" pos="0 2 1"><joint name="new" axis="1 0 0"/><geom size=".1"/></body><body name="upper"').replace(
    '<motor name="m"', '<motor name="n" joint="new"/><motor name="m"')


@pytest.fixture(autouse=True)
def kernels():
    physics.ensure_kernels()


def primary(text=TEXT):
    sim = Simulation(history_bytes=1 << 24)
    perform(sim, c.SwapModel(physics.load_string(text)))
    sim.idle()
    return sim


def beside(sim, *changes, model=None):
    other = Simulation(history_bytes=1 << 24)
    if model is None:
        other.install(model_beside(sim.model))
        follower = follow_copy(other, begin_beside(sim, sim.model, other.data))
    else:
        follower = follow_with(other, Beginning.of(sim), model)
    for change in changes:
        assert follower.change(change) == ""
    return follower


def follow(*followers):
    for follower in followers:
        for _ in range(100_000):
            if not follower.turn():
                break
        else:
            raise AssertionError("it never ends")


def assert_same(sim, follower):
    d, mine = sim.data, follower.simulation.data
    assert d.time == mine.time
    for name in (*ARRAYS, "ctrl_noise", "xpos", "qacc", "xfrc_perturb", "noise_step"):
        one, other = np.asarray(getattr(d, name)), np.asarray(getattr(mine, name))
        assert np.array_equal(one, other), name


def drive(sim, *wanted):
    """Commands and numbers of steps, with the pauses' turns between."""
    for one in wanted:
        if isinstance(one, int):
            sim.take(one)
        else:
            perform(sim, one)
            if not sim.running:
                sim.idle()


EVERYTHING = (
    c.Run(), 7, c.SetCtrl(0, 0.7), 5, c.SetCtrls((1, 0), (0.2, -0.3)), 4, c.PerturbStart(2, (0.0, 0.0, -0.1)), c.PerturbMove((0.5, 0.2, 0.6)), 9, c.PerturbStop(), 3, c.SetForce(3, (0, 0, 5.0, 0, 0, 0)), 4,
    c.SetOption("gravity", -3.0, 2), 6, c.SetField("geom_friction", 0.2, (0, 0)), c.SetField("geom_solref", (0.05, 1.0), 4), 4, c.MoveMocap(0, (1.0, 0.1, 0.3)), 8,
    c.SetNoise(0.3, 0.05, 11), 6, c.SetEqActive(0, True), 6, c.SetOption("solver", 1), 4, c.SetFlag("disable", 1, True), 3, c.SetFlag("disable", 1, False), c.Pause(),
    c.SetQpos(0, 0.4), c.SetJointCoordinate(1, 0, -0.5), c.Step(3), c.PoseFree(3, (0.5, 0.5, 0.5), (1.0, 0, 0, 0)), c.Run(), 5,
    c.Scrub(20), c.SetCtrl(1, 0.3), c.Run(), 12, c.StepBack(4), c.StepBack(2), c.Run(), 6,
    c.LoadKey(0), 5, c.Reset(), c.Reset(), 8, c.SetNoise(0.0, 0.0), c.RevertValue("opt.gravity"), 5, c.RevertAll(), 5, c.SetOption("timestep", 0.002), 6,
    c.SetPauseUpdate(True), c.Pause(), c.SetQpos(0, 0.9), c.Run(), 10)


@pytest.mark.parametrize("every", [1, 3, 1000])
def test_equal_values_give_equal_bits(every):
    sim = primary()
    drive(sim, c.Run(), 10, c.PerturbStart(2, (0.0, 0.0, -0.2)), c.PerturbMove((0.4, 0.0, 0.9)), 5)     # the mouse holds it already
    follower = beside(sim)
    assert_same(sim, follower)
    for k, one in enumerate(EVERYTHING):
        drive(sim, one)
        if k % every == 0:
            follow(follower)
            assert_same(sim, follower)
    follow(follower)
    assert_same(sim, follower)
    assert follower.behind == 0.0 and not follower.stopped


def test_bits_are_equal_on_humanoid_while_it_falls():
    sim = Simulation()
    perform(sim, c.SwapModel(physics.load(bundled_model("humanoid.xml"))))
    drive(sim, c.Run(), 20)
    follower = beside(sim)
    for k in range(30):
        drive(sim, c.SetCtrl(k % 20, 0.3), 7)
        follow(follower)
    assert sim.data.ncon and sim.data.time > 0.5
    assert_same(sim, follower)


@pytest.mark.parametrize("timestep", [0.002, 0.001, 0.008, 0.003, 0.0047])
def test_another_time_step_ends_at_the_same_time(timestep):
    sim = primary()
    drive(sim, c.Run(), 3)
    follower = beside(sim, c.SetOption("timestep", timestep))
    for _ in range(40):
        drive(sim, c.SetCtrl(0, 0.5), 5)
        follow(follower)
        assert -1e-9 <= sim.data.time - follower.simulation.data.time < timestep
    assert follower.simulation.data.time > 0.7
    if 0.004 % timestep < 1e-9:
        assert follower.simulation.data.time == pytest.approx(sim.data.time, abs=1e-9)
    own = follower.simulation.history.number
    assert primary_numbers(follower.anchors, np.array([own]))[0] == pytest.approx(sim.history.number, abs=timestep / 0.004)


def test_its_own_values_stay_whatever_the_primary_sets():
    sim = primary()
    follower = beside(sim, c.SetOption("gravity", (0.0, 0.0, -1.0)), c.SetField("geom_friction", 0.9, (0, 0)), c.SetOption("timestep", 0.001))
    drive(sim, c.SetOption("gravity", (0.0, 0.0, -20.0)), c.SetField("geom_friction", 0.1, (0, 0)), c.SetField("geom_friction", 0.15, (1, 0)),
          c.SetOption("timestep", 0.002), 10, c.RevertAll(), 10)
    follow(follower)
    m = follower.simulation.model
    assert m.opt.gravity[2] == -1.0 and m.geom_friction[0, 0] == 0.9 and m.opt.timestep == 0.001
    assert sim.model.opt.gravity[2] == -9.81 and follower.simulation.data.time == pytest.approx(sim.data.time) == pytest.approx(10 * 0.002 + 10 * 0.004)
    assert follower.change(c.SetOption("gravity", (0.0, 0.0, -2.0))) == "" and len(follower.changes) == 3
    assert "no option" in follower.change(c.SetOption("nothing", 1.0)) and "no value of the model" in follower.change(c.Reset())


STIFF = """<mujoco><option timestep="0.002"/><worldbody><body><joint name="a" type="slide" axis="0 0 1" stiffness="100"/><geom size=".1"/></body></worldbody>
<keyframe><key name="up" qpos="0.2"/></keyframe></mujoco>"""


def test_one_that_diverges_stops_alone():
    sim = primary(STIFF)
    drive(sim, c.SetQpos(0, 0.1), c.Run(), 5)
    follower = beside(sim, c.SetField("jnt_stiffness", -1e9, 0))
    quiet = beside(sim)
    drive(sim, 200)
    follow(follower, quiet)
    assert "a" in follower.stopped and follower.behind == 0.0 and sim.running and sim.data.time == pytest.approx(0.41)
    assert_same(sim, quiet)
    assert follower.simulation.data.time < 0.1 and np.isfinite(follower.simulation.data.qpos).all()
    drive(sim, c.SetCtrl(0, 1.0), 5)
    follow(follower)
    assert follower.stopped
    drive(sim, c.Reset(), 3)       # it begins anew with the primary
    follow(follower)
    assert follower.simulation.data.time == sim.data.time
    drive(sim, c.LoadKey(0), 100, c.Scrub(3))
    follow(follower)
    assert not follower.stopped     # of before it diverged


def test_a_primary_that_diverges_and_starts_over():
    sim = primary(STIFF)
    drive(sim, c.SetQpos(0, 0.1), c.SetAutoReset(True), c.Run(), 5)
    tame, same = beside(sim, c.SetField("jnt_stiffness", 10.0, 0)), beside(sim)
    drive(sim, c.SetField("jnt_stiffness", -1e9, 0), 20, 20)
    drive(sim, c.SetField("jnt_stiffness", 100.0, 0), 3)
    follow(tame, same)
    assert_same(sim, same)
    assert tame.simulation.data.time == sim.data.time and not tame.stopped


def test_going_back_shows_its_own_entry_of_that_time():
    sim = primary()
    drive(sim, c.Run(), 10)
    slower, finer = beside(sim, c.SetOption("gravity", (0.0, 0.0, -1.0))), beside(sim, c.SetOption("timestep", 0.002))
    drive(sim, 50)
    follow(slower, finer)
    then = {k: slower.simulation.history.track().at(k) for k in (20,)}
    drive(sim, c.Scrub(30))
    follow(slower, finer)
    piece, row = then[20]
    assert slower.simulation.data.time == pytest.approx(0.12) and np.array_equal(slower.simulation.data.qpos, piece.columns("qpos")[row])
    assert finer.simulation.data.time == pytest.approx(0.12)
    drive(sim, c.Run(), 5)
    follow(slower, finer)
    assert slower.simulation.data.time == sim.data.time and finer.simulation.data.time == pytest.approx(sim.data.time)
    assert len(slower.simulation.history.branches) == 1 and slower.simulation.history.number == 25
    drive(sim, c.Scrub(0))      # before it began
    follow(slower)
    assert slower.simulation.history.index == 0


def test_another_branch_of_the_primary():
    sim = primary()
    drive(sim, c.Run(), 10)
    follower = beside(sim)
    drive(sim, 20, c.Scrub(15), c.SetCtrl(0, 1.0), c.Run(), 5)
    follow(follower)
    assert_same(sim, follower)
    drive(sim, c.SwitchBranch(1))
    follow(follower)
    assert sim.data.time == pytest.approx(0.12) and follower.simulation.data.time == pytest.approx(0.08)    # its newest: it has not gone there by this way
    drive(sim, c.Run(), 4)
    follow(follower)
    assert not follower.ended


def test_an_edit_of_the_text_goes_on_with_its_own_model():
    sim = primary()
    drive(sim, c.Run(), 10)
    follower = beside(sim)
    drive(sim, c.SwapModel(physics.load_string(EDITED), carry=carry_over))
    drive(sim, c.SetCtrl(1, 0.6), c.SetCtrl(0, 1.5), c.SetForce(4, (0, 0, 3.0, 0, 0, 0)), c.MoveMocap(0, (1.0, 0.0, 0.5)), 20)
    follow(follower)
    d = follower.simulation.data
    assert follower.simulation.model.nu == 2 and sim.model.nu == 3
    assert np.array_equal(d.ctrl, [0.6, 0.0]) and d.xfrc_applied[3, 2] == 3.0 and d.mocap_pos[0, 2] == 0.5      # the ball is body 3 there
    assert d.time == sim.data.time
    assert np.array_equal(d.qpos, sim.data.qpos[1:])
    drive(sim, c.SetCtrls((0, 2), (1.25, -0.5)), 1)      # the first of these is not there
    follow(follower)
    assert np.array_equal(sim.data.ctrl, [1.25, 0.6, -0.5]) and np.array_equal(d.ctrl, [0.6, -0.5])
    drive(sim, c.SetQpos(0, 1.0), c.LoadKey(0) if sim.model.nkey else c.Reset(), 3)
    follow(follower)
    assert d.time == sim.data.time


def test_a_model_of_before_or_after_an_edit_gets_the_state_by_name():
    sim = primary()
    drive(sim, c.Run(), c.SetCtrl(0, 0.5), 10)
    follower = beside(sim, model=physics.load_string(EDITED))
    d = follower.simulation.data
    assert np.array_equal(d.qpos[1:], sim.data.qpos) and np.array_equal(d.ctrl, [0.0, 0.5, 0.0])
    drive(sim, c.SetState(State.of(sim.data)), c.SetField("geom_friction", 0.3, (2, 0)), c.SetEqActive(0, True), c.SetJointCoordinate(1, 0, 0.2),
          c.PerturbStart(2), 10, c.PerturbStop(), 5)
    follow(follower)
    m = follower.simulation.model
    assert m.geom_friction[m.id("geom", "lower"), 0] == 0.3 and d.eq_active[0] and d.time == sim.data.time
    assert np.allclose(d.qpos[1:3], sim.data.qpos[:2], atol=1e-2)


def test_a_pose_of_before_an_edit_is_set_by_name():
    one = physics.load_string('<mujoco><worldbody><body name="a"><joint name="x"/><geom size=".1"/></body><body name="b"><joint name="y"/><geom size=".1"/></body></worldbody></mujoco>')
    two = physics.load_string('<mujoco><worldbody><body name="n"><joint name="new"/><geom size=".1"/></body><body name="b"><joint name="y"/><geom size=".1"/></body>'
                      '<body name="a"><joint name="x"/><geom size=".1"/></body></worldbody></mujoco>')
    assert np.array_equal(Matching(one, two).command(c.SetPose((0.25, 0.5))).qpos, (np.nan, 0.5, 0.25), equal_nan=True)


def test_every_kind_of_op_means_something():
    assert set(follower_module.TABLE) == set(redo.TABLE)


def test_inputs_of_scripts():
    sim = primary()
    drive(sim, c.Run(), 5)
    same, other = beside(sim), beside(sim, model=physics.load_string(EDITED))
    finer = beside(sim, c.SetOption("timestep", 0.001))

    def control(m, d):
        d.ctrl[0], d.qfrc_applied[1], d.mocap_pos[0, 2] = np.sin(9 * d.time), 0.2, 1.0 + d.time

    def after_step(m, d):
        if d.qpos[0] > 0.01:
            d.qvel[0] = -0.5

    drive(sim, c.SetHooks(Hooks([Hook("test.py", one.__name__, one, [__file__]) for one in (control, after_step)])), 20, c.SetCtrl(1, 0.4), 5, c.Pause(), c.Step(3))
    follow(same, other, finer)
    assert_same(sim, same)
    d = other.simulation.data
    assert np.array_equal(d.ctrl, [0.0, sim.data.ctrl[0], 0.4]) and np.array_equal(d.qfrc_applied[:3], [0.0, 0.0, 0.2]) and d.mocap_pos[0, 2] == sim.data.mocap_pos[0, 2] > 1.1
    assert d.time == sim.data.time == pytest.approx(finer.simulation.data.time) and finer.simulation.data.ctrl[0] == sim.data.ctrl[0]
    pressed = Hook("test.py", "button", lambda m, d: d.qpos.__setitem__(0, 0.7), [__file__])
    drive(sim, c.SetHooks(Hooks([pressed])), c.RunHook(pressed, with_model=True), 4)
    follow(same, other)
    assert_same(sim, same)
    assert np.allclose(d.qpos[1:], sim.data.qpos, atol=1e-3)


def test_another_document_ends_it_and_a_reload_starts_it_afresh():
    sim = primary()
    drive(sim, c.SwapModel(physics.load_string(TEXT), document=1), c.Run(), 10)
    follower = beside(sim, c.SetOption("gravity", (0.0, 0.0, -1.0)))
    drive(sim, c.SwapModel(physics.load_string(TEXT), document=1), c.Run(), 4)
    follow(follower)
    assert follower.simulation.data.time == sim.data.time == pytest.approx(0.016) and follower.simulation.model.opt.gravity[2] == -1.0
    drive(sim, c.SwapModel(physics.load_string(STIFF), document=2), 4)
    follow(follower)
    assert "another model" in follower.ended and not follower.turn()


def test_entries_of_both_belong_to_the_same_times():
    sim = primary()
    drive(sim, c.Run(), 10)
    follower = beside(sim, c.SetOption("timestep", 0.001))
    drive(sim, 20, c.Reset(), 10, c.SetOption("timestep", 0.002), 10)
    follow(follower)
    history = follower.simulation.history
    own = np.arange(history.gone, history.gone + len(history))
    numbers = primary_numbers(follower.anchors, own)
    assert len(own) == 1 + 80 + 1 + 40 + 20
    whole = np.flatnonzero(numbers == np.floor(numbers))
    assert len(whole) == 1 + 20 + 1 + 10 + 10
    for k in whole.tolist():
        assert history.time(k) == pytest.approx(sim.history.time(int(numbers[k])), abs=1e-9), k


def test_rows_of_fields_of_its_own_stay_and_wrong_ones_change_nothing():
    sim = primary()
    follower = beside(sim)
    m = follower.simulation.model
    ball = m.id("geom", "ball")
    rough = c.SetFields((("geom_condim", np.array([ball]), np.array([6])), ("geom_friction", np.array([ball]), np.array([[0.1, 0.2, 0.3]]))), label="rough")
    assert follower.change(rough) == "" and follower.changes == (rough,)
    assert m.geom_condim[ball] == 6 and m.geom_friction[ball].tolist() == [0.1, 0.2, 0.3] and sim.model.geom_condim[ball] == 3
    # a later one for the same rows takes its place, one for others comes besides
    rougher = c.SetFields((*rough.rows[:1], ("geom_friction", np.array([ball]), np.array([[0.4, 0.2, 0.3]]))))
    floor = c.SetFields((("geom_friction", np.array([0]), np.array([[0.5, 0.0, 0.0]])),))
    assert follower.change(rougher) == follower.change(floor) == "" and follower.changes == (rougher, floor)
    # what cannot be is told, and nothing of it is written
    high = np.array([[9.0, 9.0, 9.0]])
    for rows, said in (((("geom_friction", np.array([ball]), high), ("geom_condim", np.array([ball]), np.array([2]))), "condim 2"),
                       ((("geom_friction", np.array([77]), high),), "do not fit"), ((("nq", None, 3),), "not for writing"),
                       ((("geom_type", np.array([0]), np.array([1])),), "not for writing")):
        assert said in follower.change(c.SetFields(rows)), rows
    assert m.geom_friction[ball].tolist() == [0.4, 0.2, 0.3] and m.geom_condim[ball] == 6 and follower.changes == (rougher, floor)
    # the primary's commands and edits do not undo it
    drive(sim, c.SetField("geom_friction", np.full((m.ngeom, 3), 0.7)), 5, c.SetFields((("geom_condim", np.array([ball]), np.array([1])),), sim.model), c.Reset(), 3)
    follow(follower)
    assert m.geom_friction[ball, 0] == 0.4 and m.geom_friction[0, 0] == 0.5 and m.geom_friction[1, 0] == 0.7 and m.geom_condim[ball] == 6
    assert sim.model.geom_condim[ball] == 1 and follower.simulation.data.time == sim.data.time

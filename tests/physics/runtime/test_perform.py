"""What each command does, and that nonsense becomes an event instead of damage."""
import numpy as np
import pytest

import physics.runtime.commands as c
from physics.errors import Issue
from physics.runtime.joint_coordinates import joint_coordinates, qpos_slice
from physics.runtime.perform import TABLE, perform
from physics.runtime.simulation import Simulation
from physics.runtime.snapshot import Snapshot
from tests.physics.runtime.models import ARM, do, model, simulation


@pytest.fixture
def sim():
    return simulation()


def kinds(events):
    return [e.kind for e in events]


def test_every_command_has_its_function():
    declared = {v for v in vars(c).values() if isinstance(v, type) and v.__module__ == c.__name__}
    assert set(TABLE) == declared


def test_controls(sim):
    do(sim, c.SetCtrl(0, 0.5), c.SetCtrl(1, -1.0))
    assert list(sim.data.ctrl) == [0.5, -1.0] and sim.data.actuator_force[0] == 0.5
    do(sim, c.ClearCtrl())
    assert not sim.data.ctrl.any()
    for bad in (c.SetCtrl(2, 0.0), c.SetCtrl(-1, 0.0), c.SetCtrl(0, float("nan")), c.SetCtrl(0, float("inf"))):
        assert kinds(do(sim, bad)) == ["refused"]
    assert not sim.data.ctrl.any()


def test_joint_sliders_write_while_paused_only(sim):
    do(sim, c.SetQpos(0, 0.7))
    assert sim.data.qpos[0] == 0.7 and sim.data.xpos[2, 0] == pytest.approx(-0.4 * np.sin(0.7))
    do(sim, c.Run())
    events = do(sim, c.SetQpos(0, 0.1))
    assert kinds(events) == ["refused"] and "paused" in events[0].text and sim.data.qpos[0] == 0.7


def test_a_pose_is_set_while_paused_only_and_what_is_no_number_stays(sim):
    m, before = sim.model, sim.data.qpos.copy()
    entries = len(sim.history)
    wanted = before + 0.1
    assert not do(sim, c.SetPose(tuple(wanted.tolist())))
    scalar = m.jnt_qposadr[m.jnt_type >= 2]
    assert np.array_equal(sim.data.qpos[scalar], wanted[scalar]) and len(sim.history) == entries
    for j in np.flatnonzero(m.jnt_type < 2):
        assert np.linalg.norm(sim.data.qpos[qpos_slice(m, int(j))][-4:]) == pytest.approx(1)
    do(sim, c.SetPose((np.nan,) * m.nq))
    assert np.array_equal(sim.data.qpos[scalar], wanted[scalar])
    assert kinds(do(sim, c.SetPose((0.0,)), c.SetPose((np.inf,) * m.nq))) == ["refused"] * 2
    do(sim, c.Run())
    assert kinds(do(sim, c.SetPose(tuple(before.tolist())))) == ["refused"]


def test_reset_keys_and_state(sim):
    do(sim, c.SetNoise(0.1, 0.2), c.LoadKey(0))
    d = sim.data
    assert d.time == 3 and d.qpos[0] == 1 and list(d.ctrl) == [0.5, 0.25] and list(d.mocap_pos[0]) == [0, 0, 3]
    assert d.noise_scale == 0.1 and len(sim.history) == 2
    do(sim, c.SetQpos(1, -0.4), c.SaveKey(0), c.Reset())
    assert d.time == 0 and d.qpos[1] == 0 and not d.ctrl.any() and list(d.mocap_pos[0]) == [-1, 0, 1]
    do(sim, c.LoadKey(0))
    assert d.qpos[1] == -0.4 and d.time == 3
    assert kinds(do(sim, c.LoadKey(1), c.SaveKey(-1))) == ["refused", "refused"]


def test_options(sim):
    m = sim.model
    do(sim, c.SetOption("timestep", 0.005), c.SetOption("gravity", (0, 0, 3)), c.SetOption("o_solref", 0.1, index=0), c.SetOption("cone", 1))
    assert m.opt.timestep == 0.005 and list(m.opt.gravity) == [0, 0, 3] and m.opt.o_solref[0] == 0.1 and m.opt.cone == 1
    do(sim, c.SetFlag("disable", 128, True), c.SetFlag("enable", 2, True))
    assert m.opt.disableflags == 128 and m.opt.enableflags == 2
    assert not sim.data.qfrc_bias.any()  # no gravity, at rest
    do(sim, c.SetFlag("disable", 128, False))
    assert m.opt.disableflags == 0
    do(sim, c.SetCtrl(1, 1.0), c.Step(3), c.SetActuatorGroup(1, False))
    assert m.opt.disableactuator == 2 and sim.data.actuator_force[1] == 0
    do(sim, c.SetActuatorGroup(1, True))
    assert m.opt.disableactuator == 0 and sim.data.actuator_force[1] != 0
    bad = (c.SetOption("timestep", 0), c.SetOption("timestep", float("nan")), c.SetOption("nonsense", 1), c.SetOption("gravity", (1, 2)),
           c.SetOption("integrator", 77), c.SetOption("solver", 3), c.SetFlag("enable", 128, True), c.SetOption("density", -1), c.SetOption("viscosity", -0.1),
           c.SetFlag("other", 1, True), c.SetOption("gravity", 1.0, index=3))
    assert kinds(do(sim, *bad)) == ["refused"] * len(bad)
    assert m.opt.timestep == 0.005 and m.opt.integrator == 0 and m.opt.solver == 2 and m.opt.enableflags == 2


def test_forces_and_mocap(sim):
    do(sim, c.SetForce(3, (0, 0, 20, 0, 0, 0)), c.MoveMocap(0, (1, 2, 3), (0, 1, 0, 0)))
    assert sim.data.xfrc_applied[3, 2] == 20 and list(sim.data.xpos[5]) == [1, 2, 3]
    assert kinds(do(sim, c.MoveMocap(1, (0, 0, 0)), c.SetForce(0, (1, 2)), c.SetEqActive(0, True))) == ["refused"] * 3


def test_without_a_model_everything_is_refused_but_what_needs_none():
    sim = Simulation()
    perform(sim, c.Step())
    perform(sim, c.SetSpeed(2.0))
    assert [e.kind for e in sim.events] == ["refused"] and sim.pacing.speed == 2.0 and sim.status == "empty"
    perform(sim, c.SetSpeed(99.0))
    assert sim.pacing.speed == 2.0 and "16" in sim.events[-1].text


def test_swap_keeps_running_and_carries_the_state(sim):
    do(sim, c.Run(), c.SetCtrl(0, 0.3))
    sim.take(10)
    before = sim.data.qpos.copy(), sim.data.time
    other = model(ARM.replace('size=".05 .2"', 'size=".07 .2"'))
    events = do(sim, c.SwapModel(other, carry=lambda old, state, new: (state, "report"), note=7))
    assert kinds(events) == ["swapped"]
    assert events[0].details["report"] == "report" and events[0].details["note"] == 7 and events[0].details["problem"] is None
    assert sim.model is other and sim.running and sim.data.time == before[1] and (sim.data.qpos == before[0]).all() and sim.data.ctrl[0] == 0.3
    sim.take(5)
    assert sim.data.time > before[1]


def test_a_failing_carry_over_starts_anew_and_says_so(sim):
    sim.take(10)
    events = do(sim, c.SwapModel(model(), carry=lambda *a: 1 / 0))
    assert sim.data.time == 0 and "division" in events[0].text
    small = model('<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>')
    sim.take(10)
    events = do(sim, c.SwapModel(small, carry=lambda old, state, new: (state, None)))
    assert "shape" in events[0].text and sim.model is small and sim.data.time == 0


def test_the_held_body_stays_held_by_name(sim):
    do(sim, c.PerturbStart(3, (0.1, 0, 0)), c.Run(), c.PerturbMove((2, 0, 1)))
    reordered = model(ARM.replace('<body name="upper"', '<body name="new" pos="9 9 9"><joint/><geom size=".1"/></body><body name="upper"'))
    do(sim, c.SwapModel(reordered))
    assert sim.data.perturb_bodyid == 4 and list(sim.data.perturb_refselpos) == [2, 0, 1] and sim.data.perturb_active == c.TRANSLATE
    gone = model('<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>')
    do(sim, c.SwapModel(gone))
    assert sim.data.perturb_bodyid == 0


def test_view_only_models_are_shown_but_not_run():
    m = model()
    m.view_only = (Issue("view", None, "mujoco/option", "density is not there yet", ""),)
    sim = simulation(m)
    events = do(sim, c.Run())
    assert kinds(events) == ["refused"] and "density" in events[0].text
    assert not sim.running and sim.status == "view only" and sim.data.xpos[2, 2] == pytest.approx(0.6)
    do(sim, c.SetQpos(0, np.pi / 2))
    assert sim.data.xpos[2, 0] == pytest.approx(-0.4)
    assert kinds(do(sim, c.Step())) == ["refused"] and sim.data.time == 0


def test_before_the_kernels_are_ready_the_start_pose_is_there():
    sim = simulation(ready=False)
    assert sim.status == "preparing" and sim.data.xpos[2, 2] == pytest.approx(0.6) and sim.data.geom_xmat[0].any()
    assert not do(sim, c.SetQpos(0, np.pi / 2), c.PerturbStart(1))
    assert sim.data.xpos[2, 0] == pytest.approx(-0.4)
    assert kinds(do(sim, c.Step())) == ["refused"]


def test_watched_fields_are_published(sim):
    do(sim, c.Watch(("qM",)))
    assert kinds(do(sim, c.Watch(("M", "qLD")))) == [] and sim.watch == ("M", "qLD")
    snapshot = Snapshot(sim.model, sim.data, 1)
    sim.show(snapshot)
    assert (snapshot.watch["M"] == sim.data.M).all() and snapshot.status == "paused" and snapshot.history_length == 1
    sim.data.M[:] = 0
    assert snapshot.watch["M"].any()


def test_single_numbers_are_watched_too_and_before_there_is_a_model(sim):
    assert kinds(do(sim, c.Watch(("nefc", "time")))) == []
    sim.take(3)
    snapshot = Snapshot(sim.model, sim.data, 1)
    sim.show(snapshot)
    assert snapshot.watch["nefc"] == sim.data.nefc and snapshot.watch["time"] == sim.data.time
    empty = Simulation()
    assert kinds(do(empty, c.Watch(("nefc",)))) == [] and empty.watch == ("nefc",)


def test_visual_settings_and_fields_of_real_numbers_are_written_and_wrong_ones_refused(sim):
    m = sim.model
    assert not kinds(do(sim, c.SetVisual("map.stiffness", 5), c.SetVisual("rgba.haze", (1, 1, 1, 0.5)), c.SetField("stat_extent", 3),
                        c.SetField("geom_rgba", (1, 0, 0, 1), 0), c.SetField("geom_rgba", 0.25, (0, 1))))
    assert m.vis.map.stiffness == 5 and m.vis.rgba.haze == (1, 1, 1, 0.5) and m.stat_extent == 3
    assert m.geom_rgba[0].tolist() == [1, 0.25, 0, 1]
    for bad in (c.SetVisual("map.x", 1), c.SetVisual("rgba.haze", (1, 2)), c.SetField("geom_type", 1, 0), c.SetField("geom_rgba", 1, (99, 0)), c.SetField("nothing", 1)):
        assert kinds(do(sim, bad)) == ["refused"]


def test_a_joint_is_set_by_one_coordinate_at_a_time_while_paused(sim):
    free = next(j for j in range(sim.model.njnt) if sim.model.jnt_type[j] == 0)
    qpos = sim.data.qpos[qpos_slice(sim.model, free)]
    x, y = qpos[:2].tolist()
    assert not kinds(do(sim, c.SetJointCoordinate(free, 2, 3.0), *(c.SetJointCoordinate(free, k, 0.0) for k in (3, 4, 5)), c.SetJointCoordinate(free, 5, 1.0)))
    np.testing.assert_allclose(qpos, [x, y, 3, np.cos(0.5), 0, 0, np.sin(0.5)], atol=1e-15)
    do(sim, c.SetJointCoordinate(free, 3, 0.5))
    np.testing.assert_allclose(joint_coordinates(qpos), [x, y, 3, 0.5, 0, 1], atol=1e-14)
    hinge = next(j for j in range(sim.model.njnt) if sim.model.jnt_type[j] == 3)
    do(sim, c.SetJointCoordinate(hinge, 0, 0.25))
    assert sim.data.qpos[sim.model.jnt_qposadr[hinge]] == 0.25
    wrong = (c.SetJointCoordinate(free, 6, 1.0), c.SetJointCoordinate(hinge, 1, 1.0), c.SetJointCoordinate(99, 0, 1.0), c.SetJointCoordinate(free, 0, float("nan")))
    assert kinds(do(sim, *wrong)) == ["refused"] * 4
    do(sim, c.Run())
    assert kinds(do(sim, c.SetJointCoordinate(free, 0, 1.0))) == ["refused"]


def test_the_mouses_spring_is_damped_as_officially_or_critically():
    sim = simulation()
    free = next(j for j in range(sim.model.njnt) if sim.model.jnt_type[j] == 0)
    body = int(sim.model.jnt_bodyid[free])

    def largest_overshoot() -> float:
        do(sim, c.Pause(), c.Reset(), c.SetOption("gravity", (0.0, 0.0, 0.0)), c.Run(), c.PerturbStart(body))
        target = sim.data.perturb_refselpos.copy() + [0, 0, 0.2]
        do(sim, c.PerturbMove(tuple(target)))
        heights = []
        for _ in range(100):
            sim.take(10)
            heights.append(sim.data.xpos[body, 2] - target[2])
        return max(heights)

    official = largest_overshoot()
    do(sim, c.SetCriticalDamping(True))
    assert official > 0.02 and largest_overshoot() < 0.25 * official     # a ratio of a half overshoots by a sixth
    do(sim, c.SetCriticalDamping(False))
    assert largest_overshoot() == pytest.approx(official)


def test_a_visitor_sees_the_model_and_data_between_steps(sim):
    seen = []
    assert not do(sim, c.Visit(lambda m, d: seen.append((m, d.time))))
    assert seen == [(sim.model, sim.data.time)]
    assert kinds(do(sim, c.Visit(lambda m, d: 1 / 0))) == ["error"]


def test_warnings_are_counted_anew(sim):
    sim.data.warning_number[3] = 7
    assert not do(sim, c.ClearWarnings())
    assert not sim.data.warning_number.any()


def test_the_mouse_leaves_the_users_forces_alone(sim):
    do(sim, c.SetForce(3, (0, 0, 5, 0, 0, 0)), c.Run(), c.PerturbStart(3), c.PerturbMove((1, 0, 2)))
    sim.take(5)
    assert sim.data.xfrc_perturb.any() and sim.data.xfrc_applied[3].tolist() == [0, 0, 5, 0, 0, 0]
    do(sim, c.PerturbStop())
    sim.take(5)
    assert sim.data.xfrc_applied[3].tolist() == [0, 0, 5, 0, 0, 0] and not sim.data.xfrc_perturb.any()


def test_forces_are_refined_while_paused(sim):
    sim.take(20)
    sim.data.qacc_warmstart[:] = 0
    do(sim, c.SetPauseUpdate(True))
    sim.idle()
    assert sim.data.qacc_warmstart.any()     # the acceleration found last is where the solver starts
    time = sim.data.time
    sim.idle()
    assert sim.data.time == time


def test_forces_that_are_refined_are_shown_until_they_stay_as_they_are(sim):
    sim.take(20)
    do(sim, c.SetPauseUpdate(True))
    for _ in range(100):
        sim.changed = False
        sim.idle()
    assert not sim.changed      # nothing new: who looks on would take it for motion
    sim.data.qvel[0] += 1.0
    sim.edited()
    sim.changed = False
    sim.idle()
    assert sim.changed and not sim.stale

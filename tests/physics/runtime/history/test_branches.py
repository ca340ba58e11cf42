"""Nothing that was simulated is lost by running on from an earlier entry: it is a branch, which can be shown again."""
import numpy as np
import pytest

from physics.runtime import commands as c
from physics.runtime.carry_over import carry_over
from tests.physics.runtime.models import ARM, do, model, simulation

OTHER = ARM.replace('<body name="upper"', '<body name="new" pos="9 9 9"><joint name="new"/><geom size=".1"/></body><body name="upper"').replace('qpos="', 'qpos="0 ')


def rows(sim, branch=None) -> np.ndarray:
    return np.concatenate([piece.rows for piece in sim.history.track(branch).pieces])


def told(sim) -> list[tuple]:
    return [(info.id, info.parent, info.fork, info.count, info.kind, info.shown) for info in sim.history.told_branches()]


def go(sim, value: float, n: int) -> None:
    do(sim, c.SetCtrl(0, value), c.Step(n))


def test_running_on_from_an_earlier_entry_makes_the_later_ones_a_branch():
    sim = simulation()
    go(sim, 0.5, 20)
    whole = rows(sim).copy()
    do(sim, c.Scrub(8), c.SetCtrl(0, -1.0))
    events = do(sim, c.Run(), c.Pause())
    assert not events or all(event.kind != "cut" for event in events)
    sim.take(5)
    assert told(sim) == [(1, 0, 7, 13, "start", False), (2, 0, 7, 6, "run", True)] and len(sim.history) == 14
    assert (rows(sim, 1) == whole[8:]).all(), "the entry at which the control was changed too, as it was"
    assert sim.history.told_branches()[1].text == "changed at 0.016 s"


def test_a_branch_can_be_shown_again_and_so_can_what_was_shown():
    sim = simulation()
    go(sim, 0.5, 20)
    first = rows(sim).copy()
    do(sim, c.Scrub(8))
    go(sim, -1.0, 6)
    second = rows(sim).copy()
    do(sim, c.SwitchBranch(1))
    assert (rows(sim) == first).all() and sim.history.at_end() and sim.data.time == first[-1, 0] and not sim.running
    assert [one[0] for one in told(sim) if one[-1]] == [1]
    do(sim, c.Scrub(3), c.SwitchBranch(2))
    assert (rows(sim) == second).all() and sim.history.index == len(second) - 1
    sim.take(4)
    assert len(sim.history) == len(second) + 4
    do(sim, c.SwitchBranch(1))
    sim.take(2)
    assert (rows(sim)[:len(first)] == first).all() and len(sim.history) == len(first) + 2


def test_branches_of_branches_hang_where_they_parted():
    sim = simulation()
    go(sim, 0.5, 20)
    a = rows(sim).copy()
    do(sim, c.Scrub(10))
    go(sim, -1.0, 10)
    b = rows(sim).copy()
    do(sim, c.Scrub(15))
    go(sim, 1.0, 10)
    third = rows(sim).copy()
    do(sim, c.Scrub(5))
    go(sim, 0.2, 10)
    fourth = rows(sim).copy()
    parents = {one[0]: one[1] for one in told(sim)}
    assert parents == {1: 3, 2: 3, 3: 0, 4: 0}, "1 and 2 parted from the way that 3 has now"
    for branch, wanted in ((1, a), (2, b), (3, third), (4, fourth), (2, b), (3, third), (1, a)):
        do(sim, c.SwitchBranch(branch))
        assert rows(sim).shape == wanted.shape and (rows(sim) == wanted).all(), branch
        assert len(told(sim)) == 4


def test_the_same_steps_taken_again_leave_no_branch():
    sim = simulation()
    do(sim, c.SetNoise(0.5, 0.1, seed=3))
    go(sim, 0.3, 30)
    whole = rows(sim).copy()
    do(sim, c.Scrub(10))
    for _ in range(4):
        sim.take(5)
    assert [one[0] for one in told(sim)] == [1] and (rows(sim) == whole).all(), "it is that branch again"


def test_forces_switched_constraints_and_noise_are_as_they_were_held():
    """From a hundred entries of a run in which they change, running on gives what was recorded."""
    sim, random = simulation(history_bytes=1 << 24), np.random.default_rng(1)
    for k in range(40):
        do(sim, c.SetForce(1 + k % 3, tuple(random.normal(size=6))), c.SetNoise(0.3 * (k % 3), 0.1, seed=k), c.SetCtrl(0, float(random.normal())))
        if k % 7 == 3:
            do(sim, c.MoveMocap(0, tuple(random.normal(size=3))))
        do(sim, c.Step(5))
    whole = rows(sim).copy()
    for index in random.choice([k for k in range(len(whole)) if k % 5 < 4], 100):
        do(sim, c.Scrub(int(index)))
        sim.take(int(4 - index % 5))        # up to the entry at which something was changed again
        got = rows(sim)[index:]
        assert len(got) > 1 and (got == whole[index:index + len(got)]).all(), index
        do(sim, c.SwitchBranch(1), *(c.ForgetBranch(info.id) for info in sim.history.told_branches() if info.id != 1))
        assert (rows(sim) == whole).all() and len(told(sim)) == 1


def test_a_branch_of_an_earlier_model_is_shown_with_the_present_one():
    sim = simulation()
    go(sim, 0.5, 10)
    shoulder = rows(sim)[:, 2].copy()
    do(sim, c.SwapModel(model(OTHER), carry=carry_over, label="edit"), c.Step(5), c.Scrub(4), c.SetCtrl(0, -1.0), c.Step(3))
    assert [one[0] for one in told(sim)] == [1, 2]
    do(sim, c.SwitchBranch(1), c.Scrub(7))
    assert sim.data.qpos[1] == shoulder[7]
    do(sim, c.Scrub(-1))
    assert sim.data.time == pytest.approx(0.030)


def test_reset_and_keyframe_from_an_earlier_entry_lose_nothing():
    sim = simulation()
    go(sim, 0.5, 10)
    do(sim, c.Scrub(4), c.Reset(), c.Step(3), c.Scrub(2), c.LoadKey(0), c.Step(2))
    assert len(sim.history) == 11 + 4 + 3 and len(told(sim)) == 1


def test_branches_stay_within_the_budget():
    sim = simulation(history_bytes=1 << 18)
    for k in range(40):
        go(sim, 0.1 * k, 60)
        do(sim, c.StepBack(30))
    assert sim.history.nbytes() + sim.history.branches.nbytes <= 1 << 18 and len(told(sim)) > 2
    for info in sim.history.told_branches():
        do(sim, c.SwitchBranch(info.id))
        assert sim.history.branches.shown[0] == info.id and np.isfinite(sim.data.qpos).all()
    events = do(sim, c.SwitchBranch(999))
    assert [event.kind for event in events] == ["refused"]

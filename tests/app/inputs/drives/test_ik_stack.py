"""Drives that lead several hands of one body: through the hub, with the controls that come of it."""
import numpy as np
import pytest

import physics
from app.inputs.drives.ik_stack import gather
from app.inputs.mapping.dead_man import Lamp
from app.inputs.mapping.drive_mapping import DriveMapping, Limits
from physics.runtime.commands import SetEqActive
from tests.app.inputs.devices import Desk
from tests.physics.inverse_kinematics.two_armed import APART, WAIST, names

FREE = Limits(speed=0.4, turn=2.0, lead=(0.5, 2.0))


@pytest.fixture(scope="module")
def waist():
    return physics.load_string(WAIST)


def _hand(side: str, **more) -> DriveMapping:
    more = {"options": {"turn": 0.0}, "frame": "world", "clutch": "squeeze", "limits": FREE} | more
    return DriveMapping(side, f"script:{side}", "ik", site=f"{side}_hand", **more)


def _bent(m):
    """Elbows bent, as controls and joints."""
    return np.clip(m.qpos0, *m.jnt_range.T)


def _desk(m, *hands):
    desk = Desk(m, *hands)
    desk.data.qpos[:] = _bent(m)
    for i in range(m.nu):
        desk.data.ctrl[i] = desk.data.qpos[m.jnt_qposadr[m.actuator_trnid[i, 0]]]
    desk.runner.publish()
    desk.turn(2)
    return desk


def _site(desk, side):
    return desk.runner.snapshot.site_xpos[desk.runner.sim.model.id("site", f"{side}_hand")].copy()


def _lead(desk, ways, seconds, hold=0.5, h=0.004, idle=()):
    """The devices of some hands go so far in a time, then stay; the clutch is closed all the while. idle: hands whose clutch is open."""
    n = round(seconds / h)
    for k in range(n + round(hold / h)):
        share = min((k + 1) / n, 1.0)
        for side, way in ways.items():
            desk.sample(f"script:{side}", kind="pose", pos=tuple((share * np.array(way)).tolist()), quat=(1.0, 0, 0, 0), buttons=frozenset(["squeeze"]))
        for side in idle:
            desk.sample(f"script:{side}", kind="pose", pos=(0, 0, 0), quat=(1.0, 0, 0, 0))
        desk.turn(1, h)
        desk.runner.step(1)


def test_both_hands_come_to_their_targets(waist):
    desk = _desk(waist, _hand("left"), _hand("right"))
    stacks = [channel.drive.stack for channel in desk.hub._channels]
    assert stacks[0] is stacks[1] and len(stacks[0].ik.q) == waist.nu
    before = {side: _site(desk, side) for side in ("left", "right")}
    ways = {"left": (0.18, 0.05, 0.02), "right": (-0.1, -0.1, -0.1)}     # the one forward, the other back: the waist must serve both
    _lead(desk, ways, 1.2, 1.0)
    for side, way in ways.items():
        assert np.linalg.norm(_site(desk, side) - before[side] - way) < 0.01, side
    assert all(state.problems == () for state in desk.hub.states)


def test_who_holds_stays_where_it_is_while_the_other_moves_the_waist(waist):
    desk = _desk(waist, _hand("left"), _hand("right"))
    _lead(desk, {"left": (0.02, 0, 0), "right": (0.02, 0, 0)}, 0.2, 0.3)
    there, waist_before = _site(desk, "left"), desk.data.qpos[:2].copy()
    _lead(desk, {"right": (0.2, 0.05, -0.15)}, 1.0, idle=("left",))
    assert np.abs(desk.data.qpos[:2] - waist_before).max() > 0.05 and np.linalg.norm(_site(desk, "left") - there) < 0.01
    assert not desk.state("left").following and desk.state("right").lamp is Lamp.ARMED


def test_who_is_disarmed_has_no_say_and_its_own_joints_stay(waist):
    desk, alone = _desk(waist, _hand("left"), _hand("right")), _desk(waist, _hand("right"))
    desk.hub.disarm("left")
    for one in (desk, alone):
        one.turn()
        _lead(one, {"right": (0.2, 0.1, -0.1)}, 0.8)
    arm = [waist.jnt_qposadr[waist.id("joint", name)] for name in names("left", waist=False)]
    assert desk.data.ctrl[2:7] == pytest.approx(_bent(waist)[arm])
    assert desk.data.ctrl == pytest.approx(alone.data.ctrl, abs=1e-9)


def test_a_shared_joint_is_commanded_once(waist):
    desk = _desk(waist, _hand("left"), _hand("right"))
    found = []
    for k in range(40):
        for side in ("left", "right"):
            desk.sample(f"script:{side}", kind="pose", pos=(0.002 * k, 0, 0), quat=(1.0, 0, 0, 0), buttons=frozenset(["squeeze"]))
        found += [command for command in desk.turn() if hasattr(command, "indices")]
    sets = {command.indices for command in found}
    assert len(sets) == 2 and sorted(i for one in sets for i in one) == list(range(waist.nu))
    desk.hub.disarm("left")
    later = []
    for k in range(20):
        desk.sample("script:right", kind="pose", pos=(0.08 + 0.002 * k, 0, 0), quat=(1.0, 0, 0, 0), buttons=frozenset(["squeeze"]))
        later += [command for command in desk.turn() if hasattr(command, "indices")]
    assert {0, 1} <= set(later[-1].indices) and 2 not in later[-1].indices      # the waist is the right hand's now


def test_a_weld_between_the_hands_keeps_them_together(waist):
    apart = {}
    for welded in (False, True):
        desk = _desk(waist, _hand("left", options={"turn": 0.3}), _hand("right", options={"turn": 0.3}))
        _lead(desk, {"left": (0.01, 0, 0), "right": (0.01, 0, 0)}, 0.1, 0.1)
        stack = desk.hub._channels[0].drive.stack
        assert stack.ik.pairs == ((0, 1),) and not stack.ik.holds(0)
        if welded:
            desk.runner.send(SetEqActive(waist.id("equality", "held"), True))
            desk.turn(2)
        between = np.linalg.norm(stack.ik.pose(0)[0] - stack.ik.pose(1)[0])
        _lead(desk, {"left": (0.1, 0.1, 0.0), "right": (0.01, 0, 0)}, 0.6, 0.2)
        assert stack.ik.holds(0) is welded
        apart[welded] = abs(np.linalg.norm(stack.ik.pose(0)[0] - stack.ik.pose(1)[0]) - between)
        if welded:
            desk.runner.send(SetEqActive(waist.id("equality", "held"), False))
            desk.turn(2)
            _lead(desk, {"left": (0.1, 0.1, 0.0), "right": (0.01, 0, 0)}, 0.2, 0.0)
            assert not stack.ik.holds(0)
    assert apart[True] < 2e-3 and apart[False] > 0.03, apart


def test_arms_that_share_nothing_have_a_problem_each():
    m = physics.load_string(APART)
    desk = _desk(m, _hand("left"), _hand("right"))
    assert desk.hub._channels[0].drive.stack is not desk.hub._channels[1].drive.stack
    tied = physics.load_string(APART.replace("<actuator>", '<equality><weld body1="left_hand" body2="right_hand" active="false"/></equality><actuator>'))
    desk = _desk(tied, _hand("left"), _hand("right"))
    assert desk.hub._channels[0].drive.stack is desk.hub._channels[1].drive.stack      # they may come to hold one thing
    gather(tied, [])


def test_a_reset_begins_anew_for_all(waist):
    desk = _desk(waist, _hand("left"), _hand("right"))
    _lead(desk, {"left": (0.1, 0, 0), "right": (0.1, 0, 0)}, 0.4)
    for channel in desk.hub._channels:
        channel.forget()
    assert not desk.hub._channels[0].drive.stack.ik.moves.any()
    _lead(desk, {"left": (0.1, 0, 0), "right": (0.1, 0, 0)}, 0.4)
    assert desk.hub._channels[0].drive.stack.ik.moves.all()

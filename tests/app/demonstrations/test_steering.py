"""Who drives: commands of others do not get through, a person takes over at once and hands back smoothly, and goes back before that."""
import math

import pytest

from app.demonstrations import steering as steering_module
from app.demonstrations.session import Session
from app.demonstrations.steering import Steering, between
from physics.runtime import commands as c
from tests.app.demonstrations.live import Live


@pytest.fixture
def live():
    made = Live()
    made.open()
    made.settle()
    yield made
    made.close()


def ctrl(live):
    return live.visit(lambda sim: float(sim.data.ctrl[0]))


def test_only_the_one_who_drives_gets_through(live):
    session = Session(live.runner)
    steering = Steering(live.runner, session, "policy")
    session.start()
    assert steering.send("policy", "shoulder", c.SetCtrl(0, 0.5)) and ctrl(live) == 0.5
    assert not steering.send("person", "shoulder", c.SetCtrl(0, 0.9)) and ctrl(live) == 0.5 and steering.refused == 1
    live.step(10)
    steering.take_over()
    assert not steering.send("policy", "shoulder", c.SetCtrl(0, 0.1)) and steering.send("person", "shoulder", c.SetCtrl(0, 0.9)) and ctrl(live) == 0.9
    live.step(10)
    steering.hand_back()
    live.step(10)
    session.succeed()
    live.settle()
    session.update()
    (one,) = session.episodes
    assert one.drivers == ((one.first, "policy"), (one.first + 10, "person"), (one.first + 20, "policy")) and steering.driver == "policy"
    with pytest.raises(ValueError, match="none of person, policy, script"):
        steering.take_over("nobody")


def test_what_was_sent_before_a_reset_is_no_target_any_more(live, monkeypatch):
    monkeypatch.setattr(steering_module, "RECENT", 0.0)
    steering = Steering(live.runner, Session(live.runner), "person", blend=0.2)
    steering.send("person", "shoulder", c.SetCtrl(0, 1.0))
    live.step(10)
    live.runner.send(c.Reset())
    live.settle()
    live.wait(lambda: live.runner.published.time == 0)
    steering.offer("policy")
    steering.send("policy", "shoulder", c.SetCtrl(0, 0.0))
    assert steering.driver == "policy" and ctrl(live) == 0.0


def test_handing_back_goes_over_smoothly_to_the_policys_targets(live):
    steering = Steering(live.runner, Session(live.runner), "policy", blend=0.2)
    steering.take_over()
    steering.send("person", "shoulder", c.SetCtrl(0, 1.0))
    live.step(1)
    steering.hand_back()
    seen = []
    for _ in range(50):
        steering.send("policy", "shoulder", c.SetCtrl(0, 0.0))
        seen.append(ctrl(live))
        number = live.runner.published.entry
        live.runner.send(c.Step(1))
        live.wait(lambda number=number: live.runner.published.entry > number)
    assert seen[0] == 1.0 and seen[-1] == 0.0 and all(b <= a for a, b in zip(seen, seen[1:])) and max(a - b for a, b in zip(seen, seen[1:])) < 0.05


def test_going_back_takes_over_there_and_what_came_after_is_a_branch(live):
    session = Session(live.runner)
    steering = Steering(live.runner, session, "policy")
    session.reset()
    session.start()
    live.step(100)
    session.update()
    steering.rewind(0.25, run=False)
    live.wait(lambda: live.visit(lambda sim: sim.history.number) == session.current.first + 50)
    steering.send("person", "shoulder", c.SetCtrl(0, 0.3))
    live.step(20)
    session.succeed()
    live.settle()
    session.update()
    (one,) = session.episodes
    assert one.steps == 70 and one.drivers == ((one.first, "policy"), (one.first + 50, "person")) and one.whole
    assert live.visit(lambda sim: len(sim.history.told_branches())) == 2
    session.start()
    live.step(10)
    session.update()
    steering.rewind(3.0, run=False)      # no farther than the episode's beginning
    live.wait(lambda: live.visit(lambda sim: sim.history.number) == session.current.first)


def test_commands_made_for_a_state_that_was_left_are_left_out(live):
    steering = Steering(live.runner, Session(live.runner), "person")
    live.step(40)
    before = live.visit(lambda sim: sim.jumps)
    assert steering.send("person", "shoulder", c.SetCtrl(0, 0.5), before) and ctrl(live) == 0.5
    live.step(10)
    steering.rewind(0.1, run=False)
    steering.send("person", "shoulder", c.SetCtrl(0, 0.9), before)      # worked out before it was seen
    assert ctrl(live) == 0.0 and steering.outdated == 1
    steering.send("person", "shoulder", c.SetCtrl(0, 0.7), live.visit(lambda sim: sim.jumps))
    assert ctrl(live) == 0.7 and steering.outdated == 1
    snapshot = live.wait(lambda: (found := live.runner.acquire()) is not None and found.ctrl[0] == 0.7 and found)
    assert snapshot.jumps == live.visit(lambda sim: sim.jumps) == before + 1


def test_where_there_is_no_past_commands_go_as_they_are(live, monkeypatch):
    """In the window of a script, which takes no others."""
    steering, sent = Steering(live.runner, Session(live.runner), "person"), []
    monkeypatch.setattr(live.runner, "latest", lambda key, command: sent.append(command))
    steering.send("person", "shoulder", c.SetCtrl(0, 0.5), 3)
    monkeypatch.setattr(live.runner, "keeps_history", False)
    steering.send("person", "shoulder", c.SetCtrl(0, 0.5), 3)
    assert [type(one) for one in sent] == [c.Decide, c.SetCtrl]


def test_what_is_left_behind_counts_where_who_drives_now_commands_nothing(live):
    steering = Steering(live.runner, Session(live.runner), "policy", blend=0.0)
    steering.take_over()
    steering.send("person", "wheels", c.SetCtrls((0, 1), (1.0, 2.0)))
    steering.hand_back()
    steering.send("policy", "shoulder", c.SetCtrl(0, 0.4))
    steering.release("person", c.SetCtrls((0, 1), (0.0, 0.0)))
    assert live.visit(lambda sim: sim.data.ctrl.tolist()) == [0.4, 0.0]
    steering.take_over()
    steering.release("person", c.SetCtrl(0, 9.0))       # who drives sends
    assert ctrl(live) == 0.4


def test_between_turns_the_shorter_way():
    half = math.sqrt(0.5)
    found = between(c.MoveMocap(0, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)), c.MoveMocap(0, (1.0, 0.0, 0.0), (-half, -half, 0.0, 0.0)), 0.5)
    assert found.pos == (0.5, 0.0, 0.0) and found.quat == pytest.approx((math.cos(math.pi / 8), math.sin(math.pi / 8), 0.0, 0.0))
    assert between(c.SetCtrls((0, 1), (0.0, 1.0)), c.SetCtrls((0, 1), (1.0, 3.0)), 0.25) == c.SetCtrls((0, 1), (0.25, 1.5))
    assert between(c.SetCtrl(0, 1.0), c.SetCtrl(1, 0.0), 0.5) == c.SetCtrl(1, 0.0)

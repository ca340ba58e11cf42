"""Giving demonstrations to a run in its thread: words, starts, success by itself."""
import numpy as np
import pytest

from app.demonstrations.session import Session
from app.demonstrations.starts import Range, Start
from app.demonstrations.success import Success
from physics.runtime import commands as c
from tests.app.demonstrations.live import Live


@pytest.fixture
def live():
    made = Live()
    made.open()
    yield made
    made.close()


def outcomes(session):
    session.update()
    return [one.outcome for one in session.episodes]


def test_buttons_make_episodes_and_counts(live):
    session = Session(live.runner)
    for words in (("start", "success"), ("reset", "start", "failure"), ("start", "discard", "undo", "success"), ("start", "undo")):
        for word in words:
            session.event(word)
            live.step(5)
    assert outcomes(session) == ["success", "failure", "success"]
    assert session.counts["success"] == 2 and session.counts["failure"] == 1 and session.current is None
    with pytest.raises(KeyError):
        session.event("explode")


def test_recording_again_discards_resets_and_starts(live):
    session = Session(live.runner, start=Start("home"))
    session.describe("push")
    session.reset()
    session.start()
    live.step(30)
    session.record_again()
    live.wait(lambda: session.update() and session.current is not None and len(session.episodes) == 2)
    assert [one.outcome for one in session.episodes] == ["discard", "open"] and session.current.task == "push"
    home = live.visit(lambda sim: sim.data.qpos.copy())
    np.testing.assert_array_equal(home, live.model.key_qpos[0])


def test_drawn_starts_differ_and_can_be_had_again(live):
    start = Start("home", (Range("cube.x", -0.1, 0.1), Range("shoulder", -0.2, 0.2)), seed=4)
    session, seen = Session(live.runner, start=start), []
    for k in range(3):
        session.reset()
        session.start()
        live.wait(lambda k=k: session.update() and len(session.episodes) == k + 1)
        seen.append(live.visit(lambda sim: sim.data.qpos.copy()))
        session.succeed()
    assert [one.drawn for one in session.episodes] == [0, 1, 2] and len({tuple(one) for one in seen}) == 3
    again = Session(live.runner, start=start)
    again.update()
    again.reset()
    again.start()
    live.wait(lambda: again.update() and again.current is not None)
    assert again.current.drawn == 3       # goes on where the recording is
    session.start_state = Start("home", (Range("cubes.x", 0, 1),))
    session.reset()
    live.wait(lambda: session.problem)
    assert "no joint 'cubes'" in session.problem and "cube" in session.problem


def test_it_succeeds_by_itself_once_the_expression_has_held(live):
    session = Session(live.runner, success=Success("time > 0.2", 0.1))
    session.start()
    live.runner.send(c.Run())
    live.wait(lambda: outcomes(session)[:1] == ["success"])
    (one,) = session.episodes
    assert one.how == "automatic: time > 0.2" and one.steps * 0.005 > 0.29
    session.succeed_by(Success("tme > 0"))
    session.start()
    live.wait(lambda: (session.update(), session.problem)[1])
    assert outcomes(session)[1] == "open" and "tme" in session.problem


def test_another_document_begins_with_no_episode(live):
    session = Session(live.runner)
    session.start()
    live.step(3)
    assert outcomes(session) == ["open"]
    import physics

    live.runner.send(c.SwapModel(physics.load_string(live.text), document=2))
    live.wait(lambda: session.update() and not session.episodes)
    session.start()
    live.step(3)
    assert outcomes(session) == ["open"]

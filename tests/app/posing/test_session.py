"""Posing beside the window: what the session does while the target rests."""
import time

import numpy as np
import pytest

import physics
from app.posing.session import PosingSession
from physics.model.state_fields import State
from tests.physics.inverse_kinematics.test_solve import TWO_LINKS, place

WAIT = 20.0


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture
def posing():
    """begin(text, qpos, **options) -> (model, session, poses that were sent)."""
    made = []

    def begin(text, qpos, **options):
        m, sent = physics.load_string(text), []
        session = PosingSession(m, lambda _key, command: sent.append(np.array(command.qpos)), physics.IKOptions(**options))
        made.append(session)
        d = physics.Data(m)
        d.qpos[:] = qpos
        session.begin(State.of(d))
        return m, session, sent

    yield begin
    for session in made:
        session.close()


def rest(session, target, until=lambda result: True):
    """Wait until the session has nothing more to do for a target, then for the condition."""
    session.want(target)
    end, before = time.monotonic() + WAIT, -1
    while time.monotonic() < end:
        answer, count = session.answer, session.solutions
        if answer is not None and answer.target == target and count == before and until(answer.result):
            return answer.result
        before = count
        time.sleep(0.1)
    raise AssertionError("it goes on and on" if session.solutions != before else session.answer)


def test_where_small_steps_are_stuck_another_start_meets_the_target(posing):
    """The elbow has to go through its straight pose, from which the limits keep it."""
    m, session, sent = posing(TWO_LINKS.format(a='range="-1 2"', b='range="-2 2"'), (0.1, -1.58))
    target = place(m, (0.89, 1.71))
    found = rest(session, physics.IKTarget("site", "end", pos=tuple(target)))
    assert found.converged and np.linalg.norm(place(m, sent[-1]) - target) < 1e-4
    assert -1 <= sent[-1][0] <= 2 and -2 <= sent[-1][1] <= 2


def test_out_of_reach_it_stays_where_it_is(posing):
    """No pose from another start is taken that does not meet the target, and the session comes to rest."""
    m, session, sent = posing(TWO_LINKS.format(a='range="-1 2"', b='range="-2 2"'), (0.1, 1.2))
    found = rest(session, physics.IKTarget("site", "end", pos=(2.0, 0.0, 0.0)))
    assert not found.converged and np.abs(np.diff(sent[-6:], axis=0)).max() < 1e-6 and np.allclose(place(m, sent[-1]), (0.9, 0, 0), atol=1e-3)


def test_back_at_the_start_the_posture_is_that_of_the_start(posing):
    """A target led past the base leaves the elbow bent the other way."""
    start = np.array([0.2, 0.8])
    m, session, sent = posing(TWO_LINKS.format(a="", b='range="-2.5 2.5"'), start)
    rest(session, physics.IKTarget("site", "end", pos=(-0.92, 0.0, 0.23)))
    found = rest(session, physics.IKTarget("site", "end", pos=tuple(place(m, start))))
    assert found.converged and np.allclose(sent[-1], start, atol=1e-2)

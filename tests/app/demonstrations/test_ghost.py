"""A demonstration as a ghost over a live attempt."""
import numpy as np
import pytest

from app.demonstrations.ghost import ghost_track, start_ghost
from app.demonstrations.sources import opened
from app.demonstrations.states import states_of
from physics.runtime import commands as c
from physics.runtime.companions.companions import Companions
from tests.app.demonstrations.live import Live
from tests.app.demonstrations.made import Made


@pytest.fixture
def live():
    made = Live()
    made.open()
    yield made
    made.close()


def test_it_shows_the_state_of_as_long_after_the_beginning(live, tmp_path):
    made = Made(tmp_path)
    made.move(33)
    made.episode(100)
    path = made.save(tmp_path / "a.h5")
    live.step(60)       # the attempt begins at 0.3 s
    live.runner.send(c.SetCtrl(0, 0.4))
    companions = Companions(live.runner)
    try:
        ghost = start_ghost(companions, path, 1, 0.3)
        live.step(25)
        live.wait(lambda: ghost.acquire() is not None and abs(ghost.acquire().time - 0.425) < 1e-9)
        with opened(path) as of:
            states = states_of(of, of.episode(1))
            piece, row = states.at(states.episode.first + 25)
            assert np.array_equal(ghost.acquire().qpos, piece.columns("qpos")[row])
            ghost.show_track(lambda: ghost_track(states.track, 0.425))      # another attempt begins now
            live.wait(lambda: ghost.acquire().time == 0.425 and np.array_equal(ghost.acquire().qpos, states.at(states.episode.first)[0].columns("qpos")[states.at(states.episode.first)[1]]))
    finally:
        companions.stop(wait=True)

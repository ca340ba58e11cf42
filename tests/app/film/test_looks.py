"""What is large and stays the same goes to the process that draws a film once, and is forgotten at both ends."""
import numpy as np
import pytest

import physics
from app.bridge import ViewState, VisOptions
from app.bridge.ghost import Ghost
from app.bridge.markers import Markers
from app.film.looks import LookReceiver, LookSender
from tests.app.film.pendulum import PENDULUM


@pytest.fixture
def pipe():
    """pipe(look, model): the look as the other end has it, and how many parts went before it."""
    sender, receiver = LookSender(), LookReceiver()

    def through(look, model, there):
        packed, parts = sender.pack(look, model)
        for number, part in parts:
            receiver.take(number, part)
        return receiver.unpack(packed, there), len(parts), len(packed)

    return through


def test_parts_go_once_and_again_when_they_had_not_been_named(pipe):
    m, there, other = (physics.load_string(PENDULUM) for _ in range(3))
    store = Markers()
    store.points(np.zeros((1000, 3)))
    ghosts = tuple(Ghost(model, np.zeros((model.ngeom, 3)), np.zeros((model.ngeom, 9))) for model in (m, other))
    look = VisOptions(), None, ViewState(markers=store.now(), ghosts=ghosts)
    (_options, _camera, state), sent, size = pipe(look, m, there)
    assert sent == 2 and size < 8000 and state.markers is store.now()
    assert state.ghosts[0].model is there and state.ghosts[1].model is other      # the Model of the frame state is the one that is there
    assert pipe(look, m, there)[1] == 0
    store.sphere((0, 0, 0))
    look = VisOptions(), None, ViewState(markers=store.now(), ghosts=ghosts)
    state, sent, _ = pipe(look, m, there)
    assert sent == 1 and len(state[2].markers.arrays().solids) == 1
    assert pipe((VisOptions(), None, ViewState()), m, there)[1] == 0
    assert pipe(look, m, there)[1] == 2

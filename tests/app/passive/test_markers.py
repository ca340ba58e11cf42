"""What scripts draw is handed on to the window's markers."""
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np

from app.passive.markers import OWNER, replay
from linkwork.user_scene import UserScene
from physics.enums import GeomType


class Store:
    """Notes what is asked of it, as app/bridge/markers."""

    def __init__(self):
        self.added, self.drawn = [], None

    def owner(self, name):
        assert name == OWNER
        return SimpleNamespace(sphere=lambda *a, **o: self.added.append(("sphere", a, o)), clear=self.clear)

    def clear(self):
        self.added, self.drawn = [], None

    @contextmanager
    def frame(self, name):
        assert name == OWNER
        made = []
        yield SimpleNamespace(box=lambda *a, **o: made.append(("box", a, o)))
        self.drawn = made


def test_geoms_are_a_frame_and_markers_are_added():
    scene, store = UserScene(maxgeom=5), Store()
    context = SimpleNamespace(markers=store)
    scene.add(GeomType.BOX, size=(1, 2, 3))
    scene.sphere((0, 0, 1), lifetime=2.0)
    told = scene.news()
    replay(context, told["geoms"], told["calls"])
    (_, (pos, size), options), = store.drawn
    assert np.array_equal(size, [[1, 2, 3]]) and options["rgba"].shape == (1, 4) and len(store.added) == 1
    replay(context, None, ())       # as before
    assert len(store.drawn) == 1
    scene.clear()
    scene.add(GeomType.BOX)
    told = scene.news()
    replay(context, told["geoms"], told["calls"])
    assert len(store.drawn) == 1 and not store.added
    scene.ngeom = 0
    told = scene.news()
    replay(context, told.get("geoms"), told.get("calls", ()))
    assert store.drawn == []


def test_a_window_without_markers_draws_none():
    replay(SimpleNamespace(), (("box", (), {}),), ())

"""The loader of kernels asks for the model that is compiled first, and keeps none."""
import gc
import weakref

import physics
from app.kernel_loader import KernelLoader

BALL = "<mujoco model='{0}'><worldbody><body name='{0}'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


def asked(qtbot, monkeypatch, loader) -> list:
    """What the loader says when it is asked for the model that is to move soonest."""
    found = []
    monkeypatch.setattr(physics, "ensure_engine", lambda _progress, first, _ready: found.append(first()))
    monkeypatch.setattr(physics, "ensure_compiler", lambda: None)
    monkeypatch.setattr(physics, "ensure_hard", lambda _progress: None)
    with qtbot.waitSignal(loader.ended):
        loader.start()
    return found


def test_the_model_that_is_about_to_be_shown_is_compiled_first(qtbot, monkeypatch):
    loader, first, second = KernelLoader(), physics.load_string(BALL.format("one")), physics.load_string(BALL.format("two"))
    loader.model_compiled(first)
    loader.model_compiled(second)
    assert asked(qtbot, monkeypatch, loader) == [second]


def test_a_text_with_errors_needs_nothing_first(qtbot, monkeypatch):
    loader = KernelLoader()
    loader.model_compiled(None)
    assert asked(qtbot, monkeypatch, loader) == [None]


def test_it_keeps_no_model(qtbot, monkeypatch):
    loader, model = KernelLoader(), physics.load_string(BALL.format("one"))
    loader.model_compiled(model)
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None and asked(qtbot, monkeypatch, loader) == [None]

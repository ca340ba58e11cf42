"""The picture beside a dialog's settings: who frees what it is drawn with, whenever the dialog ends."""
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from app.panels.pipeline.newest_work import NewestWork
from editor.tree.preview import Preview, Tried


class Pictures:
    """In place of the window's: drawing begins when it may, and says what is held at the end."""

    def __init__(self):
        self.begin, self.begun, self.holds = threading.Event(), threading.Event(), False

    def work(self, parent):
        return NewestWork("preview", parent)

    def draw(self, m, made, look, size):
        self.begun.set()
        assert self.begin.wait(20)
        self.holds = True
        return np.zeros((size[1], size[0], 3), np.uint8)

    def let_go(self):
        self.holds = False


@pytest.mark.parametrize("while_drawn", [True, False])
def test_a_renderer_made_after_the_end_is_let_go_too(qtbot, monkeypatch, while_drawn):
    pictures = Pictures()
    preview = Preview(pictures)
    qtbot.addWidget(preview)
    monkeypatch.setattr(Preview, "_compiled", lambda *_: Tried("", SimpleNamespace(model=object(), made=(), problems=())))
    preview.resize(300, 200)
    preview.show_change(SimpleNamespace(), lambda draft: None)
    qtbot.waitUntil(pictures.begun.is_set, timeout=20000)
    if while_drawn:
        preview.end()       # before there is a renderer, which is made after it
        pictures.begin.set()
        qtbot.waitUntil(lambda: not preview._work.busy, timeout=20000)
    else:
        pictures.begin.set()
        qtbot.waitUntil(lambda: not preview._work.busy, timeout=20000)
        assert pictures.holds
        preview.end()
    assert not pictures.holds
    preview.resize(400, 300)
    preview._turn(3, 3)
    assert not preview._work.busy, "nothing is drawn for a dialog that has ended"

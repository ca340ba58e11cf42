from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtGui import QAction, QFocusEvent, QKeyEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QMainWindow, QWidget

import pytest

from app.inputs.sources.keyboard import HeldKeys
from app.viewport.teleop_keys import TeleopKeys, key_name


class Keys:
    """Stands for a Keyboard: what it was told."""

    def __init__(self):
        self.held = HeldKeys()
        self.key_down, self.key_up, self.release_all = self.held.down, self.held.up, self.held.release

    def axes(self) -> dict:
        return {name: value for name, value in self.held.after(10.0)[0].items() if value}


@pytest.fixture
def window(qtbot):
    main = QMainWindow()
    main.view = QWidget()
    main.view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    main.setCentralWidget(main.view)
    main.shortcut = QAction("Wireframe", main)
    main.shortcut.setShortcut("W")
    main.done = []
    main.shortcut.triggered.connect(lambda: main.done.append("wireframe"))
    main.addAction(main.shortcut)
    main.keyboard, main.escaped = Keys(), []
    main.keys = TeleopKeys(main.view, main.keyboard, lambda: main.escaped.append(1))
    qtbot.addWidget(main)
    main.show()
    qtbot.waitExposed(main)
    main.activateWindow()
    main.view.setFocus()
    qtbot.waitUntil(main.view.hasFocus)
    return main


def test_unarmed_the_views_letters_are_the_views(window):
    QTest.keyPress(window.view, Qt.Key.Key_W)
    assert window.done == ["wireframe"] and not window.keyboard.axes()


def test_armed_they_move_the_model(window):
    window.keys.arm(True)
    QTest.keyPress(window.view, Qt.Key.Key_W)
    QTest.keyPress(window.view, Qt.Key.Key_Space)
    assert not window.done and window.keyboard.axes() == {"x": 1.0} and window.keyboard.held.after(0)[1] == {"space"}
    QTest.keyRelease(window.view, Qt.Key.Key_W)
    assert not window.keyboard.axes()


def test_auto_repeat_is_ignored(window):
    window.keys.arm(True)
    QTest.keyPress(window.view, Qt.Key.Key_E)
    for _ in range(3):      # as X11 has it: up and down again, both marked
        for kind in (QEvent.Type.KeyRelease, QEvent.Type.KeyPress):
            QApplication.sendEvent(window.view, QKeyEvent(kind, Qt.Key.Key_E, Qt.KeyboardModifier.NoModifier, "e", True))
            assert window.keyboard.axes() == {"z": 1.0}


@pytest.mark.parametrize("lose", [QFocusEvent(QEvent.Type.FocusOut), QEvent(QEvent.Type.WindowDeactivate)], ids=["focus", "window"])
def test_without_the_focus_nothing_is_held(window, lose):
    window.keys.arm(True)
    QTest.keyPress(window.view, Qt.Key.Key_A)
    assert window.keyboard.axes() == {"y": 1.0}
    QApplication.sendEvent(window.view, lose)
    assert not window.keyboard.axes()


def test_escape_holds_everything_and_ctrl_keys_are_the_windows(window):
    window.keys.arm(True)
    QTest.keyPress(window.view, Qt.Key.Key_A)
    QTest.keyPress(window.view, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert window.keyboard.axes() == {"y": 1.0}
    QTest.keyPress(window.view, Qt.Key.Key_Escape)
    assert window.escaped == [1] and not window.keyboard.axes()


def test_names_of_keys():
    assert [key_name(k) for k in (Qt.Key.Key_A, Qt.Key.Key_Space, Qt.Key.Key_F1, Qt.Key.Key_Shift)] == ["a", "space", "f1", "shift"]

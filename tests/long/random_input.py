"""Random input for the window, drawn by a seed: keys, mouse, wheel, menus, sliders, texts, files, panels, windows of other sizes.

Every method of Hands is one thing that somebody may do; it is a generator that pauses where the event loop may have a turn, as it has between two
events of a real hand.
"""
from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from PyQt6.QtCore import QPoint, QPointF, Qt, QTimer
from PyQt6.QtGui import QMouseEvent, QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QAbstractSlider, QApplication, QCheckBox, QComboBox, QDialog, QWidget

from physics.files.atomic_write import write_file
from tests.app.workbench import Workbench

LEFT_OUT = ("quit", "close_window", "new_window", "open_in_new_window", "fullscreen", "full_speed", "copy_state", "copy_state_full", "copy_camera", "copy_name",
            "copy_path", "copy_pose")       # actions that end the window or make others, and those that touch what belongs to the desktop
KEYS = tuple(Qt.Key(code) for code in (*range(Qt.Key.Key_A, Qt.Key.Key_Z + 1), *range(Qt.Key.Key_0, Qt.Key.Key_5 + 1), Qt.Key.Key_Space, Qt.Key.Key_Left,
                                       Qt.Key.Key_Right, Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight, Qt.Key.Key_F6, Qt.Key.Key_F7, Qt.Key.Key_F8,
                                       Qt.Key.Key_Escape, Qt.Key.Key_Backspace, Qt.Key.Key_PageUp, Qt.Key.Key_Tab))
ESCAPE_MS = 100     # between two looks whether a dialog waits
COMMENT = "<!-- a -->"
LARGEST_EDIT = 200_000      # characters: a larger text is not edited
Button, Modifier = Qt.MouseButton, Qt.KeyboardModifier


class Wait:
    """What Workbench waits with, in a program of its own."""

    def __init__(self, app: QApplication):
        self._app = app

    def waitUntil(self, condition, timeout: int) -> None:
        """Process events until condition(). Raises TimeoutError."""
        end = time.monotonic() + timeout / 1000
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError("the window did not get there")
            self._app.processEvents()
            time.sleep(0.001)


class Hands:
    """Random input for a window. count: how often each thing was done; last: what was done last; left_out: ids of actions that are not taken."""

    def __init__(self, bench: Workbench, seed: int, left_out: tuple[str, ...] = LEFT_OUT):
        self.bench, self.random = bench, random.Random(seed)
        self.actions = [action for name, action in bench.actions.items() if name not in left_out]
        self.does = (self.key, self.key, self.drag, self.drag, self.wheel, self.wheel_on_a_panel, self.click, self.double_click, self.action, self.panel, self.move_panel,
                     self.control, self.control, self.type, self.edit, self.break_text, self.save_elsewhere, self.resize, self.pause)
        self.count: Counter = Counter()
        self.last = ""

    def act(self) -> Iterator[None]:
        """One of them."""
        what = self.random.choice(self.does)
        self.count[what.__name__] += 1
        self.last = what.__name__
        yield from what()

    def _point(self) -> QPointF:
        host = self.bench.host
        return QPointF(self.random.uniform(1, max(2, host.width() - 1)), self.random.uniform(1, max(2, host.height() - 1)))

    # ------------------------------------------------------------------ the view

    def key(self) -> Iterator[None]:
        """A key in the view."""
        QTest.keyClick(self.bench.host, self.random.choice(KEYS), self.random.choice((Modifier.NoModifier, Modifier.NoModifier, Modifier.ShiftModifier)))
        yield

    def drag(self) -> Iterator[None]:
        """The camera, or the selected body with Ctrl."""
        button = self.random.choice((Button.LeftButton, Button.RightButton, Button.MiddleButton))
        modifier = self.random.choice((Modifier.NoModifier, Modifier.ControlModifier, Modifier.ShiftModifier))
        at = self._point()
        QTest.mousePress(self.bench.host, button, modifier, at.toPoint())
        for _ in range(4):
            yield
            at = self._point()
            self.bench.move(at, button, modifier)
        yield
        QTest.mouseRelease(self.bench.host, button, modifier, at.toPoint())
        yield

    def wheel(self) -> Iterator[None]:
        """Zoom."""
        self._turn_wheel(self.bench.host, self._point())
        yield

    def click(self) -> Iterator[None]:
        """What is there?"""
        at, button = self._point().toPoint(), self.random.choice((Button.LeftButton, Button.LeftButton, Button.MiddleButton))
        QApplication.sendEvent(self.bench.host, QMouseEvent(QMouseEvent.Type.MouseMove, QPointF(at), QPointF(self.bench.host.mapToGlobal(at)), Button.NoButton, Button.NoButton,
                                                            Modifier.NoModifier))
        yield
        QTest.mouseClick(self.bench.host, button, self.random.choice((Modifier.NoModifier, Modifier.ShiftModifier)), at)
        yield

    def double_click(self) -> Iterator[None]:
        """Select, or look at."""
        self.bench.double_click(self._point(), self.random.choice((Button.LeftButton, Button.RightButton)))
        yield

    def pause(self) -> Iterator[None]:
        """Run or pause."""
        self.bench.actions["run"].trigger()
        yield

    # ------------------------------------------------------------------ the window

    def action(self) -> Iterator[None]:
        """A menu entry."""
        chosen = self.random.choice(self.actions)
        self.last = f"action {chosen.text()!r}"
        chosen.trigger()
        yield

    def panel(self) -> Iterator[None]:
        """Bring a panel to the front."""
        chosen = self.random.choice(list(self.bench.docks.docks))
        self.last = f"panel {chosen}"
        self.bench.docks.show(chosen)
        yield

    def move_panel(self) -> Iterator[None]:
        """Float a panel, put it on another side, or close it."""
        dock = self.random.choice(list(self.bench.docks.docks.values()))
        what = self.random.randrange(3)
        if what == 0:
            dock.setFloating(not dock.isFloating())
        elif what == 1:
            side = self.random.choice((Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea))
            self.bench.window.addDockWidget(side, dock)
        else:
            dock.close()
        yield

    def resize(self) -> Iterator[None]:
        """The window."""
        self.bench.window.resize(self.random.randrange(700, 1300), self.random.randrange(500, 900))
        yield

    # ------------------------------------------------------------------ panels

    def _panel(self):
        panels = [panel for panel in self.bench.docks.panels.values() if panel.isVisible()]
        return self.random.choice(panels) if panels else None

    def control(self) -> Iterator[None]:
        """A slider, a check box or a chooser of a panel that can be seen."""
        panel = self._panel()
        parts = [part for part in panel.findChildren((QAbstractSlider, QCheckBox, QComboBox)) if part.isVisible() and part.isEnabled()] if panel is not None else []
        if parts:
            part = self.random.choice(parts)
            self.last = f"control {type(part).__name__} in {type(part.parentWidget()).__name__} of {type(panel).__name__}"
            if isinstance(part, QCheckBox):
                part.click()
            elif isinstance(part, QComboBox):
                index = self.random.randrange(max(1, part.count()))
                part.setCurrentIndex(index)
                part.activated.emit(index)
            else:
                part.setValue(self.random.randint(part.minimum(), part.maximum()))
        yield

    def wheel_on_a_panel(self) -> Iterator[None]:
        """Scroll a panel."""
        panel = self._panel()
        if panel is not None:
            self._turn_wheel(panel, QPointF(self.random.uniform(0, panel.width()), self.random.uniform(0, panel.height())))
        yield

    def _turn_wheel(self, widget, at: QPointF) -> None:
        target = widget.childAt(at.toPoint()) or widget
        place = target.mapFrom(widget, at) if target is not widget else at
        event = QWheelEvent(place, QPointF(widget.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, self.random.choice((-120, 120))), Button.NoButton, Modifier.NoModifier,
                            Qt.ScrollPhase.NoScrollPhase, False)
        QApplication.sendEvent(target, event)

    # ------------------------------------------------------------------ texts and files

    def _editor(self):
        return self.bench.source.editor() if "source" in self.bench.docks.panels else None

    def type(self) -> Iterator[None]:
        """Some keys in the text, and back."""
        editor = self._editor()
        if editor is None or editor.isReadOnly():
            return
        for letter in COMMENT:
            QTest.keyClick(editor, letter)
            yield
        for _ in COMMENT:
            QTest.keyClick(editor, Qt.Key.Key_Backspace)
            yield

    def _change(self, old: str, new: str) -> None:
        session = self.bench.session
        text = session.document.main.text
        if len(text) <= LARGEST_EDIT and session.document.archive is None:
            session.set_text(session.document.main_key, text.replace(old, new, 1))
            session.apply()

    def edit(self) -> Iterator[None]:
        """Another text, applied at once."""
        self._change("</worldbody>", f"<!-- {self.random.randrange(100)} --></worldbody>")
        yield

    def break_text(self) -> Iterator[None]:
        """A text that cannot be compiled, and the old one again."""
        text = self.bench.session.document.main.text
        self._change("<worldbody>", "<worldbody")
        yield
        self._change(self.bench.session.document.main.text, text)
        yield

    def save_elsewhere(self) -> Iterator[None]:
        """Another program writes the file."""
        path = self.bench.session.path
        if isinstance(path, Path) and path.suffix == ".xml" and path.stat().st_size < LARGEST_EDIT:
            text = path.read_text().rstrip() + f"\n<!-- {self.random.randrange(100)} -->\n"
            threading.Thread(target=write_file, args=(path, text), name="another program").start()     # the disk may keep it waiting
        yield


def put_away() -> None:
    """Leave the dialog or the menu that waits for an answer, as somebody who presses Esc."""
    waiting = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    if waiting is not None:
        QTest.keyClick(waiting, Qt.Key.Key_Escape)
        if waiting.isVisible():
            waiting.close()


def close_dialogs(window: QWidget) -> None:
    """Close every other window of the program than this one and its floating panels."""
    for other in QApplication.topLevelWidgets():
        if other.isVisible() and other is not window and isinstance(other, QDialog):
            other.close()


def drive(app: QApplication, script: Iterator[None]) -> None:
    """Take the script's steps from the program's own event loop, as input comes: what Qt puts off until a handler has returned happens."""
    failed: list[BaseException] = []

    def step() -> None:
        try:
            next(script)
        except StopIteration:
            app.exit()
        except BaseException as error:
            failed.append(error)
            app.exit(1)

    timer = QTimer()
    timer.timeout.connect(step)
    timer.start(0)
    escape = QTimer()       # of its own: the first does not come again while the script waits in a dialog
    escape.timeout.connect(put_away)
    escape.start(ESCAPE_MS)
    app.exec()
    if failed:
        raise failed[0]

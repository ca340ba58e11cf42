"""Breakpoints: conditions at which the run pauses, in the very step in which they become true."""
from __future__ import annotations

from functools import partial

from PyQt6.QtCore import QStringListModel, Qt
from PyQt6.QtWidgets import QCompleter, QHBoxLayout, QLabel, QLineEdit, QListWidget, QListWidgetItem, QMenu, QPushButton, QToolButton, QVBoxLayout, QWidget

from app.context import AppContext
from app.model_memory import path_of, remember, remembered
from app.panels.quantity_drag import texts_of
from app.settings import Settings
from physics.enums import JNT_HINGE, JNT_SLIDE
from physics.quantities.field_rows import public_fields
from physics.quantities.quantity import compile_quantity
from physics.quantities.syntax import ExpressionError
from physics.recording.trace_columns import traceable
from physics.runtime import commands
from physics.runtime.breakpoints import WARNING, at_limit, contact_begins, contact_ends

EMPTY = "The run pauses in the step in which a condition here becomes true. Enter one, such as time > 2, or choose a kind with the button."
MOST_NAMES = 30     # joints in a menu


class BreakpointsPanel(QWidget):
    """A field for conditions, a button with usual ones, and the list: the box switches one on and off, Delete removes it. They act whether the panel is shown or not."""

    scrolls = False

    def __init__(self, context: AppContext, settings: Settings):
        super().__init__()
        self._context, self._settings = context, settings
        self.edit = QLineEdit()
        self.edit.setPlaceholderText('qpos["knee"] > 1.2')
        completer = QCompleter(QStringListModel(public_fields(), self), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.edit.setCompleter(completer)
        self.edit.returnPressed.connect(self._enter)
        self.kinds = QToolButton()
        self.kinds.setText("\u22ee")
        self.kinds.setToolTip("Usual conditions, of what is selected")
        self.kinds.clicked.connect(lambda _checked=False: self._open_menu())
        clear = QPushButton("Clear")
        clear.clicked.connect(lambda _checked=False: self.set_texts([]))
        self.note = QLabel(EMPTY)
        self.note.setWordWrap(True)
        self.list = QListWidget()
        self.list.itemChanged.connect(lambda _item: self._send())
        line = QHBoxLayout()
        for widget, stretch in ((self.edit, 1), (self.kinds, 0), (clear, 0)):
            line.addWidget(widget, stretch)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.addLayout(line)
        column.addWidget(self.note)
        column.addWidget(self.list, 1)
        self.setAcceptDrops(True)
        context.model_changed.connect(self._model_changed)
        if context.model is not None:
            self._recall()

    # ------------------------------------------------------------------ conditions

    @property
    def texts(self) -> list[str]:
        """All conditions, switched on or not."""
        return [self.list.item(k).text() for k in range(self.list.count())]

    @property
    def active(self) -> list[str]:
        """Those that are switched on."""
        return [item.text() for k in range(self.list.count()) if (item := self.list.item(k)).checkState() == Qt.CheckState.Checked]

    def add(self, text: str) -> bool:
        """Pause at this one too; False, and a note, where it is no condition."""
        text = text.strip()
        if why := self._wrong(text):
            self.note.setText(why)
            return False
        if text not in self.texts:
            self._make(text)
            self._send()
        return True

    def set_texts(self, texts: list[str]) -> None:
        """These and no others."""
        self.list.blockSignals(True)
        self.list.clear()
        for text in texts:
            self._make(text)
        self.list.blockSignals(False)
        self._send()

    def _make(self, text: str, on: bool = True) -> None:
        item = QListWidgetItem(text)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        self.list.addItem(item)

    def _wrong(self, text: str) -> str:
        """Why a text is no condition of the present Model; '' where it is one."""
        if self._context.model is None:
            return "No model is loaded."
        try:
            quantity = compile_quantity(self._context.model, text)
        except ExpressionError as why:
            return str(why)
        return "" if all(map(traceable, quantity.leaves)) else "the number of rows changes from step to step; choose a row, or make one number of all: min(contact_dist) < 0"

    def _enter(self) -> None:
        if self.add(self.edit.text()):
            self.edit.clear()

    def _send(self) -> None:
        self._context.runner.send(commands.SetBreakpoints(tuple(self.active)))
        self._mark()
        remember(self._settings, path_of(self._context.model), "breakpoints", [[text, text in self.active] for text in self.texts] or None)

    def _model_changed(self, _model) -> None:
        if self._context.newly_opened:
            self._recall()
        self._mark()

    def _recall(self) -> None:
        """What is remembered of the present model, where anything is."""
        kept = remembered(self._settings, path_of(self._context.model), "breakpoints")
        if isinstance(kept, list) and all(isinstance(one, list) and len(one) == 2 and isinstance(one[0], str) for one in kept):
            self.list.blockSignals(True)
            self.list.clear()
            for text, on in kept:
                self._make(text, bool(on))
            self.list.blockSignals(False)
            self._send()

    def _mark(self) -> None:
        """Tell which are none for the present Model."""
        wrong = {text: why for text in self.texts if (why := self._wrong(text))}
        self.list.blockSignals(True)
        for k in range(self.list.count()):
            item = self.list.item(k)
            item.setToolTip(wrong.get(item.text(), ""))
            item.setForeground(self.palette().placeholderText() if item.text() in wrong else self.palette().text())
        self.list.blockSignals(False)
        self.note.setText(f"Not in this model: {', '.join(wrong)}" if wrong else "" if self.texts else EMPTY)

    # ------------------------------------------------------------------ usual ones

    def _open_menu(self) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.kinds.mapToGlobal(self.kinds.rect().bottomLeft()))

    def menu(self) -> QMenu:
        """Contacts of the selected geoms or bodies, limits of joints, warnings."""
        menu, m = QMenu(self), self._context.model
        things = [what.name for what in self._context.selection.elements if what.kind in ("geom", "body") and what.name]
        for word, make in (("begin to touch", contact_begins), ("touch no longer", contact_ends)):
            text = f"{things[-2]} and {things[-1]} {word}" if len(things) >= 2 else f"Two things {word} (select both)"
            action = menu.addAction(text, partial(self.add, make(things[-2], things[-1])) if len(things) >= 2 else lambda: None)
            action.setEnabled(len(things) >= 2)
        limits = menu.addMenu("A joint reaches a limit")
        names = [m.name("joint", j) for j in range(m.njnt) if m.jnt_limited[j] and m.jnt_type[j] in (JNT_HINGE, JNT_SLIDE) and m.name("joint", j)] if m is not None else []
        for name in names[:MOST_NAMES]:
            limits.addAction(name, partial(self.add, at_limit(name)))
        limits.setEnabled(bool(names))
        menu.addAction("A warning is counted", partial(self.add, WARNING))
        return menu

    # ------------------------------------------------------------------ hands

    def keyPressEvent(self, event) -> None:
        if event.key() == Qt.Key.Key_Delete and self.list.currentItem() is not None:
            self.list.takeItem(self.list.currentRow())
            self._send()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event) -> None:
        if texts_of(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event) -> None:
        """A quantity is put into the field, to be made a condition."""
        self.edit.setText(texts_of(event.mimeData())[0] + " > ")
        self.edit.setFocus()
        event.acceptProposedAction()

"""Scripts: which are open, how each of their functions does, what they declare to be moved and pressed, and what went wrong last."""
from __future__ import annotations

from html import escape
from pathlib import Path

from PyQt6.QtCore import QPoint, Qt, QTimer
from PyQt6.QtGui import QBrush, QKeyEvent
from PyQt6.QtWidgets import (
    QApplication,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QSplitter,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.appearance import signal_colour
from app.context import AppContext
from app.controllers.scripts import ScriptsController
from app.panels.live_panel import Sight, in_front
from app.scripts.declared import CheckBox, Choice, Control, Slider
from app.scripts.script import FAILED, LOADING, OFF, ON, Script
from editor.widgets.check_row import CheckRow
from editor.widgets.section import Section
from editor.widgets.slider_row import RowSpec, SliderRow
from physics.runtime.hooks.failure import Failure
from physics.runtime.hooks.hook import Hook

EMPTY = ("Python files with functions that are called while the model runs: control(m, d), after_step(m, d), on_key(key), draw(markers), ... "
         "They are your own code and may do what you may.")
SHOW_MS = 200
WORDS = {OFF: "off", LOADING: "loading", FAILED: "failed", ON: "on"}.get


class ScriptsPanel(QWidget):
    """Buttons, the list (the box of a script switches it on and off, Delete removes it, a double-click opens it in an editor), the last error, and what scripts declare."""

    scrolls = False

    def __init__(self, context: AppContext, scripts: ScriptsController):
        super().__init__()
        self._context, self._scripts = context, scripts
        self._laid_out = False      # Qt tells of colours before
        self._moved = False         # the border between list and controls, by the user
        self._declared: list[Control] = []
        self._rows: list[tuple[Control, QWidget]] = []
        self.stop = QPushButton("Stop")
        self.stop.setToolTip("End what is being called, wherever it hangs, and call nothing more until Reload")
        self.more = QToolButton()
        self.more.setText("\u22ee")
        self.more.setToolTip("A folder of scripts; what can be done with the chosen one")
        self.more.clicked.connect(lambda _checked=False: self._open_menu(self.more.mapToGlobal(QPoint(0, self.more.height()))))
        line = QHBoxLayout()
        for text, tip, handler in (("Open...", "A Python file", scripts.open_dialog), ("Reload", "Load all of them again; they also are when they are saved", scripts.reload)):
            button = QPushButton(text)
            button.setToolTip(tip)
            button.clicked.connect(lambda _checked=False, handler=handler: handler())
            line.addWidget(button)
        self.stop.clicked.connect(lambda _checked=False: scripts.stop())
        line.addWidget(self.stop)
        line.addStretch(1)
        line.addWidget(self.more)
        self.note = QLabel(EMPTY)
        self.note.setWordWrap(True)
        self.tree = self._make_tree()
        self.error = QLabel("")
        self.error.setWordWrap(True)
        self.error.setTextFormat(Qt.TextFormat.RichText)
        self.error.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.TextSelectableByMouse)
        self.error.linkActivated.connect(self._follow)
        self.declared = QScrollArea()
        self.declared.setWidgetResizable(True)
        self.declared.setFrameShape(QScrollArea.Shape.NoFrame)
        self.declared.setFocusPolicy(Qt.FocusPolicy.NoFocus)     # else a click on a slider or button in it takes the keys from the view
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.splitterMoved.connect(self._border_moved)
        self.splitter.addWidget(self.tree)
        self.splitter.addWidget(self.declared)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.addLayout(line)
        column.addWidget(self.note)
        column.addWidget(self.error)
        column.addWidget(self.splitter, 1)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._show_figures)
        Sight(self).changed.connect(self._seen_changed)
        scripts.changed.connect(self._fill)
        self._laid_out = True
        self._fill()

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setColumnCount(3)
        tree.setHeaderLabels(["Script", "State", "A call"])
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(lambda at: self._open_menu(tree.viewport().mapToGlobal(at)))
        tree.itemChanged.connect(self._switched)
        tree.itemDoubleClicked.connect(lambda item, _column: self._edit(item))
        tree.header().setStretchLastSection(False)
        tree.header().setSectionResizeMode(0, tree.header().ResizeMode.Stretch)
        for column, room in ((1, "  loading "), (2, " 100.0 ms ")):
            tree.header().resizeSection(column, tree.fontMetrics().horizontalAdvance(room) + 8)
        return tree

    # ------------------------------------------------------------------ what is shown

    def _seen_changed(self, seen: bool) -> None:
        if seen:
            self._timer.start(SHOW_MS)
            self._fill()
        else:
            self._timer.stop()

    def _border_moved(self, _at: int, _index: int) -> None:
        self._moved = True

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._share_height()

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == event.Type.PaletteChange and self._laid_out:
            self._fill()

    def _fill(self) -> None:
        """Lay out what there is now."""
        scripts, chosen = self._scripts.set.scripts, self.chosen
        self.tree.blockSignals(True)
        self.tree.clear()
        for script in scripts:
            item = QTreeWidgetItem([script.name if script.entry == script.path else f"{script.entry.name}/{script.name}"])
            item.setData(0, Qt.ItemDataRole.UserRole, script)
            item.setToolTip(0, str(script.path))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(0, Qt.CheckState.Checked if script.on else Qt.CheckState.Unchecked)
            self.tree.addTopLevelItem(item)
            for hook in script.hooks:
                child = QTreeWidgetItem([hook.kind])
                child.setData(0, Qt.ItemDataRole.UserRole, hook)
                item.addChild(child)
            item.setExpanded(True)
            if script is chosen:
                self.tree.setCurrentItem(item)
        self.tree.blockSignals(False)
        for widget in (self.splitter, self.stop):
            widget.setVisible(bool(scripts))
        self._fill_declared([control for script in scripts for control in script.controls], scripts)
        self._show_figures()
        self._share_height()

    def _fill_declared(self, controls: list[Control], scripts: list[Script]) -> None:
        buttons = [hook for script in scripts for hook in script.hooks if hook.kind.startswith("button ")]
        wanted = [*controls, *buttons]
        if [*map(id, wanted)] == [*map(id, self._declared)]:
            return
        self._declared, self._rows = wanted, []
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        for script in scripts:
            if script.controls or script.hooks and script.loaded.buttons:
                column.addWidget(self._section(script))
        column.addStretch(1)
        self.declared.setWidget(body)
        self.declared.setVisible(bool(wanted))

    def _share_height(self) -> None:
        """The list as high as it needs, where there is room and the user has not moved the border."""
        if self._moved:
            return
        rows = sum(1 + len(script.hooks) for script in self._scripts.set.scripts)
        height = self.tree.header().height() + rows * self.tree.sizeHintForRow(0) + 8
        self.splitter.setSizes([height, max(self.splitter.height() - height, height)])

    def _section(self, script: Script) -> Section:
        section = Section(script.name)
        column = QVBoxLayout(section.body)
        column.setContentsMargins(4, 0, 4, 0)
        column.setSpacing(1)
        for control in script.controls:
            row = self._row(control)
            self._rows.append((control, row))
            column.addWidget(row)
        for button, hook in zip(script.loaded.declared.buttons, script.loaded.buttons, strict=True):
            widget = QPushButton(f"{hook.function.__name__} ({button.keys})" if button.keys else button.name)
            widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)      # a click leaves the keys with the view
            widget.clicked.connect(lambda _checked=False, hook=hook: self._scripts.set.press(hook))
            column.addWidget(widget)
        return section

    def _row(self, control: Control) -> QWidget:
        """A row that shows and changes a value."""
        if isinstance(control, Slider):
            name = f"{control.name} [{control.unit}]" if control.unit else control.name
            row: QWidget = SliderRow(RowSpec(name, control.low, control.high, control.start, f"{name}: from {control.low:g} to {control.high:g}"))
            row.show_value(control.value)
            row.edited.connect(lambda value: self._scripts.set.set_value(control, min(max(value, control.low), control.high)))
        elif isinstance(control, CheckBox):
            row = CheckRow(RowSpec(control.name, 0, 1, float(control.start), control.name))
            row.show_value(control.value)
            row.edited.connect(lambda value: self._scripts.set.set_value(control, bool(value)))
        else:
            row = ChoiceRow(control)
            row.box.activated.connect(lambda _index: self._scripts.set.set_value(control, row.box.currentText()))
        return row

    def _show_figures(self) -> None:
        """States, costs and values as they are now."""
        if not in_front(self):
            return
        stopped, hanging = self._scripts.set.stopped, self._scripts.hanging
        for k in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(k)
            script: Script = item.data(0, Qt.ItemDataRole.UserRole)
            self._put(item, "stopped" if stopped and script.on else WORDS(script.state), "", script.problem)
            for j in range(item.childCount()):
                hook: Hook = item.child(j).data(0, Qt.ItemDataRole.UserRole)
                self._put(item.child(j), "off" if hook.failure else "stopped" if stopped else "on", cost_text(hook), hook.failure)
        for control, row in self._rows:
            row.show_value(control.value)
        problem = next((script.problem for script in self._scripts.set.scripts if script.problem is not None), None)
        self._show_error(problem)
        self.note.setText(f"{hanging} does not come back; Stop ends it." if hanging else "" if self._scripts.set.scripts else EMPTY)
        self.note.setVisible(bool(self.note.text()))

    def _put(self, item: QTreeWidgetItem, state: str, cost: str, failure: Failure | None) -> None:
        texts = (state, cost)
        if (item.text(1), item.text(2)) == texts:
            return
        self.tree.blockSignals(True)
        for column, text in enumerate(texts, 1):
            item.setText(column, text)
        colour = signal_colour("error", self.palette().base().color()) if failure is not None else None
        item.setData(1, Qt.ItemDataRole.ForegroundRole, QBrush(colour) if colour is not None else None)
        item.setToolTip(1, str(failure) if failure is not None else "")
        self.tree.blockSignals(False)

    def _show_error(self, failure: Failure | None) -> None:
        text = ""
        if failure is not None:
            colour = signal_colour("error", self.palette().window().color()).name()
            link = self.palette().link().color().name()
            place = f'<a href="{escape(f"{failure.file}:{failure.line}")}" style="color:{link}">{escape(failure.place)}</a>: ' if failure.file else ""
            text = f'{place}<span style="color:{colour}">{escape(failure.text)}</span>'
        if self.error.text() != text:
            self.error.setText(text)
            self.error.setToolTip(f"<pre>{escape(failure.trace)}</pre>" if failure is not None and failure.trace else "")
        self.error.setVisible(bool(text))

    # ------------------------------------------------------------------ hands

    @property
    def chosen(self) -> Script | None:
        """The script of the row that is chosen."""
        item = self.tree.currentItem()
        top = item.parent() or item if item is not None else None
        return top.data(0, Qt.ItemDataRole.UserRole) if top is not None else None

    def _switched(self, item: QTreeWidgetItem, column: int) -> None:
        script = item.data(0, Qt.ItemDataRole.UserRole)
        if column == 0 and isinstance(script, Script):
            on = item.checkState(0) == Qt.CheckState.Checked
            QTimer.singleShot(0, lambda: self._scripts.set.set_on(script, on))     # the row that is clicked is made anew

    def _edit(self, item: QTreeWidgetItem | None) -> None:
        """Open the file, at what went wrong where something did, at the function otherwise."""
        what = item.data(0, Qt.ItemDataRole.UserRole) if item is not None else None
        if isinstance(what, Script):
            failure = what.problem
            self._scripts.edit(Path(failure.file) if failure is not None and failure.file else what.path, failure.line if failure is not None else 0)
        elif isinstance(what, Hook):
            code = getattr(what.function, "__code__", None)
            failure = what.failure
            line = failure.line if failure is not None and failure.line else code.co_firstlineno if code is not None else 0
            self._scripts.edit(Path(failure.file if failure is not None and failure.file else what.files[0]), line)

    def _follow(self, link: str) -> None:
        file, _, line = link.rpartition(":")
        self._scripts.edit(Path(file), int(line))

    def _open_menu(self, at: QPoint) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def menu(self) -> QMenu:
        """All that can be done."""
        menu, script = QMenu(self), self.chosen
        menu.addAction("Open folder of scripts...", self._scripts.open_folder_dialog)
        menu.addSeparator()
        problem = script.problem if script is not None else None
        for text, there, act in (("Open in an editor", script, lambda: self._edit(self.tree.currentItem())),
                                 ("Copy the traceback", problem if problem is not None and problem.trace else None, lambda: QApplication.clipboard().setText(problem.trace)),
                                 ("Remove" if script is None or script.entry == script.path else f"Remove folder {script.entry.name}", script, self.remove_chosen)):
            action = menu.addAction(text, act)
            action.setEnabled(there is not None)
        return menu

    def remove_chosen(self) -> None:
        """Without the chosen script, or the folder that it came with."""
        if self.chosen is not None:
            self._scripts.set.remove(self.chosen.entry)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.remove_chosen()
        else:
            super().keyPressEvent(event)


class ChoiceRow(QWidget):
    """A text that is one of several, by its name."""

    def __init__(self, control: Choice):
        super().__init__()
        self.box = QComboBox()
        self.box.addItems(control.values)
        self.box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 0, 4, 0)
        layout.addWidget(QLabel(control.name))
        layout.addWidget(self.box, 1)
        self.show_value(control.value)

    def show_value(self, value: str) -> None:
        """Show a value that comes from elsewhere."""
        if self.box.currentText() != value and not self.box.view().isVisible():
            self.box.setCurrentText(value)


def cost_text(hook: Hook) -> str:
    """What a call takes, '' before the first."""
    if not hook.calls:
        return ""
    return f"{1e6 * hook.mean:.0f} \u00b5s" if hook.mean < 1e-3 else f"{1e3 * hook.mean:.1f} ms"

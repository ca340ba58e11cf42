"""What can be done with recorded episodes: those of this run, listed by the panel, and those of the recordings in the folder of demonstrations.

    chosen rows of both lists --buttons, menu--> ghost, check, trim, cut, merge, export, open
"""
from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import MappingProxyType

from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtWidgets import QAbstractItemView, QApplication, QFileDialog, QHBoxLayout, QHeaderView, QLabel, QMenu, QProgressBar, QPushButton, QToolButton, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from app.context import AppContext
from app.controllers.recordings import FILTER
from app.controllers.teleoperation.demonstrations import DemonstrationsController
from app.controllers.teleoperation.recorded import Chosen, RecordedFile, counted
from app.demonstrations.episodes import BROKEN, DISCARD, FAILURE, OPEN, OUTCOMES, SUCCESS, Episode
from app.panels.compare.wrapped_row import WrappedRow
from app.panels.diagnostics.fitted_tree import FittedTree
from app.panels.diagnostics.query_panel import show_note, text_label
from app.panels.teleoperation.cut_dialog import CutDialog
from app.panels.teleoperation.export_dialog import ExportDialog
from app.panels.teleoperation.ghost_box import GhostBox
from editor.widgets.section import Section

HEADS = ("Recording", "Outcome", "Seconds")
KEY = Qt.ItemDataRole.UserRole      # of a row: (path, number of the episode or 0 for all of it)
NONE_YET = "No recording lies in the folder of demonstrations yet: one is made when the window closes."
AIR = 20            # logical pixels beside the text of a button
ENDED = MappingProxyType({SUCCESS: "success", FAILURE: "failure", DISCARD: "discarded", BROKEN: "broken off", OPEN: "without an end"})


class RecordedBox(QWidget):
    """run_list: the panel's own list of this run's episodes, a row for each in order."""

    def __init__(self, context: AppContext, control: DemonstrationsController, run_list: QTreeWidget):
        super().__init__()
        self._context, self.control, self.recorded, self.run_list = context, control, control.recorded, run_list
        self.dialog: CutDialog | ExportDialog | None = None
        self._choosing = False
        self.files = FittedTree(HEADS, 0)
        for column in (1, 2):
            self.files.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        for tree in (run_list, self.files):
            tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
            tree.itemSelectionChanged.connect(lambda tree=tree: self._chosen_in(tree))
            tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            tree.customContextMenuRequested.connect(lambda at, tree=tree: self._open_menu(tree.viewport().mapToGlobal(at)))
            tree.itemDoubleClicked.connect(lambda _item, _column: self._open())
        self.folder = Section("Recordings", opened=False)
        self.empty = text_label()
        self.empty.setText(NONE_YET)
        self.folder.add(self.empty)
        self.folder.add(self.files)
        self.folder.folded.connect(lambda opened: self.recorded.look() if opened else None)
        self.ghost, self.check, self.export_button, self.more = QPushButton("Show as ghost"), QPushButton("Check"), QPushButton("Export..."), QToolButton()
        self.ghost.setToolTip("Show the chosen episode translucent beside the run; it begins with each attempt")
        self.check.setToolTip("Do the chosen episodes again, those of this run where none is chosen, and tell whether they come out to the bit")
        self.export_button.setToolTip("Episodes as a data set for learning: robomimic or LeRobot")
        self.more.setText("\u22ee")
        self.more.setToolTip("Open, trim, cut and merge the chosen episodes")
        self.ghost.clicked.connect(lambda _checked=False: self._show_ghost())
        self.check.clicked.connect(lambda _checked=False: self._check())
        self.export_button.clicked.connect(lambda _checked=False: self.export())
        self.more.clicked.connect(lambda _checked=False: self._open_menu(self.more.mapToGlobal(self.more.rect().bottomLeft())))
        self.ghost_box, self.note = GhostBox(control.ghost), text_label()
        self._make_progress()
        self._lay_out()
        self.recorded.changed.connect(self._fill)
        self.recorded.progressed.connect(self._progressed)
        self.recorded.told.connect(lambda text: show_note(self.note, text))
        self.recorded.exported.connect(self._exported)
        control.changed.connect(self._enable)
        show_note(self.note, "")
        self._fill()
        self._enable()

    def _make_progress(self) -> None:
        self.work = QWidget()
        self.doing, self.progress, self.cancel = QLabel(), QProgressBar(), QPushButton("Cancel")
        let_shrink(self.cancel)
        self.cancel.clicked.connect(lambda _checked=False: self.recorded.cancel())
        line = QHBoxLayout(self.work)
        line.setContentsMargins(4, 0, 0, 0)
        line.addWidget(self.doing)
        line.addWidget(self.progress, 1)
        line.addWidget(self.cancel)
        self.work.setVisible(self.recorded.busy)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.folder)
        column.addWidget(WrappedRow(self.ghost, self.check, self.export_button, self.more))
        for widget in (self.ghost_box, self.work, self.note):
            column.addWidget(widget)

    # ------------------------------------------------------------------ what is chosen

    @property
    def chosen(self) -> list[Chosen]:
        """The chosen episodes, by recording; this run's first."""
        found: dict[Path | None, dict[int, None]] = {}
        for item in self.run_list.selectedItems():
            place = self.run_list.indexOfTopLevelItem(item)
            if place < len(self.control.all):
                found.setdefault(None, {})[self.control.all[place].number] = None
        for item in self.files.selectedItems():
            path, number = item.data(0, KEY)
            numbers = [number] if number else [one.number for one in self.recorded.episodes_of(path) if one.outcome != DISCARD]
            found.setdefault(path, {}).update(dict.fromkeys(numbers))
        return [Chosen(path, tuple(sorted(numbers))) for path, numbers in found.items() if numbers]

    def _one(self) -> tuple[Path | None, Episode] | None:
        """The chosen episode, where it is one alone."""
        chosen = self.chosen
        if len(chosen) != 1 or len(chosen[0].numbers) != 1:
            return None
        episode = self.recorded.episode(chosen[0].path, chosen[0].numbers[0])
        return (chosen[0].path, episode) if episode is not None else None

    def _chosen_in(self, tree: QTreeWidget) -> None:
        """Rows of both lists are chosen together only with Ctrl or Shift held."""
        keys = QApplication.keyboardModifiers()
        if not self._choosing and not keys & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier):
            self._choosing = True
            (self.files if tree is self.run_list else self.run_list).clearSelection()
            self._choosing = False
        self._enable()

    def _enable(self) -> None:
        one, busy = self._one(), self.recorded.busy
        self.ghost.setEnabled(one is not None and self._context.model is not None)
        self.check.setEnabled(not busy and bool(self.chosen or self.control.all))
        self.export_button.setEnabled(not busy)

    # ------------------------------------------------------------------ what is listed

    def _fill(self) -> None:
        """The recordings in the folder; what was open and chosen stays so."""
        tops = [self.files.topLevelItem(k) for k in range(self.files.topLevelItemCount())]
        opened = {item.data(0, KEY)[0] for item in tops if item.isExpanded()}
        chosen = {item.data(0, KEY) for item in self.files.selectedItems()}
        self._choosing = True
        self.files.clear()
        for file in self.recorded.files:
            top = self._add_file(file)
            for one in file.episodes:
                child = self.files.add(top, [f"{one.number}  {one.task}".rstrip(), ENDED[one.outcome], f"{one.steps * file.timestep:.1f}"], one.how)
                child.setData(0, KEY, (file.path, one.number))
                child.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                child.setSelected((file.path, one.number) in chosen)
            top.setExpanded(file.path in opened)
            top.setSelected((file.path, 0) in chosen)
        self._choosing = False
        self.empty.setVisible(not self.recorded.files)
        self.files.setVisible(bool(self.recorded.files))
        self.files.fit()
        self._enable()

    def _add_file(self, file: RecordedFile) -> QTreeWidgetItem:
        counts = Counter(one.outcome for one in file.episodes)
        said = ", ".join(f"{counts[outcome]} {ENDED[outcome]}" for outcome in OUTCOMES if counts[outcome]) or ("no episode" if not file.problem else "cannot be read")
        seconds = sum(one.steps for one in file.episodes) * file.timestep
        top = self.files.add(None, [file.path.stem, said, f"{seconds:.1f}" if seconds else ""], file.problem or str(file.path))
        top.setData(0, KEY, (file.path, 0))
        top.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return top

    def _progressed(self, text: str, share: float) -> None:
        self.work.setVisible(bool(text))
        self.progress.setRange(0, 0 if share < 0 else 100)
        self.progress.setValue(max(0, round(100 * share)))
        self.doing.setText(text)
        if text and share < 0:
            show_note(self.note, "")
        self._enable()

    def _exported(self, result: dict | None, why: str) -> None:
        show_note(self.note, exported_text(result) if result is not None else why)

    # ------------------------------------------------------------------ what is asked

    def _open_menu(self, at: QPoint) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def menu(self) -> QMenu:
        """All that can be done with what is chosen."""
        menu, chosen, one, free = QMenu(self), self.chosen, self._one(), not self.recorded.busy
        count = sum(len(part.numbers) for part in chosen)
        here = one is not None and one[0] is None
        for text, ask, can in (
                ("Go to its beginning" if here else "Open in the window", self._open, one is not None), ("Show as ghost", self._show_ghost, one is not None),
                ("Check: do it again", self._check, free and count > 0), ("", None, False),
                ("Trim...", self._trim, free and one is not None), ("Cut in two...", self._split, free and one is not None),
                ("A recording without it" if count == 1 else "A recording without them", self._without, free and len(chosen) == 1),
                ("Merge into a new recording", self._merge, free and count > 1), ("", None, False),
                ("Export...", self.export, free), ("List files elsewhere...", self._ask_files, True)):
            if text:
                menu.addAction(text, ask).setEnabled(can)
            else:
                menu.addSeparator()
        return menu

    def _open(self) -> None:
        one = self._one()
        if one is not None:
            self.recorded.open(one[0], one[1].number)

    def _show_ghost(self) -> None:
        one = self._one()
        if one is not None:
            self.control.ghost.show(one[0], one[1].number)

    def _check(self) -> None:
        chosen = self.chosen or [Chosen(None, tuple(one.number for one in self.control.all))]
        self.recorded.check([part for part in chosen if part.numbers])

    def _trim(self) -> None:
        path, episode, seconds = self._asked()
        marked = self.recorded.marked(episode) if path is None else None
        start, end = marked or (0.0, seconds)
        text = f"Episode {episode.number} lasts {seconds:.4g} s" + (". The part that is marked in the timeline:" if marked else ". What is left of it in a new recording:")
        self._ask(CutDialog(self, "Trim an episode", text, seconds, (("From", start), ("To", end))), lambda times: self.recorded.trim(path, episode.number, *times))

    def _split(self) -> None:
        path, episode, seconds = self._asked()
        marked = self.recorded.marked(episode) if path is None else None
        at = marked[0] if marked and marked[0] > 0 else seconds / 2
        self._ask(CutDialog(self, "Cut an episode in two", f"Episode {episode.number} lasts {seconds:.4g} s; it becomes two in a new recording", seconds, (("Cut at", at),)),
                  lambda times: self.recorded.split(path, episode.number, *times))

    def _asked(self) -> tuple[Path | None, Episode, float]:
        path, episode = self._one()
        return path, episode, episode.steps * self.recorded.timestep(path)

    def _without(self) -> None:
        self.recorded.without(self.chosen[0])

    def _merge(self) -> None:
        self.recorded.merge(self.chosen)

    def _ask(self, dialog: CutDialog, then) -> None:
        self._forget_dialog()
        self.dialog = dialog
        dialog.accepted.connect(lambda: then(dialog.times))
        dialog.open()

    def _forget_dialog(self) -> None:
        if self.dialog is not None:
            self.dialog.close()
            self.dialog.deleteLater()
            self.dialog = None

    def _ask_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, "Recordings", str(self.control.folder), FILTER)
        if names:
            self.recorded.add(map(Path, names))
            self.folder.fold(True)

    def export(self) -> None:
        """Ask what is to be exported."""
        self._forget_dialog()
        self.dialog = ExportDialog(self.window(), self._context, self.control, self.chosen)
        self.dialog.show()
        self.dialog.activateWindow()


def let_shrink(*buttons: QPushButton) -> None:
    """Let buttons be as narrow as their texts where a panel is."""
    for button in buttons:
        button.setMinimumWidth(button.fontMetrics().horizontalAdvance(button.text()) + AIR)


def exported_text(result: dict) -> str:
    """What a data set has, and where it lies."""
    left = f"\n{counted(result['left_out'], 'episode')} left out: shorter than one period" if result["left_out"] else ""
    return f"{counted(result['episodes'], 'episode')}, {counted(result['frames'], 'frame')} written to {result['output']}{left}"

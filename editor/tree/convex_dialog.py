"""A mesh taken apart into convex parts: settings, how far it is, a button to give up; then files beside the model and one edit. The window goes on meanwhile.

    settings --> thread: compile the mesh, coacd in its process --> names of files, asked about where there are such --> thread: files --> edit
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QFormLayout, QLabel, QMessageBox, QProgressBar, QPushButton, QVBoxLayout, QWidget

from editor.convex.decompose import ConvexSettings, Decomposer, Part, mesh_geometry
from editor.convex.part_files import free_stem, part_paths, take_away, taken, write_parts
from editor.edits.version import Version
from editor.structure.convex_parts import MeshUse
from editor.widgets.number_edit import NumberEdit

__all__ = ["ConvexDialog", "tell_missing"]

MOST_PARTS, MOST_VERTICES = 10_000, 10_000


def tell_missing(parent: QWidget, text: str) -> QMessageBox:
    """Say that the package is not there, in a box whose text can be copied."""
    box = QMessageBox(QMessageBox.Icon.Information, "Convex parts", text, QMessageBox.StandardButton.Ok, parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    box.open()
    return box


class ConvexDialog(QDialog):
    """use: which mesh, and the geoms that show it; folder, stem: where its parts go; then(use, geoms, paths): they are there; False where nothing uses them, as the mesh is gone meanwhile: then
    those that are new go, too. decomposer: takes it apart; pictures: as Preview has it, for its threads."""

    _told = pyqtSignal(str)

    def __init__(self, parent: QWidget, version: Version, use: MeshUse, folder: Path, stem: str, decomposer: Decomposer, pictures,
                 then: Callable[[MeshUse, Sequence[int], Sequence[Path]], bool], compat: str = "4.0"):
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Convex parts of {use.name}")
        self._version, self._use, self._folder, self._stem, self._decomposer, self._then, self._compat = version, use, folder, stem, decomposer, then, compat
        self._parts: list[Part] = []
        self._paths: list[Path] = []
        self._turn: Lock | None = None      # taken by who is first: the thread that puts the files in place, or who gives up
        self.question: QMessageBox | None = None
        self._work = pictures.work(self)
        self._work.done.connect(self._take)
        self._work.failed.connect(self._failed)
        self._told.connect(self._tell)
        self._make_fields()
        self._lay_out()
        self.finished.connect(lambda _code: self._work.give_up())

    def _make_fields(self) -> None:
        self.threshold, self.parts, self.vertices = NumberEdit(0.05, 0.01, 1.0), NumberEdit(0, 0, MOST_PARTS, whole=True), NumberEdit(0, 0, MOST_VERTICES, whole=True)
        self.threshold.setToolTip("How far a part may be from convex, of a mesh as large as a unit cube: less makes more and closer parts, and takes longer")
        self.parts.setToolTip("0: as many as it takes")
        self.vertices.setToolTip("Of each part at the most; 0: as many as it has. Fewer make contacts quicker")
        many, chosen = len(self._use.geoms), len(self._use.chosen)
        self.all_geoms = QCheckBox(f"For all {many} geoms that show it")
        self.all_geoms.setChecked(chosen == many)
        self.all_geoms.setVisible(many > chosen or many > 1)
        self.all_geoms.setEnabled(many > chosen)
        self.progress, self.status = QProgressBar(), QLabel()
        self.progress.setRange(0, 1)
        self.progress.setTextVisible(False)
        self.status.setWordWrap(True)
        self.status.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.start = QPushButton("Take apart")
        self.buttons.addButton(self.start, QDialogButtonBox.ButtonRole.ActionRole)
        self.start.setDefault(True)
        self.start.clicked.connect(self.begin)
        self.buttons.rejected.connect(self.reject)

    def _lay_out(self) -> None:
        where = QLabel(f"{self._folder / self._stem}_part_000.obj ...")
        where.setWordWrap(True)
        words = QLabel("Each part collides as its convex hull. The mesh stays to be seen: contype and conaffinity 0, group 2; the parts are in group 3, without mass.")
        words.setWordWrap(True)
        form = QFormLayout()
        form.addRow("Threshold", self.threshold)
        form.addRow("Parts at most", self.parts)
        form.addRow("Vertices at most", self.vertices)
        form.addRow("Files", where)
        layout = QVBoxLayout(self)
        layout.addWidget(words)
        layout.addLayout(form)
        layout.addWidget(self.all_geoms)
        layout.addWidget(self.progress)
        layout.addWidget(self.status)
        layout.addStretch(1)
        layout.addWidget(self.buttons)
        self.setMinimumWidth(56 * self.fontMetrics().averageCharWidth())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(self.focusWidget(), NumberEdit):
            return      # it ends a number, and begins nothing
        super().keyPressEvent(event)

    def settings(self) -> ConvexSettings:
        """What the fields say."""
        return ConvexSettings(self.threshold.number, int(self.parts.number), int(self.vertices.number))

    # ------------------------------------------------------------------ the work

    @property
    def running(self) -> bool:
        """Whether it is being taken apart, or written."""
        return not self.start.isEnabled()

    def begin(self) -> None:
        """Take it apart."""
        for field in (self.threshold, self.parts, self.vertices):
            field.editingFinished.emit()        # what is being typed counts
        self._show_running(True)
        self._tell("Compiling the mesh...")
        version, use, settings, decomposer, compat, tell = self._version, self._use, self.settings(), self._decomposer, self._compat, self._told.emit

        def work(stop):
            vert, face = mesh_geometry(version, use.mesh, compat)
            tell(f"{len(vert):,} vertices, {len(face):,} triangles")
            return "parts", decomposer(vert, face, settings, lambda text: None if stop() else tell(text), stop)

        self._work.begin(work)

    def _show_running(self, on: bool) -> None:
        self.start.setEnabled(not on)
        self.progress.setRange(0, 0 if on else 1)
        for field in (self.threshold, self.parts, self.vertices):
            field.setEnabled(not on)

    def _tell(self, text: str) -> None:
        self.status.setText(text)

    def reject(self) -> None:
        """Give up, and leave no files; not once they are put in place, which is soon done."""
        if self._turn is None or self._turn.acquire(blocking=False):
            super().reject()

    def _failed(self, text: str) -> None:
        self._turn = None
        self._show_running(False)
        self._tell(text)

    def _take(self, result: tuple) -> None:
        what, found = result
        if what == "parts":
            self._parts = found
            self._choose_files()
        else:
            self._done(found)

    def _choose_files(self) -> None:
        """Names of the files; where there are such the user decides."""
        paths = part_paths(self._folder, self._stem, len(self._parts))
        there = taken(paths)
        if not there:
            self._write(paths)
            return
        box = self.question = QMessageBox(QMessageBox.Icon.Question, "Files of the parts", f"{len(self._parts)} parts. Of their files {len(there)} are there already:\n\n{there[0]}"
                                          + (" ..." if len(there) > 1 else ""), QMessageBox.StandardButton.NoButton, self)
        other = free_stem(self._folder, self._stem, len(paths))
        self.others, self.over = box.addButton(f"Name them {other}_part_...", QMessageBox.ButtonRole.AcceptRole), box.addButton("Write over them", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.buttonClicked.connect(self._answered)
        box.open()

    def _answered(self, button) -> None:
        paths = part_paths(self._folder, self._stem, len(self._parts))
        if button is self.others:
            self._write(part_paths(self._folder, free_stem(self._folder, self._stem, len(paths)), len(paths)))
        elif button is self.over:
            self._write(paths)
        else:
            self._failed("Nothing was written")

    def _write(self, paths: Sequence[Path]) -> None:
        self._paths, parts = list(paths), self._parts
        self._tell(f"Writing {len(parts)} parts...")
        turn = self._turn = Lock()

        def work(stop):
            try:
                new = write_parts(paths, parts, stop, lambda: turn.acquire(blocking=False))
            except OSError as reason:
                raise ValueError(f"The files cannot be written: {reason.strerror or reason}") from None
            return "files", new

        self._work.begin(work)

    def _done(self, new: Sequence[Path]) -> None:
        use = self._use
        geoms = use.geoms if self.all_geoms.isChecked() else use.chosen
        self.accept()
        if not self._then(use, geoms, self._paths):
            take_away(new)

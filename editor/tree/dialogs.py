"""Questions that operations on the document ask. None waits for its answer: the window goes on, and what was asked for happens when it is given."""
from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QCheckBox, QComboBox, QDialog, QDialogButtonBox, QFileDialog, QFormLayout, QInputDialog, QLabel, QLineEdit, QMessageBox, QVBoxLayout, QWidget

from editor.structure.create import mesh_extent, mesh_scale
from editor.structure.users import Uses
from physics.mjcf.reader import read

__all__ = ["AttachDialog", "MeshDialog", "ask", "ask_class", "ask_file", "ask_new_file", "ask_text", "ask_users"]

Answered = Callable[[str, bool], object]


def _box(parent: QWidget, title: str, text: str) -> QMessageBox:
    box = QMessageBox(QMessageBox.Icon.Question, title, text, QMessageBox.StandardButton.NoButton, parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box


def ask(parent: QWidget, title: str, text: str, yes: str, then: Callable[[], object]) -> QMessageBox:
    """Whether something is to be done."""
    box = _box(parent, title, text)
    do = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.buttonClicked.connect(lambda button: then() if button is do else None)
    box.open()
    return box


def _choices(parent: QWidget, title: str, text: str, choices: tuple[tuple[str, str], ...], then: Answered) -> QMessageBox:
    box = _box(parent, title, text)
    buttons = {box.addButton(words, QMessageBox.ButtonRole.ActionRole): value for words, value in choices}
    box.addButton(QMessageBox.StandardButton.Cancel)
    remember = QCheckBox("Do not ask again")
    box.setCheckBox(remember)
    box.buttonClicked.connect(lambda button: then(buttons[button], remember.isChecked()) if button in buttons else None)
    box.open()
    return box


def ask_users(parent: QWidget, label: str, uses: Uses, then: Answered) -> QMessageBox:
    """What becomes of those that name what is deleted: then('delete' or 'leave', whether always)."""
    text = f"{label} is used by\n\n" + "\n".join(f"\u2022 {line}" for line in uses.lines())
    return _choices(parent, "Delete", text, (("Delete them too", "delete"), ("Leave them", "leave")), then)


def ask_class(parent: QWidget, then: Answered) -> QMessageBox:
    """What becomes of elements that another default class is in force for where they are put: then('name', 'write' or 'take', whether always)."""
    return _choices(parent, "Default class", "Another default class is in force there.\nWhat is moved would look or act otherwise.",
                    (("Name its class", "name"), ("Write its values", "write"), ("Take the values there", "take")), then)


def ask_text(parent: QWidget, title: str, label: str, text: str, then: Callable[[str], object]) -> QInputDialog:
    """A name."""
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.setTextValue(text)
    dialog.textValueSelected.connect(lambda value: then(value.strip()) if value.strip() else None)
    dialog.open()
    return dialog


def ask_new_file(parent: QWidget, title: str, folder: str, then: Callable[[str], object]) -> QFileDialog:
    """A file that there is not yet."""
    dialog = QFileDialog(parent, title, folder, "MJCF (*.xml)")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix("xml")
    return _files(dialog, then)


def ask_file(parent: QWidget, title: str, near: str, then: Callable[[str], object]) -> QFileDialog:
    """A file that there is."""
    dialog = QFileDialog(parent, title, os.path.dirname(near))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    return _files(dialog, then)


def _files(dialog: QFileDialog, then: Callable[[str], object]) -> QFileDialog:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(then)
    dialog.open()
    return dialog


class AttachDialog(QDialog):
    """Which body of a model file is attached, under which prefix, and where. then(body, prefix, (x, y, z))."""

    def __init__(self, parent: QWidget, path: str, then: Callable[[str, str, tuple], object], target: str):
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Attach a model")
        self._then = then
        root = read(path).root
        bodies = [e.name for world in root.all("worldbody") for e in world.walk() if e.tag == "body" and e.name] if root is not None and root.tag == "mujoco" else []
        self.body, self.prefix, self.position = QComboBox(), QLineEdit(), QLineEdit("0 0 0")
        self.body.addItem("all of it", "")
        for name in bodies:
            self.body.addItem(name, name)
        self.prefix.setPlaceholderText("one that is free")
        self.prefix.setToolTip("What stands before all names of the attached model here")
        self.position.setToolTip("Position in what it is attached to [m]")
        self.problem = QLabel("" if root is not None else "The file cannot be read")
        form = QFormLayout()
        form.addRow("File", QLabel(os.path.basename(path)))
        form.addRow("Attached to", QLabel(target))
        form.addRow("Body", self.body)
        form.addRow("Prefix", self.prefix)
        form.addRow("Position", self.position)
        self.buttons = _laid_out(self, form, self.problem)

    def accept(self) -> None:
        try:
            pos = tuple(map(float, self.position.text().split()))
        except ValueError:
            pos = ()
        if len(pos) != 3:
            self.problem.setText("The position is three numbers")
            return
        super().accept()
        self._then(self.body.currentData(), self.prefix.text().strip(), pos)


class MeshDialog(QDialog):
    """Whether a mesh file is copied beside the model, and by what it is scaled. then(file, scale)."""

    def __init__(self, parent: QWidget, path: str, model: Path | None, then: Callable[[str, float], object], guess: Callable[[float], float] = mesh_scale):
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Add a mesh")
        self._path, self._model, self._then = path, model, then
        size = mesh_extent(path)
        self.scale = QLineEdit(f"{guess(size):g}" if size else "1")
        self.scale.setToolTip("From the file's unit to metres: 0.001 for millimetres")
        self.copy = QCheckBox("Copy the file beside the model")
        inside = model is not None and Path(path).resolve().is_relative_to(model.parent.resolve())
        self.copy.setChecked(model is not None and not inside)
        self.copy.setEnabled(model is not None and not inside)
        self.convex = QCheckBox("Take it apart into convex parts...")
        self.convex.setToolTip("A mesh collides as its convex hull: with holes or hollows it takes several convex parts to be touched as it looks")
        self.convex.setEnabled(model is not None)
        self.problem = QLabel("")
        form = QFormLayout()
        form.addRow("File", QLabel(os.path.basename(path)))
        form.addRow("Largest extent", QLabel(f"{size:.4g} in the file's unit" if size else "not known"))
        form.addRow("Scale", self.scale)
        form.addRow(self.copy)
        form.addRow(self.convex)
        self.buttons = _laid_out(self, form, self.problem)

    def accept(self) -> None:
        try:
            scale = float(self.scale.text())
            path = self._copied() if self.copy.isChecked() else self._path
        except ValueError:
            self.problem.setText("The scale is a number")
            return
        except OSError as reason:
            self.problem.setText(f"The file cannot be copied: {reason.strerror or reason}")
            return
        super().accept()
        self._then(path, scale)

    def _copied(self) -> str:
        target = self._model.parent / Path(self._path).name
        if target.exists() and not os.path.samefile(target, self._path):
            raise OSError(f"{target.name} is there already")
        if not target.exists():
            shutil.copyfile(self._path, target)
        return str(target)


def _laid_out(dialog: QDialog, form: QFormLayout, problem: QLabel) -> QDialogButtonBox:
    """Put a form, a line for what is wrong and the buttons Ok and Cancel into a dialog; the buttons."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    problem.setWordWrap(True)
    layout = QVBoxLayout(dialog)
    layout.addLayout(form)
    layout.addWidget(problem)
    layout.addWidget(buttons)
    return buttons

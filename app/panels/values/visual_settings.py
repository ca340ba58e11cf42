"""Editors of a model's picture settings and statistics, as sections of a panel: made from visual_table, each section when it is first opened."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PyQt6.QtWidgets import QCheckBox, QComboBox, QPushButton, QWidget

from app.context import AppContext
from app.controllers.view import ViewController
from app.panels.values.changed_marks import ChangedMarks, number_text, on_off
from app.panels.values.visual_table import CAMERA, CHOICE, COLOUR, SECTIONS, SWITCH, VECTOR, WHOLE, Setting
from editor.widgets.colour_button import ColourButton
from editor.widgets.number_edit import NumberEdit
from editor.widgets.property_form import PropertyForm
from editor.widgets.section import Section, matches
from editor.widgets.vector_edit import VectorEdit
from editor.widgets.wheel_guard import guard_wheel
from physics.runtime import commands
from physics.schema.schema_docs import describe

NO_CAMERA = "free camera"


class VisualSettings:
    """The sections of one panel. `show_values` after each change of the Model or its values, while the panel is seen."""

    def __init__(self, context: AppContext, view_control: ViewController, marks: ChangedMarks):
        self._context, self._view_control, self._marks = context, view_control, marks
        self._readers: dict[str, Callable[[object], None]] = {}   # by path: shows a value
        self.editors: dict[str, tuple[QWidget, ...]] = {}
        self.sections = [self._section(title, rows) for title, rows in SECTIONS]

    # ------------------------------------------------------------------ making

    def _section(self, title: str, rows: tuple[Setting, ...]) -> Section:
        section = Section(title, False)
        section.add_later(lambda: self._form(title, rows), lambda text: any(matches(text, row.title, *row.place) for row in rows))
        return section

    def _form(self, title: str, rows: tuple[Setting, ...]) -> PropertyForm:
        form = PropertyForm()
        for row in rows:
            made = {COLOUR: self._colour, SWITCH: self._switch, CHOICE: self._choice, CAMERA: self._camera, VECTOR: self._vector}.get(row.kind, self._number)(row)
            self.editors[row.path] = tuple(made)
            mark = form.add(row.title, made, describe(*row.place), " ".join(row.place))
            self._marks.add(mark, title, row.target, text=self._in_words(row))
        if title == "Free camera":
            self._add_camera_buttons(form)
        guard_wheel(form)
        self.show_values()
        self._marks.catch_up()
        return form

    def _in_words(self, row: Setting) -> Callable[[object], str]:
        if row.kind == SWITCH:
            return on_off
        return (lambda value: row.words[int(value)]) if row.kind == CHOICE else number_text

    def _number(self, row: Setting) -> list[QWidget]:
        edit = NumberEdit(0.0, row.low, row.high, row.kind == WHOLE, 1.2)
        edit.edited.connect(lambda value: self._set(row, value))
        self._readers[row.path] = edit.show_value
        return [edit]

    def _vector(self, row: Setting) -> list[QWidget]:
        edits = [NumberEdit() for _ in range(3)]
        for i, edit in enumerate(edits):
            edit.edited.connect(lambda value, i=i: self._set(row, value, i))
        self._readers[row.path] = lambda values: [edit.show_value(float(value)) for edit, value in zip(edits, values, strict=True)]
        return edits

    def _switch(self, row: Setting) -> list[QWidget]:
        box = QCheckBox()
        box.clicked.connect(lambda on: self._set(row, int(on)))
        self._readers[row.path] = lambda value: box.setChecked(bool(value))
        return [box]

    def _choice(self, row: Setting) -> list[QWidget]:
        box = QComboBox()
        box.addItems(row.words)
        box.activated.connect(lambda index: self._set(row, index))
        self._readers[row.path] = lambda value: box.setCurrentIndex(int(value))
        return [box]

    def _camera(self, row: Setting) -> list[QWidget]:
        box = QComboBox()
        box.activated.connect(lambda index: self._set(row, index - 1))

        def show(value) -> None:
            names = [NO_CAMERA, *(name or f"camera {i}" for i, name in enumerate(self._context.model.names["camera"]))]
            if names != [box.itemText(i) for i in range(box.count())]:
                box.clear()
                box.addItems(names)
            box.setCurrentIndex(int(value) + 1)

        self._readers[row.path] = show
        return [box]

    def _colour(self, row: Setting) -> list[QWidget]:
        size = 3 if row.path.startswith("headlight") else 4
        button, edit = ColourButton(f"{row.title} ({row.place[1]})", size), VectorEdit(size, 0.0, 1.0)
        for part in (button, edit):
            part.edited.connect(lambda value: self._set(row, value))

        def show(value) -> None:
            button.show_value(value)
            edit.show_value(value)

        self._readers[row.path] = show
        return [button, edit]

    def _add_camera_buttons(self, form: PropertyForm) -> None:
        for text, tip, job in (
                ("Align camera to these", "Put the free camera where these say (Ctrl+A)", self._view_control.align),
                ("Take them from the camera", "Centre, azimuth and elevation of the free camera as it stands", self._take_camera)):
            button = QPushButton(text)
            button.setToolTip(tip)
            button.clicked.connect(lambda _checked=False, job=job: job())
            form.add_wide(button, f"{text} free camera")

    # ------------------------------------------------------------------ values

    def _take_camera(self) -> None:
        camera, runner = self._view_control.camera, self._context.runner
        runner.send(commands.SetVisual("global_.azimuth", round(float(camera.azimuth), 3)))
        runner.send(commands.SetVisual("global_.elevation", round(float(camera.elevation), 3)))
        runner.send(commands.SetField("stat_center", tuple(round(float(x), 4) for x in camera.lookat)))

    def _set(self, row: Setting, value, index: int | None = None) -> None:
        command = commands.SetField(row.path, value, index) if row.statistic else commands.SetVisual(row.path, value)
        self._context.runner.latest((row.path, index), command)

    def show_values(self) -> None:
        """Show what the running Model has."""
        model = self._context.model
        if model is None:
            return
        for path, show in self._readers.items():
            if path.startswith("stat_"):
                value = getattr(model, path)
                show(np.array(value) if np.ndim(value) else float(value))
            else:
                group, _, name = path.partition(".")
                show(getattr(getattr(model.vis, group), name))

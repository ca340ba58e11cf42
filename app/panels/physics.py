"""Physics: options of the running model, edited live. They change the model in memory, not the text."""
import numpy as np
from PyQt6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.context import AppContext
from app.panels.options_table import ACTUATOR_GROUPS, ALGORITHMIC, CHOICES, FLAG_WORDS, NO_EFFECT_YET, OVERRIDE, PHYSICAL, Choice, Number
from editor.widgets.number_edit import NumberEdit
from editor.widgets.section import Section
from editor.widgets.slider_row import RowSpec, SliderRow
from physics.runtime import commands


class PhysicsPanel(QWidget):
    """Made from options_table; shows the values of the running model."""

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self.numbers: dict[tuple[str, int], NumberEdit] = {}
        self.choices: dict[str, QComboBox] = {}
        self.flags: dict[tuple[str, int], QCheckBox] = {}
        self.sliders: dict[tuple[str, int | None], SliderRow] = {}
        self.groups: list[QCheckBox] = []
        layout = QVBoxLayout(self)
        layout.setSpacing(1)
        layout.addWidget(self._form("Method", CHOICES, True))
        layout.addWidget(self._form("Algorithm", ALGORITHMIC, True))
        layout.addWidget(self._form("Medium and gravity", PHYSICAL, True))
        for word, title, bits in FLAG_WORDS:
            layout.addWidget(self._flag_section(word, title, bits))
        layout.addWidget(self._override_section())
        layout.addWidget(self._group_section())
        layout.addStretch(1)
        context.model_changed.connect(lambda _model: self.show_values())
        context.snapshot_ready.connect(lambda _snapshot: self.show_values() if self.isVisible() else None)
        self.show_values()

    # ------------------------------------------------------------------ making

    def _form(self, title: str, rows, opened: bool) -> Section:
        section = Section(title, opened)
        form = QFormLayout(section.body)
        form.setContentsMargins(6, 0, 6, 0)
        form.setVerticalSpacing(2)
        for row in rows:
            form.addRow(row.title, self._choice(row) if isinstance(row, Choice) else self._vector(row))
        return section

    def _choice(self, row: Choice) -> QComboBox:
        box = QComboBox()
        for value in row.values:
            box.addItem(value.name.lower(), int(value))
        box.activated.connect(lambda _index: self._set(row.name, box.currentData()))
        self.choices[row.name] = box
        return box

    def _vector(self, row: Number) -> QWidget:
        holder = QWidget()
        line = QHBoxLayout(holder)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(2)
        for i in range(row.size):
            edit = NumberEdit(0.0, row.low, row.high, row.whole, 90 if row.size == 1 else 58)
            index = i if row.size > 1 else None
            edit.edited.connect(lambda value, index=index: self._set(row.name, int(value) if row.whole else value, index))
            self.numbers[row.name, i] = edit
            line.addWidget(edit)
        line.addStretch(1)
        return holder

    def _flag_section(self, word: str, title: str, bits) -> Section:
        section = Section(f"{title} flags", False)
        grid = QGridLayout(section.body)
        grid.setContentsMargins(6, 0, 6, 0)
        for i, bit in enumerate(bits):
            box = QCheckBox(bit.name.lower())
            if bit.name in NO_EFFECT_YET:
                box.setEnabled(False)
                box.setToolTip("What this switches is not there yet")
            box.clicked.connect(lambda on, bit=bit: self._send(commands.SetFlag(word, int(bit), on), bit.name))
            self.flags[word, int(bit)] = box
            grid.addWidget(box, i // 2, i % 2)
        return section

    def _override_section(self) -> Section:
        section = Section("Contact override (flag override)", False)
        column = QVBoxLayout(section.body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        column.addWidget(QLabel("Replaces these values of every contact while the enable flag 'override' is on.", wordWrap=True))
        for row in OVERRIDE:
            slider = SliderRow(RowSpec(row.title, row.low, row.high, row.start, f"{row.name}{'' if row.index is None else f'[{row.index}]'}"))
            slider.edited.connect(lambda value, row=row: self._set(row.name, value, row.index))
            self.sliders[row.name, row.index] = slider
            column.addWidget(slider)
        return section

    def _group_section(self) -> Section:
        section = Section("Actuator groups", False)
        line = QHBoxLayout(section.body)
        line.setContentsMargins(6, 0, 6, 0)
        for group in range(ACTUATOR_GROUPS):
            box = QCheckBox(str(group))
            box.clicked.connect(lambda on, group=group: self._send(commands.SetActuatorGroup(group, on), "disableactuator"))
            self.groups.append(box)
            line.addWidget(box)
        return section

    # ------------------------------------------------------------------ values

    def _set(self, name: str, value, index: int | None = None) -> None:
        self._send(commands.SetOption(name, value, index), name, key=("option", name, index))

    def _send(self, command, name: str, key=None) -> None:
        if key is None:
            self._context.runner.send(command)
        else:
            self._context.runner.latest(key, command)
        self._context.option_edited.emit(name)

    def show_values(self) -> None:
        """Show the running model's options."""
        model = self._context.model
        if model is None:
            return
        option = model.opt
        for (name, i), edit in self.numbers.items():
            edit.show_value(float(np.ravel(getattr(option, name))[i]))
        for name, box in self.choices.items():
            if not box.view().isVisible():
                box.setCurrentIndex(box.findData(int(getattr(option, name))))
        for (word, bit), box in self.flags.items():
            box.setChecked(bool(int(option.disableflags if word == "disable" else option.enableflags) & bit))
        for (name, index), slider in self.sliders.items():
            slider.show_value(float(np.ravel(getattr(option, name))[index or 0]))
        for group, box in enumerate(self.groups):
            box.setChecked(not int(option.disableactuator) >> group & 1)

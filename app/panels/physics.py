"""Physics: options of the running model, edited live. They change the model in memory, not the text; what differs from the text is marked."""
import numpy as np
from PyQt6.QtWidgets import QCheckBox, QComboBox, QToolButton, QVBoxLayout, QWidget

from app.context import AppContext
from app.panels.diagnostics.query_panel import text_label
from app.panels.live_panel import Sight, in_front
from app.panels.values.changed_marks import ChangedMarks, component, on_off
from app.panels.values.options_table import (
    ACTUATOR_GROUPS,
    ALGORITHMIC,
    CHOICES,
    DOCS,
    FLAG_NOTES,
    FLAG_WORDS,
    FLAGS_NOT_HARD,
    HARD,
    NO_EFFECT,
    NOT_HARD,
    ONLY_HARD,
    OVERRIDE,
    PHYSICAL,
    Choice,
    Number,
)
from app.panels.values.nearest_contact import nearest_contact
from editor.widgets.changed_mark import ChangedMark
from editor.widgets.number_edit import NumberEdit
from editor.widgets.number_switches import number_switches
from editor.widgets.property_form import CheckGrid, PropertyForm
from editor.widgets.section import Section, filter_field
from editor.widgets.slider_row import RowSpec, SliderRow
from physics.enums import EnableBit, Engine
from physics.fields.hard_options import BY_FIELD, LEAST_KAPPA
from physics.runtime import commands
from physics.schema.schema_docs import describe


class PhysicsPanel(QWidget):
    """Made from options_table; shows the values of the running model."""

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self.numbers: dict[tuple[str, int], NumberEdit] = {}
        self.choices: dict[str, QComboBox] = {}
        self.flags: dict[tuple[str, int], QCheckBox] = {}
        self.sliders: dict[tuple[str, int | None], SliderRow] = {}
        self.groups: list[QToolButton] = []
        self.forms: dict[str, tuple[PropertyForm, ChangedMark]] = {}      # where each option's row is
        self._tips: dict[QWidget, str] = {}     # what they say while they have a meaning
        self._engine = -1       # for which the rows are greyed
        self.marks = ChangedMarks(context, self)
        layout = QVBoxLayout(self)
        layout.setSpacing(1)
        sections = (
            self._form("Method", CHOICES), self._form("Algorithm", ALGORITHMIC), self._hard_section(), self._form("Medium and gravity", PHYSICAL),
            *(self._flag_section(*row) for row in FLAG_WORDS), self._override_section(), self._group_section(),
        )
        self.filter = filter_field(sections)
        layout.addWidget(self.filter)
        for section in sections:
            layout.addWidget(section)
        layout.addStretch(1)
        context.model_changed.connect(lambda _model: self.show_values())
        context.snapshot_ready.connect(lambda _snapshot: self.show_values() if in_front(self) else None)
        Sight(self).changed.connect(lambda seen: self.show_values() if seen else None)
        self.show_values()

    # ------------------------------------------------------------------ making

    def _form(self, title: str, rows) -> Section:
        section = Section(title)
        form = section.add(PropertyForm())
        for row in rows:
            if isinstance(row, Choice):
                mark = form.add(row.title, [self._choice(row)], words(row.name), row.name)
                self.marks.add(mark, title, f"opt.{row.name}", text=lambda value, row=row: row.values(int(value)).name.lower())
            else:
                mark = form.add(row.title, self._vector(row), words(row.name), row.name)
                self.marks.add(mark, title, f"opt.{row.name}")
            self.forms[row.name] = form, mark
        return section

    def _hard_section(self) -> Section:
        """The hard engine's own options, and the point of the central path at which its steps are solved."""
        section = self.hard = self._form("Hard engine", HARD)
        kappa = BY_FIELD["opt_hard_kappa"]
        slider = self.kappa = SliderRow(RowSpec("kappa [J]", LEAST_KAPPA, kappa.high, kappa.usual, kappa.doc, log=True))
        slider.edited.connect(lambda value: self._set(kappa.name, value if value > LEAST_KAPPA else 0.0))     # the slider's end is the path's: rigid contacts
        self.marks.add(slider.mark, section.title, f"opt.{kappa.name}")
        form = self.forms[HARD[0].name][0]
        form.add_wide(slider, f"kappa central path {kappa.name}")
        self.nearest = text_label()
        self.nearest.setToolTip("With kappa above 0 contacts act at a distance: at rest gap times normal force is kappa")
        form.add_wide(self.nearest, "kappa gap force nearest contact")
        section.fold(False)
        return section

    def _choice(self, row: Choice) -> QComboBox:
        box = QComboBox()
        for value in row.values:
            box.addItem(value.name.lower(), int(value))
        box.activated.connect(lambda _index: self._set(row.name, box.currentData()))
        self.choices[row.name] = box
        return box

    def _vector(self, row: Number) -> list[NumberEdit]:
        edits = []
        for i in range(row.size):
            edit = NumberEdit(0.0, row.low, row.high, row.whole, 1.2 if row.size == 1 else 1.0)
            index = i if row.size > 1 else None
            edit.edited.connect(lambda value, index=index: self._set(row.name, int(value) if row.whole else value, index))
            self.numbers[row.name, i] = edit
            edits.append(edit)
        return edits

    def _flag_section(self, word: str, title: str, bits) -> Section:
        section = Section(f"{title} flags", False)
        grid = section.add(CheckGrid())
        for bit in bits:
            name = bit.name.lower()
            box = QCheckBox(name)
            box.setToolTip("\n".join(filter(None, (describe("option/flag", name), FLAG_NOTES.get(bit.name)))))
            if bit.name in NO_EFFECT:
                box.setEnabled(False)
            box.clicked.connect(lambda on, bit=bit: self._send(commands.SetFlag(word, int(bit), on), bit.name))
            self.flags[word, int(bit)] = box
            self.marks.add(grid.add(box, word), section.title, f"opt.{word}flags[{name}]", text=on_off)
        return section

    def _override_section(self) -> Section:
        section = Section("Contact override", False)
        form = section.add(PropertyForm())
        bit = EnableBit.OVERRIDE
        box = self.override = QCheckBox("Override the values of every contact")
        box.setToolTip("The enable flag 'override'")
        box.clicked.connect(lambda on: self._send(commands.SetFlag("enable", int(bit), on), bit.name))
        form.add_wide(box, "override contact")
        width = 0
        for row in OVERRIDE:
            slider = SliderRow(RowSpec(row.title, row.low, row.high, row.start, f"{row.name}{'' if row.index is None else f'[{row.index}]'}", log=row.log))
            slider.edited.connect(lambda value, row=row: self._set(row.name, value, row.index))
            self.sliders[row.name, row.index] = slider
            self.marks.add(slider.mark, section.title, f"opt.{row.name}", component(row.index))
            width = max(width, slider.fontMetrics().horizontalAdvance(row.title) + 4)
            form.add_wide(slider, f"{row.title} {row.name} override contact")
        for slider in self.sliders.values():
            slider.set_name_width(width)
        return section

    def _group_section(self) -> Section:
        section = Section("Actuator groups", False)
        form = section.add(PropertyForm())
        boxes = number_switches(ACTUATOR_GROUPS)
        mark = form.add("Acting groups", boxes, "Actuators of these groups act", "actuator group")
        for group, box in enumerate(boxes):
            box.setToolTip(f"Actuators of group {group} act")
            box.clicked.connect(lambda on, group=group: self._send(commands.SetActuatorGroup(group, on), "disableactuator"))
            self.groups.append(box)
            self.marks.add(mark, section.title, f"opt.disableactuator[{group}]", text=lambda value, group=group: f"group {group} {on_off(value)}")
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
        self.kappa.show_value(float(option.hard_kappa))
        snapshot = self._context.snapshot
        if self.hard.opened and snapshot is not None and snapshot.model is model:
            text = nearest_contact(snapshot)
            if text != self.nearest.text():
                self.nearest.setText(text)
        self._show_engine(int(option.engine))
        self.override.setChecked(bool(int(option.enableflags) & EnableBit.OVERRIDE))
        for (name, index), slider in self.sliders.items():
            slider.show_value(float(np.ravel(getattr(option, name))[index or 0]))
        for group, box in enumerate(self.groups):
            box.setChecked(not int(option.disableactuator) >> group & 1)

    def _show_engine(self, engine: int) -> None:
        """Grey what has no meaning to the engine that moves the model, and say why."""
        if engine == self._engine:
            return
        hard, before = engine == Engine.HARD, self._engine
        self._engine = engine
        bits_of = {word: bits for word, _title, bits in FLAG_WORDS}
        for name, (form, mark) in self.forms.items():
            form.grey(mark, NOT_HARD.get(name, "") if hard else ONLY_HARD if f"opt_{name}" in BY_FIELD else "")
        for (word, bit), box in self.flags.items():
            name = bits_of[word](bit).name
            self._grey(box, FLAGS_NOT_HARD.get(name, "") if hard else "", name not in NO_EFFECT)
        for (name, _index), slider in self.sliders.items():
            self._grey(slider, NOT_HARD.get(name, "") if hard else "")
        self._grey(self.kappa, "" if hard else ONLY_HARD)
        if before >= 0 or hard:
            self.hard.fold(hard)

    def _grey(self, widget: QWidget, reason: str, takes: bool = True) -> None:
        """Grey a switch or slider for a reason, '' for none; takes: whether it can be used at all."""
        usual = self._tips.setdefault(widget, widget.toolTip())
        widget.set_enabled(not reason) if isinstance(widget, SliderRow) else widget.setEnabled(takes and not reason)
        widget.setToolTip(reason or usual)


def words(name: str) -> str:
    """What an option is."""
    return DOCS.get(name) or describe("option", name)

"""Visualization: what is drawn. The same switches as the letter keys."""
from PyQt6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QFormLayout, QGridLayout, QLabel, QSpinBox, QVBoxLayout, QWidget

from app.bridge.options import FRAMES, GROUPS, LABELS, LOOKS, NGROUP, NOT_YET, QUANTITY_FLAGS, QUANTITY_SCALES, RENDER_FLAGS, VIS_FLAGS
from app.context import AppContext
from app.controllers.view import ViewController
from editor.widgets.section import Section
from render.scene.snapshot import SHOWN

DEEPEST = 20   # of a tree over many triangles
UNUSED_GROUPS = ("flex",)   # objects the engine does not have yet


class VisualPanel(QWidget):
    """Check boxes from the flag tables, label and frame modes, groups."""

    def __init__(self, context: AppContext, view_control: ViewController):
        super().__init__()
        self._context, self._view_control = context, view_control
        self.flags: dict[str, QCheckBox] = {}
        self.groups: dict[tuple[str, int], QCheckBox] = {}
        layout = QVBoxLayout(self)
        layout.setSpacing(1)
        layout.addWidget(self._modes())
        layout.addWidget(self._flag_section("Elements", VIS_FLAGS, True))
        layout.addWidget(self._flag_section("Rendering", RENDER_FLAGS, True))
        layout.addWidget(self._quantity_section())
        layout.addWidget(self._group_section())
        layout.addStretch(1)
        context.options_changed.connect(self.show_values)
        self.show_values()

    def _modes(self) -> QWidget:
        holder = QWidget()
        form = QFormLayout(holder)
        form.setContentsMargins(6, 0, 6, 0)
        self._label, self._frame, self.shown = QComboBox(), QComboBox(), QComboBox()
        self.shown.addItems([name.capitalize() for name in SHOWN])
        self.shown.setToolTip("F8 goes to the next: colours, distance as grey, one colour per thing or per type, each thing's number, normals")
        self.shown.activated.connect(lambda index: self._choose("show", SHOWN[index]))
        form.addRow("Picture", self.shown)
        for box, names, attribute, key in ((self._label, LABELS, "label", "F7"), (self._frame, FRAMES, "frame", "F6")):
            box.addItems(names)
            box.setToolTip(f"{key} goes to the next")
            box.activated.connect(lambda _index, box=box, attribute=attribute: self._choose(attribute, box.currentText()))
        form.addRow("Labels", self._label)
        form.addRow("Frames", self._frame)
        self.look = QComboBox()
        self.look.addItems(LOOKS)
        self.look.setToolTip("F9 takes the other: as the official picture, or physically based")
        self.look.activated.connect(lambda _index: self._view_control.choose_look(self.look.currentText()))
        form.addRow("Look", self.look)
        self.depth = QSpinBox()
        self.depth.setRange(0, DEEPEST)
        self.depth.setToolTip("How deep in the trees of bounding volumes Body Tree and Mesh Tree look")
        self.depth.valueChanged.connect(lambda depth: self._choose("bvh_depth", depth))
        form.addRow("Tree depth", self.depth)
        return holder

    def _flag_section(self, title: str, flags, opened: bool) -> Section:
        section = Section(title, opened)
        grid = QGridLayout(section.body)
        grid.setContentsMargins(6, 0, 6, 0)
        grid.setVerticalSpacing(1)
        for i, flag in enumerate(flag for flag in flags if flag.name not in NOT_YET):
            box = QCheckBox(f"{flag.title}  {flag.key}" if flag.key else flag.title)
            box.setToolTip(flag.doc)
            box.clicked.connect(lambda on, name=flag.name: self._set_flag(name, on))
            self.flags[flag.name] = box
            grid.addWidget(box, i // 2, i % 2)
        return section

    def _quantity_section(self) -> Section:
        section = self._flag_section("Forces and motion", QUANTITY_FLAGS, False)
        self.kind, self.factor = QComboBox(), QDoubleSpinBox()
        self.kind.addItems(QUANTITY_SCALES)
        self.kind.setToolTip("Whose size to choose")
        self.factor.setRange(0.001, 1000)
        self.factor.setDecimals(3)
        self.factor.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        self.factor.setPrefix("x ")
        self.factor.setToolTip("How many times as large as suits the model")
        self.kind.currentTextChanged.connect(lambda _kind: self.show_values())
        self.factor.valueChanged.connect(self._set_factor)
        grid = section.body.layout()
        row = grid.rowCount()
        grid.addWidget(self.kind, row, 0)
        grid.addWidget(self.factor, row, 1)
        return section

    def _group_section(self) -> Section:
        section = Section("Groups", True)
        grid = QGridLayout(section.body)
        grid.setContentsMargins(6, 0, 6, 0)
        grid.setHorizontalSpacing(2)
        for row, kind in enumerate(kind for kind in GROUPS if kind not in UNUSED_GROUPS):
            grid.addWidget(QLabel(kind), row, 0)
            for number in range(NGROUP):
                box = QCheckBox(str(number))
                box.clicked.connect(lambda on, kind=kind, number=number: self._set_group(kind, number, on))
                self.groups[kind, number] = box
                grid.addWidget(box, row, number + 1)
        return section

    def _choose(self, attribute: str, value) -> None:
        if getattr(self._context.options, attribute) != value:
            setattr(self._context.options, attribute, value)
            self._context.options_changed.emit()

    def _set_flag(self, name: str, on: bool) -> None:
        self._context.options[name] = on
        self._context.options_changed.emit()

    def _set_factor(self, factor: float) -> None:
        factors, kind = self._context.options.factors, self.kind.currentText()
        if factors[kind] != factor:
            factors[kind] = factor
            self._context.options_changed.emit()

    def _set_group(self, kind: str, number: int, on: bool) -> None:
        self._context.options.group(kind)[number] = on
        self._context.options_changed.emit()

    def show_values(self) -> None:
        """Show the present choice."""
        options = self._context.options
        for name, box in self.flags.items():
            box.setChecked(options[name])
        for (kind, number), box in self.groups.items():
            box.setChecked(options.group(kind)[number])
        self._label.setCurrentText(options.label)
        self._frame.setCurrentText(options.frame)
        self.shown.setCurrentIndex(SHOWN.index(options.show))
        self.look.setCurrentText(options.look)
        self.depth.setValue(options.bvh_depth)
        self.factor.setValue(options.factors[self.kind.currentText()])

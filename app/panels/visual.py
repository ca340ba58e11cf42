"""Visualization: what is drawn, by the same switches as the letter keys, and the model's own picture settings."""
from PyQt6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLabel, QSpinBox, QToolButton, QVBoxLayout, QWidget

from app.bridge.options import ADDED_FLAGS, FRAMES, GROUPS, LABELS, LOOKS, NGROUP, NOT_YET, QUANTITY_FLAGS, QUANTITY_SCALES, RENDER_FLAGS, VIS_FLAGS
from app.context import AppContext
from app.controllers.view import ViewController
from app.panels.live_panel import Sight, in_front
from app.panels.values.changed_marks import ChangedMarks
from app.panels.values.visual_settings import VisualSettings
from editor.widgets.number_switches import number_switches
from editor.widgets.property_form import CheckGrid, PropertyForm
from editor.widgets.section import Section, filter_field
from render.scene.snapshot import SHOWN

NOT_THERE = "No switches for flexible bodies and for SDF iterations: the engine has neither yet."
DEEPEST = 20   # of a tree over many triangles
UNUSED_GROUPS = ("flex",)   # objects the engine does not have yet


class VisualPanel(QWidget):
    """Check boxes from the flag tables, label and frame modes, groups; folded below them all of mjVisual and mjStatistic."""

    def __init__(self, context: AppContext, view_control: ViewController):
        super().__init__()
        self._context, self._view_control = context, view_control
        self.flags: dict[str, QCheckBox] = {}
        self.groups: dict[tuple[str, int], QToolButton] = {}
        self.marks = ChangedMarks(context, self)
        self.settings = VisualSettings(context, view_control, self.marks)
        layout = QVBoxLayout(self)
        layout.setSpacing(1)
        sections = (self._mode_section(), self._flag_section("Elements", VIS_FLAGS + ADDED_FLAGS, True), self._flag_section("Rendering", RENDER_FLAGS, True),
                    self._quantity_section(), self._group_section(), *self.settings.sections)
        self.filter = filter_field(sections)
        layout.addWidget(self.filter)
        for section in sections:
            layout.addWidget(section)
        layout.addStretch(1)
        context.options_changed.connect(self.show_values)
        context.snapshot_ready.connect(lambda _snapshot: self.settings.show_values() if in_front(self) else None)
        Sight(self).changed.connect(lambda seen: self.settings.show_values() if seen else None)
        self.show_values()

    def _mode_section(self) -> Section:
        section = Section("Picture")
        form = section.add(PropertyForm())
        self._label, self._frame, self.shown = QComboBox(), QComboBox(), QComboBox()
        self.shown.addItems([name.capitalize() for name in SHOWN])
        self.shown.activated.connect(lambda index: self._choose("show", SHOWN[index]))
        form.add("Picture", [self.shown], "F8 goes to the next: colours, distance as grey, one colour per thing or per type, each thing's number, normals", " ".join(SHOWN))
        for title, box, names, attribute, key in (("Labels", self._label, LABELS, "label", "F7"), ("Frames", self._frame, FRAMES, "frame", "F6")):
            box.addItems(names)
            box.activated.connect(lambda _index, box=box, attribute=attribute: self._choose(attribute, box.currentText()))
            form.add(title, [box], f"{key} goes to the next")
        self.look = QComboBox()
        self.look.addItems(LOOKS)
        self.look.activated.connect(lambda _index: self._view_control.choose_look(self.look.currentText()))
        form.add("Look", [self.look], "F9 takes the other: as the official picture, or physically based", "physical classic")
        self.tree_depth = QSpinBox()
        self.tree_depth.setRange(0, DEEPEST)
        self.tree_depth.setKeyboardTracking(False)     # each change is shown again, which would write over what is being typed
        self.tree_depth.valueChanged.connect(lambda depth: self._choose("bvh_depth", depth))
        form.add("Tree depth", [self.tree_depth], "How deep in the trees of bounding volumes Body Tree and Mesh Tree look", "bvh bounding volume")
        return section

    def _flag_section(self, title: str, flags, opened: bool) -> Section:
        section = Section(title, opened)
        grid = section.add(CheckGrid())
        for flag in flags:
            if flag.name in NOT_YET:
                continue
            box = QCheckBox(f"{flag.title}  {flag.key}" if flag.key else flag.title)
            box.setToolTip(flag.doc)
            box.clicked.connect(lambda on, name=flag.name: self._set_flag(name, on))
            self.flags[flag.name] = box
            grid.add(box, flag.name)
        missing = [flag for flag in flags if flag.name in NOT_YET]
        if missing:
            note = QLabel(NOT_THERE)
            note.setWordWrap(True)
            note.setEnabled(False)
            section.add(PropertyForm()).add_wide(note, " ".join(f"{flag.title} {flag.name} {flag.doc}" for flag in missing))
        return section

    def _quantity_section(self) -> Section:
        section = self._flag_section("Forces and motion", QUANTITY_FLAGS, False)
        self.kind, self.factor = QComboBox(), QDoubleSpinBox()
        self.kind.addItems(QUANTITY_SCALES)
        self.kind.setToolTip("Whose size to choose")
        self.factor.setRange(0.001, 1000)
        self.factor.setDecimals(3)
        self.factor.setKeyboardTracking(False)
        self.factor.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        self.factor.setPrefix("x ")
        self.factor.setToolTip("How many times as large as suits the model")
        self.kind.currentTextChanged.connect(lambda _kind: self.show_values())
        self.factor.valueChanged.connect(self._set_factor)
        section.add(PropertyForm()).add("Size of", [self.kind, self.factor], "How large marks are drawn", " ".join(QUANTITY_SCALES))
        return section

    def _group_section(self) -> Section:
        section = Section("Groups", True)
        form = section.add(PropertyForm())
        for kind in (kind for kind in GROUPS if kind not in UNUSED_GROUPS):
            boxes = number_switches(NGROUP)
            for number, box in enumerate(boxes):
                box.clicked.connect(lambda on, kind=kind, number=number: self._set_group(kind, number, on))
                self.groups[kind, number] = box
            form.add(kind, boxes, f"Groups of {kind}s that are drawn", "group")
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
        self.tree_depth.setValue(options.bvh_depth)
        self.factor.setValue(options.factors[self.kind.currentText()])

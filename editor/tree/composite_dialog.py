"""A new composite by its settings, with a preview: kind, place, counts and shape, geoms and joints."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QLineEdit, QPlainTextEdit, QWidget

from editor.edits.version import Version
from editor.structure.composite import FORMS, KINDS, SIZES, CompositeSettings, composite, holders, proposed
from editor.structure.draft import Change, Refusal
from editor.wording import what
from editor.tree.trial_dialog import TrialDialog
from editor.widgets.colour_button import ColourButton
from editor.widgets.element_icons import kind_icon
from editor.widgets.number_edit import NumberEdit, parse_number
from editor.widgets.vector_edit import VectorEdit

__all__ = ["CompositeDialog"]

FORM_WORDS: Mapping[str, str] = MappingProxyType({"line x": "Straight along x", "line y": "Straight along y", "line z": "Straight along z", "arc": "Arc in the xy plane",
                                                  "helix": "Helix about z", "wave": "Wave along x", "points": "Through points"})
TURNED = ("arc", "helix", "wave")      # forms with a radius
ROOT_WORDS: Mapping[str, str] = MappingProxyType({"none": "Fixed", "free": "Free", "ball": "Ball joint"})
SIZE_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType({"sphere": ("radius",), "capsule": ("radius", "half length"), "cylinder": ("radius", "half length"),
                                                              "box": ("half length x", "half width y", "half height z"), "ellipsoid": ("radius x", "radius y", "radius z")})
JOINT_ROWS = (("damping", "Damping", "Of each joint [N m s/rad, of slides N s/m]"), ("stiffness", "Stiffness", "Of the spring in each joint, which is relaxed at first [N m/rad, of slides N/m]"),
              ("armature", "Armature", "Inertia that each joint adds [kg m², of slides kg]"), ("frictionloss", "Friction loss", "Dry friction in each joint [N m, of slides N]"))
SWITCHES = (("twist", "Twist joints", "Further hinges along the chain, held by constraints"), ("stretch", "Stretch joints", "Slides along the chain, held by constraints"),
            ("shear", "Shear tendons", "Tendons along the diagonals, held by constraints"), ("skin", "Skin", "One surface is drawn; the geoms are in group 3, which is hidden at first"),
            ("plain", "Written out", "The bodies, joints, geoms and constraints that it makes, in place of <composite>: for MuJoCo 4, which has none"))
OF_THE_PAST = "<composite> is no longer part of MJCF"      # the reader's warning, which is told here in more words
READ_BY = "Read by MuJoCo up to {newest}"
NEWER = "Newer ones have no <composite> of this kind: for them have it written out"


class CompositeDialog(TrialDialog):
    """holder: id of the element that is proposed to put it into. Others as TrialDialog has them."""

    def __init__(self, parent: QWidget, version: Version, holder: int, pictures, then: Callable[[Callable[[Version], Change]], object], compat: str = "4.0", known: Iterable[str] = (),
                 kind: str = "cable"):
        super().__init__(parent, "Add a composite", version, pictures, then, compat, (*known, OF_THE_PAST))
        self._settings = proposed(version, kind, holder)
        self._loading = True
        self._make_fields()
        self._lay_out_fields()
        self._fill_choices(holder)
        self._show_settings()
        self._connect_fields()
        self.fit()
        self.changed()

    # ------------------------------------------------------------------ fields

    def _make_fields(self) -> None:
        self.kind, self.holder, self.prefix, self.form_of, self.root, self.shape = QComboBox(), QComboBox(), QLineEdit(), QComboBox(), QComboBox(), QComboBox()
        self.count = tuple(NumberEdit(1, 1, 20_000, whole=True) for _ in range(3))
        self.points, self.pins = QPlainTextEdit(), QLineEdit()
        self.points.setPlaceholderText("x y z of each point [m]")
        self.points.setTabChangesFocus(True)
        self.points.setMaximumHeight(6 * self.fontMetrics().height())
        self.numbers = {name: NumberEdit(0.0, low) for name, low in (("length", 1e-6), ("radius", 0.0), ("turns", -1e6), ("spacing", 0.0), ("density", 0.0), ("friction", 0.0),
                                                                      *((name, 0.0) for name, _title, _tip in JOINT_ROWS))}
        self.offset = VectorEdit(3)
        self.lengths = tuple(NumberEdit(0.01, 1e-6) for _ in range(3))
        self.size_words = QLabel()
        self.size_words.setWordWrap(True)
        self.rgba = ColourButton("Colour")
        self.contacts = QCheckBox("Contacts")
        self.contacts.setToolTip("Off: contype and conaffinity are 0, so that the geoms touch nothing")
        self.switches = {name: QCheckBox(words) for name, words, _tip in SWITCHES}
        for name, _words, tip in SWITCHES:
            self.switches[name].setToolTip(tip)
        self.note = QLabel()
        self.note.setToolTip(NEWER)

    def _lay_out_fields(self) -> None:
        rows = self._rows = {}
        rows["kind"] = self.row("Kind", self.kind)
        self.form.addRow("", self.note)
        self.form.addRow("", self.switches["plain"])
        rows["holder"] = self.row("In", self.holder, "The body, frame or world that it is put into")
        rows["prefix"] = self.row("Prefix", self.prefix, "What stands before all names that it makes")
        rows["form"] = self.row("Form", self.form_of)
        rows["points"] = self.row("Points", self.points, "Numbers of a line each, or of all in a row")
        rows["count"] = self.row("Count", self.count, "Bodies along x, y and z; of a cable its points, one more than bodies")
        rows["length"] = self.row("Length [m]", self.numbers["length"], "Of the curve's parameter s: of a straight cable its length")
        rows["radius"] = self.row("Radius [m]", self.numbers["radius"], "What cos(s) and sin(s) are multiplied by")
        rows["turns"] = self.row("Turns", self.numbers["turns"], "Full turns from end to end")
        rows["spacing"] = self.row("Spacing [m]", self.numbers["spacing"], "From body to body")
        rows["offset"] = self.row("Position [m]", self.offset, "Of its origin in what it stands in")
        rows["root"] = self.row("First body", self.root, "How the first body, or the one that all others grow from, is joined to what it stands in")
        rows["pins"] = self.row("Pins", self.pins, "Bodies that do not move, by their numbers along x and y: 0 0, 6 0")
        self.heading("Geoms")
        rows["shape"] = self.row("Type", self.shape)
        rows["size"] = self.row("Size [m]", self.lengths)
        self.form.addRow("", self.size_words)
        rows["density"] = self.row("Density [kg/m³]", self.numbers["density"])
        rows["friction"] = self.row("Friction", self.numbers["friction"], "Of sliding")
        held = QWidget()
        line = QHBoxLayout(held)
        line.setContentsMargins(0, 0, 0, 0)
        for part in (self.rgba, self.contacts, self.switches["skin"]):
            line.addWidget(part)
        line.addStretch(1)
        self.form.addRow("", held)
        self.heading("Joints")
        for name, title, tip in JOINT_ROWS:
            rows[name] = self.row(title, self.numbers[name], tip)
        for name in ("twist", "stretch", "shear"):
            self.form.addRow("", self.switches[name])

    def _fill_choices(self, holder: int) -> None:
        for name, kind in KINDS.items():
            self.kind.addItem(kind.words, name)
            self.kind.setItemData(self.kind.count() - 1, kind.tip, Qt.ItemDataRole.ToolTipRole)
        found = holders(self.version)
        several = sum(element.tag == "worldbody" for element, _depth in found) > 1
        for element, depth in found:
            world = f"world, in {os.path.basename(element.origin.file)}" if several else "world"
            words = world if element.tag == "worldbody" else what(element) if element.tag != "body" else element.name or "body without a name"
            self.holder.addItem(kind_icon(element.tag if element.tag != "worldbody" else "body"), "  " * depth + words, element.id)
        self.holder.setCurrentIndex(max(0, self.holder.findData(holder)))
        self.holder.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.holder.setMinimumContentsLength(12)
        for name in FORMS:
            self.form_of.addItem(FORM_WORDS[name], name)
        for name, words in ROOT_WORDS.items():
            self.root.addItem(words, name)

    def _connect_fields(self) -> None:
        self.kind.currentIndexChanged.connect(self._kind_chosen)
        self.holder.currentIndexChanged.connect(self._holder_chosen)
        for box in (self.form_of, self.root, self.shape):
            box.currentIndexChanged.connect(self._field_changed)
        for field in (self.prefix, self.pins, self.points):
            field.textChanged.connect(self._field_changed)
        for field in (*self.count, *self.lengths, *self.numbers.values(), self.offset, self.rgba):
            field.edited.connect(self._field_changed)
        for box in (self.contacts, *self.switches.values()):
            box.toggled.connect(self._field_changed)
        self._loading = False

    # ------------------------------------------------------------------ settings and fields

    @property
    def parent_id(self) -> int:
        """Id of the element that it is put into."""
        return self.holder.currentData()

    def _show_settings(self) -> None:
        """The fields of the settings, those that the kind has."""
        self._loading, settings = True, self._settings
        self.kind.setCurrentIndex(self.kind.findData(settings.kind))
        self.prefix.setText(settings.prefix)
        self.form_of.setCurrentIndex(self.form_of.findData(settings.form))
        self.root.setCurrentIndex(self.root.findData(settings.root))
        self.shape.clear()
        for shape in KINDS[settings.kind].shapes:
            self.shape.addItem(shape.capitalize(), shape)
        self.shape.setCurrentIndex(self.shape.findData(settings.shape))
        for field, value in zip(self.count, settings.count, strict=True):
            field.show_value(value)
        for field, value in zip(self.lengths, (*settings.size, *settings.size[-1:] * 3)):
            field.show_value(value)
        for name, field in self.numbers.items():
            field.show_value(settings.halfturns / 2 if name == "turns" else getattr(settings, name))
        self.offset.show_value(settings.offset)
        self.rgba.show_value(settings.rgba)
        self.contacts.setChecked(settings.contacts)
        for name, box in self.switches.items():
            box.setChecked(getattr(settings, name))
        self.pins.setText(", ".join(f"{x} {y}" for x, y in settings.pins))
        self._loading = False
        self._show_rows()

    def _show_rows(self) -> None:
        kind, form, shape = KINDS[self.kind.currentData()], self.form_of.currentData(), self.shape.currentData()
        curved = "form" in kind.reads
        shown = {"form": curved, "points": curved and form == "points", "count": not curved or form != "points", "length": curved and form not in ("points", "arc"),
                 "radius": curved and form in TURNED, "turns": curved and form in TURNED, "spacing": "spacing" in kind.reads, "root": "root" in kind.reads, "pins": "pins" in kind.reads}
        for name, on in shown.items():
            self.form.setRowVisible(self._rows[name], on)
        for k, field in enumerate(self.count):
            field.setVisible(k < kind.dims)
        words = SIZE_WORDS[shape]
        if curved:      # the lengths follow from the points
            words = words[:1] if shape != "box" else words[1:]
        for k, field in enumerate(self.lengths):
            field.setVisible(k < len(words) if not (curved and shape == "box") else k > 0)
        self.size_words.setText(", ".join(words))
        for name, box in self.switches.items():
            box.setVisible(name in kind.reads or name == "plain")
        self.note.setText(READ_BY.format(newest=kind.newest))

    def settings(self) -> CompositeSettings:
        """What the fields say. Raises Refusal for points or pins that are no numbers."""
        value = {name: field.number for name, field in self.numbers.items()}
        turns = value.pop("turns")
        kind, shape = self.kind.currentData(), self.shape.currentData()
        return replace(self._settings, kind=kind, prefix=self.prefix.text(), form=self.form_of.currentData(), root=self.root.currentData(), halfturns=2 * turns,
                       count=tuple(int(field.number) for field in self.count), points=_numbers(self.points.toPlainText()) if self.form_of.currentData() == "points" else (),
                       offset=self.offset.value, shape=shape, size=tuple(field.number for field in self.lengths[:SIZES[shape]]), rgba=self.rgba.value, contacts=self.contacts.isChecked(),
                       pins=_pins(self.pins.text()) if "pins" in KINDS[kind].reads else (), **{name: box.isChecked() for name, box in self.switches.items()}, **value)

    def make(self) -> Callable[[Version], Change]:
        try:
            return partial(_added, parent=self.parent_id, settings=self.settings())
        except Refusal as reason:
            return partial(_refused, reason=str(reason))

    def _field_changed(self, *_new) -> None:
        if not self._loading:
            self._show_rows()
            self.changed()

    def _kind_chosen(self, _row: int) -> None:
        if not self._loading:
            self._settings = proposed(self.version, self.kind.currentData(), self.parent_id)
            self._show_settings()
            self.changed()

    def _holder_chosen(self, _row: int) -> None:
        """Another place: the position that is usual there, unless the user gave one."""
        if self._loading:
            return
        before, now = self._settings, proposed(self.version, self.kind.currentData(), self.parent_id)
        if self.offset.value == before.offset:
            self.offset.show_value(now.offset)
        if self.root.currentData() == before.root:
            self._loading = True
            self.root.setCurrentIndex(self.root.findData(now.root))
            self._loading = False
        self._settings = replace(before, offset=now.offset, root=now.root)
        self.changed()


def _added(version: Version, parent: int, settings: CompositeSettings) -> Change:
    return composite(version, parent, settings)


def _refused(_version: Version, reason: str, parent: int = 0) -> Change:
    raise Refusal(reason)


def _numbers(text: str) -> tuple[float, ...]:
    try:
        return tuple(parse_number(word) for word in text.replace(",", " ").replace(";", " ").split())
    except ValueError as reason:
        raise Refusal(f"Points are numbers: {reason}") from None


def _pins(text: str) -> tuple[tuple[int, int], ...]:
    words: Sequence[Sequence[str]] = [part.split() for part in text.replace(";", ",").split(",") if part.strip()]
    try:
        return tuple((int(pair[0]), int(pair[1]) if len(pair) > 1 else 0) for pair in words)
    except (ValueError, IndexError):
        raise Refusal("Pins are pairs of whole numbers: 0 0, 6 0") from None

"""Teleoperation: which device drives what, armed and let go of; how the devices stand and how long a sample takes."""
from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from PyQt6.QtWidgets import QMenu, QPushButton, QToolButton, QVBoxLayout

from app.context import AppContext
from app.controllers.teleoperation.devices import KEYBOARD, TeleoperationController
from app.controllers.teleoperation.learning import FaderTeaching
from app.controllers.teleoperation.welding import Welding, lacks_weld
from app.inputs.latency import PARTS
from app.panels.compare.wrapped_row import WrappedRow
from app.panels.diagnostics.fitted_tree import FittedTree, put
from app.panels.diagnostics.query_panel import show_note, text_label
from app.panels.live_panel import LivePanel
from app.panels.teleoperation.camera_choice import CameraChoice
from app.panels.teleoperation.drive_box import DriveBox, moves, source_title
from app.panels.teleoperation.pairing_dialog import PairingDialog
from app.panels.teleoperation.weld_menu import WeldMenu
from app.session import Session
from app.viewport.insets import Insets
from editor.tree.operations import Operations
from editor.widgets.section import Section
from physics.runtime.snapshot import Snapshot

EMPTY = "Nothing in this model is driven yet. 'Add' offers what could be."
KEYS = ("W S, A D, E Q move the target forward and back, left and right, up and down; I K, J L, U O turn it. Shift is slow, Space closes and opens a gripper, Esc lets go of everything. "
        "The keys are the drive's while the view has the focus.")
LOOK_S = 0.5            # between two looks at latencies
TITLES = MappingProxyType({"network": "On its way here", "waiting": "Until the hub takes it", "mapping": "Filter, clutch, drive", "mailbox": "Until the next step", "publishing": "Until it can be seen",
          "total": "All of it, from its arrival"})


class TeleoperationPanel(LivePanel):
    """A box for each drive; below them cameras, devices and the latency."""

    def __init__(self, context: AppContext, teleoperation: TeleoperationController, session: Session, structure: Operations, insets: Insets):
        super().__init__(context)
        self.control = teleoperation
        self.welding, self.teaching = Welding(context, session, structure, teleoperation, self), FaderTeaching(context, teleoperation, self)
        self.boxes: list[DriveBox] = []
        self._looked = 0.0
        self.arm = QPushButton("Arm")
        self.arm.setCheckable(True)
        self.arm.setToolTip("Have all drives follow their sources, or let go of all (Esc)")
        self.arm.clicked.connect(lambda _on: teleoperation.toggle())
        self.add = QToolButton()
        self.add.setText("Add")
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add.setToolTip("What a device could drive in this model")
        self.menu = QMenu(self.add)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.add.setMenu(self.menu)
        self._weld_menu = WeldMenu(context, self.welding, self.menu)
        self.save = QPushButton("Save")
        self.save.setToolTip("Write the mapping beside the model, as NAME.teleop.toml")
        self.save.clicked.connect(lambda _on=False: teleoperation.save())
        self.pair = QPushButton("Pair…")
        self.pair.setToolTip("Serve a page that headsets and phones open by a QR code")
        self.pair.clicked.connect(lambda _on=False: self.show_pairing())
        self.pairing: PairingDialog | None = None
        self.note, self.keys = text_label(), text_label()
        self.keys.setText(KEYS)
        self.sources = FittedTree(("Source", "State"), 1, headers=False, wraps=True)
        self.sources.setRootIsDecorated(False)
        self.latency = FittedTree(("Part", "Median", "95 %"), 0)
        self.latency.setRootIsDecorated(False)
        for part in PARTS:
            self.latency.add(None, [TITLES[part], "", ""])
        self.cameras = CameraChoice(context, insets)
        self._lay_out()
        context.model_changed.connect(lambda _model: self._show_offers())
        self.teaching.changed.connect(self._show_learning)
        self.welding.told.connect(self._tell)
        teleoperation.changed.connect(self._fill)
        teleoperation.armed_changed.connect(self._show_armed)
        teleoperation.told.connect(self._tell)
        self._message = ""
        self._fill()

    def _lay_out(self) -> None:
        self._drives = QVBoxLayout()
        self._drives.setSpacing(4)
        self.views, self.devices, self.times = Section("Cameras"), Section("Devices"), Section("Latency [ms]", opened=False)
        self.views.add(self.cameras)
        self.devices.add(self.sources)
        self.times.add(self.latency)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.setSpacing(4)
        column.addWidget(WrappedRow(self.arm, self.add, self.save, self.pair))
        column.addWidget(self.note)
        column.addLayout(self._drives)
        column.addWidget(self.keys)
        column.addWidget(self.views)
        column.addWidget(self.devices)
        column.addWidget(self.times)
        column.addStretch(1)
        self.latency.fit()

    def show_pairing(self) -> None:
        """The dialog of the page."""
        if self.pairing is None:
            self.pairing = PairingDialog(self.window(), self.control)
        self.pairing.show()
        self.pairing.raise_()

    # ------------------------------------------------------------------ drives

    def _fill_menu(self) -> None:
        """What could be driven, by the source of the last drive."""
        self.menu.clear()
        drives = self.control.mapping.drives
        for one in self.control.offered(drives[-1].source if drives else KEYBOARD):
            self.menu.addAction(moves(one)).triggered.connect(partial(self._add, one))
        if self.menu.isEmpty():
            self.menu.addAction("Nothing in this model").setEnabled(False)
        if why := self.control.not_legs:
            self.menu.addAction(f"Four legs: {why}").setEnabled(False)
        self.menu.addSeparator()
        self.menu.addMenu(self._weld_menu)

    def _add(self, one, _checked: bool = False) -> None:
        self.control.add(one)

    def _fill(self) -> None:
        """Boxes for the drives of the mapping: those that are the same stay as they are."""
        drives = self.control.mapping.drives
        if [box.mapping for box in self.boxes] != list(drives):
            opened = {box.mapping.name for box in self.boxes if box.details.isVisibleTo(box)}
            kept = {id(box.mapping): box for box in self.boxes}
            boxes = []
            for one in drives:
                box = kept.pop(id(one), None) or self._same_but_scale(kept, one) or self._box(one)
                box.fold(one.name not in opened)
                boxes.append(box)
            for box in kept.values():
                self._drives.removeWidget(box)
                box.hide()
                box.deleteLater()
            for k, box in enumerate(boxes):
                self._drives.insertWidget(k, box)
            self.boxes = boxes
        self.save.setEnabled(not self.control.saved)
        self.arm.setEnabled(bool(drives))
        self.keys.setVisible(any(one.source == KEYBOARD for one in drives))
        self._tell()
        self._show_states()
        self._show_offers()
        self._show_learning()

    def _show_offers(self) -> None:
        """Welds where they are missing, cameras where there are any."""
        m = self._context.model
        for box in self.boxes:
            box.offer_weld(lacks_weld(m, box.mapping) if m is not None else "")
        self.views.setVisible(self.cameras.count > 0)

    def _show_learning(self) -> None:
        m, teaching = self._context.model, self.teaching
        names = tuple(filter(None, m.names["actuator"])) if m is not None and teaching.drive else ()
        for box in self.boxes:
            box.learning.show_state(teaching if box.mapping.name == teaching.drive else None, names)

    @staticmethod
    def _same_but_scale(kept: dict, one):
        """The box of a drive whose scale alone was changed: its field is being edited."""
        for key, box in kept.items():
            if replace(box.mapping, scale=one.scale) == one:
                box.mapping = one
                box.scale.show_value(one.scale[0])
                return kept.pop(key)
        return None

    def _box(self, one) -> DriveBox:
        box, name = DriveBox(one), one.name
        box.weld.setMenu(WeldMenu(self._context, self.welding, box, name, one.mocap))
        box.learning.learn_wanted.connect(lambda on: self.teaching.begin(name) if on else self.teaching.end())
        box.learning.control_chosen.connect(self.teaching.choose)
        box.arm_wanted.connect(lambda on: self.control.arm(name) if on else self.control.disarm(name))
        box.source_wanted.connect(lambda source: self.control.change_source(name, source))
        box.scale_edited.connect(lambda scale: self.control.rescale(name, scale))
        box.changed.connect(lambda fields: self.control.change(name, **fields))
        box.remove_wanted.connect(lambda: self.control.remove(name))
        return box

    # ------------------------------------------------------------------ what is shown

    def _tell(self, message: str | None = None) -> None:
        self._message = self._message if message is None else message
        show_note(self.note, self._message or ("" if self.control.mapping.drives else EMPTY))

    def _show_armed(self, armed: bool) -> None:
        self.arm.setChecked(armed)
        self.arm.setText("Let go" if armed else "Arm")
        self._show_states()

    def show_snapshot(self, _snapshot: Snapshot) -> None:
        """Lamps, and now and then devices and times."""
        self._show_states()

    def _show_states(self) -> None:
        for box, state in zip(self.boxes, self.control.states):
            box.show_state(state)
        now = time.monotonic()
        if now - self._looked >= LOOK_S or self.sources.topLevelItemCount() != len(self.control.sources):
            self._looked = now
            self._show_sources()
            self._show_latency()

    def _show_sources(self) -> None:
        rows = self.control.sources
        while self.sources.topLevelItemCount() > len(rows):
            self.sources.takeTopLevelItem(self.sources.topLevelItemCount() - 1)
        while self.sources.topLevelItemCount() < len(rows):
            self.sources.add(None, ["", ""])
        for k, (name, text) in enumerate(rows):
            put(self.sources.topLevelItem(k), 0, source_title(name), name)
            put(self.sources.topLevelItem(k), 1, text, text)
        self.sources.fit()

    def _show_latency(self) -> None:
        found = self.control.latency()
        for k, part in enumerate(PARTS):
            one = found.get(part)
            put(self.latency.topLevelItem(k), 1, f"{1e3 * one.p50:.1f}" if one else "")
            put(self.latency.topLevelItem(k), 2, f"{1e3 * one.p95:.1f}" if one else "")

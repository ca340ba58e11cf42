"""What the Move, Rotate and Scale tools mind: the strip at the lower edge of the view."""
from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QWidget

from app.settings import Settings
from app.viewport.tools.tool_strip import ToolStrip
from editor.tools.chosen import INERTIA_AIM, ITSELF, SPACING_AIM
from editor.tools.modes import MODES

ORIENTATION, SNAP, SNAP_TO = "gizmo/orientation", "gizmo/snap", "gizmo/snap_to"
TIPS = MappingProxyType({"move": "Move what is selected (G)", "rotate": "Turn what is selected (R)", "scale": "Change sizes of what is selected (S)"})
AIM_TIPS = MappingProxyType({
    INERTIA_AIM: "Move, turn and resize the body's <inertial>: its centre of mass, principal axes and moments, drawn as the box that has them",
    SPACING_AIM: "Drag the copies apart: offset of the <replicate> changes, of a ring the angle (euler), so that the copy that is dragged follows (Alt: as long as it is held)"})
KEYS_TIP = ("While dragging: X, Y, Z keep to an axis (with Shift: to a plane), once more of other axes; digits set the value, Tab goes to the next axis, Return ends, "
            "Esc or the right button takes it back; Ctrl snaps")


class GizmoStrip(ToolStrip):
    """Signals: mode_chosen(name); face_wanted(): a joint's axis is to be taken from a face that is clicked next; aim_chosen(name): what of the selection is to be dragged."""

    mode_chosen = pyqtSignal(str)
    face_wanted = pyqtSignal()
    aim_chosen = pyqtSignal(str)

    def __init__(self, view: QWidget, settings: Settings):
        super().__init__(view, settings)
        self.modes = {}
        for mode in MODES:
            button = self.modes[mode] = self.button(mode.capitalize(), f"{TIPS[mode]}. {KEYS_TIP}", checkable=True)
            button.clicked.connect(lambda _on, mode=mode: self.mode_chosen.emit(mode))
        self.aims = {}
        for aim, tip in AIM_TIPS.items():
            button = self.aims[aim] = self.button(aim.capitalize(), tip, checkable=True)
            button.clicked.connect(lambda on, aim=aim: self.aim_chosen.emit(aim if on else ITSELF))
            self.show_only(button, False)
        self.orientation = self.setting(ORIENTATION, "The axes of the handles: of the element itself, of what it stands in, of the world")
        self.snap = self.button("Snap", "Snap while dragging; Ctrl: the other way. Angles snap by 15\N{DEGREE SIGN}, with Shift by 5\N{DEGREE SIGN}", checkable=True)
        self.snap.setChecked(settings.get(SNAP))
        self.snap.clicked.connect(lambda on: settings.set(SNAP, on))
        self.snap_to = self.setting(SNAP_TO, "What is snapped to: steps of the grid, surfaces under the pointer (it then rests on them), vertices, ends and centres")
        self.face = self.button("Axis from face", "Then click a face: the joint's axis becomes its normal")
        self.face.clicked.connect(self.face_wanted)
        self.show_only(self.face, False)
        self.arrange()

    def setting_changed(self, name: str) -> None:
        """Another window, or the settings' dialog, may have set it otherwise."""
        super().setting_changed(name)
        if name == SNAP:
            self.snap.setChecked(self._settings.get(SNAP))

    def show_aims(self, aims: Sequence[str], active: str) -> None:
        """What of the selection can be dragged, and what is."""
        for name, button in self.aims.items():
            self.show_only(button, name in aims)
            button.setChecked(name == active)

    def show_mode(self, mode: str) -> None:
        """Which of the three is active."""
        for name, button in self.modes.items():
            button.setChecked(name == mode)

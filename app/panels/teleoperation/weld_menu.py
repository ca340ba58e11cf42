"""Bodies that a mocap body could lead, as a menu: in the menu Add, and in the box of a drive whose mocap body is missing or leads nothing."""
from __future__ import annotations

from functools import partial
from types import MappingProxyType

from PyQt6.QtWidgets import QMenu, QWidget

from app.context import AppContext
from app.controllers.teleoperation.welding import Welding, leadable

TITLE = "Add a mocap body with a weld"
TIPS = MappingProxyType({"body": "The model has no such mocap body: one is added to its text, welded to the body that you choose (Ctrl+Z takes it back)",
        "weld": "This mocap body leads nothing: a weld to the body that you choose is added to the text (Ctrl+Z takes it back)"})
OTHERS = "Another one: select it in the view first"


class WeldMenu(QMenu):
    """drive: name of the drive that is to move it, '' for another one; mocap: name of the mocap body that leads, where the model has it; else one is made."""

    def __init__(self, context: AppContext, welding: Welding, parent: QWidget, drive: str = "", mocap: str = ""):
        super().__init__(TITLE, parent)
        self._context, self._welding, self._drive, self._mocap = context, welding, drive, mocap
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        m = self._context.model
        for body in leadable(m, self._context.selection.bodyid) if m is not None else ():
            self.addAction(m.name("body", body) or f"body {body}").triggered.connect(partial(self._lead, body))
        self.addSeparator()
        self.addAction(OTHERS).setEnabled(False)

    def _lead(self, body: int, _checked: bool = False) -> None:
        m = self._context.model
        there = m.id("body", self._mocap) if self._mocap else -1
        self._welding.lead(body, self._drive, self._mocap if there >= 0 and m.body_mocapid[there] >= 0 else "")

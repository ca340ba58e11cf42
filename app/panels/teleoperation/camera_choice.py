"""Which of the model's cameras are seen in the view while one drives: a switch for each."""
from __future__ import annotations

from functools import partial

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from app.context import AppContext
from app.viewport.insets import Insets, title_of

MOST = 24       # switches


class CameraChoice(QWidget):
    """Of the present model; `count` cameras are offered. It is the same choice as that of the menu View, Camera pictures."""

    def __init__(self, context: AppContext, insets: Insets):
        super().__init__()
        self._context, self._insets = context, insets
        self.switches: list[QCheckBox] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(4, 0, 0, 0)
        self._column.setSpacing(1)
        context.model_changed.connect(lambda _model: self.fill())
        insets.changed.connect(self._show)
        self.fill()

    @property
    def count(self) -> int:
        """How many cameras there are to choose from."""
        return len(self.switches)

    def fill(self) -> None:
        """Switches for the cameras of the present model: those that are there take other names."""
        m = self._context.model
        titles = [title_of(m, camera) for camera in range(min(m.ncam, MOST))] if m is not None else []
        while len(self.switches) > len(titles):
            switch = self.switches.pop()
            self._column.removeWidget(switch)
            switch.hide()
            switch.deleteLater()
        while len(self.switches) < len(titles):
            switch = QCheckBox()
            switch.clicked.connect(partial(self._insets.show_camera, len(self.switches)))
            self.switches.append(switch)
            self._column.addWidget(switch, 0, Qt.AlignmentFlag.AlignLeft)
        for switch, title in zip(self.switches, titles):
            switch.setText(title)
            switch.setToolTip(f"What {title} sees, as a picture in the view: to be dragged to a corner, pulled larger, looked through by a double-click")
        self._show()

    def _show(self) -> None:
        shown = self._insets.cameras
        for camera, switch in enumerate(self.switches):
            if switch.isChecked() != (camera in shown):
                switch.setChecked(camera in shown)

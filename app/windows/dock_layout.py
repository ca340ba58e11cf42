"""The docks: made from the panel table, filled after the first frame, their arrangement remembered."""
from PyQt6.QtCore import QByteArray, Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QDockWidget, QLabel, QMainWindow, QScrollArea, QWidget

from app.context import AppContext
from app.panels.table import PANELS, Panel

LAYOUT_VERSION = 1   # raise when the set of panels changes: an older remembered arrangement is then left aside
AREAS = (("left", Qt.DockWidgetArea.LeftDockWidgetArea), ("right", Qt.DockWidgetArea.RightDockWidgetArea), ("bottom", Qt.DockWidgetArea.BottomDockWidgetArea))
LEFT_WIDTH, RIGHT_WIDTH, LOG_HEIGHT = 330, 430, 110


class DockLayout:
    """Owns the docks of one main window. A dock stays empty until the first frame is on the screen and the dock is visible."""

    def __init__(self, window: QMainWindow, context: AppContext):
        self._window = window
        self._context = context
        self._ready = False
        self.docks: dict[str, QDockWidget] = {}
        self.panels: dict[str, QWidget] = {}
        for panel in PANELS:
            self._add(panel)
        self.arrange()
        context.first_frame.connect(self.fill)

    def _add(self, panel: Panel) -> None:
        dock = QDockWidget(panel.title, self._window)
        dock.setObjectName(f"dock_{panel.id}")
        dock.setToolTip(panel.tip)
        dock.setWidget(QLabel("", dock))
        dock.visibilityChanged.connect(lambda visible, panel=panel: self._fill_one(panel) if visible else None)
        self.docks[panel.id] = dock

    def arrange(self) -> None:
        """The default arrangement of the table."""
        areas = dict(AREAS)
        for panel in PANELS:
            self._window.addDockWidget(areas[panel.area], self.docks[panel.id])
            if panel.tab_with:
                self._window.tabifyDockWidget(self.docks[panel.tab_with], self.docks[panel.id])
        for panel in PANELS:
            self.docks[panel.id].setFloating(False)
            self.docks[panel.id].setVisible(panel.visible)
        for panel in PANELS:
            if panel.visible and not panel.tab_with:
                self.docks[panel.id].raise_()
        self._window.resizeDocks([self.docks["simulation"], self.docks["controls"]], [LEFT_WIDTH, RIGHT_WIDTH], Qt.Orientation.Horizontal)
        self._window.resizeDocks([self.docks["controls"], self.docks["source"]], [320, 480], Qt.Orientation.Vertical)
        self._window.resizeDocks([self.docks["log"]], [LOG_HEIGHT], Qt.Orientation.Vertical)

    def fill(self) -> None:
        """Make the panels of all visible docks."""
        self._ready = True
        for panel in PANELS:
            if self.docks[panel.id].isVisible():
                self._fill_one(panel)

    def _fill_one(self, panel: Panel) -> None:
        if not self._ready or panel.id in self.panels:
            return
        widget = panel.load()(self._context)
        self.panels[panel.id] = widget
        if getattr(widget, "scrolls", True):
            area = QScrollArea(self.docks[panel.id])
            area.setWidgetResizable(True)
            area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            area.setWidget(widget)
            widget = area
        self.docks[panel.id].setWidget(widget)

    def toggle_actions(self) -> list[QAction]:
        """Checkable menu entries that show and hide the docks."""
        return [self.docks[panel.id].toggleViewAction() for panel in PANELS]

    def toggle(self, panel_id: str) -> None:
        """Show a dock on top, or hide it when it is already there."""
        dock = self.docks[panel_id]
        if dock.isVisible() and not dock.visibleRegion().isEmpty():
            dock.hide()
        else:
            self.show(panel_id)

    def show(self, panel_id: str) -> QWidget | None:
        """Show a dock on top of its neighbours; the panel in it, or None before the first frame."""
        self.docks[panel_id].show()
        self.docks[panel_id].raise_()
        self._fill_one(next(panel for panel in PANELS if panel.id == panel_id))
        return self.panels.get(panel_id)

    def toggle_area(self, area: str) -> None:
        """Hide all docks of a side, or show the default ones again."""
        side = dict(AREAS)[area]
        there = [dock for dock in self.docks.values() if self._window.dockWidgetArea(dock) == side and not dock.isFloating()]
        if any(dock.isVisible() for dock in there):
            for dock in there:
                dock.hide()
        else:
            for panel in PANELS:
                if panel.area == area and panel.visible:
                    self.docks[panel.id].show()

    def remember(self) -> None:
        """Store the present arrangement."""
        settings = self._context.settings
        settings.set("window/docks", self._window.saveState(LAYOUT_VERSION))
        settings.set("window/layout_version", LAYOUT_VERSION)

    def restore(self) -> bool:
        """Take up the remembered arrangement; False where there is none that fits."""
        settings = self._context.settings
        stored = settings.get("window/docks")
        if settings.get("window/layout_version") != LAYOUT_VERSION or not isinstance(stored, QByteArray) or stored.isEmpty():
            return False
        return self._window.restoreState(stored, LAYOUT_VERSION)

"""The docks: made from the panel table, filled after the first frame, their arrangement remembered."""
from PyQt6.QtCore import QByteArray, Qt, QTimer
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QAbstractButton, QComboBox, QDockWidget, QLabel, QMainWindow, QScrollArea, QSlider, QTabBar, QWidget

from app.panels.table import PANELS, Panel, Services

LAYOUT_VERSION = 3   # raise when the set of panels changes: an older remembered arrangement is then left aside
AREAS = (("left", Qt.DockWidgetArea.LeftDockWidgetArea), ("right", Qt.DockWidgetArea.RightDockWidgetArea), ("bottom", Qt.DockWidgetArea.BottomDockWidgetArea))
LEFT, RIGHT = (0.228, 290, 340), (0.31, 350, 560)   # share of the window's width, least and most [logical pixels]
LOG_HEIGHT = 96
CONTROLS_SHARE = 0.36   # of the right side's height; the text has the rest


class DockLayout:
    """Owns the docks of one main window. A dock stays empty until the first frame is on the screen and the dock is visible."""

    def __init__(self, window: QMainWindow, services: Services):
        self._window = window
        self._services = services
        self._ready = False
        self.docks: dict[str, QDockWidget] = {}
        self.panels: dict[str, QWidget] = {}
        for panel in PANELS:
            self._add(panel)
        self._place()
        self._default = window.saveState(LAYOUT_VERSION)
        services.context.first_frame.connect(self.fill)

    def _add(self, panel: Panel) -> None:
        dock = QDockWidget(panel.title, self._window)
        dock.setObjectName(f"dock_{panel.id}")
        dock.setToolTip(panel.tip)
        dock.setWidget(QLabel("", dock))
        dock.visibilityChanged.connect(lambda visible, panel=panel: self._fill_one(panel) if visible else None)
        self.docks[panel.id] = dock

    def _place(self) -> None:
        """Put every dock where the table says. Only once: doing it again leaves empty tab bars behind."""
        areas = dict(AREAS)
        for panel in PANELS:
            self._window.addDockWidget(areas[panel.area], self.docks[panel.id])
            if panel.tab_with:
                self._window.tabifyDockWidget(self.docks[panel.tab_with], self.docks[panel.id])
            self.docks[panel.id].setVisible(panel.visible)   # at once: hiding them later leaves empty tab bars behind too
        self._raise_first()

    def _raise_first(self) -> None:
        for panel in PANELS:
            if panel.visible and not panel.tab_with:
                self.docks[panel.id].raise_()

    def arrange(self) -> None:
        """The default arrangement."""
        self._window.restoreState(self._default, LAYOUT_VERSION)
        self._raise_first()
        self.suit()

    def suit(self) -> None:
        """Give the sides sizes that suit the window as it is."""
        width, height = self._window.width(), self._window.height()
        widths = [round(min(max(share * width, least), most)) for share, least, most in (LEFT, RIGHT)]
        self._window.resizeDocks([self.docks["simulation"], self.docks["controls"]], widths, Qt.Orientation.Horizontal)
        top = round(CONTROLS_SHARE * height)
        self._window.resizeDocks([self.docks["controls"], self.docks["source"]], [top, height - top], Qt.Orientation.Vertical)
        self._window.resizeDocks([self.docks["log"]], [LOG_HEIGHT], Qt.Orientation.Vertical)
        QTimer.singleShot(0, self.tidy)

    def tidy(self) -> None:
        """Hide tab bars that Qt leaves behind when docks are arranged anew: over the view, or with a dock that a newer bar has too."""
        middle = self._window.centralWidget().geometry()
        seen: set[str] = set()
        for bar in reversed(self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)):
            titles = {bar.tabText(i) for i in range(bar.count())}
            if bar.isVisible() and (titles & seen or bar.geometry().intersects(middle)):
                bar.hide()
            elif bar.isVisible():
                seen |= titles

    def fill(self) -> None:
        """Make the panels of all visible docks, one in each turn of the event loop."""
        self._ready = True
        panel = next(iter(self._wanted()), None)
        if panel is not None:
            self._fill_one(panel)
            QTimer.singleShot(0, self.fill)

    def _wanted(self) -> list[Panel]:
        return [panel for panel in PANELS if panel.id not in self.panels and self.docks[panel.id].isVisible()]

    @property
    def filled(self) -> bool:
        """Whether every visible dock has its panel."""
        return self._ready and not self._wanted()

    def _fill_one(self, panel: Panel) -> None:
        if not self._ready or panel.id in self.panels:
            return
        widget = panel.make(self._services)
        self.panels[panel.id] = widget
        for part in widget.findChildren((QAbstractButton, QComboBox, QSlider)):
            part.setFocusPolicy(Qt.FocusPolicy.TabFocus)   # a click leaves the keys with the view
        if getattr(widget, "scrolls", True):
            area = QScrollArea(self.docks[panel.id])
            area.setWidgetResizable(True)
            area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
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
        settings = self._services.settings
        settings.set("window/docks", self._window.saveState(LAYOUT_VERSION))
        settings.set("window/layout_version", LAYOUT_VERSION)

    def restore(self) -> bool:
        """Take up the remembered arrangement; False where there is none that fits."""
        settings = self._services.settings
        stored = settings.get("window/docks")
        if settings.get("window/layout_version") != LAYOUT_VERSION or not isinstance(stored, QByteArray) or stored.isEmpty():
            return False
        QTimer.singleShot(0, self.tidy)
        return self._window.restoreState(stored, LAYOUT_VERSION)

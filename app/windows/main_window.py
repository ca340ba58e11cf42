"""The main window: a view in the middle, docks around it, menus and toolbar from the action table. Behaviour lives in the controllers."""
from pathlib import Path

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QShowEvent
from PyQt6.QtWidgets import QComboBox, QMainWindow, QMenu, QWidget

from app.actions import MENUS, TOOLBAR
from app.panels.table import Services
from app.settings import Settings
from app.windows.dock_layout import DockLayout
from app.windows.toolbar import make_toolbar

DEFAULT_SIZE = QSize(1500, 920)
MODEL_SUFFIXES = (".xml", ".mjcf", ".urdf", ".zip", ".mjz", ".lwb")


class MainWindow(QMainWindow):
    """Signals: file_dropped(Path); closing(QCloseEvent) before the window closes (ignore the event to keep it open)."""

    file_dropped = pyqtSignal(Path)
    closing = pyqtSignal(QCloseEvent)

    def __init__(self, settings: Settings):
        super().__init__()
        self._settings = settings
        self.qt_actions: dict[str, QAction] = {}
        self.setObjectName("main_window")
        self.setWindowTitle("Linkwork")
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self._arranged = False

    def assemble(self, services: Services, view: QWidget, qt_actions: dict[str, QAction], recent_menu: QMenu) -> None:
        """Put view, docks, menus and toolbar in; once, when those exist that act on the window."""
        self.qt_actions = qt_actions
        self.setCentralWidget(view)
        self.layout_of_docks = DockLayout(self, services)
        self.addActions([action for action in qt_actions.values() if action.property("scope") == "window"])
        self._make_menus(qt_actions, recent_menu)
        self.toolbar = make_toolbar(self, services, qt_actions, TOOLBAR)
        self.addToolBar(self.toolbar)
        self.resize(DEFAULT_SIZE)

    def _make_menus(self, qt_actions: dict, recent_menu: QMenu) -> None:
        for title in MENUS:
            menu = self.menuBar().addMenu(title)
            if title == "&Panels":
                menu.addActions(self.layout_of_docks.toggle_actions())
                continue
            for action in qt_actions.values():
                if action.property("menu") == title:
                    menu.addAction(action)
                    if action.property("id") == "open":
                        menu.addMenu(recent_menu)

    def add_menu(self, title: str, menu: QMenu) -> None:
        """Put a menu at the end of one of the bar's."""
        next(action.menu() for action in self.menuBar().actions() if action.text() == title).addMenu(menu)

    def toolbar_text(self, item: str) -> str:
        """What the toolbar's 'speed' or 'camera' chooser shows."""
        return self.toolbar.findChild(QComboBox, item).currentText()

    def restore(self) -> None:
        """Take up the remembered size and arrangement."""
        geometry = self._settings.get("window/geometry")
        if not geometry.isEmpty():
            self.restoreGeometry(geometry)
        self._arranged = self.layout_of_docks.restore()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._arranged:   # widths mean nothing before the window has one
            self._arranged = True
            self.layout_of_docks.suit()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closing.emit(event)
        if event.isAccepted():
            self._settings.set("window/geometry", self.saveGeometry())
            self.layout_of_docks.remember()
            self._settings.save()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._dropped_model(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = self._dropped_model(event)
        if path is not None:
            event.acceptProposedAction()
            self.file_dropped.emit(path)

    @staticmethod
    def _dropped_model(event) -> Path | None:
        for url in event.mimeData().urls():
            if url.isLocalFile() and Path(url.toLocalFile()).suffix.lower() in MODEL_SUFFIXES:
                return Path(url.toLocalFile())
        return None

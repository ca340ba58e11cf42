"""The main window: a view in the middle, docks around it, a bar above, the timeline and the status bar below. Behaviour lives in the controllers."""
from pathlib import Path

from PyQt6.QtCore import QEvent, QRect, QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent, QShowEvent
from PyQt6.QtWidgets import QComboBox, QMainWindow, QMenu, QMenuBar, QWidget

from app.actions import TOOLBAR
from app.panels.table import Services
from app.settings import Settings
from app.windows.action_states import ActionStates
from app.windows.choosers import key_names
from app.windows.dock_layout import DockLayout
from app.windows.menus import filled_when_opened, make_menus
from app.windows.status_bar import StatusBar
from app.windows.timeline_bar import TimelineBar
from app.windows.top_bar import TopBar
from app.windows.workspace_memory import WorkspaceMemory

DEFAULT_SIZE = QSize(1500, 920)
SUFFIXES = (".xml", ".mjcf", ".urdf", ".zip", ".mjz", ".lwb", ".h5", ".py")     # of models, recordings and scripts


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
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self._arranged = False
        self.remembers = True    # size and arrangement, for the next time

    def assemble(self, services: Services, view: QWidget, qt_actions: dict[str, QAction], recent_menu: QMenu) -> None:
        """Put view, docks and bars in; once, when those exist that act on the window."""
        self.qt_actions = qt_actions
        self.setCentralWidget(view)
        self.layout_of_docks = DockLayout(self, services)
        self.workspaces = WorkspaceMemory(self.layout_of_docks, services)
        self.addActions([action for action in qt_actions.values() if action.property("scope") == "window"])
        self.top_bar = TopBar(services, qt_actions, TOOLBAR, self.workspaces.choose)
        make_menus(self.top_bar.menus, qt_actions, {"recent": recent_menu, **self._live_menus(services)})
        self.setMenuWidget(self.top_bar)
        self.timeline = TimelineBar(services, qt_actions)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, self.timeline)
        self.status = StatusBar(self, services, self.layout_of_docks.show, lambda: view.pictures_per_second)
        self.setStatusBar(self.status)
        states = ActionStates(services, qt_actions, self)
        self.workspaces.chosen.connect(self.top_bar.tabs.show_chosen)
        self.workspaces.chosen.connect(states.show_workspace)
        self.workspaces.due.connect(self.remember)
        self.workspaces.choose(self.workspaces.current.id)
        services.session.conflict.connect(lambda _key: self.layout_of_docks.show("source"))
        services.session.recovery_found.connect(lambda: self.layout_of_docks.show("source") if services.session.recovery is not None else None)
        self.resize(DEFAULT_SIZE)

    def _live_menus(self, services: Services) -> dict[str, QMenu]:
        """Menus that follow the model, and the one of the panels."""
        context, simulation, view = services.context, services.simulation, services.view
        panels = QMenu("Panels", self)
        panels.addActions(self.layout_of_docks.toggle_actions())
        keys = filled_when_opened(self, "Go to keyframe", lambda: [(name, False, lambda key=key: simulation.load_key(key)) for key, name in enumerate(key_names(context.model))])
        cameras = filled_when_opened(self, "Camera of the model", lambda: [] if context.model is None else [
            (name or f"camera {i}", view.camera_index() == i, lambda i=i: view.set_camera(i)) for i, name in enumerate(context.model.names["camera"])])
        return {"panels": panels, "keyframes": keys, "cameras": cameras}

    def menuBar(self) -> QMenuBar:
        """The bar with the menus, which is a part of the top bar."""
        return self.top_bar.menus

    def add_menu(self, title: str, menu: QMenu) -> None:
        """Put a menu among the first submenus of one of the bar's."""
        whole = next(action.menu() for action in self.menuBar().actions() if action.text() == title)
        entries = whole.actions()
        plain = next((i for i, entry in enumerate(entries) if entry.menu() is None and not entry.isSeparator()), len(entries))
        whole.insertMenu(entries[max(0, plain - 1)], menu) if plain < len(entries) else whole.addMenu(menu)

    def chooser_text(self, name: str) -> str:
        """What the 'speed', 'camera' or 'keyframe' chooser shows."""
        return self.findChild(QComboBox, name).currentText()

    # ------------------------------------------------------------------ size and arrangement

    def restore(self) -> None:
        """Take up the remembered size and arrangement."""
        geometry = self._settings.get("window/geometry")
        if not geometry.isEmpty():
            self.restoreGeometry(geometry)
        self._arranged = self.workspaces.restore()

    def remember(self) -> None:
        """Write size and arrangement to the settings."""
        if self._arranged and self.remembers and self.isVisible():
            self._settings.set("window/geometry", self.saveGeometry())
            self.workspaces.remember()

    def fit(self) -> None:
        """Make the window as large as its screen at most, and put it there."""
        room = (self.screen() or self.windowHandle().screen()).availableGeometry()
        if self.isMaximized() or self.isFullScreen():
            return
        frame, inner = self.frameGeometry(), self.geometry()
        border = QSize(frame.width() - inner.width(), frame.height() - inner.height())
        size = inner.size().boundedTo(room.size() - border)
        if size != inner.size():
            self.resize(size)
        where = QRect(frame.topLeft(), size + border)
        if not room.contains(where):
            self.move(max(room.left(), min(where.left(), room.right() - where.width() + 1)), max(room.top(), min(where.top(), room.bottom() - where.height() + 1)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fit()
        QTimer.singleShot(0, self.fit)   # once more with the frame that the window manager has put around it
        if not self._arranged:   # widths mean nothing before the window has one
            self._arranged = True
            self.workspaces.arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange and self.qt_actions:   # by whatever: the action, the command line, what is remembered, the desktop
            self.qt_actions["fullscreen"].setChecked(self.isFullScreen())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._arranged and self.isVisible():
            self.layout_of_docks.resized()
            self.workspaces.touch()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closing.emit(event)
        if event.isAccepted():
            self.remember()
            self._settings.save()
            self.workspaces.close()

    # ------------------------------------------------------------------ files dropped

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self._dropped_file(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = self._dropped_file(event)
        if path is not None:
            event.acceptProposedAction()
            self.file_dropped.emit(path)

    @staticmethod
    def _dropped_file(event) -> Path | None:
        for url in event.mimeData().urls():
            if url.isLocalFile() and Path(url.toLocalFile()).suffix.lower() in SUFFIXES:
                return Path(url.toLocalFile())
        return None

"""The bar along the top of the window, one row: menus, the tabs of the workspaces, a few tools."""
from collections.abc import Callable

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QHBoxLayout, QMenuBar, QSizePolicy, QTabBar, QToolBar, QWidget

from app.panels.table import Services
from app.windows.choosers import CameraChooser
from app.workspaces import WORKSPACES

ICON = QSize(20, 20)
CAMERA = "camera"   # in place of an action: the chooser


class TopBar(QWidget):
    """menus: the menu bar; tabs: one tab a workspace; tools: icons, and the camera chooser."""

    def __init__(self, services: Services, qt_actions: dict[str, QAction], items: tuple[str, ...], choose: Callable[[str], None]):
        super().__init__()
        self.menus = QMenuBar()
        self.menus.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.tabs = WorkspaceTabs(choose)
        self.tools = QToolBar("Tools")
        self.tools.setIconSize(ICON)
        self.tools.setContentsMargins(0, 0, 0, 0)
        self.tools.layout().setContentsMargins(0, 0, 0, 0)
        for item in items:
            if not item:
                self.tools.addSeparator()
            elif item == CAMERA:
                self.tools.addWidget(CameraChooser(services.context, services.view))
            else:
                self.tools.addAction(qt_actions[item])
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 0, 4, 0)
        row.setSpacing(8)
        row.addWidget(self.menus, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.tabs, 0, Qt.AlignmentFlag.AlignBottom)
        row.addStretch(1)
        row.addWidget(self.tools, 0, Qt.AlignmentFlag.AlignVCenter)


class WorkspaceTabs(QTabBar):
    """A tab for each workspace; `choose(id)` is called when the user takes one."""

    def __init__(self, choose: Callable[[str], None]):
        super().__init__()
        self.setObjectName("workspaces")
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setUsesScrollButtons(True)
        for number, workspace in enumerate(WORKSPACES, 1):
            self.setTabToolTip(self.addTab(workspace.title), f"{workspace.tip} (Ctrl+{number})")
        self.tabBarClicked.connect(lambda index: choose(WORKSPACES[index].id) if index >= 0 else None)

    def show_chosen(self, workspace_id: str) -> None:
        """Another workspace is open."""
        self.setCurrentIndex(next(i for i, workspace in enumerate(WORKSPACES) if workspace.id == workspace_id))

    def wheelEvent(self, event) -> None:
        event.ignore()   # a wheel that passes over the tabs changes nothing

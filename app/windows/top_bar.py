"""The bar along the top of the window, one row: menus, the tabs of the workspaces, a few tools."""
from collections.abc import Callable

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QMenuBar, QSizePolicy, QTabBar, QToolButton, QWidget

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
        self.menus.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)   # what gives way in a narrow window are the tools
        self.tabs = WorkspaceTabs(choose)
        self.tools = ToolRow([CameraChooser(services.context, services.view) if item == CAMERA else tool_button(qt_actions[item]) if item else gap() for item in items])
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 2, 0)
        row.setSpacing(4)
        row.addWidget(self.menus, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.tabs, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.tools, 1)


class ToolRow(QWidget):
    """Widgets side by side at the right end. In a narrow window those at the left have no room; they are in the menus too."""

    def __init__(self, parts: list[QWidget]):
        super().__init__()
        self._parts = parts
        for part in parts:
            part.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def sizeHint(self) -> QSize:
        """Room for all."""
        hints = [part.sizeHint() for part in self._parts]
        return QSize(sum(hint.width() for hint in hints), max(hint.height() for hint in hints))

    def minimumSizeHint(self) -> QSize:
        """Room for none."""
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        right = self.width()
        for part in reversed(self._parts):
            hint = part.sizeHint()
            right -= hint.width()
            part.setVisible(right >= 0)
            part.setGeometry(right, (self.height() - hint.height()) // 2, hint.width(), hint.height())


def tool_button(action: QAction) -> QToolButton:
    """A flat button of an action."""
    button = QToolButton()
    button.setAutoRaise(True)
    button.setIconSize(ICON)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)   # a click leaves the keys with the view
    button.setDefaultAction(action)
    return button


def gap() -> QWidget:
    """Room between groups."""
    widget = QLabel(" ")
    widget.setMinimumWidth(6)
    return widget


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

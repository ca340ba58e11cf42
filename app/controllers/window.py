"""Panels, overlays and full screen: what belongs to the window itself."""
from pathlib import Path
from typing import Protocol

from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QFileDialog

from app.context import AppContext
from app.dialogs.files import ask_for_new_file, with_suffix
from app.workspaces import Workspace


WORKSPACE_FILTER = "Workspaces (*.toml);;All files (*)"


class Docks(Protocol):
    """What arranges the panels (app.windows.dock_layout.DockLayout)."""

    def toggle(self, panel_id: str) -> None: ...


class Workspaces(Protocol):
    """What keeps the workspaces (app.windows.workspace_memory.WorkspaceMemory)."""

    def choose(self, workspace_id: str) -> None: ...

    def arrange(self) -> None: ...

    def first_view(self) -> None: ...

    def toggle_side(self, side: str) -> None: ...

    current: Workspace

    def save(self, path: Path) -> bool: ...

    def load(self, path: Path) -> bool: ...


class Window(Protocol):
    """The window (app.windows.main_window.MainWindow, a QWidget), with the actions by id."""

    layout_of_docks: Docks
    workspaces: Workspaces
    qt_actions: dict[str, QAction]

    def showFullScreen(self) -> None: ...

    def showNormal(self) -> None: ...


class TextWindows(Protocol):
    """What is written over the view (app.viewport.overlay.Overlay)."""

    show_info: bool


class Note(Protocol):
    """The note at the pointer (app.viewport.hover.Hover)."""

    enabled: bool

    def hide(self) -> None: ...


class WindowController:
    """Handlers of the window's actions."""

    def __init__(self, context: AppContext, window: Window, overlay: TextWindows, hover: Note):
        self._context, self._window, self._overlay, self._hover = context, window, overlay, hover
        self._help = None   # the page of keys, once it was asked for

    def toggle_panel(self, panel_id: str) -> None:
        """Show or hide a dock."""
        self._window.layout_of_docks.toggle(panel_id)

    def toggle_area(self, area: str) -> None:
        """Hide all docks of a side, or bring them back."""
        self._window.workspaces.toggle_side(area)

    def choose_workspace(self, workspace_id: str) -> None:
        """Open a workspace."""
        self._window.workspaces.choose(workspace_id)

    def default_layout(self) -> None:
        """All docks where this workspace has them at first."""
        self._window.workspaces.arrange()

    def default_view(self) -> None:
        """Draw what this workspace draws at first."""
        self._window.workspaces.first_view()

    def save_workspace(self) -> None:
        """Ask for a file and write the workspace there."""
        path = ask_for_new_file(self._window, "Save workspace", Path(f"{self._window.workspaces.current.id}.toml"), WORKSPACE_FILTER,
                                lambda entered, _filter: with_suffix(entered, ".toml"))
        if path is not None:
            self._window.workspaces.save(path)

    def open_workspace(self) -> None:
        """Ask for a workspace's file and open it."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Open workspace", "", WORKSPACE_FILTER)
        if name:
            self._window.workspaces.load(Path(name))

    def toggle_help(self, checked: bool) -> None:
        """The page of keys, beside the work."""
        if self._help is None:
            from app.dialogs.help import HelpDialog

            self._help = HelpDialog(self._window)
            self._help.finished.connect(lambda _result: self._window.qt_actions["help"].setChecked(False))
        self._help.setVisible(checked)

    def toggle_info(self, checked: bool) -> None:
        """Figures over the view."""
        self._overlay.show_info = checked
        self._context.options_changed.emit()

    def toggle_hover(self, checked: bool) -> None:
        """The note at the pointer, now and from now on."""
        self._hover.enabled = checked
        self._hover.hide()
        self._context.settings.set("view/hover", checked)

    def toggle_fullscreen(self, checked: bool) -> None:
        """Fill the screen, or not."""
        self._window.showFullScreen() if checked else self._window.showNormal()

    def edit_keys(self) -> None:
        """The dialog for binding keys."""
        from app.dialogs.keys import KeysDialog

        KeysDialog(self._context.settings, self._window.qt_actions, self._window).show()

    def list_fields(self, what: str) -> None:
        """All fields of the model, or of its data, as text."""
        from app.dialogs.listing import ListingDialog

        ListingDialog(self._context, what, self._window).show()

    def about(self) -> None:
        """What this program is."""
        from app.dialogs.about import show_about

        show_about(self._window)

"""Panels, overlays and full screen: what belongs to the window itself."""
from typing import Protocol

from PyQt6.QtGui import QAction

from app.context import AppContext


class Docks(Protocol):
    """What arranges the panels (app.windows.dock_layout.DockLayout)."""

    def toggle(self, panel_id: str) -> None: ...

    def toggle_area(self, area: str) -> None: ...

    def arrange(self) -> None: ...


class Window(Protocol):
    """The window (app.windows.main_window.MainWindow, a QWidget), with the actions by id."""

    layout_of_docks: Docks
    qt_actions: dict[str, QAction]

    def showFullScreen(self) -> None: ...

    def showNormal(self) -> None: ...


class TextWindows(Protocol):
    """What is written over the view (app.viewport.overlay.Overlay)."""

    show_help: bool
    show_info: bool


class Note(Protocol):
    """The note at the pointer (app.viewport.hover.Hover)."""

    enabled: bool

    def hide(self) -> None: ...


class WindowController:
    """Handlers of the window's actions."""

    def __init__(self, context: AppContext, window: Window, overlay: TextWindows, hover: Note):
        self._context, self._window, self._overlay, self._hover = context, window, overlay, hover

    def toggle_panel(self, panel_id: str) -> None:
        """Show or hide a dock."""
        self._window.layout_of_docks.toggle(panel_id)

    def toggle_area(self, area: str) -> None:
        """Show or hide all docks of a side."""
        self._window.layout_of_docks.toggle_area(area)

    def default_layout(self) -> None:
        """All docks where they were at first."""
        self._window.layout_of_docks.arrange()

    def toggle_help(self, checked: bool) -> None:
        """The page of keys over the view."""
        self._overlay.show_help = checked
        self._context.options_changed.emit()

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

    def about(self) -> None:
        """What this program is."""
        from app.dialogs.about import show_about

        show_about(self._window)

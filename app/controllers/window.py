"""Panels, overlays and full screen: what belongs to the window itself."""
from PyQt6.QtWidgets import QApplication

from app import theme
from app.context import AppContext


class WindowController:
    """Handlers of the window's actions; `window`, `overlay` and `hover` are set by wire.py once they exist."""

    def __init__(self, context: AppContext):
        self._context = context
        self.window = None
        self.overlay = self.hover = None

    def toggle_panel(self, panel_id: str) -> None:
        """Show or hide a dock."""
        self.window.layout_of_docks.toggle(panel_id)

    def toggle_area(self, area: str) -> None:
        """Show or hide all docks of a side."""
        self.window.layout_of_docks.toggle_area(area)

    def default_layout(self) -> None:
        """All docks where they were at first."""
        self.window.layout_of_docks.arrange()

    def toggle_help(self, checked: bool) -> None:
        """The page of keys over the view."""
        self.overlay.show_help = checked
        self._context.options_changed.emit()

    def toggle_info(self, checked: bool) -> None:
        """Figures over the view."""
        self.overlay.show_info = checked
        self._context.options_changed.emit()

    def toggle_hover(self, checked: bool) -> None:
        """The note at the pointer, now and from now on."""
        self.hover.enabled = checked
        self.hover.hide()
        self._context.settings.set("view/hover", checked)

    def toggle_fullscreen(self, checked: bool) -> None:
        """Fill the screen, or not."""
        self.window.showFullScreen() if checked else self.window.showNormal()

    def use_light_theme(self, checked: bool) -> None:
        """Light or dark colours, at once and from now on."""
        name = "light" if checked else "dark"
        self._context.settings.set("view/theme", name)
        theme.apply(QApplication.instance(), name)
        self._context.options_changed.emit()

    def edit_keys(self) -> None:
        """The dialog for binding keys."""
        from app.dialogs.keys import KeysDialog

        KeysDialog(self._context, self.window).show()

    def about(self) -> None:
        """What this program is."""
        from app.dialogs.about import show_about

        show_about(self.window)

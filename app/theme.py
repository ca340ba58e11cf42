"""The look of the widgets: Qt's Fusion style with one dark and one light palette."""
from types import MappingProxyType

from PyQt6.QtGui import QColor, QPalette
from PyQt6.QtWidgets import QApplication

DARK = MappingProxyType({
    QPalette.ColorRole.Window: "#2a2e35", QPalette.ColorRole.WindowText: "#e6e8eb", QPalette.ColorRole.Base: "#1f2329", QPalette.ColorRole.AlternateBase: "#262a31",
    QPalette.ColorRole.Text: "#e6e8eb", QPalette.ColorRole.Button: "#343941", QPalette.ColorRole.ButtonText: "#e6e8eb", QPalette.ColorRole.Highlight: "#e8791e",
    QPalette.ColorRole.HighlightedText: "#ffffff", QPalette.ColorRole.ToolTipBase: "#343941", QPalette.ColorRole.ToolTipText: "#e6e8eb",
    QPalette.ColorRole.PlaceholderText: "#8b929c", QPalette.ColorRole.Link: "#6fb1ff",
})
LIGHT = MappingProxyType({
    QPalette.ColorRole.Window: "#eef0f3", QPalette.ColorRole.WindowText: "#1d2127", QPalette.ColorRole.Base: "#ffffff", QPalette.ColorRole.AlternateBase: "#f4f5f7",
    QPalette.ColorRole.Text: "#1d2127", QPalette.ColorRole.Button: "#e2e5ea", QPalette.ColorRole.ButtonText: "#1d2127", QPalette.ColorRole.Highlight: "#d9660c",
    QPalette.ColorRole.HighlightedText: "#ffffff", QPalette.ColorRole.ToolTipBase: "#ffffff", QPalette.ColorRole.ToolTipText: "#1d2127",
    QPalette.ColorRole.PlaceholderText: "#7a818b", QPalette.ColorRole.Link: "#0b62c4",
})
THEMES = MappingProxyType({"dark": DARK, "light": LIGHT})


def apply(app: QApplication, name: str) -> None:
    """Give the application a theme by name."""
    app.setStyle("Fusion")
    palette = QPalette()
    for role, colour in THEMES.get(name, DARK).items():
        palette.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor("#7a818b"))
    app.setPalette(palette)


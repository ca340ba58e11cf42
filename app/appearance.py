"""How the window looks: colours, accent colour, size of texts and spacing, from the settings, at once for all windows of the program.

Everything is Qt's Fusion style with a palette and a font of the application: whatever draws itself takes its colours from the palette, and is
told by Qt when they change.
"""
from types import MappingProxyType

from PyQt6.QtCore import QObject, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFont, QFontInfo, QGuiApplication, QPalette, QPixmapCache
from PyQt6.QtWidgets import QApplication, QLabel, QProxyStyle, QStyle

from app.settings import Settings

Role, Metric, Contents = QPalette.ColorRole, QStyle.PixelMetric, QStyle.ContentsType
DARK = MappingProxyType({
    Role.Window: "#2a2e35", Role.WindowText: "#e6e8eb", Role.Base: "#1f2329", Role.AlternateBase: "#262a31", Role.Text: "#e6e8eb", Role.Button: "#343941",
    Role.ButtonText: "#e6e8eb", Role.Highlight: "#e8791e", Role.HighlightedText: "#ffffff", Role.ToolTipBase: "#343941", Role.ToolTipText: "#e6e8eb",
    Role.PlaceholderText: "#8b929c", Role.Link: "#6fb1ff", Role.LinkVisited: "#b79cff", Role.BrightText: "#ffffff",
})
LIGHT = MappingProxyType({
    Role.Window: "#eef0f3", Role.WindowText: "#1d2127", Role.Base: "#ffffff", Role.AlternateBase: "#f4f5f7", Role.Text: "#1d2127", Role.Button: "#e2e5ea",
    Role.ButtonText: "#1d2127", Role.Highlight: "#d9660c", Role.HighlightedText: "#ffffff", Role.ToolTipBase: "#ffffff", Role.ToolTipText: "#1d2127",
    Role.PlaceholderText: "#7a818b", Role.Link: "#0b62c4", Role.LinkVisited: "#6b3fb5", Role.BrightText: "#000000",
})
THEMES = MappingProxyType({"dark": DARK, "light": LIGHT})
SIGNALS = MappingProxyType({"error": ("#f0756a", "#b3261e"), "warning": ("#e0a82e", "#8a5a00")})      # texts of these levels, on dark and on light ground
FAINT = MappingProxyType({"dark": "#7a818b", "light": "#8e959e"})     # texts of what cannot be used now
SETTINGS = ("view/theme", "view/accent", "view/font_scale", "view/density")
PIXMAPS = 4096      # kB of buttons, fields and bars that Fusion keeps drawn, one for each size that there ever was; Qt's own limit is 10 MB
STEPS = (50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300)     # sizes of texts by the keys [%]
USUAL_SIZE = "usual_text_size"      # property of the QApplication: its font's size before any of ours [pt]
# spacing: what is added to distances between widgets and to the height of what is one line [logical pixels]
DENSITIES = MappingProxyType({"compact": (-3, -4), "normal": (0, 0), "wide": (4, 6)})
DISTANCES = frozenset({Metric.PM_LayoutHorizontalSpacing, Metric.PM_LayoutVerticalSpacing, Metric.PM_LayoutLeftMargin, Metric.PM_LayoutRightMargin,
                       Metric.PM_LayoutTopMargin, Metric.PM_LayoutBottomMargin, Metric.PM_ToolBarItemSpacing})
LINES = frozenset({Contents.CT_PushButton, Contents.CT_ComboBox, Contents.CT_LineEdit, Contents.CT_SpinBox, Contents.CT_MenuItem, Contents.CT_ItemViewItem,
                   Contents.CT_TabBarTab, Contents.CT_ToolButton, Contents.CT_CheckBox, Contents.CT_RadioButton, Contents.CT_MenuBarItem, Contents.CT_HeaderSection})


class Spaced(QProxyStyle):
    """Fusion with more or less room. Only where the user wants it: every measure goes through Python then."""

    def __init__(self, distance: int, height: int):
        super().__init__("Fusion")
        self._distance, self._height = distance, height

    def pixelMetric(self, metric, option=None, widget=None) -> int:
        found = super().pixelMetric(metric, option, widget)
        return max(1, found + self._distance) if metric in DISTANCES else found

    def sizeFromContents(self, kind, option, size, widget=None) -> QSize:
        found = super().sizeFromContents(kind, option, size, widget)
        if kind in LINES and found.height() > 0:
            least = option.fontMetrics.height() + 2 if option is not None else 1
            found.setHeight(max(least, found.height() + self._height))
        return found


class Appearance(QObject):
    """Follows the settings of SETTINGS and, where they say so, the desktop's colours. Nothing changes before `apply`.

    Signal: changed() after the look has changed.
    """

    changed = pyqtSignal()

    def __init__(self, settings: Settings):
        super().__init__()
        self._settings = settings
        self._density = None    # that the style was made for
        QPixmapCache.setCacheLimit(PIXMAPS)
        settings.changed.connect(self._setting_changed)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._desktop_changed)

    def _setting_changed(self, name: str) -> None:
        if name in SETTINGS:
            self.apply()

    def _desktop_changed(self) -> None:
        if self._settings.get("view/theme") == "system":
            self.apply()

    @property
    def theme(self) -> str:
        """'dark' or 'light'."""
        wanted = self._settings.get("view/theme")
        if wanted == "system":
            wanted = "light" if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Light else "dark"
        return wanted

    @property
    def scale(self) -> float:
        """Size of texts, 1 as usual."""
        return self._settings.get("view/font_scale") / 100

    def apply(self) -> None:
        """Look as the settings say."""
        app = QApplication.instance()
        density = self._settings.get("view/density")
        if density != self._density:
            self._density = density
            app.setStyle("Fusion" if density == "normal" else Spaced(*DENSITIES[density]))
        palette = palette_of(self.theme, self._settings.get("view/accent"))
        app.setPalette(palette)
        app.setPalette(outlined(palette), "QCheckBox")
        colour_links(app)
        font = usual_font(app)
        size = app.property(USUAL_SIZE) * self.scale
        if abs(size - font.pointSizeF()) > 0.01:
            font.setPointSizeF(size)
            app.setFont(font)
        self.changed.emit()

    def step(self, direction: int) -> None:
        """Texts one step larger (1), smaller (-1) or as usual (0)."""
        present = self._settings.get("view/font_scale")
        others = [100] if not direction else [step for step in STEPS[::direction] if (step - present) * direction > 0]
        if others:
            self._settings.set("view/font_scale", others[0])


def colour_links(app: QApplication) -> None:
    """Have links in labels drawn in the present palette's colour: Qt takes it when it reads a text."""
    for widget in app.allWidgets():
        if isinstance(widget, QLabel) and "<a " in (text := widget.text()):
            widget.setText("")
            widget.setText(text)


def usual_font(app: QApplication) -> QFont:
    """The application's font; its usual size is noted at the first call."""
    font = app.font()
    if app.property(USUAL_SIZE) is None:
        app.setProperty(USUAL_SIZE, font.pointSizeF() if font.pointSizeF() > 0 else QFontInfo(font).pointSizeF())
    return font


def signal_colour(level: str, ground: QColor) -> QColor | None:
    """The colour of a text of level 'error' or 'warning' on that ground; None for other levels, which are as text is."""
    pair = SIGNALS.get(level)
    return QColor(pair[ground.lightness() > 128]) if pair is not None else None


def outlined(palette: QPalette) -> QPalette:
    """For what is ticked: Fusion draws the box in a darker shade of Window, which is not seen on dark ground. Nothing else of such a widget has that colour."""
    found = QPalette(palette)
    found.setColor(Role.Window, palette.color(Role.PlaceholderText))
    return found


def palette_of(theme: str, accent: str = "") -> QPalette:
    """The palette of a theme; accent: a colour as '#e8791e', '' for the theme's own."""
    colours = THEMES[theme]
    palette = QPalette(QColor(colours[Role.Button]), QColor(colours[Role.Window]))      # shades of frames follow from these
    for role, colour in colours.items():
        palette.setColor(role, QColor(colour))
    highlight = QColor(accent)
    if not accent or not highlight.isValid():
        highlight = QColor(colours[Role.Highlight])
    palette.setColor(Role.Highlight, highlight)
    palette.setColor(Role.Accent, highlight)
    palette.setColor(Role.HighlightedText, QColor("#ffffff" if highlight.lightnessF() < 0.68 else "#1d2127"))
    for role in (Role.Text, Role.ButtonText, Role.WindowText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(FAINT[theme]))
    return palette

"""The docks: made from the panel table, filled after the first frame, arranged for a workspace, put aside and brought back."""
import zlib

from PyQt6 import sip
from PyQt6.QtCore import QByteArray, QObject, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QAbstractButton, QComboBox, QDockWidget, QLabel, QMainWindow, QScrollArea, QSlider, QTabBar, QTabWidget, QWidget

from app.panels.live_panel import LivePanel
from app.panels.table import PANELS, Panel, Services, by_id
from app.windows.dock import Dock
from app.workspaces import Workspace
from editor.widgets.wheel_guard import guard_wheel

VERSION = zlib.crc32(",".join(f"{panel.id}:{panel.area}" for panel in PANELS).encode()) & 0x7FFFFFFF   # an arrangement of other panels is left aside
Area = Qt.DockWidgetArea
AREAS = (("left", Area.LeftDockWidgetArea), ("right", Area.RightDockWidgetArea), ("bottom", Area.BottomDockWidgetArea))
LEFT, RIGHT = (0.14, 168, 280), (0.196, 264, 420)   # share of the window's width, least and most [logical pixels]
WIDE = 0.42          # of the window's width, for a text
BOTTOM = 0.24        # of its height
LEAST_VIEW = 0.34    # of the window's width: a window that is made narrower takes the rest from the wider side
NARROW = 1000        # logical pixels: in a narrower window the left side steps aside by itself
LOW = 720            # logical pixels: a lower window has nothing below the view at first
TEXTS = "view/font_scale"
SETTLE_MS = 60       # that Qt goes on moving docks after it was asked to


class DockLayout(QObject):
    """Owns the docks of one main window. A dock stays empty until the first frame is on the screen and the dock is visible.

    Signal changed(): the user has moved, shown, hidden or resized something.
    """

    changed = pyqtSignal()

    def __init__(self, window: QMainWindow, services: Services):
        super().__init__(window)
        self._window, self._services = window, services
        self._ready, self._settling, self._over = False, True, False
        self._aside: dict[str, dict[str, list[str]]] = {}   # by side: what was open there before it was hidden, and what lay on top
        self._to_suit: Workspace | None = None
        self._to_raise: list[str] = []
        self._shown: dict[str, int] = {}                    # panels that were asked for: which in turn that was last
        self._to_widen = False                              # a text was asked for while docks settle
        self._has_bottom = False                            # what stands below the view has been given its height, or the user has
        self._stepped = False                               # the left side stepped aside by itself
        self._widths = {"column": 0, "text": 0}             # of the right side, without and with a wide panel on top
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(SETTLE_MS)
        self._settled.timeout.connect(self._settle)
        self._narrowed = QTimer(self)     # in a turn of its own: docks that come and go are laid out and filled
        self._narrowed.setSingleShot(True)
        self._narrowed.setInterval(0)
        self._narrowed.timeout.connect(self.step_aside)
        self._resized = QTimer(self)
        self._resized.setSingleShot(True)
        self._resized.setInterval(SETTLE_MS)
        self._resized.timeout.connect(self._keep_the_view)
        self._scale = services.settings.get(TEXTS) / 100
        self._asked: dict[str, int] = {}    # widths of the sides when texts changed last
        services.settings.changed.connect(self._setting_changed)
        self.docks: dict[str, QDockWidget] = {}
        self.panels: dict[str, QWidget] = {}
        window.setTabPosition(Area.RightDockWidgetArea, QTabWidget.TabPosition.East)   # all titles in sight, however many
        window.setTabPosition(Area.LeftDockWidgetArea, QTabWidget.TabPosition.North)
        window.setTabPosition(Area.BottomDockWidgetArea, QTabWidget.TabPosition.North)
        for panel in PANELS:
            self._add(panel)
        self._place()
        self._base = window.saveState(VERSION)
        services.context.first_frame.connect(self.fill)

    def _add(self, panel: Panel) -> None:
        dock = Dock(panel.title, self._window)
        dock.setObjectName(f"dock_{panel.id}")
        dock.setToolTip(panel.tip)
        dock.setWidget(QLabel("", dock))
        dock.visibilityChanged.connect(lambda visible, panel=panel: self._visibility_changed(panel, visible))
        dock.topLevelChanged.connect(lambda _floats: self._tell())
        dock.dockLocationChanged.connect(lambda _area: self._tell())
        dock.resized.connect(self._tell)
        self.docks[panel.id] = dock

    def _place(self) -> None:
        """Put every dock where the table says. Only once: doing it again leaves empty tab bars behind."""
        areas, first = dict(AREAS), {}
        for panel in PANELS:
            dock = self.docks[panel.id]
            self._window.addDockWidget(areas[panel.area], dock)
            if panel.area in first:
                self._window.tabifyDockWidget(first[panel.area], dock)
            first.setdefault(panel.area, dock)
        for dock in self.docks.values():
            dock.hide()

    # ------------------------------------------------------------------ arrangements

    def arrange(self, workspace: Workspace) -> None:
        """The arrangement that a workspace has at first."""
        self._begin()
        self._aside.clear()
        self._stepped = self._has_bottom = False
        self._window.restoreState(self._base, VERSION)
        for panel in PANELS:
            room = panel.area != "bottom" or self._window.height() >= LOW
            self.docks[panel.id].setVisible(room and panel.id in workspace.panels)
        self._raise([panel_id for panel_id in workspace.front if panel_id in self.docks and not self.docks[panel_id].isHidden()])
        self._suit(workspace)
        self._to_suit = workspace   # once more when Qt has settled: it may lay out what was there before first
        self.step_aside()

    def _suit(self, workspace: Workspace) -> None:
        """Give the sides sizes that suit the window as it is."""
        self._begin()
        width = self._window.width()
        left, right = (round(min(max(share * width, least * self._scale), most * self._scale)) for share, least, most in (LEFT, RIGHT))
        self._widths = {"column": round(workspace.share * width) or right, "text": round(max(workspace.share, WIDE) * width)}
        on_top = next((panel for panel in PANELS if panel.area == "right" and self._is_on_top(panel.id)), None)
        self._resize("left", left, Qt.Orientation.Horizontal)
        self._resize("right", self._widths["text" if on_top is not None and on_top.wide else "column"], Qt.Orientation.Horizontal)
        self._give_bottom()

    def _give_bottom(self) -> None:
        """Give what stands below the view its share of the height."""
        if not self._over and not sip.isdeleted(self._window):
            self._resize("bottom", round(BOTTOM * self._window.height()), Qt.Orientation.Vertical)

    def _setting_changed(self, name: str) -> None:
        """The sides grow and shrink with their texts."""
        if name != TEXTS:
            return
        scale = self._services.settings.get(TEXTS) / 100
        factor, self._scale = scale / self._scale, scale
        asked = self._asked if self._settling else {}   # Qt has not moved them yet
        self._begin()
        self._widths = {which: round(width * factor) for which, width in self._widths.items()}
        for side in ("left", "right"):
            areas = [dock.geometry() for dock in self.open_docks(side).values() if not dock.visibleRegion().isEmpty()]
            there = 0 if not areas else areas[0].right() if side == "left" else self._window.width() - areas[0].left()   # with its tabs, as Qt takes it
            self._asked[side] = round(factor * asked.get(side, there))
            self._resize(side, self._asked[side], Qt.Orientation.Horizontal)
        self.resized()

    def _resize(self, side: str, size: int, orientation: Qt.Orientation) -> None:
        dock = next(iter(self.open_docks(side).values()), None)
        if dock is not None and size > 0:
            self._window.resizeDocks([dock], [size], orientation)

    def _begin(self) -> None:
        """Docks are moved by us, not by the user, until Qt has settled."""
        self._settling = True
        self._settled.start()

    def _raise(self, panel_ids: list[str]) -> None:
        """Put docks on top of their neighbours, once more when Qt has laid out what has just been shown: before, it forgets."""
        self._to_raise = panel_ids
        for panel_id in panel_ids:
            put_on_top(self.docks[panel_id])

    def _settle(self) -> None:
        for panel_id in self._to_raise:
            put_on_top(self.docks[panel_id])
        self._to_raise = []
        if self._to_suit is not None:
            workspace, self._to_suit = self._to_suit, None
            self._suit(workspace)
            return
        self._settling = False
        if self._to_widen:
            self._to_widen = False
            self._resize("right", self._widths["text"], Qt.Orientation.Horizontal)
        self.tidy()
        self._services.context.tell_snapshot()

    def tidy(self) -> None:
        """Hide tab bars that Qt leaves behind when docks are arranged anew: with a dock that is closed, or that a newer bar has too."""
        there = {dock.windowTitle() for dock in self.docks.values() if not dock.isHidden() and not dock.isFloating()}
        seen: set[str] = set()
        for bar in reversed(self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)):
            titles = {bar.tabText(i) for i in range(bar.count())}
            if bar.isVisible() and (titles & seen or titles - there):
                bar.hide()
            elif bar.isVisible():
                seen |= titles

    # ------------------------------------------------------------------ what the user does

    def _tell(self) -> None:
        if not self._settling and not self._over and not sip.isdeleted(self._window):
            self.changed.emit()

    def close(self) -> None:
        """The window goes; what its docks do then is of no interest."""
        self._over = True
        self._settled.stop()
        self._narrowed.stop()
        self._resized.stop()

    def _visibility_changed(self, panel: Panel, visible: bool) -> None:
        if self._over or sip.isdeleted(self._window):   # docks go one by one when a window goes
            return
        if visible:
            self._fill_one(panel)
            QTimer.singleShot(0, self._services.context.tell_snapshot)   # while paused there is no other for a while
        if panel.wide and panel.area == "right" and not self._settling and not self.docks[panel.id].isFloating():
            self._widen(visible)
        if visible and panel.area == "bottom" and not self._has_bottom and not self.docks[panel.id].isFloating():
            self._has_bottom = True     # the first one there: Qt would make it as low as it can be
            QTimer.singleShot(0, self._give_bottom)
        self._tell()

    def _widen(self, on: bool) -> None:
        """Make the right side as wide as a text needs, or as it was before; each width is what the user made of it."""
        left = next((dock.geometry().left() for dock in self.open_docks("right").values() if not dock.visibleRegion().isEmpty()), 0)
        before, after = ("column", "text") if on else ("text", "column")
        if left > 0:
            self._widths[before] = self._window.width() - left   # with its tabs, as Qt takes it
        QTimer.singleShot(0, lambda: self._resize("right", self._widths[after], Qt.Orientation.Horizontal))

    @staticmethod
    def window_area(side: str) -> Area:
        """Qt's word for a side."""
        return dict(AREAS)[side]

    def open_docks(self, side: str) -> dict[str, QDockWidget]:
        """The docks that are open on a side, on top or behind others."""
        area = self.window_area(side)
        return {panel_id: dock for panel_id, dock in self.docks.items()
                if not dock.isHidden() and not dock.isFloating() and self._window.dockWidgetArea(dock) == area}

    def _is_on_top(self, panel_id: str) -> bool:
        dock = self.docks[panel_id]
        return not dock.isHidden() and dock.toggleViewAction().isChecked() and not dock.visibleRegion().isEmpty()

    def toggle_actions(self) -> list[QAction]:
        """Checkable menu entries that show and hide the docks."""
        return [self.docks[panel.id].toggleViewAction() for panel in PANELS]

    def toggle(self, panel_id: str) -> None:
        """Show a dock on top, or hide it when it is already there."""
        if self._is_on_top(panel_id):
            self.docks[panel_id].hide()
        else:
            self.show(panel_id)

    def show(self, panel_id: str) -> QWidget | None:
        """Show a dock on top of its neighbours; the panel in it, or None before the first frame and for a panel that there is not."""
        if panel_id not in self.docks:
            return None
        area = self._window.dockWidgetArea(self.docks[panel_id])
        self._to_raise = [other for other in self._to_raise if self._window.dockWidgetArea(self.docks[other]) != area]   # asked for later, it wins
        asked = self._shown[panel_id] = max(self._shown.values(), default=0) + 1
        if not self._is_on_top(panel_id):      # to raise it costs a layout and a paint of all of them
            self.docks[panel_id].show()
            put_on_top(self.docks[panel_id])
            QTimer.singleShot(0, lambda: self._keep_on_top(panel_id, asked))
        if by_id(panel_id).area == "right":
            self._to_widen = self._settling and by_id(panel_id).wide
        self._fill_one(by_id(panel_id))
        panel = self.panels.get(panel_id)
        if isinstance(panel, LivePanel):
            panel.show_now()        # what somebody asks for does not begin with an empty picture
        return panel

    def _keep_on_top(self, panel_id: str, asked: int) -> None:
        """Before a dock is laid out, Qt forgets that it is on top. Nothing where another in its place was asked for since."""
        if sip.isdeleted(self._window):
            return
        beside = self._window.tabifiedDockWidgets(self.docks[panel_id])
        if not any(when > asked and self.docks[other] in beside for other, when in self._shown.items()):
            put_on_top(self.docks[panel_id])

    def toggle_side(self, side: str, default: Workspace) -> None:
        """Hide all docks of a side, or bring back exactly what was open there; the workspace's own where nothing was."""
        if self.open_docks(side):
            self._put_aside(side)
            return
        there = self._aside.pop(side, None)
        own = [panel.id for panel in PANELS if panel.area == side and panel.id in default.panels]
        self._bring_back(there or {"open": own, "top": [panel_id for panel_id in default.front if panel_id in own]})

    def _put_aside(self, side: str) -> None:
        there = self.open_docks(side)
        self._aside[side] = {"open": list(there), "top": [panel_id for panel_id in there if self._is_on_top(panel_id)]}
        self._begin()
        for dock in there.values():
            dock.hide()
        self.changed.emit()

    def _bring_back(self, what: dict[str, list[str]]) -> None:
        self._begin()
        for panel_id in what["open"]:
            self.docks[panel_id].show()
        self._raise(what["top"])
        self.changed.emit()

    def step_aside(self) -> None:
        """Without room for both sides the left one goes until there is."""
        narrow = self._window.width() < NARROW * max(1.0, self._scale)
        if narrow and not self._stepped and self.open_docks("left"):
            self._stepped = True
            self._put_aside("left")
        elif not narrow and self._stepped:
            self._stepped = False
            if not self.open_docks("left"):
                self._bring_back(self._aside.pop("left", {"open": [], "top": []}))

    def resized(self) -> None:
        """The window, or its texts, have another size."""
        self._narrowed.start()
        self._resized.start()

    def _keep_the_view(self) -> None:
        missing = round(LEAST_VIEW * self._window.width()) - self._window.centralWidget().width()
        widths = {side: max((dock.width() for dock in self.open_docks(side).values() if not dock.visibleRegion().isEmpty()), default=0) for side in ("left", "right")}
        wider = max(widths, key=widths.get)
        if missing > 0 and widths[wider] > missing:
            self._begin()
            self._resize(wider, widths[wider] - missing, Qt.Orientation.Horizontal)

    # ------------------------------------------------------------------ making panels

    def fill(self) -> None:
        """Make the panels of all visible docks, one in each turn of the event loop."""
        self._ready = True
        panel = next(iter(self._wanted()), None)
        if panel is not None:
            self._fill_one(panel)
            QTimer.singleShot(0, self.fill)

    def _wanted(self) -> list[Panel]:
        return [panel for panel in PANELS if panel.id not in self.panels and self.docks[panel.id].isVisible() and not self.docks[panel.id].visibleRegion().isEmpty()]

    @property
    def filled(self) -> bool:
        """Whether every dock that is seen has its panel."""
        return self._ready and not self._wanted()

    def _fill_one(self, panel: Panel) -> None:
        if not self._ready or panel.id in self.panels:
            return
        widget = panel.make(self._services)
        self.panels[panel.id] = widget
        for part in widget.findChildren((QAbstractButton, QComboBox, QSlider)):
            if not (isinstance(part, QComboBox) and part.isEditable()):     # one that is typed into wants the keys
                part.setFocusPolicy(Qt.FocusPolicy.TabFocus)   # a click leaves the keys with the view
        guard_wheel(widget)
        if getattr(widget, "scrolls", True):
            area = QScrollArea(self.docks[panel.id])
            area.setWidgetResizable(True)
            area.setFrameShape(QScrollArea.Shape.NoFrame)
            area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            area.setWidget(widget)
            widget = area
        self.docks[panel.id].setWidget(widget)
        self._services.context.tell_snapshot()

    # ------------------------------------------------------------------ remembering

    def record(self) -> dict:
        """The present arrangement as plain values."""
        return {"version": VERSION, "docks": bytes(self._window.saveState(VERSION).toBase64()).decode(), "aside": self._aside, "stepped": self._stepped,
                "widths": self._widths, "open": [panel_id for panel_id, dock in self.docks.items() if not dock.isHidden()]}

    def take(self, record: dict) -> bool:
        """Take up an arrangement; False where it does not fit the present panels."""
        if record.get("version") != VERSION:
            return False
        self._begin()
        self._to_suit, self._has_bottom = None, True
        if not self._window.restoreState(QByteArray.fromBase64(str(record.get("docks", "")).encode()), VERSION):
            return False
        known = {side: what for side, what in record.get("aside", {}).items() if set(what.get("open", ())) <= self.docks.keys()}
        self._aside, self._stepped = known, bool(record.get("stepped"))
        self._has_bottom = bool(self.open_docks("bottom") or known.get("bottom"))
        self._widths = {**self._widths, **{name: int(width) for name, width in record.get("widths", {}).items()}}
        self.step_aside()
        return True


def put_on_top(dock: QDockWidget) -> None:
    """Make a dock the one that is seen among those that share its place."""
    if not sip.isdeleted(dock):
        dock.lower()   # Qt does nothing for what is the last child of its parent anyway, seen or not
        dock.raise_()

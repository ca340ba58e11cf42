"""The menus of the timeline bar: keyframes, what is played, bookmarks, and what can be done at a place of the axis."""
from functools import partial

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QInputDialog, QMenu, QToolButton, QWidget

from app.panels.table import Services
from app.timeline.bookmarks import Bookmark, HistoryPlace
from app.windows.choosers import key_names
from app.windows.top_bar import tool_button

PLAYED = ("play_forward", "play_backward", "", "region_from", "region_to", "clear_region", "", "history_first", "history_last", "fit_timeline")
BOOKMARKS = ("next_bookmark", "previous_bookmark", "bookmarks")
MOST_LISTED = 20    # bookmarks of a menu; the panel has all


def button_with_menu(action: QAction, fill) -> QToolButton:
    """A button of an action with a menu beside it, which fill(menu) fills each time it opens."""
    button = tool_button(action)
    menu = QMenu(button)
    menu.setToolTipsVisible(True)
    menu.aboutToShow.connect(lambda: fill(menu))
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
    return button


def _add(menu: QMenu, ids: tuple[str, ...], qt_actions: dict[str, QAction]) -> None:
    for action_id in ids:
        menu.addAction(qt_actions[action_id]) if action_id else menu.addSeparator()


def fill_played_menu(menu: QMenu, qt_actions: dict[str, QAction]) -> None:
    """What can be played of the history, and where the region lies."""
    menu.clear()
    _add(menu, PLAYED, qt_actions)


def fill_bookmark_menu(menu: QMenu, services: Services, qt_actions: dict[str, QAction]) -> None:
    """The bookmarks that can be gone to; the latest where there are many."""
    menu.clear()
    snapshot, timeline = services.context.snapshot, services.timeline
    there = timeline.bookmarks.shown(snapshot) if snapshot is not None else []
    for index, mark in there[-MOST_LISTED:]:
        entry = menu.addAction(mark.name.replace("&", "&&"), partial(timeline.go_to, mark))
        entry.setCheckable(True)
        entry.setChecked(index == snapshot.history_index)
    menu.addSeparator()
    _add(menu, BOOKMARKS, qt_actions)


def fill_axis_menu(menu: QMenu, services: Services, qt_actions: dict[str, QAction], number: int, bookmark: Bookmark | None) -> None:
    """What can be done at entry `number`, with the bookmark whose flag is there."""
    timeline, snapshot = services.timeline, services.context.snapshot
    if bookmark is not None:
        menu.addAction(f"Go to {bookmark.name}".replace("&", "&&"), partial(timeline.go_to, bookmark))
        menu.addAction("Rename the bookmark...", partial(ask_for_name, menu.parentWidget(), services, bookmark))
        menu.addAction("Delete the bookmark", partial(timeline.bookmarks.remove, [bookmark]))
        menu.addSeparator()
    if snapshot is not None and number == HistoryPlace.of(snapshot).number:
        menu.addAction(qt_actions["add_bookmark"])
    menu.addAction("Region from here", partial(timeline.begin_region, number))
    menu.addAction("Region to here", partial(timeline.end_region, number))
    if timeline.region.region is not None:
        menu.addAction(qt_actions["clear_region"])
    menu.addSeparator()
    menu.addAction(qt_actions["fit_timeline"])


def ask_for_name(parent: QWidget, services: Services, bookmark: Bookmark) -> QInputDialog:
    """Ask for another name of a bookmark, beside the work."""
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle("Bookmark")
    dialog.setLabelText(f"Name of the bookmark at {bookmark.time:.3f} s")
    dialog.setTextValue(bookmark.name)
    dialog.textValueSelected.connect(lambda name: services.timeline.bookmarks.rename(bookmark, name))
    dialog.open()
    return dialog


def fill_key_menu(menu: QMenu, services: Services, qt_actions: dict[str, QAction]) -> None:
    """What can be done with keyframes: go to one, store the state in one, copy it."""
    menu.clear()
    simulation, model = services.simulation, services.context.model
    names = key_names(model)
    for key, name in enumerate(names):
        menu.addAction(f"Go to {name}").triggered.connect(lambda _checked=False, key=key: simulation.load_key(key))
    if names:
        menu.addSeparator()
        into = menu.addMenu("Store the present state in")
        into.setToolTip("In the model in memory")
        for key, name in enumerate(names):
            into.addAction(name).triggered.connect(lambda _checked=False, key=key: simulation.save_key(key))
        start, session = menu.addMenu("Start and reset at"), services.session
        for key, name in ((None, "the start state"), *((names[key] if model.names["key"][key] else key, names[key]) for key in range(len(names)))):
            entry = start.addAction(name)
            entry.setCheckable(True)
            entry.setChecked(key == session.start_key)
            entry.triggered.connect(lambda _checked=False, key=key: session.choose_start_key(key))
        menu.addSeparator()
    menu.addAction(qt_actions["copy_state"])
    menu.addAction(qt_actions["copy_state_full"])

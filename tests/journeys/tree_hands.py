"""Hands on the document's tree: rows, menus within menus, drags within it and of files, by real events."""
from pathlib import Path

from PyQt6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PyQt6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QMenu

from tests.app.workbench import CTRL, NONE, Button, Key


def panel_of(bench):
    """The document's tree, on top, with what the texts hold now."""
    panel = bench.panel("document")
    bench.wait(lambda: panel.isVisible() and not panel._refreshing.isActive() and panel.model.outline is not None
               and panel.model.outline.version.texts == bench.session.document.version().texts)
    return panel


def element(bench, tag: str, name: str = "", k: int = 0):
    """An element of the text."""
    return [e for e in bench.session.document.version().root.walk() if e.tag == tag and (not name or name in (e.name, e.attrs.get("class")))][k]


def row(bench, number: int):
    """The rectangle of an element's row, scrolled to."""
    panel = panel_of(bench)
    index = panel.model.index_of_number(number)
    for node in index.internalPointer().above()[1:]:
        panel.tree.expand(panel.model.index_of(node))
    index = panel.model.index_of_number(number)
    panel.tree.scrollTo(index)
    return panel.tree.visualRect(index)


def select(bench, *elements, keys=NONE):
    """Clicks on rows, all but the first with Ctrl."""
    for k, one in enumerate(elements):
        box = row(bench, one.id)
        QTest.mouseClick(panel_of(bench).tree.viewport(), Button.LeftButton, CTRL if k else keys, QPoint(box.left() + 20, box.center().y()))
    bench.wait(lambda: set(bench.application.document_selection.ids) == {one.id for one in elements})


def menu_on(bench, one) -> QMenu:
    """The menu on an element's row, opened by the right button."""
    box = row(bench, one.id)
    tree = panel_of(bench).tree
    at = QPoint(box.left() + 20, box.center().y())
    QTest.mouseClick(tree.viewport(), Button.RightButton, NONE, at)
    tree.customContextMenuRequested.emit(at)
    return opened(bench)


def opened(bench) -> QMenu:
    """The menu that has just opened."""
    bench.wait(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    return QApplication.activePopupWidget()


def pick(bench, menu: QMenu, *path: str) -> None:
    """Click an entry of a menu, or go through the menus on the way by keys."""
    for k, words in enumerate(path):
        entry = next((action for action in menu.actions() if action.text() == words), None)
        assert entry is not None, (words, [action.text() for action in menu.actions()])
        assert entry.isEnabled(), words
        if k < len(path) - 1:
            menu.setActiveAction(entry)
            QTest.keyClick(menu, Key.Key_Right)
            menu = entry.menu()
            bench.wait(menu.isVisible)
        elif k:
            menu.setActiveAction(entry)
            QTest.keyClick(menu, Key.Key_Return)
        else:
            QTest.mouseMove(menu, menu.actionGeometry(entry).center())
            QTest.mouseClick(menu, Button.LeftButton, NONE, menu.actionGeometry(entry).center())
    bench.wait(lambda: QApplication.activePopupWidget() is None)


def add(bench, *path: str) -> None:
    """An entry of the button Add."""
    panel = panel_of(bench)
    QTest.mouseClick(panel.add_button, Button.LeftButton, NONE, panel.add_button.rect().center())
    pick(bench, opened(bench), *path)


def drop(bench, data: QMimeData, at: QPoint, keys=NONE) -> bool:
    """Drag something over the tree and let it go; whether it was taken."""
    viewport = panel_of(bench).tree.viewport()
    actions = Qt.DropAction.MoveAction | Qt.DropAction.CopyAction
    enter = QDragEnterEvent(at, actions, data, Button.LeftButton, keys)
    QApplication.sendEvent(viewport, enter)
    moved = QDragMoveEvent(at, actions, data, Button.LeftButton, keys)
    QApplication.sendEvent(viewport, moved)
    if not moved.isAccepted():
        return False
    dropped = QDropEvent(QPointF(at), actions, data, Button.LeftButton, keys)
    QApplication.sendEvent(viewport, dropped)
    return dropped.isAccepted()


def drag_onto(bench, what, onto, where: str = "on", keys=NONE) -> bool:
    """Drag an element's row on another one's, or above or below it."""
    panel = panel_of(bench)
    row(bench, what.id)
    data = panel.model.mimeData([panel.model.index_of_number(what.id)])
    box = row(bench, onto.id)
    y = {"on": box.center().y(), "above": box.top() + 1, "below": box.bottom()}[where]
    return drop(bench, data, QPoint(box.left() + 20, y), keys)


def drop_file(bench, path: Path, onto) -> bool:
    """Drop a file on an element's row."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    box = row(bench, onto.id)
    return drop(bench, data, QPoint(box.left() + 20, box.center().y()))

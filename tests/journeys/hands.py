"""What a user's hands do beside the view: menus, choosers, fields, text, tabs of panels, all by real events."""
import numpy as np
from PyQt6.Qsci import QsciScintilla
from PyQt6.QtCore import QEvent, QModelIndex, QPoint, QPointF, Qt
from PyQt6.QtGui import QMouseEvent, QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QComboBox, QLabel, QMenu, QScrollArea, QTabBar, QToolButton, QTreeView, QWidget

from editor.widgets.range_slider import RangeSlider
from render.scene.camera import project
from tests.app.workbench import CTRL, NONE, SHIFT, Button, Key


def click(widget: QWidget, at: QPoint | None = None, keys=NONE, button=Button.LeftButton) -> None:
    """A click into a widget that is seen, in its middle unless said otherwise."""
    at = widget.rect().center() if at is None else at
    assert widget.visibleRegion().contains(at), f"{widget} cannot be seen there"
    QTest.mouseClick(widget, button, keys, at)


def click_view(bench, at: QPointF, keys=NONE, button=Button.LeftButton) -> None:
    """A click into the view, once its picture is of the size that it has."""
    def fits() -> bool:
        ratio, picture = bench.host.devicePixelRatioF(), bench.viewport.picture
        return picture is not None and np.allclose(picture.size, (ratio * bench.host.width(), ratio * bench.host.height()), atol=2)

    bench.settled()
    bench.wait(fits)
    click(bench.host, at.toPoint(), keys, button)


def at(bench, point) -> QPointF:
    """Where a point of the world is in the view."""
    pixels, _ = project(bench.application.view_control.view(bench.snapshot), np.array([point], float), (bench.host.width(), bench.host.height()))
    return QPointF(*pixels[0])


def geom_at(bench, name: str) -> QPointF:
    """Where the middle of a geom is in the view."""
    return at(bench, bench.snapshot.geom_xpos[bench.context.model.id("geom", name)])


def turn_wheel(widget: QWidget, notches: int) -> None:
    """Turn the wheel over the middle of a widget, up for positive numbers."""
    at = QPointF(widget.rect().center())
    event = QWheelEvent(at, widget.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, NONE, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(widget, event)


def type_keys(text: str) -> None:
    """Letters, to whatever has the keys."""
    for letter in text:
        QTest.keyClicks(focused(), letter)


def strike(key, modifiers=NONE) -> None:
    """A key, to whatever has the keys: an open popup before all else."""
    QTest.keyClick(focused(), key, modifiers)


def focused() -> QWidget:
    """The widget that the next key goes to."""
    popup = QApplication.activePopupWidget()
    found = (popup.focusWidget() or popup) if popup is not None else QApplication.focusWidget()
    assert found is not None, "nothing has the keys"
    return found


def write(bench, field: QWidget, text: str) -> None:
    """Click into a field, type in place of what is there, and Return."""
    click(field)
    bench.wait(field.hasFocus)
    field.selectAll()
    type_keys(text)
    strike(Key.Key_Return)


def choose(bench, box: QComboBox, text: str) -> None:
    """Open a combo box by a click and take an entry by keys."""
    row = box.findText(text)
    assert row >= 0, [box.itemText(i) for i in range(box.count())]
    click(box)
    bench.wait(box.view().isVisible)
    strike(Key.Key_Home)
    for _ in range(row):
        strike(Key.Key_Down)
    strike(Key.Key_Return)
    bench.wait(lambda: not box.view().isVisible())


def press_button(bench, action_id: str) -> None:
    """Click the button of an action."""
    buttons = [button for button in bench.window.findChildren(QToolButton) if button.defaultAction() is bench.actions[action_id] and button.isVisible()]
    click(buttons[0])


def choose_in_menu(bench, title: str, text: str) -> None:
    """Open a menu of the bar by a click and click an entry."""
    bar = bench.window.menuBar()
    head = next(action for action in bar.actions() if action.text() == title)
    QTest.mouseClick(bar, Button.LeftButton, NONE, bar.actionGeometry(head).center())
    bench.wait(head.menu().isVisible)
    choose_entry(bench, head.menu(), text)


def choose_entry(bench, menu: QMenu, text: str) -> None:
    """Click an entry of an open menu."""
    entry = next(action for action in menu.actions() if action.text() == text)
    QTest.mouseMove(menu, menu.actionGeometry(entry).center())
    QTest.mouseClick(menu, Button.LeftButton, NONE, menu.actionGeometry(entry).center())
    bench.wait(lambda: QApplication.activePopupWidget() is None)


def from_palette(bench, text: str) -> None:
    """The first entry that the palette has for a text, chosen by keys."""
    strike(Key.Key_P, CTRL | SHIFT)
    palette = bench.application.program_control.palette
    bench.wait(lambda: palette.isVisible() and palette.field.hasFocus())
    type_keys(text)
    bench.wait(lambda: palette._search.done)
    assert palette.rows.entries[0].title == text
    strike(Key.Key_Return)
    bench.wait(lambda: not palette.isVisible())


def slide(slider: RangeSlider, position: int) -> None:
    """Drag the handle of a slider to a position."""
    start, end = (QPoint(round(slider.x_of(where)), slider.height() // 2) for where in (slider.value(), position))
    assert slider.visibleRegion().contains(start) and slider.visibleRegion().contains(end), f"{slider} cannot be seen there"
    QTest.mousePress(slider, Button.LeftButton, NONE, start)
    # QTest's own motions carry no buttons
    QApplication.sendEvent(slider, QMouseEvent(QEvent.Type.MouseMove, QPointF(end), QPointF(slider.mapToGlobal(end)), Button.NoButton, Button.LeftButton, NONE))
    QTest.mouseRelease(slider, Button.LeftButton, NONE, end)


def show_tab(bench, title: str) -> QWidget:
    """Click the tab of a panel that lies below others; the panel."""
    bars = [(bar, i) for bar in bench.window.findChildren(QTabBar) if bar.isVisible() for i in range(bar.count()) if bar.tabText(i) == title]
    bar, i = bars[0]
    click(bar, bar.tabRect(i).center())
    panel_id = next(name for name, dock in bench.docks.docks.items() if dock.windowTitle() == title)
    bench.wait(lambda: panel_id in bench.docks.panels and not bench.docks.panels[panel_id].visibleRegion().isEmpty())
    panel = bench.docks.panels[panel_id]
    bench.wait(lambda: getattr(panel, "filled", True))
    return panel


def click_row(bench, tree: QTreeView, index: QModelIndex) -> None:
    """Bring a row of a tree into sight, as far as wheels do, and click on it once it is laid out there."""
    def there() -> bool:
        bring(tree)
        tree.scrollTo(index)
        return tree.viewport().visibleRegion().contains(tree.visualRect(index).center())

    bench.wait(there)
    click(tree.viewport(), tree.visualRect(index).center())


def bring(widget: QWidget) -> None:
    """Scroll what a widget lies in until it is seen."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    if area is not None:
        area.ensureWidgetVisible(widget)


def press(widget: QWidget) -> None:
    """Scroll to a widget and click it."""
    bring(widget)
    click(widget)


def enter(bench, field: QWidget, text: str) -> None:
    """Scroll to a field and write into it."""
    bring(field)
    write(bench, field, text)


def click_link(bench, label: QLabel, link: str) -> None:
    """Move over a text until this link of it is under the pointer, and click it."""
    hovered: list[str] = []

    def found() -> bool:
        bring(label)
        for y in range(2, label.height(), 4):
            for x in range(2, label.width(), 4):
                place = QPoint(x, y)
                if label.visibleRegion().contains(place):
                    QApplication.sendEvent(label, QMouseEvent(QEvent.Type.MouseMove, QPointF(place), QPointF(label.mapToGlobal(place)), Button.NoButton, Button.NoButton, NONE))
                    if hovered and hovered[-1] == link:
                        click(label, place)
                        return True
        return False

    label.linkHovered.connect(hovered.append)
    try:
        bench.wait(found)       # it is laid out in a later turn of the event loop
    finally:
        label.linkHovered.disconnect(hovered.append)


def put_cursor(bench, editor: QsciScintilla, row: int, column: int) -> None:
    """Click into a text at a line and column, counted from 0."""
    bench.wait(lambda: not editor.visibleRegion().isEmpty())
    editor.ensureLineVisible(row)
    position = editor.positionFromLineIndex(row, column)
    place = QPoint(*(editor.SendScintilla(what, 0, position) + 2 for what in (editor.SCI_POINTXFROMPOSITION, editor.SCI_POINTYFROMPOSITION)))
    QTest.mouseClick(editor.viewport(), Button.LeftButton, NONE, place)
    bench.wait(editor.hasFocus)
    assert editor.getCursorPosition() == (row, column)


def retype(bench, editor: QsciScintilla, old: str, new: str) -> None:
    """Replace a piece of the text by hand: click before it, mark it by Shift and the arrow, type."""
    row = next(row for row in range(editor.lines()) if old in editor.text(row))
    put_cursor(bench, editor, row, editor.text(row).index(old))
    for _ in old:
        QTest.keyClick(editor, Qt.Key.Key_Right, SHIFT)
    assert editor.selectedText() == old
    QTest.keyClicks(editor, new) if new else QTest.keyClick(editor, Qt.Key.Key_Delete)

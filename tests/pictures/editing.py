"""The pictures of docs/editing.md: what each shows, and how one gets there."""
from __future__ import annotations

from PyQt6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PyQt6.QtGui import QColor, QImage, QPainter
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QDialog, QMenu

from editor.edits.attribute_patches import attribute_patches
from editor.edits.patch import Edit
from editor.source.merge_view import MergeView
from tests.app.workbench import NONE, Button, Key
from tests.journeys.hands import at, put_cursor, type_keys
from tests.journeys.tree_hands import menu_on, panel_of
from tests.pictures.desk import Desk, cut, sheet

SIZE, SHEET = (1320, 840), (470, 330)       # of the window; of a picture among others
LINT = (960, 300)       # logical pixels of the panel Lint by itself, so that its buttons are seen
# in place of a bundled model where none has such a thing: a finger drawn by a cord, a lamp, a camera and a ring of posts
FINGER = """<mujoco model="finger">
  <include file="common/studio.xml"/>
  <compiler angle="degree"/>
  <option gravity="0 0 0"/>
  <statistic center="0 0 .25" extent=".8"/>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 .05" material="floor"/>
    <light name="spot" pos="-.35 -.3 .75" dir=".5 .35 -1" cutoff="30" diffuse=".4 .38 .3"/>
    <camera name="watch" pos=".45 -.55 .5" xyaxes=".8 .6 0 -.28 .37 .88" fovy="50"/>
    <geom name="stand" type="cylinder" size=".09 .02" pos="0 0 .02" material="graphite"/>
    <geom name="post" type="capsule" fromto="0 0 .04 0 0 .2" size=".03" material="graphite"/>
    <site name="anchor" pos="-.05 0 .1" size=".008"/>
    <body name="proximal" pos="0 0 .22" euler="0 25 0">
      <joint name="base" axis="0 1 0" range="-40 80"/>
      <geom name="proximal" type="capsule" fromto="0 0 0 0 0 .17" size=".026" material="ivory"/>
      <site name="guide" pos="-.036 0 .09" size=".008"/>
      <body name="distal" pos="0 0 .2" euler="0 30 0">
        <joint name="tip" axis="0 1 0" range="-10 90"/>
        <geom name="distal" type="capsule" fromto="0 0 0 0 0 .12" size=".022" material="orange"/>
        <site name="end" pos="-.03 0 .08" size=".008"/>
      </body>
    </body>
    <replicate count="8" euler="0 0 45"><geom name="peg" type="box" size=".012 .012 .04" pos=".3 0 .04" material="blue"/></replicate>
  </worldbody>
  <tendon><spatial name="cord" width=".006" rgba=".1 .55 .35 1"><site site="anchor"/><site site="guide"/><site site="end"/></spatial></tendon>
</mujoco>
"""


def edit(desk: Desk) -> QImage:
    """The workspace with a leg that is moved."""
    desk.look((0.0, 0.0, 0.26), 1.45, 128, -16)
    desk.docks.docks["lint"].hide()
    desk.select(desk.element("geom", "front_right_thigh"))
    desk.tool("move")
    return desk.picture()


def gizmos(desk: Desk) -> QImage:
    """What each kind of element has: a sheet of views."""
    found = []

    def take(words: str, element, tool: str, about=(0.06, 0.0, 0.32), far: float = 1.15, azimuth: float = 112, elevation: float = -10, aim: str = "") -> None:
        desk.look(about, far, azimuth, elevation)
        desk.select(element)
        active = desk.tool(tool)
        if aim:
            QTest.mouseClick(active.strip.aims[aim], Button.LeftButton)
            desk.rest()
        found.append((_middle(desk, desk.pixel(about)), words))
        if aim:
            QTest.mouseClick(active.strip.aims[aim], Button.LeftButton)

    take("Move, capsule ends", desk.element("geom", "proximal"), "move")
    take("Rotate", desk.element("geom", "distal"), "rotate")
    take("Scale", desk.element("geom", "stand"), "scale", (0.0, 0.0, 0.14), 0.95, elevation=-22)
    take("Joint: anchor and range", desk.element("joint", "tip"), "move", (0.1, 0.0, 0.38), 0.8, 94, -4)
    take("Tendon: its sites", desk.element("spatial", "cord"), "move", (0.03, 0.0, 0.33), 1.05, 94, -4)
    take("Camera", desk.element("camera", "watch"), "move", (0.2, -0.25, 0.35), 1.5, 150, -16)
    take("Light", desk.element("light", "spot"), "move", (-0.18, -0.15, 0.58), 1.8, 150, -8)
    take("Copies: spacing", desk.element("replicate"), "rotate", (0.05, 0.0, 0.12), 1.25, 118, -34, aim="spacing")
    dragged(desk)
    found.append((_middle(desk, desk.pixel((0.06, 0.0, 0.32))), "A drag with a typed number"))
    QTest.keyClick(desk.host, Key.Key_Escape)
    QTest.mouseRelease(desk.host, Button.LeftButton, NONE, desk.host.rect().center())
    return sheet(found, 3)


def dragged(desk: Desk) -> None:
    """A part of the finger is lifted along z, by a number."""
    desk.look((0.06, 0.0, 0.32), 1.05, 112, -10)
    desk.select(desk.element("body", "distal"))
    desk.tool("move")
    place = desk.handle(("move", (2,)))
    QTest.mousePress(desk.host, Button.LeftButton, NONE, place.toPoint())
    for k in range(1, 5):
        desk.move(place + QPointF(0, -10 * k))
        desk.pictures(1)
    QTest.keyClicks(desk.host, ".05")
    desk.rest()


def _middle(desk: Desk, about: QPointF) -> QImage:
    """The piece of the view around a point."""
    box = QRect(QPoint(), QSize(*SHEET).boundedTo(desk.host.size()))
    box.moveCenter(about.toPoint())
    box.moveLeft(max(0, min(box.left(), desk.host.width() - box.width())))
    box.moveTop(max(0, min(box.top(), desk.host.height() - box.height())))
    return cut(desk.picture(desk.host), box)


def properties(desk: Desk) -> QImage:
    """A geom of a class, and a body whose mass the compiler has worked out."""
    return _two_panels(desk, "properties", desk.element("geom", "front_left_foot"), desk.element("joint", "front_left_hip"))


def _two_panels(desk: Desk, panel_id: str, *elements) -> QImage:
    found = []
    for element in elements:
        desk.select(element)
        desk.panel(panel_id)
        desk.rest()
        found.append((desk.picture(desk.docks.docks[panel_id]), ""))
    return sheet(found, len(found), 12)


def tree(desk: Desk) -> QImage:
    """The document's tree with its menu."""
    panel_of(desk)
    body = desk.element("body", "front_left_thigh")
    menu = menu_on(desk, body)
    entry = next(action for action in menu.actions() if action.menu() is not None)
    menu.setActiveAction(entry)
    QTest.keyClick(menu, Key.Key_Right)
    desk.wait(entry.menu().isVisible)
    desk.rest()
    image = desk.picture()
    shut(desk)
    return image


def source(desk: Desk) -> QImage:
    """Candidates with their types and meanings; help at the pointer."""
    editor = _begin_writing(desk)
    type_keys(" s")
    popup = desk.source.assist.typing(desk.session.document.main_key).popup
    desk.wait(popup.isVisible)
    desk.rest()
    found = [(_upper(desk), "")]
    QTest.keyClick(editor, Key.Key_Escape)
    while desk.session.document.history.position:
        desk.session.undo()
    desk.rest()
    place = editor.text().index("friction=", editor.text().index('class="foot"')) + 2
    editor._hovered(editor.positionFromLineIndex(*editor.lineIndexFromPosition(place)), 0, 0)
    desk.rest()
    found.append((_upper(desk), ""))
    return sheet(found, 1, 12)


def _upper(desk: Desk) -> QImage:
    """The upper half of the XML panel, with what lies over it."""
    dock = desk.docks.docks["source"]
    image = desk.picture()
    left = dock.mapTo(desk.window, QPoint())
    return cut(image, QRect(left, QSize(image.width() - left.x(), dock.height() * 2 // 5)))


def _begin_writing(desk: Desk):
    """The caret behind the name of a geom in a class."""
    desk.panel("source")
    desk.rest()
    desk.window.resizeDocks([desk.docks.docks["source"]], [900], Qt.Orientation.Horizontal)
    desk.rest()
    editor = desk.source.editor()
    row = next(k for k, line in enumerate(editor.text().split("\n")) if '<default class="inner"' in line)
    put_cursor(desk, editor, row, editor.text(row).index("<geom") + len("<geom"))
    return editor


def lint(desk: Desk) -> QImage:
    """Findings of servos that go beyond their joints' ranges, and what the chosen one means."""
    _change(desk, "ctrlrange of class hip_servo", _hip_servo(desk), {"ctrlrange": "-2.2 1.9"})
    desk.taken_up()
    desk.panel("lint")
    desk.window.resizeDocks([desk.docks.docks["lint"]], [330], Qt.Orientation.Vertical)
    panel = desk.docks.panels["lint"]
    desk.wait(lambda: sum(one.rule == "servo_range" for one in panel.listed) > 1)
    branch = next(panel.tree.topLevelItem(k) for k in range(panel.tree.topLevelItemCount()) if panel.tree.topLevelItem(k).childCount() > 1)
    item = branch.child(0)
    panel.tree.scrollToItem(item)
    desk.rest()
    QTest.mouseClick(panel.tree.viewport(), Button.LeftButton, pos=panel.tree.visualItemRect(item).center())
    desk.rest()
    desk.window.resizeDocks([desk.docks.docks["source"]], [400], Qt.Orientation.Horizontal)
    desk.rest()
    image = desk.picture()
    desk.session.undo()
    desk.window.resizeDocks([desk.docks.docks["lint"]], [200], Qt.Orientation.Vertical)
    desk.taken_up()
    return image


def lint_fix(desk: Desk) -> QImage:
    """A finding with the button that mends it, and the panel, by itself, when that was pressed."""
    panel, dock, found = desk.panel("lint"), desk.docks.docks["lint"], []
    dock.setFloating(True)
    dock.resize(*LINT)
    desk.wait(lambda: any(one.rule == "keyframe" for one in panel.listed))
    item = panel.tree.topLevelItem(0).child(0)
    QTest.mouseClick(panel.tree.viewport(), Button.LeftButton, pos=panel.tree.visualItemRect(item).center())
    desk.rest()
    found.append(dock.grab().toImage())
    QTest.mouseClick(panel.fix, Button.LeftButton)
    desk.taken_up()
    desk.wait(lambda: not any(one.rule == "keyframe" for one in panel.listed))
    desk.rest(1.0)
    found.append(cut(dock.grab().toImage(), QRect(0, 0, LINT[0], LINT[1] // 2)))
    desk.session.undo()
    dock.setFloating(False)
    desk.taken_up()
    return _below(*found)


def _below(first: QImage, second: QImage, gap: int = 12) -> QImage:
    """Two pictures one below the other, each as high as it is."""
    out = QImage(max(first.width(), second.width()), first.height() + gap + second.height(), QImage.Format.Format_RGB32)
    out.fill(QColor(255, 255, 255))
    painter = QPainter(out)
    painter.drawImage(QPoint(), first)
    painter.drawImage(QPoint(0, first.height() + gap), second)
    painter.end()
    return out


def rows(desk: Desk) -> QImage:
    """The list of edits: some are on the disk, two were taken back."""
    _some_edits(desk)
    desk.session.save()
    editor = _begin_writing(desk)
    type_keys(' condim="4"')
    QTest.keyClick(editor, Key.Key_Escape)
    _change(desk, "size of geom lens", desk.element("geom", "lens"), {"size": ".03"})
    _change(desk, "pos of camera follow", desk.element("camera", "follow"), {"pos": "-1 -1 .6"})
    for _ in range(2):
        desk.session.undo()
    desk.taken_up()
    desk.docks.docks["lint"].hide()
    desk.panel("history")
    desk.window.resizeDocks([desk.docks.docks["history"]], [420], Qt.Orientation.Horizontal)
    desk.rest(1.0)
    image = desk.picture()
    desk.session.go_to_edit(0)
    desk.session.save()
    desk.rest()
    return image


def create(desk: Desk) -> QImage:
    """A box is drawn beside the robot."""
    desk.look((0.2, 0.1, 0.15), 1.8, 128, -24)
    desk.select()
    desk.tool("create")
    a, b = at(desk, (0.62, 0.3, 0.0)), at(desk, (0.4, 0.08, 0.0))
    QTest.mousePress(desk.host, Button.LeftButton, NONE, a.toPoint())
    desk.move(b)
    QTest.mouseRelease(desk.host, Button.LeftButton, NONE, b.toPoint())
    desk.move(b, button=Button.NoButton)
    desk.move(b + QPointF(0, -70), button=Button.NoButton)
    desk.rest()
    image = desk.picture(desk.host)
    for _ in range(2):      # what is drawn, and the tool
        QTest.keyClick(desk.host, Key.Key_Escape)
    return sheet([(image, ""), (_turned(desk), "")], 2, 12)


def _turned(desk: Desk) -> QImage:
    """A thigh with its rings."""
    desk.look((0.0, 0.0, 0.26), 1.45, 128, -16)
    desk.select(desk.element("body", "front_right_thigh"))
    desk.tool("rotate")
    image = desk.picture(desk.host)
    desk.tool("move")
    return image


def composite(desk: Desk) -> QImage:
    """The dialog with its preview, over the window."""
    world = next(one for one in desk.session.document.version().root.walk() if one.tag == "worldbody" and one.origin.file == desk.session.document.main_key)
    desk.look((0.3, 0.0, 0.3), 1.9, 128, -20)
    desk.select(world)
    desk.application.structure.add_composite()
    dialog = _dialog(desk)
    desk.wait(lambda: not dialog.preview.busy and dialog.preview.result is not None)
    desk.rest(1.0)
    image = desk.picture()
    dialog.reject()
    desk.rest()
    return image


def _dialog(desk: Desk) -> QDialog:
    desk.wait(lambda: any(isinstance(one, QDialog) for one in desk.over()))
    return next(one for one in desk.over() if isinstance(one, QDialog))


def history(desk: Desk) -> QImage:
    """Edits of several kinds, and a text that has changed here and on the disk."""
    _some_edits(desk)
    desk.panel("history")
    path = desk.session.document.path
    text = path.read_text()
    asked: list = []
    desk.session.conflict.connect(asked.append)
    path.write_text(text.replace('kp="60" kv="2" ctrlrange="-1.5 1.2"', 'kp="45" kv="1.5" ctrlrange="-1.5 1.2"'))
    desk.wait(lambda: asked)
    desk.source.bar.button("merge").click()
    desk.wait(lambda: desk.source.findChild(MergeView) is not None and desk.source.findChild(MergeView).isVisible())
    desk.window.resizeDocks([desk.docks.docks["source"]], [420], Qt.Orientation.Horizontal)
    desk.rest()
    desk.panel("history")
    desk.source.findChild(MergeView).move(desk.window.pos() + QPoint(120, 110))
    desk.rest(1.0)
    image = desk.picture()
    desk.source.findChild(MergeView).reject()
    return image


def _some_edits(desk: Desk) -> None:
    _change(desk, "size of geom head", desk.element("geom", "head"), {"size": ".06 .05 .035"})
    _change(desk, "Move body front_left_hip", desk.element("body", "front_left_hip"), {"pos": "0.23 0.09 0"})
    _change(desk, "kp of class hip_servo", _hip_servo(desk), {"kp": "80"})
    _change(desk, "rgba of material orange", desk.element("material", "orange"), {"rgba": ".95 .4 .1 1"})


def _hip_servo(desk: Desk):
    """The actuator of a default class."""
    return next(one for one in desk.element("default", "hip_servo").children if one.tag == "position")


def _change(desk: Desk, label: str, element, values: dict) -> None:
    """An edit as panels and handles make it."""
    document = desk.session.document
    desk.session.edit(Edit(label, attribute_patches(document.files()[element.origin.file].text, element, values)))


def shut(desk: Desk) -> None:
    """Close menus."""
    while isinstance(popup := QApplication.activePopupWidget(), QMenu):
        popup.close()
    desk.rest()

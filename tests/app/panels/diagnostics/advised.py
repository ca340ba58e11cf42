"""A model that needs advice, and hands for its panel."""
from PyQt6.QtCore import QEvent, QPoint, QPointF
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QLabel, QScrollArea

from tests.app.workbench import NONE, Button
from tests.journeys.hands import turn_wheel

SINKING = """<mujoco model="sinking"><worldbody><light pos="0 0 3"/><geom name="floor" type="plane" size="2 2 .1"/>
  <body name="tile" pos="0 0 .006"><freejoint/><geom name="plate" type="box" size=".2 .2 .005" mass="1" priority="1" solref=".1 1" solimp=".1 .2 .1"/></body>
</worldbody></mujoco>"""
SOUND = """<mujoco model="sound"><worldbody><geom name="floor" type="plane" size="2 2 .1"/>
  <body name="box" pos="0 0 .1"><freejoint/><geom name="cube" type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""


def hasten(bench) -> None:
    """Samples ten times as often."""
    bench.application.advice._timer.setInterval(50)


def click_link(bench, label: QLabel, link: str) -> None:
    """Scroll to the end of a text, where its links are, move over it until the link is under the pointer, and click it."""
    hovered: list[str] = []
    label.linkHovered.connect(hovered.append)
    area = label.parentWidget()
    while not isinstance(area, QScrollArea):
        area = area.parentWidget()

    def found() -> bool:
        turn_wheel(area.viewport(), -20)
        for y in range(label.height() - 3, 0, -5):
            for x in range(2, label.width() - 2, 5):
                if label.visibleRegion().contains(QPoint(x, y)):
                    move(label, QPoint(x, y))
                    if hovered and hovered[-1] == link:
                        QTest.mouseClick(label, Button.LeftButton, NONE, QPoint(x, y))
                        return True
        return False

    bench.wait(found)       # it is laid out in a later turn of the event loop
    label.linkHovered.disconnect(hovered.append)


def move(widget, at: QPoint) -> None:
    """A motion of the mouse over a widget (QTest's own come when the display sends them)."""
    QApplication.sendEvent(widget, QMouseEvent(QEvent.Type.MouseMove, QPointF(at), QPointF(widget.mapToGlobal(at)), Button.NoButton, Button.NoButton, NONE))

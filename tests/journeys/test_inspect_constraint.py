"""Somebody wonders why an arm does not reach where its motor pushes it: looks at the balance of its joint, finds the limit that holds it,
then the belt that drags a wheel along, and switches that off."""
import pytest
from PyQt6.QtCore import QPoint
from PyQt6.QtTest import QTest

from tests.app.workbench import NONE, Button, Key
from tests.journeys.hands import click, click_view, from_palette, geom_at, strike

MODEL = """<mujoco model="arm">
  <compiler angle="radian"/>
  <statistic center="0 0 .8" extent="1.6"/>
  <worldbody>
    <light pos="0 -2 4" dir="0 .3 -1"/>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="arm" pos="0 0 1"><joint name="shoulder" axis="0 1 0" range="-.4 .4" damping=".5"/><geom name="arm" type="capsule" size=".06" fromto="0 0 0 .5 0 0"/></body>
    <body name="wheel" pos="0 .6 1"><joint name="turn" axis="0 1 0" frictionloss=".2"/><geom name="wheel" type="cylinder" size=".2 .05" euler="1.57 0 0"/></body>
  </worldbody>
  <equality><joint name="belt" joint1="turn" joint2="shoulder" polycoef="0 1 0 0 0"/></equality>
  <actuator><motor name="push" joint="shoulder" gear="20" ctrlrange="-1 1"/></actuator>
</mujoco>
"""


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(MODEL)
    return workbench(path, size=(1400, 950))


def open_panel(bench, title: str, name: str):
    """A panel from the palette."""
    from_palette(bench, f"Panel {title}")
    bench.wait(lambda: name in bench.docks.panels and bench.docks.panels[name].isVisible())
    return bench.docks.panels[name]


def row_of(table, text: str):
    """The row of a table with this text, below groups too."""
    items = [table.topLevelItem(k) for k in range(table.topLevelItemCount())]
    items += [item.child(k) for item in items for k in range(item.childCount())]
    return next((item for item in items if item.text(0) == text), None)


def test_from_the_balance_to_what_holds_the_arm(bench):
    bench.wait(bench.host.hasFocus)
    # a click on the arm, and what pushes at its joint
    click_view(bench, geom_at(bench, "arm"))
    bench.wait(lambda: bench.context.selection.active is not None)
    balance = open_panel(bench, "Joint balance", "balance")
    bench.wait(lambda: balance.balance is not None and balance.balance.names == ("shoulder",))
    weight = float(balance.text("gravity"))
    assert weight > 1.0 and abs(float(balance.text("sum"))) < 1e-9

    # it runs until it hangs on its limit: the bar says what holds it
    bench.host.setFocus()
    strike(Key.Key_Space)
    bench.wait(lambda: bench.snapshot.time > 2.0 and "limit" in dict(balance.bars.bars[0].groups))
    strike(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running)
    bench.wait(lambda: balance.balance.time == pytest.approx(bench.snapshot.time))
    assert float(balance.text("limit")) < -1.0 and balance.balance.error < 1e-9

    # the limit's joint, and its constraint
    piece = next(place for group, _value, place in balance.bars.pieces(0) if group == "limit")
    click(balance.bars, piece.center().toPoint())
    item = row_of(balance.table, "joint shoulder")
    assert item is not None and item.parent().isExpanded()
    QTest.mouseClick(balance.table.viewport(), Button.LeftButton, NONE, balance.table.visualItemRect(item).center())
    constraint = open_panel(bench, "Constraint", "constraint")
    bench.wait(lambda: constraint.answer is not None and constraint.answer.element is not None)
    assert "upper limit reached" in constraint.forms["limit"].state.text()
    assert float(constraint.rows.text(0, "force")) == pytest.approx(-float(balance.text("limit")), rel=1e-2)

    # back to all constraints: the belt drags the wheel along; a click shows it, a check box of the panel Equality switches it off
    constraint.title.linkActivated.emit("all:")
    bench.wait(constraint.list.isVisible)
    belt = row_of(constraint.list, "equality belt")
    QTest.mouseClick(constraint.list.viewport(), Button.LeftButton, NONE, constraint.list.visualItemRect(belt).center())
    bench.wait(lambda: constraint.answer is not None and constraint.answer.element is not None and constraint.forms["equality"].isVisible())
    assert constraint.forms["equality"].state.text().startswith("Acts: on")
    switches = open_panel(bench, "Equality", "equality")
    click(switches.list.row(0).box, switches.list.row(0).box.rect().center() - QPoint(switches.list.row(0).box.width() // 2 - 10, 0))
    bench.wait(lambda: not bench.snapshot.eq_active[0])
    constraint = open_panel(bench, "Constraint", "constraint")
    bench.wait(lambda: constraint.forms["equality"].state.text() == "Does not act: it is off (eq_active).")
    assert not constraint.sections["Rows"].isVisible()

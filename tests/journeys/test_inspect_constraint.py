"""Somebody wonders why an arm does not reach where its motor pushes it: looks at the balance of its joint, finds the limit that holds it,
then the belt that drags a wheel along, and switches that off."""
import pytest
from PyQt6.QtCore import QPoint

from physics.model.elements import element
from tests.app.workbench import CTRL, Key
from tests.journeys.hands import bring, click, click_link, click_row, from_palette, press_button, show_tab, slide, strike

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
    bench = workbench(path, size=(1400, 950))
    bench.wait(bench.host.hasFocus)
    strike(Key.Key_2, CTRL)     # the workspace Inspect
    bench.wait(lambda: bench.docks.filled and "balance" in bench.docks.docks and not bench.docks.docks["balance"].isHidden())
    bench.settled()
    return bench


def open_panel(bench, title: str, name: str):
    """A panel from the palette."""
    from_palette(bench, f"Panel {title}")
    bench.wait(lambda: name in bench.docks.panels and not bench.docks.panels[name].visibleRegion().isEmpty())
    return bench.docks.panels[name]


def row_of(table, text: str):
    """The row of a table with this text, below groups too."""
    items = [table.topLevelItem(k) for k in range(table.topLevelItemCount())]
    items += [item.child(k) for item in items for k in range(item.childCount())]
    return next((item for item in items if item.text(0) == text), None)


def click_item(bench, table, text: str) -> None:
    """Click the row of a table with this text."""
    item = row_of(table, text)
    assert item is not None, text
    click_row(bench, table, table.indexFromItem(item))


def click_in_outliner(bench, kind: str, name: str) -> None:
    """Click the row of an element in the tree of all elements."""
    outliner, m = bench.docks.panels["outliner"], bench.context.model
    what = element(m, kind, m.id(kind, name))
    click_row(bench, outliner.tree, outliner.model.index_of(outliner.model.tree.node(what)))
    assert bench.context.selection.elements == (what,)


def test_from_the_balance_to_what_holds_the_arm(bench):
    # a click on the joint among all elements, and what pushes at it
    balance = show_tab(bench, "Joint balance")
    assert balance.balance is None
    click_in_outliner(bench, "joint", "shoulder")
    bench.wait(lambda: balance.balance is not None and balance.balance.names == ("shoulder",))
    weight = float(balance.text("gravity"))
    assert weight > 1.0 and abs(float(balance.text("sum"))) < 1e-9

    # it runs until it hangs on its limit: the bar says what holds it
    press_button(bench, "run")
    bench.wait(lambda: bench.snapshot.time > 2.0 and "limit" in dict(balance.bars.bars[0].groups))
    press_button(bench, "run")
    bench.wait(lambda: not bench.snapshot.running)
    bench.wait(lambda: balance.balance.time == pytest.approx(bench.snapshot.time))
    held = float(balance.text("limit"))
    assert held < -1.0 and balance.balance.error < 1e-9 and abs(float(balance.text("sum"))) < 1e-9

    # a click on that piece of the bar opens its parts; one on the part, and what the limit is
    bring(balance.bars)
    piece = next(place for group, _value, place in balance.bars.pieces(0) if group == "limit")
    click(balance.bars, piece.center().toPoint())
    assert row_of(balance.table, "joint shoulder").parent().isExpanded()
    click_item(bench, balance.table, "joint shoulder")
    constraint = show_tab(bench, "Constraint")
    bench.wait(lambda: constraint.answer is not None and constraint.answer.element is not None)
    limit = constraint.forms["limit"]
    assert "upper limit reached" in limit.state.text()
    assert float(constraint.rows.text(0, "force")) == pytest.approx(-held, rel=1e-2)
    tree = limit.origin.tree
    click_item(bench, tree, "solreflimit")
    bench.wait(lambda: limit.origin.why.text().startswith("solref"))


def test_the_motor_pushes_against_the_limit(bench):
    """The same by the slider of the motor: what the actuator gives is one more piece of the bar, and the limit gives as much more."""
    balance = show_tab(bench, "Joint balance")
    click_in_outliner(bench, "joint", "shoulder")
    bench.wait(lambda: balance.balance is not None)
    controls = open_panel(bench, "Controls", "controls")
    slide(controls.rows[0].slider, controls.rows[0].slider.maximum())
    bench.wait(lambda: bench.snapshot.ctrl[0] == pytest.approx(1.0))
    show_tab(bench, "Joint balance")
    press_button(bench, "run")
    bench.wait(lambda: bench.snapshot.time > 2.0)
    press_button(bench, "run")
    bench.wait(lambda: not bench.snapshot.running and balance.balance.time == pytest.approx(bench.snapshot.time))
    assert float(balance.text("actuator")) == pytest.approx(20, rel=1e-3) and float(balance.text("limit")) < -20 and abs(float(balance.text("sum"))) < 1e-9


def test_from_all_constraints_to_the_belt_and_its_switch(bench):
    constraint = show_tab(bench, "Constraint")
    click_in_outliner(bench, "joint", "turn")
    bench.wait(lambda: constraint.answer is not None and constraint.forms["friction loss"].isVisible())
    press_button(bench, "run")
    bench.pass_time(0.3)
    press_button(bench, "run")
    bench.wait(lambda: not bench.snapshot.running)

    # back to all constraints by the link: the belt drags the wheel along; a click shows it
    click_link(bench, constraint.title, "all:")
    bench.wait(lambda: constraint.list.isVisible() and row_of(constraint.list, "equality belt") is not None)
    assert bench.context.selection.active is None
    click_item(bench, constraint.list, "equality belt")
    belt = constraint.forms["equality"]
    bench.wait(lambda: constraint.answer is not None and constraint.answer.element is not None and belt.isVisible())
    assert belt.state.text().startswith("Acts: on") and bench.context.selection.active.name == "belt"
    assert float(constraint.rows.text(0, "force")) != 0.0 and "effective mass" in [belt.values.topLevelItem(k).text(0) for k in range(belt.values.topLevelItemCount())]

    # a check box of the panel Equality switches it off
    switches = open_panel(bench, "Equality", "equality")
    box = switches.list.row(0).box
    click(box, QPoint(10, box.rect().center().y()))
    bench.wait(lambda: not bench.snapshot.eq_active[0])
    constraint = show_tab(bench, "Constraint")
    bench.wait(lambda: belt.state.text() == "Does not act: it is off (eq_active).")
    assert not constraint.sections["Rows"].isVisible()

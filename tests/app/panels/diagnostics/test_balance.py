"""The panel that balances the forces at a joint: figures, bars, what a click does, and what it says where the sum is not zero."""
import numpy as np
import pytest
from PyQt6.QtCore import QPoint
from PyQt6.QtTest import QTest

import physics
from app.panels.diagnostics.balance import dofs_of, joints_of
from app.panels.diagnostics.balance_bars import COLOURS, BalanceBars, bars_of
from physics.diagnostics.torque_balance import GROUPS, joint_dofs, torque_balance
from physics.model.elements import element
from physics.runtime import commands
from tests.app.workbench import NONE, Button, Key

MODEL = """<mujoco><compiler angle="radian"/><option integrator="{integrator}"/><worldbody><light pos="0 0 3"/><geom name="floor" type="plane" size="3 3 .1"/>
<body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping=".2" stiffness="1" frictionloss=".1"/><geom type="capsule" size=".04" fromto="0 0 0 .4 0 0"/>
<body name="lower" pos=".4 0 0"><joint name="elbow" axis="0 1 0" range="-.1 .1" actuatorfrcrange="-2 2"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/></body></body>
<body name="box" pos="1 0 .099"><freejoint name="root"/><geom name="cube" type="box" size=".1 .1 .1"/></body></worldbody>
<actuator><motor name="lift" joint="shoulder" gear="3"/><motor name="bend" joint="elbow" gear="10"/><motor name="more" joint="elbow"/></actuator>
<keyframe><key qpos=".1 .12 1 0 .099 1 0 0 0" ctrl="-1 .5 .3"/></keyframe></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path, request):
    integrator = getattr(request, "param", "Euler")
    (tmp_path / "m.xml").write_text(MODEL.format(integrator=integrator))
    bench = workbench(tmp_path / "m.xml", size=(1200, 850))
    bench.runner.send(commands.LoadKey(0))
    bench.wait(lambda: bench.snapshot.qpos[1] == 0.12)
    return bench


@pytest.fixture
def panel(bench):
    return bench.panel("balance")


def joint(bench, panel, name):
    """Select a joint and wait for its balance."""
    m = bench.context.model
    bench.context.select_elements((element(m, "joint", m.id("joint", name)),))
    dofs = joint_dofs(m, m.id("joint", name))
    bench.wait(lambda: panel.balance is not None and panel.balance.dofs == dofs)
    return panel.balance


def test_it_shows_the_parts_of_the_selected_joint(bench, panel):
    """Figures of a script's balance at the same state, in the table and as bars; both sides are equally long."""
    assert "Select a joint" in panel.note.text() and not panel.bars.isVisible()
    found = joint(bench, panel, "elbow")
    m = bench.context.model
    d = physics.Data(m)
    physics.reset(m, d, 0)
    physics.forward(m, d)
    mine = torque_balance(m, d, found.dofs)
    assert {part.name for part in found.parts} == {part.name for part in mine.parts}
    for group in GROUPS:
        assert np.allclose(found.group(group), mine.group(group), rtol=1e-6, atol=1e-9)
        assert (panel.text(group) == "") == (abs(mine.group(group)[0]) < 1e-12)
    assert float(panel.text("actuator bend")) == 5.0 and float(panel.text("cut off by actuatorfrcrange")) == -3.3 and float(panel.text("actuator")) == 2.0
    assert abs(float(panel.text("sum"))) < 1e-9 and panel.note.text() == "" and "limit" in [group for group, _v in panel.bars.bars[0].groups]
    pieces = panel.bars.pieces(0)
    right, left = (sum(place.width() for _g, value, place in pieces if (value > 0) == side) for side in (True, False))
    assert np.isclose(right, left) and right > 0.4 * panel.bars.width()
    assert all((place.left() >= panel.bars.width() / 2 - 0.01) == (value > 0) for _g, value, place in pieces)


def test_it_follows_the_run(bench, panel):
    """Live: figures change while time passes, and the sum stays zero."""
    joint(bench, panel, "shoulder")
    before = panel.balance.time
    bench.runner.send(commands.Run())
    bench.wait(lambda: panel.balance is not None and panel.balance.time > before + 0.2)
    assert panel.balance.error <= 1e-9 and float(panel.text("damper")) != 0.0


@pytest.mark.parametrize("bench", ("RK4",), indirect=True)
def test_runge_kutta_is_computed_anew(bench, panel):
    """What Data holds after such a step belongs to several states: the present one's balance is found on a copy."""
    joint(bench, panel, "shoulder")
    bench.runner.send(commands.Run())
    bench.wait(lambda: panel.balance is not None and panel.balance.recomputed)
    assert panel.balance.error <= 1e-9


def test_a_free_joint_has_six_bars(bench, panel):
    """A click or a key chooses the dof whose parts are listed, a click on a part opens its group."""
    m = bench.context.model
    bench.context.select_elements((element(m, "body", m.id("body", "box")),))
    bench.wait(lambda: panel.balance is not None and len(panel.balance.dofs) == 6)
    assert [bar.name for bar in panel.bars.bars] == ["x", "y", "z", "rotation x", "rotation y", "rotation z"]
    bench.wait(lambda: panel.bars.height() == panel.bars.sizeHint().height())
    height = panel.bars.height() / 6
    QTest.mouseClick(panel.bars, Button.LeftButton, NONE, QPoint(10, int(2.3 * height)))
    assert panel.bars.current == 2 and panel.table.headerItem().text(0) == "Part of root, z" and panel.table.headerItem().text(1) == "N"
    weight = 9.81 * m.body_mass[m.id("body", "box")]
    assert float(panel.text("gravity")) == pytest.approx(-weight, rel=1e-3)
    contact = next(place for group, _v, place in panel.bars.pieces(2) if group == "contact")
    QTest.mouseClick(panel.bars, Button.LeftButton, NONE, contact.center().toPoint())
    item = panel.table.currentItem()
    assert item.text(0) == "contact" and item.isExpanded() and item.childCount() >= 1
    panel.bars.setFocus()
    QTest.keyClick(panel.bars, Key.Key_Down)
    assert panel.bars.current == 3 and panel.table.headerItem().text(1) == "N m"


def test_of_several_joints_the_active_one_is_listed(bench, panel):
    """The last selected joint's parts, below the bars of all."""
    m = bench.context.model
    bench.context.select_elements([element(m, "joint", m.id("joint", name)) for name in ("shoulder", "elbow")])
    bench.wait(lambda: panel.balance is not None and panel.balance.names == ("shoulder", "elbow"))
    assert [bar.name for bar in panel.bars.bars] == ["shoulder", "elbow"] and panel.bars.current == 1
    assert panel.table.headerItem().text(0) == "Part of elbow" and panel.chooser.currentText() == "elbow"


def test_a_click_on_a_part_selects_its_element(bench, panel):
    """The actuator, while the panel stays with its joint."""
    joint(bench, panel, "elbow")
    group = next(panel.table.topLevelItem(i) for i in range(panel.table.topLevelItemCount()) if panel.table.topLevelItem(i).text(0) == "actuator")
    group.setExpanded(True)
    child = next(group.child(i) for i in range(group.childCount()) if group.child(i).text(0) == "actuator more")
    QTest.mouseClick(panel.table.viewport(), Button.LeftButton, NONE, panel.table.visualItemRect(child).center())
    assert bench.context.selection.active.kind == "actuator" and bench.context.selection.active.name == "more"
    assert panel.chooser.currentText() == "elbow" and panel.balance.names == ("elbow",)


def test_the_chooser_selects_a_joint(bench, panel):
    """By a few letters of its name."""
    panel.chooser.setFocus()
    panel.chooser.lineEdit().selectAll()
    QTest.keyClicks(panel.chooser.lineEdit(), "elb")
    bench.wait(lambda: panel.chooser.completer().completionCount() == 1)
    popup = panel.chooser.completer().popup()
    bench.wait(popup.isVisible)
    QTest.keyClick(popup, Key.Key_Down)
    QTest.keyClick(popup, Key.Key_Return)
    bench.wait(lambda: bench.context.selection.active is not None and bench.context.selection.active.name == "elbow")
    bench.wait(lambda: panel.balance is not None and panel.balance.names == ("elbow",))


def test_another_model(bench, panel, tmp_path):
    """It begins anew; a model without joints says so."""
    joint(bench, panel, "elbow")
    (tmp_path / "still.xml").write_text('<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>')
    bench.session.open(tmp_path / "still.xml")
    bench.wait(lambda: bench.context.model.njnt == 0 and "Nothing in this model can move" in panel.note.text())
    assert panel.chooser.count() == 0 and not panel.bars.isVisible() and not panel.table.isVisible()


def test_a_stopped_solver_is_told(bench, panel):
    """No iterations leave a force over: that is a part of its own, and it is said; the sum is zero all the same."""
    joint(bench, panel, "elbow")
    bench.runner.send(commands.SetOption("iterations", 0))
    bench.wait(lambda: "left over when it stopped" in panel.note.text())
    assert panel.balance.left > 1e-6 and abs(float(panel.text("solver"))) > 1e-6 and panel.balance.error < 1e-9
    bench.runner.send(commands.SetOption("iterations", 100))
    bench.wait(lambda: panel.note.text() == "" and panel.text("solver") == "")


def test_bars_with_large_fonts_and_in_little_room(qtbot, bench, panel):
    """Painted without overlap at 320 pixels with large texts; every group has a colour."""
    assert set(COLOURS) == set(GROUPS)
    joint(bench, panel, "elbow")
    bars = BalanceBars()
    qtbot.addWidget(bars)
    bars.show_bars(bars_of(panel.balance))
    font = bars.font()
    font.setPointSizeF(2 * font.pointSizeF())
    bars.setFont(font)
    bars.resize(320, bars.sizeHint().height())
    bars.show()
    assert bars.sizeHint().height() >= 2 * bars.fontMetrics().height()
    picture = bars.grab().toImage()
    colours = {picture.pixelColor(x, picture.height() * 2 // 3).name() for x in range(picture.width())}
    assert COLOURS["actuator"] in colours and COLOURS["gravity"] in colours


def test_of_many_joints_and_parts_the_first_are_listed():
    """Dofs in the order of the joints; a body that is welded to another is moved by that one's joints."""
    m = physics.load_string(MANY)
    bodies = tuple(element(m, "body", b) for b in range(1, m.nbody))
    joints = joints_of(m, bodies)
    assert joints == tuple(range(m.njnt)) and joints_of(m, (element(m, "site", 1),)) == (0,) and joints_of(m, (element(m, "site", 0),)) == ()
    assert dofs_of(m, joints) == tuple(range(m.nv)) == tuple(dof for j in joints for dof in joint_dofs(m, j)) and dofs_of(m, ()) == ()


MANY = """<mujoco><worldbody><site name="still"/><body><freejoint/><geom size=".1"/><body pos="0 0 .3"><geom size=".1"/><site name="carried"/>
<body><joint type="ball"/><geom size=".1"/><body><joint/><joint type="slide"/><geom size=".1"/></body></body></body></body></worldbody></mujoco>"""


def test_a_joint_that_the_model_has_not_any_more_is_not_chosen(bench, panel):
    before = bench.context.selection.elements
    panel._chosen(bench.context.model.njnt)
    assert bench.context.selection.elements == before

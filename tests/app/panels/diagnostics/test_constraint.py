"""The panel on constraints: the list, how each came about, figures beside a script's, what follows the run, and links."""
import numpy as np
import pytest
from PyQt6.QtTest import QTest

import physics
from physics.diagnostics.constraint_parameters import constraint_parameters
from physics.diagnostics.constraint_rows import rows_of
from physics.model.elements import element
from physics.runtime import commands
from tests.app.workbench import NONE, Button

MODEL = """<mujoco><compiler angle="radian"/><worldbody><light pos="0 0 3"/><geom name="floor" type="plane" size="3 3 .1"/><site name="hook" pos="0 0 2"/>
<body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0" range="-.1 .1" frictionloss=".1" solreflimit=".001 1"/><geom type="capsule" size=".04" fromto="0 0 0 .4 0 0"/>
<body name="lower" pos=".4 0 0"><joint name="elbow" axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/><site name="tip" pos=".3 0 0"/></body></body>
<body name="box" pos="1 0 .099"><freejoint name="root"/><geom name="cube" type="box" size=".1 .1 .1"/></body></worldbody>
<tendon><spatial name="rope" range="0 2" frictionloss="0.2"><site site="hook"/><site site="tip"/></spatial></tendon>
<equality><joint name="gear" joint1="elbow" joint2="shoulder" polycoef="0 .5 0 0 0" solref=".05 .7"/><weld name="glue" body1="box" active="false"/></equality>
<keyframe><key qpos=".15 .02 1 0 .099 1 0 0 0"/></keyframe></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    bench = workbench(tmp_path / "m.xml", size=(1200, 900))
    bench.runner.send(commands.LoadKey(0))
    bench.wait(lambda: bench.snapshot.qpos[0] == 0.15)
    return bench


@pytest.fixture
def panel(bench):
    return bench.panel("constraint")


def choose(bench, panel, kind, name):
    """Select an element and wait for the answer about it."""
    m = bench.context.model
    what = element(m, kind, m.id(kind, name))
    bench.context.select_elements((what,))
    bench.wait(lambda: panel.answer is not None and panel.answer.element == what)
    return what


def mine(bench):
    """A Data of a script at the state that the window shows."""
    m = bench.context.model
    d = physics.Data(m)
    physics.reset(m, d, 0)
    physics.forward(m, d)
    return m, d


def test_nothing_selected_lists_what_is_constrained(bench, panel):
    """Elements with rows, contacts counted only; a click selects."""
    bench.wait(lambda: panel.list.topLevelItemCount() == 4)
    texts = {panel.list.topLevelItem(k).text(0): panel.list.topLevelItem(k).text(1) for k in range(4)}
    assert set(texts) == {"equality gear", "joint shoulder: friction", "joint shoulder: limit", "tendon rope: friction"}
    assert "contacts: see the panel Contact" in panel.note.text() and not panel.sections["Rows"].isVisible()
    forces = [float(panel.list.topLevelItem(k).text(2)) for k in range(4)]
    assert forces == sorted(forces, reverse=True)
    line = next(panel.list.topLevelItem(k) for k in range(4) if panel.list.topLevelItem(k).text(0) == "equality gear")
    QTest.mouseClick(panel.list.viewport(), Button.LeftButton, NONE, panel.list.visualItemRect(line).center())
    bench.wait(lambda: panel.answer is not None and panel.answer.element is not None)
    assert bench.context.selection.active.name == "gear" and not panel.list.isVisible()


def test_an_equality(bench, panel):
    """State, figures, parameters with their source, rows."""
    what = choose(bench, panel, "equality", "gear")
    m, d = mine(bench)
    part = constraint_parameters(m, d, what)[0]
    view = panel.forms["equality"]
    assert view.isVisible() and not panel.forms["limit"].isVisible() and "Acts: on, violated by 0.055 rad." == view.state.text()
    assert view.values.text("violation") == "-0.055 rad" and view.values.text("force").endswith(" N m") and float(view.values.text("time constant").split()[0]) == pytest.approx(part.timeconst, rel=1e-3)
    assert float(view.values.text("damping ratio")) == pytest.approx(0.7) and view.values.text("island") == "0"
    tree = view.origin.tree
    rules = {tree.topLevelItem(k).text(0): tree.topLevelItem(k).text(2) for k in range(tree.topLevelItemCount())}
    assert rules == {"active": "default", "solref": "given", "solimp": "default"}
    assert len(panel.rows.rows) == 1 and panel.rows.rows[0].row == rows_of(m, d, what)[0]
    assert float(panel.rows.text(0, "force")) == pytest.approx(d.efc_force[panel.rows.rows[0].row], rel=1e-3)
    assert "elbow" in panel.title.text() and "shoulder" in panel.title.text() and "m.xml:" in panel.title.text()


def test_a_joint_has_limit_and_friction(bench, panel):
    """Both at once; a clamp of refsafe is told."""
    choose(bench, panel, "joint", "shoulder")
    assert panel.forms["limit"].isVisible() and panel.forms["friction loss"].isVisible() and not panel.forms["equality"].isVisible()
    assert "upper limit reached, by 0.05 rad" in panel.forms["limit"].state.text()
    assert "%" in panel.forms["friction loss"].values.text("of frictionloss")
    tree = panel.forms["limit"].origin.tree
    item = next(tree.topLevelItem(k) for k in range(tree.topLevelItemCount()) if tree.topLevelItem(k).text(0) == "solreflimit")
    assert item.text(2) == "given *" and any(item.child(k).text(0) == "refsafe" for k in range(item.childCount()))
    assert {row.part for row in panel.rows.rows} == {"friction loss, rotation", "upper limit"}
    mass = float(panel.forms["limit"].values.text("effective mass").removesuffix(" kg m²"))
    m, d = mine(bench)
    inverse = np.linalg.inv(physics.full_m(m, d))
    assert mass == pytest.approx(1.0 / inverse[0, 0], rel=1e-3)


def test_why_something_does_not_act(bench, panel):
    """Off, without friction, not limited; an equality that is switched on comes live."""
    choose(bench, panel, "equality", "glue")
    assert panel.forms["equality"].state.text() == "Does not act: it is off (eq_active)." and not panel.sections["Rows"].isVisible()
    bench.runner.send(commands.SetEqActive(1, True))
    bench.wait(lambda: panel.forms["equality"].state.text().startswith("Acts: on"))
    assert len(panel.rows.rows) == 6 and panel.sections["Rows"].isVisible()
    bench.wait(lambda: panel.forms["equality"].values.text("effective mass") == "6 × 6")
    force, violation = (panel.forms["equality"].values.text(name) for name in ("force", "violation"))
    assert [part.split(" ", 1)[1] for part in force.split(", ")] == ["N", "N m"] and [part.split(" ", 1)[1] for part in violation.split(", ")] == ["m", "rad"]
    rows = np.array([row.force for row in panel.rows.rows])
    assert float(force.split()[0]) == pytest.approx(np.linalg.norm(rows[:3]), rel=1e-3, abs=1e-9)      # forces and torques are not added
    choose(bench, panel, "joint", "elbow")
    assert panel.forms["limit"].state.text() == "Does not act: it is not limited." and panel.forms["friction loss"].state.text() == "Does not act: frictionloss is 0."


def test_it_follows_the_run_and_draws_forces(bench, panel):
    """At every step, by the element: whether it has rows at that moment or not."""
    choose(bench, panel, "joint", "shoulder")
    assert panel.strip.texts == ('limit(joint("shoulder")).force', 'frictionloss(joint("shoulder")).force') and set(panel.strip.texts) <= set(bench.context.traced.all)
    bench.runner.send(commands.Run())
    bench.wait(lambda: bench.snapshot.time > 0.3)
    bench.runner.send(commands.Pause())
    limit, dry = (panel.strip.series[text] for text in panel.strip.texts)
    bench.wait(lambda: not bench.snapshot.running and len(limit.values) > 140)
    m = bench.context.model
    d, wanted = physics.Data(m), []
    physics.reset(m, d, 0)
    for _ in range(100):
        physics.forward(m, d)
        rows = [d.efc_force[list(rows_of(m, d, panel.element))][d.efc_type[list(rows_of(m, d, panel.element))] == kind].sum() for kind in (3, 1)]
        wanted.append(rows)
        physics.step(m, d)
    for series, column in ((limit, 0), (dry, 1)):
        first = np.searchsorted(series.time, 0.0)
        assert np.array_equal(series.values[first:first + 100, 0], np.array(wanted)[:, column])
    assert np.array(wanted)[0, 0] > 0 and (np.array(wanted)[:, 0] == 0).any()      # it leaves its limit
    assert [curve.unit for curve in panel.strip.chart.curves] == ["N m", "N m"]
    choose(bench, panel, "equality", "glue")
    assert [curve.unit for curve in panel.strip.chart.curves] == ["N"] * 3 + ["N m"] * 3 and panel.sections["Force over time"].isVisible()
    choose(bench, panel, "joint", "elbow")
    assert panel.strip.texts == () and not panel.sections["Force over time"].isVisible()


def test_keep_stays_with_the_element(bench, panel, tmp_path):
    """Whatever is selected, also in the next version of the model."""
    what = choose(bench, panel, "tendon", "rope")
    QTest.mouseClick(panel.keep, Button.LeftButton)
    bench.context.select_elements((element(bench.context.model, "joint", 0),))
    assert panel.element == what and panel.keep.isChecked()
    QTest.mouseClick(panel.keep, Button.LeftButton)
    bench.wait(lambda: panel.answer is not None and panel.answer.element.kind == "joint")


def test_links_lead_to_the_elements_and_back_to_the_list(bench, panel):
    """As a click on them does."""
    choose(bench, panel, "equality", "gear")
    panel.title.linkActivated.emit("joint:1")
    bench.wait(lambda: panel.answer is not None and panel.answer.element.name == "elbow")
    panel.title.linkActivated.emit("all:")
    bench.wait(lambda: panel.answer is not None and panel.answer.element is None)
    assert bench.context.selection.active is None and panel.list.isVisible()


def test_a_contact_points_to_its_own_panel(bench, panel):
    """And another model begins with its own list."""
    from physics.model.elements import contact_element
    bench.context.select_elements((contact_element(bench.context.model, bench.snapshot, 0),))
    bench.wait(lambda: "shown in the panel Contact" in panel.note.text())


def test_another_model(bench, panel, tmp_path):
    """Nothing is left of the one before."""
    choose(bench, panel, "equality", "gear")
    (tmp_path / "still.xml").write_text('<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>')
    bench.session.open(tmp_path / "still.xml")
    bench.wait(lambda: bench.context.model.neq == 0 and "Nothing but contacts is constrained now" in panel.note.text())
    assert panel.element is None and not panel.title.isVisible() and not panel.list.isVisible()

"""The pipeline panel: the stages of the present step, their texts and fields, the matrices, and what is drawn on the model."""
import threading

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QSize
from PyQt6.QtGui import QColor, QPalette
from PyQt6.QtTest import QTest

import physics
from app.bridge.ghost import Ghost
from app.panels.diagnostics.live_query import COMPILING, VIEW_ONLY
from app.panels.pipeline import matrix_view, walk_query
from app.panels.pipeline.drawing import _contact_forces, body_accelerations
from app.panels.pipeline.matrix_view import MatrixView, constraint_jacobian, mass_factor, mass_matrix
from app.panels.pipeline.rows import namer, rows_of
from app.panels.pipeline.stage_text import text_of
from app.panels.pipeline.walk import OWNER
from assets.locate import bundled_model
from physics.engine.step_order import STAGES
from physics.model.elements import element
from physics.pipeline.target import target_of
from physics.runtime import commands
from tests.app.workbench import Button, Key


@pytest.fixture
def bench(workbench):
    return workbench(bundled_model("humanoid.xml"), size=(1200, 900))


def walks(bench, panel) -> bool:
    """Whether the panel shows the step from the present state."""
    return panel.walk is not None and panel.walk.time == bench.snapshot.time and panel._number_seen == bench.snapshot.number


def opened(bench, steps: int = 0):
    """The panel with the walk of a state some steps on."""
    if steps:
        bench.runner.send(commands.Step(steps))
        bench.wait(lambda: bench.snapshot.history_index == steps and not bench.snapshot.running)
    panel = bench.panel("pipeline")
    bench.wait(lambda: walks(bench, panel))
    return panel


def test_stages_are_gone_through_by_buttons_and_keys_and_the_list(bench):
    panel = opened(bench, 3)
    assert panel.number == 0 and "t = 0.012" in panel.note.text() and panel.list.item(0, 0).text() == "\u25b6 kinematics" and float(panel.list.item(18, 2).text()) > 0
    QTest.mouseClick(panel.next, Button.LeftButton)
    assert panel.number == 1 and "cdof" in panel.text.toPlainText()
    panel.list.setFocus()
    bench.wait(panel.list.hasFocus)
    for _ in range(2):
        QTest.keyClick(panel.list, Key.Key_Period)
    assert panel.number == 3 and panel.list.currentRow() == 3
    QTest.keyClick(panel.list, Key.Key_Comma)
    assert panel.number == 2
    panel.list.scrollToItem(panel.list.item(18, 0))
    at = panel.list.visualItemRect(panel.list.item(18, 0)).center()
    QTest.mouseClick(panel.list.viewport(), Button.LeftButton, pos=at)
    assert panel.number == 18 and "qfrc_constraint" in panel.text.toPlainText() and "Primal problem" in panel.text.toPlainText()


def test_stages_that_the_step_does_not_take_are_passed_over(workbench):
    bench = workbench(bundled_model("slope.xml"))
    panel = opened(bench)
    taken = [stage.number for stage in panel.walk if stage.ran]
    assert len(taken) < len(STAGES)
    for number in taken[1:]:
        panel.go_on()
        assert panel.number == number
    panel.go_on()
    assert panel.number == taken[-1]
    for number in reversed(taken[:-1]):
        panel.go_back()
        assert panel.number == number


def test_numbers_are_those_of_what_is_selected_and_fields_tell_what_changed(bench):
    panel = opened(bench, 40)
    m = bench.context.model
    shin = m.id("body", "shin_left")
    bench.context.select_body(shin)
    assert "xpos" in panel.text.toPlainText() and "body shin_left" in panel.text.toPlainText()
    row = panel.fields.value_of("xpos", "shin_left")
    assert row.split() == [f"{x:.5g}" for x in panel.walk.after(0).xpos[shin]]
    before = panel.fields.value_of("xpos", "shin_left", 2)
    assert before.split() == [f"{x:.5g}" for x in bench.snapshot.xpos[shin]]      # as the last step left it
    assert before != row and "changed" in panel.fields.value_of("xpos")
    # what stood there is what the state before has, found again from the history
    bench.runner.send(commands.StepBack(1))
    bench.wait(lambda: bench.snapshot.history_index == 39 and walks(bench, panel))
    assert panel.fields.value_of("xpos", "shin_left") == before
    assert panel.fields.value_of("qpos") and panel.fields.value_of("nonsense") == ""


def test_the_panel_waits_for_a_pause_and_forgets_what_it_drew(bench):
    panel = opened(bench, 20)
    assert OWNER in bench.context.markers._frames and panel.pause.isHidden()
    bench.runner.send(commands.Run())
    bench.wait(lambda: bench.snapshot.running and panel.walk is None)
    assert OWNER not in bench.context.markers._frames and not panel.pause.isHidden() and "Pause" in panel.note.text() and not panel.parts.isEnabled()
    QTest.mouseClick(panel.pause, Button.LeftButton)
    bench.wait(lambda: not bench.snapshot.running and panel.walk is not None)
    assert panel.take.isVisible() and OWNER in bench.context.markers._frames
    bench.panel("inspector")
    bench.wait(lambda: OWNER not in bench.context.markers._frames and panel.walk is None)       # behind another tab
    bench.panel("pipeline")
    bench.wait(lambda: walks(bench, panel) and OWNER in bench.context.markers._frames)
    bench.actions["pipeline"].trigger()
    bench.wait(lambda: not panel.isVisible() and OWNER not in bench.context.markers._frames and panel.walk is None)


def test_taking_the_step_moves_the_run_on(bench):
    panel = opened(bench, 5)
    panel.show_stage(10)
    time, expected = bench.snapshot.time, panel.walk.after(20).qpos
    QTest.mouseClick(panel.take, Button.LeftButton)
    bench.wait(lambda: panel.walk is not None and panel.walk.time > time)
    assert panel.number == 0 and bench.snapshot.history_index == 6
    assert np.array_equal(bench.snapshot.qpos, expected)


def test_the_last_stage_shows_the_next_pose_beside_the_ghosts_of_others(bench):
    panel = opened(bench, 30)
    m, snapshot = bench.context.model, bench.snapshot
    bench.context.show_ghosts("others", (Ghost(m, snapshot.geom_xpos, snapshot.geom_xmat),))
    panel.show_stage(20)
    assert [ghost.label for ghost in bench.context.ghosts] == ["", "next step"]
    assert np.allclose(bench.context.ghosts[1].geom_xpos, panel.walk.next_pose["geom_xpos"], atol=1e-6)
    panel.go_back()
    assert [ghost.label for ghost in bench.context.ghosts] == [""]
    bench.context.show_ghosts("others", ())
    assert bench.context.ghosts == ()


def test_every_stage_is_drawn_with_every_kind_of_thing_selected(bench):
    panel = opened(bench, 120)
    m = bench.context.model
    counts = {}
    for kind, name in (("body", "chest"), ("joint", "knee_left"), ("actuator", m.names["actuator"][0]), ("geom", m.names["geom"][0])):
        bench.context.select_elements((element(m, kind, m.id(kind, name)),))
        for number in range(len(STAGES)):
            panel.show_stage(number)
            counts[number] = max(counts.get(number, 0), bench.context.markers._frames[OWNER].elements)
            bench.context.markers.now()
    assert all(counts[number] for number in (0, 1, 3, 4, 5, 6, 7, 10, 11, 12, 13, 17, 18, 20)), counts


def test_a_click_into_a_matrix_selects_the_joint_or_the_contact(bench):
    panel = opened(bench, 160)
    m = bench.context.model
    panel.show_stage(3)
    panel.tabs.setCurrentIndex(1)
    bench.wait(lambda: panel.matrix.isVisible() and panel.matrix.matrix is not None)
    dof = int(m.jnt_dofadr[m.id("joint", "knee_left")])
    QTest.mouseClick(panel.matrix, Button.LeftButton, pos=panel.matrix.centre_of(dof, dof))
    assert bench.context.selection.active.name == "knee_left" and panel.target().dof == dof
    assert panel.matrix.text_at(panel.matrix.centre_of(dof, 0)).startswith("M[knee_left, root[0]] = ")
    assert panel.matrix.text_at(QPoint(panel.matrix.width() - 1, panel.matrix.height() - 1)) == ""
    panel.show_stage(6)
    after = panel.walk.after(6)
    assert after.nefc > 8 and panel.matrix.matrix.shape == (after.nefc, m.nv)
    row = int(after.contact_efc_address[after.ncon - 1]) + 1
    QTest.mouseClick(panel.matrix, Button.LeftButton, pos=panel.matrix.centre_of(row, 0))
    assert panel.target().row == row and bench.context.selection.active.kind == "contact" and f"Row {row}" in panel.text.toPlainText()
    panel.show_stage(0)
    assert not panel.tabs.isTabVisible(1)
    bench.context.select_nothing()
    panel.show_stage(6)
    assert panel.target().row != row


def test_a_walk_is_taken_in_a_thread_of_its_own(bench, monkeypatch):
    found = []

    def noted(m, d, before):
        found.append((threading.current_thread().name, m, before))
        return physics.walk(m, d, before)

    monkeypatch.setattr(walk_query, "walk", noted)
    panel = opened(bench, 5)
    name, m, before = found[-1]
    assert name == "walk through a step" and m is not bench.context.model and before.time == panel.walk.time > 0
    assert panel.walk.model is bench.context.model
    # with the values that the run has
    bench.runner.send(commands.SetOption("timestep", 0.001))
    bench.wait(lambda: panel.walk is not None and panel.walk.after(20).time == pytest.approx(bench.snapshot.time + 0.001))
    copied = []
    bench.runner.send(commands.Visit(lambda m, d: copied.append(d.copy())))
    bench.wait(lambda: copied)
    assert np.array_equal(physics.walk(bench.context.model, copied[0]).after(20).qvel, panel.walk.after(20).qvel)


def test_a_walk_that_nobody_waits_for_is_dropped(bench, monkeypatch):
    panel = opened(bench, 3)
    walked = []
    panel.query.walked.connect(walked.append)
    panel.query.ask()
    panel.query.give_up()
    bench.qtbot.wait(400)
    assert not walked
    panel.query.ask()
    bench.wait(lambda: walked)


def test_why_there_is_no_walk_stays_said(bench, monkeypatch):
    monkeypatch.setattr(walk_query, "walk", lambda *_arguments: 1 / 0)
    panel = bench.panel("pipeline")
    bench.wait(lambda: panel.note.text() == "ZeroDivisionError: division by zero")
    for _ in range(3):
        bench.context.tell_snapshot()
    bench.qtbot.wait(300)
    assert panel.note.text() == "ZeroDivisionError: division by zero" and panel.walk is None
    monkeypatch.undo()
    bench.runner.send(commands.Step(1))
    bench.wait(lambda: walks(bench, panel) and panel.note.text().startswith("t = "))


def test_view_only_models_and_kernels_that_are_still_compiled_are_told_of(bench, monkeypatch):
    panel = opened(bench, 2)
    monkeypatch.setattr(walk_query.warm_up, "covers", lambda m: False)
    monkeypatch.setattr(walk_query, "RETRY_MS", 50)
    bench.runner.send(commands.Step(1))
    bench.wait(lambda: panel.note.text() == COMPILING and panel.walk is None)
    monkeypatch.undo()
    bench.wait(lambda: walks(bench, panel))      # by itself, when they are there
    monkeypatch.setattr(bench.context.model, "view_only", True)
    bench.context.tell_snapshot()
    panel._forget()
    bench.context.tell_snapshot()
    bench.wait(lambda: panel.note.text() == VIEW_ONLY)


def test_fields_that_were_opened_stay_open(bench):
    panel = opened(bench, 40)
    view = panel.fields
    panel.show_stage(11)
    def item(field):
        return next(view.topLevelItem(0).child(k) for k in range(view.topLevelItem(0).childCount()) if view.topLevelItem(0).child(k).text(0) == field)

    def press(at):
        view.scrollToItem(at)
        rect = view.visualItemRect(at)
        QTest.mouseClick(view.viewport(), Button.LeftButton, pos=QPoint(rect.left() - view.indentation() // 2, rect.center().y()))

    assert item("qfrc_passive").isExpanded() and not item("qfrc_damper").isExpanded()
    press(item("qfrc_passive"))
    press(item("qfrc_damper"))
    assert not item("qfrc_passive").isExpanded() and item("qfrc_damper").isExpanded()
    knee = next(item("qfrc_damper").child(k) for k in range(item("qfrc_damper").childCount()) if item("qfrc_damper").child(k).text(0) == "knee_left")
    view.scrollToItem(knee)
    QTest.mouseClick(view.viewport(), Button.LeftButton, pos=view.visualItemRect(knee).center())
    view.scrollToBottom()
    scrolled, shown = view.verticalScrollBar().value(), panel.walk
    assert scrolled > 0
    bench.runner.send(commands.Step(1))
    bench.wait(lambda: panel.walk is not shown and walks(bench, panel))
    assert not item("qfrc_passive").isExpanded() and item("qfrc_damper").isExpanded() and view.verticalScrollBar().value() == scrolled
    assert view.currentItem().text(0) == "knee_left" and view.value_of("qfrc_damper", "knee_left")
    panel.show_stage(12)
    panel.show_stage(11)
    assert not item("qfrc_passive").isExpanded() and item("qfrc_damper").isExpanded()


def test_no_picture_of_a_matrix_is_made_while_its_tab_is_not_in_front(bench, monkeypatch):
    made = []
    monkeypatch.setattr(matrix_view, "picture", lambda matrix, real=matrix_view.picture: made.append(matrix) or real(matrix))
    panel = opened(bench, 10)
    panel.show_stage(3)
    assert panel.tabs.currentIndex() == 0 and panel.tabs.tabText(1).startswith("M (")
    bench.qtbot.wait(100)
    assert not made
    bar = panel.tabs.tabBar()
    QTest.mouseClick(bar, Button.LeftButton, pos=bar.tabRect(1).center())
    bench.wait(lambda: made)
    panel.matrix.repaint()
    assert len(made) == 1


def test_what_is_selected_of_a_model_that_has_just_come_is_not_looked_for_in_the_walk(bench, monkeypatch):
    """The selection is told before the Model."""
    panel = opened(bench)
    assert panel._chosen is bench.context.selection.active
    other = physics.load(bundled_model("heap.xml"))
    assert other.ngeom > panel.walk.model.ngeom
    monkeypatch.setattr(bench.context, "model", other)
    bench.context.select_elements((element(other, "geom", other.ngeom - 1),))
    assert panel._chosen is None and panel.target() == target_of(panel.walk.model, panel.walk.after(panel.number), None)


def test_another_model_is_walked(bench):
    opened(bench, 3)
    panel = bench.docks.panels["pipeline"]
    bench.session.open(bundled_model("arm.xml"))
    bench.wait(lambda: bench.context.model.nv != panel.list.rowCount() and panel.walk is not None and panel.walk.model is bench.context.model)


def test_a_narrow_panel_and_large_texts_cut_nothing_off(bench, enlarge):
    panel = opened(bench, 3)
    assert panel.minimumSizeHint().width() <= 320
    enlarge(bench, panel.list)
    panel.resize(QSize(320, 700))
    assert panel.minimumSizeHint().width() <= 420 and panel.list.rowHeight(0) >= panel.list.fontMetrics().height()


# ---------------------------------------------------------------------- parts


@pytest.fixture(scope="module")
def walked():
    physics.ensure_kernels()
    m = physics.load(bundled_model("humanoid.xml"))
    d = physics.Data(m)
    for _ in range(200):
        physics.step(m, d)
    physics.forward(m, d)
    return m, d, physics.walk(m, d)


def dense(matrix):
    whole = np.zeros(matrix.shape)
    whole[matrix.rows, matrix.columns] = matrix.values
    return whole


def test_matrices_are_those_of_the_step(walked):
    m, d, walk = walked
    full = physics.full_m(m, d)
    assert np.allclose(dense(mass_matrix(m, walk.after(3))), full) and mass_matrix(m, walk.after(3)).filled < 1
    lower = dense(mass_factor(m, walk.after(4)))
    unit, diagonal = np.tril(lower, -1) + np.eye(m.nv), np.diag(np.diag(lower))
    assert np.allclose(unit.T @ diagonal @ unit, full)
    rows = dense(constraint_jacobian(m, walk.after(6)))
    assert np.allclose(rows @ d.qvel, d.efc_vel[:d.nefc]) and len(rows) == d.nefc > 0


def test_a_picture_shows_size_by_strength_and_sign_by_colour():
    values = np.array([1.0, -1.0, 1e-3, 0.0])
    matrix = matrix_view.SparseMatrix("A", (2, 3), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 2]), values, np.array([0]))
    image = matrix_view.picture(matrix)
    pixel = lambda i, j: image.pixelColor(j, i)     # noqa: E731
    assert pixel(0, 0).red() > pixel(0, 0).blue() and pixel(0, 1).blue() > pixel(0, 1).red() and pixel(0, 0).alpha() == 255
    assert 0 < pixel(1, 2).alpha() < pixel(1, 0).alpha() < 255 and pixel(1, 1).alpha() == 0
    large = matrix_view.SparseMatrix("A", (5000, 4000), np.array([0, 4999]), np.array([0, 3999]), np.array([1.0, -2.0]), np.array([0]))
    image = matrix_view.picture(large)
    assert image.width() == image.height() == matrix_view.MOST and image.pixelColor(image.width() - 1, image.height() - 1).blue() > 150
    assert matrix.at(1, 0) == 1e-3 and matrix.at(1, 1) is None
    assert matrix_view.picture(matrix_view.SparseMatrix("J", (0, 3), *[np.zeros(0, int)] * 2, np.zeros(0), np.zeros(0, int))) is None


def test_a_matrix_view_paints_without_entries(qtbot):
    view = MatrixView()
    qtbot.addWidget(view)
    view.resize(100, 80)
    view.show()
    view.grab()
    view.show_matrix(matrix_view.SparseMatrix("J", (0, 3), *[np.zeros(0, int)] * 2, np.zeros(0), np.zeros(0, int)), str, str, (-1, -1))
    view.grab()
    assert view.cell_at(QPoint(1, 1)) is None and view.text_at(QPoint(1, 1)) == ""
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Base, QColor("black"))
    view.setPalette(palette)
    matrix = matrix_view.SparseMatrix("A", (2, 2), np.array([0, 1]), np.array([0, 1]), np.array([1.0, 2.0]), np.array([0, 1]))
    view.show_matrix(matrix, str, str, (1, 1))
    assert view.cell_at(view.centre_of(1, 0)) == (1, 0) and view.grab().toImage().pixelColor(view.centre_of(0, 0)).red() > 100


def test_rows_have_names_and_those_of_the_selection_are_found(walked):
    m, _d, walk = walked
    v = walk.after(20)
    knee = m.id("joint", "knee_left")
    target = target_of(m, v, element(m, "joint", knee))
    dof = int(m.jnt_dofadr[knee])
    assert namer(m, v, "qvel")(dof) == "knee_left" and namer(m, v, "qpos")(6) == "root[6]" and namer(m, v, "xpos")(1) == m.names["body"][1]
    assert namer(m, v, "M")(0) == "[root[0], root[0]]" and "contact" in namer(m, v, "efc_force")(v.nefc - 1)
    assert rows_of(m, v, "qvel", target).tolist() == [dof] and rows_of(m, v, "qpos", target).tolist() == [int(m.jnt_qposadr[knee])]
    assert rows_of(m, v, "xpos", target).tolist() == [int(m.jnt_bodyid[knee])]
    entries = rows_of(m, v, "M", target)
    assert int(m.M_colind[entries[-1]]) == dof and len(entries) == m.M_rownnz[dof]
    for name in walk["solve"].writes:
        rows_of(m, v, name, target)
        if walk["solve"].writes[name].ndim:
            assert namer(m, v, name)(0)


def test_arrows_of_accelerations_are_the_jacobian_times_them(walked):
    m, d, walk = walked
    bodies = np.arange(1, m.nbody)
    found = body_accelerations(m, walk.after(18), bodies, walk.after(18).qacc)
    wanted = [physics.jac_body_com(m, d, int(b))[0] @ walk.after(18).qacc for b in bodies]
    assert np.allclose(found, wanted)


def test_contact_forces_are_those_of_the_engine(walked):
    m, d, walk = walked
    found = _contact_forces(walk.after(18))
    for k in range(d.ncon):
        wanted = physics.contact_force(m, d, k)[:3] @ d.contact_frame[k].reshape(3, 3)
        assert np.allclose(found[k], wanted)
    assert np.abs(found).max() > 1


def test_the_text_links_to_the_documentation_and_to_the_solver():
    text = text_of(18, (), "")
    assert "panel:solver" in text and "https://mujoco.readthedocs.io" in text and "soprimal" in text and "docs/step.md" in text
    assert "panel:" not in text_of(3, (), "")

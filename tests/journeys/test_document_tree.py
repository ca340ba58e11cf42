"""Models built and changed in the document's tree, without typing XML, by clicks, keys and drags; the official compiler takes what comes of it."""
import shutil

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QDialogButtonBox, QMessageBox

import physics
from editor.edits.patch import Edit, Patch
from editor.structure.extract import extract_include
from physics.model.elements import element as model_element
from tests.app.workbench import CTRL, Button, Key
from tests.journeys.hands import click, click_view, geom_at, strike
from tests.journeys.tree_hands import add, drag_onto, drop_file, element, menu_on, opened, panel_of, pick, row, select
from tests.oracle.corpus import corpus_file

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def build(workbench, tmp_path):
    """build(text): the window on a file with a text, the tree open."""
    def make(text: str = "<mujoco/>\n", size=(1300, 900)):
        path = tmp_path / "built.xml"
        path.write_text(text)
        bench = workbench(path, size=size)
        panel_of(bench)
        return bench
    return make


def text_of(bench) -> str:
    return bench.session.document.main.text


def running(bench, condition):
    """Wait until a Model runs of which something holds."""
    bench.wait(lambda: bench.context.model is not None and condition(bench.context.model))


def take_back(bench, text: str) -> None:
    """Ctrl+Z in the tree until the text is as it was."""
    for _ in range(40):
        if text_of(bench) == text:
            return
        bench.press_key(Key.Key_Z, modifiers=CTRL, widget=panel_of(bench).tree)
    assert text_of(bench) == text


def test_a_two_link_arm_with_actuators(build):
    bench = build()
    add(bench, "Body with joint and geom", "Hinge and capsule")
    running(bench, lambda m: m.nv == 1)
    select(bench, element(bench, "body"))
    add(bench, "Body with joint and geom", "Hinge and capsule")
    running(bench, lambda m: m.nv == 2)
    for k in range(2):
        select(bench, element(bench, "joint", k=k))
        pick(bench, menu_on(bench, element(bench, "joint", k=k)), "Add", "Actuator", "position")
        running(bench, lambda m, k=k: m.nu == k + 1)
    select(bench, element(bench, "joint", k=1))
    add(bench, "Sensor", "jointpos")
    running(bench, lambda m: m.nsensor == 1)
    select(bench, element(bench, "geom", k=1))
    add(bench, "In body body_1", "site", "sphere")
    running(bench, lambda m: m.nsite == 1)
    mujoco = pytest.importorskip("mujoco")
    official, ours = mujoco.MjModel.from_xml_string(text_of(bench)), bench.context.model
    assert (official.nq, official.nu, official.nsensor, official.nsite) == (2, 2, 1, 1)
    assert np.allclose(official.actuator_gainprm, ours.actuator_gainprm) and np.allclose(official.body_pos, ours.body_pos)
    kp, inertia = official.actuator_gainprm[:, 0], official.dof_M0
    assert 20 < kp[0] / inertia[0] < 200 and 50 < kp[1] / inertia[1] < 200
    assert list(official.body_pos[2]) == [0, 0, -0.2]      # at the end of the first link
    take_back(bench, "<mujoco/>\n")


ROBOT = """<mujoco>
  <default><default class="arm"><geom rgba="1 0 0 1"/></default></default>
  <worldbody>
    <body name="base" pos="0 0 1" euler="0 0 90" childclass="arm">
      <geom name="g" size=".1"/>
      <body name="arm" pos=".3 0 0"><joint name="j" axis="0 1 0"/><geom name="a" size=".05"/></body>
    </body>
    <body name="table" pos="1 0 0" euler="0 45 0"><geom name="t" type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <actuator><motor name="m" joint="j"/></actuator>
  <keyframe><key name="k" qpos=".4" ctrl="1"/></keyframe>
</mujoco>
"""


def test_drags_keep_the_place_in_the_world_and_ask_once(build):
    bench = build(ROBOT)
    before = bench.snapshot.xpos[bench.context.model.id("body", "arm")].copy()
    qpos0 = bench.context.model.qpos0.copy()
    assert not drag_onto(bench, element(bench, "joint"), element(bench, "worldbody"))     # a joint needs a body
    assert not drag_onto(bench, element(bench, "body", "base"), element(bench, "body", "arm"))
    assert drag_onto(bench, element(bench, "body", "arm"), element(bench, "body", "table"))
    bench.wait(lambda: isinstance(QApplication.activeModalWidget(), QMessageBox))
    box = QApplication.activeModalWidget()
    click(next(button for button in box.buttons() if button.text() == "Name its class"))
    running(bench, lambda m: m.body_parentid[m.id("body", "arm")] == m.id("body", "table"))
    assert 'childclass="arm"' in text_of(bench).partition('name="table"')[2] and element(bench, "body", "arm").id in bench.application.document_selection.ids
    m = bench.context.model
    d = physics.Data(m)
    d.qpos[:] = m.qpos0
    physics.forward(m, d)
    assert np.allclose(d.xpos[m.id("body", "arm")], before, atol=1e-12) and np.array_equal(m.qpos0, qpos0)
    take_back(bench, ROBOT)


def test_rows_are_put_in_order_by_drag_and_keys(build):
    bench = build(ROBOT)
    assert drag_onto(bench, element(bench, "body", "table"), element(bench, "body", "base"), "above")
    bench.wait(lambda: text_of(bench).index('"table"') < text_of(bench).index('"base"'))
    select(bench, element(bench, "body", "table"))
    panel_of(bench).tree.setFocus()
    bench.press_key(Key.Key_Down, modifiers=ALT, widget=panel_of(bench).tree)
    assert text_of(bench) == ROBOT


def test_deleting_lists_who_needs_it_and_keyframes_follow(build):
    bench = build(ROBOT)
    select(bench, element(bench, "body", "arm"))
    bench.press_key(Key.Key_Delete, widget=panel_of(bench).tree)
    bench.wait(lambda: isinstance(QApplication.activeModalWidget(), QMessageBox))
    box = QApplication.activeModalWidget()
    assert "motor 'm'" in box.text()
    click(next(button for button in box.buttons() if button.text() == "Delete them too"))
    running(bench, lambda m: m.nq == 0 and m.nu == 0)
    assert bench.context.model.nkey == 1 and not bench.session.issues
    take_back(bench, ROBOT)


def test_duplicates_names_and_search(build):
    bench = build(ROBOT)
    select(bench, element(bench, "body", "arm"))
    bench.press_key(Key.Key_D, modifiers=CTRL, widget=panel_of(bench).tree)
    running(bench, lambda m: "arm_1" in m.names["body"])
    panel = panel_of(bench)
    bench.press_key(Key.Key_F2, widget=panel.tree)
    bench.wait(lambda: QApplication.focusWidget() is not None and QApplication.focusWidget().inherits("QLineEdit"))
    editor = QApplication.focusWidget()
    editor.selectAll()
    QTest.keyClicks(editor, "limb")
    QTest.keyClick(editor, Key.Key_Return)
    running(bench, lambda m: "limb" in m.names["body"])
    panel = panel_of(bench)
    panel.search.setFocus()
    QTest.keyClicks(panel.search, "class:arm")
    bench.wait(lambda: panel.model.outline.matches is not None and len(panel.model.outline.matches) == 2)
    strike(Key.Key_Escape)
    bench.wait(lambda: panel.model.outline.matches is None)
    row(bench, element(bench, "body", "limb").id)


def test_into_a_new_file_and_back(build, tmp_path):
    bench = build(ROBOT)
    operations, version = bench.application.structure, bench.session.document.version()
    table = element(bench, "body", "table")
    key = str(tmp_path / "table.xml")
    assert operations.perform(lambda version: extract_include(version, [table.id], key))
    bench.wait(lambda: key in bench.session.document.files() and not bench.session.issues and '"table.xml"' in text_of(bench))
    running(bench, lambda m: m.places["geom"][m.id("geom", "t")].file == key)
    assert bench.session.document.files()[key].codec == bench.session.document.main.codec and bench.session.document.files()[key].modified
    panel = panel_of(bench)
    assert any(node.title == "table.xml" for node in panel.model.outline.node(element(bench, "worldbody").id).children)
    assert bench.session.undo()
    running(bench, lambda m: m.places["geom"][m.id("geom", "t")].file != key)
    assert text_of(bench) == ROBOT == version.texts[bench.session.document.main_key]


def test_the_menu_in_the_view_changes_the_text(build):
    bench = build(ROBOT)
    at = geom_at(bench, "t")
    click_view(bench, at, button=Button.RightButton)
    menu = opened(bench)
    pick(bench, menu, "In the text", "Duplicate")
    running(bench, lambda m: m.ngeom == 4)
    take_back(bench, ROBOT)


def test_selection_goes_both_ways_and_problems_are_marked(build):
    bench = build(ROBOT)
    m = bench.context.model
    bench.context.select_elements((model_element(m, "geom", m.id("geom", "a")),))
    panel = panel_of(bench)
    bench.wait(lambda: panel.model.number(panel.tree.currentIndex()) == element(bench, "geom", "a").id)
    select(bench, element(bench, "body", "table"))
    assert [what.name for what in bench.context.selection.elements] == ["table"]
    at = text_of(bench).index("motor")
    bench.session.edit(Edit("break", (Patch(bench.session.document.main_key, at, at + 5, "motr"),)))
    bench.wait(lambda: any(panel.model.outline.version.element(number).tag in ("motr", "actuator") for number in panel.model.problems))
    bench.session.undo()
    bench.wait(lambda: not bench.session.issues and not panel.model.problems)
    end = text_of(bench).index("</body>")
    bench.session.edit(Edit("break", (Patch(bench.session.document.main_key, end, end + 7, ""),)))
    bench.wait(lambda: "as it was before" in panel.note.text() and bench.session.issues)
    bench.wait(lambda: panel.model.problems)
    assert panel.model.outline.version.root is not None
    bench.session.undo()
    panel_of(bench)
    bench.wait(lambda: not panel.note.text())


def test_a_robot_with_a_gripper_and_a_camera(workbench, tmp_path):
    arm = tmp_path / "arm"
    shutil.copytree(corpus_file("menagerie_kuka_iiwa_14/scene.xml").parent, arm)
    shutil.copytree(corpus_file("menagerie_robotiq_2f85/2f85.xml").parent, tmp_path / "grip")
    bench = workbench(arm / "iiwa14.xml", size=(1300, 900))
    panel_of(bench)
    before, njnt = text_of(bench), bench.context.model.njnt
    select(bench, element(bench, "site", "attachment_site"))
    hand = element(bench, "body", "link7")
    assert drop_file(bench, tmp_path / "grip" / "2f85.xml", hand)
    bench.wait(lambda: QApplication.activeModalWidget() is not None)
    dialog = QApplication.activeModalWidget()
    click(dialog.buttons.button(QDialogButtonBox.StandardButton.Ok))
    running(bench, lambda m: m.njnt > njnt)
    select(bench, element(bench, "body", "link7"))
    add(bench, "camera")
    running(bench, lambda m: "camera" in m.names["camera"])
    assert not any(issue.severity == "error" for issue in bench.session.issues)
    mujoco = pytest.importorskip("mujoco")
    (arm / "check.xml").write_text(text_of(bench))
    official = mujoco.MjModel.from_xml_path(str(arm / "check.xml"))
    assert (official.njnt, official.nu, official.ncam, official.nkey) == (bench.context.model.njnt, bench.context.model.nu, bench.context.model.ncam, bench.context.model.nkey)
    take_back(bench, before)


def test_a_two_wheeled_robot(build):
    bench = build()
    add(bench, "Body with joint and geom", "Free box")
    running(bench, lambda m: m.nq == 7)
    select(bench, element(bench, "body"))
    add(bench, "Body with joint and geom", "Hinge and cylinder")
    running(bench, lambda m: m.njnt == 2)
    wheel = element(bench, "body", k=1)
    select(bench, wheel)
    pick(bench, menu_on(bench, wheel), "Mirror", "Copy across the xz plane of its parent")
    running(bench, lambda m: m.njnt == 3)
    for k in range(2):
        select(bench, element(bench, "joint", k=k))
        add(bench, "Actuator", "velocity")
        running(bench, lambda m, k=k: m.nu == k + 1)
    select(bench, element(bench, "worldbody"))
    add(bench, "geom", "plane")
    running(bench, lambda m: m.ngeom == 4)
    select(bench, element(bench, "body"))
    add(bench, "site", "sphere")
    running(bench, lambda m: m.nsite == 1)
    select(bench, element(bench, "site"))
    add(bench, "Sensor", "gyro")
    running(bench, lambda m: m.nsensor == 1)
    mujoco = pytest.importorskip("mujoco")
    official = mujoco.MjModel.from_xml_string(text_of(bench))
    assert (official.nv, official.nu, official.nsensor) == (8, 2, 1)
    d = mujoco.MjData(official)
    d.ctrl[:] = 5
    while d.time < 1.0:
        mujoco.mj_step(official, d)
    assert np.isfinite(d.qpos).all() and d.ncon >= 2 and abs(d.qpos[0]) > 0.05       # it stands on its wheels, and rolls
    take_back(bench, "<mujoco/>\n")


def test_a_four_bar_linkage(build):
    bench = build()
    for k in range(3):
        if k:
            select(bench, element(bench, "body", k=k - 1))
        add(bench, "Body with joint and geom", "Hinge and capsule")
        running(bench, lambda m, k=k: m.nv == k + 1)
    last = element(bench, "body", k=2)
    select(bench, last)
    pick(bench, menu_on(bench, last), "Add", "Equality", "Connect between the two selected bodies, or one and the world")
    running(bench, lambda m: m.neq == 1)
    select(bench, element(bench, "joint"))
    add(bench, "Actuator", "motor")
    running(bench, lambda m: m.nu == 1)
    mujoco = pytest.importorskip("mujoco")
    official = mujoco.MjModel.from_xml_string(text_of(bench))
    d = mujoco.MjData(official)
    mujoco.mj_forward(official, d)
    assert official.neq == 1 and d.nefc == 3 and np.abs(d.efc_pos).max() < 1e-12        # it is closed at qpos0
    while d.time < 0.5:
        mujoco.mj_step(official, d)
    tip = d.body(3).xpos + d.body(3).xmat.reshape(3, 3) @ official.eq_data[0][:3]
    assert np.linalg.norm(tip - (0, 0, -0.1)) < 0.01
    take_back(bench, "<mujoco/>\n")


def test_a_mesh_in_millimetres_is_dropped(build, tmp_path, tmp_path_factory):
    bench = build(ROBOT)
    away = tmp_path_factory.mktemp("elsewhere")
    (away / "part.obj").write_text("v 0 0 0\nv 100 0 0\nv 0 100 0\nv 0 0 100\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    assert drop_file(bench, away / "part.obj", element(bench, "body", "table"))
    bench.wait(lambda: QApplication.activeModalWidget() is not None)
    dialog = QApplication.activeModalWidget()
    assert dialog.scale.text() == "0.001" and dialog.copy.isChecked()
    click(dialog.buttons.button(QDialogButtonBox.StandardButton.Ok))
    running(bench, lambda m: m.nmesh == 1)
    m = bench.context.model
    assert (tmp_path / "part.obj").exists() and 'file="part.obj"' in text_of(bench) and list(m.names["mesh"]) == ["part"]
    assert np.ptp(m.mesh_vert, axis=0).max() < 0.2
    take_back(bench, ROBOT)


def test_rows_that_follow_each_other_are_selected_as_one_piece(build):
    geoms = "\n".join(f'    <geom name="g{k}" size=".1" pos="{k} 0 0"/>' for k in range(60))
    bench = build(f"<mujoco>\n  <worldbody>\n{geoms}\n  </worldbody>\n</mujoco>\n")
    panel, ids = panel_of(bench), [element(bench, "geom", k=k).id for k in range(60)]
    chosen = ids[2:20] + ids[40:50] + ids[55:56]
    bench.application.document_selection.select(chosen)
    chooser = panel.tree.selectionModel()
    assert {panel.model.number(index) for index in chooser.selectedRows()} == set(chosen)
    assert len(chooser.selection()) == 3, "Qt compares each piece with each other one"
    assert panel.model.number(panel.tree.currentIndex()) == chosen[-1]

"""Journeys with the panel "Properties": values typed, dragged and chosen by real events, of one element and of many, while the model runs."""
import numpy as np
import pytest
from PyQt6.QtCore import QEvent, QPoint, QPointF
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from editor.fields.form import Form
from physics.model.elements import element
from tests.app.workbench import CTRL, NONE, SHIFT, Button, Key
from tests.journeys.hands import bring, choose, click, click_view, geom_at, strike, turn_wheel, type_keys, write

COUNT = 62
MAIN = '<mujoco>\r\n  <include file="defs.xml"/>\r\n  <worldbody>\r\n    <light pos="0 0 4"/>\r\n'
MAIN += '    <body name="ball" pos="0 0 2"><freejoint/><geom name="ball" size=".1" class="hard"/></body>\r\n' + "".join(
    f'    <geom name="g{k}" class="hard" pos="{k % 8} {k // 8} 0" size=".3  .2"/>\r\n' for k in range(COUNT - 1)) + (
    '    <body name="arm" pos="0 -2 1"><joint name="elbow" axis="0 1 0"/><joint name="twist" axis="1 0 0"/>'
    '<geom name="link" type="capsule" fromto="0 0 0 .5 0 0" size=".05"/></body>\r\n'
    '  </worldbody>\r\n  <actuator><motor name="m" joint="elbow"/></actuator>\r\n</mujoco>\r\n')
DEFS = '<mujocoinclude>\r\n  <default>\r\n    <default class="hard">\r\n'
DEFS += '      <geom type="sphere"   friction=".8 0.01"  solref="0.02 1"/>\t<!-- h\u00e4rte -->\r\n    </default>\r\n  </default>\r\n</mujocoinclude>\r\n'


@pytest.fixture
def files(tmp_path):
    (tmp_path / "model.xml").write_bytes(MAIN.encode())
    (tmp_path / "defs.xml").write_bytes(DEFS.encode())
    return tmp_path


@pytest.fixture
def bench(workbench, files):
    return workbench(files / "model.xml", size=(1200, 800))


def open_panel(bench):
    bench.window.workspaces.choose("edit")
    panel = bench.panel("properties")
    bench.wait(lambda: panel.seen and panel.filled)
    bench.settled()
    return panel


def select(bench, panel, *names, kind="geom"):
    m = bench.context.model
    bench.context.select_elements([element(m, kind, m.id(kind, name)) for name in names])
    bench.wait(lambda: panel.filled and panel._ids)


def row(bench, panel, name):
    bench.wait(lambda: panel.filled and panel.view(name) is not None and panel.view(name).isVisible())
    view = panel.view(name)
    bring(view)
    bench.wait(lambda: not view.visibleRegion().isEmpty())
    return view


def field(bench, panel, name, k=0):
    return row(bench, panel, name).editor.fields()[k]


def texts(bench):
    return {key.rpartition("/")[2]: text for key, text in bench.session.document.texts().items()}


def move(widget, at, keys=NONE):
    QApplication.sendEvent(widget, QMouseEvent(QEvent.Type.MouseMove, QPointF(at), QPointF(widget.mapToGlobal(at)), Button.NoButton, Button.LeftButton, keys))


def press(widget):
    at = widget.rect().center()
    QTest.mousePress(widget, Button.LeftButton, NONE, at)
    return at


def test_a_class_of_62_geoms_in_an_included_crlf_file_is_one_changed_value(bench, files):
    panel = open_panel(bench)
    select(bench, panel, "g0")
    assert row(bench, panel, "friction").badge.layers == ("class", "class", "default")
    defs = next(e for e in bench.session.document.version().root.walk() if e.tag == "geom" and e.attrs.get("solref"))
    panel.choose("default/geom", defs.id)
    bench.wait(lambda: panel.filled and f"{COUNT} elements start from it" in panel.banner.text())
    assert "In the included file defs.xml" in panel.banner.text()
    write(bench, field(bench, panel, "friction"), "0.95")
    bench.wait(lambda: np.isclose(bench.context.model.geom_friction[:, 0], 0.95).sum() == COUNT)
    assert bench.session.save()
    assert (files / "defs.xml").read_bytes() == DEFS.replace(".8 0.01", "0.95 0.01").encode() and (files / "model.xml").read_bytes() == MAIN.encode()
    bench.session.undo()
    assert bench.session.save() and (files / "defs.xml").read_bytes() == DEFS.encode()


def test_a_number_is_dragged_while_the_model_runs(bench, files):
    panel = open_panel(bench)
    select(bench, panel, "g3")
    bench.actions["run"].trigger()
    size = field(bench, panel, "size")
    before, entries = texts(bench), len(bench.session.document.history.entries)
    at = press(size)
    for k in range(1, 6):
        move(size, at + QPoint(8 * k, 0))
        QTest.qWait(20)
    bench.wait(lambda: 'size=".4  .2"' in texts(bench)["model.xml"])      # 40 pixels are ten steps of a tenth of the first digit
    number = bench.context.model.id("geom", "g3")
    bench.wait(lambda: np.isclose(bench.context.model.geom_size[bench.context.model.id("geom", "g3"), 0], 0.4))
    assert not size.hasFocus() and number >= 0
    QTest.mouseRelease(size, Button.LeftButton, NONE, at + QPoint(40, 0))
    bench.wait(lambda: panel.filled)
    assert len(bench.session.document.history.entries) == entries + 1, "one entry of what can be undone"
    bench.session.undo()
    assert texts(bench) == before


def test_escape_gives_a_drag_up(bench):
    panel = open_panel(bench)
    select(bench, panel, "g3")
    size, before, entries = field(bench, panel, "size"), texts(bench), len(bench.session.document.history.entries)
    at = press(size)
    move(size, at + QPoint(40, 0))
    bench.wait(lambda: texts(bench) != before)
    QTest.keyClick(size, Key.Key_Escape)
    assert texts(bench) == before and len(bench.session.document.history.entries) == entries
    QTest.mouseRelease(size, Button.LeftButton, NONE, at + QPoint(40, 0))
    bench.wait(lambda: panel.filled)
    assert size.text() == ".3" and texts(bench) == before


def test_shift_is_finer_and_ctrl_is_coarser_and_the_name_drags_too(bench):
    panel = open_panel(bench)
    select(bench, panel, "g3")
    for widget, keys, wanted in ((field(bench, panel, "size"), SHIFT, '.31  .2"'), (field(bench, panel, "size"), CTRL, '1.3  .2"'),
                                 (row(bench, panel, "density").label, NONE, '.3  .2" density="2000"')):
        bring(widget)
        at = press(widget)
        move(widget, at + QPoint(4, 0), keys)
        move(widget, at + QPoint(40, 0), keys)
        QTest.mouseRelease(widget, Button.LeftButton, keys, at + QPoint(40, 0))
        bench.wait(lambda wanted=wanted: f'name="g3" class="hard" pos="3 0 0" size="{wanted}' in texts(bench)["model.xml"])
        bench.session.undo()
        bench.wait(lambda: panel.filled and texts(bench)["model.xml"] == MAIN)


def test_many_elements_are_changed_at_once(bench):
    panel = open_panel(bench)
    select(bench, panel, "g1", "g2", "link")
    assert "3 geoms" in panel.title.text() and field(bench, panel, "size").placeholderText() == "mixed"
    write(bench, field(bench, panel, "size"), "*2")
    text = texts(bench)["model.xml"]
    assert text == MAIN.replace('name="g1" class="hard" pos="1 0 0" size=".3', 'name="g1" class="hard" pos="1 0 0" size=".6').replace(
        'name="g2" class="hard" pos="2 0 0" size=".3', 'name="g2" class="hard" pos="2 0 0" size=".6').replace('size=".05"', 'size=".1"')
    bench.session.undo()
    assert texts(bench)["model.xml"] == MAIN
    write(bench, field(bench, panel, "margin"), "5 mm")
    assert texts(bench)["model.xml"].count(' margin="0.005"') == 3


def test_the_wheel_does_nothing_without_the_keys(bench):
    panel = open_panel(bench)
    select(bench, panel, "g3")
    size = field(bench, panel, "size")
    turn_wheel(size, 1)
    for name in ("type", "class"):
        turn_wheel(row(bench, panel, name).editor.box, -1)
    assert texts(bench)["model.xml"] == MAIN
    size = field(bench, panel, "size")
    click(size)
    bench.wait(size.hasFocus)
    turn_wheel(size, 1)
    turn_wheel(size, 1)
    assert texts(bench)["model.xml"] == MAIN.replace('pos="3 0 0" size=".3', 'pos="3 0 0" size=".32')
    assert len(bench.session.document.history.entries) == 1, "turns of the wheel are undone together"


def test_a_value_that_cannot_be_stays_red_and_changes_nothing(bench):
    panel = open_panel(bench)
    select(bench, panel, "g3")
    size = field(bench, panel, "size")
    write(bench, size, "3 parsec")
    assert texts(bench)["model.xml"] == MAIN and "no unit" in size.toolTip() and size.text() == "3 parsec"
    strike(Key.Key_Escape)
    assert not size.styleSheet() and size.text() == ".3"
    write(bench, size, "30 cm + 1")
    assert texts(bench)["model.xml"] == MAIN


def test_reset_and_class_and_reference(bench):
    panel = open_panel(bench)
    select(bench, panel, "g3")
    click(row(bench, panel, "size").reset)
    assert 'name="g3" class="hard" pos="3 0 0"/>' in texts(bench)["model.xml"]
    bench.session.undo()
    bench.wait(lambda: panel.filled)
    choose(bench, row(bench, panel, "type").editor.box, "box")
    assert 'name="g3" class="hard" pos="3 0 0" size=".3  .2" type="box"' in texts(bench)["model.xml"]
    bench.wait(lambda: panel.filled)
    choose(bench, row(bench, panel, "type").editor.box, "sphere")
    assert texts(bench)["model.xml"] == MAIN, "what the class says is not written"


def test_a_reference_is_picked_in_the_view(bench):
    panel = open_panel(bench)
    m = bench.context.model
    bench.context.select_elements([element(m, "actuator", 0)])
    bench.wait(lambda: panel.filled and panel.view("joint") is not None)
    click(row(bench, panel, "joint").editor.pick)
    assert panel.picking and "Click a joint" in panel.banner.text()
    click_view(bench, geom_at(bench, "g27"))
    bench.wait(lambda: "a joint is wanted" in panel.banner.text())
    assert panel.picking and bench.context.selection.elements[-1].kind == "actuator"
    QTest.keyClick(bench.host, Key.Key_Escape)
    assert not panel.picking and texts(bench)["model.xml"] == MAIN
    click(row(bench, panel, "joint").editor.pick)
    bench.context.select_elements([element(m, "joint", m.id("joint", "twist"))])        # as a click in the outliner does
    bench.wait(lambda: not panel.picking)
    assert bench.context.selection.elements[-1].kind == "actuator" and texts(bench)["model.xml"] == MAIN.replace('joint="elbow"', 'joint="twist"')


def test_typed_text_belongs_to_what_was_selected(bench):
    panel = open_panel(bench)
    select(bench, panel, "g3")
    size = field(bench, panel, "size")
    click(size)
    bench.wait(size.hasFocus)
    size.selectAll()
    type_keys("0.7")
    select(bench, panel, "g4")
    assert texts(bench)["model.xml"] == MAIN.replace('pos="3 0 0" size=".3', 'pos="3 0 0" size="0.7')


def test_a_section_that_is_not_there_is_made_by_its_first_value(bench):
    panel = open_panel(bench)
    panel.choose("option")
    bench.wait(lambda: panel.filled and "Not in the text yet" in panel.banner.text())
    write(bench, field(bench, panel, "timestep"), "1 ms")
    assert texts(bench)["model.xml"] == MAIN.replace("  <worldbody>", '  <option timestep="0.001"/>\r\n  <worldbody>')
    bench.wait(lambda: bench.context.model.opt_timestep == 0.001 and panel.filled)
    assert "Not in the text" not in panel.banner.text()


def test_what_was_changed_while_running_is_written_into_the_text(bench):
    from physics.runtime import commands

    runner, status = bench.context.runner, bench.window.status
    runner.send(commands.SetOption("gravity", (0.0, 0.0, -1.625)))
    runner.send(commands.SetVisual("global_.fovy", 62.5))
    bench.wait(lambda: len(bench.snapshot.changed_values) == 2 and status.changed.text())
    status._open_changed()
    listed = status.changed_list
    bench.wait(listed.isVisible)
    click(listed.writers["opt.gravity"])
    bench.wait(lambda: len(bench.snapshot.changed_values) == 1)
    assert texts(bench)["model.xml"] == MAIN.replace("  <worldbody>", '  <option gravity="0 0 -1.625"/>\r\n  <worldbody>')
    bench.wait(lambda: list(listed.writers) == ["vis.global.fovy"] and listed.isVisible())
    click(listed.write_all)
    bench.wait(lambda: not bench.snapshot.changed_values)
    assert '<visual>\r\n    <global fovy="62.5"/>\r\n  </visual>' in texts(bench)["model.xml"]
    assert bench.context.model.vis.global_.fovy == 62.5 and bench.context.model.opt_gravity[2] == -1.625
    bench.session.undo()
    bench.session.undo()
    assert texts(bench)["model.xml"] == MAIN


def test_forms_of_few_kinds_are_kept(bench):
    panel = open_panel(bench)
    m = bench.context.model
    for chosen in ((("geom", "ball"),), (("joint", "elbow"),), (("body", "arm"),), (("actuator", "m"),), (("geom", "ball"), ("joint", "elbow")),
                   (("body", "arm"), ("joint", "elbow")), (("body", "arm"), ("geom", "ball"))):
        before = panel._form
        bench.context.select_elements([element(m, kind, m.id(kind, name)) for kind, name in chosen])
        bench.wait(lambda before=before: panel.filled and panel._form is not before)
    bench.wait(lambda: len(panel.findChildren(Form)) <= 4)      # each is a megabyte
    form = panel._form
    select(bench, panel, "elbow", kind="joint")
    bench.wait(lambda: panel._form is not form)
    row(bench, panel, "axis")       # made anew

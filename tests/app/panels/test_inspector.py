"""The inspector: values with units, live while somebody looks, links to what is related, and the place in the text, both ways."""
import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtTest import QTest

from app.panels.inspector import DATA, MODEL, NOW, RELATED, VALUE
from app.panels.elements.live_values import contact_force_on
from app.panels.elements.tag_text import class_of, tag_at
from app.panels.elements.values import steady
from app.panels.live_panel import in_front
from physics.errors import Place
from physics.model.elements import contact_element, element
from tests.app.workbench import Button, Key

PART = """<mujocoinclude><body name="hand" pos="1 0 0"><joint name="wrist"/><geom name="palm" size=".1"/></body></mujocoinclude>"""
MODEL_TEXT = """<mujoco><default><default class="heavy"><geom density="5000"/></default></default>
<worldbody><geom name="floor" type="plane" size="5 5 .1"/>
<body name="arm" pos="0 0 2" childclass="heavy"><joint name="hinge" axis="0 1 0" range="-90 90" limited="true" damping=".5"/>
  <geom name="rod" size=".1"/>
  <include file="part.xml"/>
</body>
<body name="ball" pos="3 0 .1"><freejoint/><geom name="shell" size=".1" mass="2"/></body>
</worldbody>
<actuator><motor name="drive" joint="hinge" gear="3"/></actuator>
<sensor><jointpos name="angle" joint="hinge"/></sensor></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "part.xml").write_text(PART)
    path = tmp_path / "model.xml"
    path.write_text(MODEL_TEXT)
    return workbench(path, size=(1200, 800))


@pytest.fixture
def inspector(bench):
    return bench.panel("inspector")


def of(bench, kind, name):
    return element(bench.context.model, kind, bench.context.model.id(kind, name))


def select(bench, *what):
    bench.context.select_elements([of(bench, kind, name) for kind, name in what])
    filled(bench)


def filled(bench):
    """Wait until the inspector is about what is selected: it is filled in a turn of its own."""
    panel = bench.docks.panels.get("inspector")
    bench.wait(lambda: panel is None or not panel._stale or not in_front(panel))


def links(inspector, section=RELATED):
    item = inspector._sections[section]
    return [f"{item.child(k).text(0)}: {item.child(k).text(VALUE)}" for k in range(item.childCount())]


def test_empty_it_says_what_to_do(bench, inspector):
    assert inspector.empty.isVisible() and "Click something" in inspector.empty.text() and not inspector.table.isVisible()
    select(bench, ("geom", "rod"))
    assert not inspector.empty.isVisible() and inspector.table.isVisible()


def test_compiled_values_have_units_names_and_meanings(bench, inspector):
    select(bench, ("geom", "rod"))
    assert inspector.value("type") == "sphere" and inspector.value("size") == "0.1 0 0 m" and inspector.value("friction", MODEL) == "1 0.005 0.0001"
    select(bench, ("joint", "hinge"))
    assert inspector.value("type") == "hinge" and inspector.value("limited") == "yes" and inspector.value("range") == "-1.5708 1.5708 rad"
    assert inspector.value("damping") == "0.5 N m s/rad"
    select(bench, ("body", "ball"))
    assert inspector.value("mass") == "2 kg"
    item = next(inspector._sections[MODEL].child(k) for k in range(30) if inspector._sections[MODEL].child(k).text(0) == "mass")
    assert item.toolTip(0) == "body_mass: mass [kg]"


def test_live_values_follow_while_it_is_seen(bench, inspector):
    select(bench, ("joint", "hinge"))
    before = inspector.value("qpos", NOW)
    bench.actions["run"].trigger()
    bench.wait(lambda: inspector.value("qpos", NOW) != before)
    bench.docks.docks["inspector"].hide()
    QTest.qWait(100)
    still = inspector.value("qpos", NOW)
    bench.pass_time(0.2)
    assert inspector.value("qpos", NOW) == still
    bench.panel("inspector")
    bench.wait(lambda: inspector.value("qpos", NOW) != still)


def test_all_of_data_is_asked_for_only_while_it_is_open(bench, inspector):
    select(bench, ("joint", "hinge"))
    assert not bench.context.watched.of("inspector")
    inspector._sections[DATA].setExpanded(True)
    assert "qfrc_inverse" in bench.context.watched.of("inspector")
    bench.actions["step"].trigger()
    bench.wait(lambda: inspector.value("qfrc_gravcomp", DATA) == "0 N m")
    select(bench, ("body", "ball"))
    assert "cinert" in bench.context.watched.of("inspector") and "qfrc_inverse" not in bench.context.watched.of("inspector")
    bench.docks.docks["inspector"].hide()
    bench.wait(lambda: not bench.context.watched.of("inspector"))


def test_contacts_and_their_forces(bench, inspector):
    bench.actions["run"].trigger()
    bench.wait(lambda: bench.snapshot.ncon == 1 and bench.snapshot.time > 0.6)
    select(bench, ("body", "ball"))
    bench.wait(lambda: inspector.value("contacts") == "1")
    force = contact_force_on(bench.context.model, bench.snapshot, "body", bench.context.model.id("body", "ball"))
    np.testing.assert_allclose(force, [0, 0, 2 * 9.81], atol=0.3)
    bench.context.select_elements((contact_element(bench.context.model, bench.snapshot, 0),))
    bench.wait(lambda: inspector.value("normal force").startswith("19.") and inspector.value("distance").endswith(" m"))
    assert links(inspector) == ["geom: floor", "geom: shell"]
    bench.actions["run"].trigger()
    bench.actions["reset"].trigger()


def test_what_is_related_is_one_click_away(bench, inspector):
    select(bench, ("joint", "hinge"))
    assert links(inspector) == ["body: arm", "sensor: angle", "actuator: drive"] or set(links(inspector)) == {"body: arm", "sensor: angle", "actuator: drive"}
    section = inspector._sections[RELATED]
    row = next(section.child(k) for k in range(section.childCount()) if section.child(k).text(VALUE) == "drive")
    inspector.table.scrollToItem(row)
    place = inspector.table.visualItemRect(row)
    QTest.mouseClick(inspector.table.viewport(), Button.LeftButton, pos=place.center() + type(place.center())(inspector.table.columnWidth(0) // 2, 0))
    assert str(bench.context.selection.active) == "actuator drive"
    select(bench, ("geom", "palm"))
    assert "arm" in inspector.title.text() and "hand" in inspector.title.text()
    inspector.title.linkActivated.emit(f"body:{bench.context.model.id('body', 'arm')}")
    assert str(bench.context.selection.active) == "body arm"


def test_several_show_what_they_have_in_common(bench, inspector):
    select(bench, ("geom", "rod"), ("geom", "palm"), ("geom", "shell"))
    assert inspector.value("type") == "sphere" and inspector.value("pos") == "0 0 0 m" and inspector.title.text().startswith("<b>3 elements")
    assert links(inspector, "Selected") == ["geom: shell", "geom: palm", "geom: rod"]
    select(bench, ("geom", "rod"), ("joint", "hinge"))
    assert links(inspector, "Selected") == ["joint: hinge", "geom: rod"] and not inspector.value("type")


def test_values_are_copied_with_all_digits(bench, inspector):
    select(bench, ("joint", "hinge"))
    item = next(inspector._sections[MODEL].child(k) for k in range(30) if inspector._sections[MODEL].child(k).text(0) == "range")
    inspector.table.setCurrentItem(item)
    inspector.copy()
    assert QGuiApplication.clipboard().text() == "-1.5707963267948966 1.5707963267948966"
    menu = inspector.menu_at(inspector.table.visualItemRect(item).center())
    next(action for action in menu.actions() if action.text() == "Copy name and value").trigger()
    assert QGuiApplication.clipboard().text().startswith("range -1.57")


def test_the_place_in_the_text_and_the_default_class(bench, inspector):
    select(bench, ("geom", "rod"))
    assert "model.xml:4" in inspector.title.text() and "class heavy" in inspector.title.text()
    select(bench, ("joint", "wrist"))
    assert "part.xml:1" in inspector.title.text()
    inspector.title.linkActivated.emit("place:")
    bench.wait(lambda: bench.docks.panels["source"].isVisible())
    editor = next(editor for key, editor in bench.source._editors.items() if key.endswith("part.xml"))
    bench.wait(lambda: editor.hasFocus())
    line, column = editor.getCursorPosition()
    assert editor.text()[column:].startswith('<joint name="wrist"')


def test_tags_are_read_from_the_text():
    text = '<a>\n <geom name="x" class=\'soft\'/>\n</a>'
    assert tag_at(text, Place("f", 2, 2)) == ("geom", {"name": "x", "class": "soft"}) and tag_at(text, Place("f", 9, 1)) is None
    assert class_of({"f": text}, [Place("f", 2, 2)]) == "soft" and class_of({"f": text}, [Place("g", 2, 2), None]) == ""


# ------------------------------------------------------------------ the text

def test_the_cursor_in_the_text_selects_and_what_is_selected_is_marked(bench):
    bench.panel("source")
    source = bench.source
    editor = source.editor()
    bench.wait(editor.isVisible)
    editor.setFocus()
    bench.wait(editor.hasFocus)
    editor.setCursorPosition(3, 8)
    bench.wait(lambda: [str(what) for what in bench.context.selection.elements] == ["geom rod"])
    assert editor.marked_lines() == [4] and editor.getCursorPosition() == (3, 8)
    QTest.keyClick(editor, Qt.Key.Key_Up)
    bench.wait(lambda: str(bench.context.selection.active) in ("body arm", "joint hinge"))
    bench.host.setFocus()
    select(bench, ("joint", "wrist"))
    part = next(editor for key, editor in source._editors.items() if key.endswith("part.xml"))
    bench.wait(lambda: part.marked_lines() == [1])
    assert editor.marked_lines() == [] and source._tabs.currentWidget() is part and not part.hasFocus()
    bench.context.select_nothing()
    assert part.marked_lines() == []


def test_what_was_selected_before_the_text_is_seen_is_in_sight_then(bench):
    select(bench, ("joint", "wrist"))
    bench.panel("source")
    part = next(editor for key, editor in bench.source._editors.items() if key.endswith("part.xml"))
    bench.wait(lambda: bench.source._tabs.currentWidget() is part and part.marked_lines() == [1])
    bench.panel("inspector")
    select(bench, ("geom", "rod"))
    bench.panel("source")
    bench.wait(lambda: bench.source._tabs.currentWidget() is bench.source.editor() and bench.source.editor().marked_lines() == [4])


def test_replicated_elements_are_selected_together(bench):
    bench.panel("source")
    editor, model = bench.source.editor(), bench.context.model
    editor.replace_text(MODEL_TEXT.replace('<body name="ball"', '<replicate count="3" offset="0 1 0">\n<geom size=".05"/></replicate><body name="ball"'))
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model)
    editor.setFocus()
    bench.wait(editor.hasFocus)
    editor.setCursorPosition(7, 3)
    bench.wait(lambda: len(bench.context.selection.elements) == 3)
    bench.press_key(Key.Key_Escape)


@pytest.mark.parametrize(("value", "text"), [((0.25683, -0.1024, 0.5), "0.2568 -0.1024 0.5000"), ((1e-9, -1e-8), "0 0"), (12.3456, "12.35"), (0.00012345, "0.000123"),
                                             (-9.3338e5, "-9.3338e+05"), (np.array([3, 4]), "3 4"), ((np.nan, 1.0), "nan 1")])
def test_values_that_change_keep_their_width(value, text):
    assert steady(value) == text


def test_names_have_room_where_there_is_some_and_values_have_more(bench, inspector):
    select(bench, ("joint", "hinge"))
    bench.settled()
    names = inspector.table.columnWidth(0)
    bench.window.resizeDocks([bench.docks.docks["inspector"]], [420], Qt.Orientation.Horizontal)
    bench.wait(lambda: inspector.table.columnWidth(0) > names)
    table = inspector.table
    assert table.columnWidth(0) >= table.fontMetrics().horizontalAdvance("qfrc_constraint") + 2 * table.indentation() and table.columnWidth(1) > table.columnWidth(0)


def test_rows_keep_their_height_while_values_change(bench, inspector):
    """A vector took a line more and a line less with the digits of its numbers, and all rows below moved."""
    select(bench, ("body", "ball"))
    bench.wait(lambda: inspector.value("pos"))
    item = next(item for item in (inspector._sections[NOW].child(k) for k in range(inspector._sections[NOW].childCount())) if item.text(0) == "pos")

    def height_of(text: str) -> int:
        item.setText(VALUE, text)
        inspector.table.doItemsLayout()
        return inspector.table.visualItemRect(item).height()

    one = height_of("0 0 0")
    two = height_of(" ".join(["-123.456"] * 12))
    assert two > one and height_of("0 0 0") == two
    select(bench, ("body", "arm"))
    select(bench, ("body", "ball"))
    item = next(item for item in (inspector._sections[NOW].child(k) for k in range(inspector._sections[NOW].childCount())) if item.text(0) == "pos")
    assert height_of("0 0 0") == one

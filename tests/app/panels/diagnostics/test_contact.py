"""The contact panel: it follows the selection, says how a contact came about and why two geoms do not touch, live, and its links and fields work."""
import numpy as np
import pytest
from PyQt6.QtCore import QRect, Qt
from PyQt6.QtTest import QTest

from app.controllers.element_menu import element_menu
from app.panels.diagnostics.contact_list import touching_pairs
from app.panels.diagnostics.force_strip import force_texts
from physics.diagnostics.contact_exclusion import contacts_between
from physics.diagnostics.contact_parameters import contact_parameters
from physics.model.elements import contact_element, element
from physics.runtime import commands
from tests.app.workbench import NONE, Button, Key
from tests.journeys.hands import choose, click, strike, type_keys

MODEL = """<mujoco><option cone="elliptic"/><worldbody><light pos="0 0 3"/>
  <geom name="floor" type="plane" size="5 5 .1" friction=".4 .005 .0001"/>
  <body name="box" pos="0 0 .0999"><freejoint/><geom name="cube" type="box" size=".1 .1 .1" mass="2" friction=".8 .005 .0001" solref=".001 1" priority="1"/></body>
  <body name="ghost" pos="0 0 .3"><freejoint/><geom name="shy" type="box" size=".1 .1 .1" contype="0" conaffinity="2" mass="1"/></body>
  <body name="far" pos="2 0 1"><freejoint/><geom name="ball" size=".1" mass="1"/></body>
  <body pos="-1 0 .05"><freejoint/><geom size=".05" mass="1"/></body>
  <body name="empty" pos="0 0 2"><site name="mark"/></body>
</worldbody><contact><exclude name="quiet" body1="box" body2="far"/></contact></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(MODEL)
    return workbench(path, size=(1300, 850))


@pytest.fixture
def panel(bench):
    panel = bench.panel("contact")
    bench.wait(panel.isVisible)
    return panel


def of(bench, kind, name):
    return element(bench.context.model, kind, bench.context.model.id(kind, name))


def select(bench, panel, *what):
    bench.context.select_elements([of(bench, kind, name) for kind, name in what])
    if len(what) == 2:
        bench.wait(lambda: panel.answer is not None)


def tops(panel):
    return {panel.origin.tree.topLevelItem(k).text(0): panel.origin.tree.topLevelItem(k) for k in range(panel.origin.tree.topLevelItemCount())}


def seen(panel):
    return [title for title, section in panel.sections.items() if section.isVisible()]


def test_with_nothing_selected_it_lists_what_touches(bench, panel):
    bench.wait(lambda: panel.list.topLevelItemCount() == 2)     # cube and the unnamed ball on the floor
    assert seen(panel) == ["Contacts now"] and "Click a contact" in panel.note.text()
    assert "floor – cube (4)" == panel.list.topLevelItem(0).text(0) or "floor – cube (4)" == panel.list.topLevelItem(1).text(0)
    pairs, count = touching_pairs(bench.snapshot)
    assert count == len(pairs) == 2
    assert [pair.normal for pair in pairs] == sorted((pair.normal for pair in pairs), reverse=True)
    row = next(k for k in range(2) if "cube" in panel.list.topLevelItem(k).text(0))
    QTest.mouseClick(panel.list.viewport(), Button.LeftButton, NONE, panel.list.visualItemRect(panel.list.topLevelItem(row)).center())
    bench.wait(lambda: panel.answer is not None and panel.answer.state is not None)
    assert bench.context.selection.active.kind == "contact" and "They touch: 4 contacts" in panel.title.text()


def test_how_a_contact_came_about(bench, panel):
    select(bench, panel, ("geom", "floor"), ("geom", "cube"))
    assert seen(panel) == ["Now", "How it came about", "Rows", "Force over time"]
    rows = tops(panel)
    assert rows["friction"].text(2) == "priority" and rows["friction"].text(1).startswith("0.8  0.8")
    assert [rows["friction"].child(k).text(2) for k in range(2)] == ["", "counts"] and rows["friction"].child(1).text(0) == "cube"
    assert rows["solref"].text(2) == "priority *" and rows["solref"].child(2).text(0) == "refsafe" and "0.004" in rows["solref"].child(2).text(1)
    assert "higher priority" in panel.origin.why.text()
    panel.origin.tree.setCurrentItem(rows["margin"])
    assert panel.origin.why.text().startswith("margin:")
    visits = []
    bench.runner.send(commands.Visit(lambda m, d: visits.append(contact_parameters(m, d, panel.answer.chosen))))
    bench.wait(lambda: visits)
    assert visits[0] == panel.answer.parameters


def test_what_goes_on_is_live(bench, panel):
    select(bench, panel, ("geom", "floor"), ("geom", "cube"))
    bench.press_key(Key.Key_Space)
    bench.pass_time(0.5)
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running and panel.answer.time == bench.snapshot.time)
    total = sum(point.normal for point in panel.answer.points)
    assert total == pytest.approx(2 * 9.81, rel=1e-3)
    assert panel.values.text("normal force").endswith("N") and panel.cone.cone.kind == "elliptic" and "% used" in panel.values.text("cone")
    assert panel.values.text("effective mass").endswith("kg") and panel.values.text("spin, roll") == ""
    assert len(panel.rows.rows) == 3 and panel.rows.rows[0].part == "normal"
    # a step while paused is seen at once
    before = panel.answer.time
    bench.press_key(Key.Key_Right)
    bench.wait(lambda: panel.answer.time > before)
    assert panel.strip.texts == force_texts(bench.context.model, panel.answer.exclusion.geoms) and set(panel.strip.texts) <= set(bench.context.traced.all)
    series = panel.strip.series[panel.strip.texts[0]]
    bench.wait(lambda: len(series.values) > 20)
    assert series.values[-1, 0] == pytest.approx(total, rel=1e-2)
    panel.sections["Force over time"].fold(False)
    assert not set(panel.strip.texts) & set(bench.context.traced.all)      # nobody looks, nothing is taken


def test_one_of_several_points_is_chosen_and_stays_chosen(bench, panel):
    select(bench, panel, ("geom", "floor"), ("geom", "cube"))
    bench.wait(lambda: panel.point.count() == 4)
    texts = [panel.point.itemText(k) for k in range(4)]
    assert texts[2].startswith("3 of 4: ")
    choose(bench, panel.point, texts[2])
    wanted = panel.answer.points[2].element
    bench.wait(lambda: bench.context.selection.active == wanted and panel.answer.chosen == panel.answer.points[2].number)
    at = panel.answer.state.pos.copy()
    bench.press_key(Key.Key_Space)
    bench.pass_time(0.2)
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running and panel.answer.time == bench.snapshot.time)
    assert np.abs(panel.answer.state.pos - at).max() < 0.01


def test_why_two_do_not_touch(bench, panel):
    for what, words, part in (
            ((("geom", "floor"), ("geom", "shy")), ("masks", "bounds", "distance"), "No bit in common"),
            ((("geom", "cube"), ("geom", "ball")), ("exclude", "bounds", "distance"), "quiet"),
            ((("body", "box"), ("body", "ghost")), ("masks", "distance"), "conaffinity"), ((("geom", "floor"), ("body", "far")), ("bounds", "distance"), "to go")):
        select(bench, panel, *what)
        bench.wait(lambda words=words, part=part: panel.why.words == words and part in panel.why.text())
        assert "They do not touch" in panel.title.text()
        assert seen(panel) == ["Why not", "How it came about", "Force over time"]


def test_one_geom_and_its_contacts(bench, panel):
    select(bench, panel, ("geom", "cube"))
    bench.wait(lambda: panel.list.topLevelItemCount() == 1)
    assert "What touches geom cube" in panel.note.text() and panel.first.text() == "cube" and panel.second.text() == ""
    select(bench, panel, ("body", "far"))
    bench.wait(lambda: "Nothing touches body far" in panel.note.text())


def test_geoms_are_entered_by_name(bench, panel):
    click(panel.first)
    bench.wait(panel.first.hasFocus)
    type_keys("cub")
    bench.wait(lambda: panel.first.completer().popup().isVisible())
    strike(Key.Key_Down)
    strike(Key.Key_Return)
    bench.wait(lambda: bench.context.selection.elements == (of(bench, "geom", "cube"),))
    click(panel.second)
    bench.wait(panel.second.hasFocus)
    type_keys("4")
    strike(Key.Key_Escape)
    strike(Key.Key_Return)
    bench.wait(lambda: panel.answer is not None and set(panel.answer.exclusion.geoms) == {1, 4})
    assert panel.second.text() == "geom 4 in body 4"
    click(panel.second)
    panel.second.selectAll()
    type_keys("flor")
    strike(Key.Key_Escape)
    strike(Key.Key_Return)
    assert "no geom 'flor'" in panel.note.text() and "floor" in panel.note.text()


def test_keep_stays_with_two_geoms(bench, panel):
    select(bench, panel, ("geom", "floor"), ("geom", "cube"))
    click(panel.keep)
    select(bench, panel, ("body", "far"))
    assert panel.answer is not None and seen(panel)[0] == "Now"
    click(panel.keep)
    bench.wait(lambda: panel.answer is None and "body far" in panel.note.text())


def test_links_select_and_show_the_text(bench, panel):
    select(bench, panel, ("geom", "cube"), ("geom", "ball"))
    shown = []
    bench.application.selection.place_wanted.connect(shown.append)
    panel.title.linkActivated.emit("place:geom:1")
    assert shown and shown[0].line == 3
    panel.why.linkActivated.emit("exclude:0")
    assert bench.context.selection.active.name == "quiet"
    bench.wait(lambda: panel.answer is not None and {"box", "far"} == {bench.context.model.names["body"][bench.context.model.geom_bodyid[g]] for g in panel.answer.exclusion.geoms})
    bench.docks.show("contact")
    panel.title.linkActivated.emit("geom:1")
    assert bench.context.selection.elements == (of(bench, "geom", "cube"),)


def test_another_model_with_other_numbers(bench, panel, tmp_path):
    select(bench, panel, ("geom", "floor"), ("geom", "cube"))
    click(panel.keep)
    bench.context.select_nothing()
    before = bench.context.model
    (tmp_path / "model.xml").write_text(MODEL.replace('<geom name="floor"', '<geom name="post" size=".1" pos="4 4 0"/><geom name="floor"'))
    bench.actions["reload"].trigger()
    bench.wait(lambda: bench.context.model is not before and bench.context.model.ngeom == 6)
    bench.wait(lambda: panel.answer is not None and panel.answer.exclusion.geoms == (1, 2))
    assert panel.keep.isChecked() and panel.answer.points


def test_the_menu_entry_opens_it(bench):
    two = (of(bench, "geom", "cube"), of(bench, "geom", "shy"))
    menu = element_menu(bench.window, two, bench.context, bench.application.selection)
    entry = next(action for action in menu.actions() if "touch" in action.text())
    entry.trigger()
    bench.wait(lambda: "contact" in bench.docks.panels and bench.docks.panels["contact"].answer is not None)
    assert bench.context.selection.elements == two and bench.docks.panels["contact"].why.words == ("masks", "distance")
    one = element_menu(bench.window, two[:1], bench.context, bench.application.selection)
    assert not any("touch" in action.text() for action in one.actions())


def test_large_texts_and_a_narrow_panel(bench, panel):
    select(bench, panel, ("geom", "floor"), ("geom", "cube"))
    height = panel.values.height()
    bench.settings.set("view/font_scale", 200)
    try:
        bench.wait(lambda: panel.values.height() > 1.6 * height)
        assert panel.minimumSizeHint().width() <= 640
    finally:
        bench.settings.reset("view/font_scale")
    bench.wait(lambda: panel.values.height() <= 1.25 * height)     # the side may be a little narrower than it was: a few values in two lines
    assert panel.minimumSizeHint().width() <= 320


def test_a_contact_of_the_view_is_shown(bench, panel):
    snapshot, m = bench.snapshot, bench.context.model
    k = contacts_between(snapshot, 0, 1)[1]
    bench.context.select_elements((contact_element(m, snapshot, k),))
    bench.wait(lambda: panel.answer is not None and panel.answer.chosen == k)


def test_of_many_pairs_those_with_the_largest_forces_are_made():
    """Of a heap of a thousand contacts sixty pairs are listed; sums are those of all contacts of a pair."""
    from types import SimpleNamespace

    random = np.random.default_rng(3)
    geoms, force = random.integers(-1, 400, (3000, 2)), random.uniform(0, 10, (3000, 6))
    geoms[100:110] = (7, 9)
    snapshot = SimpleNamespace(ncon=3000, contact_geom=geoms, contact_force=force, contact_includemargin=np.full(3000, 0.1), contact_dist=random.uniform(-1, 0.1, 3000))
    pairs, count = touching_pairs(snapshot)
    whole = {}
    for k, (a, b) in enumerate(geoms.tolist()):
        if a >= 0 and b >= 0:
            whole.setdefault((a, b), []).append(k)
    assert count == len(whole) and len(pairs) == 60
    assert [pair.geoms for pair in pairs] == sorted(whole, key=lambda pair: -force[whole[pair], 0].sum())[:60]
    first = next(pair for pair in pairs if pair.geoms == (7, 9))
    assert first.count == len(whole[7, 9]) and first.normal == pytest.approx(force[whole[7, 9], 0].sum())
    assert first.depth == pytest.approx((0.1 - snapshot.contact_dist[whole[7, 9]]).max())
    few, of = touching_pairs(snapshot, [7])
    assert of == sum(7 in pair for pair in whole) and all(7 in pair.geoms for pair in few)


def test_what_is_said_goes_when_it_is_no_longer_so(bench, panel):
    """A body without geoms is told so; what failed once, and what was entered wrong, is not said for ever."""
    select(bench, panel, ("body", "empty"))
    bench.wait(lambda: panel.note.text() == "Body empty has no geom.")
    select(bench, panel, ("geom", "floor"), ("geom", "cube"))
    assert panel.note.text() == ""
    panel._query.failed.emit("no such state")
    assert "could not be computed: no such state" in panel.note.text()
    panel._query.ask(at_once=True)
    bench.wait(lambda: panel.note.text() == "")
    panel.second.chosen.emit(panel.second.geom)
    panel.first._geom = panel.second.geom
    panel._entered()
    assert "one and the same" in panel.note.text()
    bench.press_key(Key.Key_Right)
    bench.qtbot.wait(300)       # answers come meanwhile
    assert "one and the same" in panel.note.text()
    select(bench, panel, ("geom", "cube"))
    bench.wait(lambda: "What touches geom cube" in panel.note.text())


def rows_of_tree(tree):
    """All items that are seen."""
    item = next(tree.topLevelItem(k) for k in range(tree.topLevelItemCount()) if not tree.topLevelItem(k).isHidden())
    while item is not None:
        yield item
        item = tree.itemBelow(item)


def test_nothing_is_cut_off_in_a_narrow_panel(bench, panel):
    """What is too long for a line of 320 px takes several; trees are as high as their rows; the curves have times below them."""
    bench.docks._begin()
    bench.window.resizeDocks([bench.docks.docks["contact"]], [320], Qt.Orientation.Horizontal)
    select(bench, panel, ("geom", "floor"), ("geom", "cube"))
    bench.runner.send(commands.Run())
    bench.pass_time(0.6)
    bench.runner.send(commands.Pause())
    tops(panel)["friction"].setExpanded(True)
    bench.wait(lambda: panel.width() <= 320 and not bench.snapshot.running)
    bench.qtbot.wait(300)
    several = 0
    for tree in (panel.values, panel.origin.tree):
        heights, metrics = 0, tree.fontMetrics()
        for item in rows_of_tree(tree):
            height = tree.visualItemRect(item).height()
            heights += height
            text = metrics.boundingRect(QRect(0, 0, tree.columnWidth(1) - 8, 10_000), Qt.TextFlag.TextWordWrap.value, item.text(1))
            assert text.height() <= height and text.width() <= tree.columnWidth(1), item.text(1)
            several += text.height() > 1.5 * metrics.height()
        assert tree.height() >= heights + 2 * tree.frameWidth() and tree.verticalScrollBar().maximum() == 0
    assert several
    cone = panel.cone
    assert cone._text_width() + cone.fontMetrics().height() <= 0.65 * cone.width()
    strip = panel.strip.chart
    (first, last), _y = strip._box.viewRange()
    assert strip.axis.tickValues(first, last, strip._box.width())[0][1]

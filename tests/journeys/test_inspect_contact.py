"""Somebody wonders about contacts: clicks one in the view, looks where its friction comes from and at its forces while it runs,
then asks by the names of two geoms and by the menu of the view why a ball falls through a table, mends the text and sees it rest."""
import numpy as np
import pytest
from PyQt6.QtWidgets import QMenu

from tests.app.workbench import CTRL, SHIFT, Button, Key
from tests.journeys.hands import at, bring, choose, choose_entry, click, click_link, click_row, click_view, from_palette, geom_at, press_button, show_tab, strike, type_keys

MODEL = """<mujoco model="table">
  <statistic center="0 0 .3" extent="1.2"/>
  <worldbody>
    <light pos="0 -2 4" dir="0 .3 -1"/>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <geom name="table" type="box" size=".3 .3 .05" pos="0 0 .3" contype="2" conaffinity="2"/>
    <body name="crate" pos="-.6 0 .1"><freejoint/><geom name="crate" type="box" size=".1 .1 .1" friction=".9 .005 .0001"/></body>
    <body name="ball" pos="0 0 .5"><freejoint/><geom name="ball" size=".08"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "table.xml"
    path.write_text(MODEL)
    bench = workbench(path, size=(1400, 900))
    bench.wait(bench.host.hasFocus)
    strike(Key.Key_2, CTRL)     # the workspace Inspect, which draws contacts
    bench.wait(lambda: bench.context.options["contact_point"] and bench.docks.filled)
    bench.settled()
    bench.pictures(2)
    return bench


def contact_in_front(bench) -> np.ndarray:
    """Where the contact of the crate is that is nearest to the camera, at the edge of its mark that is not below the crate."""
    places = bench.snapshot.contact_pos[:bench.snapshot.ncon]
    return places[np.argmin(places @ np.asarray(bench.application.view_control.view(bench.snapshot).forward))] + (0, -.01, 0)


def row_of(tree, text: str):
    """The row of a tree with this text."""
    return next(tree.topLevelItem(k) for k in range(tree.topLevelItemCount()) if tree.topLevelItem(k).text(0) == text)


def enter(bench, field, letters: str) -> None:
    """Click into a field for a geom, type some letters of its name and take what is offered."""
    bring(field)
    click(field)
    bench.wait(field.hasFocus)
    field.selectAll()
    type_keys(letters)
    bench.wait(lambda: field.completer().popup().isVisible())
    strike(Key.Key_Down)
    strike(Key.Key_Return)
    bench.wait(lambda: not field.completer().popup().isVisible())


def test_from_a_click_on_a_contact_to_where_it_comes_from_and_what_goes_on_at_it(bench):
    click_view(bench, at(bench, contact_in_front(bench)))
    bench.wait(lambda: bench.context.selection.active is not None and bench.context.selection.active.kind == "contact")
    panel = show_tab(bench, "Contact")
    bench.wait(lambda: panel.answer is not None and panel.answer.state is not None)
    assert {g.name for g in bench.context.selection.active.geoms} == {"floor", "crate"} and "4 contacts" in panel.title.text()
    assert np.allclose(panel.answer.state.pos, contact_in_front(bench) - (0, -.01, 0), atol=1e-3)

    # its friction is the floor's default, not the crate's .9: the row says so, and the rule in words
    friction = panel.answer.parameters["friction"]
    assert friction.value[0] == 1.0 and friction.candidates[0].decides[0] and not friction.candidates[1].decides[0]
    tree = panel.origin.tree
    click_row(bench, tree, tree.indexFromItem(row_of(tree, "friction")))
    bench.wait(lambda: panel.origin.why.text().startswith("friction:"))

    # another of the four contacts
    chosen = panel.answer.chosen
    bring(panel.point)
    choose(bench, panel.point, next(panel.point.itemText(k) for k in range(4) if k != panel.point.currentIndex()))
    bench.wait(lambda: panel.answer is not None and panel.answer.chosen != chosen)

    # while it runs the forces of all four carry the crate, and they are drawn over time
    press_button(bench, "run")
    bench.pass_time(0.3)
    press_button(bench, "run")
    bench.wait(lambda: not bench.snapshot.running and panel.answer.time == bench.snapshot.time)
    assert sum(point.normal for point in panel.answer.points) == pytest.approx(9.81 * bench.context.model.body_mass[1], rel=0.02)
    assert len(panel.rows.rows) == 4 and sum(row.force for row in panel.rows.rows) > 0      # of a pyramidal cone
    bring(panel.strip)
    bench.wait(lambda: len(panel.strip.series) and all(len(series.values) > 20 for series in panel.strip.series.values()))
    # the crate by the link above: what touches it
    click_link(bench, panel.title, f"geom:{bench.context.model.id('geom', 'crate')}")
    bench.wait(lambda: bench.context.selection.active is not None and bench.context.selection.active.name == "crate" and panel.list.topLevelItemCount() == 1)


def test_from_two_names_to_the_reason_and_its_cure(bench, tmp_path):
    # the ball falls through the table: both are entered by their names
    panel = show_tab(bench, "Contact")
    enter(bench, panel.first, "tab")
    bench.wait(lambda: [what.name for what in bench.context.selection.elements] == ["table"])
    enter(bench, panel.second, "bal")
    bench.wait(lambda: panel.answer is not None and panel.why.words[:1] == ("masks",))
    assert {what.name for what in bench.context.selection.elements} == {"table", "ball"} and "do not touch" in panel.title.text()
    advice = panel.answer.exclusion.reasons[0].advice
    assert "geom table" in advice and 'conaffinity="3"' in advice

    # the same by two clicks in the view and the menu of the right button
    click_view(bench, geom_at(bench, "table"))
    bench.wait(lambda: bench.context.selection.elements and {what.name for what in bench.context.selection.elements} == {"table"})
    click_view(bench, geom_at(bench, "ball"), keys=SHIFT)
    bench.wait(lambda: len(bench.context.selection.elements) == 2)
    from_palette(bench, "Panel Watch")      # something else lies on top
    bench.wait(lambda: panel.visibleRegion().isEmpty())
    click_view(bench, geom_at(bench, "ball"), button=Button.RightButton)
    bench.wait(lambda: any(menu.isVisible() for menu in bench.viewport.findChildren(QMenu)))
    choose_entry(bench, next(menu for menu in bench.viewport.findChildren(QMenu) if menu.isVisible()), "Why do these (not) touch?")
    bench.wait(lambda: not panel.visibleRegion().isEmpty() and panel.answer is not None and panel.why.words[:1] == ("masks",))

    # as it says: the table's conaffinity gets the ball's bit
    (tmp_path / "table.xml").write_text(MODEL.replace('conaffinity="2"', 'conaffinity="3"'))
    before = bench.context.model
    press_button(bench, "reload")
    bench.wait(lambda: bench.context.model is not before and bench.snapshot.model is bench.context.model)
    press_button(bench, "run")
    bench.pass_time(1.0)
    press_button(bench, "run")
    bench.wait(lambda: not bench.snapshot.running and panel.answer is not None and panel.answer.state is not None)
    assert panel.why.words == () and panel.answer.state.force[0] > 0

"""Somebody wonders about contacts: clicks one in the view, looks where its friction comes from, then asks why a ball falls through a table, mends the text and sees it rest."""
import pytest
from PyQt6.QtWidgets import QMenu

from tests.app.workbench import SHIFT, Button, Key
from tests.journeys.hands import choose_entry, click_view, from_palette, geom_at, press_button

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
    return workbench(path, size=(1400, 900))


def test_from_a_click_to_the_reason_and_its_cure(bench, tmp_path):
    bench.wait(bench.host.hasFocus)
    # the crate rests on the floor: two clicks, and the panel by the palette
    click_view(bench, geom_at(bench, "crate"))
    bench.wait(lambda: bench.context.selection.active is not None and bench.context.selection.active.name == "crate")
    from_palette(bench, "Contact")
    bench.wait(lambda: "contact" in bench.docks.panels and bench.docks.panels["contact"].isVisible())
    panel = bench.docks.panels["contact"]
    bench.wait(lambda: panel.list.topLevelItemCount() == 1)
    panel.list.itemClicked.emit(panel.list.topLevelItem(0), 0)
    bench.wait(lambda: panel.answer is not None and panel.answer.state is not None)
    friction = panel.answer.parameters["friction"]
    assert friction.value[0] == 1.0 and friction.candidates[0].decides[0] and not friction.candidates[1].decides[0]      # the floor's default, not the crate's .9

    # the ball falls through the table: both are selected, and the menu asks why
    click_view(bench, geom_at(bench, "table"))
    bench.wait(lambda: bench.context.selection.active is not None and bench.context.selection.active.name == "table")
    click_view(bench, geom_at(bench, "ball"), keys=SHIFT)
    bench.wait(lambda: len(bench.context.selection.elements) == 2)
    click_view(bench, geom_at(bench, "ball"), button=Button.RightButton)
    bench.wait(lambda: any(menu.isVisible() for menu in bench.viewport.findChildren(QMenu)))
    menu = next(menu for menu in bench.viewport.findChildren(QMenu) if menu.isVisible())
    choose_entry(bench, menu, "Why do these (not) touch?")
    bench.wait(lambda: panel.answer is not None and panel.why.words[:1] == ("masks",))
    advice = panel.answer.exclusion.reasons[0].advice
    assert "geom table" in advice and 'conaffinity="3"' in advice

    # as it says: the table's conaffinity gets the ball's bit
    (tmp_path / "table.xml").write_text(MODEL.replace('conaffinity="2"', 'conaffinity="3"'))
    before = bench.context.model
    press_button(bench, "reload")
    bench.wait(lambda: bench.context.model is not before)
    bench.host.setFocus()
    bench.press_key(Key.Key_Space)
    bench.pass_time(1.0)
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running and panel.answer is not None and panel.answer.state is not None)
    assert panel.why.words == () and panel.answer.state.force[0] > 0

"""Sets of contact parameters beside the run, by real events: made, named, started from one moment, seen, measured, written, removed."""
import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QScrollArea

from app.controllers.companions import TINTS
from app.panels.compare.panel import FIRST_FIGURE, GRID, NAME, NO_TARGET, PRIMARY
from app.panels.tuner.named_sets import MOST
from physics.model.elements import element
from physics.runtime import commands
from tests.app.workbench import CTRL, SHIFT, Key
from tests.journeys import hands
from tests.journeys.hands import choose, from_palette

MODEL = """<mujoco><option timestep=".002"/><worldbody><light pos="0 0 3"/>
  <geom name="floor" type="plane" size="5 5 .1"/>
  <body name="ball" pos="0 0 .3"><freejoint/><geom name="round" size=".1" mass="2"/></body>
  <body name="cube" pos="1 0 .1"><freejoint/><geom name="cube" type="box" size=".1 .1 .1"/></body>
</worldbody><contact><pair geom1="floor" geom2="round" solref="-10000 -20" solimp=".9 .9 .001 .5 2"/></contact></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1400, 1000))


@pytest.fixture
def panels(bench):
    """(Tuner, Compare), about the ball on the floor."""
    tuner = bench.panel("tuner")
    m = bench.context.model
    bench.context.select_elements([element(m, "geom", m.id("geom", name)) for name in ("floor", "round")])
    bench.wait(lambda: tuner.parameters is not None and tuner.writing.places)
    compare = bench.panel("compare")
    bench.wait(compare.isVisible)
    return tuner, compare


def into_sight(bench, widget):
    """Scroll the panel that a widget is in until it is seen."""
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    if area is not None:
        area.ensureWidgetVisible(widget)
    bench.wait(lambda: widget.visibleRegion().contains(widget.rect().center()))


def press(bench, button):
    into_sight(bench, button)
    hands.click(button)


def write(bench, field, text):
    into_sight(bench, field)
    hands.write(bench, field, text)


def two_sets(bench, tuner, compare):
    """As it is, and one that bounces less."""
    press(bench, compare.add_running)
    write(bench, tuner.solref.fields["direct"][1], "100")
    press(bench, tuner.bar.add_set)
    assert [one.parameters.solref for one in compare._sets.sets] == [(-10000.0, -20.0), (-10000.0, -100.0)]


def figure(compare, line, column):
    return compare.list.topLevelItem(line).text(FIRST_FIGURE + column)


def text_of(bench):
    return bench.session.document.main.text


def run(bench, seconds):
    """Exactly so long."""
    end = bench.snapshot.time + seconds - 0.001
    bench.runner.send(commands.Step(round(seconds / 0.002)))
    bench.wait(lambda: bench.snapshot.time >= end)


def test_without_a_tuner_it_says_what_to_do(bench):
    compare = bench.panel("compare")
    bench.wait(compare.isVisible)
    assert compare.note.text() == NO_TARGET and not compare.add.isEnabled() and not compare.start.isEnabled() and not compare.plots.isVisible()


def test_sets_are_named_copied_and_removed(bench, panels):
    tuner, compare = panels
    two_sets(bench, tuner, compare)
    assert compare.list.topLevelItemCount() == 3 and compare.list.topLevelItem(1).text(NAME) == "as it is" and compare.chosen.parameters.solref[1] == -100
    into_sight(bench, compare.list.viewport())
    at = compare.list.visualRect(compare.list.indexFromItem(compare.list.topLevelItem(2), NAME)).center()
    QTest.mouseClick(compare.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseDClick(compare.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    bench.wait(lambda: compare.list.state() == compare.list.State.EditingState)
    field = next(child for child in compare.list.viewport().children() if child.inherits("QLineEdit"))
    field.selectAll()
    QTest.keyClicks(field, "as it is")
    QTest.keyClick(field, Key.Key_Return)
    bench.wait(lambda: [one.name for one in compare._sets.sets] == ["as it is", "as it is (2)"])     # Qt commits the field in a turn of its own
    press(bench, compare.copy)
    press(bench, compare.copy)
    assert len(compare._sets.sets) == MOST and not compare.add.isEnabled() and not tuner.bar.add_set.isEnabled() and len({one.colour for one in compare._sets.sets}) == MOST
    compare.list.setFocus()
    QTest.keyClick(compare.list, Key.Key_Delete)
    assert len(compare._sets.sets) == MOST - 1 and compare.add.isEnabled() and bench.context.model.ngeom == 3
    press(bench, compare.remove)
    assert compare.list.topLevelItemCount() == 3


def test_they_run_from_one_moment_and_are_compared_on_common_axes(bench, panels):
    tuner, compare = panels
    run(bench, 0.05)
    begun = bench.snapshot.time
    two_sets(bench, tuner, compare)
    press(bench, compare.start)
    rows = bench.application.companions.rows
    assert [row.title for row in rows] == ["as it is", "set 2"] and [row.tint for row in rows] == list(TINTS[:2])
    bench.wait(lambda: all(row.snapshot is not None for row in rows) and rows[1].changes)
    run(bench, 0.6)
    bench.wait(lambda: len(compare.sampling.courses) == 3 and all(course.time[-1] >= bench.snapshot.time - 0.0021 for course in compare.sampling.courses.values()))
    courses = compare._courses()
    assert [course.time[0] for course in courses] == pytest.approx([begun] * 3, abs=0.0021)
    # equal values are the same run; others lose more energy
    assert len({len(course.time) for course in courses}) == 1 and np.array_equal(courses[0].time, courses[2].time)
    assert np.allclose(courses[0].force, courses[1].force, rtol=1e-6) and np.allclose(courses[0].energy, courses[1].energy, rtol=1e-9)
    assert figure(compare, 0, 4) == figure(compare, 1, 4) != "–" and float(figure(compare, 2, 4)) < float(figure(compare, 1, 4)) - 0.1
    assert float(figure(compare, 2, 2).split()[0]) > float(figure(compare, 1, 2).split()[0]) > 0.0
    assert compare.plots.isVisible() and all(len(plot.getPlotItem().curves) == 3 for plot in compare.plots.plots.values())
    ranges = [plot.viewRange()[0] for plot in compare.plots.plots.values()]
    assert ranges[0] == ranges[1] == ranges[2]


def test_they_are_ghosts_apart_or_a_grid(bench, panels):
    tuner, compare = panels
    two_sets(bench, tuner, compare)
    press(bench, compare.start)
    bench.wait(lambda: len(bench.context.ghosts) == 2)
    write(bench, compare.apart, "0.5")
    bench.wait(lambda: [round(float(ghost.geom_xpos[1, 0]), 3) for ghost in bench.context.ghosts] == [0.5, 1.0])
    into_sight(bench, compare.view)
    choose(bench, compare.view, compare.view.itemText(GRID))
    bench.wait(lambda: not bench.context.ghosts and len([inset for inset in bench.viewport.insets.items if inset.companion is not None]) == 2)
    assert not compare.apart.isEnabled()
    press(bench, compare.stop)
    assert not bench.application.companions.rows and not bench.viewport.insets.items and not compare.stop.isEnabled()


def test_one_is_taken_into_the_tuner_and_written(bench, panels):
    tuner, compare = panels
    two_sets(bench, tuner, compare)
    press(bench, tuner.bar.revert)
    before = text_of(bench)
    press(bench, compare.take)
    assert tuner.parameters.solref == (-10000.0, -100.0) and text_of(bench) == before
    press(bench, tuner.bar.revert)
    entries = len(bench.session.document.history.entries)
    press(bench, compare.write)
    bench.taken_up()
    assert len(bench.session.document.history.entries) == entries + 1 and tuple(bench.context.model.pair_solref[0]) == (-10000.0, -100.0)
    bench.press_key(Key.Key_Z, CTRL)
    bench.taken_up()
    assert text_of(bench) == before


def test_a_companion_that_is_stopped_elsewhere_and_another_model(bench, panels):
    tuner, compare = panels
    two_sets(bench, tuner, compare)
    press(bench, compare.start)
    bench.wait(lambda: all(row.snapshot is not None for row in bench.application.companions.rows))
    bench.application.companions.stop(bench.application.companions.rows[0])
    assert list(compare._rows) == [1] and PRIMARY in compare.sampling._visits
    bench.session.new("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>", run=False)
    bench.wait(lambda: bench.context.model.ngeom == 1 and not compare.start.isEnabled())
    assert not compare._rows and len(compare._sets.sets) == 2


def test_one_key_shows_what_was_before_the_last_edit(bench, panels):
    tuner, _compare = panels
    companions = bench.application.companions
    write(bench, tuner.solref.fields["direct"][1], "150")
    press(bench, tuner.bar.apply)
    bench.taken_up()
    bench.press_key(Key.Key_B, CTRL | SHIFT)
    bench.wait(lambda: companions.rows and companions.rows[0].snapshot is not None and len(bench.context.ghosts) == 1)
    assert tuple(companions.rows[0].snapshot.model.pair_solref[0]) == (-10000.0, -20.0) and tuple(bench.context.model.pair_solref[0]) == (-10000.0, -150.0)
    bench.press_key(Key.Key_B, CTRL | SHIFT)
    bench.wait(lambda: not bench.context.ghosts)
    from_palette(bench, "Before and after the last edit")
    bench.wait(lambda: len(bench.context.ghosts) == 1 and len(companions.rows) == 1)
    # another edit: the ghost is of before that one
    write(bench, tuner.solref.fields["direct"][1], "300")
    press(bench, tuner.bar.apply)
    bench.taken_up()
    bench.press_key(Key.Key_B, CTRL | SHIFT)
    bench.wait(lambda: len(companions.rows) == 1 and companions.rows[0].snapshot is not None and tuple(companions.rows[0].snapshot.model.pair_solref[0]) == (-10000.0, -150.0))

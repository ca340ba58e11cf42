"""The engine chosen in the window, and the other one beside it: by keys and clicks, with the real engines."""
from types import SimpleNamespace

import numpy as np
import pytest
from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtGui import QHelpEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QToolTip

import physics
from app.panels.engines.panel import EMPTY, NONE
from app.windows.status_bar import engine_text
from physics.enums import Engine
from physics.runtime import commands
from physics.simulate.hard_endings import ENDINGS
from tests.app.workbench import Key

MODEL = """<mujoco><option timestep="0.002" integrator="RK4"/><worldbody><light pos="0 0 3"/>
  <geom name="floor" type="plane" size="5 5 .1"/>
  <body name="box" pos="0 0 .12"><freejoint/><geom name="box" type="box" size=".1 .1 .1"%s/></body>
</worldbody></mujoco>"""


@pytest.fixture
def opened(workbench, tmp_path):
    """opened(more): a window with the box, whose geom has these attributes too; both engines are compiled."""
    physics.ensure_kernels()
    physics.ensure_hard()

    def make(more="", **options):
        (tmp_path / "box.xml").write_text(MODEL % more)
        return workbench(tmp_path / "box.xml", size=(1400, 1000), **options)

    return make


@pytest.fixture
def bench(opened):
    return opened()


def choose_engine(bench, wanted: Engine):
    """By the arrow keys on the Physics panel's first field."""
    box = bench.panel("physics").choices["engine"]
    bench.wait(box.isVisible)
    box.setFocus()
    QTest.keyClick(box, Key.Key_Down if wanted == Engine.HARD else Key.Key_Up)


def steps(bench, count):
    end = bench.snapshot.time + 0.002 * count - 0.0005
    bench.runner.send(commands.Step(count))
    bench.wait(lambda: bench.snapshot.time >= end)


def test_the_physics_panel_chooses_and_greys_what_has_no_meaning(bench):
    panel = bench.panel("physics")
    assert list(panel.choices)[0] == "engine" and panel.choices["integrator"].isEnabled() and not panel.numbers["hard_rtol", 0].isEnabled() and not panel.hard.opened
    steps(bench, 40)
    before = bench.snapshot.qpos.copy(), bench.snapshot.history_length
    choose_engine(bench, Engine.HARD)
    bench.wait(lambda: bench.context.model.opt.engine == Engine.HARD and not panel.choices["integrator"].isEnabled())
    assert np.array_equal(bench.snapshot.qpos, before[0]) and bench.snapshot.history_length == before[1]
    assert "variational" in panel.choices["integrator"].toolTip() and panel.numbers["timestep", 0].isEnabled() and not panel.numbers["iterations", 0].isEnabled()
    assert not panel.flags["disable", int(physics.enums.DisableBit.REFSAFE)].isEnabled() and panel.flags["disable", int(physics.enums.DisableBit.CONTACT)].isEnabled()
    assert panel.hard.opened and panel.numbers["hard_rtol", 0].isEnabled() and panel.sliders["o_friction", 0].slider.isEnabled() and not panel.sliders["o_solref", 0].slider.isEnabled()
    bench.wait(lambda: bench.logged("ignores integrator 'RK4'"))
    bench.wait(lambda: bench.window.status.engine.text() == "hard")
    steps(bench, 100)
    assert bench.snapshot.qpos[2] == pytest.approx(0.1, abs=1e-6) and bench.snapshot.history_length == before[1] + 100
    choose_engine(bench, Engine.SOFT)
    bench.wait(lambda: bench.context.model.opt.engine == Engine.SOFT and panel.choices["integrator"].isEnabled())
    assert "variational" not in panel.choices["integrator"].toolTip() and not panel.hard.opened
    bench.wait(lambda: bench.window.status.engine.text() == "")


def test_the_reason_is_seen_at_the_pointer(bench):
    panel = bench.panel("physics")
    choose_engine(bench, Engine.HARD)
    box = panel.choices["integrator"]
    bench.wait(lambda: not box.isEnabled())
    at = box.rect().center()
    QApplication.sendEvent(box, QHelpEvent(QEvent.Type.ToolTip, at, box.mapToGlobal(at)))
    bench.wait(lambda: "variational" in QToolTip.text())
    QToolTip.hideText()


def test_what_the_engine_refuses_is_told_and_the_panel_stays(opened):
    bench = opened(' adhesion="1"')
    choose_engine(bench, Engine.HARD)
    bench.wait(lambda: bench.logged("no adhesion: geom 'box'"))
    box = bench.panel("physics").choices["engine"]
    bench.wait(lambda: box.currentData() == Engine.SOFT)
    QTest.keyClick(bench.host, Key.Key_F10)
    bench.wait(lambda: bench.logged("The hard engine cannot run beside"))
    assert bench.application.companions.rows == []


def test_all_that_keeps_the_other_engine_from_running_beside_is_told(opened):
    bench = opened(' adhesion="1"/><geom name="pad" size=".01" adhesion="1"')
    bench.press_key(Key.Key_F10)
    bench.wait(lambda: bench.logged("The hard engine cannot run beside") and bench.logged("no adhesion: geom 'box'") and bench.logged("no adhesion: geom 'pad'"))
    assert bench.application.companions.rows == [] and bench.application.companions.other_engine is None


def test_a_model_that_can_only_be_viewed_says_so(opened):
    bench = opened('/></body></worldbody><asset><mesh name="lost" file="none.stl"/></asset><worldbody><body><geom type="mesh" mesh="lost"')
    assert bench.context.model.view_only
    bench.press_key(Key.Key_F10)
    bench.wait(lambda: bench.logged("The hard engine cannot run beside"))
    assert bench.application.companions.rows == []


def test_kappa_by_its_slider(bench):
    choose_engine(bench, Engine.HARD)
    panel, option = bench.panel("physics"), bench.context.model.opt
    bench.wait(panel.kappa.slider.isEnabled)
    panel.kappa.number.setFocus()
    panel.kappa.number.selectAll()
    QTest.keyClicks(panel.kappa.number, "0.001")
    QTest.keyClick(panel.kappa.number, Key.Key_Return)
    bench.wait(lambda: option.hard_kappa == 0.001)
    steps(bench, 400)
    assert bench.snapshot.qpos[2] > 0.1 + 1e-5      # contacts act at a distance
    panel.kappa.slider.setFocus()
    QTest.keyClick(panel.kappa.slider, Key.Key_Home)        # the end of the path
    bench.wait(lambda: option.hard_kappa == 0.0)


def test_the_other_engine_runs_beside_and_is_compared(bench):
    companions = bench.application.companions
    bench.press_key(Key.Key_F10)
    bench.wait(lambda: companions.other_engine is not None and companions.other_engine.snapshot is not None)
    row, panel = companions.other_engine, bench.panel("engines")
    bench.wait(lambda: row.snapshot.model.opt_engine == Engine.HARD)
    assert row.title == "engine hard" and bench.context.model.opt.engine == Engine.SOFT and panel.start.text() == "End"
    bench.context.options.flags["contact_force"] = True
    steps(bench, 200)
    bench.wait(lambda: row.snapshot.time == bench.snapshot.time)
    (ghost,) = companions.ghosts()
    assert len(ghost.forces) >= 3 and ghost.forces[:, 5].sum() == pytest.approx(8 * 9.81, rel=1e-3)
    assert row.snapshot.qpos[2] > bench.snapshot.qpos[2] + 1e-6       # one sinks in, the other does not
    bench.wait(lambda: panel.plots.isVisible() and all(course is not None and course.time[-1] >= bench.snapshot.time - 0.003 for course in panel._courses()))
    soft, hard = panel._courses()
    assert soft.overlap.max() > 1e-5 > 1e-7 > hard.overlap.max() and hard.pose[-1] == pytest.approx(row.snapshot.qpos[2] - bench.snapshot.qpos[2], abs=1e-6)
    assert panel.list.topLevelItem(0).text(0).startswith("Soft") and panel.list.topLevelItem(1).text(0).startswith("Hard") and panel.list.topLevelItem(1).text(4).endswith("mm")
    bench.wait(lambda: panel.list.topLevelItem(1).text(5).endswith("us"))
    QTest.mouseClick(panel.start, Qt.MouseButton.LeftButton)
    bench.wait(lambda: companions.rows == [] and panel.start.text() == "Run beside")


@pytest.fixture
def measured(bench):
    """The panel, with courses of both; the other engine does not run any more."""
    bench.press_key(Key.Key_F10)
    companions, panel = bench.application.companions, bench.panel("engines")
    bench.wait(lambda: companions.other_engine is not None and companions.other_engine.snapshot is not None)
    steps(bench, 50)
    bench.wait(lambda: panel.plots.isVisible())
    bench.press_key(Key.Key_F10)
    bench.wait(lambda: companions.rows == [] and panel.list.topLevelItem(1).text(0) == "Hard: was beside")
    assert panel.plots.isVisible() and panel.list.topLevelItem(0).text(1) != NONE       # it stays
    return panel


def test_what_was_measured_gets_no_other_engines_name(bench, measured):
    choose_engine(bench, Engine.HARD)
    bench.wait(lambda: measured.list.topLevelItem(0).text(0) == "Hard: the run")
    assert [measured.list.topLevelItem(k).text(1) for k in range(2)] == [NONE, NONE] and not measured.plots.isVisible()
    assert measured.list.topLevelItem(1).text(0) == "Soft: not running" and measured.note.text() == EMPTY


def test_what_was_measured_goes_with_its_document(bench, measured, tmp_path):
    (tmp_path / "ball.xml").write_text(MODEL.replace('name="box"', 'name="ball"') % "")
    bench.session.open(tmp_path / "ball.xml", run=False)
    bench.wait(lambda: bench.context.model.id("geom", "ball") == 1)
    bench.wait(lambda: measured.note.text() == EMPTY)
    assert measured.list.topLevelItem(1).text(0) == "Hard: not running" and not measured.plots.isVisible()


def test_how_the_other_run_is_seen_is_said_as_it_is(bench):
    companions, panel = bench.application.companions, bench.panel("engines")
    bench.press_key(Key.Key_F10)
    bench.wait(lambda: companions.other_engine is not None)
    panel.apart.setFocus()
    panel.apart.selectAll()
    QTest.keyClicks(panel.apart, "0.5")
    QTest.keyClick(panel.apart, Key.Key_Return)
    assert companions.other_engine.offset == (0.5, 0.0, 0.0)
    companions.show(companions.other_engine, visible=False, beside=True)      # as in the list of companions
    assert panel.view.currentText() == "In a picture of its own"
    companions.put_away(companions.other_engine.companion)
    assert panel.view.currentText() == "Not in the view"
    panel.start.click()
    panel.start.click()     # another one, which stands where it is
    assert companions.other_engine.offset == (0.0, 0.0, 0.0) and panel.apart.number == 0.0 and panel.view.currentText() == "Translucent"


def test_the_other_one_stays_the_other_one(bench):
    companions = bench.application.companions
    bench.press_key(Key.Key_F10)
    bench.wait(lambda: companions.other_engine is not None and companions.other_engine.snapshot is not None and companions.other_engine.snapshot.model.opt_engine == Engine.HARD)
    row = companions.other_engine
    choose_engine(bench, Engine.HARD)
    bench.wait(lambda: bench.context.model.opt.engine == Engine.HARD and row.snapshot.model.opt_engine == Engine.SOFT)
    assert companions.rows == [row] and row.title == "engine soft"


def test_the_status_bar_says_what_was_not_solved_at_once_since_the_last_reset():
    def said(engine, **counts):
        values = dict.fromkeys((ending.field for ending in ENDINGS), 0) | dict(hard_niter=7, hard_looked=0, hard_rv=1e-9, hard_kv=2e-9) | counts
        return engine_text(SimpleNamespace(model=SimpleNamespace(opt_engine=engine), **values))

    assert said(Engine.SOFT) == ("", "", "") and said(Engine.HARD)[::2] == ("hard", "")
    assert said(Engine.HARD, hard_nhalved=3)[::2] == ("hard: 3 halved", "")
    text, tip, level = said(Engine.HARD, hard_nhalved=5, hard_ncoarse=3, hard_neased=2)
    assert (text, level) == ("hard: 3 coarse, 2 eased, 5 halved", "warning") and "2 eased (are coarse as they were solved with less friction)" in tip
    text, tip, level = said(Engine.HARD, hard_nstuck=1000)
    assert (text, level) == ("hard: 1000 stuck", "warning") and "1000 stuck (left an overlap" in tip
    text, tip, level = said(Engine.HARD, hard_nfailed=2, hard_ncoarse=1)
    assert (text, level) == ("hard: 2 failed, 1 coarse", "error") and "7 iterations" in tip


WEDGED = """<mujoco><option timestep=".002"/><worldbody><geom name="left" type="box" pos="-.119 0 0" size=".02 .3 .3"/><geom name="right" type="box" pos=".119 0 0" size=".02 .3 .3"/>
<body name="inner"><joint type="slide" axis="1 0 0"/><geom name="inner" type="box" size=".1 .1 .1" mass="1"/></body></worldbody></mujoco>"""


def test_an_overlap_that_stays_is_shown_in_the_status_bar_and_in_the_panel(workbench, tmp_path):
    physics.ensure_kernels()
    physics.ensure_hard()
    (tmp_path / "wedged.xml").write_text(WEDGED)
    bench = workbench(tmp_path / "wedged.xml", size=(1400, 1000))
    panel = bench.panel("engines")
    choose_engine(bench, Engine.HARD)
    bench.wait(lambda: bench.context.model.opt.engine == Engine.HARD)
    steps(bench, 5)
    bench.wait(lambda: bench.window.status.engine.text() == "hard: 5 stuck")
    bench.wait(lambda: panel.list.topLevelItem(0).text(7) == "5 stuck" and panel.list.topLevelItem(1).text(7) == NONE)
    assert "left an overlap" in bench.window.status.engine.toolTip() and "left an overlap" in panel.list.headerItem().toolTip(7)

"""What works while somebody looks rests behind another tab, where Qt takes a panel for visible, and is up to date at once in front."""
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QDockWidget, QLabel, QMainWindow, QWidget

from app.panels.diagnostics.live_query import LiveQuery
from app.panels.inspector import DATA
from app.panels.inspector import OWNER as INSPECTOR
from app.panels.live_panel import Sight, in_front
from app.panels.watch import OWNER as WATCH
from physics.model.elements import element
from physics.runtime import commands

MODEL = """<mujoco><worldbody><light pos="0 0 3"/><geom name="floor" type="plane" size="3 3 .1"/><body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0" range="-.1 .1" frictionloss=".1"/>
<geom name="rod" type="capsule" size=".04" fromto="0 0 0 .4 0 0"/></body><body name="box" pos="1 0 .099"><freejoint name="root"/><geom name="cube" type="box" size=".1 .1 .1"/></body></worldbody>
<actuator><motor name="motor" joint="hinge"/></actuator><equality><joint name="gear" joint1="hinge"/></equality></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1300, 850))


def front(bench, panel_id):
    """Put a panel in front and wait until docks rest."""
    panel = bench.panel(panel_id)
    bench.wait(lambda: in_front(panel) and not bench.docks._settling)
    bench.qtbot.wait(50)
    return panel


def cover(bench, panel, other):
    """Put another one before it."""
    front(bench, other)
    bench.wait(lambda: panel.visibleRegion().isEmpty())
    assert panel.isVisible()        # for Qt


class Listened:
    """Commands of one kind that were sent since."""

    def __init__(self, bench, monkeypatch, kind):
        self.sent, send = [], bench.runner.send
        monkeypatch.setattr(bench.runner, "send", lambda command: (self.sent.append(command) if isinstance(command, kind) else None, send(command))[1])


def test_sight_follows_tabs_and_hiding(qtbot):
    """Whatever the panel, in a dock or in none."""
    window, told, labels = QMainWindow(), [], [QLabel("one"), QLabel("two")]
    docks = [QDockWidget(f"dock {k}") for k in range(2)]
    for dock, label in zip(docks, labels, strict=True):
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
        dock.setWidget(label)
    window.tabifyDockWidget(*docks)
    window.setCentralWidget(QWidget())
    sight = Sight(labels[0])
    sight.changed.connect(told.append)
    qtbot.addWidget(window)
    window.resize(600, 400)
    window.show()
    qtbot.waitExposed(window)
    for on_top, seen in ((0, True), (1, False), (0, True)):
        docks[on_top].raise_()
        qtbot.waitUntil(lambda seen=seen: in_front(labels[0]) is seen and bool(told) and told[-1] is seen)
    docks[0].hide()
    assert told[-1] is False and not in_front(labels[0])
    docks[0].show()
    docks[0].raise_()
    qtbot.waitUntil(lambda: told[-1] is True)
    assert all(a is not b for a, b in zip(told, told[1:], strict=False))       # each change once
    window.hide()
    assert told[-1] is False
    assert in_front(None)       # what belongs to no widget


def test_nothing_is_traced_watched_or_timed_behind_another_tab(bench):
    watch, inspector, m = front(bench, "watch"), front(bench, "inspector"), bench.context.model
    watch.watch("qfrc_smooth[0]")
    bench.context.select_elements((element(m, "joint", 0),))
    bench.wait(lambda: DATA in inspector._sections)
    inspector._sections[DATA].setExpanded(True)
    assert bench.context.watched.of(INSPECTOR) and not bench.context.watched.of(WATCH)
    cover(bench, inspector, "watch")
    assert bench.context.watched.of(WATCH) and not bench.context.watched.of(INSPECTOR)
    bench.context.select_elements((element(m, "joint", 1),))
    assert "root" not in inspector.title.text()
    front(bench, "inspector")
    assert "root" in inspector.title.text() and bench.context.watched.of(INSPECTOR) and not bench.context.watched.of(WATCH)

    plots = front(bench, "plots")
    plots.add("qpos[0]")
    assert bench.context.traced.of(plots) == ("qpos[0]",)
    cover(bench, plots, "advice")
    control = bench.docks.panels["advice"]._control
    assert bench.context.traced.of(plots) == () and control.seen
    cover(bench, bench.docks.panels["advice"], "profiler")
    assert not control.seen and bench.docks.panels["profiler"]._timing
    cover(bench, bench.docks.panels["profiler"], "plots")
    assert not bench.docks.panels["profiler"]._timing and bench.context.traced.of(plots) == ("qpos[0]",)


@pytest.mark.parametrize("panel_ids", [("contact",), ("constraint", "balance", "measure")], ids=lambda ids: ids[-1])
def test_nobody_asks_the_physics_thread_behind_another_tab(bench, monkeypatch, panel_ids):
    m, visits = bench.context.model, Listened(bench, monkeypatch, commands.Visit)

    def asked(since: int) -> bool:
        return any("LiveQuery" in getattr(one.visitor, "__qualname__", "") for one in visits.sent[since:])

    bench.context.select_elements((element(m, "geom", 0), element(m, "geom", 2)) if panel_ids == ("contact",) else (element(m, "joint", 0),))
    bench.runner.send(commands.Run())
    for panel_id in panel_ids:
        before, panel = len(visits.sent), front(bench, panel_id)
        if panel_id == "measure":
            panel.hold_section.fold(True)
        bench.wait(lambda before=before: asked(before))
    cover(bench, panel, "physics")
    assert not any(in_front(bench.docks.panels[panel_id]) for panel_id in panel_ids)
    bench.qtbot.wait(400)       # what was asked before has its answer
    control = bench.docks.panels["advice"]._control if "advice" in bench.docks.panels else None
    assert control is None or not control.seen
    covered = len(visits.sent)
    bench.pass_time(0.5)
    bench.qtbot.wait(600)
    assert not asked(covered)
    bench.runner.send(commands.Pause())
    bench.wait(lambda: not bench.snapshot.running)
    for panel_id in panel_ids:
        before = len(visits.sent)
        front(bench, panel_id)
        bench.wait(lambda before=before: asked(before))


def test_the_torque_that_holds_is_worked_out_again_in_front(bench):
    panel = front(bench, "measure")
    panel.hold_section.fold(True)
    bench.context.select_elements((element(bench.context.model, "joint", 0),))
    bench.runner.send(commands.Run())
    bench.wait(lambda: panel.hold is not None)
    for _ in range(3):      # the pause between two questions may be under way
        cover(bench, panel, "physics")
        bench.qtbot.wait(300)
        front(bench, "measure")
        before = panel.hold
        bench.wait(lambda before=before: panel.hold is not before)


def test_the_contact_panel_follows_the_selection_in_front_only(bench, monkeypatch):
    panel, m = front(bench, "contact"), bench.context.model
    bench.context.select_elements((element(m, "geom", 0), element(m, "geom", 2)))
    bench.wait(lambda: panel.answer is not None)
    cover(bench, panel, "physics")
    monkeypatch.setattr("app.panels.diagnostics.contact.subject_of", lambda *_: pytest.fail("it works for nobody"))
    bench.context.select_elements((element(m, "geom", 0), element(m, "geom", 1)))
    monkeypatch.undo()
    front(bench, "contact")
    bench.wait(lambda: panel.answer is not None and "rod" in panel.title.text())


def test_a_late_question_is_not_asked_for_nobody(bench, monkeypatch):
    panel = front(bench, "balance")
    query = LiveQuery(bench.context, lambda _m, d: d.time, panel, pause=0.2)
    answers = []
    query.answered.connect(answers.append)
    query.ask()
    bench.wait(lambda: answers)
    query.ask()
    assert query._late.isActive()
    cover(bench, panel, "physics")
    bench.wait(lambda: not query._late.isActive())
    bench.qtbot.wait(100)
    assert len(answers) == 1


def test_the_force_strip_takes_forces_in_front_only(bench):
    panel = front(bench, "constraint")
    bench.context.select_elements((element(bench.context.model, "joint", 0),))
    bench.wait(lambda: panel.answer is not None and panel.answer.element is not None)
    assert set(panel.strip.texts) <= set(bench.context.traced.all) and panel.strip.texts
    cover(bench, panel, "physics")
    assert bench.context.traced.all == ()
    front(bench, "constraint")
    assert set(panel.strip.texts) <= set(bench.context.traced.all)


def test_values_in_panels_are_caught_up(bench):
    physics_panel = front(bench, "physics")
    cover(bench, physics_panel, "constraint")
    shown, show = [], physics_panel.show_values
    physics_panel.show_values = lambda: (shown.append(1), show())
    bench.runner.send(commands.SetOption("timestep", 0.005))
    bench.wait(lambda: bench.context.model.opt_timestep == 0.005)
    bench.qtbot.wait(200)
    assert not shown
    front(bench, "physics")
    assert shown


def test_a_ghost_of_keyframes_goes_when_its_panel_goes_behind(bench):
    panel = front(bench, "keyframes")
    panel._keyframes.add("one")
    key = panel._keyframes.rows()[0].key
    panel._keyframes.show_ghost(key, "50 %")
    assert panel._keyframes.ghosts
    cover(bench, panel, "physics")
    assert not panel._keyframes.ghosts

"""The tuner by real events: what it is about, handles, numbers, materials, where it writes, and that nothing upsets it."""
import threading
import time

import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from app.panels.tuner.figures_table import EFFECTIVE, MEASURED, NOMINAL
from app.panels.tuner.panel import EXPECTED, NEVER, NOTHING
from app.panels.tuner.prediction import quick
from editor.tuning.place import Kind
from physics.model.elements import element
from physics.tuning.law import to_physical
from physics.tuning.presets import PRESETS, solve
from physics.tuning.target import Form
from tests.app.workbench import CTRL, NONE, Button, Key
from tests.journeys.hands import choose_entry, click, write

MODEL = """<mujoco><worldbody><light pos="0 0 3"/>
  <geom name="floor" type="plane" size="5 5 .1"/>
  <body name="ball" pos="0 0 .0999"><freejoint/><geom name="round" size=".1" mass="2"/></body>
  <body name="light" pos="1 0 .0499"><freejoint/><geom name="small" size=".05" mass=".1"/></body>
  <body name="arm" pos="-1 0 1"><joint name="hinge" axis="0 1 0" limited="true" range="-30 10"/><geom name="rod" type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="1"/></body>
</worldbody>{contact}</mujoco>"""
PAIR = '<contact><pair geom1="floor" geom2="round" solref=".02 1" solimp=".9 .95 .001 .5 2"/></contact>'


def opened(workbench, tmp_path, contact=PAIR, text=MODEL):
    path = tmp_path / "model.xml"
    path.write_text(text.format(contact=contact) if "{contact}" in text else text)
    bench = workbench(path, size=(1300, 950))
    panel = bench.panel("tuner")
    bench.wait(panel.isVisible)
    return bench, panel


@pytest.fixture
def bench_and_panel(workbench, tmp_path):
    bench, panel = opened(workbench, tmp_path)
    bench.wait(lambda: panel.row is not None and panel.writing.places)
    return bench, panel


def text_of(bench):
    return bench.session.document.main.text


def grab(panel, name, by, release=True, keys=NONE):
    """Press on a handle and move by so many pixels, in steps."""
    plot = panel.plot
    start = plot.handle_place(name)
    QTest.mousePress(plot, Button.LeftButton, keys, start.toPoint())
    for k in range(1, 5):
        at = QPointF(start.toPoint() + QPoint(by[0] * k // 4, by[1] * k // 4))
        QApplication.sendEvent(plot, QMouseEvent(QMouseEvent.Type.MouseMove, at, QPointF(plot.mapToGlobal(at.toPoint())), Qt.MouseButton.NoButton, Button.LeftButton, keys))
    if release:
        QTest.mouseRelease(plot, Button.LeftButton, keys, (start.toPoint() + QPoint(*by)))


def pair_of(bench):
    m = bench.context.model
    return tuple(m.pair_solref[0].tolist()), tuple(m.pair_solimp[0].tolist())


def test_without_a_selection_it_is_about_the_contact_that_presses_hardest(bench_and_panel):
    bench, panel = bench_and_panel
    assert panel.target.form == Form.CONTACT and {geom.name for geom in panel.target.element.geoms} == {"floor", "round"}
    assert panel.chooser.currentText() == "floor – round" and panel.chooser.count() == 2
    assert panel.parameters.solref == (0.02, 1.0) and panel.parameters.solimp == (0.9, 0.95, 0.001, 0.5, 2.0)
    assert panel.row.inverse_mass == pytest.approx(0.5) and panel.row.a0 == pytest.approx(-9.81)
    bench.context.select_elements([element(bench.context.model, "geom", bench.context.model.id("geom", "small"))])
    bench.wait(lambda: panel.row is not None and panel.row.inverse_mass == pytest.approx(10.0))
    assert panel.chooser.currentText() == "floor – small"


def test_a_limit_is_tuned_by_its_own_attributes(bench_and_panel):
    bench, panel = bench_and_panel
    m = bench.context.model
    bench.context.select_elements([element(m, "joint", m.id("joint", "hinge"))])
    bench.wait(lambda: panel.answer is not None and panel.writing.places)
    assert panel.target.form == Form.LIMIT and panel.note.text() == NEVER and not panel.bar.presets.isEnabled()
    grab(panel, "d0", (0, 30))
    bench.taken_up()
    assert "solimplimit=" in text_of(bench) and tuple(bench.context.model.jnt_solimp[m.id("joint", "hinge")].tolist()) == panel.parameters.solimp


def test_a_handle_that_is_dragged_changes_curve_numbers_text_and_model_at_once(bench_and_panel):
    bench, panel = bench_and_panel
    before, entries = text_of(bench), len(bench.session.document.history.entries)
    depth = panel.quick.rest
    grab(panel, "d0", (0, 40), release=False)
    bench.wait(lambda: panel.parameters.solimp[0] < 0.9 and text_of(bench) != before)
    assert panel.plot.solimp == panel.parameters.solimp
    bench.wait(lambda: panel.quick.rest > depth and panel.solimp.fields[0].number == panel.parameters.solimp[0])      # while the button is down
    assert panel.figures.text("rest depth", EFFECTIVE).endswith("mm")
    bench.wait(lambda: pair_of(bench)[1] == panel.parameters.solimp)      # while the button is down
    QTest.mouseRelease(panel.plot, Button.LeftButton, NONE, panel.plot.handle_place("d0").toPoint())
    bench.taken_up()
    assert len(bench.session.document.history.entries) == entries + 1 and panel.in_force == panel.parameters and not panel.bar.apply.isEnabled()
    assert bench.session.undo()
    bench.taken_up()
    assert text_of(bench) == before
    bench.wait(lambda: panel.parameters.solimp == (0.9, 0.95, 0.001, 0.5, 2.0) and pair_of(bench)[1] == panel.parameters.solimp)


def test_escape_takes_a_drag_back(bench_and_panel):
    bench, panel = bench_and_panel
    before, entries = text_of(bench), len(bench.session.document.history.entries)
    grab(panel, "dwidth", (0, 50), release=False)
    bench.wait(lambda: text_of(bench) != before)
    QTest.keyClick(panel.plot, Key.Key_Escape)
    bench.taken_up()
    assert text_of(bench) == before and len(bench.session.document.history.entries) == entries
    assert panel.parameters.solimp == (0.9, 0.95, 0.001, 0.5, 2.0) == panel.plot.solimp and not panel.plot.held
    QTest.mouseRelease(panel.plot, Button.LeftButton, NONE, QPoint(5, 5))
    assert text_of(bench) == before


def test_notations_are_linked_and_wait_for_apply(bench_and_panel):
    bench, panel = bench_and_panel
    before, fields = text_of(bench), panel.solref.fields
    assert [field.number for field in fields["direct"]] == pytest.approx([2500.0, 100.0])
    write(bench, fields["direct"][0], "10000")
    assert panel.parameters.solref == pytest.approx((-10000.0, -100.0)) and [field.number for field in fields["standard"]] == pytest.approx([0.02, 0.5])
    assert [field.number for field in fields["physical"]] == pytest.approx(to_physical(panel.row, panel.parameters, panel.quick.rest))
    write(bench, fields["standard"][1], "1")
    assert panel.parameters.solref == pytest.approx((0.02, 1.0))
    write(bench, fields["physical"][0], "20000")
    assert to_physical(panel.row, panel.parameters, panel.quick.rest)[0] == pytest.approx(20000, rel=1e-4) and panel.parameters.is_direct
    assert text_of(bench) == before and panel.bar.apply.isEnabled()
    click(panel.bar.apply)
    bench.taken_up()
    assert text_of(bench) != before and pair_of(bench)[0] == pytest.approx(panel.parameters.solref) and not panel.bar.apply.isEnabled()
    bench.press_key(Key.Key_Z, CTRL)
    bench.wait(lambda: text_of(bench) == before)
    bench.wait(lambda: panel.parameters.solref == (0.02, 1.0))


def test_a_material_is_solved_for_this_contact_and_applied(bench_and_panel):
    bench, panel = bench_and_panel
    panel.bar.menu.popup(panel.bar.presets.mapToGlobal(panel.bar.presets.rect().bottomLeft()))
    bench.wait(panel.bar.menu.isVisible)
    choose_entry(bench, panel.bar.menu, "Rubber")
    bench.wait(lambda: panel.bar.apply.isEnabled())
    wanted = solve(PRESETS["rubber"], panel.row).parameters
    assert panel.parameters.solref == pytest.approx(wanted.solref, rel=1e-5) and panel.parameters.solimp == pytest.approx(wanted.solimp, rel=1e-6)
    bench.wait(lambda: panel.full is not None and panel.full.response.impacts.mean > 0.5)
    assert panel.figures.text("restitution", EFFECTIVE).count("±") == 1 and panel.figures.text("restitution", NOMINAL) != "–"
    bench.wait(lambda: "drops at 2 m/s in the engine" in panel.note.text())
    assert "restitution 0.80" in panel.note.text() and "under 1 g 0.5 mm (wanted 0.5 mm)" in panel.note.text()
    click(panel.bar.apply)
    bench.taken_up()
    assert pair_of(bench) == (pytest.approx(panel.parameters.solref), pytest.approx(panel.parameters.solimp))


def test_without_a_pair_one_is_made_and_written_to_from_then_on(workbench, tmp_path):
    bench, panel = opened(workbench, tmp_path, contact="")
    bench.wait(lambda: panel.row is not None and panel.writing.places)
    assert panel.writing.place.kind == Kind.NEW_PAIR and not panel.bar.follow.isEnabled() and "nothing else" in panel.bar.told.text()
    both = next(k for k, place in enumerate(panel.writing.places) if place.kind == Kind.BOTH)
    panel.writing.choose(both)
    assert "geom small" in panel.bar.told.text() and panel.bar.follow.isEnabled()      # the floor's other contact changes, too
    panel.writing.choose(0)
    before = text_of(bench)
    grab(panel, "d0", (0, 40))
    assert text_of(bench) == before and panel.bar.apply.isEnabled()       # the place is not there yet
    click(panel.bar.apply)
    bench.wait(lambda: bench.context.model.npair == 1)
    assert "<pair" in text_of(bench)
    bench.wait(lambda: panel.writing.place is not None and panel.writing.place.kind == Kind.PAIR)
    bench.wait(lambda: panel.in_force == panel.parameters and panel.parameters.solimp[0] < 0.9)
    assert tuple(bench.context.model.pair_solimp[0].tolist()) == pytest.approx(panel.parameters.solimp)
    assert bench.session.undo() and text_of(bench) == before


def test_what_is_measured_is_what_is_predicted(bench_and_panel):
    bench, panel = bench_and_panel
    bench.press_key(Key.Key_Space)
    bench.pass_time(0.6)
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: panel.measuring.measured is not None and panel.measuring.measured.settling is not None)
    bench.wait(lambda: panel.figures.text("rest depth", MEASURED) != "–")
    assert panel.measuring.measured.touching and panel.figures.text("force at rest", EFFECTIVE) == "19.62 N"
    assert panel.measuring.measured.settling.force == pytest.approx(2 * 9.81, rel=0.01)
    assert panel.measuring.measured.settling.depth == pytest.approx(panel.quick.rest, rel=0.05)
    assert panel.plot.trail and panel.plot.trail[-1] == pytest.approx(panel.quick.rest, rel=0.05)
    assert "Pair" in panel.why.text() and panel.why.text().startswith("solref")


def test_out_of_sight_it_asks_nothing(bench_and_panel, monkeypatch):
    bench, panel = bench_and_panel
    bench.panel("controls")
    bench.wait(lambda: not panel.seen)
    asked = []
    monkeypatch.setattr("app.panels.tuner.panel.answer", lambda *given: asked.append(given))
    monkeypatch.setattr("app.panels.tuner.replayed_states.ReplayedStates.work", lambda *given: asked.append(given))
    predicted = []
    monkeypatch.setattr("app.panels.tuner.prediction.quick", lambda *given: (predicted.append(given), quick(*given))[1])
    bench.press_key(Key.Key_Space)
    bench.pass_time(0.3)
    bench.press_key(Key.Key_Space)
    assert not asked and not predicted and not panel.writing.busy


def test_models_that_come_and_go_do_not_upset_it(bench_and_panel):
    bench, panel = bench_and_panel
    grab(panel, "d0", (0, 40), release=False)
    bench.session.reload()
    bench.taken_up()
    QTest.mouseRelease(panel.plot, Button.LeftButton, NONE, QPoint(50, 50))
    bench.taken_up()
    bench.wait(lambda: panel.row is not None)
    bench.session.new("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>", run=False)
    bench.wait(lambda: bench.context.model.ngeom == 1 and panel.target is None and panel.note.text() == NOTHING)
    assert not panel.bar.isVisible() and not panel.sections["What it does"].isVisible()
    bench.session.new(MODEL.format(contact=PAIR), run=False)
    bench.wait(lambda: panel.row is not None and panel.parameters is not None)
    grab(panel, "d0", (0, 40), release=False)
    bench.session.new("<mujoco/>", run=False)
    bench.wait(lambda: bench.context.model.ngeom == 0 and panel.target is None)
    assert not panel.plot.held and panel.plot.solimp is None


def test_a_window_that_closes_during_a_drag(bench_and_panel):
    bench, panel = bench_and_panel
    grab(panel, "d0", (0, 40), release=False)
    bench.close()


def test_the_tune_workspace_has_it_on_top(workbench, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(MODEL.format(contact=PAIR))
    bench = workbench(path, size=(1400, 950))
    bench.press_key(Key.Key_4, CTRL)
    bench.wait(lambda: "tuner" in bench.docks.panels and bench.docks.panels["tuner"].seen)
    assert bench.context.options["contact_point"] and bench.window.top_bar.tabs.currentIndex() == 3


def test_what_presses_harder_takes_over_until_somebody_has_chosen(workbench, tmp_path):
    bench, panel = opened(workbench, tmp_path, text=MODEL.format(contact=PAIR).replace('"0 0 .0999"', '"0 0 .2"'))
    bench.wait(lambda: panel.row is not None)
    assert panel.chooser.currentText() == "floor – small"
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: panel.chooser.currentText() == "floor – round")
    m = bench.context.model
    bench.context.select_elements([element(m, "geom", m.id("geom", "small"))])
    bench.context.select_nothing()
    bench.pass_time(1.0)
    assert panel.chooser.currentText() == "floor – small"


def test_bounces_are_measured(workbench, tmp_path):
    bench, panel = opened(workbench, tmp_path, text=MODEL.format(contact=PAIR.replace(".02 1", "-10000 -20")).replace('"0 0 .0999"', '"0 0 .3"'))
    m = bench.context.model
    bench.context.select_elements([element(m, "geom", m.id("geom", "floor")), element(m, "geom", m.id("geom", "round"))])
    bench.wait(lambda: panel.parameters is not None)
    bench.press_key(Key.Key_Space)
    bench.pass_time(0.7)
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: panel.measuring.measured is not None and panel.measuring.measured.bounces)
    first = panel.measuring.measured.bounces[0]
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: panel.row is not None)       # in flight there is none: answers may have met no touch so far
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: panel.full is not None and panel.figures.text("restitution", MEASURED) != "–")
    assert first == pytest.approx(panel.full.response.impacts.mean, abs=0.08)


def test_a_ball_in_the_air_is_tuned_as_it_will_touch(workbench, tmp_path):
    bench, panel = opened(workbench, tmp_path, text=MODEL.format(contact=PAIR).replace('"0 0 .0999"', '"0 0 .3"'))
    m = bench.context.model
    bench.context.select_elements([element(m, "geom", m.id("geom", "floor")), element(m, "geom", m.id("geom", "round"))])
    bench.wait(lambda: panel.row is not None and panel.note.text() == EXPECTED)
    expected = panel.row
    assert expected.inverse_mass == pytest.approx(0.5) and expected.load() == pytest.approx(-9.81) and panel.bar.presets.isEnabled() and panel.quick.rest > 0
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: panel.answer.state is not None and panel.note.text() == "")
    bench.press_key(Key.Key_Space)
    assert panel.row.inverse_mass == pytest.approx(0.5, rel=1e-3) and panel.row.factor == pytest.approx(expected.factor, rel=1e-3)


EQUALITY = """<mujoco><option integrator="{integrator}"/><worldbody><body name="a" pos="0 0 1"><freejoint/><geom size=".1" mass="1"/></body></worldbody>
  <equality><connect name="hook" body1="a" body2="world" anchor="0 0 .1"/></equality></mujoco>"""


@pytest.mark.parametrize("integrator", ["Euler", "discrete"])
def test_an_equality_pushes_both_ways(workbench, tmp_path, integrator):
    bench, panel = opened(workbench, tmp_path, text=EQUALITY.format(integrator=integrator))
    m = bench.context.model
    bench.wait(lambda: panel.note.text() == NOTHING)
    bench.context.select_elements([element(m, "equality", 0)])
    bench.wait(lambda: panel.row is not None and panel.writing.places)
    assert panel.target.form == Form.EQUALITY and not panel.sections["Predicted impact"].isVisible() and panel.sections["What it does"].isVisible()
    write(bench, panel.solref.fields["physical"][0], "50000")
    assert ("discrete" in panel.note.text()) is (integrator == "discrete") is (panel.parameters.solref == (0.02, 1.0))
    grab(panel, "dwidth", (0, 30))
    bench.taken_up()
    assert tuple(bench.context.model.eq_solimp[0].tolist()) == panel.parameters.solimp and tuple(bench.context.model.eq_solref[0].tolist()) == pytest.approx(panel.parameters.solref)


def test_larger_texts_reach_the_figures(bench_and_panel):
    _bench, panel = bench_and_panel
    table = panel.figures
    width, height = table.header().sectionSize(1), table.sizeHintForRow(0)
    font = table.font()
    font.setPointSizeF(2 * font.pointSizeF())
    table.setFont(font)
    assert table.header().sectionSize(1) > width and table.sizeHintForRow(0) > height


def test_the_search_for_places_ends_when_another_document_is_opened(bench_and_panel, monkeypatch):
    bench, panel = bench_and_panel
    begun, ended = threading.Event(), threading.Event()

    def endless(*_given, stop):
        begun.set()
        until = time.monotonic() + 60
        while not stop() and time.monotonic() < until:
            time.sleep(0.002)
        ended.set() if stop() else None
        return ()

    monkeypatch.setattr("app.panels.tuner.writing.places", endless)
    bench.context.select_elements([element(bench.context.model, "geom", bench.context.model.id("geom", "small"))])
    bench.wait(begun.is_set)
    bench.session.new()
    bench.wait(ended.is_set)

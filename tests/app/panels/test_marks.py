"""Values that differ from the file are marked where they are set, and reverted there."""
import pytest
from PyQt6.QtGui import QContextMenuEvent
from PyQt6.QtWidgets import QApplication, QMenu

from editor.widgets.changed_mark import ChangedMark
from physics.enums import DisableBit, Integrator
from physics.runtime import commands

MODEL = """<mujoco>
  <option gravity="0 0 -9.5"/>
  <worldbody><body><joint name="elbow"/><geom size=".1"/></body></worldbody>
  <actuator><motor joint="elbow" group="2"/></actuator>
  <keyframe><key name="home"/></keyframe>
</mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1000, 700))


def marked(panel) -> set[str]:
    """What the file has of the marked values."""
    return {mark.text for mark in panel.findChildren(ChangedMark) if mark.changed}


def open_menu(mark: ChangedMark) -> QMenu:
    """Right-click on a mark."""
    at = mark.rect().center()
    QApplication.sendEvent(mark, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, mark.mapToGlobal(at)))
    return mark.findChild(QMenu)


def test_values_set_in_the_panel_are_marked_and_reverted_one_by_one_or_by_section(bench):
    panel, option = bench.panel("physics"), bench.context.model.opt
    assert marked(panel) == set()
    panel.numbers["gravity", 2].edited.emit(-1.5)
    panel.numbers["density", 0].edited.emit(2.0)
    bench.wait(lambda: marked(panel) == {"0 0 -9.5", "0"})
    box = panel.choices["integrator"]
    box.setCurrentIndex(box.findData(int(Integrator.IMPLICITFAST)))
    box.activated.emit(box.currentIndex())
    panel.flags["disable", int(DisableBit.CONTACT)].click()
    panel.sliders["o_solref", 0].enter(0.05)
    panel.groups[2].click()
    bench.wait(lambda: marked(panel) == {"0 0 -9.5", "0", "euler", "off", "0.02", "group 2 on"})
    gravity = next(mark for mark in panel.findChildren(ChangedMark) if mark.text == "0 0 -9.5")
    menu = open_menu(gravity)
    menu.actions()[0].trigger()
    bench.wait(lambda: option.gravity[2] == -9.5 and marked(panel) == {"0", "euler", "off", "0.02", "group 2 on"})
    density = next(mark for mark in panel.findChildren(ChangedMark) if mark.text == "0")
    panel.numbers["gravity", 0].edited.emit(3.0)
    bench.wait(lambda: "0 0 -9.5" in marked(panel))
    open_menu(density).actions()[1].trigger()
    bench.wait(lambda: option.gravity[0] == 0 and option.density == 0 and marked(panel) == {"euler", "off", "0.02", "group 2 on"})
    menus = [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QMenu) and widget.isVisible()]
    for menu in menus:
        menu.close()


def test_marks_outlive_a_text_edit_and_go_when_the_text_says_the_same(bench):
    panel, session = bench.panel("physics"), bench.session
    panel.numbers["gravity", 2].edited.emit(-1.5)
    bench.wait(lambda: marked(panel) == {"0 0 -9.5"})
    for changed in ('size=".2"', 'size=".2" contype="3"'):      # written into the model, compiled
        session.set_text(session.document.key, MODEL.replace('size=".1"', changed))
        session.apply()
        bench.taken_up()
        assert bench.context.model.opt.gravity[2] == -1.5
        bench.wait(lambda: marked(panel) == {"0 0 -9.5"})
    session.set_text(session.document.key, MODEL.replace("-9.5", "-1.5"))
    session.apply()
    bench.taken_up()
    bench.wait(lambda: marked(panel) == set())


def test_a_panel_that_is_opened_while_paused_shows_its_marks(bench):
    bench.runner.send(commands.SetOption("density", 3.0))
    bench.wait(lambda: bench.snapshot.changed_values)
    bench.panel("controls")
    panel = bench.panel("physics")
    bench.wait(lambda: marked(panel) == {"0"})


def test_keyframes_that_were_stored_are_marked_beside_their_chooser(bench):
    mark = bench.window.timeline.key_mark
    assert not mark.changed
    bench.panel("joints").rows[0].enter(0.4)
    bench.wait(lambda: bench.snapshot.qpos[0] == 0.4)
    bench.runner.send(commands.SaveKey(0))
    bench.wait(lambda: "home" in mark.text)
    open_menu(mark).actions()[0].trigger()
    bench.wait(lambda: not mark.changed and bench.context.model.key_qpos[0, 0] == 0)
    for menu in QApplication.topLevelWidgets():
        if isinstance(menu, QMenu):
            menu.close()

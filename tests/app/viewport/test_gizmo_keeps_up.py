"""Gizmos keep up with what changes under them: texts that are being written, elements that are gone, copies that float, keys that are let go of while the pointer rests."""
import numpy as np
import pytest
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtTest import QTest

from editor.edits.patch import Edit, Patch
from editor.tools.handles import pixels
from editor.tools.subject import Moment
from tests.app.viewport.test_gizmo_tool import begin, entries, let_go, place_of, press, select, tool_of
from tests.app.workbench import CTRL, NONE, SHIFT, Button, Key
from tests.journeys.hands import at

ALT = Qt.KeyboardModifier.AltModifier
SCENE = """<mujoco model="copies"><option gravity="0 0 0"/><statistic center="0 .3 .3" extent="2"/><visual><global azimuth="110" elevation="-20"/></visual>
  <worldbody>
    <light pos="0 -2 4" dir="0 .3 -1"/>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <geom name="block" type="box" size=".1 .1 .1" pos=".5 -.4 .3"/>
    <geom name="other" type="box" size=".1 .1 .1" pos="-.5 -.4 .3"/>
    <replicate count="3" offset="0 .4 0" sep="_"><body name="ball" pos="0 .2 .3"><freejoint/><geom name="ball" size=".08"/></body></replicate>
  </worldbody>
  <contact><pair geom1="block" geom2="floor"/></contact>
</mujoco>
"""


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "copies.xml"
    path.write_text(SCENE)
    made = workbench(path, size=(1100, 760))
    made.pictures(3)
    made.wait(lambda: not made.session._compiler.busy)
    return made


def text_of(bench) -> str:
    return bench.session.document.main.text


def write(bench, old: str, new: str) -> None:
    """Change the text as somebody who types does, and wait until that is compiled."""
    document = bench.session.document
    start = document.main.text.index(old)
    bench.session.edit(Edit("typed", (Patch(document.main_key, start, start + len(old), new),)))
    bench.wait(lambda: not bench.session._compiler.busy and bench.session._untaken is None)
    bench.pictures(2)


def places(bench) -> np.ndarray:
    m = bench.context.model
    return np.array([bench.snapshot.xpos[m.id("body", f"ball_{k}")] for k in range(3)])


def arrow(bench) -> QPointF:
    """Where the arrow along y of what is dragged is."""
    tool, picture = tool_of(bench), bench.viewport.picture
    gizmo = tool._gizmo(tool._subjects(picture.snapshot))
    assert gizmo.active.part is not None
    handle = next(one for one in gizmo.handles(Moment(picture.snapshot.model, picture.snapshot), picture.view, tool._size()) if one.what == ("move", (1,)))
    return QPointF(*pixels(handle, picture.view, tool._size())[-1])


def along_y(bench) -> QPointF:
    """Some pixels of the view along y."""
    way = at(bench, (0.0, 1.1, 0.3)) - at(bench, (0.0, 1.0, 0.3))
    return way * (8.0 / float(np.hypot(way.x(), way.y())))


def test_copies_that_float_go_along_with_their_spacing_and_back(bench):
    m = bench.context.model
    select(bench, "geom", "ball_2")
    begin(bench)
    bench.wait(lambda: tool_of(bench).strip.aims["spacing"].isVisible())
    QTest.mouseClick(tool_of(bench).strip.aims["spacing"], Button.LeftButton)
    tool_of(bench).strip.orientation.setCurrentIndex(tool_of(bench).strip.orientation.findData("world"))
    tool_of(bench).strip.orientation.activated.emit(0)
    bench.pictures(2)
    before = places(bench)
    place = arrow(bench)
    for how in ("kept", "taken back"):
        QTest.mousePress(bench.host, Button.LeftButton, NONE, place.toPoint())
        assert tool_of(bench).running is not None
        way = along_y(bench)
        for k in range(1, 6):
            bench.move(place + way * k)
            bench.pictures(2)
        if how == "taken back":
            QTest.keyClick(bench.host, Key.Key_Escape)
            QTest.mouseRelease(bench.host, Button.LeftButton, NONE, place.toPoint())
        else:
            let_go(bench, place + way * 5)
            offset = float(text_of(bench).split('offset="')[1].split('"')[0].split()[1])
            assert offset > 0.45
            bench.wait(lambda: np.allclose(places(bench)[:, 1], before[:, 1] + np.arange(3) * (offset - 0.4), atol=2e-3))
            bench.session.undo()
        bench.wait(lambda: np.allclose(places(bench), before, atol=1e-9))
        bench.wait(lambda: not bench.session._compiler.busy)
        bench.pictures(2)
        assert text_of(bench) == SCENE and bench.context.model.nbody == m.nbody


@pytest.mark.parametrize(("old", "new", "said"), [
    ('<geom name="block" type="box" size=".1 .1 .1" pos=".5 -.4 .3"/>\n', "", "not in the text any more"),        # the pair is about it: no model comes of this
    ('size=".1 .1 .1" pos=".5 -.4 .3"', 'size=".1 .1 .1"  pos=".5 -.4 .3" xyaxes="1 0 0 1 0 0"', "no direction")])
def test_what_the_text_does_not_have_any_more_is_not_dragged(bench, old, new, said):
    select(bench, "geom", "block")
    begin(bench)
    place = place_of(bench, ("move", (2,)))
    write(bench, old, new)
    wrong, model = text_of(bench), bench.context.model
    assert bench.session.issues and model.id("geom", "block") >= 0, "the model before runs on"
    QTest.mousePress(bench.host, Button.LeftButton, NONE, place.toPoint())
    assert tool_of(bench).running is None
    bench.move(place + QPointF(0, -30))
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, (place + QPointF(0, -30)).toPoint())
    bench.pictures(2)
    assert text_of(bench) == wrong and said in tool_of(bench).strip.note.text()
    bench.session.undo()
    bench.wait(lambda: not bench.session._compiler.busy)
    bench.pictures(2)
    place = press(bench, ("move", (2,)))
    bench.move(place + QPointF(0, -30))
    let_go(bench, place + QPointF(0, -30))
    assert entries(bench) == ["Move geom block"]


def test_a_copy_is_selected_while_the_tag_of_its_replicate_is_being_written(bench):
    select(bench, "geom", "other")
    begin(bench)
    write(bench, 'count="3" offset', 'count="3 offset')
    assert bench.session.document.version().root is None
    select(bench, "geom", "ball_1")
    bench.pictures(2)       # whatever is raised by painting ends the test
    strip = tool_of(bench).strip
    assert not strip.aims["spacing"].isVisible() and strip.isVisible()
    bench.session.undo()
    bench.wait(lambda: not bench.session._compiler.busy)
    bench.wait(lambda: strip.aims["spacing"].isVisible())


def test_ctrl_snaps_and_lets_go_while_the_pointer_rests(bench):
    select(bench, "geom", "block")
    begin(bench, Key.Key_R)
    place = press(bench, ("turn", 2))
    bench.move(place + QPointF(30, 25))

    def angle() -> float:
        return float(tool_of(bench).running.motion.texts[0].rstrip("\N{DEGREE SIGN}"))

    free = angle()
    assert free % 15
    QTest.keyPress(bench.host, Key.Key_Control)
    assert angle() % 15 == 0
    QTest.keyRelease(bench.host, Key.Key_Control, CTRL)
    assert angle() == free
    QTest.keyPress(bench.host, Key.Key_Control)
    let_go(bench, place + QPointF(30, 25), CTRL)
    assert "Turn geom block" in entries(bench)


def test_alt_that_is_let_go_of_while_the_pointer_rests_leaves_the_copies_alone(bench):
    select(bench, "geom", "ball_1")
    begin(bench)
    tool = tool_of(bench)
    bench.move(QPointF(200, 200), button=Button.NoButton)
    QTest.keyPress(bench.host, Key.Key_Alt)
    bench.pictures(2)
    assert tool.strip.aims["spacing"].isChecked()
    QTest.keyRelease(bench.host, Key.Key_Alt, ALT)
    bench.pictures(2)
    assert not tool.strip.aims["spacing"].isChecked()
    QTest.keyClick(bench.host, Key.Key_G)
    bench.move(QPointF(230, 180), button=Button.NoButton)
    bench.pictures(2)
    assert tool.running is not None and 'offset="0 .4 0"' in text_of(bench)
    QTest.keyClick(bench.host, Key.Key_Escape)
    assert text_of(bench) == SCENE


def test_ctrl_snaps_what_is_created_while_the_pointer_rests(bench, tmp_path):
    bench.press_key(Key.Key_A, SHIFT)
    bench.settled()
    bench.pictures(2)
    a, b = at(bench, (0.6, -1.2, 0.0)), at(bench, (0.93, -1.57, 0.0))
    QTest.mousePress(bench.host, Button.LeftButton, NONE, a.toPoint())
    bench.move(b)
    free = tool_of(bench).creation.text
    QTest.keyPress(bench.host, Key.Key_Control)
    assert tool_of(bench).creation.exact and tool_of(bench).creation.text != free
    QTest.keyRelease(bench.host, Key.Key_Control, CTRL)
    assert tool_of(bench).creation.text == free
    other = tmp_path / "other.xml"
    other.write_text("<mujoco><worldbody><geom name='g' size='.1'/></worldbody></mujoco>")
    bench.session.open(other)       # dropped meanwhile
    bench.wait(lambda: bench.context.model.ngeom == 1)
    assert tool_of(bench).creation is None, "what was drawn was for the document before"
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, b.toPoint())
    assert "box" not in text_of(bench)

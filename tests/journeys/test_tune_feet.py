"""A quadruped's feet made four times as stiff through the Tuner, and no other contact changed: judged by the official engine, which compiles the texts of before and after."""
import shutil

import mujoco
import numpy as np
import pytest
from PyQt6.QtWidgets import QScrollArea

from app.panels.tuner.notations import physical
from assets.locate import bundled_model
from editor.tuning.place import Kind
from physics.model.elements import element
from tests.app.workbench import CTRL, Key
from tests.journeys.hands import click, strike, write

FEET = tuple(f"{end}_{side}_foot" for end in ("front", "rear") for side in ("left", "right"))


@pytest.fixture
def bench(workbench, tmp_path):
    shutil.copytree(bundled_model("quadruped.xml").parent, tmp_path / "models")
    return workbench(tmp_path / "models" / "quadruped.xml", size=(1500, 1100))


def into_sight(bench, widget):
    area = widget.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    if area is not None:
        area.ensureWidgetVisible(widget)
    bench.wait(lambda: widget.visibleRegion().contains(widget.rect().center()))


def contacts(path):
    """{names of both geoms: (solref, solimp)} of all contacts while the robot lies on its side, and while it stands."""
    m = mujoco.MjModel.from_xml_path(str(path))
    d, found = mujoco.MjData(m), {}
    for height, turn in ((0.3, (1, 0, 0, 0)), (0.05, (1, 0, 0, 0)), (0.05, (0.7, 0.7, 0, 0)), (0.05, (0, 1, 0, 0))):
        mujoco.mj_resetData(m, d)
        d.qpos[2], d.qpos[3:7] = height, turn
        mujoco.mj_forward(m, d)
        for one in d.contact:
            names = frozenset(mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_GEOM, int(g)) or str(g) for g in one.geom)
            found[names] = (*one.solref, *one.solimp)
    return found, m


def test_feet_made_four_times_as_stiff_and_nothing_else(bench, tmp_path):
    path, m = tmp_path / "models" / "quadruped.xml", bench.context.model
    before, official = contacts(path)
    text = bench.session.document.main.text
    bench.press_key(Key.Key_4, CTRL)
    bench.wait(lambda: "tuner" in bench.docks.panels and bench.docks.panels["tuner"].seen)
    panel = bench.docks.panels["tuner"]
    # stand, then look at what a foot's contact is
    bench.press_key(Key.Key_Space)
    bench.pass_time(1.0)
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running)
    bench.context.select_elements([element(m, "geom", m.id("geom", FEET[0]))])
    bench.wait(lambda: panel.row is not None and panel.writing.places and {geom.name for geom in panel.target.element.geoms} == {"floor", FEET[0]})
    spring, place = physical(panel.row, panel.parameters)[0], panel.bar.place
    # the class of feet is where it is said
    k = next(k for k, one in enumerate(panel.writing.places) if one.kind == Kind.CLASS and one.class_name == "foot")
    into_sight(bench, place)
    click(place)
    bench.wait(place.view().isVisible)
    strike(Key.Key_Home)
    for _ in range(k - sum(bool(one.refusal) for one in panel.writing.places[:k])):
        strike(Key.Key_Down)
    strike(Key.Key_Return)
    bench.wait(lambda: panel.writing.place is not None and panel.writing.place.class_name == "foot")
    field = panel.solref.fields["physical"][0]
    into_sight(bench, field)
    write(bench, field, f"{4 * spring:.9g}")
    assert physical(panel.row, panel.parameters)[0] == pytest.approx(4 * spring, rel=1e-4)
    into_sight(bench, panel.bar.apply)
    click(panel.bar.apply)
    bench.taken_up()
    # in the file it stands in the class, and nowhere else
    after_text = bench.session.document.main.text
    changed = [line for line in after_text.splitlines() if line not in text.splitlines()]
    assert len(changed) == 1 and 'class="foot"' in changed[0] and "solref=" in changed[0] and len(after_text.splitlines()) == len(text.splitlines())
    edited = path.with_name("edited.xml")
    edited.write_text(after_text)
    after, again = contacts(edited)
    assert set(before) == set(after) and len([names for names in before if names & set(FEET)]) >= 4 and len([names for names in before if not names & set(FEET)]) >= 4
    for names, values in before.items():
        if names & set(FEET):
            assert after[names][:2] == pytest.approx(panel.parameters.solref) and after[names][2:] == pytest.approx(values[2:])
        else:
            assert after[names] == values, names
    feet = [mujoco.mj_name2id(official, mujoco.mjtObj.mjOBJ_GEOM, name) for name in FEET]
    others = np.setdiff1d(np.arange(official.ngeom), feet)
    assert np.array_equal(official.geom_solref[others], again.geom_solref[others]) and np.array_equal(official.geom_solimp, again.geom_solimp)
    # one undo takes all of it back
    bench.press_key(Key.Key_Z, CTRL)
    bench.taken_up()
    assert bench.session.document.main.text == text

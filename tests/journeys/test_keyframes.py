"""A pose of a robot becomes a keyframe, its mirror image another, and both part of the text, by clicks and keys."""
import numpy as np
import pytest
from PyQt6.QtTest import QTest

import physics
from app.panels.posing.keyframes import ROW
from assets.locate import bundled_model
from physics.runtime import commands
from tests.app.workbench import CTRL, NONE, Button, Key
from tests.journeys.hands import click, from_palette, strike


@pytest.fixture
def bench(workbench, tmp_path):
    text = bundled_model("humanoid.xml").read_text()
    path = tmp_path / "humanoid.xml"
    for folder in ("common",):
        there = bundled_model("humanoid.xml").parent / folder
        if there.is_dir():
            (tmp_path / folder).symlink_to(there)
    path.write_text(text)
    bench = workbench(path, size=(1500, 950))
    strike(Key.Key_2, CTRL)     # Inspect
    bench.pictures()
    return bench


def names(panel):
    return [panel.list.item(k).text() for k in range(panel.list.count())]


def choose(panel, *rows):
    """Clicks on rows of the list, the others with Ctrl."""
    for k, row in enumerate(rows):
        panel.list.scrollToItem(panel.list.item(row))
        at = panel.list.visualItemRect(panel.list.item(row)).center()
        QTest.mouseClick(panel.list.viewport(), Button.LeftButton, CTRL if k else NONE, at)


def test_a_pose_its_mirror_image_and_the_text(bench):
    from_palette(bench, "Panel Keyframes")
    bench.wait(lambda: "keyframes" in bench.docks.panels and not bench.docks.panels["keyframes"].visibleRegion().isEmpty())
    panel = bench.docks.panels["keyframes"]
    m = bench.context.model
    before = panel.list.count()
    adr = int(m.jnt_qposadr[next(j for j in range(m.njnt) if "left" in m.names["joint"][j] or m.names["joint"][j].endswith("_l"))])
    bench.runner.send(commands.SetQpos(adr, 0.6))
    bench.wait(lambda: bench.snapshot.qpos[adr] == 0.6)
    click(panel.new)
    bench.wait(lambda: panel.list.count() == before + 1)
    choose(panel, before)
    click(panel.mirror)
    bench.wait(lambda: panel.list.count() == before + 2)
    assert names(panel)[before:] == ["keyframe", "keyframe_mirrored"]
    pose, image = (panel.list.item(before + k).data(ROW).key for k in range(2))
    assert image.qpos[adr] != 0.6 and (np.abs(image.qpos) == 0.6).sum() == 1

    choose(panel, before, before + 1)       # between the two
    panel.blend.setFocus()
    for _ in range(50):
        QTest.keyClick(panel.blend, Key.Key_Right)
    middle = physics.blend_keyframes(m, pose, image, 0.5)
    bench.wait(lambda: np.allclose(bench.snapshot.qpos, middle.qpos))

    for k in range(2):
        choose(panel, names(panel).index(("keyframe", "keyframe_mirrored")[k]))
        nkey = bench.context.model.nkey
        click(panel.write)
        bench.wait(lambda nkey=nkey: bench.context.model.nkey == nkey + 1)
        bench.panel("keyframes")
        bench.wait(lambda: panel.list.count() == before + 2)
    m = bench.context.model
    for name, key in (("keyframe", pose), ("keyframe_mirrored", image)):
        assert np.allclose(m.key_qpos[m.id("key", name)], key.qpos, atol=1e-8)
    assert all(panel.list.item(k).data(ROW).own is None for k in range(panel.list.count()))
    choose(panel, names(panel).index("keyframe"))
    click(panel.go)
    bench.wait(lambda: np.allclose(bench.snapshot.qpos, pose.qpos, atol=1e-8))
    editor = bench.source.editor()
    editor.setFocus()
    bench.wait(editor.hasFocus)
    QTest.keyClick(editor, Key.Key_Z, CTRL)
    QTest.keyClick(editor, Key.Key_Z, CTRL)
    bench.wait(lambda: bench.context.model.nkey == m.nkey - 2)
    assert not bench.session.modified

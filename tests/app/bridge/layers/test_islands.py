"""Islands as our own engine finds them, and their colours."""
import mujoco
import numpy as np
import pytest

import physics
from app.bridge import VisOptions, build_scene
from app.bridge.layers.islands import body_colours, halton, rgb_of, tree_islands
from app.bridge.model_visuals import ModelVisuals
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene

PILES = """
<mujoco>
  <option><flag sleep="%s" island="%s" contact="%s"/></option>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="low" pos="0 0 .1"><freejoint/><geom name="low" type="box" size=".1 .1 .1" rgba="1 0 0 .5"/></body>
    <body name="high" pos="0 0 .299"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="flying" pos="2 0 3"><freejoint/><geom size=".1"/></body>
    <body name="resting" pos="1 0 .0999"><freejoint/><geom type="box" size=".1 .1 .1"/><body><geom size=".02" pos="0 0 .2"/></body></body>
  </worldbody>
</mujoco>"""


def moment(sleep="disable", island="enable", contact="enable", seconds=0.02):
    physics.ensure_kernels()
    m = physics.load_string(PILES % (sleep, island, contact))
    d = physics.Data(m)
    physics.step(m, d, int(seconds / m.opt_timestep))
    physics.forward(m, d)
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    return m, d, snapshot


def geom_colours(m, snapshot):
    options = VisOptions()
    options["island"] = True
    g = build_scene(ModelVisuals(m), snapshot, options, Scene()).geoms
    mine = g.view("objtype") == shapes.OBJ_GEOM
    return {int(i): c for i, c in zip(g.view("objid")[mine], g.view("rgba")[mine], strict=True)}


def test_the_snapshot_carries_the_islands_of_the_data():
    m, d, snapshot = moment()
    assert tree_islands(m, snapshot).tolist() == d.tree_island.tolist() == [0, 0, -1, 1]


def test_one_colour_per_island_and_grey_for_what_nothing_holds():
    m, _d, snapshot = moment()
    rgba = geom_colours(m, snapshot)
    assert np.array_equal(rgba[1], rgba[2]) and np.array_equal(rgba[4], rgba[5])   # a pile; a body and what is welded to it
    assert np.allclose(rgba[3], (0.7, 0.7, 0.7, 1)) and rgba[1][3] == 1
    assert not np.allclose(rgba[1], rgba[4], atol=0.05) and np.ptp(rgba[1][:3]) > 0.2


@pytest.mark.parametrize("change", [{"island": "disable"}, {"contact": "disable"}])
def test_without_islands_all_is_grey(change):
    m, _d, snapshot = moment(**change)
    rgba = geom_colours(m, snapshot)
    assert all(np.allclose(rgba[g], (0.7, 0.7, 0.7, 1)) for g in (1, 2, 3, 4))


def test_sleepers_keep_a_duller_colour_of_their_own():
    m, d, snapshot = moment("enable", seconds=0.7)
    assert (d.tree_asleep >= 0).any() and d.tree_asleep[2] < 0
    rgba, moving = body_colours(m, snapshot)
    asleep = (snapshot.body_awake == 0) & moving
    snapshot.body_awake[:] = 1
    awake, _ = body_colours(m, snapshot)
    assert asleep.any() and np.allclose(rgba[asleep, :3].max(axis=1), 0.6 * awake[asleep, :3].max(axis=1))
    assert np.array_equal(rgba[~asleep], awake[~asleep])


def test_labels_number_the_islands_of_moving_bodies():
    m, _d, snapshot = moment()
    labels = build_scene(ModelVisuals(m), snapshot, VisOptions(label="Island"), Scene()).labels
    assert labels.text == ["0", "0", "1", "1"] and np.allclose(labels.pos[0], snapshot.xipos[1])


def test_numbers_of_the_sequence_are_the_official_ones():
    index = np.arange(1, 200)
    for base in (3, 5, 7):
        assert np.allclose(halton(index, base), [mujoco.mju_Halton(int(i), base) for i in index])


def test_hues():
    hue = np.array([0, 1 / 6, 1 / 3, 0.5, 2 / 3, 5 / 6, 1])
    expected = [(1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 1), (1, 0, 0)]
    assert np.allclose(rgb_of(hue, np.ones(7), np.ones(7)), expected)
    assert np.allclose(rgb_of(hue, np.zeros(7), np.full(7, 0.4)), 0.4)

import numpy as np

from render.scene import shapes
from render.scene.snapshot import Instances, Scene, SceneAssets


def test_growth_keeps_rows_and_fills_defaults():
    g = Instances(4)
    g.put(shapes.BOX, (1, 2, 3), (1, 1, 1), (1, 0, 0, 1), objid=7)
    rows = g.add(50)
    assert (rows.start, rows.stop, g.n) == (1, 51, 51) and g.capacity >= 51
    assert g.shape[0] == shapes.BOX and g.objid[0] == 7 and np.allclose(g.pos[0], (1, 2, 3))
    assert np.all(g.matid[rows] == -1) and np.allclose(g.mat[rows], np.eye(3).ravel()) and np.all(g.flags[rows] == shapes.MODEL_GEOM)


def test_a_warm_scene_allocates_nothing():
    scene = Scene()
    scene.geoms.add(300)
    arrays = {name: getattr(scene.geoms, name) for name, *_ in Instances.COLUMNS}
    for n in (10, 300, 2):
        scene.clear()
        rows = scene.geoms.add(n)
        scene.geoms.pos[rows] = 1.5
        assert scene.geoms.view('pos').shape == (n, 3)
    assert all(getattr(scene.geoms, name) is array for name, array in arrays.items())


def test_stale_values_do_not_leak_into_the_next_frame():
    scene = Scene()
    scene.geoms.put(shapes.BOX, (0, 0, 0), (1, 1, 1), (1, 1, 1, 1), glow=1.0, objid=3, flags=shapes.DECOR)
    scene.clear()
    i = scene.geoms.add(1).start
    assert scene.geoms.glow[i] == 0 and scene.geoms.objid[i] == -1 and scene.geoms.flags[i] == shapes.MODEL_GEOM


def test_assets_keys_differ_and_change_on_touch():
    a, b = SceneAssets(), SceneAssets()
    assert a.key != b.key
    old = a.key
    a.touch()
    assert a.key not in (old, b.key)

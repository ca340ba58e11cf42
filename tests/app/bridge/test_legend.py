"""The legend of pictures of types, distances and normals says the colours that the picture has."""
import numpy as np
import pytest

from app.bridge import VisOptions, build_scene
from app.bridge.legend import DISTANCES
from app.bridge.model_visuals import ModelVisuals
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene.camera import View
from render.scene.snapshot import Scene
from tests.app.bridge.quantities.moments import moment

MODEL = """<mujoco><statistic extent="2"/><worldbody><light pos="0 0 3"/>
  <geom type="box" size=".3 .3 .3" pos="0 0 -.3"/><geom type="box" size=".3 .3 .3" pos="1 0 -1.3"/><site type="box" size=".2 .2 .2" pos="-.6 0 0"/><camera pos="0 0 -3"/>
</worldbody></mujoco>"""
DOWN = View((0, 0, 1), (0, 0, -1), (0, 1, 0), 0.375, -0.375, 0.5, 50.0)


@pytest.fixture(scope="module")
def drawn():
    """drawn(show): (picture from above, the rows of its legend by what they say)."""
    m, _, snapshot = moment(MODEL)
    with Offscreen(160, 120, QUALITIES["low"]) as off:
        def make(show):
            scene = build_scene(ModelVisuals(m), snapshot, VisOptions(show=show, explained=True), Scene())
            return off.rgb(scene, DOWN).astype(int), {(row.what, row.scale): np.array(row.rgba[:3]) * 255 for row in scene.legend}
        yield make


def test_types(drawn):
    picture, rows = drawn("type")
    assert set(rows) == {("geom", "2"), ("site", "1")}
    assert np.abs(picture[60, 80] - rows["geom", "2"]).max() <= 1 and np.abs(picture[60, 20] - rows["site", "1"]).max() <= 1


def test_distances(drawn):
    picture, rows = drawn("depth")
    assert len(rows) == len(DISTANCES) + 1
    assert np.abs(picture[60, 80] - rows["Distance", "1 m"]).max() <= 1 and np.abs(picture[60, 120] - rows["Distance", "2 m"]).max() <= 1
    assert (picture[2, 80] == rows["Nothing there", ""]).all()


def test_normals(drawn):
    picture, rows = drawn("normal")
    assert len(rows) == 6 and np.abs(picture[60, 80] - rows["Facing +z", ""]).max() <= 1


def test_the_others_need_none(drawn):
    assert not drawn("colour")[1] and not drawn("segment")[1] and not drawn("id")[1]

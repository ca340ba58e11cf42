"""Pictures without a window."""
import io

import numpy as np
import pytest
from PIL import Image

import linkwork

MODEL = """<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><worldbody><body pos="0 0 1"><freejoint/>
  <geom type="box" size=".5 .5 .5" rgba="1 0 0 1"/></body><camera name="side" pos="0 -4 1" xyaxes="1 0 0 0 0 1"/><camera name="away" pos="0 -4 1" xyaxes="-1 0 0 0 0 1"/>
  </worldbody></mujoco>"""


def red(picture):
    pixels = picture.array.astype(int)
    return int(((pixels[:, :, 0] > 150) & (pixels[:, :, 1] < 60)).sum())


def test_a_notebook_gets_a_png():
    picture = linkwork.show(MODEL, camera="side", width=120, height=80)
    assert picture.size == (120, 80) and repr(picture) == "<Picture 120 x 80>"
    image = Image.open(io.BytesIO(picture._repr_png_()))
    assert image.format == "PNG" and image.size == (120, 80) and red(picture) > 300
    np.testing.assert_array_equal(np.asarray(image), picture.array)


def test_the_state_is_drawn_and_the_data_stays_as_it_was():
    m = linkwork.load_string(MODEL)
    d = linkwork.Data(m)
    d.qpos[2] = 30
    assert red(linkwork.show(m, d, "side", 120, 80)) == 0 and not d.xpos.any() and d.qpos[2] == 30
    d.qpos[2] = 1
    assert red(linkwork.show(m, d, "side", 120, 80)) > 300 and red(linkwork.show(m, d, "away", 120, 80)) == 0


def test_a_picture_is_saved(tmp_path):
    picture = linkwork.show(MODEL, camera="side", width=60, height=40)
    assert Image.open(picture.save(tmp_path / "a.png")).size == (60, 40)
    with pytest.raises(ValueError, match="suffix|format|pictures"):
        picture.save(tmp_path / "a.nothing")


def test_a_wrong_camera_says_which_there_are():
    with pytest.raises(KeyError, match="side, away"):
        linkwork.show(MODEL, camera="top")
    with pytest.raises(TypeError, match="a path or MJCF text"):
        linkwork.show(3)

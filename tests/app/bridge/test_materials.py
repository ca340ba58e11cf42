"""Materials and textures of a Model as the renderer takes them."""
import numpy as np

from app.bridge.materials import assets_of
from physics import load_string


def test_textures_that_cannot_be_drawn_are_white(tmp_path):
    (tmp_path / "sky.ktx").write_bytes(b"\xabKTX 11\xbb" + bytes(100))
    model = load_string("""<mujoco><asset><texture type="2d" file="sky.ktx"/><texture type="cube" file="none.png" embed="false"/>
      <texture name="made" builtin="flat" width="2" rgb1="1 0 0" rgb2="1 0 0"/></asset></mujoco>""", base_dir=tmp_path)
    first, second, made = assets_of(model).textures
    for texture in (first, second):
        np.testing.assert_array_equal(texture.data, np.full((1, 1, 3), 255))
    assert made.data.shape == (12, 2, 3) and (made.data == (255, 0, 0)).all()

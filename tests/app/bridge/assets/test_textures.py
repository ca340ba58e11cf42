"""Textures of a Model as the renderer takes them: those in it, and those it left in their files."""
import numpy as np
from PIL import Image

from app.bridge.assets.textures import texture_assets, texture_issues
from app.bridge.model_visuals import ModelVisuals
from physics import load_string
from render.ktx import LARGEST
from tests.render.test_ktx import second


def test_textures_that_cannot_be_drawn_are_white(tmp_path):
    (tmp_path / "sky.ktx").write_bytes(b"\xabKTX 11\xbb" + bytes(100))
    model = load_string("""<mujoco><asset><texture type="2d" file="sky.ktx"/><texture type="cube" file="none.png" embed="false"/>
      <texture name="made" builtin="flat" width="2" rgb1="1 0 0" rgb2="1 0 0"/></asset></mujoco>""", base_dir=tmp_path)
    first, second, made = texture_assets(model)
    for texture in (first, second):
        np.testing.assert_array_equal(texture.data, np.full((1, 1, 3), 255))
    assert made.data.shape == (12, 2, 3) and (made.data == (255, 0, 0)).all()
    sky, none = texture_issues(model)
    assert "texture 'sky' cannot be drawn: it is no KTX container" in sky.what and sky.place.line == 1
    assert f"{tmp_path / 'none.png'} was not found" in none.what and none.place.line == 1 and "texture[none]" in none.path


def test_what_leaves_a_texture_white_or_coarse_is_named_with_its_place(tmp_path):
    Image.new("RGB", (8, 5)).save(tmp_path / "oblong.png")
    (tmp_path / "cut.png").write_bytes((tmp_path / "oblong.png").read_bytes()[:40])
    Image.new("RGB", (LARGEST + 1, 2)).save(tmp_path / "long.png")
    (tmp_path / "etc.ktx").write_bytes(second(147, 4, 4, 1, bytes(8)))
    (tmp_path / "folder.png").mkdir()
    kinds = {"cut.png": "cannot be drawn: ", "oblong.png": "a cube takes a square picture or six of them, not 8 x 5", "long.png": f"has {LARGEST + 1} x 2 pixels",
             "etc.ktx": "cannot be drawn: its pixels are compressed (ETC2)", "folder.png": "folder.png: "}
    lines = [f'<texture type="{"cube" if name == "oblong.png" else "2d"}" file="{name}" embed="false"/>' for name in kinds]
    model = load_string("<mujoco><asset>" + chr(10).join(lines) + "</asset></mujoco>", base_dir=tmp_path)
    for line, (issue, said) in enumerate(zip(texture_issues(model), kinds.values(), strict=True), 1):
        assert said in issue.what and issue.place.line == line and issue.severity == "warning"
    long = texture_assets(model)[2]
    assert long.data.shape == (2, LARGEST + 1, 3)


def test_textures_left_in_their_files_are_read_there(tmp_path):
    colours = np.random.default_rng(0).integers(0, 256, (4, 6, 4), np.uint8)
    Image.fromarray(colours).save(tmp_path / "four.png")
    Image.fromarray(colours[..., 0].astype(np.uint16) * 256).save(tmp_path / "deep.png")
    halves = np.linspace(0, 4, 6 * 4 * 4, dtype="<f2").reshape(24, 1, 4)
    (tmp_path / "sky.ktx").write_bytes(second(97, 2, 2, 6, halves.tobytes()))
    model = load_string("""<mujoco><asset><texture type="2d" file="four.png" embed="false" nchannel="4" colorspace="sRGB"/>
      <texture type="2d" file="deep.png" embed="false"/><texture type="2d" file="sky.ktx"/></asset></mujoco>""", base_dir=tmp_path)
    four, deep, sky = texture_assets(model)
    np.testing.assert_array_equal(four.data, colours)
    assert four.srgb and not deep.srgb
    np.testing.assert_array_equal(deep.data, np.repeat(colours[..., :1], 3, axis=2))
    assert sky.kind == "cube" and sky.data.dtype == np.float32
    np.testing.assert_array_equal(sky.data, halves.reshape(12, 2, 4).astype(np.float32))


def test_materials_keep_what_a_physical_look_needs():
    model = load_string("""<mujoco><asset><texture name="a" builtin="flat" type="2d" width="2" height="2"/><texture name="b" builtin="flat" type="2d" width="2" height="2"/>
      <texture name="sky" type="skybox" builtin="flat" width="2"/>
      <material name="m" metallic=".7" roughness=".2"><layer role="normal" texture="b"/><layer role="rgb" texture="a"/><layer role="orm" texture="b"/></material>
      <material name="plain"/></asset></mujoco>""")
    assets = ModelVisuals(model).assets
    m = assets.materials
    np.testing.assert_allclose(m.view("metallic"), (.7, -1), rtol=1e-6)
    np.testing.assert_allclose(m.view("roughness"), (.2, -1), rtol=1e-6)
    assert m.view("texid").tolist() == [0, -1] and assets.skybox == 2
    assert m.view("layers").tolist() == [[-1, 0, -1, -1, -1, 1, -1, -1, -1, 1], [-1] * 10]

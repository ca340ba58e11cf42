"""Meshes, height fields, skins, textures: their sources are written, and their data where that was changed."""
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import physics
from tests.physics.writer.round_trip import differences, ours_off

TETRAHEDRON = "0 0 0  0.3 0 0  0 0.2 0  0 0 0.1"
SKIN = """<body name="b"><freejoint/><geom size=".1"/></body></worldbody><deformable><skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"
  texcoord="0 0 1 0 0 1" inflate=".01" rgba="1 0 0 1" group="2"><bone body="b" bindpos="0 0 1" bindquat="1 2 0 0" vertid="0 1 2" vertweight="1 .3 .7"/>
  <bone body="world" bindpos="0 0 0" bindquat="1 0 0 0" vertid="1 2" vertweight=".4 .3"/></skin></deformable>"""


def png(*shape) -> bytes:
    stream = BytesIO()
    Image.fromarray(np.arange(np.prod(shape), dtype=np.uint8).reshape(shape)).save(stream, "PNG")
    return stream.getvalue()


FILES = {"a/t.png": png(4, 4, 3), "h.png": png(5, 4), "tetra.obj": "v 0 0 0\nv 3 0 0\nv 0 2 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"}
MODELS = {
    "textures": '<compiler texturedir="a"/><default><texture vflip="true"/></default><asset><texture name="t" type="2d" file="t.png"/>'
                '<texture file="t.png" type="cube" gridsize="2 2" gridlayout="RFLU" name="cube"/><texture name="x" builtin="flat" type="2d" width="3" height="4" mark="edge"/>'
                '<material name="m"><layer role="rgb" texture="t"/><layer role="normal" texture="x"/></material><material name="n" texture="x"/></asset>'
                '<worldbody><geom size=".1" material="m"/></worldbody>',
    "mesh of a file": '<default><mesh scale="2 1 1"/></default><asset><mesh file="tetra.obj" refpos="1 2 3" refquat="1 2 0 0" inertia="exact"/></asset>'
                      '<worldbody><body><freejoint/><geom type="mesh" mesh="tetra" pos="0.1 0.2 0.3" euler="10 20 30" surfacevel="1 2 3 4 5 6"/>'
                      '<geom type="mesh" mesh="tetra"/><site type="mesh" mesh="tetra" pos="1 0 0"/></body></worldbody>',
    "mesh in the text": f'<asset><mesh name="m" vertex="{TETRAHEDRON}" maxhullvert="4" smoothnormal="true"/></asset>'
                        '<worldbody><body pos="1 2 3"><joint axis="1 0 0"/><geom type="mesh" mesh="m" mass="2"/><geom type="box" mesh="m"/></body></worldbody>',
    "height fields": '<asset><hfield name="f" file="h.png" size="1 2 .5 .1"/><hfield name="e" nrow="2" ncol="3" elevation="0 1 2 3 .5 .25" size="1 1 1 1"/>'
                     '<hfield name="flat" nrow="2" ncol="2" size="1 1 1 1"/></asset><worldbody><geom type="hfield" hfield="f"/>'
                     '<geom type="hfield" hfield="e" pos="3 0 0"/></worldbody>',
    "skins": f"<worldbody>{SKIN}",
}


@pytest.mark.parametrize("name", MODELS)
def test_sources_are_written(name):
    assert differences(f"<mujoco>{MODELS[name]}</mujoco>", FILES) == {}


def test_changed_heights_and_skins_are_written():
    heights = physics.load_string(f"<mujoco>{MODELS['height fields']}</mujoco>", files=FILES)
    heights.hfield_data[:20] = np.linspace(0, 1, 20, dtype=np.float32)[::-1]
    again = physics.load_string(physics.to_mjcf(heights), files=FILES)
    assert np.array_equal(heights.hfield_data, again.hfield_data)
    skin = physics.load_string(f"<mujoco>{MODELS['skins']}</mujoco>")
    skin.skin_vert[1], skin.skin_rgba[0] = [0.1, 0.2, 0.3], [0, 1, 0, 1]
    again = physics.load_string(physics.to_mjcf(skin))
    assert np.array_equal(skin.skin_vert, again.skin_vert) and np.array_equal(skin.skin_rgba, again.skin_rgba)


def test_what_only_a_file_could_hold_is_missed_aloud(tmp_path):
    (tmp_path / "t.png").write_bytes(FILES["a/t.png"])
    (tmp_path / "m.xml").write_text('<mujoco><asset><texture name="t" type="2d" file="t.png"/></asset></mujoco>')
    m = physics.load(tmp_path / "m.xml")
    assert physics.save(m, tmp_path / "n.xml") == ()
    m.tex_data[3] ^= 1
    (warning,) = physics.save(m, tmp_path / "n.xml")
    assert "texture 't'" in warning and "changed" in warning


def test_files_are_named_from_where_the_text_lies(tmp_path):
    (tmp_path / "pictures").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "pictures" / "t.png").write_bytes(FILES["a/t.png"])
    (tmp_path / "m.xml").write_text('<mujoco><compiler texturedir="pictures"/><asset><texture name="t" type="2d" file="t.png"/></asset></mujoco>')
    m = physics.load(tmp_path / "m.xml")
    physics.save(m, tmp_path / "out" / "n.xml")
    assert 'file="../pictures/t.png"' in (tmp_path / "out" / "n.xml").read_text()
    assert ours_off(m, physics.load(tmp_path / "out" / "n.xml")) == {}
    assert f'file="{tmp_path}/pictures/t.png"' in physics.to_mjcf(m)


def test_assets_from_memory_are_laid_beside_the_text(tmp_path):
    m = physics.load_string(f"<mujoco>{MODELS['mesh of a file']}</mujoco>", files=FILES)
    physics.save(m, tmp_path / "n.xml")
    assert sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file()) == ["n.xml", "n_files/tetra.obj"]
    assert ours_off(m, physics.load(tmp_path / "n.xml")) == {}
    physics.save(m, tmp_path / "n.lwb")
    (tmp_path / "far").mkdir()
    physics.save(physics.load(tmp_path / "n.lwb"), tmp_path / "far" / "n.xml")
    assert ours_off(m, physics.load(tmp_path / "far" / "n.xml")) == {}


def test_files_of_one_name_do_not_meet(tmp_path):
    files = {"one/t.png": png(4, 4, 3), "two/t.png": png(2, 2, 3)}
    m = physics.load_string('<mujoco><asset><texture name="a" type="2d" file="one/t.png"/><texture name="b" type="2d" file="two/t.png"/>'
                            '<texture name="c" type="2d" file="one/t.png"/></asset></mujoco>', files=files)
    physics.save(m, tmp_path / "n.zip")
    physics.save(m, tmp_path / "n.xml")
    assert sorted(p.name for p in (tmp_path / "n_files").iterdir()) == ["t.png", "t_1.png"]
    assert ours_off(m, physics.load(tmp_path / "n.xml")) == {} == ours_off(m, physics.load(tmp_path / "n.zip"))

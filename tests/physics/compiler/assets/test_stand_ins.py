"""Broken assets are told about by name and place; what is not broken is there all the same."""
import struct
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import physics
from physics.compiler.compile import load_string
from physics.errors import ModelError
from physics.mjcf.reader import read_text

CORNERS = 'vertex="0 0 0 .3 0 0 0 .3 0 0 0 .3"'
REST = '<worldbody><geom name="rest" type="box" size=".1 .1 .1"/>{}</worldbody>'
# asset -> what is said of it; whether the model can be simulated
TEXTURES = {
    '<texture name="t" type="2d" file="none.png"/>': "'none.png' was not found",
    '<texture name="t" type="cube" file="rubbish.png"/>': "'rubbish.png' cannot be read",
    '<texture name="t" type="2d" builtin="checker" width="0" height="4"/>': "positive width",
    '<texture name="t" type="skybox" fileleft="none.png"/>': "'none.png' was not found",
    '<texture name="t" type="2d" file="picture.jpg"/>': "neither PNG nor KTX",
}
MESHES = {
    '<mesh name="m" file="none.stl"/>': ("'none.stl' was not found", 12),
    '<mesh name="m" file="rubbish.obj"/>': ("cannot be used", 12),
    '<mesh name="m" vertex="0 0 0 .3 0 0 0 .3 0 .3 .3 0" face="0 1 2 1 3 2"/>': ("lie in one plane", 2),
    f'<mesh name="m" {CORNERS} face="0 2 1 0 1 9 1 2 3 0 3 2"/>': ("names vertex 9", 3),
    '<mesh name="m" vertex="0 0 0 .3 0 0 0 .3 0" face="0 1 2"/>': ("at least 4 vertices", 1),
    f'<mesh name="m" inertia="exact" {CORNERS} face="0 1 2 0 1 3 1 2 3 0 3 2"/>': ("same direction", 4),
    '<mesh name="m" vertex="0 0 0 1e15 0 0 0 .3 0 .3 .3 0" face="0 1 2 1 3 2"/>': ("lie in one plane", 2),
    f'<mesh name="m" maxhullvert="2" {CORNERS} face="0 2 1 0 1 3 1 2 3 0 3 2"/>': ("at least 4 vertices, not 2", 4),
}


def taken(asset, body="", folder=None):
    """The model with stand-ins and what was said; without them it must be refused."""
    text = f"<mujoco>\n<asset>{asset}</asset>\n{REST.format(body)}</mujoco>"
    with pytest.raises(ModelError):
        load_string(text, base_dir=folder)
    read = read_text(text, "model.xml", folder)
    model = physics.compile_root(read, stand_ins=True)
    said, = [issue for issue in (*read.issues, *model.view_only) if "stand-in" in issue.hint]
    assert said.place.line == 2 and said.place.column > 1
    assert model.names["geom"][0] == "rest"
    return model, said


@pytest.fixture
def folder(tmp_path):
    for name in ("rubbish.png", "rubbish.obj", "picture.jpg"):
        (tmp_path / name).write_bytes(b"f 1 2 3 rubbish")
    return tmp_path


@pytest.mark.parametrize("asset", TEXTURES)
def test_a_broken_texture_is_chequered_and_the_model_runs(asset, folder):
    model, said = taken(asset, folder=folder)
    assert TEXTURES[asset] in said.what and said.severity == "warning" and not model.view_only
    assert model.tex_data.size == model.tex_width[0] * model.tex_height[0] * 3 and model.tex_nchannel[0] == 3
    assert (np.ptp(model.tex_data) > 0) == ("skybox" not in asset)


@pytest.mark.parametrize("asset", MESHES)
def test_of_a_broken_mesh_is_drawn_what_makes_sense(asset, folder):
    what, triangles = MESHES[asset]
    model, said = taken(asset, '<body><freejoint/><geom type="mesh" mesh="m"/></body>', folder)
    assert what in said.what and said.severity == "view" and model.view_only
    assert model.mesh_facenum[0] == triangles and np.isfinite(model.mesh_vert).all() and np.isfinite(model.body_mass).all()


TETRAHEDRON = np.array([[0, 0, 0], [.3, 0, 0], [0, .3, 0], [0, 0, .3]], "<f4")[[[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]]


def stl(corners):
    return bytes(80) + struct.pack("<I", 4) + b"".join(bytes(12) + triangle.tobytes() + bytes(2) for triangle in corners)


def png(width, height):
    kept = BytesIO()
    Image.fromarray(np.arange(3 * width * height, dtype=np.uint8).reshape(height, width, 3)).save(kept, "PNG")
    return kept.getvalue()


# name -> its bytes, the element, what is said
FILES = {
    "cut.png": (png(8, 8)[:60], '<texture name="t" type="2d" file="cut.png"/>', "'cut.png' cannot be read: it is truncated"),
    "oblong.png": (png(6, 4), '<texture name="t" type="cube" file="oblong.png"/>', "'oblong.png' with 6 x 4 pixels"),
    "side.png": (png(6, 4), '<texture name="t" type="skybox" fileup="side.png"/>', "'side.png' is not square"),
    "cut.stl": (stl(TETRAHEDRON)[:150], '<mesh name="m" file="cut.stl"/>', "4 triangles take 284 bytes, the file has 150"),
    "nan.stl": (stl(np.where(TETRAHEDRON == .3, np.nan, TETRAHEDRON)), '<mesh name="m" file="nan.stl"/>', "no number"),
    "nan.obj": (b"v 0 0 0\nv 1 nan 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3", '<mesh name="m" file="nan.obj"/>', "vertex 1 of the mesh is not finite"),
}


@pytest.mark.parametrize("name", FILES)
def test_broken_files_are_named(name, tmp_path):
    data, asset, what = FILES[name]
    (tmp_path / name).write_bytes(data)
    _model, said = taken(asset, folder=tmp_path)
    assert what in said.what and said.severity == ("warning" if "texture" in asset else "view")


def test_wrong_texture_coordinates_are_left_out_and_the_model_runs():
    model, said = taken(f'<mesh name="m" texcoord="0 0 1 1" {CORNERS} face="0 2 1 0 1 3 1 2 3 0 3 2"/>', '<body><freejoint/><geom type="mesh" mesh="m"/></body>')
    assert "2 texture coordinates for 4 vertices" in said.what and said.severity == "warning"
    assert model.mesh_texcoordadr[0] == -1 and model.mesh_facenum[0] == 4 and not model.view_only


@pytest.mark.parametrize(("pos", "half"), [("", 0.02), ('pos="0 -2 1"', 0.06), ('pos="1e-9 0 0"', 1e-4)])
def test_what_stands_in_for_a_lost_mesh_suits_the_size_of_the_model(pos, half):
    model, _said = taken('<mesh name="m" file="none.stl"/>', f'<body {pos}><freejoint/><geom type="mesh" mesh="m"/></body>')
    np.testing.assert_allclose(model.geom_size[1], half, rtol=1e-5)


def test_a_broken_height_field_is_flat_and_a_broken_skin_left_out():
    model, said = taken('<hfield name="h" file="none.png" size="1 1 .1 .1"/>', '<geom type="hfield" hfield="h"/>')
    assert said.severity == "view" and not model.hfield_data.any()
    model, said = taken('<skin name="s" file="none.skn"/>')
    assert said.severity == "warning" and model.nskin == 0


def test_a_skin_with_wrong_texture_coordinates_is_there_without_them():
    model, said = taken('''<skin name="s" vertex="0 0 0 1 0 0 0 1 0" texcoord="0 0 1 1" face="0 1 2">
      <bone body="world" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin>''')
    assert "3 vertices, but 2 texture coordinates" in said.what and said.severity == "warning"
    assert model.nskin == 1 and model.skin_texcoordadr[0] == -1


def test_everything_else_is_refused_as_ever():
    with pytest.raises(ModelError):
        load_string('<mujoco><asset><mesh name="m" file="none.stl"/></asset><worldbody><geom type="sphere"/></worldbody></mujoco>', stand_ins=True)


def test_what_an_obj_file_lacks_is_reported(tmp_path):
    (tmp_path / "short.obj").write_text("v 0 0 0\nv .3 0 0\nv 0 .3 0\nv 0 0 .3\nvt 0 0\nf 1/1 3/2 2/7\nf 1/1 2/1 4/1\nf 2 3 4\nf 1 4")
    read = read_text('<mujoco><asset><mesh file="short.obj"/></asset></mujoco>', "model.xml", tmp_path)
    model = physics.compile_root(read)
    short, bare = read.issues
    assert short.what == "faces with fewer than three corners or more than 100 in 1 mesh: 'short' has 1" and short.place.line == 1
    assert bare.what == "corners without a texture coordinate that exists in 1 mesh: 'short' has 5"
    assert short.severity == bare.severity == "warning"
    assert model.mesh_facenum[0] == 3 and model.mesh_texcoordadr[0] == -1


def test_faults_of_a_usable_mesh_are_reported_by_name():
    text = f'''<mujoco><asset><mesh name="m" vertex="0 0 0 .3 0 0 0 .3 0 0 0 .3 .3 .3 .3" face="0 2 1 0 1 3 1 2 3 0 3 2 0 0 1 1 2 4 2 1 4"/>
      <mesh name="n" {CORNERS} face="0 2 1 0 1 3 1 2 3 0 3 2 0 0 1"/>
      <mesh name="good" {CORNERS} face="0 2 1 0 1 3 1 2 3 0 3 2"/></asset></mujoco>'''
    read = read_text(text, "model.xml")
    physics.compile_root(read)
    empty, edges = read.issues
    for said in read.issues:
        assert said.severity == "note" and "mesh[m]" in said.path and said.place.line == 1
    assert empty.what == "triangles without area in 2 meshes: 'm' has 1, first triangle 4; 'n' has 1, first triangle 4"
    assert edges.what == "edges of more than two triangles in 1 mesh: 'm' has 1, one from vertex 1 to 2"

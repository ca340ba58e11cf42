"""The folders of assets: what several <compiler>s say of them, and that the official compiler looks into the same ones."""
import mujoco
import numpy as np
import pytest

from physics.compiler.compile import compile_root
from physics.mjcf.reader import read, read_text
from physics.spec.asset_folders import AssetFolders

MESH = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
SAID = (
    ('<compiler meshdir="a"/>', "file.obj", "a"),
    ('<compiler assetdir="b"/>', "file.obj", "b"),
    ('<compiler assetdir="b" meshdir="a"/>', "file.obj", "a"),
    ('<compiler meshdir="a"/><compiler assetdir="b"/>', "file.obj", "b"),
    ('<compiler meshdir="a" assetdir="b"/><compiler meshdir=""/>', "file.obj", ""),
    ('<compiler assetdir="b" meshdir=""/>', "file.obj", ""),
    ('<compiler assetdir="b"/><compiler texturedir="a"/>', "file.obj", "b"),
    ('<compiler meshdir="a"/><compiler meshdir="b"/>', "file.obj", "b"),
    ('<compiler texturedir="a"/>', "file.obj", ""),
    ('<compiler strippath="true" meshdir="a"/>', "b/file.obj", "a"),
    ('<compiler strippath="true" meshdir="a"/><compiler strippath="false"/>', "../b/file.obj", "b"),
)


@pytest.mark.parametrize("said, name, folder", SAID)
def test_both_compilers_look_there(said, name, folder, tmp_path):
    for number, place in enumerate(("", "a", "b")):      # another mesh in each
        (tmp_path / place).mkdir(exist_ok=True)
        (tmp_path / place / "file.obj").write_text(MESH.replace("v 1 0 0", f"v {number + 1} 0 0"))
    path = tmp_path / "m.xml"
    path.write_text(f'<mujoco>{said}<asset><mesh name="m" file="{name}"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>')
    folders = AssetFolders.of(read(str(path)).root)
    there = tmp_path / folders.below("mesh") / folders.file_name(name)
    assert there.resolve() == (tmp_path / folder / "file.obj").resolve()
    size = [float(np.ptp(np.reshape(m.mesh_vert, (-1, 3)), axis=0).max()) for m in (mujoco.MjModel.from_xml_path(str(path)), compile_root(read(str(path))))]
    assert size[0] == pytest.approx(size[1], rel=1e-6)


def test_what_is_not_looked_for_by_compiler():
    folders = AssetFolders.of(read_text(r'<mujoco><compiler meshdir="a\b" texturedir="c"/></mujoco>').root)
    assert [folders.below(tag) for tag in ("mesh", "hfield", "skin", "texture", "layer", "model", "include")] == ["a/b"] * 3 + ["c"] * 2 + [""] * 2
    assert folders.file_name(r"x\y.obj") == "x/y.obj" and AssetFolders.of(None) == AssetFolders()

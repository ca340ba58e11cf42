"""Assets of one compile for the next: files whose state is the same are not read again, and what comes of them is the same."""
import os

import numpy as np
import pytest
from PIL import Image

from physics.compiler.assets import asset_memory
from physics.compiler.assets.asset_memory import AssetMemory, file_state
from physics.compiler.compile import compile_root
from physics.compiler.live.kept import KeptCompile
from physics.mjcf import reader
from physics.mjcf.include import TextSource

MODEL = """<mujoco>
  <asset><mesh name="m" file="m.obj" scale="SCALE 1 1"/><mesh name="same" file="m.obj" scale="SCALE 1 1"/><texture name="t" type="2d" file="t.png"/>
    <texture name="sky" type="skybox" builtin="gradient" rgb1="1 1 1" rgb2="0 0 1" width="16" height="96"/><material name="t" texture="t"/></asset>
  <worldbody><body><freejoint/><geom type="mesh" mesh="m" material="t"/><geom type="mesh" mesh="same"/><geom size=".1"/></body></worldbody>
</mujoco>"""
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(asset_memory, "SETTLED", -1.0)      # as if the files had been written long ago
    (tmp_path / "m.obj").write_text(TETRAHEDRON)
    Image.fromarray(np.arange(48, dtype=np.uint8).reshape(4, 4, 3)).save(tmp_path / "t.png")
    return tmp_path


@pytest.fixture
def reads(monkeypatch):
    """Names of the files that are read."""
    found, real = [], TextSource.read_bytes
    monkeypatch.setattr(TextSource, "read_bytes", lambda self, path: found.append(os.path.basename(path)) or real(self, path))
    return found


def compiled(folder, memory=None, scale="1", keep=None):
    return compile_root(reader.read_text(MODEL.replace("SCALE", scale), "m.xml", folder), memory=memory, keep=keep)


def same(a, b) -> None:
    for name in a.layout.arrays:
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)
    assert a.assets == b.assets


def test_files_are_read_once_while_they_stay_as_they_are(folder, reads):
    memory, kept = AssetMemory(), []
    first = compiled(folder, memory, keep=lambda build, m: kept.append(KeptCompile(build.source.read_result, build, m)))     # which lets go of vertices
    assert sorted(reads) == ["m.obj", "t.png"]
    reads.clear()
    again = compiled(folder, memory)
    assert not reads
    same(first, again)
    same(again, compiled(folder))
    kept[0].close()
    same(again, compiled(folder, memory))


def test_another_file_and_another_use_of_one_are_made_anew(folder, reads):
    memory = AssetMemory()
    first = compiled(folder, memory)
    reads.clear()
    other = compiled(folder, memory, scale="2")
    assert reads == ["m.obj"] and not np.array_equal(other.mesh_vert, first.mesh_vert)
    reads.clear()
    (folder / "m.obj").write_text(TETRAHEDRON.replace("v 1 0 0", "v 3 0 0"))
    changed = compiled(folder, memory, scale="2")
    assert reads == ["m.obj"]
    same(changed, compiled(folder, scale="2"))


def test_what_was_not_asked_for_is_forgotten_and_room_is_limited(folder, reads):
    memory = AssetMemory()
    compiled(folder, memory)
    compile_root(reader.read_text("<mujoco><worldbody/></mujoco>"), memory=memory)
    reads.clear()
    compiled(folder, memory)
    assert sorted(reads) == ["m.obj", "t.png"]
    reads.clear()
    small = AssetMemory(most=10)
    compiled(folder, small)
    compiled(folder, small)
    assert len(reads) >= 4


def test_a_file_that_was_written_just_now_may_change_without_its_time_telling(tmp_path):
    (tmp_path / "a").write_text("a")
    assert file_state(str(tmp_path / "a")) is None and file_state(str(tmp_path / "none")) is None

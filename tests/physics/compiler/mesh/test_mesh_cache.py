"""Processed meshes on disk: found again, renewed when anything changes, never trusted when damaged."""
import os
from pathlib import Path

import numpy as np
import pytest

from physics.compiler import decode
from physics.compiler.assets import asset_cache
from physics.compiler.decode.raw import RawMesh
from physics.compiler.mesh import mesh_cache, mesh_process
from physics.compiler.mesh.mesh_data import MeshData, MeshError, MeshOptions
from physics.files import code_state, disk_cache
from tests.physics.compiler.whole import off, ours

MODEL = """<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 2 3 1 2 0" scale="{scale}" inertia="{inertia}"/></asset><worldbody><body><freejoint/>
<geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setenv("LINKWORK_MESH_CACHE", str(tmp_path / "meshes"))
    return tmp_path / "meshes"


@pytest.fixture
def made(monkeypatch):
    """The meshes processed so far."""
    found, process = [], mesh_process.process
    monkeypatch.setattr(mesh_process, "process", lambda raw, options: found.append(options) or process(raw, options))
    return found


def kept(folder, mesh):
    """A mesh as it comes back from the disk."""
    folder.mkdir(exist_ok=True)
    disk_cache.save(str(folder / "a"), *mesh_cache.packed(mesh))
    return mesh_cache.unpacked(disk_cache.load(str(folder / "a")))


def model(scale="1 1 1", inertia="legacy") -> str:
    """A small model with a mesh."""
    return MODEL.format(scale=scale, inertia=inertia)


def test_a_second_load_finds_the_mesh_and_is_the_same(folder, made):
    first, second = ours(model()), ours(model())
    assert len(made) == 1 and len(list(folder.iterdir())) == 1
    for field in ("mesh_vert", "mesh_face", "mesh_graph", "mesh_polyvert", "mesh_polynormal", "mesh_quat", "mesh_extrema", "bvh_aabb", "bvh_child", "body_inertia"):
        assert np.array_equal(getattr(first, field), getattr(second, field)), field
    assert off(model()) == "" and len(made) == 1


def test_whatever_changes_the_mesh_changes_its_key(folder, made):
    for text in (model(), model(scale="1 1 2"), model(inertia="shell"), model().replace("1 2 0", "1 3 0"), model().replace("type=", 'contype="0" conaffinity="0" type=')):
        ours(text)
        ours(text)
    assert len(made) == 4 + 1


@pytest.mark.parametrize("damage", [lambda raw: raw[:-1], lambda raw: b"", lambda raw: raw[:200], lambda raw: b"x" + raw[1:],
                                    lambda raw: raw[:-9] + bytes([raw[-9] ^ 1]) + raw[-8:], lambda raw: raw[:40] + b"\xff" * 60 + raw[100:]])
def test_damaged_files_are_made_anew(folder, made, damage):
    ours(model())
    [path] = folder.iterdir()
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert off(model()) == "" and len(made) == 2
    assert path.read_bytes() == whole
    assert [p.name for p in folder.iterdir()] == [path.name]


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(tmp_path, monkeypatch, made):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("LINKWORK_MESH_CACHE", str(tmp_path / "file" / "meshes"))
    assert off(model()) == "" and off(model()) == "" and len(made) == 2


def test_a_mesh_named_twice_is_processed_once(folder, made):
    twice = model().replace("</asset>", '<mesh name="n" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 2 3 1 2 0"/></asset>').replace("</body>", '<geom type="mesh" mesh="n"/></body>')
    assert off(twice) == "" and len(made) == 1
    assert off(twice) == "" and len(made) == 1


def test_what_cannot_be_used_is_not_kept(folder):
    assert "too small" in ours(model(scale="1 1 0"))
    assert not folder.exists() or not list(folder.iterdir())


def test_a_mesh_used_again_counts_as_new(folder):
    ours(model())
    [path] = folder.iterdir()
    os.utime(path, (1e9, 1e9))
    ours(model())
    assert path.stat().st_mtime > 1.5e9


def test_every_array_comes_back_as_it_was(folder):
    raw = RawMesh(vert=np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32))
    made = mesh_process.process(raw, MeshOptions(hull=True))
    mesh_process.plant([made])
    mesh = made[0]
    again = kept(folder, mesh)
    for name, array in mesh.arrays().items():
        other = np.asarray(getattr(again, name))
        assert other.dtype == array.dtype and other.shape == array.shape and np.array_equal(other, array), name
    assert not again.vert.flags.writeable
    with pytest.raises(MeshError):
        mesh_process.process(RawMesh(), MeshOptions())


@pytest.mark.parametrize("facenormal", [[], [[0, 0, 0], [0, 0, 0]], [[0, 1, 2], [0, 2, 3]], [[3, 2, 1], [0, 0, 1]]])
@pytest.mark.parametrize("facetexcoord", [[], [[0, 0, 0], [0, 0, 0]], [[0, 1, 2], [0, 2, 3]], [[0, 1, 2]]])
def test_indices_like_the_triangles_come_back_too(facenormal, facetexcoord, tmp_path):
    face, normal, texcoord = (np.array(rows, np.int32).reshape(-1, 3) for rows in ([[0, 1, 2], [0, 2, 3]], facenormal, facetexcoord))
    again = kept(tmp_path, MeshData(vert=np.ones((4, 3), np.float32), face=face, facenormal=normal, facetexcoord=texcoord))
    for found, wanted in ((again.face, face), (again.facenormal, normal), (again.facetexcoord, texcoord)):
        assert found.dtype == np.int32 and found.shape == wanted.shape and np.array_equal(found, wanted)


def test_the_folder_is_that_of_the_other_caches(tmp_path, monkeypatch):
    monkeypatch.delenv("LINKWORK_MESH_CACHE", raising=False)
    monkeypatch.setenv("LINKWORK_CACHE", str(tmp_path))
    assert Path(asset_cache.folder()) == tmp_path / "meshes"


@pytest.mark.skipif(os.name != "posix", reason="owner and mode are POSIX's")
@pytest.mark.parametrize("mode", [0o777, 0o757])
def test_a_folder_that_others_may_write_to_is_not_believed(mode, folder, made, caplog):
    ours(model())
    folder.chmod(mode)
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    assert off(model()) == "" and len(made) == 2, "what lies there was taken"
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before
    assert "every user may write to it" in caplog.text and str(folder) in caplog.text


@pytest.mark.skipif(os.name != "posix", reason="owner and mode are POSIX's")
def test_a_file_that_others_may_write_to_is_made_anew(folder, made):
    ours(model())
    [path] = folder.iterdir()
    path.chmod(0o666)
    assert off(model()) == "" and len(made) == 2
    assert path.stat().st_mode & 0o022 == 0 and off(model()) == "" and len(made) == 2


@pytest.mark.skipif(os.name != "posix", reason="owner and mode are POSIX's")
def test_the_folder_made_is_for_this_user_alone(folder, made):
    old = os.umask(0)
    try:
        ours(model())
    finally:
        os.umask(old)
    assert folder.stat().st_mode & 0o077 == 0 and all(p.stat().st_mode & 0o022 == 0 for p in folder.iterdir())


def test_all_code_that_makes_a_mesh_is_in_the_key():
    used = code_state.files_of(mesh_cache._MADE_BY, asset_cache.CODE)
    for name in ("mesh.mesh_process", "mesh.median", "mesh.hull", "mesh.bvh", "mesh.mesh_inertia", "decode.raw", "decode.obj_lines", "decode.polygon",
                 "native.mesh_text", "native.trees", "native.principal", "native.mesh_mass"):
        assert f"physics.compiler.{name}" in used
    readers = {path.stem for path in Path(decode.__file__).parent.glob("*.py")} - {"__init__"}
    assert len(readers) > 5 and {f"physics.compiler.decode.{name}" for name in readers} <= set(used)   # a further format too
    assert "physics.rotation.quaternion" in used
    assert asset_cache.AssetCache(*mesh_cache._MADE_BY).key


def test_without_sources_nothing_is_kept_and_the_log_says_so(folder, made, caplog, monkeypatch):
    monkeypatch.setattr(mesh_cache, "_MADE_BY", ("physics.compiler.mesh.no_such_module",))
    assert off(model()) == "" and off(model()) == "" and len(made) == 2 and not folder.exists()
    assert "no_such_module" in caplog.text

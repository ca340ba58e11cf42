"""Convex parts in the text: they are where the mesh is, collide in its place, weigh nothing, and one edit takes them back."""
from pathlib import Path

import numpy as np
import pytest

from editor.convex.decompose import ConvexError, mesh_geometry
from editor.convex.part_files import folder_of, free_stem, obj_text, part_paths, taken, write_parts
from editor.edits.version import Version
from editor.structure.convex_parts import add_parts, use_of
from editor.structure.draft import Refusal
from physics.mjcf.reader import read
from tests.editor.structure.versions import after, agrees_officially, compiled, one, world

BOX = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
FACES = np.array([(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)])
TEXT = """<mujoco>
  <compiler meshdir="meshes" angle="radian"/>
  <default>
    <mesh scale="0.01 0.01 0.01"/>
    <default class="visual"><geom contype="0" conaffinity="0" group="2" mass="0"/></default>
    <default class="{collision}"><geom group="3" friction="0.3"/></default>
  </default>
  <asset>
    <mesh name="frame" file="frame.obj" refpos="5 0 0" refquat="0.7 0.1 0 0.7"/> <!-- millimetres -->
  </asset>
  <worldbody>
    <body name="a" pos="0 0 1">
      <joint name="j"/>
      <geom name="g" type="mesh" mesh="frame" pos="0.3 0 0" euler="0.2 0 0.1" condim="4" density="700" rgba="1 0 0 1"/>
      <geom class="visual" type="mesh" mesh="frame" pos="0 0 0.5" axisangle="0 0 1 0.4"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def opened(tmp_path):
    """opened(text, ends) -> a version of a file with a mesh: an L of two boxes."""
    def make(text: str = TEXT.format(collision="collision"), ends: str = "\n") -> Version:
        (tmp_path / "meshes").mkdir(exist_ok=True)
        vert = np.concatenate((BOX * (20, 5, 5), BOX * (5, 20, 5) + (15, 15, 0)))
        (tmp_path / "meshes" / "frame.obj").write_text(obj_text(vert, np.concatenate((FACES, FACES + 8))))
        path = tmp_path / "robot.xml"
        path.write_text(text.replace("\n", ends), newline="")
        texts = dict(read(str(path)).sources)
        return Version.of(texts, str(path), str(tmp_path))
    return make


def decomposed(version: Version, chosen: str = "all", number: int | None = None):
    """(version with the parts, the parts)."""
    use = use_of(version, one(version, "mesh", "frame") if number is None else number)
    vert, face = mesh_geometry(version, use.mesh)
    parts = [(vert[:8], face[face.max(1) < 8]), (vert[8:], face[face.min(1) >= 8] - 8)]
    folder = folder_of(version, version.element(use.mesh), Path(version.main))
    paths = part_paths(folder, use.name, 2)
    write_parts(paths, parts)
    change = add_parts(version, use.mesh, use.geoms if chosen == "all" else use.chosen, [path.name for path in paths])
    return after(version, change), change


def vertices(m, name: str) -> np.ndarray:
    """Vertices of the mesh of a geom at qpos0, in the world."""
    places = world(m)["geom", name]
    mesh = int(m.geom_dataid[m.id("geom", name) if isinstance(name, str) else name])
    first, count = int(m.mesh_vertadr[mesh]), int(m.mesh_vertnum[mesh])
    return np.reshape(m.mesh_vert, (-1, 3))[first:first + count] @ places[3:].reshape(3, 3).T + places[:3]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_parts_are_where_the_mesh_is_and_weigh_nothing(opened, ends, tmp_path):
    version = opened(ends=ends)
    before = compiled(version)
    now, change = decomposed(version)
    m = compiled(now)
    assert len(change.edit.files) == 1 and m.nmesh == 3 and m.ngeom == 6
    assert np.allclose(m.body_mass, before.body_mass, rtol=1e-12) and np.allclose(m.body_inertia, before.body_inertia, rtol=1e-12)
    parts = [i for i in range(m.ngeom) if m.geom_contype[i]]
    assert len(parts) == 4 and all(m.geom_group[i] == 3 for i in parts) and all(m.geom_group[i] == 2 for i in range(m.ngeom) if i not in parts)
    assert m.geom_condim[m.id("geom", "g_part_000")] == 4 and m.geom_friction[m.id("geom", "g_part_000"), 0] == 1.0
    whole = vertices(m, "g")
    both = np.concatenate([vertices(m, f"g_part_{k:03d}") for k in range(2)])
    assert np.allclose(whole[np.lexsort(whole.T.round(5))], both[np.lexsort(both.T.round(5))], atol=1e-5)
    seen = vertices(m, next(i for i in range(m.ngeom) if not m.names["geom"][i] and i not in parts))
    unnamed = np.concatenate([vertices(m, i) for i in parts if not m.names["geom"][i]])
    assert np.allclose(seen[np.lexsort(seen.T.round(5))], unnamed[np.lexsort(unnamed.T.round(5))], atol=1e-5)      # class collision, with the place written out
    assert [m.geom_friction[i, 0] for i in parts if not m.names["geom"][i]] == [0.3, 0.3]
    text = now.texts[now.main]
    assert text.count("\r\n") == (text.count("\n") if ends == "\r\n" else 0) and "<!-- millimetres -->" in text and 'rgba="1 0 0 1"' in text
    agrees_officially(now, pytest.importorskip("mujoco"), tmp_path)


def test_one_geom_alone_and_classes_without_collision(opened):
    version = opened(TEXT.format(collision="other"))
    geom = one(version, "geom", "g")
    assert len(use_of(version, geom).geoms) == 2 and use_of(version, geom).chosen == (geom,)
    m = compiled(decomposed(version, "chosen", geom)[0])
    assert m.ngeom == 4 and [int(group) for group in m.geom_group] == [2, 3, 3, 2]
    other = next(e.id for e in version.root.walk() if e.tag == "geom" and e.attrs.get("class") == "visual" and "mesh" in e.attrs)
    m = compiled(decomposed(version, "chosen", other)[0])
    assert [int(bits) for bits in m.geom_contype] == [1, 0, 1, 1] and [int(group) for group in m.geom_group] == [0, 2, 3, 3]


def test_again_with_other_names_and_notes(opened):
    version = opened(TEXT.format(collision="collision").replace('angle="radian"', 'angle="radian" inertiagrouprange="0 1"').replace(
        "</mujoco>", '  <contact><pair name="p" geom1="g" geom2="floor"/></contact>\n</mujoco>').replace('<worldbody>', '<worldbody><geom name="floor" type="plane" size="1 1 1"/>'))
    now, change = decomposed(version)
    notes = " ".join(change.notes)
    assert "inertiagrouprange" in notes and "pair 'p'" in notes
    assert np.allclose(compiled(now).body_mass, compiled(version).body_mass)
    twice = after(now, add_parts(now, one(now, "mesh", "frame"), [one(now, "geom", "g")], ["frame_part_000.obj"]))
    assert 'name="frame_2_part_000"' in twice.texts[twice.main] and compiled(twice).ngeom == compiled(now).ngeom + 1


def test_what_is_no_mesh_is_refused(opened):
    version = opened()
    with pytest.raises(Refusal, match="Choose a mesh"):
        use_of(version, one(version, "joint"))
    with pytest.raises(Refusal, match="Choose a mesh"):
        use_of(version, next(e.id for e in version.root.walk() if e.tag == "mesh" and "name" not in e.attrs))
    missing = opened(TEXT.format(collision="c").replace("frame.obj", "none.obj"))
    with pytest.raises(ConvexError, match="none"):
        mesh_geometry(missing, one(missing, "mesh", "frame"))


def test_files_of_parts(tmp_path):
    paths = part_paths(tmp_path, "x", 2)
    assert [path.name for path in paths] == ["x_part_000.obj", "x_part_001.obj"] and not taken(paths) and free_stem(tmp_path, "x", 2) == "x"
    write_parts(paths, [(BOX, FACES)] * 2)
    assert taken(paths) == paths and free_stem(tmp_path, "x", 2) == "x_2" and "f 1 2 4" in paths[0].read_text()
    (tmp_path / "y_part_001.obj").mkdir()       # cannot be written over
    with pytest.raises(OSError):
        write_parts(part_paths(tmp_path, "y", 2), [(BOX, FACES)] * 2)
    assert not (tmp_path / "y_part_000.obj").exists() and not list(tmp_path.glob(".y*"))


@pytest.mark.parametrize("when", ["between two files", "when all are written"])
def test_parts_that_are_given_up_leave_the_disk_as_it_was(tmp_path, when):
    paths = part_paths(tmp_path, "x", 3)
    paths[0].write_text("kept")
    asked = []

    def stopping() -> bool:
        asked.append(sorted(path.name for path in tmp_path.glob("x*")))
        return when == "between two files" and len(asked) == 3

    with pytest.raises(ConvexError, match="given up"):
        write_parts(paths, [(BOX, FACES)] * 3, stopping, lambda: when == "between two files")
    assert len(asked) == 3 and asked[-1] == ["x_part_000.obj"]      # none is there before all are
    assert [path.name for path in tmp_path.iterdir()] == ["x_part_000.obj"] and paths[0].read_text() == "kept"
    write_parts(paths, [(BOX, FACES)] * 3, lambda: False, lambda: True)
    assert taken(paths) == paths and "f 1 2 4" in paths[0].read_text() and len(list(tmp_path.iterdir())) == 3

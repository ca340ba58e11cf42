"""Mesh files: OBJ, STL and MSH as the official reader takes them, and what is wrong with those it does not take."""
import struct

import numpy as np
import pytest

from physics.compiler.decode.obj import read_obj
from physics.compiler.decode.stl import merge_equal, read_stl
from tests.physics.compiler.whole import both_refuse, off, official, ours

POINTS = "v 0 0 0\nv 1 0 0.1\nv 1 1 0\nv 0 1 0.2\nv 0.5 2 0\nv -1 0.5 0\n"
TWO = "f 1 2 3\nf 1 3 4\n"


def scene(file: str, attributes: str = 'inertia="shell"') -> str:
    """A model with one mesh from a file, only drawn."""
    return (f'<mujoco><asset><mesh name="m" file="{file}" {attributes}/></asset><worldbody><body><freejoint/>'
            '<geom type="mesh" mesh="m" contype="0" conaffinity="0"/></body></worldbody></mujoco>')


def stl(corners: np.ndarray, count: int | None = None, head: bytes = b"made by a test") -> bytes:
    """Triangles (n, 3, 3) as a binary STL file."""
    records = np.zeros(len(corners), [("n", "<f4", 3), ("c", "<f4", (3, 3)), ("a", "<u2")])
    records["c"] = corners
    return head.ljust(80) + struct.pack("<I", len(corners) if count is None else count) + records.tobytes()


def msh(vert, normal=(), texcoord=(), face=()) -> bytes:
    """The old MSH format."""
    parts = [np.asarray(a, kind).reshape(-1, width) for a, kind, width in ((vert, "<f4", 3), (normal, "<f4", 3), (texcoord, "<f4", 2), (face, "<i4", 3))]
    return struct.pack("<4i", *map(len, parts)) + b"".join(p.tobytes() for p in parts)


def pyramid() -> np.ndarray:
    """Triangles of a pyramid over a square, with their corners."""
    a, b, c, d, e = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [.4, .6, 1.3]], np.float32)
    return np.array([[a, c, b], [a, d, c], [a, b, e], [b, c, e], [c, d, e], [d, a, e]])


@pytest.mark.parametrize("faces", [
    TWO, "f 1 2 3 4\n", "f 1 2 3 5 4\n", "f 1 2 3 5 4 6\n", "f -6 -5 -4\nf 1 3 4\n", "o A\nf 1 2 3\no B\nf 1 3 4\n", "g A\n\ng B\n" + TWO,
    "f 1 2 3\ng\nf 1 3 4\n", "usemtl x\nf 1 2 3\nusemtl y\nf 1 3 4\n", "f 1 2\n" + TWO, "l 1 2 3\n" + TWO, "f 1 2 3\nv 9 9 9\nf 1 3 7 4\n", "", "f 1/ 2/ 3/\nf 1// 3// 4//\n",
    "f 1.0 2.0 3.0\nf 1 3 4\n", "f 1 2 3  \nf  1 3 4\n", "s off\nf 1 2 3\ns 1\nf 1 3 4\n", "vt 0 0\nvt 1 0\nvt 1 .25\nf 1/1 2/2 3/3\nf 1/1 3/2 4/3\n",
    "vn 0 0 1\nvn 1 0 0\nf 1//1 2//1 3//2\nf 1//1 3//2 4//2\n", "vt 0 0\nvt 1 0\nvt 1 1\nvn 0 0 1\nvn 1 0 0\nf 1/1/1 2/2/1 3/3/2 4/3/2\nf 1/1/1 3/2/2 4/3/1\n",
    "vt 0 0\nf 1/1 2/2 3/3\n", "vt 0 0 1\n" + TWO, "f 6 1 2 3\nf -1 -2 -3\n",
])
def test_obj_faces(faces):
    for text in (POINTS + faces, (POINTS + faces).replace("\n", "\r\n"), (POINTS + faces).replace(" ", "\t"), (POINTS + faces).replace("\n", "\n  ")):
        assert off(scene("a.obj"), files={"a.obj": text}) == "", text


@pytest.mark.parametrize("line", ["v 1e-3 1.5E2 -2.25e+1", "v 1 2 3 0.1 0.2 0.3", "v 1 2 3 2", "v 1 2", "v a b c", "v .5 -.25 +4.", "hello", "# v 9 9 9", "v 1 2 3x"])
def test_obj_vertices(line):
    assert off(scene("a.obj"), files={"a.obj": f"{line}\n{POINTS}{TWO}"}) == ""


def test_polygons_are_cut_as_the_official_reader_cuts_them():
    rng = np.random.default_rng(4)
    for corners in (4, 5, 6, 7, 9, 12):
        points = rng.normal(size=(corners, 3)) * (1, 1, 0.05)
        text = "".join(f"v {x:.5f} {y:.5f} {z:.5f}\n" for x, y, z in points) + "f " + " ".join(str(k + 1) for k in range(corners)) + "\nf 1 2 3\n"
        assert np.array_equal(official(scene("a.obj"), files={"a.obj": text}).mesh_face, read_obj(text.encode()).face)


def test_evenly_written_files_and_uneven_ones_read_alike():
    rng = np.random.default_rng(5)
    vert, normal = rng.normal(size=(50, 3)), rng.normal(size=(50, 3))
    face = rng.integers(1, 51, size=(80, 3))
    even = "".join("v %.6f %.6f %.6f\n" % tuple(v) for v in vert) + "".join("vn %.4f %.4f %.4f\n" % tuple(v) for v in normal)
    even += "".join("f {0}//{0} {1}//{1} {2}//{2}\n".format(*f) for f in face)
    odd = even.replace("v ", "v  ").replace("f ", "f  ") + "f 1//1 2//2 3//3 \n"
    one, two = read_obj(even.encode()), read_obj(odd.encode())
    assert np.array_equal(one.vert, vert.round(6).astype(np.float32)) and np.array_equal(one.vert, two.vert)
    assert np.array_equal(one.face, face - 1) and np.array_equal(one.face, two.face[:-1])
    assert np.array_equal(one.normal, two.normal) and np.array_equal(one.facenormal, two.facenormal[:-1])


@pytest.mark.parametrize("scale", ["1 1 1", ".1 -.2 .3"])
def test_stl_and_msh_files(scale):
    corners = pyramid()
    vert, index = merge_equal(corners.reshape(-1, 3))
    assert len(vert) == 5 and np.array_equal(vert[index], corners.reshape(-1, 3))
    normal, texcoord = np.tile([0.0, 0.6, 0.8], (5, 1)), np.linspace(0, 1, 10)
    for file, data in (("a.stl", stl(corners)), ("A.STL", stl(corners)), ("a.msh", msh(vert)), ("a.msh", msh(vert, face=index)),
                       ("a.msh", msh(vert, normal, texcoord, index))):
        for inertia in ("legacy", "exact", "convex", "shell"):
            assert off(scene(file, f'scale="{scale}" inertia="{inertia}"'), files={file: data}) == ""


def test_the_ending_tells_the_kind_and_the_content_type_an_msh_file():
    corners = pyramid()
    old = msh(*[merge_equal(corners.reshape(-1, 3))[0]])
    for file, data, kind in (("a.txt", stl(corners), "model/stl"), ("a.obj", POINTS + TWO, "model/stl"), ("a.stl", stl(corners), "model/step"),
                             ("a.txt", old, "model/vnd.mujoco.msh"), ("a.stl", old, "model/vnd.mujoco.msh"), ("a.msh", old, "model/obj")):
        assert off(scene(file, f'content_type="{kind}" inertia="shell"'), files={file: data}) == "", (file, kind)


def test_corners_of_an_stl_file_are_merged_where_they_first_stand():
    corners = np.zeros((2, 3, 3), np.float32)
    corners[0], corners[1] = [[1, 0, 0], [0, -0.0, 0], [0, 1, 0]], [[0, 0, -0.0], [5, 5, 5], [1, 0, 0]]
    mesh = read_stl(stl(corners))
    assert mesh.vert.tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0], [5, 5, 5]]
    assert mesh.face.tolist() == [[0, 1, 2], [1, 3, 0]]


ENDLESS = pyramid()
ENDLESS[1, 2, 0] = np.inf


@pytest.mark.parametrize(("file", "data", "said"), [
    ("a.stl", b"", "head of 84 bytes, this file has 0"),
    ("a.stl", stl(pyramid())[:200], "6 triangles take 384 bytes, the file has 200"),
    ("a.stl", stl(pyramid(), 4_000_000_000), "1 to 200000 triangles, this one says 4000000000"),
    ("a.stl", stl(pyramid()[:0]), "this one says 0"),
    ("a.stl", stl(ENDLESS), "corner 3 of triangle 2"),
    ("a.stl", b"solid cube\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1 0\n  endloop\n endfacet\nendsolid\n", "save it as binary STL"),
    ("a.msh", b"\1\2\3", "head of 16 bytes, this file has 3"),
    ("a.msh", struct.pack("<4i", 3, 0, 0, 0) + bytes(36), "does not make sense: 3 vertices"),
    ("a.msh", struct.pack("<4i", 5, 4, 0, 0) + bytes(108), "5 vertices, 4 normals"),
    ("a.msh", struct.pack("<4i", 2_000_000_000, 0, 0, 0), "absurdly large"),
    ("a.msh", msh(np.eye(4, 3))[:-4], "take 64 bytes, the file has 60"),
    ("a.msh", msh(np.eye(4, 3), face=[0, 1, 7]), "names vertex 7, but the mesh has 4"),
    ("a.obj", POINTS + "f 1 2 40\nf 1 3 4\n", "triangle 0 names vertex 39, but the mesh has 6"),
    ("a.obj", POINTS + "f 1 2 0\n", "line 7: a face names vertex 0"),
    ("a.obj", POINTS + "f 1 2 -9\n", "line 7: a face counts back"),
    ("a.obj", POINTS + "f 1 2 x\n", "line 7: 'x' in a face is no index"),
    ("a.obj", POINTS + "vn 0 0 1\n" + TWO, "names no normal, but the file has 1"),
    ("a.obj", POINTS + "vn 0 0 1\nf 1//1 2//2 3//3\n", "names normal 2, but there are 1"),
    ("a.obj", "v nan 0 1\n" + POINTS + TWO, "not finite"),
    ("a.obj", "\0\1\2" * 50, "at least 4 vertices, this one has 0"),
    ("a.ply", b"ply", "ending '.ply'"),
])
def test_files_that_are_no_meshes_are_refused_with_the_numbers(file, data, said):
    assert said in ours(scene(file), files={file: data}), ours(scene(file), files={file: data})
    assert both_refuse(scene(file), files={file: data})


def test_missing_files_unknown_kinds_and_data_given_twice():
    assert "mesh file 'none.stl' was not found" in ours(scene("none.stl"))
    assert "ending '.txt' and the content type 'model/stl'" in ours(scene("a.txt", 'content_type="model/stl"'), files={"a.txt": stl(pyramid())})
    vert, index = merge_equal(pyramid().reshape(-1, 3))
    for inline in ('face="0 1 2 0 1 3"', 'normal="0 0 1 0 0 1 0 0 1 0 0 1 0 0 1"', 'texcoord="0 0 1 1 0 1 1 0 .5 .5"', 'vertex="0 0 0 1 0 0 0 1 0 0 0 1"'):
        for ending, data in (("stl", stl(pyramid())), ("msh", msh(vert))):
            name = f"{inline[:4]}.{ending}"  # the official compiler's own cache, which goes by names, forgets what the model gives
            assert off(scene(name, inline), files={name: data}) == "", inline
    for word, inline in (("face", 'face="0 1 2 0 1 3"'), ("vertex", 'vertex="0 0 0 1 0 0 0 1 0 0 0 1"')):
        model, files = scene(f"twice_{word}.msh", inline), {f"twice_{word}.msh": msh(vert, face=index)}
        assert f"both the file and the model give '{word}'" in ours(model, files=files) and both_refuse(model, files=files)


@pytest.mark.parametrize("corners", [99, 100, 101, 150, 1001, 3000])
@pytest.mark.parametrize("form", ["{0}", "{0}/1/1", "{0}//1", "  {0}  "])
def test_a_face_of_very_many_corners_is_left_out(corners, form):
    """A cone with a round floor of one face."""
    angles = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    rim = "".join(f"v {np.cos(a):.7f} {np.sin(a):.7f} 0\n" for a in angles)
    rows = [range(2, corners + 2), *((1, k + 2, (k + 1) % corners + 2) for k in range(corners))]
    text = "v 0 0 1\n" + rim + "vt 0 0\nvn 0 0 1\n" + "".join("f " + " ".join(form.format(k) for k in row) + "\n" for row in rows)
    name = f"round{corners}{form[3:4] or 'plain'}{len(form)}.obj"
    assert off(scene(name), files={name: text.encode()}) == ""

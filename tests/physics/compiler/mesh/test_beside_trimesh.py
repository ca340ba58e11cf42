"""Masses, centres, inertias and files of meshes beside trimesh, which shares nothing with this compiler nor with the official one."""
import numpy as np
import pytest
import trimesh

from physics.compiler.decode.obj import read_obj
from physics.compiler.decode.raw import RawMesh
from physics.compiler.decode.stl import read_stl
from physics.compiler.mesh.mesh_data import MeshOptions
from physics.compiler.mesh.mesh_process import plant, process
from physics.rotation.quaternion import matrix

SHAPES = {
    "box": trimesh.creation.box((0.3, 0.5, 0.9)),
    "torus": trimesh.creation.torus(1.0, 0.3, 24, 16),
    "tube": trimesh.creation.annulus(0.2, 0.5, 0.7, sections=20),
    "ball": trimesh.creation.icosphere(3, 0.4),
    "part of a ball": trimesh.convex.convex_hull(np.random.default_rng(4).normal(size=(60, 3))),
}


def moved(mesh: trimesh.Trimesh) -> trimesh.Trimesh:
    """Away from the origin and turned, so that no number is right by symmetry."""
    out = mesh.copy()
    out.apply_transform(trimesh.transformations.euler_matrix(0.3, -1.1, 0.7))
    out.apply_translation((0.4, -2.0, 1.5))
    return out


@pytest.mark.parametrize("name", SHAPES)
def test_volume_centre_and_inertia(name):
    theirs = moved(SHAPES[name])
    assert theirs.is_watertight and theirs.is_winding_consistent
    theirs = trimesh.Trimesh(np.asarray(theirs.vertices, np.float32).astype(float), theirs.faces, process=False)   # files hold single precision
    data, corner = process(RawMesh(vert=np.asarray(theirs.vertices, np.float32), face=np.asarray(theirs.faces, np.int32)), MeshOptions(inertia="exact"))
    plant([(data, corner)])
    assert data.volume == pytest.approx(theirs.volume, rel=1e-6)
    np.testing.assert_allclose(data.pos, theirs.center_mass, rtol=1e-6, atol=1e-6)
    # a box of equal inertia, half sizes h: I_x = V (h_y^2 + h_z^2) / 3, about the principal axes
    h2 = np.square(data.box)
    turn = np.reshape(matrix(tuple(data.quat)), (3, 3))
    inertia = turn @ np.diag(data.volume * (h2.sum() - h2) / 3) @ turn.T
    np.testing.assert_allclose(inertia, theirs.moment_inertia, rtol=1e-5, atol=1e-6 * np.abs(theirs.moment_inertia).max())


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("kind", ["stl", "obj"])
def test_files_that_trimesh_writes(name, kind):
    theirs = moved(SHAPES[name])
    text = theirs.export(file_type=kind)
    read = read_stl(text) if kind == "stl" else read_obj(text.encode())
    found = trimesh.Trimesh(read.vert.astype(float), read.face, process=False)
    assert len(read.face) == len(theirs.faces)
    np.testing.assert_allclose(found.triangles, theirs.triangles, rtol=0, atol=2e-7 * np.abs(theirs.vertices).max())

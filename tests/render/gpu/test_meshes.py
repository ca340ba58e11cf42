"""Levels of detail of a model's meshes: coarser buffers for small pictures, the same outline."""
import numpy as np

from render.geometry.sphere import sphere
from render.gpu import context, meshes
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import shapes
from render.scene.snapshot import MeshAsset
from tests.render.stage import FRONT, flat_scene

MESH = meshes.MODEL_MESH


def ball(n):
    vertices, triangles = sphere(n, n)
    return MeshAsset(vertices[:, :3], vertices[:, 3:6], triangles.reshape(-1, 3))


def _after_a_frame(made, level):
    made.next_frame()
    return made.get(MESH, level)


def count(mesh):
    return mesh.indices.size // 12


def test_large_meshes_get_coarser_ones_and_small_ones_do_not(offscreen):
    with context.use(offscreen.ctx) as ctx:
        made = meshes.Meshes(ctx)
        made.set_model([ball(160), ball(20)])
        made.next_frame()
        assert made.get(MESH, 3) is made.get(MESH, 0)       # the first picture does not wait
        full, small = made.get(MESH, 0), made.get(MESH + 1, 0)
        counts = [count(_after_a_frame(made, level)) for level in range(len(meshes.MESH_CELLS))]
        assert counts[0] == counts[2] > counts[3] > 2 * counts[4] > 4 * counts[5]       # levels 1 and 2 would save little
        assert made.get(MESH, 1) is full and made.get(MESH + 1, 5) is small and made.get(MESH, 3) is made.get(MESH, 3)
        made.release()


def test_only_so_much_is_simplified_in_a_frame(offscreen, monkeypatch):
    with context.use(offscreen.ctx) as ctx:
        made = meshes.Meshes(ctx)
        monkeypatch.setattr(meshes, 'PATIENCE', 1)
        made.set_model([ball(100), ball(100)])
        made.next_frame()
        made.next_frame()
        first, second = made.get(MESH, 5), made.get(MESH + 1, 5)
        assert count(first) < count(second) == count(made.get(MESH + 1, 0))
        made.next_frame()
        assert count(made.get(MESH + 1, 5)) == count(first)
        made.release()


def test_a_small_mesh_has_the_same_outline():
    scene = flat_scene()
    scene.assets.meshes.append(ball(150))
    for k in range(100):
        scene.geoms.put(shapes.MESH, (0.35 * (k % 10) - 1.6, 0, 0.25 * (k // 10) - 1.1), (0.12, 0.1, 0.08), (1, 1, 1, 1), dataid=0)
    pictures = []
    for quality in ('classic', 'high'):
        with Offscreen(320, 240, QUALITIES[quality]) as off:
            off.segments(scene, FRONT)
            pictures.append(off.segments(scene, FRONT))
            with context.use(off.ctx):
                levels = {level for kind, level in off.renderer.meshes._meshes if kind == MESH}
            assert levels == ({0} if quality == 'classic' else {0, 5})
    same = (pictures[0] == pictures[1])[(pictures[0] >= 0) | (pictures[1] >= 0)]
    assert same.mean() > 0.9 and (pictures[0] >= 0).sum() > 2000 and not np.array_equal(*pictures)

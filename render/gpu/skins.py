"""Skins on the GPU: what never changes, uploaded once, and the vertex buffers that the skin pass fills anew when bones have moved.

A drawn skin is to every other pass a mesh like any other: positions and normals come from `moved`, which no CPU touches.

Tables are textures 4096 texels wide, entry i at (i % 4096, i / 4096): GL 3.3 through moderngl has no buffer textures.

    rest   per vertex  bind position, -             held   per vertex  first entry and number of entries, first corner and number of corners
    entry  per entry   bone, weight                 corner per corner  the next and the previous vertex of its triangle
    bone   4 texels    rows of turn | shift         place  per vertex  position after pass 1
"""
import moderngl
import numpy as np

from render.geometry.texel_density import texel_density
from render.scene.skins import SkinAsset

WIDTH = 4096            # shaders/lib/table.glsl knows it too
MOVED = 24              # bytes per vertex: position, normal
TABLES = ('rest', 'held', 'entry', 'corner', 'bone', 'place')


def corners(asset: SkinAsset):
    """(start (n + 1,), next and previous vertex (3 m, 2)): the triangles' corners sorted by vertex."""
    order = np.argsort(asset.face.ravel(), kind='stable')
    ring = np.stack([np.roll(asset.face, -1, 1), np.roll(asset.face, 1, 1)], 2).reshape(-1, 2)
    return np.r_[0, np.cumsum(np.bincount(asset.face.ravel(), minlength=len(asset.vertex)))], ring[order]


class SkinMesh:
    """One skin's tables and buffers; `attributes`, `indices` and `texel_density` as those of gpu.meshes.Mesh."""

    flat = False
    mode = moderngl.TRIANGLES

    def __init__(self, ctx, asset: SkinAsset):
        n = len(asset.vertex)
        self.count, self.bones, self.inflate = n, len(asset.bone_pos), float(asset.inflate)
        start, ring = corners(asset)
        held = np.stack([asset.held_start[:-1], np.diff(asset.held_start), start[:-1], np.diff(start)], 1)
        self.tables = {'rest': _table(ctx, asset.vertex, 4), 'held': _table(ctx, held, 4),
                       'entry': _table(ctx, np.stack([asset.held_bone, asset.held_weight], 1), 2), 'corner': _table(ctx, ring, 2),
                       'bone': _table(ctx, np.zeros((3 * len(asset.bone_pos), 4)), 4), 'place': _table(ctx, np.zeros((n, 4)), 4)}
        self.places = ctx.framebuffer([self.tables['place']])
        self.moved = ctx.buffer(reserve=max(n, 1) * MOVED)
        uv = np.zeros((n, 3), np.float32)
        if asset.texcoord is not None:
            uv[:, :2] = asset.texcoord
        self.fixed = ctx.buffer(uv if n else bytes(12))
        self.texel_density = texel_density(np.c_[asset.vertex, np.zeros((n, 3)), uv], asset.face)
        self.indices = ctx.buffer(np.ascontiguousarray(asset.face, np.int32))
        self.attributes = {'a_pos': (self.moved, 3, 0, MOVED), 'a_normal': (self.moved, 3, 12, MOVED),
                           'a_uv': (self.fixed, 2, 0, 12), 'a_cap': (self.fixed, 1, 8, 12)}
        self._pose = None

    def set_pose(self, pose: np.ndarray) -> bool:
        """Upload the bones (b, 12); False if they are where they were."""
        if self._pose is not None and np.array_equal(pose, self._pose):
            return False
        self._pose = pose
        rows = np.concatenate([pose[:, :9].reshape(-1, 3, 3), pose[:, 9:, None]], 2)
        self.tables['bone'].write(_padded(rows.reshape(-1, 4), 4))
        return True

    def release(self):
        """Free everything."""
        self.places.release()
        for item in (*self.tables.values(), self.moved, self.fixed, self.indices):
            item.release()


def _padded(data, components):
    """Rows of a whole number of texture rows."""
    data = np.asarray(data, np.float32)
    out = np.zeros((WIDTH * max(1, -(-len(data) // WIDTH)), components), np.float32)
    out[:len(data), :data.shape[1]] = data
    return out


def _table(ctx, data, components):
    data = _padded(data, components)
    texture = ctx.texture((WIDTH, len(data) // WIDTH), components, data, dtype='f4')
    texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
    return texture

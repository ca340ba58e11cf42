"""Skins: meshes whose vertices are carried by bones. What a skin is, where its bones are in one picture, and the same sums on the CPU.

    vertex = sum over its bones of weight (R bind_vertex + t)        linear blend skinning
    normal = sum of (b - a) x (c - a) over its triangles, normalised: from the moved triangles, since bones may move without turning
    drawn  = vertex + inflate * normal

The GPU does this for pictures (gpu/skins.py); `deform` does it for rays and for tests. Poses are relative to the skin's
instance position, so that a skin far from the origin keeps its precision in float32.

Source: MuJoCo documentation, XML reference, skin (bones, inflate), and chapter Modeling, on skins.
"""
from dataclasses import dataclass, field

import numpy as np

from render.scene.rows import Rows

_TINY = 1e-15


@dataclass(frozen=True, slots=True)
class SkinAsset:
    """One skin as it is bound.

    vertex (n, 3) [m], face (m, 3) int32, texcoord (n, 2) or None. Vertex v is held by entries held_start[v] .. held_start[v + 1] of
    held_bone (numbers of bones) and held_weight. bone_pos (b, 3): where the bones were bound; bone_body (b,): what a ray reports.
    reach (b,): largest distance of a held vertex from its bone [m].
    """
    vertex: np.ndarray
    face: np.ndarray
    held_start: np.ndarray
    held_bone: np.ndarray
    held_weight: np.ndarray
    bone_pos: np.ndarray
    bone_body: np.ndarray
    inflate: float = 0.0
    texcoord: np.ndarray | None = None
    reach: np.ndarray = field(init=False)

    def __post_init__(self):
        distance = np.linalg.norm(self.vertex[self.holding()] - self.bone_pos[self.held_bone], axis=1)
        reach = np.zeros(len(self.bone_pos))
        np.maximum.at(reach, self.held_bone, distance)
        object.__setattr__(self, 'reach', reach)

    def holding(self) -> np.ndarray:
        """Vertex of each entry (k,)."""
        return np.repeat(np.arange(len(self.vertex)), np.diff(self.held_start))

    def balls(self, pose):
        """Centres (b, 3) from the instance's position and radii (b,) about the bones, whose hull holds the skin; pose (b, 12) as SkinPoses.of gives it."""
        at = np.einsum('bij,bj->bi', np.reshape(pose[:, :9], (-1, 3, 3)), self.bone_pos) + pose[:, 9:]
        return at, self.reach + abs(self.inflate)

    def radius(self, turn, shift) -> float:
        """Radius about the instance's position that holds the skin in this pose [m]: each vertex lies among balls about its bones."""
        at = np.einsum('bij,bj->bi', np.reshape(turn, (-1, 3, 3)), self.bone_pos) + shift
        return float((np.linalg.norm(at, axis=1) + self.reach).max(initial=0.0)) + abs(self.inflate)


class SkinPoses(Rows):
    """One row per bone of each drawn skin, the bones of a skin together and in order: vertex -> turn @ vertex + shift [m], from the
    skin's instance position. skin: number in assets.skins."""

    COLUMNS = (('skin', (), np.int32, -1), ('turn', (9,), np.float32, (1, 0, 0, 0, 1, 0, 0, 0, 1)), ('shift', (3,), np.float32, 0))

    def of(self, skin: int) -> np.ndarray:
        """(b, 12) float32: turn and shift of one skin's bones; b is 0 where it is not drawn."""
        rows = np.flatnonzero(self.view('skin') == skin)
        return np.concatenate([self.turn[rows], self.shift[rows]], 1)


def deform(asset: SkinAsset, pose):
    """Vertices (n, 3) and unit normals (n, 3) from the instance's position; pose (b, 12) as SkinPoses.of gives it."""
    pose, who = np.asarray(pose, float), asset.holding()
    turn, shift = pose[:, :9].reshape(-1, 3, 3)[asset.held_bone], pose[asset.held_bone, 9:]
    carried = np.einsum('kij,kj->ki', turn, asset.vertex[who].astype(float)) + shift
    vertex = np.zeros((len(asset.vertex), 3))
    np.add.at(vertex, who, asset.held_weight[:, None] * carried)
    a, b, c = (vertex[asset.face[:, k]] for k in range(3))
    normal = np.zeros_like(vertex)
    np.add.at(normal, asset.face.ravel(), np.repeat(np.cross(b - a, c - a), 3, axis=0))
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), _TINY)
    return vertex + asset.inflate * normal, normal


def body_at(asset: SkinAsset, vertex, point) -> int:
    """Body that holds the vertex nearest to a point most; vertex (n, 3) and point in the same frame. -1 if none does."""
    nearest = int(np.argmin(((np.asarray(vertex) - point) ** 2).sum(1)))
    entries = slice(asset.held_start[nearest], asset.held_start[nearest + 1])
    weight = asset.held_weight[entries]
    return int(asset.bone_body[asset.held_bone[entries][np.argmax(weight)]]) if len(weight) else -1

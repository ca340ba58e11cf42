"""Trees of bounding boxes: over the geoms of each body, and over the triangles of each mesh.

A tree halves its elements at the median of their centres along its box's longest side, down to single elements; its nodes are numbered
depth first. Kernels (native/trees.py) do this where they are loaded. Their twin here lets all trees grow together, one level at a time, so that
the work is a few array operations per level.
Source: Wald, Boulos and Shirley, "Ray tracing deformable scenes using dynamic bounding volume hierarchies" (2007); MuJoCo
documentation, Computation, 'Mid-phase collision detection' (median split, static trees in the inertial frame of the body).
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from physics.compiler.build import Build
from physics.compiler.items import BodyItem
from physics.compiler.mesh.median import Steps
from physics.compiler.mesh.mesh_inertia import cross, dot
from physics.compiler.native import trees as native
from physics.compiler.native.median import EPS
from physics.model.kernel_buffers import KernelBuffers
from physics.rotation.quaternion_arrays import conjugate, rotate


class Trees(NamedTuple):
    """Nodes of one or several trees. starts: first node of each tree and the total; child: (n, 2) of the tree's own numbers, -1 for none;
    nodeid: element of a leaf, else -1; aabb: (n, 6) centre and half sizes."""

    starts: np.ndarray
    child: np.ndarray
    depth: np.ndarray
    nodeid: np.ndarray
    aabb: np.ndarray


def grow(counts: np.ndarray, centres: np.ndarray, low: np.ndarray, high: np.ndarray) -> Trees:
    """Trees over consecutive groups of elements.

    counts: elements of each tree; centres, low, high: (elements, 3) what the elements are split by, and their boxes.
    """
    counts = np.asarray(counts, np.int64)
    if native.grow_trees.addr and np.isfinite(low).all() and np.isfinite(high).all():
        return _compiled_trees(counts, centres, low, high)
    starts = np.concatenate([[0], np.cumsum(np.maximum(2 * counts - 1, 0))])
    total = int(starts[-1])
    child, depth, nodeid = np.full((2, total), -1, np.int32), np.zeros(total, np.int32), np.full(total, -1, np.int32)
    aabb = np.zeros((6, total))
    corners = np.concatenate([low.T, -high.T])   # by coordinate, so that the least of all six is wanted
    order, steps = _Order(centres), Steps(centres, total)
    # nodes of this level: their numbers, the first number of their tree, their elements one node after the other
    node, root, sizes = starts[:-1][counts > 0], starts[:-1][counts > 0], counts[counts > 0]
    members, level = np.arange(len(centres)), 0
    steps.begin[node] = np.cumsum(sizes) - sizes
    while len(node):
        depth[node] = level
        split = sizes > 1
        if not split.all():
            inner = np.repeat(split, sizes)
            nodeid[node[~split]] = members[~inner]
            members, node, root, sizes = members[inner], node[split], root[split], sizes[split]
        if not len(node):
            break
        aabb[:, node] = box = _boxes(corners, members, np.cumsum(sizes) - sizes)
        axis, half = _longest(2 * box[3:]), sizes // 2
        left, right = node + 1, node + 2 * half
        steps.note(node, axis, sizes, left, right)
        members, first, doubtful = order.halved(members, sizes, axis)
        for k in doubtful:
            members[first[k]:first[k] + sizes[k]] = steps.halved(int(node[k]))
        child[0, node], child[1, node] = left - root, right - root
        node, sizes = np.stack([left, right], 1).ravel(), np.stack([half, sizes - half], 1).ravel()
        root, level = np.repeat(root, 2), level + 1
    leaf = np.flatnonzero(nodeid >= 0)
    aabb[:, leaf] = _boxes(corners, nodeid[leaf])
    return Trees(starts, np.ascontiguousarray(child.T), depth, nodeid, np.ascontiguousarray(aabb.T))


class _Room(KernelBuffers):
    """What a kernel needs to grow trees of up to `most` elements into `total` nodes; `cut` gives a piece of these."""

    def __init__(self, most: int, total: int, **arrays: np.ndarray):
        child, depth, nodeid, aabb = np.empty((total, 2), np.int32), np.empty(total, np.int32), np.empty(total, np.int32), np.empty((total, 6))
        super().__init__(tree_key=np.empty(most), tree_item=np.empty(most, np.int64), tree_wrong=np.empty((most, 2), np.int32),
                         tree_later=np.empty((native.DEEP, 3), np.int64), node_child=child, node_depth=depth, node_id=nodeid, node_box=aabb, **arrays)

    def cut(self, first: int, end: int) -> tuple[np.ndarray, ...]:
        """child, depth, nodeid and aabb of some nodes."""
        return self.node_child[first:end], self.node_depth[first:end], self.node_id[first:end], self.node_box[first:end]


def _compiled_trees(counts: np.ndarray, centres: np.ndarray, low: np.ndarray, high: np.ndarray) -> Trees:
    """What `grow` gives, from a kernel; for finite boxes."""
    starts = np.concatenate([[0], np.cumsum(np.maximum(2 * counts - 1, 0))])
    box = np.empty((len(centres), 8))
    box[:, :3] = low
    np.negative(high, out=box[:, 4:7])
    room = _Room(int(counts.max(initial=0)), int(starts[-1]), tree_count=counts, tree_centre=np.ascontiguousarray(centres, np.float64), tree_box=box)
    native.grow_trees(room, len(counts))
    return Trees(starts, *room.cut(0, int(starts[-1])))


def _boxes(corners: np.ndarray, members: np.ndarray, first: np.ndarray | None = None) -> np.ndarray:
    """Centres and half sizes (6, nodes) of the boxes around the elements of each node; flat ones are made thicker.

    first: place of each node's first among the members; without it each member is a node.
    """
    if first is None:
        least = corners.take(members, axis=1)
    else:
        least = np.empty((6, len(first)))
        for row, out in zip(corners, least):
            np.minimum.reduceat(row.take(members), first, out=out)
    lo, hi = least[:3], -least[3:]
    flat = np.abs(lo - hi) < EPS
    if flat.any():
        lo[flat] -= EPS
        hi[flat] += EPS
    return np.concatenate([(hi + lo) / 2, (hi - lo) / 2])


def _longest(edges: np.ndarray) -> np.ndarray:
    """Longest side of each box (3, nodes); of nearly equal ones the first."""
    x, y, z = edges
    second = y >= x + EPS
    return np.where(z >= np.where(second, y, x) + EPS, 2, second.astype(np.int64))


class _Order:
    """The order of elements along each axis: by their centres, by number where these are level. Equal centres stand in no order before `_level`."""

    def __init__(self, centres: np.ndarray):
        self.n = len(centres)
        self.places = np.ascontiguousarray(centres.T).ravel()
        by_rank = np.array([np.argsort(column) for column in self.places.reshape(3, -1)])
        rank = np.empty_like(by_rank)
        for along, back in zip(by_rank, rank):
            back[along] = np.arange(self.n)
        self.rank, self.by_rank = rank.ravel(), by_rank.ravel()
        self.nowhere = np.isnan(centres).any(axis=1)
        self.complete = not self.nowhere.any()

    def halved(self, members: np.ndarray, sizes: np.ndarray, axis: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(members in order along their node's axis, place of each node's first, nodes whose halves are in doubt)."""
        first = np.cumsum(sizes) - sizes
        column, base = np.repeat(np.stack([self.n * axis, self.n * np.arange(len(sizes))]), sizes, axis=1)
        members = self.rank.take(column + members)
        members += base
        members.sort()
        base -= column
        members -= base
        members = self.by_rank.take(members)
        placed = self.places.take(column + members)
        with np.errstate(invalid="ignore"):   # places may be infinite, or no numbers
            apart = placed[1:] - placed[:-1] > EPS
        apart[first[1:] - 1] = True
        close = np.flatnonzero(~apart)
        if self.complete and not close.size:
            return members, first, first[:0]
        return members, first, self._level(members, first + sizes // 2, first, placed, apart, close)

    def _level(self, members: np.ndarray, cut: np.ndarray, first: np.ndarray, placed: np.ndarray, apart: np.ndarray, close: np.ndarray) -> np.ndarray:
        """Put level elements in order by number, in place; the nodes whose halves are in doubt.

        apart: whether each element is away from the one before, from the second on; close: where not.
        Halves are in doubt where a chain of level centres that is not level end to end lies across the cut, and where a centre is missing.
        """
        shared = np.zeros(len(members), bool)
        shared[close] = shared[close + 1] = True
        shared = np.flatnonzero(shared)
        begins = np.concatenate(([True], apart.take(shared[1:] - 1)))[:len(shared)]
        base = self.n * np.cumsum(begins)
        keys = base + members.take(shared)
        keys.sort()
        members[shared] = keys - base
        across = np.flatnonzero(~apart.take(cut - 1))
        starts, ends = shared[begins], shared[np.concatenate((begins[1:], [True]))[:len(shared)]]
        run = np.searchsorted(starts, cut[across], side="right") - 1
        with np.errstate(invalid="ignore"):
            doubt = across[placed.take(ends[run]) - placed.take(starts[run]) > EPS]
        if self.complete:
            return doubt
        return np.union1d(doubt, np.flatnonzero(np.add.reduceat(self.nowhere.take(members), first, dtype=np.int64) > 0))


# meshes


def mesh_tree(vertices: np.ndarray, faces: np.ndarray) -> Trees:
    """The tree over a mesh's triangles, split by the centres of their circumcircles.

    vertices: (n, 3) in double precision, before they are rounded for mesh_vert; faces: (m, 3) vertex numbers.
    """
    return mesh_trees([(np.asarray(vertices, float).T, np.asarray(faces))])[0]


def mesh_trees(meshes: list[tuple[np.ndarray, np.ndarray]]) -> list[Trees]:
    """The trees of meshes (vertices (3, n), faces (m, 3)), grown together: small meshes cost little more than their triangles."""
    out = _compiled_mesh_trees(meshes) if native.mesh_tree.addr else []
    if out:
        return out
    a, b, c = (np.concatenate([vertices.take(faces[:, k], axis=1) for vertices, faces in meshes], axis=1) for k in range(3))
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    # as the official compiler has it: the box is kept as centre and half sizes
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    trees = grow(np.array([len(faces) for _vertices, faces in meshes]), _circumcentres(a, b, c).T, (middle - half).T, (middle + half).T)
    first = 0
    for (_vertices, faces), start, end in zip(meshes, trees.starts[:-1].tolist(), trees.starts[1:].tolist()):
        nodeid = trees.nodeid[start:end]
        nodeid[nodeid >= 0] -= first
        out.append(Trees(np.array([0, end - start]), trees.child[start:end], trees.depth[start:end], nodeid, trees.aabb[start:end]))
        first += len(faces)
    return out


def _compiled_mesh_trees(meshes: list[tuple[np.ndarray, np.ndarray]]) -> list[Trees]:
    """The same from a kernel; none where a mesh is not finite."""
    most = max(len(faces) for _vertices, faces in meshes)
    room = _Room(most, sum(max(2 * len(faces) - 1, 0) for _vertices, faces in meshes), tree_centre=np.empty((most, 3)), tree_box=np.empty((most, 8)))
    start, out = 0, []
    for vertices, faces in meshes:
        room.bind("tri_point", np.ascontiguousarray(vertices))
        room.bind("tri_face", np.ascontiguousarray(faces, np.int32))
        if not native.mesh_tree(room, len(faces), vertices.shape[1], start):
            return []
        end = start + max(2 * len(faces) - 1, 0)
        out.append(Trees(np.array([0, end - start]), *room.cut(start, end)))
        start = end
    return out


def _circumcentres(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Centres (3, m) of the circles through three corners, each (3, m)."""
    a, b = a - c, b - c
    normal = cross(a, b)
    area = np.sqrt(dot(normal, normal))
    with np.errstate(divide="ignore", invalid="ignore"):   # a triangle without area has no circle
        return cross(dot(a, a) * b - dot(b, b) * a, normal) / (2 * area * area) + c


# the model


def fill(build: Build) -> None:
    """Fields bvh_*, body_bvhadr, body_bvhnum, mesh_bvhadr, mesh_bvhnum: the trees of bodies, then those of meshes.

    A mesh item's `tree` is what `mesh_tree` has made of it.
    """
    out = build.fields.rows
    bodies = body_trees(build)
    trees = [bodies, *(item.tree for item in build.items["mesh"] if hasattr(item, "tree"))]
    starts = np.concatenate([bodies.starts, bodies.starts[-1] + np.cumsum([len(tree.depth) for tree in trees[1:]], dtype=np.int64)])
    num = np.diff(starts)
    adr, nbody = np.where(num > 0, starts[:-1], -1), len(build.items["body"])
    out["body_bvhadr"], out["body_bvhnum"] = adr[:nbody], num[:nbody]
    out["mesh_bvhadr"], out["mesh_bvhnum"] = adr[nbody:], num[nbody:]
    build.fields.sizes.update(nbvh=int(starts[-1]), nbvhstatic=int(starts[-1]), nbvhdynamic=0)
    for name in ("child", "depth", "nodeid", "aabb"):
        out["bvh_" + name] = np.concatenate([getattr(tree, name) for tree in trees])


def body_trees(build: Build, of: Iterable[BodyItem] | None = None) -> Trees:
    """A tree per body over its geoms that can touch anything, in the body's inertial frame; none for a body without them. of: some bodies, whose trees alone are made."""
    some = build.items["geom"] if of is None else [g for body in of for g in body.geoms]
    geoms = [g for g in some if g.contype or g.conaffinity]
    bodies = build.items["body"]
    counts = np.bincount([g.body.id for g in geoms], minlength=len(bodies)) if geoms else np.zeros(len(bodies), int)
    if not geoms:
        return grow(counts, *[np.zeros((0, 3))] * 3)
    pos, quat, aabb = (np.array([getattr(g, n) for g in geoms], float) for n in ("pos", "quat", "aabb"))
    away = pos - np.array([g.body.ipos for g in geoms], float)
    back = conjugate(np.array([g.body.iquat for g in geoms], float))
    lower, upper = aabb[:, :3] - aabb[:, 3:], aabb[:, :3] + aabb[:, 3:]
    corners = np.stack([np.where([k & 1, k & 2, k & 4], upper, lower) for k in range(8)], 1)
    corners = rotate(back[:, None], rotate(quat[:, None], corners) + away[:, None])
    trees = grow(counts, rotate(back, away), corners.min(axis=1), corners.max(axis=1))
    ids = np.array([g.id for g in geoms] + [-1])
    return trees._replace(nodeid=ids[trees.nodeid])

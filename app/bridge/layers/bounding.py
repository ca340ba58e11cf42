"""Bounding volumes: boxes of the trees over the geoms of a body and over the triangles of a mesh, at one depth of the trees.

A leaf above that depth is shown too, so the boxes of one picture always cover everything but endless planes.

With visual/global bvactive the boxes of bodies that hold a geom in contact have a colour of their own. (Officially those that the search
for contacts went through; ours has other trees to search.)
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.bridge.derived_from import derived_from
from app.bridge.layers.connect import boxes
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view_state import ViewState
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene

ENDLESS = 1e9   # m; the box of a plane is larger


class Nodes(NamedTuple):
    """Boxes (n): number of the node, what it hangs on (body or geom), whether a leaf, centre (n, 3) and half sizes (n, 3) in its frame, geom of a body's leaf."""

    node: np.ndarray
    owner: np.ndarray
    leaf: np.ndarray
    centre: np.ndarray
    half: np.ndarray
    geom: np.ndarray


def _shown(m: Model, nodes: np.ndarray, depth: int) -> tuple[np.ndarray, np.ndarray]:
    """Which of these nodes are drawn at this depth, and which are leaves."""
    leaf = (m.bvh_child[nodes] == -1).all(axis=1)
    level = m.bvh_depth[nodes]
    return (level == depth) | (leaf & (level < depth)), leaf


def _nodes(m: Model, node: np.ndarray, owner: np.ndarray, depth: int) -> Nodes:
    keep, leaf = _shown(m, node, depth)
    node, owner, leaf = node[keep], owner[keep], leaf[keep]
    box = m.bvh_aabb[node]
    return Nodes(node, owner, leaf, box[:, :3], box[:, 3:], np.where(leaf, m.bvh_nodeid[node], -1))


def _spread(start: np.ndarray, count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(node, place of its tree): the nodes of trees that begin at `start` and have `count` nodes each."""
    place = np.repeat(np.arange(len(start)), count)
    return np.arange(len(place)) - np.repeat(np.cumsum(count) - count, count) + start[place], place


@derived_from("geom_aabb", "bvh_aabb", "bvh_child", "bvh_nodeid", "bvh_depth")
def body_nodes(m: Model, depth: int) -> Nodes:
    """Boxes of the bodies' trees at this depth; a leaf's box is that of its geom."""
    nodes = _nodes(m, *_spread(m.body_bvhadr, m.body_bvhnum), depth)
    aabb = m.geom_aabb[nodes.geom]
    leaf = nodes.leaf[:, None]
    nodes = nodes._replace(centre=np.where(leaf, aabb[:, :3], nodes.centre), half=np.where(leaf, aabb[:, 3:], nodes.half))
    finite = (nodes.half < ENDLESS).all(axis=1)
    return Nodes(*(column[finite] for column in nodes))


@derived_from("bvh_child", "bvh_nodeid", "bvh_depth")
def shown_above(m: Model, depth: int) -> np.ndarray:
    """(ngeom,) node of the bodies' trees that is shown at this depth and holds the geom."""
    parent = np.arange(m.nbvh)
    inner = np.repeat(parent, 2).reshape(-1, 2)
    linked = m.bvh_child >= 0
    start = np.repeat(m.body_bvhadr, m.body_bvhnum)   # children count from the root of their own tree
    nodes = _spread(m.body_bvhadr, m.body_bvhnum)[0]
    child = (m.bvh_child[nodes] + start[:, None])[linked[nodes]]
    parent[child] = inner[nodes][linked[nodes]]
    leaf = nodes[(m.bvh_child[nodes] == -1).all(axis=1)]
    at, out = leaf.copy(), np.full(m.ngeom, -1)
    while (deep := m.bvh_depth[at] > depth).any():
        at[deep] = parent[at[deep]]
    out[m.bvh_nodeid[leaf]] = at
    return out


@derived_from("bvh_aabb", "geom_type", "geom_dataid")
def mesh_nodes(m: Model, depth: int) -> Nodes:
    """Boxes of the trees of all geoms with a mesh."""
    geom = np.flatnonzero((m.geom_type == shapes.MESH) & (m.geom_dataid >= 0))
    mesh = m.geom_dataid[geom]
    node, place = _spread(m.mesh_bvhadr[mesh], m.mesh_bvhnum[mesh])
    return _nodes(m, node, geom[place], depth)


def _place(pos, mat, centre) -> np.ndarray:
    return pos + np.einsum("nij,nj->ni", mat.reshape(-1, 3, 3), centre)


def add_body_tree(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Boxes around the geoms of each body."""
    m = visuals.model
    if not options.flags["body_tree"] or not m.ngeom:
        return
    nodes = visuals.of(body_nodes, options.bvh_depth)
    leaf = nodes.leaf[:, None]
    pos = np.where(leaf, snapshot.geom_xpos[nodes.geom], snapshot.xipos[nodes.owner])
    mat = np.where(leaf, snapshot.geom_xmat[nodes.geom], snapshot.ximat[nodes.owner])
    rgba = m.vis.rgba.bv
    if m.vis.global_.bvactive:
        touching = visuals.of(shown_above, options.bvh_depth)[np.unique(snapshot.contact_geom)]
        rgba = np.where(np.isin(nodes.node, touching)[:, None], m.vis.rgba.bvactive, rgba)
    boxes(out.lines, _place(pos, mat, nodes.centre), mat, nodes.half, rgba, objtype=shapes.OBJ_BODY, objid=nodes.owner, bodyid=nodes.owner)


def add_mesh_tree(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Boxes around the triangles of each mesh."""
    m = visuals.model
    if not options.flags["mesh_tree"] or not m.nmesh:
        return
    nodes = visuals.of(mesh_nodes, options.bvh_depth)
    pos, mat = snapshot.geom_xpos[nodes.owner], snapshot.geom_xmat[nodes.owner]
    boxes(out.lines, _place(pos, mat, nodes.centre), mat, nodes.half, m.vis.rgba.bv, objtype=shapes.OBJ_GEOM, objid=nodes.owner,
          bodyid=m.geom_bodyid[nodes.owner])

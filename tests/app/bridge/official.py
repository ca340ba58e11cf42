"""The official abstract scene beside ours, for the same model and state, so that the bridge is judged without our engine."""
from __future__ import annotations

import mujoco
import numpy as np

from physics.model.data import Data
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from tests.physics.engine.oracle_model import model_from

KINDS = {"body": "nbody", "joint": "njnt", "geom": "ngeom", "site": "nsite", "camera": "ncam", "light": "nlight", "tendon": "ntendon", "actuator": "nactuator",
         "equality": "neq", "skin": "nskin"}
CONTACT = ("surfacevel", "dist", "includemargin", "mu", "dim", "exclude", "efc_address", "pos", "frame", "friction", "geom", "solref", "solimp")


def our_model(mj: mujoco.MjModel) -> Model:
    """Our Model with the official one's fields, names and visual settings."""
    m = model_from(mj)
    for kind, size in KINDS.items():
        accessor = {"camera": "cam"}.get(kind, kind)
        m.names[kind] = tuple(getattr(mj, accessor)(i).name for i in range(getattr(mj, size)))
    for group in ("global_", "quality", "headlight", "map", "scale", "rgba"):
        theirs, mine = getattr(mj.vis, group), getattr(m.vis, group)
        for name in type(mine).__slots__:
            value = getattr(theirs, name)
            if np.size(value) == 0:
                continue   # the official binding gives no colour of bounding volumes
            setattr(mine, name, tuple(value.tolist()) if isinstance(value, np.ndarray) else value)
    return m


def our_snapshot(m: Model, mjd: mujoco.MjData) -> Snapshot:
    """A Snapshot holding the official Data's numbers."""
    d = Data(m, maxcon=max(1, mjd.ncon), maxefc=max(1, mjd.nefc))
    for name in Data.layout.arrays:
        theirs = getattr(mjd, name, None)
        if isinstance(theirs, np.ndarray) and theirs.size == getattr(d, name).size and theirs.dtype.kind in "fiub":
            getattr(d, name)[...] = theirs.reshape(getattr(d, name).shape)
    d.efc_J_rowadr[...] = 0    # the official ones hold anything where the Jacobian is dense
    d.sol_tree_island[...] = mjd.tree_island
    for name in ("time", "ncon", "ne", "nf", "nl", "nefc"):
        setattr(d, name, getattr(mjd, name))
    d.sol_nisland = mjd.nisland
    for name in CONTACT:
        getattr(d, "contact_" + name)[:mjd.ncon] = getattr(mjd.contact, name).reshape(mjd.ncon, *getattr(d, "contact_" + name).shape[1:])
    for name in ("type", "id", "state", "pos", "margin", "force", "KBIP"):
        theirs = getattr(mjd, "efc_" + name)
        getattr(d, "efc_" + name)[:mjd.nefc] = theirs.reshape(mjd.nefc, *getattr(d, "efc_" + name).shape[1:])
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    return snapshot


def official_scene(mj, mjd, flags=(), label=0, frame=0, perturb=None, groups=None, depth=1, into=None) -> mujoco.MjvScene:
    """mjv_updateScene with these flags switched to the other value. into: a scene to be filled again."""
    option = mujoco.MjvOption()
    for flag in flags:
        option.flags[flag] = not option.flags[flag]
    option.label, option.frame, option.bvh_depth = label, frame, depth
    for kind, on in (groups or {}).items():
        getattr(option, kind + "group")[:] = on
    scene = mujoco.MjvScene(mj, 5000) if into is None else into
    camera = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(mj, camera)
    mujoco.mjv_updateScene(mj, mjd, option, perturb, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
    return scene


def rows_of(scene: mujoco.MjvScene, skip=()) -> np.ndarray:
    """(n, 1 + 3 + 3 + 9 + 4): type, pos, size, mat, rgba of every official geom that is drawn as a shape.

    Arrows are given as drawn: with one head half as long as their size, with two heads from end to end.
    """
    out = []
    for g in scene.geoms[:scene.ngeom]:
        if g.type in (mujoco.mjtGeom.mjGEOM_LABEL, mujoco.mjtGeom.mjGEOM_LINE, mujoco.mjtGeom.mjGEOM_LINEBOX, *skip):
            continue
        pos, size, mat = np.array(g.pos, float), np.array(g.size, float), np.array(g.mat, float)
        if g.type in (mujoco.mjtGeom.mjGEOM_ARROW, mujoco.mjtGeom.mjGEOM_ARROW1):
            size[2] /= 2
        elif g.type == mujoco.mjtGeom.mjGEOM_ARROW2:
            pos = pos - 0.5 * size[2] * mat[:, 2]
        out.append(np.concatenate([[g.type], pos, size, mat.ravel(), g.rgba]))
    return np.array(out).reshape(len(out), 20)


def our_rows(scene, skip=()) -> np.ndarray:
    """The same columns of our Scene."""
    g = scene.geoms
    rows = np.concatenate([g.view("shape")[:, None].astype(float), g.view("pos"), g.view("size"), g.view("mat"), g.view("rgba")], axis=1)
    return rows[~np.isin(g.view("shape"), skip)]


def lines_of(scene: mujoco.MjvScene) -> np.ndarray:
    """(n, 11): start, end, rgba, width of every official line and of the twelve edges of every finite box of lines."""
    out = []
    for g in scene.geoms[:scene.ngeom]:
        pos, size, mat, rgba = np.array(g.pos, float), np.array(g.size, float), np.array(g.mat, float).reshape(3, 3), np.array(g.rgba, float)
        if g.type == mujoco.mjtGeom.mjGEOM_LINE:
            out.append(np.concatenate([pos, pos + size[2] * mat[:, 2], rgba, size[:1]])[None])
        elif g.type == mujoco.mjtGeom.mjGEOM_LINEBOX and size.max() < 1e9:   # not that of an endless plane
            corner = [pos + mat @ (size * np.array([x, y, z])) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
            pairs = [(a, b) for a in range(8) for b in range(a + 1, 8) if bin(a ^ b).count("1") == 1]
            out.append(np.array([np.concatenate([corner[a], corner[b], rgba, [1.5]]) for a, b in pairs]))
    return np.concatenate(out) if out else np.zeros((0, 11))


def our_lines(scene) -> np.ndarray:
    """The same columns of our Scene."""
    lines = scene.lines
    return np.concatenate([lines.view("start"), lines.view("end"), lines.view("rgba"), lines.view("width")[:, None]], axis=1).astype(float)


def normal_rows(rows: np.ndarray) -> np.ndarray:
    """Without what does not show: how a ball is turned, a triangle's third size, a mesh's size, where an endless plane has its middle."""
    rows = rows.copy()
    kind = rows[:, 0]
    rows[kind == shapes.TRIANGLE, 6] = 0
    balls = kind == shapes.SPHERE
    rows[balls, 7:16] = np.eye(3).ravel()
    rows[np.isin(kind, (shapes.MESH, shapes.SDF, shapes.HFIELD)), 4:7] = 1
    rows[kind == shapes.HFIELD, 0] = shapes.MESH   # in our scene a height field is a mesh of its own
    rows[kind == shapes.SDF, 0] = shapes.MESH
    endless = (kind == shapes.PLANE) & ((rows[:, 4] <= 0) | (rows[:, 5] <= 0))
    rows[endless, 1:4] = 0
    return rows


def mismatch(ours: np.ndarray, theirs: np.ndarray, tolerance=2e-5) -> str:
    """'' where every official row has exactly one equal row of ours and there are no more, else what differs first."""
    if len(ours) != len(theirs):
        kinds = {k: (int((ours[:, 0] == k).sum()), int((theirs[:, 0] == k).sum())) for k in sorted({*ours[:, 0], *theirs[:, 0]})} if ours.shape[1] == 20 else ""
        return f"{len(ours)} rows, the official scene has {len(theirs)} {({k: v for k, v in kinds.items() if v[0] != v[1]} if kinds else '')}"
    if not len(ours):
        return ""
    scale = np.maximum(1.0, np.abs(theirs))   # single precision is all that a scene has
    metres = slice(1, 7) if theirs.shape[1] == 20 else slice(0, 6)
    scale[:, metres] = scale[:, metres].max(axis=1, keepdims=True)
    left = np.flatnonzero((np.abs(ours - theirs) >= tolerance * scale).any(axis=1))   # usually in the same order: the rest is searched for
    free = left.tolist()
    for k in left.tolist():
        off = (np.abs(ours[free] - theirs[k]) / scale[k]).max(axis=1)
        best = int(np.argmin(off))
        if off[best] >= tolerance:
            return f"no row like {np.round(theirs[k], 4).tolist()}; nearest {np.round(ours[free[best]], 4).tolist()}"
        del free[best]
    return ""


def assert_same(ours: np.ndarray, theirs: np.ndarray, tolerance=2e-5) -> None:
    """Every official row has exactly one equal row of ours, and there are no more."""
    message = mismatch(normal_rows(ours), normal_rows(theirs), tolerance)
    assert not message, message


def assert_same_lines(ours: np.ndarray, theirs: np.ndarray, tolerance=2e-5) -> None:
    """The same for lines, whichever end comes first."""
    message = mismatch(turned(ours), turned(theirs), tolerance)
    assert not message, message


def turned(lines: np.ndarray) -> np.ndarray:
    """Lines with the end first that is lower along an oblique direction."""
    lines = lines.copy()
    swap = (lines[:, :3] - lines[:, 3:6]) @ (0.61, 0.53, 0.59) > 0
    lines[swap] = lines[swap][:, [3, 4, 5, 0, 1, 2, *range(6, 11)]]
    return lines

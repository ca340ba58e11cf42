"""The official abstract scene beside ours, for the same model and state, so that the bridge is judged without our engine."""
from __future__ import annotations

import mujoco
import numpy as np

from physics.data import Data
from physics.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from tests.physics.engine.oracle_model import model_from

KINDS = {"body": "nbody", "joint": "njnt", "geom": "ngeom", "site": "nsite", "camera": "ncam", "light": "nlight", "tendon": "ntendon", "actuator": "nactuator"}
CONTACT = ("dist", "includemargin", "mu", "dim", "exclude", "efc_address", "pos", "frame", "friction", "geom", "solref", "solimp")


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
            setattr(mine, name, tuple(value.tolist()) if isinstance(value, np.ndarray) else value)
    return m


def our_snapshot(m: Model, mjd: mujoco.MjData) -> Snapshot:
    """A Snapshot holding the official Data's numbers."""
    d = Data(m, maxcon=max(1, mjd.ncon), maxefc=max(1, mjd.nefc))
    for name in Data.layout.arrays:
        theirs = getattr(mjd, name, None)
        if isinstance(theirs, np.ndarray) and theirs.size == getattr(d, name).size and theirs.dtype.kind in "fiub":
            getattr(d, name)[...] = theirs.reshape(getattr(d, name).shape)
    for name in ("time", "ncon", "ne", "nf", "nl", "nefc"):
        setattr(d, name, getattr(mjd, name))
    for name in CONTACT:
        getattr(d, "contact_" + name)[:mjd.ncon] = getattr(mjd.contact, name).reshape(mjd.ncon, *getattr(d, "contact_" + name).shape[1:])
    for name in ("type", "id", "state", "pos", "margin", "force", "KBIP"):
        theirs = getattr(mjd, "efc_" + name)
        getattr(d, "efc_" + name)[:mjd.nefc] = theirs.reshape(mjd.nefc, *getattr(d, "efc_" + name).shape[1:])
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    return snapshot


def official_scene(mj, mjd, flags=(), label=0, frame=0, perturb=None, groups=None) -> mujoco.MjvScene:
    """mjv_updateScene with these flags switched to the other value."""
    option = mujoco.MjvOption()
    for flag in flags:
        option.flags[flag] = not option.flags[flag]
    option.label, option.frame = label, frame
    for kind, on in (groups or {}).items():
        getattr(option, kind + "group")[:] = on
    scene = mujoco.MjvScene(mj, 5000)
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


def assert_same(ours: np.ndarray, theirs: np.ndarray, tolerance=2e-5) -> None:
    """Every official row has exactly one equal row of ours, and there are no more."""
    assert len(ours) == len(theirs), f"{len(ours)} shapes, the official scene has {len(theirs)}"
    for rows in (ours, theirs):
        rows[rows[:, 0] == shapes.TRIANGLE, 6] = 0  # flat: the third size means nothing
    left = list(range(len(ours)))
    for row in theirs:
        distance = np.abs(ours[left] - row).max(axis=1)
        best = int(np.argmin(distance))
        assert distance[best] < tolerance, f"no row like {np.round(row, 4)}; nearest {np.round(ours[left[best]], 4)}"
        del left[best]

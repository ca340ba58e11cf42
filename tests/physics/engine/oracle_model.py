"""Our Model and Data filled field by field from the official engine's, so that stages can be judged without our compiler."""
from __future__ import annotations

import mujoco
import numpy as np

from physics.compiler.derived.collision_pairs import build_pairs
from physics.model.data import Data
from physics.model.model import Model


def model_from(mj: mujoco.MjModel) -> Model:
    """Our Model with all fields of the official one that have the same name, and its candidate pairs."""
    layout = Model.layout
    sizes = {n: int(getattr(mj, n)) for n in layout.scalars if n.startswith("n") and hasattr(mj, n)}
    m = Model.allocate(sizes)
    for name in layout.scalars:
        if name.startswith("flg_") and hasattr(mj, name):
            setattr(m, name, getattr(mj, name))
        if name.startswith(("opt_", "stat_")) and name != "opt_engine" and not name.startswith("opt_hard_"):   # which engine: ours alone
            head, _, tail = name.partition("_")
            setattr(m, name, getattr(getattr(mj, head), tail))
    for name in layout.arrays:
        head, _, tail = name.partition("_")
        owner, attr = (getattr(mj, head), tail) if head in ("opt", "stat") else (mj, name)
        if hasattr(owner, attr):
            mine, theirs = getattr(m, name), np.asarray(getattr(owner, attr))
            if theirs.dtype.kind not in "SU":  # texts are bytes there
                mine[...] = theirs.reshape(mine.shape)
    build_pairs(m)
    return m


STATE = ("qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat", "qacc_warmstart")


def take_state(d: Data, mjd: mujoco.MjData) -> None:
    """Copy time, state, controls and applied forces."""
    d.time = mjd.time
    for name in STATE:
        getattr(d, name)[...] = getattr(mjd, name)


def pair_from(xml: str) -> tuple[mujoco.MjModel, mujoco.MjData, Model, Data]:
    """Official and our model and data of an MJCF text, at the same state."""
    mj = mujoco.MjModel.from_xml_string(xml)
    m = model_from(mj)
    mjd, d = mujoco.MjData(mj), Data(m)
    take_state(d, mjd)
    return mj, mjd, m, d


def randomize(mj: mujoco.MjModel, mjd: mujoco.MjData, seed: int, speed: float = 1.0) -> None:
    """A random state: coordinates off the initial pose (quaternions not normalised), velocities, activations, controls, forces."""
    rng = np.random.default_rng(seed)
    mujoco.mj_resetData(mj, mjd)
    mjd.qpos[:] = mj.qpos0 + 0.5 * rng.normal(size=mj.nq)
    mjd.qvel[:] = speed * rng.normal(size=mj.nv)
    mjd.act[:] = rng.normal(size=mj.na)
    mjd.ctrl[:] = 1.5 * rng.normal(size=mj.nu)
    mjd.qfrc_applied[:] = rng.normal(size=mj.nv)
    mjd.xfrc_applied[1:] = rng.normal(size=(mj.nbody - 1, 6)) * (rng.random((mj.nbody - 1, 1)) < 0.5)
    mjd.mocap_pos[:] += 0.3 * rng.normal(size=(mj.nmocap, 3))
    mjd.mocap_quat[:] = rng.normal(size=(mj.nmocap, 4))


def rel(a, b) -> float:
    """Largest difference by row, relative to the row's largest number (docs/agreement.md), 0 where both are zero."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    if a.shape != b.shape:
        return np.inf
    if a.size == 0 or not (a.any() or b.any()):
        return 0.0
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return np.inf
    rows = len(b) if b.ndim > 1 else 1
    a, b = a.reshape(rows, -1), b.reshape(rows, -1)
    scale = np.maximum(np.abs(b).max(1), 1e-6 * np.abs(b).max())
    return float((np.abs(a - b).max(1) / np.where(scale > 0, scale, 1.0)).max())

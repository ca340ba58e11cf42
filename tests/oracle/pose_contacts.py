"""Contacts at poses that no run need ever meet: qpos0 and random ones within the joints' limits (docs/agreement.md, 'States').

Both engines look for contacts at the same pose. They are compared geom pair by geom pair: their number, how deep they are, where they lie. The
states of the report follow from one start; a face of a mesh that only another pose lays on the floor is not among them. Where convex shapes
differ, the true distance (nearer.py) tells whose search ended beside it.
"""
from __future__ import annotations

import zlib
from dataclasses import dataclass

import mujoco
import numpy as np

import physics
from tests.oracle.nearer import NONE, by_pair, pair_row
from tests.oracle.poses import TYPES, Contacts

RANDOM_POSES = 3
DEPTH, PLACE = 1e-5, 1e-3   # of the smaller geom's bounding radius: further off is another contact, less is where the official search ends
NEAREST = 1e-9   # [m] no contact is known better
RANGE = np.pi   # of hinges without limits; slides without limits move by a tenth of the model's extent



@dataclass(frozen=True)
class Difference:
    """A geom pair whose contacts are others: at which pose (0: qpos0), which geoms, what differs."""

    pose: int
    geoms: tuple[int, int]
    what: str
    official_is_beside: bool   # the official depth is not the true one, and ours is

    def text(self, model) -> str:
        names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_GEOM, g) or f"geom {g}" for g in self.geoms]
        kinds = "-".join(TYPES[int(model.geom_type[g])] for g in self.geoms)
        where = "qpos0" if self.pose == 0 else f"random pose {self.pose}"
        return f"{where}: {names[0]} and {names[1]} ({kinds}): {self.what}{', where ours is true' * self.official_is_beside}"


def poses(model, name: str, count: int = RANDOM_POSES) -> list[np.ndarray]:
    """qpos0, then `count` random poses within limits, the same ones for a name; free bodies stay where they are and turn."""
    found = [np.array(model.qpos0)]
    for k in range(count):
        rng = np.random.default_rng(zlib.crc32(name.encode()) + 1000 + k)
        qpos = np.array(model.qpos0)
        for j in range(model.njnt):
            _turn(model, j, qpos, rng)
        found.append(qpos)
    return found


def _turn(model, j: int, qpos: np.ndarray, rng) -> None:
    """A random value of joint j within its limits."""
    adr, kind = model.jnt_qposadr[j], model.jnt_type[j]
    if kind in (mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL):
        at = adr + (3 if kind == mujoco.mjtJoint.mjJNT_FREE else 0)
        axis = rng.normal(size=3)
        angle = rng.uniform(0, model.jnt_range[j, 1] if model.jnt_limited[j] else np.pi)
        turn, quat = np.zeros(4), np.array(qpos[at:at + 4])
        mujoco.mju_axisAngle2Quat(turn, axis / np.linalg.norm(axis), angle)
        mujoco.mju_mulQuat(qpos[at:at + 4], quat, turn)
        return
    low, high = model.jnt_range[j]
    if not (model.jnt_limited[j] and low < high):
        reach = RANGE if kind == mujoco.mjtJoint.mjJNT_HINGE else 0.1 * model.stat.extent
        low, high = model.qpos0[adr] - reach, model.qpos0[adr] + reach
    qpos[adr] = rng.uniform(max(low, -1e3), min(high, 1e3))


def compare(ours_model, official_model, name: str, count: int = RANDOM_POSES) -> tuple[int, list[Difference]]:
    """(geom pairs with contacts in either engine, over all poses; those that differ)."""
    theirs, mine = mujoco.MjData(official_model), physics.Data(ours_model)
    pairs, found = 0, []
    for k, qpos in enumerate(poses(official_model, name, count)):
        mujoco.mj_resetData(official_model, theirs)
        mine.reset()
        theirs.qpos[:] = mine.qpos[:] = qpos
        mujoco.mj_fwdPosition(official_model, theirs)
        physics.step1(ours_model, mine)
        n = mine.ncon
        one = by_pair(mine.contact_geom[:n], mine.contact_dist[:n], mine.contact_pos[:n], mine.contact_frame[:n])
        two = by_pair(theirs.contact.geom, theirs.contact.dist, theirs.contact.pos, theirs.contact.frame)
        for geoms in sorted(set(one) | set(two)):
            pairs += 1
            a, b = one.get(geoms, NONE), two.get(geoms, NONE)
            size = _size(official_model, geoms)
            what = difference(a, b, size)
            if what:
                found.append(Difference(k, geoms, what, _official_is_beside(official_model, theirs, geoms, a, b, size)))
    return pairs, found


def _official_is_beside(model, data, geoms, a: Contacts, b: Contacts, size: float) -> bool:
    """Whether the true distance of two convex shapes is ours and not the official one."""
    row = pair_row(model, data, geoms, a, b, (np.inf, np.inf))
    room = DEPTH * size + NEAREST
    return bool("true" in row and row["ours"] <= room < row["official"])


def _size(model, geoms: tuple[int, int]) -> float:
    """Bounding radius of the smaller of two geoms that has one [m]."""
    radii = [model.geom_rbound[g] for g in geoms if model.geom_rbound[g] > 0]
    return float(min(radii, default=model.stat.extent))


def difference(one: Contacts, two: Contacts, size: float) -> str:
    """What differs between our contacts of a pair and the official ones, '' where nothing does. size: that of the smaller geom [m]."""
    if len(one) != len(two):
        return f"{len(one)} contacts against {len(two)}"
    depth = -one.dist.min(), -two.dist.min()
    if abs(depth[0] - depth[1]) > DEPTH * size + NEAREST:
        return f"depth {depth[0]:.6g} against {depth[1]:.6g} m"
    left = list(range(len(one)))
    for place in two.pos:   # each official point to the nearest of ours that is left
        away = [np.linalg.norm(one.pos[k] - place) for k in left]
        best = int(np.argmin(away))
        if away[best] > PLACE * size + NEAREST:
            return f"a point lies {away[best]:.3g} m from the nearest of ours"
        left.pop(best)
    return ""

"""Four legs found in a Model that nobody has described: trunk, feet, a pose to stand in, and how long its strides may be.

    trunk: the body with a free joint whose tree has most position servos        limbs: what hangs from it by joints
    feet: of each limb the lowest geom that can touch something, where these are as low as the lowest of all
    stance: the first of the keyframes ('home' and 'stand' before others) and of qpos0 in which four feet are below the trunk at its corners, with bent knees;
            else feet below their hips at STRETCHED of the leg's length, knees to the back

All lengths of a gait go with the height of the hips, all times with its root: walkers of different sizes that move alike have the same v^2 / (g h).

Source: Alexander, "The gaits of bipedal and quadrupedal animals", 1984 (Froude number and dynamic similarity).
"""
from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from math import sqrt

import numpy as np

from app.inputs.mapping.lowest_points import lowest_point
from app.inputs.servos import joints_above, motors, position_servos
from physics.engine.kinematics.joints import dof_count
from physics.inverse_kinematics.differential import DifferentialIK, StepOptions
from physics.inverse_kinematics.frames import FrameTask
from physics.model.data import Data
from physics.model.model import Model
from physics.simulate.stages import kinematics

FREE = 6            # dofs of a free joint
LEGS = 4
LEVEL = 0.15        # of the hips' height: by how much feet may differ in height
BENT = 0.06         # smallest singular value of a foot's Jacobian over the length of its leg, at least: a straight knee cannot lift
UPRIGHT = 0.9       # cosine of the trunk's tilt
STRETCHED = 0.8     # of a leg's length, from hip to foot
LOWEST = 0.4        # of it, below which it lies
KNEE = 0.7          # rad that a knee is bent by before it is solved for
NEAR = 0.2          # of a leg's length: how far a site may be from the foot's lowest point to stand for it; radius of a geom whose middle may
FIRM = 1.5          # times as stiff as what just stays up
SOLVING, REACHED = 300, 0.005   # steps, m
# of a walker whose hips are HEIGHT above its feet
HEIGHT, PERIOD, LIFT, REACH, CROUCH, SPEED, TURN = 0.30, 0.36, 0.06, 0.12, 0.08, 0.4, 0.8
KNOWN = ("home", "stand")   # beginnings of names of keyframes that come first


class NoWalker(Exception):
    """Why a Model does not walk by four legs. walks: whether somebody could think that it does."""

    def __init__(self, why: str, walks: bool = True):
        super().__init__(why)
        self.walks = walks


@dataclass(frozen=True, slots=True)
class Foot:
    """name: of a site, geom or body, the first of these that there is; task: its frame; joints: that bring it somewhere, from the trunk down."""

    name: str
    task: FrameTask
    joints: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Walker:
    """trunk: a body; stance: {joint: position} to stand in [rad, m]; height [m] of the hips above the feet."""

    trunk: int
    feet: tuple[Foot, ...]
    stance: dict[int, float]
    height: float

    @property
    def options(self) -> dict[str, float]:
        """Of the drive `legs`."""
        size = self.height / HEIGHT
        lengths = {"lift": LIFT * size, "reach": REACH * size, "crouch": CROUCH * size}
        return {"period": round(PERIOD * sqrt(size), 3), **{name: round(value, 4) for name, value in lengths.items()}, "support": 1.0}

    @property
    def speed(self) -> float:
        """Of a full axis [m/s]."""
        return round(SPEED * sqrt(self.height / HEIGHT), 2)


def foot_named(m: Model, name: str, qpos: np.ndarray) -> FrameTask | None:
    """The frame that a name of a foot means: of a site, a geom, or the geom of a body that is lowest in a pose (nq); None where there is none of this name."""
    if m.id("site", name) >= 0:
        return FrameTask(m.id("site", name), "site", turn_weight=0.0)
    geom = m.id("geom", name)
    if geom < 0 and m.id("body", name) >= 0:
        d = posed(m, qpos)
        geom = min(_touching(m, [m.id("body", name)]), key=lambda g: lowest_point(m, d, g)[2], default=-1)
    return FrameTask(geom, "geom", turn_weight=0.0) if geom >= 0 else None


def find(m: Model) -> Walker:
    """Raises NoWalker with why the Model has no four legs that could walk."""
    trunk, limbs = _trunk(m)
    if not _ground(m):
        raise NoWalker("the model has no ground to walk on: open the scene around it")
    walker = _stance(m, trunk, limbs)
    _check_strength(m, walker)
    return walker


def _stance(m: Model, trunk: int, limbs: list[list[int]]) -> Walker:
    """The walker in the first pose in which it stands. Raises NoWalker with what is wrong with the first."""
    why = None
    for qpos in _poses(m):
        try:
            return _standing(m, trunk, limbs, qpos)
        except NoWalker as said:
            why = why or said
    return _bent(m, trunk, limbs, why)


def _trunk(m: Model) -> tuple[int, list[list[int]]]:
    """The trunk, and the bodies of each limb."""
    servos = position_servos(m)
    best: tuple[int, int, list] = (0, -1, [])
    for j in range(m.njnt):
        if dof_count(m.jnt_type[j]) != FREE:
            continue
        body = int(m.jnt_bodyid[j])
        below = [b for b in range(body, m.nbody) if body in ancestors(m, b)]
        hinges = [k for b in below for k in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]) if dof_count(m.jnt_type[k]) == 1]
        limbs: dict[int, list[int]] = {}
        for b in below:
            path = [one for one in reversed(ancestors(m, b)) if one != body and body in ancestors(m, one)]
            root = next((one for one in path if m.body_jntnum[one]), 0)
            if root:
                limbs.setdefault(root, []).append(b)
        if len(limbs) >= LEGS and len(hinges) > best[0]:
            best = len(hinges), body, list(limbs.values())
    if best[1] < 0:
        raise NoWalker("no body with a free joint has four limbs", walks=False)
    inner = {k for limb in best[2] for b in limb for k in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b])}
    if not inner & set(servos):
        pushed = sorted(inner & set(motors(m)))
        names = ", ".join(m.name("joint", j) or f"joint {j}" for j in (pushed or sorted(inner))[:3])
        raise NoWalker(f"legs are moved by position actuators, and {names}, ... {'have motors' if pushed else 'have none'}")
    if not m.name("body", best[1]):
        raise NoWalker("its trunk has no name")
    return best[1], best[2]


def ancestors(m: Model, body: int) -> list[int]:
    """The body and those that it hangs from, the world left out."""
    found = []
    while body > 0:
        found.append(body)
        body = int(m.body_parentid[body])
    return found


def _ground(m: Model) -> bool:
    return any(m.body_weldid[m.geom_bodyid[g]] == 0 and (m.geom_contype[g] or m.geom_conaffinity[g]) for g in range(m.ngeom))


def _poses(m: Model):
    """Poses to stand in that the model has (nq): its servos' controls where a keyframe sets them, for soft servos sag."""
    servos = position_servos(m)
    known = sorted(range(m.nkey), key=lambda k: not (m.name("key", k) or "").lower().startswith(KNOWN))
    for k in known:
        qpos = m.key_qpos[k].copy()
        if m.key_ctrl[k].any():
            for j, servo in servos.items():
                qpos[m.jnt_qposadr[j]] = m.key_ctrl[k][servo.ctrl] / servo.gear
        yield qpos
    yield m.qpos0.copy()


def posed(m: Model, qpos: np.ndarray) -> Data:
    """Everything where a pose (nq) has it."""
    d = Data(m)
    d.qpos[:] = qpos
    kinematics(m, d)
    return d


def _touching(m: Model, bodies) -> list[int]:
    return [g for b in bodies for g in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]) if m.geom_contype[g] or m.geom_conaffinity[g]]


def _standing(m: Model, trunk: int, limbs: list[list[int]], qpos: np.ndarray) -> Walker:
    """The walker in a pose. Raises NoWalker where it does not stand in it."""
    d = posed(m, qpos)
    low = [min(((float(lowest_point(m, d, g)[2]), g) for g in _touching(m, limb)), default=(np.inf, -1)) for limb in limbs]
    ground = min(z for z, _g in low)
    above = float(d.xpos[trunk, 2]) - ground
    standing = [k for k, (z, _g) in enumerate(low) if z - ground < LEVEL * above]
    if len(standing) != LEGS:
        raise NoWalker(f"a trot needs four feet, and {len(standing)} of its {len(limbs)} limbs reach the ground", walks=len(standing) > 1)
    if d.xmat[trunk].reshape(3, 3)[2, 2] < UPRIGHT:
        raise NoWalker("its trunk does not stand upright")
    servos = position_servos(m)
    feet = [_foot(m, d, low[k][1], trunk, servos) for k in standing]
    return _checked(m, d, trunk, feet, {j: float(qpos[m.jnt_qposadr[j]]) for foot in feet for j in foot.joints})


def _foot(m: Model, d: Data, geom: int, trunk: int, servos) -> Foot:
    body = int(m.geom_bodyid[geom])
    joints = tuple(j for j in joints_above(m, body) if j not in joints_above(m, trunk) and dof_count(m.jnt_type[j]) == 1)
    called = m.name("body", body) or f"body {body}"
    loose = [m.name("joint", j) or f"joint {j}" for j in joints if j not in servos]
    if loose:
        raise NoWalker(f"no position actuator moves {loose[0]}, on the way to '{called}'")
    if len(joints) < 3:
        raise NoWalker(f"a leg needs three joints to put its foot anywhere, and '{called}' has {len(joints)}")
    if not all(m.name("joint", j) for j in joints):
        raise NoWalker(f"a joint on the way to '{called}' has no name")
    length = _length(d, joints, d.geom_xpos[geom])
    point = lowest_point(m, d, geom)
    links = [b for b in range(m.nbody) if m.body_weldid[b] == m.body_weldid[body]]
    sites = [s for s in range(m.nsite) if m.site_bodyid[s] in links and m.name("site", s) and np.linalg.norm(d.site_xpos[s] - point) < NEAR * length]
    if sites:
        site = min(sites, key=lambda s: float(np.linalg.norm(d.site_xpos[s] - point)))
        return Foot(m.name("site", site), FrameTask(site, "site", turn_weight=0.0), joints)
    if m.geom_rbound[geom] > NEAR * length:
        raise NoWalker(f"'{called}' ends in a long geom, whose middle is not its foot: give it a site at the tip")
    name = m.name("geom", geom) or m.name("body", body)
    if not name or m.id("site", name) >= 0:
        raise NoWalker(f"neither the foot geom of '{called}' nor its body has a name of its own")
    return Foot(name, FrameTask(geom, "geom", turn_weight=0.0), joints)


def _length(d: Data, joints: tuple[int, ...], foot: np.ndarray) -> float:
    """From the hip over the knee to a foot, however it is bent [m]."""
    points = [*(d.xanchor[j] for j in joints[-2:]), foot]
    return float(sum(np.linalg.norm(b - a) for a, b in zip(points, points[1:])))


def _checked(m: Model, d: Data, trunk: int, feet: list[Foot], stance: dict[int, float]) -> Walker:
    """Raises NoWalker where feet are not at the trunk's corners, knees straight, or joints beyond their range."""
    back = d.xmat[trunk].reshape(3, 3).T
    at = [placed(d, foot.task) for foot in feet]
    places = [back @ (pos - d.xpos[trunk]) for pos in at]
    if len({(bool(x > 0), bool(y > 0)) for x, y, _z in places}) != LEGS:
        raise NoWalker(f"its feet are not at the four corners of its trunk '{m.name('body', trunk)}' (x forward, y left)")
    for j, value in stance.items():
        low, high = m.jnt_range[j]
        if m.jnt_limited[j] and not low - 0.05 <= value <= high + 0.05:
            raise NoWalker(f"{m.name('joint', j)} is beyond its range in the pose to stand in")
    for foot, pos in zip(feet, at):
        columns = np.array([np.cross(d.xaxis[j], pos - d.xanchor[j]) for j in foot.joints]).T
        if np.linalg.svd(columns, compute_uv=False)[2] < BENT * _length(d, foot.joints, pos):
            raise NoWalker(f"the leg of '{foot.name}' is straight in the pose to stand in")
    height = float(np.mean([d.xanchor[foot.joints[-2]][2] - pos[2] for foot, pos in zip(feet, at)]))
    if height < LOWEST * _length(d, feet[0].joints, at[0]):
        raise NoWalker("it does not stand but lies in that pose")
    order = sorted(range(LEGS), key=lambda k: (places[k][0] < 0, places[k][1] < 0))
    return Walker(trunk, tuple(feet[k] for k in order), stance, height)


def _check_strength(m: Model, walker: Walker) -> None:
    """An inverted pendulum on two springs of stiffness kp / h^2 stays up where 2 kp / h > m g. Raises NoWalker where the softest servo of a leg is too soft for FIRM times that."""
    servos, weight = position_servos(m), float(m.body_subtreemass[walker.trunk] * np.linalg.norm(m.opt.gravity))
    stiffness = {j: servos[j].gear ** 2 * float(m.actuator_gainprm[servos[j].actuator, 0]) for foot in walker.feet for j in foot.joints}
    softest, needed = min(stiffness, key=stiffness.__getitem__), 0.5 * FIRM * weight * walker.height
    if stiffness[softest] < needed:
        raise NoWalker(f"its servos are too soft for its weight: on two legs {m.name('joint', softest)} needs a kp of {needed:.0f} N m/rad, and has {stiffness[softest]:.0f}")


def placed(d: Data, task: FrameTask) -> np.ndarray:
    """Where a foot is (3) [m]."""
    return (d.site_xpos if task.kind == "site" else d.geom_xpos)[task.element].copy()


def _bent(m: Model, trunk: int, limbs: list[list[int]], why: NoWalker) -> Walker:
    """A stance of our own: each foot below its hip at STRETCHED of its leg's length, from qpos0, within the joints' ranges, with the knee bent to the back. Raises `why` where there is none."""
    servos, qpos = position_servos(m), m.qpos0.copy()
    for j in servos:
        if m.jnt_limited[j]:
            qpos[m.jnt_qposadr[j]] = np.clip(qpos[m.jnt_qposadr[j]], *m.jnt_range[j])
    d = posed(m, qpos)
    low = [min(((float(lowest_point(m, d, g)[2]), g) for g in _touching(m, limb)), default=(np.inf, -1)) for limb in limbs]
    lowest = min(z for z, _g in low)
    if d.xpos[trunk, 2] <= lowest:
        raise why
    lows = [k for k, (z, _g) in enumerate(low) if z - lowest < 2 * LEVEL * (d.xpos[trunk, 2] - lowest)]
    if len(lows) != LEGS:
        raise why
    feet = [_foot(m, d, low[k][1], trunk, servos) for k in lows]
    targets = []
    ahead = d.xmat[trunk].reshape(3, 3)[:, 0]
    for foot in feet:
        pos, (hip, knee) = placed(d, foot.task), foot.joints[-2:]
        below = pos + ahead * (ahead @ (d.xanchor[hip] - pos))
        below[2] = d.xanchor[hip][2] - STRETCHED * _length(d, foot.joints, pos)
        targets.append((below, None))
        # the knee goes to the back where the hip turns it there, and the shank comes back below
        turned = np.sign(np.cross(d.xaxis[hip], d.xanchor[knee] - d.xanchor[hip]) @ -ahead) or 1.0
        same = np.sign(d.xaxis[hip] @ d.xaxis[knee]) or 1.0
        for j, angle in ((hip, turned * KNEE), (knee, -2 * same * turned * KNEE)):
            adr, (a, b) = m.jnt_qposadr[j], m.jnt_range[j] if m.jnt_limited[j] else (-np.inf, np.inf)
            qpos[adr] = np.clip(qpos[adr] + angle, a, b)
    ik = DifferentialIK(m, [foot.task for foot in feet], sorted(chain.from_iterable(foot.joints for foot in feet)), StepOptions(speed=20.0, posture=0.0))
    ik.start(qpos)
    for _ in range(SOLVING):
        q = ik.step(targets, 0.01)
    if max(np.linalg.norm(ik.pose(k)[0] - pos) for k, (pos, _turn) in enumerate(targets)) > REACHED:
        raise why
    qpos[ik.adr] = q
    found = posed(m, qpos)
    return _checked(m, found, trunk, feet, {int(j): float(x) for j, x in zip(ik.joints, q)})

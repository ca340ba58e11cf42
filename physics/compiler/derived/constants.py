"""Constants of the initial pose: masses, inverse weights, lengths, and the model's own size.

Each kinematic tree has its own block of the mass matrix; a block is made from composite inertias and factored densely.
Source: MuJoCo documentation, Computation chapter (inverse weights, statistics); Featherstone (2008), chapter 6.
"""
from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from physics.compiler.build import Build
from physics.compiler.derived import inverse_weights, tendon_lengths
from physics.compiler.derived.initial_pose import Pose, from_rows
from physics.compiler.elements import equality, transmissions
from physics.compiler.elements.inertia import inertia_along, offset_inertia
from physics.compiler.items import GeomItem, JointItem
from physics.enums import GEOM_PLANE, JNT_FREE, JNT_SLIDE, MAXVAL, MINVAL, GainType, TransmissionType
from physics.rotation.quaternion import UNIT, matrix, mul, product, rotate

SINGULAR = 1e-10  # pivots smaller than this part of the largest are taken with care
BRANCHED = 100  # dofs of a tree from which on its sparsity is worth following
_JOINT = (TransmissionType.JOINT, TransmissionType.JOINTINPARENT)


class Alike(NamedTuple):
    """Trees whose dofs hang together in the same way.

    inverses: per tree the inverse of the lower Cholesky factor of its block; branched: a column of it has entries in its dof's chain only.
    """

    inverses: np.ndarray
    branched: bool


class Constants:
    """Everything at qpos0 that several constants need: the pose, and per tree its dofs, mass matrix and inverse factor."""

    def __init__(self, build: Build):
        self.build = build
        self.pose = Pose(build, list(build.fields.rows["qpos0"]))
        self.armature = np.array(build.fields.rows["dof_armature"], float) + self._lent()
        self.tendon_rows = [(np.array(t.dofs, int), tendon_lengths.row(t, self.pose)) for t in build.items["tendon"]]
        self.heavy = self._heavy_tendons()
        self.treeid = np.array(build.fields.rows["dof_treeid"], int)
        self.M0 = np.zeros(build.fields.sizes["nv"])
        self.diagonal = np.zeros(build.fields.sizes["nv"])
        self.bodyid = np.array(build.fields.rows["dof_bodyid"], int)
        self.trees: list[tuple[int, int, np.ndarray]] = [()] * build.fields.sizes["ntree"]   # first dof, count, inverse of the block's lower Cholesky factor
        self.groups: list[Alike] = []
        self.place: list[tuple[int, int]] = [()] * build.fields.sizes["ntree"]   # which of the groups, and where in it
        self.inverse_diagonal = np.zeros(build.fields.sizes["nv"])
        inertias = self._composite()
        for trees, chains in self._alike():
            self._trees(inertias, trees, chains)

    def _lent(self) -> np.ndarray:
        """Armature that actuators lend their joints, by dof."""
        extra = np.zeros(self.build.fields.sizes["nv"])
        for item in self.build.items["actuator"]:
            if item.trntype in _JOINT and item.armature:
                joint = self.build.items["joint"][item.trnid[0]]
                extra[joint.dofadr:joint.dofadr + joint.nv] += item.armature * item.gear[0] * item.gear[0]
        return extra

    def _heavy_tendons(self) -> list[tuple[float, np.ndarray, np.ndarray]]:
        """(armature, dofs, row) of the tendons that have armature, their own or lent by actuators."""
        armature = [tendon.armature for tendon in self.build.items["tendon"]]
        for item in self.build.items["actuator"]:
            if item.trntype == TransmissionType.TENDON and item.armature:
                armature[item.trnid[0]] += item.armature * item.gear[0] * item.gear[0]
        return [(a, *row) for a, row in zip(armature, self.tendon_rows) if a]

    def _composite(self) -> np.ndarray:
        """6x6 inertia of each body with its subtree, about the centre of mass of its tree."""
        bodies, pose = self.build.items["body"], self.pose
        mass, moments = np.array([b.mass for b in bodies]), np.array([b.inertia for b in bodies])
        weightless = (mass == 0.0) & ~moments.any(axis=1)
        weightless[0] = True
        axes = np.array([pose.xmat[b.id] if b.iquat == UNIT else matrix(mul(pose.xquat[b.id], b.iquat)) for b in bodies])
        with np.errstate(over="ignore", invalid="ignore"):
            x, y, z = d = (np.array(pose.xipos) - pose.subtree_com[[b.rootid for b in bodies]]).T
            xx, yy, zz, xy, xz, yz = (p + q for p, q in zip(inertia_along(moments.T, axes.T), offset_inertia(mass, d)))
            x, y, z = mass * x, mass * y, mass * z
        zero = np.zeros(len(bodies))
        rows = (xx, xy, xz, zero, -z, y, xy, yy, yz, z, zero, -x, xz, yz, zz, -y, x, zero,
                zero, z, -y, mass, zero, zero, -z, zero, x, zero, mass, zero, y, -x, zero, zero, zero, mass)
        found = np.stack(rows, axis=1).reshape(-1, 6, 6)
        found[weightless] = 0.0
        for b in reversed(bodies[1:]):
            if b.parent.id:
                found[b.parent.id] += found[b.id]
        return found

    def _alike(self) -> list[tuple[list[int], list[np.ndarray]]]:
        """Trees whose dofs hang together in the same way: (their numbers, the dofs above each dof and itself, counted from the tree's first)."""
        parents, groups = self.build.fields.rows["dof_parentid"], {}
        for tree, (first, count) in enumerate(zip(self.build.fields.rows["tree_dofadr"], self.build.fields.rows["tree_dofnum"])):
            first, count = int(first), int(count)
            groups.setdefault(tuple([max(p - first, -1) for p in parents[first:first + count]]), []).append(tree)
        found = []
        for above, trees in groups.items():
            chains: list[np.ndarray] = []
            for k, up in enumerate(above):
                chains.append(np.array([k]) if up < 0 else np.append(chains[up], k))
            found.append((trees, chains))
        return found

    def _trees(self, inertias: np.ndarray, trees: list[int], chains: list[np.ndarray]) -> None:
        """Blocks of M of equal trees, and the inverses of their lower Cholesky factors."""
        build, count = self.build, len(chains)
        starts = np.array([int(build.fields.rows["tree_dofadr"][tree]) for tree in trees])
        dofs = starts[:, None] + np.arange(count)
        motion = self.pose.cdof[dofs]
        force = np.einsum("tnij,tnj->tni", inertias[self.bodyid[dofs]], motion)
        blocks = np.zeros((len(trees), count, count))
        for of_length in _by_length(chains):
            above = np.array([chains[i] for i in of_length])
            blocks[:, np.array(of_length)[:, None], above] = (motion[:, above] @ force[:, of_length, :, None])[..., 0]
        blocks += np.tril(blocks, -1).swapaxes(1, 2)
        k = np.arange(count)
        blocks[:, k, k] += self.armature[dofs]
        self.M0[dofs] = blocks[:, k, k]
        places = {tree: k for k, tree in enumerate(trees)} if self.heavy else {}
        for armature, at, row in self.heavy:
            for tree in np.unique(self.treeid[at]).tolist():
                if tree in places:
                    first, here = starts[places[tree]], self.treeid[at] == tree
                    self._add_armature(blocks[places[tree]], at[here] - first, armature * np.outer(row[here], row[here]), first)
        self.diagonal[dofs] = blocks[:, k, k]
        inverses = self._factored(starts, blocks, chains)
        self.inverse_diagonal[dofs] = np.sum(inverses * inverses, axis=1)
        for k, (tree, first, inverse) in enumerate(zip(trees, starts.tolist(), inverses)):
            self.trees[tree], self.place[tree] = (first, count, inverse), (len(self.groups), k)
        self.groups.append(Alike(inverses, _is_branched(chains)))

    def _factored(self, starts: np.ndarray, blocks: np.ndarray, chains: list[np.ndarray]) -> np.ndarray:
        """The inverse factors of the trees' blocks, or an error at a tree's first body where no numbers can hold it."""
        with np.errstate(over="ignore", invalid="ignore"):
            try:
                inverses = np.stack([_branched_factor(block, chains) for block in blocks]) if _is_branched(chains) else _inverse_factors(blocks)
            except np.linalg.LinAlgError:   # one of them: look at each
                inverses = np.stack([_inverse_or_nothing(block) for block in blocks])
        for k in np.flatnonzero(~np.isfinite(inverses).all(axis=(1, 2))):
            body = self.build.items["body"][self.build.fields.rows["dof_bodyid"][starts[k]]]
            self.build.problems.error(body.element, "the masses and inertias from here on are too far apart to compute with", "Look for absurd masses, inertias and armatures")
            inverses[k] = 0.0
        return inverses

    def _add_armature(self, block: np.ndarray, dofs: np.ndarray, square: np.ndarray, first: int) -> None:
        """Add a tendon's inertia to a tree's block: only between dofs of one chain, as M stores no others."""
        for i, dof in enumerate(dofs):
            kin = np.isin(dofs[:i + 1], np.array(self.build.chains[first + dof]) - first)
            block[dof, dofs[:i + 1][kin]] += square[i, :i + 1][kin]
            block[dofs[:i][kin[:i]], dof] += square[:i, i][kin[:i]]

    def _by_tree(self, dofs, row):
        """Parts of a row of the Jacobian, tree by tree: the columns of the tree's inverse factor, and the values."""
        trees = self.treeid[dofs]
        if len(trees) and trees[0] == trees[-1]:   # they ascend
            first, _, inverse = self.trees[trees[0]]
            yield inverse, dofs - first, row
            return
        for tree in np.unique(trees):
            first, _, inverse = self.trees[tree]
            mine = trees == tree
            yield inverse, dofs[mine] - first, row[mine]

    def weight(self, dofs, row) -> float:
        """row M^-1 row: inverse inertia along a row of the Jacobian given by its dofs and values."""
        return float(sum(np.sum((inverse[:, at] @ values) ** 2) for inverse, at, values in self._by_tree(dofs, row)))

    def acceleration(self, dofs, row) -> float:
        """|M^-1 row|."""
        return math.sqrt(sum(np.sum((inverse.T @ (inverse[:, at] @ values)) ** 2) for inverse, at, values in self._by_tree(dofs, row)))


def _by_length(chains: list[np.ndarray]) -> Iterable[list[int]]:
    """Dofs with equally long chains."""
    found: dict[int, list[int]] = {}
    for i, chain in enumerate(chains):
        found.setdefault(len(chain), []).append(i)
    return found.values()


def _inverse_factors(blocks: np.ndarray) -> np.ndarray:
    """F with F'F the inverse of a tree's mass matrix, for a stack of them; where that is all but singular, as the engine sees it (pivots raised to MINVAL)."""
    lower = np.linalg.cholesky(blocks)
    pivots = np.diagonal(lower, axis1=1, axis2=2) ** 2
    inverses = np.linalg.solve(lower, np.eye(blocks.shape[1]))
    for k in np.flatnonzero(~(pivots.min(axis=1) > SINGULAR * pivots.max(axis=1))):
        inverses[k] = _raised_factor(blocks[k])
    return inverses


def _inverse_or_nothing(block: np.ndarray) -> np.ndarray:
    """The same of one block; nan where it cannot be had."""
    try:
        return _inverse_factors(block[None])[0]
    except np.linalg.LinAlgError:
        pass
    try:
        return _raised_factor(block)
    except np.linalg.LinAlgError:
        return np.full_like(block, np.nan)


def _raised_factor(block: np.ndarray) -> np.ndarray:
    """The same by L'DL from the last dof to the first, with the engine's smallest pivot."""
    rest, unit, pivots = block.copy(), np.eye(len(block)), np.zeros(len(block))
    for k in reversed(range(len(block))):
        pivots[k] = max(rest[k, k], MINVAL)
        unit[k, :k] = rest[k, :k] / pivots[k]
        rest[:k, :k] -= np.outer(unit[k, :k], rest[k, :k])
    return np.linalg.solve(unit, np.eye(len(block))).T / np.sqrt(pivots)[:, None]


def _is_branched(chains: list[np.ndarray]) -> bool:
    """Whether a tree is large and its chains so short that following them beats dense work."""
    n = len(chains)
    return n >= BRANCHED and 20 * sum([len(chain) ** 2 for chain in chains]) < n ** 3


def _branched_factor(block: np.ndarray, chains: list[np.ndarray]) -> np.ndarray:
    """The same by L'DL along the chains, which makes no new entries. Source: Featherstone (2008), chapter 6."""
    rest, unit, pivots = block.copy(), np.zeros_like(block), np.zeros(len(block))
    for k in reversed(range(len(block))):
        above = chains[k][:-1]
        pivots[k] = max(rest[k, k], MINVAL)
        if len(above):
            row = rest[k, above]
            unit[k, above] = part = row / pivots[k]
            rest[above[:, None], above] -= part[:, None] * row
    inverse = np.zeros_like(block)
    for k, chain in enumerate(chains):
        above = chain[:-1]
        if len(above):
            inverse[above, k] = -(inverse[above[:, None], above] @ unit[k, above])
        inverse[k, k] = 1.0
    return inverse / np.sqrt(pivots)[:, None]


def scale_mass(build: Build) -> None:
    """settotalmass: all masses and inertias by one factor."""
    wanted, bodies = build.source.settings.settotalmass, build.items["body"]
    total = sum(b.mass for b in bodies)
    if wanted > 0 and total > 0:
        factor = max(MINVAL, wanted / max(MINVAL, total))
        for b in bodies:
            b.mass, b.inertia = b.mass * factor, tuple(x * factor for x in b.inertia)


def set_constants(build: Build, given: dict) -> Constants:
    """Fill all constants of the initial pose, and give what they were made of. given: what <statistic> fixes."""
    scale_mass(build)
    constants = set_inertial(build, given)
    equality.complete(build, constants.pose)
    return constants


def set_inertial(build: Build, given: dict) -> Constants:
    """The same once more where masses and inertias of bodies are others: all but eq_data, which no mass is in."""
    bodies, out = build.items["body"], build.fields.rows
    build.fields.column("body", body_mass="mass", body_inertia="inertia")
    below = [b.mass for b in bodies]
    for b in reversed(bodies[1:]):
        below[b.parent.id] += below[b.id]
    out["body_subtreemass"] = below
    constants = Constants(build)
    out["dof_M0"] = constants.M0
    inverse_weights.fill(build, constants)
    _tendons(build, constants)
    _actuators(build, constants)
    _cameras_lights(build, constants.pose)
    set_statistics(build, constants, given)
    _springdampers(build)
    return constants


def _tendons(build: Build, c: Constants) -> None:
    items, out = build.items["tendon"], build.fields.rows
    out["tendon_length0"] = [tendon_lengths.length(t, c.pose) for t in items]
    out["tendon_invweight0"] = [c.weight(*row) for row in c.tendon_rows]
    free = [t for t in items if tuple(t.springlength) == (-1.0, -1.0)]
    if free and list(out["qpos0"]) != list(out["qpos_spring"]):
        at_rest = Pose(build, list(out["qpos_spring"]))
        rest = {t.id: tendon_lengths.length(t, at_rest) for t in free}
    else:
        rest = {t.id: out["tendon_length0"][t.id] for t in free}
    out["tendon_lengthspring"] = [(rest[t.id],) * 2 if t.id in rest else t.springlength for t in items]


def _actuators(build: Build, c: Constants) -> None:
    lengths, accelerations, biases = [], [], []
    for item in build.items["actuator"]:
        outputs = transmissions.outputs(build, c, item)
        lengths += [length for length, *_ in outputs]
        accelerations += [c.acceleration(dofs, row) for _, dofs, row in outputs]
        bias, pid = list(item.biasprm), item.gaintype == GainType.PID
        if bias[2] > 0 and (pid or item.gainprm[0] == -bias[1]):
            # a positive third parameter is a damping ratio
            weight = sum(c.weight(*output[1:]) for output in outputs) / len(outputs)
            mass = 1 / weight if weight > MINVAL else 0.0
            bias[2] = -bias[2] * 2 * math.sqrt(max(0.0, -bias[1] * mass))
        biases.append(bias)
    out = build.fields.rows
    out["actuator_length0"], out["actuator_acc0"], out["actuator_biasprm"] = lengths, accelerations, biases


def _cameras_lights(build: Build, pose: Pose) -> None:
    out = build.fields.rows
    for kind, prefix in (("camera", "cam"), ("light", "light")):
        items, targets = build.items[kind], out[prefix + "_targetbodyid"]
        world = [pose.point(i.body.id, i.pos) for i in items]
        out[prefix + "_pos0"] = [np.subtract(p, pose.xpos[i.body.id]) for p, i in zip(world, items)]
        out[prefix + "_poscom0"] = [
            np.subtract(p, pose.subtree_com[t if t >= 0 else i.body.id]) for p, i, t in zip(world, items, targets)]
    out["cam_mat0"] = [product(pose.xmat[i.body.id], matrix(i.quat)) for i in build.items["camera"]]
    out["light_dir0"] = [rotate(pose.xquat[i.body.id], i.dir) for i in build.items["light"]]


def set_statistics(build: Build, c: Constants, given: dict) -> None:
    """Centre, extent and means of the model, and dof_length."""
    pose, items, out = c.pose, build.items, build.fields.rows
    reach = [g.rbound if g.rbound > 0 else _plane_reach(g) for g in items["geom"]]
    points = from_rows([*pose.xpos[1:], *pose.xipos[1:], *pose.anchor, *pose.site, *pose.geom], 3)
    radius = np.concatenate([np.zeros(len(points) - len(reach)), reach])[:, None]
    extent, meansize, centre = 2.0, 0.2, np.zeros(3)
    if len(points):
        # the official search for the least and the greatest starts at these
        low, high = np.minimum(np.min(points - radius, axis=0), MAXVAL), np.maximum(np.max(points + radius, axis=0), -MAXVAL)
        centre = 0.5 * (low + high)
        extent = max(1e-5, float(np.max(high - low))) if high[0] > low[0] else 2.0
    lengths = _body_lengths(build, pose)
    bodies = items["body"][1:]
    if bodies:
        meansize = sum(x / len(bodies) for x in lengths[1:])
    build.fields.scalars["stat_meansize"] = given.get("meansize", meansize)
    build.fields.scalars["stat_extent"] = given.get("extent", max(extent, 2 * meansize))
    out["stat_center"] = given.get("center", centre)
    build.fields.scalars["stat_meanmass"] = given.get("meanmass", sum(b.mass for b in bodies) / len(bodies) if bodies else 1.0)
    build.fields.scalars["stat_meaninertia"] = given.get("meaninertia", float(c.diagonal.mean()) if len(c.diagonal) else 1.0)
    out["dof_length"] = [x for j in items["joint"] for x in ([1.0] if j.type == JNT_SLIDE else _dof_lengths(j, lengths[j.body.id]))]


def _dof_lengths(joint: JointItem, length: float) -> list[float]:
    if joint.type == JNT_FREE:
        return [1.0] * 3 + [length] * 3
    return [length] * joint.nv


def _plane_reach(geom: GeomItem) -> float:
    if geom.type != GEOM_PLANE:
        return 0.0
    side = max(geom.size[0], geom.size[1])
    return 0.1 * side if geom.size[0] or geom.size[1] else 0.01


def _body_lengths(build: Build, pose: Pose) -> list[float]:
    """How far each body reaches from its centre of mass: to its joints, its children's joints, and around its geoms. Nothing of the world."""
    lengths = [0.0] * len(build.items["body"])
    for joint, anchor in zip(build.items["joint"], pose.anchor):
        body = joint.body
        lengths[body.id] = max(lengths[body.id], math.dist(pose.xipos[body.id], anchor))
        if body.parent and body.parent.id:
            b = body.parent.id
            lengths[b] = max(lengths[b], math.dist(pose.xipos[b], anchor))
    for geom, centre in zip(build.items["geom"], pose.geom):
        b = geom.body.id
        if b and geom.rbound > 0:
            lengths[b] = max(lengths[b], geom.rbound + math.dist(pose.xipos[b], centre))
    return [max(x, 1e-5) for x in lengths]


def _springdampers(build: Build) -> None:
    """Stiffness and damping of joints that give a time constant and a damping ratio."""
    out = build.fields.rows
    for joint in build.items["joint"]:
        tau, ratio = joint.springdamper
        if tau <= 0 or ratio <= 0:
            continue
        dofs = range(joint.dofadr, joint.dofadr + joint.nv)
        inertia = joint.nv / max(MINVAL, sum(out["dof_invweight0"][d] for d in dofs))
        out["jnt_stiffness"][joint.id] = inertia / max(MINVAL, tau * tau * ratio * ratio)
        for d in dofs:
            out["dof_damping"][d] = 2 * inertia / max(MINVAL, tau)

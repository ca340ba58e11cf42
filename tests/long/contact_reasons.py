"""Why two geoms do not touch, by brute force: what is said of them applied in our engine and in the official one (a part of contact_inspector.py)."""
from collections.abc import Iterator
from copy import deepcopy

import mujoco
import numpy as np

import physics
from physics.compiler.derived.collision_pairs import build_pairs
from physics.diagnostics.contact_exclusion import Exclusion, contact_exclusion
from physics.engine.collide.collision import collision
from physics.engine.sleep.awake import note_awake
from physics.enums import ENBL_SLEEP, GEOM_HFIELD, GEOM_PLANE, INT_RK4
from physics.model.model import Model

STRUCTURE = frozenset(("same body", "welded", "static"))      # no field alone mends these
NEAR = frozenset(("bounds", "distance"))
SLACK = 1e-3        # of the distance to go, and
SLACK_LENGTH = 1e-5 # m: within which both engines' routines agree with the distance


def apply(m, changes, flags: int) -> None:
    """Write fields of a Model of ours or the official one. flags: opt_disableflags before all changes."""
    official = isinstance(m, mujoco.MjModel)
    for field, number, value in changes:
        if field.startswith("opt_"):
            of, name = (m.opt, field[4:]) if official else (m, field)
            setattr(of, name, getattr(of, name) ^ (value ^ flags))      # the bits that the change is about: there may be others
        else:
            getattr(m, field)[number] = value


def mend(m, found: Exclusion, without: str = "") -> None:
    """Apply what the reasons say, but for one, and for margins."""
    flags = int(m.opt.disableflags if isinstance(m, mujoco.MjModel) else m.opt_disableflags)
    for check in found.reasons:
        if check.word in (without, *NEAR):
            continue
        apply(m, check.changes, flags)
        if check.word == "exclude":
            which = next(what for what in check.elements if what.kind == "exclude").id
            signatures = np.array(m.exclude_signature)
            signatures[signatures == signatures[which]] = 0      # the world and itself
            m.exclude_signature[:] = np.sort(signatures)


def bring_together(m, xpos, xmat, body_xpos, body_xmat, one: int, two: int) -> None:
    """Move one geom, in its body, into the other, so that the geoms' poses are what forward makes of it."""
    moved, fixed = (one, two) if m.geom_type[one] not in (GEOM_PLANE, GEOM_HFIELD) else (two, one)
    target = place_in(m, xpos, xmat, moved, fixed)
    body = int(m.geom_bodyid[moved])
    frame = body_xmat[body].reshape(3, 3)
    m.geom_pos[moved] = frame.T @ (target - body_xpos[body])
    m.geom_sameframe[moved] = 0


def place_in(m, xpos, xmat, moved: int, fixed: int) -> np.ndarray:
    """Where the centre of a geom has to be so that it is well inside another one."""
    target = np.array(xpos[fixed])
    if m.geom_type[fixed] == GEOM_HFIELD:
        return target + xmat[fixed].reshape(3, 3) @ np.array([0.0, 0.0, 0.5 * hfield_height(m, int(m.geom_dataid[fixed]))])
    if m.geom_type[fixed] != GEOM_PLANE:
        target += 1e-3 * min(float(m.geom_rbound[fixed]), float(m.geom_rbound[moved])) * np.array([0.3, 0.5, 0.8])     # equal centres are a special case
    return target


def hfield_height(m, h: int) -> float:
    """Height of a field's surface in its middle."""
    rows, cols = int(m.hfield_nrow[h]), int(m.hfield_ncol[h])
    return float(m.hfield_data[int(m.hfield_adr[h]):][:rows * cols].reshape(rows, cols)[rows // 2, cols // 2] * m.hfield_size[h, 2])


def unsealed(m) -> Model:
    """A copy of a Model whose pairs can be found anew."""
    scalars = {name: getattr(m, name) for name in m.layout.scalars}
    new = Model.allocate({name: value for name, value in scalars.items() if isinstance(value, int)})
    for name, value in scalars.items():
        if not isinstance(value, int):
            setattr(new, name, value)
    for name in m.layout.arrays:
        getattr(new, name)[...] = getattr(m, name)
    return new


def touches(m, d, one: int, two: int, found: Exclusion, without: str = "", margin: float = 0.0) -> bool:
    """Whether our engine has a contact of the two with what stands in the way removed, but for one reason. margin [m]: that much less than what is advised,
    and the two stay where they are; 0: they are moved into each other."""
    copy = unsealed(m)
    mend(copy, found, without)
    if margin:
        widen(copy, found, margin)
    elif without not in NEAR:
        bring_together(copy, d.geom_xpos, d.geom_xmat, d.xpos, d.xmat, one, two)
    build_pairs(copy)
    copy.seal()
    data = physics.Data(copy)
    data.qpos[:], data.mocap_pos[:], data.mocap_quat[:] = d.qpos, d.mocap_pos, d.mocap_quat
    physics.fwd_position(copy, data)
    return are_together(data.contact_geom[:data.ncon], data.contact_dist[:data.ncon] < data.contact_includemargin[:data.ncon], one, two, bool(margin) or without in NEAR)


def touches_officially(mm, qpos, mocap, d, one: int, two: int, found: Exclusion, without: str = "", margin: float = 0.0) -> bool:
    """The same by the official engine."""
    m = deepcopy(mm)
    mend(m, found, without)
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_MIDPHASE     # its trees of boxes are of where the geoms were
    if margin:
        widen(m, found, margin)
    elif without not in NEAR:
        bring_together(m, d.geom_xpos, d.geom_xmat, d.xpos, d.xmat, one, two)
    data = mujoco.MjData(m)
    data.qpos[:] = qpos
    data.mocap_pos[:], data.mocap_quat[:] = mocap
    mujoco.mj_fwdPosition(m, data)
    return are_together(data.contact.geom[:data.ncon], data.contact.dist[:data.ncon] < data.contact.includemargin[:data.ncon], one, two, bool(margin) or without in NEAR)


def are_together(pairs, pushes, one: int, two: int, pushing: bool) -> bool:
    """Whether one of the contacts is of these two geoms; pushing: whether one of theirs that pushes is. pairs (n, 2), pushes (n)."""
    theirs = (np.sort(np.reshape(pairs, (-1, 2)), axis=1) == sorted((one, two))).all(1)
    return bool((theirs & pushes).any() if pushing else theirs.any())


def widen(m, found: Exclusion, less: float) -> None:
    """Apply the margin that is advised, made smaller by so much [m], to a Model of ours or the official one."""
    (field, number, value), = found.reasons[-1].changes
    if field.startswith("opt_"):
        of, name = (m.opt, field[4:]) if isinstance(m, mujoco.MjModel) else (m, field)
        setattr(of, name, value - less)
        return
    getattr(m, field)[number] = value - less
    if field == "geom_margin":
        body = m.geom_bodyid[number]
        m.body_margin[body] = max(m.body_margin[body], value - less)     # as the compiler makes it


def wrong_margin(m, mm, d, one: int, two: int, found: Exclusion) -> list[str]:
    """Whether with the margin that is advised, and a little more, the two push on each other where they are, and with a little less they do not."""
    slack, mocap, wrong = SLACK * found.to_go + SLACK_LENGTH, (d.mocap_pos.copy(), d.mocap_quat.copy()), []
    for less in (-slack, slack):
        results = {"ours": touches(m, d, one, two, found, margin=less)}
        if mm is not None:
            results["official"] = touches_officially(mm, d.qpos, mocap, d, one, two, found, margin=less)
        kinds = m.geom_type[[one, two]].tolist()
        wrong += [f"{name}: {'pushes' if result else 'does not push'} with {less:+.2g} m less than the margin that is advised, types {kinds}, {found.reasons[-1].text}"
                  for name, result in results.items() if result != (less < 0)]
    return wrong


# ------------------------------------------------------------------ asleep


def judge_sleepers(m, mm, d, most: int, rng) -> Iterator[tuple[str, str, list[str]]]:
    """(which geoms, who of them sleeps, what is wrong) of pairs that only distance keeps apart, moved into each other while trees are asleep."""
    if m.opt_integrator == INT_RK4 or m.ntree == 0:
        return
    flags, official_flags = int(m.opt_enableflags), int(mm.opt.enableflags) if mm is not None else 0
    m.opt_enableflags |= ENBL_SLEEP
    try:
        done = 0
        for _try in range(20 * most):
            one, two = map(int, rng.choice(m.ngeom, 2, replace=False)) if m.ngeom > 1 else (0, 0)
            if done == most or one == two:
                return
            data = asleep_data(m, d, set())
            words = {check.word for check in contact_exclusion(m, data, one, two).reasons}
            if not words <= NEAR or are_together(data.contact_geom[:data.ncon], True, one, two, False):
                continue
            trees = [int(m.body_treeid[m.geom_bodyid[g]]) for g in (one, two)]
            moving = [t for t in trees if t >= 0]
            asleep = (set(), set(moving), set(moving[:1]), set(range(m.ntree)) - set(moving[:1]), set(range(m.ntree)))[done % 5]
            done += 1
            yield f"geoms {one} and {two}, trees {sorted(asleep)[:5]} asleep", *judge_sleeping_pair(m, mm, d, one, two, trees, asleep)
    finally:
        m.opt_enableflags = flags
        if mm is not None:
            mm.opt.enableflags = official_flags


def asleep_data(m, d, asleep: set[int]):
    """A Data like d with these trees asleep, each alone, and all others awake."""
    data = physics.Data(m)
    data.copy_from(d)
    data.tree_asleep[:] = [t if t in asleep else -1 for t in range(m.ntree)]
    note_awake(m, data)
    return data


def judge_sleeping_pair(m, mm, d, one: int, two: int, trees: list[int], asleep: set[int]) -> tuple[str, list[str]]:
    """(who of the two sleeps, what is wrong of what is said of them)."""
    data = asleep_data(m, d, asleep)
    moved, fixed = (one, two) if m.geom_type[one] not in (GEOM_PLANE, GEOM_HFIELD) else (two, one)
    data.geom_xpos[moved] = place_in(m, d.geom_xpos, d.geom_xmat, moved, fixed)
    collision(m, data)
    while data.make_room():
        collision(m, data)
    rests = [t in asleep if t >= 0 else data.body_awake[m.geom_bodyid[g]] != 1 for t, g in zip(trees, (one, two), strict=True)]
    results = {"ours": are_together(data.contact_geom[:data.ncon], True, one, two, False)}
    if mm is not None:
        results["official"] = sleeping_officially(mm, data, one, two)
    said = [check.word for check in contact_exclusion(m, data, one, two).reasons]
    expected = ["asleep"] if asleep and all(rests) else []
    wrong = [f"said {said}, expected {expected}"] * (said != expected)
    wrong += [f"{name}: {'a' if result else 'no'} contact, said {said}" for name, result in results.items() if result == bool(said)]
    names = ["world" if t < 0 else "asleep" if rest else "awake" for t, rest in zip(trees, rests, strict=True)]
    return " and ".join(sorted(names)), wrong


def sleeping_officially(mm, data, one: int, two: int) -> bool:
    """Whether the official engine has a contact of two geoms, with the poses and sleepers of a Data of ours."""
    flags = mm.opt.disableflags
    mm.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP
    mm.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_MIDPHASE
    official = mujoco.MjData(mm)
    official.qpos[:] = data.qpos
    official.mocap_pos[:], official.mocap_quat[:] = data.mocap_pos, data.mocap_quat
    mujoco.mj_kinematics(mm, official)
    mujoco.mj_comPos(mm, official)
    for name in ("tree_asleep", "tree_awake", "body_awake", "body_awake_ind", "parent_awake_ind", "dof_awake_ind", "geom_xpos", "geom_xmat"):
        getattr(official, name)[...] = np.reshape(getattr(data, name), getattr(official, name).shape)
    for name in ("ntree_awake", "nbody_awake", "nparent_awake", "nv_awake"):
        setattr(official, name, int(getattr(data, name)))
    mujoco.mj_collision(mm, official)
    mm.opt.disableflags = flags
    return are_together(official.contact.geom[:official.ncon], True, one, two, False)


def judge_pair(m, mm, d, one: int, two: int) -> tuple[str, list[str], bool]:
    """(the reasons, what is wrong of them, whether the distance to go was tried)."""
    found, wrong = contact_exclusion(m, d, one, two), []
    words = [check.word for check in found.reasons]
    if not words:
        return "none", ["no reason, and no contact"], False
    hard = [word for word in words if word in STRUCTURE or word == "routine"]
    mocap = d.mocap_pos.copy(), d.mocap_quat.copy()
    engines = {"ours": lambda without: touches(m, d, one, two, found, without)}
    if mm is not None:
        engines["official"] = lambda without: touches_officially(mm, d.qpos, mocap, d, one, two, found, without)
    for name, engine in engines.items():
        all_done = engine("")
        if all_done == bool(hard):
            wrong.append(f"{name}: {'still no' if not hard else 'a'} contact with all mended: {words}")
        for word in words:
            if word not in hard and word not in ("bounds", "distance", "asleep") and engine(word):
                wrong.append(f"{name}: a contact although '{word}' was left")
    if "distance" in words and engines["ours"]("distance"):
        wrong.append("ours: a contact although the distance was left")
    measured = not hard and words[-1] == "distance" and bool(found.reasons[-1].changes)
    if measured:
        wrong += wrong_margin(m, mm, d, one, two, found)
    return kind_of(found), wrong, measured


def kind_of(found: Exclusion) -> str:
    """The reasons as one text."""
    return " + ".join(check.word for check in found.reasons if check.word != "bounds") or "none"

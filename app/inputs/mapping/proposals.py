"""Mappings derived from a Model, so that a device moves something at once: four legs, mocap bodies, chains with position actuators, sites at their ends, bases, controls, and a spring for the rest."""
from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import numpy as np

from app.inputs.mapping.drive_mapping import DriveMapping, Gripper, Limits, Mapping
from app.inputs.mapping.walker import TURN, NoWalker, ancestors, find
from app.inputs.servos import control_index, position_servos
from app.inputs.table import kind_of
from physics.engine.kinematics.joints import dof_count, is_slide
from physics.enums import EQ_WELD, TENDON_FIXED, TRN_JOINT, TRN_TENDON, ObjType
from physics.model.model import Model

SHORTEST = 3        # joints of a chain that can be moved by its end
SHARE = 0.35        # of the model's extent per second: speed of a full axis
MOST_CONTROLS = 16
FINGER = 0.15       # range [m] up to which a slide at the end of a chain is a finger's
GRIP_BUTTONS = MappingProxyType({"keyboard": "space", "pad": "a", "spacemouse": "button1", "xr": "trigger"})
PRESSED_ONCE = ("keyboard", "pad", "spacemouse")    # whose button changes between open and closed
STICK_OF_HAND = MappingProxyType({"x": ("sticky",), "rz": ("-stickx",)})
FREE_AXES = ("leftx", "lefty", "rightx", "righty", "lefttrigger", "righttrigger")


def propose(m: Model, source: str = "keyboard") -> Mapping:
    """What a source could drive, the likeliest first; at most one drive of each part is meant to be used at a time, and the first is what a newcomer gets."""
    drives = [*_legs(m, source), *_mocap_bodies(m, source), *_chains(m, source), *_pulls(m, source), *_controls(m, source)]
    return Mapping(tuple(replace(drive, frame=frame_of(source)) for drive in drives))


def not_legs(m: Model) -> str:
    """Why something that looks like a walker is not proposed to walk; '' where it is, and where nothing looks so."""
    try:
        find(m)
    except NoWalker as why:
        return str(why) if why.walks else ""
    return ""


def frame_of(source: str) -> str:
    """Along whose axes what a source tells is meant: who wears a headset stands in the model, others look at the view."""
    return "world" if _prefix_of(source) == "xr" and source != "xr:phone" else "view"


def first(m: Model, source: str = "keyboard") -> Mapping:
    """The likeliest drive alone; none where the model has nothing that could be driven."""
    return Mapping(propose(m, source).drives[:1])


def _limits(m: Model) -> Limits:
    return Limits(speed=round(float(min(max(SHARE * m.stat.extent, 0.05), 1.0)), 2))


def _prefix_of(source: str) -> str:
    return kind_of(source).prefix


def _gripper(m: Model, source: str, body: int) -> Gripper | None:
    """Fingers below a body: actuators with a range of short slides, each alone or by a tendon that couples them. Open is the far end of the range."""
    found = {}
    for i in range(m.nactuator):
        control, joints = control_index(m, i), _joints_of(m, i)
        if control < 0 or not m.actuator_ctrllimited[control] or not m.name("actuator", i) or not joints:
            continue
        if all(is_slide(m, j) and m.jnt_limited[j] and np.ptp(m.jnt_range[j]) <= FINGER and body in ancestors(m, int(m.jnt_bodyid[j])) for j in joints):
            low, high = m.actuator_ctrlrange[control].tolist()
            found[m.name("actuator", i)] = (high, low)
    prefix = _prefix_of(source)
    return Gripper(GRIP_BUTTONS.get(prefix, "grip"), found, toggle=prefix in PRESSED_ONCE) if found else None


def _joints_of(m: Model, actuator: int) -> tuple[int, ...]:
    """Joints that an actuator moves directly, or by a fixed tendon."""
    kind, target = m.actuator_trntype[actuator], int(m.actuator_trnid[actuator, 0])
    if kind == TRN_JOINT:
        return (target,)
    if kind == TRN_TENDON and m.tendon_type[target] == TENDON_FIXED:
        return tuple(m.wrap_objid[m.tendon_adr[target]:m.tendon_adr[target] + m.tendon_num[target]].tolist())
    return ()


def _legs(m: Model, source: str):
    """A walker, by devices with sticks or keys for a twist."""
    axes = STICK_OF_HAND if source.startswith("xr:") and source != "xr:phone" else kind_of(source).twist
    if not axes:
        return
    try:
        walker = find(m)
    except NoWalker:
        return
    given = {} if axes is not STICK_OF_HAND else {"axes": axes}
    yield DriveMapping("legs", source, "legs", body=m.name("body", walker.trunk), feet=tuple(foot.name for foot in walker.feet),
                       stance={m.name("joint", j): round(value, 4) for j, value in sorted(walker.stance.items())}, limits=Limits(speed=walker.speed, turn=TURN), options=walker.options, **given)


def _mocap_bodies(m: Model, source: str):
    """Mocap bodies, those first to which something is welded."""
    rows = []
    for body in np.flatnonzero(m.body_mocapid >= 0).tolist():
        name = m.name("body", body)
        if not name:
            continue
        welded = next((int(m.eq_obj2id[i]) if m.eq_obj1id[i] == body else int(m.eq_obj1id[i]) for i in range(m.neq)
                       if m.eq_type[i] == EQ_WELD and m.eq_objtype[i] == ObjType.BODY and body in (m.eq_obj1id[i], m.eq_obj2id[i])), 0)
        rows.append((welded == 0, DriveMapping(name, source, "mocap", mocap=name, limits=_limits(m), gripper=_gripper(m, source, welded) if welded else None)))
    return [drive for _free, drive in sorted(rows, key=lambda row: row[0])]


def chain_ends(m: Model) -> list[tuple[int, tuple[int, ...]]]:
    """(site, joints) of each chain of hinges and slides with position actuators: the site farthest along that has at least SHORTEST of them above it, and is named."""
    servos = position_servos(m)
    best: dict[int, tuple[int, int, tuple[int, ...]]] = {}
    for site in range(m.nsite):
        if not m.name("site", site):
            continue
        bodies = ancestors(m, int(m.site_bodyid[site]))
        joints = tuple(j for body in reversed(bodies) for j in range(m.body_jntadr[body], m.body_jntadr[body] + m.body_jntnum[body])
                       if j in servos and dof_count(m.jnt_type[j]) == 1)
        if len(joints) < SHORTEST:
            continue
        key = joints[0]
        if key not in best or len(joints) > best[key][0]:
            best[key] = len(joints), site, joints
    return [(site, joints) for _n, site, joints in best.values()]


def _chains(m: Model, source: str):
    for site, joints in chain_ends(m):
        name = m.name("site", site)
        yield DriveMapping(f"{name} by joints", source, "ik", site=name, joints=tuple(m.name("joint", j) for j in joints if m.name("joint", j)), limits=_limits(m),
                           gripper=_gripper(m, source, int(m.site_bodyid[site])))


def _pulls(m: Model, source: str):
    """Sites at the ends of chains, else the last body of each tree that can move, by the spring."""
    sites = [site for site, _joints in chain_ends(m)]
    for site in sites:
        name = m.name("site", site)
        yield DriveMapping(f"pull {name}", source, "pull", site=name, limits=_limits(m), gripper=_gripper(m, source, int(m.site_bodyid[site])))
    if sites:
        return
    seen: set[int] = set()
    for body in range(m.nbody - 1, 0, -1):
        tree = int(m.body_treeid[body]) if m.body_treeid[body] >= 0 else -1
        if tree >= 0 and tree not in seen and m.name("body", body):
            seen.add(tree)
            name = m.name("body", body)
            yield DriveMapping(f"pull {name}", source, "pull", body=name, limits=_limits(m))


def _controls(m: Model, source: str):
    """Controls in their order to the axes of the device, where it has any that stand alone."""
    axes = {"pad": FREE_AXES, "midi": tuple(f"cc{k}" for k in range(MOST_CONTROLS))}.get(_prefix_of(source), ())
    rows = {}
    for axis, i in zip(axes, (i for i in range(m.nactuator) if m.name("actuator", i) and control_index(m, i) >= 0)):
        control = control_index(m, i)
        low, high = m.actuator_ctrlrange[control].tolist() if m.actuator_ctrllimited[control] else (-1.0, 1.0)
        middle = 0.0 if _prefix_of(source) == "midi" else 0.5 * (low + high)
        rows[axis] = (m.name("actuator", i), low if _prefix_of(source) == "midi" else middle, high)
    if rows:
        yield DriveMapping("controls", source, "controls", controls=rows)

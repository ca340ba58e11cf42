"""The body tree with everything in it."""
from __future__ import annotations

import math

import numpy as np

from physics.enums import (
    GEOM_HFIELD,
    GEOM_MESH,
    GEOM_SDF,
    JNT_BALL,
    JNT_FREE,
    SLEEP_ALLOWED,
    SLEEP_INIT,
    SLEEP_NEVER,
    SleepPolicy,
)
from physics.rotation.quaternion import compose, invert, rotate
from physics.schema.schema import lookup
from physics.writer import tables
from physics.writer.draft import Draft, Node
from physics.writer.rows import attributes, listing, numbers, settled_quat

_ASKED_POLICIES = (SLEEP_NEVER, SLEEP_ALLOWED, SLEEP_INIT)   # the others are worked out
_DIGITS = 15   # of a double that survive a turn there and back
_PARTS = (("geom", "geom_bodyid"), ("site", "site_bodyid"), ("camera", "cam_bodyid"), ("light", "light_bodyid"))


def write(draft: Draft) -> None:
    """The worldbody."""
    m = draft.model
    world = draft.root.add("worldbody")
    children, parts = _children(m), {kind: _by_body(m, field) for kind, field in _PARTS}
    nodes = {0: world}
    stack = [0]
    while stack:
        body = stack.pop()
        node = nodes[body]
        if body:
            _inertial(draft, node, body)
            _joints(draft, node, body)
        for kind, write_part in (("geom", _geom), ("site", _site), ("camera", _camera), ("light", _light)):
            for index in parts[kind][body]:
                write_part(draft, node, index)
        for child in children[body]:
            nodes[child] = _body(draft, node, child, children)
        stack.extend(reversed(children[body]))


def _children(m) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(m.nbody)]
    for body in range(1, m.nbody):
        found[int(m.body_parentid[body])].append(body)
    return found


def _by_body(m, field: str) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(m.nbody)]
    for index, body in enumerate(getattr(m, field).tolist()):
        found[body].append(index)
    return found


def _body(draft: Draft, parent: Node, body: int, children: list[list[int]]) -> Node:
    m = draft.model
    attrs = attributes(draft, "body", tables.BODY, body)
    if m.body_mocapid[body] >= 0:
        attrs["mocap"] = "true"
    joint = int(m.body_jntadr[body])
    if joint >= 0 and m.jnt_type[joint] == JNT_FREE:
        _start_of_free(draft, body, int(m.jnt_qposadr[joint]), attrs)
    tree = int(m.body_treeid[body])
    if tree >= 0 and m.tree_bodyadr[tree] == body and m.tree_sleep_policy[tree] in _ASKED_POLICIES:
        attrs["sleep"] = SleepPolicy(int(m.tree_sleep_policy[tree])).name.lower()
    if joint >= 0 and m.body_sameframe[body] == 1 and not m.body_simple[body] and not children[body]:
        attrs["simple"] = "false"   # where it would not be simple anyway this changes nothing
    return draft.element(parent, "body", "body", body, attrs)


def _start_of_free(draft: Draft, body: int, adr: int, attrs: dict[str, str]) -> None:
    """A free body stands where qpos0 says."""
    m, spec = draft.model, lookup("body").attributes
    start = m.qpos0[adr:adr + 7]
    attrs["pos"], attrs["quat"] = numbers(spec["pos"], start[:3]), numbers(spec["quat"], settled_quat(start[3:]))
    if not np.array_equal(start, np.concatenate([m.body_pos[body], m.body_quat[body]])):
        draft.warn(f"{draft.title('body', body)}: body_pos and body_quat of a free body are written as in qpos0")


def _inertial(draft: Draft, node: Node, body: int) -> None:
    m = draft.model
    empty = not m.body_mass[body] and not m.body_inertia[body].any()
    same = np.array_equal(m.body_ipos[body], m.body_pos[body]) and np.array_equal(m.body_iquat[body], m.body_quat[body])
    if empty and same and not m.body_geomnum[body]:
        return   # so the compiler does by itself
    attrs = attributes(draft, "body/inertial", tables.INERTIAL, body)
    attrs["pos"] = listing(m.body_ipos[body])
    attrs.setdefault("mass", "0")
    node.add("body/inertial", attrs)


def limit(attrs: dict[str, str], name: str, limited: bool, interval) -> None:
    """Whether a range counts, said wherever there is one."""
    if limited or np.any(interval):
        attrs[name] = "true" if limited else "false"


def _joints(draft: Draft, node: Node, body: int) -> None:
    m = draft.model
    for j in range(m.body_jntadr[body], m.body_jntadr[body] + m.body_jntnum[body]):
        dof, kind = int(m.jnt_dofadr[j]), int(m.jnt_type[j])
        attrs = attributes(draft, "body/joint", tables.JOINT, j, dof=dof, qpos0=int(m.jnt_qposadr[j]), qpos=int(m.jnt_qposadr[j]))
        limit(attrs, "limited", m.jnt_limited[j], m.jnt_range[j])
        limit(attrs, "actuatorfrclimited", m.jnt_actfrclimited[j], m.jnt_actfrcrange[j])
        if kind in (JNT_FREE, JNT_BALL):
            for name in ("ref", "springref", "axis"):
                attrs.pop(name, None)
            _check_equal_dofs(draft, j, dof, 6 if kind == JNT_FREE else 3)
        if kind == JNT_FREE and not set(attrs) - {"type", "group"}:
            del attrs["type"]
            draft.element(node, "body/freejoint", "joint", j, attrs)
        else:
            draft.element(node, "body/joint", "joint", j, attrs)


def _check_equal_dofs(draft: Draft, joint: int, dof: int, count: int) -> None:
    m = draft.model
    for field in ("dof_damping", "dof_dampingpoly", "dof_armature", "dof_frictionloss", "dof_solref", "dof_solimp"):
        rows = getattr(m, field)[dof:dof + count]
        if (rows != rows[0]).any():
            draft.warn(f"{draft.title('joint', joint)}: {field} differs among its degrees of freedom; MJCF gives one for all")
    at = int(m.jnt_qposadr[joint])
    rest, start = m.qpos_spring[at:at + 7], m.qpos0[at:at + 7]
    if m.jnt_type[joint] == JNT_BALL:
        rest, start = rest[:4], (1.0, 0.0, 0.0, 0.0)
        if not np.array_equal(m.qpos0[at:at + 4], start):
            draft.warn(f"{draft.title('joint', joint)}: qpos0 of a ball joint is always the unit quaternion")
    if not np.array_equal(rest, start):
        draft.warn(f"{draft.title('joint', joint)}: qpos_spring of this kind of joint is always its initial position")


def before_mesh(m, mesh: int, pos, quat) -> tuple[np.ndarray, np.ndarray]:
    """The frame of a geom as its file gives it: that of its mesh's file, not of the centred mesh.

    Rounded to what is left of the numbers' precision, so that what was 0 or 0.3 in a text is so again.
    """
    shift, turn = tuple(m.mesh_pos[mesh].tolist()), tuple(m.mesh_quat[mesh].tolist())
    quat = np.array(compose(tuple(pos), tuple(quat), *invert(shift, turn))[1])
    quat = np.round(quat / np.linalg.norm(quat), _DIGITS - 1)   # quaternions are unit to 14 digits only, and errors would add up
    quat = settled_quat(quat / np.linalg.norm(quat))
    start = np.subtract(pos, rotate(quat.tolist(), shift))
    return _rounded(start, max(map(abs, (*pos, *shift)))), quat + 0.0


def _rounded(values, scale: float) -> np.ndarray:
    """What is left of the precision of numbers that came from some as large as scale; no zero with a sign."""
    return np.round(values, _DIGITS - math.ceil(math.log10(scale)) if scale > 0 else 0) + 0.0


def _geom(draft: Draft, node: Node, g: int) -> None:
    m, spec = draft.model, lookup("body/geom").attributes
    attrs = attributes(draft, "body/geom", tables.GEOM, g)
    kind, data = int(m.geom_type[g]), int(m.geom_dataid[g])
    if kind in (GEOM_MESH, GEOM_SDF):
        attrs.pop("size", None)
        attrs["mesh"] = draft.refer("mesh", data)
        if m.mesh_pos[data].any() or not np.array_equal(m.mesh_quat[data], (1, 0, 0, 0)):
            pos, quat = before_mesh(m, data, m.geom_pos[g].tolist(), m.geom_quat[g].tolist())
            attrs["pos"], attrs["quat"] = numbers(spec["pos"], pos), numbers(spec["quat"], quat)
            attrs["surfacevel"] = numbers(spec["surfacevel"], _surface_before(m, data, m.geom_surfacevel[g]))
    elif kind == GEOM_HFIELD:
        attrs.pop("size", None)
        attrs["hfield"] = draft.refer("hfield", data)
    if m.geom_fluid[g, 0]:
        attrs["fluidshape"] = "ellipsoid"
        attrs["fluidcoef"] = numbers(spec["fluidcoef"], m.geom_fluid[g, 1:6])
    draft.element(node, "body/geom", "geom", g, attrs)


def _surface_before(m, mesh: int, velocity) -> np.ndarray:
    """Velocity of a surface in the frame of the mesh's file; the compiler moves it into that of the centred mesh."""
    quat, pos = settled_quat(m.mesh_quat[mesh]).tolist(), m.mesh_pos[mesh]
    linear, angular = (np.array(rotate(quat, tuple(part))) for part in (velocity[:3].tolist(), velocity[3:].tolist()))
    turning = np.cross(angular, pos)
    # a mesh's quaternion has unit length to 14 digits only, and the compiler turns with it twice
    return np.concatenate([_rounded(linear - turning, 100 * np.abs([linear, turning]).max()), _rounded(angular, 100 * np.abs(angular).max())])


def _site(draft: Draft, node: Node, s: int) -> None:
    attrs = attributes(draft, "body/site", tables.SITE, s)
    if attrs.get("type") == "mesh":
        attrs.pop("size", None)
    draft.element(node, "body/site", "site", s, attrs)


def _camera(draft: Draft, node: Node, c: int) -> None:
    m = draft.model
    attrs = attributes(draft, "body/camera", tables.CAMERA, c)
    for name in ("sensorsize", "focal", "principal") if not (m.cam_sensorsize[c] > 0).all() else ("fovy",):
        attrs.pop(name, None)
    if "sensorsize" in attrs:
        _check_view(draft, c)
    draft.element(node, "body/camera", "camera", c, attrs)


def _check_view(draft: Draft, c: int) -> None:
    """With a sensor the angle follows from the focal length."""
    m = draft.model
    focal, height = float(m.cam_intrinsic[c, 1]), float(m.cam_sensorsize[c, 1])
    if focal and abs(np.degrees(2 * np.arctan(height / 2 / focal)) - m.cam_fovy[c]) > 1e-4 * m.cam_fovy[c]:
        draft.warn(f"{draft.title('camera', c)}: cam_fovy does not follow from its sensor's size and focal length, which are written")


def _light(draft: Draft, node: Node, index: int) -> None:
    attrs = attributes(draft, "body/light", tables.LIGHT, index)
    draft.element(node, "body/light", "light", index, attrs)

"""Bodies: the tree in depth-first order, frames, masses, and the fields that follow from the tree alone."""
from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import MappingProxyType

from physics.compiler.build import Build
from physics.compiler.compat import discard, fuse, global_coordinates
from physics.compiler.elements import cameras_lights, frames, geoms, inertia, joints, scaling, sites
from physics.compiler.elements.pose import checked_position, orientation
from physics.compiler.items import BodyItem, Item
from physics.enums import JNT_FREE, SleepPolicy
from physics.rotation.quaternion import UNIT, ZERO3, compose, frame_relation, invert, null_pos, rotate
from physics.spec.element import Element

MAX_BODIES = 65534  # a pair of bodies is kept in one 32-bit number
_CHILDREN = MappingProxyType({
    "joint": ("joint", joints.add_joint), "freejoint": ("joint", joints.add_joint), "geom": ("geom", geoms.add_geom), "site": ("site", sites.add_site),
    "camera": ("camera", cameras_lights.add_camera), "light": ("light", cameras_lights.add_light),
})
_OTHER = ("", None)
_NAMES = MappingProxyType({name: name for name in ("pos", "mocap", "gravcomp", "user", "sleep", "simple")})
_BLANK = MappingProxyType(dict(mocap=False, pos=ZERO3, quat=UNIT, gravcomp=0.0, user=(), sleep="auto", may_be_simple=True, ipos=None, iquat=UNIT,
                               mass=0.0, inertia=ZERO3, explicit=False, own_pose=None, **dict.fromkeys(
                                   ("id", "element", "name", "weldid", "contype", "conaffinity", "margin", "dofnum", "parentid", "rootid", "mocapid",
                                    "sameframe", "simple", "lastdof", "inferred", "adjusted"))))   # a body of which nothing has been read


def gather(build: Build) -> None:
    """Walk worldbody and make the items of bodies, joints, geoms, sites, cameras and lights in official order."""
    worlds = build.source.root.all("worldbody")
    world = _body(build, worlds[0] if worlds else build.source.root, None)
    world.name, world.parts = "world", frames.contents(build, worlds)
    stack = [(child, world, frame) for child, frame in reversed(world.parts) if child.tag == "body"]
    while stack:
        element, parent, frame = stack.pop()
        body = _body(build, element, parent, frame)
        stack.extend((child, body, frame) for child, frame in reversed(body.parts) if child.tag == "body")
    if len(build.items["body"]) > MAX_BODIES:
        build.problems.error(build.source.root, f"{len(build.items['body'])} bodies are too many: at most {MAX_BODIES}")
    for body in build.items["body"]:
        _add_parts(build, body)
    scaling.refuse_outsiders(build)
    for body in build.items["body"]:
        _settle_inertia(build, body)
    if any(settings.coordinate == "global" for settings in (build.source.settings, *build.source.scopes.values())):
        global_coordinates.localize(build)
    discard.forget(build)
    if build.source.settings.fusestatic:
        fuse.fuse_static(build)
    for body in build.items["body"]:
        _settle(build, body)


def _body(build: Build, element, parent: Item | None, frame: frames.Frame | None = None) -> Item:
    """The item of a body; parts: (element, frame) of all it holds."""
    body = build.items.add("body", element, _BLANK, parent=parent, parts=[], children=[], joints=[], geoms=[], sites=[], cameras=[], lights=[])
    if parent is None:
        return body
    parent.children.append(body)
    attrs = build.source.attrs(element)
    body.parts = frames.contents(build, (element,), None if frame is None else frame.scale)
    values = attrs.plain(_NAMES)
    body.own_pose = body.pos, body.quat = checked_position(build, attrs, "pos", values["pos"]), orientation(build, attrs)
    if frame is not None:
        frames.settle(build, frame, "body", body)
    body.mocap, body.gravcomp = bool(values["mocap"]), float(values["gravcomp"] or 0.0)
    body.user, body.sleep = values["user"], values["sleep"] or "auto"
    body.may_be_simple = values["simple"] not in (False, "false")
    return body


def _add_parts(build: Build, body: BodyItem) -> None:
    """Items of everything in a body; grouped by body, as the ids are."""
    body.weldid = body.id if body.parent is None or body.mocap or _moves(body) else body.parent.weldid
    for child, frame in body.parts:
        kind, reader = _CHILDREN.get(child.tag, _OTHER)
        if reader is not None and frame is None:
            reader(build, body, child)
        elif reader is not None:
            known = len(build.items[kind])
            reader(build, body, child)
            if len(build.items[kind]) > known:
                frames.settle(build, frame, kind, build.items[kind][-1])
        elif child.tag == "inertial":
            _read_inertial(build, body, child, frame)


def reader_of(tag: str) -> Callable[[Build, BodyItem, Element], None]:
    """What makes the item of one thing that stands in a body, and puts it into the build and the body."""
    return _CHILDREN[tag][1]


def _read_inertial(build: Build, body: BodyItem, element, frame: frames.Frame | None) -> None:
    if body.parent is None:
        build.problems.error(element, "the world cannot have an inertia", "Put the inertial in a body")
    inertia.read_inertial(build, body, element)
    if frame is not None and frame.scale is not None:
        scaling.inertial(frame.scale, body)
    if frame is not None:
        body.ipos, body.iquat = compose(frame.pos, frame.quat, body.ipos, body.iquat)


def _moves(body: BodyItem) -> bool:
    return any([child.tag in ("joint", "freejoint") for child, _frame in body.parts])


def _settle_inertia(build: Build, body: BodyItem) -> None:
    if body.parent is not None:
        inertia.settle(build, body)
        if body.mocap and (body.joints or body.parent.id):   # as written: fusing does not help
            build.problems.error(body.element, "a mocap body must be a child of the world without joints", attr="mocap")
        return
    if body.joints:
        build.problems.error(body.joints[0].element, "the world cannot have joints", "Put the joint in a body")
    body.ipos = ZERO3


def _settle(build: Build, body: BodyItem) -> None:
    """What needs all parts of the body; in the official order."""
    contype, conaffinity, margin = 0, 0, 0.0
    for geom in body.geoms:
        contype |= geom.contype
        conaffinity |= geom.conaffinity
        margin = max(margin, geom.margin + geom.gap)
    body.contype, body.conaffinity, body.margin = contype, conaffinity, margin
    if align_free(build, body):
        _align(body)
    body.dofnum = sum([joint.nv for joint in body.joints])
    if body.joints:
        _check_joints(build, body)


def align_free(build: Build, body: BodyItem) -> bool:
    """Whether the frame of a free body is put into its inertial frame."""
    if len(body.joints) != 1 or body.joints[0].type != JNT_FREE or body.children:
        return False
    align = body.joints[0].align
    return align == "true" or (align == "auto" and build.source.scope(body.element).alignfree)


def _align(body: BodyItem) -> None:
    """Move the frame of a free body into its inertial frame, everything in it staying where it is."""
    body.pos, body.quat = compose(body.pos, body.quat, body.ipos, body.iquat)
    pos, quat = invert(body.ipos, body.iquat)
    body.ipos, body.iquat = ZERO3, UNIT
    for part in (*body.geoms, *body.sites, *body.cameras):
        part.pos, part.quat = compose(pos, quat, part.pos, part.quat)
    for light in body.lights:
        light.pos = compose(pos, quat, light.pos, UNIT)[0]
        light.dir = rotate(quat, light.dir)


def _check_joints(build: Build, body: BodyItem) -> None:
    if any([j.type == JNT_FREE for j in body.joints]):
        if len(body.joints) > 1:
            build.problems.error(body.element, "a free joint can only appear by itself")
        if body.parent is not None and body.parent.id != 0:
            build.problems.error(body.element, "a free joint needs a body directly in the world", "Move the body up, or use other joints")
    if body.dofnum > 6:
        build.problems.error(body.element, f"a body has at most 6 degrees of freedom, this one has {body.dofnum}")
    ball = None
    for joint in body.joints:
        if ball is not None and joint.type in joints.ROTATES:
            build.problems.error(joint.element, "a rotation cannot follow a ball joint in the same body")
        ball = joint if joint.type == joints.BALL else ball


def fill(build: Build) -> None:
    """Fields body_*; ids of joints, dofs, geoms are known by now."""
    bodies, out = build.items["body"], build.fields.rows
    build.fields.column("body", body_pos="pos", body_quat="quat", body_ipos="ipos", body_iquat="iquat", body_mass="mass",
                 body_inertia="inertia", body_gravcomp="gravcomp", body_margin="margin", body_contype="contype",
                 body_conaffinity="conaffinity", body_weldid="weldid", body_dofnum="dofnum")
    build.fields.user("body", "nuser_body", "body_user")
    nmocap = 0
    for body in bodies:
        parent = body.parent
        body.parentid = parent.id if parent else 0
        body.rootid = body.id if parent is None or parent.id == 0 else parent.rootid
        body.mocapid = nmocap if body.mocap else -1
        nmocap += body.mocap
        body.sameframe = frame_relation(body.ipos, body.iquat)
        body.simple = simplicity(body)
    for body in bodies[1:]:
        if body.parentid:
            bodies[body.parentid].simple = 0
    build.fields.sizes["nmocap"] = nmocap
    build.fields.column("body", body_parentid="parentid", body_rootid="rootid", body_mocapid="mocapid", body_sameframe="sameframe")
    out["body_jntnum"] = [len(b.joints) for b in bodies]
    out["body_jntadr"] = [b.joints[0].id if b.joints else -1 for b in bodies]
    out["body_dofadr"] = [b.joints[0].dofadr if b.joints else -1 for b in bodies]
    out["body_geomnum"] = [len(b.geoms) for b in bodies]
    out["body_geomadr"] = [b.geoms[0].id if b.geoms else -1 for b in bodies]
    build.fields.scalars["ngravcomp"] = sum(b.gravcomp > 0 for b in bodies)
    build.fields.scalars["flg_gravcomp"] = int(any(b.gravcomp for b in bodies))


def simplicity(body: BodyItem) -> int:
    """1 when the body's block of the mass matrix is diagonal, 2 when it also only slides, else 0; parents aside."""
    parent = body.parent
    top = parent is None or parent.id == 0 or (parent.parentid == 0 and parent.dofnum == 0)
    if body.sameframe != 1 or not top or not body.may_be_simple:
        return 0
    turned = False
    for joint in body.joints:
        if turned or not null_pos(joint.pos) or (joint.nv == 1 and not _along_one(joint.axis)):
            return 0
        turned = joint.type in joints.ROTATES
    slides = bool(body.joints) and all([j.type == joints.SLIDE for j in body.joints])
    return 2 if slides else 1


@lru_cache(maxsize=256)
def _along_one(axis: tuple) -> bool:
    """Whether an axis is one of the body's own."""
    return sum([abs(x) > 1e-14 for x in axis]) == 1


def sleep_policy(build: Build, treeid: list[int], ntree: int) -> list[int]:
    """Policies that bodies ask for, by tree. treeid: per body."""
    policy = [int(SleepPolicy.AUTO)] * ntree
    for body in build.items["body"][1:]:
        if body.sleep == "auto":
            continue
        tree = treeid[body.id]
        if tree < 0 or tree == treeid[body.id - 1]:
            build.problems.error(body.element, "a sleep policy is only allowed on the topmost moving body of a tree", attr="sleep")
            continue
        policy[tree] = int(SleepPolicy[body.sleep.upper()])
    return policy

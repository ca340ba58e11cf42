"""Joints and their degrees of freedom."""
from __future__ import annotations

import math
from operator import attrgetter
from types import MappingProxyType

from physics.compiler.build import Build
from physics.compiler.compat.compat import is_old
from physics.compiler.elements.pose import checked_position
from physics.compiler.items import BodyItem, Item, JointItem
from physics.enums import JNT_BALL as BALL
from physics.enums import JNT_FREE as FREE
from physics.enums import JNT_HINGE as HINGE
from physics.enums import JNT_SLIDE as SLIDE
from physics.enums import JointType
from physics.rotation.quaternion import ZERO3, unit
from physics.spec.defaults import Attrs
from physics.spec.element import Element

ROTATES = (BALL, HINGE)
WIDTHS = MappingProxyType({FREE: (7, 6), BALL: (4, 3), SLIDE: (1, 1), HINGE: (1, 1)})  # joint type -> entries in qpos, in qvel
_SOLREF, _SOLIMP = (0.02, 1.0), (0.9, 0.95, 0.001, 0.5, 2.0)
_Z = (0.0, 0.0, 1.0)
_TYPES = MappingProxyType({kind.name.lower(): int(kind) for kind in JointType})
_FREE = MappingProxyType(dict(type=FREE, pos=ZERO3, axis=_Z, limited="false", actfrclimited="false", actgravcomp=False, range=(0.0, 0.0),
                               actfrcrange=(0.0, 0.0), stiffness=(0.0, 0.0, 0.0), damping=(0.0, 0.0, 0.0), springyield=0.0, margin=0.0,
                               armature=0.0, frictionloss=0.0, ref=0.0, springref=0.0, springdamper=(0.0, 0.0), user=(), solref=_SOLREF,
                               solimp=_SOLIMP, friction_solref=_SOLREF, friction_solimp=_SOLIMP))
_LATER = MappingProxyType(dict(id=-1, element=None, name="", body=None, qposadr=-1, dofadr=-1))   # known later; a dictionary that grows is made anew
_NAMES = MappingProxyType({   # attribute -> what the item calls it
    **{name: name for name in ("type", "pos", "axis", "limited", "range", "stiffness", "damping", "springyield", "margin", "armature",
                               "frictionloss", "ref", "springref", "springdamper", "user")},
    "actuatorfrclimited": "actfrclimited", "actuatorgravcomp": "actgravcomp", "actuatorfrcrange": "actfrcrange", "solreflimit": "solref",
    "solimplimit": "solimp", "solreffriction": "friction_solref", "solimpfriction": "friction_solimp",
})
_FINITE = ("stiffness", "damping", "armature", "frictionloss", "margin", "ref", "springref")


def add_joint(build: Build, body: BodyItem, element: Element) -> None:
    """Make the item of a joint or freejoint."""
    body.joints.append(build.items.add("joint", element, build.shared.read(element, _values), body=body))


def _values(build: Build, attrs: Attrs) -> dict:
    """Everything about a joint but its body."""
    free = attrs.element.tag == "freejoint"
    joint = Item(_FREE if free else _given(build, attrs), group=int(attrs.get("group", 0)), align=attrs.get("align", "auto") if free else "auto",
                 **_LATER)
    joint.nq, joint.nv = WIDTHS[joint.type]
    _angles(build, attrs.element, joint)
    return vars(joint)


def _given(build: Build, attrs: Attrs) -> dict:
    values = attrs.plain(_NAMES)
    kind = values["type"] = _TYPES[values["type"]]
    if kind in (SLIDE, HINGE):
        axis, length = unit(values["axis"])
        if not (length > 1e-14 and math.isfinite(length)):
            build.problems.error(attrs.element, "the joint's axis has no direction", attr="axis")
            axis = _Z
        values["axis"] = axis
    else:
        values["axis"] = _Z
    values["pos"] = ZERO3 if kind == FREE else checked_position(build, attrs, "pos", values["pos"])
    values["actgravcomp"] = bool(values["actgravcomp"])
    return values


def is_limited(build: Build, element: Element, keyword: str, interval, attr: str, switch: str) -> bool:
    """Whether a range counts: asked for, or a rising one given with autolimits."""
    given = not (interval[0] == 0 and interval[1] == 0)
    if keyword == "auto" and given and is_old(build) and not build.source.scope(element).autolimits:
        build.problems.warn(element, f"'{attr}' counts for nothing: '{switch}' is not given, and autolimits was off in 2.3",
                   f'Write {switch}="true" for a limit', attr)
        return False
    if keyword == "auto" and given and not build.source.scope(element).autolimits:
        build.problems.error(element, f"'{attr}' is given without '{switch}', and autolimits is off",
                    f'Write {switch}="true" or "false", or turn autolimits on', attr)
    limited = keyword == "true" or (keyword == "auto" and interval[0] < interval[1])
    if not interval[0] < interval[1] and (keyword == "true" or (keyword == "auto" and given)):
        say = build.problems.error if keyword == "true" else build.problems.warn
        say(element, f"'{attr}' must rise: {interval[0]:g} is not below {interval[1]:g}", "" if keyword == "true" else "As it is there is no limit", attr)
    return limited


def _angles(build: Build, element: Element, joint: JointItem) -> None:
    """Limits, and angles in radians."""
    unit_angle = math.pi / 180 if build.source.scope(element).degree else 1.0
    if joint.type == FREE:
        joint.limited = joint.actfrclimited = False
        return
    if joint.type == BALL:
        joint.limited = _ball_limited(build, element, joint)
    else:
        joint.limited = is_limited(build, element, joint.limited, joint.range, "range", "limited")
    joint.actfrclimited = joint.type != BALL and is_limited(
        build, element, joint.actfrclimited, joint.actfrcrange, "actuatorfrcrange", "actuatorfrclimited")
    if joint.limited and joint.type in ROTATES:
        joint.range = tuple(x * unit_angle if x else x for x in joint.range)
    if joint.type in ROTATES:
        joint.springyield *= unit_angle
    if joint.type == HINGE:
        joint.ref, joint.springref = joint.ref * unit_angle, joint.springref * unit_angle
    if any(joint.springdamper) and min(joint.springdamper) <= 0:
        build.problems.error(element, "both values of springdamper must be positive", attr="springdamper")
    if not math.isfinite(sum((*joint.stiffness, *joint.damping, joint.armature, joint.frictionloss, joint.margin, joint.ref, joint.springref))):
        _find_infinite(build, element, joint)
    for name in ("armature", "frictionloss"):
        if getattr(joint, name) < 0:
            build.problems.warn(element, f"'{name}' is negative", attr=name)


def _ball_limited(build: Build, element: Element, joint: JointItem) -> bool:
    """Whether a ball joint's range counts: one that is asked for need not rise, and holds the joint still where it does not."""
    low, high = joint.range
    if joint.limited == "true" and low == 0 and not high > 0:
        build.problems.warn(element, f"the limit of {high:g} holds the ball joint where it is", 'Write range="0 angle", or limited="false" for no limit', "range")
        return True
    limited = is_limited(build, element, joint.limited if joint.limited != "true" or low < high else "auto", joint.range, "range", "limited")
    if low and (limited or joint.limited == "true"):
        build.problems.error(element, "the range of a ball joint must start at 0", attr="range")
    return limited


def _find_infinite(build: Build, element: Element, joint: JointItem) -> None:
    """Name the values that are not finite; their sum is not, which may be no more than too large."""
    for name in _FINITE:
        value = getattr(joint, name)
        if not (all(map(math.isfinite, value)) if isinstance(value, tuple) else math.isfinite(value)):
            build.problems.error(element, f"'{name}' is not finite", attr=name)


def fill(build: Build) -> None:
    """Fields jnt_*, dof_*, qpos0 and qpos_spring."""
    nq = nv = 0
    qpos0, spring = [], []
    dofs = []
    for joint in build.items["joint"]:
        joint.qposadr, joint.dofadr = nq, nv
        nq, nv = nq + joint.nq, nv + joint.nv
        if joint.nv == 1:   # nearly all are
            qpos0.append(joint.ref)
            spring.append(joint.springref)
            dofs.append(joint)
            continue
        start, rest = _initial(joint)
        qpos0 += start
        spring += rest
        dofs += [joint] * joint.nv
    build.fields.sizes.update(nq=nq, nv=nv)
    out = build.fields.rows
    out["qpos0"], out["qpos_spring"] = qpos0, spring
    build.fields.column("joint", jnt_type="type", jnt_qposadr="qposadr", jnt_dofadr="dofadr", jnt_group="group", jnt_limited="limited",
                 jnt_actfrclimited="actfrclimited", jnt_actgravcomp="actgravcomp", jnt_solref="solref", jnt_solimp="solimp",
                 jnt_pos="pos", jnt_axis="axis", jnt_range="range", jnt_actfrcrange="actfrcrange", jnt_margin="margin",
                 jnt_springyield="springyield")
    items = build.items["joint"]
    out["jnt_bodyid"] = [j.body.id for j in items]
    out["jnt_stiffness"] = [j.stiffness[0] for j in items]
    out["jnt_stiffnesspoly"] = [x for j in items for x in j.stiffness[1:]]
    build.fields.user("joint", "nuser_jnt", "jnt_user")
    out["dof_bodyid"] = [j.body.id for j in dofs]
    rows = zip(*map(attrgetter("id", "friction_solref", "friction_solimp", "frictionloss", "armature", "damping"), dofs)) if dofs else ((),) * 6
    out["dof_jntid"], out["dof_solref"], out["dof_solimp"], out["dof_frictionloss"], out["dof_armature"], damping = map(list, rows)
    out["dof_damping"] = [d[0] for d in damping]
    out["dof_dampingpoly"] = [x for d in damping for x in d[1:]]


def _initial(joint: JointItem) -> tuple[list, list]:
    """Entries of qpos0 and of qpos_spring, of a free joint or ball."""
    if joint.type == FREE:
        start = [*joint.body.pos, *joint.body.quat]
        return start, start
    return [1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]

"""Tendons: fixed ones, weighted sums of joint positions, and spatial ones, strings through sites and around geoms."""
from __future__ import annotations

import math

from physics.compiler.build import Build
from physics.compiler.elements import tendon_paths
from physics.compiler.elements.joints import is_limited
from physics.compiler.items import TendonItem
from physics.compiler.source import numbers
from physics.engine.tendon.wrap import HALF_PLANE
from physics.enums import TENDON_FIXED, TENDON_SPATIAL


def gather(build: Build) -> None:
    """Make the items of tendons; their paths refer to joints, sites and geoms."""
    for element in build.source.root.section("tendon"):
        a = build.source.attrs(element)
        fixed = element.tag == "fixed"
        tendon = build.items.add(
            "tendon", element, type=TENDON_FIXED if fixed else TENDON_SPATIAL, group=int(a["group"]),
            range=numbers(a["range"]), actfrcrange=numbers(a["actuatorfrcrange"]), margin=a["margin"],
            stiffness=numbers(a["stiffness"]) or (0.0, 0.0, 0.0), damping=numbers(a["damping"]) or (0.0, 0.0, 0.0),
            armature=a["armature"], frictionloss=a["frictionloss"], springlength=numbers(a["springlength"]), user=numbers(a["user"]),
            springyield=a["springyield"], solref=numbers(a["solreflimit"]), solimp=numbers(a["solimplimit"]),
            friction_solref=numbers(a["solreffriction"]), friction_solimp=numbers(a["solimpfriction"]),
            material=_look(build, element, fixed, "material", ""), width=_look(build, element, fixed, "width", 0.003),
            rgba=_look(build, element, fixed, "rgba", (0.5, 0.5, 0.5, 1.0)),
        )
        tendon.limited = is_limited(build, element, a["limited"], tendon.range, "range", "limited")
        tendon.actfrclimited = is_limited(build, element, a["actuatorfrclimited"], tendon.actfrcrange, "actuatorfrcrange",
                                          "actuatorfrclimited")
        tendon.path = tendon_paths.path_steps(build, tendon)
        _check(build, tendon)


def _look(build: Build, element, fixed: bool, name: str, otherwise):
    """A value for showing; a fixed tendon can only get it from its class."""
    attrs = build.source.attrs(element)
    value = otherwise
    if not fixed:
        value = attrs[name] or otherwise if isinstance(otherwise, str) else attrs[name]
    else:
        for layer in attrs.layers[:-1]:
            if layer.attrs.get(name, "").split():
                value = build.source.attrs(layer)[name]
    return value if isinstance(value, (str, float, tuple)) else numbers(value)


def _check(build: Build, tendon: TendonItem) -> None:
    low, high = tendon.actfrcrange
    if tendon.actfrclimited and (low > 0 or high < 0):
        build.problems.error(tendon.element, "actuatorfrcrange must contain 0", attr="actuatorfrcrange")
    if tendon.springlength[0] > tendon.springlength[1]:
        build.problems.error(tendon.element, "springlength must not fall", attr="springlength")
    elif tendon.springlength[0] == math.inf and any(tendon.stiffness):
        build.problems.warn(tendon.element, "a spring of infinite length pulls with an infinite force", 'Write springlength="0 inf" for one that pushes nothing',
                            "springlength")
    for name in ("armature", "springyield"):
        if getattr(tendon, name) < 0:
            build.problems.error(tendon.element, f"'{name}' cannot be negative", attr=name)
    if tendon.type == TENDON_FIXED:
        return
    if tendon.width <= 0:
        build.problems.error(tendon.element, "the width must be positive", attr="width")
    if tendon.armature > 0 and any(step.type in tendon_paths.WRAPS for step in tendon.path):
        build.problems.error(tendon.element, "a tendon that wraps around geoms cannot have armature", attr="armature")


def fill(build: Build) -> None:
    """Fields tendon_* and wrap_*, but lengths and weights."""
    items, out = build.items["tendon"], build.fields.rows
    build.fields.column("tendon", tendon_group="group", tendon_limited="limited", tendon_actfrclimited="actfrclimited", tendon_width="width",
                 tendon_solref_lim="solref", tendon_solimp_lim="solimp", tendon_solref_fri="friction_solref",
                 tendon_solimp_fri="friction_solimp", tendon_range="range", tendon_actfrcrange="actfrcrange", tendon_margin="margin",
                 tendon_armature="armature", tendon_frictionloss="frictionloss", tendon_lengthspring="springlength",
                 tendon_rgba="rgba", tendon_springyield="springyield", tendon_type="type")
    out["tendon_matid"] = [build.references.named("material", t, "material") if t.material else -1 for t in items]
    out["tendon_stiffness"] = [t.stiffness[0] for t in items]
    out["tendon_stiffnesspoly"] = [t.stiffness[1:] for t in items]
    out["tendon_damping"] = [t.damping[0] for t in items]
    out["tendon_dampingpoly"] = [t.damping[1:] for t in items]
    build.fields.user("tendon", "nuser_tendon", "tendon_user")
    for tendon in items:
        tendon.dofs = tendon_paths.dofs(tendon)
    adr, adrs = 0, []
    for tendon in items:
        adrs.append(adr)
        adr += len(tendon.path)
    steps = [step for t in items for step in t.path]
    out["tendon_adr"], out["tendon_num"] = adrs, [len(t.path) for t in items]
    out["wrap_type"], out["wrap_objid"] = [s.type for s in steps], [-1 if s.target is None else s.target.id for s in steps]
    out["wrap_prm"] = [s.prm for s in steps]
    build.fields.scalars["flg_halfplane"] = int(any(s.rule == HALF_PLANE for s in steps))
    build.fields.sizes.update(nwrap=len(steps), nJten=sum(len(t.dofs) for t in items))

"""Fixed tendons: weighted sums of joint positions. Spatial tendons are left out (the model opens for viewing)."""
from __future__ import annotations

from physics.compiler.build import Build, Item, numbers
from physics.compiler.joints import is_limited
from physics.enums import JNT_BALL, JNT_FREE, TENDON_FIXED, WRAP_JOINT


def read(build: Build) -> None:
    """Make the items of tendons; their paths refer to joints."""
    for element in build.root.section("tendon"):
        if element.tag != "fixed":
            build.partial = True
            continue
        a = build.attrs(element)
        tendon = build.add(
            "tendon", element, group=int(a["group"]), material=a.get("material") or "" if "material" in a.spec.attributes else "",
            range=numbers(a["range"]), actfrcrange=numbers(a["actuatorfrcrange"]), margin=a["margin"],
            stiffness=numbers(a["stiffness"]) or (0.0, 0.0, 0.0), damping=numbers(a["damping"]) or (0.0, 0.0, 0.0),
            armature=a["armature"], frictionloss=a["frictionloss"], springlength=numbers(a["springlength"]), user=numbers(a["user"]),
            springyield=a["springyield"], solref=numbers(a["solreflimit"]), solimp=numbers(a["solimplimit"]),
            friction_solref=numbers(a["solreffriction"]), friction_solimp=numbers(a["solimpfriction"]), path=[],
            width=_shared(build, element, "width", 0.003), rgba=_shared(build, element, "rgba", (0.5, 0.5, 0.5, 1.0)),
        )
        tendon.limited = is_limited(build, element, a["limited"], tendon.range, "range", "limited")
        tendon.actfrclimited = is_limited(build, element, a["actuatorfrclimited"], tendon.actfrcrange, "actuatorfrcrange",
                                          "actuatorfrclimited")
        _read_path(build, tendon)
        _check(build, tendon)


def _shared(build: Build, element, name: str, otherwise):
    """A value that a fixed tendon can only get from its class."""
    value = otherwise
    for layer in build.attrs(element).layers[:-1]:
        if layer.attrs.get(name, "").split():
            value = build.attrs(layer)[name]
    return value if isinstance(value, (float, tuple)) else numbers(value)


def _read_path(build: Build, tendon: Item) -> None:
    for child in tendon.element.children:
        a = build.attrs(child)
        joint = build.id("joint", a["joint"] or "")
        if joint < 0:
            continue
        item = build.items["joint"][joint]
        if item.type in (JNT_FREE, JNT_BALL):
            build.error(child, "a fixed tendon takes hinge and slide joints only", attr="joint")
        if any(item is other for other, _ in tendon.path):
            build.error(child, f"joint '{item.name}' appears twice in the tendon", attr="joint")
        tendon.path.append((item, a["coef"]))
    if not tendon.path:
        build.error(tendon.element, "a tendon needs at least one joint")


def _check(build: Build, tendon: Item) -> None:
    low, high = tendon.actfrcrange
    if tendon.actfrclimited and (low > 0 or high < 0):
        build.error(tendon.element, "actuatorfrcrange must contain 0", attr="actuatorfrcrange")
    if tendon.springlength[0] > tendon.springlength[1]:
        build.error(tendon.element, "springlength must not fall", attr="springlength")


def fill(build: Build) -> None:
    """Fields tendon_* and wrap_*, but lengths and weights."""
    items, out = build.items["tendon"], build.out
    build.column("tendon", tendon_group="group", tendon_limited="limited", tendon_actfrclimited="actfrclimited", tendon_width="width",
                 tendon_solref_lim="solref", tendon_solimp_lim="solimp", tendon_solref_fri="friction_solref",
                 tendon_solimp_fri="friction_solimp", tendon_range="range", tendon_actfrcrange="actfrcrange", tendon_margin="margin",
                 tendon_armature="armature", tendon_frictionloss="frictionloss", tendon_lengthspring="springlength",
                 tendon_rgba="rgba", tendon_springyield="springyield")
    out["tendon_type"] = [TENDON_FIXED] * len(items)
    out["tendon_matid"] = [build.named("material", t, "material") if t.material else -1 for t in items]
    out["tendon_stiffness"] = [t.stiffness[0] for t in items]
    out["tendon_stiffnesspoly"] = [t.stiffness[1:] for t in items]
    out["tendon_damping"] = [t.damping[0] for t in items]
    out["tendon_dampingpoly"] = [t.damping[1:] for t in items]
    build.user("tendon", "nuser_tendon", "tendon_user")
    adr, adrs = 0, []
    for tendon in items:
        adrs.append(adr)
        adr += len(tendon.path)
    steps = [step for t in items for step in t.path]
    out["tendon_adr"], out["tendon_num"] = adrs, [len(t.path) for t in items]
    out["wrap_type"], out["wrap_objid"] = [WRAP_JOINT] * len(steps), [j.id for j, _ in steps]
    out["wrap_prm"] = [coef for _, coef in steps]
    build.sizes["nwrap"] = build.sizes["nJten"] = len(steps)

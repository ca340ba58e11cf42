"""What a tendon passes along: joints of a fixed tendon; sites, geoms and pulleys of a spatial one.

Source: MuJoCo documentation, XML reference, tendon/spatial and tendon/fixed.
"""
from __future__ import annotations

from physics.compiler.build import Build
from physics.compiler.compat.compat import has_old_sides
from physics.compiler.items import BodyItem, Item, TendonItem
from physics.engine.tendon.wrap import HALF_PLANE, NO_SIDE, WINDING
from physics.enums import GEOM_CYLINDER, GEOM_SPHERE, JNT_BALL, JNT_FREE, WRAP_CYLINDER, WRAP_JOINT, WRAP_PULLEY, WRAP_SITE, WRAP_SPHERE

WRAPS = (WRAP_SPHERE, WRAP_CYLINDER)


def path_steps(build: Build, tendon: TendonItem) -> list[Item]:
    """Steps of a tendon: Items with `type` (WrapType), `target` (item, None for pulleys), `prm`, `side` (site item or None), `rule` (of it), `element`."""
    kinds = {"joint": _joint, "site": _site, "geom": _geom, "pulley": _pulley}
    path, missing = [], False
    for child in tendon.element.children:
        step = kinds[child.tag](build, child, build.source.attrs(child))
        missing |= step is None
        path += [] if step is None else [step]
    if missing:
        return path
    if tendon.element.tag == "fixed":
        _check_fixed(build, tendon, path)
    else:
        _check_spatial(build, tendon, path)
    return path


def _find(build: Build, kind: str, name: str) -> Item | None:
    k = build.items.id(kind, name)
    return build.items[kind][k] if k >= 0 else None


def _step(child, kind: int, target: Item | None, prm: float = 0.0, side: Item | None = None, rule: int = NO_SIDE) -> Item:
    return Item(element=child, type=kind, target=target, prm=prm, side=side, rule=rule)


def _joint(build: Build, child, a) -> Item | None:
    joint = _find(build, "joint", a["joint"] or "")
    if joint is None:
        return None
    if joint.type in (JNT_FREE, JNT_BALL):
        build.problems.error(child, "a fixed tendon takes hinge and slide joints only", attr="joint")
    return _step(child, WRAP_JOINT, joint, a["coef"])


def _site(build: Build, child, a) -> Item | None:
    site = _find(build, "site", a["site"] or "")
    return None if site is None else _step(child, WRAP_SITE, site)


def _geom(build: Build, child, a) -> Item | None:
    geom = _find(build, "geom", a["geom"] or "")
    if geom is None:
        return None
    if geom.type not in (GEOM_SPHERE, GEOM_CYLINDER):
        build.problems.error(child, f"a tendon wraps around spheres and cylinders only; '{geom.name}' is neither", attr="geom")
    side = _find(build, "site", a["sidesite"]) if a["sidesite"] else None
    if a["sidesite"] and side is None:
        return None
    kind = WRAP_CYLINDER if geom.type == GEOM_CYLINDER else WRAP_SPHERE
    if side is None:
        return _step(child, kind, geom, -1.0)
    return _step(child, kind, geom, float(side.id), side, HALF_PLANE if has_old_sides(build) else WINDING)


def _pulley(build: Build, child, a) -> Item:
    if not a["divisor"] > 0:
        build.problems.error(child, "the divisor of a pulley must be positive", attr="divisor")
    return _step(child, WRAP_PULLEY, None, a["divisor"])


def _check_fixed(build: Build, tendon: TendonItem, path: list[Item]) -> None:
    if not path:
        build.problems.error(tendon.element, "a tendon needs at least one joint")
    seen = set()
    for step in path:
        if step.target.id in seen:
            build.problems.error(step.element, f"joint '{step.target.name}' appears twice in the tendon", attr="joint")
        seen.add(step.target.id)


def _check_spatial(build: Build, tendon: TendonItem, path: list[Item]) -> None:
    """Branches between pulleys are chains of at least two sites, with at most one geom between two of them."""
    if len(path) < 2:
        build.problems.error(tendon.element, f"the path has {len(path) or 'no'} item{'s' * (not path)}, it needs at least two sites", "Add <site site=.../> items")
        return
    ends = [None, *path, None]
    for before, step, after in zip(ends, path, ends[2:]):
        near = [s.type if s is not None else WRAP_PULLEY for s in (before, after)]
        if step.type == WRAP_PULLEY:
            if before is not None and before.type == WRAP_PULLEY:
                build.problems.error(step.element, "a pulley follows a pulley", "Put at least two sites between them")
            if after is None:
                build.problems.error(step.element, "the path ends with a pulley", "Put at least two sites after it")
        elif step.type == WRAP_SITE:
            if near == [WRAP_PULLEY, WRAP_PULLEY]:
                build.problems.error(step.element, "a branch of the path has one site only", "It needs at least two")
            if after is not None and after.type == WRAP_SITE and after.target is step.target:
                build.problems.error(after.element, f"site '{step.target.name}' follows itself", attr="site")
        elif near != [WRAP_SITE, WRAP_SITE]:
            build.problems.error(step.element, "a geom must stand between two sites")


def bodies(tendon: TendonItem) -> list[Item]:
    """Bodies that a tendon touches, in the order of its path, once each."""
    found = {step.target.body.id: step.target.body for step in tendon.path if step.target is not None}
    return list(found.values())


def dofs(tendon: TendonItem) -> list[int]:
    """Degrees of freedom with an entry in the tendon's Jacobian, ascending; joints must have their addresses."""
    if tendon.element.tag == "fixed":
        return sorted(step.target.dofadr for step in tendon.path)
    found: set[int] = set()
    for body in bodies(tendon):
        found |= moving_dofs(body)
    return sorted(found)


def moving_dofs(body: BodyItem | None) -> set[int]:
    """Degrees of freedom that move a body."""
    found: set[int] = set()
    while body is not None:
        for joint in body.joints:
            found.update(range(joint.dofadr, joint.dofadr + joint.nv))
        body = body.parent
    return found

"""Explicit contact pairs and excluded bodies, both by rising signature.

A pair's properties are its own, its class's or the language's; those of the geoms are not used (MuJoCo MJCF reference, chapter contact).
"""
from __future__ import annotations

from physics.compiler.build import Build
from physics.compiler.source import numbers

_CONDIMS = (1, 3, 4, 6)


def gather(build: Build) -> None:
    """Make the items of pairs; what they name must be there."""
    found = []
    for element in build.source.root.section("contact"):
        if element.tag != "pair":
            continue
        a = build.source.attrs(element)
        geoms = [build.items.id("geom", a.get(name, "")) for name in ("geom1", "geom2")]
        if a["condim"] not in _CONDIMS:
            build.problems.error(element, f"condim must be 1, 3, 4 or 6, not {a['condim']}", attr="condim")
        if min(geoms) < 0:
            build.source.partial = True
            continue
        bodies = [build.items["geom"][g].body.id for g in geoms]
        if bodies[0] > bodies[1]:
            geoms, bodies = geoms[::-1], bodies[::-1]
        found.append((bodies[0] << 16 | bodies[1], geoms, a))
    for signature, geoms, a in sorted(found, key=lambda pair: pair[0]):
        build.items.add("pair", a.element, signature=signature, geom1=geoms[0], geom2=geoms[1], condim=a["condim"], friction=numbers(a["friction"]),
                  solref=numbers(a["solref"]), solreffriction=numbers(a["solreffriction"]), solimp=numbers(a["solimp"]), margin=a["margin"],
                  gap=a["gap"], adhesion=a["adhesion"])


def excludes(build: Build) -> None:
    """Pairs of bodies that never touch."""
    found = []
    for element in build.source.root.section("contact"):
        if element.tag != "exclude":
            continue
        one, two = (build.items.id("body", element.attrs.get(n, "")) for n in ("body1", "body2"))
        if min(one, two) >= 0:
            found.append((min(one, two) << 16 | max(one, two), element))
    for signature, element in sorted(found, key=lambda pair: pair[0]):
        build.items.add("exclude", element, signature=signature)
    build.fields.column("exclude", exclude_signature="signature")


def fill(build: Build) -> None:
    """Fields pair_*."""
    build.fields.column("pair", pair_dim="condim", pair_geom1="geom1", pair_geom2="geom2", pair_signature="signature", pair_solref="solref",
                 pair_solreffriction="solreffriction", pair_solimp="solimp", pair_margin="margin", pair_gap="gap", pair_adhesion="adhesion",
                 pair_friction="friction")
    if any(item.adhesion for item in build.items["pair"]):
        build.fields.scalars["flg_adhesion"] = 1

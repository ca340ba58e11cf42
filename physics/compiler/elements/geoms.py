"""Geoms: shape, frame, contact properties, mass."""
from __future__ import annotations

import math
from types import MappingProxyType

from physics.compiler.assets import hfields
from physics.compiler.build import Build
from physics.compiler.compat.compat import is_old
from physics.compiler.elements import fluid, solids
from physics.compiler.elements.pose import check_length, checked_position, from_fromto, orientation
from physics.compiler.items import BodyItem, GeomItem, Item
from physics.compiler.mesh import mesh_geoms
from physics.compiler.source import numbers
from physics.enums import GEOM_HFIELD, GEOM_MESH, GEOM_PLANE, GeomType
from physics.rotation.quaternion import ZERO3, frame_relation
from physics.spec.defaults import Attrs
from physics.spec.element import Element

# positive sizes each shape needs
SIZES = MappingProxyType({"plane": 0, "hfield": 0, "mesh": 0, "sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3})
_TYPES = MappingProxyType({kind.name.lower(): int(kind) for kind in GeomType})
_NAMES = MappingProxyType({**{name: name for name in (
    "type", "contype", "conaffinity", "condim", "material", "group", "priority", "castshadow", "solmix", "solref", "solimp", "friction", "margin",
    "gap", "surfacevel", "adhesion", "user", "rgba", "size", "pos", "shellinertia", "density", "fluidshape",
)}, "mesh": "mesh_name", "hfield": "hfield_name"})
_STILL, _DRY = (0.0,) * 6, (0.0,) * 12
_WORDS = ("zero", "first", "second", "third")


def add_geom(build: Build, body: BodyItem, element: Element) -> None:
    """Make the item of a geom."""
    a = build.source.attrs(element)
    if a["type"] not in SIZES:
        return  # the reader has refused it
    infers = body.id != 0 and (not body.explicit or build.source.scope(element).inertiafromgeom == "true")
    # what a mesh or height field makes of a geom may change from one to the next
    borrows = not build.shared.goes_on and (a["mesh"] or a["hfield"] or a["type"] in ("mesh", "hfield"))
    geom = build.items.add("geom", element, _values(build, a, infers) if borrows else build.shared.read(element, _values, infers), body=body)
    if geom.type == GEOM_PLANE and body.weldid != 0 and not build.items["body"][body.weldid].mocap:
        build.problems.error(element, "a plane cannot be on a body that moves", "Use a thin box instead", "type")
    body.geoms.append(geom)


def _values(build: Build, a: Attrs, infers: bool) -> dict:
    """Everything about a geom but its body. infers: whether that takes its mass from its geoms."""
    element, values = a.element, a.plain(_NAMES)
    word, fromto = values["type"], a.given("fromto")
    values["type"] = _TYPES[word]
    values["castshadow"], values["shellinertia"] = values["castshadow"] is not False, bool(values["shellinertia"])
    values["adhesion"], values["surfacevel"] = float(values["adhesion"] or 0.0), values["surfacevel"] or _STILL
    geom = Item(values, element=element, mass=0.0, inertia=ZERO3, fluid=_DRY, dataid=-1, mesh=None, lender=None, id=-1, name="", body=None)
    geom.material = geom.material or ""
    size = (*geom.size, 0.0, 0.0, 0.0)[:3]
    placed = from_fromto(build, a, geom.type, size) if fromto else None
    geom.pos, geom.quat, geom.size = placed or (checked_position(build, a, "pos", geom.pos), orientation(build, a), size)
    if geom.type == GEOM_MESH or geom.mesh_name:
        _show_mesh(build, geom, a, word)
    if geom.type not in (GEOM_HFIELD, GEOM_MESH):
        check_size(build, element, word, geom.size, fromto)
    geom.rbound, geom.aabb = mesh_geoms.bounds(geom.mesh) if geom.mesh else solids.bounds(geom.type, geom.size)
    if geom.type == GEOM_HFIELD:
        hfields.dress(build, geom)
    elif geom.hfield_name:
        build.problems.error(element, f"a {word} cannot show a height field", 'Write type="hfield"', "hfield")
    _check(build, geom)
    if infers:
        _weigh(build, geom, a)
    if geom.fluidshape == "ellipsoid":
        geom.fluid = fluid.coefficients(geom.type, geom.size, numbers(a["fluidcoef"]))
    return vars(geom)


def _show_mesh(build: Build, geom: GeomItem, a, word: str) -> None:
    """Take frame and size from the mesh that a geom names."""
    element = geom.element
    if not geom.mesh_name:
        build.problems.error(element, "a mesh geom must name its mesh", 'Write mesh="..."', "type")
    elif word in ("plane", "hfield"):
        build.problems.error(element, f"a {word} cannot be fitted to a mesh", 'Write type="mesh", "box", "sphere", ...', "mesh")
    elif a.given("fromto"):
        build.problems.error(element, "a geom that takes its size from a mesh cannot have fromto", attr="fromto")
    elif word == "mesh" and a.get("shellinertia", False) and not is_old(build):
        build.problems.error(element, "a mesh geom takes no shellinertia", 'Write inertia="shell" on the mesh', "shellinertia")
    else:
        mesh_geoms.dress(build, geom, a)
        if word == "mesh" and geom.shellinertia and geom.lender is not None and geom.lender.inertia != "shell":
            build.problems.error(element, f"other geoms show '{geom.mesh_name}' without shellinertia: one mesh has one frame",
                                 'Give this geom a mesh of its own, with inertia="shell"', "shellinertia")


def check_size(build: Build, element: Element, word: str, size: tuple, fromto: bool = False) -> None:
    """Sizes must be positive, finite and not absurd."""
    if not all(map(math.isfinite, size)):
        build.problems.error(element, "the size is not finite", attr="size")
        return
    check_length(build, element, "size", size)
    if word == "plane":
        if size[2] <= 0:
            build.problems.error(element, "the third size of a plane, its grid spacing, must be positive", 'Write size="0 0 1" for an infinite one',
                        "size")
        return
    for k in range(SIZES[word]):
        if size[k] <= 0:
            build.problems.error(element, f"the {_WORDS[k + 1]} size of a {word} must be positive",
                        f"A {word} takes {1 if fromto else SIZES[word]} size(s)" + (" beside fromto" if fromto else ""), "size")
            return


def _check(build: Build, geom: GeomItem) -> None:
    if geom.condim not in (1, 3, 4, 6):
        build.problems.error(geom.element, f"condim must be 1, 3, 4 or 6, not {geom.condim}", attr="condim")
    values = (*geom.friction, *geom.solref, *geom.solimp, geom.margin, geom.gap, geom.solmix, *geom.rgba)
    if not all(map(math.isfinite, values)):
        build.problems.error(geom.element, "a contact property or colour is not finite")


def _weigh(build: Build, geom: GeomItem, attrs) -> None:
    """Mass and inertia, of a geom in the groups that count."""
    low, high = build.source.scope(geom.element).grouprange
    if not low <= geom.group <= high:
        return
    shell = geom.shellinertia
    volume = mesh_geoms.volume(build, geom) if geom.mesh else solids.volume(geom.type, geom.size, shell)
    density = geom.density
    if attrs.given("mass"):
        mass = attrs["mass"]
        geom.mass = mass if volume > 1e-14 else 0.0
    else:
        mass = density
        geom.mass = density * volume
    if mass < 0:
        build.problems.error(geom.element, "mass and density cannot be negative", attr="mass" if attrs.given("mass") else "density")
    elif not math.isfinite(geom.mass):
        build.problems.error(geom.element, "the mass is not finite", attr="mass" if attrs.given("mass") else "density")
        geom.mass = 0.0
    if geom.mass:
        geom.inertia = mesh_geoms.inertia(geom.mesh, geom.mass) if geom.mesh else solids.inertia(geom.type, geom.size, geom.mass, shell)


def fill(build: Build) -> None:
    """Fields geom_*."""
    items, out = build.items["geom"], build.fields.rows
    build.fields.column("geom", geom_type="type", geom_contype="contype", geom_conaffinity="conaffinity", geom_condim="condim",
                 geom_group="group", geom_priority="priority", geom_castshadow="castshadow", geom_solmix="solmix",
                 geom_solref="solref", geom_solimp="solimp", geom_size="size", geom_aabb="aabb", geom_rbound="rbound",
                 geom_pos="pos", geom_quat="quat", geom_friction="friction", geom_margin="margin", geom_gap="gap",
                 geom_surfacevel="surfacevel", geom_adhesion="adhesion", geom_rgba="rgba", geom_fluid="fluid")
    build.fields.scalars["flg_surfacevel"] = int(any(any(g.surfacevel) for g in build.items["geom"]))
    build.fields.scalars["flg_adhesion"] = int(any(g.adhesion for g in build.items["geom"]))
    out["geom_bodyid"] = [g.body.id for g in items]
    out["geom_dataid"] = [g.dataid for g in items]
    out["geom_matid"] = [mesh_geoms.material_id(build, g) for g in items]
    out["geom_sameframe"] = [frame_relation(g.pos, g.quat, g.body) for g in items]
    build.fields.user("geom", "nuser_geom", "geom_user")

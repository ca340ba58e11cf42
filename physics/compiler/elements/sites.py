"""Sites: places with a frame and a shape for showing."""
from __future__ import annotations

from types import MappingProxyType

from physics.compiler.build import Build
from physics.compiler.elements.geoms import check_size
from physics.compiler.elements.pose import checked_position, from_fromto, orientation
from physics.compiler.items import BodyItem
from physics.compiler.mesh import mesh_geoms
from physics.enums import GeomType
from physics.rotation.quaternion import frame_relation
from physics.spec.element import Element

_SMALL = 0.005
_TYPES = MappingProxyType({kind.name.lower(): int(kind) for kind in GeomType})
_NAMES = MappingProxyType({**{name: name for name in ("type", "material", "group", "user", "rgba", "size", "pos")}, "mesh": "mesh_name"})
_SHAPES = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")


def add_site(build: Build, body: BodyItem, element: Element) -> None:
    """Make the item of a site."""
    a = build.source.attrs(element)
    values = a.plain(_NAMES)
    word, fromto = values["type"], a.given("fromto")
    if word not in _SHAPES:
        if word in ("plane", "hfield"):
            build.problems.error(element, f"a site cannot be a {word}", attr="type")
        return
    size = (*values["size"], *((_SMALL,) * 3)[len(values["size"]):])[:3]
    site = build.items.add("site", element, values, body=body, type=_TYPES[word], material=values["material"] or "", dataid=-1, lender=None)
    placed = from_fromto(build, a, site.type, size) if fromto else None
    site.pos, site.quat, site.size = placed or (checked_position(build, a, "pos", values["pos"]), orientation(build, a), size)
    if word == "mesh" and not site.mesh_name:
        build.problems.error(element, "a mesh site must name its mesh", 'Write mesh="..."', "type")
    elif word == "mesh":
        mesh_geoms.dress_site(build, site)
    elif site.mesh_name:
        build.problems.error(element, f"a {word} site cannot be fitted to a mesh", 'Write type="mesh"', "mesh")
    check_size(build, element, word, site.size, fromto)
    body.sites.append(site)


def fill(build: Build) -> None:
    """Fields site_*."""
    items, out = build.items["site"], build.fields.rows
    build.fields.column("site", site_type="type", site_group="group", site_size="size", site_pos="pos", site_quat="quat", site_rgba="rgba")
    out["site_bodyid"] = [s.body.id for s in items]
    out["site_dataid"] = [s.dataid for s in items]
    out["site_matid"] = [mesh_geoms.material_id(build, s) for s in items]
    out["site_sameframe"] = [frame_relation(s.pos, s.quat, s.body) for s in items]
    build.fields.user("site", "nuser_site", "site_user")

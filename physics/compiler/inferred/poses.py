"""Inferred poses: orientations in another notation, ends of a shape, sizes of meshes, classes and names that are not written."""
from __future__ import annotations


from physics.compiler.inferred.rule import Inference, Look, Rule, figures, place
from physics.rotation.orientation import NOTATIONS, OrientationError, from_notation
from physics.rotation.quaternion import from_z, unit
from physics.spec.defaults import default_tag
from physics.spec.names import FILE_NAMED, declared_name

_TURNED = ("body", "body/frame", "body/geom", "body/site", "body/camera", "body/inertial")
_LONG = frozenset({"capsule", "cylinder"})


def _newest(look: Look) -> str:
    return look.attrs.newest(tuple(name for name in NOTATIONS if name in look.attrs.spec.attributes))


def _orientation(look: Look, attribute: str) -> Inference | None:
    """A quaternion from the notation that is used; of several the newest layer's counts."""
    used = _newest(look)
    if not used or used == attribute or look.given("fromto"):
        return None
    angles = {"euler": f", {'degrees' if look.settings.degree else 'radians'}, sequence {look.settings.eulerseq}",
              "axisangle": f", {'degrees' if look.settings.degree else 'radians'}"}.get(used, "")
    text = " ".join(word for _element, word in look.attrs.origins(used))
    if attribute != "quat":
        return Inference(f"not used: the orientation is given by {look.words(used)}", look.input(used)) if look.given(attribute) else None
    try:
        value = tuple(from_notation(used, look.attrs[used], look.settings.degree, look.settings.eulerseq).tolist())
    except (OrientationError, ValueError):
        value = ()
    more = look.compiler("angle") + look.compiler("eulerseq") if angles else ()
    return Inference(f'from {used}="{text}"{angles}: {figures(value)}', (*look.input(used), *more), value=value)


def _ends(look: Look, attribute: str) -> Inference | None:
    """Place, direction and length of a shape that is given by its two ends."""
    if not look.given("fromto"):
        return None
    ends = look.numbers("fromto")
    direction, length = unit(tuple(a - b for a, b in zip(ends[:3], ends[3:])))
    said, inputs = look.words("fromto"), look.input("fromto")
    if attribute == "pos":
        value = tuple((a + b) / 2 for a, b in zip(ends[:3], ends[3:]))
        return Inference(f"middle of {said}: {figures(value)}", inputs, value=value)
    if attribute == "size":
        word, half = look.attrs["type"], length / 2
        radius = (look.numbers("size") or (0.0,))[0]
        at, value = ((1,), (half,)) if word in _LONG else ((1, 2), (radius, half))
        return Inference(f"half length of {said}: {half:.6g} m", inputs, at, value)
    if attribute == "quat":
        value = tuple(from_z(direction))
        return Inference(f"z axis along {said}: {figures(value)}", inputs, value=value)
    return Inference(f"not used: {said} gives the orientation", inputs) if look.given(attribute) else None


def _mesh_size(look: Look, attribute: str) -> Inference | None:
    """Size of a shape that shows a mesh or is fitted to one, or of a height field."""
    name, word = look.attrs["mesh"], look.attrs["type"]
    if not name or look.given("fromto"):
        return None
    value = look.row("geom_size" if look.attrs.spec.path == "body/geom" else "site_size")
    if word == "mesh" or look.attrs.spec.path == "body/site":
        return Inference(f"half of the box around mesh '{name}': {figures(value)}", look.input("mesh"), value=value)
    how = "bounding box" if look.settings.fitaabb else "box of equal inertia"
    at = {"sphere": (0,), "capsule": (0, 1), "cylinder": (0, 1)}.get(word)
    scale = look.attrs["fitscale"]
    return Inference(f"{word} fitted to the {how} of mesh '{name}'{'' if scale in (None, 1) else f', times fitscale {scale:g}'}: {figures(value)}",
                     (*look.input("mesh", "fitscale"), *look.compiler("fitaabb")), at, value if at is None else tuple(value[i] for i in at if value))


def _hfield_size(look: Look, attribute: str) -> Inference | None:
    if look.attrs["type"] != "hfield" or not look.attrs["hfield"]:
        return None
    value = look.row("geom_size")
    return Inference(f"of height field '{look.attrs['hfield']}': {figures(value)}", look.input("hfield"), value=value)


def _mesh_material(look: Look, attribute: str) -> Inference | None:
    """The material of a mesh, where a geom or site that shows it has none."""
    name = look.attrs["mesh"]
    if look.given("material") or not name:
        return None
    for element in look.resolver.root.section("asset"):
        if element.tag == "mesh" and declared_name(element, "asset/mesh") == name:
            attrs = look.resolver.attrs(element)
            if attrs["material"]:
                return Inference(f"material '{attrs['material']}' of mesh '{name}' ({place(element)})", ((element, "material"),))
    return None


def _class(look: Look, attribute: str) -> Inference | None:
    """The default class that is in force around an element."""
    name = look.resolver.inherited(look.element)
    if look.element.attrs.get("class") or name == "main":
        return None
    node = look.resolver.parent(look.element)
    while node is not None:
        said = "childclass" if "childclass" in node.attrs else "class" if node.tag in ("frame", "replicate") and "class" in node.attrs else ""
        if said:
            return Inference(f"{name}: {said} of <{node.tag}{f' {node.name}' if node.name else ''}> ({place(node)})", ((node, said),))
        node = look.resolver.parent(node)
    return None


def _file_name(look: Look, attribute: str) -> Inference | None:
    """An asset without a name is called as its file is."""
    name = declared_name(look.element, look.attrs.spec.path)
    return None if look.element.name or not name else Inference(f"{name}: the name of its file", look.input("file"))


def _texture_size(look: Look, attribute: str) -> Inference | None:
    if not any(look.given(name) for name in look.attrs.spec.attributes if name.startswith("file")):
        return None
    value = look.row("tex_" + attribute)
    return Inference(f"of the picture: {figures(value)} pixels", look.input(*(name for name in look.attrs.spec.attributes if name.startswith("file"))), value=value)


def _hfield_grid(look: Look, attribute: str) -> Inference | None:
    if not look.given("file"):
        return None
    value = look.row("hfield_" + attribute)
    return Inference(f"of the file: {figures(value)}", look.input("file"), value=value)


def _fovy(look: Look, attribute: str) -> Inference | None:
    """The field of view of a camera that has a sensor."""
    if not any(look.numbers("sensorsize")):
        return None
    focal = "focalpixel" if look.given("focalpixel") and any(look.numbers("focalpixel")) else "focal"
    value = look.row("cam_fovy")
    return Inference(f"2 atan(sensor height / 2 focal length) of {look.words('sensorsize')} and {look.words(focal)}: {figures(value)} degrees",
                     look.input("sensorsize", focal, *(("resolution",) if focal == "focalpixel" else ())), value=value)


def _light_type(look: Look, attribute: str) -> Inference | None:
    if look.given("type") or not look.given("directional"):
        return None
    return Inference(f"{'directional' if look.attrs['directional'] else 'spot'}: {look.words('directional')}", look.input("directional"))


def _statistic(look: Look, attribute: str) -> Inference | None:
    """What <statistic> does not give is computed from the initial pose."""
    if any(attribute in element.attrs for element in look.resolver.root.all("statistic")) or look.model is None:
        return None
    value = getattr(look.model, "stat_" + attribute)
    value = tuple(value.tolist()) if hasattr(value, "tolist") else (float(value),)
    return Inference(f"from the bodies, geoms and masses of the initial pose: {figures(value)}", value=value)


_CLASSED = tuple(path for path in (
    "body/joint", "body/geom", "body/site", "body/camera", "body/light", "asset/mesh", "asset/texture", "asset/material", "contact/pair",
) if default_tag(path))

RULES = (
    *(Rule("orientation", path, NOTATIONS, _orientation) for path in _TURNED),
    *(Rule("fromto", path, ("pos", "size", *NOTATIONS), _ends) for path in ("body/geom", "body/site")),
    *(Rule("mesh", path, ("size",), _mesh_size) for path in ("body/geom", "body/site")),
    Rule("height field", "body/geom", ("size",), _hfield_size),
    *(Rule("material of the mesh", path, ("material",), _mesh_material) for path in ("body/geom", "body/site")),
    *(Rule("childclass", path, ("class",), _class) for path in _CLASSED),
    *(Rule("file", path, ("name",), _file_name) for path in sorted(FILE_NAMED)),
    Rule("picture", "asset/texture", ("width", "height"), _texture_size),
    Rule("file", "asset/hfield", ("nrow", "ncol"), _hfield_grid),
    Rule("sensor", "body/camera", ("fovy",), _fovy),
    Rule("directional", "body/light", ("type",), _light_type),
    Rule("model", "statistic", ("meaninertia", "meanmass", "meansize", "extent", "center"), _statistic),
)

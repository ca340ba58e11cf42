"""What the compiled Model has for an attribute, where that is not what the text says: limits that a range switches on, sizes of meshes, gains made of a damping ratio, masses made of volumes."""
from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from editor.inspect.rows import ORIENTATION, Row
from editor.inspect.subject import Subject
from editor.inspect.units import is_degrees
from editor.inspect.values import number_of

__all__ = ["Compiled", "Fact", "compiled_values", "facts"]

DIGITS = 6
CLOSE = 1e-6        # relative: a field of single precision is no other value


class Compiled(NamedTuple):
    """text: the Model's value; note: why it is that."""

    text: str
    note: str = ""


class Fact(NamedTuple):
    """Something of the compiled Model that no attribute says: label, value with its unit, what it follows from."""

    label: str
    text: str
    note: str


@dataclass(frozen=True, slots=True)
class _Field:
    """name: of the Model's field; by: what its rows are counted by ('', 'dof', 'ctrl', 'out'); note: why it may differ from the text; scale: factor of what is compared."""

    name: str
    by: str = ""
    note: str = ""


AUTO = "auto: on where the range is given (compiler autolimits)"
_CONTACT = MappingProxyType({name: _Field(f"geom_{name}") for name in ("condim", "contype", "conaffinity", "priority", "solmix", "solref", "solimp", "friction", "margin", "gap", "adhesion", "group")})
_TENDON = MappingProxyType({"range": _Field("tendon_range"), "limited": _Field("tendon_limited", note=AUTO), "actuatorfrclimited": _Field("tendon_actfrclimited", note=AUTO),
           "springlength": _Field("tendon_lengthspring", note="-1: the length in the start pose"), "margin": _Field("tendon_margin"), "width": _Field("tendon_width"),
           "frictionloss": _Field("tendon_frictionloss"), "armature": _Field("tendon_armature")})
_ACTUATOR = MappingProxyType({"ctrlrange": _Field("actuator_ctrlrange", "ctrl", "from inheritrange, or as it is given"), "ctrllimited": _Field("actuator_ctrllimited", "ctrl", AUTO),
             "forcerange": _Field("actuator_forcerange"), "forcelimited": _Field("actuator_forcelimited", note=AUTO), "actrange": _Field("actuator_actrange"),
             "actlimited": _Field("actuator_actlimited", note=AUTO), "lengthrange": _Field("actuator_lengthrange", "out", "found by the compiler"),
             "gear": _Field("actuator_gear", "out"), "armature": _Field("actuator_armature"), "delay": _Field("actuator_delay")})
_FIELDS: Mapping[str, Mapping[str, _Field]] = MappingProxyType({
    "joint": {"limited": _Field("jnt_limited", note=AUTO), "range": _Field("jnt_range"), "actuatorfrclimited": _Field("jnt_actfrclimited", note=AUTO), "actuatorfrcrange": _Field("jnt_actfrcrange"),
              "axis": _Field("jnt_axis", note="of length 1"), "pos": _Field("jnt_pos"), "stiffness": _Field("jnt_stiffness", note="from springdamper, or as it is given"),
              "damping": _Field("dof_damping", "dof", "from springdamper, or lent by an actuator"), "armature": _Field("dof_armature", "dof"), "frictionloss": _Field("dof_frictionloss", "dof"),
              "margin": _Field("jnt_margin"), "solreflimit": _Field("jnt_solref"), "solimplimit": _Field("jnt_solimp"), "group": _Field("jnt_group")},
    "geom": {**_CONTACT, "size": _Field("geom_size", note="of what it is made from"), "pos": _Field("geom_pos", note="after frames, fromto or the mesh's own frame"), "rgba": _Field("geom_rgba"),
             ORIENTATION: _Field("geom_quat", note="after frames, fromto or the mesh's own frame")},
    "site": {"size": _Field("site_size"), "pos": _Field("site_pos", note="after frames or fromto"), "rgba": _Field("site_rgba"), "group": _Field("site_group"),
             ORIENTATION: _Field("site_quat", note="after frames or fromto")},
    "body": {"pos": _Field("body_pos", note="after frames"), ORIENTATION: _Field("body_quat", note="after frames"), "gravcomp": _Field("body_gravcomp")},
    "camera": {"pos": _Field("cam_pos", note="after frames"), ORIENTATION: _Field("cam_quat", note="after frames"), "fovy": _Field("cam_fovy", note="from the sensor's size, or as it is given"),
               "ipd": _Field("cam_ipd"), "resolution": _Field("cam_resolution")},
    "light": {"pos": _Field("light_pos", note="after frames"), "dir": _Field("light_dir", note="of length 1, after frames"), "cutoff": _Field("light_cutoff"), "exponent": _Field("light_exponent"),
              "ambient": _Field("light_ambient"), "diffuse": _Field("light_diffuse"), "specular": _Field("light_specular"), "intensity": _Field("light_intensity"), "range": _Field("light_range")},
    "material": {name: _Field(f"mat_{name}") for name in ("rgba", "emission", "specular", "shininess", "reflectance", "texrepeat")},
    "tendon": _TENDON, "actuator": _ACTUATOR,
    "equality": {"solref": _Field("eq_solref"), "solimp": _Field("eq_solimp")},
    "pair": {name: _Field(f"pair_{name}", note="mixed from its two geoms") for name in ("friction", "solref", "solimp", "margin", "gap")} | {"condim": _Field("pair_dim", note="from its two geoms")},
    "sensor": {"cutoff": _Field("sensor_cutoff"), "noise": _Field("sensor_noise")},
})
# words of <option> and <statistic> that are fields of their own
_SETTING_NOTE = "in the running model"


def compiled_values(subject: Subject, rows: tuple[Row, ...], m, items: tuple[tuple[str, int], ...]) -> dict[str, Compiled]:
    """By name of the row what the Model has, of rows where that differs from what the text says or gives where it says nothing. items: (kind, number) of what the Model has of the active element."""
    path = subject.paths[-1]
    read = _setting(m, path) if path in ("option", "statistic") or path.startswith("visual/") else _element(m, items)
    out = {}
    for row in rows:
        found = read(row)
        if found is not None and _differs(subject, row, found[0]):
            out[row.name] = Compiled(_text(subject, row, found[0]), found[1])
    return out


def _setting(m, path: str) -> Callable[[Row], tuple[np.ndarray, str] | None]:
    def read(row: Row):
        if path == "statistic":
            return np.ravel(getattr(m, f"stat_{row.name}")), "worked out by the compiler" if not row.own else _SETTING_NOTE
        if path == "option":
            value = getattr(m, f"opt_{row.name}", None)
            return (np.ravel(value), _SETTING_NOTE) if value is not None and row.spec.type == "real" else None
        group = path.partition("/")[2]
        value = getattr(getattr(m.vis, "global_" if group == "global" else group), row.name, None)
        return (np.ravel(value), _SETTING_NOTE) if value is not None and row.spec.type in ("real", "int") else None
    return read


def _element(m, items: tuple[tuple[str, int], ...]) -> Callable[[Row], tuple[np.ndarray, str] | None]:
    kind, number = items[0] if items else ("", 0)
    fields = _FIELDS.get(kind, {})

    def read(row: Row):
        field = fields.get(row.name)
        if field is None:
            return None
        values = getattr(m, field.name)
        starts = {"dof": "jnt_dofadr", "ctrl": "actuator_ctrladr", "out": "actuator_outadr"}.get(field.by)
        place = int(getattr(m, starts)[number]) if starts is not None else number
        return (np.ravel(values[place]), field.note) if 0 <= place < len(values) else None
    return read


def _differs(subject: Subject, row: Row, value: np.ndarray) -> bool:
    if row.name == ORIENTATION:
        from editor.inspect.orientation import quat_of, same_turn   # late: few rows need it

        try:
            return not same_turn(quat_of(subject.spec, row.notation, row.words, subject.reading.root), value, 1e-4)
        except ValueError:
            return False
    if row.spec.type == "tri":
        return row.text == "auto"
    if row.spec.type not in ("real", "int") or row.kind == "numbers":
        return False
    for word, number in zip(row.words, _in_file_units(subject, row, value).tolist(), strict=False):
        try:
            said = number_of(word)
        except ValueError:
            return True
        if not math.isclose(said, number, rel_tol=CLOSE * (100 if value.dtype == np.float32 else 1), abs_tol=1e-9):
            return True
    return False


def _in_file_units(subject: Subject, row: Row, value: np.ndarray) -> np.ndarray:
    """Angles in the unit of the text; as many numbers as the row shows."""
    if is_degrees(subject.reading.root) and "degree" in row.units and row.name in ("range", "ref", "springref"):
        value = np.degrees(value)
    return value[:max(1, len(row.words))]


def _text(subject: Subject, row: Row, value: np.ndarray) -> str:
    if row.spec.type == "tri":
        return "true" if value.any() else "false"
    if row.name == ORIENTATION:
        from editor.inspect.orientation import words_of

        return " ".join(_short(number_of(word)) for word in words_of(row.notation, value, subject.reading.root))
    return " ".join(_short(number) for number in _in_file_units(subject, row, value).tolist())


def _short(number: float) -> str:
    return f"{number + 0.0:.{DIGITS}g}"


# ---------------------------------------------------------------- mass and inertia

def facts(subject: Subject, m, items: tuple[tuple[str, int], ...]) -> tuple[Fact, ...]:
    """Mass, centre of mass and inertia of a body, with what they follow from."""
    if len(subject.elements) != 1 or not items or items[0][0] != "body":
        return ()
    body = items[0][1]
    element = subject.active if subject.active.tag != "inertial" else subject.reading.version.parent(subject.active.id)
    note = _mass_note(subject, element) if element is not None else ""
    mass = Fact("mass", f"{_short(float(m.body_mass[body]))} kg", note)
    rest = (Fact("inertia", " ".join(_short(x) for x in m.body_inertia[body].tolist()) + " kg m\N{SUPERSCRIPT TWO}", f"principal moments; {note}"),
            Fact("centre", " ".join(_short(x) for x in m.body_ipos[body].tolist()) + " m", f"centre of mass in the body's frame; {note}"),
            Fact("subtree", f"{_short(float(m.body_subtreemass[body]))} kg", "mass of the body with all below it"))
    return (mass, *rest)


def _mass_note(subject: Subject, body) -> str:
    reading = subject.reading
    compiler: dict[str, str] = {}
    for one in reading.root.all("compiler"):
        compiler.update(one.attrs)
    inertial = body.first("inertial")
    from_geoms = compiler.get("inertiafromgeom", "auto")
    if inertial is not None and from_geoms != "true":
        said = f"given by <inertial> ({inertial.place.file.replace(chr(92), '/').rpartition('/')[2]}:{inertial.place.line})"
    else:
        geoms = [child for child in _carried(body) if child.tag == "geom"]
        low, _, high = compiler.get("inertiagrouprange", "0 5").partition(" ")
        counted = [geom for geom in geoms if int(low or 0) <= int(reading.effective(geom, "body/geom", "group") or 0) <= int(high or 5)]
        said = f"from {len(counted)} geom{'s' * (len(counted) != 1)}: their mass, or density times volume"
        if len(counted) < len(geoms):
            said += f" ({len(geoms) - len(counted)} left out by inertiagrouprange)"
    changed = [name for name, off in (("balanceinertia", "false"), ("boundmass", "0"), ("boundinertia", "0"), ("settotalmass", "-1")) if compiler.get(name, off) != off]
    return said + (f"; then {', '.join(changed)}" if changed else "")


def _carried(body):
    """What a body carries itself, in frames, too."""
    for child in body.children:
        if child.tag in ("frame", "replicate"):
            yield from _carried(child)
        elif child.tag != "body":
            yield child

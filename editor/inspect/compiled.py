"""What the compiled Model has for an attribute, where that is not what the text says: limits that a range switches on, sizes of meshes, gains made of a damping ratio, masses
made of volumes."""
from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from editor.inspect.orientation import quat_of, words_of
from editor.inspect.rows import ORIENTATION, Row
from editor.inspect.subject import Subject
from editor.inspect.units import is_degrees
from editor.notation.numbers import number_of
from editor.notation.orientation import turn_between
from editor.wording import place_text
from physics.compiler.inferred.table import RULES
from physics.compiler.provenance import INFERRED, provenance
from physics.spec.element import Element

__all__ = ["Compiled", "Fact", "compiled_values", "facts"]

DIGITS = 6
SAME_TURN = 1e-4    # rad
CLOSE = 1e-6        # relative: a field of single precision is no other value


class Compiled(NamedTuple):
    """text: the Model's value; note: why it is that; inferred: whether the compiler came to it by a rule (physics.compiler.provenance), as no text says it."""

    text: str
    note: str = ""
    inferred: bool = False


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
_CONTACT = MappingProxyType({name: _Field(f"geom_{name}") for name in ("condim", "contype", "conaffinity", "priority", "solmix", "solref", "solimp", "friction", "margin", "gap",
    "adhesion", "group")})
_TENDON = MappingProxyType({"range": _Field("tendon_range"), "limited": _Field("tendon_limited", note=AUTO), "actuatorfrclimited": _Field("tendon_actfrclimited", note=AUTO),
           "springlength": _Field("tendon_lengthspring", note="-1: the length in the start pose"), "margin": _Field("tendon_margin"), "width": _Field("tendon_width"),
           "frictionloss": _Field("tendon_frictionloss"), "armature": _Field("tendon_armature")})
_ACTUATOR = MappingProxyType({"ctrlrange": _Field("actuator_ctrlrange", "ctrl", "from inheritrange, or as it is given"),
                              "ctrllimited": _Field("actuator_ctrllimited", "ctrl", AUTO),
             "forcerange": _Field("actuator_forcerange"), "forcelimited": _Field("actuator_forcelimited", note=AUTO), "actrange": _Field("actuator_actrange"),
             "actlimited": _Field("actuator_actlimited", note=AUTO), "lengthrange": _Field("actuator_lengthrange", "out", "found by the compiler"),
             "gear": _Field("actuator_gear", "out"), "armature": _Field("actuator_armature"), "delay": _Field("actuator_delay")})
_FIELDS: Mapping[str, Mapping[str, _Field]] = MappingProxyType({
    "joint": {"limited": _Field("jnt_limited", note=AUTO), "range": _Field("jnt_range"), "actuatorfrclimited": _Field("jnt_actfrclimited", note=AUTO),
              "actuatorfrcrange": _Field("jnt_actfrcrange"),
              "axis": _Field("jnt_axis", note="of length 1"), "pos": _Field("jnt_pos"), "stiffness": _Field("jnt_stiffness", note="from springdamper, or as it is given"),
              "damping": _Field("dof_damping", "dof", "from springdamper, or lent by an actuator"), "armature": _Field("dof_armature", "dof"),
              "frictionloss": _Field("dof_frictionloss", "dof"),
              "margin": _Field("jnt_margin"), "solreflimit": _Field("jnt_solref"), "solimplimit": _Field("jnt_solimp"), "group": _Field("jnt_group")},
    "geom": {**_CONTACT, "size": _Field("geom_size", note="of what it is made from"), "pos": _Field("geom_pos", note="after frames, fromto or the mesh's own frame"),
             "rgba": _Field("geom_rgba"),
             ORIENTATION: _Field("geom_quat", note="after frames, fromto or the mesh's own frame")},
    "site": {"size": _Field("site_size"), "pos": _Field("site_pos", note="after frames or fromto"), "rgba": _Field("site_rgba"), "group": _Field("site_group"),
             ORIENTATION: _Field("site_quat", note="after frames or fromto")},
    "body": {"pos": _Field("body_pos", note="after frames"), ORIENTATION: _Field("body_quat", note="after frames"), "gravcomp": _Field("body_gravcomp")},
    "camera": {"pos": _Field("cam_pos", note="after frames"), ORIENTATION: _Field("cam_quat", note="after frames"),
               "fovy": _Field("cam_fovy", note="from the sensor's size, or as it is given"),
               "ipd": _Field("cam_ipd"), "resolution": _Field("cam_resolution")},
    "light": {"pos": _Field("light_pos", note="after frames"), "dir": _Field("light_dir", note="of length 1, after frames"), "cutoff": _Field("light_cutoff"),
              "exponent": _Field("light_exponent"),
              "ambient": _Field("light_ambient"), "diffuse": _Field("light_diffuse"), "specular": _Field("light_specular"), "intensity": _Field("light_intensity"),
              "range": _Field("light_range")},
    "material": {name: _Field(f"mat_{name}") for name in ("rgba", "emission", "specular", "shininess", "reflectance", "texrepeat")},
    "tendon": _TENDON, "actuator": _ACTUATOR,
    "equality": {"solref": _Field("eq_solref"), "solimp": _Field("eq_solimp")},
    "pair": {name: _Field(f"pair_{name}", note="mixed from its two geoms") for name in ("friction", "solref", "solimp", "margin", "gap")} | {"condim": _Field("pair_dim",
        note="from its two geoms")},
    "sensor": {"cutoff": _Field("sensor_cutoff"), "noise": _Field("sensor_noise")},
})
# words of <option> and <statistic> that are fields of their own
_SETTING_NOTE = "in the running model"


def compiled_values(subject: Subject, rows: tuple[Row, ...], m, items: tuple[tuple[str, int], ...]) -> dict[str, Compiled]:
    """By name of the row what the Model has, of rows where that differs from what the text says or gives where it says nothing. items: (kind, number) of what the Model has of
    the active element."""
    path = subject.paths[-1]
    read = _setting(m, path) if path in ("option", "statistic") or path.startswith("visual/") else _element(m, items)
    out = {}
    for row in rows:
        found, rule = read(row), _rule(subject, row.name, m, items)
        if found is not None and _differs(subject, row, found[0]):
            out[row.name] = Compiled(_text(subject, row, found[0]), rule[0] or found[1], bool(rule[0]))
        elif found is None and rule[1] and not row.own:
            out[row.name] = Compiled(" ".join(map(_short, rule[1])), rule[0], True)
    return out


def _rule(subject: Subject, name: str, m, items: tuple[tuple[str, int], ...]) -> tuple[str, tuple[float, ...]]:
    """(what the compiler inferred a value of the active element from, in words; the numbers that came of it), '' and () where it did not."""
    path = subject.paths[-1]
    return _inferred(subject, subject.active, path, name, m, items[0] if items else None)


def _inferred(subject: Subject, element: Element, path: str, name: str, m, item: tuple[str, int] | None) -> tuple[str, tuple[float, ...]]:
    if subject.reading.broken or (path, name) not in RULES:
        return "", ()
    try:
        found = [one for one in provenance(subject.reading.resolver, element, name, m, item) if one.layer == INFERRED]
    except (KeyError, ValueError, IndexError, TypeError):      # a text that the Model has not been made from yet
        return "", ()
    return (found[0].text, tuple(one.value for one in found if one.value is not None)) if found else ("", ())


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
        try:
            return turn_between(quat_of(subject.spec, row.notation, row.words, subject.reading.root), value.tolist()) > SAME_TURN
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
    note = (_inferred(subject, element, "body", "mass", m, items[0])[0] or _mass_note(element)) if element is not None else ""
    mass = Fact("mass", f"{_short(float(m.body_mass[body]))} kg", note)
    rest = (Fact("inertia", " ".join(_short(x) for x in m.body_inertia[body].tolist()) + " kg m\N{SUPERSCRIPT TWO}", f"principal moments; {note}"),
            Fact("centre", " ".join(_short(x) for x in m.body_ipos[body].tolist()) + " m", f"centre of mass in the body's frame; {note}"),
            Fact("subtree", f"{_short(float(m.body_subtreemass[body]))} kg", "mass of the body with all below it"))
    return (mass, *rest)


def _mass_note(body: Element) -> str:
    """Where the mass is from when no rule says it."""
    inertial = next((child for child in body.children if child.tag == "inertial"), None)
    return f"given by <inertial> ({place_text(inertial.place)})" if inertial is not None else ""

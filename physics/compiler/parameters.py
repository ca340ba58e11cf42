"""Which attributes are parameters: what they say can be written into the Model while it runs, without a compile. One table; an attribute that is not in it is structure.

    P1   one or two fields take the value, and nothing else follows from it: the element is read again by the compiler's own reader and fills these fields
    P2   the pose of something without mass: its row, and the constants of the initial pose that follow
    P3   constants follow (inertia, bounding volumes, inverse weights, lengths): the compiler's passes run again, without what cannot have changed
    S    structure, all that is not here: contype, conaffinity, type, mesh, names, classes, limited, what is referred to but for a material, everything inserted, removed or moved

tests/long/parameters.py changes attributes of every row in all models of the corpus and compares all fields with those of a fresh compile, bit for bit.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from physics.compiler.build import Build
from physics.compiler.compat.compat import is_old
from physics.compiler.items import Item
from physics.schema import schema
from physics.schema.schema import ACTUATOR_SHORTCUTS

__all__ = ["P1", "P2", "P3", "PARAMETERS", "Parameter", "parameter"]

P1, P2, P3 = "P1", "P2", "P3"
Unless = Callable[[Build, Item], bool]


class Parameter(NamedTuple):
    """One attribute. level: P1, P2 or P3; fields: of P1, those that it fills; unless: of P1, whether for an item (as it was, and as it is now) more follows, as of P3."""

    level: str
    fields: tuple[str, ...] = ()
    unless: Unless | None = None


def _old(build: Build, _item: Item) -> bool:
    """Margins of the dialect 2.3 are converted together."""
    return is_old(build)


def _springdamper(_build: Build, joint: Item) -> bool:
    """Stiffness and damping follow from a time constant."""
    return any(joint.springdamper)


def _lends_range(build: Build, _item: Item) -> bool:
    """Actuators may take their range from the joint's or tendon's, and the compiler their lengths."""
    return any(item.inheritrange > 0 for item in build.items["actuator"]) or any(element.all("lengthrange") for element in build.source.root.all("compiler"))


def _damping_ratio(_build: Build, item: Item) -> bool:
    """A positive third parameter is a damping ratio, which depends on the inertia; the lengths of a muscle are found by simulation."""
    return item.biasprm[2] > 0 or bool(item.inheritrange > 0)


def _with_sensor(_build: Build, camera: Item) -> bool:
    """fovy follows from the sensor's size."""
    return any(x > 0 for x in camera.sensorsize)


def _discards(build: Build, _item: Item) -> bool:
    """Materials are left out."""
    return bool(build.source.settings.discardvisual)


_POSE = ("pos", "quat", "axisangle", "euler", "xyaxes", "zaxis")


def _filled(prefix: str, names: str, **others: str) -> dict[str, Parameter]:
    """P1 rows: attributes whose field is called the same, and others by their fields' names."""
    found = {name: Parameter(P1, (f"{prefix}_{name}",)) for name in names.split()}
    found.update({name: Parameter(P1, tuple(fields.split())) for name, fields in others.items()})
    return found


def _following(names: str, level: str = P3) -> dict[str, Parameter]:
    return {name: Parameter(level) for name in names.split()}


def _guarded(rows: Mapping[str, Parameter], unless: Unless, *names: str) -> dict[str, Parameter]:
    return {**rows, **{name: rows[name]._replace(unless=unless) for name in names}}


_LIMIT = MappingProxyType(dict(solreflimit="jnt_solref", solimplimit="jnt_solimp", solreffriction="dof_solref", solimpfriction="dof_solimp"))
_GEOM = MappingProxyType({
    **_guarded(_filled("geom", "rgba friction solref solimp solmix priority condim castshadow user", material="geom_matid"), _discards, "material"),
    **_following(" ".join(("margin gap group surfacevel adhesion size fromto mass density shellinertia fluidshape fluidcoef fitscale", *_POSE))),
})
_SITE = MappingProxyType({**_guarded(_filled("site", "rgba group user", material="site_matid"), _discards, "material"), **_following(" ".join(("size fromto", *_POSE)))})
_JOINT = MappingProxyType({
    **_guarded(_filled("jnt", "margin group user springyield", stiffness="jnt_stiffness jnt_stiffnesspoly", damping="dof_damping dof_dampingpoly", frictionloss="dof_frictionloss",
                       range="jnt_range jnt_limited", actuatorfrcrange="jnt_actfrcrange jnt_actfrclimited", actuatorgravcomp="jnt_actgravcomp", **_LIMIT),
               _springdamper, "stiffness", "damping"),
    **_following("pos axis armature ref springref springdamper"),
})
_JOINT = MappingProxyType(_guarded(_JOINT, _lends_range, "range"))
_CAMERA = MappingProxyType({**_guarded(_filled("cam", "fovy ipd user"), _with_sensor, "fovy"), **_following(" ".join(_POSE), P2),
                            **_following("focal focalpixel principal principalpixel sensorsize resolution projection output")})
_LIGHT = MappingProxyType({**_filled("light", "bulbradius intensity range cutoff softness exponent attenuation ambient diffuse specular castshadow active", type="light_type", directional="light_type"),
                           **_following("pos dir", P2)})
_TENDON = MappingProxyType({
    **_guarded(_filled("tendon", "group margin frictionloss width rgba user springyield", range="tendon_range tendon_limited",
                       actuatorfrcrange="tendon_actfrcrange tendon_actfrclimited", solreflimit="tendon_solref_lim", solimplimit="tendon_solimp_lim",
                       solreffriction="tendon_solref_fri", solimpfriction="tendon_solimp_fri", material="tendon_matid"), _lends_range, "range"),
    **_following("stiffness damping springlength armature"),
})
_TENDON = MappingProxyType(_guarded(_TENDON, _discards, "material"))
_LAW = "actuator_gainprm actuator_biasprm"
_ACTUATOR = MappingProxyType({
    **_filled("actuator", "group user", ctrlrange="actuator_ctrlrange actuator_ctrllimited", forcerange="actuator_forcerange actuator_forcelimited",
              actrange="actuator_actrange actuator_actlimited"),
    **_following("gear cranklength lengthrange damping armature inheritrange"),
})
_GAINS = MappingProxyType({    # further attributes of each kind of actuator: those that end in the force law, those from which more follows
    "general": ("gainprm biasprm dynprm", ""), "motor": ("", ""), "position": ("kp kv", "dampratio"), "velocity": ("kv", ""), "intvelocity": ("kp kv", "dampratio"),
    "damper": ("kv", ""), "cylinder": ("", "area diameter bias timeconst"), "adhesion": ("gain", ""), "orientation": ("kp kv", "dampratio"),
    "pid": ("kp kv", "ki imax slewmax dampratio posrange velrange ffrange"),
    "muscle": ("", "range force scale lmin lmax vmax fpmax fvmax timeconst tausmooth"),
    "dcmotor": ("", "motorconst resistance nominal saturation inductance cogging controller thermal lugre"),
})
_SENSOR = MappingProxyType(_filled("sensor", "cutoff noise user"))
_PAIR = MappingProxyType({**_guarded(_filled("pair", "friction solref solreffriction solimp margin gap", condim="pair_dim"), _old, "margin", "gap"), **_following("adhesion")})
_EQUALITY = MappingProxyType({**_filled("eq", "solref solimp", active="eq_active0"), **_following("anchor relpose torquescale polycoef distance")})
_OPTION = MappingProxyType(_following("""timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance density viscosity o_margin iterations ls_iterations noslip_iterations
    ccd_iterations sdf_iterations sdf_initpoints gravity wind magnetic o_solref o_solimp o_friction integrator cone jacobian solver actuatorgroupdisable"""))
_INERTIAL = MappingProxyType(_following(" ".join(("mass diaginertia fullinertia", *_POSE))))


def _actuator(tag: str) -> dict[str, Parameter]:
    law, more = _GAINS.get(tag, ("", ""))
    rows = {name: Parameter(P1, (*_LAW.split(), *(("actuator_dynprm",) if tag == "general" else ())), _damping_ratio) for name in law.split()}
    return {**_ACTUATOR, **rows, **_following(more)}


def _sensors() -> dict[str, Mapping[str, Parameter]]:
    return {path: _SENSOR for path in schema.paths() if path.startswith("sensor/") and path.count("/") == 1}


def _table() -> dict[str, Mapping[str, Parameter]]:
    return {
        "body/geom": _GEOM, "body/site": _SITE, "body/joint": _JOINT, "body/freejoint": _filled("jnt", "group"), "body/camera": _CAMERA, "body/light": _LIGHT,
        "body": _following(" ".join(("gravcomp user", *_POSE))), "body/frame": _following(" ".join(_POSE)), "body/inertial": _INERTIAL,
        "asset/material": _filled("mat", "rgba emission specular shininess reflectance metallic roughness texrepeat texuniform"),
        "tendon/spatial": _TENDON, "tendon/fixed": _TENDON, "tendon/fixed/joint": _following("coef"), "tendon/spatial/pulley": _following("divisor"),
        **{f"actuator/{tag}": _actuator(tag) for tag in (*ACTUATOR_SHORTCUTS, "general")},
        **_sensors(), "contact/pair": _PAIR, **{f"equality/{tag}": _EQUALITY for tag in ("connect", "weld", "joint", "tendon", "distance")},
        "option": _OPTION, "option/flag": {}, "statistic": _following("meaninertia meanmass meansize extent center"),
        "keyframe/key": _following("time qpos qvel act ctrl mpos mquat"), "custom/numeric": _following("data"),
    }


PARAMETERS: Mapping[str, Mapping[str, Parameter]] = MappingProxyType({      # elements alike share rows, of which each has those that the language gives it
    path: MappingProxyType({name: row for name, row in rows.items() if name in schema.lookup(path).attributes}) for path, rows in _table().items()})


_WHOLE = Parameter(P3)      # of elements all of whose attributes are parameters


def parameter(path: str, attribute: str) -> Parameter | None:
    """The row of an attribute of the element at a path of the language's table ('body/geom'); None for one that is structure."""
    if path.startswith("visual/") or path == "option/flag":
        return _WHOLE
    return PARAMETERS.get(path, {}).get(attribute)

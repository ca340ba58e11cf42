"""Fields of numbers that may be written into a Model while it runs: those that nothing else in the Model follows from.

Written, such a field acts as if the text had said so from the start: the Model equals a fresh compile of that text, number by number
(tests/physics/runtime/test_live_fields.py compiles a text for each row). Masses, sizes, places, axes and gears are not here: constants of the initial
pose follow from them.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType

import numpy as np


@dataclass(frozen=True, slots=True)
class LiveField:
    """kind: elements that its rows belong to, a key of Model.names ('' for a single value). attribute: MJCF's word for it.

    low, high: what the compiler accepts. by: what else than the elements of the kind has a row each: 'dof' or 'ctrl'.
    """

    kind: str
    attribute: str
    low: float = -inf
    high: float = inf
    by: str = ""


def _rows(prefix: str, kind: str, by: str = "", **attributes) -> dict[str, LiveField]:
    """Fields of one kind: name behind the prefix = attribute, or (attribute, low), or (attribute, low, high)."""
    found = {}
    for name, given in attributes.items():
        given = (given,) if isinstance(given, str) else given
        found[prefix + name] = LiveField(kind, *given, by=by)
    return found


LIVE_FIELDS: Mapping[str, LiveField] = MappingProxyType({
    **_rows("stat_", "", meaninertia=("meaninertia", 0.0), meanmass=("meanmass", 0.0), meansize=("meansize", 0.0), extent=("extent", 0.0), center="center"),
    **_rows("geom_", "geom", solmix=("solmix", 0.0), solref="solref", solimp="solimp", friction=("friction", 0.0), user="user", rgba=("rgba", 0.0, 1.0)),
    **_rows("jnt_", "joint", solref="solreflimit", solimp="solimplimit", stiffness="stiffness", stiffnesspoly="stiffness", margin="margin", user="user"),
    **_rows("dof_", "joint", "dof", solref="solreffriction", solimp="solimpfriction", frictionloss=("frictionloss", 0.0), damping="damping", dampingpoly="damping"),
    **_rows("site_", "site", rgba=("rgba", 0.0, 1.0), user="user"),
    **_rows("mat_", "material", rgba=("rgba", 0.0, 1.0), emission=("emission", 0.0), specular=("specular", 0.0, 1.0), shininess=("shininess", 0.0, 1.0),
            reflectance=("reflectance", 0.0, 1.0), metallic="metallic", roughness="roughness", texrepeat="texrepeat"),
    **_rows("light_", "light", bulbradius=("bulbradius", 0.0), intensity=("intensity", 0.0), range=("range", 0.0), attenuation="attenuation", cutoff="cutoff",
            softness="softness", exponent="exponent", ambient="ambient", diffuse="diffuse", specular="specular"),
    **_rows("pair_", "pair", solref="solref", solreffriction="solreffriction", solimp="solimp", friction=("friction", 0.0)),
    **_rows("eq_", "equality", solref="solref", solimp="solimp"),
    **_rows("tendon_", "tendon", solref_lim="solreflimit", solimp_lim="solimplimit", solref_fri="solreffriction", solimp_fri="solimpfriction", margin="margin",
            stiffness="stiffness", stiffnesspoly="stiffness", damping="damping", dampingpoly="damping", frictionloss=("frictionloss", 0.0),
            rgba=("rgba", 0.0, 1.0), user="user"),
    **_rows("actuator_", "actuator", dynprm="dynprm", gainprm="gainprm", biasprm="biasprm", forcerange="forcerange", actrange="actrange", user="user"),
    **_rows("actuator_", "actuator", "ctrl", ctrlrange="ctrlrange"),
    **_rows("sensor_", "sensor", cutoff=("cutoff", 0.0), noise=("noise", 0.0), user="user"),
    **_rows("key_", "key", time="time", qpos="qpos", qvel="qvel", act="act", ctrl="ctrl", mpos="mpos", mquat="mquat"),
})


def owner_of(m, name: str, row: int) -> tuple[str, int, int]:
    """(kind, number of the element, which of its rows) of a row of a live field."""
    live = LIVE_FIELDS[name]
    if live.by == "dof":
        joint = int(m.dof_jntid[row])
        return live.kind, joint, row - int(m.jnt_dofadr[joint])
    if live.by == "ctrl":
        owner = int(np.searchsorted(m.actuator_ctrladr, row, side="right")) - 1
        return live.kind, owner, row - int(m.actuator_ctrladr[owner])
    return live.kind, row, 0


def row_of(m, name: str, number: int, offset: int) -> int | None:
    """The row of an element, None where it has fewer."""
    live = LIVE_FIELDS[name]
    if not live.by:
        return number
    starts = m.jnt_dofadr if live.by == "dof" else m.actuator_ctrladr
    row = int(starts[number]) + offset
    last = m.nv if live.by == "dof" else m.nu
    end = int(starts[number + 1]) if number + 1 < len(starts) else last
    return row if row < end else None

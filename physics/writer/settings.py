"""The elements compiler, option, size, visual and statistic."""
from __future__ import annotations

import dataclasses

import numpy as np

from physics.enums import Cone, DisableBit, EnableBit, Integrator, Jacobian, Solver
from physics.schema.schema import lookup
from physics.writer.draft import Draft
from physics.writer.rows import keyword, numbers

# nothing is worked out again: angles as they are, limits said, inertias given, length ranges given
_COMPILER = (("angle", "radian"), ("autolimits", "false"), ("inertiafromgeom", "false"))
_WORDS = (("integrator", Integrator), ("cone", Cone), ("jacobian", Jacobian), ("solver", Solver))
_SIZES = ("nuserdata", "njmax", "nconmax", "nuser_actuator", "nuser_body", "nuser_cam", "nuser_geom", "nuser_jnt", "nuser_sensor", "nuser_site",
          "nuser_tendon")
_STATISTIC = ("center", "extent", "meaninertia", "meanmass", "meansize")


def write(draft: Draft) -> None:
    """All settings, in the order of the language."""
    compiler = draft.root.add("compiler", dict(_COMPILER))
    if draft.model.nactuator:
        compiler.add("compiler/lengthrange", {"mode": "none"})
    _option(draft)
    _size(draft)
    _visual(draft)
    _statistic(draft)


def _option(draft: Draft) -> None:
    m, spec, attrs = draft.model, lookup("option").attributes, {}
    words = dict(_WORDS)
    for name in spec:
        if name in words:
            word = words[name](getattr(m, "opt_" + name)).name.lower()
            attrs[name] = keyword(spec[name], next(v for v in spec[name].values if v.lower() == word))
        elif name == "actuatorgroupdisable":
            groups = [g for g in range(31) if m.opt_disableactuator >> g & 1]
            attrs[name] = " ".join(map(str, groups)) or None
        elif "opt_" + name in m.layout.rows:   # not what older versions had
            attrs[name] = numbers(spec[name], getattr(m, "opt_" + name))
    flags, switches = {}, lookup("option/flag").attributes
    for bits, members, when_set in ((m.opt_disableflags, DisableBit, 0), (m.opt_enableflags, EnableBit, 1)):
        for bit in members:
            name = bit.name.lower()
            flags[name] = keyword(switches[name], switches[name].values[when_set if bits & bit else 1 - when_set])
    if any(attrs.values()) or any(flags.values()):
        option = draft.root.add("option", attrs)
        if any(flags.values()):
            option.add("option/flag", flags)


def _size(draft: Draft) -> None:
    spec = lookup("size").attributes
    attrs = {name: numbers(spec[name], getattr(draft.model, name)) for name in _SIZES}
    attrs.update({name: None for name in _SIZES if name.startswith("nuser_") and not getattr(draft.model, name)})
    if any(attrs.values()):
        draft.root.add("size", attrs)


def _visual(draft: Draft) -> None:
    groups = []
    for group in dataclasses.fields(draft.model.vis):
        tag, part = group.name.rstrip("_"), getattr(draft.model.vis, group.name)
        spec = lookup(f"visual/{tag}").attributes
        attrs = {field.name: _visual_text(spec[field.name], getattr(part, field.name)) for field in dataclasses.fields(part)}
        if any(attrs.values()):
            groups.append((tag, attrs))
    if groups:
        visual = draft.root.add("visual")
        for tag, attrs in groups:
            visual.add(f"visual/{tag}", attrs)


def _visual_text(spec, value) -> str | None:
    if isinstance(value, int):
        return numbers(spec, value)
    return numbers(spec, np.asarray(value, np.float32))


def _statistic(draft: Draft) -> None:
    """Given: what was computed must not depend on how. The mean inertia, which 4.0 calls obsolete, only where it is not the computed one."""
    m, spec = draft.model, lookup("statistic").attributes
    attrs = {name: numbers(spec[name], getattr(m, "stat_" + name)) for name in _STATISTIC if name == "center" or getattr(m, "stat_" + name) > 0}
    computed = float(m.dof_M0.mean()) if m.nv else 1.0
    if abs(m.stat_meaninertia - computed) <= 1e-12 * computed:
        attrs["meaninertia"] = None
    draft.root.add("statistic", attrs)

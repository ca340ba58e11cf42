"""Settings of a MjSpec as elements: those that differ from the language's own values."""
from __future__ import annotations

import numpy as np

from physics.schema import schema
from physics.spec.element import Element

from ...model_structs import MjOption, MjVisual
from ..compiler_settings import MjsCompiler
from ..model_spec import SIZES
from .read_settings import KEYWORDS, bit
from .words import field_of, keywords, same, written
from .writing import Writer

_BY_HAND = frozenset({"angle", "assetdir", "meshdir", "texturedir", "eulerseq", "coordinate", "strippath"})
_SAVE_ONLY = frozenset({"savecanonical", "savecompiled", "saveinertial", "passthrough", "conflict"})


def settings_elements(write: Writer) -> list[Element]:
    """compiler, size, option, statistic, visual."""
    spec = write.spec
    found = [_compiler(write)]
    sizes = {name: str(getattr(spec, name)) for name, first in SIZES.items() if getattr(spec, name) != first and name not in ("nemax", "nkey")}
    if max(spec.nkey, len(spec._outside["key"])):
        sizes["nkey"] = str(max(spec.nkey, len(spec._outside["key"])))
    if write.classes:
        for kind, name in (("body", "body"), ("joint", "jnt"), ("geom", "geom"), ("site", "site"), ("camera", "cam")):
            longest = max((len(one._values["userdata"]) for one in spec._world.find_all(kind)), default=0)
            if longest:
                sizes[f"nuser_{name}"] = str(max(longest, getattr(spec, f"nuser_{name}")))
    option = _struct(write, spec.option, MjOption(), "option")
    flags = _flags(spec)
    groups: list[Element] = []
    for group in schema.lookup("visual").children:
        name = "global_" if group == "global" else group
        attrs = _struct(write, getattr(spec.visual, name), getattr(MjVisual(), name), f"visual/{group}")
        if attrs:
            groups.append(write.element(group, attrs))
    statistic = {name: write.list(np.ravel(value)) for name in ("meaninertia", "meanmass", "meansize", "extent", "center")
                 for value in (getattr(spec.stat, name),) if np.isfinite(np.ravel(value)).all()}
    if option or flags:
        found.append(write.element("option", option, [write.element("flag", flags)] if flags else ()))
    if sizes:
        found.append(write.element("size", sizes))
    if groups:
        found.append(write.element("visual", {}, groups))
    if statistic:
        found.append(write.element("statistic", statistic))
    return found


def _compiler(write: Writer) -> Element:
    compiler, first = write.spec.compiler, MjsCompiler()
    attrs = {"angle": "radian"}
    for name, spec in schema.lookup("compiler").attributes.items():
        if name in _BY_HAND or name in _SAVE_ONLY and not write.classes:
            continue
        field = field_of("compiler", name)
        if field is not None and not same(compiler._values[name], first._values[name]):
            attrs[name] = written(field, spec, compiler._values[name], write.number)
    if write.classes:
        attrs.update({name: compiler._values[name] for name in ("meshdir", "texturedir") if compiler._values[name]})
    lengths = _struct(write, compiler.LRopt, MjsCompiler().LRopt, "compiler/lengthrange", {"mode": "mjtLRMode"})
    return write.element("compiler", attrs, [write.element("lengthrange", lengths)] if lengths else ())


def _struct(write: Writer, struct, first, path: str, enums=KEYWORDS) -> dict[str, str]:
    found = {}
    for name, spec in schema.lookup(path).attributes.items():
        if name not in struct.FIELDS or same(getattr(struct, name), getattr(first, name)):
            continue
        value = getattr(struct, name)
        if name in enums:
            found[name] = next(word for word in spec.values if keywords(enums[name])[word.lower()] == int(value))
        elif spec.values:
            found[name] = spec.values[int(value)]
        else:
            found[name] = write.list(value) if isinstance(value, np.ndarray) else str(value) if isinstance(value, int) else write.number(value)
    if path == "option" and struct.disableactuator:
        found["actuatorgroupdisable"] = " ".join(str(k) for k in range(31) if struct.disableactuator >> k & 1)
    return found


def _flags(spec) -> dict[str, str]:
    found = {}
    for name in schema.lookup("option/flag").attributes:
        field, number = bit(name)
        if getattr(spec.option, field) & number:
            found[name] = "disable" if field == "disableflags" else "enable"
    return found

"""The elements compiler, option, size, visual and statistic. Repeated elements are merged, the last value wins."""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from types import MappingProxyType

import numpy as np

from physics.compiler.build import Build
from physics.compiler.compat.compat import has_official_hfields, is_old
from physics.compiler.source import CompilerSettings, numbers
from physics.enums import MAXVAL, Cone, DisableBit, EnableBit, Integrator, Jacobian, Solver, SolverVariant
from physics.errors import Issue
from physics.model.visual import Visual
from physics.spec.asset_folders import AssetFolders
from physics.spec.defaults import Attrs
from physics.spec.element import Element

_OPTION_NUMBERS = (
    "timestep", "impratio", "tolerance", "ls_tolerance", "noslip_tolerance", "ccd_tolerance", "sleep_tolerance", "density",
    "viscosity", "o_margin", "iterations", "ls_iterations", "noslip_iterations", "ccd_iterations", "sdf_iterations", "sdf_initpoints",
)
_NOT_NEGATIVE = ("tolerance", "ls_tolerance", "noslip_tolerance", "ccd_tolerance", "iterations", "ls_iterations", "noslip_iterations", "ccd_iterations",
                 "density", "viscosity")
_OPTION_LISTS = ("gravity", "wind", "magnetic", "o_solref", "o_solimp", "o_friction")
_OPTION_WORDS = (("integrator", Integrator), ("cone", Cone), ("jacobian", Jacobian), ("solver", Solver))
SOLVER_MARK = "linkwork_solver"   # the custom text that asks for solvers as they were
_VARIANTS = MappingProxyType({bit.name.lower().replace("_", "-"): int(bit) for bit in SolverVariant})
_SIZES = ("nuser_body", "nuser_jnt", "nuser_geom", "nuser_site", "nuser_cam", "nuser_tendon", "nuser_actuator", "nuser_sensor",
          "njmax", "nconmax", "nuserdata")
_SIZE_LIMITS = MappingProxyType({"nuserdata": (0, 10**7), "nkey": (-10**9, 10**5), "nstack": (-1, 2**31)})
_COMPILER = (
    "autolimits", "balanceinertia", "boundinertia", "boundmass", "inertiafromgeom", "inertiagrouprange",
    "passthrough", "settotalmass", "fitaabb", "coordinate", "discardvisual", "fusestatic", "strippath", "alignfree", "eulerseq",
)


class _Merged:
    """Several elements of one tag read as one."""

    def __init__(self, elements, path: str):
        self.attrs = [Attrs.alone(e, path) for e in elements]

    def get(self, name, otherwise=None):
        for attrs in reversed(self.attrs):
            if attrs.given(name):
                return attrs[name]
        return otherwise if otherwise is not None or not self.attrs else self.attrs[-1][name]

    def overlaid(self, name, start) -> np.ndarray:
        """A list whose first values each element may replace."""
        value = np.array(start)
        for attrs in self.attrs:
            value[:attrs.count(name)] = attrs[name][:attrs.count(name)]
        return value

    def given(self, name) -> bool:
        return any(attrs.given(name) for attrs in self.attrs)

    def element(self, name):
        return next((a.element for a in reversed(self.attrs) if a.given(name)), None)


def compiler(build: Build) -> None:
    """Read the compiler's own settings into build.source.settings, those of attached models into build.source.scopes."""
    source = build.source
    source.settings = _compiler(build, source.root)
    scopes: dict[int, CompilerSettings] = {}
    for element_id, read in source.expanded.models.items():
        if id(read) not in scopes:
            scopes[id(read)] = _compiler(build, read.root)
            scopes[id(read)].source = read.source
        source.scopes[element_id] = scopes[id(read)]


def _compiler(build: Build, root: Element) -> CompilerSettings:
    """What the <compiler> elements of a model say."""
    merged, s = _Merged(root.all("compiler"), "compiler"), CompilerSettings(autolimits=not is_old(build))
    for name in _COMPILER:
        setattr(s, name, merged.get(name, getattr(s, name)))
    s.degree = merged.get("angle", "degree") == "degree"
    folders = AssetFolders.of(root)
    s.meshdir, s.texturedir = folders.meshdir or "", folders.texturedir or ""
    s.grouprange = tuple(int(x) for x in s.inertiagrouprange)
    if not (len(s.eulerseq) == 3 and all(c in "xyzXYZ" for c in s.eulerseq)):
        place = merged.element("eulerseq").attr_place("eulerseq")
        build.problems.issues.append(Issue("error", place, "mujoco/compiler", "eulerseq needs three letters of x, y, z, X, Y, Z"))
        s.eulerseq = "xyz"
    return s


def option(build: Build) -> None:
    """Fill opt_* from option and its flags."""
    merged = _Merged(build.source.root.all("option"), "option")
    blank = build_defaults(build, "option")
    for name in _OPTION_NUMBERS:
        value = merged.get(name, blank[name])
        build.fields.scalars["opt_" + name] = value
        if isinstance(value, float) and not np.isfinite(value):
            build.problems.error(merged.element(name), f"'{name}' is not finite", attr=name)
    for name in _OPTION_LISTS:
        build.fields.rows["opt_" + name] = merged.overlaid(name, blank[name])
    for name, words in _OPTION_WORDS:
        build.fields.scalars["opt_" + name] = int(words[str(merged.get(name, blank[name])).upper()])
    if not 0 < build.fields.scalars["opt_timestep"] <= MAXVAL:
        build.problems.error(merged.element("timestep") or build.source.root, f"the timestep must be positive and at most {MAXVAL:g} s", attr="timestep")
    if build.fields.scalars["opt_impratio"] <= 0:
        build.problems.error(merged.element("impratio"), "impratio must be positive", attr="impratio")
    for name in _NOT_NEGATIVE:
        if build.fields.scalars["opt_" + name] < 0:
            build.problems.error(merged.element(name), f"'{name}' cannot be negative", attr=name)
    build.fields.scalars["opt_disableactuator"] = _group_bits(build, merged)
    _flags(build)
    build.fields.scalars["flg_variant"] = _variants(build)
    build.fields.scalars["flg_hfieldvertex"] = int(has_official_hfields(build))
    _fitting(build, merged)


def _variants(build: Build) -> int:
    """SolverVariant bits of <custom><text name="linkwork_solver" data="polak-ribiere row-order"/>: solvers as older versions had them."""
    bits = 0
    for element in build.source.root.section("custom"):
        if element.tag == "text" and element.name == SOLVER_MARK:
            for word in element.attrs.get("data", "").split():
                if word in _VARIANTS:
                    bits |= _VARIANTS[word]
                else:
                    build.problems.error(element, f"there is no solver variant '{word}'", f"It is one of {', '.join(_VARIANTS)}", "data")
    return bits


def _group_bits(build: Build, merged: _Merged) -> int:
    """Groups of all option elements together."""
    bits = 0
    for attrs in merged.attrs:
        for group in numbers(attrs["actuatorgroupdisable"]):
            if 0 <= group <= 30:
                bits |= 1 << group
            else:
                build.problems.error(attrs.element, f"actuator group {group} is outside 0 to 30", attr="actuatorgroupdisable")
    return bits


def _fitting(build: Build, merged: _Merged) -> None:
    """Flags that need certain integrators or solvers."""
    flags, where = build.fields.scalars["opt_enableflags"], next(iter(build.source.root.all("option")), build.source.root)
    integrator, solver = build.fields.scalars["opt_integrator"], build.fields.scalars["opt_solver"]
    if flags & EnableBit.IPC and integrator != Integrator.DISCRETE:
        build.problems.error(where, "the flag ipc needs integrator=\"discrete\"", attr="integrator")
    elif flags & EnableBit.IPC and solver == Solver.PGS:
        build.problems.error(where, "the flag ipc needs solver=\"Newton\" or \"CG\"", attr="solver")
    if flags & EnableBit.INVDISCRETE and flags & EnableBit.FWDINV and integrator == Integrator.RK4:
        build.problems.error(where, "RK4 has no discrete inverse dynamics to compare with", "Switch invdiscrete or fwdinv off, or take another integrator", "integrator")


def _flags(build: Build) -> None:
    disable, enable = DisableBit.MULTICCD if is_old(build) else 0, 0
    for attrs in parts(build, "option", "flag"):
        for bit in DisableBit:
            if attrs.given(bit.name.lower()):
                disable = disable & ~bit if attrs[bit.name.lower()] else disable | bit
        for bit in EnableBit:
            if attrs.given(bit.name.lower()):
                enable = enable | bit if attrs[bit.name.lower()] else enable & ~bit
    build.fields.scalars["opt_disableflags"], build.fields.scalars["opt_enableflags"] = int(disable), int(enable)


def parts(build: Build, section: str, tag: str) -> Iterator[Attrs]:
    """The only children that these sections have; an include inside the section brings none, as with the official reader."""
    for parent in build.source.root.all(section):
        for element in parent.all(tag):
            if parent.included(element):
                build.problems.warn(element, f"an include inside <{section}> brings in no <{tag}>: it is left out, as MuJoCo does",
                           f"Write the <{tag}> where the include is, or include a file with the whole <{section}>")
            else:
                yield build.source.attrs(element)


def sizes(build: Build) -> None:
    """Read the size element."""
    merged = _Merged(build.source.root.all("size"), "size")
    for name in _SIZES:
        build.fields.sizes[name] = int(merged.get(name, 0 if name == "nuserdata" else -1))
    build.words.nkey = int(merged.get("nkey", 0))
    for name in dict.fromkeys(("nkey", "nstack", *_SIZES)):
        least, most = _SIZE_LIMITS.get(name, (-1, 10**4 if name.startswith("nuser_") else 2**31))
        size = int(merged.get(name)) if merged.given(name) else least
        if not least <= size <= most:
            what = f"'{name}' cannot be below {least}" if size < least else f"{name} is absurdly large: at most {most}"
            build.problems.error(merged.element(name), what, attr=name)
            build.fields.sizes[name] = least
            build.words.nkey = 0
    for attrs in merged.attrs:
        if attrs.given("memory") and not _is_memory(attrs["memory"]):
            build.problems.error(attrs.element, f"'{attrs['memory']}' is no amount of memory", "Write a whole number, and K, M, G, T, P or E behind it if you like", "memory")


def _is_memory(text: str) -> bool:
    """Whether a text is a positive number of bytes with a unit, or -1."""
    found = re.fullmatch(r"\s*\+?(\d{1,20})([kmgtpeKMGTPE]?)\s*", text)
    if not found:
        return text.strip() == "-1"
    return 0 < int(found[1]) << 10 * (" kmgtpe".index(found[2].lower()) if found[2] else 0) < 2**64


def visual(build: Build) -> None:
    """Fill the picture settings, rounded to single precision as the official model keeps them."""
    vis = Visual()
    for element in build.source.root.section("visual"):
        group = getattr(vis, "global_" if element.tag == "global" else element.tag, None)
        if group is None:
            continue
        attrs = build.source.attrs(element)
        for field in dataclasses.fields(group):
            if field.name in element.attrs and attrs.given(field.name):
                setattr(group, field.name, _visual_value(attrs[field.name], getattr(group, field.name)))
        for name in ("znear", "realtime"):
            if name in element.attrs and not getattr(group, name) > 0:
                build.problems.error(element, f"'{name}' must be positive", attr=name)
        if "fovy" in element.attrs and not 0 < group.fovy < 180:
            build.problems.error(element, "fovy must be between 0 and 180 degrees", attr="fovy")
    for group in dataclasses.fields(vis):
        part = getattr(vis, group.name)
        for field in dataclasses.fields(part):
            setattr(part, field.name, _single(getattr(part, field.name)))
    build.words.vis = vis


def _visual_value(value, old):
    if isinstance(value, str):
        return ("false", "true", "auto").index(value)
    if isinstance(old, tuple):
        return tuple(np.asarray(value, float).tolist())
    return type(old)(value)


def _single(value):
    if isinstance(value, tuple):
        return tuple(float(np.float32(x)) for x in value)
    return float(np.float32(value)) if isinstance(value, float) else value


def statistic(build: Build) -> dict:
    """What the file says about its own size: {name: value}, to win over what is computed."""
    merged = _Merged(build.source.root.all("statistic"), "statistic")
    given = {}
    for name in ("meaninertia", "meanmass", "meansize", "extent", "center"):
        if merged.given(name):
            given[name] = merged.get(name)
            if name == "meaninertia":
                build.problems.warn(merged.element(name), "'meaninertia' has no effect on the motion any more", "Leave it out", name)
    for attrs in merged.attrs:
        if attrs.given("extent") and not attrs["extent"] > 0:
            build.problems.error(attrs.element, "'extent' must be positive", attr="extent")
    return given


def build_defaults(build: Build, path: str):
    """The language's defaults of an element that is not written."""
    return Attrs.alone(Element(0, path.rpartition("/")[2]), path)

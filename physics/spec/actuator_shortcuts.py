"""What the actuator elements stand for: the settings of one general actuator, as defaults and the element itself write them.

Each class has one actuator default, made by applying its default elements in order. An element starts from it; the parameters of a
shortcut start from the nearest class around whose default was written with the same shortcut or with a fitting <general>.
Source: MuJoCo modeling chapter, "Actuator shortcuts"; MJCF reference, chapter actuator.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from types import MappingProxyType, SimpleNamespace

from physics.enums import BiasType, CtrlChart, CtrlInput, DynType, GainType
from physics.schema.numbers import parse
from physics.spec import dcmotor
from physics.spec.defaults import GAIN_TYPES, Resolver
from physics.spec.element import Element

__all__ = ["Actuators", "Settings"]

Settings = SimpleNamespace      # of one actuator, by the names of _START
Report = Callable[[Element, str, str, str], None]      # what is wrong at an element: (element, what, hint, attribute)
_PLAIN = ("group", "ctrllimited", "forcelimited", "actlimited", "ctrlrange", "forcerange", "actrange", "lengthrange", "velrange", "ffrange", "armature",
          "cranklength", "nsample", "delay", "interp", "user", "actdim", "actearly", "inheritrange")
_LISTS = ("gear", "damping")
_LAW = ("gainprm", "biasprm", "dynprm", "gaintype", "biastype", "dyntype", "ctrlspec", "origin", "actdim", "actearly", "actlimited")
_START = MappingProxyType(dict(
    gainprm=(1.0, *(0.0,) * 9), biasprm=(0.0,) * 10, dynprm=(1.0, *(0.0,) * 9), gaintype=GainType.FIXED, biastype=BiasType.NONE, dyntype=DynType.NONE,
    ctrlspec=0, origin="", actdim=-1, actearly=False, group=0, ctrllimited="auto", forcelimited="auto", actlimited="auto", ctrlrange=(0.0, 0.0),
    forcerange=(0.0, 0.0), actrange=(0.0, 0.0), lengthrange=(0.0, 0.0), velrange=(0.0, 0.0), ffrange=(0.0, 0.0), armature=0.0, cranklength=0.0, nsample=0,
    delay=0.0, interp="zoh", user=(), inheritrange=0.0, gear=(1.0, *(0.0,) * 5), damping=(0.0, 0.0, 0.0),
))
_GAIN_OF = MappingProxyType({tag: GainType[word.upper()] for tag, word in GAIN_TYPES.items()})
_INHERITING = ("position", "intvelocity", "pid")  # to these the attribute inheritrange is a parameter of their own
_CHARTS = MappingProxyType({"expmap": int(CtrlChart.EXPMAP), "quat": int(CtrlChart.QUAT), "none": int(CtrlInput.NONE)})
_MUSCLE_GAIN = (0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2)  # range, then as below
_MUSCLE_TIMES = (0.01, 0.04, 0.0)
_MUSCLE = ("force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax")


class Reader:
    """One element's own attributes, as written there, and where to complain about them."""

    def __init__(self, resolver: Resolver, element: Element, report: Report | None = None):
        self.element, self._report = element, report
        self.attributes = resolver.attrs(element).spec.attributes

    def __call__(self, name: str, otherwise=None):
        """A value as written, a list as a tuple of its numbers; `otherwise` where it is not given."""
        text, spec = self.element.attrs.get(name), self.attributes.get(name)
        if text is None or spec is None:
            return otherwise
        value = parse(spec, text)[0]
        if value is None:
            return otherwise
        return tuple(value.tolist()) if hasattr(value, "tolist") else value

    def over(self, name: str, old: tuple) -> tuple:
        """A list as written, the rest of it from `old`."""
        values = self(name, ())
        return (*values, *old[len(values):])

    def error(self, what: str, attr: str = "", hint: str = "") -> None:
        if self._report is not None:
            self._report(self.element, what, hint, attr)

    def needs_positive(self, *names: str) -> None:
        for name in names:
            if (self(name) or 0) < 0:
                self.error(f"{name} cannot be negative", name)


class Actuators:
    """Settings of actuator elements, with the defaults of their classes. report: is told what is wrong with them, once for each element."""

    def __init__(self, resolver: Resolver, report: Report | None = None):
        self._resolver, self._report = resolver, report
        self._known: dict[tuple[int, ...], Settings] = {(): Settings(**_START)}
        for classes in resolver.classes.values():
            self._after(classes.get("actuator", ()), False)

    def _after(self, layers: tuple[Element, ...], silent: bool = True) -> Settings:
        """Settings after these default elements in this order; problems of an element are told once."""
        key = tuple(layer.id for layer in layers)
        if key not in self._known:
            self._known[key] = self._written(layers[:-1], layers[-1], silent)
        return self._known[key]

    def _written(self, layers: tuple[Element, ...], element: Element, silent: bool = False) -> Settings:
        """Settings after an element that follows these default elements."""
        settings = Settings(**vars(self._after(layers, silent)))
        if element.tag != "general":
            law = self._law(layers, element.tag)
            for name in _LAW:
                setattr(settings, name, getattr(law, name))
            if element.tag in _INHERITING:
                settings.inheritrange = law.inheritrange
        _apply(settings, Reader(self._resolver, element, None if silent else self._report))
        return settings

    def _law(self, layers: tuple[Element, ...], tag: str) -> Settings:
        """Where a shortcut's parameters start: at the nearest class around whose default fits it."""
        while layers and not _fits(self._after(layers), tag):
            name = self._class_of(layers[-1])
            while layers and self._class_of(layers[-1]) == name:
                layers = layers[:-1]
        return self._after(layers)

    def _class_of(self, layer: Element) -> str:
        return self._resolver.parent(layer).attrs.get("class") or "main"

    def after(self, layers: tuple[Element, ...]) -> Settings:
        """Settings that default elements in this order stand for."""
        return self._after(layers)

    def settings(self, element: Element) -> Settings:
        """Settings of an actuator; problems are reported."""
        return self._written(self._resolver.attrs(element).layers[:-1], element)


def _fits(s: Settings, tag: str) -> bool:
    """Whether a shortcut may start from a default's force law: one written with the same shortcut, or with <general> and its kind of gain."""
    return s.origin == tag or (s.origin == "general" and s.gaintype == _GAIN_OF.get(tag, GainType.FIXED))


def _apply(s: Settings, read: Reader) -> None:
    """Write one element's attributes over the settings."""
    tag = read.element.tag
    if tag not in _KINDS:
        return
    given = read.element.attrs
    for name in _PLAIN:
        if name in given:
            setattr(s, name, read(name, getattr(s, name)))
    for name in _LISTS:
        if name in given:
            setattr(s, name, read.over(name, getattr(s, name)))
    if tag != "general":
        s.actdim, s.actearly, s.actlimited = -1, False, "auto"
    _KINDS[tag](s, read)
    s.origin = tag


def _table(s: Settings, gain=(1.0,), bias=(), dyn=(1.0,), types=(GainType.FIXED, BiasType.NONE, DynType.NONE), inputs: int = 0) -> None:
    """Set all of the force law; lists are filled up with zeros."""
    s.gainprm, s.biasprm, s.dynprm = ((*values, *(0.0,) * 10)[:10] for values in (gain, bias, dyn))
    s.gaintype, s.biastype, s.dyntype = types
    s.ctrlspec = int(inputs)


def _inputs(s: Settings, read: Reader) -> None:
    """The attribute input: which controls there are."""
    text = read.element.attrs.get("input")
    if text is None or "input" not in read.attributes:
        return
    if text in _CHARTS:
        s.ctrlspec = _CHARTS[text]
        return
    words = text.split()
    if any(word in _CHARTS for word in words):
        read.error("expmap, quat and none stand alone", "input")
    bits = [int(CtrlInput[word.upper()]) for word in words if word.upper() in CtrlInput.__members__]
    if len(bits) < len(words):
        return   # somebody has said so
    if bits != sorted(set(bits)):
        read.error("the inputs must be in the order pos, vel, ff, voltage", "input")
    s.ctrlspec = sum(set(bits))


def _general(s: Settings, read: Reader) -> None:
    for name in ("gainprm", "biasprm", "dynprm"):
        setattr(s, name, read.over(name, getattr(s, name)))
    before = s.gaintype
    for name, words in (("gaintype", GainType), ("biastype", BiasType), ("dyntype", DynType)):
        word = read(name)
        if word is not None:
            setattr(s, name, words[word.upper()])
    if s.gaintype != before:
        s.ctrlspec = 0
    _inputs(s, read)


def _motor(s: Settings, read: Reader) -> None:
    _table(s)


def _damping(s: Settings, read: Reader) -> float:
    """The third bias parameter of a servo: minus kv, or a damping ratio, which is resolved later."""
    kv, ratio = read("kv"), read("dampratio")
    if kv is not None and ratio is not None:
        read.error("kv and dampratio cannot both be given", "dampratio")
    read.needs_positive("kv", "dampratio")
    if ratio is not None:
        return ratio
    return s.biasprm[2] if kv is None else -kv


def _ranges(s: Settings, read: Reader, name: str) -> None:
    """A range written beside inheritrange is a mistake; otherwise what the element itself says wins over its class."""
    own = any(read(other) and any(read(other)) for other in (name, "posrange") if other in read.attributes)
    if s.inheritrange > 0 and any(getattr(s, name)):
        if own and read("inheritrange") is not None:
            read.error(f"{name} and inheritrange cannot both be given", "inheritrange")
        elif own:
            s.inheritrange = 0.0
        elif read("inheritrange") is not None:
            setattr(s, name, (0.0, 0.0))


def _position(s: Settings, read: Reader) -> None:
    kp, bias2 = read("kp", s.gainprm[0]), _damping(s, read)
    read.needs_positive("timeconst")
    tau = read("timeconst")
    dyn, dyntype = (s.dynprm, s.dyntype) if s.dyntype == DynType.FILTEREXACT else ((1.0,), DynType.NONE)
    if tau is not None:
        dyn, dyntype = (tau,), DynType.FILTEREXACT if tau else DynType.NONE
    _table(s, (kp,), (0.0, -kp, bias2), dyn, (GainType.FIXED, BiasType.AFFINE, dyntype), CtrlInput.POS)
    _ranges(s, read, "ctrlrange")


def _intvelocity(s: Settings, read: Reader) -> None:
    kp, bias2 = read("kp", s.gainprm[0]), _damping(s, read)
    _table(s, (kp,), (0.0, -kp, bias2), (1.0,), (GainType.FIXED, BiasType.AFFINE, DynType.INTEGRATOR), CtrlInput.VEL)
    _ranges(s, read, "actrange")


def _velocity(s: Settings, read: Reader) -> None:
    kv = read("kv", s.gainprm[0])
    _table(s, (kv,), (0.0, 0.0, -kv), types=(GainType.FIXED, BiasType.AFFINE, DynType.NONE), inputs=CtrlInput.VEL)


def _orientation(s: Settings, read: Reader) -> None:
    kp, bias2, spec = read("kp", s.gainprm[0]), _damping(s, read), s.ctrlspec
    _table(s, (kp,), (0.0, -kp, bias2), (1.0,), (GainType.SO3, BiasType.SO3, DynType.NONE), spec)
    _inputs(s, read)


def _pid(s: Settings, read: Reader) -> None:
    fresh = s.gaintype != GainType.PID
    kp, bias2 = read("kp", 1.0 if fresh else -s.biasprm[1]), _damping(s, read)
    ki = read("ki", 0.0 if fresh else s.gainprm[0])
    imax, slewmax = (read(name, 0.0 if fresh else s.dynprm[k]) for k, name in enumerate(("imax", "slewmax")))
    read.needs_positive("slewmax")
    spec = s.ctrlspec
    dyntype = DynType.PID if ki or slewmax else DynType.NONE
    _table(s, (ki,), (0.0, -kp, bias2), (imax if ki else 0.0, slewmax), (GainType.PID, BiasType.AFFINE, dyntype), spec)
    _inputs(s, read)
    s.ctrlrange = read("posrange", s.ctrlrange)
    _ranges(s, read, "ctrlrange")


def _damper(s: Settings, read: Reader) -> None:
    kv = read("kv", -s.gainprm[2] if s.gaintype == GainType.AFFINE else 0.0)
    if kv < 0:
        read.error("kv cannot be negative", "kv")
    _one_sided(s, read)
    _table(s, (0.0, 0.0, -kv), types=(GainType.AFFINE, BiasType.NONE, DynType.NONE))


def _one_sided(s: Settings, read: Reader) -> None:
    """Controls that are clamped, to a range that is not negative."""
    s.ctrllimited = "true"
    if min(s.ctrlrange) < 0:
        read.error("the control range cannot be negative", "ctrlrange")


def _cylinder(s: Settings, read: Reader) -> None:
    area, diameter = read("area", s.gainprm[0]), read("diameter", -1.0)
    if diameter >= 0:
        area = math.pi / 4 * diameter * diameter
    _table(s, (area,), read("bias", s.biasprm[:3]), (read("timeconst", s.dynprm[0]),), (GainType.FIXED, BiasType.AFFINE, DynType.FILTER), CtrlInput.PRESSURE)


def _adhesion(s: Settings, read: Reader) -> None:
    gain = read("gain", s.gainprm[0])
    if gain < 0:
        read.error("the gain cannot be negative", "gain")
    _one_sided(s, read)
    _table(s, (gain,))


def _muscle(s: Settings, read: Reader) -> None:
    fresh = s.gaintype != GainType.MUSCLE
    gain, dyn = (list(_MUSCLE_GAIN), list(_MUSCLE_TIMES)) if fresh else (list(s.gainprm), list(s.dynprm))
    for k, name in enumerate(_MUSCLE):
        value = read(name, -1.0)
        gain[2 + k] = value if value >= 0 else gain[2 + k]
    for target, values in ((gain, read("range", (-1.0, -1.0))), (dyn, read("timeconst", (-1.0, -1.0)))):
        for k, value in enumerate(values):
            target[k] = value if value >= 0 else target[k]
    read.needs_positive("tausmooth")
    dyn[2] = read("tausmooth", dyn[2])
    _table(s, gain[:9], gain[:9], dyn[:3], (GainType.MUSCLE, BiasType.MUSCLE, DynType.MUSCLE))


def _dcmotor(s: Settings, read: Reader) -> None:
    _inputs(s, read)
    dcmotor.set_motor(s, read)


_KINDS = MappingProxyType({
    "general": _general, "motor": _motor, "position": _position, "intvelocity": _intvelocity, "velocity": _velocity, "orientation": _orientation, "pid": _pid,
    "damper": _damper, "cylinder": _cylinder, "adhesion": _adhesion, "muscle": _muscle, "dcmotor": _dcmotor,
})

"""What the actuator shortcuts stand for: gain, bias and activation of a general actuator.

An element <general> also reads defaults written for shortcuts, translated the same way, oldest first.
Source: MuJoCo MJCF reference, chapter actuator.
"""
from __future__ import annotations

import math
from types import MappingProxyType

from physics.compiler.build import Build, numbers
from physics.enums import BiasType, CtrlInput, DynType, GainType
from physics.spec.element import Element

SHORTCUTS = ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "adhesion", "muscle")
_MUSCLE = ("range", "force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax")
_MUSCLE_PLACES = (0, 2, 3, 4, 5, 6, 7, 8)


class _Law:
    """Gain, bias and activation as they stand while defaults are read."""

    def __init__(self):
        self.gain, self.bias, self.dyn = [1.0] + [0.0] * 9, [0.0] * 10, [1.0] + [0.0] * 9
        self.gaintype, self.biastype, self.dyntype = GainType.FIXED, BiasType.NONE, DynType.NONE
        self.clamps, self.inputs = None, 0

    def keep(self, *, bias: int = -1, dynamics: bool = False) -> None:
        """Start afresh but for the first gain and, where asked, one bias parameter and the activation."""
        self.gain = [self.gain[0]] + [0.0] * 9
        self.bias = [x if k == bias else 0.0 for k, x in enumerate(self.bias)]
        if not dynamics:
            self.dyn, self.dyntype = [1.0] + [0.0] * 9, DynType.NONE

    def values(self) -> dict:
        return dict(gaintype=int(self.gaintype), biastype=int(self.biastype), dyntype=int(self.dyntype), gainprm=tuple(self.gain),
                    biasprm=tuple(self.bias), dynprm=tuple(self.dyn), force_ctrllimited=self.clamps,
                    ctrlspec=int(self.inputs) if self.gaintype in (GainType.FIXED, GainType.AFFINE) else 0)


def force_law(build: Build, element: Element) -> dict:
    """Types and parameters of gain, bias and activation of an actuator."""
    a = build.attrs(element)
    law = _Law()
    layers = a.own_layers
    for layer in layers:
        own = layer is element
        _APPLY[layer.tag](build, law, _Reader(build, layer), element) if layer.tag in _APPLY else None
        if not own:
            law.clamps = None
    return law.values()


class _Reader:
    """One element's own attributes: defaults are merged by the caller's order of layers."""

    def __init__(self, build: Build, element: Element):
        self.attrs, self.element = build.attrs(element), element

    def __call__(self, name: str, otherwise):
        return self.attrs[name] if self.attrs.own(name) else otherwise

    def over(self, name: str, old: list) -> list:
        if not self.attrs.own(name):
            return old
        values = [float(x) for x in self.element.attrs[name].split()]
        return [*values, *old[len(values):]]


def _general(build, law, read, element):
    law.gain, law.bias, law.dyn = read.over("gainprm", law.gain), read.over("biasprm", law.bias), read.over("dynprm", law.dyn)
    for name, words in (("gaintype", GainType), ("biastype", BiasType), ("dyntype", DynType)):
        word = read(name, None)
        if word is not None:
            if name == "gaintype" and words[word.upper()] != law.gaintype:
                law.inputs = 0
            setattr(law, name, words[word.upper()])
    if "input" in read.element.attrs:
        law.inputs = _declared(build, read("input", ()), element)


def _declared(build, words, element) -> int:
    """What the single control of a fixed or affine gain is said to be."""
    bits = {CtrlInput[word.upper()] for word in words or () if word.upper() in CtrlInput.__members__}
    if len(bits) > 1:
        build.error(element, "a single control is one of pos, vel and pressure", attr="input")
    return int(sum(bits))


def _motor(build, law, read, element):
    law.keep()
    law.gain[0], law.inputs = 1.0, 0
    law.gaintype, law.biastype = GainType.FIXED, BiasType.NONE


def _position(build, law, read, element):
    kp, kv, ratio, tau = (read(n, None) for n in ("kp", "kv", "dampratio", "timeconst"))
    if read.element.tag == "intvelocity":
        tau = None
    kp = law.gain[0] if kp is None else kp
    law.keep(bias=2, dynamics=law.dyntype == DynType.FILTEREXACT)
    law.gain[0], law.bias[1], law.inputs = kp, -kp, CtrlInput.POS
    if kv is not None and ratio is not None:
        build.error(element, "kv and dampratio cannot both be given", attr="dampratio")
    for name, value in (("kv", kv), ("dampratio", ratio), ("timeconst", tau)):
        if value is not None and value < 0:
            build.error(element, f"{name} cannot be negative", attr=name)
    if kv is not None:
        law.bias[2] = -kv
    if ratio is not None:
        law.bias[2] = ratio
    if tau is not None:
        law.dyn[0] = tau
        law.dyntype = DynType.FILTEREXACT if tau else DynType.NONE
    if read.element.tag == "intvelocity":
        law.dyntype, law.inputs = DynType.INTEGRATOR, CtrlInput.VEL
    law.gaintype, law.biastype = GainType.FIXED, BiasType.AFFINE


def _velocity(build, law, read, element):
    kv = read("kv", law.gain[0])
    law.keep()
    law.gain[0], law.bias[2], law.inputs = kv, -kv, CtrlInput.VEL
    law.gaintype, law.biastype = GainType.FIXED, BiasType.AFFINE


def _damper(build, law, read, element):
    kv = read("kv", -law.gain[2] if law.gaintype == GainType.AFFINE else 0.0)
    law.gain, law.inputs = [0.0, 0.0, -kv] + [0.0] * 7, 0
    law.gaintype, law.biastype, law.dyntype, law.clamps = GainType.AFFINE, BiasType.NONE, DynType.NONE, "true"


def _cylinder(build, law, read, element):
    law.dyn[0] = read("timeconst", law.dyn[0])
    law.bias = read.over("bias", law.bias)
    law.gain[0] = read("area", law.gain[0])
    diameter = read("diameter", -1.0)
    if diameter >= 0:
        law.gain[0] = math.pi / 4 * diameter * diameter
    law.gaintype, law.biastype, law.dyntype, law.inputs = GainType.FIXED, BiasType.AFFINE, DynType.FILTER, CtrlInput.PRESSURE


def _adhesion(build, law, read, element):
    law.gain[0] = read("gain", law.gain[0])
    law.gaintype, law.biastype, law.clamps = GainType.FIXED, BiasType.NONE, "true"


def _muscle(build, law, read, element):
    start = ((0, 1.0, 0.75), (1, 0.0, 1.05), (2, 0.0, -1.0), (3, 0.0, 200.0), (4, 0.0, 0.5), (5, 0.0, 1.6), (6, 0.0, 1.5), (7, 0.0, 1.3),
             (8, 0.0, 1.2))
    for k, unset, value in start:
        law.gain[k] = value if law.gain[k] == unset else law.gain[k]
    law.dyn[0] = 0.01 if law.dyn[0] == 1 else law.dyn[0]
    law.dyn[1] = 0.04 if law.dyn[1] == 0 else law.dyn[1]
    for name, place in zip(_MUSCLE, _MUSCLE_PLACES):
        value = read(name, None)
        if name == "range" and value is not None:
            law.gain[0:2] = numbers(value)
        elif value is not None and value >= 0:
            law.gain[place] = value
    times = read("timeconst", None)
    if times is not None:
        law.dyn[0:2] = numbers(times)
    law.dyn[2] = read("tausmooth", law.dyn[2])
    law.bias[:9] = law.gain[:9]
    law.gaintype, law.biastype, law.dyntype = GainType.MUSCLE, BiasType.MUSCLE, DynType.MUSCLE


_APPLY = MappingProxyType({
    "general": _general, "motor": _motor, "position": _position, "intvelocity": _position, "velocity": _velocity,
    "damper": _damper, "cylinder": _cylinder, "adhesion": _adhesion, "muscle": _muscle,
})

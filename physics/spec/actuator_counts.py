"""How many numbers an actuator has in act and ctrl, by its settings (actuator_shortcuts.py).

Source: MuJoCo MJCF reference, chapter actuator, attributes actdim and input.
"""
from __future__ import annotations

from types import MappingProxyType

from physics.enums import BiasType, CtrlChart, CtrlInput, DynType, GainType
from physics.spec.actuator_shortcuts import Settings
from physics.spec.dcmotor import states

__all__ = ["control_count", "has_turns", "inputs", "output_count", "state_count"]

_BITS = tuple(int(CtrlInput[name]) for name in ("POS", "VEL", "FF", "VOLTAGE"))
_USUAL = MappingProxyType({GainType.PID: int(CtrlInput.POS | CtrlInput.VEL), GainType.DCMOTOR: int(CtrlInput.VOLTAGE)})      # inputs of one that names none


def has_turns(s: Settings) -> bool:
    """Whether it is an orientation servo."""
    return GainType.SO3 == s.gaintype or BiasType.SO3 == s.biastype


def inputs(s: Settings) -> int:
    """Its inputs: bits of CtrlInput, of an orientation servo a CtrlChart."""
    return s.ctrlspec or (int(CtrlChart.EXPMAP) if has_turns(s) else _USUAL.get(s.gaintype, 0))


def control_count(s: Settings) -> int:
    """Its numbers in ctrl."""
    if has_turns(s):
        return 4 if inputs(s) == CtrlChart.QUAT else 3
    return sum(bool(inputs(s) & bit) for bit in _BITS) if s.gaintype in _USUAL else 1


def output_count(s: Settings) -> int:
    """Its forces."""
    return 3 if has_turns(s) else 1


def state_count(s: Settings) -> int:
    """Its numbers in act: as many as its law has states, else as many as actdim says."""
    if has_turns(s) and s.dyntype == DynType.INTEGRATOR:
        return 3
    if s.gaintype == GainType.PID and s.dyntype == DynType.PID:
        return int(s.dynprm[1] > 0) + int(s.gainprm[0] > 0)
    if s.dyntype == DynType.DCMOTOR or s.gaintype == GainType.DCMOTOR:
        return states(s.gainprm, s.dynprm)
    return s.actdim if s.actdim >= 0 else int(s.dyntype != DynType.NONE)

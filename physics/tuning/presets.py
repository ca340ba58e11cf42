"""Materials as targets: how lively a contact of this kind bounces and how deep it rests under its own weight; solved for the model's time step and row.

The frequency is as high as the time step lets bounces be alike, w h = 0.2, but leaves the impedance at least 1/2: w^2 <= |a0| / (2 r).
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import sqrt
from types import MappingProxyType

from physics.tuning.closed_forms import FINE_STEP
from physics.tuning.fit import fit_restitution, standard_of
from physics.tuning.law import Parameters, Row
from physics.tuning.scalar import Response, simulate
from physics.tuning.standard_drop import DropProof, prove

GRAVITY = 9.81              # m/s^2: presets are told for things that bear their own weight
SPEED = 2.0                 # m/s: of the impacts
HALF = 0.5                  # effective impedance that soft materials keep
DEEP = 0.005                # m: a harder material that goes deeper at an impact wants a smaller step


@dataclass(frozen=True, slots=True)
class Preset:
    """restitution at 2 m/s; rest_depth [m] under its own weight; hard: whether one expects no visible depth at an impact."""

    name: str
    restitution: float
    rest_depth: float
    hard: bool
    words: str


PRESETS: Mapping[str, Preset] = MappingProxyType({preset.name: preset for preset in (
    Preset("steel", 0.90, 1e-5, True, "steel on steel: lively, hardly any depth"),
    Preset("wood", 0.50, 1e-4, True, "wood on wood"),
    Preset("rubber", 0.80, 5e-4, False, "a rubber ball"),
    Preset("pad", 0.30, 5e-4, False, "a hard rubber pad"),
    Preset("foam", 0.15, 5e-3, False, "soft foam"),
    Preset("skin", 0.25, 2e-3, False, "skin over flesh"),
    Preset("gripper pad", 0.15, 2e-4, False, "a gripper's finger pad: holds without bouncing"),
    Preset("foot", 0.20, 1e-3, False, "the sole of a walking robot: takes the load without bouncing off"),
)})


@dataclass(frozen=True, slots=True)
class Solved:
    """A preset for one row: parameters in the direct format, standard where that means the same; what they do; depth [m] at an impact of 2 m/s; warning: in words or ''."""

    preset: Preset
    parameters: Parameters
    standard: Parameters | None
    response: Response
    frequency: float
    warning: str


def by_its_weight(row: Row) -> Row:
    """The row under 1 g, whatever its present load."""
    return replace(row, a0=-GRAVITY, hold=0.0, at=0.0)


def prove_preset(row: Row, parameters: Parameters, go_on: Callable[[], bool] | None = None) -> DropProof | None:
    """What the engine makes of solved parameters: a drop at 2 m/s, and rest under 1 g. None and raises as standard_drop.prove."""
    return prove(by_its_weight(row), parameters, SPEED, go_on=go_on)


def solve(preset: Preset, row: Row) -> Solved:
    """Parameters that make this row's contact one of the preset's kind: its restitution at 2 m/s and its rest depth under 1 g, whatever the present load."""
    row = by_its_weight(row)
    w = min(FINE_STEP / row.timestep, sqrt(HALF * GRAVITY / preset.rest_depth))
    parameters, _evaluations = fit_restitution(row, preset.restitution, SPEED, w, preset.rest_depth)
    response = simulate(row, parameters, SPEED)
    return Solved(preset, parameters, standard_of(row, parameters), response, w, _warning(preset, row, response, w))


def _warning(preset: Preset, row: Row, response: Response, w: float) -> str:
    """What the time step takes from the material."""
    depth = response.impacts.depth
    if abs(response.impacts.mean - preset.restitution) > 0.005:
        return f"restitution {response.impacts.mean:.3f} is as near as this time step comes to {preset.restitution:g}"
    if preset.hard and depth > DEEP and w * row.timestep > 0.99 * FINE_STEP:
        return f"at {SPEED:g} m/s it goes {1e3 * depth:.3g} mm deep; a smaller timestep makes it harder (half the step, half the depth)"
    return ""

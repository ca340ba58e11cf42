"""What a device lets its user feel: a force of the simulation as pulses of the gamepad or controller.

Strength is the level of the force plus how fast it changes, so that a touch is felt at once and a steady grip is a hum: |f| / full + share of |f| above its own mean over TAU.
"""
from __future__ import annotations

from collections.abc import Callable
from math import exp

import numpy as np

from app.inputs.drives.drive import Problem
from app.inputs.mapping.drive_mapping import Haptics, Mapping
from physics.errors import ModelError
from physics.model.model import Model
from physics.quantities.quantity import compile_quantity

PULSE_MS = 20.0
EVERY = 0.020       # s between two pulses
TAU = 0.1           # s of the mean that a touch stands out from
WEAKEST = 0.02      # strength that is felt
SENSOR, CONTACTS = "sensor:", "contacts:"
Force = Callable[[object], float]


class Feedback:
    """pulse(source, strength, milliseconds) is called in the hub's thread."""

    def __init__(self, pulse: Callable[[str, float, float], None]):
        self._pulse = pulse
        self._wanted: list[tuple[str, str, Haptics]] = []
        self._felt: list[tuple[str, Haptics, Force]] = []
        self._means: dict[int, float] = {}
        self._next, self._last = 0.0, 0.0
        self.problems: list[Problem] = []

    def configure(self, mapping: Mapping) -> None:
        """What the drives of a mapping let feel."""
        self._wanted = [(drive.name, drive.source, drive.haptics) for drive in mapping.drives if drive.haptics is not None]
        self._felt = []

    def bind(self, m: Model) -> None:
        """Look up what is named in a Model."""
        self._felt, self.problems = [], []
        self._means.clear()
        for drive, source, haptics in self._wanted:
            force = force_of(m, haptics.of)
            if isinstance(force, str):
                self.problems.append(Problem(drive, "haptics.of", haptics.of, force))
            else:
                self._felt.append((source, haptics, force))

    def turn(self, snapshot, now: float) -> None:
        """Pulses that are due."""
        if now < self._next or not self._felt:
            return
        self._next, h = now + EVERY, now - self._last
        self._last = now
        for k, (source, haptics, force) in enumerate(self._felt):
            f = force(snapshot)
            mean = self._means.get(k, f)
            self._means[k] = f + (mean - f) * exp(-h / TAU)
            strength = min(1.0, (f + max(0.0, f - mean)) / haptics.full)
            if snapshot.running and strength > WEAKEST:
                self._pulse(source, strength, PULSE_MS)


def force_of(m: Model, text: str) -> Force | str:
    """A function of a Snapshot that gives the size of a force [N]: of 'sensor:NAME', of all contacts of a body 'contacts:BODY', or of an expression; in words what is wrong."""
    if text.startswith(SENSOR):
        return _sensor(m, text[len(SENSOR):])
    if text.startswith(CONTACTS):
        return _contacts(m, text[len(CONTACTS):])
    try:
        quantity = compile_quantity(m, text)
    except (ModelError, ValueError) as why:
        return str(why)
    if not quantity.shape == () and len(quantity.shape) != 1:
        return "a number or a vector is needed"

    def measured(snapshot) -> float:
        found = np.ravel(quantity.of_snapshot(snapshot))
        return float(np.linalg.norm(found)) if np.isfinite(found).all() else 0.0

    return measured


def _sensor(m: Model, name: str) -> Force | str:
    sensor = m.id("sensor", name)
    if sensor < 0:
        return f"the model has no sensor '{name}'"
    first, last = int(m.sensor_adr[sensor]), int(m.sensor_adr[sensor] + m.sensor_dim[sensor])
    return lambda snapshot: float(np.linalg.norm(snapshot.sensordata[first:last]))


def _contacts(m: Model, name: str) -> Force | str:
    """The sum of the normal forces of the contacts of a body's geoms."""
    body = m.id("body", name)
    if body < 0:
        return f"the model has no body '{name}'"
    own = m.geom_bodyid == body

    def measured(snapshot) -> float:
        touching = own[np.maximum(snapshot.contact_geom, 0)].any(axis=1)
        return float(np.abs(snapshot.contact_force[touching, 0]).sum())

    return measured

"""Why an impact of a real contact differs from the predicted one: couplings are taken away one after the other until the tuner's one coordinate is left.

    the engine                                                  what is seen
    its rows as they are at rest (frozen_rows)                  without: bodies that turn, points of contact that come and go
    its own points and friction together                        without: points and edges of the cone that let go one by one
    the other rows holding                                      without: other contacts that let go or slide
    one coordinate, read under these parameters                 without: all other dofs
    one coordinate, read in the pose of before                  without: what rests elsewhere
    one coordinate, read under the model's own parameters       what is predicted

Dry friction of joints slides in all of them. What makes the gap is where the number changes. More experiments, in the engine itself, tell the same, each with the row read anew:
other contacts pressed down by forces that they bear alone, so that they cannot let go; no dry friction, but the forces that it has at rest; both; the same of the contact's own
friction, where the row is that under the model's own parameters; and a contact of four times the frequency with steps four times as fine, which goes a sixteenth as deep, so that
nothing turns or lets go.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import physics
from physics.diagnostics.constraint_rows import dense_jacobian
from physics.enums import CNSTR_CONTACT_PYRAMIDAL, CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON, INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST
from physics.tuning.law import Parameters, Row
from physics.tuning.scalar import approach, surface_speed
from physics.tuning.servos.springs import passive_springs, servo_springs
from tests.long.frozen_rows import Frozen, Parts

PRESSED, FINER = 4.0, 4.0        # times the load of other contacts, the frequency
STEPS = (("bodies turn, points of contact come and go", Parts()), ("its own points and friction let go one by one", Parts(own=False)),
         ("other contacts let go or slide", Parts(lets_go=False, own=False)))


@dataclass(frozen=True)
class Ladder:
    """values: what is seen, then without each of STEPS, then of one coordinate under these parameters, the same in the pose of before, and as predicted."""

    values: tuple[float, ...]

    @property
    def bare(self) -> float:
        """What is left without any coupling."""
        return self.values[len(STEPS)]

    @property
    def one(self) -> float:
        """Of the tuner's one coordinate, read under the same parameters."""
        return self.values[len(STEPS) + 1]

    def text(self) -> str:
        """The numbers with what was taken away at each."""
        names = ("", *(f"without that {what}" for what, _parts in STEPS), "one coordinate", "in the pose of before", "under the parameters of before")
        return ", ".join(f"{name} {value:.3g}".strip() for name, value in zip(names, self.values, strict=True))


def frozen(scene, state, smooth: tuple[np.ndarray, np.ndarray]) -> Frozen:
    """The rows of a scene as they are now; smooth: (K, C) of servos, springs and gravity."""
    m, d = scene.m, scene.d
    dampers, kv = passive_springs(m, d)[1], servo_springs(m, d)[1]
    ends = dampers + kv if m.opt_integrator in (INT_IMPLICIT, INT_IMPLICITFAST) else np.diag(m.dof_damping) if m.opt_integrator == INT_EULER else np.zeros_like(dampers)
    return Frozen(m, d, np.array(state.rows), smooth, ends)


def restitutions(rows: Frozen, row: Row, motion: np.ndarray, speed: float, steps: int) -> list[float]:
    """Of an impact without what STEPS name, more and more of them."""
    found = []
    r, u = (float(x) for x in approach(row, np.array(speed), np.array(0.5)))
    for _what, parts in STEPS:
        end = rows.run(parts, motion * (rows.depth + r), u * motion, steps, until_off=True)[-1]
        found.append(float(surface_speed(row, *end)) / speed if end[0] >= 0.0 and end[1] > 0.0 else 0.0)
    return found


def press_others(scene, contacts: tuple[int, ...]) -> None:
    """Apply forces that press all other contacts, and that nothing else feels: they come to rest deeper, under a multiple of their load."""
    m, d = scene.m, scene.d
    for k in range(d.ncon):
        first, dim = int(d.contact_efc_address[k]), int(d.contact_dim[k])
        if k in contacts or first < 0:
            continue
        edges = 2 * (dim - 1) if d.efc_type[first] == CNSTR_CONTACT_PYRAMIDAL else 1
        normal = dense_jacobian(m, d, range(first, first + edges)).mean(axis=0)
        d.qfrc_applied[:] -= PRESSED * max(0.0, float(physics.contact_force(m, d, k)[0])) * normal


def without_dry_friction(scene) -> None:
    """Put the forces that joints' and tendons' dry friction has now in its place."""
    m, d = scene.m, scene.d
    rows = np.flatnonzero(np.isin(d.efc_type[:d.nefc], (CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON)))
    if len(rows):
        d.qfrc_applied[:] += dense_jacobian(m, d, rows).T @ d.efc_force[rows]
    m.dof_frictionloss[:] = 0.0
    m.tendon_frictionloss[:] = 0.0


def without_own_friction(scene, contacts: tuple[int, ...]) -> None:
    """Put the forces that the contact's friction has now in its place."""
    m, d = scene.m, scene.d
    for k in contacts:
        first, dim = int(d.contact_efc_address[k]), int(d.contact_dim[k])
        rows = range(first, first + (2 * (dim - 1) if d.efc_type[first] == CNSTR_CONTACT_PYRAMIDAL and dim > 1 else dim))
        J, f = dense_jacobian(m, d, rows), np.array(d.efc_force[rows.start:rows.stop])
        edges = d.efc_type[first] == CNSTR_CONTACT_PYRAMIDAL
        d.qfrc_applied[:] += J.T @ f - (J.mean(axis=0) * f.sum() if edges else J[0] * f[0])
    m.geom_condim[scene.own] = 1


def finer(parameters: Parameters) -> Parameters:
    """Direct parameters of FINER times the frequency, with the same damping ratio."""
    return Parameters((parameters.solref[0] * FINER ** 2, parameters.solref[1] * FINER), parameters.solimp)

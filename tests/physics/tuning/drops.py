"""Things that fall on a plane or against a limit, as text, with the row that the tuner's mathematics makes of them; and what an engine says of their impacts and rest."""
from __future__ import annotations

from dataclasses import dataclass, replace

import mujoco
import numpy as np

import physics
from physics.enums import Cone, Integrator
from physics.tuning.law import Friction, Parameters, Row, contact_factor
from physics.tuning.scalar import approach, surface_speed

GRAVITY = 9.81
CONSTANT = (0.9, 0.9, 0.001, 0.5, 2.0)
DEFAULT = (0.9, 0.95, 0.001, 0.5, 2.0)
CURVED = (0.3, 0.95, 0.02, 0.3, 3.5)
INTEGRATORS = ("Euler", "implicit", "implicitfast", "RK4", "discrete")
# shape -> (geom, distance of its centre from the plane, contacts that bear it)
SHAPES = {"ball": ('type="sphere" size=".1"', 0.1, 1), "box": ('type="box" size=".1 .12 .1"', 0.1, 4),
          "capsule": ('type="capsule" size=".05 .1" quat="0.7071067811865476 0 0.7071067811865476 0"', 0.05, 2)}


@dataclass(frozen=True)
class Drop:
    """A falling thing: model text, row, parameters, qpos of the coordinate when the distance is 0, number of the coordinate."""

    text: str
    row: Row
    parameters: Parameters
    zero: float
    coordinate: int


def drop(shape: str = "ball", solref=(0.02, 1.0), solimp=DEFAULT, integrator: str = "Euler", timestep: float = 0.002, condim: int = 3, cone: str = "pyramidal", mu: float = 1.0,
         impratio: float = 1.0, mass: float = 0.7, margin: float = 0.0, damping: float = 0.0, flags: str = "") -> Drop:
    """A thing above a plane on a free joint, or with damping [N s/m] on a slide."""
    geom, zero, count = SHAPES[shape]
    contact = f'condim="{condim}" friction="{mu} .005 .0001" solref="{solref[0]!r} {solref[1]!r}" solimp="{" ".join(map(repr, solimp))}" margin="{margin / 2!r}"'
    joint = f'<joint type="slide" axis="0 0 1" damping="{damping}"/>' if damping else "<freejoint/>"
    text = f"""<mujoco><option integrator="{integrator}" timestep="{timestep!r}" cone="{cone}" impratio="{impratio}" tolerance="1e-15" gravity="0 0 {-GRAVITY}"><flag {flags}/></option>
      <worldbody><geom type="plane" size="0 0 1" {contact}/><body pos="0 0 {zero}">{joint}<geom {geom} mass="{mass}" {contact}/></body></worldbody></mujoco>"""
    factor = contact_factor(count, Friction(condim, mu, impratio, Cone[cone.upper()]))
    row = Row(1.0 / mass, factor, -GRAVITY, timestep, int(Integrator[integrator.upper()]), 'refsafe="disable"' not in flags, margin, damping / mass)
    return Drop(text, row, Parameters(tuple(solref), tuple(solimp)), 0.0 if damping else zero, 0 if damping else 2)


def limited(solref=(0.02, 1.0), solimp=DEFAULT, integrator: str = "Euler", timestep: float = 0.002, mass: float = 0.7, margin: float = 0.01) -> Drop:
    """A thing on a slide that falls against the joint's lower limit."""
    limit = f'solreflimit="{solref[0]!r} {solref[1]!r}" solimplimit="{" ".join(map(repr, solimp))}" margin="{margin!r}"'
    text = f"""<mujoco><option integrator="{integrator}" timestep="{timestep!r}" tolerance="1e-15" gravity="0 0 {-GRAVITY}"/><worldbody>
      <body><joint type="slide" axis="0 0 1" limited="true" range="-.3 9" {limit}/><geom size=".1" mass="{mass}"/></body></worldbody></mujoco>"""
    return Drop(text, Row(1.0 / mass, 1.0, -GRAVITY, timestep, int(Integrator[integrator.upper()]), True, margin), Parameters(tuple(solref), tuple(solimp)), -0.3, 0)


class Engine:
    """One coordinate of a drop in our engine, or in the official one."""

    def __init__(self, falling: Drop, official: bool = False):
        self.drop, self.official = falling, official
        if official:
            self.m = mujoco.MjModel.from_xml_string(falling.text)
            self.d = mujoco.MjData(self.m)
        else:
            self.m = physics.load_string(falling.text)
            self.d = physics.Data(self.m)

    def put(self, r: float, v: float) -> None:
        """Start anew at r, the distance less the margin [m], and v [m/s]."""
        if self.official:
            mujoco.mj_resetData(self.m, self.d)
        else:
            physics.reset(self.m, self.d)
        self.d.qpos[self.drop.coordinate] = self.drop.zero + self.drop.row.margin + r
        self.d.qvel[self.drop.coordinate] = v

    def step(self) -> tuple[float, float]:
        """(r, v) after a step."""
        (mujoco.mj_step if self.official else physics.step)(self.m, self.d)
        return self.state

    @property
    def state(self) -> tuple[float, float]:
        return float(self.d.qpos[self.drop.coordinate] - self.drop.zero - self.drop.row.margin), float(self.d.qvel[self.drop.coordinate])

    def run(self, r: float, v: float, seconds: float) -> np.ndarray:
        """(n + 1, 2) r and v."""
        self.put(r, v)
        out = [self.state]
        out += [self.step() for _ in range(round(seconds / self.drop.row.timestep))]
        return np.array(out)

    def restitution(self, speed: float, phases: int = 24, seconds: float = 5.0) -> np.ndarray:
        """Speed after over before of impacts at the phases of a time step."""
        found = []
        for k in range(phases):
            self.put(*map(float, approach(self.drop.row, speed, (k + 0.5) / phases)))
            e = 0.0
            for _ in range(round(seconds / self.drop.row.timestep)):
                r, v = self.step()
                if r >= 0.0 and v > 0.0:
                    e = float(surface_speed(self.drop.row, r, v)) / speed
                    break
            found.append(e)
        return np.array(found)

    def rest(self, seconds: float, start: float) -> float:
        """Depth [m] after some time, begun without speed at a depth."""
        return -self.run(-start, 0.0, seconds)[-1, 0]

    def linear(self, depth: float, speed: float) -> np.ndarray:
        """Jacobian (2, 2) of one step in (r, v) at rest at a depth [m], by differences; speed: what 1 m of r is compared with [1/s]."""
        nudge, columns = 1e-3 * depth, []
        for dr, dv in ((nudge, 0.0), (0.0, nudge * speed)):
            ends = []
            for sign in (1.0, -1.0):
                self.put(-depth + sign * dr, sign * dv)
                ends.append(np.array(self.step()))
            columns.append((ends[0] - ends[1]) / (2.0 * (dr + dv)))
        return np.array(columns).T


def with_parameters(falling: Drop, parameters: Parameters) -> Drop:
    """The same thing with other contact parameters."""
    old, text = falling.parameters, falling.text
    for name, before, after in (("solref", old.solref, parameters.solref), ("solimp", old.solimp, parameters.solimp)):
        text = text.replace(f'{name}="{" ".join(map(repr, before))}"', f'{name}="{" ".join(map(repr, after))}"')
    return replace(falling, text=text, parameters=parameters)

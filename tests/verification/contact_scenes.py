"""Scenes whose outcome people notice, run by either engine: towers, slopes, throws, bounces, balls that roll.

A scene is text and a way to measure; `sides(text)` gives the same model in both engines, so that a figure of ours always stands beside theirs.
"""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np
from scipy.integrate import solve_ivp

import physics

GRAVITY = 9.81


class Diverged(Exception):
    """Our engine refused a step because of its numbers."""


@dataclass
class Side:
    """One engine with a model and its data."""

    name: str
    m: object
    d: object

    def run(self, seconds: float) -> None:
        """Step on; both count steps alike. Raises Diverged."""
        steps = round(seconds / self.m.opt.timestep)
        if self.name == "official":
            mujoco.mj_step(self.m, self.d, steps)
        elif physics.step(self.m, self.d, steps, autoreset=False) != steps:
            raise Diverged(f"{physics.step_error(self.m, self.d)} at {self.d.time:.4g} s")

    def forward(self) -> None:
        (mujoco.mj_forward if self.name == "official" else physics.forward)(self.m, self.d)

    @property
    def warned(self) -> int:
        """Warnings about bad numbers, and about anything else that went wrong."""
        return sum(int(w.number) for w in self.d.warning)


def sides(source: str | Path) -> tuple[Side, Side]:
    """(ours, official) of a text or a file."""
    if isinstance(source, Path):
        m, official = physics.load(source), mujoco.MjModel.from_xml_path(str(source))
    else:
        m, official = physics.load_string(source), mujoco.MjModel.from_xml_string(source)
    return Side("ours", m, physics.Data(m)), Side("official", official, mujoco.MjData(official))


def tower(count: int = 10, cone: str = "pyramidal", seed: int = 0) -> str:
    """Boxes on one another, a millimetre and a degree off."""
    r = np.random.default_rng(seed)
    boxes = ""
    for k in range(count):
        x, y, turn = r.uniform(-1, 1, 3)
        boxes += (f'<body pos="{1e-3 * x} {1e-3 * y} {0.1 + 0.2 * k}" euler="0 0 {turn}"><freejoint/>'
                  '<geom type="box" size=".1 .1 .1" density="500"/></body>')
    return f'<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="0 0 1"/>{boxes}</worldbody></mujoco>'


def tower_state(side: Side, count: int = 10) -> dict:
    """Largest way sideways and down, largest tilt (rad) and speed."""
    pos, start = np.array(side.d.qpos).reshape(count, 7), np.array(side.m.qpos0).reshape(count, 7)
    up = np.array(side.d.xmat).reshape(-1, 3, 3)[1:, 2, :2]
    return {"out": float(np.abs(pos - start)[:, :2].max()), "sunk": float((start - pos)[:, 2].max()), "tilt": float(np.linalg.norm(up, axis=1).max()),
            "speed": float(np.abs(side.d.qvel).max())}


def slope(degrees: float, mu: float, cone: str, condim: int, shape: str = "box") -> str:
    """A box at rest on a plane; the slope is made by gravity."""
    a = np.radians(degrees)
    size = "0.1 0.1 0.1" if shape == "box" else "0.1"
    return (f'<mujoco><option cone="{cone}" gravity="{GRAVITY * np.sin(a)} 0 {-GRAVITY * np.cos(a)}" impratio="10"/>'
            f'<worldbody><geom type="plane" size="0 0 1" friction="{mu}" condim="{condim}"/>'
            f'<body pos="0 0 .1"><freejoint/><geom type="{shape}" size="{size}" friction="{mu}" condim="{condim}"/></body></worldbody></mujoco>')


def slid(side: Side, seconds: float) -> tuple[float, float]:
    """(way, speed at the end) downhill."""
    side.run(seconds)
    return float(side.d.qpos[0]), float(side.d.qvel[0])


def thrown(cone: str) -> str:
    """A light box of half a metre falls 0.25 m and slides off at an angle to its sides (the throw of a published comparison of simulators)."""
    return (f'<mujoco><option cone="{cone}" timestep=".01" integrator="RK4"/><worldbody><geom type="plane" size="0 0 1" friction=".25 .005 .0001"/>'
            f'<body pos="0 0 .5"><freejoint/><geom type="box" size=".25 .25 .25" density="5" friction=".25 .005 .0001"/></body></worldbody></mujoco>')


def lateral_drift(side: Side, seconds: float = 4.0) -> dict:
    """How far a box thrown along (4, 0.8) m/s ends beside that line, and how far it went."""
    side.d.qvel[:3] = 4, 0.8, 0
    side.run(seconds)
    way, along = np.array(side.d.qpos[:2]), np.array([4, 0.8]) / np.hypot(4, 0.8)
    return {"drift": float(way[1] * along[0] - way[0] * along[1]), "way": float(way @ along), "speed": float(np.abs(side.d.qvel).max())}


def bounce(stiffness: float, damping: float) -> str:
    """A ball above a floor of given stiffness and damping per mass."""
    ref = f'solref="{-stiffness} {-damping}" solimp=".99 .99 .001" condim="1"'
    return (f'<mujoco><option timestep=".0001" gravity="0 0 0"/><worldbody><geom type="plane" size="0 0 1" {ref}/><body pos="0 0 .11">'
            f'<joint type="slide" axis="0 0 1"/><geom size=".1" {ref}/></body></worldbody></mujoco>')


def restitution(side: Side, speed: float = 1.0) -> float:
    """Speed after over speed before."""
    side.d.qvel[0] = -speed
    side.run(1.0)
    return float(side.d.qvel[0] / speed)


def restitution_expected(stiffness: float, damping: float) -> float:
    """A mass against spring and damper, let go when they begin to pull: x'' = -k x - b x' until that is zero."""
    def pull(_t, y):
        return -stiffness * y[0] - damping * y[1]

    def law(t, y):
        return [y[1], pull(t, y)]

    pull.terminal, pull.direction = True, -1
    found = solve_ivp(law, (0, 10 / np.sqrt(stiffness)), [0.0, -1.0], events=pull, rtol=1e-10, atol=1e-14)
    return float(found.y[1, -1])


def rolling(cone: str, rolling_friction: float) -> str:
    """A ball on a plane; friction against rolling is a length: the lever of the normal force."""
    friction = f'friction="1 .005 {rolling_friction}" condim="6"'
    return (f'<mujoco><option cone="{cone}" timestep=".001"/><worldbody><geom type="plane" size="0 0 1" {friction}/>'
            f'<body pos="0 0 .1"><freejoint/><geom size=".1" {friction}/></body></worldbody></mujoco>')


def roll(side: Side, speed: float, seconds: float) -> dict:
    """Where a ball that starts rolling along x is, and how fast."""
    side.d.qvel[0], side.d.qvel[4] = speed, speed / 0.1
    side.run(seconds)
    return {"way": float(side.d.qpos[0]), "speed": float(side.d.qvel[0]), "spin": float(side.d.qvel[4])}


def bowl(seed: int = 0, count: int = 10) -> str:
    """A bowl of twelve leaning staves, each a mesh, on a plate; rocks, tetrahedra, bricks, balls and eggs fall into it."""
    r = np.random.default_rng(seed)
    stave = " ".join(f"{x} {y} {z}" for z, wide, out in ((-0.02, 0.13, 0.0), (0.4, 0.21, -0.3)) for x in (-wide, wide) for y in (out - 0.15, out))
    assets, staves, things = f'<mesh name="stave" vertex="{stave}" inertia="shell"/>', "", ""
    for k in range(12):
        turn = 30 * k
        x, y = np.cos(np.radians(turn - 90)), np.sin(np.radians(turn - 90))
        staves += f'<geom type="mesh" mesh="stave" pos="{0.44 * x:.5f} {0.44 * y:.5f} 0" euler="0 0 {turn}"/>'
    shapes = ('type="sphere" size=".05"', 'type="ellipsoid" size=".04 .05 .07"', 'type="box" size=".04 .05 .03"', 'type="capsule" size=".03 .04"', 'type="cylinder" size=".04 .04"')
    for k in range(count):
        what = shapes[k // 2 % len(shapes)]
        if k % 2 == 0:
            points = r.normal(size=(4 if k % 4 else 14, 3))
            points *= 0.07 / np.linalg.norm(points, axis=1)[:, None]
            assets += f'<mesh name="m{k}" vertex="{" ".join(f"{x:.5f}" for x in points.ravel())}"/>'
            what = f'type="mesh" mesh="m{k}"'
        x, y = r.uniform(-0.2, 0.2, 2)
        things += f'<body pos="{x:.4f} {y:.4f} {0.12 + 0.1 * k:.3f}"><freejoint/><geom {what} condim="6" friction="1 .01 .003"/></body>'
    return (f'<mujoco><option cone="elliptic"/><asset>{assets}</asset><worldbody>{staves}'
            f'<geom type="cylinder" size=".6 .3" pos="0 0 -.3"/>{things}</worldbody></mujoco>')


def heap_state(side: Side) -> dict:
    """Centres of the free bodies: farthest from the axis, lowest and highest; kinetic energy by the weight times 0.1 m, deepest contact."""
    side.forward()
    pos = np.array(side.d.xipos)[1:]
    dist = side.d.contact.dist if side.name == "official" else side.d.contact_dist[:side.d.ncon]
    return {"out": float(np.linalg.norm(pos[:, :2], axis=1).max()), "low": float(pos[:, 2].min()), "high": float(pos[:, 2].max()),
            "moving": energy_vel(side) / float(np.sum(side.m.body_mass)) / GRAVITY / 0.1, "deep": float(-np.min(dist, initial=0.0))}


def energy_vel(side: Side) -> float:
    """Kinetic energy at the present velocities."""
    (mujoco.mj_energyVel if side.name == "official" else physics.energy_vel)(side.m, side.d)
    return float(side.d.energy[1])


def grasp(noslip: int, shape: str = "cylinder") -> str:
    """Two fingers press a cylinder that hangs between them by friction alone: elliptic cones, impratio 10, perhaps a no-slip pass."""
    fingers = "".join(f'<body pos="{x} 0 1"><joint type="slide" axis="{-x} 0 0" range="0 1" damping="5"/>'
                      f'<geom type="box" size=".01 .04 .04" mass=".2" friction=".8 .01 .001" condim="4"/></body>' for x in (-0.045, 0.045))
    return (f'<mujoco><option cone="elliptic" impratio="10" noslip_iterations="{noslip}"/><worldbody>{fingers}'
            f'<body pos="0 0 1"><freejoint/><geom type="{shape}" size=".035 .05" mass=".3" friction=".8 .01 .001" condim="4"/></body></worldbody>'
            '<actuator><motor joint="j0" gear="1"/></actuator></mujoco>').replace('<joint type="slide"', '<joint name="j0" type="slide"', 1).replace(
                '<joint type="slide"', '<joint name="j1" type="slide"', 1).replace("</actuator>", '<motor joint="j1" gear="1"/></actuator>')


def slip(side: Side, seconds: float, force: float = 10.0) -> dict:
    """How far the thing sinks and turns in the grasp."""
    side.d.ctrl[:] = force
    side.run(seconds)
    q = np.array(side.d.qpos[-7:])
    return {"sunk": float(1.0 - q[2]), "turned": float(2 * np.linalg.norm(q[4:])), "speed": float(np.abs(side.d.qvel).max())}

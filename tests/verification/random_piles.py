"""Random heaps of every shape between walls, built to be unkind: deep in one another, thin, tiny, huge, light on heavy.

`pile(...)` gives the text, `watch(side, seconds)` runs it and says what was seen: numbers that are none, warnings, the largest total energy
above the start's (gained), and above the least so far once the first shoves are over (rise), what still moves at the end, how deep things are.
"""
from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

import physics
from tests.verification.contact_scenes import Diverged, Side

KINDS = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "rock", "needle", "plate", "twice")
STEP = 0.002  # s, of a heap of scale 1
CHUNK = 50   # steps between looks


@dataclass(frozen=True)
class Pile:
    """What a heap is made of. scale: of everything; ratio: of the largest density to the least; overlap: all start in one another."""

    kinds: tuple[str, ...] = KINDS
    count: int = 12
    scale: float = 1.0
    ratio: float = 1.0
    overlap: bool = False
    cone: str = "pyramidal"
    condim: int = 3


def mesh_points(kind: str, r: np.random.Generator) -> np.ndarray:
    """Corners of a unit mesh: a rock, a needle of 1000 to 1, a plate as thin, a rock every corner of which is there twice."""
    points = r.normal(size=(int(r.integers(5, 25)), 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    if kind == "needle":
        return points * [1e-3, 1e-3, 2]
    if kind == "plate":
        return points * [1, 1, 1e-3]
    return np.vstack([points, points]) if kind == "twice" else points


def _mesh(kind: str, name: str, half: np.ndarray, density: float, r: np.random.Generator) -> tuple[str, str, str]:
    """(asset, what the geom says, inertia of the body): thin ones have the mass of a box as wide, so that only their shape is extreme."""
    vertices = " ".join(f"{x:.7g}" for x in (mesh_points(kind, r) * half).ravel())
    mass = 8 * density * half.prod()
    x, y, z = half**2 * mass / 3
    return (f'<mesh name="{name}" vertex="{vertices}" inertia="shell"/>', f'type="mesh" mesh="{name}"',
            f'<inertial pos="0 0 0" mass="{mass:.9g}" diaginertia="{y + z:.9g} {x + z:.9g} {x + y:.9g}"/>')


def pile(p: Pile, seed: int) -> str:
    """The text of a heap; gravity is 9.81, the time step follows from the scale as the time of a fall does, masses do not."""
    r = np.random.default_rng(seed)
    s, assets, bodies = p.scale, "", ""
    for k in range(p.count):
        kind, density = str(r.choice(p.kinds)), 1000 / s**3 * p.ratio ** r.uniform(-0.5, 0.5)
        a, b, c = half = s * r.uniform(0.05, 0.15, 3)
        what, inertia = {"sphere": f'type="sphere" size="{a}"', "capsule": f'type="capsule" size="{a / 2} {b}"', "box": f'type="box" size="{a} {b} {c}"',
                         "ellipsoid": f'type="ellipsoid" size="{a} {b} {c}"', "cylinder": f'type="cylinder" size="{a} {b}"'}.get(kind), ""
        if what is None:
            asset, what, inertia = _mesh(kind, f"m{k}", half, density, r)
            assets += asset
        q = r.normal(size=4)
        lattice = np.array([0.4 * (k % 2) - 0.2, 0.4 * (k // 2 % 2) - 0.2, 0.3 + 0.4 * (k // 4)])
        spot = s * (r.uniform(-0.1, 0.1, 3) * (k % 5 > 0) + [0, 0, 0.15] if p.overlap else lattice)   # every fifth one with its centre at the same point
        bodies += (f'<body pos="{spot[0]:.9g} {spot[1]:.9g} {spot[2]:.9g}" quat="{q[0]} {q[1]} {q[2]} {q[3]}"><freejoint/>{inertia}'
                   f'<geom {what} density="{density:.6g}" condim="{p.condim}"/></body>')
    walls = "".join(f'<geom type="plane" size="0 0 1" pos="{x * s} {y * s} 0" zaxis="{-x} {-y} 0"/>' for x, y in ((0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5)))
    return (f'<mujoco><option timestep="{STEP * np.sqrt(s):.9g}" cone="{p.cone}"><flag energy="enable"/></option>'
            f'<default><geom solref="{0.02 * np.sqrt(s):.9g} 1" solimp=".9 .95 {1e-3 * s:.9g}"/></default>'
            f'<asset>{assets}</asset><worldbody><geom type="plane" size="0 0 1"/>{walls}{bodies}</worldbody></mujoco>')


def sides(text: str) -> tuple[Side, Side]:
    """(ours, official) of the same model; the official one has our refusal's reason to be there alone."""
    official = mujoco.MjModel.from_xml_string(text)
    m = physics.load_string(text)
    return Side("ours", m, physics.Data(m)), Side("official", official, mujoco.MjData(official))


def watch(side: Side, seconds: float) -> dict:
    """Run and look; energies are in units of the heap's weight times its size."""
    m, d = side.m, side.d
    side.forward()
    unit = float(np.sum(m.body_mass)) * 9.81 * 0.1 * (m.opt.timestep / STEP) ** 2
    start, most, most_contacts, deepest, moving = float(np.sum(d.energy)), 0.0, 0, 0.0, 0.0
    least, rise, settled = np.inf, 0.0, 250 * m.opt.timestep
    for _ in range(max(1, round(seconds / m.opt.timestep / CHUNK))):
        try:
            side.run(CHUNK * m.opt.timestep)
        except Diverged as error:
            return {"finite": False, "warned": side.warned, "why": str(error)}
        energy = float(np.sum(d.energy))
        if d.time > settled:
            least = min(least, energy)
            rise = max(rise, energy - least)
        if not (np.isfinite(d.qpos).all() and np.isfinite(d.qvel).all() and np.isfinite(energy)):
            return {"finite": False, "warned": side.warned}
        most, most_contacts = max(most, energy - start), max(most_contacts, int(d.ncon))
        moving = float(d.energy[1])
    if d.ncon:
        dist = d.contact.dist if side.name == "official" else d.contact_dist[:d.ncon]
        deepest = -float(np.min(dist)) / (m.opt.timestep / STEP) ** 2
    return {"finite": True, "warned": side.warned, "gained": most / unit, "rise": rise / unit, "moving": moving / unit, "ncon": most_contacts, "deepest": deepest}

"""The robots that the paper drops, for figures 7, 9 and 10: its box, its A1 with contacts at feet, elbows and hips, its Atlas where the URDF is there (atlas.py)."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.dojo import planning_models
from benchmarks.dojo.atlas import atlas_file, atlas_mjcf, drop
from physics.model.data import Data
from physics.model.model import Model

LINK_ANGLE = 0.95       # of A1's thighs [rad]; two of them have nine tenths of it, the calves one and a half times as much backwards
A1_HEIGHT = 0.82        # of its trunk at the start [m]
FALLING = ("FR", "RL")  # legs whose thighs have the whole angle
BOX = """<mujoco><option timestep="{h}"/><worldbody><geom type="plane" size="0 0 1" friction=".5"/><body pos="0 0 .6" euler="20 35 0"><freejoint/>
<geom type="box" size=".25 .25 .25" mass="1" friction=".5"/></body></worldbody></mujoco>"""


class Drop(NamedTuple):
    """text(h): MJCF at a time step [s]; put(m, d): the start; seconds: how long; height: number of qpos that is the torso's."""

    text: Callable[[float], str]
    put: Callable[[Model, Data], None]
    seconds: float
    height: int = 2


def put_box(m: Model, d: Data) -> None:
    """As the text has it, spinning."""
    d.qvel[:] = 1.0, 0.5, 0.0, 2.0, 1.0, 0.5


def put_a1(m: Model, d: Data) -> None:
    """The start of examples/simulation/quadruped_drop.jl: half a metre above where its feet would touch."""
    d.qpos[2] = A1_HEIGHT
    for name, _front, _side in planning_models.LEGS:
        d.qpos[m.jnt_qposadr[m.id("joint", f"{name}_thigh")]] = LINK_ANGLE * (1.0 if name in FALLING else 0.9)
        d.qpos[m.jnt_qposadr[m.id("joint", f"{name}_calf")]] = -1.5 * LINK_ANGLE


def drops(atlas: str | Path | None) -> dict[str, Drop]:
    """By name; Atlas only where its URDF is."""
    found = {"box": Drop(lambda h: BOX.format(h=h), put_box, 1.0), "A1": Drop(lambda h: planning_models.quadruped(h, damping=1.0, body=True), put_a1, 2.0)}
    file = atlas_file(atlas)
    if file is not None:
        found["Atlas"] = Drop(lambda h: atlas_mjcf(file, h), drop, 2.0)
    return found

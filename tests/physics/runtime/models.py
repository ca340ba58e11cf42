"""Small models for the runtime's tests, made through the official compiler so that ours is not judged here."""
from __future__ import annotations

import mujoco

from physics.model.model import Model
from physics.runtime import commands
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation
from tests.physics.engine.oracle_model import model_from

ARM = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping="0.1"/><geom type="capsule" size=".05 .2" pos="0 0 -.2"/>
      <body name="lower" pos="0 0 -.4"><joint name="elbow" axis="0 1 0"/><geom type="capsule" size=".04 .2" pos="0 0 -.2"/></body>
    </body>
    <body name="ball" pos="1 0 1"><freejoint name="free"/><geom size=".1"/>
      <body name="tail" pos=".2 0 0" euler="0 30 0"><joint name="wag" type="ball"/><geom type="box" size=".1 .05 .02" pos=".1 0 0" euler="10 20 30"/></body>
    </body>
    <body name="paddle" mocap="true" pos="-1 0 1"><geom type="box" size=".2 .2 .02" contype="0" conaffinity="0"/></body>
  </worldbody>
  <actuator>
    <motor name="m" joint="shoulder" ctrllimited="true" ctrlrange="-2 1"/>
    <general name="g" joint="elbow" dyntype="filter" dynprm="0.1" group="1"/>
  </actuator>
  <keyframe><key name="up" time="3" qpos="1 2 0 0 2 1 0 0 0 1 0 0 0" ctrl="0.5 0.25" mpos="0 0 3"/></keyframe>
</mujoco>
"""


def model(xml: str = ARM) -> Model:
    """Our Model of a text, with the names of bodies and joints."""
    return named(mujoco.MjModel.from_xml_string(xml))


def named(mj: mujoco.MjModel) -> Model:
    """Our Model of an official one."""
    m = model_from(mj)
    for kind, size, accessor in (("body", "nbody", mj.body), ("joint", "njnt", mj.joint), ("actuator", "nactuator", mj.actuator)):
        m.names[kind] = tuple(accessor(i).name for i in range(getattr(mj, size)))
    return m


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self):
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def simulation(m: Model | None = None, **settings) -> Simulation:
    """A paused Simulation of this model (ARM), with a clock that is moved by hand as sim.pacing.clock."""
    sim = Simulation(clock=Clock(), history_bytes=settings.pop("history_bytes", 1 << 20), **settings)
    perform(sim, commands.SwapModel(m or model()))
    sim.events.clear()
    return sim


def do(sim: Simulation, *wanted) -> list:
    """Perform commands, bring the simulation up to date, and return the events."""
    for command in wanted:
        perform(sim, command)
    sim.idle()
    out = list(sim.events)
    sim.events.clear()
    return out

"""Models for tests of the hard engine's tree side, and their Data with all its room."""
from __future__ import annotations

import numpy as np

import physics
from physics.engine.hard import step
from physics.enums import Engine

MIXED = """<mujoco><option timestep="{h}" gravity="0 0 {g}"/><worldbody>
<body pos="0 0 1" euler="10 20 30"><freejoint/><geom type="box" size=".1 .2 .3" pos=".02 .01 0"/>
  <body pos=".2 0 0" euler="0 30 0"><joint type="ball" pos="-.02 .01 0" {ball}/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 .05"/>
    <body pos=".3 0 0"><joint axis="0 1 .2" pos=".01 0 0" armature=".01" {hinge}/><joint type="slide" axis="1 0 .1" {slide}/><geom type="capsule" size=".03" fromto="0 0 0 .3 .1 0"/>
      <body pos=".1 .1 0" euler="0 0 40"><geom type="sphere" size=".05" pos="0 .1 0"/>
        <body pos="0 .2 0"><joint axis="1 0 0" damping=".1"/><joint axis="0 1 0"/><joint axis="0 0 1"/><geom type="box" size=".1 .02 .04"/></body></body></body></body>
  <body pos="-.2 0 0"><joint axis="0 0 1" damping=".3 .1 .05"/><geom type="capsule" size=".03" fromto="0 0 0 -.3 0 0"/></body></body>
<body pos="2 0 1"><joint axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
  <body pos=".3 0 0"><joint type="slide" axis="1 0 1"/><geom type="sphere" size=".05"/></body></body>
</worldbody><actuator>{actuator}</actuator></mujoco>"""


def mixed(h=0.01, g=-9.81, ball="", hinge="", slide="", actuator=""):
    """All joint types, stacks of joints, branches, a body without joints, a second tree."""
    m = physics.load_string(MIXED.format(h=h, g=g, ball=ball, hinge=hinge, slide=slide, actuator=actuator))
    m.opt.engine = Engine.HARD
    return m


def roomy(m):
    """A Data with the room that the hard engine's tree side needs."""
    physics.ensure_hard()
    d = physics.Data(m)
    while step.reserve(m, d) == 0:
        d.make_room()
    d.hard_h = m.opt_timestep
    d.hard_spread, d.hard_fraction = 1.0, 0.95
    return d


def shaken(m, d, seed=0, speed=1.0):
    """A random state."""
    rng = np.random.default_rng(seed)
    d.qpos[:] = physics.integrate_pos(m, d.qpos, rng.normal(size=m.nv) * 0.3, 1.0)
    d.qvel[:] = rng.normal(size=m.nv) * speed
    return rng

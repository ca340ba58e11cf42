"""States with constraint rows for tests of the solver's trace: models of ours after some steps, and one with every kind of row."""
from __future__ import annotations

import physics
from tests.oracle.corpus import REPOSITORY

EVERY_KIND = """<mujoco>
  <option timestep="0.004"/>
  <default><geom friction=".7 .02 .01"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" condim="1"/>
    <body name="slab" pos="0 0 .09"><freejoint/><geom name="slab" type="box" size=".3 .2 .1" condim="4"/></body>
    <body name="ball" pos=".1 0 .28"><freejoint/><geom name="ball" size=".1" condim="6"/></body>
    <body name="slick" pos="1 0 .09"><freejoint/><geom name="slick" size=".1" condim="1"/></body>
    <body name="arm" pos="-1 0 1">
      <joint name="shoulder" axis="0 1 0" range="-10 1" limited="true" frictionloss=".4"/><geom size=".05" pos=".3 0 0"/>
      <body name="hand" pos=".5 0 0"><joint name="wrist" type="ball" range="0 2" limited="true" damping=".1"/><geom size=".05" pos=".1 0 -.1"/></body>
    </body>
    <body name="twin" pos="-1 1 1"><joint name="twin" axis="0 1 0"/><geom size=".05" pos=".3 0 0"/></body>
    <body name="cart" pos="-2 1 1"><joint name="cart" type="slide" axis="1 0 0"/><geom size=".05"/></body>
    <body name="hanging" pos="-1 -1 1.05"><freejoint/><geom size=".05"/></body>
  </worldbody>
  <equality><joint name="same" joint1="shoulder" joint2="twin"/><connect name="hook" body1="hanging" anchor="0 0 .1"/></equality>
  <tendon><fixed name="pull" frictionloss=".2" range="-.1 .01" limited="true"><joint joint="cart" coef="1"/><joint joint="twin" coef=".5"/></fixed></tendon>
</mujoco>"""


def every_kind(**options):
    """A Model and Data with rows of each kind, moving. options: opt_ fields."""
    m = physics.load_string(EVERY_KIND)
    return _moved(m, 25, options, push=0.3)


def of_ours(name: str, steps: int, **options):
    """A model of the folder models after so many steps."""
    return _moved(physics.load(REPOSITORY / "models" / name), steps, options)


def _moved(m, steps: int, options: dict, push: float = 0.0):
    for field, value in options.items():
        setattr(m, field, value)
    d = physics.Data(m)
    d.qvel[:] = push
    physics.step(m, d, steps)
    return m, d

"""Models for the tests of the smooth stages: well-known ones from dm_control and gymnasium, and our own mixtures."""
from __future__ import annotations

import importlib.util
from pathlib import Path

import mujoco

SUITE = ("humanoid", "cheetah", "walker", "hopper", "reacher", "cartpole", "pendulum")

# every joint type, off-centre joints and inertias, mocap, a body without joints, all camera and light modes, nested trees
MIXED = """
<mujoco>
  <option timestep="0.003" gravity="0.3 -0.2 -9.5"><flag energy="enable"/></option>
  <worldbody>
    <camera name="fix" pos="1 2 3" euler="10 20 30"/>
    <camera name="watch" mode="targetbody" target="arm" pos="2 0 1"/>
    <camera name="watchcom" mode="targetbodycom" target="arm" pos="2 1 1"/>
    <light name="sun" pos="0 0 4" dir="0.2 0.1 -1"/>
    <light name="spot" mode="targetbody" target="arm" pos="1 1 3"/>
    <light name="spotcom" mode="targetbodycom" target="arm" pos="1 -1 3"/>
    <site name="origin" pos="0.1 0.2 0.3" euler="5 6 7"/>
    <geom name="floor" type="plane" size="5 5 0.1" contype="0" conaffinity="0"/>
    <body name="paddle" mocap="true" pos="0 0 2" euler="10 0 0">
      <geom type="box" size="0.1 0.2 0.05" contype="0" conaffinity="0"/>
      <body pos="0.2 0 0.1"><geom size="0.03" contype="0" conaffinity="0"/></body>
    </body>
    <body name="base" pos="0 0 1">
      <freejoint name="base"/>
      <geom type="ellipsoid" size="0.2 0.3 0.1" pos="0.02 0.03 0.01" euler="20 10 5"/>
      <geom type="capsule" size="0.05 0.2" pos="0.1 0.1 0.1" euler="45 0 0"/>
      <camera name="track" mode="track" pos="1 0 0"/>
      <camera name="trackcom" mode="trackcom" pos="0 1 0" euler="30 0 0"/>
      <light name="track" mode="track" pos="0 0 2" dir="0 0.3 -1"/>
      <light name="trackcom" mode="trackcom" pos="0 1 2"/>
      <body name="shoulder" pos="0.3 0 0.1" euler="0 30 0">
        <joint name="ball" type="ball" pos="0.02 -0.01 0.03" damping="0.2" stiffness="1.5"/>
        <geom type="capsule" size="0.04 0.2" pos="0 0 0.2" euler="0 10 0"/>
        <site name="tip" pos="0 0 0.4" euler="1 2 3"/>
        <body name="arm" pos="0 0.02 0.4">
          <joint name="h1" axis="1 0.2 0" pos="0.01 0 0" damping="0.1 0.03 0.02" stiffness="2 0.5 0.3" springref="20" armature="0.02" ref="15"/>
          <joint name="s1" type="slide" axis="0 0.3 1" pos="0 0.1 0" damping="0.3" stiffness="30" springref="0.05" ref="0.1"/>
          <geom type="box" size="0.05 0.1 0.15" pos="0.01 0 0.1" euler="0 0 20"/>
          <camera name="onbody" pos="0 0.1 0.2" euler="0 90 0"/>
        </body>
      </body>
      <body name="leg" pos="-0.3 0 -0.1">
        <joint name="h2" axis="0 1 0" frictionloss="0"/>
        <joint name="h3" axis="0 0 1" pos="0 0 0.1" range="-1 1"/>
        <geom type="cylinder" size="0.05 0.15"/>
        <body name="foot" pos="0 0 -0.3">
          <geom type="sphere" size="0.06"/>
          <body name="toe" pos="0.1 0 0"><joint name="h4" axis="0 1 0"/><geom type="capsule" size="0.02 0.05"/></body>
        </body>
      </body>
    </body>
    <body name="cart" pos="2 0 0">
      <joint name="sx" type="slide" axis="1 0 0"/>
      <joint name="sy" type="slide" axis="0 1 0"/>
      <geom type="box" size="0.1 0.1 0.1"/>
      <body name="spinner" pos="0 0 0.5"><joint name="b2" type="ball"/><geom type="ellipsoid" size="0.1 0.2 0.3" pos="0.1 0 0"/></body>
    </body>
    <body name="slab" pos="-2 0 1"><freejoint name="slab"/><geom type="box" size="0.1 0.2 0.3"/></body>
    <body name="stone" pos="-2 2 1">
      <joint name="stone" type="free" stiffness="3" damping="0.05"/>
      <geom type="box" size="0.1 0.2 0.3" pos="0.1 0.05 0.02" euler="10 20 30"/>
    </body>
    <body name="puck" pos="-3 0 1"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/>
      <geom size="0.1"/></body>
  </worldbody>
</mujoco>
"""

# fixed tendons (deadband, polynomial, armature) and actuators of every supported kind on every transmission
DRIVEN = """
<mujoco>
  <option timestep="0.002"/>
  <compiler autolimits="true"/>
  <worldbody>
    <body name="a" pos="0 0 1">
      <joint name="j1" axis="0 1 0" damping="0.1" actuatorfrcrange="-0.8 0.9"/>
      <geom type="capsule" size="0.04 0.2" pos="0.2 0 0"/>
      <body name="b" pos="0.4 0 0">
        <joint name="j2" axis="0 1 0"/>
        <geom type="capsule" size="0.04 0.2" pos="0.2 0 0"/>
        <body name="c" pos="0.4 0 0">
          <joint name="j3" axis="1 0 0" stiffness="1"/>
          <joint name="j4" type="slide" axis="0 0 1" damping="0.5"/>
          <geom type="capsule" size="0.03 0.1"/>
          <body name="d" pos="0 0 0.2"><joint name="ball" type="ball" damping="0.01"/><geom type="box" size="0.1 0.05 0.02"/></body>
        </body>
      </body>
    </body>
    <body name="e" pos="2 0 1"><freejoint name="free"/><geom type="box" size="0.1 0.2 0.3"/></body>
    <body name="f" pos="3 0 1"><freejoint name="off"/><geom type="box" size="0.1 0.2 0.3" pos="0.05 0.1 0" euler="10 20 30"/></body>
  </worldbody>
  <tendon>
    <fixed name="t1" stiffness="20" damping="0.3" springlength="-0.1 0.2"><joint joint="j1" coef="0.7"/><joint joint="j2" coef="-0.4"/></fixed>
    <fixed name="t2" stiffness="5 2 1" damping="0.1 0.2 0.3" armature="0.05">
      <joint joint="j4" coef="1.2"/><joint joint="j1" coef="0.3"/><joint joint="j3" coef="-0.5"/></fixed>
    <fixed name="t3" actuatorfrcrange="-0.5 0.6"><joint joint="j2" coef="1"/></fixed>
  </tendon>
  <actuator>
    <motor joint="j1" gear="3" ctrlrange="-1 1"/>
    <motor joint="j1" gear="-2"/>
    <position joint="j2" kp="20" kv="2" forcerange="-5 5"/>
    <position joint="j3" kp="10" timeconst="0.05"/>
    <velocity joint="j4" kv="3" gear="1.5"/>
    <intvelocity joint="j1" kp="4" actrange="-0.7 0.7"/>
    <damper joint="j2" kv="0.5" ctrlrange="0 2"/>
    <general joint="j3" dyntype="integrator" gainprm="2" biastype="affine" biasprm="0.1 -0.2 -0.3" actearly="true"/>
    <general joint="j4" dyntype="filter" dynprm="0.03" gaintype="affine" gainprm="1 0.2 0.3"/>
    <general joint="j2" dyntype="filterexact" dynprm="0.02" gainprm="1.5" actlimited="true" actrange="-0.3 0.4" actearly="true"/>
    <general joint="ball" gear="0.3 0.2 0.1 0 0 0" gainprm="1" biastype="affine" biasprm="0 0 -0.5"/>
    <position joint="ball" kp="3" gear="0 1 0 0 0 0"/>
    <intvelocity joint="ball" kp="2" gear="0 0.5 1 0 0 0"/>
    <general jointinparent="ball" gear="0.3 0.2 0.1 0 0 0"/>
    <general joint="free" gear="1 2 3 0.1 0.2 0.3" gainprm="2" biastype="affine" biasprm="0.5 0 -0.4"/>
    <general jointinparent="off" gear="1 0 0 0.1 0.2 0.3" biastype="affine" biasprm="0 0 -0.2"/>
    <motor tendon="t1" gear="2"/>
    <position tendon="t2" kp="5" kv="1"/>
    <motor tendon="t3" gear="4"/>
    <general tendon="t3" gainprm="3" biastype="affine" biasprm="0.2 -1 -0.1"/>
    <general joint="j1" group="3" gainprm="5" biastype="affine" biasprm="1 -1 -1"/>
    <general joint="j2" armature="0.01" damping="0.2" gear="2"/>
    <general joint="j3" armature="0.02" damping="0.1"/>
    <general joint="j3" armature="0.03" damping="0.2 0.1 0.05" gear="0.5"/>
    <general tendon="t1" armature="0.02" damping="0.1"/>
    <general tendon="t1" armature="0.01" damping="0.05 0.02 0.01" gear="1.5"/>
  </actuator>
</mujoco>
"""

# spatial tendons: plain, wrapped both ways and held inside, branched by pulleys, with springs, armature and actuators
STRUNG = """
<mujoco>
  <option timestep="0.0002"/>
  <worldbody>
    <site name="w0" pos=".1 .2 1.2"/><site name="w1" pos="-.3 .1 .9"/><geom name="wg" type="sphere" size=".07" pos="0 .15 1"/>
    <body name="a" pos="0 0 1" quat="1 .1 .2 0">
      <joint name="a" axis="0 1 .1" damping=".1"/><geom name="ag" size=".08" mass="1"/><site name="a0" pos=".15 .1 0"/>
      <body name="b" pos=".3 0 0">
        <joint name="b" type="ball" damping=".05"/><geom name="bg" type="cylinder" size=".06 .2" euler="10 80 0" mass=".5"/>
        <site name="b0" pos=".2 .05 .1"/><site name="b1" pos="0 .01 0"/>
        <body name="c" pos=".3 0 .1"><joint name="c" type="slide" axis="1 0 0"/><geom name="cg" size=".03" mass=".2"/><site name="c0" pos=".05 .05 .02"/></body>
      </body>
      <body name="e" pos="-.2 0 .1"><joint name="e" axis="1 0 0"/><geom name="eg" size=".05" mass=".3"/><site name="e0" pos="0 0 .07"/></body>
    </body>
    <body name="f" pos=".7 0 1"><freejoint/><geom name="fg" type="cylinder" size=".08 .1" mass="2"/><site name="f0" pos=".1 0 .05"/><site name="f1" pos="-.1 .02 0"/></body>
  </worldbody>
  <tendon>
    <spatial name="t0" stiffness="30 2" damping=".4" springlength=".1 .2"><site site="a0"/><site site="w0"/><site site="c0"/></spatial>
    <spatial name="t1" stiffness="9" damping=".2 .1" range="0 .5"><site site="w1"/><geom geom="ag" sidesite="w0"/><site site="b0"/><geom geom="bg"/><site site="f0"/></spatial>
    <spatial name="t2" stiffness="5"><site site="w0"/><geom geom="bg" sidesite="b1"/><site site="f1"/><pulley divisor="2"/><site site="c0"/><geom geom="fg"/><site site="a0"/>
      <pulley divisor="3"/><site site="e0"/><site site="a0"/></spatial>
    <spatial name="t3" armature=".4"><site site="c0"/><site site="e0"/><pulley divisor="2"/><site site="w0"/><site site="f0"/><site site="a0"/></spatial>
    <fixed name="t4"><joint joint="a" coef="1"/><joint joint="c" coef="2"/></fixed>
    <spatial name="t5"><site site="a0"/><geom geom="wg" sidesite="w1"/><site site="w0"/></spatial>
    <spatial name="t6"><site site="w0"/><site site="w1"/></spatial>
  </tendon>
  <actuator>
    <motor tendon="t0" gear="2"/><position tendon="t1" kp="20" kv="1"/><motor tendon="t2" gear="-3"/><motor tendon="t3" armature=".1"/>
    <motor tendon="t5"/>
    <general site="a0" gear="1 2 3 .1 .2 .3" biastype="affine" biasprm="0 0 -.1"/>
    <general site="f0" gear="0 0 1 .3 0 0" biastype="affine" biasprm="0 0 -.1"/><general site="w0" gear="1 1 1 1 1 1"/>
    <general site="c0" refsite="e0" gear="1 -2 3 .1 .2 .3"/><general site="b0" refsite="f1" gear="1 2 3 0 0 0"/><general site="c0" refsite="w1" gear="0 0 0 1 2 3"/>
    <general cranksite="c0" slidersite="e0" cranklength=".9" gear="2" biastype="affine" biasprm="0 0 -.2"/><general cranksite="f0" slidersite="b0" cranklength=".01" gear="-1"/>
    <general cranksite="a0" slidersite="w1" cranklength="2"/>
  </actuator>
</mujoco>
"""


def suite_path(name: str) -> str:
    """File of a dm_control suite model, or of gymnasium's ant."""
    if name == "ant":
        root = importlib.util.find_spec("gymnasium").submodule_search_locations[0]
        return str(Path(root) / "envs" / "mujoco" / "assets" / "ant.xml")
    root = importlib.util.find_spec("dm_control").submodule_search_locations[0]
    return str(Path(root) / "suite" / f"{name}.xml")


def official(name: str) -> mujoco.MjModel:
    """The official model of a name in NAMES."""
    if name in OWN:
        return mujoco.MjModel.from_xml_string(OWN[name])
    return mujoco.MjModel.from_xml_path(suite_path(name))


OWN = {"mixed": MIXED, "driven": DRIVEN, "strung": STRUNG}
NAMES = (*SUITE, "ant", *OWN)

"""Small models that together have something in every whole-number field of a Model: what files with hostile numbers are made from."""
from __future__ import annotations

import physics
from tests.physics.everything import everything

_CUBE = " ".join(f"{x} {y} {z}" for x in (-.1, .1) for y in (-.1, .1) for z in (-.1, .1))
_TRIANGLES = "0 1 3 0 3 2 4 6 7 4 7 5 0 4 5 0 5 1 2 3 7 2 7 6 0 2 6 0 6 4 1 5 7 1 7 3"
_HEIGHTS = "0 0 0 0 .5 0 0 0 1"

ASSETS = f"""<mujoco model="assets"><size nuserdata="3" nuser_geom="2"/>
<asset>
  <texture name="sky" type="skybox" builtin="gradient" width="4" height="4"/><texture name="t" type="2d" builtin="checker" width="8" height="8"/>
  <material name="m" texture="t"/><mesh name="cube" vertex="{_CUBE}" face="{_TRIANGLES}" texcoord="{' '.join('0 1' for _ in range(8))}"/>
  <mesh name="wedge" vertex="0 0 0 .3 0 0 0 .3 0 0 0 .3"/><hfield name="hill" nrow="3" ncol="3" size="1 1 .2 .1" elevation="{_HEIGHTS}"/>
</asset>
<deformable><skin name="skin" material="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 2 0 2 3" texcoord="0 0 1 0 0 1 1 1">
  <bone body="crate" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1" vertweight="1 1"/>
  <bone body="wedge" bindpos="0 0 0" bindquat="1 0 0 0" vertid="2 3" vertweight="1 .5"/></skin></deformable>
<worldbody>
  <light name="sun" mode="targetbody" target="crate" pos="0 0 3"/><light pos="1 0 3" texture="sky" type="image"/>
  <geom name="floor" type="plane" size="3 3 .1" pos="0 0 -.3" material="m"/><geom name="hill" type="hfield" hfield="hill"/>
  <camera name="eye" pos="0 -2 1" mode="targetbody" target="crate" resolution="4 3"/>
  <body name="crate" pos="0 0 .5"><freejoint/><geom name="crate" type="mesh" mesh="cube" material="m" user="1 2"/><site name="mesh" type="mesh" mesh="wedge"/></body>
  <body name="wedge" pos=".1 0 .8"><freejoint/><geom name="wedge" type="mesh" mesh="wedge"/><geom name="can" type="cylinder" size=".05 .1"/><site name="s" size=".2"/></body>
  <body name="ball" pos=".4 0 .5"><freejoint/><geom name="ball" size=".1"/><geom name="egg" type="ellipsoid" size=".1 .05 .07"/></body>
  <body name="box" pos="-.4 0 .5"><freejoint/><geom name="box" type="box" size=".1 .1 .1" condim="6"/><geom name="pill" type="capsule" size=".05 .1" condim="1"/></body>
</worldbody>
<contact><pair geom1="ball" geom2="floor" condim="4"/><pair geom1="crate" geom2="wedge"/><exclude body1="ball" body2="box"/></contact>
<equality><distance geom1="ball" geom2="box" distance=".6"/><connect site1="mesh" site2="s"/></equality>
<sensor><rangefinder camera="eye" data="dist normal"/><tactile mesh="cube" geom="crate"/><user dim="2" objtype="body" objname="crate"/>
  <contact geom1="crate" num="3" reduce="netforce" data="found force torque"/><contact subtree1="wedge"/><contact site="s"/></sensor>
<custom><numeric name="n" data="1 2"/><text name="t" data="words"/>
  <tuple name="u"><element objtype="body" objname="crate"/><element objtype="geom" objname="ball"/></tuple></custom>
<keyframe><key name="k" time="1"/></keyframe></mujoco>"""

HEAP = """<mujoco model="heap"><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="3 3 .1"/>""" + "".join(
    f'<body pos="{.25 * (k % 8)} {.25 * (k // 8)} .1"><freejoint/><geom size=".1" type="{("sphere", "box")[k % 2]}"/></body>'.replace(
        'size=".1" type="box"', 'size=".1 .1 .1" type="box"') for k in range(48)) + "</worldbody></mujoco>"

CHAIN = """<mujoco model="chain"><option integrator="discrete" cone="elliptic" jacobian="sparse"/><worldbody>""" + "".join(
    f'<body pos="0 0 {.05 if k else 2}"><joint type="hinge" axis="{k % 2} {1 - k % 2} 0" range="-60 60"/><geom type="capsule" size=".01 .02" mass=".01"/>'
    for k in range(60)) + "</body>" * 60 + "</worldbody></mujoco>"


def hostile_models() -> list[physics.Model]:
    """The models, compiled."""
    return [physics.load_string(text) for text in (everything().replace('tolerance="0" ls_tolerance="0" ', ""), ASSETS, HEAP, CHAIN)]

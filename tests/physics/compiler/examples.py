# ruff: noqa: E501  (MJCF, one element per line where it helps)
"""Small models that together use everything the compiler knows; each must come out as the official one."""
from types import MappingProxyType

JOINTS = """
<mujoco>
  <compiler angle="radian"/>
  <default>
    <joint damping=".3" armature=".02"/>
    <default class="stiff"><joint stiffness="4 .5" limited="true" range="-1 2"/>
      <default class="stiffer"><joint frictionloss=".1" solimplimit=".8" solreffriction="-10 -2"/></default>
    </default>
    <geom friction=".7 .01"/>
  </default>
  <worldbody>
    <body name="free" pos="0 0 3" quat="1 2 3 4"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
    <body name="old" pos="1 0 3" euler=".1 .2 .3"><joint type="free" damping="2"/><geom type="capsule" size=".1 .2" pos=".1 0 0"/>
      <body><joint type="ball" range="0 1" springdamper=".1 1"/><geom size=".1" fromto="0 0 0 0 0 -.5" type="capsule"/></body></body>
    <body childclass="stiff" pos="0 2 1"><joint name="a" axis="0 1 1" ref=".3" springref="-.2"/><geom size=".1"/>
      <body pos=".3 0 0" axisangle="0 0 2 .5"><joint class="stiffer" type="slide" axis="2 0 0" pos=".1 0 0" actuatorfrcrange="-3 4"/>
        <joint class="stiffer" axis="0 1 0" damping="1 2 3" margin=".01" group="3" user="1 2"/><geom type="ellipsoid" size=".1 .2 .3" mass="2"/></body></body>
    <body pos="5 0 0"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><geom size=".1"/></body>
    <body pos="6 0 0"><geom size=".1"/><body><joint type="slide" axis="0 0 1"/><joint axis="0 0 1"/><geom type="cylinder" size=".1 .2"/></body></body>
    <body pos="7 0 0" mocap="true"><geom size=".1"/><body pos="0 1 0"><geom type="plane" size="1 1 1"/></body></body>
  </worldbody>
</mujoco>"""

ORIENTATIONS = """
<mujoco model="turns">
  <compiler eulerseq="XyZ" autolimits="false" boundmass=".01"/>
  <size nuser_geom="3" nuser_body="2" njmax="50" nconmax="20" nuserdata="4"/>
  <default><geom density="500" rgba="1 0 0 1"/><site rgba="0 1 0 1" size=".1"/>
    <default class="turned"><geom euler="10 20 30" type="box" size=".1 .2 .3"/></default></default>
  <worldbody>
    <geom type="plane" size="0 3 .1" zaxis="0 1 1"/>
    <body name="b" xyaxes="1 1 0 -1 2 1" user="4"><joint/>
      <geom class="turned" pos=".1 .2 .3" user="1 2"/><geom zaxis="0 0 -1" size=".2"/>
      <geom type="cylinder" size=".1" fromto="0 0 0 1 2 3"/><geom class="turned" quat="0 1 0 0"/>
      <site name="s" euler="30 0 90" type="box" size=".1 .2"/><site fromto="0 0 1 0 0 0" type="capsule" size=".02"/>
      <site pos="1 2 3" zaxis="1 0 0"/>
    </body>
    <body pos="0 0 2"><joint axis="1 0 0"/><inertial pos=".1 .2 .3" mass="2" fullinertia="1 2 2.5 .1 -.2 .3"/><geom size=".1"/></body>
    <body pos="0 0 3"><joint axis="1 0 0"/><inertial pos="0 0 0" quat="1 1 0 0" mass="2" diaginertia="1 2 2.5"/></body>
    <body pos="0 0 4"><joint axis="1 0 0"/><geom size=".1" shellinertia="true"/><geom type="box" size=".1 .2 .3" shellinertia="true" pos="1 0 0"/></body>
    <body pos="0 0 5"><joint axis="1 0 0"/><geom type="capsule" size=".1 .3" shellinertia="true"/></body>
    <body pos="0 0 6"><joint axis="1 0 0"/><geom type="cylinder" size=".1 .3" shellinertia="true"/></body>
    <body pos="0 0 7"><joint axis="1 0 0"/><geom type="ellipsoid" size=".1 .3 .2" shellinertia="true"/></body>
    <body pos="0 0 8"><body pos="1 0 0"/></body>
  </worldbody>
</mujoco>"""

INERTIAS = """
<mujoco>
  <compiler inertiafromgeom="true" inertiagrouprange="1 2" settotalmass="10" balanceinertia="true" angle="radian" alignfree="true"/>
  <worldbody>
    <body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom size=".1" group="1"/><geom size=".5" group="0"/></body>
    <body pos="0 0 1"><freejoint align="true"/><geom size=".1" group="1" pos="1 0 0"/><geom type="box" size=".1 .2 .3" group="2" euler=".1 .2 .3"/>
      <site pos="1 1 1"/><camera pos="0 1 0"/><light pos="0 0 1" dir="1 0 -1"/></body>
    <body pos="0 0 2"><freejoint align="false"/><geom size=".1" group="1" pos="1 0 0"/></body>
    <body pos="0 0 3"><freejoint/><geom type="capsule" size=".1 .2" group="1" pos="0 1 0" euler="1 0 0"/></body>
    <body pos="0 0 4"><joint/><geom type="box" size=".1 .1 .1" group="1" pos="1 0 0"/><geom type="box" size=".1 .1 .1" group="1" pos="-1 0 0"/></body>
    <body pos="0 0 5"><joint/><geom type="box" size=".1 .2 .3" group="1" pos="0 0 1"/><geom type="box" size=".1 .2 .3" group="1" pos="0 0 -1"/></body>
    <body pos="0 0 6"><joint/><geom group="1" type="capsule" size=".04" fromto=".1 .2 .3 .4 .4 .1"/><geom group="1" type="capsule" size=".05" fromto="-.3 .2 .1 0 0 0"/>
      <geom group="2" size=".1" pos=".3 -.2 .1"/></body>
  </worldbody>
</mujoco>"""

ACTUATORS = """
<mujoco>
  <default><general ctrlrange="-1 1" gear="2"/>
    <default class="p"><position kp="7" dampratio="1" timeconst=".1"/></default>
    <default class="v"><velocity kv="3"/></default>
    <default class="g"><general gainprm="7 3 2" biasprm="1 2 3" dynprm="4 5" dyntype="filter"/></default>
  </default>
  <worldbody>
    <body><joint name="h" range="-40 60"/><geom size=".1"/><body pos="1 0 0"><joint name="b" type="ball"/><geom size=".2" pos=".1 0 0"/></body></body>
    <body pos="0 0 3" euler="10 20 30"><freejoint name="f"/><geom size=".1" pos=".1 .2 .3"/></body>
    <body pos="0 0 5"><joint name="s" type="slide" range="1 2" ref=".4" springref="1"/><geom size=".1"/></body>
  </worldbody>
  <tendon><fixed name="t" stiffness="3" range="0 1" armature=".1" damping="1 2"><joint joint="h" coef="2"/><joint joint="s" coef="-1"/></fixed>
    <fixed springlength=".2" frictionloss=".3" user="3"><joint joint="s" coef="1"/></fixed></tendon>
  <actuator>
    <motor joint="h"/><motor class="g" joint="h" ctrllimited="false" group="2"/><motor joint="b" gear="1 2 3"/><motor jointinparent="f" gear="1 2 3 4 5 6"/>
    <position class="p" joint="h"/><position class="g" joint="s"/><position joint="s" kp="3" kv="2" inheritrange=".5" ctrlrange="0 0"/><velocity class="v" joint="s"/>
    <velocity class="g" joint="s"/><general class="p" joint="h"/><general class="v" tendon="t"/><general class="g" tendon="t" actrange="-1 1" actearly="true"/>
    <motor tendon="t" armature=".2" damping=".3"/><motor joint="s" armature=".1" forcerange="-1 2" user="1 2 3"/><intvelocity joint="h" actrange="-1 1"/>
    <position joint="h" dampratio=".5" kp="20"/><position tendon="t" dampratio=".5" kp="20"/><general joint="h" dyntype="integrator" biastype="affine" biasprm="0 -1"/>
    <damper joint="h" kv="2" ctrlrange="0 1"/><cylinder joint="h" timeconst=".2" area="3" bias="1 2 3"/>
  </actuator>
  <keyframe><key name="k" time="2" ctrl="1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"/><key qvel="1 2 3 4 5 6 7 8 9 10 11"/></keyframe>
</mujoco>"""

SENSORS = """
<mujoco>
  <worldbody>
    <camera name="c" pos="0 -1 1" resolution="64 48"/><site name="w"/>
    <body name="a"><joint name="h" range="-40 60"/><geom name="g" size=".1"/><site name="s"/>
      <body name="b" pos="1 0 0"><joint name="ball" type="ball" range="0 40"/><geom name="g2" type="box" size=".2 .1 .1"/><site name="s2" pos=".1 0 0"/></body></body>
  </worldbody>
  <tendon><fixed name="t" range="0 1"><joint joint="h" coef="2"/></fixed></tendon>
  <actuator><motor name="m" joint="h"/></actuator>
  <sensor>
    <touch site="s" cutoff="3"/><accelerometer name="acc" site="s" noise=".1" user="1 2"/><velocimeter site="s"/><gyro site="s"/><force site="s"/><torque site="s"/>
    <magnetometer site="s"/><rangefinder site="s"/><rangefinder camera="c" data="dist normal"/><camprojection site="s" camera="c"/>
    <jointpos joint="h"/><jointvel joint="h"/><tendonpos tendon="t"/><tendonvel tendon="t"/><actuatorpos actuator="m"/><actuatorvel actuator="m"/>
    <actuatorfrc actuator="m"/><jointactuatorfrc joint="h"/><tendonactuatorfrc tendon="t"/><ballquat joint="ball"/><ballangvel joint="ball"/>
    <jointlimitpos joint="ball"/><jointlimitvel joint="h"/><jointlimitfrc joint="h"/><tendonlimitpos tendon="t"/><tendonlimitvel tendon="t"/><tendonlimitfrc tendon="t"/>
    <framepos objtype="body" objname="b" reftype="site" refname="s"/><framequat objtype="xbody" objname="b"/><framexaxis objtype="geom" objname="g"/>
    <frameyaxis objtype="camera" objname="c"/><framezaxis objtype="site" objname="s"/><framelinvel objtype="body" objname="a"/><frameangvel objtype="body" objname="a"/>
    <framelinacc objtype="body" objname="a"/><frameangacc objtype="body" objname="a"/><subtreecom body="a"/><subtreelinvel body="a"/><subtreeangmom body="a"/>
    <insidesite site="s" objtype="body" objname="b"/><distance geom1="g" geom2="g2" cutoff="1"/><normal body1="a" geom2="g2" cutoff="1"/><fromto geom1="g" body2="b" cutoff="1"/>
    <contact geom1="g" num="3" data="found force dist" reduce="mindist"/><contact site="s" body2="b"/><contact subtree1="a" data="pos"/><contact/>
    <e_potential/><e_kinetic/><clock/><user dim="3" objtype="body" objname="a" datatype="axis" needstage="vel"/><user dim="2"/>
    <jointpos joint="h" nsample="4" delay=".01" interp="linear"/><jointvel joint="h" interval=".1 -.05"/>
  </sensor>
  <contact><exclude body1="b" body2="a"/><exclude name="x" body1="world" body2="b"/><exclude body1="a" body2="world"/></contact>
  <custom><numeric name="n" data="1 2 3" size="5"/><numeric name="o" data="4"/><text name="t" data="hello"/>
    <tuple name="u"><element objtype="body" objname="a" prm="2"/><element objtype="geom" objname="g2"/></tuple></custom>
</mujoco>"""

SCENE = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep=".001" gravity="1 2 3" integrator="implicitfast" cone="elliptic" impratio="3" iterations="7" tolerance="1e-5" wind="0 0 1"
          actuatorgroupdisable="0 3" jacobian="sparse" o_solref=".1" noslip_tolerance="1e-3"><flag energy="enable" contact="disable" eulerdamp="disable"/></option>
  <option timestep=".003"><flag energy="enable" warmstart="disable"/></option>
  <visual><global fovy="30" azimuth="10" offwidth="800"/><quality shadowsize="1024"/><headlight ambient=".3 .3 .3" active="true"/><map znear=".05"/><scale com=".5"/>
    <rgba haze=".1 .2 .3 1"/></visual>
  <statistic extent="3" center="1 2 3" meanmass="2"/>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="32" height="192"/>
    <texture name="grid" type="2d" builtin="checker" rgb1=".1 .2 .3" rgb2=".2 .3 .4" width="30" height="40" mark="edge" markrgb=".8 .8 .8"/>
    <texture name="flat" type="cube" builtin="flat" rgb1=".1 .2 .3" rgb2="1 1 1" width="17" mark="cross" markrgb="1 0 0"/>
    <texture name="dots" type="skybox" builtin="gradient" width="24" height="24" mark="random" markrgb="1 1 1" random=".05"/>
    <texture name="grad" type="2d" builtin="gradient" rgb1="1 0 0" rgb2="0 0 1" width="20" height="16"/>
    <texture name="chk" builtin="checker" width="9" colorspace="sRGB"/>
    <material name="m" texture="grid" texrepeat="5 6" texuniform="true" reflectance=".2"/><material name="n" rgba="1 0 0 1" emission=".1" shininess=".3" metallic=".5"/>
  </asset>
  <default><camera fovy="50"/><light diffuse=".1 .2 .3"/></default>
  <worldbody>
    <light name="l" pos="1 2 3" dir="1 1 -1" directional="true" castshadow="false"/><light mode="targetbody" target="b" type="point" attenuation="1 2 3" cutoff="30" exponent="3"/>
    <geom type="plane" size="3 3 .1" material="m" castshadow="false"/>
    <body name="b" pos="0 0 1" euler=".1 .2 .3" gravcomp=".5"><freejoint/><geom type="box" size=".1 .1 .2" material="n" rgba="1 2 3 4" surfacevel="1 2 3" priority="2" solmix="3" condim="6" gap=".1" margin=".2"/>
      <camera name="c" pos="1 0 0" mode="targetbodycom" target="b" resolution="640 480" sensorsize=".01 .008" focal=".02 .02" principal=".001 .001"/>
      <camera mode="trackcom" xyaxes="0 1 0 0 0 1" projection="orthographic" user="3"/><camera resolution="640 480" sensorsize=".01 .008" focalpixel="800 800" principalpixel="3 4"/>
      <light mode="track" dir="0 1 -1" intensity="100" range="5" softness=".1"/><geom type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid" fluidcoef="1 2"/>
      <geom type="capsule" size=".1 .3" fluidshape="ellipsoid" mass="0" pos="1 2 3"/>
    </body>
  </worldbody>
</mujoco>"""

SLEEP = """
<mujoco>
  <worldbody>
    <body sleep="allowed"><freejoint/><geom size=".1"/></body><body sleep="never"><freejoint/><geom size=".1"/></body><body><joint name="x"/><geom size=".1"/></body>
    <body simple="false" pos="2 0 0"><freejoint/><geom size=".1"/></body><body pos="3 0 0"><joint name="y" type="slide" axis="0 0 1"/><geom size=".1"/><geom size=".2"/></body>
    <body pos="4 0 0"><joint name="z" type="slide" axis="1 0 0"/><geom size=".1"/></body>
  </worldbody>
  <tendon><fixed stiffness="1"><joint joint="y" coef="1"/><joint joint="z" coef="2"/></fixed><fixed><joint joint="z" coef="1"/><joint joint="x" coef="2"/></fixed></tendon>
  <actuator><motor joint="x"/></actuator>
</mujoco>"""

EMPTY = "<mujoco/>"

EXAMPLES = MappingProxyType({
    "joints": JOINTS, "orientations": ORIENTATIONS, "inertias": INERTIAS, "actuators": ACTUATORS, "sensors": SENSORS, "scene": SCENE,
    "sleep": SLEEP, "empty": EMPTY,
})

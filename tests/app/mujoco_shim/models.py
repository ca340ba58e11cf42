"""Small models with which functions are compared."""
from types import MappingProxyType

ARM = """
<mujoco model="arm">
  <option timestep="0.002"/>
  <worldbody>
    <light name="lamp" pos="0 0 3"/>
    <camera name="look" pos="0 -2 1" xyaxes="1 0 0 0 0 1"/>
    <geom name="floor" type="plane" size="2 2 0.1"/>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" type="ball" damping="0.1"/>
      <geom name="upper" type="capsule" fromto="0 0 0 0.3 0 0" size="0.04"/>
      <body name="lower" pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0" range="-2 2" limited="true" armature="0.01"/>
        <geom name="lower" type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
        <site name="hand" pos="0.3 0 0"/>
      </body>
    </body>
  </worldbody>
  <tendon><fixed name="wire"><joint joint="elbow" coef="0.5"/></fixed></tendon>
  <actuator>
    <position name="bend" joint="elbow" kp="20"/>
    <motor name="pull" tendon="wire" gear="3"/>
  </actuator>
  <sensor><jointpos name="angle" joint="elbow"/><accelerometer name="felt" site="hand"/></sensor>
  <keyframe><key name="bent" qpos="1 0 0 0 0.5" ctrl="0.2 0.1"/></keyframe>
</mujoco>
"""
CONTACTS = """
<mujoco model="contacts">
  <worldbody>
    <geom name="floor" type="plane" size="2 2 0.1"/>
    <body name="box" pos="0 0 0.095"><freejoint name="free"/><geom name="box" type="box" size="0.1 0.1 0.1" mass="0.5"/></body>
    <body name="ball" pos="0.5 0 0.099"><freejoint/><geom name="ball" size="0.1"/></body>
    <body name="put" mocap="true" pos="0 1 0.5"><geom type="box" size="0.1 0.1 0.1"/></body>
    <body name="slide" pos="-0.5 0 0.2"><joint name="slide" type="slide" axis="1 0 0" frictionloss="0.2"/><geom name="cube" type="box" size="0.05 0.05 0.05"/></body>
  </worldbody>
  <equality><joint joint1="slide" polycoef="0.01 0 0 0 0"/></equality>
</mujoco>
"""
MODELS = MappingProxyType({"arm": ARM, "contacts": CONTACTS})

SCENERY = """
<mujoco model="scenery">
  <visual><global offwidth="400" offheight="300"/></visual>
  <asset>
    <texture name="check" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 1 0" width="32" height="32"/>
    <material name="tiles" texture="check" texrepeat="3 3" rgba="0.9 0.8 0.7 1"/>
    <material name="shiny" specular="0.9" emission="0.3"/>
    <mesh name="corner" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="hill" nrow="3" ncol="3" size="1 1 0.1 0.1" elevation="0 0 0 0 1 0 0 0 0"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="3 3 0.1" material="tiles"/>
    <geom name="hill" type="hfield" hfield="hill" pos="3 0 0"/>
    <site name="post" pos="0 0 1"/>
    <camera name="front" pos="0 -4 2" xyaxes="1 0 0 0 1 2"/>
    <camera name="flat" pos="0 -4 2" xyaxes="1 0 0 0 1 2" projection="orthographic" fovy="4"/>
    <camera name="lens" pos="0 -4 2" xyaxes="1 0 0 0 1 2" sensorsize="0.01 0.02" focal="0.01 0.02" principal="0.001 0.002" resolution="4 3"/>
    <body name="piece" pos="0 0 1"><joint type="hinge" axis="0 1 0"/>
      <geom name="corner" type="mesh" mesh="corner" material="shiny"/><geom type="capsule" size="0.1 0.2"/><site name="tip"/>
      <geom name="ball" size="0.1" rgba="1 0 0 0.5" material="tiles" pos="0 -0.4 0"/></body>
    <body name="box" pos="-1 0 0.05" euler="0 0 40"><freejoint/><geom name="box" type="box" size="0.1 0.2 0.1"/></body>
    <body name="put" mocap="true" pos="1 1 0.5"><geom type="cylinder" size="0.1 0.1"/></body>
  </worldbody>
  <tendon><spatial name="rope"><site site="post"/><site site="tip"/></spatial></tendon>
</mujoco>
"""

"""One model with a little of everything that moves: for what must hold whatever is switched on or off, and however often it is run."""
from __future__ import annotations

__all__ = ["EVERYTHING", "everything"]

EVERYTHING = """<mujoco>
  <option timestep=".004" density="5" viscosity=".3" wind="1 -.5 .2" tolerance="0" ls_tolerance="0" o_margin=".02" o_solref=".03 .8" o_solimp=".7 .9 .01 .4 3"
    o_friction=".3 .4 .01 .002 .003" {option}><flag {flag}/></option>
  <worldbody>
    <geom name="floor" type="plane" size="4 4 .1"/>
    <site name="wall" pos="-.5 0 1.4"/><site name="hook" pos="0 1.2 1.3"/>
    <camera name="eye" pos="0 -3 1" xyaxes="1 0 0 0 .3 1"/>
    <body name="hand" mocap="true" pos="2 2 .3"><geom size=".1"/></body>
    <body name="pelvis" pos="0 0 1.1" gravcomp=".4">
      <joint name="lift" type="slide" axis="0 0 1" damping="3 .5" stiffness="40 5" springref=".05" frictionloss=".2"/>
      <joint name="yaw" axis="0 .1 1" damping=".1"/>
      <geom name="pelvis" type="capsule" size=".09 .12" euler="0 90 0"/><site name="hip" pos=".1 .05 -.02"/>
      <body name="thigh" pos=".14 0 -.05">
        <joint name="swing" type="ball" damping=".05" stiffness=".6" range="0 40"/>
        <geom name="thigh" type="capsule" size=".07 .12" pos="0 0 -.15" fluidshape="ellipsoid"/>
        <geom name="pulley" type="cylinder" size=".04 .1" euler="90 0 0" pos="0 0 -.15" mass="0" contype="0" conaffinity="0"/><site name="knee" pos="0 .06 -.3"/>
        <body name="shin" pos="0 0 -.33">
          <joint name="bend" axis="0 1 0" range="-20 5" damping=".1" armature=".01" frictionloss=".05" solreflimit=".003 1" actuatorfrcrange="-2 3"/>
          <geom name="shin" type="capsule" size=".05 .13" pos="0 0 -.18"/><geom name="heel" size=".06" pos="0 0 -.36"/><site name="foot" pos=".02 0 -.36" size=".1"/>
        </body>
      </body>
      <body name="tail" pos="-.16 0 0"><joint name="wag" axis="0 1 0" range="-60 60" stiffness="2" damping=".02"/>
        <geom name="tail" type="capsule" size=".03" fromto="0 0 0 -.3 0 -.1"/><site name="tip" pos="-.3 0 -.1"/></body>
    </body>
    <body name="stone" pos=".7 0 .095" gravcomp=".2"><freejoint name="stone"/><geom name="stone" size=".1" condim="4" priority="1" solref=".001 1"/></body>
    <body name="crate" pos="1.1 0 .11" euler="0 0 20"><freejoint name="crate"/><geom name="crate" type="box" size=".1 .12 .115" condim="6" friction=".8 .02 .01"/>
      <geom name="knob" size=".04" pos="0 0 .13"/><site name="lid" pos="0 0 .12"/></body>
    <body name="plate" pos="1.1 0 .345"><freejoint name="plate"/><geom name="plate" type="box" size=".2 .15 .02" pos="0 0 -.03"/>
      <geom name="rim" type="capsule" size=".03" fromto="-.15 .1 .05 .15 .1 .05"/></body>
    <body name="boat" pos="0 1 .6"><freejoint name="boat"/><geom name="boat" type="ellipsoid" size=".2 .1 .07" fluidshape="ellipsoid" contype="0" conaffinity="0"/>
      <site name="mast" pos="0 0 .1"/></body>
    <body name="rod" pos="-1 0 .8"><joint name="rod" axis="0 1 0"/><geom size=".05" pos=".2 0 0" contype="0" conaffinity="0"/><site name="end" pos=".3 0 0"/>
      <body name="flag" pos=".3 0 0"><joint name="flag" axis="0 0 1"/><geom type="box" size=".1 .01 .05" pos=".1 0 0" contype="0" conaffinity="0"/></body></body>
    <body name="gear" pos="-1 1 .8"><joint name="gear" axis="0 1 0"/><geom size=".08" contype="0" conaffinity="0"/></body>
  </worldbody>
  <tendon>
    <spatial name="ham" stiffness="20" damping=".5" springlength=".2 .3"><site site="hip"/><geom geom="pulley" sidesite="knee"/><site site="foot"/></spatial>
    <spatial name="rope" range="0 .5" limited="true" frictionloss=".1" armature=".05"><site site="hook"/><site site="mast"/></spatial>
    <spatial name="block"><site site="wall"/><site site="tip"/><pulley divisor="2"/><site site="wall"/><site site="end"/></spatial>
    <fixed name="pair" stiffness="3" springlength="-.1 .1" damping=".1 .05"><joint joint="rod" coef="1"/><joint joint="gear" coef="-.7"/></fixed>
  </tendon>
  <equality>
    <connect body1="boat" body2="gear" anchor=".2 0 .1" solref=".05 1"/><weld body1="flag" body2="gear" torquescale=".5" solref=".08 1"/>
    <joint joint1="rod" joint2="gear" polycoef="0 .6 .1 0 0"/><tendon tendon1="pair" tendon2="block" polycoef=".2 .5 0 0 0"/>
  </equality>
  <actuator>
    <muscle name="ham" tendon="ham" lengthrange=".3 .6" force="40"/><general name="lift" joint="lift" dyntype="filterexact" dynprm=".05" gainprm="30" ctrlrange="-1 1"/>
    <position name="bend" joint="bend" kp="20" kv=".5" ctrlrange="-.3 .1" nsample="4" delay=".01" interp="linear"/><velocity name="yaw" joint="yaw" kv=".4"/>
    <intvelocity name="wag" joint="wag" kp="3" actrange="-1 1"/><damper name="rod" joint="rod" kv=".6" ctrlrange="0 2"/>
    <motor name="block" tendon="block" gear="2" ctrlrange="-.5 .5"/><general name="thrust" site="mast" gear="1 0 .5 0 .1 0" gainprm="3" biastype="affine" biasprm=".1 0 -.2"/>
    <general name="pull" site="tip" refsite="hip" gear="1 0 1 0 0 0" gainprm="2"/><adhesion name="grip" body="crate" ctrlrange="0 1" gain="5"/>
    <pid name="gear" joint="gear" kp="2" kv=".1" ki="1"/><dcmotor name="flag" joint="flag" motorconst=".05" resistance="2" inductance=".01"/>
    <orientation name="aim" joint="swing" kp="1" kv=".05"/><general name="crank" cranksite="end" slidersite="wall" cranklength="1.5" gear=".3"/>
    <motor name="off" joint="rod" group="3"/>
  </actuator>
  <sensor>
    <touch site="foot"/><accelerometer site="hip" cutoff="50"/><velocimeter site="lid"/><gyro site="mast"/><force site="hip"/><torque site="knee"/><magnetometer site="tip"/>
    <rangefinder site="mast"/><camprojection site="tip" camera="eye"/><jointpos joint="bend"/><jointvel joint="lift"/><tendonpos tendon="ham"/><tendonvel tendon="rope"/>
    <actuatorpos actuator="ham"/><actuatorvel actuator="pull"/><actuatorfrc actuator="ham"/><jointactuatorfrc joint="bend"/><tendonactuatorfrc tendon="block"/>
    <ballquat joint="swing"/><ballangvel joint="swing"/><jointlimitpos joint="bend"/><jointlimitvel joint="bend"/><jointlimitfrc joint="bend"/>
    <tendonlimitpos tendon="rope"/><tendonlimitvel tendon="rope"/><tendonlimitfrc tendon="rope"/><framepos objtype="geom" objname="heel" reftype="body" refname="crate"/>
    <framequat objtype="site" objname="tip"/><framelinvel objtype="body" objname="shin" reftype="body" refname="tail"/><framelinacc objtype="body" objname="crate"/>
    <frameangacc objtype="site" objname="foot"/><subtreecom body="pelvis"/><subtreelinvel body="pelvis"/><subtreeangmom body="pelvis"/>
    <insidesite site="foot" objtype="geom" objname="heel"/>
    <distance geom1="stone" geom2="crate" cutoff="1"/><normal geom1="stone" geom2="heel" cutoff="2"/><fromto geom1="stone" geom2="heel" cutoff="2"/>
    <contact geom1="floor" num="2" data="found force dist" reduce="mindist"/><e_potential/><e_kinetic/><clock/>
    <jointvel joint="yaw" nsample="5" delay=".012" interp="linear"/>
  </sensor>
</mujoco>"""


def everything(option: str = "", flag: str = "") -> str:
    """Its text, with attributes of `option` and of its `flag`."""
    return EVERYTHING.format(option=option, flag=flag)

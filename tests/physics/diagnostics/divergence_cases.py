"""Models that diverge, each for one known reason: mechanisms as people build them, with one value that is wrong."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import physics
from physics import enums
from physics.diagnostics.divergence import culprit as kinds
from tests.oracle.corpus import entry

ARM = """
<mujoco>
  <option timestep="{h}" integrator="{integrator}"/>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping="1" range="-2 2"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".04" mass="{upper}"/>
      <body name="fore" pos=".4 0 0"><joint name="elbow" axis="0 1 0" damping="1" range="-2.5 2.5"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1.5"/>
        <body name="hand" pos=".3 0 0"><joint name="wrist" axis="0 1 0" damping="{wristdamping}" range="-1.5 1.5"/><geom type="capsule" fromto="0 0 0 .1 0 0" size=".02" mass="{hand}"/></body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="shoulder_servo" joint="shoulder" kp="200" kv="5"/><position name="elbow_servo" joint="elbow" kp="100" kv="3"/>
    <position name="wrist_servo" joint="wrist" kp="{kp}" kv="{kv}"/>
  </actuator>
</mujoco>"""
ARM_VALUES = dict(h=0.002, integrator="Euler", upper=3, hand=0.3, kp=30, kv=0.1, wristdamping=0.1)

CAR = """
<mujoco>
  <option timestep="{h}"/>
  <worldbody>
    <geom name="road" type="plane" size="20 20 .1"/>
    <body name="chassis" pos="0 0 .12"><freejoint/><geom type="box" size=".2 .12 .04" mass="5"/>
      <body name="left" pos="0 .15 -.02"><joint name="left_axle" axis="0 1 0"/><geom type="cylinder" size=".1 .02" euler="90 0 0" mass="{wheel}"/></body>
      <body name="right" pos="0 -.15 -.02"><joint name="right_axle" axis="0 1 0"/><geom type="cylinder" size=".1 .02" euler="90 0 0" mass="{wheel}"/></body>
      <geom type="sphere" pos="-.15 0 -.07" size=".05" friction="0.01 .005 .0001"/>
    </body>
  </worldbody>
  <actuator><velocity name="left_drive" joint="left_axle" kv="{kv}"/><velocity name="right_drive" joint="right_axle" kv=".2"/></actuator>
</mujoco>"""

FLAP = """
<mujoco>
  <option timestep="{h}" integrator="{integrator}">{flag}</option>
  <worldbody>
    <body name="wing" pos="0 0 1"><joint name="root" axis="0 1 0" stiffness="20" damping=".5"/><geom type="box" size=".3 .1 .01" pos=".3 0 0" mass="{wing}"/>
      <body name="flap" pos=".6 0 0"><joint name="hinge" axis="0 1 0" stiffness="{stiffness}" damping="{damping}"/><geom type="box" size=".08 .1 .005" pos=".08 0 0" mass=".1"/></body>
      <body name="tab" pos=".3 .1 0"><joint name="tab_hinge" axis="1 0 0" stiffness="2" damping=".02"/><geom type="box" size=".05 .05 .005" pos="0 .05 0" mass=".05"/></body>
    </body>
  </worldbody>
</mujoco>"""
FLAP_VALUES = dict(h=0.002, integrator="Euler", flag="", wing=2, stiffness=1, damping=0.01)

FINGER = """
<mujoco>
  <option timestep="{h}"/>
  <worldbody>
    <site name="base" pos="-.05 0 .02"/>
    <body name="proximal"><joint name="mcp" axis="0 1 0" range="-1.6 .2" damping=".05" stiffness=".1"/><geom type="capsule" fromto="0 0 0 .05 0 0" size=".008" mass="{link}"/><site name="pulley1" pos=".04 0 -.015"/>
      <body name="middle" pos=".05 0 0"><joint name="pip" axis="0 1 0" range="-1.6 .2" damping=".02" stiffness=".05"/><geom type="capsule" fromto="0 0 0 .03 0 0" size=".007" mass=".02"/><site name="pulley2" pos=".02 0 -.012"/>
        <body name="distal" pos=".03 0 0"><joint name="dip" axis="0 1 0" range="-1.6 .2" damping=".01" stiffness=".02"/><geom type="capsule" fromto="0 0 0 .02 0 0" size=".006" mass=".01"/><site name="end" pos=".015 0 -.01"/></body>
      </body>
    </body>
  </worldbody>
  <tendon><spatial name="flexor" stiffness="{stiffness}" damping="{damping}" springlength="{rest}"><site site="base"/><site site="pulley1"/><site site="pulley2"/><site site="end"/></spatial>
    <fixed name="coupling" stiffness=".1" damping=".001"><joint joint="pip" coef="1"/><joint joint="dip" coef="-1"/></fixed></tendon>
  <actuator><motor name="pull" tendon="flexor" gear="-1" ctrlrange="0 10"/></actuator>
</mujoco>"""
FINGER_VALUES = dict(h=0.002, link=0.04, stiffness=50, damping=0.5, rest=-1)

PROBE = """
<mujoco>
  <option timestep="{h}">{flag}</option>
  <worldbody>
    <geom name="plate" type="plane" size=".2 .2 .01" priority="1" solref="{solref}"/>
    <body name="holder" pos="0 0 .2"><joint name="feed" type="slide" axis="0 0 1" range="-.05 .05" damping="20"/><geom type="box" size=".05 .05 .02" mass="2" contype="0" conaffinity="0"/>
      <body name="probe" pos="0 0 -.1"><joint name="stroke" type="slide" axis="0 0 1" stiffness="200" damping=".2" springref="-.1"/><geom name="tip" type="sphere" size=".02" mass="{tip}"/></body></body>
  </worldbody>
  <actuator><position name="feed" joint="feed" kp="2000" kv="50"/></actuator>
</mujoco>"""

CART = """
<mujoco>
  <option timestep="{h}">{flag}</option>
  <worldbody>
    <body name="cart" pos="0 0 1"><joint name="rail" type="slide" axis="1 0 0" range="-1 1" damping=".5"/><geom type="box" size=".1 .08 .05" mass="{cart}"/>
      <body name="pole"><joint name="pivot" axis="0 1 0" {range} solreflimit="{solref}" solimplimit="{solimp}" damping=".0001"/><geom type="capsule" fromto="0 0 0 0 0 .5" size=".02" mass=".2"/></body>
    </body>
  </worldbody>
  <actuator>{actuator}</actuator>
</mujoco>"""
PUSH, FREE_PUSH = (f'<motor name="push" joint="rail" ctrlrange="-10 10" ctrllimited="{limited}"/>' for limited in ("true", "false"))
WRONG_SIGN = '<general name="push" joint="pivot" gainprm="20" biastype="affine" biasprm="0 20 5"/>'
CART_VALUES = dict(h=0.002, flag="", cart=1, solref=".02 1", solimp=".9 .95 .001 .5 2", actuator=PUSH, range='range="-20 20"')

FOURBAR = """
<mujoco>
  <option timestep="{h}">{flag}</option>
  <worldbody>
    <body name="crank" pos="0 0 1"><joint name="crank" axis="0 1 0" damping=".01"/><geom type="capsule" fromto="0 0 0 0 0 .1" size=".01" mass="{crank}" contype="0" conaffinity="0"/>
      <body name="coupler" pos="0 0 .1"><joint name="coupler" axis="0 1 0" damping=".01"/><geom type="capsule" fromto="0 0 0 .3 0 .1" size=".01" mass=".2" contype="0" conaffinity="0"/></body>
    </body>
    <body name="rocker" pos=".3 0 1"><joint name="rocker" axis="0 1 0" damping=".01"/><geom type="capsule" fromto="0 0 0 0 0 .2" size=".01" mass=".2" contype="0" conaffinity="0"/></body>
  </worldbody>
  <equality><connect name="pin" body1="coupler" body2="rocker" anchor=".3 0 .1" solref="{solref}"/></equality>
  <actuator><motor name="drive" joint="crank" gear="1"/></actuator>
</mujoco>"""

HAMMER = """
<mujoco>
  <option timestep="{h}">{flag}</option>
  <worldbody>
    <body name="mocap" mocap="true" pos="0 0 1"/>
    <body name="tool" pos="0 0 1.02"><freejoint/><geom name="tool" type="box" size=".02 .02 .1" mass="{tool}"/>
      <body name="clapper" pos="0 0 -.1"><joint name="clapper" axis="1 0 0" damping=".01"/><geom type="sphere" size=".03" pos="0 0 -.05" mass=".1"/></body></body>
  </worldbody>
  <equality><weld name="grip" body1="mocap" body2="tool" solref="{solref}"/></equality>
</mujoco>"""

CRANE = """
<mujoco>
  <option timestep="{h}"/>
  <worldbody>
    <body name="trolley" pos="0 0 3"><joint name="rail" type="slide" axis="1 0 0" stiffness="2e4" damping="100"/><geom type="box" size=".3 .3 .1" mass="1000"/>
      <body name="hoist"><joint name="hoist" type="slide" axis="0 0 1" stiffness="2e4" damping="10"/><geom type="box" size=".05 .05 .05" mass="{hook}" pos="0 0 -1"/></body></body>
  </worldbody>
</mujoco>"""

SWIMMER = """
<mujoco>
  <option timestep="{h}" density="1000" viscosity="{viscosity}"/>
  <worldbody>
    <body name="hull" pos="0 0 0"><freejoint/><geom type="capsule" fromto="-.1 0 0 .1 0 0" size=".03" mass=".5"/>
      <body name="fin" pos="-.1 0 0"><joint name="fin" axis="0 0 1" stiffness="{k}"/><geom type="box" size=".05 .002 .05" pos="-.05 0 0" mass="{fin}"/></body></body>
  </worldbody>
  <actuator><motor name="flap" joint="fin" gear=".05"/></actuator>
</mujoco>"""

CHAIN = """
<mujoco>
  <option timestep="{h}" integrator="{integrator}"/>
  <default><joint axis="0 1 0" stiffness="{k}" damping="{c}"/><geom type="capsule" fromto="0 0 0 .15 0 0" size=".03" mass=".5" contype="0" conaffinity="0"/></default>
  <worldbody><body name="l0" pos="0 0 2"><joint name="j0"/><geom/><body name="l1" pos=".15 0 0"><joint name="j1"/><geom/><body name="l2" pos=".15 0 0"><joint name="j2"/><geom/>
    <body name="l3" pos=".15 0 0"><joint name="j3"/><geom/><body name="l4" pos=".15 0 0"><joint name="j4"/><geom/><body name="l5" pos=".15 0 0"><joint name="j5"/><geom/></body></body></body></body></body></body>
  </worldbody>
</mujoco>"""

BRICK = """
<mujoco>
  <option timestep="{h}"><flag gravity="disable"/></option>
  <worldbody><body name="brick" pos="0 0 1"><freejoint/><geom type="box" size=".3 .1 .02" mass="1"/>
      <body name="lid" pos=".1 0 .03"><joint name="lid" axis="0 1 0" stiffness="20" damping=".1"/><geom type="box" size=".05 .05 .005" mass=".05" pos=".05 0 0" contype="0" conaffinity="0"/></body></body></worldbody>
  <keyframe><key name="spin" qpos="0 0 1 1 0 0 0 0" qvel="0 0 0 {spin} {spin} {spin} 0"/></keyframe>
</mujoco>"""

PULLER = """
<mujoco>
  <option timestep="{h}"/>
  <worldbody>
    <body name="arm" pos="0 0 1"><joint name="elbow" axis="0 1 0" range="-1.5 1.5" damping=".05"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass="{arm}"/></body>
  </worldbody>
  <tendon><fixed name="biceps_path"><joint joint="elbow" coef="-.04"/></fixed><fixed name="triceps_path"><joint joint="elbow" coef=".04"/></fixed></tendon>
  <actuator>{biceps}
    <muscle name="triceps" tendon="triceps_path" lengthrange="-.06 .06" force="{other}"/></actuator>
</mujoco>"""

LEG = """
<mujoco>
  <option timestep="{h}" integrator="{integrator}">{flag}</option>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="trunk" pos="0 0 1"><geom type="box" size=".2 .1 .05" mass="4"/><site name="anchor" pos=".1 0 0"/>
      <body name="thigh" pos="0 0 -.05"><joint name="hip" type="ball" damping=".2" stiffness="{ball}"/><geom type="capsule" fromto="0 0 0 0 0 -.25" size=".03" mass=".6"/><site name="thigh" pos="0 0 -.2"/>
        <body name="shank" pos="0 0 -.25"><joint name="knee" axis="0 1 0" damping="{c}" frictionloss="{loss}" solreffriction="{solreffriction}" range="0 140"/><geom type="capsule" fromto="0 0 0 0 0 -.25" size=".02" mass="{shank}"/>
          <body name="foot" pos="0 0 -.25"><joint name="ankle" axis="0 1 0" damping=".05" range="-40 40"/><geom type="box" size=".06 .03 .01" pos=".02 0 0" mass=".1"/></body></body></body></body>
  </worldbody>
  <tendon><spatial name="hamstring" limited="true" range="0 {length}" solreflimit="{solreflimit}"><site site="anchor"/><site site="thigh"/></spatial></tendon>
  <equality><joint name="parallel" joint1="ankle" joint2="knee" polycoef="0 -.3 0 0 0" solref="{solref}"/></equality>
  <actuator><position name="knee_servo" joint="knee" kp="{kp}" dampratio="{ratio}"/><damper name="brake" joint="ankle" kv="{brake}" ctrlrange="0 1"/></actuator>
</mujoco>"""
LEG_VALUES = dict(h=0.002, integrator="Euler", flag="", ball=1, c=0.1, loss=0, solreffriction=".02 1", shank=0.4, length=1, solreflimit=".02 1", solref=".02 1", kp=40, ratio=0.5, brake=0.01)

KITE = """
<mujoco>
  <option timestep="{h}" density="1.2" wind="{wind} 0 0"/>
  <worldbody>
    <body name="mast" pos="0 0 2"><joint name="mast" axis="0 1 0" stiffness="50" damping="1"/><geom type="capsule" fromto="0 0 0 0 0 1" size=".03" mass="2"/>
      <body name="sail" pos="0 0 1"><joint name="sail" axis="0 1 0" stiffness=".1"/><geom type="box" size=".002 .5 .5" pos="0 0 .5" mass="{sail}"/></body></body>
  </worldbody>
</mujoco>"""

PRESS = """
<mujoco>
  <option timestep="{h}"/>
  <worldbody>
    <geom name="anvil" type="box" size=".2 .2 .1" pos="0 0 .1" solref="{solref}"/>
    <body name="die" pos="0 0 {z}"><joint name="die" type="slide" axis="0 0 1" range="-.3 .3" damping="1"/><geom name="die" type="box" size=".1 .1 .1" mass="2"/></body>
  </worldbody>
  <actuator><position name="ram" joint="die" kp="2000" kv="40"/></actuator>
</mujoco>"""


@dataclass(frozen=True)
class Case:
    """make(factor): the Model, with masses and the like times about `factor` (1: as written). kinds: what it may be called; elements: names of elements, one of which has to be
    named first (none: the model as a whole). control(m, d): called before each step; start(m, d): once; seconds until which it has to have diverged."""

    name: str
    make: Callable[[float], physics.Model]
    kinds: tuple[str, ...]
    elements: tuple[str, ...] = ()
    control: Callable | None = None
    start: Callable | None = None
    seconds: float = 20.0


def text(template: str, defaults: dict | None = None, **values) -> Callable[[float], physics.Model]:
    """A Model of a template. Values that are functions take the factor."""
    def make(factor: float) -> physics.Model:
        found = {name: value(factor) if callable(value) else value for name, value in {**(defaults or {}), **values}.items()}
        return physics.load_string(template.format(**found))
    return make


def corpus(name: str, change: Callable[[physics.Model, float], None]) -> Callable[[float], physics.Model]:
    """A model of the corpus, changed."""
    def make(factor: float) -> physics.Model:
        m = physics.load(entry(name).path)
        change(m, factor)
        return m
    return make


def at(when: float, write: Callable) -> Callable:
    """A control that writes from a time on."""
    def control(m, d) -> None:
        if d.time >= when - 1e-9:
            write(m, d)
    return control


def reach(m, d) -> None:
    """Targets of servos that move."""
    d.ctrl[:] = 0.5 * np.sin(3 * d.time)


def sway(m, d) -> None:
    """A push to and fro."""
    d.ctrl[:] = 10 * np.sin(5 * d.time)


def sway_all(m, d) -> None:
    """All controls to and fro."""
    d.ctrl[:] = np.sin(5 * d.time)


def close(m, d) -> None:
    """Constant controls."""
    d.ctrl[:] = 1.0


def _gain(name: str, times: float) -> Callable:
    def change(m, factor: float) -> None:
        number = m.id("actuator", name)
        m.actuator_gainprm[number] = m.actuator_gainprm[number] * times * factor
        m.actuator_biasprm[number] = m.actuator_biasprm[number] * times * factor
    return change


def _longer(times: float) -> Callable:
    def change(m, factor: float) -> None:
        m.opt_timestep = m.opt_timestep * times * factor
    return change


def _set(name: str, value) -> Callable:
    def write(m, d) -> None:
        getattr(d, name)[:] = value
    return write


def _feed_back(m, d) -> None:
    """A script that adds to the motion."""
    d.qfrc_applied[0] = 400 * d.qvel[0] + 0.1


def _on_joint(field: str, name: str, value: float) -> Callable:
    def change(m, factor: float) -> None:
        getattr(m, field)[m.jnt_dofadr[m.id("joint", name)]] = value * factor
    return change


def _all_geoms(m, factor: float) -> None:
    m.geom_solref[:] = (-1e8 * factor, -2e4)


def _hot_loop(m, d) -> None:
    """A controller in a script, with a gain that is too high for the time step."""
    d.ctrl[0] = -1e6 * (d.qpos[0] - 0.1) - 10 * d.qvel[0]


def _spin(m, d) -> None:
    physics.reset(m, d, 0)


FAULTY = ("humanoid", "wonik_allegro", "trs_so_arm100", "dmc_quadruped", "dmc_fish", "dmc_walker", "gymnasium_ant", "shadow_hand", "agility_cassie", "robotiq_2f85", "google_barkour_vb", "dmc_cheetah")


def spring(m, rng) -> tuple[tuple[str, ...], str]:
    """A joint whose spring is 20 to 500 times too stiff."""
    j = int(rng.choice(np.flatnonzero(np.asarray(m.jnt_type) >= enums.JointType.SLIDE)))
    m.jnt_stiffness[j] = rng.uniform(20, 500) * 4 / (m.opt_timestep ** 2 * m.dof_invweight0[m.jnt_dofadr[j]])
    m.qpos_spring[m.jnt_qposadr[j]] += 0.01
    return (kinds.STIFFNESS,), m.name("joint", j)


def negative_damping(m, rng) -> tuple[tuple[str, ...], str]:
    """A joint that is damped with the wrong sign."""
    j = int(rng.choice(np.flatnonzero(np.asarray(m.jnt_type) >= enums.JointType.SLIDE)))
    k = m.jnt_dofadr[j]
    m.dof_damping[k] = -rng.uniform(0.05, 0.5) / (m.opt_timestep * m.dof_invweight0[k])
    return (kinds.SIGN,), m.name("joint", j)


def servo(m, rng) -> tuple[tuple[str, ...], str]:
    """An actuator on a joint that is made a servo, 20 to 500 times too stiff."""
    i = int(rng.choice(np.flatnonzero(np.asarray(m.actuator_trntype) == enums.TransmissionType.JOINT)))
    gain = rng.uniform(20, 500) * 4 / (m.opt_timestep ** 2 * m.dof_invweight0[m.jnt_dofadr[m.actuator_trnid[i, 0]]]) / float(m.actuator_gear[m.actuator_outadr[i], 0]) ** 2
    m.actuator_gainprm[i, :3], m.actuator_biasprm[i, :3] = (gain, 0, 0), (0, -gain, 0)
    with m.writing("actuator_gaintype") as gains, m.writing("actuator_biastype") as biases, m.writing("actuator_forcelimited") as limited:
        gains[i], biases[i], limited[i] = enums.GAIN_FIXED, enums.BIAS_AFFINE, 0
    with m.writing("jnt_actfrclimited") as limited:
        limited[:] = 0
    return (kinds.GAIN,), m.name("actuator", i)


FAULTS = (spring, negative_damping, servo)


def faulty(seed: int) -> Case:
    """A model of the corpus with a fault chosen by chance."""
    rng = np.random.default_rng(seed)
    name = FAULTY[seed % len(FAULTY)]
    m = physics.load(entry(name).path)
    servos = enums.TransmissionType.JOINT in np.asarray(m.actuator_trntype)
    fault = FAULTS[int(rng.integers(len(FAULTS) if servos else len(FAULTS) - 1))]
    wanted, element = fault(m, rng)
    return Case(f"{name} {seed}: {fault.__name__} {element}", lambda _factor: m, wanted, (element,), sway_all, None, 5.0)


NO_REFSAFE, NO_EULERDAMP, NO_CLAMP = '<flag refsafe="disable"/>', '<flag eulerdamp="disable"/>', '<flag clampctrl="disable"/>'
FILTER = '<general name="biceps" tendon="biceps_path" dyntype="filter" dynprm="{}" gainprm="50" biastype="none"/>'

CASES: tuple[Case, ...] = (
    Case("servo with kp 1e6 on a wrist", text(ARM, ARM_VALUES, kp=1e6, hand=lambda f: 0.3 * f), (kinds.GAIN,), ("wrist_servo",), reach),
    Case("servo with kv 500 on a wrist", text(ARM, ARM_VALUES, kv=500, hand=lambda f: 0.3 * f), (kinds.GAIN,), ("wrist_servo",), reach),
    Case("wheel with a velocity servo of kv 50", text(CAR, h=0.002, kv=50, wheel=lambda f: 0.1 * f), (kinds.GAIN,), ("left_drive",), close),
    Case("stiff spring of a flap", text(FLAP, FLAP_VALUES, stiffness=1e5, wing=lambda f: 2 * f), (kinds.STIFFNESS,), ("hinge",)),
    Case("damping of a flap under RK4", text(FLAP, FLAP_VALUES, integrator="RK4", damping=20, wing=lambda f: 2 * f), (kinds.DAMPING,), ("hinge",)),
    Case("damping of a flap without eulerdamp", text(FLAP, FLAP_VALUES, flag=NO_EULERDAMP, damping=20, wing=lambda f: 2 * f), (kinds.DAMPING,), ("hinge",)),
    Case("damping of a finger's tendon", text(FINGER, FINGER_VALUES, damping=lambda f: 2000 * f), (kinds.DAMPING,), ("flexor",), close),
    Case("stiffness of a finger's tendon", text(FINGER, FINGER_VALUES, stiffness=lambda f: 1e6 * f, rest=0.09), (kinds.STIFFNESS,), ("flexor",), close),
    Case("sprung probe on a stiff plate, direct form", text(PROBE, h=0.002, flag="", solref="-1e8 -1e4", tip=lambda f: 0.1 * f), (kinds.CONSTRAINT,), ("plate", "tip")),
    Case("sprung probe on a plate with 1e-4 s without refsafe", text(PROBE, h=0.002, flag=NO_REFSAFE, solref=".0001 1", tip=lambda f: 0.1 * f), (kinds.CONSTRAINT,), ("plate", "tip")),
    Case("four-bar linkage with a stiff connect", text(FOURBAR, h=0.002, flag="", solref="-1e7 -1e4", crank=lambda f: 0.1 * f), (kinds.CONSTRAINT,), ("pin",), close),
    Case("weld to a mocap body without refsafe", text(HAMMER, h=0.002, flag=NO_REFSAFE, solref=".0002 1", tool=lambda f: 0.5 * f), (kinds.CONSTRAINT,), ("grip",)),
    Case("limit of a pole, direct form", text(CART, CART_VALUES, solref="-1e8 -5e3", cart=lambda f: 1.0 * f), (kinds.CONSTRAINT,), ("pivot",), sway),
    Case("hand of 3e-6 kg on an arm", text(ARM, ARM_VALUES, hand=lambda f: 3e-6 * f, wristdamping=0), (kinds.INERTIA,), ("hand",), reach),
    Case("hook of 1e-3 kg under a trolley of 1000 kg", text(CRANE, h=0.002, hook=lambda f: 1e-3 * f), (kinds.INERTIA,), ("hoist",)),
    Case("light fin in a viscous medium", text(SWIMMER, h=0.002, viscosity=50, k=0, fin=lambda f: 1e-4 * f), (kinds.MEDIUM,), ("fin",), close),
    Case("chain with springs at a time step of 0.05 s", text(CHAIN, h=lambda f: 0.05 * f, integrator="Euler", k=20, c=0.05), (kinds.TIMESTEP,)),
    Case("chain under RK4 at a time step of 0.05 s", text(CHAIN, h=lambda f: 0.05 * f, integrator="RK4", k=20, c=0.5), (kinds.TIMESTEP,)),
    Case("control of 1e9 from a script", text(CART, CART_VALUES, actuator=FREE_PUSH, cart=lambda f: 1.0 * f), (kinds.CONTROL,), ("push",), at(0.3, _set("ctrl", 1e9))),
    Case("controller with a hot gain in a script", text(CART, CART_VALUES, actuator=FREE_PUSH, cart=lambda f: 0.1 * f), (kinds.CONTROL,), ("push",), _hot_loop),
    Case("xfrc_applied that is no number", text(FOURBAR, h=0.002, flag="", solref=".02 1", crank=lambda f: 0.1 * f), (kinds.INPUT,), ("rocker",), at(0.2, lambda m, d: d.xfrc_applied[3].fill(np.nan))),
    Case("xfrc_applied of 1e9 N", text(FOURBAR, h=0.002, flag="", solref=".02 1", crank=lambda f: 0.1 * f), (kinds.FORCE,), ("rocker",), at(0.2, lambda m, d: d.xfrc_applied[3].__setitem__(0, 1e9))),
    Case("servo with the wrong sign", text(CART, CART_VALUES, actuator=WRONG_SIGN, cart=lambda f: 1.0 * f, range=""), (kinds.SIGN,), ("push",), sway),
    Case("brick that spins fast", text(BRICK, h=0.005, spin=lambda f: 300 * f), (kinds.ROTATION,), ("brick",), start=_spin),
    Case("activation filter of 5e-4 s", text(PULLER, h=0.002, arm=lambda f: 1.0 * f, biceps=FILTER.format("5e-4"), other=100), (kinds.ACTIVATION,), ("biceps",), close),
    Case("die that begins inside a stiff anvil", text(PRESS, h=0.002, z=0.25, solref="-1e12 -100"), (kinds.OVERLAP, kinds.CONSTRAINT), ("die", "anvil")),
    # the rules were made by looking at the cases above and the corpus cases below; those from here to there were written afterwards
    Case("servo of kp 3e5 at a knee under implicitfast", text(LEG, LEG_VALUES, integrator="implicitfast", kp=3e5, ratio=0, shank=lambda f: 0.4 * f), (kinds.GAIN,), ("knee_servo",), reach),
    Case("ball joint with a stiffness of 1e6", text(LEG, LEG_VALUES, ball=1e6, shank=lambda f: 0.4 * f), (kinds.STIFFNESS,), ("hip",), reach),
    Case("dampratio without armature under RK4 at 0.02 s", text(LEG, LEG_VALUES, h=lambda f: 0.02 * f, integrator="RK4", kp=2000, ratio=2), (kinds.GAIN, kinds.TIMESTEP), ("knee_servo", "brake"), reach),
    Case("coupled joints, direct form", text(LEG, LEG_VALUES, solref="-1e8 -1e4", shank=lambda f: 0.4 * f), (kinds.CONSTRAINT,), ("parallel",), reach),
    Case("limit of a tendon, direct form", text(LEG, LEG_VALUES, solreflimit="-1e8 -2e4", length=0.2, shank=lambda f: 0.4 * f), (kinds.CONSTRAINT,), ("hamstring",), reach),
    Case("dry friction without refsafe", text(LEG, LEG_VALUES, loss=1e12, solreffriction="1e-5 1", flag=NO_REFSAFE, shank=lambda f: 0.4 * f), (kinds.CONSTRAINT,), ("knee",), reach),
    Case("damper with kv 500 at an ankle", text(LEG, LEG_VALUES, brake=500, shank=lambda f: 0.4 * f), (kinds.GAIN,), ("brake",), close),
    Case("sail of 2 g in a gale", text(KITE, h=0.002, wind=60, sail=lambda f: 2e-3 * f), (kinds.MEDIUM,), ("sail",)),
    Case("script that feeds back", text(CART, CART_VALUES, range="", cart=lambda f: 1.0 * f), (kinds.FORCE, kinds.SIGN), ("rail",), _feed_back),
    Case("corpus: humanoid with negative damping at a knee", corpus("humanoid", _on_joint("dof_damping", "knee_right", -30)), (kinds.SIGN, kinds.DAMPING), ("knee_right",)),
    Case("corpus: ant with stiff contacts, direct form", corpus("gymnasium_ant", _all_geoms), (kinds.CONSTRAINT,), (), sway_all),
    Case("corpus: rodent at 20 times its time step", corpus("dmc_rodent", _longer(20)), (kinds.TIMESTEP,), (), reach),
    Case("corpus: Cassie at 20 times its time step", corpus("agility_cassie", _longer(20)), (kinds.TIMESTEP,), (), reach),
    Case("corpus: Allegro hand with 1000 times the gain on a thumb joint", corpus("wonik_allegro", _gain("tha3", 1000)), (kinds.GAIN,), ("tha3",), reach),
    Case("corpus: quadruped with 1000 times the gain on a hip", corpus("dmc_quadruped", _gain("yaw_back_right", 1000)), (kinds.GAIN,), ("yaw_back_right",), reach),
    Case("corpus: wheeled robot with 1000 times the gain on a wheel", corpus("robot_soccer_kit", _gain("wheel3_speed", 1000)), (kinds.GAIN,), ("wheel3_speed",), reach),
)

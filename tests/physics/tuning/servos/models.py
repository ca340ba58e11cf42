"""Small models with one servo each, and how far one trace is from another."""
from __future__ import annotations

import numpy as np

import physics
from physics.model.model_copy import model_beside
from tests.oracle.corpus import corpus_file

INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast", "discrete")
ARM7 = "menagerie_kuka_iiwa_14/iiwa14.xml"

HINGE = """<mujoco><compiler angle="radian" autolimits="true"/><option timestep="{h}" integrator="{integrator}"/><worldbody>
<body><joint name="j" axis="0 1 0" {joint}/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 -.1" mass="1.2"/></body></worldbody>
<actuator>{actuator}</actuator></mujoco>"""
SLIDE = """<mujoco><compiler angle="radian" autolimits="true"/><option timestep="{h}" integrator="{integrator}"/><worldbody>
<body><joint name="j" type="slide" axis="1 0 2" {joint}/><geom size=".1" mass="2"/></body></worldbody><actuator>{actuator}</actuator></mujoco>"""

WATER = HINGE.replace("<option", '<option density="1000" viscosity=".4"')
FINS = WATER.replace('mass="1.2"/>', 'mass="1.2" fluidshape="ellipsoid"/><body pos=".3 0 -.1" euler=".4 .3 0"><geom type="ellipsoid" size=".05 .1 .01" mass=".1" fluidshape="ellipsoid"/></body>')
FIN = '<position name="a" joint="j" kp="12" kv=".1"/>'

# name -> (model, joint's attributes, actuator, control's amplitude)
CASES = {
    "position": (HINGE, 'damping=".3" armature=".01"', '<position name="a" joint="j" kp="40" kv="1.5"/>', .6),
    "spring": (HINGE, 'damping=".2" stiffness="6" springref=".4"', '<position name="a" joint="j" kp="40" kv="1.5" gear="-2.5"/>', .6),
    "forcerange": (HINGE, 'damping=".2"', '<position name="a" joint="j" kp="60" kv="3" forcerange="-4 5"/>', .9),
    "ctrlrange": (HINGE, 'damping=".2"', '<position name="a" joint="j" kp="60" kv="3" ctrlrange="-.3 .35"/>', .9),
    "joint range": (HINGE, 'damping=".2" actuatorfrcrange="-3 4"', '<position name="a" joint="j" kp="60" kv="3" gear="2"/>', .9),
    "delay": (HINGE, 'damping=".2"', '<position name="a" joint="j" kp="60" kv="3" delay=".017" nsample="9"/>', .9),
    "delay linear": (HINGE, '', '<position name="a" joint="j" kp="60" kv="3" delay=".0131" nsample="9" interp="linear" forcerange="-6 6"/>', .9),
    "delay cubic": (HINGE, '', '<position name="a" joint="j" kp="60" kv="3" delay=".0131" nsample="9" interp="cubic"/>', .9),
    "filter": (HINGE, '', '<position name="a" joint="j" kp="60" kv="3" timeconst=".05"/>', .9),
    "filter early": (HINGE, '', '<general name="a" joint="j" gainprm="40" biastype="affine" biasprm="0 -40 -2" dyntype="filter" dynprm=".04" actearly="true"/>', .9),
    "integrator": (HINGE, '', '<intvelocity name="a" joint="j" kp="40" kv="2" actrange="-.2 .25"/>', 2.),
    "velocity": (HINGE, 'damping=".4"', '<velocity name="a" joint="j" kv="5" gear="1.5"/>', 2.),
    "affine gain": (HINGE, '', '<general name="a" joint="j" gaintype="affine" gainprm="2 -20 -1.5" biastype="affine" biasprm=".5 -3 -.2"/>', 1.),
    "lent": (HINGE, 'damping=".1"', '<position name="a" joint="j" kp="40" kv="1" gear="3" armature=".004" damping=".05"/>', 1.),
    "gravcomp": (HINGE.replace("<body>", '<body gravcomp=".6">'), 'actuatorgravcomp="true" actuatorfrcrange="-3 3"', '<position name="a" joint="j" kp="40" kv="1"/>', .8),
    "muscle": (HINGE, 'damping=".1"', '<muscle name="a" joint="j" lengthrange="-1 1" force="12"/>', .8),
    "muscle smooth": (HINGE, 'damping=".1"', '<muscle name="a" joint="j" lengthrange="-.5 .8" force="12" tausmooth=".3" range=".6 1.2"/>', .8),
    "slide": (SLIDE, 'damping="3" stiffness="20"', '<position name="a" joint="j" kp="300" kv="20" forcerange="-60 90"/>', .2),
    "tendon": (SLIDE.replace("<actuator>", '<tendon><fixed name="t"><joint joint="j" coef="-1.7"/></fixed></tendon><actuator>'), 'damping="3"',
               '<position name="a" tendon="t" kp="300" kv="20" gear=".8"/>', .2),
    "medium": (WATER, 'damping=".05"', FIN, .9),
    "medium, ellipsoids": (FINS, 'damping=".05"', FIN, .9),
}


def model(case: str, integrator: str = "implicitfast", h: float = 0.002) -> physics.Model:
    """One of CASES."""
    text, joint, actuator, _amplitude = CASES[case]
    return physics.load_string(text.format(h=h, integrator=integrator, joint=joint, actuator=actuator))


def simple(actuator: str, joint: str = "", integrator: str = "implicitfast", h: float = 0.002, text: str = HINGE) -> physics.Model:
    """A hinge with this actuator."""
    return physics.load_string(text.format(h=h, integrator=integrator, joint=joint, actuator=actuator))


def arm7() -> tuple[physics.Model, physics.Data]:
    """The seven-joint arm of the corpus in a bent pose; skips where it is absent."""
    m = physics.load(corpus_file(ARM7))
    d = physics.Data(m)
    d.qpos[:7] = (.3, .6, -.4, -1.2, .5, .9, .2)
    d.ctrl[:7] = d.qpos[:7]
    return m, d


def with_tuned(m, tuned):
    """A Model with these gains."""
    new = model_beside(m)
    for t in tuned:
        new.actuator_gainprm[t.actuator, :3], new.actuator_biasprm[t.actuator, :3] = t.parameters["gainprm"], t.parameters["biasprm"]
    return new


def off(one, two) -> float:
    """Largest difference of two traces' lengths, velocities and forces, each as a share of its largest size or of 1."""
    assert one.steps == two.steps
    out = 0.0
    for name in ("time", "reference", "length", "velocity", "force"):
        a, b = getattr(one, name), getattr(two, name)
        out = max(out, float(np.abs(a - b).max()) / max(1.0, float(np.abs(b).max())))
    return out


"""Derivatives of whole steps by central differences, and the states that they are held against."""
from __future__ import annotations

import numpy as np

import physics
from physics.enums import Engine

BOX = """<mujoco><option timestep="{h}"/><worldbody><geom type="plane" size="0 0 1" friction=".5"/>
<body pos="0 0 {z}"><freejoint/><geom type="box" size=".25 .25 .25" mass="1" friction=".5"/></body></worldbody></mujoco>"""
TWO = """<mujoco><option timestep=".01"/><worldbody><geom type="plane" size="0 0 1" friction=".5"/>
<body pos="0 0 .2505"><freejoint/><geom type="box" size=".4 .4 .25" mass="2" friction=".5"/></body>
<body pos=".05 .02 .6515" euler="0 0 20"><freejoint/><geom type="box" size=".15 .15 .15" mass="1" friction=".5"/></body></worldbody></mujoco>"""
ARM = """<mujoco><option timestep=".01"/><worldbody><body><joint axis="0 1 0" range="-30 40" limited="true" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
<body pos=".3 0 0"><joint type="ball"/><geom type="capsule" size=".03" fromto="0 0 0 .2 .1 0"/>
<body pos=".2 .1 0"><joint axis="0 0 1" armature=".01" frictionloss=".02"/><geom type="box" size=".05 .03 .02"/></body></body></body></worldbody>
<actuator><position joint="{joint}" kp="5" kv=".2" timeconst=".05"/></actuator></mujoco>"""
LOOP = """<mujoco><option timestep=".01"/><default><geom contype="0" conaffinity="0"/></default><worldbody>
<body name="a"><joint axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
<body name="b" pos=".3 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 0 0 .4"/></body></body>
<body name="c" pos="0 0 .4"><joint axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/></body></worldbody>
<equality><connect body1="b" body2="c" anchor="0 0 .4"/></equality></mujoco>"""


def exact(text: str, kappa: float):
    """A model whose hard steps end exactly at kappa, and its Data."""
    m = physics.load_string(text)
    m.opt.engine = Engine.HARD
    m.opt.hard_rtol, m.opt.hard_ktol, m.opt.hard_kappa, m.opt.hard_iterations = 1e-11, 1e-12, kappa, 100
    return m, physics.Data(m)


def box(kappa, h=0.01):
    m, d = exact(BOX.format(h=h, z=0.2503), kappa)
    d.qvel[:] = 1.0, 0.3, -0.2, 0.01, 0.02, 0.3
    return m, d


def two_boxes(kappa):
    m, d = exact(TWO, kappa)
    d.qvel[:] = 0.3, 0.1, -0.1, 0.0, 0.0, 0.1, 0.2, -0.1, -0.4, 0.02, 0.01, 0.0
    return m, d


def arm_at_limit(kappa):
    m, d = exact(ARM.replace("{joint}", "j").replace('<joint axis="0 0 1"', '<joint name="j" axis="0 0 1"'), kappa)
    d.qpos[0], d.qvel[0] = np.radians(39.5), 1.0
    d.qvel[1:4], d.qvel[4], d.ctrl[0], d.act[0] = (0.3, -0.5, 0.2), 0.4, 0.3, 0.1
    return m, d


def loop(kappa):
    m, d = exact(LOOP, kappa)
    d.qvel[:] = 1.0, -1.0, 1.0
    return m, d


def end_of(m, d, qpos, qvel, act, ctrl):
    work = d.copy()
    work.qpos[:], work.qvel[:], work.act[:], work.ctrl[:] = qpos, qvel, act, ctrl
    assert physics.step(m, work) == 1 and work.hard_halved == 0
    return work.qpos.copy(), np.concatenate([work.qvel, work.act])


def columns(m, d, eps=1e-6):
    """(2 nv + na, 2 nv + na + nu): the derivative of the step by differences of whole steps."""
    start = [d.qpos.copy(), d.qvel.copy(), d.act.copy(), d.ctrl.copy()]
    out = []
    for kind, size in enumerate((m.nv, m.nv, m.na, m.nu)):
        for k in range(size):
            ends = []
            for step in (eps, -eps):
                here = [a.copy() for a in start]
                if kind:
                    here[kind][k] += step
                else:
                    here[0] = physics.integrate_pos(m, here[0], np.eye(m.nv)[k], step)
                ends.append(end_of(m, d, *here))
            out.append(np.concatenate([physics.differentiate_pos(m, ends[1][0], ends[0][0], 2 * eps), (ends[0][1] - ends[1][1]) / (2 * eps)]))
    return np.array(out).T


def judge(m, found, expected, share=1e-5, of_all=1e-7, first=0):
    """Every block within `share` of its own largest entry, or `of_all` of the matrix's. first: number of the first column among those of `columns`."""
    rows, sizes = np.cumsum([0, m.nv, m.nv, m.na]), np.cumsum([0, m.nv, m.nv, m.na, m.nu])
    cuts = np.maximum(sizes - first, 0)
    whole = np.abs(expected).max()
    for i in range(3):
        for j in range(4):
            one, two = (a[rows[i]:rows[i + 1], cuts[j]:cuts[j + 1]] for a in (found, expected))
            if one.size:
                assert np.abs(one - two).max() <= max(share * np.abs(two).max(), of_all * whole), (i, j)


def sunk_boxes(kappa):
    """Eight boxes that slide, turn and rock, a fifth of a millimetre in the floor: 32 contacts, so that positions are projected."""
    bodies = "".join(f'<body pos="{0.7 * k} 0 .2498"><freejoint/><geom type="box" size=".25 .25 .25" mass="{1 + 0.1 * k}" friction=".5"/></body>' for k in range(8))
    m, d = exact(f'<mujoco><option timestep=".01"/><worldbody><geom type="plane" size="0 0 1" friction=".5"/>{bodies}</worldbody></mujoco>', kappa)
    d.qvel[:] = np.tile([0.3, 0.1, -0.02, 0.01, 0.02, 0.3], 8)
    return m, d

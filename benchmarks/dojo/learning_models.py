"""The half-cheetah and the ant of table VI as MJCF, from the numbers of the paper's repository (github.com/dojo-sim/Dojo.jl, MIT), and what they are rewarded for."""
from __future__ import annotations

import numpy as np

from benchmarks.dojo.engines import ByEngine
from benchmarks.dojo.planning_models import option
from physics.model.data import Data
from physics.model.model import Model
from physics.optimise import State, Task

STEP = 0.05     # [s]
RADIUS = 0.046
# link, parent, its place there, pitch [rad], mass, moments (xx = yy, zz), length, range, spring, damper, gear
CHEETAH = (
    ("bthigh", "torso", -0.5, -0.658, 1.5352, 0.01525, 0.001624, 0.29, (-0.52, 1.05), 240, 6.0, 120),
    ("bshin", "bthigh", -0.29, 1.7, 1.5809, 0.0166, 0.00167, 0.29, (-0.785, 0.785), 180, 4.5, 90),
    ("bfoot", "bshin", -0.29, -1.5, 1.069, 0.005444, 0.001131, 0.188, (-0.4, 0.785), 120, 3.0, 60),
    ("fthigh", "torso", 0.5, 0.52, 1.42558, 0.01231, 0.001508, 0.266, (-1.0, 0.7), 180, 4.5, 120),
    ("fshin", "fthigh", -0.266, -1.11159, 1.17885, 0.00716, 0.00124, 0.212, (-1.2, 0.87), 120, 3.0, 60),
    ("ffoot", "fshin", -0.212, -0.1, 0.84986, 0.002899, 0.000899, 0.14, (-0.5, 0.5), 60, 1.5, 30),
)


def half_cheetah(steps: int = 1) -> str:
    """A planar runner: torso on two slides and a hinge, two legs of three links, touching by spheres at the ends of its links. (The torso's third moment of inertia is 1.0176
    there, more than a body can have; in the plane it does not matter.)"""
    def link(name: str) -> str:
        found = ""
        for child, parent, place, pitch, mass, side, along, length, (low, high), spring, damper, _gear in CHEETAH:
            if parent == name:
                pos = f"{place} 0 0" if parent == "torso" else f"0 0 {place}"
                found += f"""<body name="{child}" pos="{pos}" euler="0 {pitch} 0"><inertial pos="0 0 {-length / 2}" mass="{mass}" diaginertia="{side} {side} {along}"/>
<joint name="{child}" axis="0 1 0" range="{low} {high}" stiffness="{spring}" damping="{damper}"/><geom size="{RADIUS}" pos="0 0 {-length}"/>{link(child)}</body>"""
        return found

    motors = "".join(f'<motor joint="{row[0]}" gear="{row[-1]}"/>' for row in CHEETAH)
    return f"""<mujoco><compiler angle="radian"/>{option(STEP, steps)}<default><geom friction=".4 .005 .0001" contype="0"/></default>
<worldbody><geom type="plane" size="0 0 1" friction="0 0 0" contype="1"/><body name="torso" pos="0 0 .576509"><joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>
<joint name="pitch" axis="0 1 0"/><inertial pos="0 0 0" mass="6.36031" diaginertia=".08944 .8835 .9729"/>
<geom size="{RADIUS}" pos=".5 0 0"/><geom size="{RADIUS}" pos="-.5 0 0"/><geom size="{RADIUS}" pos=".714 0 .1935"/>{link("torso")}</body></worldbody><actuator>{motors}</actuator></mujoco>"""


def cheetah_task(engine: ByEngine) -> Task:
    """80 controls of 0.05 s; forward velocity less a tenth of the squared controls, each reward within -1 .. 1; starts a quarter metre up, with every number off by up to 0.1."""
    def reset(m: Model, d: Data, random: np.random.Generator) -> None:
        d.qpos[:] = random.uniform(-0.1, 0.1, m.nq)
        d.qpos[1] += 0.25
        d.qpos[2] += 0.02792
        d.qvel[:] = random.uniform(-0.1, 0.1, m.nv)

    def reward(m: Model, d: Data, u: np.ndarray, before: State) -> float:
        return float(d.qvel[0] - 0.1 * u @ u)

    return Task(engine.load(half_cheetah), 80, reward, reset=reset, nstep=engine.steps, clip=1.0)


SIDES = ((1, 1, "-1 1", (30, 70)), (-1, 1, "1 1", (-70, -30)), (-1, -1, "-1 1", (-70, -30)), (1, -1, "1 1", (30, 70)))
ANT = (0.5, 25.0, 50.0, 150.0)      # height of the start, spring, damper, gear


def ant(steps: int = 1) -> str:
    """A ball on four legs of two joints each, touching by its feet, its elbows and its body; touch sensors tell the normal forces."""
    legs, motors, sensors = "", "", '<touch site="body"/>'
    _height, spring, damper, gear = ANT
    for k, (sx, sy, axis, (low, high)) in enumerate(SIDES):
        def place(r: float, sx: int = sx, sy: int = sy) -> str:
            return f"{r * sx} {r * sy} 0"

        inertia = f'euler="0 0 {np.degrees(np.arctan2(sy, sx)):.17g}" diaginertia="{{0}} {{1}} {{1}}"'
        legs += f"""<body name="leg{k}" pos="{place(.2)}"><joint name="hip{k}" axis="0 0 1" range="-30 30"/>
<inertial pos="{place(.1)}" mass=".036477" {inertia.format(.000116726, .00045856)}/>
<body name="shank{k}" pos="{place(.2)}"><joint name="ankle{k}" axis="{axis} 0" range="{low} {high}"/>
<geom size=".08" type="capsule" fromto="0 0 0 {place(.2)}" mass=".036477" contype="0" conaffinity="0"/>
<geom size=".08" type="capsule" fromto="0 0 0 {place(.4)}" mass=".064911" contype="0" conaffinity="0"/>
<geom size=".08" class="touching"/><geom size=".08" pos="{place(.4)}" class="touching"/><site name="elbow{k}" size=".085"/><site name="foot{k}" pos="{place(.4)}" size=".085"/></body></body>"""
        motors += f'<motor joint="hip{k}" gear="{gear}"/><motor joint="ankle{k}" gear="{gear}"/>'
        sensors += f'<touch site="elbow{k}"/><touch site="foot{k}"/>'
    return f"""<mujoco>{option(STEP, steps)}<default><joint stiffness="{spring}" damping="{damper}"/><default class="touching"><geom friction=".5 .005 .0001" contype="0" mass="0"/></default></default>
<worldbody><geom type="plane" size="0 0 1" friction="0 0 0" conaffinity="0"/><body name="torso" pos="0 0 {ANT[0]}"><freejoint/><geom size=".25" class="touching"/><site name="body" size=".255"/>
<inertial pos="0 0 0" mass=".327249" diaginertia=".00818123 .00818123 .00818123"/>{legs}</body></worldbody><actuator>{motors}</actuator><sensor>{sensors}</sensor></mujoco>"""


def ant_task(engine: ByEngine) -> Task:
    """150 controls of 0.05 s; twice the forward velocity, less a twentieth of the squared controls and what contacts cost, and 0.05 for each; ends where the body is below 0.2 m or above 1 m."""
    def impulses(d: Data) -> np.ndarray:
        return np.minimum(1.0, STEP * d.sensordata)

    def reset(m: Model, d: Data, random: np.random.Generator) -> None:
        for k, (_sx, _sy, _axis, (low, _high)) in enumerate(SIDES):
            d.qpos[8 + 2 * k] = np.copysign(np.pi / 4, low)

    def reward(m: Model, d: Data, u: np.ndarray, before: State) -> float:
        touch = impulses(d)
        return float(2.0 * (d.qpos[0] - before.qpos[0]) / STEP - 0.05 * u @ u - 5e-4 * touch @ touch + 0.05)

    def observe(m: Model, d: Data) -> np.ndarray:
        turn = 2.0 * d.qpos[4:7] * np.copysign(1.0, d.qpos[3])
        return np.concatenate([d.qpos[:3], turn, d.qpos[7:], d.qvel, impulses(d)])

    def done(m: Model, d: Data) -> bool:
        return not 0.2 <= d.qpos[2] <= 1.0

    return Task(engine.load(ant), 150, reward, observe, reset, done, nstep=engine.steps, clip=1.0)

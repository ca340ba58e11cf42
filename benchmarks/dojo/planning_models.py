"""The models of table III and figure 12 as MJCF, from the numbers of the paper's repository (github.com/dojo-sim/Dojo.jl, MIT): a box on its corners, a hopper, a quadruped.

Controls are impulses of one control period [N s, N m s], as there: gear 1 / h. Contacts are spheres where the repository has contact points.
"""
from __future__ import annotations

from itertools import product

import numpy as np

POINT = 1e-3    # radius of a sphere that stands for a point, as a share of the box's edge


def option(h: float, steps: int, gravity: float = 9.81) -> str:
    """Time step h / steps; elliptic cones, on either engine."""
    return f'<option timestep="{h / steps:.17g}" gravity="0 0 {-gravity:.17g}" cone="elliptic" impratio="10" integrator="implicitfast"/>'


def box(h: float = 0.1, steps: int = 1, corner: float = 0.5) -> str:
    """1 kg, edge 0.5 m, on eight corners with friction 0.5 (one of them: `corner`); three impulses at its centre."""
    corners = ""
    for k, signs in enumerate(product((1, -1), repeat=3)):
        place = " ".join(f"{s * (0.25 - 0.5 * POINT):.17g}" for s in signs)
        corners += f'<geom name="corner{k}" size="{0.5 * POINT}" pos="{place}" friction="{corner if k == 1 else 0.5} .005 .0001" mass="0"/>'
    return f"""<mujoco>{option(h, steps)}<worldbody><geom name="floor" type="plane" size="0 0 1" friction="0 0 0"/><site name="world"/>
<body name="box" pos="0 0 .25"><freejoint/><geom type="box" size=".25 .25 .25" mass="1" contype="0" conaffinity="0"/><site name="centre"/>{corners}</body></worldbody>
<actuator>{''.join(f'<motor site="centre" refsite="world" gear="{" ".join(str(1 / h if i == k else 0) for i in range(6))}"/>' for k in range(3))}</actuator></mujoco>"""


def hopper(h: float = 0.05, steps: int = 1) -> str:
    """A ball of 4.18 kg above a foot of 0.52 kg on a slide; two torques on the body, one force along the leg."""
    gears = [" ".join(str(1 / h if i == k else 0) for i in range(6)) for k in (3, 4)]
    return f"""<mujoco>{option(h, steps)}<default><geom friction=".5 .005 .0001"/></default>
<worldbody><geom name="floor" type="plane" size="0 0 1" friction="0 0 0"/>
<body name="body" pos="0 0 .55"><freejoint name="root"/><geom name="body" size=".1" mass="4.18"/>
<body name="foot" pos="0 0 -.5"><joint name="leg" type="slide" axis="0 0 1" damping=".1"/><geom name="foot" size=".05" mass=".52"/></body></body></worldbody>
<actuator><motor joint="root" gear="{gears[0]}"/><motor joint="root" gear="{gears[1]}"/><motor joint="leg" gear="{1 / h}"/></actuator></mujoco>"""


LEGS = (("RL", -1, 1), ("RR", -1, -1), ("FL", 1, 1), ("FR", 1, -1))     # front or rear, left or right
THIGH, CALF, FOOT = 0.2, (0.000435, -0.199388), 0.021       # lengths; the foot in the calf's frame (x, z) and its radius [m]
HIP = (0.183, 0.047, 0.08505)


def quadruped(h: float = 0.05, steps: int = 1, damping: float = 5.0, body: bool = False) -> str:
    """Unitree's A1 with contacts at its feet, joints with dampers, and an impulse at each joint. body: contacts at its elbows and hips, too."""
    legs = ""
    for name, front, side in LEGS:
        hip, elbow = (f'<geom name="{name}_{part}" size="{radius}" pos="{x:.17g} {y:.17g} {z:.17g}"/>' if body else ""
                      for part, radius, (x, y, z) in (("hip", .05, (-front * .003311, side * .050635, .000031)), ("elbow", .023, (-.008237, side * .000673, -.187326))))
        legs += f"""<body name="{name}_hip" pos="{front * HIP[0]} {side * HIP[1]} 0"><joint name="{name}_hip" axis="1 0 0" range="-.5 .5"/>
<inertial pos="{-front * .003311} {side * .000635} .000031" mass=".696" fullinertia=".000469246 .00080749 .000552929 {-front * side * 9.409e-6} {-front * 3.42e-7} {-side * 4.66e-7}"/>{hip}
<body name="{name}_thigh" pos="0 {side * HIP[2]} 0"><joint name="{name}_thigh" axis="0 1 0" range="-.5 1.5"/>
<inertial pos="-.003237 {-side * .022327} -.027326" mass="1.013" fullinertia=".005529065 .005139339 .001367788 {side * 4.825e-6} .000343869 {side * 2.2448e-5}"/>{elbow}
<body name="{name}_calf" pos="0 0 {-THIGH}"><joint name="{name}_calf" axis="0 1 0" range="-2.5 -1"/>
<inertial pos=".006435 0 -.107388" mass=".166" fullinertia=".002997972 .003014022 .000032426 0 -.000141163 0"/>
<geom name="{name}" size="{FOOT}" pos="{CALF[0]} 0 {CALF[1]}"/><site name="{name}" pos="{CALF[0]} 0 {CALF[1]}"/></body></body></body>"""
    motors = "".join(f'<motor joint="{name}_{joint}" gear="{1 / h}"/>' for name, _f, _s in LEGS for joint in ("hip", "thigh", "calf"))
    return f"""<mujoco><compiler angle="radian"/>{option(h, steps)}<default><joint damping="{damping}"/><geom friction=".8 .005 .0001" contype="0"/></default>
<worldbody><geom name="floor" type="plane" size="0 0 1" friction="0 0 0" contype="1"/><body name="trunk" pos="0 0 .29"><freejoint name="root"/>
<inertial pos="0 .0041 -.0005" mass="6" fullinertia=".0158533 .0377999 .0456542 -3.66e-5 -6.11e-5 -2.75e-5"/>{legs}</body></worldbody>
<actuator>{motors}</actuator></mujoco>"""


def leg_angles(x: float, z: float) -> tuple[float, float]:
    """(thigh, calf) that put the foot's centre at x, z [m] from the hip, the knee bent backwards."""
    length, bent = np.hypot(*CALF), np.arctan2(-CALF[0], -CALF[1])     # of the line from knee to foot, against the calf's axis
    reach = np.hypot(x, z)
    knee = np.arccos(np.clip((THIGH ** 2 + length ** 2 - reach ** 2) / (2 * THIGH * length), -1, 1))
    calf = -(np.pi - knee)
    along = np.arctan2(-x, -z)      # a turn by t about y takes (0, -1) to (-sin t, -cos t)
    thigh = along - np.arctan2(length * np.sin(calf), THIGH + length * np.cos(calf))
    return float(thigh), float(calf - bent)


def gait(h: float = 0.05, n: int = 10, cycles: int = 2, radius: float = 0.05, height: float = 0.29, shift: float = -0.04, wider: float = 0.1,
         flat: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """A trot in place of 2 n poses a cycle, moved forwards: (qpos, qvel), 2 n cycles rows each. Feet go back along the ground for half a cycle and forwards over it for the
    other half, on half an ellipse; diagonal legs together."""
    back = [(x, 0.0) for x in np.linspace(-radius, radius, n + 1)]
    angles = np.pi * (1 - np.cos(np.linspace(0, np.pi, n + 1))) / 2
    over = [(radius * np.cos(a), flat * radius * np.sin(a)) for a in angles]
    cycle = (back[:-1] + over[:-1])[::-1]
    other = cycle[n:] + cycle[:n]
    turns = []
    for name, front, _side in LEGS:
        foot = (0.13 + wider if front > 0 else -0.23) + shift
        way = cycle if name in ("RL", "FR") else other
        turns.append([leg_angles(foot + x - front * HIP[0], z + FOOT - height) for x, z in way])
    joints = np.zeros((2 * n, 12))
    for k, leg in enumerate(turns):
        joints[:, 3 * k + 1:3 * k + 3] = leg
    speeds = (np.roll(joints, -1, axis=0) - joints) / h
    advance = 2 * radius / n
    qpos, qvel = np.zeros((2 * n * cycles, 19)), np.zeros((2 * n * cycles, 18))
    qpos[:, 0], qpos[:, 2], qpos[:, 3] = advance * np.arange(len(qpos)), height, 1.0
    qvel[:, 0] = advance / h
    qpos[:, 7:], qvel[:, 6:] = np.tile(joints, (cycles, 1)), np.tile(speeds, (cycles, 1))
    return qpos, qvel


def tossed_cube(h: float = 1 / 148, friction: float = 0.4, corner: float = 2.0) -> str:
    """A cube of 1 kg and edge 2 (lengths are in units of 0.05 m) on eight points, whose places are looked for."""
    points = "".join(f'<geom name="p{k}" size="{POINT}" pos="{x * corner} {y * corner} {z * corner}" friction="{friction} .005 .0001" mass="0"/>'
                     for k, (z, x, y) in enumerate(product((-1, 1), (1, -1), (1, -1))))
    third = 2 / 3
    return f"""<mujoco>{option(h, 1, 196.2)}<worldbody><geom name="floor" type="plane" size="0 0 1" friction="0 0 0"/>
<body name="cube"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="{third} {third} {third}"/>{points}</body></worldbody></mujoco>"""

"""Thin meshes: at each corner both sides meet, and the one that has its back to the other geom makes no contacts."""
import mujoco
import numpy as np
import pytest

import physics
from tests.oracle.nearer import shape_of, untruth
from tests.oracle.poses import Contacts
from tests.oracle.shapes import Placed, signed_distance

OTHERS = {"capsule": 'type="capsule" size=".03 .15"', "box": 'type="box" size=".1 .12 .05"', "mesh": 'type="mesh" mesh="other"'}
SIGNS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]


def sheet(r, thickness: float) -> str:
    """A flat rock of random corners."""
    points = r.normal(size=(10, 3)) * [0.2, 0.2, thickness]
    return " ".join(f"{x:.6g}" for x in points.ravel())


def text(r, other: str) -> str:
    corners = " ".join(f"{x:.4g}" for x in (np.array(SIGNS) * [0.1, 0.12, 0.05]).ravel())
    return f"""<mujoco><option ccd_tolerance="1e-12" ccd_iterations="300"/>
      <asset><mesh name="sheet" vertex="{sheet(r, r.choice([1e-3, 1e-5]))}"/><mesh name="other" vertex="{corners}"/></asset>
      <default><geom margin=".04"/></default>
      <worldbody><geom type="mesh" mesh="sheet"/><body><freejoint/><geom {OTHERS[other]}/></body></worldbody></mujoco>"""


def place(official, data, r) -> None:
    """The free geom nearly parallel to the sheet, on one of its sides."""
    normal = np.array(data.geom_xmat[0]).reshape(3, 3)[:, int(np.argmin(official.geom_aabb[0, 3:]))]
    tilt, turn, flat = np.zeros(4), np.zeros(4), np.zeros(4)
    mujoco.mju_quatZ2Vec(flat, normal)
    lying = r.normal(size=3) * [1, 1, 0]
    mujoco.mju_axisAngle2Quat(turn, np.array([0, 0, 1.0]), r.uniform(0, 6))
    mujoco.mju_axisAngle2Quat(tilt, lying / np.linalg.norm(lying), r.uniform(0.01, 0.06))
    for q in (tilt, turn):
        mujoco.mju_mulQuat(flat, flat.copy(), q)
    if r.random() < 0.5 or official.geom_type[1] == mujoco.mjtGeom.mjGEOM_CAPSULE:
        mujoco.mju_axisAngle2Quat(turn, np.array([0, 1.0, 0]), np.pi / 2)
        mujoco.mju_mulQuat(flat, flat.copy(), turn)
    data.qpos[3:] = flat
    data.qpos[:3] = data.geom_xpos[0] + normal * r.choice([-1, 1]) * r.uniform(0.04, 0.15) + r.normal(size=3) * 0.02


@pytest.mark.parametrize("other", sorted(OTHERS))
def test_contacts_are_on_the_side_that_is_touched(other):
    """Both ends of an edge may be at other heights than the true distance, by the five degrees that edges may be off; never on the other side."""
    r = np.random.default_rng(3)
    several = 0
    for _ in range(8):
        xml = text(r, other)
        m, official = physics.load_string(xml), mujoco.MjModel.from_xml_string(xml)
        d, data = physics.Data(m), mujoco.MjData(official)
        for _ in range(10):
            mujoco.mj_kinematics(official, data)
            place(official, data, r)
            d.qpos[...] = data.qpos
            mujoco.mj_kinematics(official, data)
            physics.fwd_position(m, d)
            n = int(d.ncon)
            if n < 2:
                continue
            one, two = (Placed(shape_of(official, g), np.array(data.geom_xpos[g]), np.array(data.geom_xmat[g]).reshape(3, 3)) for g in d.contact_geom[0])
            found = Contacts(d.contact_dist[:n].copy(), d.contact_pos[:n].copy(), d.contact_frame[:n, :3].copy())
            true = signed_distance(one, two, found.normal, samples=1000)
            assert untruth(found, one, two, true) < 0.03, (other, found, true)
            several += 1
    assert several > 10

"""Needles, plates, sizes from 1e-4 to 1e4, shared centres and faces: always a number, and one that fits its normal."""
import itertools

import mujoco
import numpy as np
import pytest

from physics.model.data import Data
from tests.naive.convex import reach_of
from tests.physics.engine.collide import oracle_scene, poses
from tests.physics.engine.collide.convex.scenes import both

KINDS = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
POSES = 12


@pytest.fixture(scope="module", autouse=True)
def kernels():
    oracle_scene.ready()


def shape(r: np.random.Generator, kind: str, name: str, scale: float) -> tuple[str, str]:
    """(asset, geom attributes) of a shape whose sizes lie within a factor of 1e4 of each other."""
    size = scale * 10 ** r.uniform(-2, 2, 3)
    if kind == "mesh":
        v = r.normal(size=(int(r.integers(4, 40)), 3))
        v = size * v / np.linalg.norm(v, axis=1)[:, None]
        return f'<mesh name="{name}" vertex="{" ".join(map(repr, map(float, v.ravel())))}" inertia="shell"/>', f'type="mesh" mesh="{name}"'
    return "", f'type="{kind}" size="{" ".join(map(repr, map(float, size)))}"'


def scene(r: np.random.Generator, first: str, second: str, margin: float) -> mujoco.MjModel:
    scale = 10 ** r.uniform(-2, 2)
    a, one = shape(r, first, "a", scale)
    b, two = shape(r, second, "b", scale * 10 ** r.uniform(-1, 1))
    body = '<body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom {}/></body>'
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler balanceinertia="true" boundmass="1" boundinertia="1"/><option><flag multiccd="disable"/></option><asset>{a}{b}</asset><worldbody>'
        f'{body.format(one + f" margin={chr(34)}{margin * scale}{chr(34)}")}{body.format(two)}</worldbody></mujoco>')


def wrong(mm, md, d, size: float) -> str:
    """'' where the contact is a number, has a unit normal, and the shapes reach as far along it as it says."""
    if d.ncon == 0:
        return ""
    n, dist = d.contact_frame[:1, :3], d.contact_dist[0]
    if not (np.isfinite(dist) and np.isfinite(d.contact_pos[0]).all() and abs(np.linalg.norm(n) - 1) < 1e-12):
        return f"{dist} {n} {d.contact_pos[0]}"
    apart = -(reach_of(mm, md, 0)(n) + reach_of(mm, md, 1)(-n))[0]
    return "" if abs(apart - dist) < 1e-9 * size else f"distance {dist}, along its normal {apart}, size {size}"


@pytest.mark.parametrize("first,second", [p for p in itertools.combinations_with_replacement(KINDS, 2) if {"ellipsoid", "mesh"} & set(p) or "cylinder" in p])
def test_extreme_shapes_have_honest_contacts(first, second):
    r = np.random.default_rng(1)
    touched = 0
    for k in range(8):
        mm = scene(r, first, second, 0.0 if k % 2 else 0.3)
        md, m = mujoco.MjData(mm), oracle_scene.model_like(mm)
        d = Data(m)
        size = float(mm.geom_rbound.max())
        for _ in range(POSES):
            for b in range(2):
                md.qpos[7 * b + 3:7 * b + 7] = poses.orientation(r, int(r.integers(6)))
            md.qpos[:3] = 0
            md.qpos[7:10] = r.choice([0.0, 0.1, 1.0]) * r.normal(size=3) * r.choice(np.append(mm.geom_rbound, mm.geom_rbound.min()))
            mujoco.mj_kinematics(mm, md)
            oracle_scene.place(m, d, md)
            oracle_scene.detect(m, d)
            touched += d.ncon
            fault = wrong(mm, md, d, size)
            assert not fault, f"model {k} sizes {mm.geom_size.tolist()} qpos {md.qpos.tolist()}: {fault}"
    assert touched > 10


@pytest.mark.parametrize("first,second", [("mesh30", "mesh60"), ("ellipsoid", "box"), ("cylinder", "mesh20")])
def test_the_past_changes_no_bit(first, second):
    """What is kept between steps (the axis that parted two geoms) only saves time."""
    for d, md, mm in both(first, second, models=3, each=40, seed=8):
        m = oracle_scene.model_like(mm)
        fresh = Data(m)
        oracle_scene.place(m, fresh, md)
        oracle_scene.detect(m, fresh)
        assert d.ncon == fresh.ncon
        for name in ("contact_dist", "contact_pos", "contact_frame"):
            assert np.array_equal(getattr(d, name)[:d.ncon], getattr(fresh, name)[:d.ncon])

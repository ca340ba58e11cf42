"""Whole scenes give the official contact list, in its order, whether pairs are listed or swept."""
from pathlib import Path

import gymnasium
import mujoco
import numpy as np
import pytest

from physics.compiler.derived import collision_pairs
from physics.engine.collide.collision import collision
from physics.kernels.decorators import NOJIT
from physics.model.data import Data
from tests.naive.collide import in_reach, pairs_in_order
from tests.physics.engine.collide import oracle_scene

ASSETS = Path(gymnasium.__file__).parent / "envs/mujoco/assets"

PILE = """<mujoco><default><geom margin="0.01" gap="0.005"/></default><worldbody>
  <geom type="plane" size="0 0 1"/><geom type="box" pos="1.5 0 0.2" size="0.1 2 0.4"/><geom type="plane" pos="0 0 -0.1" zaxis="0 1 4" size="1 1 1"/>
  {bodies}</worldbody><contact><exclude body1="b4" body2="b1"/><exclude body1="b2" body2="b3"/><exclude body1="b0" body2="b2"/>
  <exclude body1="world" body2="b3"/></contact></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    oracle_scene.ready()


def pile(n, seed=0):
    """n bodies of one to three geoms of all types, thrown together; every third carries a hinged child."""
    r = np.random.default_rng(seed)
    sizes = {"sphere": 1, "capsule": 2, "box": 3}
    bodies = []
    for k in range(n):
        geoms = ""
        for _ in range(1 + k % 3):
            kind = r.choice(list(sizes))
            size = " ".join(f"{x:.3f}" for x in r.uniform(0.05, 0.2, sizes[kind]))
            geoms += f'<geom type="{kind}" size="{size}" pos="{r.normal() * 0.1:.3f} 0 0" contype="{1 + k % 2}" conaffinity="{1 + k % 4}"/>'
        child = '<body pos="0 0 0.2"><joint/><geom type="sphere" size="0.1"/></body>' if k % 3 == 0 else ""
        place = " ".join(f"{x:.3f}" for x in r.uniform(-0.4, 0.4, 3) * np.cbrt(n / 8) + (0, 0, 0.3))
        bodies.append(f'<body name="b{k}" pos="{place}" euler="{r.uniform(0, 90)} 0 {r.uniform(0, 90)}"><freejoint/>{geoms}{child}</body>')
    return PILE.format(bodies="".join(bodies))


def official(source):
    mm = mujoco.MjModel.from_xml_path(str(source)) if isinstance(source, Path) else mujoco.MjModel.from_xml_string(source)
    return mm, mujoco.MjData(mm)


def ours(mm):
    m = oracle_scene.model_like(mm)
    return m, Data(m, maxcon=8)


def random_state(r, mm, md):
    """A pose with many contacts: joints anywhere in their range, roots near the ground."""
    md.qpos[:] = mm.qpos0
    for j in range(mm.njnt):
        a = mm.jnt_qposadr[j]
        if mm.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE:
            md.qpos[a:a + 3] = r.normal(size=3) * 0.1 + (0, 0, r.uniform(0, 0.5))
            md.qpos[a + 3:a + 7] = r.normal(size=4)
        elif mm.jnt_limited[j]:
            md.qpos[a] = r.uniform(*mm.jnt_range[j])
        else:
            md.qpos[a] += r.normal() * 0.3
    mujoco.mj_kinematics(mm, md)


@pytest.mark.parametrize("name", ["humanoid", "ant", "humanoidstandup", "walker2d_v5", "half_cheetah", "hopper"])
def test_robot_contacts_in_random_poses(name):
    mm, md = official(ASSETS / f"{name}.xml")
    m, d = ours(mm)
    r = np.random.default_rng(1)
    met = 0
    for _ in range(150):
        random_state(r, mm, md)
        assert oracle_scene.mismatch(m, d, mm, md) == ""
        met += md.ncon
    assert met > 40


@pytest.mark.parametrize("sweep", [False, True])
@pytest.mark.parametrize("n", [5, 40])
def test_mixed_pile_listed_and_swept(n, sweep, monkeypatch):
    monkeypatch.setattr(collision_pairs, "LIST_LIMIT", 0 if sweep else 10**6)
    mm, md = official(pile(n))
    m, d = ours(mm)
    assert (m.nsapgeom > 0) is sweep
    met = 0
    for _ in range(6):
        mujoco.mj_kinematics(mm, md)
        assert oracle_scene.mismatch(m, d, mm, md) == ""
        met += md.ncon
        for _ in range(8):
            mujoco.mj_step(mm, md)
    assert met > 6 * n


@pytest.mark.parametrize("limit", [0, 10**6])
def test_order_without_the_midphase(limit, monkeypatch):
    """Geoms of two bodies are then visited body by body, not by type."""
    monkeypatch.setattr(collision_pairs, "LIST_LIMIT", limit)
    with_midphase, without = pile(20), pile(20).replace("<mujoco>", '<mujoco><option><flag midphase="disable"/></option>')
    lists = []
    for source in (with_midphase, without):
        mm, md = official(source)
        m, d = ours(mm)
        mujoco.mj_kinematics(mm, md)
        assert oracle_scene.mismatch(m, d, mm, md) == ""
        lists.append(d.contact_geom[:d.ncon].tolist())
    assert lists[0] != lists[1] and sorted(lists[0]) == sorted(lists[1])


def test_sweep_axis_and_order_survive_jumps(monkeypatch):
    monkeypatch.setattr(collision_pairs, "LIST_LIMIT", 0)
    mm, md = official(pile(30))
    m, d = ours(mm)
    r = np.random.default_rng(0)
    for stretch in ((1, 0.1, 0.1), (0.1, 1, 0.1), (0.1, 0.1, 1), (0.2, 0.2, 0.2)):
        for j in range(mm.njnt):
            if mm.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE:
                a = mm.jnt_qposadr[j]
                md.qpos[a:a + 3] = r.normal(size=3) * stretch
        mujoco.mj_kinematics(mm, md)
        assert oracle_scene.mismatch(m, d, mm, md) == ""


def test_candidates_are_all_pairs_in_reach(monkeypatch):
    for limit in (0, 10**6):
        monkeypatch.setattr(collision_pairs, "LIST_LIMIT", limit)
        mm, md = official(pile(12, seed=4))
        m, d = ours(mm)
        mujoco.mj_kinematics(mm, md)
        oracle_scene.place(m, d, md)
        oracle_scene.detect(m, d)
        expected = [p for p in pairs_in_order(m) if in_reach(m, d, *p)]
        assert d.cand_geom[:d.ncand].tolist() == [list(p) for p in expected] and len(expected) > 20


def test_storage_grows_and_the_result_is_as_if_there_had_been_room():
    mm, md = official(pile(25))
    mujoco.mj_kinematics(mm, md)
    m = oracle_scene.model_like(mm)
    small, large = Data(m, maxcon=3), Data(m, maxcon=4000)
    for d in (small, large):
        oracle_scene.place(m, d, md)
    collision(m, large)
    assert large.need_ncon == 0 and large.ncon > 30
    rounds = 0
    collision(m, small)
    while small.need_ncon:
        assert small.need_ncon > small.maxcon and small.ncon <= small.maxcon
        small.grow_contacts(small.need_ncon)
        collision(m, small)
        rounds += 1
    assert 1 <= rounds <= 2 and small.ncon == large.ncon
    for name in oracle_scene.FLOATS + oracle_scene.INTS:
        assert np.array_equal(getattr(small, name)[:small.ncon], getattr(large, name)[:large.ncon])


@pytest.mark.parametrize("limit", [0, 10**6])
@pytest.mark.parametrize("value", [np.nan, np.inf, 1e200])
def test_lost_bodies_do_not_disturb_the_others(value, limit, monkeypatch):
    """Diverged poses may give contacts without meaning, but the stage ends and the other pairs keep theirs."""
    monkeypatch.setattr(collision_pairs, "LIST_LIMIT", limit)
    mm, md = official(pile(20))
    mujoco.mj_kinematics(mm, md)
    m, d = ours(mm)
    oracle_scene.place(m, d, md)
    oracle_scene.detect(m, d)
    lost = m.geom_bodyid == 4
    keep = [g for g in d.contact_geom[:d.ncon].tolist() if not lost[g].any()]
    d.geom_xpos[lost] = value
    d.geom_xmat[lost] = value
    oracle_scene.detect(m, d)
    assert [g for g in d.contact_geom[:d.ncon].tolist() if not lost[g].any()] == keep and len(keep) > 10


def test_capacity_is_used_to_the_last_row():
    mm, md = official('<mujoco><worldbody><geom type="plane" size="0 0 1"/>' + 5 * '<body><freejoint/><geom size="0.1" contype="0"/></body>' +
                      "</worldbody></mujoco>")
    mujoco.mj_kinematics(mm, md)
    m = oracle_scene.model_like(mm)
    d = Data(m, maxcon=5)
    oracle_scene.place(m, d, md)
    collision(m, d)
    assert (d.ncon, d.need_ncon) == (5, 0)


@pytest.mark.nojit
def test_pile_under_the_interpreter(monkeypatch):
    monkeypatch.setattr(collision_pairs, "LIST_LIMIT", 0)
    mm, md = official(pile(5))
    m, d = ours(mm)
    mujoco.mj_kinematics(mm, md)
    assert oracle_scene.mismatch(m, d, mm, md) == ""
    assert d.ncon > 3 and (NOJIT or d.maxcon > 8)


STACK = "".join(f'<body pos="0 0 {0.1 + 0.2 * k}"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>' for k in range(10))


def scattered(kind, size, n):
    """n equal bodies dropped into a box without lid."""
    r = np.random.default_rng(2)
    walls = "".join(f'<geom type="box" pos="{x} {y} 0.3" size="{0.02 + abs(y)} {0.02 + abs(x)} 0.3"/>' for x, y in ((0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5)))
    bodies = ""
    for k in range(n):
        place = f"{r.uniform(-0.35, 0.35):.4f} {r.uniform(-0.35, 0.35):.4f} {0.1 + 0.03 * k:.4f}"
        bodies += f'<body pos="{place}" euler="{r.uniform(0, 360):.1f} {r.uniform(0, 90):.1f} 0"><freejoint/><geom type="{kind}" size="{size}"/></body>'
    return walls + bodies


@pytest.mark.parametrize("content", [STACK, scattered("box", "0.06 0.05 0.04", 30), scattered("capsule", "0.03 0.06", 40),
                                     scattered("sphere", "0.05", 60)], ids=["stack", "boxes", "capsules", "spheres"])
def test_settling_bodies(content):
    mm, md = official(f'<mujoco><option timestep="0.005"/><worldbody><geom type="plane" size="0 0 1"/>{content}</worldbody></mujoco>')
    m, d = ours(mm)
    met = 0
    for k in range(240):
        mujoco.mj_step(mm, md)
        if k % 12 == 0:
            mujoco.mj_kinematics(mm, md)
            assert oracle_scene.mismatch(m, d, mm, md) == ""
            met += md.ncon
    assert met > 300

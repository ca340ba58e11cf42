"""Bodies of many geoms: swept as one item each, they give the official contacts; what is fixed costs nothing against itself."""
import mujoco
import numpy as np
import pytest

from physics.compiler.derived import collision_pairs
from physics.engine.collide import broad_phase
from physics.kernels.decorators import NOJIT
from physics.model.data import Data
from tests.physics.engine.collide import oracle_scene

KINDS = ("sphere", "capsule", "box")


@pytest.fixture(scope="module", autouse=True)
def kernels():
    oracle_scene.ready()


def geom(r):
    kind = r.integers(3)
    size = " ".join(f"{x:.3f}" for x in (r.uniform(0.02, 0.05), *r.uniform(0.02, 0.3, 2))[:kind + 1])
    at, turn = (" ".join(f"{x:.3f}" for x in v) for v in (r.uniform(-0.3, 0.3, 3), r.uniform(0, 90, 3)))
    more = f'contype="{r.integers(4)}" conaffinity="{r.integers(1, 4)}"' if r.random() < 0.3 else ""
    return f'<geom type="{KINDS[kind]}" size="{size}" pos="{at}" euler="{turn}" {more} {"margin=%s.01%s" % (chr(34), chr(34)) if r.random() < 0.2 else ""}/>'


def bundles(count, members, seed, world=0):
    """Bodies of so many geoms, some of them fixed, carried by the mouse, or with fixed and hinged children of their own."""
    r = np.random.default_rng(seed)
    bodies = ""
    for k in range(count):
        at = " ".join(f"{x:.3f}" for x in r.uniform(0, 0.45 * count ** (1 / 3), 3))
        head = ' mocap="true"' if k % 7 == 3 else ""
        joint = "" if head or k % 5 == 4 else "<freejoint/>"
        own = "".join(geom(r) for _ in range(members if k % 3 else 1))
        child = f'<body pos=".1 0 0">{"<joint/>" if k % 2 else ""}{"".join(geom(r) for _ in range(members))}</body>' if k % 4 == 0 else ""
        bodies += f'<body name="b{k}" pos="{at}"{head}>{joint}{own}{child}</body>'
    excludes = "".join(f'<exclude body1="b{k}" body2="b{k + 1}"/>' for k in range(0, count - 1, 4))
    ground = "".join(geom(r) for _ in range(world))
    return f'<mujoco><worldbody><geom type="plane" size="0 0 1"/>{ground}{bodies}</worldbody><contact>{excludes}</contact></mujoco>'


@pytest.mark.parametrize("count, members, world", [(6, 12, 0), (12, 20, 30), (30, 9, 200), (3, 60, 5)])
def test_contacts_of_bundles_are_the_official_ones(count, members, world, monkeypatch):
    monkeypatch.setattr(collision_pairs, "LIST_LIMIT", 0)
    mm = mujoco.MjModel.from_xml_string(bundles(count, members, count, world))
    md = mujoco.MjData(mm)
    m = oracle_scene.model_like(mm)
    d = Data(m, maxcon=1)
    assert m.nsapproxy < m.nsapgeom and (m.sap_proxy[:, 1] >= collision_pairs.GROUP_FROM).any()
    assert sorted(m.sap_geom.tolist()) == sorted(set(m.sap_geom.tolist())) and m.sap_proxy[:, 1].sum() == m.nsapgeom
    r = np.random.default_rng(0)
    met = 0
    for _ in range(8):
        mujoco.mj_resetData(mm, md)
        md.qpos[:] += 0.1 * r.normal(size=mm.nq)
        md.mocap_pos[:] += 0.1 * r.normal(size=(mm.nmocap, 3))
        mujoco.mj_kinematics(mm, md)
        assert oracle_scene.mismatch(m, d, mm, md) == ""
        met += md.ncon
    assert met > 100


@pytest.mark.parametrize("count, members, world", [(12, 20, 30), (90, 2, 60)])
def test_the_users_filter_where_much_is_swept(count, members, world, monkeypatch):
    """It stands for the geoms' masks: what they forbid comes up, in groups, in columns and on planes."""
    monkeypatch.setattr(collision_pairs, "LIST_LIMIT", 0)
    mm = mujoco.MjModel.from_xml_string(bundles(count, members, count, world))
    md = mujoco.MjData(mm)
    mujoco.mj_kinematics(mm, md)
    m = oracle_scene.model_like(mm)
    assert m.nsapproxy >= broad_phase.GRID_FROM or m.nsapproxy < m.nsapgeom
    d, plain = Data(m, maxcon=1), Data(m)
    d.set_callback("cb_contactfilter", lambda _m, _d, g1, g2: (g1 + 2 * g2) % 5 == 0)
    mujoco.set_mjcb_contactfilter(lambda _m, _d, g1, g2: int((g1 + 2 * g2) % 5 == 0))
    try:
        assert oracle_scene.mismatch(m, d, mm, md) == ""
    finally:
        mujoco.set_mjcb_contactfilter(None)
    oracle_scene.place(m, plain, md)
    oracle_scene.detect(m, plain)
    masked = {tuple(pair) for pair in plain.contact_geom[:plain.ncon].tolist()}
    more = {tuple(pair) for pair in d.contact_geom[:d.ncon].tolist()} - masked
    assert d.ncon > 20 and (more or members == 2)   # two geoms a body: none that is forbidden happens to touch


def test_bundles_apart_are_not_looked_into(monkeypatch):
    monkeypatch.setattr(collision_pairs, "LIST_LIMIT", 0)
    r = np.random.default_rng(5)
    bodies = "".join(f'<body pos="{2 * k} 0 5"><freejoint/>{"".join(geom(r) for _ in range(40))}</body>' for k in range(6))
    mm = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    md = mujoco.MjData(mm)
    mujoco.mj_kinematics(mm, md)
    m = oracle_scene.model_like(mm)
    d = Data(m)
    oracle_scene.place(m, d, md)
    broad_phase.broad(m, d)
    assert (m.nsapproxy, m.nsapgeom, d.ncand) == (6, 240, 0)


@pytest.mark.nojit
def test_bundles_under_the_interpreter(monkeypatch):
    monkeypatch.setattr(collision_pairs, "LIST_LIMIT", 0)
    mm = mujoco.MjModel.from_xml_string(bundles(4, 8, 1, 2))
    md = mujoco.MjData(mm)
    m = oracle_scene.model_like(mm)
    d = Data(m, maxcon=200)
    for k in range(1 if NOJIT else 10):
        md.qpos[:] += 0.02 * k
        mujoco.mj_kinematics(mm, md)
        assert oracle_scene.mismatch(m, d, mm, md) == "" and md.ncon

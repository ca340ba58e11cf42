"""Many swept geoms: columns find the pairs that going through all finds, however the geoms lie."""
import mujoco
import numpy as np
import pytest

import physics
from benchmarks import broad as bench
from physics.compiler.derived.collision_pairs import group_proxies
from physics.engine.collide import broad_phase, sap_grid, sap_proxies
from physics.kernels.decorators import NOJIT
from physics.model.data import Data
from tests.physics.engine.collide import oracle_scene


@pytest.fixture(scope="module", autouse=True)
def kernels():
    oracle_scene.ready()


def balls(radii, extra=""):
    """Free balls of these radii; both engines' models and data."""
    bodies = "".join(f'<body><freejoint/><geom size="{r:.6g}"/></body>' for r in radii)
    mm = mujoco.MjModel.from_xml_string(f'<mujoco><size memory="200M"/>{extra}<worldbody>{bodies}</worldbody></mujoco>')
    md = mujoco.MjData(mm)
    mujoco.mj_kinematics(mm, md)
    m = oracle_scene.model_like(mm)
    return mm, md, m, Data(m)


def meeting(m, d):
    """Pairs of balls nearer than their radii, the slow way."""
    at, r = d.geom_xpos, m.geom_rbound
    with np.errstate(over="ignore", invalid="ignore"):
        near = ((at[:, None] - at[None]) ** 2).sum(2) <= (r[:, None] + r[None]) ** 2
    return [(int(a), int(b)) for a, b in zip(*np.nonzero(np.triu(near, 1)))]


def found(m, d):
    while True:
        broad_phase.broad(m, d)
        if not d.need_ncon:
            return [tuple(pair) for pair in d.cand_geom[:d.ncand].tolist()]
        d.grow_contacts(d.need_ncon)
        d.need_ncon = 0


def layouts(n, r):
    """Ways to lie around: (name, places)."""
    yield "cube", r.uniform(0, 2, (n, 3))
    yield "layer", r.uniform(0, 4, (n, 3)) * (1, 1, 0.001)
    yield "line", r.uniform(0, 60, (n, 3)) * (0, 1, 0)
    yield "one place", np.zeros((n, 3))
    yield "two heaps", r.normal(size=(n, 3)) * 0.5 + np.where(np.arange(n) % 2, 1e6, -3)[:, None]
    yield "far outliers", r.uniform(0, 2, (n, 3)) * np.where(r.random(n) < 0.02, 1e12, 1)[:, None]
    yield "beyond squares", r.uniform(0, 2, (n, 3)) * np.where(r.random(n) < 0.02, 1e200, 1)[:, None]
    lost = r.uniform(0, 2, (n, 3))
    lost[::50] = np.nan
    yield "no numbers", lost
    yield "lattice", 0.2 * np.stack(np.unravel_index(np.arange(n), (8, 8, n // 64 + 1)), 1)


@pytest.mark.parametrize("radii", ["alike", "mixed", "few large"])
def test_columns_find_what_going_through_all_finds(radii):
    n, r = 400, np.random.default_rng(0)
    sizes = {"alike": np.full(n, 0.1), "mixed": np.exp(r.normal(-2.5, 1, n)), "few large": np.where(r.random(n) < 0.03, 1.5, 0.07)}[radii]
    _mm, _md, m, d = balls(sizes)
    assert m.nsapgeom >= broad_phase.GRID_FROM
    for name, at in layouts(n, r):
        d.geom_xpos[:], d.geom_xmat[:] = at, np.eye(3).ravel()
        assert found(m, d) == meeting(m, d), name


def test_rules_and_margins_in_columns_as_officially():
    r = np.random.default_rng(1)
    bodies = ""
    for k in range(260):
        more = f'contype="{r.integers(4)}" conaffinity="{r.integers(4)}" margin="{0.1 * r.random() * (k % 3 == 0):.3f}" gap="{0.1 * r.random() * (k % 5 == 0):.3f}"'
        child = '<body pos=".1 0 0"><joint/><geom size=".1"/><body pos="0 .1 0"><geom size=".1"/></body></body>' if k % 4 == 0 else ""
        place = " ".join(f"{x:.3f}" for x in r.uniform(0, 1.5, 3))
        bodies += f'<body name="b{k}" pos="{place}">{"<freejoint/>" if k % 7 else ""}<geom size=".1" {more}/>{child}</body>'
    excludes = "".join(f'<exclude body1="b{a}" body2="b{a + b}"/>' for a, b in zip(range(0, 200, 3), r.integers(1, 50, 67)))
    for option in ("", '<option><flag filterparent="disable"/></option>', '<option o_margin=".05"><flag override="enable"/></option>'):
        text = f"<mujoco>{option}<worldbody>{bodies}</worldbody><contact>{excludes}</contact></mujoco>"
        mm = mujoco.MjModel.from_xml_string(text.replace(' gap="', ' user="') if "override" in option else text)
        md = mujoco.MjData(mm)
        mujoco.mj_kinematics(mm, md)
        m = oracle_scene.model_like(mm)
        assert m.nsapgeom >= broad_phase.GRID_FROM
        assert oracle_scene.mismatch(m, Data(m), mm, md) == "" and md.ncon > 300


@pytest.mark.nojit
def test_columns_under_the_interpreter():
    """Set up and searched by themselves: a model this small is swept without columns."""
    r = np.random.default_rng(2)
    _mm, _md, m, d = balls(np.where(np.arange(40) % 13, 0.2, 0.9))
    geoms, rules = group_proxies(m, np.arange(40))
    m.bind("sap_geom", geoms.astype(np.int32))
    m.bind("sap_proxy", np.ascontiguousarray(rules, np.int32))
    m.nsapgeom = m.nsapproxy = 40
    d = Data(m, maxcon=1000)
    for _ in range(1 if NOJIT else 20):
        d.geom_xpos[:], d.geom_xmat[:] = r.uniform(0, 2.5, (40, 3)), np.eye(3).ravel()
        sap_proxies.bound_proxies(m, d)
        axis = broad_phase.widest_axis(m, d)
        broad_phase.sort_by_lower_end(m, d, axis)
        sap_grid.build_grid(m, d, axis)
        n = sap_grid.grid_pairs(m, d, axis, 0)
        assert sorted(map(tuple, d.cand_geom[:n].tolist())) == meeting(m, d)


def test_the_benchmark_compares_like_with_like():
    physics.ensure_kernels()
    row = bench.measure(100, "packed")
    assert row["why"] == "" and row["ncon"] > 100 and row["ours_us"] > 0 and row["official_us"] > 0

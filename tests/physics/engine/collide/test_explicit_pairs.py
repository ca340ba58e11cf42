"""Explicit contact pairs: past all filters, by settings of their own, in the official order."""
import mujoco
import numpy as np
import pytest

import physics
from physics.compiler.derived import collision_pairs
from physics.model.data import Data
from tests.physics.engine.collide import oracle_scene
from tests.physics.engine.collide.random_rules import Scene

SCENES = 60
THREE = """<mujoco><option cone="{cone}"/><worldbody><geom name="floor" type="plane" size="0 0 1"/>
  <body name="a" pos="0 0 .09"><freejoint/><geom name="one" type="box" size=".1 .1 .1" contype="0" conaffinity="0"/></body>
  <body name="b" pos=".1 0 .25"><freejoint/><geom name="two" size=".1"/></body>
  <body name="c" pos="-.1 0 .25"><freejoint/><geom name="three" type="capsule" size=".05 .1"/></body></worldbody>
  <contact>{pairs}</contact></mujoco>"""
PAIR = '<pair geom1="one" geom2="floor" condim="{0}" friction=".9 .3 .02 .001 .004" solref=".03 .8" solreffriction=".05 1" solimp=".8 .95 .002" margin=".01" gap=".02"/>'


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def official(seed, explicit=True):
    """A random scene that both engines can load."""
    text = Scene(seed, explicit).text()
    try:
        return mujoco.MjModel.from_xml_string(text)
    except ValueError:
        return None   # such as an exclude of two bodies of one weld group


def scenes(count, explicit=True, first=0):
    seed = first
    while count:
        mm = official(seed, explicit)
        if mm is not None and mm.ngeom:
            count -= 1
            yield seed, mm
        seed += 1


def shaken(mm, seed):
    md = mujoco.MjData(mm)
    r = np.random.default_rng(seed)
    md.qpos[:] += 0.2 * r.normal(size=mm.nq)
    md.mocap_pos[:] += 0.2 * r.normal(size=(mm.nmocap, 3))
    mujoco.mj_kinematics(mm, md)
    return md


@pytest.mark.parametrize("limit", [0, 10**6])
def test_random_scenes_without_pairs(limit, monkeypatch):
    """Weld groups, parents, masks, excludes, planes, mocap bodies, flags; thousands more in tests/long/contact_rules.py."""
    monkeypatch.setattr(collision_pairs, "LIST_LIMIT", limit)
    met = 0
    for seed, mm in scenes(SCENES, explicit=False, first=3000):
        md = shaken(mm, seed)
        m = oracle_scene.model_like(mm)
        assert oracle_scene.mismatch(m, Data(m, maxcon=1), mm, md) == "", seed
        met += md.ncon
    assert met > 10 * SCENES


@pytest.mark.parametrize("limit", [0, 10**6])
def test_random_scenes_with_pairs(limit, monkeypatch):
    monkeypatch.setattr(collision_pairs, "LIST_LIMIT", limit)
    met = explicit = 0
    for seed, mm in scenes(SCENES):
        md = shaken(mm, seed)
        m = oracle_scene.model_like(mm)
        assert oracle_scene.mismatch(m, Data(m, maxcon=1), mm, md) == "", seed
        met += md.ncon
        explicit += mm.npair
    assert met > 10 * SCENES and explicit > SCENES


def test_the_contact_filter_is_not_called_for_explicit_pairs():
    for seed, mm in scenes(10, first=1000):
        md = shaken(mm, seed)
        m = oracle_scene.model_like(mm)
        d = Data(m)
        d.set_callback("cb_contactfilter", lambda _m, _d, _g1, _g2: True)
        named = {frozenset(p) for p in zip(m.pair_geom1.tolist(), m.pair_geom2.tolist())}
        mujoco.set_mjcb_contactfilter(lambda _m, _d, _g1, _g2: True)
        try:
            assert oracle_scene.mismatch(m, d, mm, md) == "", seed
        finally:
            mujoco.set_mjcb_contactfilter(None)
        assert {frozenset(g) for g in d.contact_geom[:d.ncon].tolist()} <= named


@pytest.mark.parametrize("limit", [0, 10**6])
def test_what_the_users_filter_leaves_is_as_officially(limit, monkeypatch):
    """It stands for the masks of geoms, not of bodies; sparse masks, listed and swept."""
    monkeypatch.setattr(collision_pairs, "LIST_LIMIT", limit)
    met = 0
    for seed, mm in scenes(40, first=2000):
        md = shaken(mm, seed)
        m = oracle_scene.model_like(mm)
        d = Data(m, maxcon=4)
        d.set_callback("cb_contactfilter", lambda _m, _d, g1, g2: (g1 + 2 * g2) % 3 == 0)
        mujoco.set_mjcb_contactfilter(lambda _m, _d, g1, g2: int((g1 + 2 * g2) % 3 == 0))
        try:
            assert oracle_scene.mismatch(m, d, mm, md) == "", seed
        finally:
            mujoco.set_mjcb_contactfilter(None)
        met += d.ncon
    assert met > 400


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_pairs_move_bodies_as_officially(cone, condim):
    """Anisotropic friction, solreffriction, gaps, by our own compiler and over many steps."""
    text = THREE.format(cone=cone, pairs=PAIR.format(condim) + '<pair geom1="two" geom2="one"/><pair geom1="three" geom2="one" condim="4"/>')
    mm, m = mujoco.MjModel.from_xml_string(text), physics.load_string(text)
    md, d = mujoco.MjData(mm), Data(m)
    r = np.random.default_rng(condim)
    md.qvel[:] = d.qvel[:] = 0.3 * r.normal(size=mm.nv)
    mm.opt.tolerance = m.opt_tolerance = 0
    mm.opt.ls_tolerance = m.opt_ls_tolerance = 0
    for _ in range(20):
        mujoco.mj_step(mm, md)
        physics.step(m, d)
    assert md.ncon and d.ncon == md.ncon
    assert np.array_equal(d.contact_dim[:d.ncon], md.contact.dim)
    assert np.allclose(d.qpos, md.qpos, rtol=0, atol=1e-8)


def test_pairs_grow_the_storage_like_room_from_the_start():
    text = THREE.format(cone="pyramidal", pairs=PAIR.format(3) + '<pair geom1="two" geom2="one"/><pair geom1="three" geom2="two" margin="1"/>')
    m = physics.load_string(text)
    small, large = Data(m, maxcon=1, maxefc=1, maxJ=1), Data(m, maxcon=500, maxefc=500, maxJ=50000)
    for _ in range(30):
        physics.step(m, small)
        physics.step(m, large)
    assert small.ncon and small.qpos.tobytes() == large.qpos.tobytes()


STILL = """<mujoco><worldbody><geom name="one" size="1"/>{0}</worldbody><contact><pair geom1="one" geom2="two" {1}/></contact></mujoco>"""
SECOND = '<geom name="two" size="1" pos="{0} 0 0"/>'
MOVER = '<body pos="0 0 9"><freejoint/><geom size=".1"/></body>'


@pytest.mark.parametrize("bodies,settings,x,expected", [
    ("{0}", "", 0.5, []),                                          # nothing but the world: the official engine does not look at all
    ("<body>{0}</body>", "", 0.5, [(0, -1)]),                      # no degrees of freedom in the model: nobody says that it has no rows
    ("<body>{0}</body>", 'margin=".01" gap=".2"', 2.1, [(1, -1)]),
    ('<body mocap="true">{0}</body>', "", 0.5, [(0, -1)]),
    ("{0}" + MOVER, "", 0.5, [(3, -1)]),                           # nothing of this contact can move
    ("<body>{0}</body>" + MOVER, "", 0.5, [(3, -1)]),
    ("<body>{0}</body>" + MOVER, 'margin=".01" gap=".2"', 2.1, [(1, -1)]),
])
def test_pairs_of_geoms_that_cannot_move_are_as_officially(bodies, settings, x, expected):
    """`exclude` and `efc_address` of contacts without degrees of freedom."""
    text = STILL.format(bodies.format(SECOND.format(x)), settings)
    mm, m = mujoco.MjModel.from_xml_string(text), physics.load_string(text)
    md, d = mujoco.MjData(mm), Data(m)
    mujoco.mj_forward(mm, md)
    physics.forward(m, d)
    assert [(c.exclude, c.efc_address) for c in md.contact] == expected
    assert list(zip(d.contact_exclude[:d.ncon].tolist(), d.contact_efc_address[:d.ncon].tolist())) == expected


@pytest.mark.parametrize("body", ["<body>{0}</body>", "{0}", '<body mocap="true">{0}</body>'])
@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_pairs_of_geoms_that_cannot_move_where_trees_may_sleep(body, integrator):
    """Two fixed geoms made a contact while nothing slept."""
    text = STILL.format(body.format(SECOND.format(0.5)) + MOVER, "").replace("<mujoco>", f'<mujoco><option integrator="{integrator}"><flag sleep="enable"/></option>', 1)
    mm, m = mujoco.MjModel.from_xml_string(text), physics.load_string(text)
    md, d = mujoco.MjData(mm), Data(m)
    mujoco.mj_step(mm, md)
    physics.step(m, d)
    assert m.opt_enableflags and d.ncon == md.ncon == (1 if "mocap" in body else 0)


def test_a_wrong_number_of_dimensions_is_named():
    m = physics.load_string(THREE.format(cone="pyramidal", pairs=PAIR.format(3)))
    m.pair_dim[0] = 2
    with pytest.raises(physics.ViewOnlyError, match="condim 2"):
        physics.step(m, Data(m))


@pytest.mark.nojit
def test_pairs_under_the_interpreter():
    text = THREE.format(cone="pyramidal", pairs=PAIR.format(3) + '<pair geom1="two" geom2="one"/>')
    mm = mujoco.MjModel.from_xml_string(text)
    md = shaken(mm, 3)
    m = oracle_scene.model_like(mm)
    assert oracle_scene.mismatch(m, Data(m), mm, md) == ""
    seed, mm = next(scenes(1, first=5))
    md = shaken(mm, seed)
    m = oracle_scene.model_like(mm)
    assert oracle_scene.mismatch(m, Data(m), mm, md) == ""

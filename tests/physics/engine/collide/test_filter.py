"""Which pairs may touch, and with which parameters: each rule on the smallest model that shows it."""
import mujoco
import numpy as np
import pytest

import physics
from physics.compiler.derived import collision_pairs
from physics.model.data import Data
from tests.naive.collide import pairs_in_order
from tests.physics.engine.collide import oracle_scene, random_rules

BALL = '<geom size="0.1" {0}/>'


@pytest.fixture(scope="module", autouse=True)
def kernels():
    oracle_scene.ready()


def run(xml, edit=None):
    """Contacts of both engines at the start pose; -> list of geom pairs, after they were found equal."""
    mm = mujoco.MjModel.from_xml_string(f"<mujoco>{xml}</mujoco>")
    if edit:
        edit(mm)
    md = mujoco.MjData(mm)
    mujoco.mj_kinematics(mm, md)
    m = oracle_scene.model_like(mm)
    d = Data(m)
    assert oracle_scene.mismatch(m, d, mm, md) == ""
    assert m.nsapgeom or [tuple(p) for p in m.cpair_geom.tolist()] == pairs_in_order_listed(m)
    return [tuple(g) for g in d.contact_geom[:d.ncon].tolist()]


def pairs_in_order_listed(m):
    """The list keeps pairs that only the parent rule forbids."""
    flags = m.opt_disableflags
    m.opt_disableflags = flags | 1024
    expected = pairs_in_order(m)
    m.opt_disableflags = flags
    return expected


def chain(extra="", option="", world_geom=""):
    """Ball on ball on ball, all overlapping, each hinged to the one before."""
    return (f'{option}<worldbody>{world_geom}<body name="a"><joint type="slide"/>{BALL.format("")}<body name="b"><joint/>{BALL.format("")}'
            f'<body name="c"><joint/>{BALL.format("")}</body></body></body></worldbody>{extra}')


def test_parent_and_child_do_not_touch():
    assert run(chain()) == [(0, 2)]


def test_parent_filter_can_be_switched_off():
    assert run(chain(option='<option><flag filterparent="disable"/></option>')) == [(0, 1), (0, 2), (1, 2)]


def test_parent_filter_switched_while_running():
    mm = mujoco.MjModel.from_xml_string(f"<mujoco>{chain()}</mujoco>")
    md = mujoco.MjData(mm)
    mujoco.mj_kinematics(mm, md)
    m = oracle_scene.model_like(mm)
    d = Data(m)
    oracle_scene.place(m, d, md)
    oracle_scene.detect(m, d)
    assert d.ncon == 1
    m.opt_disableflags |= 1024
    oracle_scene.detect(m, d)
    assert d.ncon == 3


def test_the_world_touches_its_children():
    assert run(chain(world_geom='<geom size="0.1"/>')) == [(0, 1), (0, 2), (0, 3), (1, 3)]


def test_excluded_bodies_do_not_touch():
    assert run(chain(extra='<contact><exclude body1="c" body2="a"/></contact>')) == []


def test_welded_bodies_do_not_touch_and_share_their_parent():
    xml = (f'<worldbody><body><joint/>{BALL.format("")}<body>{BALL.format("")}<body><joint/>{BALL.format("")}</body></body></body>'
           f'<body>{BALL.format("")}<body>{BALL.format("")}</body></body></worldbody>')
    assert run(xml) == [(0, 3), (0, 4), (1, 3), (1, 4), (2, 3), (2, 4)]


def test_mocap_bodies_touch_moving_bodies_only():
    xml = (f'<worldbody><geom type="plane" size="0 0 1"/><body mocap="true">{BALL.format("")}</body>'
           f'<body mocap="true">{BALL.format("")}</body><body><freejoint/>{BALL.format("")}</body></worldbody>')
    assert run(xml) == [(0, 3), (1, 3), (2, 3)]


@pytest.mark.parametrize("masks,touch", [((1, 1, 1, 1), True), ((1, 0, 0, 1), True), ((0, 1, 1, 0), True), ((1, 0, 1, 0), False),
                                         ((2, 1, 1, 4), True), ((2, 1, 4, 5), False), ((0, 0, 3, 3), False), ((1 << 30, 0, 0, 1 << 30), True)])
def test_contype_and_conaffinity(masks, touch):
    geoms = [BALL.format(f'contype="{masks[2 * k]}" conaffinity="{masks[2 * k + 1]}"') for k in range(2)]
    xml = f"<worldbody><body><freejoint/>{geoms[0]}</body><body><freejoint/>{geoms[1]}</body></worldbody>"
    assert run(xml) == ([(0, 1)] if touch else [])


def test_changed_masks_count_once_the_pairs_are_built_again():
    mm = mujoco.MjModel.from_xml_string(f"<mujoco>{chain()}</mujoco>")
    md = mujoco.MjData(mm)
    mujoco.mj_kinematics(mm, md)
    m = oracle_scene.model_like(mm)
    d = Data(m)
    oracle_scene.place(m, d, md)
    m.geom_contype[2] = m.geom_conaffinity[2] = 0
    collision_pairs.build_pairs(m)
    oracle_scene.detect(m, d)
    assert (d.ncon, m.ncpair) == (0, 1)
    m.geom_contype[2] = 1
    collision_pairs.build_pairs(m)
    oracle_scene.detect(m, d)
    assert (d.ncon, m.ncpair) == (1, 3)


@pytest.mark.parametrize("balls", [6, 80])
def test_a_mask_written_while_running_takes_contacts_away(balls):
    xml = "".join(f'<body pos="{0.15 * k} 0 0"><freejoint/><geom size=".1"/></body>' for k in range(balls))
    mm = mujoco.MjModel.from_xml_string(f'<mujoco><worldbody><geom type="plane" size="1 1 1" pos="0 0 -.09"/>{xml}</worldbody></mujoco>')
    md = mujoco.MjData(mm)
    m = oracle_scene.model_like(mm)
    d = Data(m)
    assert (m.nsapgeom > 0) == (balls > 50)
    for g in (0, 2, 3):
        for model in (mm, m):
            model.geom_contype[g] = model.geom_conaffinity[g] = 0
        mujoco.mj_fwdPosition(mm, md)
        oracle_scene.place(m, d, md)
        oracle_scene.detect(m, d)
        assert d.contact_geom[:d.ncon].tolist() == md.contact.geom.tolist()
    assert 0 < md.ncon < 2 * balls - 3


@pytest.mark.parametrize("swept", [False, True])
def test_masks_written_while_running_make_the_official_contacts(swept, monkeypatch):
    """Bits of geoms and bodies on and off, in scenes of all rules; of one geom and of many per body, listed and swept."""
    if swept:
        monkeypatch.setattr(collision_pairs, "LIST_LIMIT", 0)
        monkeypatch.setattr(collision_pairs, "LOOK_LIMIT", 0)
        monkeypatch.setattr(collision_pairs, "GROUP_FROM", 2)
    seen, more = set(), 0
    for seed in range(40):
        mm = mujoco.MjModel.from_xml_string(random_rules.Scene(seed, seed % 2 == 0).text())
        md = mujoco.MjData(mm)
        m = oracle_scene.model_like(mm)
        d = Data(m)
        assert not swept or m.ncpair == 0 or (m.geom_type[m.cpair_geom] == 0).any(1).all()
        mujoco.mj_fwdPosition(mm, md)
        r = np.random.default_rng(seed)
        for k in range(5):
            before = md.ncon
            for name in r.choice([kind + mask for kind in ("geom_", "body_")[:1 + k // 3] for mask in ("contype", "conaffinity")], 2):
                i, bits = r.integers(len(getattr(mm, name))) if len(getattr(mm, name)) else None, r.integers(4)
                if i is not None:
                    getattr(mm, name)[i] = getattr(m, name)[i] = bits
            mujoco.mj_fwdPosition(mm, md)
            assert oracle_scene.mismatch(m, d, mm, md) == ""
            more += md.ncon > before
            seen.add(d.masks_written)
    assert seen == {0, 1, 2} and more > 20


def test_a_step_heeds_bits_switched_on():
    text = ('<mujoco><worldbody><geom type="plane" size="1 1 1" contype="2"/>'
            '<body pos="0 0 .09"><freejoint/><geom size=".1" contype="4" conaffinity="4"/></body></worldbody></mujoco>')
    physics.ensure_kernels()
    m = physics.load_string(text)
    d = Data(m)
    physics.step(m, d)
    assert d.ncon == 0
    m.geom_conaffinity[1] |= 2
    physics.step(m, d)
    assert d.ncon == 0   # the body's have not: as officially
    m.body_conaffinity[1] |= 2
    physics.step(m, d)
    assert d.ncon == 1


@pytest.mark.parametrize("flag", ["constraint", "contact"])
def test_flags_switch_collision_off(flag):
    option = f'<option><flag {flag}="disable"/></option>'
    mm = mujoco.MjModel.from_xml_string(f"<mujoco>{chain(option=option)}</mujoco>")
    m = oracle_scene.model_like(mm)
    d = Data(m)
    d.geom_xmat[:] = np.eye(3).ravel()
    d.ncon = 7
    oracle_scene.detect(m, d)
    assert d.ncon == 0


def test_plane_carried_by_a_mocap_body_and_two_planes():
    xml = (f'<worldbody><geom type="plane" size="0 0 1"/><body mocap="true"><geom type="plane" size="1 1 1"/></body>'
           f'<body><freejoint/>{BALL.format("")}</body></worldbody>')
    assert run(xml) == [(0, 2), (1, 2)]


PARAMETERS = (
    'condim="1" friction="0.4 0.02 0.003" solref="0.03 0.8" solimp="0.8 0.9 0.01 0.4 3" solmix="2"',
    'condim="6" friction="0.9 0.01 0.0001" solref="0.01 1.2" solimp="0.95 0.99 0.003 0.6 2" solmix="0.5"',
    'condim="4" friction="0 0 0" solref="-500 -20" priority="0"',
    'condim="3" priority="2" solref="0.05 1" friction="0.3 0.3 0.3" solmix="0"',
    'condim="1" solref="-300 -40" solmix="1e-16" margin="0.02" gap="0.01"',
    'priority="-1" solref="0.04 0.5" margin="0.005"',
)


@pytest.mark.parametrize("a", range(len(PARAMETERS)))
@pytest.mark.parametrize("b", range(len(PARAMETERS)))
def test_parameters_are_mixed(a, b):
    xml = (f'<worldbody><body><freejoint/>{BALL.format(PARAMETERS[a])}</body><body pos="0.15 0 0"><freejoint/>{BALL.format(PARAMETERS[b])}</body>'
           "</worldbody>")
    assert run(xml) == [(0, 1)]


def test_override_replaces_the_parameters():
    option = ('<option o_margin="0.3" o_solref="0.05 0.7" o_solimp="0.7 0.8 0.02 0.3 4" o_friction="0.5 0.4 0 0.02 0.01">'
              '<flag override="enable"/></option>')
    ball = BALL.format('gap="0.01"')
    xml = f'{option}<worldbody><geom type="plane" size="0 0 1"/><body pos="0 0 0.35"><freejoint/>{ball}</body></worldbody>'
    assert run(xml) == [(0, 1)]


@pytest.mark.parametrize("height,listed,excluded", [(0.1199, 1, 0), (0.1201, 1, 1), (0.1499, 1, 1), (0.1501, 0, None)])
def test_gap_lists_contacts_without_force(height, listed, excluded):
    """Force below margin 0.02, listed below margin + gap 0.05; sums of both geoms."""
    ball = BALL.format('margin="0.015" gap="0.02"')
    xml = f'<worldbody><geom type="plane" size="0 0 1" margin="0.005" gap="0.01"/><body pos="0 0 {height}"><freejoint/>{ball}</body></worldbody>'
    mm = mujoco.MjModel.from_xml_string(f"<mujoco>{xml}</mujoco>")
    md = mujoco.MjData(mm)
    mujoco.mj_kinematics(mm, md)
    m = oracle_scene.model_like(mm)
    d = Data(m)
    assert oracle_scene.mismatch(m, d, mm, md) == ""
    assert d.ncon == listed and (not listed or (d.contact_exclude[0], d.contact_includemargin[0]) == (excluded, 0.02))

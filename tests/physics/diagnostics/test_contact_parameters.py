"""How the parameters of contacts came about: each rule by a small model, and all of them on every contact of random scenes, to the last bit."""
import numpy as np
import pytest

import physics
from physics.diagnostics.contact_parameters import ROWS, Rule, contact_parameters, pair_parameters
from physics.engine.constraint.impedance import clip_impedance, damping, stiffness
from tests.physics.engine.collide.random_rules import Scene


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def touching(first: str = "", second: str = "", contact: str = "", option: str = "", pos: str = "0 0 .09", compiler: str = ""):
    """A ball on a plane, with attributes of the plane and of the ball."""
    m = physics.load_string(f"""<mujoco>{compiler}{option}<worldbody><geom name="floor" type="plane" size="1 1 1" {first}/>
        <body name="b" pos="{pos}"><freejoint/><geom name="ball" size=".1" {second}/></body></worldbody><contact>{contact}</contact></mujoco>""")
    d = physics.Data(m)
    physics.forward(m, d)
    return m, d


def held(d, k: int) -> dict:
    return {row.name: tuple(np.ravel(getattr(d, row.contact)[k]).tolist()) for row in ROWS if row.contact}


def checked(m, d, k: int = 0):
    """What is said of contact k, after its values were compared with the contact's."""
    found = contact_parameters(m, d, k)
    for name, value in held(d, k).items():
        assert found[name].value == value, name
        assert found[name].rule is not Rule.CHANGED, found[name].why
    return found


def test_the_larger_counts_at_equal_priority():
    found = checked(*touching('condim="1" friction=".4 .01 .2"', 'condim="4" friction=".9 .005 .1"'))
    assert found["condim"].rule is Rule.MAXIMUM and found["condim"].value == (4,)
    floor, ball = found["condim"].candidates
    assert (floor.value, floor.decides, ball.value, ball.decides) == ((1,), (False,), (4,), (True,))
    friction = found["friction"]
    assert friction.value == (0.9, 0.9, 0.01, 0.2, 0.2)
    assert [c.decides for c in friction.candidates] == [(False, True, True), (True, False, False)]
    assert friction.candidates[0].source == 'geom "floor"' and friction.candidates[0].element.kind == "geom"


def test_solmix_weighs_solref_and_solimp():
    found = checked(*touching('solmix="3" solref=".02 1"', 'solmix="1" solref=".06 .5" solimp=".8 .9 .01"'))
    assert found["solref"].rule is found["solimp"].rule is Rule.SOLMIX and found["solref"].weight == 0.75
    assert np.allclose(found["solref"].value, (0.03, 0.875)) and "0.75" in found["solref"].why
    one = checked(*touching('solmix="0"', 'solref=".06 .5"'))["solref"]
    assert one.value == (0.06, 0.5) and [c.decides for c in one.candidates] == [(False, False), (True, True)]


def test_the_higher_priority_decides_alone():
    found = checked(*touching('priority="2" condim="1" friction=".1 0 0" adhesion="0"', 'condim="6" friction="1 1 1" solref=".1 1" margin=".01"'))
    for name in ("condim", "friction", "solref", "solimp", "adhesion"):
        assert found[name].rule is Rule.PRIORITY and found[name].candidates[0].decides[0] and not any(found[name].candidates[1].decides)
    assert found["friction"].clamps[0].name == "MINMU" and found["friction"].value[2] == 1e-5
    assert found["margin"].rule is Rule.SUM and found["margin"].value == (0.01,)     # priority says nothing about margins


def test_the_direct_form_takes_the_smaller():
    found = checked(*touching('solref="-1000 -20"', 'solref=".02 1"'))
    assert found["solref"].rule is Rule.MINIMUM and found["solref"].value == (-1000, -20) and found["solref"].clamps == ()
    mixed = checked(*touching('solref="-1000 -20"', 'solref="-500 -30"'))["solref"]
    assert mixed.value == (-1000, -30) and [c.decides for c in mixed.candidates] == [(True, False), (False, True)]


def test_an_explicit_pair_decides_alone():
    m, d = touching('condim="6" margin="1"', "", '<pair name="foot" geom1="floor" geom2="ball" condim="3" friction=".3 .2 .1 .1 0" solreffriction=".05 1" gap=".01"/>')
    found = checked(m, d)
    assert found.pair == 0 and {p.rule for p in found.parameters} == {Rule.PAIR}
    assert found["friction"].candidates[-1].source == 'pair "foot"' and found["friction"].value == (0.3, 0.2, 0.1, 0.1, 1e-5)
    assert found["solreffriction"].used == (0.05, 1) and found["gap"].value == (0.01,)


def test_of_several_pairs_the_contacts_own_is_named():
    m, d = touching(contact='<pair geom1="floor" geom2="ball" condim="1"/><pair geom1="ball" geom2="floor" condim="4"/>')
    found = [checked(m, d, k) for k in range(d.ncon)]
    assert sorted((f.pair, f["condim"].value[0]) for f in found) == [(0, 1), (1, 4)] and found[0].pairs == (0, 1)


def test_the_override_stands_for_all_but_condim_and_adhesion():
    option = '<option o_margin=".05" o_solref=".1 .7" o_friction=".2 .2 .1 .1 .1"><flag override="enable"/></option>'
    found = checked(*touching('friction="1 1 1"', 'condim="4" solref=".01 1"', option=option))
    for name in ("friction", "solref", "solreffriction", "solimp", "margin"):
        assert found[name].rule is Rule.OVERRIDE and found[name].candidates[-1].element is None
    assert found["condim"].value == (4,) and found["condim"].rule is Rule.MAXIMUM
    assert found["friction"].value == (0.2, 0.2, 0.1, 0.1, 0.1) and found["margin"].value == (0.05,)


def test_margins_and_gaps_add_up():
    found = checked(*touching('margin=".01" gap=".02"', 'margin=".03" gap=".01"', pos="0 0 .15"))
    assert found["margin"].rule is found["gap"].rule is Rule.SUM and np.isclose(found["margin"].value[0], 0.04) and np.isclose(found["gap"].value[0], 0.03)


def test_a_margin_of_the_older_rule_loses_its_gap():
    m, d = touching('margin=".05" gap=".02"', 'margin=".03" gap=".01"')
    m.flg_maxmargin = 1
    physics.forward(m, d)
    found = checked(m, d)
    assert found["margin"].rule is Rule.MAXIMUM and found["gap"].value == (0.02,) and found["margin"].clamps[0].name == "gap"
    assert found["margin"].clamps[0].before == 0.05 and found["margin"].value == (d.contact_includemargin[0],)


def used(m, d):
    """K, B of the first contact row by what is said to be used."""
    found = checked(m, d)
    dw = clip_impedance(found["solimp"].value[1])
    return found, stiffness(found["solref"].used, dw), damping(found["solref"].used, dw)


@pytest.mark.parametrize(("ball", "names", "expected"), [
    ('solref=".001 1"', ("refsafe",), (0.004, 1)), ('solref="-5 .5"', ("signs", "signs"), (0.02, 1)), ('solref=".02 1"', (), (0.02, 1)), ('solref="-900 -9"', (), (-900, -9)),
])
def test_what_refsafe_and_signs_make_of_solref(ball, names, expected):
    m, d = touching('priority="-1"', ball)
    found, K, B = used(m, d)
    assert tuple(c.name for c in found["solref"].clamps) == names and found["solref"].used == expected
    assert np.isclose(d.efc_KBIP[0, 0], K, rtol=1e-14) and np.isclose(d.efc_KBIP[0, 1], B, rtol=1e-14)


def test_without_refsafe_solref_stays():
    m, d = touching('priority="-1"', 'solref=".001 1"', option='<option><flag refsafe="disable"/></option>')
    found, K, _B = used(m, d)
    assert found["solref"].clamps == () and d.efc_KBIP[0, 0] == K


def test_the_discrete_integrators_limit():
    m, d = touching('priority="-1"', 'solref=".0015 .9"')
    m.opt_integrator = int(physics.Integrator.DISCRETE)
    physics.forward(m, d)
    found, K, B = used(m, d)
    assert [c.name for c in found["solref"].clamps] == ["discrete"] and found["solref"].used[0] > 0.0015 and found["solref"].used[1] == 0.9
    assert np.allclose(d.efc_KBIP[0, :2], (K, B), rtol=1e-12)


def test_the_range_of_impedances():
    m, d = touching('priority="-1"', 'solimp="0 1 .001 .5 .5"')
    found = checked(m, d)
    assert [(c.name, c.number, c.after) for c in found["solimp"].clamps] == [("MINIMP", 0, 1e-4), ("MAXIMP", 1, 0.9999), ("power", 4, 1)]
    assert d.efc_KBIP[0, 2] == 0.9999       # deeper than the width
    flat = checked(*touching('priority="-1"', 'solimp=".8 .9 0"'))
    assert [c.name for c in flat["solimp"].clamps] == ["width", "width"] and np.allclose(flat["solimp"].used[:2], 0.85)


def test_a_contact_that_sticks_beyond_its_margin_has_a_normal_only():
    m, d = touching('adhesion="2" gap=".05"', 'adhesion="3" condim="4"', pos="0 0 .12")
    found = checked(m, d)
    assert found["adhesion"].rule is Rule.SUM and found["adhesion"].value == (5,)
    assert found["condim"].value == (1,) and found["condim"].clamps[0].name == "adhesion" and found["condim"].clamps[0].before == 4


def test_values_that_the_rules_do_not_give_are_told():
    m, d = touching()
    d.set_callback("cb_contactparam", lambda _m, data, k: data.contact_solref.__setitem__((k, 0), 0.123))
    physics.forward(m, d)
    found = contact_parameters(m, d, 0)
    assert found["solref"].rule is Rule.CHANGED and found["solref"].value[0] == 0.123 and "callback" in found["solref"].why


def test_geoms_that_do_not_touch():
    m, _d = touching('margin=".01" condim="1" priority="-1"', 'solref=".001 1"', pos="0 0 5")
    found = pair_parameters(m, "ball", "floor")
    assert found.geoms == (0, 1) and found.contact == -1 and found["margin"].value == (0.01,) and found["solref"].clamps[0].name == "refsafe"
    assert found == pair_parameters(m, "floor", "ball")
    with pytest.raises(IndexError):
        contact_parameters(m, _d, 0)
    with pytest.raises(KeyError):
        found["softness"]


@pytest.mark.parametrize("seeds", [range(0, 30), range(30, 60)])
def test_every_contact_of_random_scenes_to_the_last_bit(seeds):
    contacts, rules = 0, set()
    for seed in seeds:
        try:
            m = physics.load_string(Scene(seed, seed % 2 == 0).text())
        except physics.ModelError:
            continue
        d = physics.Data(m)
        d.qpos[:] += 0.2 * np.random.default_rng(seed).normal(size=m.nq)
        physics.forward(m, d)
        for k in range(d.ncon):
            found = checked(m, d, k)
            rules |= {p.rule for p in found.parameters}
            assert found.geoms == tuple(d.contact_geom[k]) and found["gap"].value[0] == (m.pair_gap[found.pair] if found.pair >= 0 else m.geom_gap[list(found.geoms)].sum())
            one = pair_parameters(m, *map(int, d.contact_geom[k]))
            assert found.pairs or (one.geoms == found.geoms and all(a.value == b.value for a, b in zip(one.parameters, found.parameters, strict=True)))
            contacts += 1
    assert contacts > 100 and len(rules) >= 6

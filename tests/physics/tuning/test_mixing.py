"""Mixing over arrays has the bits of the engine's contacts, and whose contacts change is exactly whose parameters differ once the change is made."""
import numpy as np
import pytest

import physics
from physics.diagnostics.contact_parameters import ROWS, pair_parameters
from physics.model.elements import contact_element, element
from physics.model.model_copy import model_beside
from physics.tuning.mixing import (
    COLUMNS,
    NewPair,
    affected_pairs,
    contact_table,
    explicit_pairs,
    geom_changes,
    lines,
    override_changes,
    pair_changes,
    why,
)
from physics.tuning.target import Form, Target
from tests.oracle.corpus import entry, require_corpus

SCENE = """<mujoco {compat}><option o_solref="-100 -5" o_friction=".4 .5 .1 .2 .3" o_margin=".01"><flag override="{override}"/></option><worldbody>
  <geom name="floor" type="plane" size="5 5 1" friction=".7 .01 .002" solmix="2"/>
  <geom name="wall" type="box" size=".1 1 1" pos="-1 0 0" solref="-900 -40" condim="1"/>
  <body name="a" pos="0 0 .099"><freejoint/><geom name="a" size=".1" solref=".04 .8" solimp=".8 .9 .01" friction=".5 .02 .003" condim="4"
    margin=".01" gap=".002" adhesion=".5"/></body>
  <body name="b" pos=".3 0 .099"><freejoint/><geom name="b" size=".1" priority="2" solimp=".5 .6 .02 .4 3" friction="1.2"/></body>
  <body name="c" pos=".6 0 .099"><freejoint/><geom name="c" size=".1" solmix="0" solref="-3000 -20" condim="6"/></body>
  <body name="e" pos=".9 0 .099"><freejoint/><geom name="e" size=".1" contype="0" conaffinity="2"/></body>
</worldbody><contact><pair name="ac" geom1="a" geom2="c" solref=".1 1" friction="2 1 .1 .1 .2" margin=".003" condim="3"/><exclude body1="b" body2="c"/></contact></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def scene(override="disable", compat=""):
    m = physics.load_string(SCENE.format(override=override, compat=compat))
    d = physics.Data(m)
    physics.forward(m, d)
    return m, d


def row_of(m, one, two, pair):
    parameters = pair_parameters(m, one, two)
    assert parameters.pair == pair
    return np.concatenate([parameters[row.name].value for row in (next(r for r in ROWS if r.name == name) for name in COLUMNS)])


@pytest.mark.parametrize("override", ["disable", "enable"])
def test_the_table_has_the_bits_of_each_contact(override):
    m, _d = scene(override)
    geoms = np.array([(g, h) for g in range(m.ngeom) for h in range(m.ngeom) if g < h])
    pairs = np.array([next(iter(explicit_pairs(m, *pair)), -1) for pair in geoms.tolist()])
    table = contact_table(m, geoms, pairs)
    for k, (one, two) in enumerate(geoms.tolist()):
        assert np.array_equal(table[k], row_of(m, one, two, pairs[k])), (m.names["geom"][one], m.names["geom"][two])
    assert (pairs >= 0).sum() == 1


def all_pairs(m):
    """Every pair that can touch, by brute force through the engine's own question, with its explicit pair."""
    from physics.diagnostics.contact_exclusion import contact_exclusion

    d = physics.Data(m)
    physics.forward(m, d)
    out = {}
    for g in range(m.ngeom):
        for h in range(g + 1, m.ngeom):
            found = contact_exclusion(m, d, g, h)
            if not any(check.word not in ("distance", "bounds", "gap") for check in found.reasons):
                out[g, h] = found.pair
    return out


def truly_different(m, changed):
    """Pairs whose parameters differ between two Models."""
    return {pair for pair, number in all_pairs(m).items() if not np.array_equal(row_of(m, *pair, number), row_of(changed, *pair, number))}


def written(m, changes):
    new = model_beside(m)
    for name, row, value in changes:
        if row < 0:
            setattr(new, name, np.array(value) if np.ndim(value) else value)
        else:
            getattr(new, name)[row] = value
    return new


NAMES = ("one geom", "a geom that decides nothing", "priority", "several", "pair", "margin", "override", "nothing")


def changes_of(m, name):
    return {
        "one geom": geom_changes([m.id("geom", "a")], {"solref": (-500.0, -9.0), "solimp": (.7, .8, .01, .5, 2.0)}),
        "a geom that decides nothing": geom_changes([m.id("geom", "wall")], {"friction": (0.001, 0.001, 0.00001)}),
        "priority": geom_changes([m.id("geom", "floor")], {"priority": 3, "solimp": (.7, .8, .001, .5, 2.0)}),
        "several": geom_changes([m.id("geom", name) for name in "abe"], {"condim": 6, "friction": (3.0, .1, .1)}),
        "pair": pair_changes([0], {"solref": (-500.0, -9.0)}),
        "margin": geom_changes([m.id("geom", "c")], {"margin": .1, "gap": .03}),
        "override": override_changes(m, {"solref": (-100.0, -5.0), "friction": (.4, .5, .1, .2, .3)}),
        "nothing": geom_changes([m.id("geom", "b")], {"priority": 2}),
    }[name]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("override", ["disable", "enable"])
def test_those_and_only_those_contacts_change(name, override):
    m, d = scene(override)
    changes = changes_of(m, name)
    found = affected_pairs(m, changes, d)
    told = {tuple(sorted(pair)) for pair in found.geoms.tolist()}
    assert told == truly_different(m, written(m, changes)) and len(told) == len(found)
    assert told or override == "enable" or name == "nothing"


def test_what_changes_is_told_by_name_those_that_touch_first():
    m, d = scene()
    found = affected_pairs(m, changes_of(m, "one geom"), d)
    assert found.names() == ("geom floor and geom a", "geom wall and geom a (not touching now)")
    assert found[0].parameters == ("solref", "solimp") and found[0].present and found[1].parameters == ("solimp",)
    assert found.names(1) == ("geom floor and geom a", "and 1 more")
    assert found.without(m.id("geom", "a"), m.id("geom", "floor")).names() == ("geom wall and geom a (not touching now)",)


def test_a_new_pair_changes_only_its_own_contact():
    m, d = scene()
    geoms = m.id("geom", "floor"), m.id("geom", "b")
    now = contact_table(m, np.array([geoms]), np.array([-1]))[0]
    same = {name: tuple(now[columns]) for name, columns in COLUMNS.items()}
    assert len(affected_pairs(m, (), d, [NewPair(*geoms, same)])) == 0
    found = affected_pairs(m, (), d, [NewPair(*geoms, same | {"solref": (.05, 1.0)})])
    assert found.names() == ("geom floor and geom b",) and found[0].parameters == ("solref",)
    untouchable = affected_pairs(m, (), d, [NewPair(m.id("geom", "e"), m.id("geom", "b"), same)])
    assert [str(one) for one in untouchable] == ["geom e and geom b"], "it could not touch before"


def test_reasons_are_sentences():
    m, d = scene()
    k = next(k for k in range(d.ncon) if m.id("geom", "b") in d.contact_geom[k])
    said = list(lines(why(m, d, Target(Form.CONTACT, contact_element(m, d, k))).parameters))
    assert any(line.startswith("solimp 0.5 0.6 0.02 0.4 3: ") and "higher priority" in line for line in said)
    pair = why(m, d, Target(Form.CONTACT, element(m, "pair", 0)))
    assert pair.pair == 0 and "names these two geoms" in next(lines(pair.parameters))
    with pytest.raises(ValueError, match="touches nothing"):
        why(m, d, Target(Form.CONTACT, element(m, "geom", m.id("geom", "e"))))


@pytest.mark.parametrize("name", ["robot_soccer_kit", "humanoid"])
def test_all_contacts_of_a_real_model_are_found(name):
    require_corpus()
    m = physics.load(str(entry(name, exact=True).path))
    d = physics.Data(m)
    physics.step(m, d, 100)
    rng = np.random.default_rng(1)
    some = rng.choice(m.ngeom, min(12, m.ngeom), replace=False)
    changes = geom_changes(some, {"solref": (-4321.0, -12.0), "priority": 9})
    found = affected_pairs(m, changes, d)
    present = {tuple(sorted(pair)) for pair in d.contact_geom[:d.ncon].tolist()}
    told = {tuple(sorted(pair)) for pair in found.geoms.tolist()}
    named = {tuple(sorted(pair)) for pair in zip(m.pair_geom1.tolist(), m.pair_geom2.tolist(), strict=True)}
    assert {pair for pair in present if set(pair) & set(some.tolist()) and pair not in named} <= told
    assert all(set(pair) & set(some.tolist()) for pair in told) and not told & named


def test_pairs_of_many_geoms_take_little_memory():
    """500 balls, all of which may touch: what changes of 125,000 contacts is not kept."""
    balls = "".join(f"<body pos='{k} 0 0'><freejoint/><geom size='.1'/></body>" for k in range(500))
    m = physics.load_string(f"<mujoco><worldbody>{balls}</worldbody></mujoco>")
    found = affected_pairs(m, override_changes(m, {"solref": (-100.0, -5.0)}))
    assert len(found) == 500 * 499 // 2 and all("solref" in found[k].parameters for k in (0, len(found) - 1))
    assert sum(value.nbytes for value in vars(found).values() if isinstance(value, np.ndarray)) < 16 * len(found)

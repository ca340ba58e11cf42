"""Values of a contact written at each place that is offered: only these values differ in the text, taking it back gives the same bytes, the compiled model has them there, and the
contacts told as affected are exactly those whose parameters differ."""
import numpy as np
import pytest

import physics
from editor.edits.history import History
from editor.edits.patch import apply, inverse
from editor.inspect.subject import Reading
from editor.tuning.edits import edit_of
from editor.tuning.place import Kind
from editor.tuning.places import places
from physics.diagnostics.contact_parameters import pair_parameters
from physics.model.elements import CONTACT, Element, element
from physics.tuning.mixing import GivenUpError, affected_pairs, geom_changes
from physics.tuning.target import Form, Target
from tests.editor.structure.versions import compiled, of, opened
from tests.oracle.corpus import entry, require_corpus

MAIN = """<mujoco model="tuned">
  <!-- a comment -->
  <include file="defs.xml"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"   friction="0.80 .01"/>
    <geom name="wall" type="box" size=".1 1 1" pos="-1 0 0"/>
    <body name="one" pos="0 0 .099"><freejoint/><geom name="one" class="ball" solref='.03 1'/></body>
    <body name="two" pos=".5 0 .099"><freejoint/><geom name="two" class="ball"/></body>
    <body name="three" pos="1 0 .099"><freejoint/>
      <geom name="three"
            size=".1"
            friction="1.50 .02 .003"/>
    </body>
    <body name="four" pos="1.5 0 .099"><freejoint/><geom size=".1"/></body>
    <body name="arm" pos="0 2 1"><joint name="j" range="-10 20" class="stiff"/><joint name="k" axis="0 1 0" range="0 1" class="stiff" solreflimit=".1 1"/>
      <geom name="arm" size=".1"/></body>
  </worldbody>
  <contact><pair name="p" geom1="two" geom2="three" solref="0.02 1.0"/></contact>
  <equality><connect name="pin" body1="arm" anchor="0 0 0" solimp=".9 .95"/></equality>
</mujoco>
"""
DEFS = """<mujocoinclude>
  <default>
    <default class="ball"><geom size=".1" solimp=".8 .9 .002"/></default>
    <default class="stiff"><joint solreflimit=".02 1"/></default>
  </default>
</mujocoinclude>
"""
VALUES = {"solref": (-4321.5, -65.25), "solimp": (.85, .85, .001, .5, 2.0), "friction": (1.25, .02, .003)}


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def loaded(text=MAIN, crlf=False, **files):
    files = files or {"defs": DEFS}
    if crlf:
        text, files = text.replace("\n", "\r\n"), {name: inside.replace("\n", "\r\n") for name, inside in files.items()}
    version = of(text, **files)
    m = compiled(version)
    return Reading(version), m


def compiled_with_links(version):
    from physics.compiler.compile import compile_root

    return compile_root(version.read)


def opened_model(text=MAIN, crlf=False, **files):
    """(reading, Model whose links are the ids of the reading's elements)."""
    reading, _m = loaded(text, crlf, **files)
    return reading, compiled_with_links(reading.version)


def contact(m, *names) -> Target:
    ids = [m.id("geom", name) if isinstance(name, str) else name for name in names]
    return Target(Form.CONTACT, Element(CONTACT, 0, "", tuple(element(m, "geom", g) for g in ids)))


def place_of(found, kind, k=0):
    return [place for place in found if place.kind == kind][k]


def edited(reading, m, place, values):
    """(texts after, Model after); the edit is undone to the same characters by one undo of the history."""
    texts = dict(reading.version.texts)
    edit = edit_of(reading, m, place, values)
    after = texts | apply(texts, edit)
    history = History()
    history.add(edit, inverse(edit, texts), 0.0)
    assert len(history.entries) == 1
    assert after | apply(after, history.undo()) == texts and history.undo() is None
    return after, compiled_with_links(reading.version.after(edit))


def changed_words(before, after):
    """Lines that differ, as (before, after), of all files."""
    out = []
    for file in before:
        a, b = before[file].splitlines(), after[file].splitlines()
        if len(a) == len(b):
            out += [(x.strip(), y.strip()) for x, y in zip(a, b, strict=True) if x != y]
        else:
            out += [("", line.strip()) for line in b if line not in a]
            assert [line for line in b if line in a] == a, "nothing but lines put in"
    return out


def rows(m):
    """Parameters of every pair of geoms, by their names."""
    out = {}
    for g in range(m.ngeom):
        for h in range(g + 1, m.ngeom):
            found = pair_parameters(m, g, h)
            out[g, h] = tuple(parameter.value for parameter in found.parameters)
    return out


def can_touch(m):
    """Pairs that can touch: what a change of every geom reaches, and the explicit ones."""
    found = affected_pairs(m, (("opt_enableflags", -1, 1), ("opt_o_margin", -1, 123.0), *geom_changes(range(m.ngeom), {"margin": 55.0, "gap": 3.0})))
    return {tuple(sorted(pair)) for pair in found.geoms.tolist()}


def truly_changed(before, after):
    possible = can_touch(before) | can_touch(after)
    was, now = rows(before), rows(after)
    return {pair for pair in possible if not same(was[pair], now[pair])}


def same(one, other):
    return all(np.allclose(a, b, rtol=1e-9, atol=1e-12) for a, b in zip(one, other, strict=True))


def check(reading, m, place, values):
    after, new = edited(reading, m, place, values)
    told = {tuple(sorted(pair)) for pair in place.affected.geoms.tolist()}
    assert told == truly_changed(m, new), (place.kind, place.title)
    return after, new


def has(m, geoms, values):
    found = pair_parameters(m, *geoms)
    given = {name: value if name != "friction" or len(value) == 5 else (value[0], *value[:2], value[2], value[2]) for name, value in values.items()}
    return all(np.allclose(found[name].value, value, rtol=1e-12) for name, value in given.items())


def test_places_that_nobody_wants_any_more_are_given_up():
    reading, m = opened_model()
    asked = []

    def stop():
        asked.append(None)
        return len(asked) > 2

    with pytest.raises(GivenUpError):
        places(reading, m, contact(m, "floor", "one"), VALUES, stop=stop)
    assert len(asked) == 3, "at the first piece of pairs after that"


@pytest.mark.parametrize("crlf", [False, True])
def test_every_place_of_a_contact(crlf):
    reading, m = opened_model(crlf=crlf)
    target = contact(m, "floor", "one")
    found = places(reading, m, target, VALUES)
    kinds = [str(place.kind) for place in found]
    assert sorted(kinds) == ["both geoms", "class", "class", "element", "element", "new pair", "override", "priority", "priority"] and not any(place.refusal for place in found)
    assert [place.exact for place in found] == sorted((place.exact for place in found), reverse=True)
    for place in found:
        after, new = check(reading, m, place, VALUES)
        assert has(new, place.geoms, VALUES) == place.exact, place.title
        if crlf:
            assert all(text.count("\n") == text.count("\r\n") for text in after.values())
    assert {place.kind for place in found if place.exact} == {Kind.NEW_PAIR, Kind.BOTH, Kind.PRIORITY, Kind.OVERRIDE}
    assert place_of(found, Kind.NEW_PAIR).others == ()
    assert set(place_of(found, Kind.BOTH).others) >= {"geom floor and geom two (not touching now)", "geom one and geom two (not touching now)"}


def test_only_these_values_differ():
    reading, m = opened_model()
    before = dict(reading.version.texts)
    found = places(reading, m, contact(m, "floor", "one"), VALUES)
    pair = changed_words(before, edited(reading, m, place_of(found, Kind.NEW_PAIR), VALUES)[0])
    assert pair == [('<contact><pair name="p" geom1="two" geom2="three" solref="0.02 1.0"/></contact>',
                     '<contact><pair name="p" geom1="two" geom2="three" solref="0.02 1.0"/><pair geom1="floor" geom2="one" friction="1.25 1.25 0.02 0.003 0.003" '
                     'solref="-4321.5 -65.25" solimp="0.85 0.85 0.001 0.5 2"/></contact>')]
    both = changed_words(before, edited(reading, m, place_of(found, Kind.BOTH), VALUES)[0])
    assert both == [
        ('<geom name="floor" type="plane" size="5 5 1"   friction="0.80 .01"/>',
         '<geom name="floor" type="plane" size="5 5 1"   friction="1.25 .02 0.003" solref="-4321.5 -65.25" solimp="0.85 0.85"/>'),
        ("<body name=\"one\" pos=\"0 0 .099\"><freejoint/><geom name=\"one\" class=\"ball\" solref='.03 1'/></body>",
         "<body name=\"one\" pos=\"0 0 .099\"><freejoint/><geom name=\"one\" class=\"ball\" solref='-4321.5 -65.25' solimp='.85 .85 .001' friction='1.25 0.02 0.003'/></body>")]
    override = changed_words(before, edited(reading, m, place_of(found, Kind.OVERRIDE), VALUES)[0])
    assert len(override) <= 3 and any('o_solref="-4321.5 -65.25"' in line and "o_solimp=" in line and "o_friction=" in line for _was, line in override)


def test_a_pair_that_is_there_is_the_place_of_its_contact():
    reading, m = opened_model()
    for target in (contact(m, "two", "three"), Target(Form.CONTACT, element(m, "pair", 0))):
        found = places(reading, m, target, VALUES)
        assert [place.kind for place in found] == [Kind.PAIR, Kind.CLASS, Kind.OVERRIDE] and all(place.exact for place in found)
        for place in found:
            after, new = check(reading, m, place, VALUES)
            assert has(new, place.geoms, VALUES)
        after, _new = edited(reading, m, found[0], {"solref": (.04, 1.0)})
        assert [line for line in after["/m/main.xml"].splitlines() if 'name="p"' in line] == ['  <contact><pair name="p" geom1="two" geom2="three" solref="0.04 1.0"/></contact>']


def test_condim_and_what_only_a_pair_can_say():
    reading, m = opened_model()
    target = contact(m, "floor", "three")
    found = places(reading, m, target, {"condim": (6,), "friction": (1.0, 0.5, .02, .003, .003)})
    assert {place.kind for place in found if not place.refusal} == {Kind.NEW_PAIR}
    assert any("one coefficient" in place.refusal for place in found) and any("has no condim" in place.refusal for place in found if place.kind == Kind.OVERRIDE)
    _after, new = check(reading, m, found[0], {"condim": (6,), "friction": (1.0, 0.5, .02, .003, .003)})
    assert new.pair_dim[-1] == 6 or 6 in new.pair_dim.tolist()
    with pytest.raises(ValueError, match="has no stiffness"):
        places(reading, m, target, {"stiffness": (1.0,)})
    with pytest.raises(ValueError, match="one coefficient"):
        edit_of(reading, m, place_of(found, Kind.BOTH), {"friction": (1.0, 0.5, .02, .003, .003)})


def test_a_geom_without_a_name_gets_one_with_its_pair():
    reading, m = opened_model()
    four = next(g for g in range(m.ngeom) if not m.names["geom"][g])
    found = places(reading, m, contact(m, "floor", four), VALUES)
    _after, new = edited(reading, m, place_of(found, Kind.NEW_PAIR), VALUES)
    assert new.id("geom", "four_geom") == four and has(new, (new.id("geom", "floor"), four), VALUES)


@pytest.mark.parametrize("kind,name,form,values", [
    ("joint", "j", Form.LIMIT, {"solref": (-700.0, -20.0), "solimp": (.7, .8, .01, .5, 2.0)}), ("joint", "k", Form.LIMIT, {"solref": (.3, .9)}),
    ("joint", "k", Form.FRICTION_LOSS, {"solref": (.3, .9), "frictionloss": (.5,)}), ("equality", "pin", Form.EQUALITY, {"solimp": (.6, .7, .01, .5, 2.0)})])
def test_limits_equalities_and_dry_friction(kind, name, form, values):
    reading, m = opened_model()
    number = m.id(kind, name)
    fields = {("joint", Form.LIMIT): "jnt_", ("joint", Form.FRICTION_LOSS): "dof_", ("equality", Form.EQUALITY): "eq_"}
    found = places(reading, m, Target(form, element(m, kind, number)), values)
    assert [place.kind for place in found] == [Kind.ELEMENT, Kind.CLASS]
    for place in found:
        _after, new = edited(reading, m, place, values)
        row = number if form != Form.FRICTION_LOSS else int(m.jnt_dofadr[number])
        for word, value in values.items():
            assert np.allclose(getattr(new, fields[kind, form] + word)[row], value, rtol=1e-12)
    if name == "j":
        assert found[1].others == ("joint k",), "the other joint of the class; its solreflimit is its own, solimplimit is not"
    if kind == "joint" and name == "k" and form == Form.LIMIT:
        assert found[0].others == () and found[1].others == ("joint j",)


COPIES = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/>
  <replicate count="3" offset=".5 0 0"><body name="b" pos="0 0 .099"><freejoint/><geom name="ball" size=".1"/></body></replicate>
  <replicate count="2" offset="0 1 0"><body pos="0 1 .099"><freejoint/><geom size=".1"/></body></replicate>
</worldbody></mujoco>"""


def test_a_copy_is_not_written_alone_but_a_pair_can_name_it():
    mujoco = pytest.importorskip("mujoco")
    reading, m = opened_model(COPIES, x="<mujoco/>")
    balls = [m.id("geom", name) for name in m.names["geom"] if name.startswith("ball")]
    assert len(balls) == 3
    values = {"solref": (-900.0, -9.0)}
    found = places(reading, m, contact(m, "floor", balls[1]), values)
    alone = place_of([place for place in found if place.geoms[1] >= 0 and "ball" in place.title], Kind.ELEMENT)
    assert "one of 3 copies made by replicate" in alone.refusal
    with pytest.raises(ValueError, match="copies"):
        edit_of(reading, m, alone, values)
    pair = place_of(found, Kind.NEW_PAIR)
    _after, new = check(reading, m, pair, values)
    assert new.npair == 1 and pair.others == ()
    official = mujoco.MjModel.from_xml_string(_after["/m/main.xml"])
    assert official.npair == 1 and official.pair_solref[0].tolist() == [-900, -9]
    pattern = place_of(found, Kind.PATTERN)
    _after, new = check(reading, m, pattern, values)
    assert len([one for one in pattern.others if "floor" in one]) == 2 and "copies" in pattern.title
    assert not any(place.kind == Kind.PRIORITY and place.refusal for place in found)
    unnamed = [g for g in range(m.ngeom) if not m.names["geom"][g]]
    assert "give it one first" in place_of(places(reading, m, contact(m, "floor", unnamed[0]), values), Kind.NEW_PAIR).refusal


ATTACHING = """<mujoco><asset><model name="leg" file="leg.xml"/></asset><worldbody><geom name="floor" type="plane" size="5 5 1"/>
  <body name="left" pos="0 0 .1"><freejoint/><geom size=".05" contype="0" conaffinity="0"/><attach model="leg" body="shank" prefix="l_"/></body>
  <body name="right" pos="1 0 .1"><freejoint/><geom size=".05" contype="0" conaffinity="0"/><attach model="leg" body="shank" prefix="r_"/></body>
</worldbody></mujoco>"""
LEG = """<mujoco model="leg"><default><default class="sole"><geom friction="2"/></default></default>
  <worldbody><body name="shank"><geom name="foot" class="sole" size=".1"/></body></worldbody></mujoco>"""


def test_an_attached_models_file_is_written_for_all_that_attach_it():
    reading, m = opened_model(ATTACHING, leg=LEG)
    left = m.id("geom", "l_foot")
    values = {"solref": (-900.0, -9.0)}
    found = places(reading, m, contact(m, "floor", left), values)
    assert "one of 2 copies made by attach" in next(place.refusal for place in found if place.refusal)
    pattern = place_of(found, Kind.PATTERN)
    after, new = check(reading, m, pattern, values)
    assert after["/m/main.xml"] == ATTACHING and 'solref="-900 -9"' in after["/m/leg.xml"]
    assert any("r_foot" in one for one in pattern.others)
    for k, place in enumerate(place for place in found if place.kind == Kind.CLASS and "sole" in place.class_name):
        after, new = check(reading, m, place, values)
        assert '<geom friction="2" solref="-900 -9"/>' in after["/m/leg.xml"]
    _after, new = check(reading, m, place_of(found, Kind.NEW_PAIR), values)
    assert new.pair_geom1.tolist() + new.pair_geom2.tolist() != [] and has(new, (new.id("geom", "floor"), new.id("geom", "l_foot")), values)


def test_what_a_composite_makes_is_written_for_all_of_it():
    text = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/>
      <body name="B" pos="0 0 1"><freejoint/><composite type="cable" curve="s" count="5 1 1" size="1 0 0" offset="0 0 0" initial="none"><joint kind="main" damping=".1"/>
        <geom type="capsule" size=".02"/></composite></body>
    </worldbody></mujoco>"""
    reading, m = opened_model(text, x="<mujoco/>")
    made = next(g for g in range(m.ngeom) if m.names["geom"][g] != "floor")
    found = places(reading, m, contact(m, "floor", made), {"solref": (.1, 1.0)})
    assert "one of 4 copies made by composite" in next(place.refusal for place in found if place.refusal)
    _after, new = check(reading, m, place_of(found, Kind.PATTERN), {"solref": (.1, 1.0)})
    assert not np.array_equal(new.geom_solref[made], m.geom_solref[made])


def test_the_override_that_is_on_is_told():
    text = MAIN.replace("<!-- a comment -->", '<option timestep="0.004"><flag override="enable" energy="enable"/></option>')
    reading, m = opened_model(text)
    values = {"solref": (-900.0, -9.0)}
    found = places(reading, m, contact(m, "floor", "one"), values)
    assert [place.kind for place in found if place.exact] == [Kind.OVERRIDE]
    assert all(any("override is on" in note for note in place.notes) for place in found if not place.exact and not place.refusal)
    after, new = edited(reading, m, found[0], values)
    assert '<option timestep="0.004" o_solref="-900 -9"' in after["/m/main.xml"] and has(new, found[0].geoms, values)


@pytest.mark.parametrize("crlf", [False, True])
@pytest.mark.parametrize("name", ["humanoid", "robot_soccer_kit"])
def test_classes_and_includes_of_real_models(name, crlf):
    """A class of a real model: one value in its file, and all contacts that change are told."""
    require_corpus()
    version = opened(entry(name, exact=True).path, crlf)
    reading, m = Reading(version), compiled_with_links(version)
    d = physics.Data(m)
    if m.nkey:
        physics.set_keyframe(m, d, 0)
    physics.step(m, d, 100)
    geoms = next(tuple(d.contact_geom[k].tolist()) for k in range(d.ncon))
    values = {"solref": (-900.0, -9.0)}
    found = places(reading, m, contact(m, *geoms), values, d)
    tried = 0
    for place in found:
        if place.refusal:
            continue
        edit = edit_of(reading, m, place, values)
        texts = dict(version.texts)
        after = texts | apply(texts, edit)
        assert after | apply(after, inverse(edit, texts)) == texts
        new = compiled_with_links(version.after(edit))
        told = {tuple(sorted(pair)) for pair in place.affected.geoms.tolist()}
        sample = sorted(can_touch(m))[::max(1, len(can_touch(m)) // 400)] + sorted(told)[:50]
        for pair in set(sample):
            was, now = (tuple(p.value for p in pair_parameters(model, *pair).parameters) for model in (m, new))
            assert (pair in told) == (not same(was, now)), (place.title, pair)
        tried += 1
    print(f"{name}: {tried} places of {len(found)}, {[len(place.affected) for place in found if place.affected is not None]} contacts change")
    assert tried >= 4

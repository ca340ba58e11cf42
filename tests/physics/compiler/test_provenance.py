"""Where values come from: component by component, and judged by what twins of the text compile to."""
import pytest

from physics.compiler.compile import compile_root
from physics.compiler.inferred.table import RULES
from physics.compiler.provenance import CLASS, DEFAULT, INFERRED, OWN, Users, provenance
from physics.mjcf import reader
from physics.schema import schema
from physics.spec.defaults import Resolver
from tests.oracle.corpus import corpus_file
from tests.physics.compiler import links_oracle as oracle

TEXT = """<mujoco>
  <option timestep="0.01" gravity="0 0 -9"/><option timestep="0.002" gravity="1 0 0"/>
  <default>
    <geom friction="0.9 0.02" density="500"/><joint damping="1"/><position kp="10"/>
    <default class="soft"><geom friction="0.5" rgba="1 0 0 1"/><site size=".2"/></default>
    <default class="servo"><general gainprm="70" biastype="affine" biasprm="0 -70 -3"/></default>
  </default>
  <worldbody>
    <body name="a" childclass="soft">
      <joint name="j" range="0 90" springdamper=".1 1"/><geom name="g" size=".1 .2 .3" type="box" friction=".7"/>
      <geom name="long" type="capsule" size=".05" fromto="0 0 0 0 0 1" mass="2"/>
      <geom name="plain" size=".1" euler="0 0 90" class="main"/>
      <site name="s"/>
    </body>
    <body name="b"><joint name="k"/><inertial pos="0 0 0" mass="3" fullinertia="1 1 1 0 0 0"/></body>
  </worldbody>
  <tendon><fixed name="t" range="-1 1"><joint joint="j" coef="1"/></fixed></tendon>
  <actuator><position name="p" joint="k" dampratio="1"/><position name="q" joint="k" class="servo"/><position name="r" joint="j" inheritrange="1"/></actuator>
</mujoco>"""


@pytest.fixture(scope="module")
def model():
    read = reader.read_text(TEXT)
    return read.root, Resolver(read.root), compile_root(read)


def element(model, name):
    return next(e for e in model[0].walk() if e.name == name)


def of(model, name, attribute):
    return provenance(model[1], element(model, name), attribute, model[2])


def layers(parts):
    return [(part.layer, part.name, part.text) for part in parts]


def test_lists_are_told_component_by_component(model):
    assert layers(of(model, "g", "friction")) == [(OWN, "", ".7"), (CLASS, "main", "0.02"), (DEFAULT, "", "0.0001")]
    own, main, language = of(model, "g", "friction")
    assert own.element is element(model, "g") and main.element.tag == "geom" and main.place.line == 4 and language.place is None
    assert layers(of(model, "long", "friction"))[:2] == [(CLASS, "soft", "0.5"), (CLASS, "main", "0.02")]
    assert layers(of(model, "plain", "friction"))[0] == (CLASS, "main", "0.9")


def test_classes_and_the_language_are_told(model):
    assert layers(of(model, "s", "size"))[0] == (CLASS, "soft", ".2") and of(model, "s", "size")[1].layer == DEFAULT
    assert layers(of(model, "g", "condim")) == [(DEFAULT, "", "3")]
    assert of(model, "g", "class")[0].layer == INFERRED and "soft" in of(model, "g", "class")[0].text and of(model, "plain", "class")[0].layer == OWN
    with pytest.raises(KeyError):
        of(model, "g", "damping")


def test_of_repeated_sections_the_last_counts(model):
    first, second = model[0].all("option")
    for asked in (first, second):
        part = provenance(model[1], asked, "timestep")[0]
        assert part.layer == OWN and part.element is second and part.text == "0.002"
    assert [(part.element, part.text) for part in provenance(model[1], first, "gravity")] == [(second, "1"), (second, "0"), (second, "0")]
    assert provenance(model[1], first, "integrator")[0].layer == DEFAULT


def test_elements_of_default_classes_have_the_classes_around_them(model):
    soft = next(e for e in model[0].walk() if e.tag == "geom" and "rgba" in e.attrs)
    assert layers(provenance(model[1], soft, "friction"))[:2] == [(OWN, "", "0.5"), (CLASS, "main", "0.02")]
    assert layers(provenance(model[1], soft, "density")) == [(CLASS, "main", "500")]


def test_masses_are_told_with_their_numbers(model):
    mass = of(model, "g", "mass")[0]
    assert mass.layer == INFERRED and "density 500 (class main)" in mass.text and mass.value == pytest.approx(500 * 8 * 0.006)
    assert layers(of(model, "long", "mass")) == [(OWN, "", "2")]
    assert "not used" in of(model, "long", "density")[0].text
    body = of(model, "a", "mass")[0]
    assert "3 geoms" in body.text and body.value == pytest.approx(model[2].body("a").mass)
    inertia = provenance(model[1], element(model, "b").first("inertial"), "diaginertia", model[2])
    assert inertia[0].layer == INFERRED and "fullinertia" in inertia[0].text


def test_poses_and_sizes_are_told(model):
    quat = of(model, "plain", "quat")
    assert {part.name for part in quat} == {"orientation"} and [part.value for part in quat] == pytest.approx([0.5**0.5, 0, 0, 0.5**0.5])
    assert of(model, "plain", "euler")[0].layer == OWN
    size = of(model, "long", "size")
    assert size[0].layer == OWN and size[1].layer == INFERRED and size[1].value == pytest.approx(0.5)
    assert [part.value for part in of(model, "long", "pos")] == pytest.approx([0, 0, 0.5])


def test_limits_springs_and_servos_are_told(model):
    limited = of(model, "j", "limited")[0]
    assert (limited.layer, limited.name, limited.value) == (INFERRED, "autolimits", 1) and "range 0 90 (here)" in limited.text
    assert of(model, "k", "limited")[0].value == 0 and of(model, "t", "limited")[0].value == 1
    assert of(model, "j", "stiffness")[0].name == "springdamper" and of(model, "j", "stiffness")[0].value == pytest.approx(model[2].jnt_stiffness[0])
    assert of(model, "j", "stiffness")[1].layer == DEFAULT
    kv = of(model, "p", "kv")[0]
    assert kv.name == "dampratio" and kv.value == pytest.approx(-model[2].actuator_biasprm[0, 2])
    assert layers(of(model, "p", "kp")) == [(CLASS, "main", "10")]
    assert [(part.name, part.text, part.attribute) for part in of(model, "q", "kp")] == [("servo", "70", "gainprm")]
    assert [(part.name, part.text) for part in of(model, "q", "kv")] == [("servo", "3")]
    assert [part.value for part in of(model, "r", "ctrlrange")] == pytest.approx(model[2].actuator_ctrlrange[2].tolist())
    assert of(model, "t", "springlength")[0].name == "rest length" and of(model, "t", "length0")[0].layer == INFERRED


def test_without_a_model_the_rule_is_told_without_numbers(model):
    for name, attribute in (("a", "mass"), ("j", "stiffness"), ("p", "kv"), ("t", "springlength"), ("g", "mass")):
        part = provenance(model[1], element(model, name), attribute)[0]
        assert part.layer == INFERRED and part.text


def test_users_of_a_class_are_who_takes_its_text(model):
    users = Users(model[1])
    main, soft = (next(e for e in model[0].walk() if e.tag == "geom" and a in e.attrs) for a in ("density", "rgba"))
    named = lambda found: {e.name: taken for e, taken in found}  # noqa: E731
    assert named(users.users(main, "friction")) == {"g": (1,), "long": (1,), "plain": (0, 1)}
    assert named(users.users(soft, "friction")) == {"long": (0,)} and named(users.users(soft, "rgba")) == {"g": (0, 1, 2, 3), "long": (0, 1, 2, 3)}
    assert {e.name for e in users.elements(soft)} == {"g", "long"} and users.users(soft, "density") == ()


def test_rules_are_for_attributes_of_the_language():
    fields = {"mass", "inertia", "length0", "gainprm", "biasprm", "dynprm", "actdim", "actrange", "ctrlrange", "lengthrange", "quat"}
    for path, attribute in RULES:
        assert schema.lookup(path) is not None and (attribute in schema.lookup(path).attributes or attribute in fields), (path, attribute)


MODELS = ("mj_humanoid/humanoid.xml", "menagerie_shadow_hand/right_hand.xml", "menagerie_agility_cassie/cassie.xml")


@pytest.mark.parametrize("name", MODELS)
def test_texts_named_are_those_that_compile(name):
    twin = oracle.Twin.of_file(corpus_file(name))
    marks = oracle.marked_twin(twin)
    count, wrong = oracle.wrong_layers(marks)
    assert not wrong and count > 500
    count, wrong = oracle.wrong_users(marks)
    assert not wrong and count
    count, wrong = oracle.wrong_layers(oracle.marked_twin(twin, oracle.removable(twin, 1)))
    assert not wrong and count > 500
    for check in (oracle.changed_by_defaults, oracle.wrong_limits, oracle.wrong_by_text):
        count, wrong = check(twin)
        assert not wrong and count > 20, check


def test_the_judge_of_layers_sees_wrong_ones(monkeypatch):
    twin = oracle.Twin({"m.xml": TEXT}, "m.xml", None)
    marks = oracle.marked_twin(twin)
    count, wrong = oracle.wrong_layers(marks)
    assert count > 50 and not wrong
    right = oracle.provenance
    monkeypatch.setattr(oracle, "provenance", lambda *asked: right(*asked)[::-1])
    assert oracle.wrong_layers(marks)[1]


def test_a_body_names_only_the_geoms_that_count():
    read = reader.read_text('<mujoco><compiler inertiagrouprange="2 3"/><worldbody><body name="b"><geom name="g" size=".1" mass="1" group="1"/><geom name="h" size=".1" mass="2" group="2"/></body></worldbody></mujoco>')
    model = compile_root(read)
    body = next(element for element in read.root.walk() if element.name == "b")
    part, = provenance(Resolver(read.root), body, "mass", model, ("body", 1))
    assert part.text == "of 1 geom (h), 1 outside inertiagrouprange 2 3: 2 kg" and part.value == model.body_mass[1] == 2

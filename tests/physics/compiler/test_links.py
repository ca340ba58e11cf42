"""Every thing of a Model leads to the element that it was written as, and tells which copy it is."""
import copy
import pickle

import pytest

import physics
from assets.locate import bundled_model
from physics.compiler.compile import compile_root, load, load_string
from physics.mjcf import reader
from physics.spec.element import written_id
from physics.spec.links import NO_LINKS, Links, Source, Traces
from tests.oracle.corpus import corpus_file
from tests.physics.compiler import links_oracle as oracle

CHILD = """<mujoco model="leg"><default><geom size=".1"/></default>
  <worldbody><body name="thigh"><joint name="hip"/><geom/><replicate count="2" offset="0 0 .1" sep="_"><site name="s"/></replicate></body></worldbody>
  <actuator><motor name="m" joint="hip"/></actuator><keyframe><key name="home" qpos="1"/></keyframe></mujoco>"""
MAIN = """<mujoco><asset><model name="leg" file="leg.xml"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <replicate count="3" offset="1 0 0" sep="-">
      <body name="post"><geom name="g" size=".1"/>
        <replicate count="2" euler="0 0 90"><geom size=".2" pos="1 0 0"/></replicate>
      </body>
    </replicate>
    <body name="base"><geom size=".1"/><attach model="leg" body="thigh" prefix="l_"/><attach model="leg" body="thigh" prefix="r_"/></body>
    <include file="part.xml"/>
  </worldbody>
  <sensor><framepos name="p" objtype="body" objname="post"/></sensor>
</mujoco>"""
PART = '<mujoco><body name="inner" pos="0 0 1"><geom size=".3"/></body></mujoco>'


def twin():
    return oracle.Twin({"main.xml": MAIN, "leg.xml": CHILD, "part.xml": PART}, "main.xml", None)


def source_of(of, kind, name):
    source = of.model.links.source(kind, of.model.id(kind, name))
    return of.elements[source.element], tuple((of.elements[macro], k) for macro, k in source.copies)


def test_copies_of_a_replicate_tell_their_numbers():
    of = twin()
    element, copies = source_of(of, "body", "post-2")
    assert element.name == "post" and [(macro.tag, k) for macro, k in copies] == [("replicate", 2)]
    element, copies = source_of(of, "sensor", "p-1")
    assert element.tag == "framepos" and copies[0][1] == 1


def test_copies_within_copies_are_told_outermost_first():
    of = twin()
    geom = next(e for e in of.read.root.walk() if e.attrs.get("size") == ".2")
    found = of.model.links.items(geom.id)
    assert len(found) == 6 and {kind for kind, _n in found} == {"geom"}
    assert [tuple(k for _macro, k in copies) for copies in of.model.links.copies_of(geom.id)] == [(i, j) for i in range(3) for j in range(2)]
    outer, inner = of.model.links.copies_of(geom.id)[0]
    assert of.elements[outer[0]].attrs["count"] == "3" and of.elements[inner[0]].attrs["count"] == "2"


def test_what_is_attached_leads_to_the_model_that_it_comes_from():
    of = twin()
    for name in ("l_s_1", "r_s_1"):
        element, copies = source_of(of, "site", name)
        assert element.origin.file == "leg.xml" and [(macro.tag, k) for macro, k in copies] == [("attach", 0), ("replicate", 1)]
        assert copies[0][0].attrs["prefix"] == name[:2]
    for kind, name in (("joint", "r_hip"), ("actuator", "r_m"), ("key", "r_home")):
        element, copies = source_of(of, kind, name)
        assert element.origin.file == "leg.xml" and copies[0][0].attrs["prefix"] == "r_"
    assert source_of(of, "body", "inner")[0].origin.file == "part.xml"


def test_both_ways_agree_for_everything():
    of = twin()
    links = of.model.links
    assert len(links) == sum(map(len, of.model.names.values()))
    for kind, number, source in of.items():
        assert (kind, number) in links.items(source.element)
    assert {item for element in of.elements for item in links.items(element)} == {(kind, number) for kind, number, _source in of.items()}
    macro = next(e for e in of.read.root.walk() if e.attrs.get("count") == "3")
    assert ("body", of.model.id("body", "post-0")) in links.made_by(macro.id) and ("geom", 0) not in links.made_by(macro.id)


def test_nothing_is_known_of_what_is_not_there():
    links = twin().model.links
    assert links.source("geom", 10**6) is None and links.source("geom", -1) is None and links.source("dragon", 0) is None
    assert links.items(-5) == () and links.copies_of(-5) == () and NO_LINKS.source("geom", 0) is None and NO_LINKS.items(1) == ()


def test_keyframes_that_only_a_size_asks_for_have_no_element():
    m = load_string('<mujoco><size nkey="2"/></mujoco>')
    assert m.links.source("key", 0) is None and m.links.source("body", 0) is not None


def test_links_survive_pickling_copying_and_the_model_beside():
    from physics.model.model_copy import model_beside

    m = twin().model
    for other in (pickle.loads(pickle.dumps(m)), copy.deepcopy(m), copy.copy(m), model_beside(m)):
        for kind, names in m.names.items():
            assert [other.links.source(kind, i) for i in range(len(names))] == [m.links.source(kind, i) for i in range(len(names))]


def test_a_model_without_text_has_none(tmp_path):
    from physics.model import lwb

    lwb.save(load(bundled_model("arm.xml")), tmp_path / "arm.lwb")
    m = physics.load(tmp_path / "arm.lwb")
    assert len(m.links) == 0 and m.links.source("geom", 0) is None and m.links.items(1) == ()


def test_ids_stay_where_a_text_is_read_again_with_them():
    texts = {"main.xml": MAIN, "leg.xml": CHILD, "part.xml": PART}
    first = reader.read_text(MAIN, "main.xml", files=texts)
    one = compile_root(first)
    ids = {}
    for read in (first, *first.attached.values()):
        for element in read.root.walk():
            ids.setdefault(element.origin.file, {})[element.origin.start] = element.id
    again = reader.read_text(MAIN, "main.xml", files=texts, ids=ids)
    two = compile_root(again)
    assert list(first.attached) == ["leg.xml"] and again.attached["leg.xml"].root.id == first.attached["leg.xml"].root.id
    for kind, names in one.names.items():
        assert [one.links.source(kind, i) for i in range(len(names))] == [two.links.source(kind, i) for i in range(len(names))]


def test_a_file_that_two_models_include_has_one_id_for_each_element():
    common = '<mujoco><body name="c"><geom size=".1"/></body></mujoco>'
    child = '<mujoco><worldbody><include file="common.xml"/></worldbody></mujoco>'
    main = ('<mujoco><asset><model name="a" file="child.xml"/></asset><worldbody><include file="common.xml"/><attach model="a" prefix="x"/></worldbody></mujoco>')
    of = oracle.Twin({"main.xml": main, "child.xml": child, "common.xml": common}, "main.xml", None)
    assert source_of(of, "body", "c")[0].id == source_of(of, "body", "xc")[0].id
    assert [(kind, len(list(some))) for kind, some in (("body", of.model.links.items(source_of(of, "body", "c")[0].id)),)] == [("body", 2)]


def test_elements_of_a_urdf_have_lasting_ids_and_lead_to_its_text():
    urdf = ('<robot name="r"><link name="a"><visual><geometry><box size="1 1 1"/></geometry></visual><collision><geometry><sphere radius="1"/></geometry></collision></link>'
            '<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
            '<joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>')
    first = reader.read_text(urdf, "r.urdf")
    ids = {"r.urdf": {element.origin.start: written_id(element.id) for element in first.root.walk()}}
    again = reader.read_text(urdf, "r.urdf", ids=ids)
    assert [element.id for element in first.root.walk()] == [element.id for element in again.root.walk()]
    assert len({element.id for element in first.root.walk()}) == len(list(first.root.walk()))
    m = compile_root(first)
    element = next(e for e in first.root.walk() if e.id == m.links.source("joint", 0).element)
    assert element.tag == "joint" and urdf[element.origin.start:].startswith('<joint name="j"')


def test_composites_tell_which_of_their_parts():
    m = load_string('<mujoco><worldbody><body name="b"><composite type="cable" prefix="c" count="5 1 1" curve="s" size="1" initial="none"><geom type="capsule" size=".01"/></composite></body>'
                    '</worldbody></mujoco>')
    numbers = [m.links.source("geom", i).copies[-1][1] for i in range(m.ngeom)]
    assert numbers == list(range(m.ngeom)) and m.ngeom == 4
    assert len({m.links.source("geom", i).copies[-1][0] for i in range(m.ngeom)}) == 1


def test_links_of_nothing_are_small():
    assert len(Links.of({"geom": []}, Traces())) == 0 and Source(3).copies == ()


MODELS = ("mj_humanoid/humanoid.xml", "mj_replicate/stonehenge.xml", "mj_replicate/tendon.xml", "mj_humanoid/22_humanoids.xml")


@pytest.mark.parametrize("name", MODELS)
def test_links_of_models_that_people_have(name):
    of = oracle.Twin.of_file(corpus_file(name))
    count, without, wrong = oracle.wrong_places(of)
    assert not wrong and not without and count > 20
    count, wrong = oracle.wrong_names(of)
    assert not wrong and count > 5
    other = oracle.named_twin(of)
    assert not oracle.wrong_names(other)[1] and not oracle.differences(of, other)


def test_the_judge_of_names_sees_a_wrong_copy():
    of = twin()
    right = of.model.links.source("body", of.model.id("body", "post-2"))
    bodies = list(of.model.links.copies["body"])
    bodies[of.model.id("body", "post-2")] = ((right.copies[0][0], 1),)
    of.model.links = Links(of.model.links.elements, {**of.model.links.copies, "body": tuple(bodies)})
    assert any("post-2" in what for what in oracle.wrong_names(of)[1])


def test_masses_of_meshes_that_are_not_there_are_not_judged():
    small = "".join(f'<body name="{name}" pos="0 0 .001"><joint/>{geom}</body>' for name, geom in (("shell", '<geom type="mesh" mesh="m"/>'), ("ball", '<geom size=".001"/>')))
    of = oracle.Twin({"main.xml": f'<mujoco><asset><mesh name="m" file="none.stl"/></asset><worldbody>{small}</worldbody></mujoco>'}, "main.xml", None)
    assert of.model.view_only and of.model.body_mass[of.model.id("body", "shell")] == 1
    assert oracle.wrong_masses(of) == (1, [])

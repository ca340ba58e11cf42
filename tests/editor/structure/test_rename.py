"""A name that is changed is changed wherever it stands: in all files, in lists, in what attaches it; and nowhere else."""
import pytest

from editor.edits.last_good import LastGood
from editor.edits.patch import Edit, Patch, apply
from editor.edits.version import Version
from editor.inspect.edits import rename as renamed_in_the_inspector
from editor.inspect.subject import Reading
from editor.structure.draft import Refusal
from editor.structure.rename import Renaming, rename
from physics.spec.names import Names
from tests.editor.language.samples import MODEL, twins
from tests.editor.structure.versions import after, compiled, of, one, opened
from tests.oracle.corpus import corpus_file

PART = """<mujocoinclude>\r
  <body name='lower'><joint name='wrist "x"'/><geom class="link" mesh="hand" type='mesh'/></body>\r
</mujocoinclude>\r
"""
MAIN = MODEL.replace('<site name="tip" pos="0 0 1"/>', '<site name="tip" pos="0 0 1"/>\n      <include file="part.xml"/>').replace(
    '<motor name="drive" joint="elbow"/>', "<motor name=\"drive\" joint=\"elbow\"/>\n    <motor joint='wrist &quot;x&quot;'/>")


@pytest.mark.parametrize("twin", twins(MAIN))
@pytest.mark.parametrize(("tag", "name", "new"), [("joint", "elbow", "knee & <1>"), ("default", "link", 'a"b'), ("mesh", "hand", "it's"), ("site", "tip", "tip 2"),
                                                  ("geom", "rod", "bar"),
                                                  ("material", "steel", "x"), ("body", "lower", "größer")])
def test_a_renamed_model_says_the_same_with_another_name(twin, tag, name, new):
    version = of(twins(MAIN)[twin], part=PART)
    renaming = Renaming(version, one(version, tag, name))
    assert renaming.old == name
    users = Names(version.root).users_of(renaming.namespace, name)
    changed = after(version, rename(version, one(version, tag, name), new))
    names = Names(changed.root)
    assert names.find(renaming.namespace, name) is None and names.find(renaming.namespace, new) is not None
    assert len(names.users_of(renaming.namespace, new)) == len(users) == len(renaming.users) and len(renaming.edit(new).patches) == len(users) + 1
    assert after(changed, rename(changed, one(changed, tag, new), name)).texts == version.texts      # and back, byte for byte


def test_the_inspector_does_the_same():
    version = of(MAIN, part=PART)
    number = one(version, "joint", "elbow")
    assert renamed_in_the_inspector(Reading(version).subject([number]), "knee") == Renaming(version, number).edit("knee") == rename(version, number, "knee").edit


def test_names_that_cannot_be_given():
    version = of(MAIN, part=PART)
    body, joint = one(version, "body", "upper"), one(version, "joint", "elbow")
    for number, new, said in ((body, "lower", "already used: part.xml:2"), (body, "world", "the world body"), (joint, "", "named by motor 'drive'"),
                              (one(version, "default", "link"), "", "needs a name"), (one(version, "default", "link"), "main", "outermost"),
                              (one(version, "default"), "x", "always called"),
                              (one(version, "compiler"), "x", "has no name"), (10 ** 9, "x", "no longer there")):
        with pytest.raises(Refusal, match=said):
            rename(version, number, new)
    assert not rename(version, body, "upper").edit.patches
    nameless = after(version, rename(version, body, ""))
    assert "<body childclass" in nameless.texts["/m/main.xml"]


def test_an_element_without_a_name_gets_one_in_front():
    version = of('<mujoco><worldbody><geom\n  size=".1"\n  rgba="1 0 0 1"/></worldbody></mujoco>')
    assert '<geom name="ball"\n  size' in after(version, rename(version, one(version, "geom"), "ball")).texts["/m/main.xml"]


def test_an_asset_that_goes_by_its_file_gets_a_name():
    version = of('<mujoco><asset><mesh file="a/hand.stl"/></asset><worldbody><geom type="mesh" mesh="hand"/></worldbody></mujoco>')
    text = version.texts["/m/main.xml"]
    new = after(version, rename(version, one(version, "mesh"), "palm"))
    assert new.texts["/m/main.xml"] == text.replace("<mesh file", '<mesh name="palm" file').replace('mesh="hand"', 'mesh="palm"')


def test_of_two_with_one_name_only_the_first_has_users():
    text = '<mujoco><worldbody><body><joint name="j"/><joint name="j" axis="1 0 0"/><geom size=".1"/></body></worldbody><actuator><motor joint="j"/></actuator></mujoco>'
    version = Version.of({"/m/main.xml": text}, "/m/main.xml", "/m")
    second = after(version, rename(version, one(version, "joint", "j", 1), "k"))
    assert not second.read.errors and 'motor joint="j"' in second.texts["/m/main.xml"]
    assert 'motor joint="k"' in after(version, rename(version, one(version, "joint", "j"), "k")).texts["/m/main.xml"]


def test_bodies_in_the_list_of_a_flex():
    text = '<mujoco><worldbody><body name="a"/><body name="ab"/></worldbody><deformable><flex name="f" body="ab a  ab"/></deformable></mujoco>'
    version = Version.of({"/m/main.xml": text}, "/m/main.xml")
    assert 'body="c a  c"' in after(version, rename(version, one(version, "body", "ab"), "c")).texts["/m/main.xml"]
    with pytest.raises(Refusal, match="white space"):
        rename(version, one(version, "body", "ab"), "c d")


def test_names_of_copies_are_told_and_left():
    version = Version.of({"/m/main.xml": '<mujoco><worldbody><replicate count="3" sep="-"><site name="s"/></replicate></worldbody><sensor><framepos objtype="site" objname="s-1"/>'
                                         '<framepos objtype="site" objname="s-x"/></sensor></mujoco>'}, "/m/main.xml")
    change = rename(version, one(version, "site"), "t")
    assert [text for _user, _attribute, text in Renaming(version, one(version, "site")).left] == ["s-1"] and "'s-1'" in change.notes[0]
    assert after(version, change).texts["/m/main.xml"] == version.texts["/m/main.xml"].replace('"s"', '"t"')


LEG = '<mujoco model="leg"><worldbody><body name="leg"><joint name="knee"/><geom size=".1"/></body><body name="foot"><geom size=".1"/></body></worldbody>' \
      '<actuator><motor joint="knee"/></actuator></mujoco>'
ROBOT = '<mujoco><asset><model name="leg" file="leg.xml"/></asset><worldbody><body name="leg"/><attach model="leg" body="leg" prefix="l_"/>' \
        '<attach model="leg" body="foot" prefix="f_"/></worldbody><sensor><jointpos joint="l_knee"/></sensor></mujoco>'


def test_an_attached_model_has_names_of_its_own(tmp_path):
    (tmp_path / "leg.xml").write_text(LEG)
    key, leg = str(tmp_path / "m.xml"), str(tmp_path / "leg.xml")
    version = Version.of({key: ROBOT, leg: LEG}, key, str(tmp_path))
    inner = {element.name: element.id for root in version.trees()[1:] for element in root.walk() if element.name}

    def texts(number, name):
        return {**version.texts, **apply(version.texts, rename(version, number, name).edit)}

    assert texts(inner["knee"], "ankle") == {key: ROBOT, leg: LEG.replace("knee", "ankle")}
    assert [text for _user, _attribute, text in Renaming(version, inner["knee"]).left] == ["l_knee"]
    assert texts(inner["leg"], "shin") == {key: ROBOT.replace('model="leg" body="leg"', 'model="leg" body="shin"'), leg: LEG.replace('body name="leg"', 'body name="shin"')}
    assert texts(one(version, "body", "leg"), "part") == {key: ROBOT.replace('<body name="leg"', '<body name="part"'), leg: LEG}
    renamed = ROBOT.replace('model name="leg"', 'model name="shank"').replace('attach model="leg"', 'attach model="shank"')
    assert texts(one(version, "model", "leg"), "shank") == {key: renamed, leg: LEG}


def test_a_part_of_the_same_model_is_attached_by_name():
    version = of('<mujoco><worldbody><body name="a"><geom size=".1"/></body><attach body="a" prefix="p_"/></worldbody></mujoco>')
    changed = after(version, rename(version, one(version, "body", "a"), "b"))
    assert '<attach body="b" prefix="p_"/>' in changed.texts["/m/main.xml"] and compiled(changed).names["body"] == ("world", "b", "p_b")


def test_a_file_that_is_included_twice_is_changed_once(tmp_path):
    part = '<mujocoinclude><default class="steel"><geom rgba="1 0 0 1"/></default></mujocoinclude>'
    (tmp_path / "part.xml").write_text(part)
    leg = '<mujoco model="leg"><default><include file="part.xml"/></default><worldbody><body name="leg"><geom size=".1" class="steel"/></body></worldbody></mujoco>'
    main = '<mujoco><default><include file="part.xml"/></default><asset><model name="leg" file="leg.xml"/></asset><worldbody><geom class="steel" size="1"/>' \
           '<attach model="leg" body="leg" prefix="l_"/></worldbody></mujoco>'
    (tmp_path / "leg.xml").write_text(leg)
    keys = {name: str(tmp_path / f"{name}.xml") for name in ("m", "leg", "part")}
    version = Version.of({keys["m"]: main, keys["leg"]: leg, keys["part"]: part}, keys["m"], str(tmp_path))
    edit = rename(version, one(version, "default", "steel"), "iron").edit
    assert {**version.texts, **apply(version.texts, edit)} == {key: text.replace("steel", "iron") for key, text in version.texts.items()} and len(edit.patches) == 3


def test_while_a_text_is_no_xml_only_tags_that_can_be_read_are_changed():
    good = of(MAIN, part=PART)
    at = MAIN.index('<geom name="rod"') + 5
    typed = Edit("typing", (Patch("/m/main.xml", at, at, " <"),))
    broken = LastGood(good, {**good.texts, **apply(good.texts, typed)}, typed, good.carried(typed))
    assert len(Renaming(broken, one(good, "joint", "elbow")).edit("knee").patches) == 3
    with pytest.raises(Refusal, match="well-formed"):
        Renaming(broken, one(good, "material", "steel")).edit("iron")


@pytest.mark.parametrize("crlf", [False, True])
def test_all_names_of_a_model_that_people_have(crlf):
    version = opened(corpus_file("menagerie_agility_cassie/scene.xml"), crlf)
    before = compiled(version)
    for tag in ("body", "joint", "geom", "site", "mesh", "default", "motor", "material"):
        number = next((e.id for e in version.root.walk() if e.tag == tag and (e.name or e.attrs.get("class", "main") != "main" or tag == "mesh")), None)
        if number is not None:
            version = after(version, rename(version, number, f"another {tag}"))
    now = compiled(version)
    assert (now.nq, now.nu, now.ngeom) == (before.nq, before.nu, before.ngeom) and now.geom_rgba.tolist() == before.geom_rgba.tolist() and "another body" in now.names["body"]

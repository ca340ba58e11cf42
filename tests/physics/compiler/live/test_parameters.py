"""Changed parameters as rows of fields: the same numbers as a fresh compile has, bit for bit, and no rows where the structure changes."""
import numpy as np
import pytest

from assets.locate import bundled_models
from editor.edits.handing_over import handed_over
from editor.edits.patch import Edit, Patch
from editor.edits.version import Version
from physics.compiler.compile import compile_root
from physics.compiler.parameters import P1, PARAMETERS
from physics.model.changes.field_changes import differences, disagreeing, image_of, put_together, write
from tests.physics.compiler.live.perturbed import judged, kept_of

MODEL = """<mujoco>
  <compiler angle="radian"/>
  <default>
    <geom rgba=".5 .5 .5 1"/>
    <default class="red"><geom rgba="1 0 0 1" friction=".7"/><joint damping="1"/><position kp="10" ctrlrange="-1 1"/></default>
  </default>
  <asset><material name="steel" rgba=".7 .7 .8 1"/></asset>
  <worldbody>
    <light name="lamp" pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="arm" pos="0 0 1" childclass="red">
      <joint name="shoulder" axis="0 1 0" range="-1 1"/>
      <geom name="upper" type="capsule" size=".05" fromto="0 0 0 .4 0 0"/>
      <site name="tip" pos=".4 0 0"/>
      <replicate count="3" offset="0 .1 0"><geom name="stud" size=".02" pos=".2 0 0"/></replicate>
    </body>
    <body name="ball" pos="1 0 1"><freejoint/><geom name="ball" size=".1"/></body>
  </worldbody>
  <actuator><position name="servo" joint="shoulder" class="red"/><position name="soft" joint="shoulder" kp="5" dampratio="1"/></actuator>
  <sensor><framepos name="where" objtype="site" objname="tip"/></sensor>
</mujoco>"""


@pytest.fixture
def version():
    return Version.of({"m.xml": MODEL}, "m.xml")


@pytest.fixture
def kept(version):
    made = kept_of(version)
    yield made
    made.close()


def edited(version, old: str, new: str):
    assert version.texts["m.xml"].count(old) == 1
    at = version.texts["m.xml"].index(old)
    return version.after(Edit("edit", (Patch("m.xml", at, at + len(old), new),)))


def rows(kept, after, quick=False):
    changed = kept.changed(after.read)
    return kept.rows(changed, quick) if changed is not None else None


def agrees(kept, after) -> str:
    """The level of the rows, which are those of a compile."""
    found, fresh = rows(kept, after), compile_root(after.read)
    assert disagreeing(found.changes, differences(kept.image, fresh)) == ()
    return found.level


@pytest.mark.parametrize("old, new, level", [
    ('rgba="1 0 0 1"', 'rgba="0 1 0 1"', "P1"),       # of a class
    ('friction=".7"', '', "P1"), ('damping="1"', 'damping="2 .1"', "P1"), (' range="-1 1"', ' range="-2 1"', "P1"),
    (' range="-1 1"', '', "P1"),      # jnt_limited follows
    ('kp="10"', 'kp="20"', "P1"), ('kp="5"', 'kp="6"', "P3"),    # a damping ratio is resolved by the inertia
    ('ctrlrange="-1 1"', 'ctrlrange="-2 2"', "P1"), ('rgba=".7 .7 .8 1"', 'rgba=".1 .2 .3 1"', "P1"), ('pos="0 0 3"', 'pos="0 0 2"', "P3"),
    ('fromto="0 0 0 .4 0 0"', 'fromto="0 0 0 .5 0 0"', "P3"), ('axis="0 1 0"', 'axis="0 1 .1"', "P3"), ('pos=".4 0 0"', 'pos=".3 0 0"', "P3"),
    ('size=".02" pos', 'size=".03" pos', "P3"),      # of three copies
    ('name="ball" pos="1 0 1"', 'name="ball" pos="1 0 2"', "P3"),     # qpos0
    (' range="-1 1"', ' range="1 -1"', "P3"),      # warned of, which the compile after a pause tells
    ('<mujoco>', '<mujoco> <!-- a comment -->', "P1")])
def test_rows_are_those_of_a_compile(kept, version, old, new, level):
    assert agrees(kept, edited(version, old, new)) == level


@pytest.mark.parametrize("old, new", [
    ('type="plane"', 'type="plane" contype="2"'), ('site name="tip"', 'site name="top"'), ('class="red"><geom', 'class="blue"><geom'), ('<freejoint/>', ''), ('count="3"', 'count="4"'),
    ('angle="radian"', 'angle="degree"'), ('offset="0 .1 0"', 'offset="0 .2 0"'), ('"ball" size=".1"', '"ball" size="-.1"'), ('"ball" size=".1"', '"ball" size="x"'), ('rgba="1 0 0 1"', 'rgba="1 0 0"'),
    ('friction=".7"', 'contype="2"'), ('objname="tip"', 'objname="lamp" '), ('<light name="lamp" pos="0 0 3"/>', '')])
def test_what_is_structure_or_wrong_is_left_to_a_compile(kept, version, old, new):
    assert rows(kept, edited(version, old, new)) is None


def test_elements_of_one_kind_in_another_order_are_left_to_a_compile():
    version = Version.of({"m.xml": '<mujoco><worldbody><geom size=".1"/><geom size=".2"/></worldbody></mujoco>'}, "m.xml")
    first, second = version.root.children[0].children
    made = kept_of(version)
    lines = [version.texts["m.xml"][one.origin.start:one.origin.end] for one in (first, second)]
    swap = Edit("swap", (Patch("m.xml", first.origin.start, first.origin.start, lines[1]), Patch("m.xml", second.origin.start, second.origin.end, "")))
    after = version.after(swap, handed_over(swap, version.texts, version.ids))
    assert [one.id for one in after.root.children[0].children] == [second.id, first.id]
    assert rows(made, after) is None        # else Model.links would tell the wrong ones
    made.close()


def test_a_geom_of_a_free_body_that_is_no_ball_any_more_needs_a_compile(kept, version):
    assert rows(kept, edited(version, '<geom name="ball" size=".1"/>', '<geom name="ball" size=".1" pos=".1 0 0"/>')) is None     # its block of M is not diagonal any more


def test_quick_rows_are_those_that_only_read_again(kept, version):
    assert rows(kept, edited(version, 'friction=".7"', 'friction=".8"'), quick=True).level == P1
    assert rows(kept, edited(version, 'axis="0 1 0"', 'axis="0 1 .1"'), quick=True) is None


def test_the_newest_of_several_lists_is_enough(kept, version):
    first = rows(kept, edited(version, 'rgba="1 0 0 1"', 'rgba="0 1 0 1"')).changes
    second = rows(kept, edited(version, 'damping="1"', 'damping="2"')).changes
    m = compile_root(version.read)
    write(m, first)
    write(m, put_together(kept.image, second, first))
    fresh = compile_root(edited(version, 'damping="1"', 'damping="2"').read)
    assert differences(image_of(fresh), m) == ()


def test_rows_written_into_a_model_give_the_fresh_one(kept, version):
    after = edited(version, 'fromto="0 0 0 .4 0 0"', 'fromto="0 0 0 .5 0 .1"')
    m = compile_root(version.read)
    write(m, rows(kept, after).changes)
    m.check_written()
    fresh = compile_root(after.read)
    assert differences(image_of(fresh), m) == () and not np.array_equal(m.geom_size[1], compile_root(version.read).geom_size[1])


def test_rows_of_the_table_name_fields_of_the_model():
    m = compile_root(Version.of({"m.xml": MODEL}, "m.xml").read)
    assert [name for rows in PARAMETERS.values() for row in rows.values() for name in row.fields if name not in m.layout.arrays] == []
    assert sum(map(len, PARAMETERS.values())) > 500


@pytest.mark.parametrize("path", bundled_models(), ids=lambda path: path.stem)
def test_parameters_of_bundled_models(path):
    found = judged(path, each=1, most=25)
    assert found.wrong == []
    assert sum(found.counts.values()) > 0




def test_an_attached_model_has_parameters_too(tmp_path):
    child, parent = str(tmp_path / "child.xml"), str(tmp_path / "parent.xml")
    texts = {parent: '<mujoco><asset><model name="c" file="child.xml"/></asset><worldbody><attach model="c" body="arm" prefix="a_"/>'
                     '<frame pos="1 0 0"><attach model="c" body="arm" prefix="b_"/></frame></worldbody></mujoco>',
             child: '<mujoco><worldbody><body name="arm"><joint damping="1"/><geom size=".1" rgba="1 0 0 1"/></body></worldbody></mujoco>'}
    kept = kept_of(Version.of(texts, parent, str(tmp_path)))
    for old, new, level in (('rgba="1 0 0 1"', 'rgba="0 1 0 1"', "P1"), ('size=".1"', 'size=".2"', "P3"), ('damping="1"', 'damping="2"', "P1")):
        after = Version.of({**texts, child: texts[child].replace(old, new)}, parent, str(tmp_path))
        assert agrees(kept, after) == level
    assert rows(kept, Version.of({**texts, child: texts[child].replace('size=".1"', 'size=".1" contype="2"')}, parent, str(tmp_path))) is None
    kept.close()


CLOTH = """<mujoco><worldbody><body name="B1_1" pos="0 0 1"><freejoint/><composite type="cloth" count="3 3 1" spacing=".05" flatinertia=".01">
  <geom type="capsule" size=".015 .01" rgba=".8 .2 .1 1"/></composite></body></worldbody></mujoco>"""


def test_the_geom_of_a_cloth_with_inertias_of_plates_is_compiled():
    """They are worked out from its size and mass when the cloth is made."""
    version = Version.of({"m.xml": CLOTH}, "m.xml")
    kept = kept_of(version)
    assert rows(kept, edited(version, 'size=".015 .01"', 'size=".016 .011"')) is None
    assert rows(kept, edited(version, "<geom ", '<geom mass=".001" ')) is None
    kept.close()
    loose = Version.of({"m.xml": CLOTH.replace(' flatinertia=".01"', "")}, "m.xml")
    kept = kept_of(loose)
    assert agrees(kept, edited(loose, 'size=".015 .01"', 'size=".016 .011"')) == "P3"
    kept.close()

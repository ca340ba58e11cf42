"""Skins as the official compiler makes them, from text and from files whole and broken."""
import struct

import mujoco
import numpy as np
import pytest

from physics import ModelError, load, load_string
from tests.oracle.compiled import compare_compiled
from tests.oracle.corpus import REPOSITORY, require_corpus
from tests.physics.compiler.compared import accepted, difference, differences

FIELDS = ("nskin", "nskinvert", "nskintexvert", "nskinface", "nskinbone", "nskinbonevert", *(f"skin_{name}" for name in (
    "matid group rgba inflate vertadr vertnum texcoordadr faceadr facenum boneadr bonenum vert texcoord face bonevertadr bonevertnum bonebindpos "
    "bonebindquat bonebodyid bonevertid bonevertweight").split()))
WORLD = """<mujoco>{1}<asset><material name="m" rgba="1 0 0 1"/></asset><worldbody><body name="a"><geom size="1"/></body><body name="b"><geom size="1"/></body>
</worldbody>{0}</mujoco>"""
PLAIN = 'vertex="0 0 0 1 0 0 0 1 0"', 'face="0 1 2"'
SKIN = f'name="s" {PLAIN[0]} {PLAIN[1]}'


def bone(body="a", pos="1 2 3", quat="1 0 0 0", ids="0 1 2", weights="1 1 1"):
    return f'<bone body="{body}" bindpos="{pos}" bindquat="{quat}" vertid="{ids}" vertweight="{weights}"/>'


BONE = bone()


def skin(attributes=SKIN, bones=BONE, section="deformable"):
    return f"<{section}><skin {attributes}>{bones}</skin></{section}>"


def texts(*pairs):
    return [WORLD.format(skin(*pair), "") for pair in pairs]


def test_attributes():
    cases = texts((SKIN,), (' '.join(PLAIN),), ('name="s" ' + PLAIN[0],), (PLAIN[1],), (f'vertex="1 2" {PLAIN[1]}',), (f'{PLAIN[0]} face="0 1"',),
                  (f'{PLAIN[0]} face="0 1 3"',), (f'{PLAIN[0]} face="0 1 -1"',), (f'{SKIN} texcoord="1 2"',), (f'{SKIN} texcoord="1 2 3 4 5 .6"',),
                  (f'{SKIN} group="6"',), (f'{SKIN} group="-1"',), (f'{SKIN} group="5"',), (f'{SKIN} material="zz"',), (f'{SKIN} material=""',),
                  (f'{SKIN} material="m" inflate="-.1" rgba="1 0 0 .5"',), (f'{SKIN} texcoord=""',), ("",), (f'{SKIN} file="x.skn"',), ('file="x.skn"',))
    assert sum(map(accepted, cases)) == 7
    assert differences(FIELDS, cases) == {}


def test_bones():
    cases = texts((SKIN, bone(weights="1 2 .3")), (SKIN, bone() + bone("b", ids="0 2", weights=".7 -.3")), (SKIN, bone(weights="1 -1 1")),
                  (SKIN, bone(ids="0 1", weights="1 1")), (SKIN, bone(ids="0 1 3")), (SKIN, bone(ids="0 1 -1")), (SKIN, bone(ids="0 1 2 0", weights="1 1 1 .1")),
                  (SKIN, bone(weights="1 1")), (SKIN, bone(ids="", weights="")), (SKIN, bone(quat="0 0 0 0")), (SKIN, bone(quat="2 .1 .3 2")),
                  (SKIN, bone("zz")), (SKIN, bone("world")), (SKIN, ""), (SKIN, bone(weights="1e-16 1 1")), (SKIN, bone(weights="1e-14 1 1")),
                  (SKIN, '<bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertweight="1 1 1"/>'), (SKIN, bone() + bone()), (SKIN, bone(pos="1 2")))
    assert sum(map(accepted, cases)) == 8
    assert differences(FIELDS, cases) == {}


def test_skins_follow_one_another_those_of_the_assets_first():
    two = f'{PLAIN[0][:-1]} .1 .2 .3" face="0 1 2 3 2 1" texcoord="0 0 1 1 2 2 3 3"'
    body = skin(f'name="d" {two}', bone(ids="0 3", weights="1 1") + bone("b", ids="1 2 3", weights="2 2 .3")) + skin() + skin('name="e" ' + two, bone(
        ids="3 2 1 0", weights="1 2 3 4"), "asset") + skin(f'name="f" {PLAIN[0]} {PLAIN[1]}', bone("b"), "asset")
    text = WORLD.format(body, "")
    assert difference(FIELDS, text) == ""
    assert load_string(text).names["skin"] == ("e", "f", "d", "s")


# files


def skn(sizes=(3, 0, 1, 1), vertex=(0, 0, 0, 1, 0, 0, 0, 1, 0), texcoord=(), face=(0, 1, 2), name=b"a", pose=(1, 2, 3, 2, 0, 0, 1), count=None, ids=(0, 1, 2),
        weights=(1, 2, 3), more=b"", cut=None):
    """Bytes of a skin file with one bone."""
    data = struct.pack("<4i", *sizes) + np.array((*vertex, *texcoord), "<f4").tobytes() + np.array(face, "<i4").tobytes()
    data += name.ljust(40, b"\0") + np.array(pose, "<f4").tobytes() + struct.pack("<i", len(ids) if count is None else count)
    return (data + np.array(ids, "<i4").tobytes() + np.array(weights, "<f4").tobytes() + more)[:cut]


GOOD = (skn(), skn((3, 3, 1, 1), texcoord=range(6)), skn(name=b"b\0rubbish"), skn(ids=(2, 1, 0, 0), weights=(1, 1, 1, -0.5)), skn(pose=(0, 0, 0, 0, 0, 0, 0)))
BAD = (skn(cut=-1), skn(cut=-4), skn(cut=20), skn(cut=80), skn(cut=10), b"", skn(more=b"abcd"), skn(more=b"a"), skn(name=b"zz"), skn((-1, 0, 1, 1)),
       skn((2**30, 0, 1, 1)), skn(count=-1), skn(count=1000), skn(count=2), skn(count=0), skn((3, 2, 1, 1), texcoord=range(4)), skn(ids=(0, 1, 5)),
       skn(face=(0, 1, 9)), skn(name=b"x" * 40), skn((3, 0, 1, 0)), skn((3, 0, 0, 1), face=()), skn((3, 0, 1, 2)), skn(weights=(0, 1, 1)))


def test_files(tmp_path):
    path = tmp_path / "m.xml"
    for k, data in enumerate((*GOOD, *BAD)):
        (tmp_path / "k.skn").write_bytes(data)
        path.write_text(WORLD.format(skin('file="k.skn"', ""), ""))
        assert accepted(path=path) == (k < len(GOOD)), k
        assert difference(FIELDS, path=path) == "", k


def test_attributes_beside_a_file(tmp_path):
    for name in ("k.skn", "K.SKN", "k.obj"):
        (tmp_path / name).write_bytes(skn())
    path, taken = tmp_path / "m.xml", 0
    for attributes, bones in (('file="k.skn" inflate=".1" name="q" group="2" material="m"', ""), ('file="K.SKN"', ""), ('file="k.obj"', ""),
                              ('file="k.skn" face="0 1 2"', ""), ('file="k.skn"', bone()), ('file="none.skn"', "")):
        path.write_text(WORLD.format(skin(attributes, bones), ""))
        taken += accepted(path=path)
        assert difference(FIELDS, path=path) == "", attributes
    assert taken == 2


@pytest.mark.parametrize("settings", ('meshdir="sub"', 'assetdir="sub"', 'texturedir="sub"', 'strippath="true"', ""))
def test_where_files_are_looked_up(tmp_path, settings):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "k.skn").write_bytes(skn())
    (tmp_path / "m.xml").write_text(WORLD.format(skin('file="sub/k.skn"', "") + skin('file="k.skn"', ""), f"<compiler {settings}/>"))
    assert difference(FIELDS, path=tmp_path / "m.xml") == ""


def test_problems_name_file_and_place(tmp_path):
    bad = ((skn(cut=-1), "ends within the 3 vertices of bone 0"), (skn(cut=80), "are too few"), (skn(cut=10), "10 bytes, too few"), (skn(more=b"abcd"), "4 bytes are left over"),
           (skn(ids=(0, 1, 5)), "holds vertex 5"), (skn(face=(0, 1, 9)), "names vertex 9"), (skn(name=b"zz"), "unknown body 'zz'"),
           (skn(weights=(1, np.nan, 1)), "not finite"), (skn(vertex=[np.inf] * 9), "not finite"), (skn(count=0), "holds 0 vertices"))
    for k, (data, _) in enumerate(bad):
        (tmp_path / f"k{k}.skn").write_bytes(data)
    lines = "\n".join(f'<skin file="k{k}.skn"/>' for k in range(len(bad)))
    (tmp_path / "m.xml").write_text(WORLD.format(f"<deformable>\n{lines}\n</deformable>", ""))
    with pytest.raises(ModelError) as caught:
        load(tmp_path / "m.xml")
    errors = {issue.place.line: issue for issue in caught.value.issues}
    for line, (_, what) in enumerate(bad, 3):
        assert what in errors[line].what, line


def test_problems_of_bones_have_a_place():
    with pytest.raises(ModelError, match=r"model\.xml:3:59: error: bone 1 holds vertex 7.*skin\[s\]/bone\[2\]"):
        load_string(WORLD.format(skin(SKIN, bone() + "\n" + bone(ids="0 1 7")), ""))
    with pytest.raises(ModelError, match=r"vertex 2 must have a positive sum.*\(1 such"):
        load_string(WORLD.format(skin(SKIN, bone(ids="0 1", weights="1 1")), ""))


@pytest.mark.parametrize(("name", "vertices"), [("ours", 54), ("dmc_rodent/rodent.xml", 1000)])
def test_a_whole_model_field_by_field(name, vertices):
    path = REPOSITORY / "tests" / "models" / "tail.xml" if name == "ours" else require_corpus() / name
    official = mujoco.MjModel.from_xml_path(str(path))
    checked, off = compare_compiled(load(path), official)
    assert official.nskinvert >= vertices and checked > 500 and off == {}

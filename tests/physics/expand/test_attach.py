"""Attached models against the official compiler: every field, every name, the order, and refusals. All through files in a folder."""
import pytest

from physics import ModelError, load
from tests.physics.compiler.whole import off, official, ours

CHILD = '''<mujoco model="child"><compiler angle="radian" eulerseq="zyx"/>
<default><geom rgba="1 0 0 1"/><motor gear="3"/><joint armature=".1"/><default class="k"><geom rgba="0 1 0 1"/></default></default>
<asset><texture name="t" type="2d" builtin="flat" width="4" height="4"/><material name="m" texture="t"/><material name="unused"/></asset>
<custom><numeric name="n" data="1"/><text name="x" data="hello"/><tuple name="tu"><element objtype="body" objname="b"/></tuple>
<tuple name="tu2"><element objtype="body" objname="c"/></tuple></custom>
<worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body name="a" childclass="k" euler=".1 .2 .3"><joint name="ja"/><geom name="ga" size="1" material="m"/>
<frame name="f" pos="0 0 1" euler=".3 .1 0"><body name="b"><joint name="jb" type="ball"/><geom name="gb" size="1"/></body></frame></body>
<body name="c" pos="0 0 3"><joint name="jc" range="-1 1"/><geom name="gc" size="2"/></body><body name="mo" mocap="true" pos="1 1 1"/></worldbody>
<contact><exclude name="ex" body1="a" body2="c"/><exclude body1="a" body2="b"/><exclude body1="b" body2="world"/></contact>
<tendon><fixed name="t1"><joint joint="ja" coef="1"/><joint joint="jc" coef="1"/></fixed></tendon>
<actuator><motor name="mb" joint="jb"/><motor name="mc" joint="jc"/><motor name="mt" tendon="t1"/><intvelocity name="iv" joint="jc" actrange="-1 1"/></actuator>
<sensor><clock name="cl"/><jointpos joint="jc"/><framepos objtype="body" objname="b" reftype="body" refname="c"/></sensor>
<keyframe><key name="k0" time="2" qpos=".1 1 0 0 0 .3" qvel="1 2 3 4 5" act=".5" ctrl="1 2 3 4" mpos="3 2 1"/><key qpos=".2"/></keyframe></mujoco>'''
PLAIN = '<mujoco><worldbody><body name="a"><geom name="g" size="1"/></body><body name="b"/></worldbody></mujoco>'
FILES = {
    "c.xml": CHILD, "p.xml": PLAIN,
    "n.xml": '<mujoco model="n"><asset><model name="c" file="c.xml"/><model name="p" file="p.xml"/></asset><worldbody><body name="x"><attach model="c" '
             'body="a" prefix="Z"/></body><attach model="p" prefix="Y"/></worldbody><sensor><framepos objtype="body" objname="Zb"/></sensor></mujoco>',
    "d.xml": '<mujoco><default><default class="k"><geom rgba="1 0 0 1"/></default></default><worldbody><frame pos="1 0 0" childclass="k">'
             '<frame name="in" pos="0 1 0"><geom size="1"/><body><joint/><geom size="1"/></body></frame></frame></worldbody></mujoco>',
    "sub/s.xml": '<mujoco model="s"><include file="inc.xml"/><asset><model name="t" file="t.xml"/></asset><worldbody><attach model="t" prefix="t"/></worldbody></mujoco>',
    "sub/inc.xml": '<mujoco><worldbody><geom name="inc" size="1"/></worldbody></mujoco>',
    "sub/t.xml": '<mujoco><worldbody><geom name="deep" size="1"/></worldbody></mujoco>',
    "skin.xml": '<mujoco model="skin"><asset><material name="m"/></asset><worldbody><body name="b"><joint/><geom size="1"/></body><body name="c"/></worldbody>'
                + "".join(f'<{section}><skin name="{name}" material="m" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="{body}" bindpos="0 0 0" bindquat="1 0 0 0" '
                          f'vertid="0 1 2" vertweight="1 1 1"/></skin></{section}>' for section, name, body in (("deformable", "s", "b"), ("asset", "z", "c"), ("asset", "y", "b")))
                + "</mujoco>",
    "loop.xml": '<mujoco><asset><model name="main" file="main.xml"/></asset></mujoco>',
    "bad.xml": '<mujoco><worldbody><geom size="1" oops="2"/></worldbody></mujoco>',
    "merge.xml": '<mujoco model="child"><option timestep=".001" iterations="7" wind="1 2 3" gravity="0 0 -9.81"><flag damper="disable" energy="enable" limit="enable"/>'
                 '</option><size nuser_geom="3"/><visual><map znear=".002" zfar="70"/></visual><worldbody><geom name="g" size="1"/></worldbody></mujoco>',
    "gravity.xml": '<mujoco><option gravity="0 0 -5"/><worldbody><geom size="1"/></worldbody></mujoco>',
}


@pytest.fixture
def model(tmp_path):
    """Write a main file and those it names; its path."""
    (tmp_path / "sub").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)

    def write(world: str, assets: str, before: str = "", after: str = ""):
        path = tmp_path / "main.xml"
        path.write_text(f"<mujoco>{before}<asset>{assets}</asset><worldbody>{world}</worldbody>{after}</mujoco>")
        return path

    return write


C, P = '<model name="child" file="c.xml"/>', '<model name="p" file="p.xml"/>'
AGREE = {
    "whole": ('<geom name="pg" size="1"/><attach model="child" prefix="P"/>', C, '<default><geom rgba="0 0 1 1"/></default>'),
    "body": ('<body name="pb"><attach model="child" body="b" prefix="P"/></body>', C),
    "frame": ('<frame pos="1 0 0" euler="0 0 90"><attach model="child" frame="f" prefix="P"/></frame>', C),
    "two parts": ('<attach model="child" body="c" prefix="P"/><attach model="child" body="b" prefix="Q"/>', C),
    "one part twice": ('<attach model="child" body="c" prefix="P"/><attach model="child" body="c" prefix="Q"/>', C),
    "keyframes around": ('<body><joint/><geom size="1"/></body><attach model="child" prefix="P"/>', C, "", '<keyframe><key name="own" qpos="1 2"/></keyframe>'),
    "empty prefix": ('<attach model="p" prefix=""/>', P),
    "one prefix, two bodies": ('<attach model="p" body="a" prefix="q"/><attach model="p" body="b" prefix="q"/>', P),
    "world as a body": ('<attach model="p" body="world" prefix="q"/>', P),
    "nested": ('<attach model="n" prefix="q"/>', '<model file="n.xml"/>'),
    "nested part": ('<attach model="n" body="x" prefix="q"/>', '<model file="n.xml"/>'),
    "other folder": ('<attach model="s" prefix="q"/>', '<model file="sub/s.xml"/>'),
    "frame without those around": ('<attach model="d" frame="in" prefix="q"/>', '<model name="d" file="d.xml"/>'),
    "by the model's own name": ('<attach model="MuJoCo Model" prefix="q"/>', '<model file="p.xml"/>'),
    "two models of one name": ('<attach model="p" prefix="q"/>', P + '<model name="p" file="d.xml"/>'),
    "class used outside": ('<attach model="child" prefix="q"/><geom class="qk" size="1"/>', C),
    "in a replicate": ('<replicate count="3" offset="1 0 0"><attach model="child" body="c" prefix="P"/></replicate>', C),
    "replicated around": ('<replicate count="2" offset="1 0 0"><body name="w"><joint/><geom size="1"/><attach model="child" body="a" prefix="P"/></body></replicate>', C),
    "own part": ('<body name="a"><joint name="j"/><geom size="1"/></body><attach body="a" prefix="p"/>', P, "",
                 '<actuator><motor joint="j" name="m"/></actuator><sensor><clock/></sensor>'),
    "own part from inside": ('<body name="a"><geom size="1"/><attach body="a" prefix="p"/><geom size="2"/></body>', P),
    "own world": ('<geom name="g" size="1"/><attach body="world" prefix="r"/>', P),
    "own frame": ('<frame pos="1 0 0"><frame name="in" pos="0 1 0"><geom size="1"/></frame></frame><attach frame="in" prefix="p"/>', P),
    "own part of an attached one": ('<attach model="child" body="a" prefix="q"/><attach body="qb" prefix="r"/>', C),
    "skins": ('<attach model="skin" prefix="q"/>', '<model file="skin.xml"/>'),
    "skins of a part": ('<attach model="skin" body="b" prefix="q"/>', '<model file="skin.xml"/>'),
    "skins replicated": ('<replicate count="2" offset="1 0 0"><attach model="skin" body="b" prefix="q"/></replicate>', '<model file="skin.xml"/>'),
    "never attached": ("<geom size='1'/>", C),
    "options kept": ('<attach model="m" prefix="q"/>', '<model name="m" file="merge.xml"/>', '<option timestep=".003" iterations="5"/>'),
    "options merged": ('<attach model="m" prefix="q"/>', '<model name="m" file="merge.xml"/>',
                       '<compiler conflict="merge"/><option timestep=".003" iterations="5"><flag limit="disable"/></option>'),
    "options merged, larger here": ('<attach model="m" prefix="q"/>', '<model name="m" file="merge.xml"/>',
                                    '<compiler conflict="merge"/><option timestep=".0003" iterations="50"/><visual><map zfar="90" znear=".1"/></visual>'),
    "strict, but alike": ('<attach model="p" prefix="q"/>', P, '<compiler conflict="error"/><option timestep=".003"/>'),
}
REFUSED = {
    "no prefix": ('<attach model="p"/>', P, "'prefix' is missing"),
    "same prefix": ('<attach model="child" body="c" prefix="P"/><attach model="child" body="b" prefix="P"/>', C, "the texture name 'Pt' is already used"),
    "attached before": ('<attach model="p" body="a" prefix="q"/><attach model="p" body="a" prefix="q"/>', P, "the body name 'qa' is already used"),
    "unknown model": ('<attach model="q" prefix="p"/>', P, "unknown model 'q'"),
    "unknown body": ('<attach model="p" body="q" prefix="p"/>', P, "has no body 'q'"),
    "body and frame": ('<attach model="p" body="a" frame="f" prefix="p"/>', P, "cannot both be given"),
    "model of a model": ('<attach model="c" prefix="p"/>', '<model file="n.xml"/>', "unknown model 'c'"),
    "own part, later": ('<attach body="a" prefix="p"/><body name="a"/>', P, "stands before"),
    "own, no part": ('<attach prefix="p"/>', P, "needs a body or frame"),
    "file name is no model name": ('<attach model="p" prefix="q"/>', '<model file="p.xml"/>', "unknown model 'p'"),
    "missing file": ("", '<model name="x" file="no.xml"/>', "model file 'no.xml' was not found"),
    "broken file": ("", '<model name="x" file="bad.xml"/>', "unknown attribute 'oops'"),
    "elements inside": ('<attach model="p" prefix="q"><geom/></attach>', P, "may not stand in <attach>"),
}


@pytest.mark.parametrize("name", AGREE)
def test_agrees_with_the_official_compiler(model, name):
    assert off(path=model(*AGREE[name])) == ""


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_what_the_official_compiler_refuses(model, name):
    world, assets, said = REFUSED[name]
    path = model(world, assets)
    assert said in ours(path=path)
    assert isinstance(official(path=path), str)


def test_models_that_contain_each_other_are_refused(model):
    """The official compiler would read on for ever."""
    with pytest.raises(ModelError) as caught:
        load(model("", '<model name="loop" file="loop.xml"/>'))
    issue, = caught.value.issues
    assert "contains itself" in issue.what and issue.hint.count("->") == 2 and issue.place.file.endswith("loop.xml")


@pytest.mark.parametrize("policy", ["merge", "error"])
def test_what_cannot_be_merged_is_refused(model, policy):
    path = model('<attach model="g" prefix="q"/>', '<model name="g" file="gravity.xml"/>', f'<compiler conflict="{policy}"/><option gravity="0 0 -3"/>')
    assert "gravity is 0 0 -3 here and 0 0 -5 in the attached model" in ours(path=path)
    assert isinstance(official(path=path), str)


def test_elements_of_an_attached_model_point_at_its_file(model):
    m = load(model('<attach model="p" prefix="q"/>', P))
    assert m.places["geom"][0].file.endswith("p.xml") and m.places["geom"][0].column == 35
    assert [name.rpartition("/")[2] for name in m.source] == ["main.xml", "p.xml"]

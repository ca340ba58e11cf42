"""Frames that resize what they hold, against the official compiler; what is not there yet is refused by name."""
import pytest

from physics import ModelError, load_string
from tests.physics.compiler.whole import both_refuse, off, official, ours

BODY = '''<body name="b" pos="1 2 3" gravcomp=".5" user="7"><joint name="h" pos=".1 .2 .3" range="-1 2" stiffness="5 3 2" damping="7 5 3" armature="3"
  frictionloss="2" margin=".1" springref=".2" ref=".1" actuatorfrcrange="-3 4" solreflimit="-30 -3" solimplimit=".8 .9 .01 .5 2" solreffriction="-20 -2"
  solimpfriction=".8 .9 .02 .5 2" springyield="3"/>
<joint name="s" type="slide" axis="0 1 0" pos=".1 .2 .3" range="-1 2" stiffness="5 3 2" damping="7 5 3" armature="3" frictionloss="2" margin=".1"
  springref=".2" ref=".1" actuatorfrcrange="-3 4" solimplimit=".8 .9 .01 .5 2" springyield="3"/>
<geom name="g" type="box" size=".1 .2 .3" pos=".3 .2 .1" margin=".01" gap=".002" friction="1 .05 .01" solref="-100 -5" solimp=".8 .9 .01 .5 2"
  surfacevel="1 2 3 4 5 6" density="500" fluidshape="ellipsoid"/><geom type="capsule" size=".1" fromto="0 0 0 1 0 0" mass="3" adhesion="2"/>
<site type="box" size=".1 .2 .3" pos=".3 .2 .1"/><light pos="1 0 2" dir="0 1 1" attenuation="1 2 3" range="7" bulbradius=".3" intensity="2"/>
<camera pos="1 0 0" ipd=".1" resolution="10 20" sensorsize=".1 .2" focal=".3 .4" principal=".01 .02"/><camera fovy="40"/>
<body name="e" pos="0 0 1"><joint type="ball" stiffness="5" damping="3" armature="2" frictionloss="1" range="0 1" margin=".1"/>
<inertial pos="1 2 3" mass="5" diaginertia="1 2 2.5"/></body></body>'''
FREE = '''<body name="f"><freejoint/><geom size="1"/></body><body name="k" mocap="true" pos="1 2 3"/>
<body><joint type="free" armature="2" damping="3" frictionloss="4"/><geom size="1"/></body>'''


def scaled(attributes: str, inside: str = BODY + FREE, after: str = "") -> str:
    return f'<mujoco><worldbody><frame pos="1 2 3" euler="10 20 30" {attributes}>{inside}</frame></worldbody>{after}</mujoco>'


@pytest.mark.parametrize("attributes", [
    'scale="2" massscale="3"', 'scale="2" massscale="3" scaling="geometry"', 'scale=".3"', 'scale="3" scaling="geometry"', 'massscale="3"',
    'massscale="3" scaling="geometry"', 'scale="2 2 2"', 'scale=""', 'scale="2" massscale="0"',
])
def test_agrees_with_the_official_compiler(attributes):
    assert off(scaled(attributes)) == ""


def test_scales_of_frames_in_frames_multiply():
    inner = '<frame pos="1 1 1" scale="3" scaling="geometry" massscale="2">' + BODY + '''<body pos="1 1 0"><joint/><geom type="box" size="1 2 3"/>
        <frame pos="0 1 0" massscale="4" euler="10 0 0"><geom size="1" pos="1 0 0"/><joint type="slide" damping="3"/></frame></body></frame>'''
    assert off(scaled('scale="2"', inner)) == ""


@pytest.mark.parametrize(("attributes", "said"), [
    ('scale="0"', "finite and positive"), ('scale="-1"', "finite and positive"), ('scale="inf"', "cannot be used"), ('scale="1 2"', "scale"),
    ('scale="1 2 3"', "need scaling="), ('massscale="-1"', "not negative"), ('scaling="none"', "scaling"),
])
def test_refuses_what_the_official_compiler_refuses(attributes, said):
    assert both_refuse(scaled(attributes))
    assert said in ours(scaled(attributes))


@pytest.mark.parametrize(("attributes", "inside", "after", "said"), [
    ('scale="1 1 2" scaling="geometry"', '<geom type="box" size="1 1 1"/>', "", "three different factors are not supported yet"),
    ('scale="2"', BODY, '<tendon><fixed><joint joint="h" coef="1"/></fixed></tendon>', "cannot refer to what a frame scales yet"),
    ('scale="2"', BODY, '<actuator><motor joint="s"/></actuator>', "cannot refer to what a frame scales yet"),
    ('scale="2"', '<body><joint type="slide"/><geom size="1"/></body>', '<keyframe><key qpos="1"/></keyframe>', "cannot refer"),
])
def test_what_is_not_there_yet_is_refused_by_name(attributes, inside, after, said):
    assert said in ours(scaled(attributes, inside, after))
    assert not isinstance(official(scaled(attributes, inside, after)), str)


OUTSIDE = {
    "pair": '<contact><pair geom1="g" geom2="floor"/></contact>',
    "fixed tendon": '<tendon><fixed><joint joint="h" coef="1"/></fixed></tendon>',
    "spatial tendon": '<tendon><spatial><site site="o"/><site site="p"/></spatial></tendon>',
    "connect": '<equality><connect body1="b" anchor="1 0 0"/></equality>',
    "weld of sites": '<equality><weld site1="o" site2="p"/></equality>',
    "coupled joints": '<equality><joint joint1="h"/></equality>',
    "motor": '<actuator><motor joint="s"/></actuator>',
    "motor at a site": '<actuator><motor site="p"/></actuator>',
    "adhesion": '<actuator><adhesion body="b" ctrlrange="0 1"/></actuator>',
    "cut off sensor": '<sensor><framepos objtype="body" objname="b" cutoff="1"/></sensor>',
    "key": '<keyframe><key qpos="1 2 3 4 5 6"/></keyframe>',
}
WITH_SITE = BODY.replace("</body></body>", '</body><site name="p"/></body>')


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_refusal_says_where_and_what_to_do(name):
    text = (f'<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><site name="o"/><frame scale="2">{WITH_SITE.replace(chr(10), " ")}</frame></worldbody>\n'
            f'{OUTSIDE[name]}</mujoco>')
    with pytest.raises(ModelError) as caught:
        load_string(text)
    for issue in (issue for issue in caught.value.issues if issue.severity == "error"):
        said = OUTSIDE[name]
        assert issue.place.file == "model.xml" and issue.place.line == 2
        assert said[issue.place.column - 1] == "<" or said[issue.place.column - 2] == '"'   # a tag, or the value of an attribute
        assert "yet" in issue.what and issue.hint


@pytest.mark.parametrize("geom", ['type="mesh" mesh="m"', 'type="hfield" hfield="f"'])
def test_a_refused_asset_says_where_and_what_to_do(geom):
    asset = '<asset><mesh name="m" builtin="sphere" params="1"/><hfield name="f" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 1 0"/></asset>'
    with pytest.raises(ModelError, match=r"model.xml:2:\d+: error: meshes and height fields in scaled frames are not supported yet .*Scale the asset instead"):
        load_string(f'<mujoco>{asset}<worldbody><frame scale="2">\n<geom {geom}/></frame></worldbody></mujoco>')

"""Values that make no sense give errors with their place, at once: nothing hangs, fills the memory or is taken silently."""
import os
import random
import re
import subprocess
import sys
import warnings

import mujoco
import numpy as np
import pytest

from physics import Data, ModelError, compile_kernels, compile_root, forward, load, load_string, to_mjcf
from physics.mjcf.reader import read_text
from tests.physics.compiler.agreement import disagreement
from tests.physics.compiler.examples import EXAMPLES
from tests.physics.compiler.whole import off, official
from tests.physics.writer.round_trip import differences

BODY = '<worldbody><body name="b"><joint name="j"/><geom size="1"/></body></worldbody>'
ABSURD = [
    '<option gravity="nan 0 0"/>', '<option gravity="0 0 inf"/>', '<option wind="inf 0 0"/>', '<option timestep="-inf"/>',
    '<compiler boundmass="nan"/>', '<compiler settotalmass="inf"/>', '<statistic center="nan 0 0"/>', '<statistic extent="inf"/>',
    '<asset><material name="m" shininess="inf"/></asset>', '<visual><map znear="nan"/></visual>', '<visual><map znear="0"/></visual>',
    '<visual><global fovy="180"/></visual>', '<keyframe><key time="nan"/></keyframe>',
    '<tendon><fixed><joint joint="j" coef="nan"/></fixed></tendon>', '<size nkey="2000000000"/>', '<size nuser_body="2000000000"/>',
    '<size nuser_geom="-5"/>', '<size nuserdata="2000000000"/>',
    "<asset>" + "".join(f'<texture name="t{k}" type="2d" builtin="flat" width="20000" height="10000"/>' for k in range(9)) + "</asset>",
]


@pytest.mark.parametrize("text", ABSURD, ids=lambda text: text[1:60])
def test_absurd_values_are_named_with_their_place(text):
    with pytest.raises(ModelError) as caught:
        load_string(f"<mujoco>\n{text}\n{BODY}</mujoco>")
    errors = [issue for issue in caught.value.issues if issue.severity == "error"]
    assert {issue.place.line for issue in errors} == {2}
    assert len({issue.place for issue in errors}) == len(errors)   # each said once


def many(times: int, text: str) -> str:
    return "".join(text.format(k=k) for k in range(times))


@pytest.mark.parametrize(("section", "what"), [
    ('<actuator><general joint="j" dyntype="user" actdim="2000000000"/></actuator>', "activations"),
    (f'<actuator>{many(4, """<general joint="j" dyntype="user" actdim="10000000"/>""")}</actuator>', "activations"),
    (f'<actuator>{many(40, """<motor joint="j" nsample="1000000" delay="1"/>""")}</actuator>', "kept controls"),
    (f'<sensor>{many(40, """<user dim="999999"/>""")}</sensor>', "sensed and kept values"),
    ('<sensor><jointpos joint="j" nsample="2000000000" delay="1"/></sensor>', "sensed and kept values"),
    ('<worldbody><camera name="c" resolution="60000 60000"/></worldbody><sensor><rangefinder camera="c"/></sensor>', "sensed and kept values"),
    (f'<custom>{many(4, """<numeric name="n{k}" size="10000000" data="1"/>""")}</custom>', "fields"),
    (f'<size nuser_geom="10000"/><worldbody>{many(4000, """<geom size="1"/>""")}</worldbody>', "values of nuser_geom"),
    (f'<size nkey="100000"/><worldbody>{many(40, """<body><freejoint/><geom size="1"/></body>""")}</worldbody>', "keyframes"),
], ids=lambda text: text[:40])
def test_what_a_few_words_ask_for_stays_small(section, what):
    with pytest.raises(ModelError) as caught:
        load_string(f"<mujoco>\n{section}\n{BODY}</mujoco>")
    errors = [issue for issue in caught.value.issues if issue.severity == "error"]
    assert [issue.place.line for issue in errors] == [2]
    assert f"numbers with these {what} are absurdly many: a model holds at most 33554432" in errors[0].what


def test_the_users_own_numbers_may_be_infinite():
    model = load_string(f'<mujoco>{BODY}<custom><numeric name="n" data="inf nan"/></custom></mujoco>')
    assert model.numeric_data[0] == float("inf")


def test_a_pipe_or_device_is_not_read(tmp_path):
    pipe = tmp_path / "pipe.xml"
    os.mkfifo(pipe)
    code = "import sys, physics\ntry: physics.load(sys.argv[1])\nexcept physics.ModelError as error: print(error)"
    for path in (pipe, "/dev/zero"):
        out = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=20).stdout
        assert "is not a file" in out


def test_a_directory_is_not_read(tmp_path):
    with pytest.raises(ModelError, match="irectory"):
        load(tmp_path)


def test_a_dialect_that_is_not_there_is_refused_by_name():
    with pytest.raises(ModelError, match="2.2.*one of 4.0, 2.3"):
        load_string(f"<mujoco>{BODY}</mujoco>", compat="2.2")
    with pytest.raises(ModelError, match="model.xml:2:.*1.50"):
        load_string(f'<mujoco>\n<custom><text name="linkwork_compat" data="1.50"/></custom>{BODY}</mujoco>')
    assert load_string(f'<mujoco><custom><text name="linkwork_compat" data="4.0"/></custom>{BODY}</mujoco>').compat == "4.0"


def test_the_compilers_warnings_are_reported_with_the_readers():
    read = read_text('<mujoco><worldbody><body><joint armature="-1"/><geom size="1"/></body></worldbody></mujoco>')
    compile_root(read)
    assert [(i.severity, i.place.column) for i in read.issues] == [("warning", 43)]


def test_masses_that_no_number_can_weigh_up_are_named():
    joints = "".join(f'<joint axis="{axis}" type="slide"/>' for axis in ("1 0 0", "0 1 0"))
    with pytest.raises(ModelError) as caught:
        load_string(f'<mujoco><worldbody>\n<body name="b">{joints}<geom size="1"/><body pos="1e9 0 0">'
                    '<joint axis="0 1 1"/><geom size=".1" mass="1e300"/></body></body></worldbody></mujoco>')
    issue = caught.value.issues[0]
    assert "too far apart to compute with" in issue.what and issue.place.line == 2


EXTREME = ("1e300", "-1e300", "1e160", "1e39", "-1e-160", "1e-300")
NUMBERS = re.compile(r'\w+="([-+.\d][-+.\de ]*)"')
RESHAPED = """<mujoco><asset><mesh name="a" builtin="sphere" params="2" scale="1 2 3" refpos="1 2 3" refquat="1 0 1 0"/>
<hfield name="h" nrow="2" ncol="2" size="1 1 1 .1" elevation="0 1 2 3"/><mesh name="b" vertex="0 0 0 1 0 0 0 1 0 0 0 1" smoothnormal="true"/></asset><worldbody>
<geom type="hfield" hfield="h"/><frame pos="1 2 3" euler="10 20 30" scale="2"><body name="o" pos="1 0 0"><joint type="slide" stiffness="1 2 3" damping="1 2"/>
<geom size=".1 .2 .3" type="box" fluidshape="ellipsoid"/><light attenuation="1 2 3"/><inertial pos="1 1 1" mass="1" diaginertia="1 1 1"/></body></frame>
<body pos="0 0 1"><freejoint/><geom type="mesh" mesh="a" mass="2"/><geom type="capsule" mesh="b"/></body><body name="r" pos="5 0 0"><joint name="j" armature=".1"/>
<geom size=".1"/><site name="s" pos="1 0 0"/><site name="t" pos="0 0 1" euler="10 20 30"/></body></worldbody><actuator><motor joint="j" gear="2" armature=".1"/>
<motor cranksite="s" slidersite="t" cranklength="2" gear="3"/></actuator></mujoco>"""


@pytest.mark.parametrize("text", [*EXAMPLES.values(), RESHAPED], ids=[*EXAMPLES, "reshaped"])
def test_numbers_of_any_size_give_a_model_or_errors_and_nothing_else(text):
    places = [match for match in NUMBERS.finditer(text) if match[1].strip()]
    rng = random.Random(len(text))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for match in rng.sample(places, min(60, len(places))):
            words = match[1].split()
            words[rng.randrange(len(words))] = rng.choice(EXTREME)
            try:
                load_string(text[:match.start(1)] + " ".join(words) + text[match.end(1):])
            except ModelError:
                pass


@pytest.mark.parametrize("text", [
    '<compiler angle="radian"/>' + BODY.replace("joint ", 'joint axis="1e200 0 0" '), BODY.replace("geom ", 'geom quat="1e300 1 0 0" '),
    BODY.replace("geom ", 'geom quat="1e300 1e300 0 0" '), '<visual><headlight ambient="1e300 0 0"/></visual>' + BODY,
    BODY + '<actuator><motor joint="j" gear="1e300" armature="1"/></actuator>', BODY.replace("geom ", 'geom rgba="1e300 0 0 1" '),
])
def test_nothing_is_reported_beside_the_issues(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            load_string(f"<mujoco>{text}</mujoco>")
        except ModelError as error:
            assert all(issue.place for issue in error.issues)


@pytest.mark.parametrize("shape", ['type="plane" size="0 0 1"', 'type="plane" size="1 2 1"', 'type="ellipsoid" size="1e-300 .1 .1"', 'size="1e-170"'])
def test_fluid_around_shapes_without_a_volume_is_as_in_the_official_model(shape):
    text = f'<mujoco><worldbody><geom {shape} fluidshape="ellipsoid"/></worldbody></mujoco>'
    assert off(text) in ("", "geom_fluid inf")
    assert np.isnan(load_string(text).geom_fluid).any() == np.isnan(official(text).geom_fluid).any()


@pytest.mark.parametrize("interval", ["-1", "-1e300"])
def test_a_negative_interval_does_not_make_the_search_for_lengths_endless(interval):
    text = f'<mujoco>\n<compiler><lengthrange interval="{interval}"/></compiler>{BODY}<actuator><muscle joint="j"/></actuator></mujoco>'
    with pytest.raises(ModelError, match=r"model.xml:2:\d+: error: with a negative interval"):
        load_string(text)
    assert "Invalid lengthrange" in official(text)


def test_a_scale_beyond_all_sizes_is_refused_with_its_place():
    for scale in ("1e300", "1e-300"):
        with pytest.raises(ModelError, match=r"model.xml:2:\d+: error: what is inside would be resized"):
            load_string(f'<mujoco><worldbody>\n<frame scale="{scale}"><body><joint/><geom size="1"/></body></frame></worldbody></mujoco>')


BODY_WITH = "<mujoco>{0}<worldbody>{1}</worldbody></mujoco>"


@pytest.mark.parametrize("length", ["1e9", "1e11", "1e13", "1e20"])
@pytest.mark.parametrize("element", [
    '<body pos="{0} 0 0"><geom size=".1"/></body>', '<site pos="0 {0} 0"/><geom size=".1"/>', '<camera pos="{0} 0 0"/>', '<light pos="{0} 0 0"/>',
    '<body pos="{0} 0 0"><freejoint/><geom size=".1"/></body>', '<geom size="{0}"/>', '<geom type="plane" size="{0} {0} 1"/>',
    '<geom size="1" type="capsule" fromto="0 0 0 {0} 0 0"/>', '<body><joint pos="{0} 0 0"/><geom size=".1"/></body>', '<body><joint/><geom size="{0}"/></body>',
])
def test_huge_lengths_are_taken_as_officially_and_reported(element, length):
    """They were refused from 1e10 m on."""
    text = BODY_WITH.format("", element.format(length))
    assert disagreement(text) == {}
    read = read_text(text)
    compile_root(read)
    assert [(issue.severity, "huge" in issue.what) for issue in read.issues] == ([("warning", True)] if float(length) > 1e10 else [])


@pytest.mark.parametrize(("top", "inside", "words"), [
    ("", '<body pos="1e200 0 0"><geom size="1"/></body>', "'pos' is absurdly large"), ("", '<geom size="1e101"/>', "'size' is absurdly large"),
    ('<option timestep="1e308"/>', '<geom size="1"/>', "at most 1e.10 s"), ('<option timestep="0"/>', '<geom size="1"/>', "must be positive"),
    ('<asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="-3e38 0 0 3e38"/></asset>', '<geom type="hfield" hfield="h"/>', "do not fit in single"),
    ('<asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 0 0 1e39"/></asset>', '<geom type="hfield" hfield="h"/>', "do not fit in single"),
    ('<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="1e8 1e8 1e8"/></asset>',
     '<body><freejoint/><geom type="mesh" mesh="m" density="1e300"/></body>', "finite"),
    ("", '<body><freejoint/><geom type="box" size="1e90 1e90 1e90" density="1e30"/></body>', "finite|too far apart"),
    ("", '<body><joint/><geom size="1"/></body><body pos="1e99 0 0"><joint pos="1e99 0 0"/><geom size="1" mass="1e200"/></body>', "too far apart|not finite"),
    ("", '<body><joint armature="1e308"/><geom size="1"/></body><body pos="3 0 0"><joint armature="1e308"/><geom size="1"/></body>', "stat_meaninertia is not finite"),
])
def test_what_would_not_be_a_number_is_reported_with_its_place(top, inside, words):
    """They passed, and gave NaN without a word or an error in the step."""
    with pytest.raises(ModelError, match=words) as caught:
        load_string(BODY_WITH.format(top, inside))
    assert all(issue.place.line == 1 for issue in caught.value.issues)


@pytest.mark.parametrize("text", [
    BODY_WITH.format("", '<body><joint range="-inf inf"/><geom size=".1"/></body>'), BODY_WITH.format("", '<body pos="1e13 0 0"><geom size=".1"/></body>'),
    BODY_WITH.format('<option timestep="1e9"/>', '<body><joint type="ball" limited="true"/><geom size="1e12"/></body>'),
    BODY_WITH.format("", '<camera mode="targetbody" name="c"/><geom size="1"/>'), BODY_WITH.format('<visual><headlight active="0"/></visual>', '<geom size="1"/>'),
    BODY_WITH.format('<asset><hfield name="h" nrow="2" ncol="2" size="1e11 1 1 1" elevation="-1e38 0 0 1e38"/></asset>', '<geom type="hfield" hfield="h"/>'),
])
def test_what_is_taken_can_be_written_and_read_back(text):
    assert differences(text) == {}


STRING = """<mujoco><option><flag energy="enable"/></option><worldbody><site name="a"/><body pos="0 .3 1"><joint name="j"/><geom size=".1"/><site name="b"/></body>
</worldbody><tendon><spatial name="t" stiffness="2" {}><site site="a"/><site site="b"/></spatial></tendon><actuator>{}</actuator><sensor>{}</sensor></mujoco>"""


@pytest.mark.parametrize(("tendon", "actuator", "sensor"), [
    ('springlength="0 inf"', "", ""), ('springlength="-inf .1"', "", ""), ('springlength="2 inf"', "", ""), ('springlength="-inf inf"', "", ""),
    ('springlength="inf"', "", ""), ("", '<motor joint="j" lengthrange="-inf inf"/>', ""), ("", '<muscle joint="j" lengthrange="0 inf"/>', ""),
    ("", "", '<jointpos joint="j" cutoff="inf"/>'), ("", "", '<tendonpos tendon="t" cutoff="inf"/>'),
])
def test_ends_that_are_nowhere_are_as_officially(tendon, actuator, sensor):
    """A spring that only pushes, a range without an end, a sensor of which nothing is cut off; all of it comes back from our text."""
    text = STRING.format(tendon, actuator, sensor)
    m, official = load_string(text), mujoco.MjModel.from_xml_string(text)
    fields = ("tendon_lengthspring", "actuator_lengthrange", "sensor_cutoff")
    assert all(np.array_equal(getattr(m, field), getattr(official, field).reshape(getattr(m, field).shape)) for field in fields)
    again = load_string(to_mjcf(m))
    assert all(np.array_equal(getattr(again, field), getattr(m, field)) for field in fields)
    compile_kernels()
    d, wanted = Data(m), mujoco.MjData(official)
    forward(m, d)
    mujoco.mj_forward(official, wanted)
    assert np.allclose(d.energy, wanted.energy, rtol=1e-12, equal_nan=True) and np.allclose(d.qacc, wanted.qacc, atol=1e-9, equal_nan=True)
    assert np.array_equal(d.sensordata, wanted.sensordata)


def test_what_pulls_without_an_end_is_told_and_other_lengths_stay_finite():
    result = read_text(STRING.format('springlength="inf"', "", ""))
    compile_root(result)
    assert ["infinite force" in issue.what for issue in result.issues] == [True]
    for wrong in (STRING.format('springlength="nan 1"', "", ""), STRING.format("", "", '<jointpos joint="j" cutoff="nan"/>'),
                  '<mujoco><worldbody><light cutoff="inf"/></worldbody></mujoco>'):
        with pytest.raises(ModelError, match="cannot be used here"):
            load_string(wrong)

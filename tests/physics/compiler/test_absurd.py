"""Values that make no sense give errors with their place, at once: nothing hangs, fills the memory or is taken silently."""
import os
import subprocess
import sys

import pytest

from physics import ModelError, compile_root, load, load_string
from physics.mjcf.reader import read_text

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
    assert len({(issue.place, issue.what) for issue in errors}) == len({issue.place for issue in errors})   # said once


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


def test_the_compilers_warnings_are_told_with_the_readers():
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

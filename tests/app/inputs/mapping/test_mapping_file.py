"""Mapping files: read, written, read again; errors name the line, the field and the value."""
import os

import pytest

from app.inputs.drives.table import DRIVES
from app.inputs.mapping import mapping_file as files
from app.inputs.mapping.drive_mapping import KINDS, DriveMapping, Filter, Gripper, Haptics, Limits, Mapping
from app.inputs.mapping.mapping_file import MappingError, parse, to_text

FULL = """
[[drive]]
name = "right arm"            # shown in the panel
source = "xr:right"
kind = "ik"
site = "grip"
joints = ["j1", "j2"]
scale = [1.0, 0.5]
clutch = "squeeze"
zoom = ["dpup", "-dpdown"]
grab = "b"
frame = "base:torso"
limits = {min = [0.2, -0.5, 0.0], max = [0.8, 0.5, 0.7], speed = 0.6, turn = 3.0}
filter = {min_cutoff = 1.5, beta = 0.02, lead = 0.01}
gripper = {axis = "trigger", actuators = {left_finger = [0.04, 0.0], "r f" = [0, 1]}}
haptics = {of = "sensor:grip_touch", full = 20}

[[drive]]
name = "stick"
source = "pad:0"
kind = "controls"
controls = {leftx = ["m", 0.0, 1.5]}
axes = {x = "-lefty", z = ["righttrigger", "-lefttrigger"]}

[buttons]
"pad:0 start" = "start"
"""


def test_the_whole_language():
    arm, stick = parse(FULL).drives
    assert arm == DriveMapping("right arm", "xr:right", "ik", site="grip", joints=("j1", "j2"), scale=(1.0, 0.5), clutch="squeeze", zoom=("dpup", "-dpdown"), grab="b", frame="base:torso",
                               limits=Limits((0.2, -0.5, 0.0), (0.8, 0.5, 0.7), 0.6, 3.0), filter=Filter(1.5, 0.02, 0.01),
                               gripper=Gripper("trigger", {"left_finger": (0.04, 0.0), "r f": (0.0, 1.0)}), haptics=Haptics("sensor:grip_touch", 20.0))
    assert stick.controls == {"leftx": ("m", 0.0, 1.5)} and stick.axes == {"x": ("-lefty",), "z": ("righttrigger", "-lefttrigger")}
    assert parse(FULL).buttons == {"pad:0 start": "start"}


def test_what_is_written_reads_as_the_same(tmp_path):
    mapping = parse(FULL)
    files.write(tmp_path / "a.teleop.toml", mapping)
    assert files.read(tmp_path / "a.teleop.toml") == mapping
    assert to_text(parse(to_text(mapping))) == to_text(mapping)
    assert parse("") == Mapping() == parse(to_text(Mapping()))
    assert os.listdir(tmp_path) == ["a.teleop.toml"]
    odd = Mapping((DriveMapping('quote " and \\ and é', "keyboard", "pull", body="a]b = {", options={"rotate": 1.0}),))
    assert parse(to_text(odd)) == odd


HEAD = '[[drive]]\nname = "a"\nsource = "keyboard"\nkind = "mocap"\n'


@pytest.mark.parametrize("text, line, field, value", [
    (HEAD + "frame = 'hand'\n", 5, "frame", "hand"),
    (HEAD + "speed = 1\n", 5, "speed", 1),
    (HEAD + "\nlimits = {speed = -1}\n", 6, "limits.speed", -1),
    (HEAD + "limits = {min = [0, 0]}\n", 5, "limits.min", [0, 0]),
    (HEAD + "limits = {min = [0, 0, 1], max = [1, 1, 0]}\n", 5, "limits.min", [0.0, 0.0, 1.0]),
    (HEAD + "[drive.limits]\nturn = 'x'\n", 5, "limits.turn", "x"),
    (HEAD + "scale = [0, 1]\n", 5, "scale", [0, 1]),
    (HEAD + "filter = {cutoff = 1}\n", 5, "filter.cutoff", ""),
    (HEAD + "axes = {left = 'a'}\n", 5, "axes.left", ""),
    (HEAD + "gripper = {actuators = {f = [1]}}\n", 5, "gripper.actuators.f", [1]),
    (HEAD + HEAD.replace('"a"', '"b"') + "scale = inf\n", 9, "scale", float("inf")),
    (HEAD + HEAD, 6, "name", "a"),
    (HEAD.replace("keyboard", "kebyoard"), 3, "source", "kebyoard"),
    (HEAD.replace("mocap", "mocp"), 4, "kind", "mocp"),
    ('[[drive]]\nname = "a"\n', 1, "source", ""),
    ("[buttons]\na = 'fly'\n", 1, "buttons.a", "fly"),
    ("\n[drives]\n", 2, "drives", ""),
    ("[[drive]]\nname = \n", 2, "", None),
])
def test_errors_say_where(text, line, field, value):
    with pytest.raises(MappingError) as found:
        parse(text)
    assert (found.value.line, found.value.field, found.value.value) == (line, field, value), found.value
    assert f"line {line}" in str(found.value)


def test_a_wrong_word_brings_the_right_one():
    with pytest.raises(MappingError, match="did you mean 'mocap'"):
        parse(HEAD.replace("mocap", "mocp"))


def test_the_kinds_of_the_file_are_those_of_the_table():
    assert tuple(DRIVES) == KINDS

"""Inputs as lines: every command comes back as it was, and nothing else comes back at all."""
from dataclasses import fields

import numpy as np
import pytest

from physics.model.state_fields import ARRAYS, State
from physics.recording import journal
from physics.recording.errors import RecordingError
from physics.recording.journal import Installed, Op
from physics.runtime import commands as c
from physics.runtime.perform import JOURNALED
from physics.runtime.recorded.command_text import COMMANDS, UNKNOWN, line_of, op_of, ops_of, values_of
from physics.runtime.targets import Target

STATE = State(0.5, **{name: np.array([0.1, np.nan]) if name != "eq_active" else np.array([True, False]) for name in ARRAYS})
GIVEN = {
    "LoadKey": (2,), "SaveKey": (0,), "SetState": (STATE,), "SetCtrl": (3, 1 / 3), "SetQpos": (1, -0.0), "SetJointCoordinate": (0, 2, 0.1), "SetPose": ((0.1, float("nan")),), "SetEqActive": (0, False),
    "SetOption": ("gravity", (0.0, 0.0, -9.81), None), "SetFlag": ("disable", 16, True), "SetActuatorGroup": (3, False), "SetVisual": ("rgba.haze", (1.0, 0.5, 0.0, 1.0)),
    "SetField": ("geom_rgba", np.array([[1, 0, 0, 1]], np.float32), (0, 1)), "RevertValue": ("opt.gravity",), "SetStartKey": ("home",), "PerturbStart": (1, (0.1, 0.2, 0.3), 2),
    "PerturbMove": ((0.0, 1.0, 2.0), None), "MoveMocap": (0, None, (1.0, 0.0, 0.0, 0.0)), "PoseFree": (1, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0)),
    "SetForce": (1, (1.0, 0.0, 0.0, 0.0, 0.0, float("inf"))), "SetNoise": (0.1, 0.2, 3), "SetPauseUpdate": (True,), "SetAutoReset": (False,), "SetCriticalDamping": (True,),
    "SetFields": ((("geom_rgba", np.array([1, 3]), np.array([[1, 0, 0, 1]] * 2)), ("opt_timestep", None, 0.1), ("vis.rgba.haze", None, (0.1, 0.2))), None, "edit", ("extent",), 7),
    "RenameBranch": (2, "as wanted"), "ForgetBranch": (3,), "SetCtrls": ((0, 2), (0.5, -1.0)),
}


def same(a, b):
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if hasattr(type(a), "__dataclass_fields__"):
        return type(a) is type(b) and all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    if isinstance(a, tuple | list):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return type(a) is type(b) and repr(a) == repr(b)


def test_what_may_be_an_input_is_what_the_journal_notes():
    assert set(COMMANDS.values()) == set(JOURNALED)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_comes_back_as_it_was(name):
    command = COMMANDS[name](*GIVEN.get(name, ()))
    op = Op(journal.COMMAND, command, 12, 0.1)
    assert same(op_of(line_of(op)), op) and "\n" not in line_of(op)


@pytest.mark.parametrize("kind, value", [
    (journal.STEPS, 5), (journal.DIVERGED, 1), (journal.SHOW, 0), (journal.BRANCH, 2), (journal.RUN, True), (journal.IDLE, 3),
    (journal.DRIVEN, {"ctrl": np.array([0.1])}), (journal.DRIVEN, {"xfrc_applied": np.zeros((3, 6))}), (journal.DRIVEN_STEPS, {"ctrl": np.array([[0.1, -0.0], [np.nan, 2.0]])}),
    (journal.SAME, 2),
    (journal.INPUT, {"ctrl": np.array([0.1, -0.0]), "time": np.array([0.5]), "eq_active": np.array([1], np.uint8)}),
    (journal.INSTALL, Installed(0, STATE, None, None, (), (("noise_scale", 0.1), ("noise_seed", 3), ("running", True)))),
    (journal.INSTALL, Installed(1, STATE, 0, ("edit", "edit of \u03c0"), ((Target("field", "geom_rgba", 2), (1.0, 0.0), 0.1), (Target("key", "", 0), ((0.0,), ()), ((1.0,), ())))))])
def test_every_other_input_comes_back_as_it_was(kind, value):
    op = Op(kind, value, -1, 0.0)
    assert same(op_of(line_of(op)), op)


def test_numbers_of_numpy_in_commands_are_taken():
    for command in (c.SetCtrl(np.int64(1), np.float64(0.3)), c.PerturbMove(np.array([0.0, 1.0, 2.0]), None), c.SetEqActive(np.int32(0), np.bool_(True)), c.SetNoise(1, 0, None)):
        assert type(op_of(line_of(Op(journal.COMMAND, command, 0, 0.0))).value) is type(command)


def test_what_has_no_text_is_noted_in_words_and_cannot_be_done_again():
    op = op_of(line_of(Op(journal.COMMAND, c.SetField("x", object()), 3, 0.1)))
    assert op.kind == UNKNOWN and "SetField" in op.value and op.number == 3


@pytest.mark.parametrize("line", [
    "", "[]", "3", '["steps",0,0.0]', '["steps",0,0.0,-1]', '["steps",0,0.0,1.5]', '["steps",0,0.0,true]', '["steps",0,0.0,1e30]', '["steps","0",0.0,1]', '["steps",0,null,1]',
    '["run",0,0.0,1]', '["jump",0,0.0,1]', '[["steps"],0,0.0,1]', '["command",0,0.0,1]', '["command",0,0.0,{"#":"Visit","visitor":1}]', '["command",0,0.0,{"#":"SwapModel","model":1}]',
    '["command",0,0.0,{"#":"TakeRecording","then":1}]', '["command",0,0.0,{"#":"RunHook","hook":1}]', '["command",0,0.0,{"#":"SetCtrl","index":"0","value":1}]',
    '["command",0,0.0,{"#":"SetCtrl","index":0}]', '["command",0,0.0,{"#":"SetCtrl","index":0,"value":0,"more":1}]', '["command",0,0.0,{"#":"State"}]',
    '["command",0,0.0,{"#":"Target","kind":"opt","name":"x","row":1}]', '["command",0,0.0,{"#":"__import__","name":"os"}]', '["command",0,0.0,{"#":"perform"}]',
    '["input",0,0.0,{"__dict__":{"#":"array","type":"<f8","shape":[0],"values":[]}}]', '["input",0,0.0,{"ctrl":1}]', '["input",0,0.0,{"record_cap":{"#":"array","type":"<f8","shape":[0],"values":[]}}]',
    '["driven steps",0,0.0,{}]', '["driven steps",0,0.0,{"ctrl":{"#":"array","type":"<f8","shape":[1],"values":[0.0]}}]',
    '["driven steps",0,0.0,{"ctrl":{"#":"array","type":"<f8","shape":[0,1],"values":[]}}]', '["driven steps",0,0.0,{"tree_asleep":{"#":"array","type":"<f8","shape":[1,1],"values":[0.0]}}]',
    '["driven steps",0,0.0,{"ctrl":{"#":"array","type":"<f8","shape":[1,1],"values":[0.0]},"qpos":{"#":"array","type":"<f8","shape":[2,1],"values":[0.0,0.0]}}]',
    '["install",0,0.0,{"#":"Installed","model":0,"state":null,"key":null,"border":null}]', '["install",0,0.0,{"#":"SetCtrl","index":0,"value":1}]'])
def test_hostile_lines_are_refused(line):
    with pytest.raises(RecordingError):
        op_of(line)


@pytest.mark.parametrize("settings", [(("record_cap", 3),), (("__class__", 3),), (("running", 1),), (("noise_seed", -1),), (("noise_scale", "x"),), (("noise_scale",),), 3])
def test_settings_that_are_none_are_refused(settings):
    with pytest.raises(RecordingError):
        op_of(line_of(Op(journal.INSTALL, Installed(0, STATE, None, None, (), settings), 0, 0.0)))


def test_the_line_that_is_wrong_is_told():
    with pytest.raises(RecordingError, match="inputs: line 2: not an input of kind 'steps'"):
        ops_of(['["steps",0,0.0,1]', '["steps",0,0.0,"x"]'])
    with pytest.raises(RecordingError, match="values"):
        values_of('[[1,2,3]]')

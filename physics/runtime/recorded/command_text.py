"""Inputs of a run (physics/recording/journal.py) as lines of JSON and back: [kind, number, time, value].

    ["command",120,0.24,{"#":"SetCtrl","index":0,"value":0.5}]

Only what is named here comes back: commands that a run depends on, with the fields that they have and values of the kinds that these are declared with.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from numbers import Real
from types import MappingProxyType
from typing import Any

import numpy as np

from physics.model.state_fields import ARRAYS, RECORDED, State
from physics.recording import journal
from physics.recording.encode import Codec
from physics.recording.errors import RecordingError
from physics.recording.journal import Installed, Op
from physics.runtime import commands as c
from physics.runtime.targets import Target

NOISE, RUN_SETTINGS = ("noise_scale", "noise_rate", "noise_seed"), ("autoreset", "pause_update", "critical_damping", "running")    # of Installed.settings

# commands that a run does not depend on, or that are noted otherwise (physics/runtime/perform.py: JOURNALED)
NO_INPUTS = frozenset({c.Run, c.Pause, c.Step, c.StepBack, c.Scrub, c.SwitchBranch, c.SetSpeed, c.SwapModel, c.SetProfile, c.Watch, c.SetTrace, c.SetBreakpoints, c.ClearWarnings,
                       c.Visit, c.VisitRun, c.Decide, c.TakeRecording, c.LoadRecording, c.SetFilming, c.ScrubTo, c.SetStepsPerPicture, c.SetHooks, c.RunHook, c.SetHookValue})
COMMANDS: Mapping[str, type] = MappingProxyType({
    name: command for name, command in vars(c).items() if isinstance(command, type) and is_dataclass(command) and command not in NO_INPUTS})
CODEC = Codec({**COMMANDS, "Installed": Installed, "State": State, "Target": Target})
UNKNOWN = "unknown"     # kind of an op whose value has no text; value: what it was, in words
MOST = 1 << 53          # of whole numbers
INPUT_FIELDS = frozenset({"time", *ARRAYS, *RECORDED})    # that a script may write
WRITTEN_FIELDS = frozenset({"time", *ARRAYS})    # of several steps: those that physics/runtime/history/written.py looks at
SETTINGS: Mapping[str, tuple[type, ...]] = MappingProxyType({**dict.fromkeys(NOISE, (int, float)), "noise_seed": (int,), **dict.fromkeys(RUN_SETTINGS, (bool,))})
KINDS_OF_FIELDS: Mapping[str, tuple] = MappingProxyType({
    "int": (Real, np.number), "float": (Real, np.number), "bool": (Real, np.bool_, np.number), "str": (str,), "tuple": (tuple, list, np.ndarray), "None": (type(None),)})


def line_of(op: Op) -> str:
    """An op as a line. One that has no text becomes an op of kind 'unknown', which says what it was and cannot be done again."""
    try:
        return CODEC.text((op.kind, op.number, op.time, op.value))
    except RecordingError as why:
        return CODEC.text((UNKNOWN, op.number, op.time, f"{op.kind} {type(op.value).__name__}: {why}"))


def op_of(line: str) -> Op:
    """The op of a line. Raises RecordingError for what is none."""
    told = CODEC.value(line)
    if not (isinstance(told, tuple) and len(told) == 4):
        raise RecordingError(f"not an input: {line[:60]!r}", field="inputs")
    kind, number, time, value = told
    check = CHECKS.get(kind) if isinstance(kind, str) else None
    if check is None:
        raise RecordingError(f"there is no input of kind {str(kind)[:40]!r}", field="inputs")
    if not _whole(number, -1) or not isinstance(time, Real) or not check(value):
        raise RecordingError(f"not an input of kind '{kind}': {line[:80]!r}", field="inputs")
    return Op(kind, value, number, float(time))


def ops_of(lines: Iterable[str]) -> tuple[Op, ...]:
    """The ops of lines. Raises RecordingError with the number of the line."""
    found = []
    for k, line in enumerate(lines, 1):
        try:
            found.append(op_of(line))
        except RecordingError as why:
            raise RecordingError(f"line {k}: {why.what}", field="inputs") from None
    return tuple(found)


def _whole(value: Any, least: int = 0) -> bool:
    return type(value) is int and least <= value < MOST


def _command(value: Any) -> bool:
    """A command whose fields have values of the kinds that they are declared with."""
    if COMMANDS.get(type(value).__name__) is not type(value):
        return False
    for field in fields(value):
        words = [word.strip() for word in str(field.type).split("|")]
        kinds = tuple(kind for word in words for kind in KINDS_OF_FIELDS.get(word, (object,)))
        if not isinstance(getattr(value, field.name), kinds):
            return False
    return True


def _inputs(value: Any) -> bool:
    return isinstance(value, dict) and all(name in INPUT_FIELDS and isinstance(numbers, np.ndarray) for name, numbers in value.items())


def _driven_steps(value: Any) -> bool:
    """Rows for the same number of steps, at least one."""
    if not _inputs(value) or not value or not all(name in WRITTEN_FIELDS and rows.ndim == 2 for name, rows in value.items()):
        return False
    counts = {len(rows) for rows in value.values()}
    return len(counts) == 1 and min(counts) > 0


def _installed(value: Any) -> bool:
    if not isinstance(value, Installed):
        return False
    border = value.border is None or isinstance(value.border, tuple) and len(value.border) == 2 and all(isinstance(word, str) for word in value.border)
    return _whole(value.model) and isinstance(value.state, State) and border and (value.key is None or _whole(value.key)) and _values(value.values) and _settings(value.settings)


def _settings(value: Any) -> bool:
    pairs = isinstance(value, tuple) and all(isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], str) for one in value)
    return pairs and all(type(given) in SETTINGS.get(name, ()) and 0 <= given < MOST for name, given in value)


def _values(value: Any) -> bool:
    """(target, value of the file, value) of each."""
    return isinstance(value, tuple) and all(isinstance(one, tuple) and len(one) == 3 and isinstance(one[0], Target) for one in value)


def values_of(text: str) -> tuple[tuple[Target, Any, Any], ...]:
    """What was set in the window, as a recording has it. Raises RecordingError."""
    found = CODEC.value(text)
    if not _values(found):
        raise RecordingError(f"not values of a model: {text[:60]!r}", field="values")
    return found


CHECKS = MappingProxyType({
    journal.COMMAND: _command, journal.STEPS: _whole, journal.DIVERGED: _whole, journal.SHOW: _whole, journal.BRANCH: _whole, journal.IDLE: _whole,
    journal.RUN: lambda value: isinstance(value, bool), journal.INPUT: _inputs, journal.DRIVEN: _inputs, journal.DRIVEN_STEPS: _driven_steps, journal.SAME: _whole,
    journal.INSTALL: _installed, UNKNOWN: lambda value: isinstance(value, str)})

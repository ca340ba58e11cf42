"""Values of a Model that may be set while it runs, each with a name of its own: read, write, and find again in another Model.

    opt.gravity   opt.disableflags[contact]   opt.disableactuator[3]   vis.rgba.haze   stat.extent   geom_rgba[3]   key[home]

A value is a number, a tuple of numbers, True or False (a flag, a group), or of a keyframe a tuple of tuples in the order of KEYFRAME.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from physics.enums import DisableBit, EnableBit
from physics.errors import ViewOnlyError
from physics.model.elements import element, find_again
from physics.model.initial_state import start_history
from physics.model.live_fields import LIVE_FIELDS, owner_of, row_of
from physics.model.state_fields import ARRAYS, KEYFRAME, State
from physics.runtime.carry_over import carry_over
from physics.runtime.checked import Refused
from physics.simulate import step

OPT, FLAG, GROUP, VISUAL, FIELD, KEY = "opt", "flag", "group", "vis", "field", "key"
FLAG_WORDS: Mapping[str, type] = MappingProxyType({"opt_disableflags": DisableBit, "opt_enableflags": EnableBit})
SHOWN = 6   # numbers of a value in a message


@dataclass(frozen=True, slots=True)
class Target:
    """One value. kind: one of the words above; name: the Model's field, or the path of a visual setting; row: bit of flags, group, row of a field, number of a keyframe."""

    kind: str
    name: str
    row: int = -1


def text_of(m, target: Target) -> str:
    """Its name, as in the text above."""
    kind, name, row = target.kind, target.name, target.row
    if kind == FLAG:
        return f"opt.{name.removeprefix('opt_')}[{FLAG_WORDS[name](row).name.lower()}]"
    if kind == GROUP:
        return f"opt.disableactuator[{row}]"
    if kind == KEY:
        return f"key[{m.name('key', row) or row}]"
    if kind == VISUAL:
        return "vis." + name.replace("global_", "global")
    if kind == OPT or name.startswith("stat_"):
        return name.replace("_", ".", 1)
    return f"{name}[{row}]"


def label_of(m, target: Target) -> str:
    """What a person calls it."""
    kind, name, row = target.kind, target.name, target.row
    if kind == FLAG:
        return f"flag {FLAG_WORDS[name](row).name.lower()}"
    if kind == GROUP:
        return f"actuator group {row}"
    if kind == KEY:
        return f"keyframe {m.name('key', row) or row}"
    if kind == VISUAL:
        return "visual " + name.replace("global_", "global").replace(".", " ")
    if kind == OPT:
        return name.removeprefix("opt_")
    if not LIVE_FIELDS[name].kind:
        return name.replace("stat_", "statistic ")
    owner, number, offset = owner_of(m, name, row)
    return f"{element(m, owner, number)}: {name.partition('_')[2]}" + (f" {offset}" if offset else "")


def fields_of(target: Target) -> set[str]:
    """The Model's fields that the value is in, a picture setting as 'vis.map.haze'; of a keyframe none by name."""
    if target.kind == VISUAL:
        return {f"vis.{target.name}"}
    if target.kind == GROUP:
        return {"opt_disableactuator"}
    return set() if target.kind == KEY else {target.name}


def shown(target: Target, value) -> str:
    """A value for a message."""
    if target.kind == KEY:
        return f"the state of {value[0][0]:g} s"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return " ".join(f"{x:g}" for x in value[:SHOWN]) + (" ..." if len(value) > SHOWN else "")
    return f"{value:g}"


# ---------------------------------------------------------------- reading and writing

def read(m, target: Target) -> Any:
    """The value now."""
    kind, name, row = target.kind, target.name, target.row
    if kind == FLAG:
        return bool(getattr(m, name) & row)
    if kind == GROUP:
        return not m.opt_disableactuator >> row & 1
    if kind == VISUAL:
        group, _, word = name.partition(".")
        return getattr(getattr(m.vis, group), word)
    if kind == KEY:
        return tuple(_numbers(getattr(m, field.key)[row]) for field in KEYFRAME)
    if name in m.layout.scalars:
        return getattr(m, name)
    array = getattr(m, name)
    return _number_or_row(array if row < 0 else array[row])


def _numbers(array) -> tuple:
    return tuple(np.ravel(array).tolist())


def _number_or_row(array) -> Any:
    return array.item() if np.ndim(array) == 0 else _numbers(array)


def write(m, target: Target, value) -> None:
    """Set the value. Raises Refused where the model cannot be simulated with it; then it is as before."""
    before = read(m, target)
    _put(m, target, value)
    if target.kind not in (VISUAL, KEY) and not m.view_only:
        try:
            step.check_dynamics(m)
        except ViewOnlyError as why:
            _put(m, target, before)
            raise Refused(why.issues[0].what) from None


def _put(m, target: Target, value) -> None:
    kind, name, row = target.kind, target.name, target.row
    if kind == FLAG:
        bits = getattr(m, name)
        setattr(m, name, bits | row if value else bits & ~row)
    elif kind == GROUP:
        m.opt_disableactuator = m.opt_disableactuator & ~(1 << row) if value else m.opt_disableactuator | 1 << row
    elif kind == VISUAL:
        group, _, word = name.partition(".")
        setattr(getattr(m.vis, group), word, _single(value))
    elif kind == KEY:
        for field, numbers in zip(KEYFRAME, value, strict=True):
            getattr(m, field.key)[row] = numbers if field.name != "time" else numbers[0]
    elif row >= 0:
        getattr(m, name)[row] = value
    else:
        setattr(m, name, value)   # of an array all its numbers


def _single(value: Any) -> Any:
    """A number, or several, in single precision, in which the compiler keeps what the text says of pictures: else the same number in the text would be another one."""
    if isinstance(value, tuple):
        return tuple(_single(x) for x in value)
    return float(np.float32(value)) if isinstance(value, float) else value


# ---------------------------------------------------------------- another Model

def again(old, new, target: Target) -> Target | None:
    """The same value of another Model, None where what it belongs to is gone."""
    kind, name, row = target.kind, target.name, target.row
    if kind == KEY:
        found = find_again(old, new, element(old, "key", row))
        return None if found is None else Target(kind, name, found.id)
    if kind != FIELD or not LIVE_FIELDS[name].kind:
        return target
    owner, number, offset = owner_of(old, name, row)
    found = find_again(old, new, element(old, owner, number))
    place = None if found is None else row_of(new, name, found.id, offset)
    return None if place is None else Target(kind, name, place)


def converted(old, new, target: Target, value) -> Any:
    """A value of another Model in the layout of the new one: a keyframe's state is carried over joint by joint."""
    if target.kind != KEY:
        return value
    state, _ = carry_over(old, _keyframe_state(old, value), new)
    return tuple(_numbers(getattr(state, field.name)) for field in KEYFRAME)


def _keyframe_state(m, value) -> State:
    """A state of the Model with the numbers of a keyframe."""
    given = dict(zip((field.name for field in KEYFRAME), map(np.array, value), strict=True))
    shapes = {"mocap_pos": (m.nmocap, 3), "mocap_quat": (m.nmocap, 4)}
    for name, shape in shapes.items():
        given[name] = given[name].reshape(shape)
    time = float(given.pop("time")[0])
    rest = dict(history=start_history(m), qacc_warmstart=np.zeros(m.nv), qfrc_applied=np.zeros(m.nv), xfrc_applied=np.zeros((m.nbody, 6)),
                eq_active=np.array(m.eq_active0), userdata=np.zeros(m.nuserdata))
    return State(time, **{name: given.get(name, rest.get(name)) for name in ARRAYS})


def merged(base, mine, theirs) -> tuple[Any, bool]:
    """(the value with what the window changed in it, whether text and window have changed the same number differently); base: what the text said before."""
    if isinstance(theirs, tuple):
        if not (isinstance(mine, tuple) and len(base) == len(mine) == len(theirs)):
            return theirs, mine != base
        parts = [merged(*of) for of in zip(base, mine, theirs)]
        return tuple(part for part, _ in parts), any(clash for _, clash in parts)
    if mine in (base, theirs) or _nan(mine):
        return theirs, False
    return (mine, False) if theirs == base or _nan(theirs) else (theirs, True)


def _nan(value) -> bool:
    return value != value

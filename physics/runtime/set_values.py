"""Commands that set values of the Model itself: options, flags, picture settings, fields, keyframes. What then differs from the file is remembered."""
from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from physics.fields.hard_options import BY_FIELD as HARD
from physics.model.changes.field_changes import VISUAL, FieldChange, names_of, only_looks, present, settings_of, writable, write
from physics.model.live_fields import LIVE_FIELDS
from physics.model.state_fields import store_keyframe
from physics.name_hints import hint
from physics.runtime import events, targets
from physics.runtime.changed_values import message
from physics.runtime.checked import Refused, finite, finite_numbers, index_in
from physics.runtime.hard_report import tell_ignored
from physics.runtime.history.history import EDIT
from physics.runtime.targets import Target
from physics.simulate import engines
from physics.simulate.engines import engine_of

TOLD = 8    # issues in one message


def set_option(sim, command) -> None:
    """SetOption."""
    m, name = sim.model, "opt_" + command.name
    if name in targets.FLAG_WORDS or name == "opt_disableactuator":
        return _set_bits(sim, name, int(command.value))
    if name in m.layout.scalars:
        kind = m.layout.scalars[name][1]
        value = finite(command.value) if kind == "f" else int(command.value)
        if name == "opt_timestep" and not value > 0:
            raise Refused("the time step must be above 0")
        if name in ("opt_density", "opt_viscosity") and value < 0:
            raise Refused(f"{command.name} must not be negative")
        if name in HARD:
            why = HARD[name].wrong(value)
            if why:
                raise Refused(why)
        if name == "opt_engine":
            return _choose_engine(sim, value)
    elif name in m.layout.arrays:
        value = np.array(getattr(m, name))
        if command.index is None:
            value[:] = finite_numbers(command.value, value.size)
        else:
            value[index_in(command.index, value.size, f"component of {command.name}")] = finite(command.value)
        value = tuple(value.tolist())
    else:
        raise Refused(f"there is no option '{command.name}'")
    sim.values.set(m, Target(targets.OPT, name), value)
    _acts(sim)


def _choose_engine(sim, number: int) -> None:
    """Have another engine move the model from the present state on: nothing of the state changes. Raises Refused, naming all that the engine cannot do."""
    m = sim.model
    if not 0 <= number < len(engines.ENGINES):
        raise Refused(f"there is no engine {number}; there are {', '.join(f'{k} ({engine.name})' for k, engine in enumerate(engines.ENGINES))}")
    if number == m.opt_engine:
        return
    chosen = engines.ENGINES[number]
    issues = () if m.view_only else tuple(chosen.refuses(m))
    if issues:
        more = f"\n... and {len(issues) - TOLD} more" if len(issues) > TOLD else ""
        raise Refused("\n".join(map(str, issues[:TOLD])) + more)
    sim.values.set(m, Target(targets.OPT, "opt_engine"), number)
    tell_ignored(sim)
    _acts(sim)
    if sim.ready:   # else it does so itself, when its kernels are there
        chosen.workspace(m, sim.data)


def _set_bits(sim, name: str, wanted: int) -> None:
    """A whole word of flags, or of actuator groups that are off, bit by bit."""
    m, changed = sim.model, getattr(sim.model, name) ^ wanted
    if name == "opt_disableactuator":
        for group in range(31):
            if changed >> group & 1:
                sim.values.set(m, Target(targets.GROUP, "", group), not wanted >> group & 1)
    else:
        for bit in map(int, targets.FLAG_WORDS[name]):
            if changed & bit:
                sim.values.set(m, Target(targets.FLAG, name, bit), bool(wanted & bit))
    _acts(sim)


def _acts(sim) -> None:
    sim.look_for_kernels()
    sim.changed = sim.stale = True


def set_flag(sim, command) -> None:
    """SetFlag."""
    name = f"opt_{command.word}flags"
    if name not in targets.FLAG_WORDS:
        raise Refused(f"flags are 'disable' or 'enable', not '{command.word}'")
    bits = getattr(sim.model, name)
    _set_bits(sim, name, bits | command.bit if command.on else bits & ~command.bit)


def set_actuator_group(sim, command) -> None:
    """SetActuatorGroup."""
    sim.values.set(sim.model, Target(targets.GROUP, "", index_in(command.group, 31, "actuator group")), bool(command.enabled))
    sim.changed = sim.stale = True


def set_visual(sim, command) -> None:
    """SetVisual."""
    group, _, name = command.path.partition(".")
    before = getattr(getattr(sim.model.vis, group, None), name, None) if name else None
    if before is None:
        raise Refused(f"there is no visual setting '{command.path}'")
    value = tuple(finite_numbers(command.value, len(before)).tolist()) if isinstance(before, tuple) else type(before)(finite(command.value))
    sim.values.set(sim.model, Target(targets.VISUAL, command.path), value)
    sim.changed = True


def set_field(sim, command) -> None:
    """SetField."""
    m, name = sim.model, command.name
    live = LIVE_FIELDS.get(name)
    if live is None:
        if name in m.layout.rows:
            raise Refused(f"'{name}' cannot be set while the model runs, as other fields follow from it; change the text")
        raise Refused(f"the model has no field '{name}'{hint(name, LIVE_FIELDS)}")
    if name in m.layout.scalars:
        value = finite(command.value)
    else:
        index = () if command.index is None else command.index
        value = np.array(getattr(m, name))
        try:
            value[index] = finite_numbers(command.value, np.size(value[index])).reshape(np.shape(value[index]))
        except IndexError:
            raise Refused(f"{name} has no element {command.index}") from None
    if np.any(np.asarray(value) < live.low) or np.any(np.asarray(value) > live.high):
        raise Refused(f"{name} takes numbers from {live.low:g} to {live.high:g}")
    if np.ndim(value) == 0 or not live.kind:
        sim.values.set(m, Target(targets.FIELD, name), value if np.ndim(value) == 0 else tuple(value.tolist()))
    else:
        _set_rows(sim, name, value)
    sim.changed = sim.stale = True


def _set_rows(sim, name: str, value: np.ndarray) -> None:
    m = sim.model
    differ = value != getattr(m, name)
    for row in np.flatnonzero(differ.reshape(len(value), -1).any(axis=1)).tolist():
        if name.startswith("key_"):
            target = Target(targets.KEY, "", row)
            before = targets.read(m, target)
            getattr(m, name)[row] = value[row]
            sim.values.note(m, target, before)
        else:
            sim.values.set(m, Target(targets.FIELD, name, row), value[row].item() if value.ndim == 1 else tuple(value[row].ravel().tolist()))


def save_key(sim, command) -> None:
    """SaveKey."""
    m, target = sim.model, Target(targets.KEY, "", index_in(command.key, sim.model.nkey, "keyframe"))
    before = targets.read(m, target)
    store_keyframe(m, sim.data, command.key)
    sim.values.note(m, target, before)
    sim.changed = True


def for_the_present(sim, command):
    """SetFields without the Model, if that runs. Raises Refused."""
    if command.model is not None and command.model is not sim.model:
        raise Refused("another model runs by now")
    return replace(command, model=None)


def set_fields(sim, command) -> None:
    """SetFields."""
    m, d = sim.model, sim.data
    if not all(isinstance(row, tuple) and len(row) == 3 and isinstance(row[0], str) for row in command.rows):
        raise Refused("not rows of fields")
    names = tuple(dict.fromkeys(row[0] for row in command.rows))
    active = np.array(m.eq_active0)
    lines = sim.values.written(m, names, lambda: write_fields(m, command), frozenset(command.stated))
    if "eq_active0" in names:   # constraints that nobody has switched are what the text says
        d.eq_active[:] = np.where(np.asarray(d.eq_active) == active, m.eq_active0, d.eq_active)
    m.revised(names, command.number)
    _wake(sim, names)
    _acts(sim)
    if lines:
        sim.tell(events.DROPPED, message("Values changed in the window were dropped:", lines), values=tuple(lines))
    if command.label:
        sim.history.border(EDIT, command.label)


def put_fields(sim, command) -> None:
    """SetFields for a run of which no text says anything: all of it is in force, and nothing of it where the engine cannot take it. Raises Refused."""
    m, image = sim.model, image_of_rows(sim.model, command.rows)
    try:
        write_fields(m, command)
        issues = m.wrong_numbers() or engine_of(m).refuses(m)
        if issues:
            raise Refused(str(issues[0]))
    except Refused:
        write(m, image)
        raise
    m.revised(names_of(image))
    _wake(sim, names_of(image))
    _acts(sim)


def image_of_rows(m, rows) -> tuple[FieldChange, ...]:
    """What a Model has now in the rows of a SetFields; what it has not is left out."""
    changes = (FieldChange(*row) for row in rows if isinstance(row, tuple) and len(row) == 3 and isinstance(row[0], str))
    return tuple(found for found in (present(m, change) for change in changes) if found is not None)


def write_fields(m, command) -> None:
    """What SetFields has to write. Raises Refused for what is no field of the Model, or one that is not for writing."""
    try:
        changes = tuple(FieldChange(*row) for row in command.rows)
        if not all(map(partial(_fits, m), changes)) or not writable(changes):
            raise Refused("these fields are not for writing while a model runs")
        write(m, changes)
    except (IndexError, TypeError, ValueError, AttributeError) as why:
        raise Refused(f"they do not fit the model: {why}") from None


def _fits(m, change: FieldChange) -> bool:
    """Whether there is such a field, or such a picture setting with such a value."""
    if change.rows is not None:
        return change.name in m.layout.arrays
    if change.name in m.layout.scalars:
        return isinstance(change.values, (int, float))
    before = settings_of(m.vis).get(change.name.removeprefix(VISUAL)) if change.name.startswith(VISUAL) else None
    return before is not None and type(before) is type(change.values) and (not isinstance(before, tuple) or len(before) == len(change.values))


def _wake(sim, names: tuple[str, ...]) -> None:
    """What sleeps may move now: all trees wake, but by what is only looked at."""
    if not all(map(only_looks, names)):
        sim.data.wake()


def revert_value(sim, command) -> None:
    """RevertValue."""
    target = sim.values.find(sim.model, command.target)
    if target is None:
        raise Refused(f"'{command.target}' does not differ from the file")
    sim.values.revert(sim.model, [target])
    _acts(sim)


def revert_all(sim, command) -> None:
    """RevertAll."""
    sim.values.revert(sim.model)
    _acts(sim)

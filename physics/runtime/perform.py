"""What each command does to a Simulation: one function per command, found by its type."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from physics.engine.linalg.quat import unit4
from physics.errors import FieldError, ViewOnlyError
from physics.fields.layout import LAYOUTS
from physics.model.state_fields import State, store_keyframe
from physics.runtime import commands as c
from physics.runtime import events, perturbation
from physics.runtime.simulation import Simulation
from physics.simulate import step


class Refused(Exception):
    """The command does not fit the present model or state; the text says why."""


def perform(sim: Simulation, command) -> None:
    """Carry out one command. What cannot be done becomes an event; nothing is raised."""
    try:
        if sim.model is None and type(command) not in WITHOUT_MODEL:
            raise Refused("no model is loaded")
        if sim.model is not None and type(command) not in (*WITHOUT_MODEL, c.SetOption):
            sim.model.check_written()
        TABLE[type(command)](sim, command)
    except Refused as why:
        sim.tell(events.REFUSED, f"{type(command).__name__}: {why}", command=command)
    except FieldError as why:
        sim.tell_refusal(why)
    except Exception as error:  # the thread must live on; the window shows and logs it
        sim.tell(events.ERROR, f"{type(command).__name__} failed: {type(error).__name__}: {error}", command=command, error=error)


def _checked(index: int, n: int, what: str) -> int:
    if not 0 <= index < n:
        raise Refused(f"there is no {what} {index}, the model has {n}")
    return index


def _number(value) -> float:
    value = float(value)
    if not np.isfinite(value):
        raise Refused(f"{value} is not a finite number")
    return value


def _vector(values, n: int) -> np.ndarray:
    values = np.asarray(values, float).ravel()
    if values.size != n or not np.isfinite(values).all():
        raise Refused(f"{values} is not {n} finite numbers")
    return values


# ---------------------------------------------------------------- time

def _run(sim, command):
    sim.set_running(True)


def _pause(sim, command):
    sim.set_running(False)


def _step(sim, command):
    sim.set_running(False)
    later = len(sim.history) - 1 - sim.history.index
    replayed = min(later, command.n)
    if replayed:
        sim.show_entry(sim.history.index + replayed)
    if command.n > replayed:
        if sim.model.view_only or not sim.ready:
            raise Refused("this model cannot be stepped" if sim.model.view_only else "the kernels are still being compiled")
        if sim.stale:
            sim.refresh()
        sim.message = ""
        sim.take(command.n - replayed)


def _step_back(sim, command):
    if len(sim.history) and sim.history.index == 0:
        sim.set_running(False)
        return
    sim.show_entry(max(0, sim.history.index - command.n))


def _scrub(sim, command):
    n = len(sim.history)
    index = command.index + n if command.index < 0 else command.index
    sim.show_entry(_checked(index, n, "history entry"))


def _set_speed(sim, command):
    try:
        sim.pacing.set_speed(command.factor)
    except ValueError as why:
        raise Refused(str(why)) from None
    sim.changed = True


# ---------------------------------------------------------------- state

def _reset(sim, command):
    sim.reset()


def _load_key(sim, command):
    sim.reset(key=_checked(command.key, sim.model.nkey, "keyframe"))


def _save_key(sim, command):
    store_keyframe(sim.model, sim.data, _checked(command.key, sim.model.nkey, "keyframe"))
    sim.changed = True


def _set_state(sim, command):
    sim.reset(state=command.state)


def _set_ctrl(sim, command):
    sim.data.ctrl[_checked(command.index, sim.model.nu, "control")] = _number(command.value)
    sim.edited()


def _clear_ctrl(sim, command):
    sim.data.ctrl[:] = 0
    sim.edited()


def _set_qpos(sim, command):
    if sim.running:
        raise Refused("coordinates can be set while paused")
    sim.data.qpos[_checked(command.adr, sim.model.nq, "coordinate")] = _number(command.value)
    sim.edited()


def _set_joint(sim, command):
    if sim.running:
        raise Refused("coordinates can be set while paused")
    m, j = sim.model, _checked(command.joint, sim.model.njnt, "joint")
    adr, end = int(m.jnt_qposadr[j]), int(m.jnt_qposadr[j + 1]) if j + 1 < m.njnt else m.nq
    values = _vector(command.qpos, end - adr)
    if len(values) > 1:
        values[-4:] = unit4(tuple(values[-4:].tolist()))
    sim.data.qpos[adr:end] = values
    sim.edited()


def _set_eq_active(sim, command):
    sim.data.eq_active[_checked(command.index, sim.model.neq, "equality constraint")] = bool(command.active)
    sim.edited()


def _set_force(sim, command):
    sim.data.xfrc_applied[_checked(command.bodyid, sim.model.nbody, "body")] = _vector(command.xfrc, 6)
    sim.edited()


def _set_noise(sim, command):
    d = sim.data
    if command.scale < 0 or command.rate < 0:
        raise Refused("scale and rate must not be negative")
    d.noise_scale, d.noise_rate = _number(command.scale), _number(command.rate)
    if command.seed is not None:
        d.noise_seed, d.noise_step = int(command.seed) & 0xFFFFFFFF, 0
    if not command.scale:
        d.ctrl_noise[:] = 0
    sim.changed = True


# ---------------------------------------------------------------- options

def _refuse_unsupported(m, name: str, before) -> None:
    """Take an option back that the dynamics do not have yet. Raises Refused."""
    if not m.view_only:
        try:
            step.check_dynamics(m)
        except ViewOnlyError as why:
            setattr(m, name, before if np.ndim(before) else np.asarray(before).item())
            raise Refused(why.issues[0].what) from None


def _set_option(sim, command):
    m, name = sim.model, "opt_" + command.name
    before = np.array(getattr(m, name, 0))
    if name in m.layout.scalars:
        kind = m.layout.scalars[name][1]
        value = _number(command.value) if kind == "f" else int(command.value)
        if name == "opt_timestep" and not value > 0:
            raise Refused("the time step must be above 0")
        if name in ("opt_density", "opt_viscosity") and value < 0:
            raise Refused(f"{command.name} must not be negative")
        setattr(m, name, value)
    elif name in m.layout.arrays:
        target = getattr(m, name)
        if command.index is None:
            target[:] = _vector(command.value, target.size)
        else:
            target[_checked(command.index, target.size, f"component of {command.name}")] = _number(command.value)
    else:
        raise Refused(f"there is no option '{command.name}'")
    _refuse_unsupported(m, name, before)
    sim.look_for_kernels()
    sim.changed = sim.stale = True


def _set_flag(sim, command):
    name = {"disable": "opt_disableflags", "enable": "opt_enableflags"}.get(command.word)
    if name is None:
        raise Refused(f"flags are 'disable' or 'enable', not '{command.word}'")
    bits = getattr(sim.model, name)
    setattr(sim.model, name, bits | command.bit if command.on else bits & ~command.bit)
    _refuse_unsupported(sim.model, name, bits)
    sim.look_for_kernels()
    sim.changed = sim.stale = True


def _set_actuator_group(sim, command):
    m, bit = sim.model, 1 << _checked(command.group, 31, "actuator group")
    m.opt_disableactuator = m.opt_disableactuator & ~bit if command.enabled else m.opt_disableactuator | bit
    sim.changed = sim.stale = True


def _set_visual(sim, command):
    group, _, name = command.path.partition(".")
    holder = getattr(sim.model.vis, group, None)
    before = getattr(holder, name, None) if name else None
    if before is None:
        raise Refused(f"there is no visual setting '{command.path}'")
    value = tuple(_vector(command.value, len(before)).tolist()) if isinstance(before, tuple) else type(before)(_number(command.value))
    setattr(holder, name, value)
    sim.changed = True


def _set_field(sim, command):
    m = sim.model
    kind = m.layout.scalars[command.name][1] if command.name in m.layout.scalars else getattr(getattr(m, command.name, None), "dtype", np.dtype(int)).kind
    if kind != "f":
        raise Refused(f"the model has no field of real numbers '{command.name}'")
    if command.name in m.layout.scalars:
        setattr(m, command.name, _number(command.value))
    else:
        field = getattr(m, command.name)
        index = () if command.index is None else command.index
        try:
            field[index] = _vector(command.value, np.size(field[index])).reshape(np.shape(field[index]))
        except IndexError:
            raise Refused(f"{command.name} has no element {command.index}") from None
    sim.changed = sim.stale = True


# ---------------------------------------------------------------- the mouse

def _posed(sim):
    """The perturbed body, where its kind allows, is at its reference pose now."""
    if perturbation.apply_pose(sim.model, sim.data, not sim.running):
        sim.edited()
    sim.changed = True


def _perturb_start(sim, command):
    _checked(command.bodyid, sim.model.nbody, "body")
    if sim.stale and not sim.running:
        sim.refresh()
    sim.perturb(command)
    sim.changed = True


def _perturb_move(sim, command):
    if not sim.data.perturb_active:
        return
    if sim.stale and not sim.running:
        sim.refresh()  # the whole tree is moved from where the body is now
    perturbation.move(sim.data, command)
    _posed(sim)


def _perturb_stop(sim, command):
    perturbation.stop(sim.data)
    sim.changed = True


def _move_mocap(sim, command):
    k = _checked(command.mocapid, sim.model.nmocap, "mocap body")
    if command.pos is not None:
        sim.data.mocap_pos[k] = _vector(command.pos, 3)
    if command.quat is not None:
        sim.data.mocap_quat[k] = _vector(command.quat, 4)
    sim.edited()


def _pose_free(sim, command):
    body = _checked(command.bodyid, sim.model.nbody, "body")
    if sim.running:
        raise Refused("bodies can be posed while paused")
    if sim.stale:
        sim.refresh()
    if not perturbation.pose_free(sim.model, sim.data, body, _vector(command.pos, 3), _vector(command.quat, 4)):
        raise Refused("this body belongs to a mechanism that is fixed to the world")
    sim.edited()


# ---------------------------------------------------------------- model and settings

def _swap_model(sim, command):
    state, report, problem = command.state, None, None
    if command.carry is not None and sim.model is not None:
        try:
            state, report = command.carry(sim.model, State.of(sim.data), command.model)
        except Exception as error:  # a reload must not fail because the old state does not fit
            problem = f"the state could not be carried over ({type(error).__name__}: {error})"
    try:
        sim.install(command.model, state)
    except ValueError as error:
        if state is None:
            raise
        problem = f"the state could not be carried over ({error})"
        sim.install(command.model)
    text = "model loaded" if problem is None else f"model loaded at its start state: {problem}"
    sim.tell(events.SWAPPED, text, model=command.model, generation=sim.generation, report=report, problem=problem, note=command.note)
    if command.run is not None and command.run != sim.running:
        sim.set_running(command.run)


def _set_profile(sim, command):
    sim.profiling = bool(command.on)
    sim.profile.clear()


def _set_pause_update(sim, command):
    sim.pause_update = bool(command.on)


def _set_autoreset(sim, command):
    sim.autoreset = bool(command.on)


def _watch(sim, command):
    layout = LAYOUTS["d"]
    unknown = [name for name in command.fields if name not in layout.arrays and name not in layout.scalars]
    if unknown:
        raise Refused(f"Data has no field {', '.join(unknown)}")
    sim.watch = tuple(command.fields)
    sim.changed = True


def _set_filming(sim, command):
    sim.filming = command.filming


TABLE: Mapping[type, Callable] = MappingProxyType({
    c.Run: _run, c.Pause: _pause, c.Step: _step, c.StepBack: _step_back, c.Scrub: _scrub, c.SetSpeed: _set_speed,
    c.Reset: _reset, c.LoadKey: _load_key, c.SaveKey: _save_key, c.SetState: _set_state, c.SetCtrl: _set_ctrl,
    c.ClearCtrl: _clear_ctrl, c.SetQpos: _set_qpos, c.SetJoint: _set_joint, c.SetEqActive: _set_eq_active, c.SetForce: _set_force, c.SetNoise: _set_noise,
    c.SetOption: _set_option, c.SetFlag: _set_flag, c.SetActuatorGroup: _set_actuator_group, c.SetVisual: _set_visual, c.SetField: _set_field, c.PerturbStart: _perturb_start,
    c.PerturbMove: _perturb_move, c.PerturbStop: _perturb_stop, c.MoveMocap: _move_mocap, c.PoseFree: _pose_free,
    c.SwapModel: _swap_model, c.SetProfile: _set_profile, c.SetPauseUpdate: _set_pause_update, c.SetAutoReset: _set_autoreset,
    c.Watch: _watch, c.SetFilming: _set_filming,
})
WITHOUT_MODEL = frozenset({c.SwapModel, c.Run, c.Pause, c.SetSpeed, c.SetProfile, c.SetPauseUpdate, c.SetAutoReset, c.SetFilming, c.Watch})

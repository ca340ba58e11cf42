"""What each command does to a Simulation: one function per command, found by its type."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from physics.errors import FieldError
from physics.fields.layout import LAYOUTS
from physics.model.state_fields import State, key_number
from physics.query.configuration import normalize_quat
from physics.recording import journal
from physics.runtime import commands as c
from physics.runtime import events, perturbation
from physics.runtime import set_values as values
from physics.runtime.changed_values import ChangedValues, message
from physics.runtime.checked import Refused, finite, finite_numbers, index_in
from physics.runtime.history.history import EDIT, KEYFRAME, LOAD
from physics.runtime.hooks.stepping import call_all, call_between
from physics.runtime.joint_coordinates import joint_coordinates, joint_qpos, qpos_slice
from physics.runtime.simulation import Simulation


def perform(sim: Simulation, command) -> None:
    """Carry out one command. What cannot be done becomes an event; nothing is raised."""
    try:
        if sim.model is None and type(command) not in WITHOUT_MODEL:
            raise Refused("no model is loaded")
        if sim.model is not None and type(command) not in (*WITHOUT_MODEL, *MENDING):
            sim.model.check_written()
        if type(command) is c.SetFields:
            command = values.for_the_present(sim, command)
        if type(command) in JOURNALED:
            sim.note(journal.COMMAND, command)
            sim.inputs += 1
        TABLE[type(command)](sim, command)
    except Refused as why:
        sim.tell(events.REFUSED, f"{type(command).__name__}: {why}", command=command)
    except FieldError as why:
        sim.tell_refusal(why)
    except Exception as error:  # the thread must live on; the window shows and logs it
        sim.tell(events.ERROR, f"{type(command).__name__} failed: {type(error).__name__}: {error}", command=command, error=error)


# ---------------------------------------------------------------- time

def _run(sim, command):
    sim.set_running(True)


def _pause(sim, command):
    sim.ran = False
    sim.set_running(False)


def _step(sim, command):
    sim.set_running(False)
    later = 0 if sim.history.edited else len(sim.history) - 1 - sim.history.index
    replayed = min(later, command.n)
    if replayed:
        sim.show_entry(sim.history.index + replayed)
    if command.n > replayed:
        if not sim.moves or not sim.ready:
            raise Refused("this model cannot be stepped" if not sim.moves else "the kernels are still being compiled")
        if sim.stale:
            sim.catch_up()
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
    sim.show_entry(index_in(index, n, "history entry"))


def _switch_branch(sim, command):
    if command.branch not in sim.history.branches:
        if command.branch != sim.history.branches.shown[0]:
            raise Refused(f"there is no branch {command.branch}")
        return
    sim.switch(command.branch)


def _rename_branch(sim, command):
    if command.branch not in sim.history.branches and command.branch != sim.history.branches.shown[0]:
        raise Refused(f"there is no branch {command.branch}")
    sim.history.branches.rename(command.branch, str(command.text))
    sim.changed = True


def _forget_branch(sim, command):
    if command.branch not in sim.history.branches:
        raise Refused("the branch that is shown stays" if command.branch == sim.history.branches.shown[0] else f"there is no branch {command.branch}")
    sim.history.branches.drop(command.branch)
    sim.changed = True


def _scrub_to(sim, command):
    index = command.number - sim.history.gone
    if not 0 <= index < len(sim.history):
        raise Refused("this moment is not in the history any more" if index < 0 else "the history does not reach as far")
    sim.show_entry(index)


def _set_speed(sim, command):
    try:
        sim.pacing.set_speed(command.factor)
    except ValueError as why:
        raise Refused(str(why)) from None
    sim.pictures.set_steps(None)
    sim.changed = True


def _set_steps_per_picture(sim, command):
    try:
        sim.pictures.set_steps(command.n)
    except ValueError as why:
        raise Refused(str(why)) from None
    sim.pacing.stop()
    sim.changed = True


# ---------------------------------------------------------------- state

def _reset(sim, command):
    sim.reset(key=sim.start_key)


def _load_key(sim, command):
    key = index_in(command.key, sim.model.nkey, "keyframe")
    sim.reset(key=key, border=(KEYFRAME, f"keyframe {sim.model.name('key', key) or key}"))


def _set_state(sim, command):
    sim.reset(state=command.state, border=(LOAD, "state set"))


def _set_ctrl(sim, command):
    sim.data.ctrl[index_in(command.index, sim.model.nu, "control")] = finite(command.value)
    sim.edited()


def _set_ctrls(sim, command):
    at = [index_in(index, sim.model.nu, "control") for index in command.indices]
    sim.data.ctrl[at] = finite_numbers(command.values, len(at))
    sim.edited()


def _clear_ctrl(sim, command):
    sim.data.ctrl[:] = 0
    sim.edited()


def _set_qpos(sim, command):
    if sim.running:
        raise Refused("coordinates can be set while paused")
    sim.data.qpos[index_in(command.adr, sim.model.nq, "coordinate")] = finite(command.value)
    sim.edited()


def _set_joint_coordinate(sim, command):
    if sim.running:
        raise Refused("coordinates can be set while paused")
    m, j = sim.model, index_in(command.joint, sim.model.njnt, "joint")
    part = sim.data.qpos[qpos_slice(m, j)]
    coordinates = joint_coordinates(part)
    coordinates[index_in(command.component, len(coordinates), "coordinate of the joint")] = finite(command.value)
    part[:] = joint_qpos(coordinates)
    sim.edited()


def _set_pose(sim, command):
    if sim.running:
        raise Refused("coordinates can be set while paused")
    d, pose = sim.data, np.ravel(np.asarray(command.qpos, float))
    if pose.size != sim.model.nq or np.isinf(pose).any():
        raise Refused(f"a pose of this model is {sim.model.nq} finite numbers")
    d.qpos[:] = normalize_quat(sim.model, np.where(np.isnan(pose), d.qpos, pose))
    sim.edited()


def _set_eq_active(sim, command):
    sim.data.eq_active[index_in(command.index, sim.model.neq, "equality constraint")] = bool(command.active)
    sim.edited()


def _set_force(sim, command):
    sim.data.xfrc_applied[index_in(command.bodyid, sim.model.nbody, "body")] = finite_numbers(command.xfrc, 6)
    sim.edited()


def _set_noise(sim, command):
    d = sim.data
    if command.scale < 0 or command.rate < 0:
        raise Refused("scale and rate must not be negative")
    d.noise_scale, d.noise_rate = finite(command.scale), finite(command.rate)
    if command.seed is not None:
        d.noise_seed, d.noise_step = int(command.seed) & 0xFFFFFFFF, 0
    if not command.scale:
        d.ctrl_noise[:] = 0
    sim.history.rewrite()
    sim.changed = True


# ---------------------------------------------------------------- the mouse

def _posed(sim):
    """The perturbed body, where its kind allows, is at its reference pose now."""
    if perturbation.apply_pose(sim.model, sim.data, not sim.running):
        sim.edited()
    sim.changed = True


def _perturb_start(sim, command):
    index_in(command.bodyid, sim.model.nbody, "body")
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
    k = index_in(command.mocapid, sim.model.nmocap, "mocap body")
    if command.pos is not None:
        sim.data.mocap_pos[k] = finite_numbers(command.pos, 3)
    if command.quat is not None:
        sim.data.mocap_quat[k] = finite_numbers(command.quat, 4)
    sim.edited()


def _pose_free(sim, command):
    body = index_in(command.bodyid, sim.model.nbody, "body")
    if sim.running:
        raise Refused("bodies can be posed while paused")
    if sim.stale:
        sim.refresh()
    if not perturbation.pose_free(sim.model, sim.data, body, finite_numbers(command.pos, 3), finite_numbers(command.quat, 4)):
        raise Refused("this body belongs to a mechanism that is fixed to the world")
    sim.edited()


# ---------------------------------------------------------------- model and settings

def _swap_model(sim, command):
    state, report, problem = command.state, None, None
    old = sim.model
    same = sim.model is not None and (command.carry is not None if command.document is None else command.document == sim.document)
    edited = same and command.carry is not None
    if edited:
        try:
            state, report = command.carry(old, State.of(sim.data), command.model)
        except Exception as error:  # a reload must not fail because the old state does not fit
            problem = f"the state could not be carried over ({type(error).__name__}: {error})"
    changed, dropped = _carried_values(sim, command) if edited else (ChangedValues(), [])
    key = _start_key(sim, command, edited)
    border = (EDIT if edited else LOAD, command.label or ("edit" if edited else "reload")) if same else None
    try:
        sim.install(command.model, state, key, border, changed)
    except ValueError as error:
        if state is None:
            raise
        problem = f"the state could not be carried over ({error})"
        sim.install(command.model, key=key, border=border, values=changed)
    text = "model loaded" if problem is None else f"model loaded at its start state: {problem}"
    sim.tell(events.SWAPPED, text, model=command.model, generation=sim.generation, report=report, problem=problem, note=command.note,
             document=command.document)
    _tell_dropped(sim, old, dropped, edited)
    sim.values, sim.document = changed, command.document
    call_all(sim, "on_load")
    _run_after_swap(sim, command, edited)


def _run_after_swap(sim, command, edited: bool) -> None:
    """As the command says, else as before; what ran until an edit made it view-only runs on when that is mended."""
    run = command.run
    if sim.model.view_only:
        sim.ran |= bool(run)
    else:
        run = True if run is None and edited and sim.ran else run
        sim.ran = False
    if run is not None and run != sim.running:
        sim.set_running(run)


def _carried_values(sim, command) -> tuple[ChangedValues, list[str]]:
    """What was set in the window, written into the next Model, and a line for each value that could not be."""
    try:
        return sim.values.carried(sim.model, command.model, frozenset(command.stated))
    except Exception as error:   # as with the state
        return ChangedValues(), [f"they do not fit ({type(error).__name__}: {error})"]


def _tell_dropped(sim, old, dropped: list[str], edited: bool) -> None:
    if edited and dropped:
        sim.tell(events.DROPPED, message("Values changed in the window were dropped:", dropped), values=tuple(dropped))
    elif not edited and len(sim.values):
        labels = [one.label for one in sim.values.shown(old)]
        sim.tell(events.DROPPED, f"{len(labels)} value{'s' * (len(labels) > 1)} changed in the window dropped, as the model starts afresh: " + message("", labels).strip().replace("\n", ", "),
                 values=tuple(labels))


def _start_key(sim, command, edited: bool) -> int | None:
    """The keyframe that the model is to start at, None for its start state. That it is not there is told once, not at each edit."""
    found = key_number(command.model, command.key)
    if found is None and command.key is not None and not (edited and sim.start_key is None):
        said = f"There is no keyframe '{command.key}' any more: a reset goes to the start state" if edited else f"There is no keyframe '{command.key}': the model starts at its start state"
        sim.tell(events.REFUSED, said, key=command.key)
    return found


def _set_start_key(sim, command):
    found = key_number(sim.model, command.key)
    if found is None and command.key is not None:
        raise Refused(f"there is no keyframe '{command.key}'")
    sim.start_key = found
    sim.changed = True


def _set_profile(sim, command):
    sim.profiling = bool(command.on)
    sim.profile.clear()


def _set_pause_update(sim, command):
    sim.pause_update = bool(command.on)


def _set_autoreset(sim, command):
    sim.autoreset = bool(command.on)


def _clear_warnings(sim, command):
    sim.clear_warnings()


def _set_critical_damping(sim, command):
    sim.critical_damping = bool(command.on)
    if sim.data is not None:
        sim.data.perturb_extra_damping = float(sim.critical_damping)


def _visit(sim, command):
    if sim.stale and not sim.running:
        sim.catch_up()
    command.visitor(sim.model, sim.data)


def _visit_run(sim, command):
    command.visitor(sim)


def _decide(sim, command):
    for one in command.decide(sim):
        perform(sim, one)


def _take_recording(sim, command):
    from physics.runtime.recorded.capture import capture    # late: at the start every import counts

    taken = None
    try:
        taken = capture(sim, command.reader)
    finally:
        command.then(taken)


def _load_recording(sim, command):
    from physics.runtime.recorded.restore import run_on

    run_on(sim, command.prepared, command.document, command.note)


def _note_episode(sim, command):
    """Nothing moves otherwise for it; the journal has it."""


def _set_trace(sim, command):
    sim.choose_traced(command.texts)


def _set_breakpoints(sim, command):
    sim.choose_breakpoints(command.texts)


def _watch(sim, command):
    layout = LAYOUTS["d"]
    unknown = [name for name in command.fields if name not in layout.arrays and name not in layout.scalars]
    if unknown:
        raise Refused(f"Data has no field {', '.join(unknown)}")
    sim.watch = tuple(command.fields)
    sim.changed = True


def _set_hooks(sim, command):
    sim.hooks = command.hooks
    sim.changed = True
    call_all(sim, "on_load", command.fresh)


def _run_hook(sim, command):
    hook = command.hook
    if hook in sim.hooks.all and hook.failure is None:
        call_between(sim, hook, *command.arguments, *((sim.model, sim.data) if command.with_model else ()))
        sim.changed = True


def _set_hook_value(sim, command):
    command.target.value = command.value


def _set_filming(sim, command):
    sim.filming = command.filming


TABLE: Mapping[type, Callable] = MappingProxyType({
    c.Run: _run, c.Pause: _pause, c.Step: _step, c.StepBack: _step_back, c.Scrub: _scrub, c.ScrubTo: _scrub_to, c.SwitchBranch: _switch_branch, c.RenameBranch: _rename_branch, c.ForgetBranch: _forget_branch,
    c.SetSpeed: _set_speed, c.SetStepsPerPicture: _set_steps_per_picture,
    c.Reset: _reset, c.LoadKey: _load_key, c.SaveKey: values.save_key, c.SetState: _set_state, c.SetCtrl: _set_ctrl, c.SetCtrls: _set_ctrls,
    c.ClearCtrl: _clear_ctrl, c.SetQpos: _set_qpos, c.SetJointCoordinate: _set_joint_coordinate, c.SetPose: _set_pose, c.SetEqActive: _set_eq_active, c.SetForce: _set_force, c.SetNoise: _set_noise,
    c.SetOption: values.set_option, c.SetFlag: values.set_flag, c.SetActuatorGroup: values.set_actuator_group, c.SetVisual: values.set_visual,
    c.SetField: values.set_field, c.SetFields: values.set_fields, c.RevertValue: values.revert_value, c.RevertAll: values.revert_all, c.PerturbStart: _perturb_start,
    c.PerturbMove: _perturb_move, c.PerturbStop: _perturb_stop, c.MoveMocap: _move_mocap, c.PoseFree: _pose_free,
    c.SwapModel: _swap_model, c.SetStartKey: _set_start_key, c.SetProfile: _set_profile, c.SetPauseUpdate: _set_pause_update, c.SetAutoReset: _set_autoreset,
    c.Watch: _watch, c.SetTrace: _set_trace, c.SetBreakpoints: _set_breakpoints, c.ClearWarnings: _clear_warnings, c.SetCriticalDamping: _set_critical_damping, c.Visit: _visit, c.VisitRun: _visit_run, c.Decide: _decide, c.SetFilming: _set_filming,
    c.TakeRecording: _take_recording, c.LoadRecording: _load_recording, c.NoteEpisode: _note_episode,
    c.SetHooks: _set_hooks, c.RunHook: _run_hook, c.SetHookValue: _set_hook_value,
})
WITHOUT_MODEL = frozenset({c.SwapModel, c.Run, c.Pause, c.SetSpeed, c.SetStepsPerPicture, c.SetProfile, c.SetPauseUpdate, c.SetAutoReset, c.SetFilming, c.Watch, c.SetTrace, c.SetBreakpoints, c.SetCriticalDamping, c.SetHooks, c.SetHookValue,
                           c.VisitRun, c.Decide, c.TakeRecording, c.LoadRecording})
MENDING = frozenset({c.SetOption, c.RevertValue, c.RevertAll})   # may put whole numbers right that are wrong
# what a run depends on; the others change no bits, or what they do is noted where it is done (steps, jumps, Models)
JOURNALED = frozenset(TABLE) - frozenset({c.Run, c.Pause, c.Step, c.StepBack, c.Scrub, c.ScrubTo, c.SwitchBranch, c.SetSpeed, c.SetStepsPerPicture, c.SwapModel, c.SetProfile, c.Watch, c.SetTrace, c.SetBreakpoints,
                                          c.ClearWarnings, c.Visit, c.VisitRun, c.Decide, c.SetFilming, c.SetHooks, c.RunHook, c.SetHookValue, c.TakeRecording, c.LoadRecording})

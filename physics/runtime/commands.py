"""What may be asked of a running simulation. Each command is a frozen value; Runner.send takes it in order, Runner.latest
keeps only the newest per key (sliders, mouse motion). Numbers are indices of the Model that runs when the command arrives.

Shapes: positions (3,), quaternions (4,) as (w, x, y, z); metres, radians, seconds.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

TRANSLATE = 1  # bits of PerturbStart.kind, the official mjtPertBit numbers
ROTATE = 2


@dataclass(frozen=True, slots=True)
class Run:
    """Let time pass. Refused with an event for a model that can only be viewed."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the time; the state stays as it is."""


@dataclass(frozen=True, slots=True)
class Step:
    """Pause and go n steps on: through later entries of the history while there are some, then by stepping."""

    n: int = 1


@dataclass(frozen=True, slots=True)
class StepBack:
    """Pause and go n entries back in the history."""

    n: int = 1


@dataclass(frozen=True, slots=True)
class Scrub:
    """Pause and show entry `index` of the history; 0 is the oldest, negative counts from the newest (-1)."""

    index: int


@dataclass(frozen=True, slots=True)
class SwitchBranch:
    """Pause at the newest entry of branch `branch` (Snapshot.history_branches); what was shown stays as a branch."""

    branch: int


@dataclass(frozen=True, slots=True)
class RenameBranch:
    """Call a branch otherwise."""

    branch: int
    text: str


@dataclass(frozen=True, slots=True)
class ForgetBranch:
    """Forget the entries of a branch that is not shown, and the branches that part from it."""

    branch: int


@dataclass(frozen=True, slots=True)
class ScrubTo:
    """Pause and show the entry of this number, which stays when older entries are dropped (index and Snapshot.history_gone)."""

    number: int


@dataclass(frozen=True, slots=True)
class Reset:
    """Back to where the model starts: the keyframe that the user chose for it (SwapModel.key, SetStartKey), else its start state at time 0."""


@dataclass(frozen=True, slots=True)
class LoadKey:
    """Back to keyframe `key`."""

    key: int


@dataclass(frozen=True, slots=True)
class SaveKey:
    """Overwrite keyframe `key` of the model in memory with the present state."""

    key: int


@dataclass(frozen=True, slots=True)
class SetSpeed:
    """Simulated seconds per second, 1 = real time (0.001 to 16); None: as fast as possible."""

    factor: float | None


@dataclass(frozen=True, slots=True)
class SetStepsPerPicture:
    """So many steps (1 to 1000) for each picture of the view, at the pace at which pictures are seen (Runner.picture_seen); None: as fast as SetSpeed says, which ends it too."""

    n: int | None


@dataclass(frozen=True, slots=True)
class SetCtrl:
    """One control."""

    index: int
    value: float


@dataclass(frozen=True, slots=True)
class SetCtrls:
    """Several controls at once: `indices` and as many `values`."""

    indices: tuple
    values: tuple


@dataclass(frozen=True, slots=True)
class ClearCtrl:
    """All controls to zero."""


@dataclass(frozen=True, slots=True)
class SetQpos:
    """One coordinate (address in qpos), while paused."""

    adr: int
    value: float


@dataclass(frozen=True, slots=True)
class SetJointCoordinate:
    """One coordinate of a joint, while paused: of a hinge or slide its own (component 0), of a ball joint one of the rotation vector (0 to 2) [rad],
    of a free joint one of the position (0 to 2) [m] or of the rotation vector (3 to 5) [rad]."""

    joint: int
    component: int
    value: float


@dataclass(frozen=True, slots=True)
class SetPose:
    """All coordinates (nq numbers), while paused; what is no number (nan) leaves its coordinate as it is. Quaternions are normalised."""

    qpos: tuple


@dataclass(frozen=True, slots=True)
class SetState:
    """The whole state (a physics.model.state_fields.State of this model)."""

    state: Any


@dataclass(frozen=True, slots=True)
class SetEqActive:
    """Switch one equality constraint."""

    index: int
    active: bool


@dataclass(frozen=True, slots=True)
class SetOption:
    """A field of m.opt by its official name ('timestep', 'gravity', 'o_solref', 'cone', ...). With `index` one component of a vector."""

    name: str
    value: Any
    index: int | None = None


@dataclass(frozen=True, slots=True)
class SetFlag:
    """Set or clear one bit of m.opt.disableflags (word 'disable') or m.opt.enableflags ('enable')."""

    word: str
    bit: int
    on: bool


@dataclass(frozen=True, slots=True)
class SetActuatorGroup:
    """Enable or disable the actuators of one group (0 to 30)."""

    group: int
    enabled: bool


@dataclass(frozen=True, slots=True)
class SetVisual:
    """A value of m.vis (MJCF's `visual`) by group and name: 'map.stiffness', 'rgba.haze', 'global_.fovy'; a colour as a tuple."""

    path: str
    value: Any


@dataclass(frozen=True, slots=True)
class SetField:
    """A field of numbers of the Model by its official name ('stat_extent', 'geom_rgba', ...), whole or at an index (a number, or one per axis).

    Only those of physics.model.live_fields: from the others more fields follow, which is for a text and the compiler.
    """

    name: str
    value: Any
    index: int | tuple | None = None


@dataclass(frozen=True, slots=True)
class SetFields:
    """Numbers of the Model's fields that an edit of the text has changed, written between two steps; the state stays as it is.

    rows: (field, rows or None, values) each, as physics.model.changes.field_changes.FieldChange has them, so many that of several such commands for one Model the newest is
    enough. model: the Model that they were found for; the command is refused for another. None: for whichever runs. label: what the history's mark says, '' for none.
    stated: the statistics that the text fixes itself; number: rising, Model.revision tells the newest that was carried out. What was set in the window goes on as with SwapModel: where the text says something else now, the text wins.
    """

    rows: tuple
    model: Any = None
    label: str = ""
    stated: tuple = ()
    number: int = 0


@dataclass(frozen=True, slots=True)
class RevertValue:
    """Put back what the file says of a value that was set in the window (ChangedValue.target)."""

    target: str


@dataclass(frozen=True, slots=True)
class RevertAll:
    """Put back what the file says of all values that were set in the window."""


@dataclass(frozen=True, slots=True)
class SetStartKey:
    """Start at this keyframe, by name or number, from the next reset on; None: at the model's start state."""

    key: str | int | None


@dataclass(frozen=True, slots=True)
class PerturbStart:
    """Begin to perturb a body at `localpos`, the grab point (body frame), to TRANSLATE and/or ROTATE it.

    The reference pose becomes the body's inertial frame, the reference point the grab point. bodyid 0 ends the perturbation.
    """

    bodyid: int
    localpos: tuple = (0.0, 0.0, 0.0)
    kind: int = TRANSLATE


@dataclass(frozen=True, slots=True)
class PerturbMove:
    """Absolute world position of the reference point and/or orientation of the reference frame; None leaves it."""

    refselpos: tuple | None = None
    refquat: tuple | None = None


@dataclass(frozen=True, slots=True)
class PerturbStop:
    """Let go."""


@dataclass(frozen=True, slots=True)
class MoveMocap:
    """Pose of one mocap body, running or paused; None leaves that part."""

    mocapid: int
    pos: tuple | None = None
    quat: tuple | None = None


@dataclass(frozen=True, slots=True)
class PoseFree:
    """While paused: put a body with a free joint at this pose of its frame, or move the whole floating tree it belongs to
    rigidly so that the body gets there. Bodies of fixed mechanisms do not move."""

    bodyid: int
    pos: tuple
    quat: tuple


@dataclass(frozen=True, slots=True)
class SetForce:
    """External force and torque on a body: xfrc_applied (6,) as force, torque in world axes at its centre of mass."""

    bodyid: int
    xfrc: tuple


@dataclass(frozen=True, slots=True)
class SetNoise:
    """Control noise: scale as a share of half the control range, rate = correlation time [s]; scale 0 is off."""

    scale: float
    rate: float
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class SwapModel:
    """Run this Model from now on.

    state: a State of that model to start from (None: its start state). carry: in its place a function that makes one from the
    state at the moment of the swap: carry(old model, State, new model) -> (State, report); the report goes into the 'swapped'
    event, and where it fails the start state is taken. With `carry` the Model comes from another text of the same document: values that were
    set in the window (Snapshot.changed_values) are written into it again, unless the text says something else now; else they are dropped.
    stated: the statistics that the text fixes ('extent', ...). document: whose Model it is, any value that can be compared; only that of the same
    document takes state and values over, and its history goes on, with a mark that says `label` (None: with `carry` the same, without another). key: the keyframe, by name or number, that the model starts at and resets to.
    run: True, False, or None to keep running or paused as now. note: any value; it and `document` are handed back with the event.
    """

    model: Any
    state: Any = None
    carry: Callable[[Any, Any, Any], tuple[Any, Any]] | None = None
    run: bool | None = None
    note: Any = None
    key: str | int | None = None
    stated: tuple[str, ...] = ()
    document: Any = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class SetProfile:
    """Time each stage of the step."""

    on: bool


@dataclass(frozen=True, slots=True)
class SetPauseUpdate:
    """While paused keep improving the solver's warm start, so that the paused forces converge."""

    on: bool


@dataclass(frozen=True, slots=True)
class SetAutoReset:
    """When the simulation diverges, reset and go on instead of pausing."""

    on: bool


@dataclass(frozen=True, slots=True)
class ClearWarnings:
    """Count warnings from 0 again."""


@dataclass(frozen=True, slots=True)
class SetCriticalDamping:
    """Whether the mouse's spring is damped critically; off: half of that, as officially."""

    on: bool


@dataclass(frozen=True, slots=True)
class Visit:
    """Call visitor(model, data) in the physics thread between two steps. It may look (and copy), must change nothing, and should not take long."""

    visitor: Callable[[Any, Any], None]


@dataclass(frozen=True, slots=True)
class VisitRun:
    """Call visitor(simulation) in the physics thread between two steps, with or without a model: as Visit, for who wants to know more than the present state."""

    visitor: Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class Decide:
    """Carry out, at once, the commands that decide(simulation) gives in the physics thread: those that depend on the present state, with or without a model. It changes nothing itself, and
    should not take long."""

    decide: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Watch:
    """Names of further fields of Data, arrays or single numbers, to copy into Snapshot.watch (0-dimensional arrays for single numbers)."""

    fields: tuple = ()


@dataclass(frozen=True, slots=True)
class SetTrace:
    """Expressions whose numbers are taken at every step (Snapshot.trace); those that are none for the present Model are passed over."""

    texts: tuple = ()


@dataclass(frozen=True, slots=True)
class SetBreakpoints:
    """Expressions at which the run pauses, in the step in which one becomes true; those that are none for the present Model are passed over."""

    texts: tuple = ()


@dataclass(frozen=True, slots=True)
class TakeRecording:
    """Call then(taken) in the physics thread: all that happened, as a physics.runtime.recorded.capture.Taken of views; None without a model. It should not take long.

    reader: a physics.recording.journal.JournalReader; then only inputs that it has not read yet come along.
    """

    then: Callable[[Any], None]
    reader: Any = None


@dataclass(frozen=True, slots=True)
class LoadRecording:
    """Make a recording (physics.runtime.recorded.restore.Prepared) what runs, paused at its newest moment. document, note: as those of SwapModel."""

    prepared: Any
    document: Any = None
    note: Any = None


@dataclass(frozen=True, slots=True)
class NoteEpisode:
    """A word about a demonstration, which changes nothing that moves: it is in the recording, between the inputs, at the step at which it was said.

    what: 'start', 'stop', 'success', 'failure', 'discard', 'undo', 'task', 'note' or 'driver'; text: the task, a note, who drives; number: of the start state that was drawn, -1 for none.
    """

    what: str
    text: str = ""
    number: int = -1


@dataclass(frozen=True, slots=True)
class SetFilming:
    """Capture frame states for a film (a physics.runtime.filming.Filming) while time passes; None: no more."""

    filming: Any


@dataclass(frozen=True, slots=True)
class SetHooks:
    """Call these functions of the user's (a physics.runtime.hooks.hook.Hooks) around steps from now on. fresh: those whose text is new, of which on_load is called at once."""

    hooks: Any
    fresh: tuple = ()


@dataclass(frozen=True, slots=True)
class RunHook:
    """Call one of the installed hooks once, between two steps; what it writes into Data counts as set by hand. arguments: (m, d) where there is a model and
    `with_model`, after these."""

    hook: Any
    arguments: tuple = ()
    with_model: bool = True


@dataclass(frozen=True, slots=True)
class SetHookValue:
    """Give something that hooks read (`target`, with an attribute `value`) another value, between two steps."""

    target: Any
    value: Any

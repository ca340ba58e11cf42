"""Companion runs of a window: starting and stopping them, how each is shown, and what the view and the charts take from them.

    panel, palette --start, change, stop--> Companions (physics/runtime/companions)
    frame timer --poll--> newest Snapshots --> ghosts for the view, curves for the charts, states for the panel
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PyQt6.QtCore import QObject, pyqtSignal

from app.bridge.ghost import Ghost
from app.bridge.layers.contacts import contact_vectors
from app.context import AppContext
from app.controllers.recordings import compile_texts
from app.controllers.set_values import ENUMS, commands_of, parse_set
from physics import enums
from physics.fields.layout import LAYOUTS
from physics.model.live_fields import LIVE_FIELDS
from physics.model.model import Model
from physics.name_hints import hint
from physics.recording.track import Track
from physics.runtime import commands
from physics.runtime.companions.beginning import same_structure
from physics.runtime.companions.companion import DIVERGED, ENDED, FAILED, LAGGING, Companion, CompanionState
from physics.runtime.companions.companions import Companions
from physics.runtime.companions.live import LiveCompanion
from physics.runtime.companions.rewound import Beginning
from physics.runtime.history.branches import BranchInfo
from physics.runtime.runner import PANELS
from physics.runtime.snapshot import Snapshot
from physics.simulate.engines import ENGINES
from physics.tuning.parameter_set import ParameterSet, start_companions, window_commands

TINTS = ((0.90, 0.10, 0.35), (0.0, 0.75, 0.75), (0.50, 0.30, 0.90), (0.50, 0.80, 0.10))     # none is that of a curve of the primary (app/panels/plots/curve.py)
OPACITY = 0.35
FLAG = "flag."
KEPT_MODEL = 64 << 20       # bytes: a Model of before an edit is kept for a companion where it is no larger


@dataclass(eq=False)
class CompanionRow:
    """A companion as the window shows it. kind: what it began as, in words; name: what the user calls it, '' as `kind` and its values say; visible: as a ghost; beside: in
    a picture of its own; offset: of the ghost from where it is [m]; before: the Model of before an edit that it began with, None: of none;
    engine: that of the two which does not move the primary, None: it has the same, or one of its own; snapshot: the newest, valid until the next poll."""

    companion: Companion
    kind: str
    tint: tuple[float, float, float]
    name: str = ""
    opacity: float = OPACITY
    visible: bool = True
    beside: bool = False
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    before: Model | None = None
    engine: int | None = None
    snapshot: Snapshot | None = None
    state: CompanionState = field(default_factory=CompanionState)
    seen: int = 0       # number of the newest Snapshot that was taken
    said: tuple[int, int] = (0, 0)      # how many values it has of its own, how many were refused

    def visit(self, look) -> None:
        """As LiveCompanion.visit."""
        self.companion.visit(look)

    @property
    def live(self) -> bool:
        """Whether it runs, and can be given other values."""
        return isinstance(self.companion, LiveCompanion)

    @property
    def changes(self) -> tuple:
        """Commands by which it differs from the primary."""
        return self.companion.changes if self.live else ()

    @property
    def label(self) -> str:
        """What is written at its ghost: what it is called, and how far it is behind where it is."""
        return f"{self.title} ({self.state.lag:.1f} s behind)" if self.state.status == LAGGING else self.title

    @property
    def title(self) -> str:
        """What it is called."""
        return self.name or ", ".join([*([self.kind] if self.kind != NOW or not self.changes else []), *map(described, self.changes)])


NOW = "same values"
NO_COMPANIONS = "A companion run needs the inputs of the run beside it, and a script keeps none: run the model in a window of its own"


class CompanionsController(QObject):
    """Signals: changed() when there are other companions, or one of them is shown or doing otherwise; needed() when the panel is to be seen, engines_needed() when that of the two engines is."""

    changed = pyqtSignal()
    needed = pyqtSignal()
    engines_needed = pyqtSignal()

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self._companions = Companions(context.runner)
        self.rows: list[CompanionRow] = []
        self._model: Model | None = None
        self.live = None        # editor.live.LiveModel: what was written into the Model that runs
        self._before: Model | None = None       # the Model of before the one that runs
        context.model_changed.connect(self._model_changed)

    def _model_changed(self, model: Model) -> None:
        before, self._model = self._model, model
        self._before = before if before is not None and not self._context.newly_opened and _nbytes(before) <= KEPT_MODEL else None
        self.changed.emit()

    @property
    def _written(self) -> bool:
        """Whether the last edit was written into the Model that runs."""
        return self.live is not None and self.live.changed and self.live.model is self._model and _nbytes(self._model) <= KEPT_MODEL

    @property
    def has_before(self) -> bool:
        """Whether there is a Model of before the last edit."""
        return self._written or self._before is not None

    @property
    def before(self) -> Model | None:
        """The Model of before the last edit; a copy of the one that runs where that was written into it."""
        return self.live.before() if self._written else self._before

    # ------------------------------------------------------------------ starting and stopping

    def start(self) -> CompanionRow | None:
        """One from the present moment; the panel offers values to give it."""
        row = self._begin(lambda: self._companions.start_live(), NOW)
        if row is not None:
            self.needed.emit()
        return row

    def start_before(self) -> CompanionRow | None:
        """One with the Model of before the last edit of the text, from the present moment."""
        before = self.before
        if before is None:
            self._context.log("warning", "There is no model of before an edit: the text has not been changed while it ran")
            return None
        row = self._begin(lambda: self._companions.start_live(model=before), "before the edit")
        if row is not None:
            row.before = before
        return row

    def toggle_before(self) -> None:
        """Show what the last edit has changed: start a companion with the Model of before it, from the present moment; hide its ghost, and show it again, when asked once more."""
        row, before = next((row for row in self.rows if row.before is not None), None), self.before
        if row is not None and (before is None or _same_values(row.before, before)):
            self.show(row, visible=not row.visible)
            return
        if row is not None:     # of before an earlier edit
            self.stop(row)
        self.start_before()

    @property
    def other_engine(self) -> CompanionRow | None:
        """The companion that the other engine moves."""
        return next((row for row in self.rows if row.engine is not None), None)

    def toggle_other_engine(self) -> CompanionRow | None:
        """Run the engine beside that does not move the model, from the present moment; end it when asked once more."""
        row, model = self.other_engine, self._context.model
        if row is not None:
            self.stop(row)
            return None
        if model is not None and (issues := self._against_other(model)):
            for issue in issues:
                self._context.log("warning", f"The {ENGINES[1 - model.opt_engine].name} engine cannot run beside: {issue}")
            return None
        other = 1 - model.opt_engine if model is not None else None
        row = self._begin(lambda: self._companions.start_live([commands.SetOption("engine", other)]), NOW)
        if row is not None:
            row.engine = other
            self.changed.emit()
            self.engines_needed.emit()
        return row

    @staticmethod
    def _against_other(model: Model) -> tuple:
        """What keeps the engine that does not move this Model from doing so."""
        return tuple(model.view_only) or tuple(ENGINES[1 - model.opt_engine].refuses(model))

    def _keep_other(self) -> None:
        """The other engine stays the other one when the model gets another."""
        row, model = self.other_engine, self._context.model
        if row is not None and model is not None and row.engine == model.opt_engine:
            row.engine = 1 - row.engine
            row.companion.change(commands.SetOption("engine", row.engine))

    def start_branch(self, branch: BranchInfo) -> CompanionRow | None:
        """One that shows a branch of the history."""
        return self._begin(lambda: self._companions.start_branch(branch.id), f"branch {branch.id}: {branch.text}")

    def start_part(self, first: int, last: int, name: str) -> CompanionRow | None:
        """One that shows entries of the history, as those before a reset, at the same simulated times."""
        return self._begin(lambda: self._companions.start_part(first, last), name)

    def start_recording(self, path: Path) -> CompanionRow | None:
        """One that shows a recording's file."""
        return self._begin(lambda: self._companions.start_file(path, compile_texts), path.stem)

    def start_states(self, track: Track, model: Model, name: str) -> CompanionRow | None:
        """One that shows recorded states of a Model that nobody else uses."""
        return self._begin(lambda: self._companions.start_track(track, lambda _number: model), name)

    def start_rewound(self, beginning: Beginning, name: str) -> CompanionRow | None:
        """One that runs on by itself from an entry of before a divergence."""
        return self._begin(lambda: self._companions.start_rewound(beginning), name)

    def start_sets(self, sets: Sequence[ParameterSet]) -> tuple[CompanionRow, ...]:
        """One for each parameter set, all from the same moment, each in its colour; () where that cannot be, which is told."""
        started = self._started(lambda: start_companions(self._companions, sets))
        found = tuple(CompanionRow(one, NOW, TINTS[of.colour % len(TINTS)], of.label) for one, of in zip(started or (), sets if started else (), strict=True))
        self.rows += found
        self.changed.emit()
        return found

    def _started(self, start):
        """What `start` returns; None where there can be no companion, which is told."""
        if self._context.model is None:
            self._context.log("warning", "A companion run needs a model")
            return None
        if not self._context.runner.keeps_history:
            self._context.log("warning", NO_COMPANIONS)
            return None
        try:
            return start()
        except ValueError as why:
            self._context.log("warning", f"No companion run was started: {why}")
            return None

    def _begin(self, start, kind: str) -> CompanionRow | None:
        companion = self._started(start)
        if companion is None:
            return None
        used = [row.tint for row in self.rows]
        row = CompanionRow(companion, kind, min(TINTS, key=used.count))
        self.rows.append(row)
        self.changed.emit()
        return row

    def stop(self, row: CompanionRow) -> None:
        """End one."""
        if row in self.rows:
            self.rows.remove(row)
            self._companions.remove(row.companion)
            self.changed.emit()

    def stop_all(self) -> None:
        """End all of them."""
        self._companions.stop()
        self.rows.clear()
        self.changed.emit()

    def close(self) -> None:
        """End all, and wait for their threads."""
        self._companions.stop(wait=True)
        self.rows.clear()

    # ------------------------------------------------------------------ values

    def change(self, row: CompanionRow, text: str) -> str:
        """Give a companion a value by a text such as 'timestep = 0.001' or 'geom_friction[floor] = 1 0 0'; '' or why that cannot be."""
        if not row.live or self._context.model is None:
            return "Only a companion that runs has values of its own."
        try:
            wanted = change_commands(row.snapshot.model if row.snapshot is not None else self._context.model, text)
        except ValueError as why:
            return str(why)
        for command in wanted:
            row.companion.change(command)
        return ""

    def adopt(self, row: CompanionRow) -> None:
        """Give the primary the values of a companion."""
        for command in row.changes:
            wanted, left = window_commands(command.rows) if isinstance(command, commands.SetFields) else ((command,), ())
            for one in wanted:
                self._context.runner.send(one)
                if isinstance(one, commands.SetOption):
                    self._context.option_edited.emit(one.name)
            if left:
                self._context.log("warning", f"{', '.join(left)} can only be changed in the text")

    def put_away(self, companion: Companion) -> None:
        """Show no picture of its own of a companion any more."""
        for row in self.rows:
            if row.companion is companion:
                self.show(row, beside=False)

    def show(self, row: CompanionRow, **settings) -> None:
        """Show a companion otherwise: name, tint, opacity, visible, beside, offset."""
        for name, value in settings.items():
            setattr(row, name, value)
        self.changed.emit()

    # ------------------------------------------------------------------ what arrives

    def poll(self) -> bool:
        """Take what is new, once a picture; whether a ghost is elsewhere than at the last poll."""
        if not self.rows:
            return False
        self._companions.trace(self._context.traced.all)
        self._keep_other()
        newer = told = False
        for row in list(self.rows):
            row.snapshot = row.companion.acquire(PANELS)
            if row.snapshot is not None and row.snapshot.number != row.seen:
                row.seen, newer = row.snapshot.number, newer or row.visible or row.beside
            before, row.state = row.state, row.companion.state
            said = len(row.changes), len(row.companion.refused) if row.live else 0
            if row.state.status != before.status or said != row.said:
                told, row.said = True, said
            if row.state.status != before.status:
                self._tell(row)
        if told:
            self.changed.emit()
        return newer

    def _tell(self, row: CompanionRow) -> None:
        status, text = row.state.status, row.state.text
        if status == DIVERGED:
            self._context.log("warning", f"The companion run '{row.title}' stopped: {text}")
        elif status in (ENDED, FAILED):
            self._context.log("info" if status == ENDED else "warning", f"The companion run '{row.title}' has ended: {text}")
            self.stop(row)

    def ghosts(self) -> tuple[Ghost, ...]:
        """Where the companions are that are shown as ghosts."""
        found = []
        for row in self.rows:
            snapshot = row.snapshot
            if snapshot is not None and row.visible:
                model = row.companion.drawn if row.companion.drawn is self._context.model and self._context.model is not None else snapshot.model
                xpos = snapshot.geom_xpos + np.array(row.offset) if any(row.offset) else snapshot.geom_xpos
                found.append(Ghost(model, xpos, snapshot.geom_xmat, row.tint, row.opacity, row.label, contact_vectors(snapshot, row.offset) if row.engine is not None else None))
        return tuple(found)


def _nbytes(m: Model) -> int:
    return sum(getattr(m, name).nbytes for name in m.layout.arrays)


def _same_values(one: Model, other: Model) -> bool:
    """Whether two Models have the same numbers: what was written into one that runs is copied for each who asks for what was before."""
    return one is other or same_structure(one, other) and all(np.array_equal(getattr(one, name), getattr(other, name), equal_nan=getattr(one, name).dtype.kind == "f")
                                                               for name in one.layout.arrays) and all(getattr(one, name) == getattr(other, name) for name in one.layout.scalars)


def change_commands(m: Model, text: str) -> tuple:
    """The commands that 'WHAT = VALUE' means for a Model: an option by its name, 'visual.map.force', a live field 'geom_rgba[name]'. Raises ValueError."""
    what, sign, value = text.partition("=")
    what, value = what.strip(), value.strip()
    if not sign or not what or not value:
        raise ValueError("write what is to be changed and its value, such as timestep = 0.001")
    if what.startswith(FLAG):
        return (_flag(what.removeprefix(FLAG), value),)
    name, bracket, index = what.removeprefix("option.").removeprefix("opt.").partition("[")
    if f"opt_{name}" not in LAYOUTS["m"].rows:
        if "." not in what and name not in LIVE_FIELDS:
            raise ValueError(f"there is no option or field '{name}' to be changed{hint(name, offered(m))}")
        return commands_of(parse_set(what, value), m)
    found = (commands.SetOption(name, _number(value), _index(index)),) if bracket else commands_of(parse_set(f"option.{name}", value), m)
    if name.startswith("o_") and not m.opt.enableflags & enums.EnableBit.OVERRIDE:
        found = (*found, commands.SetFlag("enable", int(enums.EnableBit.OVERRIDE), True))     # without it such values do nothing
    return found


def _flag(name: str, text: str) -> commands.SetFlag:
    """A flag by its name, on or off as people say it: one of `disable` is on where nothing is disabled."""
    if text not in ("on", "off"):
        raise ValueError(f"a flag is on or off, not '{text}'")
    for word, bits in (("enable", enums.EnableBit), ("disable", enums.DisableBit)):
        if name.upper() in bits.__members__:
            return commands.SetFlag(word, int(bits[name.upper()]), (text == "on") == (word == "enable"))
    known = [bit.lower() for bits in (enums.EnableBit, enums.DisableBit) for bit in bits.__members__]
    raise ValueError(f"there is no flag '{name}'{hint(name, known)}")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"'{text}' is no number") from None


def _index(text: str) -> int:
    number = text.strip().removesuffix("]").strip()
    if not number.isdecimal():
        raise ValueError(f"'[{text}' is no index; write [0], [1], ...")
    return int(number)


def described(command) -> str:
    """A value that makes a companion differ, in a few words."""
    if isinstance(command, commands.SetFields):
        return command.label or ", ".join(dict.fromkeys(name for name, _rows, _values in command.rows))
    if isinstance(command, commands.SetFlag):
        bit = (enums.EnableBit if command.word == "enable" else enums.DisableBit)(command.bit)
        return f"{bit.name.lower()} {'on' if command.on == (command.word == 'enable') else 'off'}"
    name = getattr(command, "name", getattr(command, "path", type(command).__name__))
    index = getattr(command, "index", None)
    where = "" if index is None else f"[{', '.join(map(str, np.ravel(index)))}]"
    value = getattr(command, "value", "")
    if isinstance(command, commands.SetOption) and name in ENUMS:
        return f"{name} {getattr(enums, ENUMS[name])(int(value)).name.lower()}"
    return f"{name}{where} {' '.join(f'{x:.4g}' for x in np.ravel(value)[:5])}"


def offered(m: Model | None) -> Iterable[str]:
    """Names of what can be changed, for completion: options, flags, live fields."""
    options = sorted(name.removeprefix("opt_") for name in LAYOUTS["m"].rows if name.startswith("opt_"))
    flags = [FLAG + bit.lower() for bits in (enums.EnableBit, enums.DisableBit) for bit in bits.__members__]
    return [*options, *flags, *sorted(name for name in LIVE_FIELDS if not name.startswith("key_"))] if m is not None else options

"""A live companion: begins at the primary's present with values of its own, and takes the same inputs at the same times from then on."""
from __future__ import annotations

import weakref
from collections.abc import Callable

from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import model_beside
from physics.recording.trace import Trace
from physics.runtime.companions.beginning import Beginning, CommonBeginning, begin_beside
from physics.runtime.companions.companion import DIVERGED, ENDED, FAILED, LAGGING, NAP, PAUSED, PREPARING, RUNNING, Companion, CompanionError, CompanionState, nothing, now
from physics.runtime.companions.follower import Anchor, Follower, follow_copy, follow_with
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation

HISTORY, TRACE = 32 << 20, 16 << 20     # bytes
PUBLISH = 1 / 120       # s between two Snapshots
LATE = 0.25             # s between them while it catches up: pictures are what it leaves out first
BEHIND = 0.1            # s of simulated time that are told as lag
TRIES = 5               # Models that may come in between while it begins
CHANGING = "the model changes all the time"


class LiveCompanion(Companion):
    """A run beside a run. changes: commands by which it differs (SetOption, SetField, SetFields, ...); model: the Model of which it runs a copy, None: the primary's; common:
    where it begins at one moment with others, for those of the primary's Model."""

    def __init__(self, primary: Runner, changes=(), model: Model | None = None, common: CommonBeginning | None = None):
        super().__init__(primary)
        self._wanted, self._given, self._common = tuple(changes), model, common
        self._follower: Follower | None = None
        self._next = 0.0        # when the next Snapshot is due
        self._drawn: Callable[[], Model | None] = nothing
        self.changes: tuple = ()
        self.refused: tuple[str, ...] = ()      # why values that were asked for are not there, the newest last

    @property
    def drawn(self) -> Model | None:
        """The Model of the primary that its Model was copied from, while there is one."""
        return self._drawn()

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """Which entries of both histories are of the same times; () before it has begun."""
        return self._follower.anchors if self._follower is not None else ()

    def change(self, command) -> None:
        """Give it another value by a command; `refused` tells where that cannot be."""
        self._mailbox.send(lambda: self._change(command))

    def visit(self, look: Callable[[Simulation], None]) -> None:
        """Have `look` called with its Simulation in its thread, between two chunks of steps, once it has begun; it must be quick, and change nothing."""
        self._mailbox.send(lambda: look(self._follower.simulation))

    # ------------------------------------------------ its own thread

    def _begin(self) -> None:
        simulation = Simulation(history_bytes=HISTORY)
        simulation.trace = Trace(TRACE)
        self._follower = self._begin_own(simulation)
        self._common = None
        for command in self._wanted:
            self._change(command)

    def _begin_own(self, simulation: Simulation) -> Follower:
        if self._given is not None:
            return self._begin_other(simulation, self._given)
        return self._begin_copy(simulation) if self._common is None else self._begin_together(simulation, self._common)

    def _begin_together(self, simulation: Simulation, common: CommonBeginning) -> Follower:
        """As _begin_copy, at the moment that the first of several has taken."""
        with common.lock:
            if common.of is None:
                theirs, data, begun = self._taken()
                common.keep(theirs, data, begun)
        simulation.install(model_beside(common.data.model))
        simulation.data.copy_fields(common.data)
        self._drawn = weakref.ref(common.of)
        return follow_copy(simulation, common.begun)

    def _taken(self) -> tuple[Model, Data, Beginning]:
        """The primary's Model, its Data now, of a copy of that Model, and what else belongs to its present."""
        for _ in range(TRIES):
            theirs = self._theirs()
            data = Data(model_beside(theirs))
            begun = self._ask(lambda primary, theirs=theirs, data=data: begin_beside(primary, theirs, data))
            if begun is not None:
                return theirs, data, begun
        raise CompanionError(CHANGING)

    def _theirs(self) -> Model:
        """The primary's Model. Raises CompanionError where there is none that runs."""
        theirs = self._ask(lambda primary: primary.model)
        if theirs is None:
            raise CompanionError("no model is loaded")
        if theirs.view_only:
            raise CompanionError("this model can be viewed but not simulated")
        return theirs

    def _begin_copy(self, simulation: Simulation) -> Follower:
        """The same Model, and the primary's Data bit by bit: what is computed from the state before goes into the next step too (the mouse's force)."""
        for _ in range(TRIES):
            theirs = self._theirs()
            simulation.install(model_beside(theirs))
            data = simulation.data
            begun = self._ask(lambda primary, theirs=theirs, data=data: begin_beside(primary, theirs, data))
            if begun is not None:
                self._drawn = weakref.ref(theirs)
                return follow_copy(simulation, begun)
        raise CompanionError(CHANGING)

    def _begin_other(self, simulation: Simulation, model: Model) -> Follower:
        """Another Model, with the primary's state as far as it has the same elements."""
        begun = self._ask(lambda primary: Beginning.of(primary) if primary.model is not None else None)
        if begun is None:
            raise CompanionError("no model is loaded")
        if model.view_only:
            raise CompanionError("that model can be viewed but not simulated")
        return follow_with(simulation, begun, model_beside(model))

    def _change(self, command) -> None:
        said = self._follower.change(command)
        self.changes = self._follower.changes
        if said:
            self.refused = (*self.refused, said)

    def _trace(self, texts: tuple[str, ...]) -> None:
        self._follower.simulation.choose_traced(texts)

    def _turn(self) -> float:
        follower = self._follower
        simulation = follower.simulation
        try:
            busy = follower.turn()
        except LookupError:
            self.state = CompanionState(FAILED, "it is so far behind that the primary's inputs are not kept any more", float(simulation.data.time), follower.behind)
            return 0.0
        if not busy and simulation.stale and not simulation.running:
            simulation.refresh()
            simulation.changed = True
        simulation.events.clear()
        simulation.journal.drop(len(simulation.journal))
        return self._show(busy)

    def _show(self, busy: bool) -> float:
        simulation, at = self._follower.simulation, now()
        if at >= self._next and (simulation.changed or busy or self._told(busy) != self.state):
            self.state = self._told(busy)
            self._publish(simulation.model, simulation.data, simulation.generation, simulation.show)
            self._next = now() + (LATE if busy else PUBLISH)
        if busy:
            return 0.0
        self._next = min(self._next, at + PUBLISH)
        return max(1e-4, self._next - at) if simulation.changed else NAP

    def _told(self, busy: bool) -> CompanionState:
        follower, newest = self._follower, self._primary.published
        simulation = follower.simulation
        lag, status, text = follower.behind, RUNNING if simulation.running else PAUSED, ""
        if busy and not follower.stopped and newest is not None and newest.running:      # what it has not read yet
            lag = max(lag, newest.time - simulation.data.time)
        if follower.ended:
            status, text = ENDED, follower.ended
        elif follower.stopped:
            status, text = DIVERGED, follower.stopped
        elif not simulation.ready:
            status = PREPARING
        elif lag > BEHIND:
            status = LAGGING
        return CompanionState(status, text, float(simulation.data.time), lag, 1e6 * simulation.step_cost, simulation.pacing.measured() if simulation.running else 0.0)

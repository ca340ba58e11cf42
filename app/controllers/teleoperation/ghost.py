"""A demonstration as a ghost over each attempt: a companion that begins anew wherever an episode starts and the run is reset.

    chosen episode --process, thread--> its states --Companions--> ghost          reset, start --other times--> the same states, from there on
"""
from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PyQt6.QtCore import QObject, pyqtSignal

from app.context import AppContext
from app.controllers.companions import CompanionRow, CompanionsController
from app.controllers.teleoperation.background_job import BackgroundJob
from app.controllers.teleoperation.recorded import RecordedEpisodes

if TYPE_CHECKING:   # at the start every import counts
    from app.demonstrations.ghost import GhostStates

BEGINS = ("start", "reset", "keyframe", "load")     # kinds of marks of the history at which an attempt begins
TINT = (0.0, 0.75, 0.75)


class GhostController(QObject):
    """Signal: changed() it is another, or there is none."""

    changed = pyqtSignal()

    def __init__(self, context: AppContext, companions: CompanionsController, recorded: RecordedEpisodes):
        super().__init__(recorded)
        self._context, self._companions, self._recorded = context, companions, recorded
        self._row: CompanionRow | None = None
        self._states: GhostStates | None = None
        self._attempt: tuple[int, float] | None = None      # entry and time [s] at which it begins
        self._name = self._title = self._problem = ""      # of the companion; of the state
        self._job = BackgroundJob(self)
        self._job.ended.connect(self._take)
        context.snapshot_ready.connect(lambda _snapshot: self._follow())
        recorded.demonstrations.changed.connect(self._follow)
        companions.changed.connect(self._companions_changed)
        context.model_changed.connect(lambda _model: self.take_away() if context.newly_opened and self.on else None)      # it was of another document

    # ------------------------------------------------------------------ what there is

    @property
    def on(self) -> bool:
        """Whether there is a ghost, or will be."""
        return self._row is not None or self._job.busy

    @property
    def state(self) -> str:
        """Which it is, in words; why there is none."""
        if self._job.busy:
            return f"Reading {self._title} ..."
        return f"Ghost: {self._title}" if self._row is not None else self._problem

    @property
    def begun(self) -> float | None:
        """Simulated time at which its first state is shown [s], None where there is no ghost."""
        return self._attempt[1] if self._row is not None and self._attempt is not None else None

    # ------------------------------------------------------------------ what is asked

    def show(self, path: Path | None, number: int) -> None:
        """Show an episode of a recording, None: of this run, in place of any before."""
        episode = self._recorded.episode(path, number)
        if episode is None or self._context.model is None:
            return
        self._remove()
        self._problem = ""
        self._name = f"episode {number} of {path.stem if path is not None else 'this run'}"
        self._title = ", ".join((self._name, *filter(None, (episode.task,)), f"{episode.steps * self._recorded.timestep(path):.1f} s"))
        file = Path(tempfile.mkdtemp(prefix="linkwork-")) / "states"

        def make() -> dict[str, Any]:
            return {"job": "ghost", "recording": str(self._recorded.place(path)), "episode": number, "file": str(file)}

        self._job.begin(make, lambda _result: read_states(file), lambda: shutil.rmtree(file.parent, ignore_errors=True))
        self.changed.emit()

    def take_away(self) -> None:
        """No ghost any more."""
        self._job.drop()
        self._problem = ""
        self._remove()
        self.changed.emit()

    def close(self) -> None:
        """The window goes."""
        self._job.close()

    # ------------------------------------------------------------------ what arrives

    def _take(self, states: GhostStates | None, why: str) -> None:
        if states is None:
            self._problem = f"No ghost: {why}" if why else ""
        else:
            self._begin(states)
        self.changed.emit()

    def _begin(self, states: GhostStates) -> None:
        from app.demonstrations.ghost import ghost_track

        self._attempt = self._newest_attempt()
        row = self._companions.start_states(ghost_track(states.track, self._attempt[1]), states.model, self._name)
        if row is None:
            self._problem = "No ghost: see the log"
            return
        self._row, self._states = row, states
        self._companions.show(row, tint=TINT)

    def _newest_attempt(self) -> tuple[int, float]:
        """(entry, time) at which what is done now has begun: the newest jump to a start, or the start of an episode after it."""
        snapshot = self._context.snapshot
        found = (0, 0.0)
        if snapshot is not None:
            found = max(((snapshot.history_gone + mark.index, float(mark.time)) for mark in snapshot.history_marks if mark.kind in BEGINS),
                        default=(snapshot.history_gone, float(snapshot.history_time[0])))
        last = self._recorded.demonstrations.all[-1:]
        return max((found, *((one.first, float(one.time)) for one in last)))

    def _follow(self) -> None:
        """Another attempt: the ghost begins with it."""
        if self._row is None:
            return
        attempt = self._newest_attempt()
        if attempt != self._attempt:
            from app.demonstrations.ghost import ghost_track

            self._attempt, track = attempt, self._states.track
            self._row.companion.show_track(lambda: ghost_track(track, attempt[1]))

    def _companions_changed(self) -> None:
        if self._row is not None and self._row not in self._companions.rows:     # it was stopped elsewhere, or could not go on
            self._problem = f"No ghost: {self._row.state.text}" if self._row.state.text else ""
            self._row = self._states = None
            self.changed.emit()

    def _remove(self) -> None:
        row, self._row, self._states = self._row, None, None
        if row is not None:
            self._companions.stop(row)


def read_states(path: Path) -> GhostStates:
    """What a process of this program has written there. Raises OSError."""
    from app.demonstrations.ghost import GhostStates
    from app.film.pipe import receive

    with path.open("rb") as file:
        return GhostStates(*receive(file))

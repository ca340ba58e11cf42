"""A companion that is a recording: at each simulated time of the primary it shows the state that was recorded of that time. Only poses are computed."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from physics.engine.kinematics.kinematics import kinematics
from physics.errors import ModelError
from physics.model.data import Data
from physics.model.model import Model
from physics.model.state_fields import ARRAYS
from physics.recording.track import Track, TrackPiece
from physics.runtime.companions.companion import ENDED, NAP, PAUSED, RUNNING, Companion, CompanionError, CompanionState, now
from physics.runtime.companions.replayed_curves import ReplayedCurve, ReplayedCurves
from physics.runtime.companions.sources import Ask, Recorded
from physics.runtime.runner import Runner

PUBLISH = 1 / 120       # s between two Snapshots
NO_CURVES: Mapping[str, ReplayedCurve] = MappingProxyType({})


class RecordedCompanion(Companion):
    """States that were recorded. source: gives them, called in the companion's thread (sources.py)."""

    def __init__(self, primary: Runner, source: Callable[[Ask], Recorded]):
        super().__init__(primary)
        self._source = source
        self._recorded: Recorded | None = None
        self._curves: ReplayedCurves | None = None
        self._texts: tuple[str, ...] = ()
        self._datas: dict[int, Data] = {}       # by number of the Model
        self._alike = False         # whether what is shown has the shapes of the primary's Model then
        self._shown: tuple | None = None
        self._next = 0.0

    @property
    def numbered(self) -> bool:
        """Whether its entries lie where those of the primary's history with the same numbers lie."""
        return self._recorded is not None and self._recorded.numbered

    @property
    def drawn(self) -> Model | None:
        """As of Companion."""
        return self._recorded.drawn() if self._recorded is not None and self._alike else None

    @property
    def curves(self) -> Mapping[str, ReplayedCurve]:
        """Values of the expressions that are asked for by `trace`, as far as they are computed."""
        return self._curves.found if self._curves is not None else NO_CURVES

    def show_track(self, make: Callable[[], Track]) -> None:
        """Show other states of the same Models from now on, as the same ones at other times. make: called in the companion's thread."""
        self._mailbox.latest("track", lambda: self._take_track(make()))

    # ------------------------------------------------ its own thread

    def _begin(self) -> None:
        recorded = self._recorded = self._source(self._ask)
        if not len(recorded.track):
            raise CompanionError("there is nothing recorded in it")
        self._curves = ReplayedCurves(recorded.track, recorded.held, self._data)

    def _data(self, number: int) -> Data:
        if number not in self._datas:
            try:
                self._datas[number] = Data(self._recorded.model_of(number))
            except (LookupError, OSError, ModelError):
                raise CompanionError("the model of that recording is not kept any more") from None
        return self._datas[number]

    def _trace(self, texts: tuple[str, ...]) -> None:
        self._texts = texts
        self._curves.choose(texts)

    def _take_track(self, track: Track) -> None:
        self._recorded, self._shown = replace(self._recorded, track=track), None
        self._curves = ReplayedCurves(track, self._recorded.held, self._data)
        self._curves.choose(self._texts)

    def _turn(self) -> float:
        newest = self._primary.published
        if newest is None:
            return NAP
        if self._recorded.document is not None and newest.document != self._recorded.document:
            self.state = CompanionState(ENDED, "another model was opened", self.state.time)
            return 0.0
        at = now()
        found = self._recorded.track.nearest(newest.time)
        key = (id(found[0].rows), found[1], newest.running) if found is not None else None
        if key != self._shown and at >= self._next:
            self._shown, self._next = key, at + PUBLISH
            self._show(*found, newest.time, newest.running)
        if self._curves.step():
            return 0.0
        return max(1e-4, self._next - at) if key != self._shown else NAP

    def _show(self, piece: TrackPiece, row: int, time: float, running: bool) -> None:
        d = self._data(piece.model)
        m = d.model
        self._alike = piece.model == self._recorded.number
        put_row(d, piece, row)
        kinematics(m, d) if kinematics.addr else kinematics.plain(m, d)

        def fill(snapshot) -> None:
            snapshot.copy_from(d)
            snapshot.running, snapshot.status = running, RUNNING if running else PAUSED

        self._publish(m, d, 1 + piece.model, fill)
        self.state = CompanionState(RUNNING if running else PAUSED, "", float(d.time), max(0.0, time - float(d.time)) if row + 1 < len(piece.rows) else 0.0)


def put_row(d: Data, piece: TrackPiece, row: int) -> None:
    """Make a recorded state the present one of a Data of its Model."""
    d.time = float(piece.rows[row, 0])
    for name in piece.layout.parts:
        if name in ARRAYS:
            getattr(d, name).reshape(-1)[:] = piece.columns(name)[row]

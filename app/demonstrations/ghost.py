"""A demonstration as a ghost over a live attempt: its states at the times at which they would come if both had begun together."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.demonstrations.sources import CompileTexts, Demonstrations, opened
from app.demonstrations.states import Models, states_of
from physics.model.model import Model
from physics.recording.track import Track, TrackPiece
from physics.runtime.companions.companions import Companions
from physics.runtime.companions.recorded import RecordedCompanion


@dataclass(frozen=True, slots=True, eq=False)
class GhostStates:
    """An episode to be shown beside attempts: its states at the times at which they were recorded, and a Model that nobody else uses."""

    track: Track
    model: Model


def ghost_states(of: Demonstrations, number: int) -> GhostStates:
    """Those of episode `number`. Raises RecordingError; kernels must be compiled where the run went over it later."""
    episode = of.episode(number)
    return GhostStates(states_of(of, episode).track, Models(of).of(episode))


def ghost_track(track: Track, start: float) -> Track:
    """The same states, the first at simulated time `start` [s]."""
    pieces, begun = [], float(track.pieces[0].time[0])
    for piece in track.pieces:
        rows = np.array(piece.rows)
        rows[:, 0] += start - begun
        pieces.append(TrackPiece(piece.layout, rows, piece.number, piece.model))
    return Track(tuple(pieces))


def start_ghost(companions: Companions, path: Path, number: int, start: float, compile_texts: CompileTexts | None = None) -> RecordedCompanion:
    """Show episode `number` of a recording beside a run whose attempt begins at simulated time `start` [s]. Raises RecordingError, OSError, and ValueError where there are too many
    companions."""
    with opened(path, compile_texts) as of:
        states = ghost_states(of, number)
    return companions.start_track(ghost_track(states.track, start), lambda _number: states.model)

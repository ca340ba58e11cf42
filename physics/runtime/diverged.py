"""What is kept of a run when it diverges, for whoever wants to know why: copied in the physics thread before the history goes back to the last good entry."""
from __future__ import annotations

import numpy as np

from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import live_values
from physics.model.state_fields import State
from physics.recording.last_steps import MOST, MOST_BYTES, LastSteps, good_rows
from physics.recording.track import TrackPiece
from physics.runtime.history import held_inputs
from physics.runtime.history.history import TIMESTEP, History
from physics.simulate.warnings import Divergence


def last_steps_of(history: History, m: Model, d: Data, found: Divergence | None) -> LastSteps | None:
    """The newest entries since the state jumped last, up to the last good one, with the inputs of the refused step; None where no entry is of the present Model."""
    piece = next((piece for piece in reversed(history.track().pieces) if piece.layout.fits(m)), None)
    if piece is None:
        return None
    jumps = [mark.index + history.gone for mark in history.marks() if mark.kind != TIMESTEP]
    begin = max([number for number in jumps if number < piece.number + len(piece.rows)], default=piece.number)
    most = max(2, min(MOST, MOST_BYTES // (8 * piece.rows.shape[1])))
    rows, number = _since(history, piece, begin, most)
    good = np.flatnonzero(good_rows(rows, piece.layout.parts))
    rows = np.array(rows[:int(good[-1]) + 1 if len(good) else 1])
    held = tuple((note.number, {name: array.copy() for name, array in held_inputs.values(note, d).items()}) for note in history.line().held if note.number < number + len(rows))
    return LastSteps(m, rows, piece.layout.parts, number, State.of(d), found, held, live_values(m), history.branches.shown[0])


def _since(history: History, newest: TrackPiece, begin: int, most: int) -> tuple[np.ndarray, int]:
    """(rows, number of the first) of the newest entries of one layout from number `begin` on, at most so many."""
    parts, count = [], 0
    for piece in reversed(history.track().pieces):
        if piece.layout is not newest.layout or piece.model != newest.model or count >= most:
            break
        rows = piece.rows[max(0, begin - piece.number):][-(most - count):]
        if not len(rows):
            break
        parts.insert(0, rows)
        count += len(rows)
    last = newest.number + len(newest.rows)
    return np.concatenate(parts), last - count

"""Quantities of recorded states: read from the rows where they are in them, else computed from each state."""
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from physics.model.data import Data
from physics.model.model import Model
from physics.model.state_fields import RECORDED
from physics.quantities.leaves import TIME, FieldLeaf, Leaf, OneMoment
from physics.quantities.quantity import Quantity, compile_quantity
from physics.recording.recording import RecordedHeld
from physics.recording.track import HEAD, Track, TrackPiece
from physics.runtime.history import held_inputs
from physics.simulate import step


@dataclass(frozen=True, slots=True)
class ModelQuantities:
    """The same texts for one Model."""

    model: Model
    quantities: dict[str, Quantity]


def quantities_of(track: Track, load: Callable[[int], Model], texts: Sequence[str]) -> dict[int, ModelQuantities]:
    """Texts as quantities of each Model of a track, by its number. Raises ExpressionError for what is none for the newest of them; those that an older one has not are left out there."""
    from physics.quantities.syntax import ExpressionError

    found: dict[int, ModelQuantities] = {}
    for piece in reversed(track.pieces):
        if piece.model in found:
            continue
        model, quantities = load(piece.model), {}
        for text in texts:
            try:
                quantities[text] = compile_quantity(model, text)
            except ExpressionError:
                if not found:
                    raise
        found[piece.model] = ModelQuantities(model, quantities)
    return found


def only_recorded(quantities: dict[int, ModelQuantities]) -> bool:
    """Whether all that is read is in the rows."""
    return all(in_rows(leaf) for of in quantities.values() for quantity in of.quantities.values() for leaf in quantity.leaves)


def in_rows(leaf: Leaf) -> bool:
    """Whether a leaf can be read from rows and the Model alone."""
    return isinstance(leaf, FieldLeaf) and (leaf == TIME or not leaf.of_data or leaf.name in RECORDED)


def values_of_track(track: Track, held: Iterable[RecordedHeld], quantities: dict[int, ModelQuantities], every: int = 1) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """(numbers of the entries (n,), times (n,) [s], {text: values (n, *shape)}) of every n-th state. NaN stands where a Model has no such quantity, or fewer numbers of it.
    Forces of the mouse are not in states. Raises ViewOnlyError for a Model that cannot be computed."""
    notes, texts = sorted(held), list(dict.fromkeys(text for of in quantities.values() for text in of.quantities))
    memories: dict[str, dict] = {text: {} for text in texts}
    entries, times, parts = [], [], {text: [] for text in texts}
    for piece in track.pieces:
        of = quantities[piece.model]
        chosen = np.flatnonzero((piece.number + np.arange(len(piece.rows)) - track.first) % every == 0)
        if not len(chosen):
            continue
        entries.append(piece.number + chosen)
        times.append(piece.rows[chosen, 0])
        direct = {text: quantity for text, quantity in of.quantities.items() if all(map(in_rows, quantity.leaves))}
        for text, quantity in direct.items():
            parts[text].append(quantity.values(rows_source(of.model, piece, chosen), memories[text]))
        computed = {text: quantity for text, quantity in of.quantities.items() if text not in direct}
        if computed:
            for text, values in _computed(of.model, piece, chosen, notes, computed, memories).items():
                parts[text].append(values)
        for text in texts:
            if text not in of.quantities:
                parts[text].append(np.full((len(chosen), 1), np.nan))
    return np.concatenate(entries or [np.zeros(0, np.int64)]), np.concatenate(times or [np.zeros(0)]), {text: joined(arrays) for text, arrays in parts.items()}


def rows_source(m: Model, piece: TrackPiece, chosen: np.ndarray) -> Callable[[Leaf], np.ndarray]:
    """A source of values (physics/quantities/leaves.py) for rows of a piece."""
    def source(leaf: Leaf) -> np.ndarray:
        if leaf == TIME:
            return piece.rows[chosen, 0]
        if not leaf.of_data:
            return np.repeat(OneMoment(m, None)(leaf), len(chosen), axis=0)
        columns = piece.columns(leaf.name)[chosen]
        return columns.reshape(len(chosen), *leaf.shape) if leaf.places is None else columns[:, list(leaf.places)].reshape(len(chosen), *leaf.shape)
    return source


def _computed(m: Model, piece: TrackPiece, chosen: np.ndarray, notes: list, quantities: dict[str, Quantity], memories: dict[str, dict]) -> dict[str, np.ndarray]:
    from physics.engine.constraint.contact_force import contact_forces

    d = Data(m)
    source = OneMoment(m, d, lambda: contact_forces.at_once(m, d))
    found: dict[str, list[np.ndarray]] = {text: [] for text in quantities}
    for k in chosen.tolist():
        put(d, piece, k, notes)
        step.forward(m, d)
        for text, quantity in quantities.items():
            found[text].append(quantity.values(source, memories[text]))
    return {text: joined(arrays) for text, arrays in found.items()}


def put(d: Data, piece: TrackPiece, k: int, notes: Sequence[RecordedHeld] = ()) -> None:
    """Make row k of a piece the state of a Data of its Model, with the inputs that were held then (notes by number)."""
    row = piece.rows[k]
    d.time, d.noise_step = float(row[0]), int(row[1])
    d.wake()
    at = HEAD
    for name, count in piece.layout.parts.items():
        getattr(d, name).reshape(-1)[:] = row[at:at + count]
        at += count
    d.let_sleep()
    place = bisect_right(notes, piece.number + k, key=lambda note: note.number)
    if place:
        note = notes[place - 1]
        for name, numbers in held_inputs.values(note, d).items():
            getattr(d, name)[...] = numbers
        for name, value in zip(held_inputs.SCALARS, note.scalars, strict=True):
            setattr(d, name, value)


def joined(arrays: list[np.ndarray]) -> np.ndarray:
    """One behind the other; where their shapes differ NaN fills up the smaller ones."""
    if not arrays:
        return np.zeros(0)
    shapes = {array.shape[1:] for array in arrays}
    if len(shapes) > 1:
        ndim = max(map(len, shapes))
        wide = [array.reshape(len(array), *(1,) * (ndim - array.ndim + 1), *array.shape[1:]) for array in arrays]
        most = np.max([array.shape[1:] for array in wide], axis=0)
        arrays = [np.pad(array, [(0, 0), *((0, int(m - n)) for m, n in zip(most, array.shape[1:]))], constant_values=np.nan) for array in wide]
    return np.concatenate(arrays)

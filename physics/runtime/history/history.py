"""The past of a run: an entry per step, borders where the state jumped, and a way back into it.

    start         reset       edit of the text       index          newest
      |------------|--------------|------------------o- - later - - -|      running on from `index` makes the later entries a branch (branches.py)

Entries lie in pieces of memory, one after the other; the record kernel (engine/record.py) fills the last piece inside the compiled loop, and when all
together would pass the budget the oldest piece goes. A piece knows to which Model its entries belong: those of an earlier one are carried into the
present one when they are shown. Time runs on evenly between marks and may jump at them; each entry knows its own. An entry is the whole integration state, with the
inputs that were held then (held_inputs.py).
"""
from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from physics.engine import record
from physics.enums import MAXVAL
from physics.model.state_fields import ARRAYS, RECORDED, State
from physics.recording.track import Track, TrackPiece
from physics.runtime.carry_over import carry_over
from physics.runtime.history import held_inputs
from physics.runtime.history.branches import LINE, Branches, BranchInfo, Tail
from physics.runtime.history.state_layout import StateLayout
from physics.runtime.history.written import Written

BYTES = 128 << 20
PIECES = 32   # of the budget: it is given back piece by piece
MOST_MARKS = 1000
START, RESET, KEYFRAME, EDIT, LOAD = "start", "reset", "keyframe", "edit", "load"
RUN_ON = "run"      # what a branch begins with: the run went on from an earlier entry
COMPARED = 5000     # entries of a branch that are compared with the line's
BRANCH_SHARE = 0.5      # of the budget that branches may keep where the line needs it
TIMESTEP = "timestep"   # no jump: only the distance between times is another one from there


@dataclass(frozen=True, slots=True)
class Mark:
    """A border in the history: the entry `index`, its simulated time, what happened ('start', 'reset', 'keyframe', 'edit' of the text, 'load' of a state or reload), in words; before: time of the entry before it.

    Of the kind 'timestep' it is no border: the time step is another one from that entry on.
    """

    index: int
    time: float
    kind: str
    text: str
    before: float


class _Taker:
    """Of one who copies entries: the newest that was there at the last call, and those up to there that were changed since."""

    __slots__ = ("changed", "last")

    def __init__(self):
        self.changed: set[int] = set()
        self.last = -1


class _Piece:
    """Room for `rows` entries of one layout; `count` are there."""

    __slots__ = ("count", "layout", "model", "numbers", "rows", "stride")

    def __init__(self, layout: StateLayout, nbytes: int, model: int = -1):
        self.layout, self.model, self.count = layout, model, 0     # model: whose entries these are, as History.go_on was told
        self.stride = record.HEAD + sum(layout.parts.values())
        self.rows = max(2, nbytes // (8 * self.stride)) if nbytes else 0
        self.numbers = np.empty(self.rows * self.stride)   # touched, and so paid for, only as it fills

    @classmethod
    def of(cls, taken: TrackPiece) -> _Piece:
        """A full one of rows that are there."""
        piece = cls(taken.layout, 0, taken.model)
        piece.count = piece.rows = len(taken.rows)
        piece.numbers = np.ascontiguousarray(taken.rows).reshape(-1)
        return piece

    def taken(self, start: int, number: int) -> TrackPiece:
        """Its rows from `start` on, of which the first belongs to entry `number`."""
        return TrackPiece(self.layout, self.numbers[start * self.stride:self.count * self.stride].reshape(-1, self.stride), number, self.model)

    def trim(self) -> None:
        """Give back the room that is not used, where it is most of it."""
        if 0 < 2 * self.count < self.rows:
            self.rows = self.count
            self.numbers = self.numbers[:self.rows * self.stride].copy()

    def row(self, k: int) -> np.ndarray:
        return self.numbers[k * self.stride:(k + 1) * self.stride]


class History:
    """Entries of one document, whatever Models its texts became; index 0 is the oldest, `index` the present one."""

    def __init__(self, nbytes: int = BYTES):
        self._budget = self._usual = nbytes
        self._model = self._data = None
        self._writes: Written | None = None
        self._pieces: list[_Piece] = []
        self._gone = 0   # entries that the budget has taken: an entry's number is its index and these
        self._marks: list[tuple[int, float, str, str, float]] = []   # number of the entry and what a Mark has
        self.branches = Branches()
        self._held = held_inputs.HeldInputs()
        self._before: tuple[TrackPiece, tuple] | None = None    # the present entry as it was before it was changed by hand, with its marks
        self._model_number = -1
        self._again: int | None = None      # the branch that was cut off last, which the line may come to equal
        self._timestep = 0.0   # with which the newest entries were taken
        self._published: tuple[tuple, tuple[Mark, ...]] = ((), ())
        self.index = 0
        self.edited = False   # whether the present state was changed by hand, with later entries still there
        self._takers: WeakKeyDictionary[Hashable, _Taker] = WeakKeyDictionary()    # who copies entries (`take_changed`)

    # ------------------------------------------------ what happens

    def begin(self, m, d, text: str = "start", model: int = -1) -> None:
        """Forget everything: the state of d is the first entry of another document. model: number of the Model, for who reads tracks."""
        self._pieces, self._marks, self._gone, self._budget = [], [], 0, self._usual
        self._takers = WeakKeyDictionary()
        self.branches, self._held, self._before, self._again = Branches(), held_inputs.HeldInputs(), None, None
        self._model, self._data, self._model_number = m, d, model
        self._add_piece(StateLayout(m))
        self._append(START, text)

    def go_on(self, m, d, kind: str, text: str, model: int = -1) -> None:
        """The same document has another Model and Data now; their state is the next entry."""
        self._settle()
        last = self._pieces[-1]
        self._model, self._data, self._model_number = m, d, model
        known = {id(piece.layout): piece.layout for piece in reversed(self._pieces)}
        layout = next((layout for layout in known.values() if layout.fits(m)), None) or StateLayout(m)
        if layout is last.layout and last.model == model:
            self._bind(last)
        else:
            self._add_piece(layout)
        self.border(kind, text)

    def border(self, kind: str, text: str) -> None:
        """The state has jumped: it is the next entry, with a mark. Of the same jump again without a step between, only the last one counts."""
        self._settle()
        last = len(self) - 1
        if self._marks and self.index == last >= 1:
            number, _, same, said, _ = self._marks[-1]
            if number == self._gone + last and same == kind and (said == text or kind == EDIT):
                self._marks.pop()
                self._drop_after(last - 1)
        self._append(kind, text)

    def _append(self, kind: str, text: str) -> None:
        self.make_room()
        self._mark(kind, text)
        self._record()
        self.follow()
        self.note_held()

    def jumps(self, kind: str, text: str, newest: bool = False) -> None:
        """The state has jumped without an entry of its own: the next one that the kernel appends is a border, or the newest."""
        n, now = len(self) - newest, float(self._data.time)
        if n > 0 and not (self._marks and self._marks[-1][0] == self._gone + n):
            self._marks = [*self._marks[-MOST_MARKS:], (self._gone + n, now if newest else now + self._model.opt_timestep, kind, text, self.time(n - 1))]

    def _mark(self, kind: str, text: str) -> None:
        """The next entry is a border."""
        n, now = len(self), float(self._data.time)
        self._marks = [mark for mark in self._marks[-MOST_MARKS:] if mark[0] < self._gone + n]
        self._marks.append((self._gone + n, now, kind, text, self.time(n - 1) if n else now))

    def _mark_change(self) -> None:
        """The next entry is a border where the one before it belongs to an earlier Model."""
        n, marked = len(self), bool(self._marks) and self._marks[-1][0] == self._gone + len(self)
        if n and not marked and self._layout_of(n - 1) is not self._pieces[-1].layout:
            self._mark(EDIT, "the text of now")

    def _mark_timestep(self) -> None:
        """The newest entry has a mark where the next one will not be as far from it as it is from the one before."""
        n, self._timestep = len(self), self._model.opt_timestep
        if n < 2 or self._marks and self._marks[-1][0] == self._gone + n - 1:
            return
        now, before = self.time(n - 1), self.time(n - 2)
        if abs(now - before - self._timestep) > 1e-6 * self._timestep + 1e-15 * abs(now):   # more than times are rounded
            self._marks = [*self._marks[-MOST_MARKS:], (self._gone + n - 1, now, TIMESTEP, "", before)]

    def _record(self) -> None:
        record.record_state.at_once(self._model, self._data)   # the first state is kept before kernels are compiled

    def make_room(self) -> int:
        """How many entries fit before the next call is needed, at least one."""
        piece = self._pieces[-1]
        if self._data.record_end >= piece.rows:
            self._settle()
            self._add_piece(piece.layout)
        return self._pieces[-1].rows - self._data.record_end

    def follow(self) -> None:
        """The kernel has appended entries: the newest is the present one."""
        self.index, self.edited, self._before = len(self) - 1, False, None

    def note_held(self) -> None:
        """Inputs that are held are those of Data from the present entry on, the newest."""
        self._held.note(self._data, self.number)

    def writes(self) -> Written:
        """For the steps that are about to be taken, for which there is room: tells what is written of Data between them."""
        piece, d = self._pieces[-1], self._data
        before = None
        if len(self._pieces) > 1 and self._pieces[-2].layout is piece.layout:
            before = self._pieces[-2].row(self._pieces[-2].count - 1)
        if self._writes is None or self._writes.data is not d or self._writes.parts is not piece.layout.parts:
            self._writes = Written(d, piece.layout.parts)
        self._writes.begin(piece.numbers, piece.stride, d.record_end, before, self._held.at(self.number))
        return self._writes

    def record_again(self, number: int) -> None:
        """In the middle of steps: the newest entry, of this number, is what Data has now."""
        self._note_changed(number)
        self._data.record_end -= 1
        self._record()
        self.note_held_at(number)

    def note_held_at(self, number: int) -> None:
        """In the middle of steps: the inputs that are held are those of Data from entry `number` on, the newest."""
        self._held.note(self._data, number)

    def cut(self, keep: bool = True) -> int:
        """The simulation goes on from the present state: the entries after the present one become a branch, or go where they are not to be kept. How many there were."""
        at_end, later = self.at_end(), len(self) - 1 - self.index
        if not at_end:
            self._settle()
            if keep:
                self._cut_off()
            if self.edited:
                self._replace()
            else:
                self._drop_after(self.index)
        if not at_end or self._timestep != self._model.opt_timestep:
            self._mark_timestep()
        if not at_end:
            self._mark_change()
        self.note_held()
        return later

    def _cut_off(self) -> None:
        """What comes after the present entry, and where that was changed by hand the entry as it was, is a branch from now on."""
        fork = self.number - (1 if self._before is not None else 0)
        tail = self._tail(self.number)
        if self._before is not None:
            piece, marks = self._before
            tail = replace(tail, pieces=(piece, *tail.pieces), marks=(*marks, *tail.marks))
        said = f"changed at {self._data.time:.6g} s" if self.edited else f"run on from {self._data.time:.6g} s"
        border = next((mark[2:4] for mark in tail.marks[:1] if mark[0] == fork + 1 and mark[2] != TIMESTEP and not self.edited), None)
        self._again = self.branches.cut_off(fork, tail, RUN_ON, said, border)

    def _tail(self, number: int) -> Tail:
        """Everything after entry `number` of the line."""
        pieces, at, after = [], self._gone, number + 1
        for piece in self._pieces:
            if piece.count and at + piece.count > after:
                start = max(0, after - at)
                pieces.append(piece.taken(start, at + start))
            at += piece.count
        held = self._held.at(after)
        notes = [note for note in self._held.notes if note.number > after]
        return Tail(tuple(pieces), tuple(mark for mark in self._marks if mark[0] > number), tuple([*([held._replace(number=after)] if held else []), *notes]))

    def same_again(self) -> int | None:
        """Where the line has become what a branch was that it parted from last: that branch, None where it is not so or not so far. Asked between two calls of the kernel."""
        again = self._again if self._again in self.branches else None
        if again is None:
            return None
        last = self.branches.tail(again).pieces[-1]
        if self._gone + len(self) < last.number + len(last.rows):
            return None
        self._again = None
        return again if self.branches.info(again).count <= COMPARED and self.branches.same_as(again, self._rows) else None

    def _rows(self, number: int, count: int) -> np.ndarray | None:
        """Entries of the line from `number` on; None where there are not so many, or of several layouts."""
        parts = []
        for piece in self.track().pieces:
            start, end = max(0, number - piece.number), min(len(piece.rows), number + count - piece.number)
            if start < end:
                parts.append(piece.rows[start:end])
        if not parts or sum(map(len, parts)) < count or len({part.shape[1] for part in parts}) > 1:
            return None
        return np.concatenate(parts)

    def switch(self, branch: int) -> None:
        """Show a branch: its newest entry is the present one, and what was shown is a branch. Raises KeyError where there is no such branch."""
        for one in self.branches.way(branch):
            self._settle()
            info, pieces = self.branches.info(one), self.branches.tail(one).pieces
            shared = self._gone <= info.fork == pieces[0].number - 1    # else the beginning of one of both is gone
            fork = info.fork if shared else -1
            line_tail = self._tail(max(fork, self._gone - 1))
            if line_tail.count:
                self._drop_after(fork - self._gone if shared else -1)
            self._append_tail(self.branches.exchange(one, line_tail, fork))
        self._again = None
        self.load(-1)

    def _append_tail(self, tail: Tail) -> None:
        """Entries of a branch go on where the line ends."""
        if not len(self):
            self._gone = tail.pieces[0].number
        layout = self._pieces[-1].layout
        self._pieces = [*(piece for piece in self._pieces if piece.count), *map(_Piece.of, tail.pieces)]
        self._marks, self._held.notes = [*self._marks, *tail.marks], [*self._held.notes, *tail.held]
        self._add_piece(layout)

    def rewrite(self) -> None:
        """The present state was changed by hand: it replaces the present entry. Later ones stay until the simulation goes on; so does an entry of an earlier Model."""
        self._settle()
        self._note_changed(self.number)
        (piece, k), live, d = self._at(self.index), self._pieces[-1], self._data
        if self.at_end():
            if piece is live:
                d.record_end = k
                self._record()
                self.follow()
            else:
                self._replace()
            self.note_held()
            return
        if not self.edited:
            row = piece.row(k).copy().reshape(1, -1)
            self._before = TrackPiece(piece.layout, row, self.number, piece.model), tuple(mark for mark in self._marks if mark[0] == self.number)
        self.edited = True
        self._held.note_between(d, self.number)
        if piece.layout is live.layout:
            d.bind("record", piece.numbers)
            d.record_cap, d.record_end = piece.rows, k
            self._record()
            self._bind(live)

    def _replace(self) -> None:
        """The present state in place of the present entry, as the newest; that was of an earlier Model or had later ones."""
        marks = [mark for mark in self._marks if mark[0] == self._gone + self.index]
        self._drop_after(self.index - 1)
        self._marks += marks
        self.make_room()
        self._mark_change()
        self._record()
        self.follow()

    # ------------------------------------------------ pieces

    def _add_piece(self, layout: StateLayout) -> None:
        self._pieces = [piece for piece in self._pieces if piece.count]
        piece = _Piece(layout, self._budget // PIECES, self._model_number)
        room = self._budget - piece.numbers.nbytes
        line = sum(8 * other.stride * other.count for other in self._pieces)
        if line + self.branches.nbytes > room:
            self.branches.shrink(min(line + self.branches.nbytes - room, max(0, self.branches.nbytes - BRANCH_SHARE * room)))
        room -= self.branches.nbytes
        while len(self._pieces) > 0 and sum(8 * other.stride * other.count for other in self._pieces) > room:
            oldest = self._pieces.pop(0)
            self._gone += oldest.count
            self.index = max(0, self.index - oldest.count)
        self._marks = [mark for mark in self._marks if mark[0] >= self._gone]
        self._held.forget_before(self._gone)
        self._pieces.append(piece)
        self._bind(piece)
        if len(self._pieces) > 1:
            self._pieces[-2].trim()

    def _bind(self, piece: _Piece) -> None:
        """Have the kernel fill this piece."""
        d = self._data
        d.bind("record", piece.numbers)
        d.record_stride, d.record_cap, d.record_end = piece.stride, piece.rows, piece.count

    def _settle(self) -> None:
        """Note how far the kernel has come."""
        self._pieces[-1].count = self._data.record_end

    def _drop_after(self, index: int) -> None:
        """Keep entries 0 to index; the last piece is one of the present Model again."""
        layout, keep = self._pieces[-1].layout, index + 1
        for k, piece in enumerate(self._pieces):
            if keep <= piece.count:
                piece.count = keep
                del self._pieces[k + 1:]
                break
            keep -= piece.count
        self._marks = [mark for mark in self._marks if mark[0] <= self._gone + index]
        self._held.cut(self._gone + index)
        self._add_piece(layout)     # another one than before: a branch, or who reads a track, may still look at the rows that went

    def _at(self, index: int) -> tuple[_Piece, int]:
        for piece in self._pieces:
            n = piece.count if piece is not self._pieces[-1] else self._data.record_end
            if index < n:
                return piece, index
            index -= n
        raise IndexError("no such entry")

    def _layout_of(self, index: int) -> StateLayout:
        return self._at(index)[0].layout

    # ------------------------------------------------ reading

    @property
    def gone(self) -> int:
        """How many entries the budget has taken: an entry's number, which stays, is its index and these."""
        return self._gone

    @property
    def number(self) -> int:
        """Number of the present entry."""
        return self._gone + self.index

    def row(self) -> np.ndarray:
        """The present entry, as it lies in memory."""
        piece, k = self._at(self.index)
        return piece.row(k)

    def __len__(self) -> int:
        return sum(piece.count for piece in self._pieces[:-1]) + self._data.record_end if self._pieces else 0

    def nbytes(self) -> int:
        """Memory that entries have been written to."""
        return sum(8 * piece.stride * piece.count for piece in self._pieces[:-1]) + 8 * self._pieces[-1].stride * self._data.record_end

    def time(self, index: int) -> float:
        """Simulated time of an entry."""
        piece, k = self._at(index)
        return float(piece.row(k)[0])

    def at_end(self) -> bool:
        """Whether the present state is the newest entry."""
        return self.index >= len(self) - 1

    def marks(self) -> tuple[Mark, ...]:
        """The borders, oldest first; the same object as long as they are the same."""
        state = (self._gone, len(self._marks), self._marks[-1], self._marks[-1][0] - self._gone < len(self)) if self._marks else ()
        if state != self._published[0]:
            n = len(self)
            self._published = state, tuple(Mark(number - self._gone, *rest) for number, *rest in self._marks if number - self._gone < n)
        return self._published[1]

    @property
    def again(self) -> int | None:
        """The branch that was cut off last, as long as the line may come to equal it."""
        return self._again

    def _note_changed(self, number: int) -> None:
        for taker in self._takers.values():
            if number <= taker.last:
                taker.changed.add(number)

    def take_changed(self, by: Hashable) -> frozenset[int]:
        """Numbers of entries that were there at the last call of `by` and were set by hand since: who copies entries once copies these again."""
        taker = self._takers.setdefault(by, _Taker())
        changed, taker.changed = frozenset(taker.changed), set()
        ends = [tail.pieces[-1].number + len(tail.pieces[-1].rows) for tail in map(self.branches.tail, self.branches) if tail.pieces]
        taker.last = max([self._gone + len(self), *ends]) - 1
        return changed

    def line(self) -> Tail:
        """The line with its marks and held inputs, as a branch is kept; rows as in `track`."""
        self._settle()
        return self._tail(self._gone - 1)

    def take_in(self, line: Tail, branches: Branches, again: int | None) -> None:
        """The entries of a recording in place of those that are there, however many they are; one of them is to be loaded then."""
        layout = next((piece.layout for piece in reversed(line.pieces) if piece.layout.fits(self._model)), self._pieces[-1].layout)
        self._budget = max(self._usual, 2 * (line.nbytes + branches.nbytes))
        self._pieces, self._gone = [_Piece.of(piece) for piece in line.pieces], line.pieces[0].number
        self._marks, self._held.notes = list(line.marks), list(line.held)
        self.branches, self._again, self._before = branches, again, None
        self._add_piece(layout)

    def track(self, branch: int | None = None) -> Track:
        """The entries of the line, or those of a branch's own. They stay as they are, except that a value set by hand may replace the present one. Raises KeyError."""
        if branch is not None and branch != self.branches.shown[0]:
            return Track(self.branches.tail(branch).pieces)
        pieces, at = [], self._gone
        for piece in self._pieces:
            count = piece.count if piece is not self._pieces[-1] else self._data.record_end
            if count:
                pieces.append(TrackPiece(piece.layout, piece.numbers[:count * piece.stride].reshape(count, piece.stride), at, piece.model))
            at += count
        return Track(tuple(pieces))

    def told_branches(self) -> tuple[BranchInfo, ...]:
        """All branches, the line's own end among them; only that where there are no others."""
        number, fork, kind, text = self.branches.shown
        n = len(self)
        return self.branches.told(BranchInfo(number, LINE, fork, min(n, n + self._gone - 1 - fork), self.time(max(0, fork + 1 - self._gone)), self.time(n - 1), kind, text, True))

    def load(self, index: int) -> None:
        """Put an entry into Data (positions of bodies follow with the next forward). Negative counts from the newest.

        Raises IndexError where there is no such entry.
        """
        n = len(self)
        if not -n <= index < n:
            raise IndexError(f"history has {n} entries, none at {index}")
        self.index, self.edited, self._before = index % n, False, None
        piece, k = self._at(self.index)
        d, row = self._data, piece.row(k)
        d.time, d.noise_step = float(row[0]), int(row[1])
        d.wake()
        if piece.layout is self._pieces[-1].layout:
            for name, numbers in _parts(piece.layout, row):
                getattr(d, name).reshape(-1)[:] = numbers
            d.let_sleep()
            self._hold_again(self._held.at(self.number))
        else:
            self._carry(piece.layout, row)
        d.rest_mocap()

    def _hold_again(self, held: held_inputs.Held | None) -> None:
        """Data has the inputs that were held then."""
        if held is not None:
            for name, numbers in held_inputs.values(held, self._data).items():
                getattr(self._data, name)[...] = numbers
            for name, value in zip(held_inputs.SCALARS, held.scalars, strict=True):
                setattr(self._data, name, value)

    def _carry(self, layout: StateLayout, row: np.ndarray) -> None:
        """An entry of an earlier Model: its elements' states are those of the present elements of the same names."""
        d = self._data
        state, _ = carry_over(layout, state_of(layout, row), self._model)
        for name in RECORDED:
            if name in ARRAYS:
                getattr(d, name)[...] = getattr(state, name)
        d.ctrl_noise[:] = 0

    def good(self, index: int) -> bool:
        """Whether all coordinates of an entry are finite and not absurdly large."""
        piece, k = self._at(index)
        state = piece.row(k)[record.HEAD:record.HEAD + piece.layout.nq + piece.layout.nv]
        return bool(np.all(np.abs(state) < MAXVAL))

    def load_last_good(self) -> None:
        """Go back to the newest entry with sound coordinates, dropping the others; the oldest one if there is none."""
        index = len(self) - 1
        while index > 0 and not self.good(index):
            index -= 1
        self.load(index)
        self.cut(keep=False)


def _parts(layout: StateLayout, row: np.ndarray):
    """(field, its numbers) of an entry."""
    k = record.HEAD
    for name, n in layout.parts.items():
        yield name, row[k:k + n]
        k += n


def state_of(layout: StateLayout, row: np.ndarray) -> State:
    """An entry as a State of its Model; what entries do not hold is as at the start."""
    held = dict(_parts(layout, row))
    rest = dict(qfrc_applied=np.zeros(layout.nv), xfrc_applied=np.zeros((layout.nbody, 6)), eq_active=layout.eq_active0, userdata=np.zeros(layout.nuserdata))
    shapes = {"mocap_pos": (layout.nmocap, 3), "mocap_quat": (layout.nmocap, 4)}
    return State(float(row[0]), **{name: held[name].reshape(shapes.get(name, -1)) if name in held else rest[name] for name in ARRAYS})

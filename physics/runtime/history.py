"""The past of a run: an entry per step, borders where the state jumped, and a way back into it.

    start         reset       edit of the text       index          newest
      |------------|--------------|------------------o- - later - - -|      running on from `index` drops the later entries

Entries lie in pieces of memory, one after the other; the record kernel (engine/record.py) fills the last piece inside the compiled loop, and when all
together would pass the budget the oldest piece goes. A piece knows to which Model its entries belong: those of an earlier one are carried into the
present one when they are shown. Time runs on evenly between marks and may jump at them; each entry knows its own.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from physics.engine import record
from physics.enums import MAXVAL
from physics.model.state_fields import ARRAYS, RECORDED, State
from physics.runtime.applied_inputs import AppliedInputs
from physics.runtime.carry_over import carry_over
from physics.runtime.state_layout import StateLayout

BYTES = 128 << 20
PIECES = 32   # of the budget: it is given back piece by piece
MOST_MARKS = 1000
START, RESET, KEYFRAME, EDIT, LOAD = "start", "reset", "keyframe", "edit", "load"
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


class _Piece:
    """Room for `rows` entries of one layout; `count` are there."""

    __slots__ = ("count", "layout", "numbers", "rows", "stride")

    def __init__(self, layout: StateLayout, nbytes: int):
        self.layout, self.count = layout, 0
        self.stride = record.HEAD + sum(layout.parts.values())
        self.rows = max(2, nbytes // (8 * self.stride))
        self.numbers = np.empty(self.rows * self.stride)   # touched, and so paid for, only as it fills

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
        self._budget = nbytes
        self._model = self._data = None
        self._pieces: list[_Piece] = []
        self.inputs = AppliedInputs()   # what no entry holds, by number
        self._gone = 0   # entries that the budget has taken: an entry's number is its index and these
        self._marks: list[tuple[int, float, str, str, float]] = []   # number of the entry and what a Mark has
        self._timestep = 0.0   # with which the newest entries were taken
        self._published: tuple[tuple, tuple[Mark, ...]] = ((), ())
        self.index = 0
        self.edited = False   # whether the present state was changed by hand, with later entries still there

    # ------------------------------------------------ what happens

    def begin(self, m, d, text: str = "start") -> None:
        """Forget everything: the state of d is the first entry of another document."""
        self._pieces, self._marks, self._gone = [], [], 0
        self._model, self._data = m, d
        self._add_piece(StateLayout(m))
        self.inputs.follow(d, 0)
        self._append(START, text)

    def go_on(self, m, d, kind: str, text: str) -> None:
        """The same document has another Model and Data now; their state is the next entry."""
        self._settle()
        last = self._pieces[-1]
        self._model, self._data = m, d
        known = {id(piece.layout): piece.layout for piece in reversed(self._pieces)}
        layout = next((layout for layout in known.values() if layout.fits(m)), None) or StateLayout(m)
        if layout is last.layout:
            self._bind(last)
        else:
            self._add_piece(layout)
        self.inputs.follow(d, self._gone + len(self))
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
        self.inputs.note(self.number)

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
        self.index, self.edited = len(self) - 1, False

    def cut(self) -> int:
        """The simulation goes on from the present state: drop the entries after the present one. How many there were."""
        at_end, later = self.at_end(), len(self) - 1 - self.index
        if not at_end:
            self._settle()
            if self.edited:
                self._replace()
            else:
                self._drop_after(self.index)
        if not at_end or self._timestep != self._model.opt_timestep:
            self._mark_timestep()
        if not at_end:
            self._mark_change()
        return later

    def rewrite(self) -> None:
        """The present state was changed by hand: it replaces the present entry. Later ones stay until the simulation goes on; so does an entry of an earlier Model."""
        self._settle()
        if self.at_end():
            self._replace()
            return
        self.edited = True
        (piece, k), live, d = self._at(self.index), self._pieces[-1], self._data
        if piece.layout is live.layout:
            d.bind("record", piece.numbers)
            d.record_cap, d.record_end = piece.rows, k
            self._record()
            self._bind(live)
            self.inputs.amend(self.number)

    def _replace(self) -> None:
        """The present state in place of the present entry, as the newest."""
        marks = [mark for mark in self._marks if mark[0] == self._gone + self.index]
        self._drop_after(self.index - 1)
        self._marks += marks
        self.make_room()
        self._mark_change()
        self._record()
        self.follow()
        self.inputs.note(self.number)

    # ------------------------------------------------ pieces

    def _add_piece(self, layout: StateLayout) -> None:
        self._pieces = [piece for piece in self._pieces if piece.count]
        piece = _Piece(layout, self._budget // PIECES)
        room = self._budget - piece.numbers.nbytes
        while len(self._pieces) > 0 and sum(8 * other.stride * other.count for other in self._pieces) > room:
            oldest = self._pieces.pop(0)
            self._gone += oldest.count
            self.index = max(0, self.index - oldest.count)
        self._marks = [mark for mark in self._marks if mark[0] >= self._gone]
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
        live, keep = self._pieces[-1], index + 1
        self.inputs.cut(self._gone + keep)
        for k, piece in enumerate(self._pieces):
            if keep <= piece.count:
                piece.count = keep
                del self._pieces[k + 1:]
                break
            keep -= piece.count
        self._marks = [mark for mark in self._marks if mark[0] <= self._gone + index]
        last = self._pieces[-1]
        if last.layout is live.layout:
            self._bind(last)
        elif last is not live:
            live.count = 0
            self._pieces.append(live)
            self._bind(live)

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

    def load(self, index: int) -> None:
        """Put an entry into Data (positions of bodies follow with the next forward). Negative counts from the newest.

        Raises IndexError where there is no such entry.
        """
        n = len(self)
        if not -n <= index < n:
            raise IndexError(f"history has {n} entries, none at {index}")
        self.index, self.edited = index % n, False
        piece, k = self._at(self.index)
        d, row = self._data, piece.row(k)
        d.time, d.noise_step = float(row[0]), int(row[1])
        d.wake()
        if piece.layout is self._pieces[-1].layout:
            for name, numbers in _parts(piece.layout, row):
                getattr(d, name).reshape(-1)[:] = numbers
            self.inputs.put(self.number)
            d.let_sleep()
        else:
            self._carry(piece.layout, row)

    def _carry(self, layout: StateLayout, row: np.ndarray) -> None:
        """An entry of an earlier Model: its elements' states are those of the present elements of the same names."""
        d = self._data
        state, _ = carry_over(layout, _state(layout, row), self._model)
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
        self.cut()


def _parts(layout: StateLayout, row: np.ndarray):
    """(field, its numbers) of an entry."""
    k = record.HEAD
    for name, n in layout.parts.items():
        yield name, row[k:k + n]
        k += n


def _state(layout: StateLayout, row: np.ndarray) -> State:
    """An entry as a State of its Model; what entries do not hold is as at the start."""
    held = dict(_parts(layout, row))
    rest = dict(qfrc_applied=np.zeros(layout.nv), xfrc_applied=np.zeros((layout.nbody, 6)), eq_active=layout.eq_active0, userdata=np.zeros(layout.nuserdata))
    shapes = {"mocap_pos": (layout.nmocap, 3), "mocap_quat": (layout.nmocap, 4)}
    return State(float(row[0]), **{name: held[name].reshape(shapes.get(name, -1)) if name in held else rest[name] for name in ARRAYS})

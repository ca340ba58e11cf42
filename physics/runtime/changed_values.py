"""Values that were set in the window and differ from what the model's file says: remembered, shown, put back, and written again into the Model of another text.

    text says 1, window sets 5, text still says 1   -> 5 goes on
                                text says 2 now     -> 2: the newest edit wins, and is told; the other numbers of a vector or a keyframe go on
                                text says 5 now     -> 5, nothing differs any more
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from physics.runtime import targets
from physics.runtime.checked import Refused
from physics.runtime.targets import Target

TOLD = 8   # values in one message


@dataclass(frozen=True, slots=True)
class ChangedValue:
    """A value that differs from the file's. target: its name ('opt.gravity', 'geom_rgba[3]', 'key[home]'); label: what a person calls it; both values, of keyframes in words."""

    target: str
    label: str
    file_value: Any
    value: Any


class ChangedValues:
    """Those of the present Model: {target: what the file says}."""

    def __init__(self):
        self._file: dict[Target, Any] = {}
        self._shown: tuple[ChangedValue, ...] | None = ()

    def __len__(self) -> int:
        return len(self._file)

    @classmethod
    def of(cls, items: Iterable[tuple[Target, Any, Any]]) -> ChangedValues:
        """Those that `items` has told."""
        made = cls()
        made._file = {target: file_value for target, file_value, _value in items}
        made._shown = None
        return made

    def items(self, m) -> tuple[tuple[Target, Any, Any], ...]:
        """(target, value of the file, value) of each."""
        return tuple((target, file_value, targets.read(m, target)) for target, file_value in self._file.items())

    def __contains__(self, target: Target) -> bool:
        return target in self._file

    def note(self, m, target: Target, before) -> None:
        """A value was set; before: what it was."""
        file_value = self._file.setdefault(target, before)
        if targets.read(m, target) == file_value:
            del self._file[target]
        self._shown = None

    def set(self, m, target: Target, value) -> None:
        """Set a value and remember what the file says. Raises Refused."""
        before = targets.read(m, target)
        targets.write(m, target, value)
        self.note(m, target, before)

    def shown(self, m) -> tuple[ChangedValue, ...]:
        """All of them, in the order in which they were set."""
        if self._shown is None:
            self._shown = tuple(self._one(m, target, file_value) for target, file_value in self._file.items())
        return self._shown

    def _one(self, m, target: Target, file_value) -> ChangedValue:
        value = targets.read(m, target)
        if target.kind == targets.KEY:
            value, file_value = "stored in the window", "as in the file"
        return ChangedValue(targets.text_of(m, target), targets.label_of(m, target), file_value, value)

    def find(self, m, text: str) -> Target | None:
        """The changed value of that name."""
        return next((target for target in self._file if targets.text_of(m, target) == text), None)

    def revert(self, m, which: Iterable[Target] | None = None) -> None:
        """Put the file's values back: of these, or of all. Raises Refused."""
        for target in list(self._file if which is None else which):
            targets.write(m, target, self._file[target])
            del self._file[target]
            self._shown = None

    def written(self, m, names: Iterable[str], write: Callable[[], None], stated: frozenset[str] = frozenset()) -> list[str]:
        """Have write() put what the text says now into these fields of the same Model, and the values set in the window upon it; a line for each that the text has overruled.

        stated: as for `carried`.
        """
        fields = set(names)
        mine = {target: targets.read(m, target) for target in self._file if targets.fields_of(target) & fields or target.kind == targets.KEY and _any_key(fields)}
        before = {target: self._file[target] for target in mine}
        self.revert(m, mine)
        write()
        lines = []
        for target, value in mine.items():
            theirs = targets.read(m, target)
            line = self._lay(m, target, before[target], value, theirs, target, self, stated)
            if line:
                lines.append(f"{targets.label_of(m, target)}: {line}")
        self._shown = None
        return lines

    def carried(self, old, new, stated: frozenset[str] = frozenset()) -> tuple[ChangedValues, list[str]]:
        """Write them into the Model of another text: (what differs there, a line for each that is dropped).

        stated: statistics that the text fixes itself ('extent', ...); the others follow from the model, so that another value there is no edit.
        """
        kept, dropped = ChangedValues(), []
        for target, file_value in self._file.items():
            line = self._carry(old, new, target, file_value, kept, stated)
            if line:
                dropped.append(f"{targets.label_of(old, target)}: {line}")
        kept._shown = None
        return kept, dropped

    def _carry(self, old, new, target: Target, file_value, kept: ChangedValues, stated: frozenset[str]) -> str:
        """One value; why it is dropped or some numbers of it are, '' where it goes on or differs no more."""
        mine, place = targets.read(old, target), targets.again(old, new, target)
        if place is None:
            return f"what it belongs to is gone, and {targets.shown(target, mine)} with it"
        theirs = targets.read(new, place)
        base, value = (targets.converted(old, new, target, x) for x in (file_value, mine))
        return self._lay(new, target, base, value, theirs, place, kept, stated, file_value, mine)

    def _lay(self, new, target: Target, base, value, theirs, place: Target, kept: ChangedValues, stated: frozenset[str], file_value=None, mine=None) -> str:
        """A value set in the window upon what the text of `new` says; base: what the text said before. What remains of it is noted in `kept`; a line as of `_carry`."""
        file_value, mine = (base if file_value is None else file_value), (value if mine is None else mine)
        if target.name.startswith("stat_") and target.name.removeprefix("stat_") not in stated:
            base = theirs
        value, clash = targets.merged(base, value, theirs)
        said = ""
        if clash:
            rest = "is dropped" if value == theirs else "goes on only in numbers that the text has not changed"
            said = f"the text says {targets.shown(target, theirs)} now (before: {targets.shown(target, file_value)}), so {targets.shown(target, mine)} from the window {rest}"
        if value == theirs:
            return said
        try:
            targets.write(new, place, value)
        except Refused as why:
            return f"{targets.shown(target, value)} from the window is dropped: {why}"
        kept._file[place] = theirs
        return said


def _any_key(fields: set[str]) -> bool:
    return any(name.startswith("key_") for name in fields)


def message(head: str, lines: list[str]) -> str:
    """A line of the log for dropped values."""
    more = [f"and {len(lines) - TOLD} more"] if len(lines) > TOLD else []
    return "\n".join([head, *lines[:TOLD], *more])

"""The results of a study: comma-separated values, a row for each trial, written as they come and read again when the study goes on.

Rows stand in the order in which the study asked, whatever finished first; so they are the same for any number of workers. A last line that is not whole, as after a power cut,
is left out and written again.
"""
from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Sequence
from pathlib import Path

from app.studies.trial import Outcome, Trial

FIRST, LAST = ("trial", "id", "point", "seed"), ("value", "diverged", "seconds", "problem")


class TableError(Exception):
    """A file that is no table of this study."""


class Table:
    """rows: {id: outcome} of all that is known, from earlier runs too. One process at a time writes into it."""

    def __init__(self, path: Path, names: Sequence[str]):
        """names: of the values. Raises TableError for a file that has other columns, OSError."""
        self.path, self._names = path, tuple(names)
        self.rows: dict[str, Outcome] = {}
        self._header = [*FIRST, *self._names, *LAST]
        self._read()
        self._file = path.open("a", encoding="utf-8", newline="")
        if self._file.tell() == 0:
            self._write(self._header)

    def _read(self) -> None:
        if not self.path.is_file():
            return
        content = self.path.read_bytes()
        whole = content[:content.rfind(b"\n") + 1]
        if whole != content:
            with self.path.open("r+b") as file:
                file.truncate(len(whole))
        lines = list(csv.reader(io.StringIO(whole.decode("utf-8"), newline="")))
        if not lines:
            return
        if lines[0] != self._header:
            raise TableError(f"{self.path} is of another study: its columns are {', '.join(lines[0])}, not {', '.join(self._header)}. Move it away, or give the study's file another name.")
        width = len(self._names)
        for row in lines[1:]:
            value, diverged, seconds, problem = row[4 + width:]
            self.rows[row[1]] = Outcome(float(value) if value else math.nan, diverged == "1", float(seconds), problem)

    def add(self, trial: Trial, identity: str, outcome: Outcome) -> None:
        """A trial has been done: on the disk when this returns."""
        values = [repr(float(trial.values[name])) for name in self._names]
        self._write([trial.number, identity, trial.point, trial.seed, *values, "" if math.isnan(outcome.value) else repr(outcome.value), int(outcome.diverged), repr(outcome.seconds), outcome.problem])
        self.rows[identity] = outcome

    def _write(self, row: Sequence) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(row)
        self._file.write(text.getvalue())       # one call: a line is whole or last
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let the file go."""
        self._file.close()


def trial_of(path: Path, names: Sequence[str], number: int) -> Trial | None:
    """The trial of a row, the last one of that number: a study that was changed counts anew. None where the table has no such row. Raises OSError, TableError."""
    with path.open(encoding="utf-8", newline="") as file:
        found = [row for row in csv.DictReader(file) if row.get("trial") == str(number)]
    if not found:
        return None
    row = found[-1]
    if missing := [name for name in names if not row.get(name)]:
        raise TableError(f"{path} is of another study: it has no {missing[0]}")
    return Trial(number, int(row["point"]), int(row["seed"]), {name: float(row[name]) for name in names})

"""What can go wrong with a model, and where.

Everything wrong with somebody's file becomes an `Issue` with a place, and all issues of a model are raised together in one
`ModelError`, so that a person can repair them in one go. Severities:

- 'error': the model cannot be built;
- 'view': it can be built and drawn, but not simulated yet (something its dynamics need is missing);
- 'warning': it can be built and simulated, but something looks like a mistake;
- 'note': worth knowing, but neither motion nor picture suffers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["FieldError", "Issue", "ModelError", "Place", "ViewOnlyError"]

MAX_LISTED = 50  # a message listing thousands of problems helps nobody


class Place(NamedTuple):
    """A position in a source file; line and column count from 1, 0 means unknown."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if self.line <= 0:
            return self.file
        if self.column <= 0:
            return f"{self.file}:{self.line}"
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Issue:
    """One problem: how bad, where in the file, which element, what, and what to do about it."""

    severity: str
    place: Place | None
    path: str
    what: str
    hint: str = ""

    def __str__(self) -> str:
        parts = [f"{self.place}: " if self.place else "", f"{self.severity}: {self.what}"]
        if self.path:
            parts.append(f" ({self.path})")
        if self.hint:
            parts.append(f". {self.hint}")
        return "".join(parts)


def _listing(issues: tuple[Issue, ...]) -> str:
    lines = [str(issue) for issue in issues[:MAX_LISTED]]
    if len(issues) > MAX_LISTED:
        lines.append(f"... and {len(issues) - MAX_LISTED} more")
    return "\n".join(lines)


class ModelError(Exception):
    """The model could not be built; `issues` holds every problem found."""

    def __init__(self, issues) -> None:
        self.issues: tuple[Issue, ...] = tuple(issues)
        super().__init__(_listing(self.issues))


class ViewOnlyError(Exception):
    """Dynamics were asked of a model that can only be viewed; `issues` says why, with places."""

    def __init__(self, issues) -> None:
        self.issues: tuple[Issue, ...] = tuple(issues)
        super().__init__("this model can be viewed but not simulated yet:\n" + _listing(self.issues))


class FieldError(ViewOnlyError):
    """Whole numbers were written into a Model that would lead compiled code astray; `issues` names the fields, the text also tells which were written."""

    def __init__(self, issues, written=()) -> None:
        self.issues = tuple(issues)
        fields = ", ".join(f"m.{name}" for name in sorted(written))
        hint = f"Nothing was computed. Write numbers that fit together{f'; written since the last check: {fields}' if fields else ''}"
        Exception.__init__(self, f"whole numbers of the Model are wrong:\n{_listing(self.issues)}\n{hint}")

    def __reduce__(self):
        return _field_error, (self.issues, self.args)


def _field_error(issues, args) -> FieldError:
    error = FieldError(issues)
    error.args = args
    return error

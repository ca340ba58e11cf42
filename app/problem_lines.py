"""Problems of a model in words: for the log, where those that say the same of many elements are one line, and for the view."""
import re
from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType

from editor.wording import short
from physics.errors import Issue

SHOWN_PROBLEMS = 4   # in the view; the XML panel lists them all
LOGGED_PROBLEMS = 100   # likewise
NAMED = 3   # elements in a line that stands for many
LEVELS = MappingProxyType({"error": "error", "note": "info"})   # of the log, by severity; the others are warnings
_VARYING = re.compile(r"'[^']*'|\d[\d.e+-]*|\S+\.\w{2,4}\b")   # names, numbers and files: what differs between problems of one kind


def log_lines(issues: Iterable[Issue]) -> list[tuple[str, str]]:
    """(level, line) for the log: each error for itself, of the others one line for all that differ in names and numbers only."""
    groups: dict[tuple, list[Issue]] = {}
    errors = 0
    for issue in issues:
        if issue.severity == "error":
            errors += 1
            key = ("error", errors)
        else:
            key = (issue.severity, _VARYING.sub("", issue.what), _VARYING.sub("", issue.hint))
        groups.setdefault(key, []).append(issue)
    lines = []
    for (severity, *_), alike in groups.items():
        lines.append((LEVELS.get(severity, "warning"), _line(alike)))
    if errors > LOGGED_PROBLEMS:
        told = [line for line in lines if line[0] == "error"][:LOGGED_PROBLEMS]
        lines = [*told, ("error", f"and {errors - LOGGED_PROBLEMS} more (see the XML panel)"), *(line for line in lines if line[0] != "error")]
    return lines


def _line(alike: list[Issue]) -> str:
    first, *more = alike
    if not more:
        return str(first)
    named = [issue.path.rpartition("/")[2] for issue in more[:NAMED] if issue.path]
    return f"{first} (and {len(more)} more like it{': ' + ', '.join(named) if named else ''}{', ...' if len(more) > NAMED and named else ''})"


def problem_text(issues: list[Issue], has_model: bool) -> str:
    """What the view says: the first errors; '' when there are none."""
    errors = [issue for issue in issues if issue.severity == "error"]
    lines = [short(issue) for issue in errors[:SHOWN_PROBLEMS]]
    if len(errors) > SHOWN_PROBLEMS:
        lines.append(f"and {len(errors) - SHOWN_PROBLEMS} more (see the XML panel)")
    if lines and has_model:
        lines.append("The last good model goes on.")
    return "\n".join(lines)


def view_only_text(model) -> str:
    """Why a model is shown but not simulated, in a sentence or two; '' for one that runs."""
    if not model.view_only:
        return ""
    reasons: dict[str, list[Issue]] = {}
    for issue in model.view_only:
        reasons.setdefault(issue.what, []).append(issue)
    lines = [short(replace(first, hint="")) + (f" (and {len(more)} times more)" if more else "") for first, *more in list(reasons.values())[:SHOWN_PROBLEMS]]
    if len(reasons) > SHOWN_PROBLEMS:
        lines.append(f"and {len(reasons) - SHOWN_PROBLEMS} more reasons (see the XML panel)")
    return "Shown, but not simulated yet:\n" + "\n".join(lines)

"""How problems are said where there is little room."""
from pathlib import Path

from physics.errors import Issue


def short(issue: Issue) -> str:
    """An issue in a line: its file by name alone, no severity and no path of the element."""
    place = issue.place._replace(file=Path(issue.place.file).name) if issue.place is not None else ""
    return f"{f'{place}: ' if place else ''}{issue.what}{f'. {issue.hint}' if issue.hint else ''}"

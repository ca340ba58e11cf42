"""Elements, files and problems in a few words."""
from pathlib import Path

from physics.errors import Issue, Place
from physics.spec.element import Element


def short(issue: Issue) -> str:
    """An issue in a line: its file by name alone, no severity and no path of the element."""
    place = issue.place._replace(file=Path(issue.place.file).name) if issue.place is not None else ""
    return f"{f'{place}: ' if place else ''}{issue.what}{f'. {issue.hint}' if issue.hint else ''}"


def what(element: Element) -> str:
    """An element as a person calls it: "geom 'torso'", "default 'visual'", "option"."""
    name = element.name or element.attrs.get("class", "") * (element.tag == "default")
    return f"{element.tag} '{name}'" if name else element.tag


def file_name(path: str) -> str:
    """A file without its folders, whichever slashes these are written with."""
    return path.replace("\\", "/").rpartition("/")[2]


def place_text(place: Place) -> str:
    """File and line: "arm.xml:12"."""
    return f"{file_name(place.file)}:{place.line}"


def fault_text(issue: Issue) -> str:
    """Why a text is no XML, with its place in words and what to do: "arm.xml, line 3, column 7: the value of 'name' has no closing quote. Mend it there"."""
    place = issue.place
    return f"{file_name(place.file) or 'The text'}, line {place.line}, column {place.column}: {issue.what}. {issue.hint or 'Mend it there'}"

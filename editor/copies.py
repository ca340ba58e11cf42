"""What an edit of an element changes beyond what is seen at one place, in words: copies of it, models that attach its file, files that it is included in."""
from __future__ import annotations

from types import MappingProxyType

from editor.edits.version import Version
from editor.wording import file_name
from physics.mjcf.reader import model_path
from physics.spec.element import Element
from physics.spec.links import Copies, Links

_MAKES = MappingProxyType({tag: tag for tag in ("replicate", "attach", "composite", "flexcomp")})


def banner(version: Version, number: int, links: Links | None = None, copy: Copies | None = None) -> str:
    """A line for the panel that edits an element: 'Copy 7 of 10 of a replicate; edits change all'; '' where an edit changes this one only, in the main file.

    number: the element's id; links: of the Model that runs; copy: which of the copies is looked at, where one is.
    """
    element = version.element(number)
    if element is None:
        return ""
    said = [*_copies(version, number, links, copy), *_file(version, element)]
    return "; ".join(part if k == 0 else part[:1].lower() + part[1:] for k, part in enumerate(said))


def attaching(version: Version, file: str) -> list[Element]:
    """The attach elements of the document that take something from a file, in the order in which they are read."""
    found = []
    for root in version.trees():
        read = next((read for read in (version.read, *version.read.attached.values()) if read.root is root), None)
        names = {element.name or _title(version, path): path for element in root.section("asset") if element.tag == "model" and read is not None
                 and (path := model_path(read, element)) is not None}
        found += [element for element in root.walk() if element.tag == "attach" and names.get(element.attrs.get("model", "")) == file]
    return found


def _title(version: Version, path: str) -> str:
    """The name of a model that its asset does not name."""
    read = version.read.attached.get(path)
    return read.root.attrs.get("model", "MuJoCo Model") if read is not None and read.root is not None else ""


def _copies(version: Version, number: int, links: Links | None, copy: Copies | None) -> list[str]:
    known = links.copies_of(number) if links is not None else ()
    if len(known) < 2:
        return []
    macros = dict.fromkeys(tag for copies in known for macro, _k in copies if (made := version.element(macro)) is not None and (tag := _MAKES.get(made.tag)))
    how = f" made by {' and '.join(macros)}" if macros else ""
    if macros.keys() == {"composite"}:
        return [f"One of {len(known)} elements{how}; edits change all"]
    at = f"Copy {known.index(copy) + 1}" if copy in known else "1"
    return [f"{at} of {len(known)} copies{how}; edits change all"]


def _file(version: Version, element: Element) -> list[str]:
    file = element.origin.file
    if file == version.main:
        return []
    name = file_name(file)
    if version.root_of(element.id) is version.root:
        by = element.origin.included_by
        return [f"In the included file {name}" + (f", line {by[-1].line} of {file_name(by[-1].file)}" if by else "")]
    uses = attaching(version, file) or attaching(version, main_of(version, element))
    lines = [f"{file_name(use.origin.file)}:{use.origin.line}" for use in uses]
    also = f", also attached in {', '.join(lines[1:])}" if len(lines) > 1 else ""
    return [f"Attached from {name}" + (f" in {lines[0]}" if lines else "") + also]


def main_of(version: Version, element: Element) -> str:
    """The main file of the attached model that an element stands in, which may be included there."""
    root = version.root_of(element.id)
    return next((path for path, read in version.read.attached.items() if read.root is root), "")

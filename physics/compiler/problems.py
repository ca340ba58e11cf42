"""What is wrong with a model, noted with its place while the passes go on."""
from __future__ import annotations

from physics.compiler.source import Source
from physics.errors import Issue
from physics.spec.element import Element

MOST_NUMBERS = 1 << 25   # that a few words of a file may ask for: 256 MiB


class Problems:
    """The issues found so far, those of the expansion first."""

    def __init__(self, source: Source):
        self._source = source
        self.issues: list[Issue] = source.expanded.issues
        self._asked = 0   # numbers asked for so far, see room()

    @property
    def fatal(self) -> bool:
        """Whether one of them prevents the model."""
        return any(issue.severity == "error" for issue in self.issues)

    def error(self, element: Element, what: str, hint: str = "", attr: str = "") -> None:
        """Note a problem that prevents the model, at an attribute's value in force or at the tag."""
        self._note("error", element, what, hint, attr)

    def view(self, element: Element, what: str, attr: str = "") -> None:
        """Note a reason why the model can be drawn but not simulated."""
        self._note("view", element, what, "The model opens for viewing only", attr)

    def warn(self, element: Element, what: str, hint: str = "", attr: str = "") -> None:
        """Note something that looks like a mistake."""
        self._note("warning", element, what, hint, attr)

    def note(self, element: Element, what: str, hint: str = "", attr: str = "") -> None:
        """Note something that does no harm."""
        self._note("note", element, what, hint, attr)

    def _note(self, severity: str, element: Element, what: str, hint: str, attr: str) -> None:
        resolver = self._source.resolver
        place = resolver.attrs(element).place(attr) if attr else element.place
        self.issues.append(Issue(severity, place, resolver.path(element), what, hint))

    def room(self, element: Element, what: str, numbers: int, attr: str = "") -> bool:
        """Whether so many numbers more may be made for what a few words ask for; notes the first that are too many."""
        asked, self._asked = self._asked, self._asked + numbers
        fits = self._asked <= MOST_NUMBERS
        if not fits and asked <= MOST_NUMBERS:
            self.error(element, f"{self._asked} numbers with these {what} are absurdly many: a model holds at most {MOST_NUMBERS}", "Ask for fewer", attr)
        return fits

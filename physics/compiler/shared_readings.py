"""What many elements say alike is read once: copies of one element, elements with the same attributes, orientations with the same numbers."""
from __future__ import annotations

from collections.abc import Callable

from physics.compiler.problems import Problems
from physics.compiler.source import Source
from physics.spec.element import Element


class SharedReadings:
    """Results of reading, kept as long as nothing was wrong with them. build: what every reading function gets first; known: those of another build with the same settings, default
    classes and assets, which the two have in common from now on (goes_on)."""

    def __init__(self, build: object, source: Source, problems: Problems, known: SharedReadings | None = None):
        self.goes_on = known is not None
        self._build, self._source, self._problems = build, source, problems
        # the attributes' own mapping, which copies of an unnamed element share -> (mapping, result)
        self._by_mapping: dict[tuple, tuple] = {} if known is None else known._by_mapping
        self._by_text: dict[tuple, object] = {} if known is None else known._by_text   # what the attributes and classes of an element say -> result
        self.orientations: dict[tuple, tuple] = {} if known is None else known.orientations   # notation, its numbers, the angles' settings -> unit quaternion

    def read(self, element: Element, make: Callable[..., object], *more):
        """What make(build, attrs, *more) gives for an element; found once for all that say the same, as long as nothing is wrong with them."""
        said = element.attrs
        if "name" in said:
            return self._read_by_text(element, make, *more)
        # the id of the mapping is a key because the result kept under it keeps the mapping alive
        source, issues = self._source, self._problems.issues
        spec, around, _parent = source.resolver.context[element.id]
        key = id(said), spec, around, id(source.scopes.get(element.id, source.settings)), make, *more
        made = self._by_mapping.get(key)
        if made is None:
            known = len(issues)
            made = said, self._read_by_text(element, make, *more)
            if len(issues) == known:
                self._by_mapping[key] = made
        return made[1]

    def _read_by_text(self, element: Element, make: Callable[..., object], *more):
        source, issues = self._source, self._problems.issues
        attrs = source.attrs(element)
        key = attrs.said, id(source.scope(element)), make, *more
        made = self._by_text.get(key)
        if made is None:
            known = len(issues)
            made = make(self._build, attrs, *more)
            if len(issues) == known:
                self._by_text[key] = made
        return made

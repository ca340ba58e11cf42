"""A model being put together: its body tree is walked once, copies are made on the way, and what refers to them follows.

The official reader reads the body tree last, so that everything outside it is there when a replicate or attach is met; the order of
what is copied follows from that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from physics.errors import Issue
from physics.expand.referrers import KINDS, Kind, Referrer, follow
from physics.expand.renaming import Renaming, Template
from physics.schema import schema
from physics.spec.element import Element, new_id
from physics.spec.links import Traces
from physics.spec.names import declared_name

__all__ = ["MAX_ELEMENTS", "Assembly", "TooMany"]

MAX_ELEMENTS = 100_000  # of all copies; a model has at most 65,534 bodies, and more would only take time and memory
_WORLD = ("body", "world")


class TooMany(Exception):
    """More elements than a model may have."""


class Assembly:
    """Sections outside the tree, names known so far, and where copies come from.

    sections: section tag -> its elements (of repeated sections, joined); models: element id -> reading of the model it came from.
    keys: key element id -> KeyLayout (expand/key_layout.py) of keyframes that came with attached models. traces: what copies were made of.
    """

    def __init__(self, root: Element, models: dict, traces: Traces) -> None:
        self.root = root
        self.models, self.traces = models, traces
        self.keys: dict[int, object] = {}
        self.renamed: dict[int, tuple[str, str]] = {}   # skin that has a file -> prefix and suffix of the bodies named in it
        self.issues: list[Issue] = []
        self.sections: dict[str, list[Element]] = {}
        self.changed: set[str] = set()
        self.defaults: list[Element] = []   # root default classes of attached models
        self.settings: list[Element] = []   # options that were merged
        self.count = 0
        self._names: dict[str, Counter] = {"body": Counter(("world",))}
        self._referrers: dict[int, Referrer] = {}
        for top in root.children:
            if top.tag != "worldbody":
                self._read_section(top)

    def _read_section(self, top: Element) -> None:
        if top.tag in {kind.section for kind in KINDS} | {"asset", "keyframe"}:
            self.sections.setdefault(top.tag, []).extend(top.children)
        path = schema.child_spec("mujoco", top.tag)
        if path is not None:
            for namespace, names in Template(top.children, top.tag).names.items():
                self._space(namespace).update(names)

    def _space(self, namespace: str) -> Counter:
        return self._names.setdefault(namespace, Counter())

    def known(self, namespace: str, name: str) -> bool:
        """Whether something of that name exists by now."""
        return self._space(namespace)[name] > 0

    def enter(self, names: dict[str, list[str]]) -> None:
        """Names come into being."""
        for namespace, some in names.items():
            self._space(namespace).update(some)

    def leave(self, names: dict[str, list[str]]) -> None:
        """Names go."""
        for namespace, some in names.items():
            self._space(namespace).subtract(some)

    def room(self, more: int) -> None:
        """Count elements about to be made. Raises TooMany."""
        self.check_room(more)
        self.count += more

    def check_room(self, more: int) -> None:
        """Raises TooMany when that many elements would not fit."""
        if self.count + more > MAX_ELEMENTS:
            raise TooMany

    def anchored(self, element: Element, kind: Kind) -> bool:
        """Whether an element refers to anything but the world; those that do not are copied again with every copy."""
        return any(target != _WORLD for target in self._referrer(element, kind.section).targets())

    def move_keys(self, made: dict[int, Element]) -> None:
        """Keyframes of attached models set the state of these copies from now on."""
        for key, layout in self.keys.items():
            self.keys[key] = layout.moved(made, otherwise_kept=True)

    def inherit(self, made: dict[int, Element], otherwise=None) -> None:
        """Copies belong to the model their patterns belong to, or to `otherwise` where those are of the main file."""
        for old, new in made.items() if self.models or otherwise is not None else ():
            model = self.models.get(old, otherwise)
            if model is not None:
                self.models[new.id] = model

    def trace(self, made: Mapping[int, Element], macro: Element, number: int, patterns: Traces | None = None) -> None:
        """Remember what copies are copies of, as Traces.add."""
        self.traces.add({old: new.id for old, new in made.items()}, macro.id, number, patterns)

    def warn(self, element: Element, path: str, what: str) -> None:
        """Note something that looks like a mistake."""
        self.issues.append(Issue("warning", element.place, path, what))

    def _referrer(self, element: Element, section: str) -> Referrer:
        found = self._referrers.get(element.id)
        if found is None:
            found = self._referrers[element.id] = Referrer(element, section)
        return found

    def of_kind(self, kind: Kind) -> list[Element]:
        """Elements of a kind, in order."""
        elements = self.sections.get(kind.section, [])
        return [e for e in elements if e.tag in kind.tags] if kind.tags else list(elements)

    def touching(self, names: dict[str, list[str]]) -> dict[Kind, list[Element]]:
        """Elements outside the tree that refer to one of these names, directly or through one another, or to nothing at all."""
        inside = {(namespace, name) for namespace, some in names.items() for name in some}
        found = {}
        for kind in KINDS:
            found[kind] = []
            for element in self.of_kind(kind):
                targets = set(self._referrer(element, kind.section).targets())
                free = targets <= {_WORLD} if kind.keeps_world else not targets
                if free or targets & inside:
                    found[kind].append(element)
                    if element.name and not free:
                        inside.add((kind.namespace, element.name))
        return found

    def copy_referring(self, candidates: dict[Kind, list[Element]], renaming: Renaming, made: dict[int, Element],
                       source: Assembly | None = None) -> None:
        """Copy candidates under new names where these exist; candidates grows by copies that later copies repeat."""
        of = source or self
        for kind, elements in candidates.items():
            for element in list(elements):
                referrer = of._referrer(element, kind.section)
                new = follow(referrer, kind, renaming, self.known)
                if new is None:
                    continue
                self.room(1 + len(new.children))
                self.add(kind.home or kind.section, new, kind.namespace)
                made[element.id] = new
                if kind.namespace == "skin" and "file" in new.attrs:
                    prefix, suffix = of.renamed.get(element.id, ("", ""))
                    self.renamed[new.id] = (renaming.prefix + prefix, suffix + renaming.suffix)
                made.update((old.id, child) for old, child in zip(element.children, new.children, strict=True))
                if source is None and not of.anchored(element, kind):
                    elements.append(new)

    def add(self, section: str, element: Element, namespace: str) -> None:
        """An element at the end of a section."""
        self.sections.setdefault(section, []).append(element)
        self.changed.add(section)
        spec = schema.child_spec(section, element.tag)
        name = declared_name(element, spec.path) if spec is not None else ""
        if name and namespace:
            self._space(namespace)[name] += 1

    def remove_broken(self, candidates: dict[Kind, list[Element]], names: dict[str, list[str]]) -> None:
        """Take names away, and with them the elements that referred to them; what was broken before stays, to be reported."""
        broken = {id(e) for kind, elements in candidates.items() for e in elements if not self._referrer(e, kind.section).intact(self.known)}
        self.leave(names)
        for kind, elements in candidates.items():
            gone = {e.id for e in elements if id(e) not in broken and not self._referrer(e, kind.section).intact(self.known)}
            if gone:
                self.sections[kind.section] = [e for e in self.sections[kind.section] if e.id not in gone]
                self.changed.add(kind.section)
                self._space(kind.namespace).subtract(e.name for e in elements if e.id in gone and e.name)

    def finish(self, worlds: dict[int, Element]) -> Element:
        """The new root. worlds: id of a worldbody -> what stands in its place."""
        children: list[Element] = []
        done: set[str] = set()
        for top in self.root.children:
            if top.id in worlds:
                children.append(worlds[top.id])
            elif top.tag not in self.changed:
                children.append(top)
            elif top.tag not in done:
                done.add(top.tag)
                children.append(top.with_changes(children=tuple(self.sections[top.tag])))
        children += [Element(new_id(), tag, children=tuple(self.sections[tag]), origin=self.root.origin) for tag in sorted(self.changed - done)]
        return self.root.with_changes(children=(*children, *self.defaults, *self.settings))


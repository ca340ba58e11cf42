"""The walk over a body tree that puts copies in place of replicate and attach elements.

Elements are met in document order, as the official reader meets them: a copy is made when its macro ends, of what is there by then, and
names that come later are not known yet.
"""

from __future__ import annotations

from collections.abc import Iterator

from physics.errors import Issue
from physics.expand.assembly import MAX_ELEMENTS, Assembly
from physics.expand.renaming import Renaming, Template
from physics.expand.replicate import Settings, copies, copy_count, suffix
from physics.spec.element import Element, new_id, path_of

__all__ = ["Walk"]

MACROS = frozenset({"replicate", "attach"})
_TREE = frozenset({"body", "frame", "replicate"})


class _Open:
    """An element being walked: what is left of it, what is done, and the default class in force inside."""

    __slots__ = ("element", "rest", "done", "inherited")

    def __init__(self, element: Element, inherited: str) -> None:
        self.element, self.rest, self.done = element, iter(element.children), []
        self.inherited = element.attrs.get("childclass") or element.attrs.get("class") or inherited if element.tag in _TREE else inherited


class Walk:
    """One walk over all world bodies of a model. attach(walk, element): elements in place of an attach element."""

    def __init__(self, assembly: Assembly, settings: Settings, attach) -> None:
        self.assembly, self.settings, self.attach = assembly, settings, attach
        self.open: list[_Open] = []
        self.nameless: set[int] = set()   # ids of copies without any names, where nobody need look for them
        self._parents: dict[int, Element] | None = None
        self._copying = assembly.root   # the macro at work
        self._holding = _holding_macros(assembly.root)

    def run(self) -> Element:
        """The expanded root. Raises TooMany."""
        worlds = {}
        for world in self.assembly.root.all("worldbody"):
            if world.id in self._holding:
                worlds[world.id] = self._walk(world)
            else:
                self.assembly.enter(Template(world.children, "worldbody").names)
        return self.assembly.finish(worlds)

    def _walk(self, world: Element) -> Element:
        self.open.append(_Open(world, "main"))
        while True:
            top = self.open[-1]
            child = next(top.rest, None)
            if child is not None:
                self._meet(top, child)
                continue
            made = self._close(self.open.pop())
            if not self.open:
                return made[0]
            self.open[-1].done.extend(made)

    def _meet(self, top: _Open, child: Element) -> None:
        if child.tag == "attach":
            self._copying = child
            top.done.extend(self.attach(self, child))
        elif child.tag == "replicate" or (child.id in self._holding and child.tag in _TREE):
            if child.name:
                self.assembly.enter({child.tag: [child.name]})
            self.open.append(_Open(child, top.inherited))
        else:
            if self._in_replicate():
                self._refuse_joints(child)
            self.assembly.enter(Template((child,), "body").names)
            top.done.append(child)

    def _in_replicate(self) -> bool:
        """Whether what is met belongs to a replicate rather than to a body inside it."""
        return next((top.element.tag for top in reversed(self.open) if top.element.tag != "frame"), "") == "replicate"

    def _refuse_joints(self, child: Element) -> None:
        stack = [child]
        while stack:
            element = stack.pop()
            if element.tag in ("joint", "freejoint"):
                self.error(element, "a joint cannot stand directly in a replicate", "Put it in a body that is replicated")
            elif element.tag == "frame":
                stack.extend(element.children)

    def _close(self, top: _Open) -> list[Element]:
        if top.element.tag == "replicate":
            return self._replicate(top)
        return [top.element.with_changes(children=tuple(top.done))]

    def _replicate(self, top: _Open) -> list[Element]:
        element = self._copying = top.element
        assembly = self.assembly
        template = Template([e for e in top.done if e.tag != "inertial"], "body")
        if not template.size:
            return []   # copies of nothing, and there may be very many
        count = copy_count(element)
        candidates = assembly.touching(template.names)
        repeated = sum(1 for kind in candidates for e in candidates[kind] if not assembly.anchored(e, kind))
        assembly.check_room(count * (template.size + 1) + (repeated << min(count, 40)) - repeated)
        frames: list[Element] = []
        for k, (pos, quat) in enumerate(copies(element, self.settings)):
            made: dict[int, Element] = {}
            renaming = Renaming(suffix=suffix(element.attrs.get("sep", ""), count, k))
            inside = template.stamp(renaming, made)
            assembly.room(template.size + 1)
            assembly.enter({space: [renaming.in_space(space, name) for name in names] for space, names in template.names.items()})
            assembly.copy_referring(candidates, renaming, made)
            assembly.inherit(made)
            assembly.trace(made, element, k)
            if k == 0:
                assembly.move_keys(made)
            frames.append(self._frame(element, pos, quat, inside))
            if template.nameless and "childclass" not in frames[-1].attrs:
                self.nameless.add(frames[-1].id)
        assembly.remove_broken(candidates, template.names)
        return frames

    @staticmethod
    def _frame(element: Element, pos: str, quat: str, inside: tuple[Element, ...]) -> Element:
        attrs = {"pos": pos, "quat": quat}
        wanted = element.attrs.get("childclass") or element.attrs.get("class")
        if wanted:
            attrs["childclass"] = wanted
        return Element(new_id(), "frame", attrs, inside, element.origin)

    def error(self, element: Element, what: str, hint: str = "", attr: str = "") -> None:
        """Note a problem of the model as written."""
        place = element.attr_place(attr) if attr else element.place
        self.assembly.issues.append(Issue("error", place, self.path(element), what, hint))

    def path(self, element: Element) -> str:
        """Where an element of the model as written stands."""
        if self._parents is None:
            self._parents = {child.id: node for node in self.assembly.root.walk() for child in node.children}
        return path_of(element, lambda node: self._parents.get(node.id))

    def too_many(self) -> None:
        """Note that a macro makes more elements than a model may have."""
        self.error(self._copying, f"the copies would come to more than {MAX_ELEMENTS} elements", "Make fewer of them", "count")

    def written(self) -> Iterator[tuple[Element, str]]:
        """(element, default class around it) of all that is in the tree by now, for self-attachment."""
        for level, top in enumerate(self.open):
            around = self.open[level - 1].inherited if level else "main"
            stack = [(child, top.inherited) for child in reversed(top.done)]
            yield self._so_far(level), around
            while stack:
                element, around = stack.pop()
                yield element, around
                inner = element.attrs.get("childclass", around)
                stack.extend((child, inner) for child in reversed(element.children))

    def _so_far(self, level: int) -> Element:
        """An open element with what is done of it."""
        made: Element | None = None
        for top in reversed(self.open[level:]):
            made = top.element.with_changes(children=(*top.done, *(() if made is None else (made,))))
        return made


def _holding_macros(root: Element) -> set[int]:
    """Ids of the elements that have a replicate or attach somewhere inside."""
    order, parent = [], {}
    for element in root.walk():
        order.append(element)
        for child in element.children:
            parent[child.id] = element.id
    found: set[int] = set()
    for element in reversed(order):
        if element.tag in MACROS or element.id in found:
            if element.id in parent:
                found.add(parent[element.id])
    return found

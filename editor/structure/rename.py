"""Give an element another name: where it is declared and in all that refers to it, over all files, as one edit.

    renaming = Renaming(version, number)  ->  renaming.edit("shin"): Edit, renaming.left: what names a copy of it and stays as it is

Names are those of the tree that the element stands in: the model's own, or that of a model that is attached, whose bodies and frames the <attach> elements around it name.
References are found by the language's table (what is a `ref`, an `objname` of an `objtype`), and those that it has as plain words: names in lists, and what an <attach> takes.
"""
from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from editor.copies import attaching, main_of
from editor.edits.attribute_patches import escaped, patches_of
from editor.edits.last_good import LastGood
from editor.edits.patch import Edit, Patch, shifted
from editor.edits.tag_places import tag_places
from editor.edits.version import Version, outward
from editor.structure.copying import namespace_of
from editor.structure.draft import Change, Draft, Refusal, text_of
from editor.structure.users import in_skin_files, mentions, names_of_copies
from editor.wording import place_text, what
from physics.spec.element import Element
from physics.spec.names import Names, declared_name

__all__ = ["Renaming", "rename"]

RESERVED = frozenset({("body", "world"), ("default", "main")})
Mention = tuple[Element, str, str]      # what names it, by which attribute, and what that says


class Renaming:
    """version: also the last tree of texts that are no XML now. Raises Refusal for an element that has no name.

    element: what is renamed; attribute: by which it has its name; old: the name that it goes by, an asset's without one that of its file.
    """

    def __init__(self, version: Version | LastGood, number: int):
        if isinstance(version, Version):
            Draft(version)      # refuses what is no MJCF
        around = list(outward(version, number))
        if not around:
            raise Refusal("The element is no longer there")
        root, self.element, self._version = around[-1], around[0], version
        self._names = Names(root)
        self._spec, parent = next(((spec, parent) for element, spec, parent in self._names.entries if element.id == number), (None, None))
        if self._spec is None:
            raise Refusal(f"MJCF has no <{self.element.tag}> here")
        self.attribute = "class" if self._spec.path == "default" else "name"
        if self.attribute not in self._spec.attributes:
            raise Refusal(f"<{self.element.tag}> has no name")
        self._outermost = self._spec.path == "default" and parent is root
        self.namespace, self.old = namespace_of(self._spec), declared_name(self.element, self._spec.path)

    @property
    def kind(self) -> str:
        """What it is that has a name, in a word."""
        return "class" if self.namespace == "default" else self.namespace or self.element.tag

    @cached_property
    def users(self) -> tuple[Mention, ...]:
        """All that refers to the element by its name."""
        if not self.old or not self.namespace:
            return ()
        found = []
        for names in self._trees():
            if self._is_meant(names):
                found += [(user, attribute, text) for user, attribute, namespace, text in mentions(names) if namespace == self.namespace and text == self.old]
        return (*found, *self._attached())

    def _trees(self) -> Iterable[Names]:
        """Names of the tree that it stands in, and of others that have the same element, of a file that they include."""
        yield self._names
        place = self._place(self.element)
        for root in self._version.trees() if isinstance(self._version, Version) else ():
            if root is not self._names.root and any(self._place(one) == place for one in root.walk()):
                yield Names(root)

    @staticmethod
    def _place(element: Element) -> tuple[str, int]:
        return element.origin.file, element.origin.start

    def _is_meant(self, names: Names) -> bool:
        """Whether it is this element that the name means there: of several with one name it is the first."""
        meant = names.find(self.namespace, self.old)
        if meant is None:
            meant = next((one for one, spec, _parent in names.entries if namespace_of(spec) == self.namespace and declared_name(one, spec.path) == self.old), None)
        return meant is not None and self._place(meant) == self._place(self.element)

    def _attached(self) -> list[Mention]:
        """What attaches it by its name, from around the model that it stands in."""
        if self.namespace not in ("body", "frame") or not isinstance(self._version, Version) or self._names.root is self._version.root:
            return []
        return [(one, self.namespace, self.old) for one in attaching(self._version, main_of(self._version, self.element)) if one.attrs.get(self.namespace) == self.old]

    @cached_property
    def left(self) -> tuple[Mention, ...]:
        """What names a copy of it, by the prefix of an attach or the number of a replicate, or stands in a skin file: that is not rewritten."""
        if not self.old or not isinstance(self._version, Version):
            return ()
        copies = {(space, name) for space, name in names_of_copies(self._version).get(self.element.id, ()) if (space, name) != (self.namespace, self.old) and self.old in name}
        found = []
        for root in self._version.trees():
            names = Names(root) if root is not self._names.root else self._names
            found += [(user, attribute, text) for user, attribute, space, text in mentions(names) if (space, text) in copies and names.find(space, text) is None]
        if self.namespace == "body" and self._names.root is self._version.root:
            found += [(skin, attribute, text) for skin, attribute, _space, text in in_skin_files(self._version, self._names) if text == self.old]
        return tuple(found)

    # ------------------------------------------------------------------ the edit

    def edit(self, name: str) -> Edit:
        """Rename it; '' takes the name away. Raises Refusal for a name that is taken or reserved, and one that is needed."""
        name = name.strip()
        own = self.element.attrs.get(self.attribute, "")
        label = f"Rename {self.kind} {self.old} to {name}" if self.old and name else f"Name {self.kind} {name}" if name else f"Take the name of {what(self.element)} away"
        if name == own:
            return Edit(label, ())
        self._refuse(name)
        values: dict[int, dict[str, str | None]] = {}
        elements = {self.element.id: self.element}
        if own:
            values[self.element.id] = {self.attribute: name or None}
        for user, attribute, _text in self.users if name != self.old else ():
            elements[user.id] = user
            before = user.attrs[attribute]
            values.setdefault(user.id, {})[attribute] = name if before == self.old else " ".join(name if word == self.old else word for word in before.split())
        for number, element in elements.items():
            text_of(self._version, element)     # raises Refusal
            if not isinstance(self._version, Version) and not self._version.whole(number):
                raise Refusal(f"The tag of {what(element)} stands where the text is not well-formed: mend that first")
        patches = patches_of(self._version.texts, ((elements[number], given) for number, given in values.items()))
        return Edit(label, (*patches, *(() if own else (self._new_name(name),))))

    def _new_name(self, name: str) -> Patch:
        """The name of an element that has none, in front of its other attributes."""
        file, start = self._place(self.element)
        at = tag_places(self._version.texts[file], start).name_end
        return Patch(file, at, at, f' {self.attribute}="{escaped(name)}"')

    def _refuse(self, name: str) -> None:
        if self._outermost and name not in ("", "main"):
            raise Refusal("The outermost default class is always called 'main'")
        if not name and (self._spec.attributes[self.attribute].required or (self.attribute == "class" and not self._outermost)):
            raise Refusal(f"<{self.element.tag}> needs a name")
        if not name and self.users:
            raise Refusal(f"{what(self.element)} is named by " + ", ".join(what(user) for user, _attribute, _text in self.users[:8]))
        if (self.namespace, name) in RESERVED and not self._outermost:
            raise Refusal(f"'{name}' is the name of " + ("the world body" if self.namespace == "body" else "the outermost default class"))
        if len(name.split()) > 1 and any(user.attrs[attribute] != self.old for user, attribute, _text in self.users):
            raise Refusal("It is named in a list, which has white space between names")
        taken = self._taken(name) if name and self.namespace and not self._outermost else None
        if taken is not None and self._place(taken) != self._place(self.element):
            raise Refusal(f"The {self.kind} name '{name}' is already used: {place_text(taken.place)}")

    def _taken(self, name: str) -> Element | None:
        found = self._names.find(self.namespace, name)
        if found is not None or self.namespace != "model":
            return found
        return next((one for one, spec, _parent in self._names.entries if spec.path == "asset/model" and one.name == name), None)


def rename(version: Version, number: int, name: str) -> Change:
    """Another name for an element, and for it wherever it is named; notes tell what names copies of it, which stays as it is. Raises Refusal."""
    renaming = Renaming(version, number)
    edit = renaming.edit(name)
    if not edit.patches:
        return Change(edit)
    left = ", ".join(dict.fromkeys(f"{what(user)} ({attribute} '{text}')" for user, attribute, text in renaming.left[:8]))
    start = shifted(renaming.element.origin.start, edit.patches, renaming.element.origin.file)
    return Change(edit, ((renaming.element.origin.file, start),), (f"Names of copies stay as they are: {left}",) if left else ())

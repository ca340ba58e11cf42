"""Elements of attached models: changed in the file they stand in, and named from the main file by the names that their copies have there."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from types import MappingProxyType

from editor.edits.patch import Edit, compose
from editor.edits.version import Version
from editor.structure.draft import Change, Refusal
from editor.wording import what
from editor.structure.keyframes import key_patches
from physics.expand.expand import expand
from physics.spec.element import Element
from physics.spec.names import Names

__all__ = ["is_attached", "name_in_model", "version_of", "within"]


def is_attached(version: Version, number: int) -> bool:
    """Whether an element stands in a model that this one attaches."""
    root = version.root_of(number)
    return root is not None and root is not version.root


def version_of(version: Version, numbers: Iterable[int]) -> Version:
    """The version in whose tree all of these stand: this one, or that of an attached model's file as it would be if that were opened. Raises Refusal for several trees."""
    roots = {id(root): root for number in numbers if (root := version.root_of(number)) is not None}
    if not roots or version.root is None or [*roots] == [id(version.root)]:
        return version
    if len(roots) > 1:
        raise Refusal("These stand in the files of different models: " + ", ".join(sorted(os.path.basename(root.origin.file) for root in roots.values())))
    version.trees()
    read = next((read for read in version.read.attached.values() if id(read.root) in roots), None)
    if read is None or read.main not in version.texts:
        raise Refusal("The file of the attached model is not open")
    return Version.of_reading(read, version.texts, read.main, read.base_dir, version.ids)


def within(version: Version, numbers: Iterable[int], make: Callable[[Version], Change]) -> Change:
    """What `make` makes of the version in whose tree elements stand, as a change of this one, whose keyframes follow.

    Raises Refusal where the model would have errors by it, as it names what goes.
    """
    there = version_of(version, numbers)
    change = make(there)
    if there is version or not change.edit.patches:
        return change
    version.trees()
    before = replace(version, texts=MappingProxyType({**dict.fromkeys(change.edit.files, ""), **version.texts}))
    after = before.after(change.edit)
    after.trees()
    if not _errors(version) and (new := _errors(after)):
        raise Refusal(f"{os.path.basename(version.main)} would have an error: {new[0]}")
    patches = key_patches(version, after, {})
    return change._replace(edit=compose(change.edit, Edit(change.edit.label, tuple(patches)))) if patches else change


def _errors(version: Version) -> list[str]:
    """What is wrong with a model, what it attaches counted."""
    if version.root is None or version.read.errors:
        return [issue.what for issue in version.read.errors] or ["a text is no XML"]
    return [issue.what for issue in expand(version.read).issues if issue.severity == "error"]


def name_in_model(version: Version, element: Element, namespace: str) -> str:
    """The name by which the main file refers to an element of an attached model: that of its copy. Raises Refusal for none, and for several."""
    file = os.path.basename(element.origin.file)
    if not element.name:
        raise Refusal(f"{what(element)} of the attached file {file} has no name: give it one there first")
    names = Names(expand(version.read).root).declared.get(namespace, {})
    found = [name for name, one in names.items() if (one.origin.file, one.origin.start) == (element.origin.file, element.origin.start)]
    if not found:
        raise Refusal(f"{what(element)} of {file} is not among what is attached")
    if len(found) > 1:
        raise Refusal(f"{what(element)} of {file} is there more than once: name one of {', '.join(found[:8])} in the text")
    return found[0]

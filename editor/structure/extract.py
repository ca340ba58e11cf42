"""What elements have in common put into a default class; elements put into a file of their own."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from editor.edits.attribute_patches import escaped
from editor.edits.element_patches import NewElement
from editor.edits.indentation import indent_before, is_blank_behind, line_end_at, line_start, reindented, unit_of
from editor.edits.patch import Patch
from editor.edits.version import Version, outward
from editor.structure.classes import same_value
from editor.structure.draft import Change, Draft, Refusal, outermost
from editor.structure.includes import with_includes_from
from editor.wording import what
from physics.files.text_codec import line_end
from physics.schema import schema
from physics.spec.defaults import Resolver, default_tag
from physics.spec.element import Element

__all__ = ["common_attributes", "extract_class", "extract_include"]


def common_attributes(version: Version, numbers: Iterable[int]) -> dict[str, str]:
    """Attributes that all of these elements give with the same value and that a default class may hold. Raises Refusal for elements of several kinds, or none with a class."""
    draft = Draft(version)
    elements = [draft.element(number) for number in numbers]
    return _common(draft, elements)


def _common(draft: Draft, elements: Sequence[Element]) -> dict[str, str]:
    if not elements:
        raise Refusal("Nothing is selected")
    paths = {draft.spec(one.id).path for one in elements}
    if len({one.tag for one in elements}) > 1 or len(paths) > 1:
        raise Refusal("A class can be made of elements of one kind only")
    if not default_tag(next(iter(paths))):
        raise Refusal(f"<{elements[0].tag}> has no default class")
    allowed = schema.lookup(f"default/{_tag_in_class(elements[0].tag, next(iter(paths)))}").attributes
    first = elements[0].attrs
    return {name: text for name, text in first.items() if name in allowed and all(name in one.attrs and one.attrs[name].split() == text.split() for one in elements)}


def _tag_in_class(tag: str, path: str) -> str:
    kind = default_tag(path)
    return tag if kind == "actuator" else kind


def extract_class(version: Version, numbers: Iterable[int], name: str = "") -> Change:
    """A new default class with all that these elements have in common, inside the class that is in force for them, and the class named at each in place of that.

    The resolved values of each are the same before and after. Raises Refusal for elements of several kinds or classes, or with nothing in common.
    """
    draft = Draft(version)
    chosen = list(dict.fromkeys(numbers))
    elements = [draft.element(number) for number in chosen]
    common = _common(draft, elements)
    if not common:
        raise Refusal("These elements have no attribute in common that a class may hold")
    resolver, names = draft.resolver(), draft.names()
    classes = {resolver.class_of(one) for one in elements}
    if len(classes) > 1:
        raise Refusal("These elements are of several classes: " + ", ".join(sorted(classes)))
    if any(one.tag == "default" for number in chosen for one in outward(version, number)):
        raise Refusal("These are part of a default class already")
    base = classes.pop()
    name = name or names.unique("default", elements[0].tag)
    if names.find("default", name) is not None:
        raise Refusal(f"There is a class '{name}' already")
    before = {one.id: {attribute: resolver.attrs(one)[attribute] for attribute in resolver.attrs(one).spec.attributes if attribute != "class"} for one in elements}
    tag = _tag_in_class(elements[0].tag, resolver.spec(elements[0]).path)
    parent = _class_element(draft, base)
    draft.insert(NewElement("default", {"class": name}, (NewElement(tag, common),)), last_in=parent)
    draft.set_all({number: {**dict.fromkeys(common), "class": name} for number in chosen})
    after = Resolver(draft.root)
    for number, values in before.items():
        attrs = after.attrs(draft.element(number))
        wrong = [attribute for attribute, value in values.items() if not same_value(value, attrs[attribute])]
        if wrong:
            raise Refusal(f"{what(draft.element(number))} would have another {', '.join(wrong)}")
    return draft.change(f"Make class '{name}' of {len(chosen)} {elements[0].tag}s" if len(chosen) > 1 else f"Make class '{name}'", chosen, keyframes=False)


def _class_element(draft: Draft, name: str) -> int:
    """The <default> of a class; of 'main' the outermost, made where there is none."""
    if name != "main":
        found = draft.names().find("default", name)
        if found is not None and found.tag == "default":
            return found.id
        raise Refusal(f"The class '{name}' is not in the text")
    return draft.section("default")


def extract_include(version: Version, numbers: Iterable[int], key: str) -> Change:
    """Put siblings that follow each other into a new file, and an include in their place. key: of the new file, its absolute path; the text of the edit for it is of an empty file.

    Raises Refusal for elements that do not follow each other, or a file that there is.
    """
    draft = Draft(version)
    chosen = outermost(version, numbers)
    if not chosen:
        raise Refusal("Nothing is selected that can be put into a file")
    if version.texts.get(key):
        raise Refusal(f"{os.path.basename(key)} is part of the model already")
    elements = [draft.element(number) for number in chosen]
    parent, file = draft.parent(chosen[0]), elements[0].origin.file
    inside = [child.id for child in parent.children]
    at = inside.index(chosen[0]) if chosen[0] in inside else -1
    if any(one.origin.file != file or one.origin.included_by != elements[0].origin.included_by for one in elements) or inside[at:at + len(chosen)] != chosen:
        raise Refusal("Only elements that follow each other in one file can be put into another")
    text = draft.text(elements[0])
    start, end = elements[0].origin.start, elements[-1].origin.end
    words, indent = with_includes_from(version, text[start:end], file, key), indent_before(text, start)
    unit, eol = unit_of(text), line_end(text)
    if indent is not None:
        words = unit + reindented(words, indent, unit)
    content = f"<mujocoinclude>{eol}{words}{eol}</mujocoinclude>{eol}"
    tag = f'<include file="{escaped(_named(version, file, key))}"/>'
    here = [Patch(file, start, end, tag)]
    if indent is not None and is_blank_behind(text, end):
        here = [Patch(file, line_start(text, start), line_end_at(text, end)[0], indent + tag)]
    draft.with_file(key)
    draft.put([*here, Patch(key, 0, 0, content)])
    label = what(elements[0]) if len(elements) == 1 else f"{len(elements)} elements"
    return draft.change(f"Put {label} into {os.path.basename(key)}", (), keyframes=False)


def _named(version: Version, file: str, key: str) -> str:
    """How an include names a file: from the folder of the main file."""
    base = version.base_dir or os.path.dirname(version.main)
    return os.path.relpath(key, base).replace(os.sep, "/") if base and os.path.isabs(key) else key.replace(os.sep, "/")


"""What stands for other elements replaced by these: an include by the text of its file, a replicate by its copies."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from editor.edits.element_patches import NewElement
from editor.edits.indentation import indent_before, reindented, unit_of, with_line_ends
from editor.edits.patch import Patch
from editor.edits.version import Version
from editor.structure.copying import kinds, lines_of, name_values, renamed
from editor.structure.draft import Change, Draft, Refusal
from editor.structure.includes import IncludeTag, emptied, inner_text, stripped, tag_removal, with_includes_from
from editor.structure.placement import pose_attributes
from editor.structure.poses import settings_of
from editor.wording import file_name, what
from physics.expand.expand import expand
from physics.expand.referrers import KINDS
from physics.expand.renaming import SHARED
from physics.expand.replicate import copies, copy_count, suffix
from physics.spec.element import Element

__all__ = ["inline_include", "remove_include", "unroll"]

MACROS = frozenset({"replicate", "attach", "composite", "flexcomp"})


def inline_include(version: Version, tag: IncludeTag) -> Change:
    """The text of an included file in place of its tag. The file itself stays on disk."""
    draft = Draft(version)
    text, there = version.texts[tag.file], version.texts.get(tag.included)
    if there is None:
        raise Refusal("The included file is not open")
    begin, end = inner_text(there)
    words, old = stripped(with_includes_from(version, there[begin:end], tag.included, tag.file))
    indent = indent_before(text, tag.start)
    if indent is not None and old is not None:
        words = reindented(words, old, indent)
    draft.put([Patch(tag.file, tag.start, tag.end, with_line_ends(words, there, text))])
    return draft.change(f"Put {file_name(tag.included)} in place of its include", keyframes=False)


def remove_include(version: Version, tag: IncludeTag) -> Change:
    """Take an include tag away, and with it what its file brings. What names that is left alone."""
    draft = Draft(version)
    draft.put([tag_removal(version, tag)])
    return draft.change(f"Delete include of {file_name(tag.included)}")


def unroll(version: Version, number: int) -> Change:
    """The copies of a replicate in place of it, each in a frame, with the names that they have had; what refers to them outside is written once for each, too, as it was.

    Replicates inside it are written out first: copies get their numbers from the inside out, so that one inside a copy would put its own behind those of this one.
    """
    draft = Draft(version)
    element = draft.element(number)
    if element.tag != "replicate":
        raise Refusal(f"{what(element)} is not a replicate")
    if version.read.errors:
        raise Refusal("The text has errors: mend these first")
    if attached := next((one for one in element.walk() if one.tag == "attach"), None):
        raise Refusal(f"{what(element)} holds {what(attached)}, whose copies have names that cannot be written with it: write that out first")
    count = copy_count(element)
    if not count:
        raise Refusal(f"{what(element)} makes no copies")
    inside = [one.id for one in _inside_out(element) if one.tag == "replicate" and one is not element]
    for inner in inside:
        _write_out(draft, inner)
    if inside:
        draft.notes.append("The replicates inside it are written out, too: else their copies would have other names")
    made = _write_out(draft, number)
    for copies_of in draft.became.values():
        copies_of.sort(key=lambda one: draft.element(one).origin.start)      # as they are made: those of an outer replicate one by one
    return draft.change(f"Write the {count} copies of {what(element)} out", made[:1])


def _inside_out(element: Element) -> Iterator[Element]:
    """An element and all that it holds, each behind what it holds itself."""
    for child in element.children:
        yield from _inside_out(child)
    yield element


def _write_out(draft: Draft, number: int) -> list[int]:
    """A replicate that holds no other in its copies; ids of their frames."""
    version, element = draft.version, draft.element(number)
    count, settings, separator = copy_count(element), settings_of(version), element.attrs.get("sep", "")
    pieces = [piece for child in element.children for piece in kinds(child, "body/replicate")]
    childclass = element.attrs.get("childclass") or element.attrs.get("class")
    referring = _referring(version, element)
    unit, wanted = unit_of(draft.text(element)), []
    for k, (pos, quat) in enumerate(copies(element, settings)):
        mapping = renamed(pieces, lambda space, name, k=k: name if space in SHARED else name + suffix(separator, count, k))
        values = name_values(pieces, mapping)
        inside = [unit + line if line.strip() else line for child in element.children for line in lines_of(version, child, values)]
        attrs = pose_attributes(*(tuple(map(float, text.split())) for text in (pos, quat))) | ({"childclass": childclass} if childclass else {})
        opening = NewElement("frame", attrs, (NewElement("geom"),) * bool(inside)).lines(unit)
        wanted.append(([opening[0], *inside, opening[-1]] if inside else opening, {"before": number}))
    made, first = draft.insert_all(wanted), _patterns(draft)
    for frame in made:
        for pattern, new in zip(element.children, draft.element(frame).children, strict=True):
            for old, copy in zip(pattern.walk(), new.walk(), strict=False):
                draft.became.setdefault(first.get(old.id, old.id), []).append(copy.id)
    draft.remove([number])
    _write_referring(draft, version, referring)
    for number, copies_of in draft.became.items():
        draft.became[number] = [one for one in copies_of if draft.version.element(one) is not None]
    return made


def _patterns(draft: Draft) -> dict[int, int]:
    """Of each copy that is written the element that stood in the text at first."""
    return {copy: number for number, copies_of in draft.became.items() for copy in copies_of}


def _referring(version: Version, element: Element) -> dict[str, tuple[list[int], list[Element]]]:
    """By section: ids of elements that go, and the copies of them that come, when this replicate alone is expanded."""
    root = alone(version.root, element)
    expanded = expand(replace(version.read, root=root)).root
    out: dict[str, tuple[list[int], list[Element]]] = {}
    for section in dict.fromkeys(kind.section for kind in KINDS):
        before = {one.id for one in root.section(section)}
        after = expanded.section(section)
        gone = [number for number in before if number not in {one.id for one in after}]
        come = [one for one in after if one.id not in before]
        if gone or come:
            out[section] = gone, come
    return out


def alone(element: Element, wanted: Element) -> Element:
    """A tree in which macros other than `wanted` are frames, which expansion leaves alone."""
    children = tuple(alone(child, wanted) for child in element.children)
    if element.id != wanted.id and element.tag in MACROS:
        return element.with_changes(tag="frame", children=() if element.tag != "replicate" else children)
    return element if all(a is b for a, b in zip(children, element.children, strict=True)) else element.with_changes(children=children)


def _write_referring(draft: Draft, before: Version, referring: Mapping[str, tuple[list[int], list[Element]]]) -> None:
    """Take elements out of sections and put copies behind all others. before: the version that they were found in."""
    first = _patterns(draft)
    for section, (gone, come) in referring.items():
        if come:
            home = {"last_in": draft.section(section)}
            patterns = [before.ids.get(copy.origin.file, {}).get(copy.origin.start) for copy in come]
            for pattern, made in zip(patterns, draft.insert_all((as_new(copy), home) for copy in come), strict=True):
                if pattern is not None:
                    draft.became.setdefault(first.get(pattern, pattern), []).append(made)
        tags, whole = emptied(draft.version, gone)
        draft.remove([number for number in gone if number not in whole], others=tags)


def as_new(element: Element) -> NewElement:
    """An element of a tree as what is to be written."""
    return NewElement(element.tag, dict(element.attrs), tuple(map(as_new, element.children)))

"""Edits that the inspector makes: each changes one attribute of one or several elements, and no other character of the texts.

    edit = set_component(subject, row, 1, lambda word: "0.25")      set_text(subject, "type", "box")      reset(subject, ("mass",))      turn_into(subject, "euler")
    rename(subject, "arm")

What a default class says already is not written: where a value becomes that of the class the element's own is taken away. A section that is not there is made at its usual place.
"""
from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping

from editor.edits.attribute_patches import patches_of
from editor.edits.element_patches import NewElement, insert_last
from editor.edits.patch import Edit, Patch
from editor.edits.sections import insert_section as place_section
from editor.inspect.orientation import quat_of, words_of
from editor.inspect.rows import ORIENTATION, Row, turn_of
from editor.inspect.subject import CLASS, MISSING, Reading, Subject
from editor.notation.numbers import same_words
from editor.notation.orientation import NOTATIONS, in_place_of
from editor.structure.rename import Renaming
from editor.wording import what
from physics.schema.numbers import parse
from physics.schema.schema import AttributeSpec, ElementSpec
from physics.spec.element import Element

__all__ = ["checked", "insert_section", "rename", "reset", "set_component", "set_text", "set_texts", "turn_into"]


def label_of(subject: Subject, name: str) -> str:
    """What an edit is called in the list of what can be undone."""
    if len(subject.elements) > 1:
        kinds = {element.tag for element in subject.elements}
        return f"{name} of {len(subject.elements)} {kinds.pop() + 's' if len(kinds) == 1 else 'elements'}"
    return f"{name} of {what(subject.active)}"


def checked(spec: AttributeSpec, text: str) -> str:
    """A text for an attribute. Raises ValueError where the language does not allow it."""
    value, problem, _warning = parse(spec, text)
    if problem:
        raise ValueError(problem)
    if value is None and spec.type in ("real", "int", "words"):
        raise ValueError("a value is wanted")
    if spec.type in ("id", "file") and not text.strip() and spec.required:
        raise ValueError("it cannot be empty")
    return text


# ---------------------------------------------------------------- one number

def set_component(subject: Subject, row: Row, index: int, change: Callable[[str], str], merge: Hashable = None, typed: bool = True) -> Edit:
    """Change one number of an attribute, of each element what `change` makes of the word that is in force there. typed: the user has said what it is to be, so that a value is
    written
    even if the language's default is the same."""
    values: dict[int, dict[str, str | None]] = {}
    for element, spec in subject.items():
        if row.name == ORIENTATION:
            values[element.id] = _turned(subject, element, spec, row.notation, index, change)
        else:
            values[element.id] = _component(subject, element, spec, spec.attributes[row.name], index, change, typed)
    return made(subject, label_of(subject, row.notation or row.name), values, merge)


def _component(subject: Subject, element: Element, kind: ElementSpec, spec: AttributeSpec, index: int, change: Callable[[str], str], typed: bool) -> dict[str, str | None]:
    """{name: new text or None} of one element; empty where nothing changes."""
    path, name = kind.path, spec.name
    words = [source.text or "0" for source in subject.reading.sources(element, path, name)]
    words += ["0"] * (index + 1 - len(words))
    new = change(words[index])
    own = element.attrs.get(name, "").split()
    if index < len(own):
        own[index] = new
        text = " ".join(own)
    else:
        text = " ".join([*([element.attrs[name].strip()] if own else []), *words[len(own):index], new])
    count = len(text.split())
    text = " ".join([text, *[words[k] if k < len(words) else "0" for k in range(count, allowed_count(spec, count))]])       # the others as they are
    return _value(subject, element, path, spec, checked(spec, text), typed)


def allowed_count(spec: AttributeSpec, count: int) -> int:
    """How many numbers a list must have that has so many at least."""
    if spec.counts is None or count in spec.counts:
        return count
    return next((allowed for allowed in spec.counts if allowed > count), count)


def _value(subject: Subject, element: Element, path: str, spec: AttributeSpec, text: str, typed: bool) -> dict[str, str | None]:
    """The change that gives an attribute this text: none where it is there already, its removal where the class says the same."""
    name = spec.name
    there = element.attrs.get(name)
    if there is not None and (there == text or spec.type in ("real", "int") and same_words(there.split(), text.split()) and not typed):
        return {}
    below = subject.reading.inherited(element, path, name)
    words = [source.text for source in below]
    wanted = text.split() if spec.type in ("real", "int", "words") else [text]
    if spec.type in ("real", "int") and isinstance(spec.counts, range) and not spec.scalar and len(wanted) < len(words):
        wanted = [*wanted, *words[len(wanted):]]
    if below and any(source.layer == CLASS for source in below) and same_words(words, wanted):
        return {name: None} if there is not None and not spec.required else {}
    if there is None and not typed and words and same_words(words, wanted):
        return {}
    return {name: text}


# ---------------------------------------------------------------- orientation

def _turned(subject: Subject, element: Element, spec, notation: str, index: int, change: Callable[[str], str]) -> dict[str, str | None]:
    """One number of an orientation; written in the notation of the row, whatever the element has now."""
    reading, path = subject.reading, spec.path
    present, sources = turn_of(reading, element, path)
    words = [source.text for source in sources]
    if present != notation:
        words = list(words_of(notation, quat_of(spec, present, words, reading.root), reading.root))
    words[index] = change(words[index])
    quat_of(spec, notation, words, reading.root)
    return in_place_of(element, notation, " ".join(words))


def turn_into(subject: Subject, notation: str, merge: Hashable = None) -> Edit:
    """Write the orientation of each element in another notation, where it gives one itself. Raises ValueError where it cannot be said so."""
    values: dict[int, dict[str, str | None]] = {}
    for element, spec in subject.items():
        mine = [name for name in NOTATIONS if element.attrs.get(name, "").split()]
        if not mine or mine == [notation]:
            continue
        words = words_of(notation, quat_of(spec, mine[0], element.attrs[mine[0]].split(), subject.reading.root), subject.reading.root)
        values[element.id] = in_place_of(element, notation, " ".join(words))
    return made(subject, label_of(subject, f"notation {notation}"), values, merge)


# ---------------------------------------------------------------- whole attributes

def set_text(subject: Subject, name: str, text: str, merge: Hashable = None, typed: bool = True) -> Edit:
    """Give an attribute this text in all elements. Raises ValueError for what the language does not allow."""
    return set_texts(subject, {name: text}, merge, typed)


def set_texts(subject: Subject, texts: Mapping[str, str], merge: Hashable = None, typed: bool = True) -> Edit:
    """The same of several attributes."""
    values: dict[int, dict[str, str | None]] = {}
    for element, spec in subject.items():
        for name, text in texts.items():
            known = spec.attributes[name]
            values.setdefault(element.id, {}).update(_value(subject, element, spec.path, known, checked(known, text), typed))
    return made(subject, label_of(subject, ", ".join(texts)), values, merge)


def reset(subject: Subject, names: Iterable[str], merge: Hashable = None) -> Edit:
    """Take attributes away that the elements give themselves, so that class or default hold; ORIENTATION: all notations. What must be given stays."""
    names = [one for name in names for one in (NOTATIONS if name == ORIENTATION else (name,))]
    values = {element.id: {name: None for name in names if name in element.attrs and not spec.attributes[name].required} for element, spec in subject.items()}
    what = "orientation" if all(name in NOTATIONS for name in names) else ", ".join(names[:3])
    return made(subject, f"Reset {label_of(subject, what)}", values, merge)


def rename(subject: Subject, name: str) -> Edit:
    """Give an element another name, and everything that refers to it, in all files. Raises ValueError for a name that is taken."""
    return Renaming(subject.reading.version, subject.active.id).edit(name)


# ---------------------------------------------------------------- texts

def made(subject: Subject, label: str, values: Mapping[int, Mapping[str, str | None]], merge: Hashable = None) -> Edit:
    """The edit that gives elements these attributes, None for one that is taken away."""
    reading = subject.reading
    patches = _patches(reading, (element for element in subject.elements if element.id != MISSING), values)
    if subject.missing:
        given = {name: text for name, text in values.get(MISSING, {}).items() if text is not None}
        patches += (insert_section(reading, subject.paths[-1], given),) if given else ()
    return Edit(label, patches, merge)


def _patches(reading: Reading, elements: Iterable[Element], values: Mapping[int, Mapping[str, str | None]]) -> tuple[Patch, ...]:
    rows = [(element, given) for element in elements if (given := values.get(element.id))]
    for element, _given in rows:
        if not reading.whole(element):
            raise ValueError(f"the tag of {what(element)} stands where the text is not well-formed: mend that first")
    return patches_of(reading.version.texts, rows)


def insert_section(reading: Reading, path: str, attrs: Mapping[str, str]) -> Patch:
    """Put in a section, or an element of one that is there, at its usual place in the main file. Raises ValueError while a text is no XML."""
    if reading.broken:
        raise ValueError("a text is not well-formed: mend it first")
    tags = path.split("/")
    parent, texts = reading.root, reading.version.texts
    while tags and (node := next(reversed(parent.all(tags[0])), None)) is not None and len(tags) > 1:
        parent, tags = node, tags[1:]
    new = NewElement(tags[-1], dict(attrs))
    for tag in reversed(tags[:-1]):
        new = NewElement(tag, {}, (new,))
    if parent is not reading.root:
        return insert_last(texts[parent.origin.file], parent, new)
    return place_section(texts[parent.origin.file], parent, new)

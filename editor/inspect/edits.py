"""Edits that the inspector makes: each changes one attribute of one or several elements, and no other character of the texts.

    edit = set_component(subject, row, 1, lambda word: "0.25")      set_text(subject, "type", "box")      reset(subject, ("mass",))      turn_into(subject, "euler")
    rename(subject, "arm")

What a default class says already is not written: where a value becomes that of the class the element's own is taken away. A section that is not there is made at its usual place.
"""
from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping

from editor.edits.attribute_patches import attribute_patches
from editor.edits.element_patches import NewElement, insert_last
from editor.edits.patch import Edit, Patch
from editor.edits.sections import new_section
from editor.inspect.orientation import NOTATIONS, quat_of, words_of
from editor.inspect.rows import ORIENTATION, Row, turn_of
from editor.inspect.subject import CLASS, MISSING, Reading, Subject
from editor.inspect.values import same_words
from physics.schema.numbers import parse
from physics.schema.schema import AttributeSpec, ElementSpec
from physics.spec.element import Element

__all__ = ["checked", "insert_section", "rename", "reset", "set_component", "set_text", "turn_into"]

def label_of(subject: Subject, name: str) -> str:
    """What an edit is called in the list of what can be undone."""
    if len(subject.elements) > 1:
        kinds = {element.tag for element in subject.elements}
        return f"{name} of {len(subject.elements)} {kinds.pop() + 's' if len(kinds) == 1 else 'elements'}"
    return f"{name} of {called(subject.active)}"


def called(element: Element) -> str:
    """What a person calls an element: 'geom torso', 'default visual', 'option'."""
    name = element.name or element.attrs.get("class", "") * (element.tag == "default")
    return f"{element.tag} {name}" if name else element.tag


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
    return _with_notation(element, notation, " ".join(words))


def _with_notation(element: Element, notation: str, text: str) -> dict[str, str | None]:
    return {**{name: None for name in NOTATIONS if name in element.attrs and name != notation}, **({notation: text} if element.attrs.get(notation) != text else {})}


def turn_into(subject: Subject, notation: str, merge: Hashable = None) -> Edit:
    """Write the orientation of each element in another notation, where it gives one itself. Raises ValueError where it cannot be said so."""
    values: dict[int, dict[str, str | None]] = {}
    for element, spec in subject.items():
        mine = [name for name in NOTATIONS if element.attrs.get(name, "").split()]
        if not mine or mine == [notation]:
            continue
        words = words_of(notation, quat_of(spec, mine[0], element.attrs[mine[0]].split(), subject.reading.root), subject.reading.root)
        values[element.id] = _renamed(element, mine[0], notation, " ".join(words))
    return made(subject, label_of(subject, f"notation {notation}"), values, merge)


def _renamed(element: Element, old: str, new: str, text: str) -> dict[str, str | None]:
    return {new: text, **{name: None for name in NOTATIONS if name in element.attrs and name != new}} if old != new else {new: text}


# ---------------------------------------------------------------- whole attributes

def set_text(subject: Subject, name: str, text: str, merge: Hashable = None, typed: bool = True) -> Edit:
    """Give an attribute this text in all elements. Raises ValueError for what the language does not allow."""
    values = {}
    for element, spec in subject.items():
        known = spec.attributes[name]
        values[element.id] = _value(subject, element, spec.path, known, checked(known, text), typed)
    return made(subject, label_of(subject, name), values, merge)


def reset(subject: Subject, names: Iterable[str], merge: Hashable = None) -> Edit:
    """Take attributes away that the elements give themselves, so that class or default hold; ORIENTATION: all notations. What must be given stays."""
    names = [one for name in names for one in (NOTATIONS if name == ORIENTATION else (name,))]
    values = {element.id: {name: None for name in names if name in element.attrs and not spec.attributes[name].required} for element, spec in subject.items()}
    what = "orientation" if all(name in NOTATIONS for name in names) else ", ".join(names[:3])
    return made(subject, f"Reset {label_of(subject, what)}", values, merge)


def rename(subject: Subject, name: str, attribute: str = "name") -> Edit:
    """Give an element another name, and everything that refers to it, in all files. Raises ValueError for a name that is taken."""
    reading, element, spec = subject.reading, subject.active, subject.spec.attributes[attribute]
    name, before = name.strip(), element.attrs.get(attribute, "")
    if spec.required and not name:
        raise ValueError("a name is wanted")
    other = reading.names.find(spec.namespace, name) if name else None
    if other is not None and other.id != element.id and spec.namespace != "model":
        raise ValueError(f"the {spec.namespace} name '{name}' is taken already, at {other.place}")
    values: dict[int, dict[str, str | None]] = {element.id: {attribute: name or None}} if name != before else {}
    elements = {element.id: element}
    if before and name and name != before and spec.namespace not in ("", "model"):
        for user, where in reading.names.users_of(spec.namespace, before):
            values.setdefault(user.id, {})[where] = name
            elements[user.id] = user
    return Edit(f"Rename {called(element)} to {name or 'nothing'}", _patches(reading, (elements[number] for number in values), values))


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
    texts, out, seen = reading.version.texts, [], set()
    for element in elements:
        place = (element.origin.file, element.origin.start)
        given = values.get(element.id)
        if not given or place in seen:
            continue
        seen.add(place)
        if not reading.whole(element):
            raise ValueError(f"the tag of {called(element)} stands where the text is not well-formed: mend that first")
        if element.origin.file not in texts:
            raise ValueError(f"{element.origin.file or called(element)} is no text of this document")
        out += attribute_patches(texts[element.origin.file], element, given)
    return tuple(out)


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
    return new_section(texts[reading.root.origin.file], reading.root, new)

"""Copies of elements under other names: names that are declared inside, and what names them inside, change together."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from editor.edits.indentation import LINE_END, indent_before, reindented, with_comment_above
from editor.edits.version import Version
from editor.structure.draft import Change, Draft, Refusal, outermost, text_of
from editor.structure.includes import source_of
from editor.structure.legality import path_of_kind, why_not
from editor.wording import what
from physics.errors import Issue
from physics.expand.renaming import references
from physics.mjcf.xml import parse_xml
from physics.schema import schema
from physics.schema.schema import ElementSpec
from physics.spec.defaults import Resolver, default_tag
from physics.spec.element import Element
from physics.spec.names import Names, declared_name, free_name

__all__ = ["copied_text", "duplicate", "paste"]

_DECLARATION = re.compile(r"\A\ufeff?\s*<\?xml\b.*?\?>", re.DOTALL)
UNKNOWN = ("class", "childclass", "material")      # what is pasted can do without, where there is none of that name

Renamed = dict[tuple[str, str], str]        # (namespace, name) -> new name
Values = dict[int, dict[str, str | None]]
Namer = Callable[[str, str], str]


def kinds(element: Element, parent: str) -> Iterator[tuple[Element, ElementSpec]]:
    """An element and all that it holds, as far as the language knows it. parent: path of the kind that it stands in."""
    spec = schema.child_spec(parent, element.tag)
    if spec is None:
        return
    yield element, spec
    for child in element.children:
        yield from kinds(child, spec.path)


def namespace_of(spec: ElementSpec) -> str:
    """Where the names of a kind live, '' for none."""
    known = spec.attributes.get("class" if spec.path == "default" else "name")
    return known.namespace if known is not None and known.type == "id" else ""


def renamed(pieces: Iterable[tuple[Element, ElementSpec]], namer: Namer) -> Renamed:
    """New names of all that is declared. namer(namespace, name)."""
    out: Renamed = {}
    for element, spec in pieces:
        namespace, name = namespace_of(spec), declared_name(element, spec.path)
        if namespace and name and (namespace, name) not in out:
            out[namespace, name] = namer(namespace, name)
    return out


def name_values(pieces: Iterable[tuple[Element, ElementSpec]], names: Renamed) -> Values:
    """Attributes that have another value under new names."""
    out: Values = {}
    for element, spec in pieces:
        values: dict[str, str | None] = {}
        namespace, name = namespace_of(spec), declared_name(element, spec.path)
        if (namespace, name) in names:
            values["class" if spec.path == "default" else "name"] = names[namespace, name]
        for ref in references(element, spec.path):
            if (ref.namespace, ref.name) in names:
                values[ref.attribute] = names[ref.namespace, ref.name]
        if spec.path == "body/attach" and "model" not in element.attrs:
            values |= {kind: names[kind, element.attrs[kind]] for kind in ("body", "frame") if (kind, element.attrs.get(kind, "")) in names}
        if spec.path == "body/attach" and element.attrs.get("prefix"):
            values["prefix"] = names.setdefault(("prefix", element.attrs["prefix"]), element.attrs["prefix"] + "copy_")
        if values:
            out[element.id] = values
    return out


def unique_namer(names: Names, wanted: Callable[[str], str] = lambda name: name) -> Namer:
    """Names that neither the model nor an earlier copy has. wanted: of a name that which its copy has where it is free."""
    taken: dict[str, set[str]] = {"model": {element.name for element, spec, _parent in names.entries if spec.path == "asset/model"}}     # these may be given twice, and are no names of the tree

    def namer(namespace: str, name: str) -> str:
        mine = taken.setdefault(namespace, set(names.declared.get(namespace, ())))
        new = free_name(wanted(name), mine)
        mine.add(new)
        return new

    return namer


def lines_of(version: Version, element: Element, values: Mapping[int, Mapping[str, str | None]], with_comment: bool = True) -> list[str]:
    """The lines of an element with other values, the first without indentation, the others without what all have."""
    text, start = text_of(version, element), element.origin.start
    if with_comment:
        start = with_comment_above(text, start)
    words, indent = source_of(version, element, values, start), indent_before(text, element.origin.start)
    return LINE_END.split(reindented(words, indent, "") if indent is not None else words)


def parent_path(version: Version, element: Element) -> str:
    """The path of the kind that an element stands in."""
    return path_of_kind(version, version.parent(element.id).id)


def duplicate(version: Version, numbers: Iterable[int]) -> Change:
    """A copy of each element behind it, with names of its own. Raises Refusal where there may only be one."""
    draft = Draft(version)
    chosen, namer = outermost(version, numbers), unique_namer(draft.names())
    if not chosen:
        raise Refusal("Nothing is selected that can be copied")
    pieces = [piece for number in chosen for piece in kinds(draft.element(number), parent_path(version, draft.element(number)))]
    values = name_values(pieces, renamed(pieces, namer))
    for number in chosen:
        element, parent = draft.element(number), version.parent(number)
        if parent.id == version.root.id:
            raise Refusal(f"<{element.tag}> is a section of the model, which is not copied")
        if reason := why_not(version, parent.id, element.tag):
            raise Refusal(reason)
    made = draft.insert_all((lines_of(version, version.element(number), values), {"after": number}) for number in chosen)
    first = version.element(chosen[0])
    return draft.change(f"Duplicate {what(first)}" if len(chosen) == 1 else f"Duplicate {len(chosen)} elements", made)


def copied_text(version: Version, numbers: Iterable[int]) -> str:
    """Elements as text for the clipboard, with comments directly above, with what they include, and naming the default class that is in force around them.

    Raises Refusal for nothing.
    """
    chosen = outermost(version, numbers)
    if not chosen:
        raise Refusal("Nothing is selected that can be copied")
    values = _with_class(version, chosen)
    return "\n".join(line for number in chosen for line in lines_of(version, version.element(number), values)) + "\n"


def _with_class(version: Version, chosen: Iterable[int]) -> Values:
    """The default class that is in force around elements, for them to name: elsewhere it may be another."""
    out, resolver = {}, Resolver(version.root)
    for number in chosen:
        element = version.element(number)
        if element.id not in resolver.context or {"class", "childclass"} & element.attrs.keys() or resolver.inherited(element) == "main":
            continue
        if element.tag in ("body", "frame", "replicate"):
            out[number] = {"childclass": resolver.inherited(element)}
        elif default_tag(resolver.spec(element).path):
            out[number] = {"class": resolver.inherited(element)}
    return out


def paste(version: Version, text: str, parent: int, before: int | None = None) -> Change:
    """Elements of a text put into `parent`, before one of its children or behind all of them, or, where they cannot stand there, into the section of the model that is for
    them; names that there are already become others. Raises Refusal for what is no MJCF of any place here."""
    draft, text = Draft(version), _DECLARATION.sub("", text)
    issues: list[Issue] = []
    read = parse_xml(f"<mujoco>{text}</mujoco>", "clipboard", issues, lambda include: (include,))
    if read is None or not read.children:
        raise Refusal("The clipboard holds no elements of a model" + (f": {issues[0].what}" if issues and "<" in text else ""))
    tops = read.children[0].children if len(read.children) == 1 and read.children[0].tag in ("mujoco", "mujocoinclude") else read.children
    homes = [_home(draft, parent, one) for one in tops]
    names, known = draft.names(), unique_namer(draft.names())
    pieces = [piece for one, (_home_id, path) in zip(tops, homes, strict=True) for piece in kinds(one, path)]
    mapping = renamed(pieces, known)
    values = name_values(pieces, {key: new for key, new in mapping.items() if key[1] != new})
    for element, spec in pieces:
        for ref in references(element, spec.path):
            if ref.attribute in UNKNOWN and names.find(ref.namespace, ref.name) is None and (ref.namespace, ref.name) not in mapping:
                values.setdefault(element.id, {})[ref.attribute] = None
                draft.notes.append(f"{what(element)}: there is no {ref.namespace} '{ref.name}' here, {ref.attribute} is left out")
    for one, (home, _path) in zip(tops, homes, strict=True):      # the class that is in force there anyway
        there = _class_inside(draft, home)
        for name in ("class", "childclass"):
            if one.attrs.get(name) == there:
                values.setdefault(one.id, {})[name] = None
    source = Version("clipboard", None, {"clipboard": f"<mujoco>{text}</mujoco>"}, version.read, {})
    made = draft.insert_all((LINE_END.split(_dedented(source_of(source, one, values))), {"before": before} if before is not None and home == parent else {"last_in": home})
                            for one, (home, _path) in zip(tops, homes, strict=True))
    return draft.change(f"Paste {what(tops[0])}" if len(tops) == 1 else f"Paste {len(tops)} elements", made)


def _class_inside(draft: Draft, number: int) -> str:
    """The default class in force for what stands in an element; '' where it does not matter."""
    resolver, element = draft.resolver(), draft.element(number)
    if element.tag not in ("body", "frame", "replicate", "worldbody") or element.id not in resolver.context:
        return ""
    return element.attrs.get("childclass") or (element.attrs.get("class") if element.tag == "frame" else "") or resolver.inherited(element)


def _home(draft: Draft, parent: int, element: Element) -> tuple[int, str]:
    """(what an element is put into, path of its kind)."""
    reason = why_not(draft.version, parent, element.tag)
    if not reason:
        return parent, path_of_kind(draft.version, parent)
    for section in schema.lookup("mujoco").children if schema.child_spec("body", element.tag) is None else ():
        if section not in ("default", "worldbody") and schema.child_spec(section, element.tag) is not None and schema.lookup(section).cardinality == "*":
            return draft.section(section), section
    raise Refusal(reason)


def _dedented(words: str) -> str:
    """Lines after the first without the indentation that all of them have, but for what stands deeper than the first."""
    lines = LINE_END.split(words)
    rest = [line for line in lines[1:] if line.strip()]
    least = min((len(line) - len(line.lstrip()) for line in rest), default=0)
    return "\n".join([lines[0], *(line[least:] if line.strip() else line for line in lines[1:])])

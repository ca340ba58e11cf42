"""Models as assets, and the attachment of their parts.

A child model is read with its own includes, folder and compiler settings, and expanded for itself. Attaching copies a body, a frame or its
whole tree under a prefix; all its assets and default classes come along, and of everything else what refers to the copied part.
Source: MuJoCo's XML reference, body/attach and asset/model; programming chapter "Model editing", section "Attachment".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from types import MappingProxyType

from physics.errors import Issue
from physics.expand.assembly import Assembly
from physics.expand.conflicts import GlobalSettings
from physics.expand.key_layout import KeyLayout, layout_of
from physics.expand.referrers import KINDS
from physics.expand.renaming import Renaming, Template, with_attrs
from physics.expand.unfold import Walk
from physics.mjcf.reader import ReadResult, model_path, read_attached
from physics.spec.defaults import Resolver, default_tag
from physics.spec.element import Element, new_id
from physics.spec.links import Traces
from physics.spec.names import declared_name

__all__ = ["Attacher", "Child", "read_children"]

MAX_NESTED = 32  # models within models

_PLAIN = (("asset", None), ("custom", frozenset({"numeric", "text"})))   # sections copied whole, whoever refers to them


@dataclass(slots=True)
class Child:
    """A model to attach from. root: expanded; models, keys, traces: as of Assembly; read_result: what the file gave.

    given: its keyframes that were attached: (id of the copy, what its numbers stood for here).
    """

    root: Element
    read_result: ReadResult
    models: Mapping[int, ReadResult]
    keys: Mapping[int, KeyLayout]
    traces: Traces
    assembly: Assembly
    resolver: Resolver
    settings: GlobalSettings
    layout: KeyLayout | None = None
    given: list[tuple[int, KeyLayout]] = field(default_factory=list)

    def find(self, kind: str, name: str) -> Element | None:
        """The body or frame of a name; 'world' is the whole tree as a body."""
        worlds = self.root.all("worldbody")
        if kind == "body" and name == "world":
            body = Element(new_id(), "body", {"name": "world"}, tuple(child for world in worlds for child in world.children), self.root.origin)
            self.traces.elements[body.id] = worlds[0].id if worlds else self.root.id
            return body
        return next((e for world in worlds for e in world.walk() if e.tag == kind and e.name == name), None)


def read_children(expanded, expand) -> dict[str, Child | None]:
    """The models named in <asset>, by name, each read and expanded; problems are added to expanded.issues.

    expanded: of expand/expand.py, whose function `expand` is given too. A model that cannot be used is None.
    """
    found: dict[str, Child | None] = {}
    read: dict[str, Child | None] = {}
    for section in expanded.root.all("asset"):
        for element in section.all("model"):
            path = _find(expanded, element)
            if path is None:
                found.setdefault(element.name, None)
                continue
            if path not in read:
                read[path] = _read_child(expanded, element, path, expand)
            child = read[path] and replace(read[path], given=[])
            name = element.name or ("" if child is None else child.root.attrs.get("model", "MuJoCo Model"))
            found.setdefault(name, child)
    return found


def _find(expanded, element: Element) -> str | None:
    """Path of a model asset's file; None, with an issue, when it cannot be read."""
    name = element.attrs.get("file", "").replace("\\", "/")
    source, what = expanded.read_result.source, ""
    path = model_path(expanded.read_result, element)
    if not name:
        return None  # the reader has said so
    if path is None:
        what, hint = f"model file '{name}' was not found", f"Looked for {source.join(name)}"
    elif source.identity(path) in expanded.chain:
        what, hint = f"the model '{name}' contains itself", "through " + " -> ".join([*expanded.chain, path])
    elif len(expanded.chain) > MAX_NESTED:
        what, hint = f"models are nested more than {MAX_NESTED} deep", ""
    if what:
        _report(expanded, element, what, hint)
        return None
    return path


def _read_child(expanded, element: Element, path: str, expand) -> Child | None:
    read_result = read_attached(expanded.read_result, path, expanded.attached)
    expanded.sources.update(read_result.sources)
    expanded.issues += read_result.issues
    if read_result.errors or read_result.root is None or read_result.root.tag != "mujoco":
        if not read_result.errors:
            _report(expanded, element, f"'{element.attrs['file']}' is not a model", "A model starts with <mujoco>")
        return None
    inner = expand(read_result, expanded.compat, expanded.chain, expanded.attached)
    expanded.sources.update(inner.sources)
    expanded.issues += inner.issues
    if any(issue.severity == "error" for issue in inner.issues):
        return None
    assembly = Assembly(inner.root, inner.models, inner.traces)
    assembly.renamed.update(inner.renamed)
    return Child(inner.root, read_result, inner.models, inner.keys, inner.traces, assembly, Resolver(inner.root), GlobalSettings(inner.root))


def _report(expanded, element: Element, what: str, hint: str) -> None:
    expanded.issues.append(Issue("error", element.attr_place("file"), f"mujoco/asset/model[{element.name}]", what, hint))


class Attacher:
    """What attach elements of one model make. children: model name -> Child, None for one that could not be read."""

    def __init__(self, assembly: Assembly, children: Mapping[str, Child | None]) -> None:
        self.assembly, self.children = assembly, children
        self.settings = GlobalSettings(assembly.root)
        self._said: set[tuple[int, str]] = set()
        self._classes = {e.attrs["class"] for e in assembly.root.walk() if e.tag == "default" and "class" in e.attrs} | {"main"}

    def __call__(self, walk: Walk, element: Element) -> tuple[Element, ...]:
        """The elements in place of an attach element; none, with an issue, when it cannot be done."""
        kind = next((kind for kind in ("body", "frame") if element.attrs.get(kind)), "")
        name, prefix = element.attrs.get(kind, ""), element.attrs.get("prefix", "")
        if kind and self.assembly.known(kind, prefix + name):
            walk.error(element, f"the {kind} name '{prefix}{name}' is already used", "Choose another prefix", "prefix")
            return ()
        if "model" not in element.attrs:
            return self._own(walk, element, kind, name, prefix)
        model = element.attrs["model"]
        if model not in self.children:
            near = get_close_matches(model, self.children, n=1, cutoff=0.6)
            walk.error(element, f"unknown model '{model}'", f"Did you mean '{near[0]}'?" if near else 'Name it by <asset><model name="..." file="..."/>', "model")
            return ()
        child = self.children[model]
        return () if child is None else self._foreign(walk, element, child, (kind, name, prefix))

    def _own(self, walk: Walk, element: Element, kind: str, name: str, prefix: str) -> tuple[Element, ...]:
        if not kind:
            walk.error(element, "an attachment within one model needs a body or frame")
            return ()
        wanted = ("worldbody", "") if (kind, name) == ("body", "world") else (kind, name)
        source, around = next(((e, c) for e, c in walk.written() if (e.tag, e.name) == wanted), (None, "main"))
        if source is None:
            walk.error(element, f"no {kind} '{name}' stands before this place", "Define what is attached first", kind)
            return ()
        if source.tag == "worldbody":
            world, source = source, Element(new_id(), "body", {"name": "world"}, source.children, source.origin)
            self.assembly.traces.elements[source.id] = world.id
        source = _in_class(source, around)
        template, renaming = Template((source,), "body"), Renaming(prefix)
        candidates = self.assembly.touching(template.names)
        made: dict[int, Element] = {}
        result = self._stamp(template, renaming, made)
        self.assembly.copy_referring(candidates, renaming, made)
        self.assembly.inherit(made)
        self.assembly.trace(made, element, 0)
        self.assembly.move_keys(made)
        return result

    def _foreign(self, walk: Walk, element: Element, child: Child, wanted: tuple[str, str, str]) -> tuple[Element, ...]:
        kind, name, prefix = wanted
        source = child.find(kind, name) if kind else None
        if kind and source is None:
            walk.error(element, f"the model '{element.attrs['model']}' has no {kind} '{name}'", "", kind)
            return ()
        if not self._settle(walk, element, child):
            return ()
        renaming = Renaming(prefix, classes=self._defaults(child, prefix))
        made: dict[int, Element] = {}
        for section, tags in _PLAIN:
            self._copy_section(child, section, tags, renaming, made)
        result = self._tree(child, source, element, renaming, made)
        self.assembly.copy_referring({kind: child.assembly.of_kind(kind) for kind in KINDS}, renaming, made, child.assembly)
        self._copy_keys(child, renaming, made)
        self.assembly.trace(made, element, 0, child.traces)
        for old, new in made.items():
            self.assembly.models[new.id] = child.models.get(old, child.read_result)
        return result

    def _settle(self, walk: Walk, element: Element, child: Child) -> bool:
        errors, warnings = self.settings.meet(child.settings)
        for what in errors:
            walk.error(element, what, 'conflict="error"' if self.settings.policy == "error" else "They cannot be merged", "model")
        self.assembly.settings = self.settings.elements(element.origin)
        for what in warnings:
            if (id(child), what) not in self._said:
                self._said.add((id(child), what))
                self.assembly.warn(element, walk.path(element), what)
        return not errors

    def _tree(self, child: Child, source: Element | None, element: Element, renaming: Renaming, made: dict) -> tuple[Element, ...]:
        main = renaming.classes["main"]
        if source is not None:
            around = child.resolver.inherited(source) if source.name != "world" or source.tag == "frame" else "main"
            return self._stamp(Template((_in_class(source, around),), "body"), renaming, made)
        tops = tuple(e for world in child.root.all("worldbody") for e in world.children)
        inside = self._stamp(Template(tops, "body"), renaming, made)
        return (Element(new_id(), "frame", {"childclass": main}, inside, element.origin),)

    def _stamp(self, template: Template, renaming: Renaming, made: dict) -> tuple[Element, ...]:
        self.assembly.room(template.size)
        self.assembly.enter({space: [renaming.in_space(space, name) for name in names] for space, names in template.names.items()})
        return template.stamp(renaming, made)

    def _defaults(self, child: Child, prefix: str) -> dict[str, str]:
        """Copy the child's default classes; the new name of each."""
        tops = child.root.all("default")
        classes = {"main": self._free_class(prefix + "main")}
        for top in tops:
            for default in top.walk():
                name = default.attrs.get("class")
                if default.tag == "default" and name and name not in classes:
                    classes[name] = self._free_class(prefix + name)
        renaming, made = Renaming(prefix, classes=classes), {}
        if not any(top.attrs.get("class", "main") in ("", "main") for top in tops):
            tops = (Element(new_id(), "default", origin=child.root.origin), *tops)
        for top in tops:
            named = top if top.attrs.get("class") else top.with_changes(attrs=MappingProxyType({**top.attrs, "class": "main"}))
            template = Template((named,), "mujoco")
            self.assembly.room(template.size)
            self.assembly.defaults.extend(template.stamp(renaming, made))
        for old, new in made.items():
            self.assembly.models[new.id] = child.models.get(old, child.read_result)
        return classes

    def _free_class(self, preferred: str) -> str:
        name, number = preferred, 1
        while name in self._classes:
            number += 1
            name = f"{preferred}@{number}"
        self._classes.add(name)
        return name

    def _copy_section(self, child: Child, section: str, tags, renaming: Renaming, made: dict) -> None:
        """Copy elements whatever refers to them; those without a class get the child's main one."""
        for top in child.root.all(section):
            for old in top.children:
                if old.tag in ("model", "skin") or (tags and old.tag not in tags):
                    continue
                template = Template((old,), section)
                self.assembly.room(template.size)
                new = template.stamp(renaming, made)[0]
                path = f"{section}/{old.tag}"
                extra = {"name": renaming.name(declared_name(old, path))} if declared_name(old, path) else {}
                if default_tag(path) and not old.attrs.get("class"):
                    extra["class"] = renaming.classes["main"]
                made[old.id] = new = with_attrs(new, extra)
                self.assembly.add(section, new, old.tag)

    def _copy_keys(self, child: Child, renaming: Renaming, made: dict) -> None:
        """Keyframes of the child, with what their numbers stand for now."""
        keys = child.root.section("keyframe")
        if keys and child.layout is None:
            child.layout = layout_of(child.root, child.resolver)
        for key_id, layout in child.given:   # what was not attached before sets these too: as the official compiler has it
            self.assembly.keys[key_id] = self.assembly.keys[key_id].filled(layout, made)
        for key in keys:
            # one that came with a model inside the child keeps its name; one without a name gets the prefix alone
            new = with_attrs(key, {} if key.id in child.keys else {"name": renaming.prefix + key.name})
            made[key.id] = new
            layout = child.keys.get(key.id, child.layout)
            self.assembly.keys[new.id] = layout.moved(made)
            child.given.append((new.id, layout))
            self.assembly.add("keyframe", new, "key")


def _in_class(element: Element, around: str) -> Element:
    """A body or frame that carries the default class around it, for standing elsewhere."""
    if element.attrs.get("childclass"):
        return element
    return element.with_changes(attrs=MappingProxyType({**element.attrs, "childclass": element.attrs.get("class") or around}))

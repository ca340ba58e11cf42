"""Old words turned into today's: a tree of MuJoCo 2.x or early 3.x becomes one that says the same in MuJoCo 4.0's language.

What is gone without a trace on the numbers (apirate, sensornoise, convexhull) is left out; the reader has said so with its place
(schema/table_legacy.py). Elements that change keep their id and origin, so messages still point at the old words. Composites are not
taken apart here but in expand/composite, and distance constraints stay what they are: the engine has them.

    option mpr_iterations, mpr_tolerance       -> ccd_iterations, ccd_tolerance              (renamed in 3.2.3)
    option collision="predefined"              -> contype and conaffinity 0 on all geoms     (gone in 3.0)
    option collision="dynamic"                 -> no contact/pair                            (gone in 3.0)
    flag passive                               -> flags spring and damper                    (split in 3.3.6)
    compiler exactmeshinertia="true"           -> inertia="exact" as the default of meshes   (gone in 3.2.5)
    camera orthographic                        -> projection                                 (3.5)
    material/<role>                            -> layer role                                 (3.2.5)
    extension/required                         -> extension/plugin                           (2.3.3)

Source: the changelog and XML references of MuJoCo 2.2 to 4.0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from physics.schema.table_legacy import MATERIAL_ROLES, RENAMED
from physics.spec.element import Element, Spans, new_id

__all__ = ["modernize"]

_NEW_NAME = MappingProxyType({old: new for (_path, old), new in RENAMED.items()})
_IGNORED = frozenset({"convexhull", "exactmeshinertia", "apirate", "collision", "sensornoise"})
_TOUCHED = frozenset((*_NEW_NAME, *_IGNORED, "passive", "orthographic"))
_SETTINGS = frozenset({"compiler", "option", "flag"})
_COLLIDES = frozenset({"geom", "contact", "composite"})
_NO_MASKS = MappingProxyType({"contype": "0", "conaffinity": "0"})


def modernize(root: Element) -> Element:
    """The same model in today's words; `root` itself where nothing is old."""
    collision = _last(root, "option", "collision")
    exact = _last(root, "compiler", "exactmeshinertia") == "true"
    root = _rebuilt(root, _renamed) if any(_is_old(element) for element in root.walk()) else root
    if exact:
        mesh = Element(new_id(), "mesh", MappingProxyType({"inertia": "exact"}))
        root = root.with_changes(children=(Element(new_id(), "default", children=(mesh,)), *root.children))
    if collision == "dynamic":
        root = _sections(root, "contact", lambda kids: tuple(e for e in kids if e.tag != "pair"))
    elif collision == "predefined":
        root = _sections(root, "worldbody", lambda kids: tuple(_rebuilt(e, _masked) for e in kids))
        root = _sections(root, "deformable", lambda kids: tuple(_rebuilt(e, _masked) for e in kids))
    return root


def _last(root: Element, tag: str, attribute: str) -> str:
    """The text in force of an attribute of a section that may be repeated; '' when none is given."""
    return next((e.attrs[attribute] for e in reversed(root.all(tag)) if attribute in e.attrs), "")


def _sections(root: Element, tag: str, change: Callable[[tuple[Element, ...]], tuple[Element, ...]]) -> Element:
    """A root with the children of every section `tag` changed; the same root when they stay."""
    children = []
    for child in root.children:
        kids = change(child.children) if child.tag == tag else child.children
        same = len(kids) == len(child.children) and all(a is b for a, b in zip(kids, child.children, strict=True))
        children.append(child if same else child.with_changes(children=kids))
    if all(a is b for a, b in zip(children, root.children, strict=True)):
        return root
    return root.with_changes(children=tuple(children))


def _rebuilt(root: Element, change: Callable[[Element], Element]) -> Element:
    """The tree with `change` applied to every element, lower ones first; unchanged parts are shared. No recursion."""
    stack: list[tuple[Element, list[Element]]] = [(root, [])]
    while True:
        element, done = stack[-1]
        if len(done) < len(element.children):
            stack.append((element.children[len(done)], []))
            continue
        if any(a is not b for a, b in zip(done, element.children, strict=True)):
            element = element.with_changes(children=tuple(done))
        element = change(element)
        stack.pop()
        if not stack:
            return element
        stack[-1][1].append(element)


def _is_old(element: Element) -> bool:
    if element.tag == "required" or (element.tag == "material" and any(child.tag in MATERIAL_ROLES for child in element.children)):
        return True
    return not _TOUCHED.isdisjoint(element.attrs)


def _renamed(element: Element) -> Element:
    if not _is_old(element):
        return element
    if element.tag == "required":
        return element.with_changes(tag="plugin")
    if element.tag == "material":
        return element.with_changes(children=tuple(_layer(child) for child in element.children))
    attrs: dict[str, str] = {}
    source: dict[str, str] = {}
    for name, text in element.attrs.items():
        for new, value in _today(element.tag, name, text):
            if new == name or new not in element.attrs:  # today's word, where both are given, wins
                attrs[new], source[new] = value, name
    return element.with_changes(attrs=MappingProxyType(attrs), origin=_moved(element, source))


def _today(tag: str, name: str, text: str) -> tuple[tuple[str, str], ...]:
    """What an attribute is called and says today."""
    if name in _NEW_NAME:
        return ((_NEW_NAME[name], text),)
    if tag in _SETTINGS and name in _IGNORED:
        return ()
    if tag == "flag" and name == "passive":
        return (("spring", text), ("damper", text))
    if tag == "camera" and name == "orthographic":
        return (("projection", "orthographic" if text == "true" else "perspective"),)
    return ((name, text),)


def _moved(element: Element, source: Mapping[str, str]):
    """The origin, with the new names at the old names' places."""
    open_end, spans = element.origin.tag.opening(element.origin.start)
    return element.origin._replace(tag=Spans(open_end, MappingProxyType({new: spans[old] for new, old in source.items() if old in spans})))


def _layer(child: Element) -> Element:
    if child.tag not in MATERIAL_ROLES:
        return child
    return child.with_changes(tag="layer", attrs=MappingProxyType({"role": child.tag, **child.attrs}))


def _masked(element: Element) -> Element:
    """A geom or flexible object that collides with nothing by itself."""
    if element.tag not in _COLLIDES:
        return element
    if element.tag != "composite":
        return element.with_changes(attrs=MappingProxyType({**element.attrs, **_NO_MASKS}))
    if element.first("geom") is not None:
        return element
    return element.with_changes(children=(*element.children, Element(new_id(), "geom", _NO_MASKS, origin=element.origin)))

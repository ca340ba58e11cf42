"""An attached part written out: the elements of the other file under their prefix, in the units and from the folders of this model, in place of the attach."""
from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from editor.edits.element_patches import NewElement
from editor.edits.version import Version
from editor.notation.numbers import numbers_text
from editor.notation.orientation import notation_text
from editor.structure.draft import Change, Draft, Refusal
from editor.structure.inlining.replicates import alone, as_new
from editor.wording import what
from physics.expand.expand import Expanded, expand
from physics.expand.replicate import angle_settings
from physics.rotation.orientation import from_euler, radians
from physics.schema import schema
from physics.spec.asset_folders import FOLDERS, AssetFolders
from physics.spec.defaults import Resolver, default_tag
from physics.spec.element import Element

__all__ = ["inline_attach"]

# what <compiler> says of elements: it holds for a whole text
MATTERS = ("autolimits", "balanceinertia", "boundinertia", "boundmass", "coordinate", "discardvisual", "fusestatic", "fitaabb", "alignfree", "inertiafromgeom", "inertiagrouprange",
           "settotalmass")
JOINT_ANGLES = ("range", "ref", "springref")


def inline_attach(version: Version, number: int) -> Change:
    """The attached elements in place of an attach, their assets, classes and all that refers to them in the sections of this model. Keyframes of the other file are left out.

    Raises Refusal where the other file's <compiler> says what cannot be said for a part of a text.
    """
    draft = Draft(version)
    element = draft.element(number)
    if element.tag != "attach":
        raise Refusal(f"{what(element)} is not an attach")
    if version.read.errors:
        raise Refusal("The text has errors: mend these first")
    parent, known = draft.parent(number), {one.id for one in version.root.walk()}
    expanded = expand(replace(version.read, root=alone(version.root, element)))
    if any(issue.severity == "error" for issue in expanded.issues):
        raise Refusal(next(issue.what for issue in expanded.issues if issue.severity == "error"))
    here = next(one for one in expanded.root.walk() if one.id == parent.id)
    products = [child for child in here.children if child.id not in known]
    writer = _Writer(version, expanded)
    made = draft.insert_all((writer.written(child), {"before": number}) for child in products)
    draft.remove([number])
    _defaults(draft, expanded.root, known, writer)
    for section in expanded.root.children:
        new = [child for child in section.children if child.id not in known and child.tag != "default"]
        if section.tag == "keyframe":
            draft.notes += ["The keyframes of the other file are left out"] if new else []
        elif section.tag not in ("worldbody", "default"):
            if new:
                home = {"last_in": draft.section(section.tag)}
                draft.insert_all((writer.written(child), home) for child in new)
            if section.id not in known and not section.children and section.attrs:      # options that were merged
                draft.insert(as_new(section), after=draft.section(section.tag))
    return draft.change(f"Write {element.attrs.get('model') or what(element)} out", made)


def _defaults(draft: Draft, root: Element, known: set[int], writer: _Writer) -> None:
    """Classes of the other file inside the main one of this, which takes back what that says."""
    tops = [one for one in root.all("default") if one.id not in known]
    if not tops:
        return
    main = [child for one in draft.root.all("default") if one.attrs.get("class", "main") == "main" for child in one.children if child.tag != "default"]
    for top in tops:
        new = writer.written(top)
        inside = list(new.children)
        for setting in main:
            at = next((i for i, child in enumerate(inside) if child.tag == setting.tag), None)
            spec = schema.lookup(f"default/{setting.tag}")
            own = inside[at].attrs if at is not None else {}
            back = {}
            for name in setting.attrs:
                if name in own:
                    continue
                default = spec.attributes[name].default if spec is not None and name in spec.attributes else None
                if default is None:
                    raise Refusal(f"The main default class gives {setting.tag} its {name}, which cannot be taken back for what is attached: make that a class of its own first")
                back[name] = default
            if back and at is None:
                inside.insert(0, NewElement(setting.tag, back))
            elif back:
                inside[at] = replace(inside[at], attrs={**own, **back})
        draft.insert(NewElement("default", dict(new.attrs), tuple(inside)), last_in=draft.section("default"))


class _Writer:
    """Elements of the other file in this one's units and from its folders."""

    def __init__(self, version: Version, expanded: Expanded):
        self._version, self._expanded = version, expanded
        self._resolver = Resolver(expanded.root)
        self._settings = angle_settings(version.root)
        self._checked: set[int] = set()

    def written(self, element: Element) -> NewElement:
        """What is to be written for an element of the expanded tree."""
        read = self._expanded.models.get(element.id)
        attrs = dict(element.attrs)
        if read is not None:
            self._check(read.root)
            settings = angle_settings(read.root)
            if settings != self._settings:
                self._convert(element, attrs, settings)
            if element.tag in FOLDERS:
                self._rebase(element.tag, attrs, read)
        return NewElement(element.tag, attrs, tuple(map(self.written, element.children)))

    def _check(self, root: Element) -> None:
        if root.id in self._checked:
            return
        self._checked.add(root.id)
        spec = schema.lookup("compiler").attributes
        for name in MATTERS:
            ours, theirs = (_said(one.all("compiler"), name, spec[name].default or "") for one in (self._version.root, root))
            if ours != theirs:
                raise Refusal(f"The attached file has <compiler {name}=\"{theirs}\">, this one \"{ours}\": say the same in both first")

    def _convert(self, element: Element, attrs: dict[str, str], settings) -> None:
        """Angles in this model's unit; Euler angles of another order become quaternions."""
        factor = (math.pi / 180 if settings[0] else 1.0) * (180 / math.pi if self._settings[0] else 1.0)
        if "euler" in attrs and element.tag != "replicate":
            quat = tuple(from_euler(radians(np.array(attrs["euler"].split(), float), settings[0]), settings[1]).tolist())
            text = notation_text("euler", quat, self._settings)
            del attrs["euler"]
            attrs |= {"euler": text} if text is not None else {"quat": notation_text("quat", quat, self._settings)}
        if "axisangle" in attrs and factor != 1.0:
            values = [float(word) for word in attrs["axisangle"].split()]
            attrs["axisangle"] = numbers_text([*values[:3], values[3] * factor])
        if element.tag == "joint" and factor != 1.0:
            self._convert_joint(element, attrs, factor)

    def _convert_joint(self, element: Element, attrs: dict[str, str], factor: float) -> None:
        """A joint's angles; what it has from a class that is converted as angles, and is none, or the other way round, is given by itself."""
        turns = self._turns(element)
        for name in JOINT_ANGLES:
            source = element if name in attrs else self._class_giving(element, name)
            if source is None or source is not element and self._turns(source) == turns:
                continue
            attrs[name] = numbers_text([float(word) * factor for word in source.attrs[name].split()]) if turns else source.attrs[name]

    def _class_giving(self, element: Element, name: str) -> Element | None:
        """The element of a default class of the other file that an attribute of a joint is from."""
        known = self._resolver.context.get(element.id)
        source = self._resolver.attrs(element).source(name) if known is not None and default_tag(known[0].path) else None
        return source if source is not None and source.id in self._expanded.models else None

    def _turns(self, element: Element) -> bool:
        """Whether a joint's numbers are angles."""
        spec = self._resolver.context.get(element.id)
        if spec is not None and default_tag(spec[0].path):
            return self._resolver.attrs(element)["type"] in ("hinge", "ball")
        return element.attrs.get("type", "hinge") in ("hinge", "ball")

    def _rebase(self, tag: str, attrs: dict[str, str], read) -> None:
        """Files from this model's folders."""
        ours, theirs = AssetFolders.of(self._version.root), AssetFolders.of(read.root)
        for name in [key for key in attrs if key.startswith("file")]:
            there = os.path.join(read.base_dir or "", theirs.below(tag), theirs.file_name(attrs[name]))
            base = os.path.join(self._version.base_dir or "", ours.below(tag))
            attrs[name] = os.path.relpath(there, base or ".").replace(os.sep, "/")
            if ours.file_name(attrs[name]) != attrs[name]:
                raise Refusal(f"This model takes the folders of files away (compiler strippath), and {attrs[name]} lies in another one than it looks in")


def _said(compilers: Iterable[Element], name: str, default: str) -> str:
    found = default
    for compiler in compilers:
        found = compiler.attrs.get(name, found)
    return " ".join(found.split())

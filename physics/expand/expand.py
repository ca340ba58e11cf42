"""Structural macros taken out of a tree, so that the compiler sees plain elements.

The steps run in the order of STEPS; each makes a new root that shares what it does not touch. A step runs only when the tree holds a
tag it is for, so a model without macros costs one look at its tags. The read tree itself stays as it is: it is what an editor shows.
Copies get new ids and keep their origins, so every message points at the text that made them.
Source: MuJoCo's XML reference, "Meta elements", and modeling chapter, "Attachment".
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import NamedTuple

from physics.errors import Issue
from physics.expand.assembly import Assembly, TooMany
from physics.expand.attach import Attacher, read_children
from physics.expand.composite.expand import expand_composites
from physics.expand.key_layout import KeyLayout
from physics.expand.replicate import angle_settings
from physics.expand.unfold import Walk
from physics.mjcf import legacy
from physics.mjcf.reader import ReadResult
from physics.spec.element import Element
from physics.spec.links import Traces
from physics.spec.names import Names, check_references

__all__ = ["STEPS", "Expanded", "ExpansionStep", "expand"]


@dataclass(slots=True)
class Expanded:
    """A tree under expansion, and in the end the tree to compile.

    root: the tree so far; read_result: what the file gave; compat: the dialect it is read as; issues: problems found on the way.
    models: element id -> the reading (ReadResult) of the attached model it came from; elements of the main file are not in it.
    renamed: id of a skin read from a file -> prefix and suffix of the names in that file. keys: id of a keyframe of an attached model ->
    what its numbers stand for. sources: texts of the attached models' files, by path.
    chain: main files of the models around this one, outermost first, then its own. traces: what elements that are copies were made of.
    attached: readings of models that this and all around it attach from, by path.
    """

    root: Element
    read_result: ReadResult
    compat: str = "4.0"
    issues: list[Issue] = field(default_factory=list)
    models: dict[int, ReadResult] = field(default_factory=dict)
    renamed: dict[int, tuple[str, str]] = field(default_factory=dict)
    keys: dict[int, KeyLayout] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    chain: tuple[str, ...] = ()
    traces: Traces = field(default_factory=Traces)
    attached: dict[str, ReadResult] = field(default_factory=dict)


class ExpansionStep(NamedTuple):
    """One macro: run(expanded) puts a new root in place when the tree holds one of `tags` (always, when it has none)."""

    name: str
    tags: frozenset[str]
    run: Callable[[Expanded], None]


def modernize(expanded: Expanded) -> None:
    """Write what 2.x called otherwise in today's words."""
    expanded.root = legacy.modernize(expanded.root)


def composites(expanded: Expanded) -> None:
    """Put ordinary elements in place of composite objects."""
    expanded.root, issues = expand_composites(expanded.root, frozenset(issue.place for issue in expanded.read_result.errors), expanded.traces)
    expanded.issues += issues
    _check_names(expanded)


def copies(expanded: Expanded) -> None:
    """Put copies in place of replicate and attach elements."""
    assembly = Assembly(expanded.root, expanded.models, expanded.traces)
    children = read_children(expanded, expand)
    attacher = Attacher(assembly, children)
    walk = Walk(assembly, angle_settings(expanded.root), attacher)
    try:
        expanded.root = walk.run()
    except TooMany:
        walk.too_many()
    expanded.keys.update(assembly.keys)
    expanded.renamed.update(assembly.renamed)
    expanded.issues += assembly.issues
    _check_names(expanded, walk.nameless)


def _check_names(expanded: Expanded, nameless: Container[int] = ()) -> None:
    """Names are only all there now; said of a tree in which nothing else is wrong. nameless: ids of elements that hold nothing to look at."""
    if not any(issue.severity == "error" for issue in (*expanded.issues, *expanded.read_result.issues)):
        check_references(Names(expanded.root, nameless), expanded.issues)


STEPS: tuple[ExpansionStep, ...] = (
    ExpansionStep("modernize", frozenset(), modernize),
    ExpansionStep("composites", frozenset({"composite"}), composites),
    ExpansionStep("copies", frozenset({"replicate", "attach", "model"}), copies),
)


def tags_of(root: Element) -> set[str]:
    """All tags in a tree."""
    tags = {root.tag}
    stack = [root]
    while stack:
        for child in stack.pop().children:
            tags.add(child.tag)
            if child.children:
                stack.append(child)
    return tags


def expand(read_result: ReadResult, compat: str = "4.0", chain: tuple[str, ...] = (), attached: dict[str, ReadResult] | None = None) -> Expanded:
    """The tree to compile, of a reading whose root is <mujoco>. chain: main files of the models it is attached to; attached: readings of models known there."""
    attached = read_result.attached if attached is None else attached
    expanded = Expanded(read_result.root, read_result, compat, chain=(*chain, read_result.source.identity(read_result.main)), attached=attached)
    tags, looked_at = tags_of(read_result.root), read_result.root
    for step in STEPS:
        if expanded.root is not looked_at:
            tags, looked_at = tags_of(expanded.root), expanded.root
        if not step.tags or step.tags & tags:
            try:
                step.run(expanded)
            except Exception:
                if not read_result.errors:   # values that the reader has refused can trip a step; without such values it is our mistake
                    raise
    return expanded

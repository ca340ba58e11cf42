"""Who imports whom as a graph, imports inside functions and modules named in strings counted; its circles.

A package is a folder of the house's layout: each folder directly under physics (a loose module of physics is one of its own), and in
render, editor and app the deepest folder, where a loose module beside folders is one of its own (`app.context` is no part of `app.panels`).
"""
from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from functools import cache

from tests.architecture.sources import Source, imports, sources

SYMBOL = re.compile(r"[a-z0-9_]+__[a-z0-9_]+")   # a kernel's name among the loaded ones: physics_engine_forward__step


@cache
def modules() -> frozenset[str]:
    return frozenset(s.module for s in sources())


def module_of(name: str) -> str | None:
    """The module of ours that a dotted name lies in ('physics.errors.Issue' -> 'physics.errors'), or None."""
    parts = name.split(".")
    return next((m for k in range(len(parts), 0, -1) if (m := ".".join(parts[:k])) in modules()), None)


@cache
def _folders() -> tuple[set[str], set[str]]:
    """Folders that hold modules or folders; folders that hold folders."""
    folders = {m.rpartition(".")[0] for m in modules()}
    return folders, {f.rpartition(".")[0] for f in folders if f in modules()}


@cache
def package_of(module: str) -> str:
    top, *rest = module.split(".")
    if top == "physics":
        return ".".join([top, *rest[:1]])
    folders, containers = _folders()
    folder = module if module in folders else module.rpartition(".")[0]
    return module if folder in containers else folder


@cache
def _symbols() -> dict[str, str]:
    return {m.replace(".", "_"): m for m in modules()}


@cache
def named_in_strings(source: Source) -> tuple[tuple[str, int], ...]:
    """Modules that strings name, as dotted paths or as prefixes of kernel symbols; docstrings left out."""
    found = []
    for node in source.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value in modules() and "." in node.value:
                found.append((node.value, node.lineno))
            elif SYMBOL.fullmatch(node.value) and (module := _symbols().get(node.value.partition("__")[0])):
                found.append((module, node.lineno))
    return tuple(found)


@cache
def edges(strings: bool = False) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """(module, imported module) -> the places that say so, as 'path:line'. strings: whether modules named in strings count."""
    found: dict[tuple[str, str], list[str]] = {}
    for source in sources():
        for name, line in [*((n, k) for n, k, _top in imports(source)), *(named_in_strings(source) if strings else ())]:
            target = module_of(name)
            if target is not None and target != source.module:
                found.setdefault((source.module, target), []).append(f"{source.path}:{line}")
    return {pair: tuple(places) for pair, places in found.items()}


def circles(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Strongly connected components of more than one node (Tarjan 1972), sorted."""
    after: dict[str, list[str]] = {}
    for a, b in pairs:
        if a != b:
            after.setdefault(a, []).append(b)
            after.setdefault(b, [])
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(node: str) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in after[node]:
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            members = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(members) > 1:
                found.append(tuple(sorted(members)))

    for node in sorted(after):
        if node not in number:
            visit(node)
    return sorted(found)


def package_edges() -> Mapping[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for (a, b), places in edges(strings=True).items():
        pair = package_of(a), package_of(b)
        if pair[0] != pair[1]:
            found[pair] = found.get(pair, ()) + places
    return found


def explained(circle: tuple[str, ...], graph: Mapping[tuple[str, str], tuple[str, ...]]) -> str:
    """The circle and up to three places for each of its imports."""
    lines = [f"{a} -> {b}: {', '.join(places[:3])}" for (a, b), places in sorted(graph.items()) if a in circle and b in circle]
    return "\n  ".join([" <-> ".join(circle), *lines])

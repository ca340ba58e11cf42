"""The product's source files as syntax trees, for the tests of this folder."""
from __future__ import annotations

import ast
import gc
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("assets", "physics", "render", "editor", "app", "linkwork")


@dataclass(frozen=True, eq=False)
class Source:
    """path relative to the project, dotted module name, text, syntax tree; `nodes`: those of the tree in the order of ast.walk."""

    path: str
    module: str
    text: str
    tree: ast.Module

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(self.tree))


@cache
def sources(*tops: str) -> tuple[Source, ...]:
    """All Python files below these folders of the project (default: the shipped packages)."""
    gc.collect()
    gc.disable()        # millions of nodes, all of which stay: collections would look through them again and again
    try:
        found = tuple(map(_source, _paths(tops or PACKAGES)))
        gc.freeze()
    finally:
        gc.enable()
    return found


def sources_with(words: tuple[str, ...], *tops: str) -> tuple[Source, ...]:
    """Those whose text holds one of some words: no other is read as a tree, which takes most of the time."""
    return tuple(_source(path) for path in _paths(tops) if any(word in path.read_text() for word in words))


def _paths(tops: tuple[str, ...]) -> list[Path]:
    return [path for top in tops for path in sorted((ROOT / top).rglob("*.py"))]


@cache
def _source(path: Path) -> Source:
    relative = path.relative_to(ROOT)
    text = path.read_text()
    source = Source(str(relative), ".".join(relative.with_suffix("").parts).removesuffix(".__init__"), text, ast.parse(text))
    assert source.nodes
    return source


@cache
def imports(source: Source) -> list[tuple[str, int, bool]]:
    """(dotted name, line, whether at module level) of every import, 'from a import b' giving 'a.b'."""
    top = {id(n) for n in source.nodes if isinstance(n, ast.Import | ast.ImportFrom)}
    for node in source.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            top -= {id(n) for n in ast.walk(node)}
    out = []
    for node in source.nodes:
        if isinstance(node, ast.Import):
            out += [(a.name, node.lineno, id(node) in top) for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = source.module.split(".") if source.path.endswith("__init__.py") else source.module.split(".")[:-1]
                base = ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])
            out += [(f"{base}.{a.name}", node.lineno, id(node) in top) for a in node.names]
    return out


def decorator_names(node: ast.FunctionDef) -> set[str]:
    """Names of a function's decorators: @kernel(...) and @kernels.kernel give 'kernel'."""
    names = set()
    for d in node.decorator_list:
        d = d.func if isinstance(d, ast.Call) else d
        names.add(d.attr if isinstance(d, ast.Attribute) else getattr(d, "id", ""))
    return names


def refuse(found) -> None:
    """Fail with one line per finding."""
    found = found.items() if isinstance(found, dict) else found
    assert not found, "\n" + "\n".join(str(f) for f in sorted(found, key=str))

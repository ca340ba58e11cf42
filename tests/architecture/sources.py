"""The product's source files as syntax trees, for the tests of this folder."""
from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGES = ("assets", "physics", "render", "editor", "app", "linkwork")


class Source(NamedTuple):
    """path relative to the project, dotted module name, text, syntax tree."""

    path: str
    module: str
    text: str
    tree: ast.Module


@cache
def sources(*tops: str) -> tuple[Source, ...]:
    """All Python files below these folders of the project (default: the shipped packages)."""
    found = []
    for top in tops or PACKAGES:
        found += map(_source, sorted((ROOT / top).rglob("*.py")))
    return tuple(found)


@cache
def _source(path: Path) -> Source:
    relative = path.relative_to(ROOT)
    text = path.read_text()
    return Source(str(relative), ".".join(relative.with_suffix("").parts).removesuffix(".__init__"), text, ast.parse(text))


def imports(source: Source) -> list[tuple[str, int, bool]]:
    """(dotted name, line, whether at module level) of every import, 'from a import b' giving 'a.b'."""
    top = {id(n) for n in ast.walk(source.tree) if isinstance(n, ast.Import | ast.ImportFrom)}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            top -= {id(n) for n in ast.walk(node)}
    out = []
    for node in ast.walk(source.tree):
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

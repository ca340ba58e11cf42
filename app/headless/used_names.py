"""Which names of the official module a script uses, by its syntax tree, and which of them are not here.

Found are `import mujoco [as x]`, `from mujoco import y [as z]`, `import mujoco.viewer`, names given to the module (`lib = mujoco`), and what is asked of any of these by dots.
"""
from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from app.headless.outcome import Failed

MODULE = "mujoco"
DEEPEST = 2     # names behind the module: viewer.launch, mjtObj.mjOBJ_BODY


class Use(NamedTuple):
    """A name, and the places where it is used, as 'file:line'."""

    name: str
    places: tuple[str, ...]


def used_in(what: str, kind: str = "") -> list[Use]:
    """Names that a file, a folder, a module (kind -m) or a text (kind -c) uses, sorted. Raises Failed for what cannot be read."""
    found: dict[str, list[str]] = {}
    for path, text in _texts(what, kind):
        try:
            tree = ast.parse(text)
        except SyntaxError as error:
            raise Failed(f"{path}:{error.lineno}: {error.msg}") from None
        for name, line in names_of(tree):
            found.setdefault(name, []).append(f"{path}:{line}")
    return [Use(name, tuple(places)) for name, places in sorted(found.items())]


def _texts(what: str, kind: str) -> Iterator[tuple[str, str]]:
    if kind == "-c":
        yield "<code>", what
        return
    paths = _files(_module_path(what) if kind == "-m" else Path(what))
    for path in paths:
        yield str(path), path.read_text(encoding="utf-8", errors="replace")


def _module_path(name: str) -> Path:
    """Where a module or package lies; nothing of it is run."""
    top, *rest = name.split(".")
    spec = importlib.util.find_spec(top)
    if spec is None or not spec.origin:
        raise Failed(f"there is no module {name}")
    here = Path(spec.origin).parent if Path(spec.origin).name == "__init__.py" else Path(spec.origin)
    for part in rest:
        here = here / part if (here / part).is_dir() else here / f"{part}.py"
    return here


def _files(path: Path) -> Iterable[Path]:
    if path.is_dir():
        return sorted(path.rglob("*.py"))
    if not path.is_file():
        raise Failed(f"{path}: there is no such file")
    return (path,)


def names_of(tree: ast.AST) -> list[tuple[str, int]]:
    """(name behind the module, line) of each use."""
    known = _aliases(tree)     # name in the script -> what it is, '' for the module itself
    inside = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    found = [(name, line) for name, line in _imported(tree) if name]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inside:
            dotted = _dotted(node)
            if dotted and dotted[0] in known:
                parts = [*filter(None, [known[dotted[0]]]), *dotted[1:]]
                found.append((_shown(".".join(parts)), node.lineno))
    return sorted(set(found), key=lambda use: (use[1], use[0]))


def _dotted(node: ast.expr) -> list[str]:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else []


def _shown(name: str) -> str:
    """A name no deeper than the table of names goes: members of enumerations and submodules, not what is asked of a function's result."""
    parts = name.split(".")
    return ".".join(parts[:DEEPEST if parts[0].startswith("mjt") or parts[0][0].islower() and "_" not in parts[0] else 1])


def _imported(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name == MODULE or name.name.startswith(MODULE + "."):
                    yield name.name.partition(".")[2], node.lineno
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module and node.module.split(".")[0] == MODULE:
            inner = node.module.partition(".")[2]
            for name in node.names:
                if name.name != "*":
                    yield ".".join(filter(None, [inner, name.name])), node.lineno


def _aliases(tree: ast.AST) -> dict[str, str]:
    known = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.split(".")[0] == MODULE:
                    known[name.asname or MODULE] = name.name.partition(".")[2] if name.asname else ""
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module and node.module.split(".")[0] == MODULE:
            inner = node.module.partition(".")[2]
            for name in node.names:
                known[name.asname or name.name] = ".".join(filter(None, [inner, name.name]))
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and known.get(node.value.id) == "":
            known.update({target.id: "" for target in node.targets if isinstance(target, ast.Name)})
    return known


def report(used: list[Use], absent: frozenset[str]) -> str:
    """As text: what is not here first, each with the lines that use it."""
    def line(use: Use) -> str:
        more = f" and {len(use.places) - 3} more" if len(use.places) > 3 else ""
        return f"  {use.name:34} {', '.join(use.places[:3])}{more}"

    missing, here = [use for use in used if use.name in absent], [use for use in used if use.name not in absent]
    lines = [f"not here: {len(missing)}", *map(line, missing)] if missing else []
    return "\n".join([*lines, f"here: {len(here)}", *map(line, here)])

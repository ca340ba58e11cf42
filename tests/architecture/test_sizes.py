"""Files, functions and kernels stay small enough to be read. A table may be long; any other exception has its reason here."""
import ast
import re

from tests.architecture.sources import decorator_names, refuse, sources

FILE, FUNCTION, KERNEL = 600, 60, 150
TABLE = re.compile(r"physics/enums\.py|physics/fields/(model|data)_fields\.py|physics/schema/(schema_table|table_\w+|schema_docs)\.py|app/(actions|options_table)\.py")

LONG_FILES: dict[str, str] = {}
LONG_FUNCTIONS: dict[str, str] = {}


def _body_lines(node) -> int:
    first = node.body[0]
    start = node.lineno
    doc = first.end_lineno - first.lineno + 1 if isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str) else 0
    return node.end_lineno - start + 1 - doc


def _functions():
    for s in sources("physics", "render", "editor", "app", "linkwork", "assets", "benchmarks", "tests"):
        for node in s.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield s, node


def test_files_are_short():
    every = sources("physics", "render", "editor", "app", "linkwork", "assets", "benchmarks", "tests")
    long = {s.path: len(s.text.splitlines()) for s in every if len(s.text.splitlines()) > FILE and not TABLE.fullmatch(s.path)}
    refuse({p: n for p, n in long.items() if p not in LONG_FILES})


def test_functions_and_kernels_are_short():
    long = {}
    for s, node in _functions():
        limit = KERNEL if decorator_names(node) & {"kernel", "helper"} else FUNCTION
        if _body_lines(node) > limit:
            long[f"{s.path}:{node.name}"] = _body_lines(node)
    refuse({p: n for p, n in long.items() if p not in LONG_FUNCTIONS})


def test_exceptions_are_still_needed():
    lengths = {s.path: len(s.text.splitlines()) for s in sources("physics", "render", "editor", "app", "linkwork", "assets", "benchmarks", "tests")}
    assert all(lengths.get(p, 0) > FILE for p in LONG_FILES)
    functions = {f"{s.path}:{n.name}": _body_lines(n) for s, n in _functions()}
    assert all(functions.get(p, 0) > FUNCTION for p in LONG_FUNCTIONS)

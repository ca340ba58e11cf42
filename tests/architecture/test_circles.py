"""No circle of imports: neither between packages nor between files, imports inside functions counted."""
from __future__ import annotations

import ast

from tests.architecture.import_graph import circles, edges, explained, module_of, package_edges, package_of
from tests.architecture.sources import Source, imports

STILL: dict[tuple[str, ...], str] = {}   # circle of files -> since when it waits to be mended


def test_no_circle_between_packages():
    graph = package_edges()
    found = [explained(c, graph) for c in circles(graph)]
    assert not found, "\n" + "\n".join(found)


def test_no_circle_between_files():
    graph = edges()
    new = [explained(c, graph) for c in circles(graph) if c not in STILL]
    assert not new, "\n" + "\n".join(new)


def test_the_graph_holds_what_is_known_of_the_project():
    graph = package_edges()
    assert ("physics.compiler", "physics.model") in graph and ("app.bridge.layers", "render.scene") in graph
    assert ("physics", "physics.compiler") in graph, "the public names are imported by strings"
    assert package_of("physics.engine.solve.newton") == "physics.engine" and package_of("physics.errors") == "physics.errors"
    assert package_of("app.bridge.layers.geoms") == "app.bridge.layers" and package_of("app.context") == "app.context"
    assert module_of("physics.errors.Issue") == "physics.errors" and module_of("numpy.linalg") is None


def test_late_imports_are_read():
    text = "def f():\n    from physics.errors import Issue\n    return Issue\n"
    source = Source("physics/late.py", "physics.late", text, ast.parse(text))
    assert imports(source) == [("physics.errors.Issue", 2, False)]


def test_circles_are_found():
    assert circles([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "d")]) == [("a", "b", "c")]
    assert circles([("a", "b"), ("a", "c"), ("b", "c")]) == []
    assert circles([("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "c")]) == [("a", "b"), ("c", "d")]

"""No function inside a function names itself: it would live in a ring with all that it sees, Models and widgets, until such rings are collected."""
import ast

from tests.architecture.sources import refuse, sources


def _found(trees) -> set[str]:
    out = set()
    for path, tree in trees:
        for outer in ast.walk(tree):
            if not isinstance(outer, ast.FunctionDef):
                continue
            for inner in ast.walk(outer):
                if isinstance(inner, ast.FunctionDef) and inner is not outer and any(
                        isinstance(node, ast.Name) and node.id == inner.name for part in inner.body for node in ast.walk(part)):
                    out.add(f"{path}:{outer.name}.{inner.name}")
    return out


def test_no_inner_function_names_itself():
    refuse(_found((s.path, s.tree) for s in sources()))


def test_such_a_function_is_found():
    tree = ast.parse("def outer(m):\n    def find(k):\n        return find(k - 1) if k else m\n    def other():\n        return find(3)\n    return other")
    assert _found([("a.py", tree)]) == {"a.py:outer.find"}

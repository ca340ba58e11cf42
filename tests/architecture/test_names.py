"""Names that say nothing are not used for files and classes."""
import ast
import re
from pathlib import Path

from PyQt6 import QtWidgets

from tests.architecture.sources import refuse, sources

FILES = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "base", "core", "stuff", "tools_misc"}
CLASSES = re.compile(r"\w*(Manager|Handler|Processor|Entity|Helper|Util|Utils)$")
# required by what they plug into
CLASS_EXCEPTIONS: dict[str, str] = {}


def test_files_are_named_after_what_they_hold():
    everything = sources("physics", "render", "editor", "app", "linkwork", "assets", "benchmarks", "tests")
    refuse([s.path for s in everything if Path(s.path).stem in FILES or Path(s.path).parent.name in FILES])


def test_classes_are_named_after_what_they_are():
    found = [f"{s.path}:{n.name}" for s in sources() for n in s.nodes if isinstance(n, ast.ClassDef) and CLASSES.match(n.name)]
    refuse([f for f in found if f not in CLASS_EXCEPTIONS])


def _stored_on_self(cls: ast.ClassDef) -> set[str]:
    """The attributes that a class's methods set in their object."""
    return {node.attr for part in cls.body if isinstance(part, ast.FunctionDef) for node in ast.walk(part)
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self"}


def test_no_widget_hides_a_method_of_qt_behind_a_value():
    """`self.size = NumberEdit()` makes `widget.size()` a TypeError wherever a widget is asked for its size."""
    classes = [(s.path, n) for s in sources("editor", "app") for n in s.nodes if isinstance(n, ast.ClassDef)]
    bases = {n.name: {getattr(b, "id", getattr(b, "attr", "")) for b in n.bases} for _, n in classes}

    def methods(name: str, seen: frozenset = frozenset()) -> set[str]:
        """Those that a class has of Qt's widgets; none where it is no widget."""
        known = getattr(QtWidgets, name, None)
        if known is not None:
            return {name for name in dir(known) if not name.startswith("_")} if issubclass(known, QtWidgets.QWidget) else set()
        return set() if name in seen else set().union(*(methods(b, seen | {name}) for b in bases.get(name, ())))

    assert "size" in methods("LivePanel")
    refuse([f"{path}:{n.name}.{name}" for path, n in classes for name in sorted(_stored_on_self(n) & methods(n.name))])

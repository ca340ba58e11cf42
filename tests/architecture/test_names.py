"""Names that say nothing are not used for files and classes."""
import ast
import re
from pathlib import Path

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

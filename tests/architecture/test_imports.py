"""Who may import whom. The table is the picture of the project; nothing imports app, physics and render share nothing."""
import subprocess
import sys

import pytest

from tests.architecture.sources import ROOT, imports, refuse, sources

STANDARD = frozenset(sys.stdlib_module_names)

# longest matching prefix decides to which layer a module belongs
LAYERS = {
    "assets": "assets",
    "physics": "physics",  # the public names, resolved when used
    "physics.errors": "base", "physics.enums": "base", "physics.name_hints": "base",
    "physics.fields": "base", "physics.kernels": "base", "physics.model": "base", "physics.files": "base",
    "physics.engine": "engine",
    "physics.simulate": "stepping", "physics.query": "stepping", "physics.derivatives": "stepping",
    "physics.rotation": "rotation", "physics.rotation.orientation": "spec",
    "physics.schema": "mjcf", "physics.spec": "spec", "physics.mjcf": "mjcf", "physics.expand": "spec",
    "physics.compiler": "compiler", "physics.urdf": "urdf", "physics.writer": "writer",
    "physics.runtime": "runtime", "physics.runtime.carry_over": "compiler",
    "render.scene": "scene", "render": "render", "editor": "editor", "app.bridge": "bridge", "app": "app",
}

# layer -> layers it may import besides itself, and third-party packages
ALLOWED = {
    "assets": ((), ()),
    "physics": ((), ()),
    "base": ((), ("numpy", "llvmlite", "numba", "platformdirs")),
    "engine": (("base",), ("numpy",)),
    "stepping": (("base", "engine"), ("numpy",)),
    "spec": (("base", "mjcf"), ("numpy",)),  # default classes are resolved by the schema
    "mjcf": (("base", "spec", "urdf"), ("numpy",)),
    "urdf": (("base", "spec", "mjcf", "rotation"), ("numpy",)),
    "rotation": ((), ()),
    "compiler": (("assets", "base", "engine", "stepping", "spec", "mjcf", "rotation"), ("numpy", "scipy", "trimesh", "PIL")),
    "writer": (("base", "spec", "mjcf", "rotation"), ("numpy",)),
    "runtime": (("base", "engine", "stepping"), ("numpy",)),
    "scene": ((), ("numpy",)),
    "render": (("assets", "scene"), ("moderngl", "glcontext", "numpy", "pyrr", "PIL")),
    "editor": (("base", "physics", "spec", "mjcf", "compiler", "assets"), ("numpy", "PyQt6", "watchdog")),
    "bridge": (("base", "runtime", "scene", "render"), ("numpy",)),
    "app": (
        ("assets", "physics", "base", "engine", "stepping", "spec", "mjcf", "compiler", "writer", "runtime", "scene", "render", "editor", "bridge"),
        ("numpy", "PyQt6", "pyqtgraph", "watchdog", "av", "PIL", "moderngl", "platformdirs"),
    ),
}
# the parts of the editor that may know Qt; the rest can run without it
QT_IN_EDITOR = ("panel", "tree", "fields", "source", "widgets", "live_compile", "watcher", "dialogs")


def layer(name: str) -> str | None:
    parts = name.split(".")
    for k in range(len(parts), 0, -1):
        if ".".join(parts[:k]) in LAYERS:
            return LAYERS[".".join(parts[:k])]
    return None


def _wrong(source) -> list[str]:
    mine = layer(source.module)
    layers, third_party = ALLOWED[mine]
    out = []
    for name, line, _top in imports(source):
        theirs = layer(name)
        package = name.split(".")[0]
        if theirs is None and package not in STANDARD and package not in third_party:
            out.append(f"{source.path}:{line} imports {package}")
        elif theirs is not None and theirs != mine and theirs not in layers:
            out.append(f"{source.path}:{line} ({mine}) imports {name} ({theirs})")
    return out


def test_every_import_is_in_the_table():
    refuse([w for s in sources() for w in _wrong(s)])


def test_every_module_has_a_layer():
    refuse([s.path for s in sources() if layer(s.module) is None])


def test_numba_is_imported_in_one_file_only():
    found = {s.path for s in sources("physics", "render", "editor", "app", "assets", "benchmarks") for name, _l, _t in imports(s)
             if name.split(".")[0] == "numba"}
    assert found == {"physics/kernels/lower.py"}


def test_the_official_engine_is_used_by_tests_and_benchmarks_only():
    refuse([f"{s.path}:{line}" for s in sources() for name, line, _t in imports(s) if name.split(".")[0] in ("mujoco", "dm_control")])


def test_entry_points_load_qt_late():
    for s in sources("app"):
        if s.module == "app.main" or s.module.startswith(("app.headless", "app.film")):
            refuse([f"{s.path}:{line}" for name, line, top in imports(s) if top and name.startswith("PyQt6")])


def test_qt_stays_in_the_panels_of_the_editor():
    wrong = []
    for s in sources("editor"):
        if not any(part in QT_IN_EDITOR for part in s.module.split(".")[1:]):
            wrong += [f"{s.path}:{line}" for name, line, _t in imports(s) if name.split(".")[0] == "PyQt6"]
    refuse(wrong)


def _loaded_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nprint(' '.join({{m.split('.')[0] for m in sys.modules}}))"
    return set(subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split())


@pytest.mark.parametrize(
    "statement", ["import physics", "import physics; physics.load, physics.step, physics.Data, physics.ensure_kernels", "import app.main"]
)
def test_starting_loads_nothing_heavy(statement):
    heavy = {"numba", "scipy", "trimesh", "mujoco", "PyQt6", "moderngl", "pyqtgraph", "watchdog", "av", "PIL", "pytest"}
    refuse(_loaded_after(statement) & heavy)


@pytest.mark.parametrize("name", ["physics.runtime.runner", "render.scene.snapshot", "app.bridge.options"])
def test_middle_layers_run_without_qt_and_opengl(name):
    refuse(_loaded_after(f"import {name}") & {"PyQt6", "moderngl", "numba", "scipy", "trimesh"})

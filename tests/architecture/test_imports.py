"""Who may import whom, folder by folder, imports inside functions and modules named in strings counted.

The table is the picture of the project: nothing imports app, physics and render share nothing.
"""
import subprocess
import sys

import pytest

from physics.kernels.decorators import LOWERED_APART, LOWERING
from tests.architecture.import_graph import circles, module_of, named_in_strings
from tests.architecture.sources import PACKAGES, ROOT, imports, refuse, sources

STANDARD = frozenset(sys.stdlib_module_names)

# folder (or loose module) -> what of ours it may import besides itself, and third-party packages. The longest matching prefix counts:
# 'render.scene' has a row of its own, 'render.passes' is under 'render'. A row allows what is right, whether it happens today or not.
MODEL = ("physics.enums", "physics.errors", "physics.fields", "physics.kernels", "physics.files", "physics.model", "physics.name_hints")
ENGINE = (*MODEL, "physics.engine")
LANGUAGE = ("physics.errors", "physics.schema", "physics.spec")
SCENE = ("render.scene", "render.geometry")
PICTURES = ("render", *SCENE, "assets")
LOOKING = (*ENGINE, "physics.quantities")
RUNNING = (*LOOKING, "physics.simulate", "physics.query", "physics.derivatives", "physics.recording", "physics.runtime")
EXPLAINING = ("physics.diagnostics", "physics.lint", "physics.pipeline", "physics.inverse_kinematics", "physics.tuning")
ALLOWED = {
    "assets": ((), ()),
    "physics": (("physics.compiler", "physics.derivatives", "physics.errors", "physics.fleet", "physics.model", "physics.name_hints", "physics.query", "physics.simulate",
                 "physics.engine", "physics.enums", "physics.hard", "physics.optimise", "physics.quantities", "physics.recording", "physics.rotation", "physics.warm_up", "physics.writer", *EXPLAINING), ()),   # the public names, by strings
    "physics.enums": ((), ()),
    "physics.errors": ((), ()),
    "physics.name_hints": ((), ()),
    "physics.warm_up": (("physics.compiler", "physics.kernels", "physics.simulate"), ()),
    "physics.fields": ((), ("numpy",)),
    "physics.files": ((), ("numpy",)),
    "physics.kernels": (("physics.fields", "physics.files"), ("numpy", "llvmlite", "numba", "platformdirs")),
    "physics.rotation": ((), ("numpy",)),
    "physics.model": ((*MODEL, "physics.spec"), ("numpy",)),   # of spec only its links
    "physics.engine": (MODEL, ("numpy",)),
    "physics.simulate": (ENGINE, ("numpy",)),
    "physics.fleet": ((*ENGINE, "physics.simulate"), ("numpy",)),
    "physics.query": ((*ENGINE, "physics.simulate"), ("numpy",)),
    "physics.derivatives": ((*ENGINE, "physics.simulate", "physics.query", "physics.hard"), ("numpy",)),
    "physics.hard": ((*ENGINE, "physics.simulate", "physics.query", "physics.diagnostics"), ("numpy",)),
    "physics.diagnostics": ((*LOOKING, "physics.simulate", "physics.query", "physics.recording"), ("numpy",)),
    "physics.lint": ((*ENGINE, *LANGUAGE, "physics.mjcf", "physics.expand", "physics.simulate", "physics.query", "physics.diagnostics"), ("numpy",)),
    "physics.pipeline": ((*ENGINE, "physics.simulate", "physics.query"), ("numpy",)),
    "physics.inverse_kinematics": ((*ENGINE, "physics.simulate", "physics.query", "physics.rotation"), ("numpy",)),
    "physics.tuning": ((*RUNNING, "physics.diagnostics", "physics.compiler"), ("numpy",)),
    "physics.optimise": ((*LOOKING, "physics.hard", "physics.simulate", "physics.query", "physics.derivatives", "physics.recording", "physics.inverse_kinematics", "physics.compiler"), ("numpy",)),
    "physics.quantities": (LOOKING, ("numpy",)),
    "physics.recording": ((*LOOKING, "physics.recording", "physics.simulate"), ("numpy", "h5py")),
    "physics.schema": ((), ("numpy",)),
    "physics.spec": (("physics.enums", "physics.errors", "physics.schema"), ("numpy",)),   # default classes are resolved by the schema
    "physics.urdf": ((*LANGUAGE, "physics.files", "physics.rotation"), ()),
    "physics.mjcf": ((*LANGUAGE, "physics.urdf", "physics.files"), ("numpy",)),
    "physics.expand": ((*LANGUAGE, "physics.mjcf", "physics.rotation"), ("numpy",)),
    "physics.compiler": ((*ENGINE, *LANGUAGE, "physics.mjcf", "physics.expand", "physics.rotation", "physics.simulate", "assets"),
                         ("numpy", "scipy", "PIL")),
    "physics.writer": ((*MODEL, *LANGUAGE, "physics.rotation"), ("numpy",)),
    "physics.runtime": (RUNNING, ("numpy",)),
    "render.scene": ((), ("numpy", "pyrr")),
    "render.geometry": ((), ("numpy", "pyrr")),
    "render": (PICTURES, ("moderngl", "glcontext", "numpy", "pyrr", "PIL")),
    "editor": ((*LANGUAGE, *MODEL, "physics", "physics.mjcf", "physics.compiler", "physics.expand", "physics.lint", "physics.tuning", "physics.rotation", "render.scene", "assets"), ("numpy", "pyrr", "PyQt6", "watchdog")),
    "app.bridge": ((*MODEL, "physics.runtime", *PICTURES), ("numpy", "pyrr")),
    "app.inputs": ((*RUNNING, "physics.inverse_kinematics", "physics.rotation", "physics.schema", "physics.spec", "physics", "editor", "app.bridge", "assets", *SCENE),
                   ("numpy", "platformdirs", "PIL", "aiohttp", "cryptography", "segno", "sdl2", "sdl2dll", "hid", "mido", "rtmidi", "msgpack", "zmq")),   # no Qt
    "app.mujoco_shim": ((*RUNNING, *LANGUAGE, *PICTURES, "app.bridge", "physics", "physics.compiler", "physics.expand", "physics.fleet", "physics.inverse_kinematics", "physics.mjcf", "physics.rotation",
                         "physics.writer", "assets", "linkwork"), ("numpy", "PIL", "moderngl")),
    "app.studies": ((*RUNNING, "physics.tuning", "physics"), ("numpy", "scipy", "cma", "optuna", "ray")),     # no Qt
    "app": (
        (*RUNNING, *EXPLAINING, *LANGUAGE, *PICTURES, "physics", "physics.hard", "physics.optimise", "physics.mjcf", "physics.compiler", "physics.writer", "editor", "app.bridge", "app.inputs", "app.studies"),
        ("numpy", "pyrr", "PyQt6", "pyqtgraph", "watchdog", "av", "PIL", "moderngl", "platformdirs", "qtconsole", "ipykernel", "traitlets", "h5py", "pyarrow"),
    ),
    "linkwork.envs": (("physics", "physics.enums", "physics.errors", "physics.fleet", "physics.model", "physics.quantities", "physics.simulate", "app", "app.studies", "linkwork", "assets"), ("numpy", "gymnasium")),
    "linkwork": ((*RUNNING, "physics", "physics.optimise", "physics.compiler", "physics.warm_up", "app", "app.bridge", "render.scene"), ("numpy", "PIL")),
}
# the parts of the editor that may know Qt; the rest can run without it
QT_IN_EDITOR = ("panel", "tree", "fields", "source", "widgets", "live_compile", "watcher", "dialogs")


def row_of(name: str) -> str | None:
    """The row of ALLOWED for a dotted name of ours; None for other names."""
    parts = name.split(".")
    row = next((r for k in range(len(parts), 0, -1) if (r := ".".join(parts[:k])) in ALLOWED), None)
    return None if row == "physics" and module_of(name) != "physics" else row   # a new folder of physics needs a row of its own


def _wrong(source) -> list[str]:
    mine = row_of(source.module)
    ours, third_party = ALLOWED[mine]
    out = []
    for name, line in [*((n, k) for n, k, _top in imports(source)), *named_in_strings(source)]:
        theirs, package = row_of(name), name.split(".")[0]
        if package in PACKAGES:
            if theirs != mine and theirs not in ours:
                out.append(f"{source.path}:{line} ({mine}) imports {name} ({theirs})")
        elif package not in STANDARD and package not in third_party:
            out.append(f"{source.path}:{line} imports {package}")
    return out


def test_every_import_is_in_the_table():
    refuse([w for s in sources() for w in _wrong(s)])


def test_every_module_has_a_row():
    refuse([s.path for s in sources() if row_of(s.module) is None])


def test_the_table_itself_has_no_circle():
    assert circles((row, other) for row, (ours, _third_party) in ALLOWED.items() for other in ours) == []


def test_numba_is_imported_by_the_kernel_compiler_only():
    found = {s.path for s in sources("physics", "render", "editor", "app", "linkwork", "assets", "benchmarks") for name, _l, _t in imports(s)
             if name.split(".")[0] == "numba"}
    assert found == {f"{name.replace('.', '/')}.py" for name in (*LOWERING, *LOWERED_APART.values())}


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
    "statement", ["import physics", "import physics; physics.load, physics.step, physics.Data, physics.ensure_kernels", "import app.main", "import linkwork",
                  "import linkwork; linkwork.launch, linkwork.launch_passive, linkwork.show, linkwork.init_geom, linkwork.load, linkwork.step"]
)
def test_starting_loads_nothing_heavy(statement):
    heavy = {"numba", "scipy", "trimesh", "mujoco", "PyQt6", "moderngl", "pyqtgraph", "watchdog", "av", "PIL", "h5py", "pytest", "qtconsole", "ipykernel", "IPython"}
    refuse(_loaded_after(statement) & heavy)


@pytest.mark.parametrize("name", ["physics.runtime.runner", "render.scene.snapshot", "app.bridge.options", "app.inputs.hub", "app.demonstrations.session", "app.demonstrations.export.export"])
def test_middle_layers_run_without_qt_and_opengl(name):
    refuse(_loaded_after(f"import {name}") & {"PyQt6", "moderngl", "numba", "scipy", "trimesh"})

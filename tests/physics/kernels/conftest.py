import compileall
import functools
import json
import os
import py_compile
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FILES, FOLDERS = ("__init__.py", "enums.py", "name_hints.py"), ("fields", "files", "kernels", "model")


@functools.cache
def _machinery() -> tempfile.TemporaryDirectory:
    """The kernel machinery with its bytecode, which holds for the text that it was made of, as in a checkout that has run before: to read the text anew takes each process
    and each of its workers a sixth of their start."""
    tree = tempfile.TemporaryDirectory()
    physics = Path(tree.name) / "physics"
    physics.mkdir()
    for name in FILES:
        shutil.copy(ROOT / "physics" / name, physics / name)
    for name in FOLDERS:
        shutil.copytree(ROOT / "physics" / name, physics / name, ignore=shutil.ignore_patterns("__pycache__"))
    assert compileall.compile_dir(physics, quiet=1, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
    return tree


class Workshop:
    """A copy of the kernel machinery with modules of its own and an empty cache, run in fresh processes. workers: that compile, None for one a core: each begins with numba,
    which takes longer than the few kernels here, so where it does not matter who compiles there is one."""

    def __init__(self, folder: Path, workers: int | None = None):
        self.workers = workers
        self.folder = folder / "tree"
        self.cache = folder / "cache"
        shutil.copytree(_machinery().name, self.folder)

    def duplicate(self, folder: Path) -> "Workshop":
        """The same tree and cache in another folder."""
        other = Workshop.__new__(Workshop)
        other.folder, other.cache, other.workers = folder / "tree", folder / "cache", self.workers
        shutil.copytree(self.folder, other.folder)
        shutil.copytree(self.cache, other.cache)
        return other

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.folder / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))

    def command(self, code: str, **env):
        env = {**os.environ, "LINKWORK_CACHE": str(self.cache), "LINKWORK_NOJIT": "0", "PYTHONPATH": str(self.folder),
               "PYTHONDONTWRITEBYTECODE": "1", **env}
        few = f"import os\nos.cpu_count = lambda: {self.workers}\n" if self.workers else ""
        return subprocess.Popen([sys.executable, "-c", f"import json, sys\n{few}from physics.kernels import load\n{code}"], env=env,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder)

    def run(self, code: str, **env):
        """What the code prints on its last line, as JSON."""
        process = self.command(code, **env)
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        return json.loads(out.splitlines()[-1])


@pytest.fixture
def workshop(tmp_path):
    return Workshop(tmp_path, workers=1)


@pytest.fixture(scope="session")
def sample():
    from physics.kernels import load
    from tests.physics.kernels import sample as module

    load.ensure([module.__name__])
    return module


@pytest.fixture
def pair():
    """A small Model and Data without mechanics, filled with distinct numbers."""
    import numpy as np

    from physics.model.data import Data
    from physics.model.model import Model

    m = Model.allocate(dict(nq=9, nv=6, nbody=4, njnt=1, neq=1))
    m.body_pos[:] = np.arange(12.0).reshape(4, 3)
    m.body_parentid[:] = [3, 0, 1, 2]
    m.opt.timestep = 0.5
    m.opt.gravity = [0, 0, -9.81]
    d = Data(m)
    d.qpos[:] = np.arange(1.0, 10.0)
    return m, d

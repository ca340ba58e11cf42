"""A large picture or mesh has the compiler's kernels loaded from the cache; without a cache nothing is compiled and the twins do the work."""
import os
import subprocess
import sys

import pytest

import physics
from physics.kernels import decorators
from tests.physics.kernels.conftest import ROOT

PROGRAM = """
import sys
import physics
from physics.compiler.native import pixels

model = physics.load_string("<mujoco><asset><texture type='skybox' builtin='gradient' rgb1='1 0 0' mark='random' random='.1' width='%s'/></asset></mujoco>" % sys.argv[1])
print(bool(pixels.paint_gradient_cube.addr), "numba" in sys.modules, int(model.tex_data.sum()))
"""


def _run(width: int, **environment) -> list[str]:
    env = dict(os.environ, PYTHONPATH=str(ROOT), **environment)
    return subprocess.run([sys.executable, "-c", PROGRAM, str(width)], env=env, check=True, cwd=ROOT, capture_output=True, text=True).stdout.split()


@pytest.mark.skipif(decorators.NOJIT, reason="loads compiled code")
def test_kernels_are_loaded_where_there_is_much_to_do(tmp_path):
    physics.ensure_kernels()
    loaded, numba, bytes_loaded = _run(256)
    assert (loaded, numba) == ("True", "False")
    assert _run(16)[0] == "False"
    plain, numba, bytes_plain = _run(256, LINKWORK_CACHE=str(tmp_path))
    assert (plain, numba) == ("False", "False") and bytes_plain == bytes_loaded
    assert not list(tmp_path.glob("*.object"))

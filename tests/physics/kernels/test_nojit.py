"""The whole engine under the interpreter gives what the compiled engine gives."""
import os
import subprocess
import sys

import numpy as np
import pytest

from physics.kernels import decorators
from tests.physics.kernels.conftest import ROOT

PROGRAM = """
import sys
import numpy as np
import mujoco
import physics
from physics.simulate import step
from physics.model.data import Data
from physics.compiler.derived.collision_pairs import build_pairs
from tests.physics.engine.oracle_model import model_from

physics.ensure_kernels()
m = model_from(mujoco.MjModel.from_xml_path(sys.argv[1]))
build_pairs(m)
d = Data(m)
rng = np.random.default_rng(1)
d.qvel[:] = 0.1 * rng.normal(size=m.nv)
d.ctrl[:] = 0.1 * rng.normal(size=m.nu)
assert step.step(m, d, 3) == 3
np.savez(sys.argv[2], numba="numba" in sys.modules, count=[d.ncon, d.nefc],
         **{n: getattr(d, n) for n in ("qpos", "qvel", "qacc", "xpos", "M", "qfrc_bias", "qfrc_constraint", "sensordata")})
"""


def _run(model, target, nojit):
    env = dict(os.environ, LINKWORK_NOJIT=nojit, PYTHONPATH=str(ROOT))
    subprocess.run([sys.executable, "-c", PROGRAM, str(ROOT / "models" / model), str(target)], env=env, check=True, cwd=ROOT)
    return np.load(target)


@pytest.mark.skipif(decorators.NOJIT, reason="compares with compiled code")
@pytest.mark.parametrize("model", ["arm.xml"])
def test_whole_engine_without_compiled_code(model, tmp_path):
    compiled, plain = (_run(model, tmp_path / f"{nojit}.npz", nojit) for nojit in "01")
    assert plain["count"].tolist() == compiled["count"].tolist() and compiled["count"].min() > 0
    assert not plain["numba"] and not compiled["numba"]
    for name in set(compiled.files) - {"numba", "count"}:
        scale = max(1.0, np.abs(compiled[name]).max(initial=0.0))
        np.testing.assert_allclose(plain[name], compiled[name], rtol=0, atol=1e-11 * scale, err_msg=name)

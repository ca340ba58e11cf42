"""The same model, state and controls give the same bits: in another process, loaded again, in another Data, after another past, on any number of threads."""
import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

import physics
from physics.enums import StateBit
from physics.model import lwb
from tests.physics.everything import everything

WAYS = tuple((integrator, cone) for integrator in ("Euler", "RK4", "implicit", "implicitfast", "discrete") for cone in ("pyramidal", "elliptic"))
STEPS = 120


def model(integrator: str, cone: str):
    return physics.load_string(everything(f'integrator="{integrator}" cone="{cone}"', 'energy="enable"'))


def run(m, d) -> bytes:
    """What the model does under waving controls: states, sensors and forces of every step."""
    seen = hashlib.sha256()
    most = 0
    for k in range(STEPS):
        d.ctrl[:] = np.sin(0.1 * k + np.arange(m.nu))
        assert physics.step(m, d) == 1
        most = max(most, int(d.ncon))
        for part in (physics.get_state(m, d), d.sensordata, d.qacc, d.qfrc_constraint, d.efc_force[:d.nefc], d.energy, d.xpos):
            seen.update(np.ascontiguousarray(part).tobytes())
    assert most > 5
    return seen.digest()


def report() -> str:
    """One line per integrator and cone: what another process compares with."""
    lines = []
    for way in WAYS:
        m = model(*way)
        lines.append(f"{way} {run(m, physics.Data(m)).hex()}")
    return "\n".join(lines)


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def test_another_process_gives_the_same_bits():
    code = "import physics; physics.ensure_kernels(); from tests.verification.test_determinism import report; print(report())"
    path = os.pathsep.join([os.getcwd(), *filter(None, [os.environ.get("PYTHONPATH")])])
    found = [subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": seed}, text=True,
                            capture_output=True, check=True).stdout.strip() for seed in ("1", "2")]
    assert found[0] == found[1] == report()
    assert len({line.split()[-1] for line in found[0].splitlines()}) == len(WAYS)   # every way has numbers of its own


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_loaded_again_and_in_another_data(way, tmp_path):
    m = model(*way)
    first = run(m, physics.Data(m))
    crowd = [physics.Data(m, *sizes) for sizes in ((), (1, 1, 1, 1), (700, 3000, 90000))]   # others beside it, with little and with much room
    assert {run(m, d) for d in crowd} == {first}
    again = model(*way)
    assert run(again, physics.Data(again)) == first
    lwb.save(m, tmp_path / "m.lwb")
    saved = physics.load(tmp_path / "m.lwb")
    assert run(saved, physics.Data(saved)) == first


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_a_past_leaves_no_trace(way):
    """Reset, copied, or put back to a state: nothing of what was kept between steps shows in the numbers."""
    m = model(*way)
    d = physics.Data(m)
    first = run(m, d)
    d.reset()
    assert run(m, d) == first
    middle = physics.get_state(m, d)
    other = physics.Data(m)
    physics.forward(m, other)
    physics.set_state(m, other, middle)
    copy = d.copy()
    assert run(m, copy) == run(m, other) == run(m, d) != first


@pytest.mark.parametrize("way", WAYS[::3], ids=" ".join)
def test_any_number_of_threads_gives_the_same_bits(way):
    m = model(*way)
    d, rng = physics.Data(m), np.random.default_rng(0)
    states, controls = [], rng.normal(size=(9, 40, m.nu))
    for _ in range(9):
        d.reset()
        d.qvel[:] = 0.2 * rng.normal(size=m.nv)
        states.append(physics.get_state(m, d, StateBit.FULLPHYSICS))
    found = [physics.rollout(m, states, controls, nthread=count) for count in (1, 2, 3, 8, 1)]
    assert (found[0].steps == 40).all() and np.isfinite(found[0].states).all()
    assert len({f.states.tobytes() + f.sensordata.tobytes() for f in found}) == 1
    alone = physics.rollout(m, states[7], controls[7], nthread=1)
    assert alone.states[0].tobytes() == found[0].states[7].tobytes()

"""The bundled models with hard contact: each picks the engine by its text, stays plain MJCF, and does what its comment says."""
from pathlib import Path

import mujoco
import numpy as np
import pytest

import physics
from physics.diagnostics.engine_figures import Judge
from physics.enums import Engine
from physics.simulate import hard_unsupported

MODELS = Path(__file__).parents[2] / "models"
NAMES = sorted(path.stem for path in MODELS.glob("hard_*.xml"))


def loaded(name, engine=Engine.HARD, key=None):
    m = physics.load(MODELS / f"{name}.xml")
    m.opt.engine = engine
    d = physics.Data(m)
    if key is not None:
        physics.reset(m, d, key)
    return m, d


def deepest(m, d, seconds):
    """Deepest overlap over so long [m]."""
    judge, found = Judge(m), 0.0
    for _ in range(round(seconds / 0.1)):
        physics.step(m, d, round(0.1 / m.opt.timestep))
        found = max(found, judge.look(d).overlap)
    return found


def moved(m, d):
    """How far each body has come from where the model puts it (nbody - 1) [m]."""
    physics.kinematics(m, d)
    return np.linalg.norm(d.xpos[1:] - m.body_pos[1:], axis=1)


def test_there_are_four():
    assert NAMES == ["hard_arch", "hard_drop", "hard_slope", "hard_stack"]


@pytest.mark.parametrize("name", NAMES)
def test_the_text_picks_the_engine_and_nothing_is_refused(name):
    m = physics.load(MODELS / f"{name}.xml")
    assert m.opt.engine == Engine.HARD and not hard_unsupported.issues(m)
    assert all("integrator" in str(issue) for issue in hard_unsupported.ignored(m))     # hard_drop's, for the soft engine
    assert mujoco.MjModel.from_xml_path(str(MODELS / f"{name}.xml")).nv == m.nv


@pytest.mark.parametrize("name", NAMES)
def test_every_step_converges_and_nothing_overlaps(name):
    m, d = loaded(name)
    assert deepest(m, d, 1.5) < 1e-6
    assert d.hard_nfailed == d.hard_ncoarse == d.hard_nhalved == 0 and d.time == pytest.approx(1.5)


def test_on_the_slope_a_friction_above_the_tangent_holds():
    m, d = loaded("hard_slope")
    physics.step(m, d, 200)
    far = dict(zip(("ice", "wood", "leather", "cork", "rubber"), moved(m, d), strict=True))
    tilt = np.radians(20)
    for name, mu in (("wood", 0.2), ("leather", 0.35)):
        assert far[name] == pytest.approx(0.5 * 9.81 * (np.sin(tilt) - mu * np.cos(tilt)), rel=0.02)
    assert far["cork"] < 1e-4 and far["rubber"] < 1e-6
    m.geom_friction[m.id("geom", "leather"), 0] = 0.5
    physics.step(m, d, 100)
    assert np.abs(d.body("leather").cvel).max() < 1e-4


def test_the_stack_stands_at_20_hertz_and_floats_by_kappa():
    m, d = loaded("hard_stack")
    assert m.opt.timestep == 0.05
    physics.step(m, d, 60)
    assert moved(m, d).max() < 1e-6
    m.opt.hard_kappa = 1e-3
    physics.step(m, d, 200)
    gaps = np.diff(np.r_[-0.1, d.qpos.reshape(-1, 7)[:, 2]]) - 0.2
    assert np.allclose(gaps, 4e-3 / (9.81 * np.arange(10, 0, -1)), rtol=1e-3)


def test_the_arch_stands_by_friction():
    m, d = loaded("hard_arch")
    physics.step(m, d, 300)
    physics.kinematics(m, d)
    assert moved(m, d).max() < 1e-6
    m, d = loaded("hard_arch")
    m.geom_friction[:, 0] = 0.2
    physics.step(m, d, 500)
    assert moved(m, d).max() > 0.1


@pytest.mark.parametrize("h", [0.05, 0.01])
def test_the_person_lands_at_any_step(h):
    m, d = loaded("hard_drop", key="drop")
    m.opt.timestep = h
    assert deepest(m, d, 1.5) < 1e-8 and d.hard_nfailed == d.hard_ncoarse == 0
    assert 0.05 < d.body("chest").xpos[2] < 1.5

"""The long proofs in little: what they call right is right, and a broken engine is told."""
import numpy as np
import pytest

import physics
from tests.long import hundred_seconds, piles
from tests.oracle.corpus import entry


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture
def broken(monkeypatch):
    """Speeds that grow by a tenth in each call."""
    right = physics.step

    def step(m, d, nstep=1, **options):
        done = right(m, d, nstep, **options)
        d.qvel[:] *= 1.5
        return done

    monkeypatch.setattr(physics, "step", step)


def test_random_control_of_a_model():
    row = hundred_seconds.judge(entry("gymnasium_ant"), 2.0)
    assert row["status"] == "ok" and row["ours"]["seconds"] == pytest.approx(2.0) and row["ours"]["energy"] == pytest.approx(row["official"]["energy"], rel=0.2)
    assert "ok" in hundred_seconds.line(row)


def test_an_engine_that_runs_wild_is_off(broken):
    row = hundred_seconds.judge(entry("gymnasium_ant"), 4.0)
    assert row["status"] == "off" and "official" in row["why"]


def test_controls_are_random_within_their_ranges_and_the_same_again():
    row = entry("gymnasium_ant")
    m = physics.load(row.path)
    u = hundred_seconds.controls(m, row.name, 50)
    assert u.shape == (50, m.nu) and (u >= m.actuator_ctrlrange[:, 0]).all() and (u <= m.actuator_ctrlrange[:, 1]).all() and u.std() > 0.1
    assert np.array_equal(u, hundred_seconds.controls(m, row.name, 50)) and not np.array_equal(u, hundred_seconds.controls(m, "another", 50))


def test_a_heap():
    row = piles.judge("dropped", 0, 2.0)
    assert row["ok"] and "ok" in piles.line(row)


def test_a_heap_of_a_wild_engine_is_off(broken):
    assert not piles.judge("dropped", 0, 2.0)["ok"]


def test_every_model_of_the_long_run_is_in_the_corpus():
    assert len(hundred_seconds.MODELS) == 20 == len({entry(name).name for name in hundred_seconds.MODELS})

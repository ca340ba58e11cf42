"""The speed benchmark's honesty, not the machine's speed."""
import mujoco
import numpy as np
import pytest

import physics
from benchmarks import measuring, official, speed
from tests.oracle.corpus import entry


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture
def few_rounds(monkeypatch):
    monkeypatch.setattr(speed, "ROUNDS", 3)
    monkeypatch.setattr(speed, "SETTLE_STEPS", 20)


def test_a_row_has_both_engines_and_their_ratio(few_rounds):
    row = speed.row_of(entry("dmc_cheetah", exact=True))
    assert row["why"] == "" and row["nv"] == 9
    assert row["ours_us"] > 0 and row["official_us"] > 0
    assert row["speedup"] > 0 and row["speedup_user"] > 0


def test_a_model_that_does_not_load_is_listed_with_its_reason():
    row = speed.row_of(entry("flex_flag"))
    assert row["speedup"] is None and "flexible objects" in row["why"]


def test_an_engine_that_disagrees_gets_no_figure(few_rounds, monkeypatch):
    original = physics.step

    def wrong(model, data, nstep=1):
        done = original(model, data, nstep)
        data.qpos[...] += 1e-6
        return done

    monkeypatch.setattr(speed.physics, "step", wrong)
    row = speed.row_of(entry("dmc_cheetah"))
    assert row["speedup"] is None and row["why"].startswith("disagrees")


def test_windows_that_end_early_are_an_error(few_rounds, monkeypatch):
    monkeypatch.setattr(speed, "step_n", lambda model, data, n: n - 1)
    with pytest.raises(RuntimeError, match="steps happened"):
        speed.row_of(entry("dmc_cheetah"))


def test_the_official_clock_is_silent_only_within():
    model = mujoco.MjModel.from_xml_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    data = mujoco.MjData(model)

    def timed() -> bool:
        before = np.array([timer.number for timer in data.timer])
        durations = np.array([timer.duration for timer in data.timer])
        for _ in range(20):
            mujoco.mj_step(model, data)
        return bool((np.array([timer.duration for timer in data.timer]) > durations).any() and (np.array([timer.number for timer in data.timer]) >= before).all())

    assert timed()
    with official.silent_clock():
        assert not timed()
    assert timed()


def test_ratio_is_the_median_of_rounds():
    assert measuring.median_ratio([2.0, 4.0, 300.0], [1.0, 2.0, 3.0]) == 2.0

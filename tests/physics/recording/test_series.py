"""Series: values over all that is traced, brought up to date piece by piece."""
import numpy as np
import pytest

import physics
from assets.locate import bundled_model
from physics.quantities.quantity import compile_quantity
from physics.runtime import commands
from physics.runtime.perform import perform
from physics.recording.series import Series
from physics.runtime.simulation import Simulation

TEXTS = ("1 + 1", "qpos[0]", "deriv(qpos[0])", "lowpass(qvel[0], 20)", "qvel")


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture
def sim():
    simulation = Simulation()
    perform(simulation, commands.SwapModel(physics.load(bundled_model("double_pendula.xml"))))
    perform(simulation, commands.SetTrace(TEXTS))
    return simulation


def updated(series, sim):
    series.know(sim.generation, sim.model)
    return series.update(sim.trace.view())


@pytest.mark.parametrize("text", TEXTS)
def test_updates_give_the_bits_of_the_whole(sim, text):
    series = Series(text)
    for steps in (1, 3, 50, 0, 7):
        sim.take(steps)
        assert updated(series, sim) is (steps > 0)
    whole = compile_quantity(sim.model, text).values(sim.trace.view().pieces[0].source())
    assert np.array_equal(series.values, whole.reshape(len(whole), -1), equal_nan=True)
    assert np.array_equal(series.entries, np.arange(61)) and np.allclose(np.diff(series.time), sim.model.opt_timestep)


def test_what_was_dropped_is_made_anew(sim):
    series = Series("qpos[0]")
    sim.take(100)
    updated(series, sim)
    sim.show_entry(30)
    perform(sim, commands.SetQpos(0, 0.7))
    sim.take(5)
    assert updated(series, sim)
    assert np.array_equal(series.entries, np.arange(35)) and series.values[30, 0] == 0.7


def test_a_jump_leaves_a_gap(sim):
    series = Series("qpos[0]")
    sim.take(10)
    updated(series, sim)
    perform(sim, commands.Reset())
    sim.take(10)
    updated(series, sim)
    assert np.array_equal(series.entries, [*range(10), 11, *range(11, 21)])
    assert np.array_equal(np.flatnonzero(np.isnan(series.values[:, 0])), [10])


def test_another_model_goes_on_with_the_same_text(sim):
    series = Series("qpos[0]")
    sim.take(10)
    updated(series, sim)
    perform(sim, commands.SwapModel(physics.load(bundled_model("double_pendula.xml")), carry=lambda old, state, new: (state, None)))
    sim.take(5)
    assert updated(series, sim)
    assert len(series.values) == 16 and np.isnan(series.values[10, 0]) and np.isfinite(series.values[11:]).all()


def test_a_model_without_it_adds_nothing(sim):
    series = Series('qpos["nothing"]')
    sim.take(5)
    assert not updated(series, sim) and series.values.shape == (0, 1) and series.quantity(sim.generation) is None


def test_what_was_not_traced_is_filled_in_without_a_seam():
    """Entries 0 to 99, of which 40 to 59 and 80 on are traced; at 70 the run was reset."""
    time = np.concatenate([0.01 * np.arange(70), 0.01 * np.arange(50)])
    series, number = Series("x"), np.arange(120)
    values = np.sin(number)[:, None]
    for start, end in ((40, 60), (80, 100), (100, 120)):
        series._chunks.append((time[start:end], number[start:end], values[start:end]))
        series._width, series._joined = 1, None
        if end == 100:
            series.take_past(number[:100], time[:100], values[:100] + 1e-9)
    assert series.count(0, 119) == 120 and series.begun == 40
    gap = np.isnan(series.values[:, 0])
    assert series.entries[gap].tolist() == [70] and len(series.entries) == 121
    there = series.values[~gap, 0]
    traced = np.isin(series.entries[~gap], [*range(40, 60), *range(80, 120)])
    assert (there[traced] == np.sin(number[traced])).all() and (there[~traced] == np.sin(number[~traced]) + 1e-9).all()
    series.take_past(number[:0], time[:0], values[:0])
    assert series.count(0, 119) == 60


def test_the_past_of_a_vector_is_there_before_anything_of_it_is_traced(sim):
    """As of one that is added while the run stands still."""
    sim.take(20)
    series = Series("qpos")
    series.know(sim.generation, sim.model)
    values = np.arange(20.0 * sim.model.nq).reshape(20, -1)
    series.take_past(np.arange(20), sim.model.opt_timestep * np.arange(20), values)
    assert np.array_equal(series.values, values) and series.count(0, 19) == 20
    perform(sim, commands.SetTrace((*TEXTS, "qpos")))
    sim.take(5)
    updated(series, sim)
    series.take_past(np.arange(20), sim.model.opt_timestep * np.arange(20), values)
    assert series.values.shape[1] == sim.model.nq and np.array_equal(series.values[:20], values) and np.isfinite(series.values[-1]).all()

"""Ten hard states: as many Newton iterations as the official engine's at most, on average, and costs that fall as fast with each solver."""
import numpy as np
import pytest

from benchmarks import convergence, hard_states
from physics.enums import SOL_NEWTON, Solver
from tests.oracle.corpus import require_corpus

COUNTS = (0, 1, 3, 8)


@pytest.fixture(scope="module")
def rows():
    require_corpus()   # the states are of its models
    return {name: convergence.measure(name, mjd, COUNTS) for name, mjd in hard_states.states().items()}


def test_newton_takes_no_more_iterations_than_the_official_one(rows):
    ours, theirs = (np.array([row["NEWTON"][k] for row in rows.values()]) for k in ("iterations", "official_iterations"))
    assert len(ours) == 10 and ours.mean() <= theirs.mean()
    assert theirs.mean() > 4   # hard they are


@pytest.mark.parametrize("solver", [s.name for s in Solver])
def test_costs_fall_as_fast_as_the_official_ones(rows, solver):
    for name, row in rows.items():
        left = convergence.shares(row)
        assert (left[solver, "ours"] <= 1.001 * left[solver, "official"] + 1e-9).all(), name
    assert convergence.means(rows)[solver, "ours"][-1] < 1e-2


def test_the_chart_and_the_tables(rows, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(convergence, "COUNTS", COUNTS)
    convergence.draw(convergence.means(rows), str(tmp_path / "c.png"))
    colours = {colour for _n, colour in convergence.Image.open(tmp_path / "c.png").getcolors(10**6)}
    assert {(31, 111, 235), (217, 130, 43), (46, 158, 91)} <= colours


def test_options_are_put_back(rows):
    assert all(hard_states.model(name).opt.solver in (SOL_NEWTON, 1) and hard_states.model(name).opt.iterations in (30, 100) for name in rows)

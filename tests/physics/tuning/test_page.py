"""The numbers that docs/tuning.md tells of the law are those that the law has."""
import re

import pytest

from physics.tuning.closed_forms import rest_depth
from physics.tuning.scalar import impacts, load_step
from tests.architecture.sources import ROOT
from tests.physics.tuning.drops import drop

ROW = re.compile(r"^\| (-?[\d.]+) (-?[\d.]+)[^|]*\| ([\d.]+) ([\d.]+) ([\d.]+) \| ([\d.]+) mm \| ([\d.]+) ms \| ([\d.]+) \| ([\d.]+) \|$", re.M)
ROWS = [tuple(map(float, row)) for row in ROW.findall((ROOT / "docs/tuning.md").read_text())]


def test_the_page_has_them():
    assert len(ROWS) == 7


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_row_of_the_page(row):
    timeconst, dampratio, d0, dwidth, width, depth, settling, damping, restitution = row
    falling = drop(solref=(timeconst, dampratio), solimp=(d0, dwidth, width, 0.5, 2.0), timestep=0.001, condim=1, mass=0.5)
    settled = load_step(falling.row, falling.parameters)
    assert 1e3 * rest_depth(falling.row, falling.parameters) == pytest.approx(depth, rel=0.02) and 1e3 * settled.settling == pytest.approx(settling, rel=0.03)
    assert settled.damping_ratio == pytest.approx(damping, abs=0.006) and impacts(falling.row, falling.parameters, (1.0,), 16)[0].mean == pytest.approx(restitution, abs=0.005)

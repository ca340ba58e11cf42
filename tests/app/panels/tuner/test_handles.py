"""Handles lie on the curve that the engine has, and what a drag asks for is what solimp says then."""
from math import isnan

import pytest

from app.panels.tuner.handles import NAMES, depth_reach, dragged, handle_points, impedance_span
from app.panels.tuner.impedance_plot import ticks
from physics.enums import MAXIMP, MINIMP
from physics.tuning.law import impedance

CURVED = (0.3, 0.9, 0.02, 0.4, 3.0)


def test_handles_lie_on_the_curve():
    points = handle_points(CURVED)
    assert points["d0"] == (0.0, 0.3) and points["dwidth"] == (0.02, 0.9) and points["width"][0] == 0.02 and isnan(points["width"][1])
    for name in ("midpoint", "power"):
        depth, d = points[name]
        assert d == pytest.approx(float(impedance(CURVED, -depth)[0]))
    assert points["midpoint"][0] == pytest.approx(0.4 * 0.02)
    flat = handle_points((0.9, 0.9, 0.001, 0.5, 2.0))
    assert flat["midpoint"] is None and flat["power"] is None


@pytest.mark.parametrize("name", NAMES)
def test_a_handle_that_stays_changes_nothing(name):
    depth, d = handle_points(CURVED)[name]
    assert dragged(CURVED, name, depth, 0.5 if isnan(d) else d) == pytest.approx(CURVED)


@pytest.mark.parametrize("name, depth, d", [("d0", 0.0, 0.5), ("dwidth", 0.02, 0.7), ("midpoint", 0.012, 0.6), ("power", 0.004, 0.35)])
def test_the_curve_goes_where_the_handle_is_dragged(name, depth, d):
    found = dragged(CURVED, name, depth, d)
    place = handle_points(found)[name]
    assert place[0] == pytest.approx(depth, rel=0.01) if name == "midpoint" else place[1] == pytest.approx(d, abs=0.005)
    changed = [k for k in range(5) if found[k] != CURVED[k]]
    assert changed == [NAMES.index(name)]


def test_drags_end_where_the_engine_does():
    assert dragged(CURVED, "d0", 0.0, -3.0)[0] == MINIMP and dragged(CURVED, "dwidth", 0.0, 3.0)[1] == MAXIMP
    assert dragged(CURVED, "width", -1.0, 0.5)[2] == 0.0 and dragged(CURVED, "midpoint", 9.0, 0.5)[3] == 0.99
    assert dragged(CURVED, "power", 0.004, 0.89)[4] == 1.0 and dragged(CURVED, "power", 0.004, 0.2)[4] == 20.0


def test_axes_have_room_for_curve_and_contact():
    assert depth_reach(CURVED) > 0.02 and depth_reach(CURVED, (0.1, float("nan"))) > 0.1 and depth_reach((0.9, 0.9, 0.0, 0.5, 2.0)) > 0.0
    low, high = impedance_span(CURVED)
    assert 0.0 <= low < 0.3 and 0.9 < high <= 1.0
    assert ticks(0.0, 1.0, 5) == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0]) and len(ticks(0.83, 0.97, 4)) >= 2

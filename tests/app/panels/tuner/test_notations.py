"""solref's three notations mean the same, each can be given, and what has no twin is said to have none."""
import pytest

from app.panels.tuner import notations
from physics.enums import INT_DISCRETE, INT_EULER
from physics.tuning.closed_forms import rest_depth
from physics.tuning.law import Parameters, Row, to_physical

ROW = Row(0.5, 3.0, -9.81, 0.002, INT_EULER, True, 0.0)
CURVED = (0.3, 0.95, 0.02, 0.3, 3.5)


@pytest.mark.parametrize("solref", [(0.02, 1.0), (-2500.0, -100.0), (-900.0, -5.0)])
def test_each_notation_leads_to_the_others_and_back(solref):
    given = Parameters(solref, CURVED)
    stiffness, damping = notations.direct(given)
    assert notations.standard(notations.with_direct(given, stiffness, damping)) == pytest.approx(notations.standard(given))
    assert notations.direct(notations.with_standard(given, *notations.standard(given))) == pytest.approx((stiffness, damping))
    K, C = notations.physical(ROW, given)
    assert notations.direct(notations.with_physical(ROW, given, K, C)) == pytest.approx((stiffness, damping), rel=1e-5)


def test_a_spring_in_newtons_is_that_where_the_contact_rests():
    found = notations.with_physical(ROW, Parameters((0.02, 1.0), CURVED), 4000.0, 30.0)
    assert to_physical(ROW, found, rest_depth(ROW, found)) == pytest.approx((4000.0, 30.0), rel=1e-4)
    assert all(value == float(f"{value:.6g}") for value in found.solref), "as many digits as a text has"


def test_what_has_no_twin():
    assert notations.standard(Parameters((-1000.0, 0.0), CURVED)) is None      # no damping, no time constant
    assert notations.standard(Parameters((0.02, -1.0), CURVED)) is None and notations.direct(Parameters((0.02, -1.0), CURVED)) is None
    assert notations.physical(None, Parameters((0.02, 1.0), CURVED)) is None
    for wrong in (lambda: notations.with_standard(Parameters((0.02, 1.0), CURVED), 0.0, 1.0), lambda: notations.with_direct(Parameters((0.02, 1.0), CURVED), -1.0, 1.0),
                  lambda: notations.with_physical(Row(1.0, 1.0, -1.0, 0.002, INT_DISCRETE, True, 0.0), Parameters((0.02, 1.0), CURVED), 1.0, 1.0)):
        with pytest.raises(ValueError):
            wrong()

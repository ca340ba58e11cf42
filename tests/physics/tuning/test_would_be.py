"""The row of a contact that there is not yet: that of the drop's own numbers in the air, and the one that is read when it has touched."""
import pytest

import physics
from physics.model.elements import CONTACT, Element, element
from physics.tuning.law import Friction, contact_factor
from physics.tuning.target import Form, Target, read
from physics.tuning.would_be import would_be_row
from tests.physics.tuning.drops import drop


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("cone,condim,mu", [("pyramidal", 3, 0.4), ("elliptic", 3, 1.0), ("pyramidal", 1, 1.0), ("pyramidal", 6, 0.7)])
def test_in_the_air_it_is_the_row_that_will_be_read(cone, condim, mu):
    falling = drop("ball", condim=condim, cone=cone, mu=mu, margin=0.004)
    m = physics.load_string(falling.text)
    d = physics.Data(m)
    d.qpos[2] += 0.3
    physics.forward(m, d)
    found = would_be_row(m, d, 1, 0)
    for name in ("inverse_mass", "factor", "a0", "timestep", "integrator", "refsafe", "margin"):
        assert getattr(found.row, name) == pytest.approx(getattr(falling.row, name)), name
    assert found.friction == Friction(condim, mu, 1.0, int(m.opt_cone)) and found.row.factor == pytest.approx(contact_factor(1, found.friction))
    while not (state := read(m, d, Target(Form.CONTACT, Element(CONTACT, -1, "", (element(m, "geom", 0), element(m, "geom", 1)))))):
        physics.step(m, d)
        physics.forward(m, d)
    assert (state.row.inverse_mass, state.row.factor, state.row.a0) == pytest.approx((found.row.inverse_mass, found.row.factor, found.row.a0))
    assert would_be_row(m, d, 0, 1) is None or d.contact_dist[0] > 0


def test_what_cannot_move_against_the_other_has_none():
    m = physics.load_string("<mujoco><worldbody><geom size='.1'/><geom size='.1' pos='1 0 0'/><geom size='.1' pos='1.1 0 0'/></worldbody></mujoco>")
    d = physics.Data(m)
    physics.forward(m, d)
    assert would_be_row(m, d, 0, 1) is None and would_be_row(m, d, 1, 2) is None

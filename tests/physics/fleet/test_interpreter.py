"""The loops of a fleet run as Python too, with the same rows in and out."""
import numpy as np
import pytest

import physics
from tests.physics.fleet.singles import ALL, alone, bundled, states_of


@pytest.mark.nojit
def test_rows_in_and_out():
    physics.ensure_kernels()
    m = bundled("pendulum")
    states = states_of(m, 3)
    fleet = physics.Fleet(m, 3, 1)
    place, damping = fleet.bind("xpos"), fleet.expand("dof_damping")
    fleet.set_state(states)
    fleet.step(nstep=2)
    fleet.step([2, 0])
    expected = np.array([alone(m, state[None], n)[0] for state, n in zip(states, (3, 2, 3))])
    assert fleet.get_state().tobytes() == expected.tobytes() and (damping == m.dof_damping).all() and place.any()
    ahead = fleet.rollout(nstep=2)
    fleet.step(nstep=2)
    assert (ahead.state[:, -1] == fleet.get_state(sig=physics.StateBit.FULLPHYSICS)).all()
    fleet.bind("qvel")[1] = np.nan
    assert fleet.step().tolist() == [1]
    d = fleet.get_data(0, compute=False)
    assert physics.get_state(d.model, d, ALL).tobytes() == fleet.get_state([0])[0].tobytes()

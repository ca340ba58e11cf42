"""Derivatives of steps whose positions come from a projection: many contacts that overlap at the start."""
import numpy as np
import pytest

import physics
from physics import hard
from tests.physics.hard import differences


@pytest.fixture(scope="module")
def sunk():
    m, d = differences.sunk_boxes(1e-5)
    return m, d, hard.gradients(m, d)


def block_columns(m, d, dofs, eps=1e-6):
    """Columns of the derivative by positions and velocities of these dofs, by differences of whole steps."""
    out = []
    for kind in (0, 1):
        for k in dofs:
            ends = []
            for step in (eps, -eps):
                qpos, qvel = d.qpos.copy(), d.qvel.copy()
                if kind:
                    qvel[k] += step
                else:
                    qpos = physics.integrate_pos(m, qpos, np.eye(m.nv)[k], step)
                ends.append(differences.end_of(m, d, qpos, qvel, d.act, d.ctrl))
            out.append(np.concatenate([physics.differentiate_pos(m, ends[1][0], ends[0][0], 2 * eps), (ends[0][1] - ends[1][1]) / (2 * eps)]))
    return np.array(out).T


def test_projected_positions_and_velocities_by_the_state(sunk):
    m, d, found = sunk
    assert found.projected and found.status == 0
    dofs = [6, 7, 8, 9, 10, 11]
    expected, columns = block_columns(m, d, dofs), found.A[:, dofs + [m.nv + k for k in dofs]]
    for rows in (slice(0, m.nv), slice(m.nv, None)):
        for half in (slice(0, 6), slice(6, None)):
            assert np.abs(columns[rows, half] - expected[rows, half]).max() <= 1e-5 * np.abs(expected[rows, half]).max(), (rows, half)


def test_few_contacts_are_not_projected():
    m, d = differences.box(1e-5)
    d.qpos[2] -= 5e-4
    found = hard.gradients(m, d)
    assert not found.projected and not np.isnan(found.A).any()


@pytest.mark.parametrize("name, place", [("body_mass", (2,)), ("geom_size", (2, 2)), ("geom_friction", (2, 0))])
def test_projected_positions_by_parameters(name, place):
    m, d = differences.sunk_boxes(1e-5)
    found = hard.gradients(m, d, parameters=(name,)).P[name][(slice(None), *place)]
    values, eps, ends = getattr(m, name), 1e-6, []
    before = float(values[place])
    for step in (eps, -eps):
        values[place] = before + step
        m.check_written()
        ends.append(differences.end_of(m, d, d.qpos, d.qvel, d.act, d.ctrl))
    values[place] = before
    m.check_written()
    expected = np.concatenate([physics.differentiate_pos(m, ends[1][0], ends[0][0], 2 * eps), (ends[0][1] - ends[1][1]) / (2 * eps)])
    for rows in (slice(0, m.nv), slice(m.nv, None)):
        assert np.abs(found[rows] - expected[rows]).max() <= max(1e-5 * np.abs(expected[rows]).max(), 1e-8)

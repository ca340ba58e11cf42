"""The convex rows: their scaling, directions against it, blocks against directions, and the exact rows that they lead to."""
import numpy as np
import pytest

from physics.engine.hard.contact import cones, convex
from physics.engine.hard.contact.cones import ETA, ETA0, IMPULSE, SLACK, XI
from tests.physics.engine.hard.contact.test_cones import at_random

CONDIMS = pytest.mark.parametrize("condim", [1, 3, 4, 6])


def convex_at_random(condim, seed=0):
    """Rows with both points in the cone, and their scaling and blocks."""
    scene = at_random(condim, seed)
    d, n = scene.d, condim - 1
    for c in range(scene.n):
        d.hrow_var[c, SLACK] = np.linalg.norm(d.hrow_var[c, ETA:ETA + n]) + d.hrow_var[c, SLACK]
        d.hrow_var[c, ETA0] = 0
    d.hard_block[:] = d.hard_upper[:] = d.hard_lower[:] = 0
    d.hard_rv = d.hard_kv = 0.0
    d.hard_res[:] = 0
    convex.convex_residuals.plain(scene.m, d)
    convex.convex_blocks.plain(scene.m, d)
    return scene


def points(row, n):
    """(x, z) or their changes: impulses, and gap with slips."""
    return np.array([row[IMPULSE], *row[XI:XI + n]]), np.array([row[SLACK], *row[ETA:ETA + n]])


def jordan(a, b):
    return np.array([a @ b, *(a[0] * b[1:] + b[0] * a[1:])])


def scaling(row):
    """V from beta^2 and w."""
    beta, w = np.sqrt(row[0]), row[1:]
    V = np.block([[w[:1], w[1:][None]], [w[1:][:, None], np.eye(len(w) - 1) + np.outer(w[1:], w[1:]) / (1 + w[0])]])
    return beta * V


@CONDIMS
@pytest.mark.parametrize("corrector", [0, 1])
def test_directions_solve_the_scaled_equations(condim, corrector):
    scene = convex_at_random(condim)
    d, n = scene.d, condim - 1
    d.hrow_predict[:scene.n] = np.random.default_rng(3).normal(0, .1, (scene.n, 16))
    d.hard_nu[:3] = np.random.default_rng(4).normal(0, .1, (3, 6))
    convex.convex_directions.plain(scene.m, d, .02, corrector)
    for c in range(scene.n):
        x, z = points(d.hrow_var[c], n)
        V = scaling(d.hrow_scale[c, :2 + n])
        inverse = np.linalg.inv(V)
        l = V @ z
        assert np.abs(l - inverse @ x).max() < 1e-12
        dx, dz = points(d.hrow_step[c], n)
        px, pz = points(d.hrow_predict[c], n)
        left = jordan(l, l + V @ dz + inverse @ dx) + corrector * jordan(inverse @ px, V @ pz)
        assert np.abs(left - [.02, *np.zeros(n)]).max() < 1e-11


@CONDIMS
def test_blocks_are_what_impulses_change_by_motion(condim):
    """Blocks times a motion, and the push of bodies at rest, make the push of the directions for that motion."""
    scene = convex_at_random(condim)
    d = scene.d
    d.hard_wrench[:3] = 0
    convex.push_convex.plain(scene.m, d, .02, 0)
    r = np.random.default_rng(7)
    nu = r.normal(0, .1, (3, 6))
    nu[0] = 0
    d.hard_nu[:3] = nu
    one, two = d.hard_pair[0]
    upper, lower = d.hard_upper[0].reshape(6, 8)[:, :6], d.hard_lower[0].reshape(6, 8)[:, :6]
    found = d.hard_wrench[:3].copy()
    for b in (1, 2):
        found[b] += d.hard_block[b].reshape(6, 8)[:, :6] @ nu[b]
    found[one] += upper @ nu[two]
    found[two] += lower @ nu[one]
    convex.convex_directions.plain(scene.m, d, .02, 0)
    wanted = np.zeros((3, 6))
    for c in range(scene.n):
        cones.push_bodies(d, c, wanted, cones.impulse_of(d, c, d.hrow_step[c, IMPULSE], d.hrow_step[c], XI), -1.0)
    assert np.abs(wanted[1:]).max() > .1
    assert np.abs(found[1:] - wanted[1:]).max() < 1e-11 * np.abs(wanted).max()


@CONDIMS
def test_a_full_step_ends_the_residuals_of_gap_and_slips(condim):
    scene = convex_at_random(condim)
    d, n = scene.d, condim - 1
    d.hard_nu[:] = 0
    convex.convex_directions.plain(scene.m, d, 0.0, 0)
    for c in range(scene.n):
        assert d.hrow_step[c, SLACK] == d.hrow_res[c, 0] and (d.hrow_step[c, ETA:ETA + n] == d.hrow_res[c, 1:1 + n]).all()
    total = convex.convex_products.plain(scene.m, d, .3)
    x = d.hrow_var[:scene.n] + .3 * d.hrow_step[:scene.n]
    assert abs(total - sum(a @ b for a, b in (points(row, n) for row in x))) < 1e-12
    a = convex.convex_fraction.plain(scene.m, d, 1.0)
    x = d.hrow_var[:scene.n] + a * d.hrow_step[:scene.n]
    room = min(p[0] - np.linalg.norm(p[1:]) for row in x for p in points(row, n))
    assert a == 1.0 and room > 0 or abs(room) < 1e-9


@CONDIMS
def test_the_exact_rows_are_near_their_central_path_where_the_convex_ones_are_on_theirs(condim):
    scene = convex_at_random(condim)
    d, n = scene.d, condim - 1
    kappa = 1e-3
    for c in range(scene.n):
        # x = kappa z^-1
        _, z = points(d.hrow_var[c], n)
        x = kappa / (z[0]**2 - z[1:] @ z[1:]) * np.array([z[0], *-z[1:]])
        d.hrow_var[c, IMPULSE], d.hrow_var[c, XI:XI + n] = x[0], x[1:]
    convex.narrow_rows.plain(scene.m, d)
    for row in d.hrow_var[:scene.n]:
        assert .5 * kappa - 1e-12 <= row[SLACK] * row[IMPULSE] <= kappa + 1e-12
        if n:
            e, f = np.array([row[ETA0], *row[ETA:ETA + n]]), np.array([row[IMPULSE], *row[XI:XI + n]])
            assert np.abs(jordan(e, f) - [kappa, *np.zeros(n)]).max() < 1e-12 and e[0] > np.linalg.norm(e[1:])


@CONDIMS
def test_the_first_point_keeps_the_products(condim):
    scene = at_random(condim)
    d = scene.d
    cones.start_rows.plain(scene.m, d)
    before = d.hrow_var[:scene.n].copy()
    convex.widen_rows.plain(scene.m, d)
    after = d.hrow_var[:scene.n]
    assert np.abs(after[:, SLACK] - before[:, SLACK] - before[:, ETA0]).max() < 1e-14
    assert np.abs(after[:, SLACK] * after[:, IMPULSE] - before[:, SLACK] * before[:, IMPULSE]).max() < 1e-14

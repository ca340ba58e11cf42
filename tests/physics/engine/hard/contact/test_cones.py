"""The algebra of contact rows: residuals against differences, condensation against dense solves of the whole linear system, steps to a cone's edge."""
import numpy as np
import pytest

from physics.engine.hard.contact import cones
from physics.engine.hard.contact.cones import ETA, ETA0, IMPULSE, SLACK, XI
from tests.physics.engine.hard.contact.scene import H, PLANE, Scene, product, turn_of


def model(condim):
    """Two boxes on each other on a plane: rows between a body and the world, and between two bodies, with 1, 3, 4 or 6 directions."""
    def box(name, z, euler):
        return f'''<body name="{name}" pos="0 0 {z}" euler="{euler}"><freejoint/><geom type="box" size=".1 .1 .1" condim="{condim}" friction=".7 .05 .02"/>
            <inertial pos="0.01 0 0.02" mass="2" diaginertia=".01 .02 .025" euler="20 0 40"/></body>'''
    plane = PLANE.replace('euler="5 -8 0"', f'condim="{condim}" friction=".7 .05 .02"')
    return f"<mujoco><worldbody>{plane}{box('one', .1, '0 0 10')}{box('two', .3, '0 0 40')}</worldbody></mujoco>"


def at_random(condim, seed=0):
    """A scene at a trial pose with unknowns inside of their cones."""
    r = np.random.default_rng(seed)
    scene = Scene(model(condim), reach=.01)
    q = scene.d.qpos.copy()
    for k in range(2):
        q[7 * k:7 * k + 3] += r.normal(0, .002, 3)
        q[7 * k + 3:7 * k + 7] = product(turn_of(r.normal(0, .05, 3)), q[7 * k + 3:7 * k + 7])
    scene.move_to(q)
    d, n = scene.d, condim - 1
    for c in range(scene.n):
        d.hrow_var[c] = 0
        d.hrow_var[c, SLACK], d.hrow_var[c, IMPULSE] = r.uniform(.1, 2, 2)
        if n:
            for head, at in ((ETA0, ETA), (IMPULSE, XI)):
                u = r.normal(size=n)
                d.hrow_var[c, at:at + n] = u / np.linalg.norm(u) * r.uniform(0, .95) * (d.hrow_var[c, head] if head == IMPULSE else 1)
            d.hrow_var[c, ETA0] = np.linalg.norm(d.hrow_var[c, ETA:ETA + n]) + r.uniform(.1, 1)
    return scene


def used(condim):
    """Places of a row's unknowns, and of its residuals with its products."""
    n = condim - 1
    if not n:
        return [0, 1], [0, 6]
    return [0, 1, 2, *range(3, 3 + n), *range(8, 8 + n)], [0, *range(1, 1 + n), 6, 7, *range(8, 8 + n)]


def residual(scene):
    """All rows' residuals and products, and what their impulses take off the bodies' residuals (two bodies)."""
    d = scene.d
    d.hard_rv = d.hard_kv = 0.0
    d.hard_res[:] = 0
    cones.row_residuals.plain(scene.m, d)
    return d.hrow_res[:scene.n].copy(), d.hard_res[1:3].copy()


CONDIMS = pytest.mark.parametrize("condim", [1, 3, 4, 6])


@CONDIMS
def test_rows_lie_between_bodies_and_with_the_world(condim):
    scene = at_random(condim)
    assert scene.n >= 8 and {tuple(b) for b in scene.d.hrow_body[:scene.n].tolist()} == {(0, 1), (1, 2)}
    # of directions that a contact lacks there is no friction
    assert set(scene.d.hrow_dim[:scene.n]) == {condim} and (scene.d.hrow_mu[:scene.n, :5] == np.where(np.arange(5) < condim - 1, [.7, .7, .05, .02, .02], 0)).all()


@CONDIMS
def test_momentum_of_two_bodies_is_kept_by_their_contacts(condim):
    scene = at_random(condim)
    d = scene.d
    d.hrow_at[:scene.n] = np.argsort(d.hrow_body[:scene.n, 0] == 0, kind="stable")
    d.hard_rowend = int((d.hrow_body[:scene.n, 0] > 0).sum())
    _, pushed = residual(scene)
    force, torque = pushed[:, :3], pushed[:, 3:]
    assert np.abs(force).max() > .1 and np.abs(force.sum(0)).max() < 1e-13
    assert np.abs((torque + np.cross(d.hard_x2[1:3], force)).sum(0)).max() < 1e-13


@CONDIMS
def test_directions_solve_the_linear_system(condim):
    """Newton's direction by condensation and by one dense solve of all unknowns, with derivatives of the residuals by differences."""
    scene = at_random(condim)
    d, n = scene.d, scene.n
    r = np.random.default_rng(5)
    unknowns, rows = used(condim)
    target = .03
    # the whole system: unknowns of the rows, then motions of the two bodies over the step (dx / h, phi / h)
    def whole():
        res, pushed = residual(scene)
        return np.concatenate([res[:, rows].ravel(), pushed.ravel()])
    size = n * len(unknowns)
    J = np.zeros((size + 12, size + 12))
    for c in range(n):
        for i, k in enumerate(unknowns):
            keep = d.hrow_var[c, k]
            d.hrow_var[c, k] = keep + 1e-6
            up = whole()
            d.hrow_var[c, k] = keep - 1e-6
            J[:, c * len(unknowns) + i] = (up - whole()) / 2e-6
            d.hrow_var[c, k] = keep
    for b in (1, 2):
        J[:, size + 6 * b - 6:size + 6 * b] = scene.slope(whole, b) * H
    # bodies with an inertia and a residual of their own
    inertia = np.kron(np.eye(2), np.diag([2, 2, 2, .05, .04, .06])) + .01 * r.normal(size=(12, 12))
    J[size:, size:] += inertia
    own = r.normal(size=12)
    right = whole()
    right[size:] += own
    for c in range(n):
        right[c * len(rows) + rows.index(6)] -= target
        if condim > 1:
            right[c * len(rows) + rows.index(7)] -= target
    wanted = np.linalg.solve(J, -right)

    # the same condensed onto the bodies
    _, pushed = residual(scene)
    d.hard_block[:] = 0
    d.hard_upper[:] = d.hard_lower[:] = 0
    cones.row_blocks.plain(scene.m, d)
    K = inertia.copy()
    for b in (1, 2):
        K[6 * b - 6:6 * b, 6 * b - 6:6 * b] += d.hard_block[b].reshape(6, 8)[:, :6]
    one, two = d.hard_pair[0]
    K[6 * one - 6:6 * one, 6 * two - 6:6 * two] += d.hard_upper[0].reshape(6, 8)[:, :6]
    K[6 * two - 6:6 * two, 6 * one - 6:6 * one] += d.hard_lower[0].reshape(6, 8)[:, :6]
    d.hard_wrench[1:3] = pushed + own.reshape(2, 6)
    cones.push_rows.plain(scene.m, d, target, 0)
    nu = np.linalg.solve(K, -d.hard_wrench[1:3].ravel())
    scale = np.abs(wanted[size:]).max()
    assert np.abs(nu - wanted[size:]).max() < 1e-6 * scale
    d.hard_nu[1:3] = nu.reshape(2, 6)
    cones.row_directions.plain(scene.m, d, target, 0)
    found = d.hrow_step[:n][:, unknowns]
    assert np.abs(found - wanted[:size].reshape(n, -1)).max() < 1e-6 * np.abs(wanted[:size]).max()


@CONDIMS
def test_the_second_order_term_makes_the_products_of_the_predictor_exact(condim):
    """With no motion and no residuals but the products, a full corrected step leaves products of third order only."""
    scene = at_random(condim)
    d, n = scene.d, scene.n
    residual(scene)
    cones.row_blocks.plain(scene.m, d)
    d.hrow_res[:n, :6] = 0
    unknowns, _ = used(condim)
    d.hrow_predict[:n] = 0
    d.hrow_predict[np.ix_(range(n), unknowns)] = np.random.default_rng(2).normal(0, .1, (n, len(unknowns)))
    d.hard_nu[:] = 0
    cones.row_directions.plain(scene.m, d, .02, 1)
    x, y, p = d.hrow_var[:n], d.hrow_step[:n], d.hrow_predict[:n]
    linear = x[:, SLACK] * y[:, IMPULSE] + y[:, SLACK] * x[:, IMPULSE]
    assert np.abs(d.hrow_res[:n, 6] + linear + p[:, SLACK] * p[:, IMPULSE] - .02).max() < 1e-12
    if condim > 1:
        k = condim - 1
        e, f, dx, dp = x[:, ETA:ETA + k], x[:, XI:XI + k], y[:, ETA:ETA + k], y[:, XI:XI + k]
        first = x[:, ETA0] * y[:, IMPULSE] + y[:, ETA0] * x[:, IMPULSE] + (e * dp).sum(1) + (dx * f).sum(1)
        second = p[:, ETA0] * p[:, IMPULSE] + (p[:, ETA:ETA + k] * p[:, XI:XI + k]).sum(1)
        assert np.abs(d.hrow_res[:n, 7] + first + second - .02).max() < 1e-12
        sides = x[:, [IMPULSE]] * dx + y[:, [IMPULSE]] * e + x[:, [ETA0]] * dp + y[:, [ETA0]] * f
        sides += p[:, [IMPULSE]] * p[:, ETA:ETA + k] + p[:, [ETA0]] * p[:, XI:XI + k]
        assert np.abs(d.hrow_res[:n, 8:8 + k] + sides).max() < 1e-12


@CONDIMS
def test_the_longest_step_ends_at_the_edge_of_the_first_cone(condim):
    k = condim - 1
    for seed in range(5):
        scene = at_random(condim, seed)
        d, n = scene.d, scene.n
        d.hrow_step[:n] = 0
        d.hrow_step[np.ix_(range(n), used(condim)[0])] = np.random.default_rng(seed).normal(0, 9, (n, len(used(condim)[0])))

        def room(a):
            x = d.hrow_var[:n] + a * d.hrow_step[:n]
            left = [x[:, SLACK].min(), x[:, IMPULSE].min()]
            if k:
                left += [(x[:, ETA0] - np.linalg.norm(x[:, ETA:ETA + k], axis=1)).min(), (x[:, IMPULSE] - np.linalg.norm(x[:, XI:XI + k], axis=1)).min()]
            return min(left)
        a = cones.row_fraction.plain(scene.m, d, 1.0, 1.0)
        assert 0 < a < 1 and abs(room(a)) < 1e-9 and room(.999 * a) > 0
        assert abs(cones.row_fraction.plain(scene.m, d, .9, .9) - .9 * a) < 1e-12


@CONDIMS
def test_products_and_moves_are_of_the_step(condim):
    scene = at_random(condim)
    d, n = scene.d, scene.n
    d.hrow_step[:n] = 0
    d.hrow_step[np.ix_(range(n), used(condim)[0])] = np.random.default_rng(1).normal(0, .1, (n, len(used(condim)[0])))
    k = condim - 1
    x = d.hrow_var[:n] + .3 * d.hrow_step[:n]
    wanted = (x[:, SLACK] * x[:, IMPULSE]).sum()
    if k:
        wanted += (x[:, ETA0] * x[:, IMPULSE]).sum() + (x[:, ETA:ETA + k] * x[:, XI:XI + k]).sum()
    assert abs(cones.row_products.plain(scene.m, d, .3) - wanted) < 1e-12
    cones.keep_predictor.plain(scene.m, d)
    cones.move_rows.plain(scene.m, d, .3)
    assert np.abs(d.hrow_var[:n, :13] - x[:, :13]).max() < 1e-15 and (d.hrow_predict[:n, :13] == d.hrow_step[:n, :13]).all()


@CONDIMS
def test_the_first_point_is_inside_of_the_cones_and_of_the_scales_of_a_fall(condim):
    scene = Scene(model(condim), reach=.01)
    d, n = scene.d, scene.n
    cones.start_rows.plain(scene.m, d)
    x = d.hrow_var[:n]
    speed = 9.81 * H
    assert (x[:, SLACK] >= speed - 1e-12).all() and not x[:, 3:].any()
    on_plane = [c for c in range(n) if d.hrow_body[c, 0] == 0]
    # of a body of two kilograms with eight rows
    count = d.hard_treerow[0]
    assert count == n and np.abs(x[on_plane, IMPULSE] * x[on_plane, SLACK] - 2 * speed**2 / count).max() < 1e-12
    if condim > 1:
        assert np.abs(x[on_plane, ETA0] - .7 * speed).max() < 1e-12


@CONDIMS
def test_lifted_rows_are_away_from_the_edges_and_near_where_they_were(condim):
    scene = at_random(condim)
    d, n, k = scene.d, scene.n, condim - 1
    # half of the rows at the edges
    for c in range(0, n, 2):
        d.hrow_var[c, SLACK] = 1e-9
        if k:
            d.hrow_var[c, ETA0] = np.linalg.norm(d.hrow_var[c, ETA:ETA + k]) * (1 + 1e-12)
            d.hrow_var[c, XI:XI + k] *= d.hrow_var[c, IMPULSE] / np.linalg.norm(d.hrow_var[c, XI:XI + k])
    before = d.hrow_var[:n].copy()
    cones.lift_rows.plain(scene.m, d, 1e-3)
    x = d.hrow_var[:n]
    assert (x[:, SLACK] * x[:, IMPULSE] >= 1e-3 - 1e-15).all() and (x[:, IMPULSE] >= before[:, IMPULSE]).all()
    assert np.abs(x[:, IMPULSE] - before[:, IMPULSE]).max() < .02 and (x[:, ETA:ETA + 5] == before[:, ETA:ETA + 5]).all()
    if k:
        assert (x[:, ETA0] > np.linalg.norm(x[:, ETA:ETA + k], axis=1) + 1e-9).all()
        assert (np.linalg.norm(x[:, XI:XI + k], axis=1) <= .9 * x[:, IMPULSE] + 1e-12).all()

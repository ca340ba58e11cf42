"""Looking again at the end of a step: what comes through is held, along the axis that was there before."""
import numpy as np
import pytest

import physics
from physics.engine.collide.collision import collision
from physics.engine.hard.contact import corners
from physics.engine.hard.contact.gaps import FACE_ONE, ROUND, SUPPORT_ONE
from physics.enums import Engine
from tests.physics.engine.hard.contact.scene import PLANE, Scene, product, shape, turn_of, two


def looked(xml, turn, dx, **reach):
    """A scene at a pose where something has come through, with rows for it; how many were added."""
    scene = Scene(xml, **reach)
    q = scene.d.qpos.copy()
    q[-4:] = product(turn_of(np.array(turn)), q[-4:])
    q[-7:-4] += dx
    scene.d.contact_reach[:] = 0
    scene.move_to(q)
    return scene, corners.look_again.plain(scene.m, scene.d)


def test_corners_of_a_box_that_have_come_through_a_face_get_rows_along_it():
    scene, added = looked(two(PLANE, shape("box", ".1 .12 .05", "one", "0 0 .13")), [0, 2.0, 0], [0, 0, -.07])
    d = scene.d
    fresh = slice(scene.n, d.hard_nrow)
    assert added == d.hard_nrow - scene.n > 0 and (d.hrow_kind[fresh] == FACE_ONE).all()
    # all corners below the plane have rows now, each at the depth at which it is
    R, c = d.geom_xmat[1].reshape(3, 3), d.geom_xpos[1]
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    heights = (c + signs * scene.m.geom_size[1] @ R.T - d.geom_xpos[0]) @ d.geom_xmat[0].reshape(3, 3)[:, 2]
    gaps = scene.gaps()
    for height in heights[heights < -1e-7]:
        assert np.abs(gaps - height).min() < 1e-12
    assert d.hard_worst == d.contact_dist[:d.ncon].min()
    # the same look finds nothing that has no row yet
    names = d.hrow_witness[:d.hard_nrow, 3:].round(9)
    assert len(np.unique(names[scene.n:], axis=0)) == added


def test_round_shapes_get_their_lowest_points():
    scene, added = looked(two(PLANE, shape("cylinder", ".1 .15", "one", "0 0 .18", "8 0 0")), [1.2, .3, 0], [0, 0, -.12])
    d = scene.d
    assert added >= 1 and SUPPORT_ONE in d.hrow_kind[scene.n:d.hard_nrow]
    assert abs(scene.gaps().min() - d.contact_dist[:d.ncon].min()) < 1e-9


def test_pairs_that_were_out_of_reach_get_their_own_features():
    scene, added = looked(two(shape("sphere", ".1", "zero", "0 0 0"), shape("sphere", ".05", "one", "0 0 .4")), [.1, .2, 0], [.01, 0, -.26], reach=1e-3)
    d = scene.d
    assert scene.n == 0 and added == 1 and d.hrow_kind[0] == ROUND and abs(scene.gap(0) - d.contact_dist[0]) < 1e-12
    # carried back to where they came from, it is the distance that was there
    scene.move_to(scene.m.qpos0)
    assert abs(scene.gap(0) - (np.linalg.norm(scene.d.geom_xpos[1] - scene.d.geom_xpos[0]) - .15)) < 1e-12


def test_overlaps_of_the_start_do_not_count():
    scene, added = looked(two(PLANE, shape("sphere", ".1", "one", "0 0 .09")), [0, 0, .1], [0, 0, 0])
    assert added == 0 and scene.d.contact_dist[0] < -1e-3
    scene.d.hard_recovering = 1.0
    assert corners.look_again.plain(scene.m, scene.d) > 0


def test_lack_of_room_is_told():
    scene = Scene(two(shape("sphere", ".1", "zero", "0 0 0"), shape("sphere", ".05", "one", "0 0 .1")), reach=1e-3)
    scene.d.hard_nfirst = 0
    scene.d.hard_nrow = scene.d.hard_nkept = scene.d.maxhc - 5
    assert corners.look_again.plain(scene.m, scene.d) == -1 and scene.d.need_nhc > scene.d.maxhc


def tumbling(looks, h, seconds):
    """Six boxes that tumble onto a plane and each other; the deepest overlap at the end of any step [m], and solves that were repeated."""
    r = np.random.default_rng(0)
    text = ""
    for k in range(6):
        e = r.uniform(-180, 180, 3)
        text += f'<body pos="{.36 * (k % 2)} {.36 * (k // 2 % 2)} {.3 + .36 * (k // 4)}" euler="{e[0]} {e[1]} {e[2]}"><freejoint/><geom type="box" size=".1 .12 .08" friction=".6"/></body>'
    m = physics.load_string(f'<mujoco><option timestep="{h}"/><worldbody><geom type="plane" size="9 9 .1"/>{text}</worldbody></mujoco>')
    m.opt.engine, m.opt.hard_looks = Engine.HARD, looks
    d, e = physics.Data(m), physics.Data(m)
    d.qvel[:] = r.normal(0, 1, m.nv) * np.tile([2, 2, 2, 8, 8, 8], 6)
    worst = repeated = 0
    for _ in range(round(seconds / h)):
        assert physics.step(m, d, autoreset=False) == 1
        repeated += d.hard_looked
        e.qpos[:] = d.qpos
        physics.kinematics(m, e)
        collision(m, e)
        while e.make_room():
            collision(m, e)
        worst = max(worst, -e.contact_dist[:e.ncon].min(initial=0))
    assert d.hard_nfailed == 0
    return worst, repeated


@pytest.mark.parametrize("h", [.01, .004])
def test_tumbling_boxes_do_not_overlap(h):
    """The table of the design: centimetres without looking again, less than a micrometre with."""
    without, none = tumbling(0, h, .8)
    worst, repeated = tumbling(4, h, .8)
    assert none == 0 and repeated > 0 and without > 1e-4 and worst < 1e-6

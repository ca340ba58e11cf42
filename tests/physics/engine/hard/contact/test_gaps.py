"""Gaps at a trial pose: those of the shapes there, as collision finds them, and slopes by differences."""
import numpy as np
import pytest

from physics.engine.hard.contact.gaps import FACE_ONE, FACE_TWO, FROZEN, ROUND, SEGMENTS, SUPPORT_ONE, SUPPORT_TWO, gap_asked, relative_velocity, slip_of_row
from physics.engine.hard.sensitivity import ride
from physics.kernels.guard import checked
from tests.physics.engine.hard.contact.scene import PLANE, Scene, product, shape, turn_of, two

HULL = '<mesh name="hull" vertex="0 0 -.1  .15 0 .02  0 .14 .03  -.13 -.02 .01  .02 -.15 .04  .02 .03 .16"/>'


def edge(body, pos, euler):
    return f'<body name="{body}" pos="{pos}" euler="{euler}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'


# name -> (model, where body two is, how it turns and moves from there, the kinds of its rows, whether the gap is exact then)
SETS = {
    "ball on a plane": (two(PLANE, shape("sphere", ".1", "one", "0 0 .105")), [.3, .2, .5], {FACE_ONE}, True),
    "capsule on a plane": (two(PLANE, shape("capsule", ".05 .1", "one", "0 0 .06", "80 0 0")), [.1, .4, .2], {FACE_ONE}, True),
    "ellipsoid on a plane": (two(PLANE, shape("ellipsoid", ".1 .2 .15", "one", "0 0 .16")), [.3, .4, .2], {SUPPORT_ONE}, True),
    "lying cylinder on a plane": (two(PLANE, shape("cylinder", ".1 .15", "one", "0 0 .105", "70 10 0")), [.4, .5, .1], {SUPPORT_ONE, FACE_ONE}, True),
    "box on a plane": (two(PLANE, shape("box", ".1 .12 .05", "one", "0 0 .07")), [.05, .04, .3], {FACE_ONE}, True),
    "hull on a plane": (two(PLANE, shape("mesh", "1", "one", "0 0 .1", more='mesh="hull"').replace('size="1"', ""), HULL), [.03, .04, .2], {FACE_ONE}, True),
    "ball on a ball": (two(shape("sphere", ".1", "zero", "0 0 0"), shape("sphere", ".05", "one", "0.01 .02 .155")), [.3, .2, .4], {ROUND}, True),
    "ball on a capsule": (two(shape("capsule", ".05 .1", "zero", "0 0 0", "90 0 0"), shape("sphere", ".05", "one", "0.02 -.01 .1")), [.3, .2, .1], {SEGMENTS}, True),
    "capsule on a capsule": (two(shape("capsule", ".05 .1", "zero", "0 0 0", "90 0 0"), shape("capsule", ".05 .12", "one", "0.02 -.01 .11", "80 70 0")), [.3, .2, .4], {SEGMENTS}, True),
    "end of a capsule": (two(shape("capsule", ".05 .1", "zero", "0 0 0", "90 0 0"), shape("capsule", ".05 .12", "one", "0.02 -.2 .07", "50 20 0")), [.2, .1, .2], {SEGMENTS}, True),
    "parallel capsules": (two(shape("capsule", ".05 .1", "zero", "0 0 0", "90 0 0"), shape("capsule", ".05 .12", "one", "0.02 .05 .11", "91 1 0")), [.01, .02, .01], {ROUND}, None),
    "box on a box": (two(shape("box", ".2 .2 .1", "zero", "0 0 0"), shape("box", ".1 .1 .1", "one", "0.01 .02 .2")), [.03, .02, .2], {FACE_ONE, FACE_TWO}, None),
    "ellipsoid on a box": (two(shape("box", ".3 .3 .1", "zero", "0 0 0", "0 0 20"), shape("ellipsoid", ".1 .15 .12", "one", "0.01 .02 .24")), [.3, .2, .3], {SUPPORT_TWO}, True),
    "cylinder on a box": (two(shape("box", ".3 .3 .1", "zero", "0 0 0", "0 0 20"), shape("cylinder", ".1 .15", "one", "0.01 .02 .21", "85 0 0")), [.02, .4, .0], {SUPPORT_TWO}, None),
    "edge on an edge": (two(edge("zero", "0 0 0", "45 0 3"), edge("one", "0.01 .02 .29", "2 45 0")), [.01, .02, .01], {FROZEN}, False),
}


@pytest.fixture(params=SETS)
def case(request):
    return SETS[request.param]


def turned(scene, rotvec, dx=(.004, -.003, -.004)):
    """Positions with the last body turned about its frame's origin and moved."""
    q = scene.d.qpos.copy()
    q[-4:] = product(turn_of(np.array(rotvec)), q[-4:])
    q[-7:-4] += dx
    return q


def test_rows_are_of_the_kind_that_the_shapes_ask_for(case):
    xml, _, kinds, _ = case
    scene = Scene(xml)
    assert scene.n > 0 and set(scene.d.hrow_kind[:scene.n].tolist()) <= kinds
    assert min(kinds) in scene.d.hrow_kind[:scene.n] or max(kinds) in scene.d.hrow_kind[:scene.n]


def test_gaps_at_the_start_are_the_distances_of_contacts(case):
    scene = Scene(case[0])
    assert scene.n == scene.d.ncon and np.abs(scene.gaps() - scene.d.contact_dist[:scene.n]).max() < 1e-14


@pytest.mark.parametrize("name", [name for name, (*_, exact) in SETS.items() if exact is not None])   # of others the nearest features change
def test_the_smallest_gap_is_the_distance_of_the_shapes_at_the_trial_pose(name):
    xml, turn, _, exact = SETS[name]
    scene = Scene(xml)
    scene.move_to(turned(scene, turn))
    rows = scene.gaps().min()
    apart = scene.d.contact_dist[:scene.d.ncon].min()
    if exact:
        assert abs(rows - apart) < 1e-9
    else:
        # an error of second order: a tenth of the motion makes a hundredth of it
        first = abs(rows - apart)
        assert 1e-9 < first < 2e-3
        scene.move_to(scene.m.qpos0)
        scene.move_to(turned(scene, .1 * np.array(turn), (.0004, -.0003, -.0004)))
        assert abs(scene.gaps().min() - scene.d.contact_dist[:scene.d.ncon].min()) < .03 * first


def test_slopes_are_those_of_differences(case):
    xml, turn, _, _ = case
    scene = Scene(xml)
    scene.move_to(turned(scene, turn))
    for b in range(1, scene.m.nbody):
        found = scene.slope(scene.gaps, b)
        scene.gaps()
        for c in range(scene.n):
            i = list(scene.d.hrow_body[c]).index(b)
            n = scene.d.hrow_normal[c]
            wanted = (2 * i - 1) * np.concatenate([n, np.cross(scene.d.hrow_reach[c, 3 * i:3 * i + 3], n)])
            assert np.abs(found[c] - wanted).max() < 1e-8


def test_an_overlap_at_the_start_may_stay_until_it_is_to_be_ended():
    scene = Scene(two(PLANE, shape("sphere", ".1", "one", "0 0 .1")))
    m, d = checked(scene.m), checked(scene.d)
    apart = scene.d.contact_dist[0]
    assert apart < 0 and abs(gap_asked(m, d, 0)) < 1e-12
    scene.d.hard_recover = 1.0
    assert abs(gap_asked(m, d, 0) - apart / scene.d.hard_h) < 1e-12


@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_slips_are_relative_velocities_and_those_of_the_surfaces(condim):
    belt = PLANE.replace("/>", f' condim="{condim}" priority="1" surfacevel=".3 -.2 0 0 0 .7"/>')
    scene = Scene(two(belt, shape("box", ".1 .12 .05", "one", "0 0 .07")))
    drive = scene.d.contact_surfacevel[:scene.n].copy()
    scene.move_to(turned(scene, [.05, .04, .3]))
    d = checked(scene.d)
    for c in range(scene.n):
        v = np.array(relative_velocity(d, c))
        f = scene.d.hrow_dir[c].reshape(3, 3)
        all_five = np.array([f[0] @ v[:3], f[1] @ v[:3], f[2] @ v[3:], f[0] @ v[3:], f[1] @ v[3:]]) + [*drive[c], 0, 0]
        found = np.array(slip_of_row(d, c))
        n = condim - 1
        assert np.abs(found[:n] - all_five[:n]).max(initial=0) < 1e-12 and not found[n:].any()
        # v is that of the contact point, at the start of the step
        u = scene.d.hard_vel[1]
        assert np.abs(v[:3] - u[:3] - np.cross(u[3:], scene.d.hrow_arm[c, 3:])).max() < 1e-12
    assert np.abs(drive).max() > 0.1


@pytest.mark.parametrize("name", ["ball on a capsule", "capsule on a capsule", "ellipsoid on a plane", "ellipsoid on a box", "box on a plane", "ball on a ball"])
def test_rows_that_ride_are_those_of_contacts_found_anew(name):
    """For derivatives rows may be carried along with a nudged start of the step: to second order they are what collision would make there."""
    xml = SETS[name][0]
    scene = Scene(xml)
    misses = []
    for size in (1e-3, 1e-4):
        other, carried = Scene(xml, turned(scene, [size, 2 * size, -size], (size, -size, size))), Scene(xml)
        carried.d.hard_x2[:], carried.d.hard_quat2[:] = other.d.hard_x2, other.d.hard_quat2
        for c in range(scene.n):
            ride.plain(scene.d, carried.d, c)
        end = turned(scene, [.02, -.01, .03])
        other.move_to(end), carried.move_to(end)
        a, b = other.gaps(), carried.gaps()
        off = [np.abs(a - b).max()] + [np.abs(getattr(other.d, f)[:scene.n] - getattr(carried.d, f)[:scene.n]).max() for f in ("hrow_normal", "hrow_reach", "hrow_arm")]
        misses.append(max(off))
    assert misses[0] < 1e-4 and misses[1] < .03 * misses[0] + 1e-12

"""The judge of contacts that differ in whole models."""
import mujoco
import numpy as np
import pytest

import physics
from tests.oracle import nearer
from tests.oracle.corpus import entry
from tests.oracle.shapes import SIGNS, Placed, Shape, middle, settled, signed_distance, unit
from tests.oracle.states import states


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def at(name: str, number: int):
    """(official, data, ours) of a corpus model at a state of the report."""
    found = entry(name, exact=True)   # bounds that are these models'
    m, official = physics.load(found.path), mujoco.MjModel.from_xml_path(str(found.path))
    d, data = physics.Data(m), mujoco.MjData(official)
    state = states(official, found, number + 1)[number]
    for target in (d, data):
        state.into(target)
    physics.fwd_position(m, d)
    mujoco.mj_fwdPosition(official, data)
    return official, data, d


@pytest.mark.parametrize("name, number", [("balloons", 1), ("wonik_allegro", 2), ("shadow_hand", 1)])
def test_ours_are_true_where_curved_contacts_differ(name, number):
    rows = nearer.differences(*at(name, number), 1e-8)
    assert rows and all(row["ours"] < 1e-9 < row["official"] or row["official"] <= 1e-9 for row in rows), rows
    assert all("ours nearer" in nearer.line(row) for row in rows if row["official"] > 1e-9)


@pytest.mark.parametrize("name, number", [("dmc_rodent", 7), ("treadmill", 14), ("derived_car_hfield", 5)])
def test_normals_tell_where_distances_do_not(name, number):
    rows = nearer.differences(*at(name, number), 1e-8)
    assert rows and all(max(row["our_normal"], row["our_point"]) < 1e-12 < 1e-8 < max(row["official_normal"], row["official_point"]) for row in rows), rows
    assert all("ours nearer" in nearer.line(row) for row in rows)


def turn(r) -> np.ndarray:
    q, _ = np.linalg.qr(r.normal(size=(3, 3)))
    return q if np.linalg.det(q) > 0 else -q


def off(u, r) -> np.ndarray:
    """u as a search by values leaves it."""
    return unit(u + 1e-8 * r.normal(size=3))


@pytest.mark.parametrize("depth", [-0.01, 0.02])
@pytest.mark.parametrize("seed", range(4))
def test_directions_are_settled_to_the_last_digits(seed, depth):
    r = np.random.default_rng(seed)
    mat, centre, u = turn(r), r.normal(size=3), unit(r.normal(size=3))
    ball, egg = Shape("sphere", np.array([0.3, 0, 0])), Placed(Shape("ellipsoid", np.array([0.2, 0.3, 0.5])), centre, mat)
    assert np.abs(settled(Placed(ball, centre, mat), Placed(ball, centre + (0.6 - depth) * u, turn(r)), off(u, r)) - u).max() < 1e-15
    local = egg.shape.farthest(u)
    normal, point = mat @ unit(local / egg.shape.size**2), centre + mat @ local
    other = Placed(ball, point + (0.3 - depth) * normal, turn(r))
    assert np.abs(settled(egg, other, off(normal, r)) - normal).max() < 1e-14
    assert np.abs(middle(egg, other, normal) - (point - 0.5 * depth * normal)).max() < 1e-14


@pytest.mark.parametrize("depth", [-0.01, 0.02])
@pytest.mark.parametrize("seed", range(4))
def test_edges_that_cross_are_settled_by_their_directions(seed, depth):
    r = np.random.default_rng(seed)
    mat, centre = turn(r), r.normal(size=3)
    up, e = mat[:, 2], mat[:, 0]
    f = unit(mat[:, 0] * r.normal() + mat[:, 1])

    def on_edge(edge, side, height):   # a box that stands on its edge
        across = unit(np.cross(up, edge) + up)
        return Placed(Shape("box", np.full(3, 0.1), SIGNS * [0.3, 0.1, 0.1]), centre + side * (np.sqrt(0.02) + height) * up,
                      np.stack([edge, across, np.cross(edge, across)], 1))

    low, high = on_edge(e, -1, 0.0), on_edge(f, 1, -depth)
    true = signed_distance(low, high, unit(up + 1e-3 * r.normal(size=3))[None], samples=600, kept=4)
    assert true.dist == pytest.approx(-depth, abs=1e-12) and np.abs(settled(low, high, true.normal) - up).max() < 1e-14
    assert np.abs(middle(low, high, up) - (centre - 0.5 * depth * up)).max() < 1e-14


def test_points_of_faces_are_not_single():
    low, high = (Placed(Shape("box", np.ones(3), SIGNS), np.array([0.1, 0.2, z]), np.eye(3)) for z in (0.0, 1.99))
    assert middle(low, high, np.array([0.0, 0, 1])) is None


def test_contacts_that_are_wrong_or_missing_are_listed():
    official, data, d = at("wonik_allegro", 2)
    assert not [row for row in nearer.differences(official, data, d, 1e-2)]
    d.contact_dist[0] -= 0.1
    rows = nearer.differences(official, data, d, 1e-2)
    assert len(rows) == 1 and rows[0]["ours"] == pytest.approx(0.1, abs=1e-3) and "official nearer" in nearer.line(rows[0])
    d.contact_dist[0] += 0.1
    d.ncon = 1
    rows = nearer.differences(official, data, d, 1e-2)
    assert [row["ncon"] for row in rows] == [(0, 1)] and rows[0]["ours"] > 1e-5 and np.isinf(rows[0]["dist"])

"""Shells lie at their distance from the shape, all over, and close up."""
import numpy as np
import pytest

from app.bridge.model_visuals import ModelVisuals
from app.bridge.quantities import margins, offsets
from render.scene import shapes
from tests.app.bridge.quantities.moments import drawn, moment

WEDGE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, .4], [1, 0, .4], [0, 1, .4]], float)
WEDGE_FACES = np.array([[0, 1, 2], [3, 4, 5], [0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [0, 2, 5], [0, 5, 3]])


def to_box(p, half):
    return np.linalg.norm(np.maximum(np.abs(p) - half, 0), axis=-1)


def to_cylinder(p, size):
    return np.hypot(np.maximum(np.hypot(p[..., 0], p[..., 1]) - size[0], 0), np.maximum(np.abs(p[..., 2]) - size[1], 0))


def to_wedge(p, _size):
    """By the nearest of the planes and edges: enough for points around the longest edges and faces."""
    slope = (p[..., 0] + p[..., 1] - 1) / np.sqrt(2)
    flat = np.maximum(np.maximum(-p[..., 0], -p[..., 1]), slope)
    return np.hypot(np.maximum(flat, 0), np.maximum(np.maximum(-p[..., 2], p[..., 2] - .4), 0))


def volume(corners):
    return np.einsum("ni,ni->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6


@pytest.mark.parametrize(("net", "distance", "size"), [
    (offsets.box_net((.1, .2, .3)), to_box, np.array((.1, .2, .3))), (offsets.cylinder_net(.2, .1), to_cylinder, (.2, .1))])
def test_every_corner_lies_at_the_distance_and_triangles_stray_little(net, distance, size):
    for length in (.01, .1, .5):
        corners = net.grown(length)
        np.testing.assert_allclose(distance(corners, size), length, rtol=1e-9)
        off = distance(corners.mean(axis=1), size) - length
        assert off.max() < 1e-9 and off.min() > -.05 * length - .002
        assert volume(corners) > 0


def test_a_rounded_box_has_steiners_volume():
    a, b, c, r = .2, .4, .6, .15
    true = a * b * c + 2 * r * (a * b + b * c + a * c) + np.pi * r**2 * (a + b + c) + 4 / 3 * np.pi * r**3
    found = volume(offsets.box_net((a / 2, b / 2, c / 2)).grown(r))
    assert .98 * true < found < true


def test_a_convex_mesh_in_any_sense_of_turning():
    for face in (WEDGE_FACES, WEDGE_FACES[:, ::-1]):
        net = offsets.convex_net(WEDGE, face)
        plain, grown = volume(net.grown(0.0)), volume(net.grown(.05))
        surface, edges = 1 + .4 * (2 + np.sqrt(2)), np.pi * .05**2 / 2 * (2 + np.sqrt(2)) * 1.0 + .4 * np.pi * .05**2
        true = .2 + .05 * surface + edges + 4 / 3 * np.pi * .05**3
        assert plain == pytest.approx(.2, rel=1e-9) and .99 * true < grown < true
        corner = net.grown(.05)
        clear = (corner[..., 0] > .1) & (corner[..., 1] > .1) & (corner[..., 2] > 0) & (corner[..., 2] < .4)
        np.testing.assert_allclose(to_wedge(corner, None)[clear], .05, rtol=1e-9)
    assert offsets.convex_net(WEDGE, np.tile(WEDGE_FACES, (100, 1))) is None


def test_an_ellipsoid_grows_along_its_normals():
    net, radii = offsets.ellipsoid_net((.1, .2, .3)), np.array((.1, .2, .3))
    on = net.point / radii
    np.testing.assert_allclose(np.linalg.norm(on, axis=-1), 1)
    tangent = np.cross(net.normal, net.point / radii**2)
    np.testing.assert_allclose(tangent, 0, atol=1e-9)
    assert volume(net.grown(.1)) > volume(net.grown(0.0)) > 0


PAIRS = """<mujoco><worldbody><geom name="floor" type="plane" size="2 2 .1"/>
  <body pos="0 0 {z}"><freejoint/><geom name="ball" size=".1" contype="0" conaffinity="0"/></body>
  <body pos="1 0 1"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body></worldbody>
  <contact><pair geom1="floor" geom2="ball" margin=".06"/><pair geom1="floor" geom2="box" margin=".06"/></contact></mujoco>"""


@pytest.mark.parametrize(("z", "contacts"), [(.1601, 0), (.1599, 1)])
def test_shells_of_pairs_meet_where_their_contacts_begin(z, contacts):
    m, _, s = moment(PAIRS.format(z=z))
    assert s.ncon == contacts
    geom, half = margins.pair_margins(m)
    assert geom.tolist() == [0, 1, 2] and np.allclose(half, .03)
    scene = drawn(m, s, "margin_shell")
    assert [row.what for row in scene.legend] == ["Margin of pairs"] and "60 mm" not in scene.legend[0].scale and "30 mm" in scene.legend[0].scale
    g = scene.geoms
    rows = np.flatnonzero(np.isclose(g.view("rgba")[:, :3], margins.PAIR[:3], atol=1e-4).all(axis=1))
    assert g.objid[rows].tolist() == [0, 1, 2]
    floor, ball, box = rows
    assert (g.pos[floor, 2] < g.pos[ball, 2] - g.size[ball, 0]) == (not contacts)
    assert g.shape[box] == shapes.MESH
    corner = scene.assets.meshes[g.dataid[box]].vertex
    np.testing.assert_allclose(to_box(corner, .1), .03, atol=1e-6)


def test_alike_geoms_share_a_shell_and_changed_margins_get_new_ones(monkeypatch):
    body = '<body pos="{} 0 1"><freejoint/><geom type="{}" size=".1 .1 .1" margin="{}"/></body>'
    m, _, s = moment("<mujoco><worldbody>" + "".join(body.format(k, kind, margin) for k, (kind, margin) in enumerate(
        (("box", .01), ("box", .01), ("box", .02), ("cylinder", .01), ("sphere", .01)))) + "</worldbody></mujoco>")
    visuals = ModelVisuals(m)
    scene = drawn(visuals, s)
    assert not scene.assets.meshes
    key = scene.assets.key
    g = drawn(visuals, s, "margin_shell").geoms
    assert g.view("dataid")[g.view("flags") == shapes.DECOR].tolist() == [0, 0, 1, 2, -1] and len(scene.assets.meshes) == 3 and scene.assets.key != key
    key = scene.assets.key
    drawn(visuals, s, "margin_shell")
    assert scene.assets.key == key
    m.geom_margin[:] = .03
    assert len(drawn(visuals, s, "margin_shell").assets.meshes) == 5
    monkeypatch.setattr(margins, "MOST_SHELLS", 12)
    for k in range(2 * margins.MOST_SHELLS):
        m.geom_margin[0] = .001 * k + .1
        drawn(visuals, s, "margin_shell")
        assert k < margins.MOST_SHELLS or len(scene.assets.meshes) <= margins.MOST_SHELLS

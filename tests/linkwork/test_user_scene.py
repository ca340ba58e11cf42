"""What scripts draw: geoms as officially, markers, and what of both the window is told."""
import numpy as np
import pytest

import linkwork
from linkwork.user_scene import UserScene, frame_along
from physics.enums import GeomType


@pytest.fixture
def scene():
    return UserScene(maxgeom=10)


def test_geoms_are_drawn_as_calls_one_for_each_shape(scene):
    for i in range(3):
        linkwork.init_geom(scene.geoms[i], GeomType.SPHERE, [0.02, 0, 0], [i, 0, 0], np.eye(3).flatten(), [1, 0, 0, 0.5])
    linkwork.init_geom(scene.geoms[3], type=GeomType.BOX, size=[0.1, 0.2, 0.3], pos=[0, 0, 1])
    scene.ngeom = 4
    (method, (pos, size), options), (other, (_, half), turned) = scene.news()["geoms"]
    assert (method, other) == ("sphere", "box") and pos.shape == (3, 3) and size.tolist() == [0.02] * 3 and options["rgba"][0].tolist() == [1, 0, 0, 0.5]
    assert half[0].tolist() == [0.1, 0.2, 0.3] and turned["mat"][0].tolist() == np.eye(3).tolist() and turned["rgba"][0].tolist() == [0.5, 0.5, 0.5, 1]


def test_only_what_is_new_is_told(scene):
    assert scene.news() == {}
    scene.add(GeomType.SPHERE)
    assert scene.news()["geoms"] and scene.news() == {}
    scene.geoms[0].pos[2] = 5
    assert scene.news()["geoms"][0][1][0][0, 2] == 5
    scene.geoms[0].label = "here"
    assert scene.news()["geoms"][-1][0] == "text"
    scene.ngeom = 0
    assert scene.news() == {"geoms": []} and scene.news() == {}


def test_connectors_reach_from_start_to_end(scene):
    for i, shape in enumerate((GeomType.ARROW, GeomType.CAPSULE, GeomType.LINE)):
        linkwork.connector(scene.geoms[i], shape, 0.02, (1, 2, 3), (1, 2, 5))
        scene.geoms[i].rgba = (0, 1, 0, 1)
    scene.ngeom = 3
    calls = {method: arguments for method, arguments, _ in scene.news()["geoms"]}
    assert calls["arrow"][0][0].tolist() == [1, 2, 3] and calls["arrow"][1][0].tolist() == [1, 2, 5]
    assert calls["capsule"][0][0].tolist() == [1, 2, 4] and calls["capsule"][1][0].tolist() == [0.02, 1.0]
    assert calls["lines"][0][0].tolist() == [[1, 2, 3], [1, 2, 5]]


def test_boxes_of_lines_have_twelve_edges(scene):
    scene.add(GeomType.LINEBOX, size=(1, 2, 3))
    ((_, (edges,), options),) = scene.news()["geoms"]
    lengths = np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1)
    assert edges.shape == (12, 2, 3) and sorted(lengths.tolist()) == [2] * 4 + [4] * 4 + [6] * 4 and options["rgba"].shape == (12, 4)


def test_frames_are_rotations():
    for z in np.random.default_rng(1).normal(size=(50, 3)):
        mat = frame_along(z / np.linalg.norm(z))
        np.testing.assert_allclose(mat.T @ mat, np.eye(3), atol=1e-12)
        assert np.linalg.det(mat) > 0 and np.allclose(mat[:, 2], z / np.linalg.norm(z))


def test_markers_are_told_as_they_were_when_they_were_added(scene):
    end = np.array([0.0, 0, 1])
    scene.arrow((0, 0, 0), end, rgba=(1, 0, 0), lifetime=2.0, name="pull")
    end[2] = 9
    scene.text((0, 0, 1), "top")
    (first, second) = scene.news()["calls"]
    assert first[0] == "arrow" and first[1][1][2] == 1 and first[2]["lifetime"] == 2.0 and first[2]["name"] == "pull" and second[1][1] == "top"
    assert scene.news() == {}


def test_clear_takes_everything_out(scene):
    scene.add(GeomType.SPHERE)
    scene.sphere((0, 0, 0))
    scene.news()
    scene.clear()
    assert scene.news() == {"geoms": [], "calls": (("clear", (), {}),)} and scene.news() == {}
    scene.clear()
    scene.add(GeomType.SPHERE)
    told = scene.news()
    assert told["geoms"] and told["calls"][0][0] == "clear"


def test_mistakes_are_told_at_once(scene):
    with pytest.raises(ValueError, match="cannot be drawn"):
        linkwork.init_geom(scene.geoms[0], GeomType.HFIELD)
    with pytest.raises(ValueError, match="0 to 10"):
        scene.ngeom = 11
    with pytest.raises(IndexError):
        scene.geoms[10]
    with pytest.raises(ValueError):
        scene.geoms[0].pos = (1, 2)
    with pytest.raises(ValueError, match="sphere: .* is neither numbers nor text"):
        scene.sphere({"x": 1})

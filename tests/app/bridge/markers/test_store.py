"""What scripts put in is there for as long as they say, one name once, owner by owner, and never half."""
import pickle
import threading

import numpy as np
import pytest

from app.bridge.markers import Markers, TooManyMarkers
from render.scene import shapes

CLOUD = np.random.default_rng(0).normal(size=(500, 3))
TRIANGLE = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], float), np.array([(0, 1, 2)])


class Clock:
    """A clock that is turned by hand."""

    def __init__(self):
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def markers(clock):
    return Markers(clock=clock)


def sizes(markers) -> tuple:
    """How many shapes, pieces of lines, dots, texts and meshes are drawn."""
    return tuple(map(len, markers.now().arrays()))


def test_every_kind_is_drawn_as_it_was_given(markers):
    markers.arrow((1, 2, 3), (1, 2, 5), width=0.02, rgba=(1, 0, 0))
    markers.box([(0, 0, 0), (1, 0, 0)], (0.1, 0.2, 0.3), mat=np.eye(3), rgba=[(1, 0, 0, 1), (0, 1, 0, 0.5)])
    markers.capsule((0, 0, 1), (0.1, 0.4))
    markers.line([(0, 0, 0), (1, 0, 0), (1, 1, 0)], width=3)
    markers.lines(np.zeros((4, 2, 3)), rgba=(0, 0, 1))
    markers.points(CLOUD, 5, np.ones((500, 4)))
    markers.text((0, 0, 1), "two\nlines", (1, 1, 0))
    markers.mesh(*TRIANGLE, pos=(5, 5, 5))
    solids, segments, dots, texts, meshes = markers.now().arrays()
    assert solids["shape"].tolist() == [shapes.ARROW, shapes.BOX, shapes.BOX, shapes.CAPSULE, shapes.MESH] and solids["mesh"].tolist() == [-1, -1, -1, -1, 0]
    arrow, _box, green, capsule, mesh = solids
    np.testing.assert_allclose(arrow["pos"], (1, 2, 3))
    np.testing.assert_allclose(arrow["size"], (0.02, 0.02, 2))
    np.testing.assert_allclose(green["rgba"], (0, 1, 0, 0.5))
    np.testing.assert_allclose(capsule["size"], (0.1, 0.1, 0.4))
    np.testing.assert_allclose(mesh["pos"], 5)
    assert len(segments) == 6 and segments["width"].tolist() == [3, 3, 2, 2, 2, 2]
    np.testing.assert_array_equal(dots["pos"], CLOUD.astype(np.float32))
    assert [(text.text, text.rgba) for text in texts] == [("two lines", (1, 1, 0, 1))] and len(meshes) == 1


def test_what_does_not_change_is_the_same_object(markers):
    markers.sphere((0, 0, 0))
    first = markers.now()
    assert markers.now() is first
    markers.sphere((0, 0, 1))
    assert markers.now() is not first and sizes(markers)[0] == 2 and len(first.arrays().solids) == 1


def test_a_handle_takes_out_what_it_stands_for(markers):
    kept, gone = markers.points(CLOUD), markers.points(CLOUD + 1)
    gone.remove()
    gone.remove()
    np.testing.assert_array_equal(markers.now().arrays().dots["pos"], CLOUD.astype(np.float32))
    kept.remove()
    assert sizes(markers) == (0, 0, 0, 0, 0)


def test_a_name_is_there_once(markers):
    first = markers.arrow((0, 0, 0), (0, 0, 1), name="force")
    markers.sphere((0, 0, 0), name="tip")
    markers.points(CLOUD, name="force")     # of another kind, all the same
    assert sizes(markers)[:3] == (1, 0, 500)
    first.remove()      # what has been replaced is gone already
    markers.owner("other").arrow((0, 0, 0), (0, 0, 1), name="force")
    assert sizes(markers)[:3] == (2, 0, 500)


def test_lifetimes_end_by_the_clock(markers, clock):
    markers.sphere((0, 0, 0), lifetime=2)
    markers.text((0, 0, 0), "soon gone", lifetime=1)
    markers.points(CLOUD)
    held = markers.now()
    clock.time += 0.5
    assert markers.now() is held
    clock.time += 0.5
    assert sizes(markers) == (1, 0, 500, 0, 0)
    clock.time += 1
    assert sizes(markers) == (0, 0, 500, 0, 0) and len(held.arrays().texts) == 1
    markers.sphere((0, 0, 0), lifetime=1, name="a")
    markers.sphere((0, 0, 0), name="a")       # the later one says nothing of an end
    clock.time += 10
    assert sizes(markers)[0] == 1


def test_owners_are_cleared_alone(markers):
    legs, arm = markers.owner("legs"), markers.owner("arm")
    markers.sphere((0, 0, 0))
    legs.sphere((0, 0, 0))
    with legs.frame() as frame:
        frame.points(CLOUD)
    arm.line([(0, 0, 0), (1, 1, 1)])
    markers.clear("legs")
    assert sizes(markers) == (1, 1, 0, 0, 0)
    arm.clear()
    markers.clear("nobody has this name")
    assert sizes(markers) == (1, 0, 0, 0, 0)
    legs.sphere((0, 0, 0))
    markers.clear("")
    assert sizes(markers)[0] == 1
    markers.clear()
    assert sizes(markers) == (0, 0, 0, 0, 0)


def test_a_frame_is_replaced_as_a_whole(markers):
    hook = markers.owner("hook")
    hook.text((0, 0, 0), "stays")
    with hook.frame() as frame:
        frame.sphere((0, 0, 0))
        assert sizes(markers) == (0, 0, 0, 1, 0)    # nothing half
    assert sizes(markers) == (1, 0, 0, 1, 0)
    with hook.frame() as frame:
        frame.points(CLOUD)
    assert sizes(markers) == (0, 0, 500, 1, 0)
    with pytest.raises(ZeroDivisionError), hook.frame() as frame:
        frame.sphere((0, 0, 0))
        1 / 0       # noqa: B018
    assert sizes(markers) == (0, 0, 500, 1, 0)
    with hook.frame():
        pass
    assert sizes(markers) == (0, 0, 0, 1, 0)


def test_the_same_geometry_is_kept_once(markers):
    vertices, faces = TRIANGLE
    markers.mesh(vertices, faces, pos=(0, 0, 0))
    first, = markers.now().arrays().meshes
    markers.mesh(vertices.tolist(), faces.tolist(), pos=(1, 0, 0))
    markers.owner("other").mesh(vertices, faces, pos=[(2, 0, 0), (3, 0, 0)])
    solids, *_, meshes = markers.now().arrays()
    assert meshes == (first,) and solids["mesh"].tolist() == [0, 0, 0, 0]
    markers.mesh(2 * vertices, faces)
    markers.mesh(vertices, faces, smooth=True)
    solids, *_, meshes = markers.now().arrays()
    assert len(meshes) == 3 and meshes[0] is first and sorted(solids["mesh"].tolist()) == [0, 0, 0, 0, 1, 2]
    np.testing.assert_allclose(meshes[-1 if meshes[-1].normal.any() else 1].normal, [(0, 0, 1)] * 3)
    markers.clear()
    markers.mesh(vertices, faces)
    assert markers.now().arrays().meshes[0] is first     # also when nothing of it was drawn meanwhile


WRONG = {
    "start of a text": (lambda m: m.arrow("here", (0, 0, 0)), "arrow: start must be numbers"),
    "end of two numbers": (lambda m: m.arrow((0, 0, 0), (1, 0)), r"arrow: end must be 3 numbers or an array \(n, 3\), not one of shape \(2,\)"),
    "no number": (lambda m: m.sphere((0, np.nan, 0)), "sphere: pos has a number that is not finite"),
    "too large": (lambda m: m.points([(1e300, 0, 0)]), "points: positions has a number that is not finite"),
    "negative radius": (lambda m: m.sphere((0, 0, 0), -1), "sphere: size must be above 0, not -1"),
    "size of a box": (lambda m: m.box((0, 0, 0), 0.1), "box: size must be 3 numbers"),
    "width": (lambda m: m.line([(0, 0, 0), (1, 1, 1)], width=(1, 2)), "line: width has 2 rows and segments has 1"),
    "one point": (lambda m: m.line([(0, 0, 0)]), "line: points must be at least 2"),
    "segments": (lambda m: m.lines(np.zeros((3, 3))), r"lines: segments must be an array \(2, 3\) or an array \(n, 2, 3\)"),
    "colours of 255": (lambda m: m.sphere((0, 0, 0), rgba=(255, 0, 0, 1)), "sphere: rgba must lie between 0 and 1, not 0 to 255"),
    "a colour of two": (lambda m: m.points(CLOUD, rgba=(1, 0)), "points: rgba must be 3 or 4 numbers"),
    "colours of other points": (lambda m: m.points(CLOUD, rgba=np.ones((7, 4))), "points: rgba has 7 rows and positions has 500"),
    "a rotation": (lambda m: m.box((0, 0, 0), (1, 1, 1), mat=(1, 0, 0, 0)), "box: mat must be a rotation"),
    "faces": (lambda m: m.mesh(TRIANGLE[0], [(0, 1, 3)]), "mesh: faces must name vertices 0 to 2, not 0 to 3"),
    "faces of floats": (lambda m: m.mesh(TRIANGLE[0], [(0.0, 1.0, 2.0)]), "mesh: faces must be an array .* of whole numbers"),
    "vertices": (lambda m: m.mesh(np.zeros((3, 2)), [(0, 1, 2)]), "mesh: vertices must be an array"),
    "a text": (lambda m: m.text((0, 0, 0), 3), "text: text must be a str, not int"),
    "a book": (lambda m: m.text((0, 0, 0), "x" * 3000), "text: text has 3000 letters"),
    "two texts": (lambda m: m.text([(0, 0, 0), (1, 1, 1)], "x"), "text: pos must be of one text"),
    "lifetime": (lambda m: m.sphere((0, 0, 0), lifetime=0), "sphere: lifetime must be seconds above 0 or None, not 0"),
    "name": (lambda m: m.sphere((0, 0, 0), name=""), "sphere: name must be a str that is not empty"),
    "owner": (lambda m: m.owner(3), "owner: name must be a str"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_names_the_argument_and_changes_nothing(markers, case):
    call, message = WRONG[case]
    before = markers.now()
    with pytest.raises(ValueError, match=message):
        call(markers)
    assert markers.now() is before


def test_an_empty_cloud_is_nothing(markers):
    markers.points(np.zeros((0, 3)), name="scan")
    markers.arrow((1, 1, 1), (1, 1, 1))
    assert sizes(markers) == (0, 0, 0, 0, 0)


def test_who_adds_without_end_is_told(clock):
    markers = Markers(elements=1000, texts=3, clock=clock)
    markers.points(np.zeros((600, 3)), name="cloud")
    markers.points(np.zeros((900, 3)), name="cloud")        # in place of the others
    with pytest.raises(TooManyMarkers, match="points: 900 elements of markers are there, and with 101 more there would be more than 1000; give markers a lifetime"):
        markers.points(np.zeros((101, 3)))
    with pytest.raises(TooManyMarkers), markers.owner("a").frame() as frame:
        frame.points(np.zeros((101, 3)))
    with pytest.raises(TooManyMarkers), markers.owner("a").frame() as frame:
        frame.points(np.zeros((1001, 3)))
    for k in range(3):
        markers.text((0, 0, 0), str(k))
    with pytest.raises(TooManyMarkers, match="text: 3 texts are there"):
        markers.text((0, 0, 0), "one more")
    assert sizes(markers) == (0, 0, 900, 3, 0)
    markers.clear()
    markers.points(np.zeros((1000, 3)))


def test_many_that_come_and_go_take_no_more_room_than_those_that_are_there(markers, clock):
    handles = [markers.sphere((k, 0, 0), lifetime=1e6) for k in range(50)]
    for k in range(20_000):
        handles.append(markers.sphere((k, 0, 0), name="cursor" if k % 2 else None, lifetime=1e6))
        if not k % 2:
            handles.pop().remove()
    table = markers._kept[""]
    assert sizes(markers)[0] == 51 and len(table._records[0]._all) < 5000 and len(markers._due) < 5000
    assert markers.now().arrays().solids["pos"][:, 0].tolist() == [*range(50), 19_999]
    handles[7].remove()
    assert markers.now().arrays().solids["pos"][:, 0].tolist() == [*range(7), *range(8, 50), 19_999]


def test_threads_that_put_in_and_take_out_while_pictures_look(markers):
    stop, seen, errors = threading.Event(), [], []

    def script(number: int) -> None:
        mine = markers.owner(f"script {number}")
        try:
            for k in range(300):
                with mine.frame() as frame:
                    frame.points(np.full((20, 3), k))
                    frame.points(np.full((20, 3), k))
                mine.sphere((number, k, 0), name="ball")
        except Exception as error:
            errors.append(error)

    def picture() -> None:
        while not stop.is_set():
            dots = markers.now().arrays().dots
            seen.append(all((dots["pos"][k:k + 40] == dots["pos"][k]).all() for k in range(0, len(dots), 40)))

    threads = [threading.Thread(target=script, args=(k,)) for k in range(3)]
    looking = threading.Thread(target=picture)
    for thread in (looking, *threads):
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    looking.join()
    assert not errors and seen and all(seen) and sizes(markers) == (3, 0, 120, 0, 0)


def test_a_moment_travels_to_another_process(markers):
    markers.mesh(*TRIANGLE)
    markers.points(CLOUD)
    markers.text((0, 0, 0), "there")
    there = pickle.loads(pickle.dumps(markers.now())).arrays()
    here = markers.now().arrays()
    for one, other in zip(there[:3], here[:3]):
        np.testing.assert_array_equal(one, other)
    assert there.texts == here.texts
    np.testing.assert_array_equal(there.meshes[0].vertex, here.meshes[0].vertex)

"""Markers in pixels: they are seen where they were put, thousands of them, and a click goes through them."""
import numpy as np
import pytest

import physics
from app.bridge import ViewState, VisOptions, build_scene
from app.bridge.layers import markers as layer
from app.bridge.markers import Markers
from app.bridge.model_visuals import ModelVisuals
from app.pictures import Pictures
from physics.runtime.snapshot import Snapshot
from render.annotate import annotate
from render.scene import identity, shapes
from render.scene.camera import CameraState, pixel_ray, project
from render.scene.picking import pick
from render.scene.snapshot import Scene

SIZE = (320, 240)
MODEL = """<mujoco><asset><mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>
<worldbody><geom name="wall" type="box" size="2 .1 2" pos="0 2 0" rgba=".2 .2 .2 1"/><body pos="3 3 0"><geom type="mesh" mesh="tetra"/></body></worldbody></mujoco>"""
CAMERA = CameraState(lookat=(0, 0, 0), distance=4, azimuth=90, elevation=0)     # from -y, z up
RED, GREEN, BLUE = (1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1)


@pytest.fixture(scope="module")
def posed():
    m = physics.load_string(MODEL)
    d = physics.Data(m)
    physics.ensure_kernels()
    physics.forward(m, d)
    return m, d


@pytest.fixture
def pictures(posed):
    with Pictures(posed[0], *SIZE) as made:
        yield made


def look(pictures, posed) -> np.ndarray:
    """The picture (height, width, 3) as whole numbers."""
    pictures.look(posed[1], CAMERA)
    return pictures.rgb().astype(int)


def is_red(rgb) -> np.ndarray:
    return (rgb[..., 0] > 120) & (rgb[..., 1] < 60) & (rgb[..., 2] < 60)


def at(pictures, point) -> tuple[int, int]:
    """(row, column) of a point."""
    x, y = project(pictures.view, [point], SIZE)[0][0]
    return int(y), int(x)


def box_of(mask) -> tuple:
    """(left, right, top, bottom) of a mask."""
    rows, columns = np.nonzero(mask)
    return columns.min(), columns.max(), rows.min(), rows.max()


def test_an_arrow_reaches_from_its_start_to_its_end(pictures, posed):
    start, end = (-0.8, 0, -0.5), (0.6, 0, 0.4)
    assert not is_red(look(pictures, posed)).any()
    pictures.markers.arrow(start, end, width=0.03, rgba=RED)
    mask = is_red(look(pictures, posed))
    (bottom, left), (top, right) = at(pictures, start), at(pictures, end)
    assert np.abs(np.subtract(box_of(mask), (left, right, top, bottom))).max() < 5
    middle = at(pictures, (-0.1, 0, -0.05))
    assert mask[middle] and mask.sum() < 3500


@pytest.mark.parametrize("put", [lambda m: m.sphere((0, 0, 0), 0.3, rgba=RED), lambda m: m.box((0, 0, 0), (0.3, 0.3, 0.3), rgba=RED),
                                 lambda m: m.ellipsoid((0, 0, 0), (0.3, 0.3, 0.3), rgba=RED), lambda m: m.cylinder((0, 0, 0), (0.3, 0.3), rgba=RED),
                                 lambda m: m.capsule((0, 0, 0), (0.15, 0.15), rgba=RED)], ids=["sphere", "box", "ellipsoid", "cylinder", "capsule"])
def test_shapes_have_half_sizes(pictures, posed, put):
    put(pictures.markers)
    mask = is_red(look(pictures, posed))
    _left, _right, top, bottom = box_of(mask)
    expected = abs(at(pictures, (0, 0, -0.3))[0] - at(pictures, (0, 0, 0.3))[0])
    assert mask[at(pictures, (0, 0, 0))] and abs(bottom - top - expected) <= 0.12 * expected


def test_lines_and_points_have_widths_in_pixels_and_no_light(pictures, posed):
    pictures.markers.line([(-0.5, 0, 0), (0.5, 0, 0)], width=4, rgba=RED)
    pictures.markers.points([(0, 0, 0.6)], size=12, rgba=GREEN)
    rgb = look(pictures, posed)
    row, column = at(pictures, (0, 0, 0))
    assert (rgb[row - 5:row + 6, column] == (255, 0, 0)).all(axis=1).sum() in (3, 4)
    dot = (rgb == (0, 255, 0)).all(axis=2)
    left, right, top, bottom = box_of(dot)
    assert 9 <= right - left <= 12 and 9 <= bottom - top <= 12 and 0.6 * 144 < dot.sum() < 0.9 * 144 and not dot[top, left]     # round


def test_ten_thousand_points_each_in_its_colour(pictures, posed):
    x, z = (grid.ravel() for grid in np.meshgrid(np.linspace(-0.9, 0.9, 100), np.linspace(-0.9, 0.9, 100)))
    colours = np.where((x > 0)[:, None], RED, BLUE)
    pictures.markers.points(np.stack([x, 0 * x, z], axis=1), size=4, rgba=colours)
    rgb = look(pictures, posed)
    for point, colour in (((-0.45, 0, 0.3), (0, 0, 255)), ((0.45, 0, -0.7), (255, 0, 0))):
        row, column = at(pictures, point)
        assert (rgb[row - 5:row + 6, column - 5:column + 6] == colour).all()


def test_a_mesh_stands_where_it_was_put_and_is_seen_from_its_front(pictures, posed):
    square = np.array([(-0.5, 0, -0.5), (0.5, 0, -0.5), (0.5, 0, 0.5), (-0.5, 0, 0.5)]), np.array([(0, 1, 2), (0, 2, 3)])
    pictures.markers.mesh(*square, pos=(0.2, 0, 0.1), rgba=RED)
    mask = is_red(look(pictures, posed))
    (bottom, left), (top, right) = at(pictures, (-0.3, 0, -0.4)), at(pictures, (0.7, 0, 0.6))
    assert np.abs(np.subtract(box_of(mask), (left, right, top, bottom))).max() <= 1 and mask.sum() > 0.95 * (right - left) * (bottom - top)
    pictures.markers.clear()
    pictures.markers.mesh(square[0], square[1][:, ::-1], rgba=RED)
    assert not is_red(look(pictures, posed)).any()


def test_meshes_come_and_go_without_the_others_being_uploaded_again(pictures, posed):
    corner = np.array([(0, 0, 0), (0.4, 0, 0), (0, 0, 0.4)]), np.array([(0, 1, 2)])
    look(pictures, posed)
    meshes = pictures._offscreen.renderer.meshes
    first = pictures.markers.mesh(*corner, rgba=RED)
    pictures.markers.mesh(2 * corner[0], corner[1], pos=(-0.8, 0, 0), rgba=RED)
    both = is_red(look(pictures, posed))
    known = set(meshes._meshes.values())
    common = pictures.scene.assets.common
    first.remove()
    one = is_red(look(pictures, posed))
    assert set(meshes._meshes.values()) < known and pictures.scene.assets.common == common
    assert one[at(pictures, (-0.7, 0, 0.1))] and both[at(pictures, (0.1, 0, 0.1))] and not one[at(pictures, (0.1, 0, 0.1))]
    pictures.markers.clear()
    assert not is_red(look(pictures, posed)).any() and pictures.scene.assets.common == common and pictures.scene.assets.base is None


def test_a_text_is_written_beside_its_point(pictures, posed):
    pictures.markers.text((0, 0, 0), "grip", rgba=(1, 1, 0))
    rgb = look(pictures, posed)
    written = annotate(rgb.astype(np.uint8), pictures.scene, pictures.view).astype(int)
    row, column = at(pictures, (0, 0, 0))
    yellow = (written[..., 0] > 180) & (written[..., 1] > 180) & (written[..., 2] < 80)
    assert yellow[row - 30:row + 30, column - 60:column + 60].sum() > 20 and yellow.sum() == yellow[row - 30:row + 30, column - 60:column + 60].sum()


def test_a_click_goes_through_to_the_model(pictures, posed):
    m = posed[0]
    plain = (look(pictures, posed), pictures.depth(), pictures.segmentation(), pictures.normals())
    pictures.markers.sphere((0, 0, 0), 0.5, rgba=RED)
    pictures.markers.box((0.7, 0, 0), (0.2, 0.2, 0.2), rgba=(1, 0, 0, 0.5))
    pictures.markers.line([(-1, 0, -0.7), (1, 0, -0.7)], width=5, rgba=RED)
    pictures.markers.points(np.random.default_rng(1).uniform(-1, 1, (50, 3)), size=6, rgba=RED)
    marked = (look(pictures, posed), pictures.depth(), pictures.segmentation(), pictures.normals())
    assert is_red(marked[0]).sum() > 5000
    for before, now in zip(plain[1:], marked[1:], strict=True):
        np.testing.assert_array_equal(now, before)
    wall = m.id("geom", "wall")
    row, column = at(pictures, (0, 0, 0))
    assert marked[2][row, column].tolist() == [wall, shapes.OBJ_GEOM]
    hit = pick(pictures.scene, *pixel_ray(pictures.view, column + 0.5, row + 0.5, SIZE))
    assert hit.objid == wall
    assert identity.table(pictures.scene)[wall].tolist() == [shapes.OBJ_GEOM, wall, 0]


def test_markers_throw_no_shadow(posed):
    m = physics.load_string("""<mujoco><worldbody><light directional="true" dir="0 0 -1" pos="0 0 3"/><geom type="plane" size="2 2 .1" rgba="1 1 1 1"/></worldbody></mujoco>""")
    d = physics.Data(m)
    physics.forward(m, d)
    with Pictures(m, *SIZE) as made:
        made.look(d, CameraState(lookat=(0, 0, 0), distance=3, azimuth=90, elevation=-40))
        before = made.rgb().astype(int)
        made.markers.box((0, 0, 0.8), (0.3, 0.3, 0.05), rgba=RED)
        made.look(d, CameraState(lookat=(0, 0, 0), distance=3, azimuth=90, elevation=-40))
        row, column = at(made, (0, 0, 0))
        assert np.abs(made.rgb().astype(int) - before)[row - 3:row + 4, column - 3:column + 4].max() <= 2 and is_red(made.rgb()).any()


def test_the_switch_hides_them_and_their_texts(posed):
    m, d = posed
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    store = Markers()
    store.points(np.zeros((5, 3)))
    store.sphere((0, 0, 0))
    store.text((0, 0, 0), "here")
    options, state, out = VisOptions(), ViewState(markers=store.now()), Scene()
    scene = build_scene(ModelVisuals(m), snapshot, options, out, state)
    assert scene.points.n == 5 and scene.labels.text == ["here"] and (scene.geoms.view("flags") == layer.FLAGS).sum() == 1
    options["markers"] = False
    scene = build_scene(ModelVisuals(m), snapshot, options, out, state)
    assert scene.points.n == 0 and scene.labels.text == [] and not (scene.geoms.view("flags") == layer.FLAGS).any()


def test_markers_out_of_sight_change_no_pixel_of_the_model():
    body = "".join(f'<body pos="{k % 5} {k // 5} 1"><freejoint/><geom type="capsule" size=".2 .3"/></body>' for k in range(20))
    asset, floor = '<asset><material name="m" reflectance=".4"/></asset>', '<geom type="plane" size="9 9 .1" material="m"/>'
    m = physics.load_string(f'<mujoco>{asset}<worldbody><light pos="2 2 5"/>{floor}{body}</worldbody></mujoco>')
    d = physics.Data(m)
    physics.forward(m, d)
    camera = CameraState(lookat=(2, 2, 1), distance=9, azimuth=60, elevation=-30)
    with Pictures(m, *SIZE, quality="low") as made:
        made.look(d, camera)
        plain = made.rgb()
        places = np.random.default_rng(0).uniform(-1, 1, (2000, 3)) + made.view.pos - 30 * np.asarray(made.view.forward)
        made.markers.sphere(places)
        made.markers.points(places)
        made.look(d, camera)
        np.testing.assert_array_equal(made.rgb(), plain)


def test_mirrors_do_not_show_them():
    m = physics.load_string("""<mujoco><asset><material name="m" reflectance=".8" rgba=".1 .1 .1 1"/></asset>
      <worldbody><geom type="plane" size="5 5 .1" material="m"/></worldbody></mujoco>""")
    d = physics.Data(m)
    physics.forward(m, d)
    with Pictures(m, *SIZE) as made:
        made.markers.sphere((0, 0, 0.5), 0.3, rgba=RED)
        made.markers.line([(-1, 0, 0.3), (1, 0, 0.3)], 5, RED)
        made.look(d, CameraState(lookat=(0, 0, 0), distance=3, azimuth=90, elevation=-10))
        reddish = made.rgb()[..., 0].astype(int) - made.rgb()[..., 1] > 40
        row, column = at(made, (0, 0, -0.5))
        assert reddish[at(made, (0, 0, 0.5))] and not reddish[row - 5:row + 5, column - 20:column + 20].any()

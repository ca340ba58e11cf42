"""What cameras of every mode see, our own engine's state through our renderer: depth and segmentation against the official picture's, number by number."""
import numpy as np
import pytest

import physics
from app.pictures import MEANING, Pictures, camera_named, resolution_of
from render.scene.camera import FIXED, FREE, TRACKING, CameraState
from tests.render import official

SIZE = (240, 180)
XML = '''<mujoco><visual><global fovy="50" azimuth="120" elevation="-25"/></visual><statistic extent="2" center="0 0 .4"/>
<worldbody><geom name="floor" type="plane" size="2 2 .1"/><camera name="plain" pos="0 -2 1" xyaxes="1 0 0 0 .4 1" fovy="35"/>
<camera name="flat" pos="0 -2 1.2" xyaxes="1 0 0 0 .5 1" projection="orthographic" fovy="1.4"/>
<camera name="pinhole" pos="0 -2 1" xyaxes="1 0 0 0 .4 1" resolution="240 180" sensorsize=".024 .018" focal=".02 .022" principal=".003 -.002"/>
<camera name="pixels" pos=".2 -2 1" xyaxes="1 0 0 0 .4 1" resolution="240 180" sensorsize=".012 .009" focalpixel="220 200" principalpixel="12 -9"/>
<body name="arm" pos="0 0 .8"><joint name="a" type="hinge" axis="0 1 0"/><geom name="bar" type="capsule" size=".06" fromto="0 0 0 .5 0 0"/>
<camera name="fixed" pos="0 -1.4 .2" xyaxes="1 0 0 0 .2 1"/><camera name="track" mode="track" pos="0 -1.4 .3" xyaxes="1 0 0 0 .3 1"/>
<camera name="trackcom" mode="trackcom" pos="0 -1.4 .3" xyaxes="1 0 0 0 .3 1"/>
<camera name="target" mode="targetbody" target="ball" pos="-1 -1 .4"/><camera name="targetcom" mode="targetbodycom" target="arm" pos="-1 -1 .4"/>
<body pos=".5 0 0"><joint name="b" type="hinge" axis="0 0 1"/><geom name="box" type="box" size=".06 .15 .04" pos=".05 .2 0"/></body></body>
<body name="ball" pos=".5 .5 .4"><freejoint/><geom name="ball" type="ellipsoid" size=".2 .14 .1"/><site name="mark" pos="0 0 .1" size=".03"/></body>
<body pos="-.6 .3 .3"><geom name="tin" type="cylinder" size=".14 .2" euler="40 20 0" rgba=".5 .5 .5 .4"/></body>
</worldbody><keyframe><key qpos=".5 .9 .5 .4 .5 .9 .2 .1 .1"/></keyframe></mujoco>'''
NAMED = ('plain', 'flat', 'pinhole', 'pixels', 'fixed', 'track', 'trackcom', 'target', 'targetcom')
FREE_ANGLES = {'lookat': [0.2, 0.1, 0.4], 'distance': 2.4, 'azimuth': 130.0, 'elevation': -30.0}
CAMERAS = [{'type': 2, 'fixedcamid': k} for k in range(len(NAMED))] + [{'type': 0, **FREE_ANGLES}, {'type': 1, 'trackbodyid': 1, **FREE_ANGLES}]
STATES = [CameraState(FIXED, fixedcamid=k) for k in range(len(NAMED))] + [
    CameraState(FREE, (0.2, 0.1, 0.4), 2.4, 130.0, -30.0), CameraState(TRACKING, (0, 0, 0), 2.4, 130.0, -30.0, trackbodyid=1)]
SEEN = [*NAMED, 'free', 'tracking']


@pytest.fixture(scope='module')
def posed():
    m = physics.load_string(XML)
    d = physics.Data(m)
    physics.reset(m, d, 0)
    physics.ensure_kernels()
    physics.forward(m, d)
    return m, d


def looks(orthographic):
    return official.shot(xml=XML, width=SIZE[0], height=SIZE[1], key=0, cameras=CAMERAS, global_={'orthographic': int(orthographic), 'fovy': 1.6 if orthographic else 50})


@pytest.fixture(scope='module')
def theirs():
    return {flat: looks(flat) for flat in (False, True)}


def compare(pictures, seg, depth):
    """(share of pixels told alike, median and 95th percentile of the relative difference of depths where both see a thing)."""
    mine = pictures.segmentation()
    same = (mine == seg).all(-1).mean()
    near = np.isfinite(pictures.depth()) & (seg[..., 0] >= 0) & (mine == seg).all(-1)
    off = np.abs(pictures.depth() - depth)[near] / depth[near]
    return same, np.median(off), np.percentile(off, 95)


@pytest.mark.parametrize(('k', 'orthographic'), [(k, False) for k in range(len(SEEN))] + [(k, True) for k in (len(NAMED), len(NAMED) + 1)],
                         ids=[*SEEN, 'orthographic free', 'orthographic tracking'])
def test_cameras_see_what_the_official_ones_see(posed, theirs, k, orthographic):
    m, d = posed
    m.vis.global_.orthographic, m.vis.global_.fovy = int(orthographic), 1.6 if orthographic else 50
    with Pictures(m, *SIZE, quality='classic') as pictures:
        pictures.look(d, STATES[k])
        same, median, most = compare(pictures, theirs[orthographic][f'seg_{k}'], theirs[orthographic][f'depth_{k}'])
    assert same > 0.9995 and median < 3e-6 and most < 1e-5


@pytest.fixture
def plain(posed):
    m, d = posed
    m.vis.global_.orthographic, m.vis.global_.fovy = 0, 50
    with Pictures(m, *SIZE, quality='classic') as pictures:
        pictures.look(d, 'pixels')
        yield m, d, pictures


def places(pictures):
    """World points (height, width, 3) of the depth picture, by the documented camera matrices."""
    depth = np.nan_to_num(pictures.depth(), posinf=0)
    y, x = np.mgrid[:SIZE[1], :SIZE[0]] + 0.5
    rays = np.stack([x, y, np.ones_like(x)], -1) @ np.linalg.inv(pictures.intrinsics()).T
    pose = pictures.pose()
    return (rays * depth[..., None]) @ pose[:3, :3].T + pose[:3, 3]


def test_depth_with_the_camera_matrices_gives_points_of_the_surfaces(plain):
    m, d, pictures = plain
    seg = pictures.segmentation()
    point, ball = places(pictures), m.id('geom', 'ball')
    on_floor, on_ball = (seg == (m.id('geom', 'floor'), 5)).all(-1), (seg == (ball, 5)).all(-1)
    assert on_floor.sum() > 5000 and on_ball.sum() > 200
    assert np.abs(point[on_floor][:, 2]).max() < 1e-5
    local = (point[on_ball] - d.geom_xpos[ball]) @ d.geom_xmat[ball].reshape(3, 3) / m.geom_size[ball]
    assert abs(np.median(np.linalg.norm(local, axis=1)) - 1) < 0.01      # the ellipsoid is drawn by facets


def test_normals_are_those_of_the_shapes_in_world_coordinates(plain):
    m, d, pictures = plain
    seg, normal, point = pictures.segmentation(), pictures.normals(), places(pictures)
    there = seg[..., 0] >= 0
    np.testing.assert_allclose(np.linalg.norm(normal[there & (seg[..., 1] == 5)], axis=-1), 1, atol=1e-5)
    assert not normal[~there].any()
    assert np.abs(normal[(seg == (m.id('geom', 'floor'), 5)).all(-1)] - (0, 0, 1)).max() < 1e-6
    box = m.id('geom', 'box')
    local = normal[(seg == (box, 5)).all(-1)] @ d.geom_xmat[box].reshape(3, 3)
    np.testing.assert_allclose(np.sort(np.abs(local), axis=1), np.broadcast_to((0, 0, 1), local.shape), atol=1e-5)
    ball = m.id('geom', 'ball')
    on, turn = (seg == (ball, 5)).all(-1), d.geom_xmat[ball].reshape(3, 3)
    gradient = ((point[on] - d.geom_xpos[ball]) @ turn / m.geom_size[ball] ** 2) @ turn.T
    gradient /= np.linalg.norm(gradient, axis=1, keepdims=True)
    assert np.percentile((gradient * normal[on]).sum(1), 2) > 0.995
    assert ((pictures.pose()[:3, 3] - point[there]) * normal[there]).sum(-1).min() > -0.1      # the seen side; smooth normals lean over at outlines


def test_everything_is_an_array_of_the_documented_form(plain):
    *_, pictures = plain
    arrays = pictures.everything()
    assert list(arrays) == [name for name, _ in MEANING]
    height, width = SIZE[1], SIZE[0]
    assert [(a.shape, a.dtype.name) for a in arrays.values()] == [
        ((height, width, 3), 'uint8'), ((height, width), 'float32'), ((height, width, 2), 'int32'), ((height, width, 3), 'float32'), ((3, 3), 'float64'), ((4, 4), 'float64')]
    np.testing.assert_allclose(arrays['intrinsics'], [[220, 0, 120 - 12], [0, 200, 90 + 9], [0, 0, 1]], rtol=1e-6)


def test_the_official_pixel_matrix_of_every_sensor(plain):
    m, d, pictures = plain
    for name, focal, principal in (('pinhole', (200, 220), (-30, 20)), ('pixels', (220, 200), (-12, 9))):
        pictures.look(d, name)
        k = pictures.intrinsics()
        np.testing.assert_allclose([k[0, 0], k[1, 1], k[0, 2] - 120, k[1, 2] - 90], [*focal, *principal], rtol=1e-5)


def test_an_unknown_camera_is_named_and_an_orthographic_one_has_no_focal_length(plain):
    m, d, pictures = plain
    with pytest.raises(KeyError, match="no camera 'nowhere'.*plain"):
        pictures.look(d, 'nowhere')
    pictures.look(d, 'flat')
    with pytest.raises(ValueError, match='focal'):
        pictures.intrinsics()
    assert not pictures.everything()['intrinsics'].any()
    assert camera_named(m, '2') == camera_named(m, 2) == camera_named(m, 'pinhole')
    assert resolution_of(m, camera_named(m, 'pinhole')) == (240, 180) and resolution_of(m, camera_named(m, 'plain')) is None

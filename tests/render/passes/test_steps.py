"""Pictures in steps: the same picture, drawn in parts of bounded size, between which nothing of NumPy's switches is left set; given up, they leave nothing set in the context."""
import numpy as np
import pytest

from render.gpu import context, instances
from render.gpu.instances import InstanceBuffer
from render.offscreen import Offscreen
from render.passes.steps import any_numbers, finish
from render.quality import QUALITIES
from render.scene import shapes
from render.scene.camera import CameraState, free_view
from tests.render.stage import FRONT, LENS, flat_scene, floor

FROM_ABOVE = free_view(CameraState(lookat=(0, 0, 0.5), distance=4, azimuth=90, elevation=-25), LENS)
CLOSER = free_view(CameraState(lookat=(0, 0, 0.5), distance=2, azimuth=60, elevation=-20), LENS)
COUNT, AT_ONCE = 3000, 3600      # boxes; corners of triangles: 100 boxes


def crowd(count=COUNT):
    """Many boxes over a mirroring floor, in the light of something that casts shadows; some are seen through."""
    scene, rng = flat_scene(0.4), np.random.default_rng(1)
    row = scene.assets.materials.add(1).start
    scene.assets.materials.reflectance[row] = 0.3
    floor(scene, matid=row)
    boxes = scene.geoms.add(count)
    scene.geoms.shape[boxes], scene.geoms.size[boxes] = shapes.BOX, 0.02
    scene.geoms.pos[boxes], scene.geoms.rgba[boxes] = rng.uniform((-1, -1, 0), (1, 1, 2), (count, 3)), rng.uniform(0.2, 1, (count, 4))
    light = scene.lights.add(1)
    scene.lights.pos[light], scene.lights.dir[light], scene.lights.type[light] = (0, 0, 3), (0, 0, -1), scene.lights.DIRECTIONAL
    return scene


@pytest.fixture
def camera():
    with Offscreen(96, 72, QUALITIES['low']) as made:
        yield made


def test_a_picture_in_steps_is_the_same_and_each_step_draws_little(camera, monkeypatch):
    scene, corners, draw = crowd(), [], InstanceBuffer.draw
    at_once = camera.rgb(scene, FRONT)

    def counted(self, program, mesh, first, count, *part):
        corners.append(count * mesh.indices.size // 4)
        draw(self, program, mesh, first, count, *part)

    monkeypatch.setattr(instances, 'STEP_CORNERS', AT_ONCE)
    monkeypatch.setattr(InstanceBuffer, 'draw', counted)
    most, before = 0, 0
    with context.use(camera.ctx) as ctx:
        target = ctx.simple_framebuffer((96, 72))
        for _ in camera.renderer.steps(scene, FRONT, target):
            most, before = max(most, sum(corners) - before), sum(corners)
        picture = np.frombuffer(target.read(), np.uint8).reshape(72, 96, 3)[::-1]
    assert np.array_equal(picture, at_once)
    assert sum(corners) > 2 * COUNT * 36      # main picture, shadows, mirror, transparent ones
    assert most <= 2 * AT_ONCE < sum(corners) / 10


def change_flags(scene, flags):
    for name, value in flags.items():
        setattr(scene.flags, name, value)


@pytest.mark.parametrize('usual', [{'shadow': True, 'reflection': True}, {'shadow': False, 'reflection': False}])
@pytest.mark.parametrize('given_up', [{}, {'physical': True}, {'wireframe': True}])
def test_a_picture_after_one_that_was_given_up_at_any_pause_is_as_ever(camera, monkeypatch, given_up, usual):
    scene, given_up = crowd(200), {'shadow': True, 'reflection': True, **given_up}
    usual = {'physical': False, 'wireframe': False, **usual}
    scene.geoms.put(shapes.BOX, (0, 0.5, 0.5), (0.3,) * 3, (1, 0, 0, 1), flags=shapes.THROUGH)
    second = scene.lights.add(1)
    scene.lights.pos[second], scene.lights.dir[second], scene.lights.type[second] = (2, 0, 2), (-0.7, 0, -0.7), scene.lights.DIRECTIONAL
    monkeypatch.setattr(instances, 'STEP_CORNERS', AT_ONCE)
    with context.use(camera.ctx) as ctx:
        target = ctx.simple_framebuffer((96, 72))

        def steps(flags, view=CLOSER):
            change_flags(scene, flags)
            return camera.renderer.steps(scene, view, target)

        finish(steps(usual, FROM_ABOVE))
        undisturbed, wrong = target.read(), []
        pauses = sum(1 for _ in steps(given_up))
        for last in range(pauses):
            left = steps(given_up)
            for _ in range(last + 1):
                next(left)
            left.close()
            finish(steps(usual, FROM_ABOVE))
            if target.read() != undisturbed:
                wrong.append(last)
    assert pauses > 15 and not wrong, f'wrong after {wrong} of {pauses}'


def test_steps_are_silent_and_their_pauses_are_not():
    def work():
        np.float64(1) / np.zeros(1)
        yield
        np.float64(1) / np.zeros(1)
        return 'done'

    with np.errstate(divide='raise'):
        steps, seen = any_numbers(work()), []
        while True:
            try:
                next(steps)
            except StopIteration as end:
                seen.append(end.value)
                break
            seen.append(np.geterr()['divide'])
    assert seen == ['raise', 'done']
    assert finish(any_numbers(work())) == 'done'

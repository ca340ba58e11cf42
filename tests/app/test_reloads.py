"""Opening models again and again leaves nothing behind: no GL object, no model, no text."""
import gc
import weakref

import physics
from app.bridge.build import build_scene
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import LOOKS, VisOptions
from app.bridge.view import default_camera, view_of
from physics.runtime.snapshot import Snapshot
from render.gpu import context
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene.snapshot import Scene
from tests.render.gl_objects import living
from tests.render.skin_models import skin_xml

MESHES = """<mujoco><asset><texture name="chk" type="2d" builtin="checker" width="64" height="64"/><texture type="skybox" builtin="gradient" width="32" height="32"/>
<material name="mirror" texture="chk" reflectance=".4"/><mesh name="a" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><mesh name="b" vertex="0 0 0 .5 0 0 0 .5 0 0 0 .5"/>
<hfield name="h" nrow="4" ncol="4" size="1 1 .2 .1" elevation="0 0 0 0 0 1 1 0 0 1 1 0 0 0 0 0"/></asset>
<worldbody><light pos="0 0 3"/><geom type="plane" size="3 3 .1" material="mirror"/><geom type="hfield" hfield="h" pos="0 2 0"/>
<body pos="0 0 1"><freejoint/><geom type="mesh" mesh="a"/><geom type="mesh" mesh="b" pos="0 1 0"/><site size=".1" rgba="0 1 0 .4"/></body></worldbody></mujoco>"""
ROUNDS = 10     # of two models
LEFT_TO_THE_COLLECTOR = 300     # objects, a few of Qt's and moderngl's; a picture's programs alone had 10,000 of ours
MODELS_HELD = 2     # by a window: the one that is shown, the one before it in snapshots not yet taken


def draw(camera, scene, m):
    """Every kind of picture of a model's first moment, the physically based look first."""
    physics.ensure_kernels()
    d = physics.Data(m)
    physics.forward(m, d)
    snapshot, options = Snapshot(m, d, 1), VisOptions()
    snapshot.copy_from(d)
    view = view_of(m, snapshot, default_camera(m))
    for options.look in reversed(LOOKS):
        camera.rgb(build_scene(ModelVisuals(m), snapshot, options, scene), view)
    return camera.rgb(scene, view), camera.segments(scene, view), camera.normals(scene, view)


def test_reloads_leave_nothing_behind():
    texts = (MESHES, skin_xml())
    scene, models, counts = Scene(), [], []
    gc.collect()
    gc.disable()    # a model must not wait for Python's collector, which runs seldom and does not see how large arrays are
    try:
        with Offscreen(64, 48, QUALITIES['high']) as camera:
            for _ in range(ROUNDS):
                for text in texts:
                    m = physics.load_string(text)
                    models.append(weakref.ref(m))
                    assert len(set(map(bytes, draw(camera, scene, m)[0][::8, ::8].reshape(-1, 3)))) > 3
                with context.use(camera.ctx):
                    counts.append(living(camera.ctx))
        del m
    finally:
        gc.enable()
    assert counts[0]['Texture'] > 5 and counts[0]['Buffer'] > 10
    assert all(count == counts[0] for count in counts), counts
    assert sum(ref() is not None for ref in models) <= 1    # the last one, by the local variables above


def test_a_closed_camera_frees_all_gl_objects():
    with Offscreen(64, 48, QUALITIES['high']) as camera:
        draw(camera, Scene(), physics.load_string(MESHES))
        draw(camera, Scene(), physics.load_string(skin_xml()))
        with context.use(camera.ctx):
            before = living(camera.ctx)
            camera.renderer.release()
            left = living(camera.ctx)
    assert before['Program'] > 5
    assert not any(left[kind] for kind in ('Texture', 'VertexArray', 'Sampler')), str(left)
    assert left['Program'] <= 1 and left['Shader'] <= 2     # GL keeps the program in use until another one is
    assert left['Buffer'] <= 3 and left['Framebuffer'] <= 1 and left['Renderbuffer'] <= 2, left     # the camera's own target; moderngl's


def test_edits_in_the_window_keep_no_model_that_was_replaced(workbench, tmp_path):
    path = tmp_path / "ball.xml"
    path.write_text("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    bench = workbench(path)
    seen = [weakref.ref(bench.context.model)]
    for i in range(6):
        bench.session.set_text(bench.session.document.key, f"<mujoco><worldbody><geom name='g{i}' size='.1'/></worldbody></mujoco>")
        bench.session.apply()
        bench.wait(lambda: bench.context.model is not seen[-1]())
        bench.pictures(1)
        seen.append(weakref.ref(bench.context.model))
    def alive() -> list[int]:
        gc.collect()
        return [k for k, ref in enumerate(seen) if ref() is not None]

    bench.wait(lambda: len(alive()) <= MODELS_HELD)     # a thread may have the one before for a while
    assert alive()[-1] == 6


def test_what_a_window_drops_does_not_wait_for_the_garbage_collector(workbench, tmp_path):
    """It runs seldom and does not see how large arrays are: until then a window that opens models grows by some megabytes with each."""
    path = tmp_path / "pendulum.xml"
    path.write_text("<mujoco><worldbody><body><joint/><geom type='capsule' size='.1' fromto='0 0 0 0 0 1'/></body></worldbody></mujoco>")
    bench = workbench(path, running=True)
    bench.panel("profiler")
    bench.pictures(2)
    gc.collect()
    gc.disable()
    try:
        for _ in range(4):
            before = bench.context.model
            bench.session.open(path, run=True)
            bench.wait(lambda: bench.context.model is not before)
            bench.pass_time(.05)
            bench.pictures(2)
        assert gc.collect() < LEFT_TO_THE_COLLECTOR
    finally:
        gc.enable()


def test_rows_that_stay_are_shown_between_an_edit_and_the_next_snapshot(workbench, tmp_path):
    path = tmp_path / "m.xml"
    path.write_text('<mujoco><worldbody><body pos="0 0 1"><freejoint name="root"/><geom size=".1"/></body></worldbody></mujoco>')
    bench = workbench(path)
    panel = bench.panel("joints")
    bench.wait(lambda: panel.list.made and len(panel._values))
    panel._fill(bench.context.model)   # as another text with the same joints does
    panel.list._fill()   # the rows are painted before a snapshot is there
    assert len(panel._values) == len(panel.list)

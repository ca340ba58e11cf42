"""What belongs to the open document and not to the path of its file: its model, what is hidden, the camera, the speed."""
import pytest

import physics
from app.start_keys import start_key

MODEL = """<mujoco>
  <visual><global realtime="{1}"/></visual>
  <worldbody>
    <body name="{0}"><joint axis="0 1 0"/><geom name="{0}" size=".1"/></body>
    <body pos="1 0 0"><geom name="beside" size=".2"/></body>
  </worldbody>
  <keyframe><key name="home" qpos=".5"/></keyframe>
</mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "a.xml").write_text(MODEL.format("first", 1))
    return workbench(tmp_path / "a.xml", size=(700, 420))


def open_broken(bench, path):
    """Open a file that no model comes of."""
    assert bench.session.open(path)
    bench.wait(lambda: bench.session.issues and not bench.session.loading)
    assert bench.context.model.id("body", "first") == 1      # still the one before


@pytest.mark.parametrize("name", ["b.xml", "b.lwb"])
def test_the_model_of_the_file_before_is_not_saved_as_one_that_does_not_compile(bench, tmp_path, name):
    broken = tmp_path / name
    physics.save(physics.load_string(MODEL.format("second", 1)), tmp_path / "b.lwb")
    broken.write_bytes((tmp_path / "b.lwb").read_bytes()[:2000] if name == "b.lwb" else b"<mujoco><worldbody><geom/></worldbody></mujoco>")
    open_broken(bench, broken)
    assert not bench.session.save_compiled(tmp_path / "c.lwb") and bench.logged(f"no model of {name}") and bench.logged("another file's")
    if name == "b.lwb":
        assert not bench.session.save_as(tmp_path / "c.xml")
    assert not (tmp_path / "c.lwb").exists() and not (tmp_path / "c.xml").exists()


def test_a_keyframe_of_the_file_before_is_not_kept_for_one_that_does_not_compile(bench, tmp_path):
    broken = tmp_path / "b.xml"
    broken.write_text("<mujoco><worldbody><geom/></worldbody></mujoco>")
    open_broken(bench, broken)
    bench.session.choose_start_key("home")
    assert bench.session.start_key is None and start_key(bench.settings, broken) is None and bench.logged("keyframe to start at stays")
    bench.session.set_text(str(broken), MODEL.format("second", 1))
    bench.session.apply()
    bench.wait(lambda: bench.session.shown)
    bench.session.choose_start_key("home")
    assert bench.session.start_key == "home" and start_key(bench.settings, broken) == "home"


def test_a_document_that_is_saved_under_another_name_stays_as_it_is_seen(bench, tmp_path):
    model, view, options = bench.context.model, bench.application.view_control, bench.context.options
    bench.context.select_body(2)
    bench.application.selection.hide()
    assert options.hidden
    view.turn_to(37.0, -21.0)
    bench.wait(lambda: not view.flying)
    camera = view.camera
    assert bench.session.save_as(tmp_path / "c.xml")
    bench.wait(lambda: bench.context.model is not model and bench.context.model.source[0] == str(tmp_path / "c.xml"))
    assert view.camera == camera and options.hidden and bench.session.shown
    bench.session.open(tmp_path / "a.xml")
    bench.wait(lambda: bench.context.model.source[0] == str(tmp_path / "a.xml"))
    assert view.camera != camera and not options.hidden

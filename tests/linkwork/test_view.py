"""Camera and switches of a script, beside those of the window."""
import pytest

import linkwork
from app.bridge.options import VisOptions
from app.passive.view_values import values_of
from linkwork.view import Options, SharedView
from render.scene.camera import FIXED, CameraState


@pytest.fixture
def shared():
    return SharedView({"camera": CameraState(distance=3.0), "options": values_of(VisOptions()), "select": 2})


def test_what_the_script_sets_is_told_once(shared):
    assert shared.cam.distance == 3 and shared.selected == 2 and shared.news() == {}
    shared.cam.azimuth = 10
    shared.opt.flags["joint"] = True
    shared.opt.sitegroup[4] = 1
    shared.selected = 1
    told = shared.news()
    assert told["camera"].azimuth == 10 and told["options"] == {("flags", "joint"): True, ("sitegroup", 4): 1} and told["select"] == 1
    assert shared.news() == {}


def test_of_both_the_script_wins_where_both_have_changed_the_same(shared):
    shared.cam.azimuth = 10
    shared.opt.flags["joint"] = True
    shared.take({"camera": CameraState(azimuth=77.0), "options": {("flags", "joint"): False, ("flags", "camera"): True}})
    assert shared.cam.azimuth == 10 and shared.opt.flags["joint"] and shared.opt.flags["camera"]
    assert shared.news()["options"] == {("flags", "joint"): True}
    shared.take({"camera": CameraState(FIXED, fixedcamid=1)})
    assert shared.cam.type == linkwork.CameraType.FIXED and shared.cam.fixedcamid == 1 and shared.cam.azimuth == 10 and shared.news() == {}


def test_switches_by_name_and_number():
    opt = Options()
    opt.flags[linkwork.VisFlag.CONTACT_FORCE] = 1
    assert opt.flags["contact_force"] is True and sum(opt.flags) == sum(VisOptions().flags.values()) + 1
    opt.flags[:] = 0
    assert not any(opt.flags) and len(opt.flags) == len(linkwork.VisFlag)
    opt.geomgroup = [1, 0, 0, 0, 0, 1]
    opt.frame = "world"
    opt.label = 3
    assert opt.geomgroup[5] and opt.frame == linkwork.FrameMode.WORLD and opt.label == linkwork.LabelMode.GEOM
    with pytest.raises(KeyError, match="did you mean 'contact_point'"):
        opt.flags["contact_pont"] = True
    with pytest.raises(IndexError):
        opt.flags[99]
    with pytest.raises(ValueError, match="there is no label 'Bodys'; did you mean 'Body'"):
        opt.label = "Bodys"
    with pytest.raises(AttributeError, match="did you mean 'geomgroup'"):
        opt.geomgrop = [1]


def test_a_camera_that_is_none_is_refused(shared):
    shared.cam.distance = float("nan")
    with pytest.raises(ValueError, match="not finite"):
        shared.news()
    shared.cam.distance, shared.cam.type = 1.0, 9
    with pytest.raises(ValueError):
        shared.news()

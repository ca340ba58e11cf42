"""The page's modules that need no browser, run by node on what the server really sends."""
import base64
import json
import math
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import physics
from app.inputs.mapping.scene_frame import SceneFrame
from app.inputs.protocol.decode import decode
from app.inputs.server import frames
from app.inputs.server.geometry import packed_geometry
from app.inputs.server.pages import FILES
from assets.locate import asset

MODEL = """<mujoco><worldbody><camera name="front"/><geom type="plane" size="0 0 .1"/><body pos="0 0 1"><freejoint/><geom type="capsule" size=".05 .2"/><geom type="box" size=".1 .2 .3" rgba="1 0 0 .5"/>
<geom type="ellipsoid" size=".1 .2 .3"/><geom type="cylinder" size=".1 .2"/></body></worldbody></mujoco>"""
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What modules.mjs gives for frames of the server."""
    if shutil.which("node") is None:
        pytest.skip("no node here, which runs the page's modules")
    folder = tmp_path_factory.mktemp("page")
    for name in {name for name, _kind in FILES.values() if name.endswith(".js")}:
        shutil.copy(asset("web", name), folder)
    (folder / "package.json").write_text('{"type": "module"}')
    poses = frames.numbered(frames.poses(3, "holding", 9, 1.5, np.array([[0, 0, 0], [1, 2, 3.0]]), np.array([[1, 0, 0, 0], [0, 1, 0, 0.0]])), 12)
    given = {"poses": poses, "picture": frames.picture(5, 1, b"jpeg"), "geometry": frames.geometry(3, packed_geometry(physics.load_string(MODEL)))}
    text = json.dumps({"input": {name: base64.b64encode(data).decode() for name, data in given.items()}})
    done = subprocess.run(["node", str(HERE / "modules.mjs"), str(folder)], input=text, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_frames_are_read_as_they_were_packed(found):
    frame = found["frame"]
    assert (frame["generation"], frame["lamp"], frame["step"], frame["time"], frame["seq"]) == (3, "holding", 9, 1.5, 12)
    assert frame["poses"] == [0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 0, 1, 0, 0]
    assert found["picture"] == {"kind": frames.PICTURE, "number": 5, "camera": 1, "jpeg": list(b"jpeg")}


def test_the_geometry_is_read_as_it_was_packed(found):
    geometry = found["geometry"]
    assert geometry["bodies"] == 2 and geometry["cameras"] == ["front"] and geometry["meshes"] == []
    assert geometry["parts"] == [["plane"], ["tube", "sphere", "sphere"], ["box"], ["sphere"], ["cylinder"]]
    assert np.allclose([geom["rgba"] for geom in geometry["geoms"]][2], [1, 0, 0, 0.5]) and [geom["body"] for geom in geometry["geoms"]] == [0, 1, 1, 1, 1]


def test_the_room_and_the_model_agree_where_a_hand_is(found):
    """There and back; a headset's -z is forward, its -x left, its y up; turning the room leaves the head where it is."""
    c, s = math.cos(0.7), math.sin(0.7)
    assert np.allclose(found["world"], [1 + 0.5 * c + 0.3 * s, 2 + 0.5 * s - 0.3 * c, 4.2]) and np.allclose(found["back"], [0.3, 1.2, -0.5], atol=1e-6)
    assert np.allclose(found["turned"], found["unturned"]) and np.allclose(found["product"], np.eye(4).ravel(), atol=1e-6)
    assert np.allclose(found["yaw"], [math.cos(0.6), math.sin(0.6), 0]) and np.allclose(found["before"], [1 - 1.2, 2, 1.6])


def test_the_scene_is_seen_where_the_hands_have_brought_it(found):
    """As app.inputs.mapping.scene_frame has it; hands stay where and as large as they are, though what is seen is turned and of another size."""
    scene, frame = found["scene"], SceneFrame(2.0, 0.5, (0.1, -0.2, 0.3))
    assert np.allclose(scene["acts"], frame.of((0.4, 0.5, 1.2))) and np.allclose(scene["seen"], scene["hand"], atol=1e-6) and scene["corner"][3] == 1
    assert np.allclose(scene["unmoved"], np.eye(4).ravel())
    mark = scene["mark"]
    assert np.allclose(mark["p"], scene["acts"]) and np.allclose(mark["size"], [0.02, 0.04, 0.06]) and np.allclose(mark["q"], [math.cos(0.25), 0, 0, math.sin(0.25)]) and mark["box"]


def test_clock_latency_and_pace(found):
    assert found["clock"] == {"delay": 6, "offset": 5000} and found["latency"] == [25, 9]
    assert 66 <= found["pace"] <= 73 and found["paceAfterPause"] <= 2


def test_sticks_and_turns_of_a_phone(found):
    assert found["sticks"][:2] == [[0, 0], [0, 0]] and np.allclose(found["sticks"][2:], [[1, 0], [0, 1]])
    assert np.allclose(found["flat"], [1, 0, 0, 0]) and np.allclose(found["heading"], [0, 1, 0]) and np.allclose(found["raised"], [0, 0, 1])
    assert found["controls"] == {"axes": {"trigger": 0.8, "squeeze": 0.1, "stickx": 0.5, "sticky": 1}, "buttons": {"trigger": True, "squeeze": False, "touchpad": False, "stick": False, "a": True}}


def test_shapes_are_whole_and_turned_outwards(found):
    volumes = {name: volume for name, (volume, _wrong) in found["shapes"].items()}
    assert all(wrong == 0 for _volume, wrong in found["shapes"].values())
    assert volumes["box"] == pytest.approx(8) and volumes["sphere"] == pytest.approx(4 / 3 * math.pi, rel=0.05) and volumes["cylinder"] == pytest.approx(2 * math.pi, rel=0.02)


def test_every_file_of_the_page_is_in_the_table_and_refers_to_no_other_host():
    names = {name for name, _kind in FILES.values()}
    assert names == {path.name for path in asset("web").iterdir()}
    for name in names:
        text = asset("web", name).read_text()
        assert not re.search(r"(?:https?|wss?)://(?!\$)", text) and "eval(" not in text and not re.search(r"<script(?![^>]* src=)|\son\w+=|style=", text), name
        for other in re.findall(r"(?:from|import) '\./([\w.]+)'|(?:src|href)=\"/([\w.]+)\"", text):
            found = next(filter(None, other))
            assert f"/{found}" in FILES, (name, found)


def test_what_the_page_says_is_what_the_server_reads():
    """The kinds and events of the scripts are those of the protocol."""
    text = "".join(asset("web", name).read_text() for name, _kind in FILES.values())
    events = re.findall(r"\['(\w+)', '[A-Z]", asset("web", "controls.js").read_text())
    assert len(events) == 6 and all(decode(json.dumps({"v": 1, "seq": 0, "t": 0, "kind": "event", "event": event})) for event in events)
    assert {"hello", "ping", "camera", "seen", "event"} <= set(re.findall(r"send\('(\w+)'", text))

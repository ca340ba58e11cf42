"""Pictures of the model's cameras for the page, while the window serves it."""
import io

import numpy as np
import pytest
from PIL import Image

from tests.app.panels.teleoperation.visiting import Visiting

MODEL = """<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><worldbody>
<body name="wall" mocap="true" pos="0 1 0"><geom type="box" size="3 .1 3" rgba="1 0 0 1" contype="0" conaffinity="0"/></body>
<camera name="front" pos="0 -1 0" xyaxes="1 0 0 0 0 1"/><camera name="back" pos="0 -1 0" xyaxes="-1 0 0 0 0 1"/></worldbody></mujoco>"""


def pixels(jpeg) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(jpeg))).astype(int)


def test_a_camera_is_drawn_beside_the_window_and_again_when_the_picture_was_seen(workbench, tmp_path):
    pytest.importorskip("aiohttp")
    path = tmp_path / "m.xml"
    path.write_text(MODEL)
    bench = workbench(path, size=(900, 620))
    control = bench.application.teleoperation
    control.visited.connect(lambda _visitor, answer: answer(True))
    control.serve(secure=False, port=0)
    with Visiting(control.page.server.pairing.origin, control.page.server.pairing.token) as visitor:
        bench.wait(lambda: visitor.welcome.is_set() and control.page.server.room.cameras == ("front", "back"))
        visitor.look("front")
        bench.wait(lambda: visitor.pictures)
        number, jpeg = visitor.pictures[0]
        first = pixels(jpeg)
        assert first.shape == (360, 480, 3) and np.abs(np.median(first, (0, 1)) - (255, 0, 0)).max() < 12
        bench.session.set_text(bench.session.document.key, MODEL.replace('rgba="1 0 0 1"', 'rgba="0 1 0 1"'))
        bench.session.apply()
        bench.taken_up()
        bench.pictures(3)
        assert len(visitor.pictures) == 1       # the one before was not seen
        visitor.seen(number)
        def green() -> bool:
            last, jpeg = visitor.pictures[-1]
            visitor.seen(last)
            return np.abs(np.median(pixels(jpeg), (0, 1)) - (0, 255, 0)).max() < 12

        bench.wait(green)
        count = len(visitor.pictures)
        visitor.look("")
        bench.wait(lambda: not control.page.feed.wanted and count)
        control.stop_serving()
        assert control.page is None
    reader = sorted(control._served._readers)
    bench.wait(lambda: len(control._served._readers) == 2)
    control.serve(secure=False, port=0)
    control.stop_serving()
    bench.wait(lambda: len(control._served._readers) == 2 and len(set(control._served._readers)) == 2)     # used once more: each costs memory
    assert set(reader) <= set(control._served._readers)

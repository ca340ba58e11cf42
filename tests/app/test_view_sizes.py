"""Views of any size and on screens of any scale: drawn, clicked and labelled at the right place; hidden ones draw nothing and lose nothing."""
import pytest

from tests.app.view_program import run_window

SCALED = """
import numpy as np
from PyQt6.QtGui import QImage
from PyQt6.QtTest import QTest
RATIO = float(os.environ["QT_SCALE_FACTOR"])
sizes = []
bench = opened("models/boxes.xml", size=(700, 500), running=False)
viewport, host = bench.viewport, bench.host
viewport.setFixedSize(331, 243)
draw = viewport.draw
viewport.draw = lambda picture, target, width, height: sizes.append((width, height, target.size)) or draw(picture, target, width, height)
bench.pictures(3)
assert host.devicePixelRatioF() == RATIO
wanted = int(331 * RATIO + 0.5), int(243 * RATIO + 0.5)
assert sizes[-1][:2] == wanted and sizes[-1][2] == wanted, (sizes[-1], wanted)
image = viewport.image()
assert abs(image.width() - wanted[0]) <= 1 and abs(image.height() - wanted[1]) <= 1
def with_text():
    return host.grab().toImage() if isinstance(host, ImageHost) else host.grabFramebuffer()

assert with_text().size() == image.size()

# what is picked, hovered and labelled is where it is drawn
model, snapshot = bench.context.model, bench.snapshot
seen = 0
for body in range(1, model.nbody):
    at = viewport.body_pixel(body)
    if at is None or not (0 <= at.x() < 331 and 0 <= at.y() < 243):
        continue
    at = QPointF(at.toPoint())
    hit = viewport.pick(at.x(), at.y())
    if hit is None or hit.bodyid != body:       # something is before it
        continue
    clicked = []
    bench.context.thing_clicked.connect(clicked.append)
    QTest.mouseClick(host, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at.toPoint())
    bench.wait(lambda: clicked)
    bench.context.thing_clicked.disconnect(clicked.append)
    assert clicked[0] is not None and np.allclose(clicked[0].point, hit.point, atol=0.05), (body, clicked[0], hit)
    bench.double_click(at)
    assert bench.context.selection.bodyid == body, (body, bench.context.selection)
    seen, last = seen + 1, at
    if seen == 3:
        break
assert seen, "no body in the middle of the view"

# its label stands beside it
def shown():
    bench.pictures(2)
    image = with_text().convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits().asarray(image.sizeInBytes()), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, :4 * image.width()].reshape(image.height(), image.width(), 4)[..., :3].astype(int)

bench.application.overlay.show_info = False
without = shown()
bench.context.options.label = "Selection"
changed = np.argwhere(np.abs(shown() - without).max(2) > 60)
changed = changed[changed[:, 0] > 60 * RATIO]      # below the row with the speed
middle = (changed.min(0) + changed.max(0)) / 2 / RATIO
assert len(changed) > 20 and abs(middle[1] - last.x()) < 40 and abs(middle[0] - last.y()) < 40, (middle, last)
"""
SIZES = """
bench = opened("models/arm.xml", size=(700, 500), running=True)
viewport, host = bench.viewport, bench.host
host.setMinimumSize(0, 0)
viewport.setMinimumSize(0, 0)
alone = QMainWindow()
alone.setCentralWidget(viewport)
alone.show()
for width, height in ((300, 200), (1, 1), (1, 400), (400, 1), (0, 0), (0, 50), (50, 0), (640, 480), (2, 2), (3000, 20), (300, 200)):
    viewport.setFixedSize(width, height)
    for _ in range(3):
        viewport.refresh()
        app.processEvents()
        time.sleep(0.02)
    host.repaint()
    host.ask()
    viewport.pick(0.5, 0.5)
    bench.drag(QPointF(0, 0), QPointF(3, 2))
    viewport.body_pixel(1)
    viewport.image()
bench.pictures(3)
image = viewport.image()
assert (image.width(), image.height()) == (300, 200) and len({image.pixel(x, y) for x in range(0, 300, 5) for y in range(0, 200, 5)}) > 50
if isinstance(host, ImageHost):
    host.setParent(None)
    for size in ((20000, 60), (60, 20000)):     # beyond what the driver draws
        host.resize(*size)
        host.grab()         # asks for it
        bench.wait(lambda: not host.drawing)
        shown = host.grab().toImage()
        assert (shown.width(), shown.height()) == size
        assert max(host.grabFramebuffer().width(), host.grabFramebuffer().height()) <= 16384
        assert len({shown.pixel(x, y) for x in range(0, size[0], 31) for y in range(0, size[1], 31)}) > 5
"""
HIDDEN = """
bench = opened("models/pendulum.xml", size=(700, 500), running=True)
viewport, host = bench.viewport, bench.host
bench.pictures(3)
told, drawn = [], []
bench.context.snapshot_ready.connect(lambda snapshot: told.append(snapshot.time))
draw = viewport.draw
def drawing(picture, *target):
    complete = yield from draw(picture, *target)
    drawn.append(picture.snapshot.time)
    return complete

viewport.draw = drawing
for hide, show in ((bench.window.hide, bench.window.show), (bench.window.showMinimized, bench.window.showNormal)):
    before = viewport.image()
    hide()
    bench.wait(lambda: not host.drawing)        # one that is under way is completed
    del told[:], drawn[:]
    start = bench.snapshot.time
    bench.pass_time(0.5)
    bench.wait(lambda: len(told) >= 3)
    assert not drawn, (hide, drawn)
    assert told[-1] > start
    late = bench.snapshot.time
    show()
    bench.wait(lambda: drawn)
    assert drawn[0] >= late
    bench.pictures(2)
    assert viewport.image() != before
"""


@pytest.mark.parametrize(("host", "ratio"), [("image", "2"), ("gl", "1.5")])
def test_a_scaled_screen_gets_all_its_pixels_and_clicks_hit(host, ratio, tmp_path):
    run_window(SCALED, tmp_path, LINKWORK_HOST=host, QT_SCALE_FACTOR=ratio)


@pytest.mark.parametrize("host", ["image", "gl"])
def test_views_of_any_size_are_drawn(host, tmp_path):
    run_window(SIZES, tmp_path, LINKWORK_HOST=host)


def test_a_hidden_window_draws_nothing_and_comes_back_up_to_date(tmp_path):
    run_window(HIDDEN, tmp_path)

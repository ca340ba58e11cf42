"""The view moves to another window, its GL context is lost: the same picture comes back and nothing is left behind."""
import pytest

from tests.app.view_program import run_window

MOVED = """
bench = opened("models/arm.xml", size=(700, 500), running=False)
viewport, host = bench.viewport, bench.host
viewport.setFixedSize(320, 240)
starts = []
start = viewport.start
viewport.start = lambda ctx: (starts.append(ctx), start(ctx))
if "TEST_ALONE" in os.environ:      # Qt forgets to free what it draws texts with
    viewport.overlay = lambda _painter: viewport._count_frame(bench.snapshot)

def seen():
    bench.pictures(3)
    image = viewport.image()
    with host.current() as ctx:
        assert ctx.error == "GL_NO_ERROR"
        return image, living(ctx)

film, renderers = bench.application.film, []
def picture():
    assert film.write_picture(Path(sys.argv[1]) / "picture.png", (64, 48))
    renderers.append(film._renderer)

picture()
first, objects = seen()
assert (first.width(), first.height()) == (320, 240) and len({first.pixel(x, y) for x in range(0, 320, 5) for y in range(0, 240, 5)}) > 50
other, counts = QMainWindow(), []
for _ in range(3):
    other.setCentralWidget(viewport)
    other.show()
    again, now = seen()
    assert again == first
    counts.append(now)
    picture()
    other.takeCentralWidget()
    bench.window.setCentralWidget(viewport)
    viewport.show()
    again, now = seen()
    assert again == first
    counts.append(now)
objects = counts[1]      # Qt has objects of its own for its texts
assert all(sum(count.values()) <= sum(objects.values()) for count in counts[1:]), counts
picture()
assert len(set(map(id, renderers))) == (5 if starts else 1)      # a renderer in a context that goes is freed with it
_, with_renderer = seen()
film.close()
_, now = seen()
assert sum(now.values()) < sum(with_renderer.values())
print(len(starts), "starts")
source = bench.docks.docks["source"]
for floating in (True, False):
    source.setFloating(floating)
    again, now = seen()
    assert again == first and sum(now.values()) <= sum(objects.values())
"""
LOST = """
import moderngl
bench = opened("models/arm.xml", size=(700, 500), running=False)
viewport, host, film = bench.viewport, bench.host, bench.application.film
assert isinstance(host, ImageHost)
bench.pictures(2)
first, renderer = viewport.image(), viewport.renderer
with host.current() as ctx:
    objects = living(ctx)

def lost(*_args, **_kw):
    raise moderngl.Error("the context is lost")

renderer.steps = lost
bench.pictures(2)
assert viewport.renderer is not renderer and viewport.image() == first
with host.current() as ctx:
    assert ctx.error == "GL_NO_ERROR" and living(ctx) == objects
assert film.write_picture(Path(sys.argv[1]) / "picture.png", (64, 48)) and film._renderer is not None
host.renew()
assert film._renderer is None     # its objects went with the context
bench.pictures(2)
assert viewport.image() == first
assert film.write_picture(Path(sys.argv[1]) / "picture.png", (64, 48))
bench.close()
assert viewport.renderer is None and film._renderer is None
host.repaint()
assert viewport.image() == first
"""


@pytest.mark.parametrize(("host", "starts"), [("gl", 6), ("image", 0)])
def test_a_view_that_moves_to_another_window_shows_the_same(host, starts, tmp_path):
    alone = {"TEST_ALONE": "1"} if starts else {}       # Qt keeps the context where all windows share their objects
    assert f"{starts} starts" in run_window(MOVED, tmp_path, LINKWORK_HOST=host, **alone)


def test_a_lost_context_is_replaced(tmp_path):
    run_window(LOST, tmp_path, LINKWORK_HOST="image")

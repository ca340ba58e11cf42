"""Markers and ghosts in the window: what a script in any thread changes is seen without a step being taken, in the view, in pictures and in films."""
import threading
from fractions import Fraction

import numpy as np
import pytest
from PIL import Image

from app.bridge.ghost import Ghost
from app.film.plan import FilmPlan
from physics.runtime import commands
from tests.app.film.pendulum import PENDULUM

PURE = (1, 0, 1)


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "pendulum.xml").write_text(PENDULUM)
    return workbench(tmp_path / "pendulum.xml", size=(800, 560))


def purple(image) -> int:
    """Pixels of the colour that nothing else has here."""
    pixels = np.array([image.pixelColor(x, y).getRgb()[:3] for y in range(0, image.height(), 2) for x in range(0, image.width(), 2)])
    return int(((pixels[:, 0] > 200) & (pixels[:, 1] < 60) & (pixels[:, 2] > 200)).sum())


def seen(bench) -> int:
    return purple(bench.viewport.image())


def cloud(bench, count=400) -> np.ndarray:
    return bench.context.model.stat_center + bench.context.model.stat_extent * np.random.default_rng(0).uniform(-0.3, 0.3, (count, 3))


def test_they_come_and_go_while_the_simulation_is_paused(bench):
    markers, points = bench.context.markers, cloud(bench)
    assert not bench.snapshot.running and seen(bench) == 0
    script = threading.Thread(target=lambda: markers.owner("scan").points(points, size=8, rgba=PURE))
    script.start()
    script.join()
    bench.wait(lambda: seen(bench) > 100)
    markers.clear("scan")
    bench.wait(lambda: seen(bench) == 0)
    markers.points(points, size=8, rgba=PURE, lifetime=3.0)     # longer than a busy machine takes for a picture
    bench.wait(lambda: seen(bench) > 100)
    bench.wait(lambda: seen(bench) == 0)        # by itself


def test_the_switch_is_an_action_and_a_check_box(bench):
    bench.context.markers.points(cloud(bench), size=8, rgba=PURE)
    bench.wait(lambda: seen(bench) > 100)
    action, box = bench.actions["flag_markers"], bench.panel("visual").flags["markers"]
    assert action.isChecked() and box.isChecked() and bench.actions["flag_ghosts"].isChecked()
    action.trigger()
    bench.wait(lambda: seen(bench) == 0)
    assert not box.isChecked()
    box.click()
    bench.wait(lambda: seen(bench) > 100)
    assert action.isChecked()


def test_a_text_is_painted_in_the_view(bench):
    before = len(bench.viewport._overlay.labels.places)
    bench.context.markers.text(bench.context.model.stat_center, "the pivot")
    bench.wait(lambda: [place.text for place in bench.viewport._overlay.labels.places] == ["the pivot"])
    bench.context.markers.clear()
    bench.wait(lambda: len(bench.viewport._overlay.labels.places) == before == 0)


def test_ghosts_are_drawn_when_they_are_set(bench):
    m, snapshot = bench.context.model, bench.snapshot
    off = np.where((m.body_weldid[m.geom_bodyid] != 0)[:, None], (0.3 * m.stat_extent, 0, 0.3 * m.stat_extent), 0)
    bench.context.ghosts = (Ghost(m, snapshot.geom_xpos + off, snapshot.geom_xmat, PURE, 1.0, "tuned"),)
    bench.wait(lambda: bench.viewport.picture.state.ghosts == bench.context.ghosts)
    assert "tuned" in bench.viewport.picture.scene.labels.text
    bench.context.ghosts = ()
    bench.wait(lambda: bench.viewport.picture.state.ghosts == () and "tuned" not in bench.viewport.picture.scene.labels.text)


def test_pictures_and_films_have_them(bench, tmp_path):
    film, markers, m = bench.application.film, bench.context.markers, bench.context.model
    markers.points(cloud(bench), size=8, rgba=PURE)
    assert film.write_picture(tmp_path / "still.png", (160, 120))
    bench.context.ghosts = (Ghost(m, bench.snapshot.geom_xpos, bench.snapshot.geom_xmat),)
    assert film.start(FilmPlan(tmp_path / "f" / "f_%03d.png", (160, 120), Fraction(20), 1.0, limit=0.2))
    bench.runner.send(commands.Run())
    bench.wait(lambda: film.recording is None)
    files = sorted((tmp_path / "f").iterdir())
    assert len(files) == 4
    for path in (tmp_path / "still.png", *files):
        rgb = np.asarray(Image.open(path)).astype(int)
        assert ((rgb[..., 0] > 200) & (rgb[..., 1] < 60) & (rgb[..., 2] > 200)).sum() > 200


def test_another_file_begins_without_them_and_an_edit_of_the_same_keeps_them(bench, tmp_path):
    bench.context.markers.points(cloud(bench), size=8, rgba=PURE)
    model = bench.context.model
    (tmp_path / "pendulum.xml").write_text(PENDULUM.replace("0 0 1 1", "0 1 1 1"))
    bench.session.reload()
    bench.wait(lambda: bench.context.model is not model)
    bench.wait(lambda: seen(bench) > 100)
    (tmp_path / "other.xml").write_text(PENDULUM)
    before = bench.context.model
    bench.session.open(tmp_path / "other.xml")
    bench.wait(lambda: bench.context.model is not before and seen(bench) == 0)
    bench.context.markers.points(cloud(bench), size=8, rgba=PURE)
    bench.wait(lambda: seen(bench) > 100)
    bench.actions["clear_markers"].trigger()
    bench.wait(lambda: seen(bench) == 0)

"""The frame benchmark's honesty, not the machine's speed."""
from pathlib import Path

import numpy as np
import pytest

from benchmarks import frames
from benchmarks.frame_scenes import POSES, SceneOf, poses, primitives_xml

SMALL = SceneOf("50 primitives", primitives=50)


@pytest.fixture(scope="module")
def sides():
    both = {name: frames.Painter(name) for name in ("official", "ours")}
    yield both
    for side in both.values():
        side.close()


@pytest.fixture(autouse=True)
def small_pictures(monkeypatch):
    monkeypatch.setattr(frames, "SIZE", (160, 120))
    monkeypatch.setattr(frames, "TURN_MS", 1.0)


def test_a_row_has_both_sides_and_their_ratio(sides, tmp_path):
    row = frames.row_of(SMALL, True, sides, tmp_path, 2)
    assert row["why"] == "" and row["name"] == "50 primitives full" and "2048" in row["settings"]
    assert row["ours_ms"] > 0 and row["official_ms"] > 0 and row["speedup"] > 0
    assert 0 < row["difference"] < frames.LARGEST_DIFFERENCE
    assert "llvmpipe" not in row["driver"] or row["clock"] == "cpu_ms"


def test_rows_whose_pictures_differ_are_void(sides, tmp_path, monkeypatch):
    monkeypatch.setattr(frames, "LARGEST_DIFFERENCE", 0.001)
    row = frames.row_of(SMALL, False, sides, tmp_path, 1)
    assert row["speedup"] is None and row["why"].startswith("pictures differ")
    assert "void" in frames.text_of(row)


def test_what_goes_wrong_there_is_reported_here(sides, tmp_path, monkeypatch):
    monkeypatch.setattr(frames, "prepare", lambda scene, folder: (Path("missing.xml"), np.zeros((1, 1))))
    row = frames.row_of(SMALL, False, sides, tmp_path, 1)
    assert row["speedup"] is None and "missing.xml" in row["why"]


def test_no_two_poses_are_equal():
    import mujoco
    found = poses(mujoco.MjModel.from_xml_string(primitives_xml(100)), False)
    assert found.shape == (POSES, 10)
    assert all((found[a] != found[b]).any() for a in range(POSES) for b in range(a))

"""The process that takes a mesh apart, with a made package of the same name in place of coacd: arguments, progress, the end by request, failures in words."""
import sys
import threading
import time

import numpy as np
import pytest

from editor.convex.decompose import Coacd, ConvexError, ConvexSettings, missing_text, progress_text

VERT = np.array([(0.0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
FACE = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
MADE = """
import os, time
class Mesh:
    def __init__(self, vertices, indices):
        self.vertices, self.indices = vertices, indices
def run_coacd(mesh, **options):
    print("[2026-01-01 10:00:00.000] [CoACD] [info] iter 0 ---- waiting pool: 3", flush=True)
    {body}
    return [[mesh.vertices + k, mesh.indices] for k in range(options.get("max_convex_hull", 3))]
"""


@pytest.fixture
def made(tmp_path, monkeypatch):
    """made(body): a package coacd of which run_coacd does this, too."""
    def write(body: str = "pass") -> None:
        (tmp_path / "coacd.py").write_text(MADE.replace("{body}", body))
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return write


def test_parts_and_progress(made):
    made("assert options == {'threshold': 0.1, 'max_convex_hull': 2, 'decimate': True, 'max_ch_vertex': 16}, options")
    said = []
    parts = Coacd()(VERT, FACE, ConvexSettings(0.1, 2, 16), said.append)
    assert len(parts) == 2 and np.array_equal(parts[1][0], VERT + 1) and np.array_equal(parts[0][1], FACE)
    assert progress_text("- Merge Convex Hulls") == "Merge Convex Hulls..." and not progress_text("threshold  0.1") and not progress_text("- Config")
    assert said == ["Round 1: 3 pieces are too concave"] == [progress_text("iter 0 ---- waiting pool: 3")]


def test_it_ends_when_nobody_wants_it(made, tmp_path):
    made(f"open(r'{tmp_path / 'began'}', 'w').close(); time.sleep(600)")
    stop, failed = threading.Event(), []

    def work() -> None:
        try:
            Coacd()(VERT, FACE, ConvexSettings(), stopping=stop.is_set)
        except ConvexError as reason:
            failed.append(str(reason))

    thread = threading.Thread(target=work)
    thread.start()
    while not (tmp_path / "began").exists():
        assert thread.is_alive()
        time.sleep(0.02)
    stop.set()
    thread.join(60)
    assert not thread.is_alive() and failed == ["given up"]


@pytest.mark.parametrize("body, words", [("raise RuntimeError('the mesh is empty')", "the mesh is empty"), ("os._exit(7)", "exit status 7"), ("return []", "no parts")])
def test_failures_are_told(made, body, words):
    made(body)
    with pytest.raises(ConvexError, match=words):
        Coacd()(VERT, FACE, ConvexSettings())


def test_without_the_package(monkeypatch, tmp_path):
    (tmp_path / "coacd.py").write_text("raise ImportError('there is none')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(ConvexError, match="pip install coacd"):
        Coacd()(VERT, FACE, ConvexSettings())
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert Coacd().why_not() == missing_text() and "pip install coacd" in missing_text() and sys.executable in missing_text()
    with pytest.raises(ConvexError, match="cannot be begun"):
        Coacd(str(tmp_path / "no-python"))(VERT, FACE, ConvexSettings())

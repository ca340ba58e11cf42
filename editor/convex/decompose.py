"""A mesh of the document taken apart into convex parts: its vertices as the compiler has them, and coacd in a process that can be ended.

    mesh_geometry(version, number) -> (vert, face) --Coacd()(vert, face, settings)--> [(vert, face), ...]

Source: Wei et al. 2022, "Approximate convex decomposition for 3D meshes with collision-aware concavity and tree search", and the readme of its package coacd.
"""
from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from editor.convex.coacd_worker import MISSING, PACKAGE
from editor.edits.version import Version
from editor.live_compile import Request, compile_text
from physics.rotation.quaternion_arrays import rotate

__all__ = ["Coacd", "ConvexError", "ConvexSettings", "Decomposer", "Part", "mesh_geometry"]

Part = tuple[np.ndarray, np.ndarray]        # vertices (n, 3) [m] and triangles (k, 3), numbers of vertices
LOOK_S = 0.05       # from one look at the process to the next
LAST_LINES = 5      # of what it says are kept
_FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)     # on Windows
_LOGGED = re.compile(r"^(?:\[[^\]]*\]\s*)+")        # date, name and level before what coacd says
_POOL = re.compile(r"iter (\d+).*?pool: (\d+)")
_SHARE = re.compile(r"Processing \[([\d.]+)%\]")
_STAGE = re.compile(r"- ([A-Z].*)")
INSTALL = f"pip install {PACKAGE}"


class ConvexError(ValueError):
    """A mesh cannot be taken apart; the text says why."""


@dataclass(frozen=True, slots=True)
class ConvexSettings:
    """threshold: of the concavity that a part may have, 0.01 to 1 of a mesh as large as a unit cube; parts: how many at the most, 0 for as many as it takes; vertices: of a part at the
    most, 0 for as many as it has."""

    threshold: float = 0.05
    parts: int = 0
    vertices: int = 0

    def options(self) -> dict[str, object]:
        """Arguments of coacd.run_coacd."""
        found: dict[str, object] = {"threshold": self.threshold}
        if self.parts:
            found["max_convex_hull"] = self.parts
        if self.vertices:
            found |= {"decimate": True, "max_ch_vertex": self.vertices}
        return found


class Decomposer(Protocol):
    """What takes a mesh apart."""

    def why_not(self) -> str:
        """Why it cannot work here, '' where it can."""

    def __call__(self, vert: np.ndarray, face: np.ndarray, settings: ConvexSettings, tell: Callable[[str], object], stopping: Callable[[], bool]) -> list[Part]:
        """The parts. For a thread that may wait; tell(text): how far it is; stopping(): whether nobody wants them any more. Raises ConvexError."""


class Coacd:
    """coacd in a process of its own, which is ended when nobody wants its parts any more. python: the interpreter that has the package."""

    def __init__(self, python: str = sys.executable):
        self._python = python

    def why_not(self) -> str:
        """Why it cannot work: the package is not there."""
        try:
            there = importlib.util.find_spec(PACKAGE) is not None
        except (ImportError, ValueError):
            there = False
        return "" if there or self._python != sys.executable else missing_text()

    def __call__(self, vert: np.ndarray, face: np.ndarray, settings: ConvexSettings, tell: Callable[[str], object] = lambda text: None,
                 stopping: Callable[[], bool] = lambda: False) -> list[Part]:
        with tempfile.TemporaryDirectory(prefix="linkwork-convex-") as folder:
            np.savez(Path(folder) / "mesh.npz", vert=np.asarray(vert, np.float64), face=np.asarray(face, np.int32))
            status, said = self._run(folder, json.dumps(settings.options()), tell, stopping)
            if stopping():
                raise ConvexError("given up")
            if status == MISSING:
                raise ConvexError(missing_text())
            place = Path(folder) / "parts.npz"
            if status or not place.is_file():
                raise ConvexError(f"{PACKAGE} ended without a result (exit status {status})" + (f": {said[-1]}" if said else ""))
            with np.load(place) as found:
                parts = [(found[f"vert_{k}"], found[f"face_{k}"]) for k in range(len(found.files) // 2)]
        if not parts:
            raise ConvexError(f"{PACKAGE} found no parts")
        return parts

    def _run(self, folder: str, options: str, tell: Callable[[str], object], stopping: Callable[[], bool]) -> tuple[int, list[str]]:
        """(exit status, the last lines that it said)."""
        env = dict(os.environ, PYTHONPATH=os.pathsep.join((str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH", "")]))))
        try:
            process = subprocess.Popen([self._python, "-u", "-m", "editor.convex.coacd_worker", folder, options], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True, errors="replace", creationflags=_FLAGS)
        except OSError as reason:
            raise ConvexError(f"The process for it cannot be begun: {reason}") from None
        said: deque[str] = deque(maxlen=LAST_LINES)
        reading = threading.Thread(target=_read, args=(process.stdout, said, tell), name="coacd says", daemon=True)
        reading.start()
        while process.poll() is None:
            if stopping():
                process.kill()
            try:
                process.wait(LOOK_S)
            except subprocess.TimeoutExpired:
                continue
        reading.join()
        process.stdout.close()
        return process.returncode, list(said)


def _read(lines, said: deque, tell: Callable[[str], object]) -> None:
    for line in lines:
        text = _LOGGED.sub("", line.strip())
        if text:
            said.append(text)
            if words := progress_text(text):
                tell(words)


def progress_text(said: str) -> str:
    """What coacd says of its progress, for people; '' for what it says of other things."""
    if (found := _POOL.search(said)) is not None:
        return f"Round {int(found[1]) + 1}: {found[2]} pieces are too concave"
    if (found := _SHARE.search(said)) is not None:
        return f"{float(found[1]):.0f} % of this round"
    stage = _STAGE.fullmatch(said)
    return f"{stage[1]}..." if stage is not None and stage[1] != "Config" else ""


def missing_text() -> str:
    """How to have the package that does it."""
    return f"Taking meshes apart into convex parts needs the package {PACKAGE}, which is not installed:\n\n{INSTALL}\n\nfor this Python: {sys.executable} -m {INSTALL}"


def mesh_geometry(version: Version, number: int, compat: str = "4.0", between: Callable[[], None] = lambda: None) -> Part:
    """Vertices [m] and triangles of a mesh asset in the frame that a geom with it has in the text: scaled, and moved by refpos and refquat. Raises ConvexError where the texts, or
    the mesh, cannot be compiled."""
    others = {key: text for key, text in version.texts.items() if key != version.main}
    result = compile_text(Request(version.texts[version.main], version.main, version.base_dir, others, compat, ids=version.ids, read=version.read), between)
    element = version.element(number)
    if element is None:
        raise ConvexError("The mesh is no longer there")
    m = result.model
    wrong = [issue for issue in result.issues if issue.severity in ("error", "view", "warning") and (m is None or (issue.place.file, issue.place.line) == element.origin[:2])]
    if m is None or any(issue.severity != "warning" for issue in wrong):
        raise ConvexError(f"The {'model' if m is None else 'mesh'} cannot be compiled: {wrong[0].what if wrong else ''}")
    found = next((i for kind, i in m.links.items(number) if kind == "mesh"), None)
    if found is None:
        raise ConvexError("The compiled model does not have the mesh: no geom that it keeps uses it")
    vert, face = (_rows(m, found, kind) for kind in ("vert", "face"))
    return rotate(np.asarray(m.mesh_quat[found]), np.asarray(vert, np.float64)) + np.asarray(m.mesh_pos[found]), np.array(face, np.int32)


def _rows(m, mesh: int, kind: str) -> Sequence:
    """Rows of a mesh in mesh_vert or mesh_face."""
    first, count = int(getattr(m, f"mesh_{kind}adr")[mesh]), int(getattr(m, f"mesh_{kind}num")[mesh])
    return np.reshape(getattr(m, f"mesh_{kind}"), (-1, 3))[first:first + count]

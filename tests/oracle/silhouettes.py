"""Agreement of outlines with the official picture: `python -m tests.oracle.silhouettes [--models DIR] [--only NAME ...] [--old PYTHON] [--json FILE]`.

docs/agreement.md ('Silhouettes') defines the figures: at the start state, through the free camera a model opens with, 1280 x 960 without multisampling and
levels of detail, the overlap (intersection over union) of every object's pixels with the official ones; `iou` is their mean weighted by area over the
objects of more than 400 pixels that are no planes, `min` the smallest, `n` their number. The official picture comes from a process of its own.

Where surfaces coincide, rounding decides which of them shows, and a picture changes when its camera turns by a ten-thousandth of a degree. `steady` is
the same figure over the pixels that stay as they are then (TURNS) in both pictures, `ties` the share of the objects' pixels that do not: a model that
falls short and is steady differs by the tie rule of coincident surfaces alone and is listed apart; one that is not steady is an error.

Models that only MuJoCo 2.3.7 opens are compared if --old names an interpreter that has it (see recorded.py), through its camera: the extent that
the camera's distance follows is another since then. Refused models are listed with null and why.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

import physics
from app.bridge import VisOptions, build_scene
from app.bridge.model_visuals import ModelVisuals
from app.bridge.view import free_camera, view_of
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import shapes
from render.scene.camera import FREE, CameraState
from render.scene.snapshot import Scene
from tests.oracle.corpus import Entry, corpus_dir, read_manifest
from tests.oracle.opening import opened

WIDTH, HEIGHT, LARGE = 1280, 960, 400
LIMIT = 0.99
TURNS = (1e-4, -1e-4, 3e-4, -3e-4)      # of the official camera about the vertical [degree]; a pixel is 0.05
NEWEST = "4.0.0"
TYPES = {"body": shapes.OBJ_BODY, "joint": shapes.OBJ_JOINT, "geom": shapes.OBJ_GEOM, "site": shapes.OBJ_SITE, "camera": shapes.OBJ_CAMERA,
         "light": shapes.OBJ_LIGHT, "skin": shapes.OBJ_SKIN, "tendon": shapes.OBJ_TENDON, "actuator": shapes.OBJ_ACTUATOR}
OTHER_TYPE = 1000   # added to the official number of a type that we do not draw


def official(entries: list[Entry], folder: Path, python: str) -> None:
    """Leave the official segments of these models in the folder (segments.py)."""
    jobs = folder / "jobs.json"
    models = [{"name": e.name, "path": str(e.path.resolve()), "key0": e.starts_at_key} for e in entries]
    jobs.write_text(json.dumps({"width": WIDTH, "height": HEIGHT, "turns": TURNS, "models": models}))
    program = Path(__file__).with_name("segments.py")
    subprocess.run([python, str(program), str(jobs), str(folder)], check=True, env={**os.environ, "MUJOCO_GL": "egl"}, stdout=subprocess.DEVNULL)


def read_official(path: Path) -> tuple[np.ndarray, np.ndarray, CameraState]:
    """(height, width, 2) id and type, types numbered as ours; (height, width) whether they are steady; the camera."""
    with np.load(path) as data:
        found, steady, names, camera = data["segments"], data["steady"], data["types"], data["camera"]
    number = np.array([TYPES.get(str(name), OTHER_TYPE + k) for k, name in enumerate(names)] + [-1])
    return np.stack([found[..., 0], number[found[..., 1]]], 2), steady, CameraState(FREE, tuple(camera[:3]), *map(float, camera[3:]))


def ours(entry: Entry, offscreen: Offscreen, camera: CameraState) -> tuple[np.ndarray, np.ndarray, set, str]:
    """(segments, whether they are steady, (id, type) of planes, why the model is refused or ''). Raises physics.ModelError where it cannot be opened."""
    m, snapshot = opened(entry.path, entry.starts_at_key)
    scene = build_scene(ModelVisuals(m), snapshot, VisOptions(), Scene())
    planes = {(i, shapes.OBJ_GEOM) for i in range(m.ngeom) if m.geom_type[i] == shapes.PLANE}
    if entry.oracle == NEWEST:
        camera = free_camera(m)
    found = offscreen.segmentation(scene, view_of(m, snapshot, camera))
    steady = np.ones(found.shape[:2], bool)
    for turn in TURNS:
        turned = replace(camera, azimuth=camera.azimuth + turn)
        steady &= (offscreen.segmentation(scene, view_of(m, snapshot, turned)) == found).all(2)
    return found, steady, planes, "; ".join(str(issue) for issue in m.view_only[:2])


def overlaps(mine: np.ndarray, theirs: np.ndarray, skip: set) -> dict:
    """{(id, type): (iou, area)} of every object that is larger than LARGE in either picture; area of the larger one [pixel]."""
    one, two = (_key(picture) for picture in (mine, theirs))
    found = {}
    for key in np.union1d(np.unique(one), np.unique(two)):
        if key < 0:
            continue
        a, b = one == key, two == key
        area, name = int(max(a.sum(), b.sum())), (int(key) >> 16, int(key) & 0xffff)
        if area > LARGE and name not in skip:
            found[name] = float((a & b).sum() / (a | b).sum()), area
    return found


def _key(picture: np.ndarray) -> np.ndarray:
    return np.where(picture[..., 0] < 0, -1, (picture[..., 0].astype(np.int64) << 16) + picture[..., 1])


def row(name: str, found: dict | None = None, why: str = "") -> dict:
    """One row of the JSON; found as `overlaps` gives it."""
    if not found:
        return {"name": name, "iou": None, "min": None, "n": 0, "why": why}
    value, area = np.array(list(found.values())).T
    worst = min(found, key=lambda k: found[k][0])
    return {"name": name, "iou": float((value * area).sum() / area.sum()), "min": float(value.min()), "n": len(found), "why": why, "worst": worst}


def judge(entry: Entry, folder: Path, offscreen: Offscreen) -> dict:
    """The row of one model whose official segments are in the folder."""
    picture, problem = folder / f"{entry.name}.npz", folder / f"{entry.name}.txt"
    if not picture.exists():
        return row(entry.name, why=problem.read_text() if problem.exists() else f"needs an interpreter with MuJoCo {entry.oracle}: --old")
    theirs, steady, camera = read_official(picture)
    try:
        mine, our_steady, planes, refused = ours(entry, offscreen, camera)
    except physics.ModelError as error:
        return row(entry.name, why=f"refused: {error.issues[0]}")
    found = overlaps(mine, theirs, planes)
    if refused:
        return row(entry.name, why=f"refused: {refused}") | {"viewed": row(entry.name, found)["iou"]}   # it is drawn all the same
    judged = row(entry.name, found, "" if found else f"no object above {LARGE} pixels")
    if found:
        steady &= our_steady
        objects = (mine[..., 0] >= 0) | (theirs[..., 0] >= 0)
        judged["ties"] = float((objects & ~steady).sum() / objects.sum())
        mine[~steady] = theirs[~steady] = -1
        judged["steady"] = row(entry.name, overlaps(mine, theirs, planes))["iou"]
    return judged


def report(entries: list[Entry], old: str | None, tell=print) -> list[dict]:
    """Rows of all models, told one by one."""
    physics.ensure_kernels()
    with tempfile.TemporaryDirectory() as name, Offscreen(WIDTH, HEIGHT, QUALITIES["classic"]) as offscreen:
        folder = Path(name)
        official([e for e in entries if e.oracle == NEWEST], folder, sys.executable)
        if old:
            official([e for e in entries if e.oracle != NEWEST], folder, old)
        rows = []
        for entry in entries:
            rows.append(judge(entry, folder, offscreen))
            tell(line(rows[-1]))
    return rows


def line(found: dict) -> str:
    """A row as text."""
    if found["iou"] is None:
        viewed = f"{found['viewed']:.5f} as viewed" if found.get("viewed") is not None else ""
        return f"{found['name']:40} -       {viewed:28} {found['why'][:120]}"
    steady = f"  where steady {found['steady']:.5f}, ties {found['ties']:.3%}" if found["iou"] < LIMIT and found["steady"] is not None else ""
    return f"{found['name']:40} {found['iou']:.5f}  min {found['min']:.4f} {str(found['worst']):>10}  n {found['n']}{steady}"


def short_of(judged: list[dict]) -> tuple[list[str], list[str]]:
    """Names of the models below the limit: (where steady pixels keep to it, the others)."""
    below = [r for r in judged if r["iou"] < LIMIT]
    by_ties = [r["name"] for r in below if (r["steady"] or 0.0) >= LIMIT]
    return by_ties, [r["name"] for r in below if r["name"] not in by_ties]


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 if a model falls short."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.silhouettes")
    parser.add_argument("--models", type=Path, default=None, help="folder with a manifest.json (default: the open corpus)")
    parser.add_argument("--only", nargs="+", default=None, help="names of models")
    parser.add_argument("--old", default=None, help="interpreter that has mujoco 2.3.7")
    parser.add_argument("--json", type=Path, default=None)
    chosen = parser.parse_args(arguments)
    entries = [e for e in read_manifest(chosen.models or corpus_dir()) if not chosen.only or e.name in chosen.only]
    rows = report(entries, chosen.old)
    judged = [r for r in rows if r["iou"] is not None]
    ties, short = short_of(judged)
    print(f"{len(judged)} of {len(rows)} models judged, {len(short)} below {LIMIT}{': ' if short else ''}{', '.join(short)}; "
          f"{len(ties)} by ties of coincident surfaces alone{': ' if ties else ''}{', '.join(ties)}")
    if chosen.json:
        chosen.json.write_text(json.dumps({"models": rows}, indent=1))
    return int(bool(short))


if __name__ == "__main__":
    sys.exit(main())

"""What does everything that is drawn answer? `python -m tests.oracle.answers [PATH ...]`.

Every model with all visualization flags and all switches of forces and motion, each kind of frame and label: each drawn row and each label must
say what it is: a type that has a name, an id that the model has, a body or none; each mark of forces and motion the row of the legend it is drawn to.
PATH: model files or folders of them; without any the models of the corpus.
"""
import argparse
import sys
import warnings
from pathlib import Path

import numpy as np

import physics
from app.bridge import Selection, ViewState, VisOptions, build_scene
from app.bridge.describe import KINDS, described, labelled
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import FRAMES, GROUPS, LABELS, NGROUP
from render.scene import identity, shapes
from render.scene.snapshot import Scene
from tests.oracle.corpus import corpus_dir, read_manifest
from tests.oracle.opening import opened

STEADY = ("convex_hull", "island", "texture", "static_body")    # of the flags: these change colours and shapes, or hide
SHOWN = 3


def everything(frame: str, label: str) -> VisOptions:
    """Options with all that can be drawn."""
    options = VisOptions(frame=frame, label=label, bvh_depth=2)
    for name in set(options.flags) - set(STEADY):
        options.flags[name] = True
    for name in options.quantities:
        options.quantities[name] = True
    for kind in GROUPS:
        options.group(kind)[:] = [True] * NGROUP
    return options


def _count(m, snapshot, objtype: int) -> int:
    """How many things of a type there are."""
    if objtype == shapes.OBJ_CONTACT:
        return snapshot.ncon
    return m.nbody if objtype == shapes.OBJ_PERTURB else len(m.names[KINDS[objtype]]) if objtype in KINDS else 0


def wrong(m, snapshot, things) -> list[str]:
    """Things (type, id, body) that do not say what they are."""
    return [f"type {objtype}, id {objid}, body {bodyid}" for objtype, objid, bodyid in things
            if not (0 <= objid < _count(m, snapshot, objtype) and -1 <= bodyid < m.nbody and described(m, snapshot, objtype, objid, bodyid))]


def judge(m, snapshot) -> tuple[int, list[str]]:
    """Number of rows and labels of all scenes of a moment, and what is wrong with them."""
    rows, found = 0, []
    if m.nbody > 1:
        snapshot.xfrc_applied[m.nbody - 1] = 1, 2, 3, .1, .2, .3
        snapshot.perturb.bodyid, snapshot.perturb.active, snapshot.perturb.force[:] = m.nbody - 1, 3, 1.0
    for frame, label in [(frame, "None") for frame in FRAMES] + [("None", label) for label in LABELS[1:]]:
        scene = build_scene(ModelVisuals(m), snapshot, everything(frame, label), Scene(), ViewState(Selection(min(1, m.nbody - 1))))
        told = identity.table(scene)
        things = {tuple(map(int, row)) for row in told} | {labelled(m, key) for key in scene.labels.key}
        rows += len(told) + len(scene.labels.key)
        found += [f"{text} (frame {frame}, label {label})" for text in wrong(m, snapshot, things)]
        first, legend = identity.first_line(scene), identity.legend_rows(scene)
        found += [f"marks of {switch} without a row in the legend" for switch, geoms, lines in scene.origins
                  if (legend[np.r_[slice(*geoms), slice(first + lines[0], first + lines[1])]] < 0).any()]
    return rows, found


def main() -> int:
    """Judge and print; 1 where anything does not answer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path)
    paths = parser.parse_args().paths
    warnings.simplefilter("ignore")
    physics.ensure_kernels()
    files = [file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*.xml")))] or [e.path for e in read_manifest(corpus_dir())]
    models = rows = bad = 0
    for path in files:
        try:
            m, snapshot = opened(path, False)
        except physics.ModelError as error:
            print(f"{path}: left out: {str(error).splitlines()[0]}")
            continue
        count, found = judge(m, snapshot)
        models, rows, bad = models + 1, rows + count, bad + len(found)
        for text in found[:SHOWN]:
            print(f"{path}: {text}")
    print(f"{models} models, {rows} drawn rows and labels, {bad} do not answer")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())

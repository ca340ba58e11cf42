"""Names beside things. Each layer asks here to label what it has drawn, if its kind is the one to be labelled."""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view_state import ViewState
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene.snapshot import Scene


def name_of(m: Model, kind: str, index: int) -> str:
    """The element's name, or its kind and number."""
    return m.name(kind, index) or f"{kind} {index}"


def add_names(m: Model, kind: str, ids: Iterable[int], positions, out: Scene) -> None:
    """Label these elements at these positions (n, 3)."""
    for index, pos in zip(ids, positions, strict=True):
        out.labels.put(tuple(pos), name_of(m, kind, int(index)), key=(kind, int(index)))


def add_body_labels(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Names of all bodies, or of the selected one; where inertia shapes are drawn they carry the names."""
    m = visuals.model
    if options.flags["inertia"] or options.label not in ("Body", "Selection"):
        return
    wanted = np.arange(m.nbody) == state.selection.bodyid if options.label == "Selection" else np.ones(m.nbody, bool)
    if not options.flags["static_body"]:
        wanted &= m.body_weldid != 0
    ids = np.flatnonzero(wanted[1:]) + 1
    add_names(m, "body", ids, snapshot.xpos[ids], out)

"""The process that takes a mesh apart: reads vertices and triangles, lets coacd do its work, writes the parts.

    python -m editor.convex.coacd_worker FOLDER '{"threshold": 0.05}'       FOLDER/mesh.npz (vert, face) -> FOLDER/parts.npz (vert_0, face_0, vert_1, ...)

What coacd says of its progress goes to the standard output. Exit status 3: coacd cannot be imported.
"""
from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path

import numpy as np

__all__ = ["MISSING", "PACKAGE", "main"]

PACKAGE = "coacd"
MISSING = 3


def main(folder: str, options: str) -> int:
    """Do it; the exit status."""
    if hasattr(os, "nice"):
        os.nice(10)     # a window is in front
    try:
        coacd = importlib.import_module(PACKAGE)
    except ImportError as reason:
        print(reason, flush=True)
        return MISSING
    with np.load(Path(folder) / "mesh.npz") as mesh:
        vert, face = mesh["vert"], mesh["face"]
    parts = coacd.run_coacd(coacd.Mesh(vert, face), **json.loads(options))
    arrays = {}
    for k, (part_vert, part_face) in enumerate(parts):
        arrays |= {f"vert_{k}": np.asarray(part_vert, np.float64), f"face_{k}": np.asarray(part_face, np.int32)}
    np.savez(Path(folder) / "parts.npz", **arrays)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))

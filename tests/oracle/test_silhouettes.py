"""Outlines against the official picture: the measure itself, and a few models of the corpus; all of them by `python -m tests.oracle.silhouettes`."""
from pathlib import Path

import numpy as np
import pytest

from render.scene.shapes import OBJ_GEOM, OBJ_SKIN
from tests.oracle import silhouettes
from tests.oracle.corpus import CONTROL, REPOSITORY, Entry, read_manifest, require_corpus

FEW = ("dmc_rodent", "legacy_softbox_expanded", "derived_car_hfield", "robotiq_2f85", "google_barkour_vb_hfield")


def picture(*boxes):
    """Segments with rectangles (id, type, rows, columns)."""
    out = np.full((100, 100, 2), -1)
    for number, kind, rows, columns in boxes:
        out[rows, columns] = number, kind
    return out


def test_overlap_of_objects_that_are_large_enough():
    mine = picture((3, OBJ_GEOM, slice(0, 30), slice(0, 30)), (0, OBJ_SKIN, slice(50, 80), slice(0, 30)), (9, OBJ_GEOM, slice(90, 99), slice(0, 9)))
    theirs = picture((3, OBJ_GEOM, slice(0, 30), slice(10, 40)), (0, OBJ_SKIN, slice(50, 80), slice(0, 30)), (4, OBJ_GEOM, slice(0, 40), slice(60, 90)))
    found = silhouettes.overlaps(mine, theirs, set())
    assert found == {(3, OBJ_GEOM): (0.5, 900), (0, OBJ_SKIN): (1.0, 900), (4, OBJ_GEOM): (0.0, 1200)}
    assert silhouettes.overlaps(mine, theirs, {(3, OBJ_GEOM)}).keys() == {(0, OBJ_SKIN), (4, OBJ_GEOM)}
    row = silhouettes.row("x", found)
    assert row["iou"] == pytest.approx((0.5 * 900 + 900) / 3000) and row["min"] == 0 and row["n"] == 3 and row["worst"] == (4, OBJ_GEOM)
    assert silhouettes.row("x", {}, "why")["iou"] is None


OURS = ("tests/models/tail.xml", "tests/models/hand.xml", "tests/models/terrain.xml", "models/heap.xml")


def test_outlines_of_models_of_ours_are_the_official_ones():
    rows = silhouettes.report([Entry(Path(path).stem, REPOSITORY / path, silhouettes.NEWEST, "default", CONTROL, {}, 0) for path in OURS], None, lambda text: None)
    assert len(rows) == len(OURS)
    for row in rows:
        assert row["iou"] is not None and row["iou"] > silhouettes.LIMIT and row["min"] > 0.98, row


def test_outlines_are_the_official_ones():
    entries = [e for e in read_manifest(require_corpus()) if e.name in FEW]
    rows = silhouettes.report(entries, None, lambda text: None)
    assert len(rows) == len(FEW)
    for row in rows:
        assert row["iou"] is not None and row["iou"] > silhouettes.LIMIT and row["min"] > 0.98, row


def test_where_surfaces_coincide_only_steady_pixels_count(tmp_path):
    """Four boxes in a ring, their tops in one plane: rounding says whose corners the official picture shows."""
    boxes = ''.join(f'<geom type="box" size="{size}" pos="{pos}"/>' for size, pos in (
        (".0105 .04375 .01", "-.03325 0 0"), (".03125 .0105 .01", "0 .03325 0"), (".03125 .0105 .01", "0 -.03325 0"), (".0105 .04375 .01", ".03325 0 0")))
    path = tmp_path / "ring.xml"
    path.write_text(f"<mujoco><worldbody><body><body>{boxes}</body></body></worldbody></mujoco>")
    row, = silhouettes.report([Entry("ring", path, silhouettes.NEWEST, "default", {}, {}, 0)], None, lambda text: None)
    assert row["n"] == 4 and row["steady"] > silhouettes.LIMIT and row["steady"] >= row["iou"]


def test_ties_of_coincident_surfaces_are_no_errors():
    rows = [{"name": "tie", "iou": 0.9, "steady": 0.999}, {"name": "wrong", "iou": 0.9, "steady": 0.95}, {"name": "good", "iou": 0.999, "steady": 1.0},
            {"name": "all ties", "iou": 0.9, "steady": None}]
    assert silhouettes.short_of(rows) == (["tie"], ["wrong", "all ties"])

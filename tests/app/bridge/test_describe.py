"""Every label of every mode tells what it stands at: its key is type and number of something of the model."""
from pathlib import Path

import pytest

import physics
from app.bridge import Selection, ViewState, VisOptions, build_scene
from app.bridge.describe import TYPES, described, explained, labelled, quantity_text
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import LABELS, QUANTITY_SCALES
from physics.runtime.snapshot import Snapshot
from render.scene.legend import LegendRow
from render.scene.snapshot import Scene

MECHANISM = Path(__file__).parents[2] / "goldens" / "models" / "mechanism.xml"
NONE_THERE = {"None", "Flex", "Skin"}       # in this model
KIND = {"Constraint": "equality", "ContactForce": "contact", "Contact": "contact", "Selection": "body", "SelPoint": "body", "Island": "body"}


@pytest.fixture(scope="module")
def moment():
    physics.ensure_kernels()
    m = physics.load(MECHANISM)
    d = physics.Data(m)
    physics.step(m, d, 100)
    physics.forward(m, d)
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    return m, snapshot


@pytest.mark.parametrize("label", LABELS)
def test_labels_of_every_mode_say_what_they_stand_at(moment, label):
    m, snapshot = moment
    options = VisOptions(label=label)
    for name in ("joint", "camera", "actuator", "light", "equality", "contact_point", "contact_force", "select_point"):
        options[name] = True
    labels = build_scene(ModelVisuals(m), snapshot, options, Scene(), ViewState(Selection(1))).labels
    assert bool(labels.key) == (label not in NONE_THERE)
    for key in labels.key:
        objtype, objid, bodyid = labelled(m, key)
        assert objtype == TYPES[KIND.get(label, label.lower())] and objid == key[1] and bodyid < m.nbody
        lines = described(m, snapshot, objtype, objid, bodyid)
        assert lines and lines[0].startswith(f"{key[0]} {objid}")
        assert len(lines) > 1 or key[0] in ("body", "tendon", "actuator", "equality")


def test_strange_keys_say_nothing(moment):
    m, _ = moment
    assert labelled(m, "text") == labelled(m, ("shoe", 3)) == labelled(m, ()) == (0, -1, -1) and labelled(m, ("geom", 10**6))[2] == -1


def test_rows_of_the_legend_in_words(moment):
    m, _ = moment
    row = LegendRow("Force inside it", (0, 1, 0, 1), "10 cm = 50 N", "friction_cone")
    assert quantity_text(m, row) == "Force inside it: 10 cm = 50 N" and quantity_text(m, LegendRow("geom", (1, 1, 1, 1))) == "geom" and quantity_text(m, None) == ""
    force, tension = (QUANTITY_SCALES.index(kind) for kind in ("force", "tension"))
    assert quantity_text(m, row, 12.345, force) == "Force inside it: 12.3 N (10 cm = 50 N)" and quantity_text(m, None, -0.02, tension) == "tension: -0.02 N"
    assert explained(row, 1)[:2] == ["legend 1 Force inside it", "10 cm = 50 N"] and explained(row, 1)[2].startswith("Friction Cone: how far")
    assert explained(LegendRow("geom", (1, 1, 1, 1), "3"), 0) == ["legend 0 geom", "3"]

"""The corpus's models of 2.3.7 have the names, counts, masses and positions that 2.3.7 gave them."""
import numpy as np
import pytest

import physics
from tests.oracle import report
from tests.oracle.corpus import entry, read_manifest, require_corpus
from tests.oracle.recorded import COUNTS, ORACLE, compare_recorded, load_recorded


@pytest.mark.parametrize("name", ["legacy_hammock", "legacy_cable", "legacy_grid1pin", "legacy_rope", "legacy_loop", "legacy_cloth", "legacy_softellipsoid"])
def test_models_of_2_3_7_agree_with_what_was_recorded(name):
    checked, off = compare_recorded(name, physics.load(entry(name).path))
    assert checked > 20 and not off


def test_every_model_of_2_3_7_is_recorded_and_has_something_in_it():
    for row in read_manifest(require_corpus()):
        if row.oracle == ORACLE:
            found = load_recorded(row.name)
            assert found["counts"][COUNTS.index("nbody")] == len(found["xpos"]) > 2 and "body world" in str(found["names"])


def test_what_differs_is_named():
    model = physics.load(entry("legacy_rope").path)
    model.body_pos[3, 0] += 1e-6
    model.names["geom"] = tuple(name.lower() for name in model.names["geom"])
    _, off = compare_recorded("legacy_rope", model)
    assert off["names"] == np.inf and off["xpos"] > 1e-7 and "body_mass" not in off


def test_the_report_judges_them():
    row = report.judge(entry("legacy_rope"))
    assert row["status"] == "ok" and row["compiled"] == {} and row["compiled_checked"] > 20
    row = report.judge(entry("legacy_cable"))
    assert row["status"] == "refused" and row["compiled"] == {} and "plugins" in row["why"]

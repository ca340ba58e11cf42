"""Compiled files with hostile whole numbers in every field: refused or run, never a crash. All 10,000 cases: ./test.sh --long lwb_fuzz."""
import numpy as np
import pytest

from physics.fields.layout import LAYOUTS
from physics.model.index_fields import INDEX_FIELDS, INDEX_RULES
from physics.model.lwb_validate import check_indices
from tests.long.child_cases import run
from tests.long.lwb_fuzz import GOOD, case, spread, systematic
from tests.physics.model.hostile_models import hostile_models

CASES = 480   # two thirds are systematic: at least one for each field


@pytest.fixture(scope="module")
def models():
    return hostile_models()


def test_every_whole_number_of_a_model_has_its_rule(models):
    layout = LAYOUTS["m"]
    whole = {n for n, (_offset, kind) in layout.scalars.items() if kind == "i"} | {n for n, spot in layout.arrays.items() if spot.dtype.kind != "f"}
    assert whole == set(INDEX_RULES) and len(INDEX_FIELDS) == len(INDEX_RULES)
    for row in INDEX_FIELDS:
        assert any(np.size(getattr(m, row.field)) for m in models), f"no model has anything in {row.field}"


def test_what_the_compiler_makes_is_in_order(models):
    assert [check_indices(m) for m in models] == [[]] * len(models)


def test_no_hostile_number_crashes(models):
    listed = spread(systematic(models))
    tried = {change[1] for number in range(CASES) for change in case(number, models, listed)}
    assert len(tried) == len(INDEX_FIELDS)
    found = [(number, what, changes) for number, what, changes in run("tests.long.lwb_fuzz", 0, CASES)]
    assert len(found) == CASES
    assert [row for row in found if row[1] not in GOOD] == []


@pytest.mark.parametrize("field,value", [("eq_obj2id", -2), ("sensor_objid", -2), ("sensor_refid", -2), ("tuple_objid", -2), ("actuator_ctrlspec", 1 << 30),
                                         ("site_type", 7), ("tendon_num", 1), ("wrap_type", 4), ("wrap_objid", -2), ("ten_J_colind", 33), ("bvh_child", 0)])
def test_indices_that_crashed_compiled_code_are_named(models, field, value):
    """Each of these loaded before, and most ended the process."""
    import copy

    for m in models:
        if not np.size(getattr(m, field)):
            continue
        hostile = copy.copy(m)
        getattr(hostile, field).reshape(-1)[0] = value
        assert check_indices(hostile), field
        return
    raise AssertionError(field)

"""Random whole numbers written into running models: refused or computed, never a crash. All 10,000 cases: ./test.sh --long model_fuzz."""
from tests.long.child_cases import run
from tests.long.model_fuzz import GOOD

CASES = 300


def test_no_written_number_crashes():
    found = list(run("tests.long.model_fuzz", 0, CASES))
    assert len(found) == CASES and [row for row in found if row[1] not in GOOD] == []
    assert {row[1] for row in found} == set(GOOD)

"""Everything that is drawn of a few models answers, and what does not is told."""
import pytest

import physics
from tests.goldens.case import HERE
from tests.oracle.answers import judge, wrong
from tests.oracle.opening import opened


@pytest.mark.parametrize("name", ("mechanism", "sensors", "driven", "tendons"))
def test_everything_answers(name):
    physics.ensure_kernels()
    rows, found = judge(*opened(HERE / "models" / f"{name}.xml", False))
    assert rows > 1000 and not found


def test_what_does_not_answer_is_reported():
    physics.ensure_kernels()
    m, snapshot = opened(HERE / "models" / "shapes.xml", False)
    assert not wrong(m, snapshot, [(5, 0, 0), (1, 0, -1)])
    assert len(wrong(m, snapshot, [(0, -1, -1), (5, m.ngeom, 0), (5, 0, m.nbody), (101, 10**6, -1)])) == 4

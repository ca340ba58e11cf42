"""The table of geom pairs is what compiled code does."""
import itertools

import pytest

from physics.engine.collide import pair_table
from physics.engine.collide.pair_table import TABLE, TYPES
from physics.engine.kinematics.shapes import HFIELD, PLANE, SDF


class Types:
    """As much of a Model as the choice of a routine reads: two geoms of these types."""

    def __init__(self, *types):
        self.geom_type = types


@pytest.mark.parametrize("pair", list(itertools.combinations_with_replacement(range(SDF + 1), 2)))
def test_every_pair_of_types_calls_the_routine_of_its_row(pair, monkeypatch):
    called = []
    for number, routine in enumerate(pair_table.ROUTINES):
        name = routine.__name__
        monkeypatch.setattr(pair_table, name, lambda *arguments, number=number: called.append((pair_table.ROUTINES[number], arguments)) or 7)
    monkeypatch.setattr(pair_table, "cores_apart", lambda *_arguments: False)
    found = pair_table.touch.fn(Types(*pair), "d", 0, 1, 0.5)
    row = TABLE.get(pair)
    if row is None:
        assert found == 0 and called == [] and pair_table.max_points(*pair) == 0
    else:
        ((routine, arguments),) = called
        assert found == 7 and routine is row.routine and arguments[1:] == ("d", 0, 1, 0.5)
        assert pair_table.max_points(*pair) == row.points


def test_boxes_are_looked_at_first_where_the_row_says_so(monkeypatch):
    monkeypatch.setattr(pair_table, "cores_apart", lambda *_arguments: True)
    monkeypatch.setattr(pair_table, "boxes_apart", lambda *_arguments: 1)
    for routine in pair_table.ROUTINES:
        monkeypatch.setattr(pair_table, routine.__name__, lambda *_arguments: 7)
    found = {pair for pair in TABLE if pair_table.touch.fn(Types(*pair), "d", 0, 1, 0.5) == 0}
    assert found == {pair for pair, row in TABLE.items() if row.boxes_first}


def test_only_unbounded_shapes_never_touch():
    every = set(itertools.combinations_with_replacement(range(TYPES), 2))
    assert every - set(TABLE) == {(PLANE, PLANE), (PLANE, HFIELD), (HFIELD, HFIELD)}
    assert {row.routine for row in TABLE.values()} == set(pair_table.ROUTINES)

"""Held inputs act once they have come past the present value, from either side, and anew after somebody else drove."""
from app.inputs.mapping.soft_takeover import SoftTakeover


def test_it_acts_from_the_value_on_and_not_before():
    soft = SoftTakeover()
    assert [soft.acts("trigger", at, 0.6) for at in (0.0, 0.3, 0.55, 0.7, 0.1)] == [False, False, False, True, True]
    soft.begin()
    assert [soft.acts("trigger", at, 0.6) for at in (0.9, 0.7, 0.59, 0.9)] == [False, False, True, True]


def test_the_end_of_a_way_is_met_though_it_is_not_quite_reached():
    soft = SoftTakeover()
    assert not soft.acts("trigger", 0.0, 1.0) and soft.acts("trigger", 0.99, 1.0)
    assert soft.acts("grip", 0.0, 0.0)


def test_those_that_wait_are_told():
    soft = SoftTakeover()
    soft.acts("cc1", 0.1, 0.75)
    soft.acts("cc2", 0.5, 0.5)
    assert list(map(str, soft.waiting)) == ["cc1 is at 10 %: bring it to 75 % to take over"]
    soft.acts("cc1", 0.8, 0.75)
    assert soft.waiting == ()

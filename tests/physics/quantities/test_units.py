"""Arithmetic with units."""
import pytest

from physics.fields.layout import LAYOUTS
from physics.quantities.units import ANY, NONE, power, read, same, times, write


@pytest.mark.parametrize(("one", "other", "product"), [
    ("N m", "rad/s", "W"), ("N", "m/s", "W"), ("kg", "m/s2", "N"), ("N", "m", "N m"), ("m", "1/m", ""), ("kg m2/s", "1/s", "N m"), ("N/m", "m", "N"), ("m/s\u00b2", "s", "m/s"), ("N m/rad", "rad", "N m"),
    ("", "rad", "rad"), ("kg", "m", "kg m"), ("1/s", "1/s", "1/s2"), ("Pa s", "1/s", "Pa"), ("rad", "rad", "rad2"),
])
def test_products(one, other, product):
    assert write(times(read(one), read(other))) == product


def test_quotients_and_powers():
    assert write(times(read("m"), read("s"), -1)) == "m/s"
    assert write(power(read("m2"), 0.5)) == "m"
    assert write(power(read("m"), 0.5)) == "m^(1/2)"
    assert write(power(read("m"), -1)) == "1/m"


def test_what_is_added_must_agree():
    assert same([read("m"), read("m")]) == read("m")
    assert same([read("m"), read("kg")]) is None
    assert same([ANY, read("m"), ANY]) == read("m")
    assert same([NONE, read("m")]) is None
    assert same([]) == NONE


def test_what_is_not_known_stays_so():
    assert read("*") is None and read("N, N m") is None and read("?!") is None
    assert times(None, read("m")) is None and power(None, 2) is None
    assert write(None) == write(NONE) == ""


def test_every_unit_of_the_field_tables_is_read():
    for layout in LAYOUTS.values():
        for row in layout.rows.values():
            for text in row.unit.split(", "):
                assert text == "*" or read(text) is not None, row

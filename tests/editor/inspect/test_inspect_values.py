"""Numbers as text: what a drag, a typed expression and a unit come to."""
import math

import pytest

from editor.inspect.values import dragged, parse_number, step_of, typed_word
from physics.schema.schema import lookup

MASS, SIZE, RANGE, CONDIM, RGBA = (lookup("body/geom").attributes["mass"], lookup("body/geom").attributes["size"], lookup("body/joint").attributes["range"],
                                   lookup("body/geom").attributes["condim"], lookup("body/geom").attributes["rgba"])


@pytest.mark.parametrize(("text", "present", "unit", "value"), [
    ("0.5", 1, "", 0.5), ("2*pi", 1, "", 2 * math.pi), ("*2", 3, "", 6), ("/4", 3, "", 0.75), ("+0.1", 3, "", 3.1), ("-0.1", 3, "", -0.1), ("-=0.1", 3, "", 2.9),
    ("+= 1", 3, "", 4), ("1e3", 0, "m", 1000),
    ("30 deg", 0, "rad", math.pi / 6), ("30deg", 0, "degree", 30), ("pi/2 rad", 0, "degree", 90), ("5 mm", 0, "m", 0.005), ("5mm", 0, "m", 0.005), ("2 in", 0, "m", 0.0508),
    ("250 g", 0, "kg", 0.25),
    ("20 ms", 0, "s", 0.02), ("(1+2)*3 cm", 0, "m", 0.09), ("+5 mm", 1, "m", 1.005), ("2*1e5", 0, "m", 2e5), ("7.8 g/cm^3", 0, "kg/m^3", 7800)])
def test_arithmetic_and_units(text, present, unit, value):
    assert parse_number(text, present, unit) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(("text", "unit", "why"), [("30 deg", "m", "does not fit"), ("5 mm", "", "without a unit"), ("5 parsec", "m", "no unit"), ("abc", "m", "number"),
                                                   ("/0", "m", "0"), ("2**99", "", "power"), ("10**60*10**60*10**60*10**60*10**60*10**60", "", "number"),
                                                   ("__import__('os')", "", "understood"), ("", "", "number"), ("1 2", "", "number")])
def test_what_is_no_number_says_why(text, unit, why):
    with pytest.raises(ValueError, match=why):
        parse_number(text, 1.0, unit)


def test_what_is_a_number_stays_as_it_was_typed():
    assert typed_word(MASS, " 0.50 ", "1", "kg") == "0.50" and typed_word(MASS, "1e-3", "1", "kg") == "1e-3"
    assert typed_word(MASS, "500 g", "1", "kg") == "0.5" and typed_word(RANGE, "30 deg", "0", "rad") == "0.523598775598299"
    assert typed_word(CONDIM, "+1", "3") == "4" and typed_word(SIZE, "*2", ".25", "m") == ".5"


@pytest.mark.parametrize(("spec", "text", "why"), [(CONDIM, "1.5", "whole"), (CONDIM, "1e12", "large"), (MASS, "nan", "nan"), (MASS, "", "wanted")])
def test_what_an_attribute_cannot_be_is_refused(spec, text, why):
    with pytest.raises(ValueError, match=why):
        typed_word(spec, text, "1")


def test_a_drag_keeps_the_digits_that_were_there_and_adds_those_of_its_step():
    assert step_of(SIZE, "0.25") == pytest.approx(0.01) and step_of(RANGE, "90", "degree") == pytest.approx(1.0) and step_of(CONDIM, "3") == 1 and step_of(RGBA, "0.5") == 0.01
    assert dragged(SIZE, "0.25", 3, 0.01) == "0.28" and dragged(SIZE, ".25", 5, 0.01) == ".3" and dragged(SIZE, "0.2537", 1, 0.01) == "0.2637"
    assert dragged(SIZE, "0.123456789", 1, 0.01) == "0.133457", "four digits behind those of the step"
    assert dragged(SIZE, "0.25", 0.7, 0.01, fine=True) == "0.257" and dragged(CONDIM, "3", 1.0, 1) == "4" and dragged(MASS, "0.1", -50, 0.01) == "0"
    assert dragged(RGBA, "0.9", 30, 0.01) == "1"
    assert dragged(MASS, "0.25", 0, 0.01) == "0.25"
    groups = [lookup(path).attributes["group"] for path in ("body/geom", "actuator/motor", "default/general")]
    assert [dragged(spec, "4", 3, 1.0) for spec in groups] == ["5", "7", "7"] and dragged(groups[1], "29", 9, 1.0) == "30", "of actuators there are 31"

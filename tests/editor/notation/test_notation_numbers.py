"""Numbers as text: as few digits as say them, in the notation that is there."""
import math

import pytest

from editor.notation.numbers import as_text, decimals, number_text, numbers_text, same_words


@pytest.mark.parametrize(("value", "like", "text"), [
    (0.3, "", "0.3"), (0.1 * 3, "", "0.3"), (0.26, ".25", ".26"), (-0.26, ".25", "-.26"), (1.0, ".25", "1"), (2.0, "1.", "2."), (2.5, "1.", "2.5"), (3e-5, "2e-5", "3e-5"),
    (3e-5, "0.1", "0.00003"), (3e-5, "", "0.00003"),
    (1500.0, "1e3", "1500"), (150000.0, "1e5", "1.5e5"), (0.0, "1", "0"), (-0.0, "1", "0"), (math.inf, "1", "inf"), (1e300, "1", "1e300"), (1e300, "", "1e+300"),
    (3e-5, "2e-05", "3e-05"), (123456789.0, "", "123456789"), (1e-9, "1", "1e-9")])
def test_a_number_is_written_in_the_notation_that_is_there(value, like, text):
    assert as_text(value, like) == text and number_text(value, like=like) == (text if abs(value) > 1e-15 else "0")
    assert float(text) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(("word", "digits"), [("1", 0), ("0.25", 2), (".250", 3), ("25e-2", 2), ("2.5e1", 0), ("-1.75e-1", 3)])
def test_digits_behind_the_point(word, digits):
    assert decimals(word) == digits and as_text(float(word) + 1e-9, word, digits) == as_text(float(word), word)


def test_numbers_have_as_few_digits_as_they_need():
    assert number_text(0.1 + 0.2) == "0.3" and number_text(1e-17) == "0" and number_text(-45.00000000000001) == "-45" and number_text(1 / 3) == "0.333333333333333"
    assert number_text(1 / 3, 1e-4) == "0.3333" and number_text(2e-5, 1e-4) == "0" and number_text(-1 / 3, 1e-9, "-.25") == "-.333333333"
    assert numbers_text((1.0, 2.5, 0.1 + 0.2), "1e0 2 .3") == "1e0 2.5 .3" and numbers_text((1.0, 2.0), "1 2 3") == "1 2" and numbers_text((0.5,), "x") == "0.5"
    assert numbers_text((1.0004, 1.0004), "1 1", (1e-3, None)) == "1 1.0004"


def test_the_same_numbers_in_other_words():
    assert same_words(["1", "0x1p-1"], [".1e1", "0.5"]) and not same_words(["1"], ["1", "2"]) and same_words(["auto"], ["auto"]) and not same_words(["auto"], ["true"])

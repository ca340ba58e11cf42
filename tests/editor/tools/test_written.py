"""Numbers keep their characters where they stay, and have no more digits than a drag can place."""
import pytest

from editor.tools.typed import TypedNumbers
from editor.tools.written import number_text, quantum_of, vector_text


def test_numbers_are_as_fine_as_the_step():
    assert quantum_of(0.0023) == pytest.approx(1e-4) and quantum_of(0.0023, 4) == pytest.approx(1e-7) and quantum_of(0.0023, 9) == pytest.approx(1e-7)
    assert number_text(0.123456, 1e-4) == "0.1235" and number_text(-1e-9, 1e-4) == "0" and number_text(12.0, 1e-3) == "12" and number_text(1234.0, 10.0) == "1230"


def test_words_stay_where_numbers_do():
    assert vector_text(".10  0.500 1e-1", (0.1, 0.5, 0.1), (0.1, 0.62341, 0.1), 1e-3) == ".10 0.623 1e-1"
    assert vector_text("1 2 3", (1, 2, 3), (1.00001, 2, 3), 1e-3) is None
    assert vector_text("1 2 3", (1, 2, 3), (1, float("nan"), 3), 1e-3) is None
    assert vector_text(None, (0, 0, 0), (0, 0.25, 0), 1e-3) == "0 0.25 0"
    assert vector_text(".1", (0.1, 0.2, 0.3), (0.15, 0.2, 0.3), 1e-3) == ".15", "what the class says is not written"
    assert vector_text(".1", (0.1, 0.2, 0.3), (0.1, 0.25, 0.3), 1e-3) == ".1 0.25"


def test_typing():
    typed = TypedNumbers(3, 1)
    assert not typed.any and typed.value(1) is None
    assert all(map(typed.letter, "1.5")) and typed.letter("-") and not typed.letter("q") and not typed.letter("")
    assert typed.value(1) == -1.5 and typed.letter("-") and typed.value(1) == 1.5
    typed.next()
    typed.letter(".")
    assert typed.at == 2 and typed.value(2) == 0.0 and typed.backspace() and not typed.backspace()
    typed.next()
    assert typed.at == 0 and typed.value(0) is None

"""Texts of expressions: what they are read as, and where they are wrong."""
import pytest

from physics.quantities.syntax import DEEPEST, LONGEST, Attribute, Call, ExpressionError, Index, Name, Number, Operation, Text, parse


def test_a_field_with_an_index():
    assert parse('geom_friction["floor", 0]') == Index(1, Name(1, "geom_friction"), ((15, "floor"), (24, 0)))


def test_what_binds_more():
    tree = parse("1 + 2*x**2 > 3 and not y")
    assert tree.sign == "and" and [one.sign for one in tree.operands] == [">", "not"]
    assert tree.operands[0].operands[0] == Operation(1, "+", (Number(1, 1.0), Operation(5, "*", (Number(5, 2.0), Operation(7, "**", (Name(7, "x"), Number(10, 2.0)))))))


def test_both_comparisons_of_a_chain_count():
    tree = parse("0 < x < 1")
    assert tree.sign == "and" and [one.sign for one in tree.operands] == ["<", "<"]
    assert tree.operands[0].operands[1] is tree.operands[1].operands[0]


def test_a_value_of_an_element():
    assert parse('  body("torso").xpos[2]') == Index(3, Attribute(17, Call(3, "body", (Text(8, "torso"),)), "xpos"), ((22, 2),))


def test_columns_count_letters():
    assert parse('xpos["größe ü"][0] + z').operands[1] == Name(22, "z")


@pytest.mark.parametrize(("text", "column", "word"), [
    ("", 1, "name of a field"), ("   ", 1, "name of a field"), ("qpos[", 5, "never closed"), ("1 +", 1, "no expression"), ("qpos[1:2]", 6, "whole number"),
    ("qpos[1.5]", 6, "whole number"), ("qpos[a]", 6, "whole number"), ('qpos[-"a"]', 6, "whole number"), ("qpos[()]", 6, "empty"), ("a if b else c", 1, "where(condition, a, b)"),
    ("lambda: 1", 1, "lambda"), ("[x for x in y]", 1, "no part"), ("{1}", 1, "{ }"), ("f'{x}'", 1, "f'...'"), ("x @ y", 1, "dot(a, b)"), ("x & y", 1, "'and'"), ("~x", 1, "'~'"),
    ("x is y", 1, "'is'"), ("x in y", 1, "'in'"), ("(x := 1)", 2, "':='"), ("f(a=1)", 3, "without names"), ("f(*a)", 3, "*"), ("a.b(1)", 1, "only functions"), ("None", 1, "no number"),
    ("1j", 1, "no number"), ("b'a'", 1, "no number"), ("...", 1, "no number"), ('"abc"', 1, "in brackets"), ("x; y", 2, "no expression"), ("import os", 1, "no expression"),
    ("x = 1", 3, "no expression"), ("a, b", 1, "comma"), ("x\0y", 1, "no expression"), ("await x", 1, "no part"), ("x // 2", 1, "'//'"),
])
def test_what_is_refused_and_where(text, column, word):
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert word in str(caught.value) and caught.value.column == column
    assert str(caught.value) == f"column {column}: {caught.value.reason}"


@pytest.mark.parametrize("text", ["(" * 5000, "-" * 1999 + "1", "[" * 300, "x" * (LONGEST + 1), "1+" * 900 + "1", "a." * 500 + "b", "9" * 1900, "f(" * 90 + ")" * 90])
def test_long_and_deep_texts_end_in_words(text):
    try:
        parse(text)
    except ExpressionError as why:
        assert why.column >= 1


def test_a_large_number_is_infinite():
    assert parse("9" * 400) == Number(1, float("inf"))
    assert DEEPEST >= 50

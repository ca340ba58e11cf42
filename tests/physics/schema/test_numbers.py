"""Numbers read with exact complaints and written so that they read back the same."""

import math
import struct
import weakref

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.schema import schema
from physics.schema.numbers import format_float, format_floats, parse

GEOM = schema.lookup("body/geom").attributes
OPTION = schema.lookup("option").attributes


@given(st.floats(allow_nan=False, width=64))
def test_written_floats_read_back_bit_for_bit(value):
    back = float(format_float(value))
    assert struct.pack("<d", back) == struct.pack("<d", value)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3))
def test_written_lists_read_back(values):
    back, problem, _ = parse(GEOM["pos"], format_floats(values))
    assert not problem
    np.testing.assert_array_equal(back, values)


def test_whole_numbers_are_written_without_a_point():
    assert format_floats([1.0, -2.0, 0.5]) == "1 -2 0.5"
    assert format_float(math.inf) == "inf"
    assert format_float(-0.0) == "-0"


@pytest.mark.parametrize("word", [
    "1e400", "1_0", "1,2", "1.0.0", "1d5", "\u0661", "one", "0x10", "infinity", "Inf", "+1", "-.5", "1e-400", "1.", ".5e1", "0x1p3",
])
def test_reals_are_accepted_exactly_when_the_official_reader_accepts_them(word):
    try:
        model = mujoco.MjModel.from_xml_string(f'<mujoco><option><flag/></option><statistic meanmass="{word}"/></mujoco>')
    except ValueError as error:
        assert "meanmass" in str(error)
        model = None
    value, problem, _ = parse(schema.lookup("statistic").attributes["meanmass"], word)
    assert (model is None) == bool(problem)
    if model is not None:
        assert value == model.stat.meanmass


@pytest.mark.parametrize("word", ["1.0", "1e1", "99999999999", "+1", "1.5", "-3", "2147483647", "2147483648", "-2147483648", "-2147483649"])
def test_whole_numbers_are_accepted_exactly_when_the_official_reader_accepts_them(word):
    text = f'<mujoco><worldbody><geom size="1" group="{word}"/></worldbody></mujoco>'
    try:
        model = mujoco.MjModel.from_xml_string(text)
    except ValueError:
        model = None
    value, problem, _ = parse(GEOM["group"], word)
    assert (model is None) == bool(problem)
    if model is not None:
        assert value == model.geom_group[0]


@pytest.mark.parametrize(("name", "text", "words"), [
    ("pos", "1 2", "3 values are expected, found 2 values"),
    ("size", "1 2 3 4", "1 to 3 values are expected, found 4 values"),
    ("mass", "1 2", "1 value is expected, found 2 values"),
    ("mass", "heavy", "'heavy' is not a number"),
    ("mass", "1e999", "'1e999' is too large for a number"),
    ("contype", "1.5", "'1.5' is not a whole number"),
    ("contype", "5000000000", "'5000000000' is too large for a whole number"),
    ("type", "sphere ", "is not one of"),
])
def test_complaints_say_what_is_wrong(name, text, words):
    value, problem, _ = parse(GEOM[name], text)
    assert value is None
    assert words in problem


def test_types():
    assert parse(GEOM["mass"], " 2 ")[0] == 2.0
    assert parse(GEOM["castshadow"], "false")[0] is False
    assert parse(schema.lookup("option/flag").attributes["gravity"], "disable")[0] is False
    assert parse(schema.lookup("body/joint").attributes["limited"], "auto")[0] == "auto"
    assert parse(schema.lookup("sensor/contact").attributes["data"], "found force")[0] == ("found", "force")
    assert parse(schema.lookup("asset/texture").attributes["gridsize"], "3 4")[0].dtype == np.int64
    assert parse(schema.lookup("compiler").attributes["eulerseq"], "xyw")[1]


def test_lists_are_read_only_because_they_are_shared():
    value, _, _ = parse(GEOM["pos"], "1 2 3")
    with pytest.raises(ValueError, match="read-only"):
        value[0] = 5


def test_nan_is_a_number_with_a_warning_and_infinity_is_just_a_number():
    value, problem, warning = parse(OPTION["gravity"], "0 nan -inf")
    assert math.isnan(value[1]) and math.isinf(value[2]) and not problem and "nan" in warning


def test_an_empty_list_counts_as_not_given():
    value, problem, warning = parse(GEOM["pos"], "  ")
    assert value is None and not problem and warning


def test_long_texts_do_not_pile_up():
    vertex = schema.lookup("asset/mesh").attributes["vertex"]
    kept = [weakref.ref(parse(vertex, f"{i} " * 3000)[0]) for i in range(100)]
    assert kept[-1]() is not None and sum(ref() is not None for ref in kept) <= 32


@pytest.mark.parametrize("text", ["0", "1", "2", " 1 ", "3", "-1", "true", "auto", "TRUE", ""])
def test_the_headlight_takes_its_keyword_by_number_as_officially(text):
    """The numbers, of older models, were refused. No other keyword attribute takes any."""
    value, problem, _ = parse(schema.lookup("visual/headlight").attributes["active"], text)
    try:
        official = int(mujoco.MjModel.from_xml_string(f'<mujoco><visual><headlight active="{text}"/></visual></mujoco>').vis.headlight.active)
    except ValueError:
        assert problem
        return
    assert ("false", "true", "auto").index(value) == official
    assert [path for path in schema.paths() for spec in schema.lookup(path).attributes.values() if spec.numbered] == ["visual/headlight"]

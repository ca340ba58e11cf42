"""Text and bytes of a file: each from the other without loss."""
import pytest
from hypothesis import given
from hypothesis import strategies as st

from physics.files.text_codec import LINE_ENDS, MARKS, UTF_8, TextCodec, decode, encode, line_end

TEXT = "<mujoco>\r\n<!-- größer 漢 \U0001f916 -->\n\r</mujoco>"
START = st.sampled_from([b"", *(codec.mark for codec in MARKS)])


@given(START, st.one_of(st.binary(max_size=40), st.text(max_size=20).filter(lambda text: text.isprintable()).map(str.encode)))
def test_any_bytes_come_back(start, data):
    text, codec = decode(start + data)
    assert encode(text, codec) == (start + data, codec)


@pytest.mark.parametrize("codec", [UTF_8, *MARKS])
def test_a_text_is_read_by_its_mark(codec):
    assert decode(codec.mark + TEXT.encode(codec.codec)) == (TEXT, codec)


def test_without_a_mark_what_is_no_utf_8_is_latin_1():
    assert decode("größer".encode("latin-1")) == ("größer", TextCodec(b"", "latin-1"))


def test_a_mark_that_promises_too_much_loses_nothing():
    data = MARKS[0].mark + b"<a b='\xff'/>"
    text, codec = decode(data)
    assert text == "<a b='ÿ'/>" and encode(text, codec)[0] == data
    odd = b"\xff\xfe<\0a"        # UTF-16 that ends within a character
    assert encode(*decode(odd))[0] == odd


def test_a_character_that_an_encoding_lacks_makes_it_utf_8():
    assert encode("€", TextCodec(b"", "latin-1")) == ("€".encode(), UTF_8)
    assert encode("€", TextCodec(MARKS[0].mark, "latin-1")) == (MARKS[0].mark + "€".encode(), MARKS[0])


@pytest.mark.parametrize("end", LINE_ENDS)
def test_the_end_of_most_lines(end):
    assert line_end(f"a{end}b{end}c\n") == end and line_end("a") == "\n"
    assert line_end("".join(f"a{one}" for one in LINE_ENDS) + f"b{end}") == end

"""The text of a file, line ends included, and the bytes it came from: each from the other without loss.

    bytes --decode--> text, TextCodec --encode--> the same bytes, and of a changed text those of what was changed
"""
from __future__ import annotations

import codecs
from typing import NamedTuple

__all__ = ["LINE_ENDS", "MARKS", "UTF_8", "TextCodec", "decode", "encode", "line_end"]

LINE_ENDS = ("\r\n", "\n", "\r")


class TextCodec(NamedTuple):
    """mark: the byte order mark that stands before the text, b"" for none; codec: the name Python knows the encoding by."""

    mark: bytes
    codec: str


UTF_8 = TextCodec(b"", "utf-8")
MARKS = tuple(TextCodec(mark, codec) for mark, codec in (    # that of UTF-32 begins as that of UTF-16 does
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")))


def decode(data: bytes) -> tuple[str, TextCodec]:
    """The text of a file and how it was encoded: by its byte order mark, else in UTF-8, else in Latin-1, which has a character for every byte.

    A text whose mark promises what its bytes do not hold is taken as Latin-1 too, behind the mark of UTF-8 and with those of the others: no byte is lost.
    """
    found = next((one for one in MARKS if data.startswith(one.mark)), UTF_8)
    kept = found.mark if found.codec == "utf-8" else b""
    for codec in (found, TextCodec(kept, "latin-1")):
        try:
            return data[len(codec.mark):].decode(codec.codec), codec
        except UnicodeDecodeError:
            continue
    raise AssertionError("Latin-1 decodes everything")


def encode(text: str, codec: TextCodec = UTF_8) -> tuple[bytes, TextCodec]:
    """The bytes of a text, and how it is encoded now: as before, else, for a character that the encoding does not have, in UTF-8 behind the same mark."""
    try:
        return codec.mark + text.encode(codec.codec), codec
    except UnicodeEncodeError:
        other = TextCodec(codec.mark if codec.codec == "latin-1" else b"", "utf-8")
        return other.mark + text.encode("utf-8", errors="replace"), other


def line_end(text: str) -> str:
    """What ends most lines of a text; a line feed where nothing does, or as many by each."""
    pairs = text.count("\r\n")
    counts = {"\n": text.count("\n") - pairs, "\r\n": pairs, "\r": text.count("\r") - pairs}
    return max(counts, key=counts.get)

"""Equal corners of triangles made into one vertex, straight from the bytes of an STL file."""
from __future__ import annotations

from physics.kernels.decorators import EXACT, helper, kernel

HEAD, RECORD, NORMAL = 84, 50, 12   # bytes of the file's head, of a triangle, of the normal it begins with
HIGHEST = 0x4E800000                # the bits of 2^30, the largest coordinate taken; endless numbers and NaN have larger ones
MINUS_ZERO = 1 << 31
FIRST, SECOND, THIRD = 0x9E3779B97F4A7C15 - (1 << 64), 0xBF58476D1CE4E5B9 - (1 << 64), 0x94D049BB133111EB - (1 << 64)


@helper(fastmath=EXACT)
def _word(text, k):
    """The four bytes from byte k on as a number, the lowest first."""
    return text[k] | text[k + 1] << 8 | text[k + 2] << 16 | text[k + 3] << 24


@helper(fastmath=EXACT)
def _plain(word):
    """The bits of a number in single precision, with those of 0 for -0."""
    return 0 if word == MINUS_ZERO else word


@helper(fastmath=EXACT)
def _signed(word):
    """The same bits as a number with a sign."""
    return word - (1 << 32) if word >= MINUS_ZERO else word


@helper(fastmath=EXACT)
def _hash(x, y, z):
    key = x * FIRST
    key = (key ^ ((key >> 29) & 0x7FFFFFFFF) ^ y) * SECOND
    key = (key ^ ((key >> 32) & 0xFFFFFFFF) ^ z) * THIRD
    return (key >> 32) & 0x7FFFFFFF


@helper(fastmath=EXACT)
def _same(words, row, x, y, z):
    """Whether the vertex in a row is at this place."""
    return _plain(words[row, 0] & 0xFFFFFFFF) == x and _plain(words[row, 1] & 0xFFFFFFFF) == y and _plain(words[row, 2] & 0xFFFFFFFF) == z


@kernel("a i i", ret="i", fastmath=EXACT)
def merge_corners(a, count, mask):
    """Vertices of the `count` triangles in text_bytes, in the order they are first met, as bits into text_word, and the vertex of each corner into text_corner.

    text_slot: mask + 1 (a power of two, more than corners) zeros. How many vertices there are; -1 where a coordinate is too large or no number.
    """
    text, words, slot, found = a.text_bytes, a.text_word, a.text_slot, 0
    for corner in range(3 * count):
        k = HEAD + RECORD * (corner // 3) + NORMAL * (corner % 3 + 1)
        one, two, three = _word(text, k), _word(text, k + 4), _word(text, k + 8)
        if (one & 0x7FFFFFFF) > HIGHEST or (two & 0x7FFFFFFF) > HIGHEST or (three & 0x7FFFFFFF) > HIGHEST:
            return -1
        x, y, z = _plain(one), _plain(two), _plain(three)
        at = _hash(x, y, z) & mask
        while slot[at] > 0 and not _same(words, slot[at] - 1, x, y, z):
            at = (at + 1) & mask
        if slot[at] == 0:
            words[found, 0] = _signed(one)
            words[found, 1] = _signed(two)
            words[found, 2] = _signed(three)
            found += 1
            slot[at] = found
        a.text_corner[corner] = slot[at] - 1
    return found

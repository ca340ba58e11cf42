"""Mesh files as text: the lines of an OBJ file, straight from its bytes.

What is plainly written is read here; anything else makes a kernel give up (-1), and the reader in physics/compiler/decode takes the file over, which
knows all rules. Plain are numbers such as -1.5e-3, between blanks, and corners such as 7, 7/2, 7//9, 7/2/9, none of them 0.
"""
from __future__ import annotations

from physics.kernels.decorators import EXACT, helper, kernel

TAB, LINE, RETURN, BLANK, PLUS, MINUS, POINT, SLASH, ZERO, NINE = 9, 10, 13, 32, 43, 45, 46, 47, 48, 57
SMALL_V, SMALL_F, SMALL_G, SMALL_O, SMALL_T, SMALL_N = 118, 102, 103, 111, 116, 110
MOST_DIGITS = 10**17    # a mantissa below it takes one digit more
EXACT_MANTISSA = 1 << 53
EXACT_POWER = 22        # the largest power of ten that is a double
FARTHEST = 60           # exponents beyond are left
MARGIN = 1e-14          # more than a number of many digits is off
LARGEST_CORNERS = 1000  # of one face
LARGEST_INDEX = 10**9
COUNTS = 5              # lines of v, vt, vn and f, and blanks in those of f


@helper(fastmath=EXACT)
def _blank(c):
    return c == BLANK or c == TAB


@helper(fastmath=EXACT)
def _line_end(c):
    return c == LINE or c == RETURN


@helper(fastmath=EXACT)
def _digit(c):
    return ZERO <= c and c <= NINE


@helper(fastmath=EXACT)
def _past_blanks(text, k):
    """Where the blanks from byte k on end."""
    while _blank(text[k]):
        k += 1
    return k


@helper(fastmath=EXACT)
def _past_line(text, k):
    """Where the line after the one at byte k begins."""
    while not _line_end(text[k]):
        k += 1
    return k + 1


@helper(fastmath=EXACT)
def _scaled(mantissa, power):
    """mantissa times 10 to the power, rounded once where both are small, else off by less than MARGIN."""
    value, size, scale = float(mantissa), abs(power), 1.0
    for _ in range(min(size, EXACT_POWER)):
        scale *= 10.0
    value = value / scale if power < 0 else value * scale
    for _ in range(EXACT_POWER, size):
        value = value / 10.0 if power < 0 else value * 10.0
    return value


@helper(fastmath=EXACT)
def _single(half, mantissa, power, cut):
    """(whether it is sure, a number that rounds to single precision as mantissa times 10 to the power does). cut: digits may have been left out; half: two numbers to try with."""
    value = _scaled(mantissa, power)
    if not cut and mantissa <= EXACT_MANTISSA and abs(power) <= EXACT_POWER:
        return True, value
    if abs(power) > FARTHEST or not (1e-37 < value and value < 1e38):
        return False, 0.0
    half[0] = value * (1.0 - MARGIN)
    half[1] = value * (1.0 + MARGIN)
    return half[0] == half[1], value


@helper(fastmath=EXACT)
def _digits(text, k, mantissa, step):
    """(where the digits from byte k on end, the mantissa with those that fit, the power of ten for the rest). step: the power of each digit, 0 before the point, -1 after it."""
    power = 0
    while _digit(text[k]):
        if mantissa < MOST_DIGITS:
            mantissa = 10 * mantissa + text[k] - ZERO
            power += step
        else:
            power += step + 1
        k += 1
    return k, mantissa, power


@helper(fastmath=EXACT)
def _exponent(text, k):
    """(where the exponent from byte k on ends, the exponent); (k, 0) where there is none, -1 where it is not plain."""
    if text[k] != 69 and text[k] != 101:
        return k, 0
    k += 1
    back = text[k] == MINUS
    if back or text[k] == PLUS:
        k += 1
    begun, exponent = k, 0
    while _digit(text[k]) and k < begun + 4:
        exponent = 10 * exponent + text[k] - ZERO
        k += 1
    return -1 if k == begun else k, -exponent if back else exponent


@helper(fastmath=EXACT)
def _number(text, k, half):
    """(where the number from byte k on ends, the number); -1 where it is not plain."""
    negative = text[k] == MINUS
    if negative or text[k] == PLUS:
        k += 1
    begun = k
    k, mantissa, power = _digits(text, k, 0, 0)
    count = k - begun
    if text[k] == POINT:
        begun = k + 1
        k, mantissa, rest = _digits(text, begun, mantissa, -1)
        power, count = power + rest, count + k - begun
    cut = mantissa >= MOST_DIGITS
    k, exponent = _exponent(text, k)
    if count == 0 or k < 0 or not (_blank(text[k]) or _line_end(text[k])):
        return -1, 0.0
    if mantissa == 0:
        return k, 0.0
    sure, value = _single(half, mantissa, power + exponent, cut)
    return k if sure else -1, -value if negative else value


@helper(fastmath=EXACT)
def _vector(text, k, half, rows, row, width):
    """Read so many numbers from byte k on into a row, 0 for those missing; where they end, -1 where one is not plain."""
    for c in range(width):
        k = _past_blanks(text, k)
        value = 0.0
        if not _line_end(text[k]):
            k, value = _number(text, k, half)
            if k < 0:
                return -1
        rows[row, c] = value
    return k


@helper(fastmath=EXACT)
def _index(text, k, before):
    """(where the index from byte k on ends, the index from 0); -1 where it is not plain. before: how many there were before this line."""
    negative = text[k] == MINUS
    if negative:
        k += 1
    begun, value = k, 0
    while _digit(text[k]) and value < LARGEST_INDEX:
        value = 10 * value + text[k] - ZERO
        k += 1
    value = before - value if negative else value - 1
    if k == begun or value < 0 or value >= LARGEST_INDEX or (negative and value >= before):
        return -1, 0
    return k, value


@helper(fastmath=EXACT)
def _corner(a, k, row, nvert, ntexcoord, nnormal):
    """Read a corner of a face; where it ends, -1 where it is not plain."""
    text, place, shade = a.text_bytes, -1, -1
    k, vertex = _index(text, k, nvert)
    if k >= 0 and text[k] == SLASH:
        k += 1
        if text[k] != SLASH:
            k, place = _index(text, k, ntexcoord)
        if k >= 0 and text[k] == SLASH:
            k, shade = _index(text, k + 1, nnormal)
    if k < 0 or not (_blank(text[k]) or _line_end(text[k])):
        return -1
    a.text_corner[row] = vertex
    a.text_place[row] = place
    a.text_shade[row] = shade
    return k


@kernel("a i", ret="i", fastmath=EXACT)
def count_lines(a, size):
    """Count into text_count (COUNTS numbers) what read_lines needs room for: the lines of v, vt, vn and f, and the blanks in those of f.

    text_bytes: `size` bytes of which the last ends a line. 0, or -1 where a line begins unusually.
    """
    text, count, k = a.text_bytes, a.text_count, 0
    for i in range(COUNTS):
        count[i] = 0
    while k < size:
        k = _past_blanks(text, k)
        c = text[k]
        if c < BLANK and not _line_end(c):
            return -1
        if c == SMALL_V:
            if _blank(text[k + 1]):
                count[0] += 1
            elif text[k + 1] == SMALL_T:
                count[1] += 1
            elif text[k + 1] == SMALL_N:
                count[2] += 1
        elif c == SMALL_F and _blank(text[k + 1]):
            count[3] += 1
            while not _line_end(text[k]):
                if _blank(text[k]):
                    count[4] += 1
                k += 1
        k = _past_line(text, k)
    return 0


@kernel("a i", ret="i", fastmath=EXACT)
def read_lines(a, size):
    """Vectors into text_vert, text_texcoord and text_normal, the first faces into text_corner, text_place, text_shade (indices from 0, -1 for none) and text_face.

    text_face: the number of corners of each. Faces end at the first group or object after one. text_count becomes the numbers of vertices, texture
    coordinates, normals, faces and corners. The largest number of corners of a face, -1 where a line is not plain.
    """
    text, k, largest, ended = a.text_bytes, 0, 0, False
    nvert, ntexcoord, nnormal, nface, ncorner = 0, 0, 0, 0, 0
    while k < size:
        k = _past_blanks(text, k)
        c, d = text[k], LINE
        if not _line_end(c):
            d = text[k + 1]
        if c == SMALL_V and _blank(d):
            k = _vector(text, k + 1, a.text_half, a.text_vert, nvert, 3)
            nvert += 1
        elif c == SMALL_V and d == SMALL_T:
            k = _vector(text, k + 2, a.text_half, a.text_texcoord, ntexcoord, 2)
            ntexcoord += 1
        elif c == SMALL_V and d == SMALL_N:
            k = _vector(text, k + 2, a.text_half, a.text_normal, nnormal, 3)
            nnormal += 1
        elif c == SMALL_F and _blank(d) and not ended:
            first = ncorner
            k = _past_blanks(text, k + 1)
            while k >= 0 and not _line_end(text[k]):
                k = _corner(a, k, ncorner, nvert, ntexcoord, nnormal)
                ncorner += 1
                if k >= 0:
                    k = _past_blanks(text, k)
            a.text_face[nface] = ncorner - first
            largest = max(largest, ncorner - first)
            nface += 1
        elif (c == SMALL_G or c == SMALL_O) and _blank(d) and nface > 0:
            ended = True
        if k < 0 or largest > LARGEST_CORNERS:
            return -1
        k = _past_line(text, k)
    count = a.text_count
    count[0], count[1], count[2] = nvert, ntexcoord, nnormal
    count[3], count[4] = nface, ncorner
    return largest

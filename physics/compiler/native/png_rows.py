"""The rows of a PNG picture: taking back the filters, putting the channels wanted in place."""
from __future__ import annotations

from physics.kernels.decorators import EXACT, helper, kernel

COLOURS = 3   # channels without the transparency


@helper(fastmath=EXACT)
def _paeth(left, above, corner):
    """The neighbour nearest to left + above - corner, in this order where two are as near."""
    across, along = abs(above - corner), abs(left - corner)
    both = abs(left + above - 2 * corner)
    if across <= along and across <= both:
        return left
    return above if along <= both else corner


@helper(fastmath=EXACT)
def _place(pixels, at, line, now, width, step, channels):
    """Copy a row of pixels with `step` channels to byte `at` of those with `channels`."""
    if step == channels:
        for k in range(width * step):
            pixels[at + k] = line[now + k]
    elif channels == 1:
        for k in range(width):
            pixels[at + k] = line[now + step * k]
    elif channels == COLOURS and step > COLOURS:
        for k in range(width):
            for c in range(COLOURS):
                pixels[at + COLOURS * k + c] = line[now + step * k + c]
    else:   # grey, or colours that are not transparent
        between = min(step - 1, 1)
        for k in range(width):
            for c in range(COLOURS):
                pixels[at + channels * k + c] = line[now + step * k + c * between]
            if channels > COLOURS:
                pixels[at + channels * k + COLOURS] = 255


@helper(fastmath=EXACT)
def _straight(filtered, packed, source, line, now, before, step, size):
    """Take back one of the filters 0 to 2 of a row: none, the pixel to the left, the one above."""
    if filtered == 0:
        for k in range(size):
            line[now + k] = packed[source + k]
    elif filtered == 1:
        for k in range(step):
            line[now + k] = packed[source + k]
        for k in range(step, size):
            line[now + k] = (packed[source + k] + line[now + k - step]) & 255
    else:
        for k in range(size):
            line[now + k] = (packed[source + k] + line[before + k]) & 255


@helper(fastmath=EXACT)
def _slanted(filtered, packed, source, line, now, before, step, size):
    """Take back filter 3 or 4 of a row: the mean of the pixels to the left and above, the nearest of three to their plane."""
    for k in range(step):
        above = line[before + k]
        line[now + k] = (packed[source + k] + (above >> 1 if filtered == 3 else above)) & 255
    for k in range(step, size):
        left, above = line[now + k - step], line[before + k]
        guess = (left + above) >> 1 if filtered == 3 else _paeth(left, above, line[before + k - step])
        line[now + k] = (packed[source + k] + guess) & 255


@kernel("a i i i i i", ret="i", fastmath=EXACT)
def unfilter_rows(a, first, count, width, step, channels):
    """Pixels of `count` rows of png_packed (a byte for the filter, then width pixels of `step` bytes each) into png_pixels from row `first` on.

    png_line: two rows by turns, the one before the first in place first % 2 (zeros above the first of all). step, channels: 1, 3 or 4; grey becomes all
    colours, missing transparency 255, one channel of several is the red. 0, or -1 where there is no such filter. Source: PNG specification, chapter 9.
    """
    packed, line, size = a.png_packed, a.png_line, width * step
    for row in range(count):
        start = row * (size + 1)
        before = size * ((first + row) % 2)
        filtered = packed[start]
        if filtered > 4:
            return -1
        if filtered < 3:
            _straight(filtered, packed, start + 1, line, size - before, before, step, size)
        else:
            _slanted(filtered, packed, start + 1, line, size - before, before, step, size)
        _place(a.png_pixels, (first + row) * width * channels, line, size - before, width, step, channels)
    return 0

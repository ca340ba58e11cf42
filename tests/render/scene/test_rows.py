"""Tables that grow and shrink."""
import numpy as np

from render.scene.rows import CLEARS, LEAST, Rows


class Numbers(Rows):
    COLUMNS = (("value", (3,), np.float32, 7),)


def fill(rows: Numbers, count: int) -> None:
    """A picture that needs so many."""
    rows.clear()
    rows.add(count)


def test_the_same_need_takes_the_same_storage():
    rows = Numbers()
    fill(rows, 100_000)
    kept = rows.value
    for _ in range(3 * CLEARS):
        fill(rows, 30_000)
    assert rows.value is kept       # not so much less
    for k in range(3 * CLEARS):
        fill(rows, 100_000 if k % 2 else 10)
    assert rows.value is kept       # nor always


def test_storage_that_is_needed_no_more_is_given_back():
    rows = Numbers()
    fill(rows, 100_000)
    for _ in range(2 * CLEARS):
        fill(rows, 2000)
    assert 2000 <= rows.capacity <= 4000 and (rows.view("value") == 7).all() and rows.n == 2000
    for _ in range(2 * CLEARS):
        fill(rows, 3)
    assert rows.capacity == LEAST and rows.n == 3
    fill(rows, 5000)
    assert (rows.view("value") == 7).all() and rows.n == 5000

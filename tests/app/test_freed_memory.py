"""Freed memory goes back to the system."""
import sys

import numpy as np
import pytest

from app.freed_memory import give_back
from tests.long.reloads import megabytes

BLOCKS, BYTES = 2000, 50_000      # small enough to lie among each other, not in pages of their own


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems' C libraries look after this themselves")
def test_what_was_freed_between_what_lives_goes_back():
    blocks = [np.ones(BYTES, np.uint8) for _ in range(BLOCKS)]
    living = blocks[::10]
    full = megabytes()
    del blocks
    give_back()
    assert full - megabytes() > 0.5 * BLOCKS * BYTES / 2**20
    assert all(block.all() for block in living)

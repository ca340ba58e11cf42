"""Fixtures: one standalone context per session, small pictures, software GL."""
import pytest

from render.offscreen import Offscreen
from render.quality import QUALITIES, is_software


@pytest.fixture(scope='session')
def offscreen():
    """The classic quality at 160 x 120; pixels are only compared on software GL."""
    with Offscreen(160, 120, QUALITIES['classic']) as off:
        assert is_software(off.driver), f'picture tests want software GL, this is {off.driver}: set LIBGL_ALWAYS_SOFTWARE=1'
        yield off

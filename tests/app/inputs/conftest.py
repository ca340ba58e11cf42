"""Kernels are made callable once."""
import pytest

import physics


@pytest.fixture(scope="session", autouse=True)
def kernels():
    """The engine, compiled."""
    physics.ensure_kernels()

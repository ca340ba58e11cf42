"""Steps are taken apart with compiled kernels."""
import pytest

import physics


@pytest.fixture(scope="session", autouse=True)
def kernels():
    physics.ensure_kernels()

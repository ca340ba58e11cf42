import pytest

import physics


@pytest.fixture(scope="session", autouse=True)
def kernels():
    """Kernels of both engines, once per session."""
    physics.compile_kernels()
    physics.ensure_hard()

"""Session fixtures of the folders that hold the engine against the official one; their conftest files import them."""
import mujoco
import pytest

from physics.kernels import load


@pytest.fixture(scope="session", autouse=True)
def kernels():
    """Compiled kernels of the whole step, once per session."""
    load.ensure(["physics.engine.forward"])


@pytest.fixture(scope="session", autouse=True)
def quiet_oracle():
    """The official engine writes warnings to a log file in the working folder unless somebody else takes them."""
    mujoco.set_mju_user_warning(lambda text: None)
    yield
    mujoco.set_mju_user_warning(None)

"""The window for film tests."""
from tests.app.conftest import workbench  # noqa: F401

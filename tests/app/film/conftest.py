"""The window for film tests."""
from tests.app.conftest import kept_context, workbench  # noqa: F401

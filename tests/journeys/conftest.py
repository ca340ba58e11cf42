"""Journeys use the real window of tests/app."""
from tests.app.conftest import kept_context, workbench  # noqa: F401 (a fixture)

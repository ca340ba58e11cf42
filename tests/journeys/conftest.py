"""Journeys use the real window of tests/app."""
from tests.app.conftest import workbench  # noqa: F401 (a fixture)

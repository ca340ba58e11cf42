"""Marks functions of a Model with the fields they read, for app/bridge/model_visuals.py."""
from __future__ import annotations

from collections.abc import Callable


def derived_from(*fields: str) -> Callable[[Callable], Callable]:
    """The decorated function f(m, ...) depends on these fields of the Model and on nothing else that can change."""
    def mark(make: Callable) -> Callable:
        make.model_fields = fields
        return make

    return mark

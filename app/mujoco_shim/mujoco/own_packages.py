"""Linkwork's own packages for this one: found in Linkwork's folder, whatever a script has of the same name in its own."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[3])


@contextmanager
def in_front() -> Iterator[None]:
    """Imports meanwhile look into Linkwork's folder first."""
    sys.path.insert(0, ROOT)
    try:
        yield
    finally:
        sys.path.remove(ROOT)


def check(*names: str) -> None:
    """Raise ImportError where a package of that name was imported from elsewhere before."""
    for name in names:
        found = str(sys.modules[name].__file__)
        if not found.startswith(ROOT):
            raise ImportError(f"{name} is {found}, imported before Linkwork's: a script under `linkwork exec` cannot have a module of that name of its own")

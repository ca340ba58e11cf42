"""What draws for scripts: a Data becomes an MjvScene (update.py), an MjvScene a picture (framebuffer.py).

Needs this project's packages app and render, which are imported when the first picture is asked for: a script that draws nothing may have modules of these names.
"""
from __future__ import annotations

import sys
from functools import lru_cache
from importlib import import_module
from pathlib import Path

_ROOT = str(Path(__file__).resolve().parents[4])


@lru_cache(maxsize=1)
def drawing():
    """The module that does the work. Raises ImportError where a script has a module app or render of its own."""
    sys.path.insert(0, _ROOT)
    try:
        for name in ("app", "render"):
            module = import_module(name)
            if not str(module.__file__).startswith(_ROOT):
                raise ImportError(f"{name} is {module.__file__}: a script under `linkwork exec` that draws cannot have a module of that name of its own")
        return import_module(".work", __name__)
    finally:
        sys.path.remove(_ROOT)

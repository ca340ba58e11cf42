"""What scripts name a model by: a Model, a path, or MJCF text."""
from __future__ import annotations

import os
from pathlib import Path

from physics.model.model import Model


def is_text(model) -> bool:
    """Whether it is MJCF text and no path."""
    return isinstance(model, str) and "<" in model


def model_of(model) -> Model:
    """The Model. Raises ModelError, TypeError where it is nothing of the kind."""
    from physics.compiler.compile import load, load_string

    if isinstance(model, Model):
        return model
    if is_text(model):
        return load_string(model)
    if isinstance(model, str | os.PathLike):
        return load(model)
    raise TypeError(f"needs a Model, a path or MJCF text, got {type(model).__name__}")


def name_of(m: Model) -> str:
    """What a Model is called in titles and files."""
    source = Path(str(m.source[0])).stem if m.source else ""
    return m.title or source or "model"

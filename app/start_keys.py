"""Which keyframe each model starts at, where the user has said so: kept in the settings, by the model's path.

One text of JSON: {path of the model: keyframe's name, or its number}, the model chosen for last at the end.
"""
import json
from pathlib import Path

from app.settings import Settings

SETTING = "run/start_keys"
MODELS = 200   # that are remembered


def start_key(settings: Settings, path: Path | None) -> str | int | None:
    """The keyframe that the model of this path starts at; None: its start state."""
    found = settings.mapping(SETTING).get(str(path)) if path is not None else None
    return found if isinstance(found, str | int) and not isinstance(found, bool) else None


def remember_start_key(settings: Settings, path: Path | None, key: str | int | None) -> None:
    """Start the model of this path at a keyframe from now on; None: at its start state. A model without a path is not remembered."""
    if path is None:
        return
    stored = settings.mapping(SETTING)
    before = stored.pop(str(path), None)
    if key is not None:
        stored[str(path)] = key
    elif before is None:
        return
    settings.set(SETTING, json.dumps(dict(list(stored.items())[-MODELS:])))

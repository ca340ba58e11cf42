"""What panels remember of each model: its plots, its breakpoints, its scripts; kept in the settings, by the model's path.

One text of JSON: {path of the model: {name of the panel: anything JSON has}}, the model changed last at the end.
"""
import json
from pathlib import Path
from typing import Any

from app.settings import Settings

SETTING = "run/panels"
MODELS = 100     # that are remembered


def path_of(model) -> str:
    """The file that a Model was read from, '' where there is none."""
    return str(Path(model.source[0])) if model is not None and model.source else ""


def remembered(settings: Settings, path: str, name: str) -> Any:
    """What a panel has remembered of the model of this path; None: nothing."""
    found = settings.mapping(SETTING).get(path) if path else None
    return found.get(name) if isinstance(found, dict) else None


def remember(settings: Settings, path: str, name: str, value: Any) -> None:
    """Remember this of the model of this path; None: nothing. A model without a path is not remembered."""
    if not path or remembered(settings, path, name) == value:
        return
    stored = settings.mapping(SETTING)
    record = stored.pop(path, {})
    record = {**(record if isinstance(record, dict) else {}), name: value}
    if record := {key: kept for key, kept in record.items() if kept is not None}:
        stored[path] = record
    settings.set(SETTING, json.dumps(dict(list(stored.items())[-MODELS:])))

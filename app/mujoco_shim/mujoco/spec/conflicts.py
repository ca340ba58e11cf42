"""Options, sizes and picture settings that both specifications of an attachment give, settled by compiler.conflict as for attached models in a text."""
from __future__ import annotations

from physics.expand.conflicts import GlobalSettings
from physics.spec.element import NOWHERE, Element, new_id

from .model_spec import MjSpec
from .mjcf.read_settings import read_settings
from .mjcf.write_settings import settings_elements
from .mjcf.writing import Writer


def _settings(spec: MjSpec) -> GlobalSettings:
    write = Writer(spec)
    found = GlobalSettings(Element(new_id(), "mujoco", {}, tuple(settings_elements(write))))
    found.policy = ("warning", "merge", "error")[int(spec.compiler.conflict)]
    return found


def merge_settings(parent: MjSpec, child: MjSpec) -> None:
    """Take over what is to be merged. Raises ValueError for what cannot be, and nothing is changed then."""
    mine = _settings(parent)
    errors, _warnings = mine.meet(_settings(child))
    if errors:
        raise ValueError("Error: conflicting settings in attach: " + "; ".join(errors))
    authored = parent.authored.copied()
    read_settings(parent, Element(new_id(), "mujoco", {}, tuple(mine.elements(NOWHERE))))
    parent.authored.take(authored)

"""Which pictures there are, in which windows they are taken, and where their files are."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from PyQt6.QtGui import QImage

from tests.pictures import editing, hard_contact, readme, teleoperation, tuning
from tests.pictures.desk import Desk

# of each window: the model's file (its text, where it is none of the bundled ones), size, workspace, and pictures by name in the order in which they are taken
WINDOWS: tuple[tuple[str, str, tuple[int, int], str, Mapping[str, Callable[[Desk], QImage]]], ...] = (
    ("quadruped.xml", "", readme.SIZE, "simulate", MappingProxyType({"window": readme.window})),
    ("quadruped.xml", "", editing.SIZE, "edit", MappingProxyType({name: getattr(editing, name) for name in ("edit", "create", "properties", "tree", "lint", "lint_fix", "source", "rows", "composite", "history")})),
    ("hard_slope.xml", "", hard_contact.SIZE, "simulate", MappingProxyType({"engines": hard_contact.engines})),
    ("two_arms.xml", "", teleoperation.SIZE, "teleoperate", MappingProxyType({"teleoperation": teleoperation.teleoperation})),
    ("ball.xml", tuning.BALL, tuning.SIZE, "tune", MappingProxyType({"tuner": tuning.tuner, "sweep": tuning.sweep})),
    ("arm.xml", "", tuning.SIZE, "tune", MappingProxyType({"servos": tuning.servos})),
    ("finger.xml", editing.FINGER, editing.SIZE, "edit", MappingProxyType({"gizmos": editing.gizmos})),
)
_ELSEWHERE = MappingProxyType({"window": "window.png", "engines": "pictures/hard_engines.png", "teleoperation": "pictures/teleoperation.png",
                               "tuner": "pictures/tuning_tuner.png", "sweep": "pictures/tuning_sweep.png", "servos": "pictures/tuning_servos.png"})
FILES: Mapping[str, str] = MappingProxyType({name: _ELSEWHERE.get(name, f"pictures/editing_{name}.png") for *_, pictures in WINDOWS for name in pictures})

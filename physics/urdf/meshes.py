"""The meshes a URDF names: one asset for each file and scale, called after the file."""
from __future__ import annotations

from pathlib import PurePosixPath

from physics.schema.numbers import format_floats
from physics.spec.element import Element
from physics.urdf.source import Robot, make


class UrdfMeshes:
    """Collects mesh assets; `assets` are their elements in the order first used."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.assets: list[Element] = []
        self._names: dict[tuple, str] = {}   # (file, scale) -> asset name
        self._stems: dict[str, int] = {}     # stem -> meshes called after it
        self._taken: set[str] = set()

    def shape(self, element: Element) -> dict | None:
        """Type and mesh name of a geom for a <mesh> element."""
        file = self.robot.text(element, "filename")
        scale = self.robot.numbers(element, "scale", 3)
        if not file or (scale is None and element.attrs.get("scale", "").split()):
            return None
        key = (file, scale or (1.0, 1.0, 1.0))
        if key not in self._names:
            self._names[key] = self._add(element, file, scale)
        return {"type": "mesh", "mesh": (self._names[key], element, "filename")}

    def _add(self, element: Element, file: str, scale: tuple | None) -> str:
        stem = PurePosixPath(file.replace("\\", "/")).stem
        number = self._stems.get(stem, 0)
        name = f"{stem}{number}" if number else stem
        while name in self._taken:   # another file may be called like our numbered ones
            number += 1
            name = f"{stem}{number}"
        self._stems[stem] = number + 1
        self._taken.add(name)
        values: dict = {"name": name, "file": (file, element, "filename")}
        if scale:
            values["scale"] = (format_floats(scale), element, "scale")
        self.assets.append(make("mesh", element, values))
        return name

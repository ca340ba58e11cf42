"""What a link holds: its inertia and its shapes.

Shapes of <visual> do not collide, weigh nothing and are in group 1; those of <collision> are ordinary geoms. A colour given by a
<visual> holds for the shapes after it in the same link, as the official reader has it.
"""
from __future__ import annotations

from types import MappingProxyType

from physics.rotation.quaternion import matrix, product, transpose
from physics.schema.numbers import format_floats
from physics.spec.element import Element
from physics.urdf.meshes import UrdfMeshes
from physics.urdf.source import Robot, make

__all__ = ["Links"]

_MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
# shape -> (attribute, how many numbers, factor from URDF's sizes to half sizes)
_SHAPES = MappingProxyType({
    "box": (("size", 3, 0.5),),
    "cylinder": (("radius", 1, 1.0), ("length", 1, 0.5)),
    "sphere": (("radius", 1, 1.0),),
    "capsule": (("radius", 1, 1.0), ("length", 1, 0.5)),
})


class Links:
    """Reads links; what all of them share: colours, meshes, names in use.

    visuals: whether shapes of <visual> are made.
    """

    def __init__(self, robot: Robot, visuals: bool) -> None:
        self.robot, self.visuals = robot, visuals
        self.colors = _colors(robot)
        self.meshes = UrdfMeshes(robot)
        self.names: set[str] = set()

    def inertial(self, link: Element) -> list[Element]:
        """The link's <inertial>, as a list of one or none."""
        robot = self.robot
        element = robot.child(link, "inertial")
        if element is None:
            return []
        values = robot.placement(element)
        mass, inertia = robot.child(element, "mass", required=True), robot.child(element, "inertia", required=True)
        if mass is not None and robot.number(mass, "value", required=True) is not None:
            values["mass"] = (mass.attrs["value"], mass, "value")
        full = [robot.number(inertia, name, required=True) for name in _MOMENTS] if inertia is not None else [None]
        if None in full or "mass" not in values:   # a stand-in, so that nobody complains of a missing mass as well
            return [make("inertial", element, {"pos": "0 0 0", "mass": "1", "diaginertia": "1 1 1"})]
        if any(full):
            turn = values.pop("quat", None)
            values["fullinertia"] = (format_floats(_turned(full, turn[0]) if turn else full), inertia, "ixx")
        else:
            values["diaginertia"] = ("0 0 0", inertia, "ixx")   # zeros stand for an inertia that is not known
        values.setdefault("pos", "0 0 0")
        return [make("inertial", element, values)]

    def shapes(self, link: Element) -> list[Element]:
        """Geoms of the link's visuals and collisions, in document order."""
        found: list[Element] = []
        color: tuple | None = None
        for element in link.children:
            if element.tag == "visual":
                color = self._color(element) or color
                if self.visuals:
                    found.append(self._geom(element, color, visual=True))
            elif element.tag == "collision":
                found.append(self._geom(element, color, visual=False))
        return found

    def _color(self, visual: Element) -> tuple | None:
        """The rgba a visual's material gives as (text, element, attribute), None for none."""
        material = self.robot.child(visual, "material")
        if material is None:
            return None
        color = self.robot.child(material, "color")
        if color is not None:
            rgba = self.robot.numbers(color, "rgba", 4, required=True)
            return (format_floats(rgba), color, "rgba") if rgba and rgba[0] >= 0 else None
        name = self.robot.text(material, "name")
        if name and name not in self.colors:
            self.robot.warn(material, f"material '{name}' has no colour", "Textures of a URDF's materials are not read", "name")
        return self.colors.get(name)

    def _geom(self, element: Element, color: tuple | None, visual: bool) -> Element:
        robot = self.robot
        values: dict = {}
        if name := self._name(element):
            values["name"] = (name, element, "name")
        geometry = robot.child(element, "geometry", required=True)
        shape = self._shape(geometry) if geometry is not None else None
        values.update(shape or {"type": "sphere", "size": "1"})   # a stand-in where an error has been said
        values.update(robot.placement(element))
        if visual:
            values.update(contype="0", conaffinity="0", group="1", density="0")
        if color:
            values["rgba"] = color
        return make("geom", element, values)

    def _name(self, element: Element) -> str:
        """The shape's name; '' for none, and for one in use already."""
        name = element.attrs.get("name", "")
        if name in self.names:
            self.robot.warn(element, f"the name '{name}' is already used; this shape stays without a name", attribute="name")
            return ""
        if name:
            self.names.add(name)
        return name

    def _shape(self, geometry: Element) -> dict | None:
        """Type and size, or mesh, of a geometry."""
        robot = self.robot
        for tag, sizes in _SHAPES.items():
            element = robot.child(geometry, tag)
            if element is None:
                continue
            numbers = [robot.numbers(element, name, count, required=True) for name, count, _ in sizes]
            if None in numbers:
                return None
            size = [x * factor for found, (_, _, factor) in zip(numbers, sizes, strict=True) for x in found]
            return {"type": tag, "size": (format_floats(size), element, sizes[0][0])}
        element = robot.child(geometry, "mesh")
        if element is not None:
            return self.meshes.shape(element)
        robot.error(geometry, "no shape that can be used", "A geometry holds a box, cylinder, sphere, capsule or mesh")
        return None


def _turned(full: list[float], quat: str) -> tuple:
    """An inertia (xx, yy, zz, xy, xz, yz) in the frame that its own is turned in by a quaternion's text."""
    xx, yy, zz, xy, xz, yz = full
    turn = matrix(tuple(map(float, quat.split())))
    m = product(product(turn, (xx, xy, xz, xy, yy, yz, xz, yz, zz)), transpose(turn))
    return m[0], m[4], m[8], m[1], m[2], m[5]


def _colors(robot: Robot) -> dict[str, tuple]:
    """Material name -> its colour as (text, element, attribute): the first that gives one, wherever it stands."""
    found: dict[str, tuple] = {}
    for element in robot.root.walk():
        name = element.attrs.get("name", "")
        color = element.first("color") if element.tag == "material" and name and name not in found else None
        if color is not None and (rgba := robot.numbers(color, "rgba", 4, required=True)) is not None:
            found[name] = (format_floats(rgba), color, "rgba")
    return {name: color for name, color in found.items() if not color[0].startswith("-")}

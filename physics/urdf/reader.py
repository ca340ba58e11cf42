"""URDF to MJCF: a <robot> tree becomes the <mujoco> tree that means the same, with every place still in the URDF's text.

Links become bodies, joints sit in their child link, links that nothing holds become children of the world; a root link called
'world' is the world itself. Tags of other programs (gazebo, transmission, safety_controller, ...) are left out.
Source: the URDF specification; MuJoCo documentation, Modeling chapter, "URDF extensions" (the <mujoco> element, defaults).
"""
from __future__ import annotations

from collections import Counter

from physics.errors import Issue
from physics.schema import schema
from physics.spec.element import NO_ATTRS, Element, made_id
from physics.urdf.joints import KINDS, follow, movers
from physics.urdf.links import Links
from physics.urdf.source import Robot, make

__all__ = ["convert"]

WORLD = "world"
SECTIONS = ("compiler", "option", "size")  # what <mujoco> may hold in a URDF


def convert(root: Element, issues: list[Issue]) -> Element:
    """The MJCF tree of a URDF tree; problems are added to `issues`."""
    robot = Robot(root, issues)
    settings = _settings(robot)
    links = Links(robot, visuals=settings[0].attrs["discardvisual"] != "true")
    tree = _Tree(robot)
    names = _joint_names(robot, tree.joints)
    worldbody, bodies = _bodies(tree, links, names)
    equalities = [follow(robot, joint, names[joint.id], tree.named) for joint in tree.joints]
    sections = [*settings]
    if links.meshes.assets:
        sections.append(make("asset", root, children=links.meshes.assets))
    sections.append(make("worldbody", root, children=(*worldbody, *bodies)))
    if any(equalities):
        sections.append(make("equality", root, children=[e for e in equalities if e is not None]))
    name = {"model": (root.attrs["name"], root, "name")} if root.attrs.get("name") else {}
    return _with_lasting_ids(make("mujoco", root, name, sections), root)


def _with_lasting_ids(made: Element, root: Element) -> Element:
    """The same tree with ids that follow from those of the URDF's elements: reading the same text again with these gives the same ids."""
    written = {element.origin.start: element.id for element in root.walk()}
    counts: Counter = Counter()
    ids: dict[int, int] = {}
    order = list(made.walk())
    for element in order:
        source = written[element.origin.start]
        ids[id(element)] = made_id(source, counts[source])
        counts[source] += 1
    new: dict[int, Element] = {}
    for element in reversed(order):   # what stands in an element before it
        new[id(element)] = element.with_changes(id=ids[id(element)], children=tuple([new[id(child)] for child in element.children]))
    return new[id(made)]


class _Tree:
    """Which link hangs on which. parent: link name -> joint above it; children: link name -> joints below it, in file order."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.links: dict[str, Element] = {}
        self.parent: dict[str, Element] = {}
        self.children: dict[str, list[Element]] = {}
        self.joints = [element for element in robot.root.children if element.tag == "joint"]
        self.named: dict[str, Element] = {}
        for element in robot.root.all("link"):
            name = robot.text(element, "name")
            if name in self.links:
                robot.error(element, f"the link name '{name}' is already used", f"First at {self.links[name].place}", "name")
            elif name:
                self.links[name] = element
        for joint in self.joints:
            self._hang(joint)
        self._refuse_loops()

    def _hang(self, joint: Element) -> None:
        robot = self.robot
        name = robot.text(joint, "name")
        if name:
            self.named.setdefault(name, joint)
        kind = robot.text(joint, "type")
        if kind and kind not in KINDS:
            robot.error(joint, f"'{kind}' is not a type of joint", f"Use one of {', '.join(KINDS)}", "type")
        ends = [self._end(joint, tag) for tag in ("parent", "child")]
        if None in ends:
            return
        parent, child = ends
        if child == WORLD:
            robot.error(joint, "the link 'world' cannot hang on another link", "Give the link another name")
        elif child in self.parent:
            robot.error(joint, f"link '{child}' hangs on two joints", f"Also on the one at {self.parent[child].place}; URDF has no loops")
        else:
            self.parent[child] = joint
            self.children.setdefault(parent, []).append(joint)

    def _end(self, joint: Element, tag: str) -> str | None:
        element = self.robot.child(joint, tag, required=True)
        name = self.robot.text(element, "link") if element is not None else ""
        if name and name not in self.links:
            self.robot.error(element, f"there is no link '{name}'", attribute="link")
        return name if name in self.links else None

    def _refuse_loops(self) -> None:
        reached = set(self.order())
        for name, element in self.links.items():
            if name not in reached and not self._said(name):
                self.robot.error(element, f"link '{name}' is part of a loop of joints, or hangs on one", "URDF has no loops: one link must be the root",
                                 "name")
                return   # one message for a loop is enough

    def _said(self, name: str) -> bool:
        """Whether the joint above a link already has an error."""
        joint = self.parent.get(name)
        return joint is not None and any(i.severity == "error" and i.place == joint.place for i in self.robot.issues)

    def order(self) -> list[str]:
        """Link names from the roots down, each after the one it hangs on, siblings in the order of their joints."""
        found: list[str] = []
        stack = [name for name in reversed(self.links) if name not in self.parent]
        while stack:
            name = stack.pop()
            found.append(name)
            stack.extend(reversed([self._child(joint) for joint in self.children.get(name, ())]))
        return found

    @staticmethod
    def _child(joint: Element) -> str:
        return joint.first("child").attrs["link"]

    def below(self, name: str) -> list[str]:
        """Names of the links hanging on a link."""
        return [self._child(joint) for joint in self.children.get(name, ())]


def _joint_names(robot: Robot, joints: list[Element]) -> dict[int, str]:
    """Joint id -> the name it gets: its own, or '' when another joint has that name."""
    found: dict[int, str] = {}
    taken: set[str] = set()
    for joint in joints:
        name = joint.attrs.get("name", "")
        if name and name in taken:
            robot.warn(joint, f"the joint name '{name}' is already used; this joint stays without a name", attribute="name")
            name = ""
        found[joint.id] = name
        taken.add(name)
    return found


def _bodies(tree: _Tree, links: Links, names: dict[int, str]) -> tuple[list[Element], list[Element]]:
    """(what the world itself holds, bodies in the world)."""
    shapes = {name: links.shapes(link) for name, link in tree.links.items()}   # in file order, as names and meshes are given out
    inertials = {name: links.inertial(link) for name, link in tree.links.items()}
    joints = {name: movers(tree.robot, joint, names[joint.id]) for name, joint in ((n, tree.parent[n]) for n in tree.links if n in tree.parent)}
    made: dict[str, list[Element]] = {}
    for name in reversed(tree.order()):   # from the leaves up, so that a long chain needs no recursion
        below = [body for child in tree.below(name) for body in made.pop(child)]
        if name == WORLD:
            made[name] = below
            continue
        link, joint = tree.links[name], tree.parent.get(name)
        values = {"name": (name, link, "name"), **(tree.robot.placement(joint) if joint is not None else {})}
        made[name] = [make("body", link, values, (*inertials[name], *joints.get(name, ()), *shapes[name], *below))]
    roots = [body for name in tree.links if name in made for body in made[name]]
    return shapes.get(WORLD, []), roots


def _settings(robot: Robot) -> list[Element]:
    """The sections compiler (always, with the defaults that hold for URDF), option and size."""
    holder = robot.child(robot.root, "mujoco")
    found: dict[str, Element] = {}
    for section in holder.children if holder is not None else ():
        if section.tag not in SECTIONS:
            robot.warn(section, f"<{section.tag}> is not read from a URDF", f"<mujoco> may hold {', '.join(SECTIONS)} here")
        elif section.tag in found:
            robot.error(section, f"<{section.tag}> may stand only once in <mujoco>", f"First at {found[section.tag].place}")
        else:
            found[section.tag] = _known(robot, section, section.tag)
    compiler = found.pop("compiler", None) or Element(0, "compiler", NO_ATTRS, (), robot.root.origin)
    values: dict = {"fusestatic": "true", "discardvisual": "true"}
    values.update({name: (text, compiler, name) for name, text in compiler.attrs.items()})
    values["angle"] = "radian"   # whatever the file says
    return [make("compiler", compiler, values, compiler.children), *found.values()]


def _known(robot: Robot, element: Element, path: str) -> Element:
    """A copy of a section of <mujoco> with what the language knows; the rest is left out with a warning."""
    spec = schema.lookup(path)
    values = {}
    for name, text in element.attrs.items():
        if name in spec.attributes:
            values[name] = (text, element, name)
        else:
            robot.warn(element, f"unknown attribute '{name}' in <{element.tag}> is left out", attribute=name)
    children = []
    for child in element.children:
        if schema.child_spec(path, child.tag) is None:
            robot.warn(child, f"unknown element <{child.tag}> in <{element.tag}> is left out")
        else:
            children.append(_known(robot, child, f"{path}/{child.tag}"))
    return make(element.tag, element, values, children)

"""A text under way: its elements, the names that references need, the files it points at, and what could not be said."""
from __future__ import annotations

from xml.sax.saxutils import quoteattr

from physics.model.asset_record import AssetFile
from physics.model.model import Model
from physics.schema.schema import lookup


class Node:
    """An element to be written: path in the schema, attributes as text, children."""

    __slots__ = ("path", "attrs", "children")

    def __init__(self, path: str, attrs: dict[str, str] | None = None):
        self.path, self.attrs = path, attrs if attrs is not None else {}
        self.children: list[Node] = []

    def add(self, path: str, attrs: dict[str, str] | None = None) -> Node:
        """A new last child."""
        child = Node(path, attrs)
        self.children.append(child)
        return child

    def lines(self, depth: int = 0):
        """Its text line by line; attributes in the schema's order."""
        order = {name: k for k, name in enumerate(lookup(self.path).attributes)}
        attrs = sorted((item for item in self.attrs.items() if item[1] is not None), key=lambda item: order.get(item[0], len(order)))
        head = "  " * depth + "<" + self.path.rpartition("/")[2] + "".join(f" {name}={quoteattr(text)}" for name, text in attrs)
        if not self.children:
            yield head + "/>"
            return
        yield head + ">"
        for child in self.children:
            yield from child.lines(depth + 1)
        yield "  " * depth + f"</{self.path.rpartition('/')[2]}>"


class Draft:
    """What the parts of the writer share. warnings: what the text cannot say; files: name in the text -> file beside it."""

    def __init__(self, model: Model, file_name):
        self.model = model
        self.warnings: list[str] = []
        self.files: dict[str, AssetFile] = {}
        self._file_name = file_name   # (draft, AssetFile) -> text of a file attribute
        self._nodes: dict[tuple[str, int], Node] = {}
        self._made: dict[tuple[str, int], str] = {}
        self.root = Node("mujoco", {"model": model.title or None})

    def warn(self, text: str) -> None:
        """Note something that the text does not keep."""
        if text not in self.warnings:
            self.warnings.append(text)

    def element(self, parent: Node, path: str, kind: str, index: int, attrs: dict[str, str]) -> Node:
        """A new element that others may refer to."""
        name = self.model.names[kind][index] or self._made.get((kind, index))
        node = parent.add(path, {"name": name or None, **attrs})
        self._nodes[kind, index] = node
        return node

    def refer(self, kind: str, index: int) -> str:
        """The name of an element; one that has none gets one."""
        name = self.model.names[kind][index]
        if name:
            return name
        if (kind, index) not in self._made:
            taken = {*self.model.names[kind], *(n for (k, _), n in self._made.items() if k == kind)}
            name = f"{kind}_{index}"
            while name in taken:
                name += "_"
            self._made[kind, index] = name
            if (kind, index) in self._nodes:
                self._nodes[kind, index].attrs["name"] = name
        return self._made[kind, index]

    def title(self, kind: str, index: int) -> str:
        """What a warning calls an element."""
        name = self.model.names[kind][index]
        return f"{kind} '{name}'" if name else f"{kind} {index}"

    def file(self, file: AssetFile) -> str:
        """Text of an attribute that names a file."""
        return self._file_name(self, file)

    def text(self) -> str:
        """The whole document, sections set apart by empty lines."""
        lines = []
        for section in self.root.children:
            if lines:
                lines.append("")
            lines.extend(section.lines(1))
        head = next(Node("mujoco", self.root.attrs).lines()).removesuffix("/>")
        return "\n".join([head + ">", *lines, "</mujoco>", ""])

"""What is compiled: the expanded tree, what its elements say with their default classes, and the settings they were written under."""
from __future__ import annotations

from dataclasses import dataclass

from physics.expand.expand import Expanded, expand
from physics.mjcf.reader import ReadResult
from physics.spec.defaults import Attrs, Resolver
from physics.spec.element import Element
from physics.spec.names import Names


@dataclass(eq=False)
class CompilerSettings:
    """What the <compiler> elements of one model say; attributes that are not explained are MJCF's."""

    autolimits: bool = True
    balanceinertia: bool = False
    boundinertia: float = 0.0
    boundmass: float = 0.0
    inertiafromgeom: str = "auto"
    inertiagrouprange: tuple[float, ...] = (0, 5)
    passthrough: str = "none"
    settotalmass: float = -1.0
    fitaabb: bool = False
    coordinate: str = "local"
    discardvisual: bool = False
    fusestatic: bool = False
    strippath: bool = False
    alignfree: bool = False
    meshdir: str = ""
    texturedir: str = ""
    eulerseq: str = "xyz"
    degree: bool = True   # whether angles are in degrees
    grouprange: tuple[int, ...] = (0, 5)   # inertiagrouprange in whole numbers
    source: object = None   # the file an attached model was read from


class Source:
    """The tree that the passes read.

    read_result: what the reader made of the files; expanded: the same without macros, its root the one to compile (discard.py may put another);
    stand_ins: whether broken assets are to be replaced (assets/stand_ins.py). settings: those of the model itself; scopes: those of an attached model, by the
    id of each element that came with it. refused: places whose elements may be missing here; partial: some elements were left out, so that counts in
    keyframes and references to them prove nothing. mass_only: ids of elements that are read for their mass and then forgotten; scaled: of those that a
    frame resizes.
    """

    def __init__(self, read_result: ReadResult, compat: str, stand_ins: bool):
        self.read_result = read_result
        self.expanded: Expanded = expand(read_result, compat)
        self.stand_ins = stand_ins
        self.settings = CompilerSettings()
        self.scopes: dict[int, CompilerSettings] = {}
        errors = [issue for issue in (*read_result.issues, *self.expanded.issues) if issue.severity == "error"]
        self.refused = {issue.place for issue in errors}
        self.partial = bool(errors)
        self.mass_only: frozenset[int] = frozenset()
        self.scaled: set[int] = set()
        self.put(self.expanded.root)

    def put(self, root: Element, resolver: Resolver | None = None) -> None:
        """Go on with another tree. resolver: of that, where there is one."""
        self.root = root
        self.resolver = resolver or Resolver(root)
        self._names: Names | None = None

    @property
    def declared(self) -> Names:
        """All names of the tree as it is now."""
        if self._names is None:
            self._names = Names(self.root)
        return self._names

    def attrs(self, element: Element) -> Attrs:
        """Resolved attributes of an element."""
        return self.resolver.attrs(element)

    def scope(self, element: Element) -> CompilerSettings:
        """The compiler settings an element was written under: its own model's where it was attached."""
        return self.scopes.get(element.id, self.settings)


def numbers(value) -> tuple:
    """A resolved list as plain floats; () for None."""
    return () if value is None else tuple(value.tolist())

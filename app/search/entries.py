"""What can be found: an Entry is one thing, a Source many of one kind, a Parts what sources are made of."""
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that the palette offers. key: names it for ever ('action:run'); keys: of the keyboard; note: what it is or does, a line;
    problem: why it cannot be done now, '' when it can; checked: state of a switch, None for what is none."""

    key: str
    title: str
    kind: str
    run: Callable[[], Any]
    keys: str = ""
    note: str = ""
    problem: str = ""
    checked: bool | None = None


@dataclass(slots=True)
class Source:
    """Things of one kind. Nothing is made of them before somebody asks: `titles` is called once, `entry(i)` for what is shown.

    id: beginning of the keys of its entries; find(rest of a key): the index of an entry, -1 for none; boost: added to how well an entry fits,
    so that few and often wanted things come before many; listed: whether it is shown while nothing is typed.
    """

    id: str
    kind: str
    titles: Callable[[], Sequence[str]]
    entry: Callable[[int], Entry]
    find: Callable[[str], int]
    boost: float = 0.0
    listed: bool = False
    _texts: list[str] | None = field(default=None, repr=False)

    def texts(self) -> list[str]:
        """What is searched: titles and the name of the kind, in small letters."""
        if self._texts is None:
            kind = self.kind.lower()
            self._texts = [f"{title.lower()}  {kind}" if title else "" for title in self.titles()]
        return self._texts

    def at(self, key: str) -> Entry | None:
        """The entry of a key ('body:torso'), None when it is none of this source, or not there any more."""
        source, _, rest = key.partition(":")
        index = self.find(rest) if source == self.id else -1
        return self.entry(index) if index >= 0 else None


@dataclass(frozen=True, slots=True)
class Parts:
    """What sources and entries may use: the application's context, settings and actions, and the controllers of one window."""

    context: Any
    settings: Any
    window: Any
    simulation: Any
    view: Any
    files: Any
    program: Any

    @property
    def actions(self) -> dict:
        """The window's actions by id."""
        return self.window.qt_actions

"""Which expressions are taken at every step: the sum of what every panel that looks at some has asked for."""
from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from physics.runtime import commands


class Traced:
    """One for a window. Each owner (a chart, a breakpoint, any hashable) names its expressions by `trace`; their values at every step are in Snapshot.trace from
    then on. An owner that is hidden or gone asks for nothing: trace(owner, ())."""

    def __init__(self, send: Callable[[object], None]):
        self._send = send   # takes the command
        self._owners: dict[Hashable, tuple[str, ...]] = {}
        self._sent: tuple[str, ...] = ()

    def trace(self, owner: Hashable, texts: Iterable[str]) -> None:
        """These expressions and no others for this owner from now on."""
        texts = tuple(dict.fromkeys(texts))
        if texts:
            self._owners[owner] = texts
        else:
            self._owners.pop(owner, None)
        if self.all != self._sent:
            self._sent = self.all
            self._send(commands.SetTrace(self._sent))

    def of(self, owner: Hashable) -> tuple[str, ...]:
        """What an owner has asked for."""
        return self._owners.get(owner, ())

    @property
    def all(self) -> tuple[str, ...]:
        """Every expression, once."""
        return tuple(dict.fromkeys(text for texts in self._owners.values() for text in texts))

"""Which fields of Data the snapshots carry beside their own: the sum of what every panel that looks at some has asked for."""
from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from physics.fields.layout import LAYOUTS
from physics.runtime import commands


def is_field_of_data(name: str) -> bool:
    """Whether Data has a field, an array or a single number, of this name."""
    layout = LAYOUTS["d"]
    return name in layout.arrays or name in layout.scalars


class WatchedFields:
    """One for a window. Each owner (a panel, a plot, any hashable) names its fields by `watch`; their union is in Snapshot.watch soon afterwards.

    An owner that is hidden or gone asks for nothing: watch(owner, ()).
    """

    def __init__(self, send: Callable[[object], None]):
        self._send = send   # takes the command
        self._owners: dict[Hashable, tuple[str, ...]] = {}
        self._sent: tuple[str, ...] = ()

    def watch(self, owner: Hashable, names: Iterable[str]) -> None:
        """These fields and no others for this owner from now on. Raises KeyError for a name that Data has not."""
        names = tuple(dict.fromkeys(names))
        for name in names:
            if not is_field_of_data(name):
                raise KeyError(name)
        if names:
            self._owners[owner] = names
        else:
            self._owners.pop(owner, None)
        if self.all != self._sent:
            self._sent = self.all
            self._send(commands.Watch(self._sent))

    def of(self, owner: Hashable) -> tuple[str, ...]:
        """What an owner watches."""
        return self._owners.get(owner, ())

    @property
    def all(self) -> tuple[str, ...]:
        """Every watched field, once."""
        return tuple(dict.fromkeys(name for names in self._owners.values() for name in names))

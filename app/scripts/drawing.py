"""draw(markers): called in the window's thread, once for each snapshot that is shown; one that does not end is stopped by itself, as the window waits for it."""
from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from app.scripts.script import Script
from physics.runtime import events
from physics.runtime.hooks.call_guard import CallGuard
from physics.runtime.hooks.hook import Hook, Hooks

LIMIT, LOOK = 1.0, 0.25     # s: that a call may take; between two looks


class Markers(Protocol):
    """What scripts draw into: app.bridge.markers.Markers."""

    def frame(self, owner: str) -> AbstractContextManager: ...

    def owner(self, name: str) -> Any: ...

    def clear(self, owner: str) -> None: ...


def owner_of(script: Script) -> str:
    """The name under which a script draws."""
    return f"script {script.path}"


class Drawing:
    """The draw functions of all scripts. What one draws replaces, as a whole, what it drew for the moment before."""

    def __init__(self, say: Callable[[str, str], None], changed: Callable[[], None]):
        self._say, self._changed = say, changed
        self.guard = CallGuard()
        self._hooks = Hooks((), self.guard)
        self._scripts: Sequence[tuple[Script, Hook]] = ()
        self._watch: threading.Thread | None = None
        self._over = threading.Event()

    def choose(self, scripts: Sequence[tuple[Script, Hook]]) -> None:
        """Call these from now on."""
        self._scripts = scripts
        self._hooks = Hooks([hook for _script, hook in scripts], self.guard)
        if scripts and self._watch is None:
            self._watch = threading.Thread(target=self._look, name="draw watch", daemon=True)
            self._watch.start()

    @property
    def wanted(self) -> bool:
        """Whether any script draws."""
        return bool(self._scripts)

    def draw(self, markers: Markers, m, snapshot) -> None:
        """Call them all; of one that fails nothing stays."""
        for script, hook in self._scripts:
            if hook.failure is None:
                behind = (m, snapshot) if hook.takes == 3 else ()
                if not self._hooks.call(hook, self._tell, markers, owner_of(script), hook, behind, function=_into):
                    markers.clear(owner_of(script))
                    self._changed()

    def _tell(self, kind: str, text: str, **_details) -> None:
        self._say("warning" if kind == events.HOOK_SLOW else "error", text)

    def _look(self) -> None:
        """In a thread of its own: stop what does not end."""
        while not self._over.wait(LOOK):
            under_way = self.guard.under_way()
            if under_way is not None and under_way[1] > LIMIT:
                self.guard.stop()

    def close(self) -> None:
        """Call nothing any more."""
        self._scripts = ()
        self._over.set()


def _into(markers: Markers, owner: str, hook: Hook, behind: tuple) -> None:
    with markers.frame(owner) as frame:
        hook.function(frame, *behind)

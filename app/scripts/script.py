"""One script of a window: its file, what it gave when it was loaded last, and what went wrong."""
from __future__ import annotations

from pathlib import Path

from app.scripts.declared import Control
from app.scripts.loading import Loaded
from physics.runtime.hooks.call_guard import CallGuard
from physics.runtime.hooks.failure import Failure
from physics.runtime.hooks.hook import Hook

OFF, LOADING, FAILED, ON = "off", "loading", "failed", "on"


class Script:
    """path: the file; entry: what the user has opened, the file itself or its folder.

    on: whether the user wants it; loaded: what runs, also after a newer text failed to load (`failure`); values: of its controls, by name, kept from load to load.
    guard: knows of the load that is under way, None without one; version: counts loads.
    """

    def __init__(self, path: Path, entry: Path, on: bool = True, values: dict | None = None):
        self.path, self.entry, self.on = path, entry, on
        self.values: dict = dict(values or {})
        self.loaded: Loaded | None = None
        self.failure: Failure | None = None
        self.guard: CallGuard | None = None
        self.version = 0

    @property
    def name(self) -> str:
        """Name of the file."""
        return self.path.name

    @property
    def state(self) -> str:
        """'off', 'loading', 'failed' (to load, or one of its functions), 'on'."""
        if not self.on:
            return OFF
        if self.guard is not None:
            return LOADING
        return FAILED if self.problem is not None else ON

    @property
    def problem(self) -> Failure | None:
        """What went wrong last: with the file, or with one of its functions."""
        return self.failure or next((hook.failure for hook in self.hooks if hook.failure is not None), None)

    @property
    def hooks(self) -> tuple[Hook, ...]:
        """All that is called, buttons too; nothing while it is off."""
        return (*self.loaded.hooks.values(), *self.loaded.buttons) if self.on and self.loaded is not None else ()

    @property
    def controls(self) -> list[Control]:
        """Sliders, switches and choices."""
        return self.loaded.declared.controls if self.on and self.loaded is not None else []

    @property
    def plots(self) -> list[tuple[str, ...]]:
        """The charts that it declares."""
        return self.loaded.declared.plots if self.on and self.loaded is not None else []

    def hook(self, kind: str) -> Hook | None:
        """The function of that name, where it is on."""
        found = self.loaded.hooks.get(kind) if self.on and self.loaded is not None else None
        return found if found is not None and found.failure is None else None

    def keep_values(self) -> dict:
        """Present values of the controls by name, which the next load takes up."""
        if self.loaded is not None:
            names = {control.name for control in self.loaded.declared.controls}
            self.values = {**{name: value for name, value in self.values.items() if name not in names}, **self.loaded.declared.values()}
        return self.values

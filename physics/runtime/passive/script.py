"""The script's Model and Data as commands of the window change them: what `sync` does with these, between two steps of the script."""
from __future__ import annotations

from physics.engine.advance import before_step
from physics.runtime.passive.shown import Told
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation


class _Unrecorded:
    """In place of a history: a script's Data keeps no record."""

    edited, index = False, 0

    def __len__(self) -> int:
        return 0

    def border(self, kind: str, text: str) -> None:
        """Nothing."""

    def rewrite(self) -> None:
        """Nothing."""


class ScriptSimulation(Simulation):
    """Performs commands on the user's own Model and Data, in the thread that calls `perform_all`; steps are the script's."""

    def __init__(self, m, d):
        super().__init__(ready=True)
        self.model, self.data, self.running = m, d, True
        self.history = _Unrecorded()

    def note(self, kind: str, value) -> None:
        """A script's run has no journal: the script is its inputs."""

    def perform_all(self, commands, running: bool) -> None:
        """Carry the window's commands out, then find the mouse's force and the control noise for the next step. running: whether time is to pass."""
        self.running = running
        for command in commands:
            perform(self, command)
        if self.stale and not running:
            self.refresh()
        self.stale = False
        m, d = self.model, self.data
        if running and (d.perturb_active or d.noise_scale) and not m.view_only and not m.wrong_numbers():
            before_step.at_once(m, d)

    def told(self, heard: int) -> Told:
        """What the window is to know beside the state. heard: how often it has asked to run, pause or step."""
        return Told(self.running, heard, self.starts, self.start_key, self.values.shown(self.model))

    def happened(self) -> tuple[tuple[str, str], ...]:
        """(kind, text) of what there is to tell since the last call."""
        out = tuple((event.kind, event.text) for event in self.events)
        self.events.clear()
        return out

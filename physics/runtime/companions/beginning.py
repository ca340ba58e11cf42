"""What a live companion begins with: the primary's present, taken over in its physics thread between two steps."""
from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import live_values
from physics.model.state_fields import State
from physics.recording.journal import Journal, JournalReader
from physics.recording.models import ModelStore
from physics.runtime import targets
from physics.runtime.simulation import Simulation
from physics.runtime.targets import Target


@dataclass(frozen=True, slots=True)
class Beginning:
    """model: that of the primary then, with live: the values that may be set in it; state: what moves; noise: (scale, rate, seed, step); number: of the present entry of its
    history; time [s]; file_timestep: what its file says of the time step [s]; changed: as ChangedValues.items; key: keyframe that resets go to; autoreset: whether the
    primary starts over when it diverges; settings: {attribute of Simulation: value}; journal, reader: of all that is done from then on; models: where later Models
    are found."""

    model: Model
    live: Mapping[str, Any]
    state: State
    noise: tuple
    number: int
    time: float
    file_timestep: float
    changed: tuple[tuple[Target, Any, Any], ...]
    key: int | None
    autoreset: bool
    settings: Mapping[str, Any]
    journal: Journal
    reader: JournalReader
    models: ModelStore

    @classmethod
    def of(cls, primary: Simulation) -> Beginning:
        """The present of a Simulation that has a Model, in its thread."""
        m, d = primary.model, primary.data
        changed = primary.values.items(m)
        timestep = next((file_value for target, file_value, _ in changed if target.name == "opt_timestep"), m.opt_timestep)
        settings = {"pause_update": primary.pause_update, "critical_damping": primary.critical_damping, "running": primary.running, "stale": primary.stale}
        return cls(m, live_values(m), State.of(d), (d.noise_scale, d.noise_rate, d.noise_seed, d.noise_step), primary.history.number, float(d.time), float(timestep), changed,
                   primary.start_key, primary.autoreset, settings, primary.journal, JournalReader(primary.journal), primary.models)


def begin_beside(primary: Simulation, model: Model, data: Data) -> Beginning | None:
    """The present of a Simulation, copied into `data` bit by bit, which belongs to a copy of `model`; None where another Model runs by now."""
    if primary.model is not model:
        return None
    data.copy_fields(primary.data)
    return Beginning.of(primary)


class CommonBeginning:
    """A moment of the primary at which several companions begin, each when its thread comes to it. The first takes it, under `lock`, and puts it here for the others.

    of: the primary's Model, held until all have begun; data: its Data then, of a copy of the Model that nobody runs."""

    def __init__(self):
        self.lock = threading.Lock()
        self.of: Model | None = None
        self.data: Data | None = None
        self._begun: Beginning | None = None

    def keep(self, of: Model, data: Data, begun: Beginning) -> None:
        """What the first has found."""
        self.of, self.data, self._begun = of, data, replace(begun, reader=begun.reader.again())

    @property
    def begun(self) -> Beginning:
        """For one more of them: with a reader of the journal of its own."""
        return replace(self._begun, reader=self._begun.reader.again())


def same_structure(m: Model, other: Model) -> bool:
    """Whether the elements of two Models have the same numbers and names, so that what is meant by number for one is right for the other."""
    sizes = (name for name in m.layout.scalars if name.startswith("n"))
    return m is other or all(getattr(m, name) == getattr(other, name) for name in sizes) and dict(m.names) == dict(other.names)


def is_timestep(target: Target) -> bool:
    """Whether a value that can be set is the time step."""
    return target.kind == targets.OPT and target.name == "opt_timestep"

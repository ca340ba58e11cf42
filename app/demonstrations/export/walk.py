"""Goes through an episode at a chosen rate: computes what follows from each state, takes observations and actions, and draws pictures.

    states at t0 + k / rate --forward--> observations, poses --> arrays
                                     --OffscreenRenderer--> pictures, handed on one by one
"""
from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import numpy as np

from app.demonstrations.episodes import SUCCESS, Episode
from app.demonstrations.export.actions import Actions
from app.demonstrations.export.plan import EpisodeArrays, ExportError, ExportPlan
from app.demonstrations.sources import Demonstrations
from app.demonstrations.states import EpisodeStates, states_of
from physics.engine.constraint.contact_force import contact_forces
from physics.errors import ModelError
from physics.model.data import Data
from physics.model.model import Model
from physics.quantities.leaves import FieldLeaf, OneMoment
from physics.quantities.quantity import Quantity, compile_quantity
from physics.quantities.syntax import ExpressionError
from physics.recording.trace_columns import traceable
from physics.runtime.recorded.entries import put
from physics.runtime.snapshot import Snapshot
from physics.simulate.step import forward

Picture = Callable[[str, int, np.ndarray], None]    # camera, number of the state, (height, width, 3) uint8
Taken = Callable[[float], None]     # share of the states that were taken


def entries_at(states: EpisodeStates, rate: float, timestep: float) -> np.ndarray:
    """Numbers of the entries nearest to t0, t0 + 1 / rate, ... as far as there are some. Raises ExportError where two of them are one."""
    if rate * timestep > 1 + 1e-9:
        raise ExportError(f"--rate {rate:g} is more than the {1 / timestep:g} steps per second that there are")
    time = states.time - states.time[0]
    count = int(np.floor((time[-1] + timestep / 2) * rate + 1e-9)) + 1
    wanted = np.arange(count) / rate
    after = np.clip(np.searchsorted(time, wanted - 1e-12), 1, max(1, len(time) - 1))
    nearer = np.where(wanted - time[after - 1] <= time[after] - wanted, after - 1, after) if len(time) > 1 else np.zeros(count, int)
    if (np.diff(nearer) <= 0).any():
        raise ExportError(f"its time does not go on evenly: two of {rate:g} states per second would be the same")
    return states.episode.first + nearer


class Walk:
    """Through episodes of one recording. renderer: an OffscreenRenderer where there are cameras, else None."""

    def __init__(self, of: Demonstrations, plan: ExportPlan, renderer=None):
        self._of, self._plan, self._renderer = of, plan, renderer

    def count(self, m: Model, states: EpisodeStates) -> int:
        """How many actions an episode has at the rate that is wanted."""
        return len(entries_at(states, self._plan.rate, float(m.opt_timestep))) - 1

    def states(self, episode: Episode) -> EpisodeStates:
        """Its states. Raises RecordingError."""
        return states_of(self._of, episode)

    def arrays(self, m: Model, states: EpisodeStates, picture: Picture = lambda camera, k, image: None, taken: Taken = lambda share: None) -> EpisodeArrays:
        """All of an episode; pictures of every state on the way, of which taken(share) tells how many were. Raises ExportError."""
        plan, episode = self._plan, states.episode
        entries = entries_at(states, plan.rate, float(m.opt_timestep))
        if len(entries) < 2:
            raise ExportError(f"{self._of.name}, episode {episode.number}: it is shorter than one control period")
        observing, actions = _Observing(m, plan.observe), Actions(m, plan, states, entries)
        draw = _Drawing(self._renderer, m, plan) if plan.cameras else None
        d, flat, notes = Data(m), [], tuple(states.held)
        for k, entry in enumerate(entries.tolist()):
            piece, row = states.at(entry)
            put(d, piece, row, notes)
            for name, numbers in states.driven.get(entry, {}).items():
                if name != "time":
                    getattr(d, name).reshape(-1)[:] = np.ravel(numbers)
            forward(m, d)
            flat.append(np.concatenate([[d.time], d.qpos, d.qvel]))
            observing.take(d)
            actions.take(k, d)
            if draw is not None:
                draw(k, d, picture)
            taken((k + 1) / len(entries))
        found, names = observing.arrays()
        rewards = np.zeros(len(entries) - 1)
        rewards[-1] = episode.outcome == SUCCESS
        time = np.array([row[0] for row in flat])
        return EpisodeArrays(
            episode.task, episode.outcome, self._of.name, episode.number, time - time[0], np.array(flat), found, actions.array(), rewards,
            tuple(episode.driver(entry) for entry in entries[:-1].tolist()), {"action": actions.names, **names}, self._xml(m, states.model), m.title or self._of.name)

    def _xml(self, m: Model, number: int) -> str:
        """The model's text: as it was written, where it is one file, else as it is compiled."""
        from physics.writer.mjcf import to_mjcf

        texts = dict(self._of.recording.model(number).texts)
        if len(texts) == 1:
            return next(iter(texts.values()))
        try:
            return to_mjcf(m)
        except (ModelError, ValueError) as why:
            raise ExportError(f"{self._of.name}: its model cannot be written as text: {why}") from None


class _Observing:
    """Values of expressions, state by state."""

    def __init__(self, m: Model, texts: tuple[str, ...]):
        self._m = m
        self._quantities: dict[str, Quantity] = {}
        for text in texts:
            try:
                self._quantities[text] = compile_quantity(m, text)
            except ExpressionError as why:
                raise ExportError(f"{text}: {why}") from None
            if not all(map(traceable, self._quantities[text].leaves)):
                raise ExportError(f"{text}: its number of rows changes from state to state")
        self._memories: dict[str, dict] = {text: {} for text in texts}
        self._found: dict[str, list[np.ndarray]] = {text: [] for text in texts}

    def take(self, d: Data) -> None:
        """The present state's."""
        source = OneMoment(self._m, d, lambda: contact_forces.at_once(self._m, d))
        for text, quantity in self._quantities.items():
            self._found[text].append(np.ravel(quantity.values(source, self._memories[text])[0]))

    def arrays(self) -> tuple[dict[str, np.ndarray], dict[str, tuple[str, ...]]]:
        """({expression: (n + 1, numbers)}, what each number is). What deriv has not at the first state is 0."""
        found = {text: np.array(rows) for text, rows in self._found.items()}
        for array in found.values():
            array[0] = np.where(np.isnan(array[0]), 0.0, array[0])
        return found, {text: names_of(self._m, quantity) for text, quantity in self._quantities.items()}


def names_of(m: Model, quantity: Quantity) -> tuple[str, ...]:
    """What each number of a quantity is: of qpos and qvel the joint, else the expression with its place."""
    count = int(np.prod(quantity.shape, dtype=int))
    field = next((leaf.name for leaf in quantity.leaves if isinstance(leaf, FieldLeaf)), "")
    if quantity.text == field and field in ADDRESSES:
        address = getattr(m, ADDRESSES[field])
        of = np.searchsorted(address, np.arange(count), "right") - 1
        sizes = np.bincount(of, minlength=m.njnt)
        return tuple(f"{m.names['joint'][j] or f'joint{j}'}{f'[{k - address[j]}]' if sizes[j] > 1 else ''}{'' if field == 'qpos' else '.vel'}" for k, j in enumerate(of.tolist()))
    return (quantity.text,) if count == 1 else tuple(f"{quantity.text}[{k}]" for k in range(count))


ADDRESSES = MappingProxyType({"qpos": "jnt_qposadr", "qvel": "jnt_dofadr"})


class _Drawing:
    """Pictures of states by the cameras of a plan."""

    def __init__(self, renderer, m: Model, plan: ExportPlan):
        from app.bridge.options import VisOptions
        from app.film.offscreen_renderer import Texts
        from app.pictures import camera_named

        self._renderer, self._m, self._size, self._snapshot = renderer, m, plan.size, None
        self._options, self._texts = VisOptions(), Texts(labels=False)
        try:
            self._cameras = {name: camera_named(m, name) for name in plan.cameras}
        except KeyError as why:
            raise ExportError(str(why.args[0])) from None

    def __call__(self, k: int, d: Data, picture: Picture) -> None:
        if self._snapshot is None:
            self._snapshot = Snapshot(self._m, d, 1)
        self._snapshot.copy_from(d)
        for name, camera in self._cameras.items():
            picture(name, k, self._renderer.shot(self._snapshot, self._options, camera, self._size, self._texts))

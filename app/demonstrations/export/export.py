"""From recordings to a data set: which episodes, checked to be of one kind, one after the other."""
from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

import numpy as np

from app.demonstrations.episodes import Episode
from app.demonstrations.export.lerobot import V3, V21, lerobot_writer
from app.demonstrations.export.plan import WHICH, EpisodeArrays, ExportError, ExportPlan
from app.demonstrations.export.robomimic import robomimic_writer
from app.demonstrations.export.walk import Walk
from app.demonstrations.sources import CompileTexts, opened, told
from app.demonstrations.states import Models


class Writer(Protocol):
    """Makes a data set: for each episode begin, pictures by camera and state, end."""

    def begin(self, n: int) -> None:
        """An episode of n actions."""

    def picture(self, camera: str, k: int, image: np.ndarray) -> None:
        """Of state k, 0 to n."""

    def end(self, arrays: EpisodeArrays) -> None:
        """All else of it."""

    def close(self) -> dict:
        """No more of them; what there is, for people: 'episodes', 'frames'."""


FORMATS: Mapping[str, Callable[[Path, ExportPlan, bool], AbstractContextManager[Writer]]] = MappingProxyType({
    "robomimic": robomimic_writer, "lerobot": partial(lerobot_writer, layout=V3), "lerobot2": partial(lerobot_writer, layout=V21)})


def export(paths: Sequence[Path], output: Path, form: str, plan: ExportPlan, renderer=None, compile_texts: CompileTexts | None = None,
           tell: Callable[[str], None] = lambda text: None, chosen: Mapping[Path, Collection[int]] = MappingProxyType({}), progress: Callable[[float], None] = lambda share: None) -> dict:
    """Write the episodes of recordings as a data set. renderer: an OffscreenRenderer, needed where the plan has cameras. tell(line): an episode that is left out, and why.
    chosen: {recording: numbers of the only episodes of it that are wanted}; progress(share): how much is done, by steps. What was written: {'episodes', 'frames', 'left_out'}. Kernels must be compiled. Raises ExportError, RecordingError, FilmError, OSError."""
    if form not in FORMATS:
        raise ExportError(f"there is no format '{form}'; there are: {', '.join(FORMATS)}")
    wanted = [(path, tuple(episode for episode in told(path)[1] if episode.outcome in WHICH[plan.which] and (path not in chosen or episode.number in chosen[path]))) for path in paths]
    every = [episode for _path, episodes in wanted for episode in episodes]
    if not every:
        raise ExportError(f"there is no episode to export ({plan.which})")
    drivers = {who for episode in every for _entry, who in episode.drivers}
    left_out, kind, steps, before = 0, None, max(1, sum(episode.steps for episode in every)), 0
    with FORMATS[form](output, plan, len(drivers) > 1) as writer:
        for path, episodes in wanted:
            if not episodes:
                continue
            with opened(path, compile_texts) as of:
                walk, models = Walk(of, plan, renderer), Models(of)
                for episode in (part for listed in episodes for part in wanted_parts(of.episode(listed.number), plan)):
                    at, before = before, before + episode.steps
                    model, states = models.of(episode), walk.states(episode)
                    n = walk.count(model, states)
                    if n < 1:
                        left_out += 1
                        tell(f"{of.name}, episode {episode.number}: left out, as it is shorter than one control period")
                        continue
                    writer.begin(n)
                    arrays = walk.arrays(model, states, writer.picture, lambda share, at=at, of=episode: progress((at + share * of.steps) / steps))
                    kind = _same_kind(kind, arrays)
                    writer.end(arrays)
        done = writer.close()
        if not done["episodes"]:
            raise ExportError(f"no episode {f'has a part that a {plan.driver} drove and that is' if plan.driver else 'is'} as long as one control period")
    return {**done, "left_out": left_out}


def wanted_parts(episode: Episode, plan: ExportPlan) -> tuple[Episode, ...]:
    """The episode, or what the plan's driver drove of it."""
    return episode.parts(plan.driver) if plan.driver else (episode,)


def _same_kind(kind, arrays: EpisodeArrays):
    """What all episodes of a data set have alike. Raises ExportError."""
    mine = (arrays.names["action"], tuple((text, names) for text, names in arrays.names.items() if text != "action"), arrays.states.shape[1])
    if kind is not None and mine != kind:
        raise ExportError(f"{arrays.source}, episode {arrays.number}: its actions or observations are others than those before; a data set is of one model")
    return mine

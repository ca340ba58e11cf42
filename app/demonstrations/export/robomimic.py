"""robomimic's HDF5: one file, a group for each episode.

    data                      attrs total (actions in all), env_args (JSON)
    data/demo_<k>             attrs num_samples, model_file (XML), task, outcome, source, episode
      states (n, 1 + nq + nv)     time, qpos, qvel
      actions (n, numbers), rewards (n), dones (n), action_modes (n): 1 a person, 0 a policy, 2 a script drove
      obs/<name> (n, ...)         obs/<camera>_image (n, height, width, 3) uint8
      next_obs/<name>             the same, one state later
    mask/train, valid, success    names of episodes
"""
from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import numpy as np

from app.demonstrations.episodes import PERSON, POLICY, SCRIPT, SUCCESS
from app.demonstrations.export.plan import EpisodeArrays, ExportError, ExportPlan
from physics.files.atomic_write import replacing_by_name

MODES = MappingProxyType({POLICY: 0, PERSON: 1, SCRIPT: 2})
GYM = 2         # robomimic's number for environments of gymnasium's kind
SPLIT_SEED = 0


class RobomimicWriter:
    """Writes into an open file (h5py.File)."""

    def __init__(self, file, plan: ExportPlan):
        self._file, self._plan = file, plan
        self._data = file.create_group("data")
        self._group = None
        self._names: list[str] = []
        self._outcomes: list[str] = []
        self._total = 0
        self._model = ""

    def begin(self, n: int) -> None:
        """An episode of n actions."""
        self._group, self._n = self._data.create_group(f"demo_{len(self._names)}"), n
        width, height = self._plan.size
        for of in ("obs", "next_obs"):
            self._group.create_group(of)
            for camera in self._plan.cameras:
                self._group[of].create_dataset(image_name(camera), (n, height, width, 3), np.uint8, chunks=(1, height, width, 3), compression="gzip", compression_opts=1)

    def picture(self, camera: str, k: int, image: np.ndarray) -> None:
        """Of state k."""
        if k < self._n:
            self._group["obs"][image_name(camera)][k] = image
        if k:
            self._group["next_obs"][image_name(camera)][k - 1] = image

    def end(self, arrays: EpisodeArrays) -> None:
        """All else of it."""
        group, n = self._group, len(arrays)
        dones = np.zeros(n, np.int64)
        dones[-1] = 1
        for name, values in (("states", arrays.states[:-1]), ("actions", arrays.actions), ("rewards", arrays.rewards), ("dones", dones),
                             ("action_modes", np.array([MODES.get(who, 2) for who in arrays.drivers], np.int64))):
            group.create_dataset(name, data=values)
        for text, values in arrays.observed.items():
            group["obs"].create_dataset(key_of(text), data=values[:-1])
            group["next_obs"].create_dataset(key_of(text), data=values[1:])
        group.attrs["num_samples"] = n
        group.attrs["model_file"] = arrays.xml.replace("\0", "")
        for name, value in (("task", arrays.task), ("outcome", arrays.outcome), ("source", arrays.source), ("episode", arrays.number)):
            group.attrs[name] = value
        self._names.append(group.name.rpartition("/")[2])
        self._outcomes.append(arrays.outcome)
        self._total, self._model = self._total + n, arrays.model

    def close(self) -> dict:
        """No more of them."""
        from physics.recording.about import about

        args = {"env_name": self._model, "env_version": about()["linkwork"], "type": GYM,
                "env_kwargs": {"control_freq": self._plan.rate, "actions": self._plan.actions, "camera_names": list(self._plan.cameras), "camera_widths": self._plan.size[0],
                               "camera_heights": self._plan.size[1]}}
        self._data.attrs["total"] = self._total
        self._data.attrs["env_args"] = json.dumps(args)
        valid = held_out(len(self._names), self._plan.valid)
        masks = {"train": [name for k, name in enumerate(self._names) if k not in valid], "valid": [name for k, name in enumerate(self._names) if k in valid],
                 "success": [name for name, outcome in zip(self._names, self._outcomes, strict=True) if outcome == SUCCESS]}
        for name, names in masks.items():
            self._file.create_dataset(f"mask/{name}", data=np.array(names, dtype="S"))
        return {"episodes": len(self._names), "frames": self._total}


@contextmanager
def robomimic_writer(path: Path, plan: ExportPlan, drivers: bool = True) -> Iterator[RobomimicWriter]:
    """A file that is there when all of it is. drivers: it always tells who drove. Raises ExportError where HDF5 is missing, OSError."""
    try:
        import h5py
    except ImportError as why:
        raise ExportError(f'robomimic\'s files need the package h5py: pip install "linkwork[demo]" ({why})') from None
    with replacing_by_name(path) as temporary:
        with h5py.File(temporary, "w", libver="latest") as file:     # texts of models are longer than attributes of older files may be
            yield RobomimicWriter(file, plan)


def held_out(count: int, share: float) -> frozenset[int]:
    """Numbers of the episodes for validation: a share of them, at least one where there are two, the same each time."""
    n = min(count - 1, max(1, round(share * count))) if share > 0 and count > 1 else 0
    return frozenset(np.random.Generator(np.random.PCG64(SPLIT_SEED)).permutation(count)[:max(0, n)].tolist())


def key_of(text: str) -> str:
    """A name for an expression: 'site("grip").xpos' becomes 'site_grip_xpos'."""
    return re.sub(r"\W+", "_", text).strip("_") or "value"


def image_name(camera: str) -> str:
    """Of a camera's pictures."""
    return f"{key_of(camera)}_image"

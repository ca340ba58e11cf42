"""What judges data sets: robomimic's own schema, and lerobot-doctor where it is there.

lerobot-doctor is for tests alone and no dependency: `pip install lerobot-doctor==0.2.0`, or the path of its wheel in LINKWORK_LEROBOT_DOCTOR.
"""
from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path

import h5py
import numpy as np

WHEEL = "LINKWORK_LEROBOT_DOCTOR"
MISSING = f"lerobot-doctor is not there: pip install lerobot-doctor==0.2.0, or {WHEEL}=path of its wheel"


def has_doctor() -> bool:
    """Whether lerobot-doctor can be imported; a wheel is read as it is."""
    wheel = os.environ.get(WHEEL)
    if wheel and Path(wheel).is_file() and wheel not in sys.path:
        sys.path.append(wheel)
    return importlib.util.find_spec("lerobot_doctor") is not None


def doctor(folder: Path) -> dict[str, list[str]]:
    """{severity: messages} of all its checks."""
    from lerobot_doctor.dataset_loader import load_local
    from lerobot_doctor.runner import run_checks

    found: dict[str, list[str]] = {"PASS": [], "WARN": [], "FAIL": []}
    for result in run_checks(load_local(folder)).results:
        for message in result.messages:
            found[message.severity.value].append(f"{result.name}: {message.message}")
    return found


def check_robomimic(path: Path) -> dict[str, int]:
    """Raises AssertionError where a file is not as robomimic reads it; {episode: actions}."""
    lengths = {}
    with h5py.File(path) as file:
        data = file["data"]
        args = json.loads(data.attrs["env_args"])
        assert isinstance(args["env_name"], str) and args["type"] in (1, 2, 3) and isinstance(args["env_kwargs"], dict)
        for name in data:
            demo = data[name]
            n = int(demo.attrs["num_samples"])
            assert name.startswith("demo_") and isinstance(demo.attrs["model_file"], str) and "<mujoco" in demo.attrs["model_file"]
            for field in ("states", "actions", "rewards", "dones"):
                assert len(demo[field]) == n, (name, field)
            assert demo["states"].ndim == demo["actions"].ndim == 2 and demo["rewards"].shape == demo["dones"].shape == (n,)
            assert demo["dones"][-1] == 1 and not demo["dones"][:-1].any()
            assert set(demo["obs"]) == set(demo["next_obs"]) and len(demo["obs"]) > 0
            for key in demo["obs"]:
                now, later = demo["obs"][key], demo["next_obs"][key]
                assert len(now) == len(later) == n and now.shape == later.shape and now.dtype == later.dtype
                assert np.array_equal(now[1:], later[:-1])
            lengths[name] = n
        assert int(data.attrs["total"]) == sum(lengths.values())
        masks = {name: {one.decode() for one in file["mask"][name][:].tolist()} for name in file["mask"]}
        assert masks["train"] | masks["valid"] == set(lengths) and not masks["train"] & masks["valid"] and masks["success"] <= set(lengths)
    return lengths

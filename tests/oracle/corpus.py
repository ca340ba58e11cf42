"""The models people really have: where they are, and the control they are judged under.

The corpus lies beside the checkout (or in the folder named by LINKWORK_CORPUS). Where it is absent, small models of ours with
the same features take the place of single ones (tests/models/stand_ins.json), and tests that need the corpus itself skip with a clear message,
which the run's last lines count; under CI=true that is a failure, because a skipped proof is no proof.
"""
import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
ABSENT = "the model corpus is not at"
NO_LIST = "the list of MJCF attributes is not at"   # it lies beside the corpus
OURS = tuple(sorted(path for folder in ("models", "tests/models") for path in (REPOSITORY / folder).iterdir() if path.suffix in (".xml", ".urdf")))
CONTROL = {"kind": "sine", "amp": 0.3, "unlimited_half": 0.3}   # of stand-ins


def corpus_dir() -> Path:
    """The folder that holds manifest.json; it may not exist."""
    return Path(os.environ.get("LINKWORK_CORPUS", REPOSITORY.parent / "shared" / "corpus" / "open"))


def has_corpus() -> bool:
    """Whether the corpus is there."""
    return (corpus_dir() / "manifest.json").exists()


def require_corpus() -> Path:
    """The corpus folder, or skip this test (fail under CI=true) saying what is missing."""
    if not has_corpus():
        message = f"{ABSENT} {corpus_dir()} (set LINKWORK_CORPUS to its 'open' folder)"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return corpus_dir()


def absent_line(skipped: list[tuple[str, str]]) -> str:
    """What a run without the corpus says at its end. skipped: (id of the test, why it was skipped)."""
    wanting = [name for name, why in skipped if ABSENT in why or NO_LIST in why]
    files = {name.partition("::")[0] for name in wanting}
    return (f"The model corpus is not at {corpus_dir()}: {len(wanting)} tests in {len(files)} files were skipped for want of it; "
            f"the others ran on {len(OURS)} models of ours (models, tests/models)")


def stand_in(name: str) -> Path | None:
    """The model of ours that takes the place of one of the corpus (its name, or its file below the folder) where that is absent; None where there is none."""
    table = json.loads((REPOSITORY / "tests" / "models" / "stand_ins.json").read_text())
    return next((REPOSITORY / path for path, names in table.items() if name in names), None)


def corpus_file(name: str) -> Path:
    """A file of the corpus, or what takes its place; skips (fails under CI=true) where there is neither."""
    if has_corpus() or os.environ.get("CI") == "true":
        return require_corpus() / name
    return stand_in(name) or require_corpus() / name


@dataclass(frozen=True)
class Entry:
    """One model of a manifest: its file and how it is driven."""

    name: str
    path: Path
    oracle: str
    initial: str
    control: dict
    growth: dict
    max_controlled_contacts: int

    @property
    def starts_at_key(self) -> bool:
        return self.initial == "key0"


def read_manifest(folder: Path) -> list[Entry]:
    """Entries of `folder/manifest.json`, in file order."""
    manifest = json.loads((folder / "manifest.json").read_text())
    return [
        Entry(
            name=row["name"],
            path=folder / row["main"],
            oracle=row["oracle"],
            initial=row["initial"],
            control=row["control"],
            growth={float(t): g for t, g in row.get("growth_1e9", {}).items()},
            max_controlled_contacts=(row.get("ncon") or {}).get("max_controlled_1s") or 0,
        )
        for row in manifest["models"]
    ]


def entry(name: str, exact: bool = False) -> Entry:
    """One entry of the corpus by name, or, unless it must be exactly that, what takes its place where that is absent.

    Raises KeyError when the manifest has no such model.
    """
    ours = None if exact or has_corpus() or os.environ.get("CI") == "true" else stand_in(name)
    if ours is not None:
        return Entry(name, ours, "4.0.0", "key0" if "<keyframe>" in ours.read_text() else "default", CONTROL, {0.02: 1.0}, 0)
    for row in read_manifest(require_corpus()):
        if row.name == name:
            return row
    raise KeyError(name)


class ManifestControl:
    """The manifest's control as a function of time: sines of fixed frequency and phase about the centre of each actuator's range.

    u_i(t) = c_i + amp h_i sin(2 pi f_i t + phi_i), clipped to ctrlrange where limited; `kind: zero` leaves the centre out.
    Frequencies and phases are the fractional parts of (i + 1) times two irrational numbers.
    """

    def __init__(self, model, spec: dict, from_key: bool):
        number = np.arange(1, model.nu + 1, dtype=float)
        self.frequency = 0.5 + 1.5 * np.mod(0.6180339887498949 * number, 1.0)
        self.phase = 2.0 * np.pi * np.mod(0.7548776662466927 * number, 1.0)
        limited = np.asarray(model.actuator_ctrllimited, bool)
        low, high = np.asarray(model.actuator_ctrlrange).reshape(-1, 2).T
        moving = spec["kind"] == "sine"
        self.low = np.where(limited, low, -np.inf)
        self.high = np.where(limited, high, np.inf)
        self.centre = np.where(limited & moving, (low + high) / 2.0, 0.0)
        if from_key:
            self.centre = np.array(model.key_ctrl[0], float)
        self.swing = spec["amp"] * np.where(limited, (high - low) / 2.0, spec.get("unlimited_half", 0.0)) if moving else np.zeros(model.nu)

    def __call__(self, time: float) -> np.ndarray:
        """Control at `time`; shape (nu,)."""
        u = self.centre + self.swing * np.sin(2.0 * np.pi * self.frequency * time + self.phase)
        return np.clip(u, self.low, self.high)

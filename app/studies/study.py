"""What a study is about, as its file says it (study_file.py)."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.studies.goal import Goal


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that a study varies. name: as physics.tuning.model_values has it, or ACTUATOR@K for a knot of a control; low, high: its range; log: in even ratios;
    numbers: those that a grid visits, () where only its range is known."""

    name: str
    low: float
    high: float
    log: bool = False
    numbers: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Start:
    """key: a keyframe's name, '' for the start of the model. qpos, qvel: standard deviations of what is added to each coordinate of hinges, slides and all velocities, drawn by
    the seed [rad or m, rad/s or m/s]."""

    key: str = ""
    qpos: float = 0.0
    qvel: float = 0.0


@dataclass(frozen=True, slots=True)
class Control:
    """Controls as cubic splines through knots at equal times. actuators: names, () for all; knots: of each."""

    actuators: tuple[str, ...] = ()
    knots: int = 0


@dataclass(frozen=True, slots=True)
class Search:
    """how: one of app.studies.searches.SEARCHES; trials: at most so many points; population: points at a time, 0 for the search's own number; sigma: of the first population,
    as a share of the ranges; seed: of what the search draws."""

    how: str = "grid"
    trials: int = 0
    population: int = 0
    sigma: float = 0.3
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Keep:
    """So many of the best points are kept by themselves: as recordings, as films."""

    recordings: int = 0
    films: int = 0


@dataclass(frozen=True, slots=True)
class Study:
    """path: its file; model: that of the model; seconds: simulated, of each run; seeds: runs of each point, which differ by what is drawn; fixed: values that all runs have."""

    path: Path
    model: Path
    goal: Goal
    seconds: float
    seeds: int = 1
    vary: tuple[Parameter, ...] = ()
    fixed: tuple[tuple[str, float], ...] = ()
    start: Start = Start()
    control: Control = Control()
    search: Search = Search()
    engine: str = ""
    keep: Keep = Keep()

    @property
    def table(self) -> Path:
        """Where its results are kept."""
        return self.path.with_suffix(".results.csv")

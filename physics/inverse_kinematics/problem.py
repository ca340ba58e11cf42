"""What inverse kinematics is asked for, and what it answers.

A target is a point of a body, geom or site that should be at a position, have an orientation, or both. Pins are targets that come first: where not all can be
met they are met, as equality constraints and contacts are.
"""
from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.model.element_index import index_of
from physics.model.model import Model

# kind of element -> (field of its body, of its position, of its orientation as a matrix)
FRAMES = MappingProxyType({"body": ("", "xpos", "xmat"), "geom": ("geom_bodyid", "geom_xpos", "geom_xmat"), "site": ("site_bodyid", "site_xpos", "site_xmat")})
ROOTS = ("last", "fixed", "free")
NOWHERE = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class IKTarget:
    """Where a point of an element is wanted.

    kind: 'body', 'geom' or 'site'; element: index or name; point: in the element's frame [m]; pos (3): where it is wanted [m, world], None: anywhere;
    quat (4): the element's orientation that is wanted (world), None: any. weight: of the position, quat_weight: of the orientation; a radian counts as much as a
    fifth of the mechanism's length. A pin without pos and quat keeps the point where it is at the start.
    """

    kind: str
    element: int | str
    pos: tuple | None = None
    quat: tuple | None = None
    point: tuple = NOWHERE
    weight: float = 1.0
    quat_weight: float = 1.0

    def indices(self, m: Model) -> tuple[int, int]:
        """(index of the element, of its body). Raises KeyError for another kind or name, IndexError for another index."""
        if self.kind not in FRAMES:
            raise KeyError(f"'{self.kind}' cannot be put anywhere; there are: {', '.join(FRAMES)}")
        i = index_of(m, self.kind, self.element)
        owner = FRAMES[self.kind][0]
        return i, int(getattr(m, owner)[i]) if owner else i


@dataclass(frozen=True, slots=True)
class IKOptions:
    """What holds while targets are looked for.

    limits: ranges of joints and tendons; equality: equality constraints that are on; contacts: geoms go no deeper into each other than at the start; posture: how strongly the
    pose keeps to the rest pose where the targets leave a choice (0: not at all, 1: as far as they do). root: what floats (a free joint with other joints below
    it) moves 'last', where the other joints do not reach, is 'fixed', or 'free' to move as they do. locked: joints, by index or name, that do not move.
    iterations: at most, of one start; tolerance [m], quat_tolerance [rad]: of a target that is met; restarts: how often to begin again from a random pose within
    the limits (drawn by seed) while the targets are not met. quick: one start, with few improvements of the posture, for poses that follow a pointer.
    """

    limits: bool = True
    equality: bool = True
    contacts: bool = False
    posture: float = 1.0
    root: str = "last"
    locked: tuple = ()
    iterations: int = 100
    tolerance: float = 1e-5
    quat_tolerance: float = 1e-4
    restarts: int = 0
    seed: int = 0
    quick: bool = False

    def __post_init__(self):
        if self.root not in ROOTS:
            raise ValueError(f"root is '{self.root}'; there are: {', '.join(ROOTS)}")


@dataclass(frozen=True, slots=True)
class IKResult:
    """The pose that was found. converged: all targets and pins are met within the tolerance, and so is what the options ask for.

    pos_errors [m], quat_errors [rad]: of the targets in their order (0 for what was not asked), pin_errors [m]: of the pins. equality: the largest residual of an
    equality constraint [m or rad]; depth: how much deeper than at the start two geoms are in each other [m]. at_limit: joints above a target that are at the end of their range.
    restarts: how many other starts were tried. settled: more iterations would not change the pose. tendon: how far beyond its range a tendon is [m or rad];
    tendons_at_limit: those at the end of their range. equality_at: the constraint that `equality` is of, -1: none. pin_quat_errors [rad]: of the pins.
    """

    qpos: np.ndarray
    converged: bool
    pos_errors: tuple[float, ...]
    quat_errors: tuple[float, ...]
    pin_errors: tuple[float, ...]
    equality: float
    depth: float
    iterations: int
    at_limit: tuple[int, ...]
    restarts: int = 0
    settled: bool = True
    tendon: float = 0.0
    tendons_at_limit: tuple[int, ...] = ()
    equality_at: int = -1
    pin_quat_errors: tuple[float, ...] = ()

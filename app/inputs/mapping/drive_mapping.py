"""Which source drives what, and how: a mapping, which mapping_file.py reads and writes."""
from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import dataclass, field

SUFFIX = ".teleop.toml"
KINDS = ("mocap", "pull", "controls", "joints", "base", "ik", "osc", "legs", "hand")     # of drives: app.inputs.drives.table


@dataclass(frozen=True, slots=True)
class Limits:
    """Of a target. min, max (3) [m]: a box of the world, None: none; speed [m/s], turn [rad/s]; jump: [m, rad] in one sample that is taken for a lost track; lead: [m, rad] that the
    target may be ahead of what it moves."""

    min: tuple[float, float, float] | None = None
    max: tuple[float, float, float] | None = None
    speed: float = 0.6
    turn: float = 3.0
    jump: tuple[float, float] = (0.06, 0.4363323129985824)
    lead: tuple[float, float] = (0.05, 0.3490658503988659)


@dataclass(frozen=True, slots=True)
class Filter:
    """One-euro filter: min_cutoff [Hz], beta [s/m or s/rad], lead [s] by which it looks ahead (at most 0.03). None: as the kind of source has it."""

    min_cutoff: float | None = None
    beta: float | None = None
    lead: float = 0.0


@dataclass(frozen=True, slots=True)
class Gripper:
    """An axis or button of the source, 0..1, to controls: actuators: name -> (control at 0, at 1). toggle: a press changes between them."""

    axis: str = "trigger"
    actuators: Table[str, tuple[float, float]] = field(default_factory=dict)
    toggle: bool = False


@dataclass(frozen=True, slots=True)
class Haptics:
    """of: an expression of physics.quantities with one number or vector, or 'contacts:BODY'; full: the value [N] at which the pulse is strongest."""

    of: str = ""
    full: float = 20.0


@dataclass(frozen=True, slots=True)
class DriveMapping:
    """One source and one drive.

    name: for people and in recordings; source: as of table.py; kind: as of drives.table. What is driven, by the kind: mocap: name of a mocap body; site; body; joints, actuators: names.
    scale: (of ways, of turns); zoom: axes or buttons that change that of ways while they are pushed, '-' before one that makes it smaller. clutch: a button, 'toggle:BUTTON', or 'always'; '' as the kind of source has it.
    grab: a button or axis that, held by both hands of a two-handed source with their clutches closed, moves the scene instead of the targets. frame: 'view', 'world', 'tool', or 'base:BODY'. axes: what moves the target where the source has
    no pose: an axis of table.TWIST -> axes or buttons of the source, '-' before one that counts negatively; speed of a full axis: limits.speed and limits.turn.
    controls: axis or button of the source -> (actuator, control at rest or at 0, at 1). leader: joint of the source -> (joint here, offset [rad or m], sign).
    feet: of a walker: sites, geoms, or bodies, whose lowest geom is meant. stance: joint -> position that it stands in [rad, m]; none: as it is when it is armed. tips: finger ('thumb', 'index', 'middle', 'ring', 'little') -> the site at its tip. options: further numbers of the kind.
    """

    name: str
    source: str
    kind: str
    mocap: str = ""
    site: str = ""
    body: str = ""
    joints: tuple[str, ...] = ()
    actuators: tuple[str, ...] = ()
    scale: tuple[float, float] = (1.0, 1.0)
    clutch: str = ""
    zoom: tuple[str, ...] = ()
    grab: str = ""
    frame: str = "view"
    axes: Table[str, tuple[str, ...]] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    filter: Filter = field(default_factory=Filter)
    gripper: Gripper | None = None
    haptics: Haptics | None = None
    controls: Table[str, tuple[str, float, float]] = field(default_factory=dict)
    leader: Table[str, tuple[str, float, float]] = field(default_factory=dict)
    feet: tuple[str, ...] = ()
    stance: Table[str, float] = field(default_factory=dict)
    tips: Table[str, str] = field(default_factory=dict)
    options: Table[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mapping:
    """Drives in their order. buttons: of any source -> an event (sample.EVENTS), as {'pad:0 start': 'start'}."""

    drives: tuple[DriveMapping, ...] = ()
    buttons: Table[str, str] = field(default_factory=dict)

"""What kinds of drives have in common."""
from __future__ import annotations

from app.inputs.drives.drive import Problem
from app.inputs.servos import control_index
from app.inputs.mapping.drive_mapping import DriveMapping
from app.inputs.mapping.rotation import of_matrix
from app.inputs.mapping.soft_takeover import Waiting
from app.inputs.sample import Pose
from physics.model.model import Model
from physics.name_hints import hint


class DriveBase:
    """A drive that follows nothing and holds nothing; kinds replace what is otherwise."""

    has_pose = lets_go = regulates = busy = False
    waiting: tuple[Waiting, ...] = ()

    def __init__(self, mapping: DriveMapping):
        self.mapping = mapping

    def bind(self, m: Model) -> list[Problem]:
        """See Drive."""
        return []

    def pose(self, snapshot) -> Pose | None:
        """See Drive."""
        return None

    def actual(self, snapshot) -> Pose | None:
        """See Drive."""
        return None

    def begin(self, snapshot) -> list:
        """See Drive."""
        return []

    def settle(self, snapshot) -> list:
        """See Drive."""
        return []

    def forget(self) -> None:
        """See Drive."""

    def hold(self) -> list:
        """See Drive."""
        return []

    def end(self) -> list:
        """See Drive."""
        return []

    def named(self, m: Model, kind: str, field: str, name: str, problems: list[Problem]) -> int:
        """The index of an element; -1, with a problem noted, where there is none of this name."""
        i = m.id(kind, name) if name else -1
        if i < 0:
            said = f"the model has no {kind} of this name{hint(name, filter(None, m.names[kind]))}" if name else f"a {kind} must be named"
            problems.append(Problem(self.mapping.name, field, name, said))
        return i


def control_named(drive: DriveBase, m: Model, field: str, name: str, problems: list[Problem]) -> int:
    """The index of the control of an actuator; -1, with a problem noted, where there is none."""
    actuator = drive.named(m, "actuator", field, name, problems)
    if actuator < 0:
        return -1
    found = control_index(m, actuator)
    if found < 0:
        problems.append(Problem(drive.mapping.name, field, name, f"this actuator has {int(m.actuator_ctrlnum[actuator])} controls, where one is needed"))
    return found


def site_pose(snapshot, site: int) -> Pose:
    """Of a site in the world."""
    return Pose(tuple(snapshot.site_xpos[site].tolist()), of_matrix(snapshot.site_xmat[site]))


def body_pose(snapshot, body: int) -> Pose:
    """Of a body's frame in the world."""
    return Pose(tuple(snapshot.xpos[body].tolist()), tuple(snapshot.xquat[body].tolist()))

"""Models as they stand when they are opened, for programs that compare pictures."""
from pathlib import Path

import physics
from physics.engine.kinematics.kinematics import kinematics
from physics.runtime.snapshot import Snapshot


def opened(path: Path, key: bool):
    """(Model, Snapshot) of a file at its start or at its first keyframe; of a model that can only be viewed the poses. Raises ModelError where it does not load."""
    m = physics.load(path)
    d = physics.Data(m)
    if key:
        physics.reset(m, d, 0)
    try:
        physics.forward(m, d)
    except physics.ViewOnlyError:
        kinematics(m, d)
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    return m, snapshot

"""What the Pose tool minds, as the settings remember it."""
from __future__ import annotations

from types import MappingProxyType

from app.settings import Settings
from physics.inverse_kinematics.problem import IKOptions

# setting -> (text, what it means)
SWITCHES = MappingProxyType({
    "pose/limits": ("Limits", "Joints stay within their ranges"),
    "pose/equality": ("Equality", "Equality constraints that are on hold: connect, weld, coupled joints and tendons"),
    "pose/contacts": ("Contacts", "Geoms go no deeper into each other than when the drag began"),
    "pose/posture": ("Posture", "Where the target leaves a choice the pose stays near that of before the drag"),
})
ROOT = "pose/root"
ROOTS = MappingProxyType({"last": "Root moves last", "fixed": "Root is fixed", "free": "Root moves freely"})
ROOT_TIP = "What a free joint lets float, such as the trunk of a humanoid: it moves only where the other joints do not reach, not at all, or as they do"


def options_of(settings: Settings) -> IKOptions:
    """Options of the solver."""
    return IKOptions(limits=settings.get("pose/limits"), equality=settings.get("pose/equality"), contacts=settings.get("pose/contacts"),
                     posture=1.0 if settings.get("pose/posture") else 0.0, root=settings.get(ROOT))

"""Where elements of the text are in the world at qpos0: the frames of bodies and <frame>s one in another; joints do not count there.

Of what a replicate repeats the first copy is meant, which stands where the pattern does.
"""
from __future__ import annotations

from itertools import takewhile

from editor.edits.version import Version, outward
from editor.notation.orientation import NOTATIONS
from editor.structure.draft import Refusal
from editor.structure.placement import UNIT_POSE, Pose, pose_of
from editor.wording import what
from physics.expand.replicate import Settings, angle_settings
from physics.rotation import quaternion
from physics.spec.defaults import Resolver
from physics.spec.element import Element

__all__ = ["holder_pose", "in_body_tree", "own_pose", "relative", "settings_of"]

HOLDERS = frozenset({"worldbody", "body", "frame", "replicate"})
PLACES = frozenset({"pos", "fromto", *NOTATIONS})


def settings_of(version: Version) -> Settings:
    """How angles are written: (degrees, eulerseq)."""
    return angle_settings(version.root)


def own_pose(resolver: Resolver, element: Element, settings: Settings) -> Pose:
    """The frame of an element in what it stands in. Raises Refusal where its numbers cannot be read: they would count as not given."""
    attrs = resolver.attrs(element)
    if wrong := attrs.unreadable(PLACES):
        raise Refusal(f"{what(element)}: {wrong}: mend it first")
    return pose_of(attrs, settings)


def in_body_tree(version: Version, number: int) -> bool:
    """Whether an element is the world, or stands in it."""
    return any(node.tag == "worldbody" for node in outward(version, number))


def holder_pose(version: Version, resolver: Resolver, number: int) -> Pose:
    """The frame, in the world at qpos0, in which an element holds what stands in it. Raises Refusal in a frame that resizes its contents, and where numbers cannot be read."""
    settings, pose = settings_of(version), UNIT_POSE
    for holder in reversed(list(takewhile(lambda node: node.tag in HOLDERS, outward(version, number)))):
        if holder.tag in ("body", "frame"):
            _refuse_scale(holder)
            pose = quaternion.compose(*pose, *own_pose(resolver, holder, settings))
    return pose


def _refuse_scale(frame: Element) -> None:
    if frame.tag == "frame" and any(word not in ("1", "1.0") for word in frame.attrs.get("scale", "1").split()):
        raise Refusal(f"{what(frame)} resizes what stands in it: take its scale away first")


def relative(new: Pose, old: Pose) -> Pose:
    """The frame `old`, seen from `new`."""
    return quaternion.compose(*quaternion.invert(*new), *old)

"""Two hands that take hold of the scene: while both hold the button of their mapping's `grab`, with their clutches closed, they move the frame between themselves and the scene, and the targets stay."""
from __future__ import annotations

from collections.abc import Sequence
from math import dist

from app.inputs.channel import Channel
from app.inputs.mapping.scene_frame import SceneFrame

SIDES = ("left", "right")


def other_hand(source: str) -> str:
    """The source of the other hand ('xr:right' of 'xr:left'); '' where a source is no hand."""
    for side, other in (SIDES, SIDES[::-1]):
        if source.endswith(side):
            return source[:-len(side)] + other
    return ""


class TwoHands:
    """left, right: drives of both hands that name a button for it; all: every drive of these hands. frame: where their space is in the scene."""

    def __init__(self, left: Channel, right: Channel, every: Sequence[Channel]):
        self.left, self.right, self.all = left, right, tuple(every)
        self.frame = SceneFrame()
        self._begun: tuple | None = None        # frame and hands when they took hold
        self._hands: tuple | None = None

    def level(self) -> None:
        """The frame of the beginning; targets stay, as clutches take a new reference."""
        self.frame, self._begun = SceneFrame(), None
        for channel in self.all:
            channel.scene, channel.at_scene = self.frame, False
            channel.clutch.open()

    def turn(self) -> None:
        """After the drives have had their turn."""
        one, other = self.left.grip, self.right.grip
        if one is None or other is None:
            self._begun = None
        else:
            hands = one.pos, other.pos
            if self._begun is None or any(dist(a, b) > self.left.mapping.limits.jump[0] for a, b in zip(hands, self._hands)):
                self._begun = self.frame, hands     # a track that was lost and found again is held anew
            begun, held = self._begun
            self.frame, self._hands = begun.dragged(held, hands), hands
        for channel in self.all:
            channel.scene, channel.at_scene = self.frame, self._begun is not None


def pairs(channels: Sequence[Channel]) -> list[TwoHands]:
    """The pairs of hands among the drives."""
    found, first = [], {}
    for channel in channels:
        if channel.mapping.grab:
            first.setdefault(channel.mapping.source, channel)
    for source, channel in first.items():
        partner = first.get(other_hand(source))
        if partner is not None and source.endswith(SIDES[0]):
            found.append(TwoHands(channel, partner, [one for one in channels if one.mapping.source in (source, partner.mapping.source)]))
    return found

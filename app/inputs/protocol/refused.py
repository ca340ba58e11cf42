"""Why a message is not taken."""
from __future__ import annotations


class Refused(ValueError):
    """A message that is not taken; `reason` is one sentence for whoever sent it, with nothing in it that came from outside but names of keys."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason

"""What the physics thread has to tell: a list that the window polls once per frame (Runner.events)."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

SWAPPED = "swapped"  # details: model, generation, report, note, document
DIVERGED = "diverged"  # details: quantity, dof, joint, body, time, last_steps (a physics.recording.last_steps.LastSteps, or None), reset (bool): whether it starts over by itself
NOTE = "note"  # details: issue
WARNING = "warning"  # details: warning, count, info
REFUSED = "refused"  # details: issues; a command that this model or state does not allow
ERROR = "error"  # details: command; a command that failed
RUNNING = "running"  # details: running (bool)
DROPPED = "dropped"  # details: values; values set in the window that another text or model does not keep
CUT = "cut"  # details: steps (that running on from an earlier entry has made a branch), number (of the newest entry that is left on the line)
BREAKPOINT = "breakpoint"  # details: expression, time; the run paused as this expression became true
HOOK_FAILED = "hook failed"  # details: hook, failure; a function of the user's that raised, or was stopped, and is off
HOOK_SLOW = "slow hook"  # details: hook, seconds
READY = "ready"  # the compiled kernels are in use
WAITING = "waiting"  # a script has not come round to what it was asked


@dataclass(frozen=True, slots=True)
class Event:
    """One message; text is a sentence for a person."""

    kind: str
    text: str
    details: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

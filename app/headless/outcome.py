"""How a command ends: exit codes, and the exception that carries one with its message."""
from __future__ import annotations

DONE, PROBLEM, USAGE, DIVERGED, NO_GL = range(5)
INTERRUPTED = 130   # by Ctrl+C, as shells count it


class Failed(Exception):
    """Ends the command with a message and an exit code."""

    def __init__(self, text: str, code: int = PROBLEM):
        super().__init__(text)
        self.code = code

"""Which keys belong together: a word that is typed is undone at once, and what comes after a jump of the cursor by itself."""
from __future__ import annotations

from editor.edits.patch import Patch

__all__ = ["TypingRuns"]


class TypingRuns:
    """Numbers the runs: those of one number are keys struck one behind the other, within a word."""

    def __init__(self):
        self._run = 1
        self._at = -1           # where the next key belongs to the run: behind what was written last
        self._space = False     # that was white space

    def jumped(self) -> None:
        """The cursor was put elsewhere, or somebody else has changed the text."""
        self._at = -1

    def of(self, patches: tuple[Patch, ...]) -> int:
        """The number of the run that a change of the text belongs to; 0 for one that is a change by itself: what is pasted, a selection that is cut."""
        patch = patches[0]
        taken, letters = patch.end - patch.start, len(patch.text.strip())
        if len(patches) > 1 or letters > 1 or (taken > 1 and not letters):
            self.jumped()
            return 0
        erasing, space = not patch.text, patch.text.isspace()
        goes_on = taken < 2 and self._at in ((patch.start, patch.end) if erasing else (patch.start,))
        if not goes_on or (self._space and not erasing and not space):
            self._run += 1
        self._at, self._space = patch.start + len(patch.text), space
        return self._run

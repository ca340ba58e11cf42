"""One gesture: a drag, a turn of the wheel, a slider. Each of its motions takes the place of the one before; at its end it is one entry of the history, or nothing.

    gesture = Gesture(document)    show(edit) ... show(edit)    end() -> the edit, in the history   |   cancel() -> the texts as they were

The patches of every edit that is shown are of the texts with which the gesture began, so that no place in them goes stale.
"""
from __future__ import annotations

import time
from typing import Protocol

from editor.edits.history import History
from editor.edits.patch import Edit, apply, compose, inverse

__all__ = ["Gesture"]


class Texts(Protocol):
    """What holds the texts (editor.document.Document)."""

    history: History

    def texts(self) -> dict[str, str]: ...

    def put(self, edit: Edit) -> None: ...


class Gesture:
    """version of the document at its beginning: `texts`. shown: the edit that is in force, of those texts; None for none."""

    def __init__(self, document: Texts):
        document.history.seal()
        self._document = document
        self.texts = document.texts()
        self.shown: Edit | None = None
        self.ended = False

    def show(self, edit: Edit | None) -> Edit:
        """Put what an edit of the texts at the beginning makes in place of what was shown before (None: of nothing); what has changed by that, as an edit of the present texts.

        Raises ValueError for an edit that does not fit, or a gesture that has ended; then nothing has changed.
        """
        if self.ended:
            raise ValueError("the gesture has ended")
        if edit is not None:
            apply(self.texts, edit)
        back = inverse(self.shown, self.texts) if self.shown is not None else Edit("", ())
        done = compose(back, edit) if edit is not None else back
        self._document.put(done)
        self.shown = edit
        return done

    def end(self) -> Edit | None:
        """Keep what is shown, as one entry of the history; the edit, None where nothing is."""
        self.ended = True
        if self.shown is not None and self.shown.patches:
            self._document.history.seal()
            self._document.history.add(self.shown, inverse(self.shown, self.texts), time.monotonic())
            self._document.history.seal()
        return self.shown

    def cancel(self) -> Edit:
        """Back to the texts at the beginning; what has changed by that. Leaves no entry."""
        done = self.show(None)
        self.ended = True
        return done

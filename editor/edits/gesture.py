"""One gesture: a drag, a turn of the wheel, a slider. Each of its motions takes the place of the one before; at its end it is one entry of the history, or nothing.

    gesture = Gesture(document)    show(edit) ... show(edit)    end() -> the edit, in the history   |   cancel() -> the texts as they were

The patches of every edit that is shown are of the texts with which the gesture began, so that no place in them goes stale.
"""
from __future__ import annotations

from typing import TYPE_CHECKING

from editor.edits.handing_over import handed_over, same_places
from editor.edits.patch import Edit, apply, compose, inverse
from editor.edits.version import carried, taken_away

if TYPE_CHECKING:
    from editor.edits.edited_texts import EditedTexts

__all__ = ["Gesture"]


class Gesture:
    """version of the document at its beginning: `texts`. shown: the edit that is in force, of those texts; None for none. Another one that is under way ends by this one."""

    def __init__(self, document: EditedTexts):
        if document.open_gesture is not None:
            document.open_gesture.end()
        document.history.seal()
        document.open_gesture = self
        self._document = document
        self._ids = document.known_ids
        self.texts = document.texts()
        self.shown: Edit | None = None
        self.ended = False

    def show(self, edit: Edit | None) -> Edit:
        """Put what an edit of the texts at the beginning makes in place of what was shown before (None: of nothing); what has changed by that, as an edit of the present texts.

        Raises ValueError for an edit that does not fit, texts that are only read, or a gesture that has ended; then nothing has changed.
        """
        document = self._document
        if self.ended:
            raise ValueError("the gesture has ended")
        if document.sealed:
            raise ValueError(document.sealed)
        ids = self._ids
        if edit is not None:
            apply(self.texts, edit)
            made = same_places(self.shown, edit, self.texts, document.known_ids) if self.shown is not None else {}
            for file, moved in handed_over(edit, self.texts, ids).items():
                made.setdefault(file, {}).update(moved)
            ids = carried(ids, edit, made)
        back = inverse(self.shown, self.texts) if self.shown is not None else Edit("", ())
        done = compose(back, edit) if edit is not None else back
        document.put(done, ids=ids)
        self.shown = edit
        return done

    def end(self) -> Edit | None:
        """Keep what is shown, as one entry of the history; the edit, None where nothing is."""
        if self._close() and self.shown is not None and self.shown.patches:
            document = self._document
            document.history.seal()
            document.added(self.shown, inverse(self.shown, self.texts), taken_away(self._ids, self.shown))
            document.history.seal()
        return self.shown

    def cancel(self) -> Edit:
        """Back to the texts at the beginning; what has changed by that. Leaves no entry."""
        if self.ended:
            return Edit("", ())
        done = self.show(None)
        self._close()
        return done

    def _close(self) -> bool:
        """Whether it was still under way."""
        was, self.ended = not self.ended, True
        if self._document.open_gesture is self:
            self._document.open_gesture = None
        return was

"""Where tuned values can be written, and writing them: by one Edit, or while a handle is dragged by a gesture, which is one entry of what can be undone."""
from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.context import AppContext
from app.panels.pipeline.newest_work import NewestWork
from app.panels.tuner.present_text import PresentText
from app.session import Session
from editor.edits.patch import Edit
from editor.inspect.subject import Reading
from editor.tuning.edits import edit_of
from editor.tuning.place import Kind, Place
from editor.tuning.places import attribute_values, places
from physics.tuning.law import Parameters
from physics.tuning.target import Target

BESIDE = 1e-3           # relative
COALESCED_MS = 12       # motions within this time are one
FOLLOWS = frozenset((Kind.ELEMENT, Kind.PATTERN, Kind.CLASS, Kind.PAIR, Kind.BOTH))     # places that are there: the running Model follows a drag


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be written: parameters in place of those in force."""

    target: Target
    before: Parameters
    after: Parameters

    def values(self, both: bool = False) -> Mapping[str, tuple[float, ...]]:
        """What differs, both: all of it; where nothing does both."""
        found = {name: getattr(self.after, name) for name in ("solref", "solimp") if both or getattr(self.after, name) != getattr(self.before, name)}
        return found or {"solref": self.after.solref, "solimp": self.after.solimp}

    @property
    def others(self) -> Mapping[str, tuple[float, ...]]:
        """Values a little beside these: whose contacts change with them is known before anybody has changed anything."""
        d0, *rest = self.after.solimp
        return {"solref": tuple(value * (1.0 + BESIDE) for value in self.after.solref), "solimp": (d0 * (1.0 - BESIDE), *rest)}


def follows(place: Place | None) -> bool:
    """Whether a drag can be written to a place as it goes on: one that is there in the text."""
    return place is not None and not place.refusal and (place.kind in FOLLOWS or place.kind == Kind.PRIORITY and place.priority is None)


class Writing(QObject):
    """Signals: changed() `places` or `problem` are others; refused(text) why an edit cannot be made."""

    changed = pyqtSignal()
    refused = pyqtSignal(str)

    def __init__(self, context: AppContext, session: Session, parent: QObject | None = None):
        super().__init__(parent)
        self._context, self._session = context, session
        self.places: tuple[Place, ...] = ()
        self.problem = ""               # why nothing can be written at all
        self.chosen = 0
        self._choice: tuple[Kind, str] | None = None        # the user's
        self._text = PresentText(session)
        self._gesture = None
        self._base: tuple[Reading, Any, Place] | None = None
        self._waiting: Wanted | None = None
        self._shown: Parameters | None = None       # what the present drag has written last
        self._shown_at = float("-inf")              # and when, by the monotonic clock
        self._work = NewestWork("places to write to", self, 0.3)
        self._work.done.connect(lambda found: self._take(*found))
        self._work.failed.connect(self._say)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._show)
        session.document_opened.connect(self._forget)
        session.destroyed.connect(self._lose_gesture)       # the window is closed while a handle is held

    # ------------------------------------------------------------------ places

    @property
    def place(self) -> Place | None:
        """The one that is chosen."""
        return self.places[self.chosen] if 0 <= self.chosen < len(self.places) else None

    def choose(self, index: int) -> None:
        """Another place."""
        self.chosen = index
        place = self.place
        self._choice = (place.kind, place.title) if place is not None else None
        self.changed.emit()

    def clear(self) -> None:
        """Nothing is tuned."""
        self._work.give_up()
        self.places, self.problem, self.chosen, self._choice = (), "", 0, None
        self.changed.emit()

    def look(self, wanted: Wanted, anew: bool = False) -> None:
        """Find out where these can be written; anew: of another target, the user has chosen none of its places."""
        if anew:
            self._choice = None
        reading = self._text.read()
        self.problem = self._text.why_not(reading)
        if self.problem:
            self.places, self.chosen = (), 0
            self._work.give_up()
            self.changed.emit()
            return
        m = self._context.model
        self._work.begin(lambda stop: (m, self._find(reading, m, wanted, stop)))

    def _find(self, reading: Reading, m, wanted: Wanted, stop: Callable[[], bool]) -> tuple[Place, ...]:
        """In a thread: where it can be written."""
        return places(reading, m, wanted.target, wanted.others, stop=stop)

    def _take(self, m, found: tuple[Place, ...]) -> None:
        if m is not self._context.model or self.busy:
            return
        self.places = found
        same = (k for k, place in enumerate(found) if self._choice is not None and (place.kind, place.title) == self._choice)
        kind = (k for k, place in enumerate(found) if self._choice is not None and place.kind == self._choice[0])
        self.chosen = next(same, next(kind, 0))
        self.changed.emit()

    def _say(self, text: str) -> None:
        self.places, self.problem = (), text
        self.changed.emit()

    def _forget(self) -> None:
        """Another document: its gesture has gone with the other one."""
        self._lose_gesture()
        self._text.forget()
        self._timer.stop()
        self.clear()

    def _lose_gesture(self) -> None:
        self._gesture = self._base = self._waiting = None

    # ------------------------------------------------------------------ writing

    def _edit(self, reading: Reading, m, place: Place, wanted: Wanted):
        values = attribute_values(wanted.target, wanted.values(place.kind == Kind.PRIORITY and place.priority is not None))
        return edit_of(reading, m, place, values)

    @property
    def settled(self) -> bool:
        """Whether the model that runs is that of the present texts."""
        return self._session.runs_present_texts and self._session.live.written

    @property
    def ready(self) -> str:
        """'' where the chosen place can be written, else why not."""
        if self.problem:
            return self.problem
        place = self.place
        return "Looking for the places at which it can be written." if place is None else place.refusal

    def apply(self, wanted: Wanted) -> bool:
        """Write them at the chosen place, by one Edit; False where that is refused, which is told."""
        place = self.place
        return self._write(lambda reading, m: self._edit(reading, m, place, wanted), self.ready)

    def _write(self, make: Callable[[Reading, Any], Edit], why_not: str = "") -> bool:
        """Write what make(reading, Model) gives, unless something is against it."""
        self.drop()
        reading, m = self._text.read(), self._context.model
        why = self._text.why_not(reading) or why_not
        if why:
            self.refused.emit(why)
            return False
        try:
            edit = make(reading, m)
            if edit.patches:
                self._session.edit(edit)
        except ValueError as why:
            self.refused.emit(str(why))
            return False
        return True

    # ------------------------------------------------------------------ while a handle is dragged

    @property
    def busy(self) -> bool:
        """Whether a drag is being written."""
        return self._gesture is not None and not self._gesture.ended

    def grab(self) -> bool:
        """A drag begins; whether it is written as it goes on."""
        self.drop()
        reading, place = self._text.read(), self.place
        if not follows(place) or self._text.why_not(reading):
            return False
        self._base, self._shown = (reading, self._context.model, place), None
        self._gesture = self._session.gesture()
        return True

    def drag(self, wanted: Wanted) -> None:
        """Its newest values: written at once, unless others were just now."""
        if self.busy:
            self._waiting = wanted
            wait = self._shown_at + 1e-3 * COALESCED_MS - time.monotonic()
            if wait <= 0:
                self._timer.stop()
                self._show()
            elif not self._timer.isActive():
                self._timer.start(max(1, round(1e3 * wait)))

    def _show(self) -> None:
        wanted, self._waiting = self._waiting, None
        if not self.busy or wanted is None:
            return
        reading, m, place = self._base
        self._shown_at = time.monotonic()
        try:
            edit = self._edit(reading, m, place, wanted)
            self._session.show(self._gesture, edit if edit.patches else None)
            self._shown = wanted.after
        except ValueError as why:
            self.refused.emit(str(why))

    def drop(self) -> Parameters | None:
        """The drag is over: one entry of what can be undone. The values that are written by it; None where none was."""
        if self._gesture is None:
            return None
        if self._waiting is not None:
            self._show()
        gesture, self._gesture, self._base = self._gesture, None, None
        self._timer.stop()
        if gesture.ended:       # something else has changed the texts, or it was undone
            return None
        self._session.end(gesture)
        return self._shown

    def cancel(self) -> None:
        """The drag is given up: the texts are as before."""
        if self._gesture is None:
            return
        gesture, self._gesture, self._base, self._waiting = self._gesture, None, None, None
        self._timer.stop()
        self._session.cancel(gesture)

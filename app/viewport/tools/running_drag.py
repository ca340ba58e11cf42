"""A drag under way, and how it is drawn: the grabbed handle, the axes that it keeps to, its numbers beside the pointer."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QPainter

from app.viewport.tools.gizmo_painter import paint_guides, paint_handles, paint_texts
from app.viewport.tools.moved_states import FloatingPoses
from editor.edits.gesture import Gesture
from editor.tools.chosen import ITSELF
from editor.tools.drag import Drag, Motion
from editor.tools.edits import state_of
from editor.tools.element_trees import ElementTrees
from editor.tools.gizmo import Gizmo
from editor.tools.handles import Handle, scale_at
from editor.tools.subject import Moment, Subject, subject_after
from render.scene.camera import View

MOST_READ = 40      # elements of which each motion reads what it has written: to read hundreds takes longer than a picture


@dataclass(slots=True, eq=False)
class Running:
    """A drag under way. moment: of its beginning, which counts while nothing moves by itself; at: where the pointer is; button: whether one is held; shown: the subjects by what
    the text says now; carried: where they are so many that this is not read, the motion (4, 4) that they have made; start: where what floats was at its beginning; moved: it is
    more than a click; aim: what of the selection is dragged."""

    drag: Drag
    gesture: Gesture
    subjects: tuple[Subject, ...]
    moment: Moment
    at: QPointF
    button: bool
    keys: Qt.KeyboardModifier
    start: FloatingPoses
    motion: Motion | None = None
    shown: tuple[Subject, ...] = ()
    carried: np.ndarray | None = None
    paused: bool = True
    moved: bool = False
    problem: str = ""
    aim: str = ITSELF
    states: FloatingPoses | None = None     # where it has put what floats

    def follow(self, trees: ElementTrees) -> None:
        """Find what the text says of the subjects now, after a motion."""
        plain = len(self.subjects) > MOST_READ and all(one.part is None and one.kind != "frame" for one in self.subjects)
        self.carried = self.motion.delta if plain and self.motion.kind == "rigid" and not self.problem else None
        self.shown = self.subjects if self.carried is not None else tuple(subject_after(one, trees, quick=True) or one for one in self.subjects)

    def pivot(self, moment: Moment) -> np.ndarray:
        """Where (3,) the active element is at a moment, by what is shown."""
        pose = moment.base((self.shown or self.subjects)[-1])
        return (pose if self.carried is None else self.carried @ pose)[:3, 3]


def paint_drag(painter: QPainter, running: Running, gizmo: Gizmo, moment: Moment, view: View, size: tuple[float, float], covered: QRectF | None = None) -> None:
    """Over the picture of a moment. gizmo: of what is shown by now; covered: where something lies over the picture."""
    what, motion = running.drag.handle.what, running.motion
    if what[0] not in ("look", "slide"):
        _paint_guides(painter, running, gizmo, moment, view, size)
        paint_handles(painter, _shown_handles(gizmo, moment, view, size, running), view, size, None, what)
    if motion is not None:
        paint_texts(painter, running.at, size, [*motion.texts, *_typed_texts(running.drag), *filter(None, (running.problem,))], covered)


def _shown_handles(gizmo: Gizmo, moment: Moment, view: View, size: tuple[float, float], running: Running) -> list[Handle]:
    """Handles of a drag, by what is written now; what floats is not seen to follow while the model runs, so that its handles go where its model's pose does."""
    handles, motion = gizmo.handles(moment, view, size), running.motion
    if running.paused or motion is None or gizmo.moved is not None or not any(state_of(one, motion.delta, moment) is not None for one in gizmo.subjects):
        return handles
    pivot = gizmo.frame(moment)[:3, 3]
    away = (motion.delta @ np.append(pivot, 1.0))[:3] - pivot
    return [Handle(one.what, one.shape, one.points + away, one.colour, one.text, one.size) for one in handles]


def _paint_guides(painter: QPainter, running: Running, gizmo: Gizmo, moment: Moment, view: View, size: tuple[float, float]) -> None:
    drag = running.drag
    if drag.what[0] == "move" or (drag.moves and drag.constraint is not None):
        which = drag.what[1] if drag.what[0] == "move" else drag.constraint[1]
    elif drag.what[0] == "turn":
        which = (drag.what[1],)
    else:
        return
    frame = gizmo.frame(moment, drag.orientation)
    paint_guides(painter, frame[:3, 3], frame[:3, :3], which, view, size, 30 * scale_at(view, size, frame[:3, 3]))


def _typed_texts(drag: Drag) -> list[str]:
    if not drag.typed.any:
        return []
    if len(drag.typed.texts) == 1:
        return [f"= {drag.typed.texts[0]}_"]
    return ["  ".join(f"{'xyz'[k]} = {text or '0'}{'_' if k == drag.typed.at else ''}" for k, text in enumerate(drag.typed.texts))]

"""What the window does with keyframes: those of the Model and its own, going to them, storing, blending, mirroring, copying in part, writing into the text.

Everything that changes the simulation is a command to the physics thread; nothing here writes to Data.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.bridge.ghost import BLUE, Ghost
from app.context import AppContext
from app.controllers.simulation import SimulationController
from app.posing import keyframe_store
from app.posing.key_text import find_key, write_key
from app.posing.keyframe_pictures import KeyframePictures, PoseScratch
from app.posing.keyframe_store import OwnKey, OwnKeys
from app.session import Session
from app.settings import state_folder
from physics.errors import Place
from physics.model.data import Data
from physics.model.model import Model
from physics.model.state_fields import State
from physics.query.keyframes import Keyframe, blend_keyframes, copy_part, part_of
from physics.query.mirror import find_mirror, mirror_keyframe
from physics.runtime import commands

EDITED_MS = 300     # after the last edit that was written into the Model, until keyframes are looked at and drawn again
SAME = 1e-6     # difference of positions below which a keyframe of the text is one of the window


@dataclass(frozen=True, slots=True, eq=False)
class KeyRow:
    """A keyframe of the list: its name, number in the Model (None: one of the window's, which `own` is)."""

    name: str
    key: Keyframe
    number: int | None = None
    own: OwnKey | None = None


class Keyframes(QObject):
    """Signals: changed() when there are other keyframes; ghost_changed() when another pose is to be drawn as a ghost; place_wanted(Place) of the text is to be shown;
    panel_wanted() the panel is."""

    changed = pyqtSignal()
    ghost_changed = pyqtSignal()
    place_wanted = pyqtSignal(object)
    panel_wanted = pyqtSignal()

    def __init__(self, context: AppContext, session: Session, simulation: SimulationController, pictures: KeyframePictures, parent: QObject | None = None):
        super().__init__(parent)
        self._context, self._session, self._simulation = context, session, simulation
        self.pictures = pictures
        self.own = OwnKeys()
        self.ghosts: tuple[Ghost, ...] = ()
        self._scratch = PoseScratch()
        self._loading, self._told = False, ""
        self.own.changed.append(self._own_changed)
        context.model_changed.connect(self._model_changed)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(EDITED_MS)
        self._later.timeout.connect(self._edits_over)
        context.model_edited.connect(lambda fields: self._later.start() if fields else None)

    # ------------------------------------------------------------------ which there are

    def rows(self) -> list[KeyRow]:
        """Those of the Model, as they are in memory, then the window's."""
        m = self._context.model
        if m is None:
            return []
        return [KeyRow(m.names["key"][k] or f"keyframe {k}", Keyframe.of_model(m, k), k) for k in range(m.nkey)] + [KeyRow(own.name, own.key, None, own) for own in self.own.all if own.key.fits(m)]

    @property
    def present(self) -> Keyframe | None:
        """The present state as a keyframe."""
        snapshot = self._context.snapshot
        return Keyframe.of(snapshot) if snapshot is not None and snapshot.model is self._context.model else None

    def _model_changed(self, m: Model) -> None:
        if self._context.newly_opened:
            self._loading = True
            self.own.replace_all(keyframe_store.kept(self._place(), m))
            self._loading = False
        else:
            self._forget_written(m)
        self.pictures.model_changed(self._context.newly_opened)
        self.show_ghost(None)
        self.changed.emit()

    def _forget_written(self, m: Model) -> None:
        """What was written into the text is one of the Model's now."""
        self.own.remove([own for own in self.own.all if (k := m.id("key", own.name)) >= 0 and own.key.fits(m)
                         and np.abs(m.key_qpos[k] - own.key.qpos).max(initial=0.0) < SAME])

    def _edits_over(self) -> None:
        m = self._context.model
        if m is not None:
            self._forget_written(m)
            self.pictures.model_changed(False)
            self.changed.emit()

    def _place(self):
        return keyframe_store.place_of(state_folder(), self._session.document.key)

    def _own_changed(self) -> None:
        if not self._loading and self._session.document.path is not None:
            problem = keyframe_store.keep(self._place(), self.own.all)
            if problem and problem != self._told:
                self._context.log("warning", f"The window's keyframes cannot be kept: {problem}")
            self._told = problem
        self.changed.emit()

    # ------------------------------------------------------------------ going to one

    def load(self, row: KeyRow, keep_time: bool = False) -> None:
        """The run goes on from a keyframe. keep_time: at the present time in place of the keyframe's."""
        present = self.present
        if row.number is not None and not keep_time:
            self._simulation.load_key(row.number)
        elif present is not None:
            self._set(replace(row.key, time=present.time) if keep_time else row.key)

    def _set(self, key: Keyframe, state: State | None = None) -> None:
        """Put a keyframe into the run; state: what else it is to be, None: as after a reset."""
        m = self._context.model
        if m is None or not key.fits(m):
            return
        self._simulation.playback.stop()
        self._context.runner.send(commands.SetState(key.in_state(State.of(Data(m)) if state is None else state)))

    def start_at(self, row: KeyRow | None) -> None:
        """Start and reset at this keyframe of the Model from now on; None: at the start state."""
        m = self._context.model
        self._session.choose_start_key(None if row is None or row.number is None else m.names["key"][row.number] or row.number)

    # ------------------------------------------------------------------ making and changing them

    def store(self, row: KeyRow) -> None:
        """Make a keyframe the present state."""
        if row.number is not None:
            self._simulation.save_key(row.number)
        elif self.present is not None:
            self.own.change(row.own, key=self.present)

    def add(self, name: str, key: Keyframe | None = None) -> OwnKey | None:
        """One of the window's, of the present state where none is given; None, and a line in the log, where that cannot be."""
        key = self.present if key is None else key
        m = self._context.model
        if key is None or m is None:
            return None
        try:
            return self.own.add(name, key, filter(None, m.names["key"]))
        except ValueError as why:
            self._context.log("warning", f"No keyframe: {why}")
            return None

    def save(self) -> OwnKey | None:
        """Keep the present state as a keyframe of the window, and have the panel shown."""
        made = self.add("keyframe")
        if made is not None:
            self._context.log("info", f"Kept as {made.name}")
            self.panel_wanted.emit()
        return made

    def rename(self, row: KeyRow, name: str) -> None:
        """Call one of the window's otherwise; it stays where the name is taken."""
        m = self._context.model
        name = " ".join(name.split())
        if row.own is not None and name and name != row.name:
            self.own.change(row.own, name=self.own.free_name(name, filter(None, m.names["key"])))

    def mirror(self, row: KeyRow) -> tuple[OwnKey | None, str]:
        """Its mirror image as a keyframe of the window, and what there is to say of it."""
        m = self._context.model
        if m is None:
            return None, ""
        found = find_mirror(m)
        said = f"{found.pairs} pairs of joints" if found.pairs else "no joints are named as left and right: the whole is reflected where it can be"
        if found.unlike:
            said += f"; as they were: {', '.join(found.unlike[:6])}{' ...' if len(found.unlike) > 6 else ''}, which are not symmetric"
        return self.add(f"{row.name}_mirrored", mirror_keyframe(m, row.key, found)), said

    def blended(self, one: KeyRow, two: KeyRow, t: float) -> Keyframe | None:
        """What lies between two of them; None where they are of another Model."""
        m = self._context.model
        return blend_keyframes(m, one.key, two.key, t) if m is not None and one.key.fits(m) and two.key.fits(m) else None

    def set_blend(self, key: Keyframe) -> bool:
        """Make a blend the present state, at the present time; only while paused."""
        present, snapshot = self.present, self._context.snapshot
        if present is None or self._simulation.running:
            return False
        self._set(replace(key, time=present.time), State.of(snapshot))
        return True

    def copy_part(self, row: KeyRow, bodies: Sequence[int], subtree: bool) -> bool:
        """Take the coordinates of these bodies from a keyframe into the present state; only while paused."""
        m, present = self._context.model, self.present
        if present is None or self._simulation.running or not row.key.fits(m):
            return False
        self._set(copy_part(present, row.key, part_of(m, bodies, subtree=subtree)), State.of(self._context.snapshot))
        return True

    # ------------------------------------------------------------------ the text

    def why_not_written(self) -> str:
        """Why no keyframe can be written into the text; '' where one can."""
        if self._session.document.sealed:
            return self._session.document.sealed
        return "" if self._session.shown else "The model in the window is another file's"

    def _file_of(self, row: KeyRow) -> tuple[str, tuple[int, int] | None]:
        """(key of the file, place in it) where a keyframe stands, or is to be put: one that is new into the main file.

        Raises ValueError where it stands in no text of the window.
        """
        m, files, main = self._context.model, self._session.document.files(), self._session.document.main_key
        if row.number is None:
            return main, None
        place = m.places["key"][row.number]
        name = m.names["key"][row.number]
        if place is None or place.file not in files:
            raise ValueError("it comes from another model's file, which this one refers to: change it there")
        if find_key(files[place.file].text, name, (place.line, place.column)) is None:
            if name and place.file == main:     # taken out of the text, and not applied yet
                return main, None
            where = files[place.file].name
            raise ValueError(f"no keyframe in {where} has this name: attached models have it without the prefix" if name else f"it is not found in {where} any more")
        return place.file, (place.line, place.column)

    def write(self, row: KeyRow) -> bool:
        """Put a keyframe into the text, of the file where it stands, else of the main file, as one change that can be undone there, and apply it.

        False, and a line in the log, where that fails.
        """
        m, document = self._context.model, self._session.document
        why = self.why_not_written()
        name = row.name if row.own is not None else m.names["key"][row.number]
        if why:
            self._context.log("error", f"Not written: {why}")
            return False
        try:
            key, place = self._file_of(row)
            written = write_key(document.files()[key].text, m, row.key, name, place)
        except ValueError as problem:
            self._context.log("error", f"Not written: {problem}")
            return False
        self.place_wanted.emit(Place(key, 1, 1))        # the XML panel is there before the text changes, so that it can undo it
        self._session.write_text(key, written.text, f"keyframe {row.name}")
        self.place_wanted.emit(Place(key, written.line, 1))
        self._context.log("info", f"Keyframe {row.name} written into {document.files()[key].name}, line {written.line}; save the file to keep it")
        return True

    # ------------------------------------------------------------------ the ghost

    def show_ghost(self, key: Keyframe | None, label: str = "") -> None:
        """Draw a pose beside the model that runs; None: none."""
        m = self._context.model
        if key is None or m is None or not key.fits(m):
            if not self.ghosts:
                return
            self.ghosts = ()
        else:
            d = self._scratch.at(m, key)
            self.ghosts = (Ghost(m, d.geom_xpos, d.geom_xmat, BLUE, label=label),)
        self.ghost_changed.emit()

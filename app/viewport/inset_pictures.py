"""What the model's cameras and companion runs show, drawn and pasted into the view's picture: the part of the insets (insets.py) that needs GL."""
from __future__ import annotations

import time
from typing import Protocol

import numpy as np

from app.bridge.build import build_scene
from app.bridge.model_visuals import ModelVisuals, visuals_of
from app.bridge.options import VisOptions
from app.bridge.view import view_of
from app.bridge.view_state import ViewState
from app.viewport.inset_layout import PlacedInset
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.passes.inset import InsetPass
from render.scene import shapes
from render.scene.camera import FIXED, CameraState, View
from render.scene.snapshot import Scene

SOFTWARE_INTERVAL = 1 / 15   # seconds between pictures of an inset where the CPU draws
SHARE = 0.2                  # of the time that insets may take there while the view changes
TURN, ALL, OLD = range(3)    # which are drawn anew there: the one that has waited longest, as the view changes; all; those that are older than the view, which stays as it is


class Reader(Protocol):
    """Which of the Snapshots' readers draws (app.viewport.picture.Sheet)."""

    reader: int


class InsetsOf(Protocol):
    """What of a picture its insets are made of (app.viewport.picture.Picture)."""

    insets: list[PlacedInset]
    anew: int
    snapshot: Snapshot
    scene: Scene
    view: View
    options: VisOptions
    sheet: Reader


class CompanionScene:
    """What a companion's picture is drawn from: a Scene of its own, and visuals where its Model is not a copy of the primary's."""

    def __init__(self):
        self.scene = Scene()
        self._visuals: ModelVisuals | None = None

    def visuals_of(self, m: Model, primary: ModelVisuals) -> ModelVisuals:
        """Those of the companion's Model, with what is the same as the primary's has on the graphics card."""
        if self._visuals is None or self._visuals.model is not m:
            self._visuals = visuals_of(m)
            self._visuals.take_from(primary)
        return self._visuals


class InsetPictures:
    """Of one renderer, whose context must be current in every call."""

    def __init__(self, renderer):
        self._pass = InsetPass(renderer)
        self._drawn: dict[str, tuple[str, float]] = {}      # by slot: what it shows, and since when
        self._next = 0.0                                    # when one may take its turn again, where the CPU draws
        self._old: set[str] = set()                         # slots whose pictures show an older moment than the view
        self._beside: dict[str, CompanionScene] = {}        # by slot, of companions

    def release(self) -> None:
        """Free everything."""
        self._pass.release()

    def draw(self, picture: InsetsOf, visuals: ModelVisuals, target, size) -> None:
        """Draw and paste all of a picture, in pixels; visuals: of its Model; size: the target's [device pixels]. Fills in their views and whether
        one is older than the view; frees what is not among them any more."""
        start, snapshot = time.perf_counter(), picture.snapshot
        for slot in set(self._drawn) - {inset.slot for inset in picture.insets}:
            self._pass.drop(slot)
            del self._drawn[slot]
            self._beside.pop(slot, None)
        places = [tuple(round(size[0] / inset.of * n) for n in inset.rect) for inset in picture.insets]
        due = self._chosen(picture, [place[2:] for place in places], start)
        timed = bool(due) and picture.anew == TURN and self._pass.renderer.quality.software
        if timed:
            self._pass.renderer.calls.finish()      # the view's own work is not theirs
            begun = time.perf_counter()
        for inset, (x, y, wide, high) in zip(picture.insets, places):
            inset.view = picture.view if inset.companion is not None else view_of(snapshot.model, snapshot, CameraState(FIXED, fixedcamid=inset.camera))
            if inset.slot in due and (inset.companion is None or self._fill(inset, picture, visuals)):
                self._draw_one(inset, picture.scene if inset.companion is None else self._beside[inset.slot].scene, (wide, high))
                self._drawn[inset.slot] = inset.show, start
            inset.deferred = inset.slot in self._old
            if self._pass.drawn(inset.slot, (wide, high)):
                self._pass.paste(inset.slot, target, size, x, y)
            inset.seconds = time.perf_counter() - start
        if timed:
            self._pass.renderer.calls.finish()
            now = time.perf_counter()
            self._next = now + (now - begun) * (1 / SHARE - 1)

    def _fill(self, inset: PlacedInset, picture: InsetsOf, visuals: ModelVisuals) -> bool:
        """Make the scene of a companion; whether it has a state already."""
        snapshot = inset.companion.acquire(picture.sheet.reader)
        if snapshot is None:
            return False
        beside = self._beside.setdefault(inset.slot, CompanionScene())
        build_scene(visuals if inset.companion.drawn is visuals.model else beside.visuals_of(snapshot.model, visuals), snapshot, picture.options, beside.scene, ViewState())
        return True

    def _chosen(self, picture: InsetsOf, sizes: list[tuple[int, int]], now: float) -> set[str]:
        """Slots of those that are drawn anew in this picture; sizes: of all [device pixels]. Where the CPU draws and the view changes: all that have none of this size yet, and of the others
        the one that has waited longest, so that however many there are a picture of the view takes no longer than with one of them, and no more often than their share of the time allows."""
        slots = {inset.slot for inset in picture.insets}
        self._old = self._old & slots if picture.anew == OLD else set(slots)
        there = {inset.slot: self._drawn[inset.slot][1] for inset, size in zip(picture.insets, sizes) if self._is_drawn(inset, size)}
        chosen = set(self._old)
        if picture.anew == TURN and self._pass.renderer.quality.software:
            oldest = min(there, key=there.get, default=None)
            chosen = {oldest} if oldest is not None and now >= max(there[oldest] + SOFTWARE_INTERVAL, self._next) else set()
        chosen |= slots - there.keys()
        self._old -= chosen
        return chosen

    def _is_drawn(self, inset: PlacedInset, size: tuple[int, int]) -> bool:
        """Whether there is a picture of it as it is to be, of some moment."""
        return self._drawn.get(inset.slot, ("", 0.0))[0] == inset.show and self._pass.drawn(inset.slot, size)

    def _draw_one(self, inset: PlacedInset, scene, size) -> None:
        """Without what stands for the camera itself, which would hide the rest; of a companion no camera is number -1."""
        geoms, lines, flags = scene.geoms, scene.lines, scene.flags
        own, edges = (np.flatnonzero((rows.view("objtype") == shapes.OBJ_CAMERA) & (rows.view("objid") == inset.camera)) for rows in (geoms, lines))
        alpha, starts, show, outline = geoms.rgba[own, 3].copy(), lines.start[edges].copy(), flags.show, scene.outline
        scene.outline = None
        geoms.rgba[own, 3], lines.start[edges], flags.show = 0.0, np.nan, inset.show if inset.show != "colour" else show
        self._pass.draw(inset.slot, scene, inset.view, size)
        geoms.rgba[own, 3], lines.start[edges], flags.show, scene.outline = alpha, starts, show, outline

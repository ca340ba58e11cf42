"""What the model's cameras see, drawn and pasted into the view's picture: the part of the insets (insets.py) that needs GL."""
from __future__ import annotations

import time

import numpy as np

from app.bridge.view import view_of
from app.viewport.inset_layout import PlacedInset
from physics.runtime.snapshot import Snapshot
from render.passes.inset import InsetPass
from render.scene import shapes
from render.scene.camera import FIXED, CameraState

SOFTWARE_INTERVAL = 1 / 15   # seconds between pictures of an inset where the CPU draws


class InsetPictures:
    """Of one renderer, whose context must be current in every call."""

    def __init__(self, renderer):
        self._pass = InsetPass(renderer)
        self._drawn: dict[str, tuple[str, float]] = {}      # by slot: what it shows, and since when

    def release(self) -> None:
        """Free everything."""
        self._pass.release()

    def draw(self, insets: list[PlacedInset], snapshot: Snapshot, scene, target, size) -> None:
        """Draw and paste all of them, in pixels; scene: what the view shows; size: the target's [device pixels]. Fills in their views and whether
        one is older than the view; frees what is not among them any more."""
        start = time.perf_counter()
        for slot in set(self._drawn) - {inset.slot for inset in insets}:
            self._pass.drop(slot)
            del self._drawn[slot]
        for inset in insets:
            x, y, wide, high = (round(size[0] / inset.of * n) for n in inset.rect)
            inset.view = view_of(snapshot.model, snapshot, CameraState(FIXED, fixedcamid=inset.camera))
            inset.deferred = not self._due(inset, (wide, high), start)
            if not inset.deferred:
                self._draw_one(inset, scene, (wide, high))
                self._drawn[inset.slot] = inset.show, start
            self._pass.paste(inset.slot, target, size, x, y)
            inset.seconds = time.perf_counter() - start

    def _due(self, inset: PlacedInset, size, now: float) -> bool:
        wait = SOFTWARE_INTERVAL if self._pass.renderer.quality.software else 0.0
        show, since = self._drawn.get(inset.slot, ("", 0.0))
        return show != inset.show or not self._pass.drawn(inset.slot, size) or now >= since + wait

    def _draw_one(self, inset: PlacedInset, scene, size) -> None:
        """Without what stands for the camera itself, which would hide the rest."""
        geoms, lines, flags = scene.geoms, scene.lines, scene.flags
        own, edges = (np.flatnonzero((rows.view("objtype") == shapes.OBJ_CAMERA) & (rows.view("objid") == inset.camera)) for rows in (geoms, lines))
        alpha, starts, show, outline = geoms.rgba[own, 3].copy(), lines.start[edges].copy(), flags.show, scene.outline
        scene.outline = None
        geoms.rgba[own, 3], lines.start[edges], flags.show = 0.0, np.nan, inset.show if inset.show != "colour" else show
        self._pass.draw(inset.slot, scene, inset.view, size)
        geoms.rgba[own, 3], lines.start[edges], flags.show, scene.outline = alpha, starts, show, outline

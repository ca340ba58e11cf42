"""One picture of the view: what it is to show is settled in the GUI thread, what it was made of is kept while it is seen.

    capture() -> Picture --drawing thread--> Snapshot of its own, Scene, View --> shown: picked, labelled and hovered over

Two sheets take turns, the one that is seen and the one that is drawn: each has a Scene and a reader of Snapshots of its own, so that nothing of what is
seen changes before the next picture is complete.
"""
from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field

import moderngl
import numpy as np

from app.bridge.build import build_scene
from app.bridge.model_visuals import ModelVisuals, Preparation, visuals_of
from app.bridge.options import VisOptions
from app.bridge.view import view_of
from app.bridge.view_state import ViewState
from app.viewport.inset_layout import PlacedInset
from app.viewport.inset_pictures import TURN, InsetPictures
from physics.runtime.runner import PICTURES, Runner
from physics.runtime.snapshot import Snapshot
from render.pace import quality_at, scale_at
from render.quality import Quality
from render.renderer import Renderer
from render.scene.camera import CameraState, View
from render.scene.snapshot import Scene

SMALL = "small"     # slot of the renderer's framebuffers for small pictures
EMPTY_COLOUR = (0.21, 0.24, 0.29, 1.0)


@dataclass(slots=True)
class Sheet:
    """What a picture is drawn from. reader: of the Runner's snapshots."""
    reader: int
    scene: Scene = field(default_factory=Scene)


@dataclass(slots=True)
class Picture:
    """Asked for: generation of the Model (None: there is none yet), options, state and camera, insets, width of the view (logical pixels), level of fineness (render/pace.py), visuals made
    elsewhere, which of the insets are drawn anew (app/viewport/inset_pictures.py). Drawn from: snapshot, view, size (device pixels); snapshot and scene stay as they are while the picture is seen. seconds: what drawing took,
    without the pauses."""
    sheet: Sheet
    generation: int | None
    options: VisOptions
    state: ViewState
    camera: CameraState
    insets: list[PlacedInset]
    wide: float
    level: int
    prepared: ModelVisuals | Preparation | None
    anew: int = TURN
    snapshot: Snapshot | None = None
    view: View | None = None
    size: tuple[int, int] = (1, 1)
    seconds: float = 0.0

    @property
    def scene(self) -> Scene:
        """What is seen."""
        return self.sheet.scene


class PictureDrawer:
    """Draws Pictures with the renderer of a context. sheet(shown) gives the free one."""

    def __init__(self, runner: Runner):
        self._runner = runner
        self._sheets = tuple(Sheet(reader) for reader in PICTURES)
        self._visuals: ModelVisuals | None = None
        self.renderer: Renderer | None = None
        self._insets: InsetPictures | None = None
        self._quality: Quality | None = None
        self._reduced: moderngl.Framebuffer | None = None      # of pictures that are drawn smaller
        self._small: moderngl.Framebuffer | None = None        # of small pictures of other states
        self._outlined: tuple | None = None     # kept from picture to picture: app.bridge.selected
        self.written: deque[tuple[str, ...]] = deque()     # large fields of the Model, to be taken up by the next picture

    def start(self, ctx: moderngl.Context, quality: Quality) -> Renderer:
        """A context is there."""
        self.renderer, self._quality, self._reduced, self._small = Renderer(ctx, quality), quality, None, None
        self._insets = InsetPictures(self.renderer)
        return self.renderer

    def stop(self) -> None:
        """The context is about to go."""
        self._drop_reduced()
        self._insets.release()
        self.renderer.release()
        self.renderer = self._insets = None

    def sheet(self, shown: Picture | None) -> Sheet:
        """The one that is not seen."""
        return self._sheets[0 if shown is None or shown.sheet is not self._sheets[0] else 1]

    def draw(self, picture: Picture, framebuffer: moderngl.Framebuffer, width: int, height: int) -> Generator[None, None, bool]:
        """Draw in steps; whether it can be shown: not if another Model runs by now than it was asked for, or one that is
        not looked at (app/bridge/build.py)."""
        if picture.generation is None:
            framebuffer.use()
            framebuffer.clear(*EMPTY_COLOUR)
            return True
        begun = time.perf_counter()
        snapshot = self._runner.acquire(picture.sheet.reader)
        if snapshot.generation != picture.generation or snapshot.model.wrong_numbers():
            return False
        picture.snapshot, picture.size = snapshot, (width, height)
        picture.view = view_of(snapshot.model, snapshot, picture.camera)
        if picture.prepared is not None and picture.prepared.model is snapshot.model and (self._visuals is None or self._visuals.model is not snapshot.model):
            self._visuals = picture.prepared.ready() or self._visuals
        self._visuals = visuals_of(snapshot.model, self._visuals)
        while self.written:
            self._visuals.changed(*self.written.popleft())
        picture.state.outlined = self._outlined if picture.state.selection.elements else None     # it holds a Model
        picture.state.scale_outline(scale_at(picture.level) * width / picture.wide)
        build_scene(self._visuals, snapshot, picture.options, picture.scene, picture.state)
        self._outlined = picture.state.outlined
        picture.seconds = time.perf_counter() - begun
        yield
        begun = time.perf_counter()
        self.renderer.quality = quality_at(self._quality, picture.level)
        target, slot = self._target(framebuffer, (width, height), scale_at(picture.level))
        with closing(self.renderer.steps(picture.scene, picture.view, target, target.size, slot=slot)) as steps:
            for _step in steps:
                picture.seconds += time.perf_counter() - begun
                yield
                begun = time.perf_counter()
        if target is not framebuffer:
            self.renderer.calls.scale(framebuffer, target)
        self._insets.draw(picture, self._visuals, framebuffer, (width, height))
        self.renderer.calls.finish()
        picture.seconds += time.perf_counter() - begun
        return True

    def small(self, snapshot: Snapshot, options: VisOptions, camera: CameraState, size: tuple[int, int]) -> np.ndarray | None:
        """Pixels (height, width, 4) of another state of the Model that is drawn; None where another one is. The context must be current, and no picture under way."""
        visuals = self._visuals
        if self.renderer is None or visuals is None or visuals.model is not snapshot.model:
            return None
        scene = build_scene(visuals, snapshot, options, Scene(), ViewState())
        ctx, self.renderer.quality = self.renderer.ctx, self._quality
        if self._small is None or self._small.size != size:
            old, self._small = self._small, ctx.framebuffer([ctx.renderbuffer(size, 4)])
            self._small.use()       # before the old one goes, as below
            _free(old)
        self.renderer.draw(scene, view_of(snapshot.model, snapshot, camera), self._small, size, slot=SMALL)
        return self.renderer.calls.read(self._small)[::-1].copy()

    def _target(self, framebuffer: moderngl.Framebuffer, size: tuple[int, int], scale: float) -> tuple[moderngl.Framebuffer, str]:
        """Where a picture of that size is drawn, and the slot of the renderer's own framebuffers for it."""
        if scale == 1:
            return framebuffer, ""
        small = tuple(max(1, round(scale * side)) for side in size)
        if self._reduced is None or self._reduced.size != small:
            old, ctx = self._reduced, self.renderer.ctx
            self._reduced = ctx.framebuffer([ctx.renderbuffer(small, 4)])
            self._reduced.use()     # before the old one goes: moderngl re-binds what was bound last
            _free(old)
        return self._reduced, "reduced"

    def _drop_reduced(self) -> None:
        _free(self._reduced)
        _free(self._small)
        self._reduced = self._small = None


def _free(framebuffer: moderngl.Framebuffer | None) -> None:
    if framebuffer is not None:
        for part in (*framebuffer.color_attachments, framebuffer):
            part.release()

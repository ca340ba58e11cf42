"""A golden's case: a model, its state, a camera and switches; and our picture of it.

A case is data: the same one is drawn by us here and by the official renderer in official.py.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np

import physics
from app.bridge import Selection, ViewState, VisOptions, build_scene
from app.bridge.model_visuals import ModelVisuals
from app.bridge.view import free_camera, view_of
from app.film.offscreen_renderer import OffscreenRenderer, Texts, captioned
from app.pictures import camera_named
from physics.engine import perturb as hand
from physics.runtime.snapshot import Snapshot
from render.annotate import annotate
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene.camera import TRACKING, CameraState
from render.scene.snapshot import Scene
from tests.goldens.inset import with_insets
from tests.goldens.window_text import with_window_text

HERE = Path(__file__).parent
PICTURES = HERE / 'pictures'
SIZE = (320, 240)
TRANSLATE, ROTATE = 1, 2    # what the mouse does, as mjtPertBit


@dataclass(frozen=True)
class Held:
    """What the mouse holds: a body by name at a point of its own frame, pulled to `to` (world) or turned to the quaternion `turn`;
    felt: the force is worked out, and so told."""

    body: str
    at: tuple = (0.0, 0.0, 0.0)
    to: tuple | None = None
    turn: tuple | None = None
    felt: bool = False


@dataclass(frozen=True)
class Case:
    """name: of the picture's file. model: a file in models/ here, or MJCF text that may name files there. see: what the picture must show.

    key: keyframe; steps: taken from there; given: {field of Data: {row or name of its body: values}}, then everything is computed.
    camera: a camera's name, 'track BODY' or fields of CameraState that replace the free camera's; visual: {'group.field': value} of the model's visual.
    toggle: switches of any table that are flipped. groups: {kind: six digits}. selected: a body's name, else the held one.
    way: so many pictures, `steps` apart, are built before the last one, as trails need. limits: mean and high percentile (compare.py).
    why: why the official picture differs, where it does; official: whether there is one. explained: with a legend of what `show` shows; skin: number of the
    selected one; insets: ((camera's name, what it shows), ...) at the right; caption: as on films. film: a transparent
    frame of a film, on a pattern.
    compat: the model's dialect. ratio: labels and legend as the window paints them at so many device pixels per logical one.
    """

    name: str
    model: str
    see: str
    key: str | None = None
    steps: int = 0
    given: dict = field(default_factory=dict)
    camera: str | dict | None = None
    visual: dict = field(default_factory=dict)
    toggle: tuple = ()
    label: str = 'None'
    frame: str = 'None'
    groups: dict = field(default_factory=dict)
    depth: int = 1
    selected: str = ''
    selectpoint: tuple = (0.0, 0.0, 0.0)
    held: Held | None = None
    way: int = 0
    show: str = 'colour'
    look: str = 'classic'
    factors: dict = field(default_factory=dict)
    quality: str = 'classic'
    size: tuple = SIZE
    limits: tuple | None = None
    why: str = ''
    official: bool = True
    explained: bool = False
    skin: int = -1
    insets: tuple = ()
    caption: str = ''
    ratio: int = 0
    film: bool = False
    compat: str = '4.0'

    @property
    def path(self) -> Path | None:
        """The model's file; None where it is text."""
        return None if self.model.lstrip().startswith('<') else (HERE / 'models' / self.model).resolve()

    @property
    def picture(self) -> Path:
        """The stored picture."""
        return PICTURES / f'{self.name}.png'


@lru_cache(maxsize=4)
def _loaded(model: str, path: Path | None, compat: str, visual: tuple):
    m = physics.load_string(model, base_dir=HERE / 'models', compat=compat) if path is None else physics.load(path, compat=compat)
    for name, value in visual:
        group, entry = name.split('.')
        setattr(getattr(m.vis, group), entry, value)
    return m


def row_of(m, name, row) -> int:
    """A row's number; bodies by name."""
    return m.id('body', row) if isinstance(row, str) and name.startswith(('xfrc', 'mocap')) else int(row)


def moment(case: Case):
    """(Model, Data) with everything computed."""
    m = _loaded(case.model, case.path, case.compat, tuple(case.visual.items()))
    d = physics.Data(m)
    if case.key is not None:
        physics.reset(m, d, case.key)
    for name, rows in case.given.items():
        for row, values in rows.items():
            getattr(d, name)[row_of(m, name, row)] = values
    if case.steps and not case.way:
        physics.step(m, d, case.steps)
    physics.forward(m, d)
    if case.held is not None:
        _hold(m, d, case.held)
    return m, d


def _hold(m, d, held: Held) -> None:
    body = m.id('body', held.body)
    d.perturb_bodyid, d.perturb_active = body, TRANSLATE * (held.to is not None) | ROTATE * (held.turn is not None)
    d.perturb_localmass, d.perturb_stiffness, d.perturb_stiffnessrot = 1.0, m.vis.map.stiffness, m.vis.map.stiffnessrot
    d.perturb_localpos[:], d.perturb_refpos[:] = held.at, d.xipos[body]
    d.perturb_refquat[:] = d.xiquat[body] if held.turn is None else held.turn
    d.perturb_refselpos[:] = d.xpos[body] + d.xmat[body].reshape(3, 3) @ d.perturb_localpos if held.to is None else held.to
    hand.perturb_mass(m, d)
    if held.felt:
        hand.perturb_force(m, d)


def camera_of(m, case: Case) -> CameraState:
    """What the case looks through."""
    if isinstance(case.camera, str) and case.camera.startswith('track '):
        free = free_camera(m)
        return CameraState(TRACKING, free.lookat, free.distance, free.azimuth, free.elevation, trackbodyid=m.id('body', case.camera[6:]))
    if isinstance(case.camera, str):
        return camera_named(m, case.camera)
    free = free_camera(m)
    return CameraState(**{name: (case.camera or {}).get(name, getattr(free, name)) for name in ('lookat', 'distance', 'azimuth', 'elevation')})


def options_of(m, case: Case) -> VisOptions:
    """The case's switches."""
    options = VisOptions(label=case.label, frame=case.frame, bvh_depth=case.depth, show=case.show, look=case.look, explained=case.explained)
    for name in case.toggle:
        options.toggle(name)
    for kind, digits in case.groups.items():
        options.group(kind)[:] = [digit == '1' for digit in digits]
    options.factors.update(case.factors)
    return options


def state_of(m, case: Case) -> ViewState:
    """What is selected in the case."""
    chosen = case.selected or (case.held.body if case.held is not None else '')
    selection = Selection(m.id('body', chosen) if chosen else 0, chosen, case.selectpoint, case.skin)
    return ViewState(selection, trail_body=selection.bodyid)    # as in the window


def scene_of(case: Case, change=None):
    """(Scene, View) of a case. change: called with (Model, Data, VisOptions, ViewState) before the picture is built, to break it."""
    m, d = moment(case)
    options, state, snapshot, scene = options_of(m, case), state_of(m, case), Snapshot(m, d, 1), Scene()
    if change is not None:
        change(m, d, options, state)
    for _ in range(case.way):
        snapshot.copy_from(d)
        build_scene(ModelVisuals(m), snapshot, options, scene, state)
        physics.step(m, d, case.steps)
        physics.forward(m, d)
    snapshot.copy_from(d)
    build_scene(ModelVisuals(m), snapshot, options, scene, state)
    return scene, view_of(m, snapshot, camera_of(m, case))


def inset_views(case: Case) -> list[tuple]:
    """[(View, what it shows)] of the case's insets."""
    m, d = moment(case)
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    return [(view_of(m, snapshot, camera_named(m, name)), show) for name, show in case.insets]


def _frame(case: Case) -> np.ndarray:
    """(height, width, 4) uint8: a transparent frame of a film with labels, legend and caption."""
    m, d = moment(case)
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    renderer = OffscreenRenderer(QUALITIES[case.quality])
    try:
        return renderer.shot(snapshot, options_of(m, case), camera_of(m, case), case.size, Texts(True, case.caption), True)
    finally:
        renderer.close()


def on_pattern(picture: np.ndarray) -> np.ndarray:
    """A picture with alpha laid over squares of two colours."""
    rows, columns = np.indices(picture.shape[:2])
    squares = np.where(((rows // 12 + columns // 12) % 2 == 0)[..., None], (250, 170, 200), (120, 200, 160))
    alpha = picture[..., 3:] / 255
    return np.rint(alpha * picture[..., :3] + (1 - alpha) * squares).astype(np.uint8)


def forget() -> None:
    """Models are read again."""
    _loaded.cache_clear()


class Painter:
    """Draws cases; one context for each quality, made when it is wanted."""

    def __init__(self):
        self._offscreens: dict[str, Offscreen] = {}

    def offscreen(self, quality: str, size) -> Offscreen:
        """The camera of this quality, at this size."""
        if quality not in self._offscreens:
            self._offscreens[quality] = Offscreen(*size, QUALITIES[quality])
        self._offscreens[quality].resize(*size)
        return self._offscreens[quality]

    def draw(self, case: Case, change=None) -> np.ndarray:
        """(height, width, 3) uint8 with insets, labels, legend and caption."""
        if case.film:
            return on_pattern(_frame(case))
        scene, view = scene_of(case, change)
        offscreen = self.offscreen(case.quality, case.size)
        picture = with_insets(offscreen, scene, view, inset_views(case)) if case.insets else offscreen.rgb(scene, view)
        picture = with_window_text(picture, scene, view, case.ratio) if case.ratio else annotate(picture, scene, view)
        return captioned(picture, case.caption) if case.caption else picture

    def close(self) -> None:
        """Free everything."""
        for offscreen in self._offscreens.values():
            offscreen.close()
        self._offscreens.clear()

    def __enter__(self) -> Painter:
        return self

    def __exit__(self, *_) -> None:
        self.close()

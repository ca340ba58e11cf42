"""What a Model contributes to pictures and does not change from frame to frame: meshes, colours, sizes, bounding volumes.

One ModelVisuals belongs to whoever draws (a view, an offscreen renderer) and is let go with its Model. Whatever is derived from fields of the
Model says from which ones (`derived_from`); before each picture `refresh` compares these fields with what they were, so a colour, a size or a
material written into a running Model is seen in the next picture. Fields of more than LARGE bytes (pixels, vertices) are not compared in every
frame: whoever writes them calls `changed`.

Another text of the same document has the same meshes and pictures nearly always: what was made of them for the Model before, and is on the graphics card,
goes on (`take_from`).
"""
from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from app.bridge.assets.materials import material_table
from app.bridge.assets.meshes import mesh_assets
from app.bridge.assets.skins import skin_assets
from app.bridge.assets.static import drawn_geoms, drawn_sites, static_bodies
from app.bridge.assets.textures import sky_number, texture_assets
from physics.model.model import Model
from render.scene.snapshot import MeshAsset, Scene, SceneAssets

LARGE = 1 << 20   # bytes
PATIENCE = 30.0     # s that somebody waits for visuals which another thread makes; then he makes some himself
EXTENDED = 4    # assets with further meshes that are known again: of ghosts and of markers, in this picture and the one before
# beginnings of all fields that tell whether it is the same; where trees of boxes lie (mesh_bvhadr) depends on how many geoms there are
GEOMETRY: Mapping[Callable, tuple[str, ...]] = MappingProxyType({
    mesh_assets: ("mesh_vert", "mesh_face", "mesh_normal", "mesh_texcoord", "mesh_graph", "hfield_"), skin_assets: ("skin_",)})


class ModelVisuals:
    """Arrays and assets derived from one Model, each worked out when it is first asked for and again when its fields have changed."""

    def __init__(self, model: Model):
        self.model = model
        self._derived: dict[tuple, object] = {}
        self._before: dict[str, np.ndarray] = {}   # copies of the fields that are compared
        self._parts: tuple | None = None
        self._assets: SceneAssets | None = None
        self._extended: tuple = ()      # (what was extended, its key and number of meshes, by which meshes, the result)
        self._beside: tuple[ModelVisuals, ...] = ()

    def of(self, make: Callable, *args):
        """make(model, *args), kept until a field that `make` is derived from changes. make must be marked by `derived_from`."""
        key = (make, args)
        if key not in self._derived:
            self._note(make)
            self._derived[key] = make(self.model, *args)
        return self._derived[key]

    def _note(self, make: Callable) -> None:
        for name in make.model_fields:
            field = getattr(self.model, name)
            if name not in self._before and field.nbytes <= LARGE:
                self._before[name] = np.array(field)

    def take_from(self, before: ModelVisuals) -> None:
        """Take over meshes, skins and what the graphics card has, as far as another Model's are the same number by number. From any thread."""
        self._take_geometry(before)
        assets, parts = before._assets, before._parts
        if assets is None or self.of(mesh_assets) is not parts[0] or self.of(skin_assets) is not parts[1]:
            return
        drawn_from_files = bool((self.model.tex_adr < 0).any())   # which may have changed
        if not drawn_from_files and self._same_as(before, ("tex_", *material_table.model_fields)):
            mine = self.assets
            mine.key, mine._bounds = assets.key, assets._bounds

    def _take_geometry(self, before: ModelVisuals) -> None:
        for make, beginnings in GEOMETRY.items():
            made = before._derived.get((make, ()))
            if made is not None and self._same_as(before, beginnings):
                self._note(make)
                self._derived[make, ()] = made

    def _same_as(self, before: ModelVisuals, beginnings: tuple[str, ...]) -> bool:
        """Whether the fields that begin so are the same numbers as those that `before` has been made of."""
        for name in self.model.layout.arrays:
            if name.startswith(beginnings):
                old, new = before._before.get(name, getattr(before.model, name)), getattr(self.model, name)
                if old.shape != new.shape or not np.array_equal(old, new):
                    return False
        return True

    def refresh(self) -> None:
        """Forget what was derived from fields that have changed since it was worked out."""
        self.changed(*(name for name, before in self._before.items() if not np.array_equal(before, getattr(self.model, name))))

    def changed(self, *names: str) -> None:
        """Forget what was derived from these fields of the Model."""
        if names:
            self._derived = {key: value for key, value in self._derived.items() if not set(names) & set(key[0].model_fields)}
            self._before = {name: before for name, before in self._before.items() if name not in names}

    @property
    def assets(self) -> SceneAssets:
        """Materials, textures, meshes and skins for the renderer; a new instance, which is uploaded anew, where one of them has changed."""
        parts = tuple(self.of(make) for make in (mesh_assets, skin_assets, texture_assets, material_table))
        if self._parts is None or any(now is not before for now, before in zip(parts, self._parts)):
            meshes, skins, textures, materials = self._parts = parts
            self._assets = SceneAssets(materials, list(textures), list(meshes), sky_number(textures), skins=list(skins))
        return self._assets

    def add_meshes(self, out: Scene, more: tuple[MeshAsset, ...]) -> int:
        """Give a Scene with assets of this Model further meshes, for this picture; the number of the first. They alone go to the graphics card, and not again
        while the same objects are asked for."""
        assets, first = out.assets, len(out.assets.meshes)
        if not more:
            return first
        made = next((made for before, state, meshes, made in self._extended if before is assets and state == (assets.key, first) and _alike(meshes, more)), None)
        if made is None:
            made = assets.with_meshes(more)
            self._extended = (*self._extended[1 - EXTENDED:], (assets, (assets.key, first), more, made))
        out.assets = made
        return first

    def ready(self) -> ModelVisuals:
        """Itself, as of a Preparation."""
        return self

    def beside(self, models: list[Model]) -> list[ModelVisuals]:
        """Visuals of Models that are drawn in the same picture, with this one's meshes where they are the same; those not asked for any more are let go."""
        known = {id(visuals.model): visuals for visuals in (self, *self._beside)}
        for m in models:
            if id(m) not in known:
                known[id(m)] = other = ModelVisuals(m)
                other._take_geometry(self)
        wanted = {id(m) for m in models}
        self._beside = tuple(visuals for key, visuals in known.items() if visuals is not self and key in wanted)
        for visuals in self._beside:
            visuals.refresh()
        return [known[id(m)] for m in models]


def _alike(meshes: tuple, others: tuple) -> bool:
    return len(meshes) == len(others) and all(one is other for one, other in zip(meshes, others))


def prepared(m: Model, before: ModelVisuals | None = None) -> ModelVisuals:
    """Visuals with all that a first picture asks for, which takes a while where a model has thousands of meshes: to be made away from the GUI thread.

    before: those of the Model before, from which is taken over what is the same.
    """
    visuals = ModelVisuals(m)
    if before is not None:
        visuals.take_from(before)
    visuals.assets.mesh_shares()
    for make in (drawn_geoms, drawn_sites, static_bodies):
        visuals.of(make)
    return visuals


class Preparation:
    """Visuals of a Model that one thread makes (`prepared`) while the Model is on its way to be shown, and whoever draws it first waits for."""

    def __init__(self, model: Model):
        self.model = model
        self._done = threading.Event()
        self._visuals: ModelVisuals | None = None

    def make(self, before: ModelVisuals | None = None) -> ModelVisuals:
        """Make them, in this thread. Raises whatever that raises; then there are none."""
        try:
            self._visuals = prepared(self.model, before)
        finally:
            self._done.set()
        return self._visuals

    def ready(self) -> ModelVisuals | None:
        """The visuals, as soon as they are there; None where they could not be made."""
        self._done.wait(PATIENCE)
        return self._visuals


def visuals_of(m: Model, *known: ModelVisuals | None) -> ModelVisuals:
    """Those among the known ones that are of this Model, else new ones."""
    return next((visuals for visuals in known if visuals is not None and visuals.model is m), None) or ModelVisuals(m)

"""Skins of a Model as the renderer needs them once."""
from __future__ import annotations

import numpy as np

from app.bridge.derived_from import derived_from
from physics.model.model import Model
from render.scene.skins import SkinAsset


def _part(m: Model, what: str, skin: int, span: str) -> np.ndarray:
    start = int(getattr(m, f"skin_{span}adr")[skin])
    return np.asarray(getattr(m, "skin_" + what)[start:start + int(getattr(m, f"skin_{span}num")[skin])])


@derived_from("skin_vert", "skin_face", "skin_texcoord", "skin_bonevertid", "skin_bonevertweight", "skin_bonebindpos", "skin_bonebodyid", "skin_inflate")
def skin_assets(m: Model) -> list[SkinAsset]:
    """All skins, as they are bound."""
    return [_skin(m, i) for i in range(m.nskin)]


def _skin(m: Model, i: int) -> SkinAsset:
    vertex = np.array(_part(m, "vert", i, "vert"))
    start, count = _part(m, "bonevertadr", i, "bone"), _part(m, "bonevertnum", i, "bone")
    entries = np.concatenate([np.arange(a, a + n) for a, n in zip(start, count)]) if len(start) else np.zeros(0, int)
    held = np.asarray(m.skin_bonevertid)[entries]
    order = np.argsort(held, kind="stable")
    texcoord = None
    if m.skin_texcoordadr[i] >= 0:
        first = int(m.skin_texcoordadr[i])
        texcoord = np.array(m.skin_texcoord[first:first + len(vertex)])
    return SkinAsset(vertex, _part(m, "face", i, "face").astype(np.int32), np.searchsorted(held[order], np.arange(len(vertex) + 1)),
                     np.repeat(np.arange(len(start)), count)[order], np.asarray(m.skin_bonevertweight)[entries][order],
                     np.array(_part(m, "bonebindpos", i, "bone"), float), np.array(_part(m, "bonebodyid", i, "bone")), float(m.skin_inflate[i]), texcoord)

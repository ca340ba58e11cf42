"""An MjvScene becomes the renderer's Scene. Whatever a script has written into its geoms and lights is drawn."""
from __future__ import annotations

import numpy as np

from app.bridge.look import fill_look
from app.bridge.options import RENDER_FLAGS
from physics.enums import TextureRole
from render.scene import shapes
from render.scene.snapshot import Labels, Materials, Scene, SceneAssets

from ..scene_structs import rows_of
from .update import DECOR, POINTED, STATIC, lights_of, replaced_head

SEGMENT, IDCOLOR = 8, 9         # mjtRndFlag
DRAWN = (*range(9), shapes.ARROW, shapes.ARROW1, shapes.ARROW2, shapes.LINE, shapes.LINEBOX, shapes.SKIN, shapes.TRIANGLE)


def by_number(scn) -> bool:
    """Whether the picture's colours are the numbers of its geoms."""
    return bool(scn.flags[SEGMENT] and scn.flags[IDCOLOR])


def fill(out: Scene, visuals, scn) -> None:
    """Make a renderer's Scene of an MjvScene; visuals: those of the model whose meshes and textures are drawn."""
    m = visuals.model
    out.clear()
    fill_look(m, out.look)
    for flag, on in zip(RENDER_FLAGS, scn.flags.tolist()):
        setattr(out.flags, flag.name, bool(on))
    out.lights, head = lights_of(scn)
    replaced_head(out, head)
    if scn._bones is not None:
        out.skins = scn._bones
    materials = _fill_geoms(out, m, scn)
    assets = visuals.assets
    # the same key: materials are read from picture to picture, textures and meshes are on the graphics card
    out.assets = SceneAssets(materials, assets.textures, assets.meshes, assets.skybox, assets.key, assets.skins, assets.base, assets._bounds)


def _fill_geoms(out: Scene, m, scn) -> Materials:
    """Append what can be drawn; the materials, one for each look that there is."""
    rows, n = rows_of(scn), scn.ngeom
    kind = rows.type[:n]
    numbered = scn.flags[SEGMENT] != 0
    keep = np.flatnonzero(np.isin(kind, DRAWN) & (rows.segid[:n] >= 0) if numbered else np.isin(kind, DRAWN))
    shape, dataid = kind[keep], rows.dataid[keep]
    mesh, field = np.isin(shape, (shapes.MESH, shapes.SDF)), shape == shapes.HFIELD
    rank = np.where(m.mesh_graphadr >= 0, np.cumsum(m.mesh_graphadr >= 0) - 1, -1)
    number = np.where(mesh, dataid // 2, np.where(field, dataid + m.nmesh, dataid))
    hull = mesh & (dataid % 2 == 1) & (number < m.nmesh)
    hull[hull] = rank[number[hull]] >= 0
    number[hull] = m.nmesh + m.nhfield + rank[number[hull]]
    g = out.geoms
    to = g.add(len(keep))
    measured = mesh | field
    g.shape[to], g.dataid[to] = np.where(field, shapes.MESH, shape), np.where(measured & (dataid < 0), -1, number)
    g.size[to] = np.where(measured[:, None], 1.0, rows.size[keep])
    g.texsize[to] = np.where(measured[:, None], rows.size[keep], 0.0)
    g.pos[to], g.mat[to], g.rgba[to] = rows.pos[keep], rows.mat[keep].reshape(-1, 9), rows.rgba[keep]
    arrow, double = np.isin(shape, POINTED), shape == shapes.ARROW2
    g.size[to, 2] *= np.where(arrow, 0.5, 1.0)
    g.pos[to] -= np.where(double[:, None], 0.5 * g.size[to, 2:] * g.mat[to, 2::3], 0)
    category = rows.category[keep]
    decor = category == DECOR
    g.flags[to] = np.where(decor, shapes.DECOR, np.where(rows.castshadow[keep] != 0, shapes.CAST_SHADOW, 0) | np.where(category == STATIC, shapes.STATIC, 0)) | shapes.PICKABLE
    g.objtype[to], g.objid[to], g.segid[to] = rows.objtype[keep], rows.objid[keep], rows.segid[keep]
    materials, g.matid[to] = _materials(m, rows, keep)
    return materials


def _materials(m, rows, keep) -> tuple[Materials, np.ndarray]:
    """Materials of geoms, and the number of each geom's."""
    texid, matid = rows.texid[keep], rows.matid[keep]
    known = (texid < 0) & (matid >= 0) & (matid < m.nmat)
    texid = np.where(known, m.mat_texid[np.where(known, matid, 0), TextureRole.RGB] if m.nmat else -1, texid)
    table = np.column_stack([rows.emission[keep], rows.specular[keep], rows.shininess[keep], rows.reflectance[keep], texid, rows.texuniform[keep], rows.texrepeat[keep]])
    looks, which = np.unique(table, axis=0, return_inverse=True)
    materials = Materials()
    to = materials.add(len(looks))
    for k, name in enumerate(("emission", "specular", "shininess", "reflectance", "texid", "texuniform")):
        getattr(materials, name)[to] = looks[:, k]
    repeat = looks[:, 6:8]
    materials.texrepeat[to] = np.where(repeat > 0, repeat, 1.0)
    materials.layers[to, TextureRole.RGB] = looks[:, 4]
    return materials, which.ravel()


def labels_of(scn) -> Labels:
    """Texts beside geoms."""
    labels, rows = Labels(), rows_of(scn)
    for i in np.flatnonzero(rows.label[:scn.ngeom] != b""):
        rgba = (1, 1, 1, 1)
        labels.put(tuple(rows.pos[i].tolist()), rows.label[i].decode(errors="replace"), rgba, key=int(i))
    return labels

"""Meshes, height fields, skins, textures and materials: as their source gives them, for the compiler's work on them is repeated.

The compiled data itself is written where the language has it as it is: heights, skins. Where it was changed since, and only a file
could hold it, that is said.
"""
from __future__ import annotations

import numpy as np

from physics.enums import TextureRole
from physics.model.asset_record import stamp
from physics.writer import tables
from physics.writer.draft import Draft, Node
from physics.writer.rows import attributes, listing

_RGB = int(TextureRole.RGB)


def write(draft: Draft) -> None:
    """The asset section."""
    m, section = draft.model, Node("asset")
    for index in range(m.ntex):
        _recorded(draft, section, "texture", index)
    for index in range(m.nmat):
        _material(draft, section, index)
    for index in range(m.nmesh):
        _recorded(draft, section, "mesh", index)
    for index in range(m.nhfield):
        _hfield(draft, section, index)
    for index in range(m.nskin):
        _skin(draft, section, index)
    if section.children:
        draft.root.children.append(section)


def _record(draft: Draft, kind: str, index: int):
    records = draft.model.assets.get(kind, ())
    return records[index] if index < len(records) else None


def _source(draft: Draft, record) -> dict[str, str]:
    """Attributes of an asset's source: settings and files."""
    return {**record.attrs, **{name: draft.file(file) for name, file in record.files.items()}}


def _recorded(draft: Draft, section: Node, kind: str, index: int) -> None:
    """An asset that only its source can give."""
    record = _record(draft, kind, index)
    if record is None:
        draft.warn(f"{draft.title(kind, index)}: its source is not known; it is left out, and the text cannot be compiled")
        return
    if record.stamp != stamp(draft.model, kind, index):
        draft.warn(f"{draft.title(kind, index)}: its data was changed since it was compiled; what its source gives is written")
    draft.element(section, f"asset/{kind}", kind, index, _source(draft, record))


def _material(draft: Draft, section: Node, index: int) -> None:
    m = draft.model
    attrs = attributes(draft, "asset/material", tables.MATERIAL, index)
    layers = [(role, int(tex)) for role, tex in enumerate(m.mat_texid[index]) if tex >= 0]
    node = draft.element(section, "asset/material", "material", index, attrs)
    if [role for role, _ in layers] == [_RGB]:
        attrs = node.attrs
        attrs["texture"] = draft.refer("texture", layers[0][1])
        return
    for role, tex in layers:
        node.add("asset/material/layer", {"role": TextureRole(role).name.lower(), "texture": draft.refer("texture", tex)})


def _hfield(draft: Draft, section: Node, index: int) -> None:
    """From its file while the heights are those of the file, else the heights themselves, which lie between 0 and 1."""
    m, record = draft.model, _record(draft, "hfield", index)
    attrs = {"size": listing(m.hfield_size[index])}
    if record is not None and record.files and record.stamp == stamp(m, "hfield", index):
        attrs.update({k: v for k, v in _source(draft, record).items() if k not in ("size", "nrow", "ncol")})
    else:
        nrow, ncol, adr = int(m.hfield_nrow[index]), int(m.hfield_ncol[index]), int(m.hfield_adr[index])
        heights = m.hfield_data[adr:adr + nrow * ncol].reshape(nrow, ncol)
        attrs.update(nrow=str(nrow), ncol=str(ncol), elevation=listing(heights[::-1]))   # the text begins at the far edge
        low, high = (heights.min(), heights.max()) if heights.size else (0.0, 1.0)
        if (low, high) not in ((0, 1), (0, 0)):
            draft.warn(f"{draft.title('hfield', index)}: heights from {low:g} to {high:g} are stretched to 0 to 1 when the text is compiled")
    draft.element(section, "asset/hfield", "hfield", index, attrs)


def _skin(draft: Draft, section: Node, index: int) -> None:
    m, record = draft.model, _record(draft, "skin", index)
    attrs = attributes(draft, "asset/skin", tables.SKIN, index)
    as_made = record is not None and record.stamp == stamp(m, "skin", index)
    if as_made and record.files:
        attrs.update({name: draft.file(file) for name, file in record.files.items()})
        draft.element(section, "asset/skin", "skin", index, attrs)
        return
    attrs["vertex"] = listing(_rows(m.skin_vert, m.skin_vertadr, m.skin_vertnum, index))
    attrs["face"] = listing(_rows(m.skin_face, m.skin_faceadr, m.skin_facenum, index))
    if m.skin_texcoordadr[index] >= 0:
        attrs["texcoord"] = listing(_rows(m.skin_texcoord, m.skin_texcoordadr, m.skin_vertnum, index))
    node = draft.element(section, "asset/skin", "skin", index, attrs)
    for k in range(int(m.skin_bonenum[index])):
        bone = int(m.skin_boneadr[index]) + k
        weights = listing(_rows(m.skin_bonevertweight, m.skin_bonevertadr, m.skin_bonevertnum, bone))
        if as_made and k < len(record.parts):
            weights = record.parts[k].get("vertweight", weights)   # dividing by their sum again would change the last digit
        node.add("asset/skin/bone", {
            "body": draft.refer("body", int(m.skin_bonebodyid[bone])), "bindpos": listing(m.skin_bonebindpos[bone]),
            "bindquat": listing(m.skin_bonebindquat[bone]), "vertweight": weights,
            "vertid": listing(_rows(m.skin_bonevertid, m.skin_bonevertadr, m.skin_bonevertnum, bone)),
        })


def _rows(values, adr, num, index: int) -> np.ndarray:
    return values[int(adr[index]):int(adr[index]) + int(num[index])]

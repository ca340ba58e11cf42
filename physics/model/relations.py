"""Which elements of a Model refer to which: a joint to its body, an actuator to what it drives, a geom to its material, and the other way round.

    Link(word, kind, to, source, target):  element source[i] of `kind` has element target[i] of `to` as its `word`
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from physics.enums import (
    EQ_JOINT,
    EQ_TENDON,
    GEOM_HFIELD,
    GEOM_MESH,
    GEOM_SDF,
    OBJ_ACTUATOR,
    OBJ_BODY,
    OBJ_CAMERA,
    OBJ_GEOM,
    OBJ_JOINT,
    OBJ_LIGHT,
    OBJ_SITE,
    OBJ_TENDON,
    OBJ_XBODY,
    TRN_BODY,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_SO3,
    TRN_TENDON,
    WRAP_CYLINDER,
    WRAP_JOINT,
    WRAP_SITE,
    WRAP_SPHERE,
)
from physics.model.elements import Element, element

# kind, field, word, kind of what it names; -1 is none
PLAIN = (
    ("joint", "jnt_bodyid", "body", "body"), ("geom", "geom_bodyid", "body", "body"), ("site", "site_bodyid", "body", "body"),
    ("camera", "cam_bodyid", "body", "body"), ("light", "light_bodyid", "body", "body"),
    ("camera", "cam_targetbodyid", "target", "body"), ("light", "light_targetbodyid", "target", "body"), ("light", "light_texid", "texture", "texture"),
    ("geom", "geom_matid", "material", "material"), ("site", "site_matid", "material", "material"), ("tendon", "tendon_matid", "material", "material"),
    ("skin", "skin_matid", "material", "material"), ("pair", "pair_geom1", "geom", "geom"), ("pair", "pair_geom2", "geom", "geom"),
)
OBJECTS = ((OBJ_BODY, "body"), (OBJ_XBODY, "body"), (OBJ_JOINT, "joint"), (OBJ_GEOM, "geom"), (OBJ_SITE, "site"), (OBJ_CAMERA, "camera"), (OBJ_LIGHT, "light"),
           (OBJ_TENDON, "tendon"), (OBJ_ACTUATOR, "actuator"))
TRANSMISSIONS = ((TRN_JOINT, "joint"), (TRN_JOINTINPARENT, "joint"), (TRN_SLIDERCRANK, "site"), (TRN_TENDON, "tendon"), (TRN_SITE, "site"), (TRN_BODY, "body"))
WRAPS = ((WRAP_JOINT, "joint"), (WRAP_SITE, "site"), (WRAP_SPHERE, "geom"), (WRAP_CYLINDER, "geom"))
EXCLUDE_SHIFT = 16   # exclude_signature: (first body << 16) + second


class Link(NamedTuple):
    """Elements of one kind and what they name: see the module's text."""

    word: str
    kind: str
    to: str
    source: np.ndarray
    target: np.ndarray


def _link(word: str, kind: str, to: str, ids, which=True) -> Link:
    """ids (n,): number that each element of the kind names; only where `which` and not negative."""
    ids = np.asarray(ids)
    source = np.flatnonzero((ids >= 0) & which)
    return Link(word, kind, to, source, ids[source].astype(int))


def links(m) -> Iterator[Link]:
    """Every link of a Model but that of a body to its parent."""
    for kind, field, word, to in PLAIN:
        yield _link(word, kind, to, getattr(m, field))
    yield _link("mesh", "geom", "mesh", m.geom_dataid, np.isin(m.geom_type, (GEOM_MESH, GEOM_SDF)))
    yield _link("height field", "geom", "hfield", m.geom_dataid, m.geom_type == GEOM_HFIELD)
    for column in np.asarray(m.mat_texid).reshape(m.nmat, -1).T if m.nmat else ():
        yield _link("texture", "material", "texture", column)
    yield _link("body", "exclude", "body", m.exclude_signature >> EXCLUDE_SHIFT)
    yield _link("body", "exclude", "body", m.exclude_signature & (1 << EXCLUDE_SHIFT) - 1)
    yield from _by_type(m)
    owner = np.repeat(np.arange(m.ntendon), m.tendon_num)   # the path's items lie one after the other
    for wrap, to in WRAPS:
        which = np.flatnonzero(m.wrap_type[:len(owner)] == wrap)
        yield Link("passes", "tendon", to, owner[which], m.wrap_objid[which].astype(int))
    owner = np.repeat(np.arange(m.nskin), m.skin_bonenum)
    yield Link("bone", "skin", "body", owner, m.skin_bonebodyid[:len(owner)].astype(int))


def _by_type(m) -> Iterator[Link]:
    """Links whose target's kind depends on the element's type."""
    for objtype, to in OBJECTS:
        yield _link("object", "sensor", to, m.sensor_objid, m.sensor_objtype == objtype)
        yield _link("reference", "sensor", to, m.sensor_refid, m.sensor_reftype == objtype)
        for field in (m.eq_obj1id, m.eq_obj2id):
            yield _link("joins", "equality", to, field, m.eq_objtype == objtype)
    for eq_type, to in ((EQ_JOINT, "joint"), (EQ_TENDON, "tendon")):
        for field in (m.eq_obj1id, m.eq_obj2id):
            yield _link("joins", "equality", to, field, m.eq_type == eq_type)
    against = m.actuator_trnid[:, 1] >= 0
    for trn, to in TRANSMISSIONS:
        yield _link("acts on", "actuator", to, m.actuator_trnid[:, 0], m.actuator_trntype == trn)
    turns = m.actuator_trntype == TRN_SO3     # an orientation of a ball joint, or of one site against another
    yield _link("acts on", "actuator", "joint", m.actuator_trnid[:, 0], turns & ~against)
    yield _link("acts on", "actuator", "site", m.actuator_trnid[:, 0], turns & against)
    yield _link("reference", "actuator", "site", m.actuator_trnid[:, 1], np.isin(m.actuator_trntype, (TRN_SITE, TRN_SLIDERCRANK)) | turns)


def refers_to(m, what: Element) -> list[tuple[str, Element]]:
    """What an element refers to, each with a word that says as what: [('body', ...), ('material', ...)]."""
    if what.kind == "contact":
        return [("geom", geom) for geom in what.geoms]
    out = [("parent", element(m, "body", int(m.body_parentid[what.id])))] if what.kind == "body" and what.id else []
    for link in links(m):
        if link.kind == what.kind:
            out += [(link.word, element(m, link.to, int(i))) for i in link.target[link.source == what.id]]
    return out


def referred_by(m, what: Element, most: int = 200) -> list[tuple[str, Element]]:
    """The elements that refer to one, each with its kind; of each kind and word no more than `most`."""
    out = []
    if what.kind == "body":
        below = np.flatnonzero(m.body_parentid[1:] == what.id) + 1
        out += [("child", element(m, "body", int(i))) for i in below[:most]]
    for link in links(m):
        if link.to == what.kind:
            out += [(link.kind, element(m, link.kind, int(i))) for i in link.source[link.target == what.id][:most]]
    return list(dict.fromkeys(out))


def children(m, what: Element, kinds: tuple[str, ...] = ("joint", "geom", "site", "camera", "light")) -> list[Element]:
    """What a body carries, and the bodies below it; of other elements nothing."""
    if what.kind != "body":
        return []
    own = [element(m, kind, int(i)) for kind, field, word, to in PLAIN if word == "body" and to == "body" and kind in kinds
           for i in np.flatnonzero(getattr(m, field) == what.id)]
    return own + [element(m, "body", int(i)) for i in np.flatnonzero(m.body_parentid[1:] == what.id) + 1]


def subtree_ends(m) -> np.ndarray:
    """(nbody,): bodies i to subtree_ends[i] - 1 are body i and all below it, as bodies are numbered depth first."""
    ends = np.arange(1, m.nbody + 1)
    parent = m.body_parentid.tolist()
    out = ends.tolist()
    for i in range(m.nbody - 1, 0, -1):
        if out[i] > out[parent[i]]:
            out[parent[i]] = out[i]
    return np.asarray(out)

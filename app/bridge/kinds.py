"""Object types of drawn rows and the kinds of elements that they are."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.enums import GEOM_HFIELD, GEOM_PLANE
from physics.model.elements import BODY_FIELDS, CONTACT, Element, contact_element, element
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes

# object type of a drawn row -> its kind of names in the Model
KINDS = MappingProxyType({
    shapes.OBJ_BODY: "body", shapes.OBJ_JOINT: "joint", shapes.OBJ_GEOM: "geom", shapes.OBJ_SITE: "site", shapes.OBJ_CAMERA: "camera",
    shapes.OBJ_LIGHT: "light", shapes.OBJ_MESH: "mesh", shapes.OBJ_SKIN: "skin", shapes.OBJ_EQUALITY: "equality", shapes.OBJ_TENDON: "tendon",
    shapes.OBJ_ACTUATOR: "actuator", shapes.OBJ_SENSOR: "sensor"})

OURS = MappingProxyType({shapes.OBJ_CONTACT: "contact", shapes.OBJ_PERTURB: "perturbation", shapes.OBJ_LEGEND: "legend"})
TYPES = MappingProxyType({kind: objtype for table in (KINDS, OURS) for objtype, kind in table.items()})
BODY_OF = MappingProxyType(dict(BODY_FIELDS))


def kind_of(objtype: int) -> str:
    """'geom', 'contact', ...; '' for what has no kind."""
    return KINDS.get(objtype) or OURS.get(objtype, "")


def element_of(m: Model, snapshot: Snapshot, objtype: int, objid: int) -> Element | None:
    """Reference to a drawn thing; None for what is nothing of the model, or gone."""
    kind = "body" if objtype == shapes.OBJ_PERTURB else kind_of(objtype)
    if kind == CONTACT:
        return contact_element(m, snapshot, objid)
    return element(m, kind, objid) if kind in m.names and 0 <= objid < len(m.names[kind]) else None


def seen_elements(table: np.ndarray, numbers: np.ndarray, snapshot: Snapshot) -> list[Element]:
    """What an id picture shows. table: render.scene.identity.table; numbers: those in the picture. The ground is left out where there is anything else."""
    rows = np.unique(table[numbers[(numbers >= 0) & (numbers < len(table))]][:, :2], axis=0)
    m = snapshot.model
    found = [what for objtype, objid in rows.tolist() if (what := element_of(m, snapshot, objtype, objid)) is not None and objtype != shapes.OBJ_PERTURB]
    things = [what for what in found if what.kind != "geom" or m.geom_type[what.id] not in (GEOM_PLANE, GEOM_HFIELD)]
    return things or found

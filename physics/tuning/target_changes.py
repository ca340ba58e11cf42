"""solref and solimp given to one target in a Model beside: what a companion differs by, without a word in any text.

    explicit pair, joint, tendon, equality      its own rows
    contact of two geoms                        the geom that decides alone by its priority; where neither does, one is raised above the other and given what the contact has by mixing
                                                else, so that nothing but solref and solimp is another
    any contact while the flag override is on   the option block, as nothing else counts then

Source: MuJoCo documentation, chapter Modeling, "Contact parameters"; XML reference, option (o_solref, flag override).
"""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from physics.enums import ENBL_OVERRIDE
from physics.model.changes.field_changes import FieldChange
from physics.model.elements import CONTACT
from physics.model.live_fields import row_of
from physics.model.model import Model
from physics.tuning.law import Parameters
from physics.tuning.mixing import COLUMNS, contact_table, explicit_pairs
from physics.tuning.target import Form, Target
from physics.tuning.target_values import FIELDS

__all__ = ["given_geom", "target_changes"]


def target_changes(m: Model, target: Target, parameters: Parameters) -> tuple[FieldChange, ...]:
    """Rows of fields with which a target has these parameters. Raises ValueError for a contact that is not known by two geoms."""
    what = target.element
    if target.form == Form.CONTACT and m.opt_enableflags & ENBL_OVERRIDE:
        return FieldChange("opt_o_solref", None, np.array(parameters.solref)), FieldChange("opt_o_solimp", None, np.array(parameters.solimp))
    if what.kind != CONTACT:
        return _rows(FIELDS[target.form, what.kind], _numbers(m, target), parameters)
    if len(what.geoms) != 2:
        raise ValueError("a contact is known by its two geoms: give an Element of kind contact with both")
    geoms = tuple(geom.id for geom in what.geoms)
    pairs = explicit_pairs(m, *geoms)
    if pairs:
        return _rows(FIELDS[Form.CONTACT, "pair"], pairs, parameters)
    geom = given_geom(m, geoms)
    found = _rows(FIELDS[Form.CONTACT, "geom"], (geom,), parameters)
    other = geoms[0] if geom == geoms[1] else geoms[1]
    return found if m.geom_priority[geom] > m.geom_priority[other] else (*found, *_raised(m, geom, other))


def given_geom(m: Model, geoms: tuple[int, int]) -> int:
    """Which of two geoms is given the values: the one whose priority is higher, else the one that moves, else the second."""
    one, two = geoms
    if m.geom_priority[one] != m.geom_priority[two]:
        return one if m.geom_priority[one] > m.geom_priority[two] else two
    return one if m.body_weldid[m.geom_bodyid[two]] == 0 and m.body_weldid[m.geom_bodyid[one]] != 0 else two


def _raised(m: Model, geom: int, other: int) -> Iterable[FieldChange]:
    """The geom decides alone, and says what both mix to."""
    row = contact_table(m, np.array([[geom, other]]), np.array([-1]))[0]
    rows = np.array([geom])
    friction = row[COLUMNS["friction"]]
    yield FieldChange("geom_priority", rows, np.array([m.geom_priority[other] + 1], m.geom_priority.dtype))
    yield FieldChange("geom_condim", rows, np.array([row[COLUMNS["condim"]][0]]).astype(m.geom_condim.dtype))
    yield FieldChange("geom_friction", rows, friction[None, [0, 2, 3]])
    if row[COLUMNS["adhesion"]][0] != m.geom_adhesion[geom]:
        yield FieldChange("geom_adhesion", rows, row[COLUMNS["adhesion"]])


def _numbers(m: Model, target: Target) -> tuple[int, ...]:
    """Rows that an element has."""
    what = target.element
    if (what.kind, target.form) != ("joint", Form.FRICTION_LOSS):
        return (what.id,)
    found, row = [], row_of(m, "dof_solref", what.id, 0)
    while row is not None:
        found.append(row)
        row = row_of(m, "dof_solref", what.id, len(found))
    return tuple(found)


def _rows(fields: tuple[str, str], numbers: Iterable[int], parameters: Parameters) -> tuple[FieldChange, ...]:
    rows = np.array(list(numbers))
    return tuple(FieldChange(name, rows, np.tile(np.array(values, float), (len(rows), 1))) for name, values in zip(fields, (parameters.solref, parameters.solimp), strict=True))

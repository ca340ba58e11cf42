"""The numbers of a target's solref and solimp as values of the Model, for trials in copies: values_of, changes_for.

    pair, joint's limit or dry friction, tendon, equality     its own row
    contact of two geoms                                      both geoms' rows: equal values are kept by any mixing
    any contact while the flag override is on                 the option block

Where the values are written in the text is another matter (editor/tuning/places.py): in a copy other contacts of the same geoms may change along.
"""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from physics.diagnostics.contact_parameters import explicit_pairs
from physics.enums import ENBL_OVERRIDE
from physics.model.changes.field_changes import FieldChange
from physics.model.elements import CONTACT
from physics.model.model import Model
from physics.tuning.law import Parameters
from physics.tuning.model_values import Entry, ModelValue, changes_of
from physics.tuning.target import Form, Target

__all__ = ["FIELDS", "PARAMETERS", "changes_for", "geoms_of", "number_of", "values_of", "with_number"]

# numbers of Parameters by name -> (its field, column)
PARAMETERS: Mapping[str, tuple[str, int]] = MappingProxyType({**{f"solref[{k}]": ("solref", k) for k in range(2)}, **{f"solimp[{k}]": ("solimp", k) for k in range(5)}})
# (form, kind of element) -> the fields of solref and solimp
FIELDS: Mapping[tuple[Form, str], tuple[str, str]] = MappingProxyType({
    (Form.CONTACT, CONTACT): ("geom_solref", "geom_solimp"), (Form.CONTACT, "geom"): ("geom_solref", "geom_solimp"), (Form.CONTACT, "pair"): ("pair_solref", "pair_solimp"),
    (Form.LIMIT, "joint"): ("jnt_solref", "jnt_solimp"), (Form.LIMIT, "tendon"): ("tendon_solref_lim", "tendon_solimp_lim"),
    (Form.FRICTION_LOSS, "joint"): ("dof_solref", "dof_solimp"), (Form.FRICTION_LOSS, "tendon"): ("tendon_solref_fri", "tendon_solimp_fri"),
    (Form.EQUALITY, "equality"): ("eq_solref", "eq_solimp"),
})
_LOW, _HIGH = float("-inf"), float("inf")


def number_of(parameters: Parameters, name: str) -> float:
    """The number of that name. Raises KeyError."""
    field, column = PARAMETERS[name]
    return getattr(parameters, field)[column]


def with_number(parameters: Parameters, name: str, number: float) -> Parameters:
    """The same with another number of that name. Raises KeyError."""
    field, column = PARAMETERS[name]
    numbers = list(getattr(parameters, field))
    numbers[column] = float(number)
    return Parameters(**{"solref": parameters.solref, "solimp": parameters.solimp, field: tuple(numbers)})


def geoms_of(m: Model, target: Target) -> tuple[int, ...]:
    """Numbers of the geoms of a contact, of both where they are known; () of what is none."""
    what = target.element
    if target.form != Form.CONTACT:
        return ()
    if what.kind == CONTACT:
        return tuple(geom.id for geom in what.geoms)
    return (int(m.pair_geom1[what.id]), int(m.pair_geom2[what.id])) if what.kind == "pair" else (what.id,)


def values_of(m: Model, target: Target) -> Mapping[str, ModelValue]:
    """{'solref[0]': value, ...}, all seven numbers, as they are set in a copy of this Model."""
    fields, rows = _where(m, target)
    entries = {name: Entry(fields[field == "solimp"], rows, column) for name, (field, column) in PARAMETERS.items()}
    return {name: ModelValue(name, (entry,), 1, _LOW, _HIGH, False) for name, entry in entries.items()}


def changes_for(m: Model, target: Target, parameters: Parameters) -> tuple[FieldChange, ...]:
    """Rows of fields that give the target these parameters. Raises ValueError for a solref of neither format."""
    return changes_of(m, [(value, number_of(parameters, name)) for name, value in values_of(m, target).items()])


def _where(m: Model, target: Target) -> tuple[tuple[str, str], tuple[int, ...] | None]:
    """((field of solref, field of solimp), rows)."""
    what = target.element
    geoms = geoms_of(m, target)
    if geoms and m.opt_enableflags & ENBL_OVERRIDE:
        return ("opt_o_solref", "opt_o_solimp"), None
    pairs = explicit_pairs(m, *geoms) if len(geoms) == 2 else ()
    if pairs:
        return FIELDS[Form.CONTACT, "pair"], tuple(pairs)
    fields = FIELDS[target.form, what.kind]
    if geoms:
        return fields, tuple(dict.fromkeys(geoms))
    if target.form == Form.FRICTION_LOSS and what.kind == "joint":
        first = int(m.jnt_dofadr[what.id])
        last = int(m.jnt_dofadr[what.id + 1]) if what.id + 1 < m.njnt else m.nv
        return fields, tuple(range(first, last))
    return fields, (what.id,)

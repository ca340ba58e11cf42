"""Which fields of MjData a batch binds and which of MjModel it expands, under what names, and what is said of the others.

    DATA_FIELDS   state (live both ways) | found by calls (read-only) | of what is not here (no numbers, or 0)
    MODEL_FIELDS  of the Fleet's rows | structure, which a batch shows but in which its simulations cannot differ
"""
from __future__ import annotations

import difflib
from types import MappingProxyType

import numpy as np

from physics.fields.layout import GROWING, LAYOUTS
from physics.fleet.rows import COMMON
from physics.model.state_fields import STATE

from ..model_structs import MjOption
from ..tables.field_table import DATA_ARRAYS, DATA_EMPTY, MODEL_ARRAYS, MODEL_EMPTY, NAME_ADDRESSES

_DATA, _MODEL = LAYOUTS["d"], LAYOUTS["m"]
STATE_BITS = MappingProxyType({field.name: field.bit for field in STATE if field.bit})     # in the order of a state vector
COUNTS = ("ncon", "ne", "nefc", "nf", "nl")
NO_COUNTS = ("nA",)                                     # sizes of what is not kept here: 0
_ON_DEMAND = ("qLD", "qLDiagInv")                       # made when somebody asks one Data for them
_ARENA = ("efc_", "iefc_", "efm_", "iacc", "ifrc_")     # their sizes change from step to step
_ASSETS = ("mesh_", "tex_", "hfield_", "skin_", "bvh_", "text_data", "flex_vert", "oct_")     # shared by all simulations
EMPTY_DATA = MappingProxyType({name: (dtype, shape) for dtype, shape, names in DATA_EMPTY for name in names.split() if not name.startswith(_ARENA)})
_EMPTY_MODEL = frozenset(name for _dtype, _shape, names in MODEL_EMPTY for name in names.split() if not name.startswith(_ASSETS))
FOUND = frozenset(name for name in DATA_ARRAYS if _DATA.arrays[name].dims[0] not in GROWING and name not in STATE_BITS and name not in _ON_DEMAND)
DATA_FIELDS = frozenset({*STATE_BITS, *FOUND, *COUNTS, *NO_COUNTS, *EMPTY_DATA})
MODEL_FIELDS = frozenset({
    *(name for name in MODEL_ARRAYS if not name.startswith(_ASSETS)), "bvh_aabb", *_EMPTY_MODEL, *NAME_ADDRESSES, *(f"opt.{name}" for name in MjOption.FIELDS),
})

# what a stage finds: a field of a later one than was asked for keeps the numbers of the last step
OF_VELOCITY = frozenset((
    "cvel cdof_dot qfrc_bias qfrc_passive qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid actuator_velocity ten_velocity subtree_linvel subtree_angmom qfrc_adhesion"
).split())
OF_ACCELERATION = frozenset((
    "qacc qacc_smooth qfrc_actuator qfrc_smooth qfrc_constraint qfrc_inverse actuator_force act_dot cacc cfrc_int cfrc_ext solver_niter solver_nnz "
    "solver_fwdinv qDeriv qLU qH qHDiagInv"
).split())
# what mj_setConst works out
CONSTANTS = tuple((
    "body_subtreemass dof_M0 body_invweight0 dof_invweight0 tendon_invweight0 actuator_acc0 tendon_length0 actuator_length0 tendon_lengthspring cam_pos0 cam_poscom0 cam_mat0 "
    "light_pos0 light_poscom0 light_dir0 bvh_aabb"
).split())


def inner_name(name: str) -> str:
    """The field of our Model for a name of MODEL_FIELDS."""
    return name.replace("opt.", "opt_", 1)


def is_shared(name: str) -> bool:
    """Whether simulations have this field of MODEL_FIELDS in common: whole numbers that decide how the model is computed, and what is not here."""
    inner = inner_name(name)
    return inner in COMMON or name in _EMPTY_MODEL or name in NAME_ADDRESSES or inner not in _MODEL.arrays and inner not in _MODEL.scalars


def is_structural(field: str, part: np.ndarray) -> bool:
    """Whether a field holds addresses, counts, numbers of elements or types."""
    return part.dtype.kind in "iu" and field.endswith(("adr", "num", "id", "type")) and not field.endswith("contype")


# ------------------------------------------------ what is said of other names


def near(name: str, names) -> str:
    """' (did you mean ...?)', or nothing."""
    close = difflib.get_close_matches(name, sorted(names), n=3)
    return f" (did you mean {', '.join(map(repr, close))}?)" if close else ""


def _elsewhere(name: str, names) -> str:
    return f"; {name} is an MjOption field: use expand('opt.{name}')" if f"opt.{name}" in MODEL_FIELDS else near(name, names)


def attribute_hint(name: str) -> str:
    """Where a name belongs that is no attribute of a batch."""
    return f"; {name} is an MjModel field: use expand({name!r})" if name in MODEL_FIELDS else _elsewhere(name, DATA_FIELDS)


def not_bindable(data, name: str) -> ValueError:
    """Why bind does not take a name. data: an MjData."""
    value = getattr(data, name, None)
    if name in MODEL_FIELDS:
        return ValueError(f"{name} is an MjModel field: use expand({name!r})")
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return ValueError(f"{name} is not one of the MjData scalars bind() accepts: {', '.join(sorted((*COUNTS, *NO_COUNTS)))}")
    if isinstance(value, np.ndarray):
        return ValueError(f"{name} is in the arena, whose size changes from step to step, and cannot be bound")
    return ValueError(f"{name} is not an MjData array field{_elsewhere(name, DATA_FIELDS)}")


def not_expandable(model, name: str) -> ValueError:
    """Why expand does not take a name."""
    if name in DATA_FIELDS:
        return ValueError(f"{name} is an MjData field: use bind({name!r})")
    if isinstance(getattr(model, name, None), np.ndarray):
        return ValueError(f"{name} is asset data, shared by all simulations, and cannot be expanded")
    return ValueError(f"{name} is not an expandable MjModel field{_elsewhere(name, MODEL_FIELDS)}")


def only_read(name: str) -> ValueError:
    """Why what calls find cannot be written."""
    return ValueError(f"{name} is computed by every call and cannot be written; write state fields (qpos, ctrl, ...) or expand model fields")

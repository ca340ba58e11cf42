"""Velocities and accelerations of elements, contact forces, and forces at points, of the state that `forward` has computed last."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.engine import point_velocity
from physics.engine.constraint import contact_force as contacts
from physics.engine.inertia.rne_post_constraint import rne_post_constraint
from physics.engine.kinematics import jacobians
from physics.enums import ObjType
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.simulate.arguments import vector
from physics.simulate.step import check_pair

# kind -> (field of the element's body, of its position, of its orientation); 'body' is the inertial frame, 'xbody' the body's own
_FRAMES = MappingProxyType({
    "body": (None, "xipos", "ximat"), "xbody": (None, "xpos", "xmat"), "geom": ("geom_bodyid", "geom_xpos", "geom_xmat"),
    "site": ("site_bodyid", "site_xpos", "site_xmat"), "camera": ("cam_bodyid", "cam_xpos", "cam_xmat"),
})


def _frame(m: Model, d: Data, kind: int | str, element: int | str):
    """(body, position, orientation) of an element."""
    word = ObjType(kind).name.lower() if not isinstance(kind, str) else kind
    if word not in _FRAMES:
        raise KeyError(f"'{word}' has no frame; there are: {', '.join(_FRAMES)}")
    owner, pos, mat = _FRAMES[word]
    i = index_of(m, "body" if word == "xbody" else word, element)
    return int(getattr(m, owner)[i]) if owner else i, getattr(d, pos)[i], getattr(d, mat)[i].reshape(3, 3)


def object_velocity(m: Model, d: Data, kind: int | str, element: int | str, local: bool = False) -> np.ndarray:
    """Velocity (6) of an element: angular [rad/s], then linear [m/s] of its origin; in world axes, or in its own with local.

    kind: 'body' (the inertial frame), 'xbody' (the body's own), 'geom', 'site', 'camera', or the ObjType; element: index or name.
    """
    return _moving(point_velocity.velocity_at, m, d, kind, element, local)


def object_acceleration(m: Model, d: Data, kind: int | str, element: int | str, local: bool = False) -> np.ndarray:
    """Acceleration (6) of an element: angular [rad/s2], then linear [m/s2] of its origin; arguments as object_velocity.

    Gravity counts as an acceleration upwards: what rests reads 9.81 m/s2.
    """
    check_pair(m, d)
    if not d.flg_rnepost:
        rne_post_constraint(m, d)
    return _moving(point_velocity.acceleration_at, m, d, kind, element, local)


def _moving(kernel, m, d, kind, element, local) -> np.ndarray:
    check_pair(m, d)
    body, pos, mat = _frame(m, d, kind, element)
    kernel(m, d, body, *map(float, pos))
    twist = d.query_motion.reshape(2, 3)
    return (twist @ mat if local else twist.copy()).ravel()


def contact_force(m: Model, d: Data, contact: int) -> np.ndarray:
    """Force [N] and torque [N m] (6) of a contact on geom 2's body, along the axes of the contact frame; normal first.

    Zero for a contact without constraint rows. Raises IndexError for a contact that does not exist.
    """
    check_pair(m, d)
    if not 0 <= contact < d.ncon:
        raise IndexError(f"contact {contact} of {d.ncon}")
    return contacts.contact_force(m, d, contact, np.zeros(6))


def apply_ft(m: Model, d: Data, force, torque, point, body: int | str) -> np.ndarray:
    """Generalised force (nv) of a force [N] and a torque [N m], in world axes, on a body at a point [m, world]."""
    check_pair(m, d)
    jacobians.jac(m, d, index_of(m, "body", body), *map(float, vector(point, 3, "point")))
    return vector(force, 3, "force") @ d.jac_lin + vector(torque, 3, "torque") @ d.jac_ang

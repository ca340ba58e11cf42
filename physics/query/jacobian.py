"""Jacobians: how fast points and centres of mass move per unit speed of each degree of freedom.

All are of the state that `forward` (or step1, fwd_position) has computed last, in world axes, as new (3, nv) arrays: rows are
x, y, z, columns the dofs. Bodies, geoms and sites are given by index or name.
"""
from __future__ import annotations

import numpy as np

from physics.engine.kinematics import jacobians as kernels
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.simulate.arguments import vector
from physics.simulate.step import check_pair


def jac(m: Model, d: Data, point, body: int | str) -> tuple[np.ndarray, np.ndarray]:
    """(translation, rotation) Jacobians of a point [m, world] that is fixed to a body."""
    check_pair(m, d)
    return _at(kernels.jac, m, d, index_of(m, "body", body), vector(point, 3, "point"))


def jac_body(m: Model, d: Data, body: int | str) -> tuple[np.ndarray, np.ndarray]:
    """(translation, rotation) Jacobians of a body's frame."""
    check_pair(m, d)
    b = index_of(m, "body", body)
    return _at(kernels.jac, m, d, b, d.xpos[b])


def jac_body_com(m: Model, d: Data, body: int | str) -> tuple[np.ndarray, np.ndarray]:
    """(translation, rotation) Jacobians of a body's centre of mass."""
    check_pair(m, d)
    b = index_of(m, "body", body)
    return _at(kernels.jac, m, d, b, d.xipos[b])


def jac_geom(m: Model, d: Data, geom: int | str) -> tuple[np.ndarray, np.ndarray]:
    """(translation, rotation) Jacobians of a geom's centre."""
    check_pair(m, d)
    g = index_of(m, "geom", geom)
    return _at(kernels.jac, m, d, int(m.geom_bodyid[g]), d.geom_xpos[g])


def jac_site(m: Model, d: Data, site: int | str) -> tuple[np.ndarray, np.ndarray]:
    """(translation, rotation) Jacobians of a site."""
    check_pair(m, d)
    s = index_of(m, "site", site)
    return _at(kernels.jac, m, d, int(m.site_bodyid[s]), d.site_xpos[s])


def jac_point_axis(m: Model, d: Data, point, axis, body: int | str) -> tuple[np.ndarray, np.ndarray]:
    """Jacobians of a point [m, world] and of an axis [world] that are fixed to a body."""
    lin, ang = jac(m, d, point, body)
    return lin, np.cross(ang, vector(axis, 3, "axis"), axis=0)


def jac_dot(m: Model, d: Data, point, body: int | str) -> tuple[np.ndarray, np.ndarray]:
    """Rates of the (translation, rotation) Jacobians of a point [m, world] that is fixed to a body, at the present velocity."""
    check_pair(m, d)
    return _at(kernels.jac_dot, m, d, index_of(m, "body", body), vector(point, 3, "point"))


def jac_subtree_com(m: Model, d: Data, body: int | str) -> np.ndarray:
    """Jacobian of the centre of mass of a body with all that it carries."""
    check_pair(m, d)
    kernels.jac_subtree_com(m, d, index_of(m, "body", body))
    return d.jac_lin.copy()


def angmom_mat(m: Model, d: Data, body: int | str) -> np.ndarray:
    """Matrix that gives, times qvel, the angular momentum [kg m2/s] of a body with all that it carries about their centre of mass."""
    check_pair(m, d)
    kernels.angmom_mat(m, d, index_of(m, "body", body))
    return d.jac_ang.copy()


def _at(kernel, m: Model, d: Data, body: int, point) -> tuple[np.ndarray, np.ndarray]:
    kernel(m, d, body, float(point[0]), float(point[1]), float(point[2]))
    return d.jac_lin.copy(), d.jac_ang.copy()

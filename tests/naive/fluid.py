"""The medium's forces and gravity compensation once more: NumPy, one formula after the other, seen by the joints through full Jacobians."""
from __future__ import annotations

import numpy as np

from physics.enums import GEOM_CAPSULE, GEOM_CYLINDER, GEOM_SPHERE
from tests.naive import smooth


def box_force(m, b, w, v):
    """(torque, force) on the box of body b's inertia, in its principal axes."""
    inertia, mass = m.body_inertia[b], m.body_mass[b]
    r = np.sqrt(1.5 / mass * np.maximum(1e-15, inertia.sum() - 2 * inertia))  # half sides, as the documentation has it
    sphere = r.mean()
    torque = -8 * np.pi * m.opt_viscosity * sphere**3 * w
    force = -6 * np.pi * m.opt_viscosity * sphere * v
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        force[i] -= 2 * m.opt_density * r[j] * r[k] * abs(v[i]) * v[i]
        torque[i] -= m.opt_density * r[i] * (r[j]**4 + r[k]**4) * abs(w[i]) * w[i] / 2
    return torque, force


def radii(m, g):
    """Half axes of geom g as an ellipsoid."""
    s = m.geom_size[g]
    return np.array({GEOM_SPHERE: (s[0], s[0], s[0]), GEOM_CAPSULE: (s[0], s[0], s[0] + s[1]), GEOM_CYLINDER: (s[0], s[0], s[1])}.get(int(m.geom_type[g]), tuple(s)))


def shadow(r, e):
    """(area that an ellipsoid shows along e, cosine between e and the normal of the outline's plane)."""
    n = np.array([r[1] * r[2] / r[0], r[2] * r[0] / r[1], r[0] * r[1] / r[2]]) * e
    n /= np.linalg.norm(n)
    return np.pi * r.prod() / np.linalg.norm(r * n), n @ e, n


def ellipsoid_force(m, g, w, v):
    """(torque, force) on geom g as an ellipsoid, in its axes."""
    rho, beta = m.opt_density, m.opt_viscosity
    blunt, slender, angular, kutta, magnus = m.geom_fluid[g, 1:6]
    r, speed = radii(m, g), np.linalg.norm(v)
    low, mid, top = np.sort(r)
    p, spin = rho * m.geom_fluid[g, 6:9] * v, rho * m.geom_fluid[g, 9:12] * w
    torque = np.cross(p, v) + np.cross(spin, w)
    force = np.cross(p, w)
    sphere = r.mean()
    moments = np.array([r[i] * max(r[(i + 1) % 3], r[(i + 2) % 3])**4 for i in range(3)]) * 8 * np.pi / 15
    most = 8 * np.pi / 15 * mid * top**4
    torque -= (8 * np.pi * beta * sphere**3 + rho * np.linalg.norm((angular * moments + slender * (most - moments)) * w)) * w
    force -= 6 * np.pi * beta * sphere * v
    force += magnus * rho * (4 / 3 * np.pi * r.prod()) * np.cross(w, v)
    if speed > 0:
        area, cosine, n = shadow(r, v / speed)
        force -= rho * speed * (blunt * area + slender * (np.pi * mid * top - area)) * v
        force += kutta * rho * cosine * area * np.cross(np.cross(n, v), v)
    return torque, force


def centres(m, d):
    """For each place where the medium acts: (body, point, axes, force as a function of turning and moving in the axes)."""
    for b in range(1, m.nbody):
        geoms = [g for g in range(m.ngeom) if m.geom_bodyid[g] == b and m.geom_fluid[g, 0] > 0]
        if m.body_mass[b] < 1e-15:
            continue
        if geoms:
            for g in geoms:
                yield b, d.geom_xpos[g], d.geom_xmat[g].reshape(3, 3), lambda w, v, g=g: ellipsoid_force(m, g, w, v)
        else:
            yield b, d.xipos[b], d.ximat[b].reshape(3, 3), lambda w, v, b=b: box_force(m, b, w, v)


def fluid_force(m, d, qvel):
    """qfrc_fluid at the poses of d and the velocity qvel."""
    lin, ang = smooth.jacobians(m, d.qpos, d.mocap_pos, d.mocap_quat)
    total = np.zeros(m.nv)
    for b, point, axes, force_of in centres(m, d):
        jac = lin[b] + np.array([np.cross(column, point - d.xipos[b]) for column in ang[b].T]).T.reshape(3, m.nv)
        torque, force = force_of(axes.T @ ang[b] @ qvel, axes.T @ (jac @ qvel - m.opt_wind))
        total += jac.T @ axes @ force + ang[b].T @ axes @ torque
    return total


def fluid_derivative(m, d, h=1e-6):
    """Derivative of qfrc_fluid by velocity, by central differences."""
    return np.array([(fluid_force(m, d, d.qvel + e) - fluid_force(m, d, d.qvel - e)) / (2 * h) for e in np.eye(m.nv) * h]).T


def compensation(m, d):
    """qfrc_gravcomp."""
    lin, _ang = smooth.jacobians(m, d.qpos, d.mocap_pos, d.mocap_quat)
    return -sum(m.body_gravcomp[b] * m.body_mass[b] * lin[b].T @ m.opt_gravity for b in range(m.nbody))

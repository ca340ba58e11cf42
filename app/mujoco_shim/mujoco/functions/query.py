"""mj_* and mjd_*: what is asked about a computed state. Each returns what goes out (calls.py)."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

import physics
from physics.derivatives.analytic_forces import moment_rows, tendon_rows
from physics.engine.collide.pair_table import max_points
from physics.engine.inertia.rne import rne as bias_force
from physics.engine.ray.cast import meet_shape
from physics.engine.sensor.inside import inside_site
from physics.inverse_kinematics.box_qp import BoxQP
from physics.simulate.step import call

from ..constraint_jacobian import dense_jacobian, shown_sparse
from ..errors import FatalError


def object_velocity(m, d, kind, element, local):
    """Velocity of an element: angular, then linear."""
    return physics.object_velocity(m, d, kind, element, bool(local))


def object_acceleration(m, d, kind, element, local):
    """Acceleration of an element: angular, then linear."""
    return physics.object_acceleration(m, d, kind, element, bool(local))


def contact_force(m, d, contact):
    """Force and torque of a contact in its frame; zero where there is no such contact."""
    return physics.contact_force(m, d, contact) if 0 <= contact < d.ncon else np.zeros(6)


def apply_ft(m, d, force, torque, point, body, target):
    """Add the generalised force of a force and a torque at a point of a body."""
    return target + physics.apply_ft(m, d, force, torque, point, body).reshape(target.shape)


def full_m(m, d):
    """The mass matrix as a symmetric (nv, nv) array."""
    return physics.full_m(m, d)


def solve_m(m, d, y):
    """M^-1 of each row."""
    rows = y.reshape(y.size // max(1, m.nv), m.nv)
    return physics.solve_m(m, d, rows).reshape(y.shape)


def mul_jac_vec(m, d, vec):
    """J vec, a number for each constraint row."""
    return dense_jacobian(m, d) @ vec


def mul_jac_t_vec(m, d, vec):
    """J' vec, a number for each dof."""
    return dense_jacobian(m, d).T @ vec


def rne(m, d, flg_acc):
    """Recursive Newton-Euler: Coriolis, centrifugal and gravity forces; with flg_acc also those of qacc, without armature."""
    kept = d.qfrc_bias.copy()
    call(bias_force, m, d)
    found = d.qfrc_bias.copy()
    d.qfrc_bias[:] = kept
    return found + physics.mul_m(m, d, d.qacc) - _armature(m, d, d.qacc) if flg_acc else found


def _armature(m, d, acc) -> np.ndarray:
    """What rotors take of an acceleration: armature of dofs, and J' armature J acc of tendons and of actuators."""
    found = m.dof_armature * acc
    for rows, first, armature in ((tendon_rows, slice(None), m.tendon_armature), (moment_rows, m.actuator_outadr, m.actuator_armature)):
        if armature.any():
            jacobian = rows(m, d)[first]
            found = found + jacobian.T @ (armature * (jacobian @ acc))
    return found


def geom_distance(m, d, geom1, geom2, distmax):
    """Distance of two geoms and the segment between them."""
    found = physics.geom_distance(m, d, geom1, geom2, distmax)
    return found.dist, found.fromto


def ray(m, d, pnt, vec, geomgroup, flg_static, bodyexclude):
    """Where a half-line meets geoms first: distance, geom, normal."""
    found = physics.ray(m, d, pnt, vec, geomgroup, bool(flg_static), bodyexclude)
    return found.dist, np.array([found.geom], np.int32), found.normal


def multi_ray(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, dist, normal, nray, cutoff):
    """As `ray` for several from one point; what is beyond cutoff is not met."""
    if vec.size != 3 * nray:
        raise TypeError("vec has 3 nray numbers")
    far, geoms, normals = physics.rays(m, d, pnt, vec.reshape(-1, 3), geomgroup, bool(flg_static), bodyexclude)
    beyond = far > cutoff
    far[beyond], geoms[beyond], normals[beyond] = -1, -1, 0
    return geoms, far, normals.reshape(-1)


def ray_geom(m, d, geom, pnt, vec):
    """Where a half-line meets one geom: distance, normal."""
    found = physics.ray_geom(m, d, geom, pnt, vec)
    return found.dist, found.normal


def ray_shape(pos, mat, size, pnt, vec, geomtype):
    """Where a half-line meets a shape given by its pose, type and size: distance, normal."""
    turn = mat.reshape(3, 3)
    local, along = turn.T @ (pnt - pos), turn.T @ vec
    x, normal = meet_shape(geomtype, tuple(size.tolist()), tuple(local.tolist()), tuple(along.tolist()))
    return (float(x), turn @ np.array(normal)) if x >= 0 else (-1.0, np.zeros(3))


def box_qp(res, rows, index, hessian, gradient, lower, upper):
    """The least of x' H x / 2 + g x within bounds, from x = 0; how many numbers of x are free, -1 where H is not positive definite. The factor R is not filled."""
    n = len(gradient)
    if res.size != n or hessian.shape != (n, n):
        raise TypeError("mju_boxQP: H is (n, n); res, g and the bounds have n numbers")
    problem = BoxQP(n)
    problem.hessian[:], problem.gradient[:] = hessian, -gradient
    problem.lo[:] = -np.inf if lower is None else lower
    problem.hi[:] = np.inf if upper is None else upper
    try:
        found = problem.solve()
    except ValueError:
        return -1, res, rows, index
    free = np.flatnonzero((found > problem.lo) & (found < problem.hi))
    if index is not None:
        index.reshape(-1)[:len(free)] = free
    return len(free), found.copy(), rows, index


def inside(m, d, siteid, point):
    """Whether a point is inside a site's volume."""
    return int(inside_site(m, d, siteid, tuple(point.tolist())))


def local_to_global(d, pos, quat, body, sameframe):
    """A pose given in a body's frame, in the world; sameframe (mjtSameFrame): which of the body's frames it equals."""
    base, turn = d.xpos[body], d.xquat[body]
    own, inertial = d.xmat[body], d.ximat[body]
    world = base + own.reshape(3, 3) @ pos
    if sameframe in (1, 2):
        return (base, own) if sameframe == 1 else (d.xipos[body], inertial)
    if sameframe in (3, 4):
        return world, own if sameframe == 3 else inertial
    return world, physics.quat2_mat(physics.mul_quat(turn, quat)).reshape(-1)


# ------------------------------------------------ configurations and states

def integrate_pos(m, qpos, qvel, dt):
    """The position reached with a velocity in a time."""
    return physics.integrate_pos(m, qpos.reshape(-1), qvel, dt)


def differentiate_pos(m, dt, qpos1, qpos2):
    """The velocity that leads from one position to another."""
    return physics.differentiate_pos(m, qpos1, qpos2, dt)


def normalize_quat(m, qpos):
    """All quaternions of length 1."""
    return physics.normalize_quat(m, qpos.reshape(-1))


def state_size(m, sig):
    """How many numbers the parts of a state have. Raises FatalError for bits that there are not."""
    if not 0 <= sig < 1 << 15:
        raise FatalError(f"mj_stateSize: invalid state signature {sig} >= 2^mjNSTATE")
    return physics.state_size(m, sig)


def _of_size(m, state, sig):
    if state.size != state_size(m, sig):
        raise TypeError("state size should equal mj_stateSize(m, sig)")


def get_state(m, d, state, sig):
    """The chosen parts of the state."""
    _of_size(m, state, sig)
    return physics.get_state(m, d, sig)


def set_state(m, d, state, sig):
    """Put parts of a state in place."""
    _of_size(m, state, sig)
    physics.set_state(m, d, state, sig)


def copy_state(m, source, target, sig):
    """Copy parts of a state."""
    state_size(m, sig)
    physics.copy_state(m, source, target, sig)


def extract_state(m, source, srcsig, target, dstsig):
    """Parts of a state out of a state of more parts."""
    _of_size(m, source, srcsig)
    if dstsig & ~srcsig:
        raise FatalError("mj_extractState: dstsig is not a subset of srcsig")
    return physics.extract_state(m, source, srcsig, dstsig)


def set_keyframe(m, d, k):
    """Make the state a keyframe. Raises FatalError for one that there is not."""
    if k >= m.nkey:
        raise FatalError(f"mj_setKeyframe: index must be smaller than {m.nkey} (keyframes allocated in model)")
    if k < 0:
        raise FatalError("mj_setKeyframe: keyframe index cannot be negative")
    physics.set_keyframe(m, d, k)


# ------------------------------------------------ derivatives

def transition_fd(m, d, eps, centered, a, b, c, dd):
    """Derivatives of a step by finite differences."""
    found = physics.transition_fd(m, d, eps, bool(centered), exact=False, sensors=c is not None or dd is not None)
    return tuple(found)[:4] if c is not None or dd is not None else (found[0], found[1], None, None)


def inverse_fd(m, d, eps, actuation, *wanted):
    """Derivatives of inverse dynamics by finite differences, transposed as officially: a row for each direction; of the force, of sensors and of the mass matrix."""
    found = physics.inverse_fd(m, d, eps, bool(actuation))
    more = sensor_differences(m, d, eps) if any(one is not None for one in wanted[3:]) else (None,) * 4
    return (*(part.T for part in found), *more)


def sensor_differences(m, d, eps) -> tuple[np.ndarray, ...]:
    """Forward differences of sensor values by position, velocity and acceleration (nv, nsensordata), and of the mass matrix's entries by position (nv, nC), of inverse dynamics."""
    kept = d.copy()
    physics.inverse(m, d)
    sensors, inertia = d.sensordata.copy(), d.M.copy()
    by = [np.zeros((m.nv, m.nsensordata)) for _ in range(3)]
    by_position = np.zeros((m.nv, len(inertia)))
    for i in range(m.nv):
        for k, field in enumerate((None, "qvel", "qacc")):
            if field is None:
                d.qpos[:] = physics.integrate_pos(m, kept.qpos, np.eye(m.nv)[i], eps)
            else:
                getattr(d, field)[i] += eps
            physics.inverse(m, d)
            by[k][i] = (d.sensordata - sensors) / eps
            if field is None:
                by_position[i] = (d.M - inertia) / eps
                d.qpos[:] = kept.qpos
            else:
                getattr(d, field)[i] = getattr(kept, field)[i]
    d.copy_from(kept)
    return (*by, by_position)


def most_contacts(m, g1, g2, has_margin):
    """How many contacts two geoms can have."""
    return int(max_points(*sorted((int(m.geom_type[g1]), int(m.geom_type[g2])))))


def is_pyramidal(m):
    """Whether friction cones are pyramids."""
    return int(m.opt_cone == 0)


def is_dual(m):
    """Whether the solver works on forces: PGS, and the pass against slip."""
    return int(m.opt_solver == 0 or m.opt_noslip_iterations > 0)


def is_sparse(m):
    """Whether the constraint Jacobian is shown by its entries."""
    return int(shown_sparse(m))


TABLE = MappingProxyType({
    "mj_jac": physics.jac, "mj_jacBody": physics.jac_body, "mj_jacBodyCom": physics.jac_body_com, "mj_jacGeom": physics.jac_geom,
    "mj_jacSite": physics.jac_site, "mj_jacDot": physics.jac_dot, "mj_jacPointAxis": physics.jac_point_axis, "mj_jacSubtreeCom": physics.jac_subtree_com,
    "mj_angmomMat": physics.angmom_mat, "mj_objectVelocity": object_velocity, "mj_objectAcceleration": object_acceleration, "mj_contactForce": contact_force,
    "mj_applyFT": apply_ft, "mj_fullM": full_m, "mj_mulM": physics.mul_m, "mj_solveM": solve_m, "mj_mulJacVec": mul_jac_vec, "mj_mulJacTVec": mul_jac_t_vec, "mj_rne": rne,
    "mj_geomDistance": geom_distance, "mj_ray": ray, "mj_multiRay": multi_ray, "mj_rayMesh": ray_geom, "mj_rayHfield": ray_geom, "mj_insideSite": inside, "mju_rayGeom": ray_shape, "mju_boxQP": box_qp,
    "mj_local2Global": local_to_global, "mj_integratePos": integrate_pos, "mj_differentiatePos": differentiate_pos, "mj_normalizeQuat": normalize_quat,
    "mj_stateSize": state_size, "mj_getState": get_state, "mj_setState": set_state, "mj_copyState": copy_state, "mj_extractState": extract_state, "mj_setKeyframe": set_keyframe,
    "mjd_transitionFD": transition_fd, "mjd_inverseFD": inverse_fd,
    "mj_maxContact": most_contacts, "mj_isPyramidal": is_pyramidal, "mj_isDual": is_dual, "mj_isSparse": is_sparse,
})

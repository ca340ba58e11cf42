"""Sensors, cameras and lights once more, plainly: poses by chaining, velocities by dense Jacobians, accelerations by differences of velocities."""
from __future__ import annotations

import numpy as np

from physics.enums import (
    CAMLIGHT_FIXED,
    CAMLIGHT_TARGETBODY,
    CAMLIGHT_TRACK,
    CAMLIGHT_TRACKCOM,
    OBJ_BODY,
    OBJ_CAMERA,
    OBJ_GEOM,
    OBJ_SITE,
    SensorType,
)
from tests.naive import sensing, smooth

LOCAL = {OBJ_GEOM: "geom", OBJ_SITE: "site", OBJ_CAMERA: "cam"}


def unit(v):
    return v / np.linalg.norm(v)


class Motion:
    """Where things are, how they move, and how that changes with the acceleration in d."""

    def __init__(self, m, d):
        self.m, self.d = m, d
        self.now = self._moment(d.qpos, d.qvel)
        h = self.h = 1e-5
        self.near = [self._moment(smooth.move(m, d.qpos, s * d.qvel + s * s / 2 * d.qacc), d.qvel + s * d.qacc) for s in (-h, h)]

    def _moment(self, qpos, qvel):
        poses, _ = smooth.poses(self.m, qpos, self.d.mocap_pos, self.d.mocap_quat)
        lin, ang = smooth.jacobians(self.m, qpos, self.d.mocap_pos, self.d.mocap_quat)
        coms = [p + r @ self.m.body_ipos[b] for b, (p, r) in enumerate(poses)]
        return poses, coms, lin @ qvel, ang @ qvel

    def body(self, kind: int, k: int) -> int:
        return int(getattr(self.m, LOCAL[kind] + "_bodyid")[k]) if kind in LOCAL else k

    def pose(self, kind: int, k: int, moment=None):
        """(position, rotation) of an object."""
        m, b = self.m, self.body(kind, k)
        p, r = (moment or self.now)[0][b]
        if kind == OBJ_BODY:
            return p + r @ m.body_ipos[b], r @ smooth.matrix(m.body_iquat[b])
        if kind in LOCAL:
            return p + r @ getattr(m, LOCAL[kind] + "_pos")[k], r @ smooth.matrix(getattr(m, LOCAL[kind] + "_quat")[k])
        return p, r

    def velocity(self, kind: int, k: int, moment=None):
        """(angular, linear) in world axes."""
        b, at = self.body(kind, k), moment or self.now
        w = at[3][b]
        return w, at[2][b] + np.cross(w, self.pose(kind, k, at)[0] - at[1][b])

    def acceleration(self, kind: int, k: int):
        """(angular, linear with what gravity's pull feels like) in world axes."""
        ends = [self.velocity(kind, k, moment) for moment in self.near]
        return (ends[1][0] - ends[0][0]) / (2 * self.h), (ends[1][1] - ends[0][1]) / (2 * self.h) - self.m.opt_gravity


def frame(motion, name, kind, k, ref_kind, ref):
    """What a frame sensor sees of an object, from a reference object if there is one."""
    p, r = motion.pose(kind, k)
    w, v = motion.velocity(kind, k)
    p0, r0, w0, v0 = np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3)
    if ref >= 0:
        (p0, r0), (w0, v0) = motion.pose(ref_kind, ref), motion.velocity(ref_kind, ref)
    seen = {"FRAMEPOS": p - p0, "FRAMEXAXIS": r[:, 0], "FRAMEYAXIS": r[:, 1], "FRAMEZAXIS": r[:, 2], "FRAMEANGVEL": w - w0,
            "FRAMELINVEL": v - v0 - np.cross(w0, p - p0)}
    return r0.T @ seen[name]


def projection(motion, m, camera, site):
    """Pixel at which a camera without a sensor size sees a site."""
    p, r = motion.pose(OBJ_CAMERA, camera)
    x, y, z = r.T @ (motion.pose(OBJ_SITE, site)[0] - p)
    wide, high = m.cam_resolution[camera]
    f = high / 2 / np.tan(np.radians(m.cam_fovy[camera]) / 2)
    return np.array([wide / 2 - f * x / z, high / 2 + f * y / z])


def held(d, kind_of_row, k, values):
    """A number of the row that holds joint or tendon k within its range, 0 where none does."""
    rows = [row for row in range(d.nefc) if d.efc_type[row] == kind_of_row and d.efc_id[row] == k]
    return values[rows[0]] if rows else 0.0


def at_site(motion, m, d, name, k):
    """Sensors that are mounted on a site."""
    p, r = motion.pose(OBJ_SITE, k)
    w, v = motion.velocity(OBJ_SITE, k)
    if name in ("VELOCIMETER", "GYRO"):
        return r.T @ (v if name == "VELOCIMETER" else w)
    if name == "MAGNETOMETER":
        return r.T @ m.opt_magnetic
    if name == "ACCELEROMETER":
        return r.T @ motion.acceleration(OBJ_SITE, k)[1]
    body = int(m.site_bodyid[k])
    torque, force = np.split(sensing.joint_force(m, d, body), 2)
    if name == "TORQUE":
        return r.T @ (torque - np.cross(p - d.subtree_com[m.body_rootid[body]], force))
    return r.T @ force


def of_joint_or_tendon(m, d, name, k):
    """Sensors of a joint, a tendon or an actuator with one output."""
    q, v = (m.jnt_qposadr[k], m.jnt_dofadr[k]) if "JOINT" in name or "BALL" in name else (0, 0)
    row = 3 if "JOINT" in name else 4   # mjtConstraint: limits of joints and of tendons
    pulls = [i for i in range(m.nactuator) if m.actuator_trntype[i] == 3 and m.actuator_trnid[i, 0] == k]
    return {"JOINTPOS": lambda: d.qpos[q], "JOINTVEL": lambda: d.qvel[v], "TENDONPOS": lambda: d.ten_length[k], "TENDONVEL": lambda: d.ten_velocity[k],
            "ACTUATORPOS": lambda: d.actuator_length[m.actuator_outadr[k]], "ACTUATORVEL": lambda: d.actuator_velocity[m.actuator_outadr[k]],
            "ACTUATORFRC": lambda: d.actuator_force[m.actuator_outadr[k]], "JOINTACTFRC": lambda: d.qfrc_actuator[v],
            "TENDONACTFRC": lambda: d.actuator_force[[m.actuator_outadr[i] for i in pulls]].sum(),
            "BALLQUAT": lambda: unit(d.qpos[q:q + 4]), "BALLANGVEL": lambda: d.qvel[v:v + 3],
            "JOINTLIMITPOS": lambda: held(d, row, k, d.efc_pos - d.efc_margin), "JOINTLIMITVEL": lambda: held(d, row, k, d.efc_vel),
            "JOINTLIMITFRC": lambda: held(d, row, k, d.efc_force), "TENDONLIMITPOS": lambda: held(d, row, k, d.efc_pos - d.efc_margin),
            "TENDONLIMITVEL": lambda: held(d, row, k, d.efc_vel), "TENDONLIMITFRC": lambda: held(d, row, k, d.efc_force)}[name]()


def of_all(motion, m, d, name, k):
    """Subtrees, energies, the clock."""
    if name == "SUBTREECOM":
        inside = sensing.below(m, k)
        return m.body_mass[inside] @ np.array(motion.now[1])[inside] / m.body_mass[inside].sum()
    if name in ("SUBTREELINVEL", "SUBTREEANGMOM"):
        return sensing.subtree(m, d, k)[name == "SUBTREEANGMOM"]
    if name == "E_POTENTIAL":
        return smooth.spring_energy(m, d.qpos) - (np.array(motion.now[1]) @ m.opt_gravity) @ m.body_mass
    if name == "E_KINETIC":
        return d.qvel @ smooth.mass_matrix(m, d.qpos, d.mocap_pos, d.mocap_quat) @ d.qvel / 2
    return d.time


def reading(motion, m, d, i):
    """What sensor i reads, before its cutoff; None for those with twins of their own (rays, contacts, distances)."""
    name, kind, k = SensorType(m.sensor_type[i]).name, int(m.sensor_objtype[i]), int(m.sensor_objid[i])
    if name in ("VELOCIMETER", "GYRO", "MAGNETOMETER", "ACCELEROMETER", "FORCE", "TORQUE"):
        return at_site(motion, m, d, name, k)
    if name in ("FRAMELINACC", "FRAMEANGACC"):
        return motion.acceleration(kind, k)[name == "FRAMELINACC"]
    if name == "FRAMEQUAT":
        r = motion.pose(kind, k)[1]
        return r if m.sensor_refid[i] < 0 else motion.pose(int(m.sensor_reftype[i]), int(m.sensor_refid[i]))[1].T @ r   # as a matrix
    if name.startswith("FRAME"):
        return frame(motion, name, kind, k, int(m.sensor_reftype[i]), int(m.sensor_refid[i]))
    if name == "CAMPROJECTION":
        return projection(motion, m, int(m.sensor_refid[i]), k)
    if name in ("SUBTREECOM", "SUBTREELINVEL", "SUBTREEANGMOM", "E_POTENTIAL", "E_KINETIC", "CLOCK"):
        return of_all(motion, m, d, name, k)
    if any(word in name for word in ("JOINT", "TENDON", "ACTUATOR", "BALL")):
        return of_joint_or_tendon(m, d, name, k)
    return None


def mounted(m, d, kind, i, poses, coms):
    """(position, rotation or direction) of a camera or a light by its mode."""
    value = lambda name: getattr(m, f"{kind}_{name}")[i]  # noqa: E731
    body, mode = int(value("bodyid")), int(value("mode"))
    p, r = poses[body]
    first = value("mat0").reshape(3, 3) if kind == "cam" else unit(value("dir0"))
    if mode in (CAMLIGHT_TRACK, CAMLIGHT_TRACKCOM):
        return (p + value("pos0") if mode == CAMLIGHT_TRACK else coms[body] + value("poscom0")), first
    at, target = p + r @ value("pos"), int(value("targetbodyid"))
    if mode == CAMLIGHT_FIXED or target < 0:
        return at, r @ smooth.matrix(value("quat")) if kind == "cam" else unit(r @ value("dir"))
    to = unit((poses[target][0] if mode == CAMLIGHT_TARGETBODY else coms[target]) - at)
    if kind == "light":
        return at, to
    right = unit(np.cross(to, [0, 0, 1]))
    return at, np.array([right, np.cross(right, to), -to]).T

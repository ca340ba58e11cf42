"""Plain twins of what sensors rest on: subtrees by sums over bodies, reactions by Newton's second law on all that hangs on a joint,
rays by trying every triangle, distances along a ray by marching.
"""
import numpy as np


def below(m, body):
    """The body and all its descendants."""
    found = [body]
    for b in range(body + 1, m.nbody):
        if m.body_parentid[b] in found:
            found.append(b)
    return found


def velocities(m, d):
    """(angular, linear at the centre of mass) velocity of every body."""
    w = d.cvel[:, :3]
    return w, d.cvel[:, 3:] + np.cross(w, d.xipos - d.subtree_com[m.body_rootid])


def subtree(m, d, body):
    """(velocity of the centre of mass, angular momentum about it) of a body with its descendants."""
    inside = below(m, body)
    w, v = velocities(m, d)
    mass = m.body_mass[inside]
    centre, mean = mass @ d.xipos[inside] / mass.sum(), mass @ v[inside] / mass.sum()
    spin = np.zeros(3)
    for b in inside:
        r = d.ximat[b].reshape(3, 3)
        spin += r @ (m.body_inertia[b] * (r.T @ w[b])) + m.body_mass[b] * np.cross(d.xipos[b] - centre, v[b] - mean)
    return mean, spin


def joint_force(m, d, body):
    """(torque about the tree's centre of mass, force) that the parent must pass on: rate of momentum of all below, less gravity and what acts from outside."""
    force, torque = np.zeros(3), np.zeros(3)
    root = d.subtree_com[m.body_rootid[body]]
    for b in below(m, body):
        arm = d.xipos[b] - root
        w = d.cvel[b, :3]
        point = d.cvel[b, 3:] + np.cross(w, arm)
        alpha = d.cacc[b, :3]
        feels = d.cacc[b, 3:] + np.cross(alpha, arm) + np.cross(w, point)   # gravity is in it
        r = d.ximat[b].reshape(3, 3)
        inertia = r @ np.diag(m.body_inertia[b]) @ r.T
        f = m.body_mass[b] * feels
        force += f - d.xfrc_applied[b, :3]
        torque += inertia @ alpha + np.cross(w, inertia @ w) + np.cross(arm, f) - d.xfrc_applied[b, 3:] - np.cross(arm, d.xfrc_applied[b, :3])
    return np.concatenate([torque, force])


def nearest_triangle(corners, p, v):
    """Least x >= 0 at which p + x v meets one of the triangles (n, 3, 3), -1 where it meets none (Moeller and Trumbore)."""
    a, e, f = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    q = np.cross(v, f)
    det = (e * q).sum(1)
    with np.errstate(divide="ignore", invalid="ignore"):
        s = ((p - a) * q).sum(1) / det
        r = np.cross(p - a, e)
        t = r @ v / det
        x = (f * r).sum(1) / det
    hit = (abs(det) > 1e-14) & (s >= 0) & (t >= 0) & (s + t <= 1) & (x >= 0)
    return x[hit].min() if hit.any() else -1.0


def march(distance, p, v, far=20.0):
    """First zero of a signed distance along p + x v, from outside, by steps of the distance; -1 where none within `far`."""
    x, length = 0.0, np.linalg.norm(v)
    while x * length < far:
        s = distance(p + x * v)
        if s < 1e-11:
            return x
        x += s / length
    return -1.0

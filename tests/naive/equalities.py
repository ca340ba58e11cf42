"""Residuals of equality constraints once more, plainly: what is to be zero, from poses by homogeneous chaining."""
from __future__ import annotations

import numpy as np

from physics.enums import EQ_CONNECT, EQ_JOINT, EQ_WELD, OBJ_SITE
from tests.naive.smooth import poses, product
from tests.naive.strings import lengths


def orientation(r):
    """Quaternion of a rotation matrix, by the trace (angles below 120 degrees)."""
    w = np.sqrt(1 + np.trace(r)) / 2
    return np.array([w, *(np.array([r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]]) / (4 * w))])


def residuals(m, active, qpos, mocap_pos, mocap_quat):
    """Residuals of all active constraints in order, joined."""
    place, _ = poses(m, qpos, mocap_pos, mocap_quat)
    length = lengths(m, qpos, mocap_pos, mocap_quat)
    found = []
    for i in np.nonzero(active)[0]:
        kind, one, two, data = m.eq_type[i], m.eq_obj1id[i], m.eq_obj2id[i], m.eq_data[i]
        if kind in (EQ_CONNECT, EQ_WELD):
            found.append(_pair(m, i, place))
            continue
        if kind == EQ_JOINT:
            value, start = lambda k: qpos[m.jnt_qposadr[k]], lambda k: m.qpos0[m.jnt_qposadr[k]]  # noqa: E731
        else:
            value, start = lambda k: length[k], lambda k: m.tendon_length0[k]  # noqa: E731
        x = value(two) - start(two) if two >= 0 else 0.0
        found.append([value(one) - start(one) - np.polyval(data[4::-1], x)])
    return np.concatenate(found)


def _pair(m, i, place):
    kind, data = m.eq_type[i], m.eq_data[i]
    frames = []
    for obj, anchor in ((m.eq_obj1id[i], data[:3] if kind == EQ_CONNECT else data[3:6]), (m.eq_obj2id[i], data[3:6] if kind == EQ_CONNECT else data[:3])):
        if m.eq_objtype[i] == OBJ_SITE:
            p, r = place[m.site_bodyid[obj]]
            frames.append((p + r @ m.site_pos[obj], product(orientation(r), m.site_quat[obj])))
        else:
            p, r = place[obj]
            frames.append((p + r @ anchor, orientation(r)))
    (p1, q1), (p2, q2) = frames
    if kind == EQ_CONNECT:
        return p1 - p2
    if m.eq_objtype[i] != OBJ_SITE:
        q1 = product(q1, data[6:10])
    return np.concatenate([p1 - p2, data[10] * product(q2 * (1, -1, -1, -1), q1)[1:]])

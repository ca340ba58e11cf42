"""How points that are fixed to bodies move with each degree of freedom, from the motion axes of a Moment.

Source: Featherstone, "Rigid Body Dynamics Algorithms", chapter 2.
"""
from __future__ import annotations

import numpy as np


def point_jacobians(m, v, body: int, point) -> tuple[np.ndarray, np.ndarray]:
    """(translation, rotation) Jacobians (3, nv) of a point fixed to a body, from the motion axes."""
    lin, ang = np.zeros((3, m.nv)), np.zeros((3, m.nv))
    while body > 0 and m.body_dofnum[body] == 0:
        body = int(m.body_parentid[body])
    if body > 0:
        arm = np.asarray(point) - v.subtree_com[m.body_rootid[body]]
        k = int(m.body_dofadr[body] + m.body_dofnum[body]) - 1
        while k >= 0:
            ang[:, k], lin[:, k] = v.cdof[k][:3], v.cdof[k][3:] + np.cross(v.cdof[k][:3], arm)
            k = int(m.dof_parentid[k])
    return lin, ang

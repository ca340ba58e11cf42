"""The official engine's rows in the forms that tests compare with: dense Jacobian, J inv(M) J' of a combination of rows, and what the rows were regularised by."""
import numpy as np


def forward_at(mujoco, mm, d):
    """An official Data computed at the state of one of ours, before its last step or after `forward`."""
    md = mujoco.MjData(mm)
    for name in ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "qacc_warmstart", "eq_active"):
        getattr(md, name)[...] = np.reshape(getattr(d, name), np.shape(getattr(md, name)))
    mujoco.mj_forward(mm, md)
    return md


def jacobian(mujoco, mm, md) -> np.ndarray:
    """efc_J (nefc, nv), dense."""
    if not mujoco.mj_isSparse(mm):
        return np.reshape(md.efc_J, (-1, mm.nv))[:md.nefc].copy()
    out = np.zeros((md.nefc, mm.nv))
    for i in range(md.nefc):
        entries = slice(md.efc_J_rowadr[i], md.efc_J_rowadr[i] + md.efc_J_rownnz[i])
        out[i, md.efc_J_colind[entries]] = md.efc_J[entries]
    return out


def normal_rows(mujoco, mm, md, geoms) -> list[int]:
    """Numbers of the rows that push along the normal of all contacts between two geoms."""
    rows = []
    for k in range(md.ncon):
        contact = md.contact[k]
        if set(contact.geom.tolist()) != set(geoms) or contact.efc_address < 0:
            continue
        pyramid = mm.opt.cone == mujoco.mjtCone.mjCONE_PYRAMIDAL and contact.dim > 1
        rows += range(contact.efc_address, contact.efc_address + (2 * (contact.dim - 1) if pyramid else 1))
    return rows


def together(mujoco, mm, md, rows, direction=None) -> tuple[float, float, float]:
    """(A, s, a0) of rows, from efc_J, efc_R, efc_KBIP, the inertia matrix and qacc_smooth. direction: weights of rows along axes, None: side by side."""
    weights = 1.0 / md.efc_R[rows] / np.sum(1.0 / md.efc_R[rows]) if direction is None else direction
    size = np.ones(len(rows)) if direction is None else direction ** 2
    M = np.zeros((mm.nv, mm.nv))
    mujoco.mj_fullM(mm, md, M)
    J = weights @ jacobian(mujoco, mm, md)[rows]
    A = float(J @ np.linalg.solve(M, J))
    imp = md.efc_KBIP[rows, 2]
    return A, A * float(np.sum(size * (1.0 - imp) / imp / md.efc_R[rows])), float(J @ md.qacc_smooth)

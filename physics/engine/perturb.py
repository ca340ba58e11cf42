"""The perturbation by the mouse: a spring and damper between a body and a reference pose, and the mass it feels.

              refselpos                 The grab point is pulled to refselpos, as if a mass of localmass hung on a
                 o~~~~ spring ~~~~o     spring of stiffness k localmass; turning works on the body's mean inertia.
                             grab point

Source: MuJoCo documentation, Visualization chapter, "Perturbations"; visual/map, attributes stiffness and stiffnessrot.
The damping sqrt(k) is the official one (half of critical), twice that where perturb_extra_damping is 1; the torques of pulling and turning add up, as in 4.0.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.inertia.mass_matrix import solve_m_vec
from physics.engine.linalg.quat import conj4, mul4, to_rotvec
from physics.engine.linalg.vec import add3, addscl3, cross3, dot3, mat_vec3, scl3, sub3, unit3
from physics.enums import MINVAL, PERT_ROTATE, PERT_TRANSLATE
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld4, ld6, ld9, off


@helper
def vector3(a):
    """A field of three numbers as a tuple."""
    return a[0], a[1], a[2]


@helper
def grab_point(d, body):
    """World position of the grab point."""
    return add3(mat_vec3(ld9(d.xmat, body), vector3(d.perturb_localpos)), ld3(d.xpos, body))


@kernel()
def perturb_force(m, d):
    """Find the mouse's force on the centre of mass of body perturb_bodyid; zero while it does nothing, and for a mocap body: the mouse moves that one, and
    its xpos follows in the step.

    Reads: perturb_bodyid, perturb_active, perturb_localmass, perturb_stiffness, perturb_stiffnessrot, perturb_extra_damping, perturb_refselpos,
        perturb_refquat, perturb_localpos, xpos, xmat, xipos, xiquat, cvel, subtree_com
    Writes: xfrc_perturb (force, torque)
    Source: simulate's perturbation, see the module.
    """
    force = (0.0, 0.0, 0.0)
    torque = (0.0, 0.0, 0.0)
    body = d.perturb_bodyid
    if d.perturb_active != 0 and body > 0 and m.body_mocapid[body] < 0:
        vel = ld6(d.cvel, body)
        w = (vel[0], vel[1], vel[2])
        com = ld3(d.xipos, body)
        root = ld3(d.subtree_com, m.body_rootid[body])
        v = add3((vel[3], vel[4], vel[5]), cross3(w, sub3(com, root)))
        inertia = 1.0
        if m.body_invweight0[body, 1] > 0.0:
            inertia = 1.0 / max(MINVAL, m.body_invweight0[body, 1])
        kr = d.perturb_stiffnessrot
        damping = 1.0 + d.perturb_extra_damping
        if d.perturb_active & PERT_TRANSLATE:
            k = d.perturb_stiffness
            point = grab_point(d, body)
            stretch = sub3(point, vector3(d.perturb_refselpos))
            arm = sub3(point, com)
            # spring and damper at the point, arm to the centre, damping of the spin about the spring's axis
            force = scl3(stretch, -k * d.perturb_localmass)
            force = addscl3(force, add3(v, cross3(w, arm)), -damping * sqrt(k) * d.perturb_localmass)
            axis = unit3(stretch)
            torque = addscl3(cross3(arm, force), axis, -damping * sqrt(kr) * inertia * dot3(axis, w))
        if d.perturb_active & PERT_ROTATE:
            q = (d.perturb_refquat[0], d.perturb_refquat[1], d.perturb_refquat[2], d.perturb_refquat[3])
            error = to_rotvec(mul4(q, conj4(ld4(d.xiquat, body))))
            torque = add3(torque, addscl3(scl3(error, kr * inertia), w, -damping * sqrt(kr) * inertia))
    for i in range(3):
        d.xfrc_perturb[i] = force[i]
        d.xfrc_perturb[3 + i] = torque[i]


@kernel()
def perturb_mass(m, d):
    """Find the mass that is felt at the grab point: 3 / trace(J inv(M) J'), 1 where it cannot move.

    Reads: perturb_bodyid, perturb_localpos, xpos, xmat, cdof, subtree_com, qLD, qLDiagInv, aba_trees
    Writes: perturb_localmass, perturb_scratch, aba_x
    Source: simulate's perturbation; J is the point's translational Jacobian (3, nv).
    """
    body = d.perturb_bodyid
    arm = sub3(grab_point(d, body), ld3(d.subtree_com, m.body_rootid[body]))
    trace = 0.0
    for axis in range(3):
        for k in range(m.nv):
            d.perturb_scratch[k] = 0.0
        # J's row: of each dof between the body and the root
        carrier = m.body_weldid[body]
        dof = m.body_dofadr[carrier] + m.body_dofnum[carrier] - 1
        if m.body_dofnum[carrier] == 0:
            dof = -1
        last = dof
        while dof >= 0:
            s = ld6(d.cdof, dof)
            j = add3((s[3], s[4], s[5]), cross3((s[0], s[1], s[2]), arm))
            d.perturb_scratch[dof] = component(j, axis)
            dof = m.dof_parentid[dof]
        solve_m_vec(m, d, off(d.perturb_scratch, 0))
        dof = last
        while dof >= 0:
            s = ld6(d.cdof, dof)
            j = add3((s[3], s[4], s[5]), cross3((s[0], s[1], s[2]), arm))
            trace += d.perturb_scratch[dof] * component(j, axis)
            dof = m.dof_parentid[dof]
    d.perturb_localmass = 1.0
    if trace > 0.0:
        d.perturb_localmass = 3.0 / max(trace, MINVAL)


@helper
def component(v, axis):
    """v[axis] of a tuple, for an axis known only at run time."""
    if axis == 0:
        return v[0]
    if axis == 1:
        return v[1]
    return v[2]

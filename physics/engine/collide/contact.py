"""Write contacts: geometry of one point, then the parameters that all points of a geom pair share.

A routine first calls `put` for each point it finds; the driver then calls `finish` once per geom pair, which mixes the
parameters of the two geoms and completes the frames.

Source: MuJoCo documentation, chapter Modeling, "Contact parameters"; chapter Computation, "Contact".
"""
from __future__ import annotations

from physics.engine.collide.vectors import cross3, dot3, scl3, sub3, unit3
from physics.engine.constraint.surface import surface_velocity
from physics.enums import ENBL_OVERRIDE, MINVAL
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld9, st3, st9

MINMU = 1e-5  # smallest friction coefficient


@helper(fastmath=EXACT)
def put(d, k, dist, pos, normal):
    """Write the geometry of contact k; the first tangent is left open."""
    put_along(d, k, dist, pos, normal, (0.0, 0.0, 0.0))


@helper(fastmath=EXACT)
def put_along(d, k, dist, pos, normal, tangent):
    """Write the geometry of contact k with a first tangent (need not be exactly normal to `normal`)."""
    d.contact_dist[k] = dist
    st3(d.contact_pos, k, pos)
    st9(d.contact_frame, k, (normal[0], normal[1], normal[2], tangent[0], tangent[1], tangent[2], 0.0, 0.0, 0.0))


@helper(fastmath=EXACT)
def complete_frame(f):
    """Orthonormal rows normal, tangent, normal x tangent of a frame that has a normal and perhaps a tangent.

    A missing tangent becomes world y, or world z where the normal is within 60 degrees of y.
    """
    u = unit3((f[0], f[1], f[2]))
    n = (u[0], u[1], u[2])
    t = (f[3], f[4], f[5])
    if dot3(t, t) < 0.25:
        if -0.5 < n[1] < 0.5:
            t = (0.0, 1.0, 0.0)
        else:
            t = (0.0, 0.0, 1.0)
    u = unit3(sub3(t, scl3(n, dot3(n, t))))
    b = cross3(n, (u[0], u[1], u[2]))
    return n[0], n[1], n[2], u[0], u[1], u[2], b[0], b[1], b[2]


@helper(fastmath=EXACT)
def mix_weight(s1, s2):
    """share of the first geom, from the two solmix values"""
    if s1 < MINVAL and s2 < MINVAL:
        return 0.5
    if s1 < MINVAL:
        return 0.0
    if s2 < MINVAL:
        return 1.0
    return s1 / (s1 + s2)


@helper
def dims_fit(m):
    """Whether every geom and pair has a number of contact dimensions that there is; they may be changed while it runs."""
    for g in range(m.ngeom):
        n = m.geom_condim[g]
        if n != 1 and n != 3 and n != 4 and n != 6:
            return False
    for p in range(m.npair):
        n = m.pair_dim[p]
        if n != 1 and n != 3 and n != 4 and n != 6:
            return False
    return True


@kernel("m d i i i", fastmath=EXACT)
def mix_parameters(m, d, k, g1, g2):
    """Write condim, friction, adhesion, solref and solimp of contact k from geoms g1 and g2.

    The geom of higher priority decides alone. At equal priority: largest condim and friction; sum of adhesions; solimp
    weighted by solmix; solref likewise when both are in the (timeconst, dampratio) form, else the smaller of each.
    """
    # equal priority: mixed, with weight w of the first geom
    p1 = m.geom_priority[g1]
    p2 = m.geom_priority[g2]
    if p1 == p2:
        w = mix_weight(m.geom_solmix[g1], m.geom_solmix[g2])
        d.contact_dim[k] = max(m.geom_condim[g1], m.geom_condim[g2])
        d.contact_adhesion[k] = m.geom_adhesion[g1] + m.geom_adhesion[g2]
        # (timeconst, dampratio) are averaged; the direct form (-stiffness, -damping) cannot be
        if m.geom_solref[g1, 0] > 0.0 and m.geom_solref[g2, 0] > 0.0:
            for i in range(2):
                d.contact_solref[k, i] = w * m.geom_solref[g1, i] + (1.0 - w) * m.geom_solref[g2, i]
        else:
            for i in range(2):
                d.contact_solref[k, i] = min(m.geom_solref[g1, i], m.geom_solref[g2, i])
        for i in range(5):
            d.contact_solimp[k, i] = w * m.geom_solimp[g1, i] + (1.0 - w) * m.geom_solimp[g2, i]
        f0 = max(m.geom_friction[g1, 0], m.geom_friction[g2, 0])
        f1 = max(m.geom_friction[g1, 1], m.geom_friction[g2, 1])
        f2 = max(m.geom_friction[g1, 2], m.geom_friction[g2, 2])
    else:
        # else those of the geom of higher priority
        g = g1 if p1 > p2 else g2
        d.contact_dim[k] = m.geom_condim[g]
        d.contact_adhesion[k] = m.geom_adhesion[g]
        for i in range(2):
            d.contact_solref[k, i] = m.geom_solref[g, i]
        for i in range(5):
            d.contact_solimp[k, i] = m.geom_solimp[g, i]
        f0 = m.geom_friction[g, 0]
        f1 = m.geom_friction[g, 1]
        f2 = m.geom_friction[g, 2]
    # two tangential, one torsional, two rolling coefficients
    d.contact_friction[k, 0] = max(MINMU, f0)
    d.contact_friction[k, 1] = max(MINMU, f0)
    d.contact_friction[k, 2] = max(MINMU, f1)
    d.contact_friction[k, 3] = max(MINMU, f2)
    d.contact_friction[k, 4] = max(MINMU, f2)


@kernel("m d i i", fastmath=EXACT)
def explicit_parameters(m, d, k, pair):
    """Write condim, friction, adhesion, solref and solimp of contact k as an explicit pair sets them."""
    d.contact_dim[k] = m.pair_dim[pair]
    d.contact_adhesion[k] = m.pair_adhesion[pair]
    for i in range(2):
        d.contact_solref[k, i] = m.pair_solref[pair, i]
        d.contact_solreffriction[k, i] = m.pair_solreffriction[pair, i]
    for i in range(5):
        d.contact_solimp[k, i] = m.pair_solimp[pair, i]
        d.contact_friction[k, i] = max(MINMU, m.pair_friction[pair, i])


@kernel("m d i", fastmath=EXACT)
def override_parameters(m, d, k):
    """Replace the parameters of contact k by those of the option block (enable flag `override`)."""
    for i in range(2):
        d.contact_solref[k, i] = m.opt_o_solref[i]
        d.contact_solreffriction[k, i] = m.opt_o_solref[i]
    for i in range(5):
        d.contact_solimp[k, i] = m.opt_o_solimp[i]
        d.contact_friction[k, i] = max(MINMU, m.opt_o_friction[i])


@kernel("m d i i i i f i", fastmath=EXACT)
def finish(m, d, k0, g1, g2, pair, margin, n):
    """Complete the n contacts of geoms g1, g2 that start at row k0; pair: the explicit pair that they are of, -1 none.

    A contact at or beyond `margin` lies in the gap: it is listed, but excluded from the constraints, unless it sticks:
    then it pulls along its normal, without friction.
    """
    # parameters, written once at the first contact of the pair
    if pair >= 0:
        explicit_parameters(m, d, k0, pair)
    else:
        d.contact_solreffriction[k0, 0] = 0.0
        d.contact_solreffriction[k0, 1] = 0.0
        mix_parameters(m, d, k0, g1, g2)
    if m.opt_enableflags & ENBL_OVERRIDE:
        override_parameters(m, d, k0)
    # orthonormal frame; contacts of the same normal and tangent share it
    dim = d.contact_dim[k0]
    sticks = d.contact_adhesion[k0] != 0.0
    raw = ld9(d.contact_frame, k0)
    frame = complete_frame(raw)
    for k in range(k0, k0 + n):
        if k > k0:
            f = ld9(d.contact_frame, k)
            # points of one face share the normal
            if f[0] != raw[0] or f[1] != raw[1] or f[2] != raw[2] or f[3] != raw[3] or f[4] != raw[4] or f[5] != raw[5]:
                raw = f
                frame = complete_frame(f)
            # copies for the others
            d.contact_dim[k] = dim
            d.contact_adhesion[k] = d.contact_adhesion[k0]
            for i in range(2):
                d.contact_solref[k, i] = d.contact_solref[k0, i]
                d.contact_solreffriction[k, i] = d.contact_solreffriction[k0, i]
            for i in range(5):
                d.contact_solimp[k, i] = d.contact_solimp[k0, i]
                d.contact_friction[k, i] = d.contact_friction[k0, i]
        # in the gap: excluded, but for what sticks
        d.contact_geom[k, 0] = g1
        d.contact_geom[k, 1] = g2
        d.contact_includemargin[k] = margin
        d.contact_exclude[k] = 0
        if d.contact_dist[k] >= margin:
            if sticks:
                d.contact_dim[k] = 1
            else:
                d.contact_exclude[k] = 1
        d.contact_mu[k] = 0.0
        d.contact_efc_address[k] = -1
        st9(d.contact_frame, k, frame)
        if m.flg_surfacevel:
            surface_velocity(m, d, k)
        else:
            st3(d.contact_surfacevel, k, (0.0, 0.0, 0.0))

"""Forces of the medium (density, viscosity, wind) on bodies that move in it, by either of two stateless models.

    inertia box   the body as the box of its inertia: drag of its faces, Stokes' drag of a sphere of its mean size
    ellipsoid     each geom with fluidshape "ellipsoid" as an ellipsoid: drag, lift, Stokes' drag and added mass;
                  such a geom switches its body's box off

Every force is a function of the velocity through the medium at a centre (the body's mass, the geom's middle), seen in axes
along the shape. geom_fluid holds a switch, five coefficients (blunt, slender, angular drag; Kutta, Magnus lift), added mass
and added inertia by unit density.

Source: MuJoCo documentation, Computation chapter, "Fluid forces". Since 4.0 its formulas hold for small shapes and slow flows
too (before, floors under small numbers bent them below about a centimetre); a shape that is flat to 1e-15 of its size has
neither shadow nor lift where the flow meets its edge.
"""
from __future__ import annotations

from math import pi, sqrt

from physics.engine.inertia.wrench import add_wrench, clear_wrenches, spread_wrenches
from physics.engine.kinematics.points import point_velocity
from physics.engine.kinematics.shapes import half_extents
from physics.engine.linalg.vec import add3, addscl3, cross3, dot3, mat_t_vec3, mat_vec3, norm3, scl3, sub3, unit3
from physics.engine.switches import has_passive
from physics.enums import MINVAL
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, ld9


@helper
def has_medium(m):
    """Whether there is a medium to move in."""
    return (m.opt_density != 0.0 or m.opt_viscosity != 0.0) and has_passive(m)


@helper
def feels_medium(m, body):
    """Whether the medium acts on a body: one that moves and weighs something."""
    return m.body_weldid[body] != 0 and m.body_mass[body] >= MINVAL


@helper
def is_ellipsoidal(m, body):
    """Whether any geom of the body uses the ellipsoid model."""
    g = m.body_geomadr[body]
    for k in range(g, g + m.body_geomnum[body]):
        if m.geom_fluid[k, 0] > 0.0:
            return True
    return False


@helper
def wind_of(m):
    """Velocity of the medium [m/s]."""
    return m.opt_wind[0], m.opt_wind[1], m.opt_wind[2]


@helper
def flow(m, d, body, p, r):
    """How a body turns, and how its point p moves through the medium, seen along the axes of the matrix r."""
    v = ld6(d.cvel, body)
    return mat_t_vec3(r, (v[0], v[1], v[2])), mat_t_vec3(r, sub3(point_velocity(m, d, body, p), wind_of(m)))


# ---------------------------------------------------------------- box


@helper
def box_sides(m, body):
    """Sides of the box with the body's mass and inertia [m]."""
    i = ld3(m.body_inertia, body)
    s = 6.0 / m.body_mass[body]
    return sqrt(s * max(MINVAL, i[1] + i[2] - i[0])), sqrt(s * max(MINVAL, i[0] + i[2] - i[1])), sqrt(s * max(MINVAL, i[0] + i[1] - i[2]))


@helper
def box_stokes(side, viscosity):
    """Stokes' drag of a sphere as large as the box, per speed: (turning, moving)."""
    size = (side[0] + side[1] + side[2]) / 3.0
    return pi * size * size * size * viscosity, 3.0 * pi * size * viscosity


@helper
def box_drag(side, density):
    """Drag of the box per square of the speed: (about its axes, along them)."""
    x2, y2, z2 = side[0] * side[0], side[1] * side[1], side[2] * side[2]
    t = density / 64.0
    f = 0.5 * density
    return ((t * side[0] * (y2 * y2 + z2 * z2), t * side[1] * (x2 * x2 + z2 * z2), t * side[2] * (x2 * x2 + y2 * y2)),
            (f * side[1] * side[2], f * side[0] * side[2], f * side[0] * side[1]))


@helper
def resist(v, linear, square):
    """Force against each part of v: -v (linear + square |v|)."""
    return -v[0] * (linear + square[0] * abs(v[0])), -v[1] * (linear + square[1] * abs(v[1])), -v[2] * (linear + square[2] * abs(v[2]))


@helper
def box_resistance(m, body):
    """Coefficients of a body's box in the medium: of the torque and the force, by the first and then by the second power of the speed."""
    side = box_sides(m, body)
    slow_t, slow_f = box_stokes(side, max(0.0, m.opt_viscosity))
    fast_t, fast_f = box_drag(side, max(0.0, m.opt_density))
    return slow_t, slow_f, fast_t, fast_f


@helper
def box_force(m, body, w, u):
    """(torque, force) on the box of a body that turns with w and moves with u, in the box's axes."""
    slow_t, slow_f, fast_t, fast_f = box_resistance(m, body)
    return resist(w, slow_t, fast_t), resist(u, slow_f, fast_f)


# ---------------------------------------------------------------- ellipsoid


@helper
def semiaxes(m, geom):
    """Half axes of the ellipsoid that stands for a geom."""
    return half_extents(m.geom_type[geom], ld3(m.geom_size, geom))


@helper
def longest_two(s):
    """The longest and the middle half axis."""
    longest = max(s[0], max(s[1], s[2]))
    return longest, s[0] + s[1] + s[2] - longest - min(s[0], min(s[1], s[2]))


@helper
def times3(a, b):
    """a b, part by part."""
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


@helper
def shadow_weights(s, longest):
    """Squares of the products of the other two half axes, the longest being 1."""
    k = 1.0 / max(MINVAL, longest)
    x, y, z = k * s[0], k * s[1], k * s[2]
    return y * y * z * z, z * z * x * x, x * x * y * y


@helper
def ellipsoid_volume(s):
    """Volume of the ellipsoid."""
    return 4.0 / 3.0 * pi * s[0] * s[1] * s[2]


@helper
def stokes_sphere(s):
    """Stokes' drag of the sphere of the mean half axis, per speed and viscosity: (turning, moving)."""
    size = 2.0 / 3.0 * (s[0] + s[1] + s[2])
    return pi * size * size * size, 3.0 * pi * size


@helper
def edge_moment(s0, s1, s2):
    """Largest moment of the shape's outline about its axis s0, the others being s1 and s2."""
    r = max(s1, s2)
    return 8.0 / 15.0 * pi * s0 * r * r * r * r


@helper
def turning_drag(s, slender, angular):
    """Angular drag about each axis, per square of the turning speed and density."""
    longest, middle = longest_two(s)
    most = 8.0 / 15.0 * pi * middle * longest * longest * longest * longest
    x, y, z = edge_moment(s[0], s[1], s[2]), edge_moment(s[1], s[2], s[0]), edge_moment(s[2], s[0], s[1])
    return angular * x + slender * (most - x), angular * y + slender * (most - y), angular * z + slender * (most - z)


@helper
def geom_mass(m, geom):
    """Added mass of a geom along its axes, per unit density."""
    return m.geom_fluid[geom, 6], m.geom_fluid[geom, 7], m.geom_fluid[geom, 8]


@helper
def geom_inertia(m, geom):
    """Added inertia of a geom about its axes, per unit density."""
    return m.geom_fluid[geom, 9], m.geom_fluid[geom, 10], m.geom_fluid[geom, 11]


@helper
def ellipsoid_force(m, geom, w, u):
    """(torque, force) on the ellipsoid of a geom that turns with w and moves with u, in the geom's axes."""
    rho = m.opt_density
    s = semiaxes(m, geom)
    blunt, slender, angular = m.geom_fluid[geom, 1], m.geom_fluid[geom, 2], m.geom_fluid[geom, 3]
    slow_t, slow_f = stokes_sphere(s)
    # added mass, without the part that goes with acceleration
    p = scl3(times3(geom_mass(m, geom), u), rho)
    force = cross3(p, w)
    torque = add3(cross3(p, u), cross3(scl3(times3(geom_inertia(m, geom), w), rho), w))
    torque = addscl3(torque, w, -(slow_t * m.opt_viscosity + rho * norm3(times3(turning_drag(s, slender, angular), w))))
    # the area that the shape shows to the flow along e, and n normal to the shape where the flow touches it
    longest, middle = longest_two(s)
    speed = norm3(u)
    e = unit3(u)
    n = times3(shadow_weights(s, longest), e)
    ne = dot3(n, e)
    area = 0.0
    if ne >= MINVAL:
        nn = dot3(n, n)
        area = pi * longest * longest * sqrt(nn / ne)
        force = addscl3(force, cross3(cross3(n, e), e), m.geom_fluid[geom, 4] * rho * speed * speed * area * ne / nn)
    drag = rho * speed * (blunt * area + slender * (pi * longest * middle - area)) + slow_f * m.opt_viscosity
    force = addscl3(force, u, -drag)
    return torque, addscl3(force, cross3(w, u), m.geom_fluid[geom, 5] * rho * ellipsoid_volume(s))


# ---------------------------------------------------------------- all bodies


@helper
def push(m, d, body, p, r, torque, force, share):
    """Add a torque and a force at p, given along the axes of r, times `share`."""
    add_wrench(m, d, body, p, scl3(mat_vec3(r, torque), share), scl3(mat_vec3(r, force), share))


@kernel("m d i")
def push_ellipsoids(m, d, body):
    """Add the medium's forces on the ellipsoids of a body.

    Reads: geom_xpos, geom_xmat, cvel, subtree_com
    Writes: body_frc
    """
    first = m.body_geomadr[body]
    for g in range(first, first + m.body_geomnum[body]):
        if m.geom_fluid[g, 0] != 0.0:
            p = ld3(d.geom_xpos, g)
            r = ld9(d.geom_xmat, g)
            w, u = flow(m, d, body, p, r)
            torque, force = ellipsoid_force(m, g, w, u)
            push(m, d, body, p, r, torque, force, m.geom_fluid[g, 0])


@helper
def gather_medium(m, d):
    """What the medium does to each body that feels it, in body_frc."""
    clear_wrenches(m, d)
    for r in range(d.nbody_run):
        for i in range(d.body_run[r, 0], d.body_run[r, 1]):
            if not feels_medium(m, i):
                continue
            if is_ellipsoidal(m, i):
                push_ellipsoids(m, d, i)
            else:
                p = ld3(d.xipos, i)
                r = ld9(d.ximat, i)
                w, u = flow(m, d, i, p, r)
                torque, force = box_force(m, i, w, u)
                push(m, d, i, p, r, torque, force, 1.0)


@kernel()
def fluid(m, d):
    """Forces of the medium on all bodies.

    Reads: xipos, ximat, geom_xpos, geom_xmat, cvel, subtree_com, cdof
    Writes: qfrc_fluid (and the scratch rows body_frc)
    """
    gather_medium(m, d)
    spread_wrenches(m, d, d.qfrc_fluid)


@kernel()
def fluid_wrenches(m, d):
    """The same for looking at, body by body: nothing but the scratch changes.

    Reads: xipos, ximat, geom_xpos, geom_xmat, cvel, subtree_com
    Writes: body_frc
    """
    if has_medium(m):
        gather_medium(m, d)

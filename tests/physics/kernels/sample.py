"""Small kernels that the tests of this folder call."""
from math import isnan, sqrt

from physics.enums import JNT_HINGE
from physics.kernels.decorators import REASSOC, helper, kernel
from physics.kernels.rows import callback, ld3, ld4, ld6, ld9, ld10, off, st3, st4, st6, st9, st10
from physics.kernels.simd import stack, vbc, vfma, vld, vle, vmul, vset, vst, vsum, vturn

SCALE = 3.0


@helper
def scl3(a, s):
    return a[0] * s, a[1] * s, a[2] * s


@kernel("f", "f")
def leaf(x):
    """A kernel called by kernels."""
    return x * SCALE + sqrt(4.0)


@kernel()
def place(m, d):
    """Rows, scalars, constants, a call to another kernel."""
    for i in range(m.nbody):
        st3(d.xpos, i, scl3(ld3(m.body_pos, i), leaf(2.0)))
        d.xquat[i, 0] = m.body_parentid[i] / 4
    d.time = d.time + m.opt_timestep
    d.ncon = m.jnt_type[0] + JNT_HINGE


@kernel("m d i", "i")
def count_to(m, d, n):
    """Spend time without touching memory that others need."""
    x = 1
    for _ in range(n):
        x = (x * 1103515245 + 12345) % 2147483648
    d.nefc = x
    return x


@kernel("f", "i")
def nan_bits(x):
    """Bit set per way to notice a value that is not a number."""
    bits = 0
    if x != x:
        bits |= 1
    if isnan(x):
        bits |= 2
    if not (x < 1e10):
        bits |= 4
    return bits


@kernel("f", "i", fastmath=REASSOC)
def nan_bits_reassoc(x):
    """The same under the flags of dense reductions."""
    bits = 0
    if x != x:
        bits |= 1
    if isnan(x):
        bits |= 2
    if not (x < 1e10):
        bits |= 4
    return bits


@kernel("m d", "f", fastmath=REASSOC)
def total(m, d):
    """A sum that may be reordered."""
    s = 0.0
    for i in range(m.nq):
        s += d.qpos[i]
    return s


@kernel("m d")
def shift_by_alias(m, d):
    """Two pointers to one array: every store must be seen by the next load, whatever its shape."""
    flat = off(d.xpos, 0)
    for i in range(1, m.nbody):
        st3(d.xpos, i, scl3(ld3(d.xpos, i - 1), 2.0))
        flat[3 * i] = flat[3 * i] + 1.0


@kernel("m d i", "f")
def before(m, d, k):
    """An element counted backwards from a pointer into the middle."""
    p = off(d.qpos, 4)
    return p[k]


@kernel("m d i", "f")
def element(m, d, k):
    """One element of qpos."""
    return d.qpos[k]


@kernel("m d")
def widen(m, d):
    """Small integers and bools come in as int64 and are cut when stored."""
    d.ncon = m.body_parentid[0] * 1000
    d.ne = m.jnt_limited[0] + m.body_sameframe[0]
    d.eq_active[0] = 7
    d.contact_dim[0] = m.body_parentid[0] // 2


@kernel("m d")
def rows(m, d):
    """Every row size once."""
    st4(d.xquat, 1, ld4(d.xquat, 0))
    st6(d.cvel, 1, ld6(d.cvel, 0))
    st9(d.xmat, 1, ld9(d.xmat, 0))
    st10(d.cinert, 1, ld10(d.cinert, 0))
    row = d.xmat[2]
    row[4] = m.opt_gravity[2]


@kernel("m d", "f")
def vectors(m, d):
    """Every four-wide primitive once."""
    q = off(d.qpos, 0)
    room = stack(8)
    vst(room, 4, vfma(vld(q, 0), vbc(2.0), vld(q, 0) + vmul(vbc(0.5), vld(q, 0))))
    return vsum(vld(room, 4)) + room[5]


@kernel()
def turned_fours(m, d):
    """Four fours turned over, and an expression of numbers made of fours."""
    q = off(d.qpos, 0)
    a = vld(q, 0)
    b = vset(q[3], q[2], q[1], q[0])
    out = off(d.xmat, 0)
    columns = vturn(a, b, a * b - b, a + vbc(1.0))
    for k in range(4):
        vst(out, 4 * k, columns[k])


@kernel("m d", "i")
def places_below(m, d):
    """Which of the first four numbers are at most the next four, as bits."""
    q = off(d.qpos, 0)
    return vle(vld(q, 0), vld(q, 4))


@kernel("w d")
def set_mass(m, d):
    """Writes the Model, and calls a kernel that only reads it."""
    m.body_mass[1] = 2.5
    m.stat_extent = 4.0
    place(m, d)


@kernel("D i i")
def tick(ds, lo, hi):
    """A loop over a part of a batch."""
    for i in range(lo, hi):
        ds[i].time = ds[i].time + i
        ds[i].qpos[0] = i


@kernel()
def with_callback(m, d):
    """A slot for user code in the middle."""
    d.ne = d.ne + 1
    if d.cb_passive != 0:
        callback(d.cb_passive, m, d)
    d.nf = d.nf + 1


@kernel("m d", "f")
def divide_by_zero(m, d):
    """Gives infinity, never an exception."""
    return 1.0 / d.qvel[0]

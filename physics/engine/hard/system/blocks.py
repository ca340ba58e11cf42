"""Blocks of 6 x 6, six rows of eight with two zeros each, so that four numbers at a time can be read: products, rank-one changes, changes of reference point."""
from __future__ import annotations

from physics.kernels.decorators import helper
from physics.kernels.simd import vbc, vfma, vld, vset, vst, vturn

SIZE, ROW = 48, 8


@helper
def times(block, s):
    """The block times s."""
    return (block[0] * s[0] + block[1] * s[1] + block[2] * s[2] + block[3] * s[3] + block[4] * s[4] + block[5] * s[5],
            block[8] * s[0] + block[9] * s[1] + block[10] * s[2] + block[11] * s[3] + block[12] * s[4] + block[13] * s[5],
            block[16] * s[0] + block[17] * s[1] + block[18] * s[2] + block[19] * s[3] + block[20] * s[4] + block[21] * s[5],
            block[24] * s[0] + block[25] * s[1] + block[26] * s[2] + block[27] * s[3] + block[28] * s[4] + block[29] * s[5],
            block[32] * s[0] + block[33] * s[1] + block[34] * s[2] + block[35] * s[3] + block[36] * s[4] + block[37] * s[5],
            block[40] * s[0] + block[41] * s[1] + block[42] * s[2] + block[43] * s[3] + block[44] * s[4] + block[45] * s[5])


@helper
def left_times(s, block):
    """s' times the block."""
    return (s[0] * block[0] + s[1] * block[8] + s[2] * block[16] + s[3] * block[24] + s[4] * block[32] + s[5] * block[40],
            s[0] * block[1] + s[1] * block[9] + s[2] * block[17] + s[3] * block[25] + s[4] * block[33] + s[5] * block[41],
            s[0] * block[2] + s[1] * block[10] + s[2] * block[18] + s[3] * block[26] + s[4] * block[34] + s[5] * block[42],
            s[0] * block[3] + s[1] * block[11] + s[2] * block[19] + s[3] * block[27] + s[4] * block[35] + s[5] * block[43],
            s[0] * block[4] + s[1] * block[12] + s[2] * block[20] + s[3] * block[28] + s[4] * block[36] + s[5] * block[44],
            s[0] * block[5] + s[1] * block[13] + s[2] * block[21] + s[3] * block[29] + s[4] * block[37] + s[5] * block[45])


@helper
def add_row(block, k, f, first, second):
    """Row that starts at k += f times eight numbers in two fours."""
    v = vbc(f)
    vst(block, k, vfma(v, first, vld(block, k)))
    vst(block, k + 4, vfma(v, second, vld(block, k + 4)))


@helper
def add_six(block, row, v, f):
    """Row of the block += f v, v of six."""
    add_row(block, 8 * row, f, vset(v[0], v[1], v[2], v[3]), vset(v[4], v[5], 0.0, 0.0))


@helper
def rank_one(block, col, row, f):
    """block += f col row'."""
    first = vset(row[0], row[1], row[2], row[3])
    second = vset(row[4], row[5], 0.0, 0.0)
    add_row(block, 0, f * col[0], first, second)
    add_row(block, 8, f * col[1], first, second)
    add_row(block, 16, f * col[2], first, second)
    add_row(block, 24, f * col[3], first, second)
    add_row(block, 32, f * col[4], first, second)
    add_row(block, 40, f * col[5], first, second)


@helper
def put_row(block, i, v):
    """Row i of a block, such as a list of six twists."""
    k = 8 * i
    block[k] = v[0]
    block[k + 1] = v[1]
    block[k + 2] = v[2]
    block[k + 3] = v[3]
    block[k + 4] = v[4]
    block[k + 5] = v[5]


@helper
def row_at(block, i):
    """Row i of a block."""
    k = 8 * i
    return block[k], block[k + 1], block[k + 2], block[k + 3], block[k + 4], block[k + 5]


@helper
def shift_columns(block, r):
    """block X: by the motion of the parent, r from whose centre of mass the body's is."""
    for k in range(0, 48, 8):
        a = block[k]
        b = block[k + 1]
        c = block[k + 2]
        block[k + 3] += r[1] * c - r[2] * b
        block[k + 4] += r[2] * a - r[0] * c
        block[k + 5] += r[0] * b - r[1] * a


@helper
def shift_rows(block, r):
    """Y block: the wrench about the parent's centre of mass."""
    for j in range(6):
        a = block[j]
        b = block[8 + j]
        c = block[16 + j]
        block[24 + j] += r[1] * c - r[2] * b
        block[32 + j] += r[2] * a - r[0] * c
        block[40 + j] += r[0] * b - r[1] * a


@helper
def add_block(to, block):
    """to += block."""
    for k in range(0, 48, 4):
        vst(to, k, vld(to, k) + vld(block, k))


# ---------------------------------------------------------------- products of whole blocks


@helper
def fours_by_rows(p):
    """Six rows of eight as twelve fours, two a row."""
    return vld(p, 0), vld(p, 4), vld(p, 8), vld(p, 12), vld(p, 16), vld(p, 20), vld(p, 24), vld(p, 28), vld(p, 32), vld(p, 36), vld(p, 40), vld(p, 44)


@helper
def fours_by_columns(p):
    """The same of the transposed block."""
    z = vbc(0.0)
    a = vturn(vld(p, 0), vld(p, 8), vld(p, 16), vld(p, 24))
    b = vturn(vld(p, 4), vld(p, 12), vld(p, 20), vld(p, 28))
    c = vturn(vld(p, 32), vld(p, 40), z, z)
    e = vturn(vld(p, 36), vld(p, 44), z, z)
    return a[0], c[0], a[1], c[1], a[2], c[2], a[3], c[3], b[0], e[0], b[1], e[1]


@helper
def put_mixed(out, k, w, s, f):
    """Row that starts at k of out = f s' W, W twelve fours as above, s of six."""
    v = vbc(f * s[0])
    first = v * w[0]
    second = v * w[1]
    v = vbc(f * s[1])
    first = vfma(v, w[2], first)
    second = vfma(v, w[3], second)
    v = vbc(f * s[2])
    first = vfma(v, w[4], first)
    second = vfma(v, w[5], second)
    v = vbc(f * s[3])
    first = vfma(v, w[6], first)
    second = vfma(v, w[7], second)
    v = vbc(f * s[4])
    first = vfma(v, w[8], first)
    second = vfma(v, w[9], second)
    v = vbc(f * s[5])
    first = vfma(v, w[10], first)
    second = vfma(v, w[11], second)
    vst(out, k, first)
    vst(out, k + 4, second)


@helper
def take_mixed(block, i, w, cols):
    """Row i of the block -= what take_product takes from it."""
    k = 8 * i
    v = vbc(-cols[i])
    first = vfma(v, w[0], vld(block, k))
    second = vfma(v, w[1], vld(block, k + 4))
    v = vbc(-cols[8 + i])
    first = vfma(v, w[2], first)
    second = vfma(v, w[3], second)
    v = vbc(-cols[16 + i])
    first = vfma(v, w[4], first)
    second = vfma(v, w[5], second)
    v = vbc(-cols[24 + i])
    first = vfma(v, w[6], first)
    second = vfma(v, w[7], second)
    v = vbc(-cols[32 + i])
    first = vfma(v, w[8], first)
    second = vfma(v, w[9], second)
    v = vbc(-cols[40 + i])
    first = vfma(v, w[10], first)
    second = vfma(v, w[11], second)
    vst(block, k, first)
    vst(block, k + 4, second)


@helper
def take_product(block, cols, w):
    """block -= C' W: C the list cols of six columns in rows of eight, W twelve fours by rows."""
    take_mixed(block, 0, w, cols)
    take_mixed(block, 1, w, cols)
    take_mixed(block, 2, w, cols)
    take_mixed(block, 3, w, cols)
    take_mixed(block, 4, w, cols)
    take_mixed(block, 5, w, cols)

"""Blocks of 6 x 6, six rows of eight with two zeros each, so that four numbers at a time can be read: products, rank-one changes, changes of reference point."""
from __future__ import annotations

from physics.kernels.decorators import helper
from physics.kernels.simd import vbc, vfma, vld, vset, vst

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

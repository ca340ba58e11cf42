"""mju_*: vectors, matrices and small formulas. Each returns what goes out (calls.py)."""
from __future__ import annotations

import math
from types import MappingProxyType

import numpy as np

MINVAL, MAXVAL = 1e-15, 1e10


def normalize(vec):
    """Make a vector one of length 1, (1, 0, ...) where it has none; its length before."""
    length = float(np.linalg.norm(vec))
    if length >= MINVAL:
        return length, vec / length
    return length, np.eye(1, vec.size).reshape(vec.shape)


def cholesky(mat, mindiag):
    """Lower Cholesky factor of a symmetric matrix, in its lower triangle; its rank."""
    n, low, rank = len(mat), mat.copy(), len(mat)
    for j in range(n):
        pivot = low[j, j] - low[j, :j] @ low[j, :j]
        if pivot < mindiag:
            pivot, rank = mindiag, rank - 1
        low[j, j] = math.sqrt(pivot)
        low[j + 1:, j] = (low[j + 1:, j] - low[j + 1:, :j] @ low[j, :j]) / low[j, j]
    return rank, low


def cholesky_solve(mat, vec):
    """x of L L' x = vec."""
    low = np.tril(mat)
    return np.linalg.solve(low.T, np.linalg.solve(low, vec))


def cholesky_update(mat, x, flg_plus):
    """The factor of L L' + x x' or L L' - x x', column by column; its rank. x is used up. Source: Gill, Golub, Murray, Saunders, "Methods for modifying matrix factorizations", 1974."""
    low, left, rank, sign = mat.copy(), x.reshape(-1).copy(), len(mat), 1.0 if flg_plus else -1.0
    for k in range(len(mat)):
        if left[k] == 0.0:
            continue
        pivot = low[k, k] ** 2 + sign * left[k] ** 2
        if pivot < MINVAL:
            pivot, rank = MINVAL, rank - 1
        pivot = math.sqrt(pivot)
        c, s = pivot / low[k, k], left[k] / low[k, k]
        low[k, k] = pivot
        low[k + 1:, k] = (low[k + 1:, k] + sign * s * left[k + 1:]) / c
        left[k + 1:] = c * left[k + 1:] - s * low[k + 1:, k]
    return rank, low, left


def _dense_rows(res, mat, rownnz, rowadr, colind):
    res[...] = 0.0
    for i in range(res.shape[0]):
        part = slice(int(rowadr[i]), int(rowadr[i] + rownnz[i]))
        res[i, colind[part]] = mat[part]
    return res


def sparse2dense(res, mat, rownnz, rowadr, colind):
    """Sparse rows as a matrix."""
    return _dense_rows(res, mat, rownnz, rowadr, colind)


def sym2dense(res, mat, rownnz, rowadr, colind):
    """The lower triangle in sparse rows as a symmetric matrix."""
    low = np.tril(_dense_rows(res, mat, rownnz, rowadr, colind))
    res[...] = low + np.tril(low, -1).T
    return res


def dense2sparse(res, mat, rownnz, rowadr, colind):
    """A matrix as sparse rows; 1 where there is no room for them."""
    at = np.nonzero(mat)
    if len(at[0]) > res.size or len(at[0]) > colind.size:
        return 1, res, rownnz, rowadr, colind
    rownnz[...] = np.count_nonzero(mat, axis=1).reshape(rownnz.shape)
    rowadr[...] = (np.cumsum(rownnz.reshape(-1)) - rownnz.reshape(-1)).reshape(rowadr.shape)
    res.reshape(-1)[:len(at[0])], colind.reshape(-1)[:len(at[0])] = mat[at], at[1]
    return 0, res, rownnz, rowadr, colind


# ------------------------------------------------ symmetric matrices with a band and dense rows below it

def _band_place(i: int, j: int, ntotal: int, nband: int, ndense: int) -> int:
    """Where entry (i, j), j <= i, is stored; -1: outside the band."""
    sparse = ntotal - ndense
    if i < sparse:
        return i * nband + (j - i + nband - 1) if i - j < nband else -1
    return sparse * nband + (i - sparse) * ntotal + j


def band_diag(i, ntotal, nband, ndense):
    """Where the i-th entry of the diagonal is stored."""
    return _band_place(i, i, ntotal, nband, ndense)


def _dense(mat, ntotal, nband, ndense, symmetric):
    full = np.zeros((ntotal, ntotal))
    for i in range(ntotal):
        for j in range(i + 1):
            at = _band_place(i, j, ntotal, nband, ndense)
            if at >= 0:
                full[i, j] = mat[at]
    return full + np.tril(full, -1).T if symmetric else full


def _banded(res, full, ntotal, nband, ndense):
    out = res.copy().reshape(-1)
    for i in range(ntotal):
        for j in range(i + 1):
            at = _band_place(i, j, ntotal, nband, ndense)
            if at >= 0:
                out[at] = full[i, j]
    return out


def dense2band(mat, ntotal, nband, ndense):
    """A matrix in band storage."""
    return _banded(np.zeros(nband * (ntotal - ndense) + ndense * ntotal), mat, ntotal, nband, ndense)


def band2dense(res, mat, ntotal, nband, ndense, flg_sym):
    """A banded matrix in full."""
    return _dense(mat, ntotal, nband, ndense, flg_sym)


def band_mul(mat, vec, ntotal, nband, ndense, nvec, flg_sym):
    """A banded matrix times nvec vectors, one after the other."""
    return np.ravel((_dense(np.ravel(mat), ntotal, nband, ndense, flg_sym) @ np.ravel(vec).reshape(nvec, ntotal).T).T)


def band_cholesky(mat, ntotal, nband, ndense, diagadd, diagmul):
    """The Cholesky factor of a banded matrix with its diagonal times 1 + diagmul plus diagadd; the smallest pivot, 0 where it is singular."""
    full = _dense(mat.reshape(-1), ntotal, nband, ndense, True)
    full[np.diag_indices(ntotal)] += diagadd + diagmul * np.diagonal(full)
    try:
        low = np.linalg.cholesky(full)
    except np.linalg.LinAlgError:
        return 0.0, mat
    return float(np.square(np.diagonal(low)).min(initial=np.inf)), _banded(mat, low, ntotal, nband, ndense)


def band_solve(mat, vec, ntotal, nband, ndense):
    """x of L L' x = vec, the factor banded."""
    low = _dense(mat, ntotal, nband, ndense, False)
    return np.linalg.solve(low.T, np.linalg.solve(low, vec))


# ------------------------------------------------ formulas

def halton(index, base):
    """The radical inverse of a whole number. Source: Halton, Numerische Mathematik 2 (1960)."""
    found, part = 0.0, 1.0 / base
    while index > 0:
        index, digit = divmod(index, base)
        found += digit * part
        part /= base
    return found


def sigmoid(x):
    """A polynomial from 0 to 1 over [0, 1], twice differentiable: 6 x^5 - 15 x^4 + 10 x^3."""
    x = min(max(x, 0.0), 1.0)
    return x * x * x * (x * (6.0 * x - 15.0) + 10.0)


def spring_damper(pos0, vel0, kp, kv, dt):
    """Position of a mass of 1 on a spring and a damper after a time, in closed form."""
    a, b = -0.5 * kv, 0.25 * kv * kv - kp
    if abs(b) < MINVAL:
        return (pos0 + (vel0 - a * pos0) * dt) * math.exp(a * dt)
    root = math.sqrt(abs(b))
    c = (vel0 - a * pos0) / root
    if b < 0:
        return (pos0 * math.cos(root * dt) + c * math.sin(root * dt)) * math.exp(a * dt)
    return (pos0 * math.cosh(root * dt) + c * math.sinh(root * dt)) * math.exp(a * dt)


def encode_pyramid(pyramid, force, mu):
    """Forces along the edges of a friction pyramid that add up to a contact force. As officially, mu counts the contact's dimensions: its last number is not used."""
    n, out = len(mu) - 1, pyramid.copy().reshape(-1)
    first = force[0] / n
    share = np.minimum(first, force[1:1 + n] / mu[:n])
    out[0:2 * n:2], out[1:2 * n:2] = (first + share) / 2, (first - share) / 2
    return out


def decode_pyramid(force, pyramid, mu):
    """The contact force of forces along the edges of a friction pyramid; mu as of encode_pyramid."""
    n, out = len(mu) - 1, force.copy().reshape(-1)
    pairs = pyramid[:2 * n].reshape(-1, 2)
    out[0], out[1:1 + n] = pairs.sum(), mu[:n] * (pairs[:, 0] - pairs[:, 1])
    return out


def standard_normal(num2):
    """A number of a standard normal distribution; a second one is not handed out."""
    return float(np.random.default_rng().standard_normal())


def size_in_words(nbytes):
    """A size as 12K, 3M."""
    for unit in ("", "K", "M", "G", "T"):
        if nbytes < 1024 or unit == "T":
            return f"{nbytes}{unit}"
        nbytes //= 1024
    return ""


def ray_triangles(nface, nvert, face, vert, pnt, vec):
    """Where a half-line meets a mesh of triangles first, and the nearest corner. Source: Moeller and Trumbore, Journal of Graphics Tools 2 (1997)."""
    if nface < 0 or nvert < 0:
        raise ValueError("nface and nvert must not be negative")
    if face.size != 3 * nface or vert.size != 3 * nvert:
        raise TypeError("face has 3 nface numbers and vert 3 nvert")
    face, vert = face.reshape(-1, 3), vert.reshape(-1, 3).astype(float)
    if len(face) and (face.min() < 0 or face.max() >= nvert):
        raise ValueError("a face names a vertex that is not there")
    best, corner = -1.0, -1
    for row in face:
        a, b, c = vert[row]
        p = np.cross(vec, c - a)
        det = float(p @ (b - a))
        if abs(det) < MINVAL:
            continue
        t = pnt - a
        q = np.cross(t, b - a)
        u, v, x = float(p @ t) / det, float(vec @ q) / det, float((c - a) @ q) / det
        if u >= 0 and v >= 0 and u + v <= 1 and x >= 0 and (best < 0 or x < best):
            best, corner = x, int(row[np.argmax([1 - u - v, u, v])])
    return best, np.array([corner], np.int32)


# ------------------------------------------------ vectors

def zero(res):
    """All numbers 0."""
    return np.zeros(res.shape)


def unit4(res):
    """The quaternion of no rotation."""
    return np.array([1.0, 0.0, 0.0, 0.0])


def fill(res, val):
    """All numbers val."""
    return np.full(res.shape, val)


def same(vec):
    """A copy."""
    return vec


def single(vec):
    """A copy in single precision."""
    return vec.astype(np.float32)


def add_scaled(vec1, vec2, scl):
    """vec1 + scl vec2."""
    return vec1 + scl * vec2


def add_to(res, vec):
    """res + vec."""
    return res + vec.reshape(res.shape)


def add_scaled_to(res, vec, scl):
    """res + scl vec."""
    return res + scl * vec.reshape(res.shape)


def subtract_from(res, vec):
    """res - vec."""
    return res - vec.reshape(res.shape)


def total(vec):
    """The sum of all numbers."""
    return float(vec.sum()), vec


def absolute_total(vec):
    """The sum of all absolute values."""
    return float(np.abs(vec).sum()), vec


def is_zero(vec):
    """Whether all numbers are 0."""
    return int(not vec.any()), vec


def dot(vec1, vec2):
    """The scalar product."""
    return float(vec1 @ vec2)


def norm(vec):
    """Euclidean length."""
    return float(np.linalg.norm(vec))


def distance(pos1, pos2):
    """Euclidean distance."""
    return float(np.linalg.norm(pos1 - pos2))


def in_order(values):
    """Rising numbers."""
    return np.sort(values.reshape(-1)).reshape(values.shape)


# ------------------------------------------------ matrices

def mat_t_vec(mat, vec):
    """mat' vec."""
    return mat.T @ vec


def mat_vec3(mat, vec):
    """A 3x3 matrix, by rows, times a vector."""
    return mat.reshape(3, 3) @ vec


def mat_t_vec3(mat, vec):
    """The transpose of a 3x3 matrix, by rows, times a vector."""
    return mat.reshape(3, 3).T @ vec


def mat_mat(res, mat1, mat2):
    """mat1 mat2."""
    return mat1 @ mat2


def mat_mat_t(res, mat1, mat2):
    """mat1 mat2'."""
    return mat1 @ mat2.T


def mat_t_mat(res, mat1, mat2):
    """mat1' mat2."""
    return mat1.T @ mat2


def quadratic(vec1, mat, vec2):
    """vec1' mat vec2."""
    return float(vec1 @ mat @ vec2)


def transposed(res, mat):
    """mat'."""
    return mat.T


def symmetrized(mat):
    """(mat + mat') / 2."""
    return (mat + mat.T) / 2


def identity(mat):
    """Ones on the diagonal."""
    return np.eye(*mat.shape)


def square(res, mat, diag):
    """mat' diag mat; without diag mat' mat."""
    return mat.T @ (mat if diag is None else mat * diag.reshape(-1, 1)), diag


# ------------------------------------------------ numbers

def clip(x, low, high):
    """x, or the bound that it is beyond."""
    return min(max(x, low), high)


def sign(x):
    """-1, 0 or 1."""
    return float(np.sign(x))


def nearest(x):
    """The nearest whole number."""
    return math.floor(x + 0.5)


def is_bad(x):
    """Whether it is no number, or huge."""
    return int(not abs(x) <= MAXVAL)


TABLE = MappingProxyType({
    "mju_zero": zero, "mju_zero3": zero, "mju_zero4": zero, "mju_unit4": unit4, "mju_fill": fill, "mju_copy": same, "mju_copy3": same, "mju_copy4": same,
    "mju_scl": np.multiply, "mju_scl3": np.multiply, "mju_add": np.add, "mju_add3": np.add, "mju_sub": np.subtract, "mju_sub3": np.subtract, "mju_addScl": add_scaled,
    "mju_addScl3": add_scaled, "mju_addTo": add_to, "mju_addTo3": add_to, "mju_subFrom": subtract_from, "mju_subFrom3": subtract_from, "mju_addToScl": add_scaled_to,
    "mju_addToScl3": add_scaled_to, "mju_sum": total, "mju_L1": absolute_total, "mju_isZero": is_zero, "mju_dot": dot, "mju_dot3": dot, "mju_norm": norm, "mju_norm3": norm,
    "mju_dist3": distance, "mju_cross": np.cross, "mju_normalize": normalize, "mju_normalize3": normalize, "mju_normalize4": normalize, "mju_mulMatVec": np.matmul,
    "mju_mulMatTVec": mat_t_vec, "mju_mulMatVec3": mat_vec3, "mju_mulMatTVec3": mat_t_vec3, "mju_mulMatMat": mat_mat, "mju_mulMatMatT": mat_mat_t, "mju_mulMatTMat": mat_t_mat,
    "mju_mulVecMatVec": quadratic, "mju_transpose": transposed, "mju_symmetrize": symmetrized, "mju_eye": identity, "mju_sqrMatTD": square, "mju_cholFactor": cholesky,
    "mju_cholSolve": cholesky_solve, "mju_cholUpdate": cholesky_update, "mju_sparse2dense": sparse2dense, "mju_sym2dense": sym2dense, "mju_dense2sparse": dense2sparse,
    "mju_bandDiag": band_diag, "mju_dense2Band": dense2band, "mju_band2Dense": band2dense, "mju_bandMulMatVec": band_mul, "mju_cholFactorBand": band_cholesky,
    "mju_cholSolveBand": band_solve, "mju_Halton": halton, "mju_sigmoid": sigmoid, "mju_springDamper": spring_damper, "mju_encodePyramid": encode_pyramid,
    "mju_decodePyramid": decode_pyramid, "mju_standardNormal": standard_normal, "mju_writeNumBytes": size_in_words, "mju_raySkin": ray_triangles, "mju_clip": clip, "mju_min": min,
    "mju_max": max, "mju_sign": sign, "mju_round": nearest, "mju_isBad": is_bad, "mju_insertionSort": in_order, "mju_insertionSortInt": in_order, "mju_f2n": same, "mju_n2f": single,
    "mju_d2n": same, "mju_n2d": same,
})

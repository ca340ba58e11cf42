"""What scripts give for a marker, checked and brought into arrays of rows. Every error is a ValueError that names the marker and the argument."""
from __future__ import annotations

import math

import numpy as np

EYE = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
LONGEST_TEXT = 2000
LARGEST = 1e38     # what is more is none for single precision


def numbers(value, what: str) -> np.ndarray:
    """float32 array of finite numbers."""
    try:
        out = np.asarray(value, np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be numbers, not {value!r:.60}") from None
    if not (np.abs(out) < LARGEST).all():
        raise ValueError(f"{what} has a number that is not finite")
    return out.astype(np.float32)


def rows(value, what: str, *tail: int) -> np.ndarray:
    """(n, *tail): one row or many of them."""
    out = numbers(value, what)
    if out.shape == tail:
        return out[None]
    if out.ndim == len(tail) + 1 and out.shape[1:] == tail:
        return out
    one, many = ", ".join(map(str, tail)), ", ".join(map(str, ("n", *tail)))
    words = f"{tail[0]} numbers" if len(tail) == 1 else f"an array ({one})"
    raise ValueError(f"{what} must be {words if tail else 'a number'} or an array ({many}{'' if tail else ','}), not one of shape {out.shape}")


def lengths(value, what: str, *tail: int) -> np.ndarray:
    """As rows, all above 0."""
    out = rows(value, what, *tail)
    if not (out > 0).all():
        raise ValueError(f"{what} must be above 0, not {out.min():g}")
    return out


def colours(value, what: str) -> np.ndarray:
    """(n, 4) of three or four numbers each, 0 to 1."""
    out = numbers(value, what)
    if out.ndim not in (1, 2) or out.shape[-1] not in (3, 4):
        raise ValueError(f"{what} must be 3 or 4 numbers or an array (n, 3) or (n, 4), not one of shape {out.shape}")
    if not (np.abs(out - 0.5) <= 0.5).all():
        raise ValueError(f"{what} must lie between 0 and 1, not {out.min():g} to {out.max():g}")
    out = np.atleast_2d(out)
    return out if out.shape[1] == 4 else np.concatenate([out, np.ones((len(out), 1), np.float32)], axis=1)


def frames(value, what: str) -> np.ndarray:
    """(n, 9) rotations, row by row; None: none is turned."""
    if value is None:
        return np.array([EYE], np.float32)
    out = numbers(value, what)
    if out.shape == (9,) or out.shape == (3, 3):
        return out.reshape(1, 9)
    if out.ndim == 2 and out.shape[1] == 9 or out.ndim == 3 and out.shape[1:] == (3, 3):
        return out.reshape(len(out), 9)
    raise ValueError(f"{what} must be a rotation (9,) or (3, 3) or an array of them (n, 9) or (n, 3, 3), not one of shape {out.shape}")


def triangles(vertices, faces, what: str) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) float32 and faces (m, 3) int32 of a mesh."""
    vertex = numbers(vertices, f"{what}: vertices")
    if vertex.ndim != 2 or vertex.shape[1] != 3 or not len(vertex):
        raise ValueError(f"{what}: vertices must be an array (n, 3), not one of shape {vertex.shape}")
    face = np.asarray(faces)
    if face.ndim != 2 or face.shape[1] != 3 or not len(face) or face.dtype.kind not in "iu":
        raise ValueError(f"{what}: faces must be an array (m, 3) of whole numbers, not one of {face.dtype} of shape {face.shape}")
    if face.min() < 0 or face.max() >= len(vertex):
        raise ValueError(f"{what}: faces must name vertices 0 to {len(vertex) - 1}, not {face.min()} to {face.max()}")
    return vertex, face.astype(np.int32)


def together(what: str, leading: str = "", **arrays: np.ndarray) -> int:
    """How many rows arguments have of which each has one or as many as the others, or as the leading one."""
    n = len(arrays[leading]) if leading else max((len(array) for array in arrays.values() if len(array) != 1), default=1)
    for name, array in arrays.items():
        if len(array) not in (1, n):
            other = next(other for other, rows_ in arrays.items() if len(rows_) == n)
            raise ValueError(f"{what}: {name} has {len(array)} rows and {other} has {n}")
    return n


def written(value, what: str) -> str:
    """A text of one line."""
    if not isinstance(value, str):
        raise ValueError(f"{what} must be a str, not {type(value).__name__}")
    if len(value) > LONGEST_TEXT:
        raise ValueError(f"{what} has {len(value)} letters; the most are {LONGEST_TEXT}")
    return " ".join(value.split())


def title(value, what: str) -> str:
    """A name of a marker or of an owner."""
    if not isinstance(value, str) or not value:
        raise ValueError(f"{what} must be a str that is not empty, not {value!r:.60}")
    return value


def lasting(lifetime, name, what: str) -> None:
    """Check what all markers have."""
    if lifetime is not None and not (isinstance(lifetime, int | float | np.number) and math.isfinite(lifetime) and lifetime > 0):
        raise ValueError(f"{what}: lifetime must be seconds above 0 or None, not {lifetime!r:.60}")
    if name is not None:
        title(name, f"{what}: name")

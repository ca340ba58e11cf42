"""contype and conaffinity in words: which bits two geoms share, and which would have to be set.

Source: MuJoCo documentation, chapter Computation, "Collision", "Selection": (contype1 & conaffinity2) || (contype2 & conaffinity1).
"""
from __future__ import annotations

import numpy as np

from physics.engine.collide.broad_phase import in_midphase, meets_all
from physics.enums import DSBL_MIDPHASE
from physics.model.elements import element
from physics.model.model import Model

UNSIGNED = 0xFFFFFFFF   # masks are 32 bits


def bits_text(mask: int) -> str:
    """A mask with its bits: '5 (bits 0, 2)'; all of them as 'all bits'."""
    mask = int(mask) & UNSIGNED
    bits = [k for k in range(32) if mask >> k & 1]
    if not bits:
        return "0 (no bit)"
    if len(bits) == 32:
        return "all bits"
    return f"{mask} (bit{'s' if len(bits) > 1 else ''} {', '.join(map(str, bits))})"


def pair_masks(m: Model, kind: str, one: int, two: int) -> str:
    """Both tests of two geoms or bodies, with their numbers."""
    names = [str(element(m, kind, i)) for i in (one, two)]
    types, affinities = getattr(m, f"{kind}_contype"), getattr(m, f"{kind}_conaffinity")
    return "; ".join(f"contype {bits_text(types[a])} of {names[i]} & conaffinity {bits_text(affinities[b])} of {names[1 - i]} = {int(types[a]) & int(affinities[b]) & UNSIGNED}"
                     for i, (a, b) in enumerate(((one, two), (two, one))))


def masks_text(m: Model, one: int, two: int) -> str:
    """Which bits two geoms that may touch have in common."""
    said = []
    for a, b in ((one, two), (two, one)):
        common = int(m.geom_contype[a]) & int(m.geom_conaffinity[b])
        if common:
            said.append(f"contype of {element(m, 'geom', a)} & conaffinity of {element(m, 'geom', b)} = {bits_text(common)}")
    return f"They share bits: {'; '.join(said)}."


def mask_changes(m: Model, one: int, two: int) -> tuple[tuple[tuple[str, int, int], ...], str]:
    """(fields of the Model with their new values, in words): the fewest bits that let two geoms collide. A bit that one has as contype goes to the other's conaffinity."""
    for a, b in ((one, two), (two, one)):
        bits = int(m.geom_contype[a]) & UNSIGNED
        if bits:
            bit = bits & -bits
            new = (int(m.geom_conaffinity[b]) & UNSIGNED) | bit
            advice = f'Set bit {bit.bit_length() - 1} in the conaffinity of {element(m, "geom", b)}: conaffinity="{new}".'
            return _with_bodies(m, (("geom_conaffinity", b, new),), (a, b), bit), advice
    for a, b in ((one, two), (two, one)):
        bits = int(m.geom_conaffinity[b]) & UNSIGNED
        if bits:
            bit = bits & -bits
            new = (int(m.geom_contype[a]) & UNSIGNED) | bit
            return _with_bodies(m, (("geom_contype", a, new),), (a, b), bit), f'Set bit {bit.bit_length() - 1} in the contype of {element(m, "geom", a)}: contype="{new}".'
    advice = f'Neither has any bit: set contype="1" of {element(m, "geom", one)} and conaffinity="1" of {element(m, "geom", two)}.'
    return _with_bodies(m, (("geom_contype", one, 1), ("geom_conaffinity", two, 1)), (one, two), 1), advice


def _with_bodies(m: Model, changes, geoms: tuple[int, int], bit: int):
    """The same with the masks of the bodies, which hold those of all their geoms. geoms: with the contype, with the conaffinity."""
    a, b = (int(m.geom_bodyid[g]) for g in geoms)
    return (*(_signed(change) for change in changes), _signed(("body_contype", a, int(m.body_contype[a]) & UNSIGNED | bit)),
            _signed(("body_conaffinity", b, int(m.body_conaffinity[b]) & UNSIGNED | bit)))


def _signed(change: tuple[str, int, int]) -> tuple[str, int, int]:
    """A mask as the Model's fields hold it: of 32 bits, the last one the sign."""
    field, number, value = change
    return field, number, value - (1 << 32) if value >> 31 else value


def midphase_passes_by(m: Model, one: int, two: int) -> bool:
    """Whether the broad phase knows nothing of a geom, as it had no bits when the model was compiled (engine/collide/broad_phase.py)."""
    if in_midphase(m, one) and in_midphase(m, two):
        return False
    bodies = bool(((m.body_contype != m.made_body_contype) | (m.body_conaffinity != m.made_body_conaffinity)).any())
    by_body = m.nsapgeom == 0 or bodies or bool(m.opt_disableflags & DSBL_MIDPHASE)
    return not by_body or not meets_all(m, *sorted(map(int, np.asarray(m.geom_bodyid)[[one, two]])))

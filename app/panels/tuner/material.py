"""A material for a contact: its parameters as a text keeps them, and what is said of it once a drop has proven them. No Qt."""
from __future__ import annotations

from math import isfinite

from app.panels.tuner import notations
from app.panels.tuner.figures import length_text
from app.panels.tuner.fit_work import IMPEDANCE_DIGITS
from physics.tuning.law import Parameters
from physics.tuning.presets import SPEED, Preset, Solved
from physics.tuning.standard_drop import DropProof


def kept(solved: Solved) -> Parameters:
    """With the digits that are written."""
    d0, top, width, mid, power = solved.parameters.solimp
    return Parameters(tuple(notations.rounded(value) for value in solved.parameters.solref), (round(d0, IMPEDANCE_DIGITS), round(top, IMPEDANCE_DIGITS), width, mid, power))


def warned(solved: Solved) -> str:
    """What the time step takes from it, '' for nothing."""
    return f"{solved.preset.name.capitalize()}: {solved.warning}." if solved.warning else ""


def proven(preset: Preset, proof: DropProof) -> str:
    """What the drop has shown, beside what was wanted."""
    depth = length_text(proof.rest_depth) if isfinite(proof.rest_depth) else "none"
    return (f"{preset.name.capitalize()}, proven by {proof.restitution.size} drops at {SPEED:g} m/s in the engine: "
            f"restitution {proof.mean:.3f} ± {proof.scatter:.3f} (wanted {preset.restitution:g}), rest depth under 1 g {depth} (wanted {length_text(preset.rest_depth)}).")

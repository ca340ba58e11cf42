"""What the fit asks and what comes of it: parameters for wanted numbers, and what the engine says of them. No Qt."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np

from app.panels.tuner import notations
from physics.model.model import Model
from physics.model.state_fields import State
from physics.tuning.badges import Badge, badges
from physics.tuning.closed_forms import closed_forms
from physics.tuning.fit import Fit
from physics.tuning.goals import fit_wanted, present_numbers
from physics.tuning.law import Friction, Parameters, Row
from physics.tuning.scalar import Response, simulate
from physics.tuning.scene_proof import SceneProof, prove_in_scene
from physics.tuning.standard_drop import DropProof, prove
from physics.tuning.target import Target

IMPEDANCE_DIGITS = 8        # a text keeps: what is left to 1 decides the depth


@dataclass(frozen=True, slots=True)
class Question:
    """wanted: numbers that a person has stated, by name (physics.tuning.goals.NUMBERS); in_force: what the others stay as; speed [m/s]; friction: of a contact."""

    row: Row
    in_force: Parameters
    wanted: tuple[tuple[str, float], ...]
    speed: float
    friction: Friction | None


@dataclass(frozen=True, slots=True)
class Solution:
    """fit: with what was refused; parameters, standard: as a text keeps them, None where there are none; response: what these do; step: w h; badges: what to warn of."""

    question: Question
    fit: Fit
    parameters: Parameters | None
    standard: Parameters | None
    response: Response | None
    step: float
    badges: tuple[Badge, ...]


def solve(question: Question) -> Solution:
    """Milliseconds to half a second. Raises ValueError for numbers that are none of their kind."""
    row = question.row
    found = fit_wanted(row, dict(question.wanted), present_numbers(row, question.in_force, question.speed))
    if found.parameters is None or found.refused:
        return Solution(question, found, None, None, found.response, float("nan"), ())
    parameters, standard = kept(found.parameters), kept(found.standard) if found.standard is not None else None
    response = simulate(row, parameters, question.speed)
    step = closed_forms(row, parameters).step
    return Solution(question, found, parameters, standard, response, step, badges(row, parameters, response, question.friction))


def kept(parameters: Parameters) -> Parameters:
    """With the digits that a text keeps."""
    d0, top, *rest = parameters.solimp
    return replace(parameters, solref=tuple(notations.rounded(value) for value in parameters.solref), solimp=(round(d0, IMPEDANCE_DIGITS), round(top, IMPEDANCE_DIGITS), *rest))


@dataclass(frozen=True, slots=True)
class Proof:
    """drop: of the row alone; scene: in a copy of the scene. What is shown is the scene's, where it has it."""

    parameters: Parameters
    drop: DropProof
    scene: SceneProof

    @property
    def bounces(self) -> np.ndarray:
        """Restitution at each phase."""
        return self.scene.restitution if self.scene.restitution.size else self.drop.restitution

    @property
    def rest_depth(self) -> float:
        """[m]."""
        return self.scene.rest_depth if isfinite(self.scene.rest_depth) else self.drop.rest_depth

    @property
    def how(self) -> str:
        """Where these numbers come from, in words."""
        bounces = f"{self.bounces.size} bounces {'in a copy of the scene' if self.scene.restitution.size else 'of the standard drop, its row alone'}"
        depth = "depth where the copied scene comes to rest" if isfinite(self.scene.rest_depth) else "depth of the standard drop: the copied scene does not rest"
        return f"By the engine: {bounces}; {depth}; settling of the standard drop."


def proven(m: Model, state: State, target: Target, question: Question, parameters: Parameters, settling: float, stop: Callable[[], bool]) -> Proof | None:
    """Both proofs; None where stop() said that nobody wants them. m may run meanwhile. Raises ValueError where the engine cannot."""
    def go_on() -> bool:
        return not stop()

    drop = prove(question.row, parameters, question.speed, go_on=go_on)
    scene = prove_in_scene(m, state, target, question.row, parameters, question.speed, settling, go_on=go_on) if drop is not None else None
    return Proof(parameters, drop, scene) if drop is not None and scene is not None else None


def wanted_numbers(numbers: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Numbers by name as a Question has them."""
    return tuple(sorted(numbers.items()))

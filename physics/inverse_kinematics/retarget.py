"""Fingers of a model that do what a person's do: joint positions from the 25 joints of a hand.

    the person's vectors, knuckle to tip, in the frame of the palm --turned into the model's palm, stretched to the length of its fingers--> wanted vectors palm to tip
    thumb to finger, the nearer the heavier: a pinch of the person's is a pinch of the model's, whatever their sizes
    --Gauss-Newton, each step a damped least squares problem within the joints' ranges--> joint positions

A finger that is straight, bent or a fist is so too where palms differ in shape, for each finger begins at its own knuckle; what that does to pinches, the pinch rows mend.

Source: Handa et al., "DexPilot: vision-based teleoperation of dexterous robotic hand-arm system", 2020 (vectors between palm and tips, and weights of pinches); Qin et al.,
"AnyTeleop: a general vision-based dexterous robot arm-hand teleoperation system", 2023 (one formulation for many hands).
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from physics.engine.kinematics import kinematics as poses
from physics.engine.kinematics.joints import is_slide
from physics.enums import EQ_JOINT
from physics.inverse_kinematics.box_least_squares import box_least_squares
from physics.inverse_kinematics.hand_frame import FINGERS, JOINTS, LONG, finger_length, hand_frame, palm_frame
from physics.inverse_kinematics.problem import FRAMES
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.simulate.engines import Data as engine_data

ITERATIONS = 3              # of Gauss-Newton for one hand; the next begins where this one ended
DAMPING = 0.008             # a radian of a joint beside a metre of a tip
REST = 0.02                 # of the way to the rest pose in a step, as far as the tips leave a choice
COUPLING = 0.2              # a radian by which an equality of two joints is missed, beside a metre
NEAR, FAR = 0.015, 0.06     # between a person's tips [m]: a whole pinch, and none
PINCH, LET = 2.0, 0.8       # weight of a whole pinch, and how much of the fingers' own rows it takes away
LARGEST = 0.5               # of a step of one joint [rad]; of a slide [m] too


class Couplings(NamedTuple):
    """Equalities of joints among those that move: position y - y0 = polynomial(x - x0). y, x: places among the moving joints (x -1: none); coefficients (k, 5); y0, x0 (k).
    slope (k, n): what the joints do about them where all are linear, else None."""

    y: np.ndarray
    x: np.ndarray
    coefficients: np.ndarray
    y0: np.ndarray
    x0: np.ndarray
    slope: np.ndarray | None = None

    def slopes(self, derivative: np.ndarray, n: int) -> np.ndarray:
        """The rows (k, n) for a derivative (k) of each polynomial."""
        rows, slope = np.arange(len(self.y)), np.zeros((len(self.y), n))
        slope[rows, self.y] = 1.0
        slope[rows, self.x] -= np.where(self.x >= 0, derivative, 0.0)
        return slope


class FingerRetargeting:
    """For one hand of a Model, on a Data of its own; one thread at a time.

    palm: (kind, element) of the body or site at the wrist that the fingers hang at; tips: finger ('thumb', 'index', 'middle', 'ring', 'little', as many as there are) -> (kind, element) at its tip, kind
    'body', 'geom' or 'site', element an index or name. side: 'right' or 'left'. locked: joints that do not move. joints: those that do, by index.

    Raises KeyError and IndexError for elements that there are not, ValueError for a finger that does not hang at the palm, or that nothing moves.
    """

    def __init__(self, m: Model, palm: tuple[str, int | str], tips: Mapping[str, tuple[str, int | str]], side: str = "right", locked: Sequence[int] = ()):
        self.model, self.data, self.side = m, engine_data(m), side
        if unknown := [name for name in tips if name not in FINGERS]:
            raise ValueError(f"'{unknown[0]}' is no finger; fingers are {', '.join(FINGERS)}")
        self.fingers = tuple(name for name in FINGERS if name in tips)
        if not self.fingers:
            raise ValueError("no finger has a tip")
        palm_body, palm_point = self._frame(palm)
        ends = [self._frame(tips[name]) for name in self.fingers]
        chains = [self._chain(name, body, palm_body) for name, (body, _) in zip(self.fingers, ends)]
        self.joints = np.array(sorted({j for chain in chains for j in chain if j not in locked}), np.intp)
        if not len(self.joints):
            raise ValueError("no joint moves these fingers")
        self._above = np.array([[[float(j in chain) for j in self.joints]] for chain in chains])      # (f, 1, n)
        self._skew = np.array([[[0, 0, 0], [0, 0, -1], [0, 1, 0]], [[0, 0, 1], [0, 0, 0], [-1, 0, 0]], [[0, -1, 0], [1, 0, 0], [0, 0, 0]]], float)     # of each axis
        self._skew = self._skew.transpose(1, 0, 2).copy()       # row of the matrix, axis, column
        self._bodies, self._points = np.array([body for body, _ in ends]), np.array([point for _, point in ends])
        self._slides = np.array([is_slide(m, j) for j in self.joints])
        self._qpos = m.jnt_qposadr[self.joints]
        limited = m.jnt_limited[self.joints] != 0
        self._lo, self._hi = np.where(limited, m.jnt_range[self.joints].T, [[-np.inf], [np.inf]])
        self._rest = np.clip(m.qpos0[self._qpos], self._lo, self._hi)
        self._couplings, self._damping = self._coupled(), np.full(len(self.joints), DAMPING * DAMPING)
        self._chains = np.array([FINGERS[name] for name in self.fingers])
        self._pinching = self.fingers[0] == "thumb" and len(self.fingers) > 1
        self._measure(palm_body, palm_point, chains)
        self.qpos = self._rest.copy()

    def reset(self, qpos: np.ndarray) -> None:
        """Begin the next hand at these joint positions (as `joints`)."""
        self.qpos = np.clip(qpos, self._lo, self._hi)

    def solve(self, hand: np.ndarray) -> np.ndarray:
        """Joint positions (as `joints`) for a hand (25, 7) or (25, 3) whose first columns are positions [m], in any frame.

        Raises ValueError for one whose joints lie on one line, or are not finite.
        """
        wanted, weights = self._wanted(np.asarray(hand, float)[:, :3])
        q = self.qpos.copy()
        for _ in range(ITERATIONS):
            residual, jacobian = self._rows(q, wanted, weights)
            lo, hi = np.minimum(np.maximum(self._lo - q, -LARGEST), 0.0), np.maximum(np.minimum(self._hi - q, LARGEST), 0.0)
            q += box_least_squares(jacobian, residual, self._damping, lo, hi, REST * (self._rest - q))
        self.qpos = np.clip(q, self._lo, self._hi)
        return self.qpos.copy()

    def tips(self, q: np.ndarray) -> np.ndarray:
        """Where the tips are in the frame of the palm (fingers, 3) [m] at joint positions q."""
        self._move(q)
        return self._at() @ self._palm - self._wrist

    # ------------------------------------------------------------------ the person's hand

    def _wanted(self, hand: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(vectors in the world of `data`: tips (f, 3), then thumb to each long finger (p, 3); weights of these rows (f + p)) for positions (25, 3)."""
        if hand.shape != (JOINTS, 3) or not np.isfinite(hand).all():
            raise ValueError(f"a hand is {JOINTS} positions")
        turn = self._palm @ hand_frame(hand, self.side).T       # from the headset's frame into that of `data`
        chains = hand[self._chains]                             # (f, 4, 3)
        bones = chains[:, 1:] - chains[:, :-1]
        scale = self._lengths / np.maximum(np.sqrt((bones * bones).sum(axis=2)).sum(axis=1), 1e-6)
        wanted = self._knuckles + (scale[:, None] * (chains[:, -1] - chains[:, 0])) @ turn.T
        if not self._pinching:
            return wanted, np.ones(len(wanted))
        # a gap between the person's tips, and its weight by a smooth step
        gap = chains[1:, -1] - chains[0, -1]
        length = np.sqrt((gap * gap).sum(axis=1))
        closed = np.clip((FAR - length) / (FAR - NEAR), 0.0, 1.0)
        weight = closed * closed * (3.0 - 2.0 * closed)
        gap = (gap * (scale.mean() * np.maximum(length - NEAR, 0.0) / np.maximum(length, 1e-6))[:, None]) @ turn.T
        return np.concatenate([wanted, gap]), np.concatenate([[1.0 - LET * weight.max()], 1.0 - LET * weight, PINCH * weight])

    # ------------------------------------------------------------------ the model's hand

    def _rows(self, q: np.ndarray, wanted: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(residual (r), its Jacobian as box_least_squares takes it (r, n)) at joint positions q."""
        self._move(q)
        at, d = self._at(), self.data
        # geometric Jacobian: axis x (tip - anchor) = [axis] tip - [axis] anchor of a hinge above the tip, the axis itself of a slide; (3, joints, tips) first
        axis = d.xaxis[self.joints]
        skew = axis @ self._skew
        way = (skew @ at.T - (skew * d.xanchor[self.joints]).sum(axis=2)[:, :, None]).transpose(2, 0, 1)
        if self._slides.any():
            way = np.where(self._slides, axis.T, way)
        way = way * self._above
        if self._pinching:
            at, way = np.concatenate([at, at[1:] - at[0]]), np.concatenate([way, way[1:] - way[0]])
        residual = (weights[:, None] * (wanted - at)).ravel()
        jacobian = (weights[:, None, None] * way).reshape(-1, len(q))
        if len(self._couplings.y):
            off, slope = self._coupling_rows(q)
            residual, jacobian = np.concatenate([residual, COUPLING * off]), np.concatenate([jacobian, COUPLING * slope])
        return residual, jacobian

    def _coupling_rows(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(how far each coupled joint is from where it belongs (k), what a step does about it (k, n))."""
        c = self._couplings
        x = np.where(c.x >= 0, q[c.x] - c.x0, 0.0)
        if c.slope is not None:
            return c.coefficients[:, 0] + c.coefficients[:, 1] * x + c.y0 - q[c.y], c.slope
        powers = x[:, None] ** np.arange(5)
        return (c.coefficients * powers).sum(axis=1) + c.y0 - q[c.y], c.slopes((c.coefficients[:, 1:] * np.arange(1, 5) * powers[:, :4]).sum(axis=1), len(q))

    def _coupled(self) -> Couplings:
        """The equalities of joints that hold at the start, between joints of the hand or of one of them alone."""
        m, place = self.model, {int(j): k for k, j in enumerate(self.joints)}
        found = [i for i in range(m.neq) if m.eq_type[i] == EQ_JOINT and m.eq_active0[i] and int(m.eq_obj1id[i]) in place and (m.eq_obj2id[i] < 0 or int(m.eq_obj2id[i]) in place)]
        y = np.array([place[int(m.eq_obj1id[i])] for i in found], np.intp)
        x = np.array([place.get(int(m.eq_obj2id[i]), -1) for i in found], np.intp)
        made = Couplings(y, x, m.eq_data[found, :5].reshape(-1, 5).copy(), m.qpos0[self._qpos[y]], np.where(x >= 0, m.qpos0[self._qpos[x]], 0.0))
        return made if made.coefficients[:, 2:].any() else made._replace(slope=made.slopes(made.coefficients[:, 1], len(self.joints)))

    def _frame(self, named: tuple[str, int | str]) -> tuple[int, np.ndarray]:
        """(body, point in its frame (3)) of an element."""
        kind, element = named
        m = self.model
        if kind not in FRAMES:
            raise KeyError(f"'{kind}' is no place of a hand; there are: {', '.join(FRAMES)}")
        i = index_of(m, kind, element)
        return (i, np.zeros(3)) if kind == "body" else (int(getattr(m, f"{kind}_bodyid")[i]), getattr(m, f"{kind}_pos")[i].copy())

    def _chain(self, name: str, body: int, palm: int) -> tuple[int, ...]:
        """Hinges and slides between the palm and a body, the palm's side first."""
        m, chain = self.model, []
        while body != palm:
            if body <= 0:
                raise ValueError(f"the tip of the {name} finger does not hang at the palm")
            first = int(m.body_jntadr[body])
            chain = [*(j for j in range(first, first + int(m.body_jntnum[body])) if _scalar(m, j)), *chain]
            body = int(m.body_parentid[body])
        if not chain:
            raise ValueError(f"no joint moves the {name} finger")
        return tuple(chain)

    def _measure(self, palm: int, point: np.ndarray, chains: list[tuple[int, ...]]) -> None:
        """Frame of the palm, knuckles and lengths of fingers, at the start pose."""
        d, start = self.data, self.model.qpos0
        d.qpos[:] = start
        d.qpos[self._qpos] = self._rest
        poses.kinematics(self.model, d)
        wrist = d.xpos[palm] + d.xmat[palm].reshape(3, 3) @ point
        self._knuckles = np.array([d.xanchor[chain[0]] for chain in chains])
        ends = self._at()
        self._lengths = np.array([finger_length(np.array([*(d.xanchor[j] for j in chain), end])) for chain, end in zip(chains, ends)])
        knuckles = self._knuckles[[i for i, name in enumerate(self.fingers) if name in LONG]]
        # a hand with one long finger, or whose knuckles lie behind each other, says by the palm's own frame how it lies
        try:
            self._palm = palm_frame(wrist, knuckles, self.side) if len(knuckles) > 1 else d.xmat[palm].reshape(3, 3).copy()
        except ValueError:
            self._palm = d.xmat[palm].reshape(3, 3).copy()
        self._wrist = wrist @ self._palm

    def _move(self, q: np.ndarray) -> None:
        self.data.qpos[self._qpos] = q
        poses.kinematics.briefly(self.model, self.data)

    def _at(self) -> np.ndarray:
        """Tips in the world (f, 3)."""
        d = self.data
        return d.xpos[self._bodies] + (d.xmat[self._bodies].reshape(-1, 3, 3) @ self._points[:, :, None])[:, :, 0]


def _scalar(m: Model, joint: int) -> bool:
    """Whether a joint has one coordinate: it is a hinge or a slide."""
    end = int(m.jnt_dofadr[joint + 1]) if joint + 1 < m.njnt else m.nv
    return end - int(m.jnt_dofadr[joint]) == 1


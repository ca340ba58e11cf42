"""Parameters of a Model from recorded motion, by Gauss-Newton: those under which rollouts from each motion's first state stay closest to it.

    min over p   1/2 sum over motions and times   r' W r      r = x_k(p) [-] measured_k      low <= p <= high

    (J'WJ + lambda D + floor max D) step = -J'W r      J: of all r by p      D: the diagonal of J'WJ; lambda falls with each gain and grows with each failure
    (max D: the largest where each parameter is measured by its size)

Overlaps of the measured states (measured_overlaps.py) can count besides: 1/2 overlap o' o.

J comes from implicit derivatives of the steps, S_k+1 = A S_k + P, where the engine that moves the model has those by all of the parameters (engine_derivatives.py),
else from central differences of whole rollouts. Where an implicit derivative is unknown, as a nudge of the parameter changes which features touch, so is S from there on: these
rows of J and r do not count for the step, and how many they are is told. Which step is taken is judged by the whole loss all the same.

Source: Nocedal and Wright, "Numerical Optimization", 2nd edition, sections 10.2 and 10.3 (Gauss-Newton, Levenberg-Marquardt); Howell, Le Cleac'h and others, "Dojo", 2022,
section on system identification.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from physics.inverse_kinematics.box_least_squares import box_quadratic
from physics.model.data import Data
from physics.model.model import Model
from physics.optimise.costs import state_weights
from physics.optimise.engine_derivatives import parameter_gradients_of
from physics.optimise.measured_overlaps import overlaps
from physics.optimise.model_parameters import Parameter, ParameterSet
from physics.optimise.motions import Motion, grouped
from physics.optimise.progress import Checkpoint, Progress, Report, fingerprint, reported
from physics.optimise.tangent import State, Tangent
from physics.simulate.rollout import rollout
from physics.simulate.step import check_dynamics, step

WHAT = "identification"
MOST = 1e8          # lambda with which the search gives up
SETTLED = ("the loss changes by less than its tolerance", "the parameters change by less than their tolerance")
UNKNOWN = "no derivative by the parameters is known: each of the motions begins where a nudge changes which features touch"
STUCK = "no step lowers the loss: it is rough here (try shorter motions)"


@dataclass(frozen=True, slots=True)
class IdentifyOptions:
    """qpos, qvel, act: weights W of differences, one or one for each direction. iterations: at most; loss_tolerance: relative; step_tolerance: largest step as a share of a
    parameter's size. damping: first lambda; floor: keeps parameters of which the motions say little where they are. eps: of differences, as a share of a parameter's size. kappa: as for linearise. nthread: of rollouts (0: one per processor).
    overlap: weight of overlaps of the measured states [1/m^2]. farthest: step of one iteration, at most, as a share of a parameter's size: beyond where J holds contacts are lost,
    and with them all that could tell of it."""

    qpos: float | tuple = 1.0
    qvel: float | tuple = 0.1
    act: float | tuple = 0.0
    iterations: int = 30
    loss_tolerance: float = 1e-9
    step_tolerance: float = 1e-7
    damping: float = 1e-6
    floor: float = 1e-12
    eps: float = 1e-5
    kappa: float | None = None
    nthread: int = 0
    overlap: float = 0.0
    farthest: float = np.inf


@dataclass(frozen=True, slots=True)
class IdentifyResult:
    """values: of the parameters, in their order; model: a copy of the Model with them. loss, losses: at the end, and after each iteration (the first: at the start).
    deviation: standard deviations of the values if what is left over is noise; loose: parameters of which the motions say (next to) nothing.
    unknown: share of the differences whose derivatives are unknown at the end, and which these and the last step do without."""

    values: np.ndarray
    model: Model
    loss: float
    losses: np.ndarray
    deviation: np.ndarray
    loose: tuple[Parameter, ...]
    converged: bool
    why: str
    unknown: float = 0.0


def fit_parameters(m: Model, parameters: Sequence[Parameter], motions: Sequence[Motion], options: IdentifyOptions | None = None, start=None, report: Report | None = None,
                   checkpoint: Checkpoint | None = None) -> IdentifyResult:
    """Find the parameters; m gives their first values unless `start` does, and stays as it is.

    Raises ValueError for parameters that cannot be looked for, motions that do not fit, where the model diverges at the start, and where no derivative is known; ViewOnlyError as
    `step`.
    """
    check_dynamics(m)
    options = options or IdentifyOptions()
    known = ParameterSet(m, parameters)
    fit = _Fit(known, [motion.checked(m) for motion in motions], options)
    p = np.clip(known.now(m) if start is None else np.array(start, np.float64), known.low, known.high)
    mark = fingerprint(m, known.parameters, asdict(replace(options, iterations=0, nthread=0)), p, *(array for x in fit.motions for array in (x.qpos, x.qvel, x.controls))) if checkpoint else ""
    kept = checkpoint.load(WHAT, mark) if checkpoint else None
    damping, losses = options.damping, []
    if kept is not None:
        p, damping, losses = kept["values"], float(kept["damping"]), kept["losses"].tolist()
    r = fit.residual(p)
    if r is None:
        raise ValueError("the model diverges with the parameters at the start")
    losses = losses or [0.5 * float(r @ r)]
    why = "the iterations are used up"
    while len(losses) <= options.iterations:
        jacobian = fit.jacobian(p)
        if fit.unknown == 1.0:
            why = UNKNOWN
            if len(losses) == 1:
                raise ValueError(why)
            break
        step, damping, new = _descend(fit, p, r, jacobian, damping)
        if step is None:
            why = SETTLED[1] if new is r else STUCK
            break
        gain = 0.5 * float(r @ r - new @ new)
        p, r = p + step, new
        losses.append(0.5 * float(r @ r))
        going = reported(report, Progress(WHAT, len(losses) - 1, options.iterations, losses[-1], ", ".join(f"{x:.4g}" for x in p[:8]) + without(fit.unknown)))
        if checkpoint:
            checkpoint.save(WHAT, mark, {"values": p, "damping": np.array(damping), "losses": np.array(losses)}, len(losses) - 1, True)
        if not going:
            why = "stopped by the report"
            break
        if gain <= options.loss_tolerance * (losses[-1] + 1e-300) or np.abs(step / known.size).max() < options.step_tolerance:
            why = SETTLED[0 if gain <= options.loss_tolerance * (losses[-1] + 1e-300) else 1]
            break
    return _result(known, fit, p, r, losses, why)


def without(unknown: float) -> str:
    """The share of the differences without derivatives, in words; '' for none."""
    return f"; {100 * unknown:.3g} % of the differences left out: their derivatives are unknown" if unknown else ""


def _descend(fit: _Fit, p: np.ndarray, r: np.ndarray, jacobian: np.ndarray, damping: float):
    """(step, next damping, residual there) of the first step that lowers the loss; step None where none does, and the residual r itself where there is no way to go."""
    hessian, gradient = jacobian.T @ jacobian, jacobian.T @ r
    diagonal = np.diagonal(hessian)
    if not diagonal.max() > 0:
        return None, damping, r
    size = fit.known.size
    farthest, floor = fit.options.farthest * size, fit.options.floor * (diagonal * size**2).max() / size**2
    while damping <= MOST:
        held = hessian + np.diag(damping * diagonal + floor)
        step = box_quadratic(held, -gradient, np.maximum(fit.known.low - p, -farthest), np.minimum(fit.known.high - p, farthest))
        new = fit.residual(p + step)
        if new is not None and new @ new < r @ r:
            return step, max(1e-12, damping / 5), new
        if np.abs(step / fit.known.size).max() < 1e-9:
            return None, damping, r
        damping = max(damping, 1e-10) * 10
    return None, damping, None


def _result(known: ParameterSet, fit: _Fit, p: np.ndarray, r: np.ndarray, losses: list[float], why: str) -> IdentifyResult:
    jacobian = fit.jacobian(p) * known.size
    _u, s, vt = np.linalg.svd(jacobian, full_matrices=False)
    seen = s > 1e-7 * max(s.max(initial=0.0), 1e-300)
    # covariance of p where the residual is noise: sigma^2 (J'J)^-1, infinite along what J does not see
    rest = r[~fit.left_out] if len(fit.left_out) else r
    noise = float(rest @ rest) / max(1, len(rest) - len(p))
    deviation = known.size * np.sqrt(noise * (vt[seen].T ** 2 @ (1 / s[seen] ** 2)))
    loose = (vt[~seen] ** 2).sum(axis=0) > 0.1 if (~seen).any() else np.zeros(len(p), bool)
    deviation[loose] = np.inf
    model = known.put(p)
    return IdentifyResult(p, model, losses[-1], np.array(losses), deviation, tuple(q for q, x in zip(known.parameters, loose) if x), why in SETTLED, why, fit.unknown)


class _Fit:
    """Residuals of motions under parameters."""

    def __init__(self, known: ParameterSet, motions: list[Motion], options: IdentifyOptions):
        if not motions:
            raise ValueError("no motions to identify from")
        m = known.m
        if m.nhistory:
            raise ValueError("identification: delays of controls and sensors are not supported")
        self.known, self.motions, self.options = known, motions, options
        self.tangent, self.groups = Tangent(m), grouped(motions)
        self.weights = np.sqrt(state_weights(m, options.qpos, options.qvel, options.act))
        self.left_out = np.zeros(0, bool)       # which rows of the last Jacobian are unknown; nothing where none can be

    @property
    def unknown(self) -> float:
        """Share of the rows that are left out."""
        return float(self.left_out.mean()) if len(self.left_out) else 0.0

    def residual(self, p: np.ndarray) -> np.ndarray | None:
        """All weighted differences, one behind the other; None where a rollout diverges."""
        m, found = self.known.put(p), [np.zeros(0)] * len(self.motions)
        for group in self.groups:
            nstep = self.motions[group[0]].nstep
            starts = np.array([np.concatenate([[0.0], *self.motions[i].state(0)]) for i in group])
            controls = np.array([np.repeat(self.motions[i].controls, nstep, axis=0) for i in group])
            rolled = rollout(m, starts, controls, self.options.nthread)
            if (rolled.steps < controls.shape[1]).any():
                return None
            for i, states in zip(group, rolled.states[:, nstep - 1::nstep]):
                found[i] = self._differences(self.motions[i], states)
        return np.concatenate([*found, self._overlaps(m)])

    def _overlaps(self, m: Model) -> np.ndarray:
        """Weighted overlaps of the measured states, none where they do not count."""
        return np.sqrt(self.options.overlap) * overlaps(m, self.motions) if self.options.overlap else np.zeros(0)

    def _differences(self, motion: Motion, states: np.ndarray) -> np.ndarray:
        """Of one rollout's states (T, 1 + nq + nv + na)."""
        m = self.known.m
        if not len(self.tangent.turning):
            measured = np.concatenate([motion.qpos[1:], motion.qvel[1:], motion.act[1:]], axis=1)
            return ((states[:, 1:] - measured) * self.weights).reshape(-1)
        cuts = np.cumsum([1, m.nq, m.nv, m.na])
        rows = [self.tangent.difference(motion.state(k + 1), State(*(row[a:b] for a, b in zip(cuts, cuts[1:])))) for k, row in enumerate(states)]
        return (np.array(rows) * self.weights).reshape(-1)

    def jacobian(self, p: np.ndarray) -> np.ndarray:
        """Of the residual by the parameters; central differences are one-sided at a bound. Rows with an unknown derivative are 0 (left_out)."""
        gradients = parameter_gradients_of(self.known.m, tuple(self.known.rows()))
        if gradients is not None:
            rows = self._by_differences(p, lambda q: self._overlaps(self.known.put(q))) if self.options.overlap else np.zeros((0, len(p)))
            self.known.put(p)
            found = np.concatenate([*(self._sensitivity(motion, gradients) for motion in self.motions), rows])
            self.left_out = ~np.isfinite(found).all(axis=1)
            found[self.left_out] = 0.0
            return found
        return self._by_differences(p, self.residual)

    def _by_differences(self, p: np.ndarray, function: Callable[[np.ndarray], np.ndarray | None]) -> np.ndarray:
        """Of a function of the parameters."""
        columns = []
        for k, eps in enumerate(self.options.eps * self.known.size):
            ends = []
            for side in (eps, -eps):
                q = p.copy()
                q[k] = np.clip(p[k] + side, self.known.low[k], self.known.high[k])
                ends.append((q[k], function(q)))
            (high, up), (low, down) = ends
            if up is None or down is None:
                raise ValueError(f"the model diverges next to {self.known.parameters[k].text} = {p[k]:g}")
            columns.append((up - down) / (high - low) if high > low else np.zeros(len(up)))
        return np.stack(columns, axis=1)

    def _sensitivity(self, motion: Motion, gradients) -> np.ndarray:
        """Rows of one motion, through implicit derivatives of its steps by state and parameters; NaN from the first step on whose derivative is unknown."""
        m, rows = self.known.m, self.known.rows()
        d, kappa = Data(m), {} if self.options.kappa is None else {"kappa": self.options.kappa}
        self.tangent.put(d, motion.state(0))
        s, found = np.zeros((self.tangent.nx, len(self.known.parameters))), []
        moved = {field: change.any(axis=1) for field, change in rows.items()}       # numbers that no parameter changes may be unknown
        for k, u in enumerate(motion.controls):
            d.ctrl[:] = u
            for _ in range(motion.nstep):
                step_by = gradients(m, d, parameters=tuple(rows), **kappa)
                s = step_by.A @ s + sum(step_by.P[field].reshape(self.tangent.nx, -1)[:, moved[field]] @ change[moved[field]] for field, change in rows.items())
                if step(m, d, autoreset=False) != 1:
                    raise ValueError(f"the model diverges in a motion, at {d.time:g} s")
            turn = self.tangent.difference_jacobian(motion.state(k + 1), self.tangent.state(d))
            found.append(self.weights[:, None] * (turn @ s))
        return np.concatenate(found)

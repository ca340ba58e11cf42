"""Contacts of real models: what the tuner predicts of their rest depth, frequency and restitution under other parameters, against what the engine does.

    model at rest --own priority for one geom: only this contact changes--> row as it is felt while all other rows act (physics.tuning.held) --> prediction
    parameters written, run until at rest --> depth; a small push along the normal --> frequency; moved out and thrown back --> restitution

Where they differ by more than GAP the cause is looked for, by what closes the gap. Is it the row, which is another one where the contact rests then? Read there anew it tells.
Else by a second prediction with more coordinates than the tuner's one: all dofs, linear about the rest,

    H q'' = -C q' - K q + j (f - f0),    f = G max(0, -b v - k d r - a_n) as in physics.tuning.law

with K, C of the servos, springs and gravity, of the other constraint rows, or of both. Of restitutions all couplings are taken away one by one (contact_ladder.py).

Source: MuJoCo documentation, chapter Computation, "Constraint model"; chapter Modeling, "Solver parameters", "Contact parameters" (priority).
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from math import isfinite

import numpy as np

import physics
from physics.diagnostics.constraint_rows import dense_jacobian
from physics.enums import ConstraintState
from physics.model.elements import CONTACT, Element, element
from physics.query.mass_matrix import full_m
from physics.tuning.closed_forms import closed_forms, rest_depth
from physics.tuning.held import held_row
from physics.tuning.law import Parameters, Row
from physics.tuning.scalar import LoadStep, approach, impacts, load_step, surface_speed
from physics.tuning.slip import SIDE, slip_of
from physics.tuning.target import Form, State, Target, contacts_of, read
from tests.long.contact_ladder import FINER, STEPS, Ladder, finer, frozen, press_others, restitutions, without_dry_friction, without_own_friction
from tests.long.corpus_models import started
from tests.long.frozen_rows import Frozen, Parts, position_jacobian
from tests.oracle.corpus import entry

TRIED = Parameters((-10000.0, -50.0), (0.5, 0.5, 0.001, 0.5, 2.0))        # w about 100 rad/s, damping ratio about 0.25
GAP = 0.1
SLOW = 0.5              # rad/s: what is held by less than this counts as free
HARDER = (3.0, 10.0, 30.0)      # times the push
PUSH, THROW = 0.05, 8.0     # speed of the small push over w times the rest depth, of the impact over load / w
RESTS, LONGEST = 1e-5, 30.0     # m/s or rad/s that counts as rest, s of simulated time that it may take
SETTLES = 0.3           # s of simulated time
NUDGE = 1e-6
LEAST = 0.05            # restitution: below that a share means nothing


@dataclass(frozen=True)
class Pair:
    """A contact of a corpus model. geoms: names or numbers, the second one is given the parameters; ctrl: 'key', 'high', 'low' or 'zero'."""

    name: str
    model: str
    geoms: tuple[str | int, str | int]
    ctrl: str = "key"


PAIRS = (
    Pair("foot of a quadruped, a mesh", "google_barkour_vb", ("floor", 25)),
    Pair("foot of a quadruped on a height field", "google_barkour_vb_hfield", ("floor", "foot_hind_left")),
    Pair("foot of a biped, a capsule", "agility_cassie", ("floor", 44)),
    Pair("foot of a humanoid, a box", "booster_t1", ("floor", 36)),
    Pair("foot of a planar walker", "dmc_walker", ("floor", "right_foot"), "zero"),
    Pair("foot of a humanoid, a capsule", "humanoid", ("floor", "foot2_right"), "zero"),
    Pair("pads of a gripper, closed", "robotiq_2f85", (13, 25), "high"),
    Pair("jaw of a gripper on the floor", "trs_so_arm100", ("floor", 18), "low"),
    Pair("object on the palm of a hand", "shadow_hand", (63, 13), "zero"),
    Pair("object on the palm of a hand, another", "wonik_allegro", (43, 2), "zero"),
)


# ------------------------------------------------------------------ the scene

class Scene:
    """A model at rest whose pair of geoms alone can be given other parameters."""

    def __init__(self, pair: Pair):
        got = started(entry(pair.model))
        if isinstance(got, str):
            raise ValueError(got)
        self.m, self.d = m, d = got
        self._drive(pair.ctrl)
        self.rest()
        geoms = tuple(m.id("geom", g) if isinstance(g, str) else g for g in pair.geoms)
        self.target = Target(Form.CONTACT, Element(CONTACT, -1, "", tuple(element(m, "geom", g) for g in geoms)))
        contacts = contacts_of(m, d, self.target)
        if not contacts:
            raise ValueError(f"{pair.name} does not touch")
        self.own = geoms[1]
        first = contacts[0]
        # the geom of higher priority counts alone: with the contact's own values nothing changes by that
        m.geom_priority[self.own] = int(m.geom_priority.max()) + 1
        m.geom_condim[self.own] = d.contact_dim[first]
        m.geom_friction[self.own] = d.contact_friction[first, [0, 2, 3]]
        m.geom_solref[self.own], m.geom_solimp[self.own] = d.contact_solref[first], d.contact_solimp[first]
        self.run(0.2)

    def _drive(self, how: str) -> None:
        m, d = self.m, self.d
        if how == "key" and m.nkey:
            d.ctrl[:] = m.key_ctrl[0]
        elif how in ("high", "low"):
            limited = np.flatnonzero(m.actuator_ctrllimited)
            d.ctrl[limited] = m.actuator_ctrlrange[limited, 1 if how == "high" else 0]

    def run(self, seconds: float) -> None:
        physics.step(self.m, self.d, max(1, round(seconds / float(self.m.opt_timestep))))

    def rest(self) -> None:
        """Until nothing moves."""
        for _ in range(round(LONGEST)):
            self.run(1.0)
            if np.abs(self.d.qvel).max() < RESTS:
                return

    def write(self, parameters: Parameters) -> None:
        self.m.geom_solref[self.own], self.m.geom_solimp[self.own] = parameters.solref, parameters.solimp
        physics.forward(self.m, self.d)

    def read(self) -> State:
        physics.forward(self.m, self.d)
        found = read(self.m, self.d, self.target, held=True)
        if found is None:
            raise ValueError("it does not touch any more")
        return found

    def keep(self) -> np.ndarray:
        return physics.get_state(self.m, self.d).copy()

    def put(self, state: np.ndarray) -> None:
        physics.set_state(self.m, self.d, state)
        physics.forward(self.m, self.d)


# ------------------------------------------------------------------ more coordinates

class Linear:
    """All dofs about the rest under the parameters that are in force."""

    def __init__(self, scene: Scene):
        m, d, state = scene.m, scene.d, scene.read()
        rows, nefc = np.array(state.rows), int(d.nefc)
        J = dense_jacobian(m, d, range(nefc))
        D, K, B = np.array(d.efc_D[:nefc]), d.efc_KBIP[:nefc, 0] * d.efc_KBIP[:nefc, 2], np.array(d.efc_KBIP[:nefc, 1])
        spring = np.array(d.efc_state[:nefc]) == ConstraintState.QUADRATIC
        P = position_jacobian(d, J)
        w = D[rows] / D[rows].sum()
        self.j, self.G = w @ J[rows], float(D[rows].sum())
        self.kd, self.b, self.depth, self.f0 = float(w @ K[rows]), float(w @ B[rows]), -state.position, state.force
        mine = np.zeros(nefc, bool)
        mine[rows] = True
        push = np.where(spring, D, 0.0)
        own = self.G * np.outer(self.j, self.j)
        self.H0 = full_m(m, d) + J.T @ (push[:, None] * J) - own
        self.C_rows = J.T @ ((push * B)[:, None] * J) - self.b * own
        self.K_rows = J[~mine].T @ ((push * K)[~mine, None] * P[~mine])
        self.K_smooth, self.C_smooth = _smooth(scene)
        self.M, self.h = full_m(m, d), float(m.opt_timestep)
        # of a small push, and of an impact, in which dry friction slides
        self.motion, self.impact = (held_row(m, d, rows, None, loose=loose).motion for loose in (False, True))

    def coefficients(self, with_rows: bool, with_smooth: bool) -> tuple[np.ndarray, np.ndarray]:
        """(C, K) of what is counted."""
        return with_rows * self.C_rows + with_smooth * self.C_smooth, with_rows * self.K_rows + with_smooth * self.K_smooth

    def run(self, parts: tuple[bool, bool], q: np.ndarray, v: np.ndarray, steps: int) -> np.ndarray:
        """(steps + 1, 3): r, its speed and the force, from displacements and speeds of all dofs."""
        C, K = self.coefficients(*parts)
        inverse = np.linalg.inv(self.H0)
        A, out = float(self.j @ inverse @ self.j), []
        for _ in range(steps + 1):
            r, u = float(self.j @ q) - self.depth, float(self.j @ v)
            free = inverse @ (-C @ v - K @ q - self.j * self.f0)
            f = max(0.0, (-self.b * u - self.kd * r - float(self.j @ free)) / (1.0 / self.G + A)) if r < 0.0 else 0.0
            out.append((r, u, f))
            v = v + self.h * (free + inverse @ self.j * f)
            q = q + self.h * v
        return np.array(out)

    def depth_under(self, parts: tuple[bool, bool], kd: float, G: float) -> float:
        """Rest depth after the contact's spring has become G kd [N/m]: what holds the bodies elsewhere takes a part of the load."""
        _C, K = self.coefficients(*parts)
        give = float(self.j @ np.linalg.solve(K + SLOW ** 2 * self.M, self.j)) if any(parts) else np.inf
        return self.f0 / (G * kd) if not isfinite(give) else (self.depth + give * self.f0) / (1.0 + give * G * kd)


def _smooth(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """(K, C) of servos, springs, gravity: less the derivatives of qfrc_smooth by positions and velocities."""
    m, d, kept = scene.m, scene.d, scene.keep()
    K, C = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv))
    qpos, qvel = d.qpos.copy(), d.qvel.copy()
    for i in range(m.nv):
        unit = np.zeros(m.nv)
        unit[i] = 1.0
        for out, positions, speeds in ((K, NUDGE, 0.0), (C, 0.0, NUDGE)):
            ends = []
            for sign in (1.0, -1.0):
                d.qpos[:] = physics.integrate_pos(m, qpos, unit, sign * positions) if positions else qpos
                d.qvel[:] = qvel + sign * speeds * unit
                physics.forward(m, d)
                ends.append(d.qfrc_smooth.copy())
            out[:, i] = (ends[1] - ends[0]) / (2.0 * NUDGE)
    scene.put(kept)
    return K, C


# ------------------------------------------------------------------ what is seen

def frequency_of(r: np.ndarray, u: np.ndarray, h: float) -> tuple[float, float]:
    """(w [rad/s], damping ratio) of a free motion: least squares of x' = F x with x = (r, u)."""
    x = np.column_stack([r, u])
    x = x / np.abs(x).max(axis=0)
    F = np.linalg.lstsq(x[:-1], x[1:], rcond=None)[0]
    s = np.log(np.linalg.eigvals(F).astype(complex)) / h
    w = float(np.sqrt(np.abs(s[0] * s[1])))
    return w, float(-(s[0] + s[1]).real / (2.0 * w))


@dataclass(frozen=True)
class Push:
    """r, u: distance and speed after a push less those without it, as what else moves is in both. trembles: the speed that there is without it, as a share of that of the push;
    changes: steps without it, of all, in which contacts came or went."""

    r: np.ndarray
    u: np.ndarray
    trembles: float
    changes: float


def pushed(scene: Scene, kept: np.ndarray, j: np.ndarray, motion: np.ndarray, speed: float, steps: int) -> Push:
    runs, counts = [], []
    for share in (1.0, 0.0):
        scene.put(kept)
        scene.d.qvel += share * speed * motion
        base, out, counts = scene.d.qpos.copy(), [], []
        for _ in range(steps + 1):
            out.append((float(j @ physics.differentiate_pos(scene.m, base, scene.d.qpos)), float(j @ scene.d.qvel)))
            scene.run(0.0)
            counts.append(int(scene.d.ncon))
        runs.append(np.array(out))
    motion = runs[0] - runs[1]
    return Push(*motion.T, float(np.ptp(runs[1][:, 1]) / np.ptp(motion[:, 1])), float(np.mean(np.diff(counts) != 0)))


@dataclass(frozen=True)
class Throw:
    """speed [m/s]; restitution; let_go: how many of the other contacts that pushed before did not for a while; slid: whether the contact came to the side of its cone;
    fewest, most: points of contact while it touched."""

    speed: float
    restitution: float
    let_go: int
    slid: bool
    fewest: int
    most: int


def thrown(scene: Scene, kept: np.ndarray, row: Row, j: np.ndarray, motion: np.ndarray, depth: float, speed: float, steps: int) -> Throw:
    """An impact: taken off the surface along the motion that is felt, thrown back, until it is off again. Speeds are told at the surface, as in physics.tuning.scalar."""
    m, d = scene.m, scene.d
    scene.put(kept)
    rest, others = d.qpos.copy(), _pushing(scene)
    r, u = (float(x) for x in approach(row, np.array(speed), np.array(0.5)))
    d.qpos[:] = physics.integrate_pos(m, d.qpos, motion, depth + r)
    d.qvel[:] += u * motion
    touched, fewest, slid, points = False, len(others), False, [1]
    for _ in range(steps):
        scene.run(0.0)
        r, u = float(j @ physics.differentiate_pos(m, rest, d.qpos)) - depth, float(j @ d.qvel)
        slip = slip_of(m, d, scene.target)
        touched |= slip is not None
        points += [len(contacts_of(m, d, scene.target))] if slip is not None else []
        fewest, slid = min(fewest, len(others & _pushing(scene))), slid or slip is not None and slip.share > SIDE
        if touched and r >= 0.0 and u > 0.0:
            return Throw(speed, float(surface_speed(row, np.array(r), np.array(u))) / speed, len(others) - fewest, slid, min(points[1:]), max(points))
    return Throw(speed, 0.0, len(others) - fewest, slid, min(points[1:], default=0), max(points))


def _pushing(scene: Scene) -> set[tuple[int, int]]:
    """Other pairs of geoms that push."""
    d, mine = scene.d, set(contacts_of(scene.m, scene.d, scene.target))
    return {tuple(d.contact_geom[k].tolist()) for k in range(d.ncon) if k not in mine and d.contact_efc_address[k] >= 0 and physics.contact_force(scene.m, d, k)[0] > 0.0}


# ------------------------------------------------------------------ a pair

EXPERIMENTS = {"with others pressed down": ("others",), "without dry friction": ("dry",), "without dry friction, others pressed down": ("others", "dry"),
               "without its own friction": ("friction",),
               "without its own friction, others pressed down": ("friction", "others"),
               "a sixteenth as deep": ("depth",)}
CAUSES = (("servos, springs or gravity move or hold it", (False, True)), ("the other contacts and constraints give way, too", (True, False)),
          ("other contacts and servos together hold and move it", (True, True)))


def judge(pair: Pair) -> dict:
    """Predicted and seen figures of a pair, their errors and the reasons of gaps."""
    scene = Scene(pair)
    before, old = scene.read(), Linear(scene)
    row, h = before.row, before.row.timestep
    # all is predicted from the rows that there are now, under the model's own parameters
    predicted, step = rest_depth(row, TRIED), load_step(row, TRIED)
    w = _undamped(step, row)
    scene.write(TRIED)
    at_once = float(impacts(scene.read().row, TRIED, [THROW * max(1e-3, -row.load()) / w], 1)[0].restitution[0])
    scene.rest()
    after, kept, quiet = scene.read(), scene.keep(), float(np.abs(scene.d.qvel).max())
    seen, linear = -after.position, Linear(scene)
    steps = int(np.clip(1.2 * 2.0 * np.pi / w / h, 24, 3000))
    speed, throw = PUSH * w * seen, THROW * max(1e-3, -row.load()) / w
    rows = frozen(scene, after, _smooth(scene))
    push, *hard = (pushed(scene, kept, linear.j, linear.motion, times * speed, steps) for times in (1.0, *HARDER))
    w_seen, zeta_seen = frequency_of(push.r, push.u, h)
    throws = [thrown(scene, kept, row.of_impacts, linear.j, linear.impact, seen, share * throw, 8 * steps) for share in (1.0, 0.5, 0.25)]
    expected = [float(impacts(row, TRIED, [one.speed], 1)[0].restitution[0]) for one in throws]
    e, e_seen = expected[0], throws[0].restitution
    found = {"name": pair.name, "model": pair.model, "geoms": pair.geoms, "factor": row.factor, "inverse_mass": row.inverse_mass, "load_N": before.force,
             "moving": quiet, "trembles": push.trembles, "contacts_change": push.changes,
             "wh": float(w * h), "hold": row.hold, "drag": row.drag + row.damping, "dry": row.of_impacts.dry,
             "depth_m": [predicted, seen], "frequency_rad_s": [float(w), w_seen], "dampratio": [step.damping_ratio, zeta_seen], "restitution": [e, e_seen],
             "throws": [{"predicted": one, **asdict(other)} for one, other in zip(expected, throws, strict=True)],
             "depth_error": abs(predicted / seen - 1.0), "frequency_error": _error(float(w), w_seen), "restitution_error": _error(e, e_seen), "reasons": {}}
    others: dict[str, tuple[Callable[[tuple[bool, bool]], float], float]] = {
        "depth": (lambda parts: old.depth_under(parts, linear.kd, linear.G), seen),
        "frequency": (lambda parts: _linear_frequency(linear, parts, speed, steps), w_seen)}
    anew = load_step(after.row, TRIED)
    read_anew = {"depth": rest_depth(after.row, TRIED), "frequency": _undamped(anew, after.row), "restitution": float(impacts(after.row, TRIED, [throw], 1)[0].restitution[0])}
    ladder = Ladder((e_seen, *restitutions(rows, row.of_impacts, linear.impact, throw, 8 * steps), read_anew["restitution"], at_once, e))
    w_rows = _frozen_frequency(rows, linear.motion, speed, steps)
    experiments = {text: _bounce(pair, text) for text in EXPERIMENTS}
    w_hard = [frequency_of(one.r, one.u, h)[0] for one in hard]
    # the same impact of all that moves while dry friction sticks, told by that row: another motion, and another acceleration by which the speed at the surface is found
    sticking = thrown(scene, kept, row, linear.j, linear.motion, seen, throw, 8 * steps).restitution
    found |= {"ladder": ladder.values, "experiments": experiments, "frequency_of_rows": w_rows, "frequency_pushed_harder": w_hard, "restitution_sticking": sticking,
              "restitution_without_loose": float(impacts(replace(row, loose=None), TRIED, [throw], 1)[0].restitution[0])}
    row_text = f"the row is another one there ({len(after.contacts)} contacts in place of {len(before.contacts)}, s {after.row.factor:.3g} in place of {row.factor:.3g})"
    for name, (again, truth) in others.items():
        values = {row_text: read_anew[name], **{text: again(parts) for text, parts in CAUSES}}
        found[f"{name}_again"] = values
        if found[f"{name}_error"] > GAP:
            meets = [f"{text}: with that counted {value:.4g}, seen {truth:.4g}" for text, value in values.items() if _error(value, truth) <= GAP]
            if name == "frequency" and _error(float(w), w_rows) <= GAP:
                harder = ", ".join(f"{one:.3g} ({times:g} times, {100.0 * other.trembles:.0f} %)" for one, times, other in zip(w_hard, HARDER, hard, strict=True))
                meets.append(f"it trembles at rest, as contacts come or go in {100.0 * push.changes:.0f} % of the steps, by {100.0 * push.trembles:.0f} % of the push; "
                             f"pushed harder {harder}; "
                             "not in the engine, but with its rows as they are at rest, "
                             f"{w_rows:.4g}, {100.0 * _error(float(w), w_rows):.1f} % off")
            found["reasons"][name] = meets[0] if meets else ""
    if found["restitution_error"] > GAP:
        found["reasons"]["restitution"] = _impact_reason(ladder, experiments)
    return found


def _impact_reason(ladder: Ladder, experiments: dict[str, tuple[float, float]]) -> str:
    """What changes a restitution, where nothing is left between the one coordinate and the rows without couplings; else ''."""
    left = _error(ladder.one, ladder.bare)
    changes = np.abs(np.diff(ladder.values)) / max(ladder.values[0], LEAST)
    names = (*(what for what, _parts in STEPS), "", "it rests otherwise under these parameters", "its own friction is another one under these parameters")
    worth = [f"{names[i]} ({ladder.values[i + 1]:.3g} to {ladder.values[i]:.3g})" for i in np.argsort(-changes).tolist() if names[i] and changes[i] > 0.5 * GAP]
    if left > GAP or not worth:
        return ""
    closed = [f"; in the engine {how} {of[0]:.3g} / {of[1]:.3g}" for how, of in experiments.items() if of[1] > 0.0 and _error(*of) <= GAP]
    return f"{'; '.join(worth)}; without couplings {ladder.bare:.3g}, one coordinate {ladder.one:.3g} ({100.0 * left:.1f} %){''.join(closed)}"


def _bounce(pair: Pair, how: str) -> tuple[float, float]:
    """(predicted, seen) restitution in the engine with a coupling taken away (one of EXPERIMENTS), the row read there; NaN where it does not touch then."""
    scene, parameters, taken, row = Scene(pair), TRIED, EXPERIMENTS[how], None
    try:
        if "friction" in taken:
            scene.read()
            without_own_friction(scene, contacts_of(scene.m, scene.d, scene.target))
            scene.run(SETTLES)
            row = scene.read().row
        if "depth" in taken:
            parameters = finer(TRIED)
            scene.m.opt_timestep /= FINER
        scene.write(parameters)
        if row is None:
            scene.rest()
        else:
            scene.run(SETTLES)      # what nothing holds along the surface comes to no rest
        contacts = scene.read().contacts
        if "dry" in taken:
            without_dry_friction(scene)
        if "others" in taken:
            press_others(scene, contacts)
        if {"dry", "others"} & set(taken):
            scene.rest() if row is None else scene.run(SETTLES)
        state = scene.read()
    except ValueError:
        return float("nan"), float("nan")
    row, kept = row or state.row, scene.keep()
    w = _undamped(load_step(row, parameters), row, parameters)
    steps, speed = int(np.clip(1.2 * 2.0 * np.pi / w / row.timestep, 24, 3000)), THROW * max(1e-3, -row.load()) / w
    linear = Linear(scene)
    seen = thrown(scene, kept, row.of_impacts, linear.j, linear.impact, -state.position, speed, 8 * steps).restitution
    return float(impacts(row, parameters, [speed], 1)[0].restitution[0]), seen


def _undamped(step: LoadStep, row: Row, parameters: Parameters = TRIED) -> float:
    """w [rad/s] of a contact."""
    return 2.0 * np.pi * step.frequency / np.sqrt(1.0 - step.damping_ratio ** 2) if step.frequency else closed_forms(row, parameters).frequency


def _linear_frequency(linear: Linear, parts: tuple[bool, bool], speed: float, steps: int) -> float:
    zero = np.zeros_like(linear.motion)
    runs = [linear.run(parts, zero, share * speed * linear.motion, steps) for share in (1.0, 0.0)]
    return frequency_of(*(runs[0] - runs[1])[:, :2].T, linear.h)[0]


def _frozen_frequency(rows: Frozen, motion: np.ndarray, speed: float, steps: int) -> float:
    zero = np.zeros_like(motion)
    runs = [rows.run(Parts(), zero, share * speed * motion, steps) for share in (1.0, 0.0)]
    return frequency_of(*(runs[0] - runs[1]).T, rows.h)[0]


def _error(predicted: float, seen: float) -> float:
    """Relative; of two that are next to nothing none."""
    return abs(predicted - seen) / max(abs(seen), LEAST)


def told(found: dict) -> str:
    """Lines of the printed table."""
    parts = [f"{name} {found[key][0]:.4g} / {found[key][1]:.4g} ({100 * found[f'{name}_error']:.1f} %)" for name, key in
             (("depth", "depth_m"), ("frequency", "frequency_rad_s"), ("restitution", "restitution"))]
    experiments = ", ".join(f"{how} {one:.3g} / {other:.3g}" for how, (one, other) in found["experiments"].items())
    return f"  {found['name']}: s {found['factor']:.3g}, load {found['load_N']:.3g} N, predicted / seen " + ", ".join(parts) + (
        f"\n      restitution seen {Ladder(found['ladder']).text()}; in the engine, predicted / seen, {experiments}; "
        f"thrown with joints that stick {found['restitution_sticking']:.3g}, predicted so {found['restitution_without_loose']:.3g}") + "".join(
        f"\n      {name}: {reason or 'NOT EXPLAINED'}" for name, reason in found["reasons"].items())

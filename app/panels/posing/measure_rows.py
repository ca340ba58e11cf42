"""The rows of the panel Measure: mass properties and what holds a pose, in words. No Qt."""
from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from app.panels.values.joint_rows import joint_name
from physics.enums import JNT_SLIDE
from physics.model.data import Data
from physics.model.elements import Element, body_of
from physics.model.model import Model
from physics.quantities.actuator_units import length_units
from physics.query.hold_torque import Hold
from physics.query.measure import Mass, mass_properties


NONE = "\u2013"


class Question(NamedTuple):
    """Which bodies the panel wants to be weighed (None: none), and whether with all that they carry."""

    bodies: tuple[int, ...] | None = None
    subtree: bool = False


class Answer(NamedTuple):
    """What is known of the moment that was looked at; seconds: what that took."""

    question: Question
    mass: Mass | None
    seconds: float


class Row(NamedTuple):
    """What is shown, what stands in the tooltip, whether it is beyond what can be, and what the clipboard has besides."""

    cells: tuple[str, ...]
    tip: str = ""
    over: bool = False
    besides: tuple[str, ...] = ()


def look(m: Model, d: Data, question: Question) -> Answer:
    """Answer a question in the physics thread; nothing is changed."""
    begun = time.perf_counter()
    mass = mass_properties(m, d, question.bodies, question.subtree) if question.bodies is not None else None
    return Answer(question, mass, time.perf_counter() - begun)


def selected_bodies(m: Model, elements: Sequence[Element]) -> tuple[int, ...]:
    """Bodies that are selected, or that hold what is; those of the world's own elements are left out."""
    bodies = [what.id if what.kind == "body" else body_of(m, what) for what in elements]
    return tuple(dict.fromkeys(b for b in bodies if b > 0))


def number(value: float, digits: int = 5) -> str:
    """So many digits; a dash for what is not known."""
    return f"{value:.{digits}g}" if np.isfinite(value) else NONE if np.isnan(value) else "beyond"


def numbers(values, least: float = 0.0, digits: int = 3) -> str:
    """Numbers side by side; what is smaller than `least` is 0."""
    return "  ".join(f"{0.0 if abs(v) < least else v:.{digits}g}" for v in np.ravel(values).tolist())


def mass_rows(mass: Mass, digits: int = 4) -> list[Row]:
    """Mass, centre, inertia about it; vectors with one digit less, so that they have room."""
    least = 1e-9 * float(np.abs(mass.inertia).max(initial=0.0))
    rows = [Row(("Mass", f"{number(mass.mass, digits)} kg")), Row(("Centre", f"{numbers(mass.com, 1e-9, digits - 1)} m"), "Centre of mass in world axes")]
    tip = "kg m2, about the centre of mass, in world axes"
    rows += [Row((f"Inertia {axis}", numbers(mass.inertia[k], least, digits - 1)), tip) for k, axis in enumerate("xyz")]
    rows += [Row((f"Moment {k + 1}", f"{number(mass.moments[k], digits)} kg m2"), f"Principal moment of inertia about the axis {numbers(mass.axes[:, k], 1e-9)} (world)") for k in range(3)]
    return rows


def dof_rows(m: Model, hold: Hold, most: int | None = None) -> list[Row]:
    """A row per dof, of the first `most`: name, what it needs; in the tooltip what no actuator can give."""
    rows: list[Row] = []
    for j in range(m.njnt):
        if most is not None and len(rows) >= most:
            return [*rows, _more(m.nv - len(rows))]
        first = int(m.jnt_dofadr[j])
        end = int(m.jnt_dofadr[j + 1]) if j + 1 < m.njnt else m.nv
        for k in range(first, end):
            pushes = m.jnt_type[j] == JNT_SLIDE or end - first == 6 and k < first + 3
            unit, missing = "N" if pushes else "N m", float(hold.remainder[k])
            words = "" if end - first == 1 else f" {'' if pushes else 'turn '}{'xyz'[(k - first) % 3]}"
            tips = [f"{_steady(missing)} {unit} of it can be given by no actuator"] if missing else []
            tips += [f"contacts carry {_steady(hold.support[k])} {unit} beside it"] if hold.support[k] else []
            rows.append(Row((joint_name(m, j) + words, f"{_steady(hold.qfrc[k])} {unit}"), "\n".join(tips), bool(missing), (f"missing {_steady(missing)}",) if missing else ()))
    return rows


def _steady(value: float) -> str:
    return f"{0.0 if abs(value) < 1e-9 else value:.4g}"


def _more(count: int) -> Row:
    return Row((f"{count} more", ""), "Copy has all of them")


def actuator_rows(m: Model, hold: Hold, most: int | None = None) -> list[Row]:
    """A row per actuator, of the first `most`: name, control, share of the range; its force in the tooltip."""
    rows: list[Row] = []
    for i in range(m.nactuator):
        if i == most:
            return [*rows, _more(m.nactuator - i)]
        unit = length_units(m, i)[0]
        force = f"{_steady(hold.force[i])} {unit}".rstrip() if np.isfinite(hold.force[i]) else NONE
        share = f"{100 * hold.share[i]:.0f} %" if np.isfinite(hold.share[i]) else "beyond" if np.isinf(hold.share[i]) else ""
        tip = f"force {force}" if np.isfinite(hold.ctrl[i]) else "its law has no control that is known to hold, or it is off"
        if np.isfinite(hold.ctrl[i]) and hold.ctrl[i] == 0 and hold.input[i] != 0:
            tip += f"; an integrator: control 0 keeps its activation, which would have to be {number(hold.input[i])}"
        ctrl = _steady(hold.ctrl[i]) if np.isfinite(hold.ctrl[i]) else NONE
        rows.append(Row((m.names["actuator"][i] or f"actuator {i}", ctrl, share), tip, not hold.within[i], (f"force {force}",)))
    return rows


def controls_to_set(m: Model, hold: Hold) -> list[tuple[int, float]]:
    """(number, value) of the controls that hold the pose, inside their ranges; of actuators without a known one none."""
    out = []
    for i in np.flatnonzero(np.isfinite(hold.ctrl)).tolist():
        c = int(m.actuator_ctrladr[i])
        value = float(hold.ctrl[i])
        out.append((c, float(np.clip(value, *m.actuator_ctrlrange[c])) if m.actuator_ctrllimited[c] else value))
    return out


def as_text(rows: Sequence[Row]) -> str:
    """Rows as lines for the clipboard, cells separated by tabs."""
    return "\n".join("\t".join((*row.cells, *row.besides)) for row in rows)

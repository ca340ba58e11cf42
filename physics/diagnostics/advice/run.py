"""Rules about the run as a whole: warnings of the engine, energy that comes from nowhere, trees that fall asleep and wake again and again."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.diagnostics.advice.evidence import Evidence
from physics.diagnostics.advice.finding import SLOW, WARNING, Finding, elements_of, named, number, sentence
from physics.enums import INT_EULER, INT_RK4, WARN_BADCTRL, WARN_INERTIA
from physics.simulate.warnings import DIVERGED, element_of, in_words

GROWS = 0.1         # of the largest kinetic energy: a smaller growth is no advice
FASTER = 0.3        # of the growth: kinetic energy
RISING = 0.8        # share of the pairs of samples in which the energy rises
FEWEST = 8          # samples without a drive
SWITCHES = 3        # of a tree between awake and asleep in the window

WARNING_REMEDY = MappingProxyType({
    WARN_INERTIA: "Mass, inertia or armature for the bodies of that joint: the mass matrix is nearly singular there.",
    WARN_BADCTRL: "The controller gives what is no number; look at its inputs.",
})
DIVERGED_REMEDY = "A smaller timestep, another integrator (implicitfast), more damping or armature at that joint."
STORAGE_REMEDY = "Fewer contacts or a larger memory of the model: what did not fit was left away."


def counted_warnings(e: Evidence) -> list[Finding]:
    """Warnings that the engine has counted while the window lasts."""
    if len(e.samples) < 2:
        return []
    numbers = e.stack("warning_number")
    grows = np.diff(numbers, axis=0) > 0
    out = []
    for kind in np.flatnonzero(grows.any(axis=0)).tolist():
        newest = e.samples[1 + int(np.flatnonzero(grows[:, kind])[-1])]
        where = element_of(e.m, kind, int(newest.warning_lastinfo[kind]))
        times = int(numbers[-1, kind] - numbers[0, kind])
        text = f"{sentence(in_words(kind))}{f' at {where}' if where else ''}: counted {times} times in the last {number(e.times[-1] - e.times[0])} s."
        remedy = DIVERGED_REMEDY if kind in DIVERGED else WARNING_REMEDY.get(kind, STORAGE_REMEDY)
        out.append(Finding("warning", (), float(grows[:, kind].mean()), newest.time, text, remedy, times, WARNING, in_words(kind), str(kind)))
    return out


def growing_energy(e: Evidence) -> list[Finding]:
    """Potential and kinetic energy together that grow all through the window, though nothing drives the model."""
    if len(e.energies) < FEWEST:
        return []
    time, potential, kinetic = np.array(e.energies).T
    total, most = potential + kinetic, float(kinetic.max())
    rise = total[-1] - total[0]
    steps = np.diff(total)
    # a contact that creeps out, or a spring that relaxes, gives energy too, but it does not come as speed
    faster = kinetic[-1] - kinetic[0] > FASTER * rise
    if not np.isfinite(total).all() or rise < GROWS * most or most <= 0.0 or (steps > 0).mean() < RISING or not faster or total[len(total) // 2] <= total[0]:
        return []
    text = (f"Potential and kinetic energy grew by {number(float(rise))} J (to {number(float(total[-1]))} J, of which {number(float(kinetic[-1]))} J kinetic) "
            f"in {number(float(time[-1] - time[0]))} s, though no actuator and no applied force drives the model: the integration adds energy.")
    m = e.m
    better = "another integrator (implicitfast, or RK4 where there are no contacts)" if m.opt_integrator in (INT_EULER, INT_RK4) else "a smaller solref stiffness"
    remedy = f"A smaller timestep (now {number(1e3 * e.timestep)} ms), {better}, or damping at the joints that move fastest."
    return [Finding("energy", (), float((steps > 0).mean()), float(time[-1]), text, remedy, float(rise / most), WARNING)]


def flapping_sleep(e: Evidence) -> list[Finding]:
    """Trees that fall asleep and wake several times in the window."""
    asleep = [s.tree_asleep >= 0 for s in e.samples if len(s.tree_asleep)]
    if len(asleep) < 2 or len({len(row) for row in asleep}) > 1:
        return []
    switched = np.diff(np.array(asleep).astype(int), axis=0) != 0
    m, times = e.m, [s.time for s in e.samples if len(s.tree_asleep)]
    out = []
    for tree in np.flatnonzero(switched.sum(axis=0) >= SWITCHES).tolist():
        body = int(m.tree_bodyadr[tree])
        n = int(switched[:, tree].sum())
        text = f"The tree of {named(m, 'body', body)} fell asleep or woke {n} times in the last {number(e.times[-1] - e.times[0])} s, so that sleep saves little there."
        remedy = f"A larger sleep_tolerance (now {number(float(m.opt_sleep_tolerance))} m/s), contacts that come to rest (more damping), or sleep=\"never\" for this body."
        last = times[1 + int(np.flatnonzero(switched[:, tree])[-1])]
        out.append(Finding("sleep", elements_of(m, "body", [body]), min(1.0, n / SWITCHES * 0.5), last, text, remedy, n, SLOW, named(m, "body", body)))
    return out

"""Rules about contacts: deeper than the geoms are thick, missed between two steps, stiffer than the timestep allows."""
from __future__ import annotations

import numpy as np

from physics.diagnostics.advice.evidence import Evidence, per_thing
from physics.diagnostics.advice.finding import INFO, WARNING, Finding, duration, elements_of, length, named, number, sentence
from physics.diagnostics.advice.sample import Sample
from physics.enums import DSBL_REFSAFE, INT_DISCRETE
from physics.model.model import Model

DEEP = 0.5      # of a geom's smallest half size


def _pairs(m: Model, pairs: np.ndarray) -> str:
    return f"{named(m, 'geom', int(pairs[0]))} and {named(m, 'geom', int(pairs[1]))}"


def _acting(sample: Sample) -> np.ndarray:
    """Contacts between two geoms that can push."""
    return np.flatnonzero((sample.contact_exclude == 0) & (sample.contact_geom.min(axis=1, initial=0) >= 0)) if sample.ncon else np.zeros(0, int)


def next_to_each_other(m: Model, pair: tuple[int, int]) -> bool:
    """Whether two geoms are of one kinematic tree, or one of them of the body that the other's tree hangs on."""
    one, two = m.geom_bodyid[list(pair)]
    trees = m.body_treeid[[one, two]]
    if trees[0] == trees[1] and trees[0] >= 0:
        return True
    moving = two if trees[0] < 0 else one
    root = m.body_rootid[moving]
    hinged = not (m.body_dofnum[root] == 6)      # a tree with a free joint hangs on nothing
    return bool(min(trees) < 0 and max(trees) >= 0 and hinged)


def deep_contacts(e: Evidence) -> list[Finding]:
    """Contacts deeper than half of the smallest half size of the thinner geom: beyond its middle the normal may turn round, and the geom comes out on the other side."""
    half = e.geom_half_size

    def deepest(sample: Sample) -> dict:
        rows = _acting(sample)
        thin = half[sample.contact_geom[rows]].min(axis=1, initial=np.inf)
        share = -sample.contact_dist[rows] / thin
        found: dict = {}
        for k in np.flatnonzero(share > DEEP):
            pair = tuple(sorted(sample.contact_geom[rows[k]].tolist()))
            figure = (float(share[k]), float(-sample.contact_dist[rows[k]]), float(thin[k]))
            found[pair] = max(found.get(pair, figure), figure)
        return found

    out = []
    for pair, (share, last, figures) in per_thing(e, deepest).items():
        _worst, depth, thin = max(figures)
        text = (f"{sentence(_pairs(e.m, pair))} are {length(depth)} inside each other; the thinner of them is {length(2 * thin)} thick.")
        remedy = ("If they overlap by design, as links next to each other do: <exclude> for their bodies. " if next_to_each_other(e.m, pair) else "") + (
                  "A stiffer contact (smaller solref timeconst, solimp nearer to 1; the timeconst stays above 2 timesteps), a smaller timestep, a smaller mass ratio or force, "
                  "or a thicker geom for collision. At the start of a run: move them apart.")
        severity = WARNING if max(figures)[0] > 1.0 else INFO
        out.append(Finding("deep_contact", elements_of(e.m, "geom", pair), share, last, text, remedy, max(figures)[0], severity, _pairs(e.m, pair)))
    return out


def _body_half_size(e: Evidence) -> tuple[np.ndarray, np.ndarray]:
    """Of each body the half size of the thickest of its geoms that can touch something [m], infinite where it has none; and that geom."""
    m = e.m
    touching = np.flatnonzero((m.geom_contype != 0) | (m.geom_conaffinity != 0))
    order = touching[np.argsort(e.geom_half_size[touching])]    # the thickest last: that is what stays
    size, which = np.full(m.nbody, np.inf), np.full(m.nbody, -1)
    size[m.geom_bodyid[order]], which[m.geom_bodyid[order]] = e.geom_half_size[order], order
    return size, which


def missed_contacts(e: Evidence) -> list[Finding]:
    """Bodies that move farther in a step than the thickest of their geoms is thick, so that a step can carry them through another."""
    m, h = e.m, e.timestep
    if not m.ngeom or not e.samples:
        return []
    half, which = _body_half_size(e)
    root = m.body_rootid
    cvel, com, xipos = e.stack("cvel"), e.stack("subtree_com")[:, root], e.stack("xipos")
    # velocity of the centre of mass: cvel is that of the point of the body at the tree's centre of mass
    speed = np.linalg.norm(cvel[..., 3:] + np.cross(cvel[..., :3], xipos - com), axis=-1)
    share, last = e.seen(speed * h > 2.0 * half)
    out = []
    for body in np.flatnonzero(share > 0):
        fastest = float(speed[:, body].max())
        text = (f"{sentence(named(m, 'body', body))} moves {length(fastest * h)} in a step ({number(fastest)} m/s); its thickest geom for collision, "
                f"{named(m, 'geom', int(which[body]))}, is {length(2 * half[body])} thick, so it can pass through others between two steps.")
        remedy = f"A timestep below {duration(2 * half[body] / fastest)}, a thicker geom for collision, or a contact margin of about the distance that it moves in a step."
        out.append(Finding("missed_contact", elements_of(m, "body", [body]), float(share[body]), float(last[body]), text, remedy, fastest * h / half[body], INFO,
                           named(m, "body", body)))
    return out


def clamped_timeconst(e: Evidence) -> list[Finding]:
    """solref time constants below two timesteps, which the flag refsafe raises to that."""
    m, h = e.m, e.timestep
    if m.opt_disableflags & DSBL_REFSAFE or m.opt_integrator == INT_DISCRETE:
        return []
    least = 2.0 * h * (1.0 - 1e-9)

    def short(sample: Sample) -> dict:
        rows = _acting(sample)
        tc = sample.contact_solref[rows]
        return {tuple(sorted(sample.contact_geom[rows[k]].tolist())): float(tc[k, 0]) for k in np.flatnonzero((tc[:, 0] > 0) & (tc[:, 0] < least) & (tc[:, 1] > 0))}

    out = []
    for pair, (share, last, figures) in per_thing(e, short).items():
        out.append(_clamped(e, elements_of(m, "geom", pair), f"the contact of {_pairs(m, pair)}", _pairs(m, pair), min(figures), share, last))
    newest = e.samples[-1]
    equalities = np.unique(newest.efc_id[:newest.ne])
    for i in equalities[(m.eq_solref[equalities, 0] > 0) & (m.eq_solref[equalities, 0] < least)]:
        name = named(m, "equality", int(i))
        out.append(_clamped(e, elements_of(m, "equality", [i]), name, name, float(m.eq_solref[i, 0]), 1.0, newest.time))
    return out


def _clamped(e: Evidence, elements, what: str, short: str, timeconst: float, share: float, last: float) -> Finding:
    h = e.timestep
    text = f"The solref timeconst of {what} is {duration(timeconst)}, less than 2 timesteps: refsafe makes it {duration(2 * h)}, so the constraint is softer than it says."
    remedy = f"A timestep of at most {duration(timeconst / 2)} where that stiffness is wanted, else a timeconst of {duration(2 * h)} or more in the model."
    return Finding("clamped_timeconst", elements, share, last, text, remedy, 2 * h / timeconst, INFO, short)

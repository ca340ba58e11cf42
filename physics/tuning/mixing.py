"""Why a contact has its parameters, and whose contacts change with them: those that are there, and those that may come.

    changes of fields of geoms, pairs, the option block --> which pairs of geoms have other condim, friction, margin, gap, solref, solimp, adhesion than before

What decides for one contact is told by physics.diagnostics.contact_parameters; here the same rules run over arrays of pairs, with the same bits.

Source: MuJoCo documentation, chapter Modeling, "Contact parameters"; chapter Computation, "Collision", "Selection"; XML reference, option (override), contact/pair.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from physics.compiler.derived.collision_pairs import candidate_pairs, collidable
from physics.diagnostics.constraint_parameters import ConstraintParameters, constraint_parameters
from physics.diagnostics.contact_parameters import ContactParameters, Parameter, contact_parameters, explicit_pairs, pair_parameters
from physics.engine.collide.contact import MINMU
from physics.engine.collide.pair_table import max_points
from physics.enums import DSBL_FILTERPARENT, ENBL_OVERRIDE, MINVAL
from physics.model.data import Data
from physics.model.elements import CONTACT, Element, element
from physics.model.model import Model
from physics.tuning.target import Form, Target, contacts_of

__all__ = ["Affected", "AffectedPairs", "Change", "NewPair", "affected_pairs", "contact_table", "explicit_pairs", "geom_changes", "lines",
           "override_changes", "pair_changes", "why"]

Change = tuple[str, int, object]      # field of the Model, its row (-1: the field has none), new value
CHUNK = 20_000                        # pairs that are looked at together
# parameter -> columns of the table
COLUMNS: Mapping[str, slice] = MappingProxyType({"condim": slice(0, 1), "friction": slice(1, 6), "adhesion": slice(6, 7), "margin": slice(7, 8), "gap": slice(8, 9),
                                                 "solref": slice(9, 11), "solreffriction": slice(11, 13), "solimp": slice(13, 18)})
WIDTH = 18
APART = -2           # in place of an explicit pair: they could not touch before
# parameter -> field of a pair
PAIR_FIELDS: Mapping[str, str] = MappingProxyType({"condim": "pair_dim", **{name: f"pair_{name}" for name in COLUMNS if name != "condim"}})
GEOM_FIELDS: Mapping[str, str] = MappingProxyType({name: f"geom_{name}" for name in ("condim", "friction", "adhesion", "margin", "gap", "solref", "solimp", "priority", "solmix")})
OVERRIDES: Mapping[str, str] = MappingProxyType({name: f"opt_o_{name}" for name in ("friction", "margin", "solref", "solimp")})


# ------------------------------------------------------------------ why

def why(m: Model, d: Data, target: Target) -> ContactParameters | ConstraintParameters:
    """How the parameters of a target came about, each with its candidates, the rule that decided, and what the clamps make of it. Of a contact, geom or pair that of its contact,
    also where the pair's geoms do not touch. Raises ValueError for a geom that touches nothing."""
    if target.form != Form.CONTACT:
        return next(one for one in constraint_parameters(m, d, target.element) if one.form == str(target.form))
    contacts = contacts_of(m, d, target)
    if contacts:
        return contact_parameters(m, d, contacts[0])
    if target.element.kind == "pair":
        return pair_parameters(m, int(m.pair_geom1[target.element.id]), int(m.pair_geom2[target.element.id]))
    if target.element.kind == CONTACT:
        return pair_parameters(m, *(geom.id for geom in target.element.geoms))
    raise ValueError(f"{target} touches nothing now")


def lines(parameters: Iterable[Parameter]) -> Iterator[str]:
    """A sentence for each parameter: 'solref 0.02 1: Equal priority (0): averaged with ...', and one for each clamp."""
    for parameter in parameters:
        yield f"{parameter.name} {_words(parameter.value)}{' ' + parameter.unit if parameter.unit else ''}: {parameter.why}"
        for clamp in parameter.clamps:
            yield f"{parameter.name}: {clamp.before:.6g} is taken as {clamp.after:.6g}: {clamp.text}"


def _words(value: Sequence[float]) -> str:
    return " ".join(f"{number:.6g}" for number in value)


# ------------------------------------------------------------------ changes

@dataclass(frozen=True, slots=True)
class NewPair:
    """An explicit pair that is not there yet. values: by parameter, of all that COLUMNS has."""

    geom1: int
    geom2: int
    values: Mapping[str, Sequence[float]]


def geom_changes(geoms: Iterable[int], values: Mapping[str, object]) -> tuple[Change, ...]:
    """Geoms given these values: {'solref': (...), 'friction': three numbers, 'priority': 1}."""
    return tuple((GEOM_FIELDS[name], int(g), value) for g in geoms for name, value in values.items())


def pair_changes(pairs: Iterable[int], values: Mapping[str, object]) -> tuple[Change, ...]:
    """Explicit pairs given these values."""
    return tuple((PAIR_FIELDS[name], int(p), value) for p in pairs for name, value in values.items())


def override_changes(m: Model, values: Mapping[str, object]) -> tuple[Change, ...]:
    """The option block's values with the flag that has them count for all contacts."""
    return ("opt_enableflags", -1, int(m.opt_enableflags) | ENBL_OVERRIDE), *((OVERRIDES[name], -1, value) for name, value in values.items())


class _Fields:
    """Fields of a Model as they are after changes."""

    def __init__(self, m: Model, changes: Iterable[Change] = ()):
        self._m, self._changed = m, {}
        for name, row, value in changes:
            if row < 0:
                self._changed[name] = np.array(value) if np.ndim(value) else value
                continue
            if name not in self._changed:
                self._changed[name] = np.array(getattr(m, name))
            self._changed[name][row] = value

    def __getattr__(self, name: str):
        changed = self._changed.get(name)
        return getattr(self._m, name) if changed is None else changed


# ------------------------------------------------------------------ the rules over arrays

def contact_table(m: Model, geoms: np.ndarray, pairs: np.ndarray, changes: Iterable[Change] = ()) -> np.ndarray:
    """(n, 18) parameters of contacts between geoms (n, 2) after changes, in the columns of COLUMNS. pairs (n): explicit pair that they are of, -1 none."""
    f, out = _Fields(m, changes), np.zeros((len(geoms), WIDTH))
    mixed = np.flatnonzero(pairs < 0)
    if len(mixed):
        out[mixed] = _mixed(f, geoms[mixed])
    named = np.flatnonzero(pairs >= 0)
    for name, columns in COLUMNS.items():
        if len(named):
            out[named, columns] = np.asarray(getattr(f, PAIR_FIELDS[name]), float)[pairs[named]].reshape(len(named), -1)
    if len(named) and m.flg_maxmargin:
        out[named, COLUMNS["margin"]] -= out[named, COLUMNS["gap"]]
    if f.opt_enableflags & ENBL_OVERRIDE:
        out[:, COLUMNS["friction"]], out[:, COLUMNS["solimp"]] = f.opt_o_friction, f.opt_o_solimp
        out[:, COLUMNS["solref"]] = out[:, COLUMNS["solreffriction"]] = f.opt_o_solref
        out[:, COLUMNS["margin"]] = f.opt_o_margin - (out[:, COLUMNS["gap"]] if m.flg_maxmargin else 0.0)
    friction = out[:, COLUMNS["friction"]]
    np.maximum(friction, MINMU, out=friction)
    return out


def _mixed(f: _Fields, geoms: np.ndarray) -> np.ndarray:
    """Of contacts that no explicit pair names."""
    # the geom of smaller type first, of equal types that of the lower body
    kind, body = f.geom_type[geoms], f.geom_bodyid[geoms]
    swap = (kind[:, 1] < kind[:, 0]) | (kind[:, 1] == kind[:, 0]) & (body[:, 1] < body[:, 0])
    one, two = np.where(swap, geoms[:, 1], geoms[:, 0]), np.where(swap, geoms[:, 0], geoms[:, 1])
    out = np.zeros((len(geoms), WIDTH))
    values = {name: [np.asarray(getattr(f, field), float)[g].reshape(len(geoms), -1) for g in (one, two)] for name, field in GEOM_FIELDS.items()}
    # equal priority: the larger, the sum, or the average by solmix
    weight = _mix_weight(values["solmix"][0][:, 0], values["solmix"][1][:, 0])[:, None]
    standard = (values["solref"][0][:, 0] > 0.0) & (values["solref"][1][:, 0] > 0.0)
    average = {name: weight * values[name][0] + (1.0 - weight) * values[name][1] for name in ("solref", "solimp")}
    found = {name: np.maximum(*values[name]) for name in ("condim", "friction")} | {"adhesion": np.add(*values["adhesion"]), "solimp": average["solimp"]}
    found["solref"] = np.where(standard[:, None], average["solref"], np.minimum(*values["solref"]))
    # else the geom of higher priority alone
    order = values["priority"][0] - values["priority"][1]
    for name, mixed in found.items():
        found[name] = np.where(order > 0, values[name][0], np.where(order < 0, values[name][1], mixed))
    # margin and gap know no priority
    add = np.maximum if f.flg_maxmargin else np.add
    found["gap"] = add(*values["gap"])
    found["margin"] = add(*values["margin"]) - (found["gap"] if f.flg_maxmargin else 0.0)
    found["friction"] = found["friction"][:, [0, 0, 1, 2, 2]]
    for name, value in found.items():
        out[:, COLUMNS[name]] = value
    return out


def _mix_weight(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Weight of the first geom, as engine/collide/contact.py mix_weight has it."""
    tiny = [first < MINVAL, second < MINVAL]
    with np.errstate(invalid="ignore", divide="ignore"):
        weight = first / (first + second)
    weight = np.where(tiny[0] & tiny[1], 0.5, weight)
    weight = np.where(tiny[0] & ~tiny[1], 0.0, weight)
    return np.where(~tiny[0] & tiny[1], 1.0, weight)


# ------------------------------------------------------------------ whose contacts

@dataclass(frozen=True, slots=True)
class Affected:
    """Contacts between two geoms that change. pair: explicit pair that they are of, -1 none; present: whether they touch now; parameters: that change; before, after: each (18)."""

    geoms: tuple[Element, Element]
    pair: int
    present: bool
    parameters: tuple[str, ...]
    before: np.ndarray
    after: np.ndarray

    def __str__(self) -> str:
        return " and ".join(str(geom) for geom in self.geoms)


class AffectedPairs:
    """Pairs of geoms whose contacts change. geoms (n, 2); pairs (n): explicit pair, -1 none; present (n): whether they touch now. What of a pair changes is worked out when it is
    asked for: there may be half a million of them."""

    def __init__(self, m: Model, changes: Sequence[Change], new_pairs: Sequence[NewPair], geoms: np.ndarray, pairs: np.ndarray, present: np.ndarray):
        self._m, self._changes, self._new_pairs = m, changes, new_pairs
        self.geoms, self.pairs, self.present = geoms, pairs, present

    def __len__(self) -> int:
        return len(self.geoms)

    def __getitem__(self, k: int) -> Affected:
        if not 0 <= k < len(self):
            raise IndexError(f"there is no pair {k}: there are {len(self)}")
        before, after = (row[0] for row in _before_and_after(self._m, self.geoms[k:k + 1].astype(int), self.pairs[k:k + 1].astype(int), self._changes, self._new_pairs))
        changed = tuple(name for name, columns in COLUMNS.items() if not np.array_equal(before[columns], after[columns]))
        return Affected(tuple(element(self._m, "geom", int(g)) for g in self.geoms[k]), max(-1, int(self.pairs[k])), bool(self.present[k]), changed, before, after)

    @cached_property
    def order(self) -> np.ndarray:
        """Those that touch now first."""
        return np.argsort(~self.present, kind="stable")

    def without(self, geom1: int, geom2: int) -> AffectedPairs:
        """All but those of two geoms."""
        other = ~_is_pair(self.geoms, geom1, geom2)
        return AffectedPairs(self._m, self._changes, self._new_pairs, self.geoms[other], self.pairs[other], self.present[other])

    def names(self, most: int = 20) -> tuple[str, ...]:
        """Of the contacts that change, those that touch now first; of more than `most` the last line says how many there are."""
        said = [f"{self[k]}{'' if self.present[k] else ' (not touching now)'}" for k in self.order[:most].tolist()]
        return *said, *((f"and {len(self) - most} more",) if len(self) > most else ())


class GivenUpError(Exception):
    """Nobody wants the answer any more."""


def affected_pairs(m: Model, changes: Iterable[Change], d=None, new_pairs: Iterable[NewPair] = (), stop: Callable[[], bool] = lambda: False) -> AffectedPairs:
    """Which contacts, present and possible by masks, bodies, excludes and routines, have other parameters after changes. d: a Data or Snapshot, for what touches now;
    stop(): whether nobody wants to know any more. Raises GivenUpError then: among a thousand geoms it takes seconds."""
    changes, new_pairs = tuple(changes), tuple(new_pairs)
    found: list[tuple[np.ndarray, np.ndarray]] = [(np.zeros((0, 2), np.int32), np.zeros(0, np.int32))]
    apart = list(new_pairs)
    for geoms, pairs in _concerned(m, changes, new_pairs):
        if stop():
            raise GivenUpError
        before, after = _before_and_after(m, geoms, pairs, changes, new_pairs)
        changed = (before != after).any(axis=1)
        found.append((geoms[changed].astype(np.int32), pairs[changed].astype(np.int32)))
        apart = [new for new in apart if not _is_pair(geoms, new.geom1, new.geom2).any()]
    found += [(np.array([[new.geom1, new.geom2]], np.int32), np.array([APART], np.int32)) for new in apart]     # they could not touch before
    geoms, pairs = (np.concatenate([part[k] for part in found]) for k in range(2))
    return AffectedPairs(m, changes, new_pairs, geoms, pairs, _touching(geoms, d))


def _before_and_after(m: Model, geoms: np.ndarray, pairs: np.ndarray, changes: Sequence[Change], new_pairs: Sequence[NewPair]) -> tuple[np.ndarray, np.ndarray]:
    """(n, 18) each; NaN for those that could not touch before."""
    before, after = contact_table(m, geoms, np.maximum(pairs, -1)), contact_table(m, geoms, np.maximum(pairs, -1), changes)
    before[pairs == APART] = np.nan
    for new in new_pairs:
        after[_is_pair(geoms, new.geom1, new.geom2) & (pairs < 0)] = _row(m, new, changes)
    return before, after


def _is_pair(geoms: np.ndarray, one: int, two: int) -> np.ndarray:
    return (geoms == (one, two)).all(1) | (geoms == (two, one)).all(1)


def _row(m: Model, new: NewPair, changes: Sequence[Change]) -> np.ndarray:
    """What contacts of a new pair have."""
    row, f = np.zeros(WIDTH), _Fields(m, changes)
    for name, columns in COLUMNS.items():
        row[columns] = new.values[name]
    if m.flg_maxmargin:
        row[COLUMNS["margin"]] -= row[COLUMNS["gap"]]
    if f.opt_enableflags & ENBL_OVERRIDE:
        for name, field in OVERRIDES.items():
            row[COLUMNS[name]] = getattr(f, field)
        row[COLUMNS["solreffriction"]] = f.opt_o_solref
    row[COLUMNS["friction"]] = np.maximum(row[COLUMNS["friction"]], MINMU)
    return row


def _touching(geoms: np.ndarray, d) -> np.ndarray:
    if d is None or not d.ncon or not len(geoms):
        return np.zeros(len(geoms), bool)
    scale = int(geoms.max(initial=0)) + int(np.max(d.contact_geom[:d.ncon])) + 2
    low, high = np.sort(geoms, axis=1).T
    now = np.sort(np.asarray(d.contact_geom[:d.ncon]).reshape(-1, 2), axis=1).astype(np.int64)
    return np.isin(low.astype(np.int64) * scale + high, now[:, 0] * scale + now[:, 1])


def _concerned(m: Model, changes: Sequence[Change], new_pairs: Sequence[NewPair]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs of geoms, and the explicit pairs that they are of, whose contacts changes may be about, in pieces."""
    everywhere = any(row < 0 for _name, row, _value in changes)
    can, moving = collidable(m)
    touched = np.array(sorted({row for name, row, _value in changes if name.startswith("geom_")} | {new.geom1 for new in new_pairs}), int)
    named = np.arange(m.npair) if everywhere else np.array(sorted({row for name, row, _value in changes if name.startswith("pair_")}), int)
    if len(named):
        yield np.stack([m.pair_geom1[named], m.pair_geom2[named]], 1).astype(int), named
    explicit = {tuple(sorted(pair)) for pair in zip(m.pair_geom1.tolist(), m.pair_geom2.tolist(), strict=True)}
    first = moving if everywhere else touched
    size = max(1, CHUNK // max(1, len(can)))
    for start in range(0, len(first), size):
        some = first[start:start + size]
        # each pair once: what was looked at before is no partner any more
        partners = np.setdiff1d(can if everywhere else np.union1d(can, touched), first[:start])
        low, high, related = candidate_pairs(m, some, partners)
        keep = _with_routine(m, low, high)
        if not m.opt_disableflags & DSBL_FILTERPARENT:
            keep &= related == 0
        if explicit:
            keep &= np.array([tuple(sorted(pair)) not in explicit for pair in zip(low.tolist(), high.tolist(), strict=True)], bool)
        geoms = np.stack([low[keep], high[keep]], 1).astype(int)
        yield geoms, np.full(len(geoms), -1)


def _with_routine(m: Model, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Whether there is a collision routine for the types of each pair."""
    kinds = np.sort(np.stack([m.geom_type[low], m.geom_type[high]], 1).astype(int), axis=1)
    different, place = np.unique(kinds, axis=0, return_inverse=True)
    return np.array([bool(max_points(int(a), int(b))) for a, b in different], bool)[place.reshape(-1)] if len(kinds) else np.zeros(0, bool)

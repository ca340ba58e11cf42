"""How the parameters of a contact came about: what each geom, an explicit pair and the override say, which rule decided, and what the constraint makes of the result.

    candidates --rule--> value, as contact_* holds it --clamps--> used, what the rows are made of

The values have the bits of the engine (engine/collide/contact.py, engine/collide/filter.py): the same operations in the same order.

Source: MuJoCo documentation, chapter Modeling, "Contact parameters" and "Solver parameters"; chapter Computation, "Constraint model: parameters".
"""
from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

import numpy as np

from physics.diagnostics.parameter_clamps import Clamp, used_friction, used_solimp, used_solref, used_solreffriction
from physics.engine.collide.contact import MINMU, mix_weight
from physics.engine.collide.filter import explicit_margin, pair_gap, pair_margin
from physics.enums import ENBL_OVERRIDE
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.elements import Element, element
from physics.model.model import Model

Numbers = tuple[float, ...]


class Rule(StrEnum):
    """Which rule gave a value."""

    PAIR = "pair"               # an explicit pair: its values and no others
    PRIORITY = "priority"       # the geom of higher priority alone
    MAXIMUM = "maximum"         # the larger of both
    SOLMIX = "solmix"           # an average, weighted by solmix
    MINIMUM = "minimum"         # the smaller of both: solref in the direct form
    SUM = "sum"                 # both added up
    OVERRIDE = "override"       # the option block's values in place of all others
    UNSET = "unset"             # nothing sets it
    CHANGED = "changed"         # the contact holds another value than these rules give


@dataclass(frozen=True, slots=True)
class Candidate:
    """What one source says. element: the geom or pair, None for the option block; decides: for each number whether the result has it from here."""

    source: str
    element: Element | None
    value: Numbers
    decides: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a contact. weight: share of the first geom where the rule is SOLMIX, else None; used: the value behind the clamps."""

    name: str
    unit: str
    numbers: tuple[str, ...]
    rule: Rule
    why: str
    candidates: tuple[Candidate, ...]
    value: Numbers
    weight: float | None = None
    used: Numbers = ()
    clamps: tuple[Clamp, ...] = ()


@dataclass(frozen=True, slots=True)
class ContactParameters:
    """All parameters of a contact, or of two geoms that might touch. geoms: in the contact's order; pair: number of the explicit pair that they are of, -1 none;
    pairs: all explicit pairs of the two; contact: its number, -1 where none was asked about."""

    geoms: tuple[int, int]
    pair: int
    pairs: tuple[int, ...]
    contact: int
    parameters: tuple[Parameter, ...]

    def __getitem__(self, name: str) -> Parameter:
        """The parameter of that name. Raises KeyError."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class _Row:
    """Where the engine has a parameter: fields of geoms, pairs, the option block and contacts, '' where one has it not."""

    name: str
    geom: str
    pair: str
    override: str
    contact: str
    unit: str = ""
    numbers: tuple[str, ...] = ("",)


SLIDES = ("tangent 1", "tangent 2", "spin", "roll 1", "roll 2")
REF, IMP = ("timeconst", "dampratio"), ("d0", "dwidth", "width", "midpoint", "power")
ROWS = (
    _Row("condim", "geom_condim", "pair_dim", "", "contact_dim"),
    _Row("friction", "geom_friction", "pair_friction", "opt_o_friction", "contact_friction", "", SLIDES),
    _Row("adhesion", "geom_adhesion", "pair_adhesion", "", "contact_adhesion", "N"),
    _Row("margin", "geom_margin", "pair_margin", "opt_o_margin", "contact_includemargin", "m"),
    _Row("gap", "geom_gap", "pair_gap", "", "", "m"),
    _Row("solref", "geom_solref", "pair_solref", "opt_o_solref", "contact_solref", "", REF),
    _Row("solreffriction", "", "pair_solreffriction", "opt_o_solref", "contact_solreffriction", "", REF),
    _Row("solimp", "geom_solimp", "pair_solimp", "opt_o_solimp", "contact_solimp", "", IMP),
)
BY_NAME = MappingProxyType({row.name: row for row in ROWS})
LARGER = frozenset(("condim", "friction"))      # of equal priority


def contact_parameters(m: Model, d: Data, contact: int) -> ContactParameters:
    """How contact `contact` of a Data came by its parameters. The values are those of contact_*. Raises IndexError where there is no such contact."""
    if not 0 <= contact < d.ncon:
        raise IndexError(f"contact {contact} of {d.ncon}")
    one, two = map(int, d.contact_geom[contact])
    pairs = explicit_pairs(m, one, two)
    held = {row.name: _numbers(getattr(d, row.contact)[contact]) for row in ROWS if row.contact}
    tried = [[_mixed(m, row, one, two, pair) for row in ROWS] for pair in pairs or (-1,)]
    # of several pairs of the same geoms the contact's is that whose values it holds
    fitting = [all(_is_held(parameter, held, d, contact) for parameter in parameters) for parameters in tried]
    chosen = fitting.index(True) if True in fitting else 0
    parameters = [_with_held(parameter, held, d, contact) for parameter in tried[chosen]]
    depth = float(d.contact_dist[contact] - d.contact_includemargin[contact])
    return ContactParameters((one, two), pairs[chosen] if pairs else -1, pairs, int(contact), _clamped(m, parameters, depth))


def pair_parameters(m: Model, geom1: int | str, geom2: int | str) -> ContactParameters:
    """What the parameters of contacts between two geoms are, whether they touch or not; of several explicit pairs of the two, those of the first."""
    one, two = contact_order(m, index_of(m, "geom", geom1), index_of(m, "geom", geom2))
    pairs = explicit_pairs(m, one, two)
    pair = pairs[0] if pairs else -1
    return ContactParameters((one, two), pair, pairs, -1, _clamped(m, [_mixed(m, row, one, two, pair) for row in ROWS], None))


def contact_order(m: Model, geom1: int, geom2: int) -> tuple[int, int]:
    """Two geoms in the order in which their contacts name them: by type, of equal types by their bodies' numbers."""
    kinds, bodies = m.geom_type, m.geom_bodyid
    keys = [(int(kinds[g]), int(bodies[g])) for g in (geom1, geom2)]
    return (geom2, geom1) if keys[1] < keys[0] else (geom1, geom2)


def explicit_pairs(m: Model, geom1: int, geom2: int) -> tuple[int, ...]:
    """Numbers of the explicit pairs that name these two geoms."""
    if not m.npair:
        return ()
    a, b = m.pair_geom1, m.pair_geom2
    return tuple(map(int, np.flatnonzero(((a == geom1) & (b == geom2)) | ((a == geom2) & (b == geom1)))))


# ------------------------------------------------------------------ rules

def _numbers(value) -> Numbers:
    """A value as numbers: whole ones stay whole."""
    return tuple(np.asarray(value).ravel().tolist())


def sentence(text: str) -> str:
    """A text with a large first letter; names stay as they are."""
    return text[:1].upper() + text[1:]


def _source(what: Element) -> str:
    return f'{what.kind} "{what.name}"' if what.name else f"{what.kind} {what.id}"


def _mixed(m: Model, row: _Row, one: int, two: int, pair: int) -> Parameter:
    """A parameter by the engine's rules, before any clamp but that of friction."""
    over = bool(m.opt_enableflags & ENBL_OVERRIDE) and bool(row.override)
    rule, why, shares, weight = _rule(m, row, one, two, pair, over)
    candidates = []
    for which, geom in enumerate((one, two) if row.geom else ()):
        what = element(m, "geom", geom)
        value = _numbers(getattr(m, row.geom)[geom])
        candidates.append(Candidate(_source(what), what, value, shares[which] or (False,) * len(value)))
    if pair >= 0:
        what = element(m, "pair", pair)
        value = _numbers(getattr(m, row.pair)[pair])
        candidates.append(Candidate(_source(what), what, value, (rule is Rule.PAIR,) * len(value)))
    if over:
        value = _numbers(getattr(m, row.override))
        candidates.append(Candidate(f"option {row.override.removeprefix('opt_')}", None, value, (True,) * len(value)))
    value, clamps = _value(m, row, rule, candidates, weight, one, two, pair)
    return Parameter(row.name, row.unit, row.numbers, rule, why, tuple(candidates), value, weight, value, clamps)


def _rule(m: Model, row: _Row, one: int, two: int, pair: int, over: bool) -> tuple[Rule, str, tuple, float | None]:
    """(rule, in words, for each geom which of its numbers decide, weight of the first geom)."""
    none = ((), ())
    if over:
        return Rule.OVERRIDE, f"The flag override is on: option {row.override.removeprefix('opt_')} counts in place of all others.", none, None
    if pair >= 0:
        return Rule.PAIR, f"{sentence(_source(element(m, 'pair', pair)))} names these two geoms: its value counts, and those of the geoms do not.", none, None
    if not row.geom:
        return Rule.UNSET, "Geoms have none, only pairs do: along the tangents solref counts as along the normal.", none, None
    values = [np.asarray(getattr(m, row.geom)[g], float).ravel() for g in (one, two)]
    both = ((True,) * len(values[0]),) * 2
    if row.name in ("margin", "gap"):
        if m.flg_maxmargin:
            return Rule.MAXIMUM, f"The larger {row.name} of the two (the older rule, which this model keeps).", _larger(*values), None
        return Rule.SUM, f"The {row.name}s of both geoms added up.", both, None
    priorities = [int(m.geom_priority[g]) for g in (one, two)]
    if priorities[0] != priorities[1]:
        which = 0 if priorities[0] > priorities[1] else 1
        name = _source(element(m, "geom", (one, two)[which]))
        why = f"{sentence(name)} has the higher priority, {max(priorities)} against {min(priorities)}: its value counts alone."
        return Rule.PRIORITY, why, tuple(both[0] if k == which else () for k in range(2)), None
    equal = f"Equal priority ({priorities[0]}): "
    if row.name in LARGER:
        return Rule.MAXIMUM, equal + "the larger of both" + (", number by number." if len(values[0]) > 1 else "."), _larger(*values), None
    if row.name == "adhesion":
        return Rule.SUM, equal + "both added up.", both, None
    mixes = [float(m.geom_solmix[g]) for g in (one, two)]
    if row.name == "solref" and not (values[0][0] > 0.0 and values[1][0] > 0.0):
        why = equal + "a solref in the direct form (-stiffness, -damping) cannot be averaged, so the smaller of each number counts."
        return Rule.MINIMUM, why, _larger(-values[0], -values[1]), None
    weight = mix_weight(*mixes)
    why = equal + f"averaged with the weights {weight:.4g} and {1 - weight:.4g}, from solmix {mixes[0]:.4g} and {mixes[1]:.4g}."
    return Rule.SOLMIX, why, (both[0] if weight > 0.0 else (), both[0] if weight < 1.0 else ()), weight


def _larger(first: np.ndarray, second: np.ndarray) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    """For each side which of its numbers are the larger ones; both where they are equal."""
    return tuple((first >= second).tolist()), tuple((second >= first).tolist())


def _value(m: Model, row: _Row, rule: Rule, candidates: list[Candidate], weight: float | None, one: int, two: int, pair: int) -> tuple[Numbers, tuple[Clamp, ...]]:
    """The contact's value, and the clamps that are already in it."""
    if rule is Rule.UNSET:
        return (0.0, 0.0), ()
    if row.name == "margin":
        return _margin(m, candidates, rule, one, two, pair)
    if row.name == "gap":
        return (float(m.pair_gap[pair]) if pair >= 0 else float(pair_gap(m, one, two)),), ()
    last = candidates[-1].value
    if rule in (Rule.OVERRIDE, Rule.PAIR):
        value = last
    elif rule is Rule.PRIORITY:
        value = next(c.value for c in candidates if any(c.decides))
    else:
        pairs = list(zip(candidates[0].value, candidates[1].value, strict=True))
        mix = {Rule.MAXIMUM: max, Rule.MINIMUM: min, Rule.SUM: lambda a, b: a + b, Rule.SOLMIX: lambda a, b: weight * a + (1.0 - weight) * b}[rule]
        value = tuple(mix(a, b) for a, b in pairs)
    if row.name != "friction":
        return value, ()
    # geoms have one coefficient for both tangents and one for both axes of rolling
    return used_friction(value if len(value) == 5 else (value[0], value[0], value[1], value[2], value[2]), MINMU)


def _margin(m: Model, candidates: list[Candidate], rule: Rule, one: int, two: int, pair: int) -> tuple[Numbers, tuple[Clamp, ...]]:
    value = float(explicit_margin(m, pair) if pair >= 0 else pair_margin(m, one, two))
    gap = float(m.pair_gap[pair] if pair >= 0 else pair_gap(m, one, two))
    if not m.flg_maxmargin or gap == 0.0:
        return (value,), ()
    whole = max(c.value[0] for c in candidates) if rule is Rule.MAXIMUM else candidates[-1].value[0]
    return (value,), (Clamp("gap", "the gap is the outer part of the margin here (the older rule) and comes off it", 0, whole, value),)


# ------------------------------------------------------------------ what a contact holds, what rows use

def _in_gap(d: Data, contact: int) -> bool:
    """Whether a contact that sticks lies beyond its margin: it then pulls along its normal only."""
    return d.contact_adhesion[contact] != 0.0 and not d.contact_dist[contact] < d.contact_includemargin[contact]


def _is_held(parameter: Parameter, held: dict[str, Numbers], d: Data, contact: int) -> bool:
    if parameter.name == "condim" and held["condim"] == (1,) and _in_gap(d, contact):
        return True
    return parameter.name not in held or held[parameter.name] == parameter.value


def _with_held(parameter: Parameter, held: dict[str, Numbers], d: Data, contact: int) -> Parameter:
    """The parameter with the value that the contact holds; where the rules give another one that is told."""
    value = held.get(parameter.name, parameter.value)
    if value == parameter.value:
        return parameter
    if parameter.name == "condim" and _is_held(parameter, held, d, contact):
        clamp = Clamp("adhesion", "beyond its margin a contact that sticks has a normal only", 0, parameter.value[0], 1)
        return replace(parameter, value=value, used=value, clamps=(clamp,))
    text = "a callback for contact parameters is installed" if d.cb_contactparam else "the model was changed since contacts were found last"
    given = " ".join(f"{number:.4g}" for number in parameter.value)
    why = f"The contact holds another value than the rules give ({given}): {text}. By the rules: {parameter.why}"
    return replace(parameter, rule=Rule.CHANGED, value=value, used=value, clamps=(), why=why)


def _clamped(m: Model, parameters: list[Parameter], depth: float | None) -> tuple[Parameter, ...]:
    """The parameters with what the rows are made of. depth: distance less margin [m], None where there is no contact."""
    by_name = {parameter.name: parameter for parameter in parameters}
    solref, solimp = by_name["solref"].value, by_name["solimp"].value
    used = {"solimp": used_solimp(solimp), "solref": used_solref(m, solref, solimp, depth)}
    used["solreffriction"] = used_solreffriction(m, by_name["solreffriction"].value, used["solref"][0])
    return tuple(replace(p, used=used[p.name][0], clamps=p.clamps + used[p.name][1]) if p.name in used else p for p in parameters)

"""A place in the texts at which the values of a contact or constraint can stand, and these values as words.

    values: {'solref': (...), 'solimp': (...), 'friction': 1, 3 or 5 numbers, 'condim': (3,), 'solreffriction': (...), 'margin': (...), 'gap': (...), 'frictionloss': (...)}
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from editor.inspect.subject import Reading
from editor.notation.numbers import number_of, numbers_text
from physics.schema import schema
from physics.spec.element import Element
from physics.tuning.mixing import AffectedPairs

__all__ = ["Kind", "Place", "Values", "contact_values", "geom_values", "words"]

Values = Mapping[str, Sequence[float]]


class Kind(StrEnum):
    """Where values are written."""

    ELEMENT = "element"         # the geom, pair, joint, tendon or equality itself
    PATTERN = "pattern"         # an element that stands for several copies: all of them change
    CLASS = "class"             # the default class of the element
    PAIR = "pair"               # the explicit pair of the two geoms
    NEW_PAIR = "new pair"       # one that is made
    BOTH = "both geoms"
    PRIORITY = "priority"       # one of two geoms, whose values count alone
    OVERRIDE = "override"       # the option block, for all contacts


@dataclass(frozen=True, slots=True)
class Place:
    """kind, title: in words, with file and line. elements: ids of what is written to, () for what is not there; items: what of the Model these are, of one kind; class_name:
    of a class; priority: that the element needs, None for its present one; geoms: of the contact, (-1, -1) for what is none.
    attributes: (what is tuned, MJCF's attribute for it).

    refusal: why nothing can be written there, '' where it can; notes: what the user should know; others: names of the other contacts or constraints that change; affected: all
    contacts that do, None where it is about none; exact: whether the target has the wanted values then.
    """

    kind: Kind
    title: str
    elements: tuple[int, ...] = ()
    items: tuple[tuple[str, int], ...] = ()
    class_name: str = ""
    priority: int | None = None
    geoms: tuple[int, int] = (-1, -1)
    attributes: tuple[tuple[str, str], ...] = ()
    refusal: str = ""
    notes: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    affected: AffectedPairs | None = field(default=None, compare=False)
    exact: bool = True


def contact_values(values: Values) -> dict[str, tuple[float, ...]]:
    """Values as a contact or pair has them: five coefficients of friction. Raises ValueError for a number of coefficients that nothing has."""
    out = {name: tuple(map(float, value)) for name, value in values.items()}
    if "friction" in out:
        given = out["friction"]
        if len(given) not in (3, 5):
            raise ValueError(f"friction has 3 coefficients (sliding, torsional, rolling) or 5, not {len(given)}")
        out["friction"] = given if len(given) == 5 else (given[0], given[0], given[1], given[2], given[2])
    return out


def geom_values(values: Values) -> dict[str, tuple[float, ...]]:
    """The same as a geom has them: three coefficients. Raises ValueError for what geoms cannot say."""
    out = contact_values(values)
    for name in ("solreffriction", "adhesion"):
        if name in out:
            raise ValueError(f"geoms have no {name} of their contacts: only a pair can say it")
    for name in ("margin", "gap"):
        if name in out:
            raise ValueError(f"the {name}s of both geoms add up: only a pair can say that of a contact")
    if "friction" in out:
        one, two, spin, roll, roll2 = out["friction"]
        if one != two or roll != roll2:
            raise ValueError("geoms have one coefficient of friction for both tangents and one for rolling about both: only a pair can have different ones")
        out["friction"] = (one, spin, roll)
    return out


def words(reading: Reading, element: Element | None, path: str, values: Values) -> dict[str, str]:
    """Attribute texts of values by attribute. Words of what holds now stay where their number does; what a shorter list leaves to the class or the language is left out."""
    out = {}
    for name, given in values.items():
        spec = schema.lookup(path).attributes.get(name)
        if spec is None:
            raise ValueError(f"<{path.rpartition('/')[2]}> has no {name}")
        if element is None:
            out[name] = _whole(given, spec.default or "")
            continue
        text = _whole(given, reading.effective(element, path, name)).split()
        below = [source.text for source in reading.inherited(element, path, name)]
        least = max(1, len(element.attrs.get(name, "").split()))
        if isinstance(spec.counts, range) and not spec.repeat and not spec.scalar:
            while len(text) > least and len(text) <= len(below) and number_of(text[-1]) == number_of(below[len(text) - 1]):
                del text[-1]
        out[name] = " ".join(text)
    return out


def _whole(given: Sequence[float], before: str) -> str:
    return numbers_text(tuple(map(float, given)), before)

"""What a sweep asks for each point: metrics by name, of the tuner's contact or the selected body. No Qt."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from physics.model.elements import body_of, element
from physics.model.model import Model
from physics.tuning.target import Form, Target
from physics.tuning.target_values import geoms_of

FALLEN = 0.05       # m below where it is now: a body that hangs or is held has fallen by then
OWN = "own expression"


@dataclass(frozen=True, slots=True)
class Metric:
    """name; tip. scalar: the field of physics.tuning.sweep.ContactSweep that says it without the engine, '' for none; reduction: of the run; text: its expression for a Subject,
    '' where no run of the scene tells it, None where this subject has none."""

    name: str
    tip: str
    scalar: str
    reduction: str
    text: Callable[[Subject], str | None]


@dataclass(frozen=True, slots=True)
class Subject:
    """contact: the two geoms of the tuner's contact as an expression names them, '' where it is about none; one, two: each geom; body: name or number of the one that is looked at,
    '' for none; height [m]: of it now."""

    contact: str
    one: str
    two: str
    body: str
    height: float


def subject_of(m: Model, target: Target | None, selected: tuple, height_of: Callable[[int], float]) -> Subject:
    """What metrics are about. target: the tuner's; selected: elements of the window; height_of(body) [m]."""
    geoms = geoms_of(m, target) if target is not None else ()
    names = [f"geom({_quoted(m, 'geom', g)})" for g in geoms]
    contact = f"contact({', '.join(names)})" if names and target.form == Form.CONTACT else ""
    bodies = [body for what in reversed(selected) if (body := body_of(m, what)) > 0] or [int(m.geom_bodyid[g]) for g in geoms if m.body_weldid[m.geom_bodyid[g]]]
    body = bodies[0] if bodies else -1
    return Subject(contact, names[0] if names else "", names[1] if len(names) > 1 else "", f"body({_quoted(m, 'body', body)})" if body > 0 else "", height_of(body) if body > 0 else 0.0)


def _quoted(m: Model, kind: str, number: int) -> str:
    """As expressions name an element."""
    name = element(m, kind, number).name
    return f'"{name}"' if name else str(number)


def _of_contact(form: str) -> Callable[[Subject], str | None]:
    return lambda subject: form.format(subject.contact) if subject.contact else None


def _slip(subject: Subject) -> str | None:
    return f"norm(deriv({subject.one}.xpos - {subject.two}.xpos))" if subject.two else None


def _held(subject: Subject) -> str | None:
    return f"{subject.body}.xpos[2] > {subject.height - FALLEN:.4g}" if subject.body else None


def _nothing(_subject: Subject) -> str:
    return ""


METRICS: tuple[Metric, ...] = (
    Metric("rest depth", "Of the tuner's contact: at once by simulating its one coordinate, else where it is at the end of the run", "rest_depth", "last", _of_contact("-{}.dist")),
    Metric("restitution", "Of the tuner's contact, mean of impacts at the tuner's speed: at once by simulating its one coordinate, by Run with drops of it alone in the engine", "restitution", "last", _nothing),
    Metric("settling", "Of the tuner's contact: time until 2 % of a small step of the load is left: at once by simulating its one coordinate, by Run with it alone in the engine", "settling", "last", _nothing),
    Metric("largest depth", "Of the tuner's contact in the run", "", "max", _of_contact("-{}.dist")),
    Metric("largest force", "Along the normal of the tuner's contact in the run", "", "max", _of_contact("{}.normal")),
    Metric("slip", "How far the two geoms of the tuner's contact move against each other in the run, all of the way", "", "integral", _slip),
    Metric("held", "Whether the selected body, or that of the tuner's contact, is not 5 cm lower at the end of the run than it is now", "", "holds", _held),
    Metric(OWN, "One number of a state, as the charts take it, and what is kept of the run", "", "last", _nothing),
)

BY_NAME: Mapping[str, Metric] = MappingProxyType({metric.name: metric for metric in METRICS})

"""What a rule says of a model."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from physics.errors import Issue, Place
from physics.lint.fix import Fix
from physics.model.elements import Element

__all__ = ["ERROR", "NOTE", "SEVERITIES", "WARNING", "Finding", "merged"]

ERROR, WARNING, NOTE = SEVERITIES = ("error", "warning", "note")     # it cannot work; it is likely to be wrong; worth knowing


@dataclass(frozen=True, slots=True)
class Finding:
    """rule: its id. element: id of the element in the tree that was read, 0 where there is none, as in files of attached models; place and path: where that stands;
    items: what the Model has of it. text: what is so, with figures; remedy: what to do. fixes: the one to be taken first, first. part: tells several of one rule
    and element apart. weight: how bad, within a rule."""

    rule: str
    severity: str
    text: str
    remedy: str = ""
    element: int = 0
    place: Place | None = None
    path: str = ""
    items: tuple[Element, ...] = ()
    fixes: tuple[Fix, ...] = ()
    part: str = ""
    weight: float = 0.0

    @property
    def key(self) -> str:
        """The same for the same finding after other changes of the text; what is ignored is known by it."""
        return ":".join(filter(None, (self.rule, self.path, self.part)))

    def issue(self) -> Issue:
        """As the compiler's problems are told."""
        return Issue(self.severity, self.place, self.path, f"{self.text.rstrip('.')} [{self.rule}]", self.remedy)

    def __str__(self) -> str:
        return str(self.issue())


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """One of all that have the same key, as copies of an element have: the worst, with what the Model has of all of them."""
    by_key: dict[str, list[Finding]] = {}
    for finding in findings:
        by_key.setdefault(finding.key, []).append(finding)
    return [_worst(same) for same in by_key.values()]


def _worst(same: list[Finding]) -> Finding:
    if len(same) == 1:
        return same[0]
    worst = min(same, key=lambda f: (SEVERITIES.index(f.severity), -f.weight))
    items = tuple(dict.fromkeys(item for f in (worst, *same) for item in f.items))
    return replace(worst, items=items)

"""What a rule finds, what is told of it, and numbers and elements as these texts have them."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, log10

from physics.model.elements import Element, element

INFO, SLOW, WARNING = "info", "slow", "warning"     # may be as it should be; costs time, the results are the same; something is likely to be wrong
NAMED = 3       # things that are named one by one; the others are counted


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a rule has found in the window of samples.

    kind: the rule's; elements: what it is about; share: of the samples in which it was so; last: simulated time of the newest of these [s]; weight: how bad, to order
    those of one kind; short: its name in a list of several; text: what is so, with numbers; remedy: what to try.
    """

    kind: str
    elements: tuple[Element, ...]
    share: float
    last: float
    text: str
    remedy: str
    weight: float = 0.0
    severity: str = INFO
    short: str = ""
    part: str = ""      # tells several of one kind without elements, or with the same, apart

    @property
    def key(self) -> tuple:
        """What is equal for the same finding in a later window."""
        return self.kind, self.part, self.elements


@dataclass(frozen=True, slots=True)
class Advice:
    """What is told: one or several findings of one kind. share: the largest of theirs; last [s]: the newest; keys: of the findings in it."""

    kind: str
    title: str
    severity: str
    elements: tuple[Element, ...]
    text: str
    remedy: str
    last: float
    share: float
    keys: tuple[tuple, ...]

    def __str__(self) -> str:
        return f"{self.title}: {self.text} What to try: {self.remedy} ({100 * self.share:.0f} % of the time, last at {self.last:.3f} s)"


def merged(title: str, findings: Sequence[Finding]) -> Advice:
    """One Advice of findings of the same kind, the worst told in full."""
    ranked = sorted(findings, key=lambda f: (f.severity != WARNING, -f.weight))
    worst, others = ranked[0], [f.short for f in ranked[1:] if f.short]
    also = f" Likewise: {listed(others)}." if others else ""
    elements = tuple(dict.fromkeys(what for f in ranked for what in f.elements))
    return Advice(worst.kind, title, worst.severity, elements, worst.text + also, worst.remedy, max(f.last for f in ranked), max(f.share for f in ranked),
                  tuple(f.key for f in ranked))


# ------------------------------------------------------------------ words

def listed(names: Sequence[str], most: int = NAMED) -> str:
    """'a, b, c and 4 more'."""
    head = list(names[:most])
    rest = len(names) - len(head)
    if rest:
        return f"{', '.join(head)} and {rest} more"
    return " and ".join([", ".join(head[:-1]), head[-1]]) if len(head) > 1 else "".join(head)


def number(x: float) -> str:
    """Three digits."""
    if x == 0.0 or abs(x) >= 1e5 or abs(x) < 1e-3:
        return f"{x:.3g}"
    digits = max(0, 2 - floor(log10(abs(x))))
    text = f"{x:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def length(x: float) -> str:
    """A length [m] in mm or m."""
    return f"{number(1e3 * x)} mm" if abs(x) < 0.1 else f"{number(x)} m"


def duration(seconds: float) -> str:
    """A time [s] in us, ms or s."""
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{number(seconds / unit)} {name}"
    return f"{number(1e6 * seconds)} us"


def count(n: int, word: str) -> str:
    """'1 contact', '4,300 vertices'."""
    plural = word if n == 1 else f"{word[:-1]}ies" if word.endswith("y") and word[-2] not in "aeiou" else f"{word[:-2]}ices" if word.endswith("ex") else f"{word}s"
    return f"{n:,} {plural}"


def named(m, kind: str, index: int) -> str:
    """geom 'foot', or geom 7 of body 'leg' where it has no name."""
    name = m.names[kind][index]
    if name:
        return f"{kind} '{name}'"
    body = int({"geom": m.geom_bodyid, "joint": m.jnt_bodyid}[kind][index]) if kind in ("geom", "joint") else -1
    return f"{kind} {index} of {named(m, 'body', body)}" if body > 0 else f"{kind} {index}"


def elements_of(m, kind: str, numbers: Iterable[int]) -> tuple[Element, ...]:
    """References to elements by their numbers."""
    return tuple(element(m, kind, int(k)) for k in numbers)


def sentence(text: str) -> str:
    """A text with a capital at its start."""
    return text[:1].upper() + text[1:]


def percent(share: float) -> str:
    """A share in per cent."""
    return f"{100 * share:.0f} %"

"""What the report lets pass, each with its reason: refusals (may_refuse.txt) figures over the limit (exceptions.txt), contacts
at poses (pose_exceptions.txt)."""
import math
from dataclasses import dataclass
from pathlib import Path

MAY_REFUSE_FILE = Path(__file__).with_name("may_refuse.txt")
EXCEPTIONS_FILE = Path(__file__).with_name("exceptions.txt")
POSES_FILE = Path(__file__).with_name("pose_exceptions.txt")


@dataclass(frozen=True)
class Exemption:
    """How far over its limit a stage of a model may be at the start state and at later ones, and why; 0 where the limit itself holds.

    `at` has the bounds of single states that may be further off than the others: (contacts that only one engine may have, bound of the rest).
    """

    start: float
    later: float
    reason: str
    at: dict

    def covers(self, figures: list[float], limit: float, partly=None) -> bool:
        """Whether it allows these figures, one for each state, the start first.

        partly(k): at state k, (contacts that only one engine has, the figure over what both have); asked only where contacts do not match.
        """
        return all(self._covers(k, value, limit, partly) for k, value in enumerate(figures))

    def _covers(self, k: int, value: float, limit: float, partly) -> bool:
        contacts, bound = self.at.get(k, (0, self.later if k else self.start))
        if contacts and partly is not None and not math.isfinite(value):
            lone, value = partly(k)
            if lone > contacts:
                return False
        return value <= max(limit, bound)


def may_refuse() -> dict[str, str]:
    """{model name: what it waits for}."""
    return {line.split(" ", 1)[0]: line.split(" ", 1)[1].strip() for line in _lines(MAY_REFUSE_FILE)}


def pose_exceptions() -> dict[str, int]:
    """{model name: how many geom pairs may have other contacts at qpos0 and random poses}."""
    return {line.split(None, 2)[0]: int(line.split(None, 2)[1]) for line in _lines(POSES_FILE)}


def exceptions() -> dict[tuple[str, str], Exemption]:
    """{(model name, stage): what is allowed}."""
    found = {}
    for line in _lines(EXCEPTIONS_FILE):
        name, stage, start, later, reason = line.split(None, 4)
        later, *single = later.split(",")
        at = {int(k): _single(bound) for k, bound in (one.split(":") for one in single)}
        found[name, stage] = Exemption(_bound(start), _bound(later), reason.strip(), at)
    return found


def _bound(text: str) -> float:
    return 0.0 if text == "-" else float(text)


def _single(text: str) -> tuple[int, float]:
    """Of a single state: '3e-4', or '2c3e-4' where up to 2 contacts may be in one engine only."""
    contacts, _c, bound = text.rpartition("c")
    return int(contacts or 0), _bound(bound)


def _lines(file: Path) -> list[str]:
    return [line for line in file.read_text().splitlines() if line.strip() and not line.startswith("#")]

"""What the report lets pass, each with its reason: refusals (may_refuse.txt) and figures over the limit (exceptions.txt)."""
from dataclasses import dataclass
from pathlib import Path

MAY_REFUSE_FILE = Path(__file__).with_name("may_refuse.txt")
EXCEPTIONS_FILE = Path(__file__).with_name("exceptions.txt")


@dataclass(frozen=True)
class Exemption:
    """How far over its limit a stage of a model may be at the start state and at later ones, and why; 0 where the limit itself holds.

    `at` has the bounds of single states that may be further off than the others.
    """

    start: float
    later: float
    reason: str
    at: dict

    def covers(self, figures: list[float], limit: float) -> bool:
        """Whether it allows these figures, one for each state, the start first."""
        return all(value <= max(limit, self.at.get(k, self.later if k else self.start)) for k, value in enumerate(figures))


def may_refuse() -> dict[str, str]:
    """{model name: what it waits for}."""
    return {line.split(" ", 1)[0]: line.split(" ", 1)[1].strip() for line in _lines(MAY_REFUSE_FILE)}


def exceptions() -> dict[tuple[str, str], Exemption]:
    """{(model name, stage): what is allowed}."""
    found = {}
    for line in _lines(EXCEPTIONS_FILE):
        name, stage, start, later, reason = line.split(None, 4)
        later, *single = later.split(",")
        at = {int(k): float(bound) for k, bound in (one.split(":") for one in single)}
        found[name, stage] = Exemption(_bound(start), _bound(later), reason.strip(), at)
    return found


def _bound(text: str) -> float:
    return 0.0 if text == "-" else float(text)


def _lines(file: Path) -> list[str]:
    return [line for line in file.read_text().splitlines() if line.strip() and not line.startswith("#")]

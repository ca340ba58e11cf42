"""Every model written and compiled again: `./test.sh --long roundtrip [FOLDER ...] [--only TEXT] [--json FILE] [--again]`.

Without folders: the bundled models, the open corpus and the wheels (wheels.py). Our Model of a file is written as canonical MJCF; then
ours(file) is compared with ours(text), and official(file) with official(text): every field to 1e-9, and names. Whether the second Model
gives the first text again is counted apart. Each file is judged in a child process; the JSON grows as it goes, and a run started again goes on.

Fields in which ours(file) is not official(file) are not the writer's and are listed apart (before).

Statuses: same; off (something differs: ours or official say what); alone (same for us, the official engine refuses the file);
refused (ours refuses the file); failed (the text is refused, or something broke).
"""
import math
import sys
import time
from pathlib import Path

from tests.long.wheels import Child, arguments_of, fetched, judged_rows, worker
from tests.oracle.corpus import REPOSITORY, corpus_dir

PROTOCOL = "tests.long.roundtrip"


def judge(path: Path) -> dict:
    """The row of one file."""
    import physics
    from physics.writer.mjcf import written
    from tests.physics.writer.round_trip import ours_off

    row = {"file": str(path), "status": "", "why": "", "ours": {}, "official": {}, "before": [], "warnings": [], "stable": True, "text": 0, "seconds": 0.0}
    try:
        ours = physics.load(path)
    except physics.ModelError as error:
        row.update(status="refused", why=str(error.issues[0]))
        return row
    begun = time.perf_counter()
    result = written(ours)
    row.update(seconds=time.perf_counter() - begun, text=len(result.text), warnings=list(result.warnings))
    try:
        again = physics.load_string(result.text)
    except physics.ModelError as error:
        row.update(status="failed", why=f"ours refuses the text: {error.issues[0]}")
        return row
    row["ours"] = _finite(ours_off(ours, again))
    row["stable"] = written(again).text == result.text
    _judge_official(row, path, result.text, ours)
    return row


def _judge_official(row: dict, path: Path, text: str, ours) -> None:
    import mujoco

    from tests.oracle.compiled import compare_compiled, our_field
    from tests.physics.writer.round_trip import official_off

    try:
        first = mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        row.update(status="off" if row["ours"] else "alone", why=f"official: {str(error)[:200]}")
        return
    try:
        second = mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        row.update(status="failed", why=f"the official engine refuses the text: {str(error)[:300]}")
        return
    off = official_off(first, second)
    before = {*compare_compiled(ours, first)[1], *(name for name in off if our_field(ours, name) is None)}   # what we lack comes from plugins
    row["official"] = _finite({name: value for name, value in off.items() if name not in before})
    row["before"] = sorted(before)
    row["status"] = "off" if row["ours"] or row["official"] else "same"


def _finite(off: dict) -> dict:
    return {name: value if isinstance(value, float) and math.isfinite(value) else str(value)[:200] for name, value in off.items()}


def _line(row: dict) -> str:
    parts = []
    for side in ("ours", "official"):
        shown = ", ".join(f"{name} {value:.0e}" if isinstance(value, float) else f"{name} {value}" for name, value in list(row[side].items())[:8])
        parts += [f"{side}({len(row[side])}): {shown}"] if shown else []
    return f"{row['status']:8} {row['file'][-80:]:80} {row['why'][:300]} {' '.join(parts)} {'; '.join(row['warnings'][:3])} before: {' '.join(row['before'][:6])}"


def sources() -> list[Path]:
    """What is judged without being asked for anything else."""
    return [p for p in (REPOSITORY / "models", corpus_dir()) if p.exists()] + fetched()


def _shown(row: dict) -> str:
    """The line of a row that is worth one; a row of a child that died has no details yet."""
    for name, nothing in (("ours", {}), ("official", {}), ("before", []), ("warnings", []), ("why", "")):
        row.setdefault(name, nothing)
    return _line(row) if row["status"] in ("off", "failed") or row["warnings"] else ""


def main(arguments=None) -> int:
    chosen = arguments_of(arguments, __doc__, "roundtrip.json")
    if chosen.worker:
        return worker(judge)
    judged, counts = judged_rows(chosen, Child(PROTOCOL), chosen.folders or sources(), _shown)
    compared = counts["same"] + counts["off"] + counts["failed"]
    print(f"{sum(not row.get('stable', True) for row in judged)} give another text the second time")
    print(f"{sum(bool(row.get('before')) for row in judged)} of them are not compiled alike in the first place")
    print(f"of {compared} that both engines load, {counts['same']} come back the same in every field ({100 * counts['same'] / max(compared, 1):.1f} %)")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())

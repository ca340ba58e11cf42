"""Every row of the table of parameters on the models of the corpus: `./test.sh --long parameters [--only NAME ...] [--each N] [--json FILE]`.

For each attribute of the table up to N elements of each model that give it, and one that does not, are changed; what is written into the Model that runs must be, bit for bit,
what a fresh compile of the changed text has, in all fields. Prints for each attribute how many were written by reading elements again (P1), by running the passes again (P3),
left to a compile, refused by the compiler as well, and every difference.
"""
import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from physics.errors import ModelError
from tests.long.corpus_models import judged
from tests.oracle.corpus import Entry
from tests.physics.compiler.live import perturbed

LEVELS = ("P1", "P3", "compile", "refused")


def judge(entry: Entry, each: float) -> dict:
    """All attributes of one model. each: as of the program's argument."""
    if Path(entry.path).suffix.lower() != ".xml":
        return {"skipped": "no MJCF text", "counts": [], "wrong": []}
    try:
        found = perturbed.judged(Path(entry.path), int(each))
    except (ModelError, OSError, UnicodeDecodeError) as why:
        return {"skipped": f"{type(why).__name__}: {str(why).splitlines()[0]}", "counts": [], "wrong": []}
    return {"counts": [[*key, count] for key, count in found.counts.items()], "wrong": found.wrong}


def told(name: str, row: dict) -> str:
    """One model's line."""
    counts = Counter()
    for _attribute, level, count in row["counts"]:
        counts[level] += count
    rest = f"   {row['skipped']}" if "skipped" in row else ""
    return "\n".join([f"{name:40}" + "".join(f"{level:>9} {counts[level]:5}" for level in LEVELS) + f"{'wrong':>9} {len(row['wrong']):4}{rest}", *(f"    {line}" for line in row["wrong"])])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", help="names of models")
    parser.add_argument("--each", type=int, default=2, dest="budget", help="elements for each attribute of a model")
    parser.add_argument("--json", type=Path, default=Path("parameters.json"))
    given = parser.parse_args()
    rows = judged(judge, given, told)
    counts: Counter = Counter()
    for row in rows.values():
        for attribute, level, count in row["counts"]:
            counts[attribute, level] += count
    print(f"\n{'attribute':40}" + "".join(f"{level:>10}" for level in LEVELS))
    for attribute in sorted({attribute for attribute, _level in counts}):
        print(f"{attribute:40}" + "".join(f"{counts[attribute, level]:10}" for level in LEVELS))
    wrong = [f"{name}: {line}" for name, row in rows.items() for line in row["wrong"]]
    print(f"\n{len(rows)} models, {sum(counts.values())} changes, " + ", ".join(f"{sum(n for (_a, of), n in counts.items() if of == level)} {level}" for level in LEVELS)
          + f"; {len(wrong)} differences")
    for line in wrong:
        print(line)
    summary = {"models": len(rows), "changes": sum(counts.values()), **{level: sum(n for (_a, of), n in counts.items() if of == level) for level in LEVELS}, "wrong": wrong}
    given.json.with_suffix(".summary.json").write_text(json.dumps(summary, indent=1))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""Post-mortems of models that diverge for a known reason: `./test.sh --long divergence [--factors 1 0.5 2] [--only WORDS] [--faults N] [--json FILE]`.

Each model of tests/physics/diagnostics/divergence_cases.py runs until it diverges; the post-mortem has to name the culprit (its kind, and its element before all others), and
one of the remedies that it offers has to survive. Of all cases at least NAMED must be named and SURVIVING survive. --faults: N models of the corpus besides, each with a
fault chosen by chance; those that do not diverge by it within 5 s count for nothing.
"""
import argparse
import json
import sys
import time
from pathlib import Path

import physics
from physics.diagnostics.divergence.report import PostMortem
from physics.recording.last_steps import LastSteps, step_until_divergence
from tests.oracle.corpus import has_corpus
from tests.physics.diagnostics.divergence_cases import CASES, Case, faulty

NAMED, SURVIVING = 18 / 20, 15 / 20     # of all


def last_steps(case: Case, factor: float = 1.0) -> LastSteps | None:
    """The last steps of a case, None where it does not diverge."""
    m = case.make(factor)
    d = physics.Data(m)
    if case.start is not None:
        case.start(m, d)
    return step_until_divergence(m, d, case.seconds, case.control)


def named(case: Case, culprit) -> bool:
    """Whether a culprit is that of the case."""
    return culprit.kind in case.kinds and (not case.elements or bool(culprit.elements) and culprit.elements[0].name in case.elements)


def judge(case: Case, factor: float = 1.0) -> dict:
    """What became of a case."""
    steps = last_steps(case, factor)
    if steps is None:
        return {"case": case.name, "factor": factor, "diverges": False, "named": False, "survives": False}
    begun = time.perf_counter()
    mortem = PostMortem(steps)
    analysed = time.perf_counter()
    report = mortem.report
    outcomes = [(remedy.label, outcome.status, outcome.words) for remedy, outcome in mortem.tries()]
    of_its_own = next((label for label, status, _ in outcomes[1:] if status == "survives"), "")
    return {"case": case.name, "factor": factor, "diverges": True, "time": report.time, "steps": len(steps), "onset": report.onset[1], "culprit": report.culprit.text, "kind": report.culprit.kind,
            "others": [other.text for other in report.culprits[1:3]], "evidence": report.culprit.evidence, "named": named(case, report.culprit), "remedy": of_its_own,
            "survives": bool(of_its_own), "remedies": outcomes, "analysis_s": analysed - begun, "trials_s": time.perf_counter() - analysed}


def line(row: dict) -> str:
    """A case in words."""
    if not row["diverges"]:
        return f"?     {row['case']} (x {row['factor']:g}): does not diverge"
    return (f"{'named' if row['named'] else 'WRONG'} {row['case']} (x {row['factor']:g}), at {row['time']:.4g} s, {row['steps']} entries: {row['culprit']}\n"
            f"      {'survives with ' + row['remedy'] if row['survives'] else 'NO REMEDY'}; of {len(row['remedies'])} remedies {sum(status == 'survives' for _, status, _ in row['remedies'])} survive; "
            f"{row['analysis_s']:.2f} s and {row['trials_s']:.2f} s")


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--factors", type=float, nargs="+", default=[1.0])
    parser.add_argument("--only", default="")
    parser.add_argument("--faults", type=int, default=24)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--json", type=Path, default=Path("divergence.json"))
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    rows, cases = [], [(case, factor) for case in CASES for factor in chosen.factors if chosen.only in case.name and (has_corpus() or not case.name.startswith("corpus"))]
    for case, factor in [*cases, *((faulty(seed), 1.0) for seed in range(chosen.faults if has_corpus() and not chosen.only else 0))]:
        row = judge(case, factor)
        print(line(row), flush=True)
        if chosen.verbose and row["diverges"]:
            print("      ", *row["evidence"], *(f"\n       also: {other}" for other in row["others"]), *(f"\n       {label}: {words}" for label, _, words in row["remedies"]), flush=True)
        if row["diverges"] or case in CASES:
            rows.append(row)
    right, helped = sum(row["named"] for row in rows), sum(row["survives"] for row in rows)
    print(f"{len(rows)} models: culprit named in {right}, a remedy that survives found in {helped}")
    chosen.json.write_text(json.dumps({"named": right, "survives": helped, "rows": rows}, indent=1))
    return 0 if right >= NAMED * len(rows) and helped >= SURVIVING * len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())

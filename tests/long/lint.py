"""What the rules for models at rest say of the corpus, and whether it is true: `./test.sh --long lint [--only MODELS] [--json FILE]`.

Each finding is judged, by somebody who has looked into the model, in `lint_verdicts.toml`: patterns of model, rule and element, and why. Fails where a finding has no verdict,
where more than 5 % are false, or where a fix does not mend: the model must compile after it, the finding be gone, and no other have come where the motion is to stay the same.
"""
import json
import sys
import time
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

import physics
from editor.edits.version import Version
from editor.lint_fixes import edit_of
from physics.errors import ModelError, ViewOnlyError
from physics.lint.lint import lint
from physics.lint.table import RULES
from physics.mjcf.reader import read
from tests.long.corpus_models import arguments, judged
from tests.oracle.corpus import Entry

VERDICTS = Path(__file__).with_name("lint_verdicts.toml")
MOST_FALSE = 0.05


def examined(entry: Entry, _budget: float) -> dict:
    """Findings of a model, and what became of their fixes."""
    begun = time.perf_counter()
    result = read(entry.path)
    try:
        m = physics.compile_root(result)
    except (ModelError, ViewOnlyError, OSError) as why:
        return {"left_out": f"{type(why).__name__}: {str(why).splitlines()[0]}"}
    compiled = time.perf_counter()
    found = lint(result, m)
    done = time.perf_counter()
    rules = {}
    for rule in RULES:
        start = time.perf_counter()
        lint(result, m, (rule.id,))
        rules[rule.id] = time.perf_counter() - start
    rows = [{"rule": f.rule, "severity": f.severity, "element": f.path, "part": f.part, "text": f.text, "place": str(f.place), "fixes": [fix.label for fix in f.fixes],
             "items": [(item.kind, item.id) for item in f.items[:4]]} for f in found]
    return {"compile": compiled - begun, "lint": done - compiled, "slowest": max(rules.items(), key=lambda row: row[1]), "findings": rows,
            "broken_fixes": _broken(result, found)}


def _broken(result, found) -> list[str]:
    """Fixes that do not what they say, those of one rule together."""
    out = []
    for rule in {f.rule for f in found}:
        fixes = [f for f in found if f.rule == rule and f.fixes]
        if not fixes:
            continue
        version = Version.of_reading(result, result.sources, result.main, result.base_dir)
        try:
            after = version.after(edit_of(version, [f.fixes[0] for f in fixes]))
            left = {f.key for f in lint(after.read, physics.compile_root(after.read))}
        except (ModelError, ValueError) as why:
            out.append(f"{rule}: {str(why).splitlines()[0]}")
            continue
        stays = [f.key for f in fixes if f.key in left]
        new = sorted(left - {f.key for f in found}) if all(f.fixes[0].keeps for f in fixes) else []      # another pose has other contacts
        if stays or new:
            out.append(f"{rule}: stays {stays[:3]}, new {new[:3]}")
    return out


def told(name: str, row: dict) -> str:
    if "left_out" in row:
        return f"{name}: left out, {row['left_out']}"
    return (f"{name}: {len(row['findings'])} findings, compile {1000 * row['compile']:.0f} ms, rules {1000 * row['lint']:.0f} ms (most: {row['slowest'][0]} "
            f"{1000 * row['slowest'][1]:.0f} ms)" + "".join(f"\n  fix of {broken}" for broken in row["broken_fixes"]))


def verdict_of(verdicts: list[dict], model: str, finding: dict) -> dict | None:
    """The first that fits."""
    element = f"{finding['element']}:{finding['part']}"
    return next((v for v in verdicts if any(fnmatchcase(model, pattern) for pattern in _several(v["model"])) and v["rule"] == finding["rule"]
                 and any(fnmatchcase(element, _plain(pattern)) for pattern in _several(v.get("element", "*")))), None)


def _several(value) -> list[str]:
    return [value] if isinstance(value, str) else value


def _plain(pattern: str) -> str:
    """Paths have brackets, which are no sets here."""
    return pattern.replace("[", "[[]")


def main(given=None) -> int:
    chosen = arguments("lint", given)
    rows = judged(examined, chosen, told)
    verdicts = tomllib.loads(VERDICTS.read_text())["verdict"] if VERDICTS.exists() else []
    models = {name: row for name, row in rows.items() if "left_out" not in row}
    counts: dict[str, list[int]] = {}
    unjudged, used, broken = [], set(), [f"{name}: {text}" for name, row in models.items() for text in row["broken_fixes"]]
    for name, row in models.items():
        for finding in row["findings"]:
            verdict = verdict_of(verdicts, name, finding)
            count = counts.setdefault(finding["rule"], [0, 0, 0])
            count[0] += 1
            if verdict is None:
                unjudged.append(f"{name} {finding['rule']} {finding['element']}:{finding['part']}: {finding['text']}")
                continue
            used.add(verdicts.index(verdict))
            count[1 if verdict["true"] else 2] += 1
    total, false = sum(c[0] for c in counts.values()), sum(c[2] for c in counts.values())
    share = false / max(1, total - len(unjudged))
    print(f"\n{len(models)} models, {total} findings, {false} false ({100 * share:.1f} %), {len(unjudged)} not judged, {len(broken)} broken fixes")
    for rule, (n, true, wrong) in sorted(counts.items(), key=lambda row: -row[1][0]):
        print(f"  {rule:24} {n:5} findings, {true:5} true, {wrong:4} false")
    print(*(f"not judged: {text}" for text in unjudged), sep="\n")
    print(*(f"fix: {text}" for text in broken), sep="\n")
    if not chosen.only:
        print(*(f"a verdict that fits nothing: {v['model']} {v['rule']} {v.get('element', '*')}" for k, v in enumerate(verdicts) if k not in used), sep="\n")
    summary = {"models": len(models), "findings": total, "false": false, "unjudged": len(unjudged), "broken": broken}
    chosen.json.with_suffix(".summary.json").write_text(json.dumps(summary, indent=1))
    return 1 if unjudged or broken or share > MOST_FALSE else 0


if __name__ == "__main__":
    sys.exit(main())

"""Damaged models: `./test.sh --long fuzz [--minutes M] [--json FILE] [--first SEED]`.

Takes bundled and corpus models, damages their text (cut, swapped, doubled and deleted pieces; numbers replaced by absurd ones; names
exchanged), and loads the result. Nothing but a Model or a ModelError with places may come out, within ten seconds. A seed names one case;
start again with --first to go on where a run ended.
"""
import argparse
import json
import random
import re
import signal
import sys
import time
from pathlib import Path

import physics
from physics.mjcf.reader import read_text
from tests.oracle.corpus import REPOSITORY, corpus_dir

ABSURD = ("nan", "inf", "-inf", "1e300", "-1e300", "0", "-1", "1e-300", "", "x", "1 2", "99999999999", "0x10", "1,5", "--", "1e", "\u0663")
SECONDS_PER_CASE = 10
LARGEST_TEXT = 60_000


def sources() -> list[Path]:
    """Files to damage."""
    found = sorted((REPOSITORY / "models").glob("*.xml"))
    if (corpus_dir() / "manifest.json").exists():
        found += sorted(path for path in corpus_dir().rglob("*.xml") if path.stat().st_size < LARGEST_TEXT)
    return found


def damage(text: str, rng: random.Random) -> str:
    """A few damages of random kinds."""
    for _ in range(rng.randint(1, 4)):
        text = rng.choice((_cut, _swap, _double, _number, _name, _character, _value))(text, rng) or "<"
    return text


def _span(text: str, rng: random.Random, longest: int) -> tuple[int, int]:
    start = rng.randrange(len(text))
    return start, min(len(text), start + rng.randint(1, longest))


def _cut(text, rng):
    start, end = _span(text, rng, 400)
    return text[:start] + text[end:] if rng.random() < 0.7 else text[:start]


def _swap(text, rng):
    lines = text.split("\n")
    i, k = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[k] = lines[k], lines[i]
    return "\n".join(lines)


def _double(text, rng):
    start, end = _span(text, rng, 600)
    return text[:end] + text[start:end] + text[end:]


def _number(text, rng):
    found = list(re.finditer(r"(?<=[\" ])-?\d*\.?\d+(?=[\" ])", text))
    return _replaced(text, rng.choice(found), rng.choice(ABSURD)) if found else text


def _name(text, rng):
    found = list(re.finditer(r"(?<=<)[a-z]+|[a-z]+(?==\")", text))
    return _replaced(text, rng.choice(found), rng.choice(found).group()) if found else text


def _value(text, rng):
    found = list(re.finditer(r'(?<==")[^"]*(?=")', text))
    return _replaced(text, rng.choice(found), rng.choice((rng.choice(found).group(), rng.choice(ABSURD)))) if found else text


def _character(text, rng):
    at = rng.randrange(len(text))
    return text[:at] + rng.choice("<>&\"'=/\x00\ufeff\u00e9 ") + text[at + rng.randint(0, 1):]


def _replaced(text, match, new):
    return text[:match.start()] + new + text[match.end():]


def case(seed: int, files: list[Path]) -> tuple[str, str]:
    """('model' or 'refused', '') or ('broken', what happened) for one seed."""
    rng = random.Random(seed)
    path = files[seed % len(files)]
    text = damage(path.read_text(errors="replace"), rng)
    try:
        physics.compile_root(read_text(text, name=str(path), base_dir=str(path.parent)))
    except physics.ModelError as error:
        return ("refused", "") if error.issues and all(issue.what for issue in error.issues) else ("broken", "a ModelError without issues")
    except BaseException as error:
        return "broken", f"{type(error).__name__}: {error}"
    return "model", ""


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--json", type=Path, default=Path("fuzz.json"))
    chosen = parser.parse_args(arguments)
    files, end, counts, broken = sources(), time.monotonic() + 60 * chosen.minutes, {"model": 0, "refused": 0, "broken": 0}, []

    def too_long(_signal, _frame):
        raise TimeoutError(f"more than {SECONDS_PER_CASE} s")

    signal.signal(signal.SIGALRM, too_long)
    seed = chosen.first
    while time.monotonic() < end:
        signal.alarm(SECONDS_PER_CASE)
        outcome, what = case(seed, files)
        signal.alarm(0)
        counts[outcome] += 1
        if what:
            broken.append({"seed": seed, "file": str(files[seed % len(files)]), "what": what})
            print(f"seed {seed}: {files[seed % len(files)].name}: {what}", flush=True)
        seed += 1
        chosen.json.write_text(json.dumps({"counts": counts, "next": seed, "broken": broken})) if seed % 500 == 0 else None
    chosen.json.write_text(json.dumps({"counts": counts, "next": seed, "broken": broken}, indent=1))
    print(f"{seed - chosen.first} cases: {counts}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

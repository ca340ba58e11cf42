"""What bare_root.sh has measured, as shares of the time from ./linkwork.sh to the first motion: one line of JSON.

`python benchmarks/bare_root_shares.py FOLDER`: FOLDER holds log (bare_root_hook.py) and out (first_motion.py).
"""
import json
import sys
from pathlib import Path


def shares(log: list, out: list) -> dict[str, float]:
    """Seconds of each part, in their order; together they are the time until the first motion. apt: what Python needs, the rest is installed beside pip."""
    def first(*words: str) -> float:
        return next(t for t, arguments in log if all(word in arguments for word in words))

    at = {row["what"]: row["seconds"] for row in out}
    venv, pip, window = first("venv"), first("pip", "install"), first("benchmarks.first_motion")
    ends = {"apt": venv, "venv": pip, "pip": max(t for t, arguments in log if "end of pip" in arguments), "waiting for apt": window, "imports": at["imports"], "first picture": at["first picture"],
            "compiling": at["reachable kernels"], "first motion": at["first motion"]}
    found, before = {}, 0.0
    for name, end in ends.items():
        found[name], before = round(end - before, 2), end
    return {**found, "all": round(before, 2)}


def main() -> int:
    folder = Path(sys.argv[1])
    log, out = ([json.loads(line) for line in (folder / name).read_text().splitlines()] for name in ("log", "out"))
    print(json.dumps(shares(log, [row for row in out if "what" in row])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
